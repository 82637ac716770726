"""Information-set Monte Carlo tree search for Solstis: the second opinion.

Single-observer ISMCTS (Cowling, Powley and Whitehouse 2012): every iteration draws a world that
agrees with what the player sees, walks down one common tree by UCB1 among the actions that this
world allows (each counted as often as it was available), adds a node, and plays on from there.
Draws and other chance are those of the world and have no node of their own (an open-loop tree).

Played on is greedily: each decision takes the action after which the fitted evaluation is best, for
some turns; then the evaluation stands for the rest of the game.
"""

import math
from functools import cache
from time import perf_counter
from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis import Action, Observation, State
from games.solstis.actions import action_of
from games.solstis.layout import SIZE
from games.solstis.options import MOST_OPTIONS, options
from games.solstis.turn import CHANCE, END, apply, decider, status
from solver.solstis.arguments import (
    MOST,
    MOST_PLAYOUT_TURNS,
    SolstisObjective,
    check_exploration,
    check_question,
    check_seconds,
    check_whole,
)
from solver.solstis.choose import Alternative, Choice
from solver.solstis.evaluation import weights_for
from solver.solstis.lookahead import MARGIN, WIN, play_on, settled_outcome

__all__ = ["search_tree"]

EXPLORATION: Final = 0.5
PLAYOUT_TURNS: Final = 2
"""Tuned by ``benchmarks/solstis_arena.py``; see ``docs/explanation/solstis-search.md``."""

_SCALE: Final = 20.0
"""Margins are divided by this for UCB, which expects rewards of about one."""

_VISITS, _AVAILABLE = 0, 1
_PARENT_BITS: Final = 32


class _Tree:
    """The nodes as arrays: counts and sums, and a hash table from (node, action) to node."""

    def __init__(self, nodes: int) -> None:
        size = 1 << max(10, (4 * nodes).bit_length())
        self.keys = np.full(size, -1, dtype=np.int64)
        self.children = np.zeros(size, dtype=np.int64)
        self.counts = np.zeros((nodes, 2), dtype=np.int64)
        self.sums = np.zeros(nodes)
        self.used = np.ones(1, dtype=np.int64)


@njit(cache=True)
def _find(keys: Any, node: Any, code: Any) -> Any:
    """Return the place of a node's child by an action, or where it would be."""
    key = node << _PARENT_BITS | code
    mask = len(keys) - 1
    place = (key * 0x9E3779B1 ^ key >> 15) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True)
def _select(  # noqa: PLR0917
    keys: Any, children: Any, counts: Any, sums: Any, node: Any, codes: Any, number: Any,
    sign: Any, exploration: Any,
) -> Any:  # fmt: skip
    """Return the option to take: one without a node if there is one, else the best by UCB1."""
    fresh, seen = 0, -1
    best, chosen = -np.inf, 0
    for k in range(number):
        place = _find(keys, node, codes[k])
        if keys[place] == -1:
            fresh += 1
            # Each of the fresh ones with equal chance.
            if np.random.randint(fresh) == 0:  # noqa: NPY002
                seen = k
            continue
        child = children[place]
        counts[child, _AVAILABLE] += 1
        visits = counts[child, _VISITS]
        mean = sums[child] / visits
        if sign < 0:
            mean = 1.0 - mean
        bound = mean + exploration * np.sqrt(np.log(counts[child, _AVAILABLE]) / visits)
        if bound > best:
            best, chosen = bound, k
    return seen if fresh else chosen


@njit(cache=True)
def iterate(  # noqa: PLR0917
    s: Any,
    keys: Any,
    children: Any,
    counts: Any,
    sums: Any,
    used: Any,
    tiles: Any,
    spirits: Any,
    objective: Any,
    weights: Any,
    exploration: Any,
    playout_turns: Any,
    codes: Any,
    scratch: Any,
    path: Any,
) -> None:
    """Make one iteration in a world; the vector `s` is used up."""
    depth, node = 1, np.int64(0)
    path[0] = 0
    grown = False
    while depth < len(path) and not grown:
        kind = status(s)
        if kind == END:
            break
        number = options(s, codes)
        if kind == CHANCE:
            apply(s, settled_outcome(codes, number, tiles, spirits), 0)
            continue
        chosen = 0
        sign = 1 if decider(s) == 0 else -1
        chosen = _select(keys, children, counts, sums, node, codes, number, sign, exploration)
        code = codes[chosen]
        place = _find(keys, node, code)
        if keys[place] == -1:
            if used[0] >= len(sums):
                break
            keys[place] = node << _PARENT_BITS | code
            children[place] = used[0]
            counts[used[0], _AVAILABLE] = 1
            used[0] += 1
            grown = True
        node = children[place]
        path[depth] = node
        depth += 1
        apply(s, code, 0)
    value = play_on(s, playout_turns, tiles, spirits, objective, weights, codes, scratch)
    if objective == MARGIN:
        value = 0.5 + value / (2.0 * _SCALE)
    for k in range(depth):
        counts[path[k], _VISITS] += 1
        sums[path[k]] += value


def search_tree(  # noqa: PLR0917
    observation: Observation,
    objective: SolstisObjective = "margin",
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    exploration: float = EXPLORATION,
    playout_turns: int = PLAYOUT_TURNS,
) -> Choice:
    """Choose an action by information-set Monte Carlo tree search.

    Parameters
    ----------
    observation : Observation
        What the player sees, at a decision of that player.
    objective : {"margin", "win"}
        The expected difference of scores, or the chance to win.
    seconds : float, optional
        Time for this decision.
    iterations : int, optional
        How many iterations; 2,000 if neither is given. With both, whichever ends first.
    seed : int
        Of the worlds and of the ties.
    exploration : float
        The constant of UCB1.
    playout_turns : int
        For how many turns it is played on greedily before the evaluation.

    Returns
    -------
    Choice
        The action that was visited most. Its alternatives have means of what was tried, which for
        actions seldom tried says little; `best_in` is the number of visits, and errors are
        infinite: they are not known.

    Raises
    ------
    SolverError
        If the player has nothing to decide, or a number makes no sense.
    """
    legal = check_question(observation, objective)
    check_seconds(seconds)
    check_whole("iterations", iterations, 1, MOST)
    check_whole("seed", seed, 0, 2**63)
    check_exploration(exploration)
    check_whole("playout_turns", playout_turns, 0, MOST_PLAYOUT_TURNS)
    if seconds is not None:
        _compile()
    started = perf_counter()
    if len(legal) == 1 and seconds is not None:
        only = Alternative(legal[0], math.nan, math.inf, 0.0, math.inf, 0)
        return Choice(legal[0], math.nan, (only,), objective, 0, 0, 0, perf_counter() - started)
    most = iterations or (2_000 if seconds is None else 400_000)
    tree = _Tree(min(most, 400_000) + 1)
    rng = np.random.default_rng(seed)
    _seed(int(rng.integers(2**31)))
    weights = weights_for(observation.rules)
    codes, scratch = np.zeros(MOST_OPTIONS, np.int64), np.zeros(SIZE, np.int64)
    path = np.zeros(200, np.int64)
    done = 0
    while done < most:
        if seconds is not None and done and perf_counter() - started > seconds:
            break
        world = observation.sample(rng)
        iterate(
            world._core,
            tree.keys,
            tree.children,
            tree.counts,
            tree.sums,
            tree.used,
            rng.permutation(60),
            rng.permutation(19),
            WIN if objective == "win" else MARGIN,
            weights,
            exploration,
            playout_turns,
            codes,
            scratch,
            path,
        )
        done += 1
    return _result(observation, legal, tree, objective, done, perf_counter() - started)


@cache
def _compile() -> None:
    """Search once, so that compiling, or loading what is compiled, takes no one's time."""
    search_tree(State.new(0).observe(0), iterations=1)


@njit(cache=True)
def _seed(seed: Any) -> None:
    np.random.seed(seed)  # noqa: NPY002


def _result(  # noqa: PLR0917
    observation: Observation,
    legal: list[Action],
    tree: _Tree,
    objective: SolstisObjective,
    done: int,
    seconds: float,
) -> Choice:
    found = []
    for place in np.flatnonzero((tree.keys >= 0) & (tree.keys >> _PARENT_BITS == 0)):
        code, child = int(tree.keys[place]) & (1 << _PARENT_BITS) - 1, int(tree.children[place])
        visits = int(tree.counts[child, _VISITS])
        value = float(tree.sums[child]) / max(visits, 1)
        if objective == "margin":
            value = (value - 0.5) * 2 * _SCALE
        if observation.player == 1:
            value = 1 - value if objective == "win" else -value
        found.append((visits, value, action_of(code)))
    found = [one for one in found if one[2] in legal]
    found.sort(key=lambda one: (-one[0], -one[1], str(one[2])))
    chosen = found[0]
    alternatives = tuple(
        Alternative(action, value, math.inf, chosen[1] - value, math.inf, visits)
        for visits, value, action in found
    )
    nodes = int(tree.used[0])
    return Choice(chosen[2], chosen[1], alternatives, objective, done, 0, nodes, seconds)
