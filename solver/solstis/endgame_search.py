"""Memoised expectiminimax to the end of the game, in whole numbers. Compiled.

Values are to player 0: own score minus the other's, times a *scale* that all chances on any line
divide, so that every mean is a whole number and every comparison exact.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.layout import SIZE
from games.solstis.options import MOST_OPTIONS, options
from games.solstis.scoring import total_score
from games.solstis.turn import CHANCE, END, apply, decider, status
from solver.solstis.transpositions import EMPTY, hash_state, probe, store

__all__ = ["LONGEST", "new_stack", "solve_line"]

LONGEST: Final = 300
"""More decisions and chance nodes than the rest of any game has."""

_NODES, _LIMIT = 0, 1
_NEXT, _NUMBER, _TOTAL, _BEST, _WHO = range(5)
_NOBODY = 2


def new_stack() -> tuple[Any, Any, Any, Any]:
    """Return room for one line: states, options, where it stands at each, and hashes."""
    return (
        np.zeros((LONGEST, SIZE), np.int64),
        np.zeros((LONGEST, MOST_OPTIONS), np.int64),
        np.zeros((LONGEST, 5), np.int64),
        np.zeros((LONGEST, 2), np.uint64),
    )


@njit(cache=True)
def _open(  # noqa: PLR0917
    states: Any, codes: Any, frames: Any, ply: Any, keys: Any, values: Any, hashes: Any,
    scale: Any, counts: Any,
) -> Any:  # fmt: skip
    """Look at the state of a ply: return its value, or EMPTY after its options were listed.

    With a scale of 0 the lines to the end are counted instead.
    """
    s = states[ply]
    node = status(s)
    if node == END:
        return scale * (total_score(s, 0) - total_score(s, 1)) if scale else 1
    hash_state(s, hashes[ply])
    found = values[probe(keys, values, hashes[ply])]
    if found != EMPTY:
        return found
    counts[_NODES] += 1
    frames[ply, _NUMBER] = options(s, codes[ply])
    frames[ply, _NEXT] = 0
    frames[ply, _TOTAL] = 0
    if scale == 0 or node == CHANCE:
        frames[ply, _WHO] = _NOBODY
    else:
        frames[ply, _WHO] = decider(s)
    frames[ply, _BEST] = EMPTY
    return EMPTY


@njit(cache=True)
def solve_line(  # noqa: PLR0917
    states: Any,
    codes: Any,
    frames: Any,
    keys: Any,
    values: Any,
    hashes: Any,
    scale: Any,
    counts: Any,
) -> Any:
    """Return the value of the state at ply 0; EMPTY when the nodes run out.

    With a scale of 0: in how many ways the game can go on, branches of chance counted. `counts`
    holds how many nodes were made and how many may be.
    """
    value = _open(states, codes, frames, 0, keys, values, hashes, scale, counts)
    if value != EMPTY:
        return value
    ply = 0
    while True:
        if frames[ply, _NEXT] < frames[ply, _NUMBER]:
            if counts[_NODES] > counts[_LIMIT]:
                return EMPTY
            states[ply + 1, :] = states[ply]
            apply(states[ply + 1], codes[ply, frames[ply, _NEXT]], 0)
            frames[ply, _NEXT] += 1
            value = _open(states, codes, frames, ply + 1, keys, values, hashes, scale, counts)
            if value == EMPTY:
                ply += 1
                continue
        else:
            if frames[ply, _WHO] != _NOBODY:
                value = frames[ply, _BEST]
            else:
                value = frames[ply, _TOTAL]
                if scale:
                    value //= frames[ply, _NUMBER]
            store(keys, values, hashes[ply], value)
            if ply == 0:
                return value
            ply -= 1
        frames[ply, _TOTAL] += value
        best = frames[ply, _BEST]
        if best == EMPTY or (value > best if frames[ply, _WHO] == 0 else value < best):
            frames[ply, _BEST] = value
