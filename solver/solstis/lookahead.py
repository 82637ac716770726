"""Depth-limited search of one world: whole turns of both players, then the evaluation. Compiled.

A *world* settles what is hidden: the opponent's hand, and in which order tiles and spirits come. In
it chance has no say any more, and the search is minimax with alpha-beta pruning (Knuth and Moore
1975). What the world cannot be known by is averaged out over many worlds by the caller.

Values are to player 0. Under `margin` the value of an end is the difference of scores, under `win`
1, 1/2 or 0; before the end the evaluation stands for its expectation.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.layout import SIZE, Field, Kind, Stage
from games.solstis.moves import pile_size
from games.solstis.options import MOST_OPTIONS, options
from games.solstis.scoring import total_score
from games.solstis.turn import CHANCE, DECISION, END, apply, decider, status
from solver.solstis.features import COUNT, feature_vector

__all__ = [
    "LONGEST",
    "MARGIN",
    "OUT_OF_NODES",
    "WIN",
    "evaluate",
    "final_value",
    "new_line",
    "option_values",
    "play_on",
    "search",
    "settled_outcome",
]

MARGIN, WIN = 0, 1
LONGEST: Final = 300
_PILE: Final = 30.0
_NODES, _LIMIT = 0, 1
_NEXT, _NUMBER, _TURNS, _MAXIMISES = range(4)
_ALPHA, _BETA, _BEST = range(3)
OUT_OF_NODES: Final = 1e9
"""Returned when the nodes ran out."""
OPEN: Final = 2e9
"""Stands for a value that the options will tell."""


def new_line() -> tuple[Any, Any, Any, Any]:
    """Return room for one line: its states, their options, where it stands at each, and bounds."""
    return (
        np.zeros((LONGEST, SIZE), np.int64),
        np.zeros((LONGEST, MOST_OPTIONS), np.int64),
        np.zeros((LONGEST, 4), np.int64),
        np.zeros((LONGEST, 3)),
    )


@njit(cache=True)
def evaluate(s: Any, objective: Any, weights: Any) -> Any:
    """Return the expected margin, or chance to win, of a position before the end.

    `weights` has a row for the weights with an empty pile, one for what is added with a full one,
    and one that holds the two spreads of the margin.
    """
    mine, theirs = np.empty(COUNT), np.empty(COUNT)
    feature_vector(s, 0, mine)
    feature_vector(s, 1, theirs)
    left = pile_size(s) / _PILE
    margin = 0.0
    for k in range(COUNT):
        margin += (mine[k] - theirs[k]) * (weights[0, k] + left * weights[1, k])
    if objective == MARGIN:
        return margin
    spread = weights[2, 0] + left * weights[2, 1]
    return 1.0 / (1.0 + np.exp(-margin / spread))


@njit(cache=True)
def final_value(s: Any, objective: Any) -> Any:
    """Return the value of the end of a game."""
    margin = total_score(s, 0) - total_score(s, 1)
    if objective == MARGIN:
        return float(margin)
    if margin == 0:
        return 0.5
    return 1.0 if margin > 0 else 0.0


@njit(cache=True)
def settled_outcome(codes: Any, number: Any, tiles: Any, spirits: Any) -> Any:
    """Return the outcome that a world brings.

    `tiles` and `spirits` say for each tile and spirit how soon it comes; a blind pick takes the
    last one.
    """
    kind = codes[0] >> 16
    best, soonest = codes[0], np.int64(1 << 30)
    for k in range(number):
        first, second = codes[k] >> 7 & 127, codes[k] & 127
        if kind == Kind.DRAW_SPIRITS:
            when = max(spirits[first], spirits[second])
        elif kind in (Kind.EAGLE_DRAW, Kind.DRAGONFLY_DRAW):
            when = -tiles[first]
        else:
            when = tiles[first]
        if when < soonest:
            best, soonest = codes[k], when
    return best


@njit(cache=True)
def play_on(  # noqa: PLR0917
    s: Any, turns: Any, tiles: Any, spirits: Any, objective: Any, weights: Any, codes: Any,
    scratch: Any,
) -> Any:  # fmt: skip
    """Play greedily for some turns and return the value to player 0 of where that leads."""
    while True:
        node = status(s)
        if node == END:
            return final_value(s, objective)
        number = options(s, codes)
        if node == CHANCE:
            apply(s, settled_outcome(codes, number, tiles, spirits), 0)
            continue
        if s[Field.STAGE] == Stage.PLAY and s[Field.PENDING] == 0:
            if turns == 0:
                return evaluate(s, objective, weights)
            turns -= 1
        chosen = 0
        if number > 1:
            sign = 1.0 if decider(s) == 0 else -1.0
            best = -np.inf
            for k in range(number):
                scratch[:] = s
                apply(scratch, codes[k], 0)
                value = sign * evaluate(scratch, MARGIN, weights)
                if value > best:
                    best, chosen = value, k
        apply(s, codes[chosen], 0)


@njit(cache=True)
def _open(  # noqa: PLR0917
    states: Any, codes: Any, frames: Any, ply: Any, tiles: Any, spirits: Any, playout: Any,
    objective: Any, weights: Any, counts: Any,
) -> Any:  # fmt: skip
    """Look at the state of a ply: return its value, or OPEN after its options were listed."""
    s = states[ply]
    while True:
        counts[_NODES] += 1
        if counts[_NODES] > counts[_LIMIT] or ply >= LONGEST - 2:
            return OUT_OF_NODES
        node = status(s)
        if node == END:
            return final_value(s, objective)
        if node == DECISION:
            break
        # Only one outcome comes in this world, so the state need not be kept.
        number = options(s, codes[ply])
        apply(s, settled_outcome(codes[ply], number, tiles, spirits), 0)
    if s[Field.STAGE] == Stage.PLAY and s[Field.PENDING] == 0:
        if frames[ply, _TURNS] == 0:
            return play_on(
                s, playout, tiles, spirits, objective, weights, codes[ply], states[ply + 1]
            )
        frames[ply, _TURNS] -= 1
    frames[ply, _NUMBER] = options(s, codes[ply])
    frames[ply, _NEXT] = 0
    frames[ply, _MAXIMISES] = decider(s) == 0
    return OPEN


@njit(cache=True)
def search(  # noqa: PLR0917
    states: Any,
    codes: Any,
    frames: Any,
    bounds: Any,
    turns: Any,
    tiles: Any,
    spirits: Any,
    playout: Any,
    objective: Any,
    weights: Any,
    counts: Any,
) -> Any:
    """Return the value of the state at ply 1, looking so many turns ahead.

    A loop over an explicit line instead of a recursion.

    Parameters
    ----------
    states, codes, frames, bounds : arrays
        Room for the line (`new_line`); the state is in place 1.
    turns : int
        How many turns may still begin.
    tiles, spirits : integer arrays
        The world: how soon each comes.
    playout : int
        For how many turns it is played on greedily before the evaluation.
    objective : int
        MARGIN or WIN.
    weights : float array, shape (3, features)
        The evaluation.
    counts : integer array
        How many nodes were made and how many may be.
    """
    ply = 1
    frames[1, _TURNS] = turns
    bounds[1, _ALPHA], bounds[1, _BETA] = -OUT_OF_NODES, OUT_OF_NODES
    value = _open(states, codes, frames, 1, tiles, spirits, playout, objective, weights, counts)
    if value != OPEN:
        return value
    bounds[1, _BEST] = -OUT_OF_NODES if frames[1, _MAXIMISES] else OUT_OF_NODES
    while True:
        if frames[ply, _NEXT] < frames[ply, _NUMBER] and bounds[ply, _ALPHA] < bounds[ply, _BETA]:
            states[ply + 1, :] = states[ply]
            apply(states[ply + 1], codes[ply, frames[ply, _NEXT]], 0)
            frames[ply, _NEXT] += 1
            frames[ply + 1, _TURNS] = frames[ply, _TURNS]
            bounds[ply + 1, _ALPHA] = bounds[ply, _ALPHA]
            bounds[ply + 1, _BETA] = bounds[ply, _BETA]
            value = _open(
                states, codes, frames, ply + 1, tiles, spirits, playout, objective, weights, counts
            )
            if value == OPEN:
                ply += 1
                best = -OUT_OF_NODES if frames[ply, _MAXIMISES] else OUT_OF_NODES
                bounds[ply, _BEST] = best
                continue
            if value == OUT_OF_NODES:
                return OUT_OF_NODES
        else:
            value = bounds[ply, _BEST]
            ply -= 1
            if ply == 0:
                return value
        if frames[ply, _MAXIMISES]:
            bounds[ply, _BEST] = max(bounds[ply, _BEST], value)
            bounds[ply, _ALPHA] = max(bounds[ply, _ALPHA], value)
        else:
            bounds[ply, _BEST] = min(bounds[ply, _BEST], value)
            bounds[ply, _BETA] = min(bounds[ply, _BETA], value)


@njit(cache=True)
def option_values(  # noqa: PLR0917
    states: Any,
    codes: Any,
    frames: Any,
    bounds: Any,
    turns: Any,
    tiles: Any,
    spirits: Any,
    playout: Any,
    objective: Any,
    weights: Any,
    counts: Any,
    values: Any,
) -> Any:
    """Write the value of every legal action of the decision at ply 0 and return how many there are.

    `turns` is how many turns may begin after the present one. The number is -1 when the nodes ran
    out.
    """
    number = options(states[0], codes[0])
    for k in range(number):
        states[1, :] = states[0]
        apply(states[1], codes[0, k], 0)
        values[k] = search(
            states,
            codes,
            frames,
            bounds,
            turns,
            tiles,
            spirits,
            playout,
            objective,
            weights,
            counts,
        )
        if values[k] == OUT_OF_NODES:
            return -1
    return number
