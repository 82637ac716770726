"""Exact expectiminimax with pruning: alpha-beta at decisions, Star1 and Star2 at chance. Compiled.

What is known of a value is an interval. A decision node takes the larger (or smaller) ends of its
options, a chance node their means; a node is left as soon as its interval lies outside the window
that its parent still asks about. The windows of the children of a chance node come from the
intervals of their siblings (Star1, Ballard 1983); with Star2 each child is first *probed*, by its
first option alone, which often narrows its interval enough. Intervals are kept in the transposition
table. Values are whole numbers as in `endgame_search`, so a closed interval is a proof.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.layout import SIZE
from games.solstis.options import MOST_OPTIONS, options
from games.solstis.scoring import total_score
from games.solstis.turn import CHANCE, END, apply, decider, status
from solver.solstis.endgame_search import LONGEST
from solver.solstis.score_bounds import MOST_POINTS, margin_bounds
from solver.solstis.transpositions import hash_state, probe

__all__ = [
    "BOUNDS",
    "EVERYTHING",
    "ORDER",
    "SCOUT",
    "STAR2",
    "move_intervals",
    "new_interval_table",
    "new_pruned_stack",
    "prune_line",
]

ORDER, BOUNDS, STAR2, SCOUT = 1, 2, 4, 8
"""Techniques that can be switched on.

Options in order of what is known of them; bounds on the score before anything is searched; Star2;
and scouting: whether an option beats the best so far is asked before by how much.
"""

EVERYTHING: Final = ORDER | BOUNDS | STAR2 | SCOUT

_NODES, _LIMIT, _USED = 0, 1, 2
_NEXT, _NUMBER, _WHO, _PROBING, _PROBED, _SCOUTING = range(6)
_ALPHA, _BETA, _FLOOR, _CEILING = range(4)
_NOT, _SCOUT, _AGAIN = range(3)
_NOBODY: Final = 2
_ZERO = np.uint64(0)


def new_interval_table(entries: int) -> tuple[Any, Any]:
    """Return the keys and the intervals of an empty table of at least so many entries."""
    size = 1 << max(10, (2 * entries - 1).bit_length())
    return np.zeros((size, 2), dtype=np.uint64), np.zeros((size, 2), dtype=np.int64)


def new_pruned_stack() -> tuple[Any, ...]:
    """Return room for one line.

    States, options, where it stands at each, its bounds, hashes, and for every option the
    interval known of it.
    """
    return (
        np.zeros((LONGEST, SIZE), np.int64),
        np.zeros((LONGEST, MOST_OPTIONS), np.int64),
        np.zeros((LONGEST, 6), np.int64),
        np.zeros((LONGEST, 4), np.int64),
        np.zeros((LONGEST, 2), np.uint64),
        np.zeros((LONGEST, MOST_OPTIONS, 2), np.int64),
        np.zeros(SIZE, np.int64),
    )


@njit(cache=True)
def _look_up(  # noqa: PLR0917
    s: Any, node: Any, keys: Any, table: Any, key: Any, scale: Any, techniques: Any, out: Any
) -> None:
    """Write what is known of a state without searching it, and its hash."""
    if node == END:
        value = scale * (total_score(s, 0) - total_score(s, 1))
        out[0] = value
        out[1] = value
        return
    hash_state(s, key)
    place = probe(keys, table, key)
    if keys[place, 1] != _ZERO:
        out[0] = table[place, 0]
        out[1] = table[place, 1]
    elif techniques & BOUNDS:
        margin_bounds(s, out)
        out[0] *= scale
        out[1] *= scale
    else:
        out[0] = -MOST_POINTS * scale
        out[1] = MOST_POINTS * scale


@njit(cache=True)
def _keep(  # noqa: PLR0917
    keys: Any, table: Any, key: Any, low: Any, high: Any, counts: Any
) -> None:
    place = probe(keys, table, key)
    if keys[place, 1] == _ZERO:
        counts[_USED] += 1
        keys[place, 0] = key[0]
        keys[place, 1] = key[1]
    table[place, 0] = low
    table[place, 1] = high


@njit(cache=True)
def _interval(low: Any, high: Any, number: Any, who: Any, out: Any) -> None:
    """Write the interval of a node from those of its options (columns of `low` and `high`)."""
    if who == _NOBODY:
        bottom, top = np.int64(0), np.int64(0)
        for k in range(number):
            bottom += low[k]
            top += high[k]
        # A value is a whole number, so the mean may be rounded inwards.
        out[0] = -(-bottom // number)
        out[1] = top // number
        return
    out[0] = low[0]
    out[1] = high[0]
    for k in range(1, number):
        if who == 0:
            out[0] = max(out[0], low[k])
            out[1] = max(out[1], high[k])
        else:
            out[0] = min(out[0], low[k])
            out[1] = min(out[1], high[k])


@njit(cache=True)
def _expand(  # noqa: PLR0917
    ply: Any, states: Any, codes: Any, frames: Any, known: Any, scratch: Any, keys: Any, table: Any,
    scale: Any, techniques: Any,
) -> None:  # fmt: skip
    """List the options of a state with what is known of each, the most hopeful first."""
    s = states[ply]
    number = options(s, codes[ply])
    node = status(s)
    who = _NOBODY if node == CHANCE else decider(s)
    frames[ply, _NUMBER] = number
    frames[ply, _WHO] = who
    frames[ply, _NEXT] = 0
    frames[ply, _PROBING] = who == _NOBODY and techniques & STAR2 != 0
    frames[ply, _SCOUTING] = _NOT
    key, found = np.empty(2, np.uint64), np.empty(2, np.int64)
    order = np.empty(number, np.int64)
    for k in range(number):
        scratch[:] = s
        apply(scratch, codes[ply, k], 0)
        child = status(scratch)
        _look_up(scratch, child, keys, table, key, scale, techniques, found)
        known[ply, k, 0] = found[0]
        known[ply, k, 1] = found[1]
        order[k] = found[0] + found[1]
    if who == _NOBODY or not techniques & ORDER:
        return
    # Insertion sort: few options, and often sorted already.
    sign = -1 if who == 0 else 1
    for k in range(1, number):
        value, code = order[k], codes[ply, k]
        low, high = known[ply, k, 0], known[ply, k, 1]
        j = k - 1
        while j >= 0 and sign * order[j] > sign * value:
            order[j + 1] = order[j]
            codes[ply, j + 1] = codes[ply, j]
            known[ply, j + 1] = known[ply, j]
            j -= 1
        order[j + 1] = value
        codes[ply, j + 1] = code
        known[ply, j + 1, 0] = low
        known[ply, j + 1, 1] = high


@njit(cache=True)
def _next_open(low: Any, high: Any, first: Any, number: Any) -> Any:
    """Return the first option, from one on, whose interval is not a point; `number` if none is."""
    while first < number and low[first] == high[first]:
        first += 1
    return first


@njit(cache=True)
def _window(  # noqa: PLR0917
    frames: Any, bounds: Any, ply: Any, k: Any, low: Any, high: Any, techniques: Any, out: Any
) -> None:
    """Write the window in which the value of option k still matters; `out` holds the interval."""
    a, b = bounds[ply, _ALPHA], bounds[ply, _BETA]
    number, who = frames[ply, _NUMBER], frames[ply, _WHO]
    if who == _NOBODY:
        rest_low, rest_high = -low[k], -high[k]
        for j in range(number):
            rest_low += low[j]
            rest_high += high[j]
        out[0] = number * a - rest_high
        out[1] = number * b - rest_low
        return
    scout = techniques & SCOUT and k > 0 and frames[ply, _SCOUTING] != _AGAIN
    frames[ply, _SCOUTING] = _SCOUT if scout else _NOT
    if who == 0:
        out[0] = max(a, out[0])
        out[1] = min(b, out[0] + 1) if scout else b
    else:
        out[1] = min(b, out[1])
        out[0] = max(a, out[1] - 1) if scout else a


@njit(cache=True)
def _back(  # noqa: PLR0917
    frames: Any, ply: Any, k: Any, low: Any, high: Any, window: Any
) -> None:
    """After a scout has found option k better than the best so far, ask again by how much."""
    if frames[ply, _SCOUTING] != _SCOUT:
        return
    better = low >= window[1] if frames[ply, _WHO] == 0 else high <= window[0]
    frames[ply, _SCOUTING] = _NOT
    if better and low < high:
        frames[ply, _SCOUTING] = _AGAIN
        frames[ply, _NEXT] = k


@njit(cache=True)
def prune_line(  # noqa: PLR0915, PLR0917
    states: Any, codes: Any, frames: Any, bounds: Any, hashes: Any, known: Any, scratch: Any,
    keys: Any, table: Any, scale: Any, alpha: Any, beta: Any, techniques: Any, counts: Any,
    out: Any,
) -> Any:  # fmt: skip
    """Write an interval of the value of the state at ply 0; False when the table is full.

    The interval is a point when the value lies strictly between `alpha` and `beta`. `counts` holds
    how many positions were looked into, how many the table may hold and how many it holds.
    """
    _look_up(states[0], status(states[0]), keys, table, hashes[0], scale, techniques, out)
    if out[0] == out[1] or out[0] >= beta or out[1] <= alpha:
        return True
    ply = 0
    bounds[0, _ALPHA], bounds[0, _BETA] = alpha, beta
    bounds[0, _FLOOR], bounds[0, _CEILING] = out[0], out[1]
    frames[0, _PROBED] = 0
    entered = True
    while True:
        if entered:
            counts[_NODES] += 1
            if counts[_USED] >= counts[_LIMIT]:
                return False
            _expand(ply, states, codes, frames, known, scratch, keys, table, scale, techniques)
            entered = False
        number = frames[ply, _NUMBER]
        low, high = known[ply, :number, 0], known[ply, :number, 1]
        _interval(low, high, number, frames[ply, _WHO], out)
        out[0] = max(out[0], bounds[ply, _FLOOR])
        out[1] = min(out[1], bounds[ply, _CEILING])
        k = _next_open(low, high, frames[ply, _NEXT], number)
        if k == number and frames[ply, _PROBING]:
            frames[ply, _PROBING] = 0
            k = _next_open(low, high, 0, number)
        if (
            k == number
            or out[0] >= out[1]
            or out[0] >= bounds[ply, _BETA]
            or out[1] <= bounds[ply, _ALPHA]
            or (frames[ply, _PROBED] and frames[ply, _NEXT] > 0)
        ):
            _keep(keys, table, hashes[ply], out[0], out[1], counts)
            if ply == 0:
                return True
            ply -= 1
            k = frames[ply, _NEXT] - 1
            known[ply, k, 0] = max(known[ply, k, 0], out[0])
            known[ply, k, 1] = min(known[ply, k, 1], out[1])
            _back(frames, ply, k, known[ply, k, 0], known[ply, k, 1], bounds[ply + 1])
            continue
        _window(frames, bounds, ply, k, low, high, techniques, out)
        frames[ply, _NEXT] = k + 1
        child = ply + 1
        states[child, :] = states[ply]
        apply(states[child], codes[ply, k], 0)
        hash_state(states[child], hashes[child])
        # The table may have learned more since the options were listed.
        place = probe(keys, table, hashes[child])
        if keys[place, 1] != _ZERO:
            known[ply, k, 0] = max(known[ply, k, 0], table[place, 0])
            known[ply, k, 1] = min(known[ply, k, 1], table[place, 1])
        if low[k] == high[k] or high[k] <= out[0] or low[k] >= out[1]:
            _back(frames, ply, k, low[k], high[k], out)
            continue
        bounds[child, _FLOOR], bounds[child, _CEILING] = low[k], high[k]
        # No wider than what is known: products along nested chance nodes stay small.
        bounds[child, _ALPHA] = max(out[0], low[k] - 1)
        bounds[child, _BETA] = min(out[1], high[k] + 1)
        frames[child, _PROBED] = frames[ply, _PROBING]
        ply = child
        entered = True


@njit(cache=True)
def move_intervals(keys: Any, table: Any, new_keys: Any, new_table: Any) -> None:
    """Copy all entries to a larger table."""
    for old in range(len(keys)):
        if keys[old, 1] != _ZERO:
            place = probe(new_keys, new_table, keys[old])
            new_keys[place, 0] = keys[old, 0]
            new_keys[place, 1] = keys[old, 1]
            new_table[place, 0] = table[old, 0]
            new_table[place, 1] = table[old, 1]
