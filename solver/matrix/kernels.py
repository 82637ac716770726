# ruff: noqa: PLR0917 - compiled loops; arrays are passed to be filled
"""Compiled solution of zero-sum games of at most four by four actions.

A *kernel* of a matrix game is a square submatrix K whose equalising strategies

    x = 1' adj(K) / D,    y = adj(K) 1 / D,    v = det(K) / D,    D = 1' adj(K) 1,

are non-negative and stay optimal in the whole game.  Shapley and Snow showed that every pair of
extreme optimal strategies comes from a kernel.  With at most four actions a side there are at
most 69 square submatrices, so that all of them can be tried.

A game is solved in three steps:

1. scale it to span 1, so that one set of tolerances fits every game;
2. find one optimal pair: a saddle point, or else kernels of size 2, 3, 4
   (`solver.matrix.kernel_search`);
3. when the pair is not clearly the only one, list the extreme optimal strategies of each player
   and keep the first in the stated order (`solver.matrix.kernel_choice`).

References
----------
L. S. Shapley and R. N. Snow (1950), Basic solutions of discrete games. Contributions to the
Theory of Games I, Annals of Mathematics Studies 24, 27-35.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solver.matrix.kernel_choice import Scratch, first_extreme
from solver.matrix.kernel_search import TIGHT, search_pair

__all__ = ["CERTIFIED_GAP", "LARGEST_SIDE", "solve_games"]

LARGEST_SIDE = 4
"""Most actions a side that the kernels serve."""

CERTIFIED_GAP = 1e-9
"""Largest gap of the two guarantees, on the matrix of span 1, that an answer may have."""

_UNIT_ROUNDOFF = 2.0**-53
# Probabilities and slacks beyond this are beyond doubt; a smaller one sends the game to step 3.
_CLEAR = 1e-8
_CLEAR_DETERMINANT = 1e-5
# Payoffs so far from nought that their own rounding passes 1e-10 of the span are taken at their
# word: no tolerance can tell ties from rounding there.
_LARGEST_OFFSET = 1e-10 / _UNIT_ROUNDOFF


@njit(cache=True, error_model="numpy")
def _scale(a: NDArray[Any], r: int, c: int, m: NDArray[Any]) -> tuple[float, float, float]:
    """Shift and divide a into m, lowest entry 0 and highest 1; return lowest, highest and a factor.

    The factor is 0.5 when the span is beyond the largest float, and 1 otherwise: what the payoffs
    are multiplied by before they are shifted.
    """
    low = a[0, 0]
    high = a[0, 0]
    for i in range(r):
        for j in range(c):
            low = min(low, a[i, j])
            high = max(high, a[i, j])
    factor = 1.0
    if not np.isfinite(high - low):
        factor = 0.5
    shift = low * factor
    span = high * factor - shift
    if span > 0.0:
        for i in range(r):
            for j in range(c):
                m[i, j] = (a[i, j] * factor - shift) / span
    return low, high, factor


@njit(cache=True, error_model="numpy")
def _guarantees(
    m: NDArray[Any], r: int, c: int, x: NDArray[Any], y: NDArray[Any]
) -> tuple[float, float]:
    """Return what x makes sure of and what y concedes at most."""
    lower = np.inf
    for j in range(c):
        payoff = 0.0
        for i in range(r):
            payoff += x[i] * m[i, j]
        lower = min(lower, payoff)
    upper = -np.inf
    for i in range(r):
        payoff = 0.0
        for j in range(c):
            payoff += y[j] * m[i, j]
        upper = max(upper, payoff)
    return lower, upper


@njit(cache=True, error_model="numpy")
def _saddle_point(
    m: NDArray[Any], r: int, c: int, offset: float, pair: NDArray[Any], found: NDArray[Any]
) -> tuple[int, int]:
    """Put a pure optimal pair in pair and found; return its row and column, or -1 and -1."""
    best_row = 0
    maximin = -np.inf
    for i in range(r):
        least = m[i, 0]
        for j in range(1, c):
            least = min(least, m[i, j])
        if least > maximin:
            maximin = least
            best_row = i
    best_column = 0
    minimax = np.inf
    for j in range(c):
        greatest = m[0, j]
        for i in range(1, r):
            greatest = max(greatest, m[i, j])
        if greatest < minimax:
            minimax = greatest
            best_column = j
    if minimax - maximin > 4.0 * _UNIT_ROUNDOFF * (minimax + offset):
        return -1, -1
    pair[:] = 0.0
    pair[0, best_row] = 1.0
    pair[1, best_column] = 1.0
    found[0] = minimax - maximin
    found[1] = maximin
    found[2] = minimax
    found[3] = 1.0
    return best_row, best_column


@njit(cache=True, error_model="numpy")
def _replies(
    m: NDArray[Any], r: int, c: int, value: float, x: NDArray[Any], y: NDArray[Any]
) -> tuple[int, int, bool]:
    """Best replies to y and support of x as bit masks, and whether the two are clearly the same."""
    replies = 0
    support = 0
    for i in range(r):
        payoff = 0.0
        for j in range(c):
            payoff += y[j] * m[i, j]
        if payoff >= value - _CLEAR:
            replies |= 1 << i
            if x[i] > _CLEAR:
                support |= 1 << i
    return replies, support, replies == support


@njit(cache=True, error_model="numpy")
def solve_games(
    payoffs: NDArray[Any],
    values: NDArray[Any],
    rows: NDArray[Any],
    columns: NDArray[Any],
    unique: NDArray[Any],
    gaps: NDArray[Any],
) -> None:
    """Solve every game of payoffs, finite floats of shape (n, r, c) with r and c at most four.

    Fills values (n,), rows (n, r), columns (n, c), unique (n,) and gaps (n,): the gap of the two
    guarantees on the matrix of span 1.  A gap above `CERTIFIED_GAP` marks a game that was not
    solved.
    """
    n, r, c = payoffs.shape
    m = np.zeros((4, 4))
    mirrored = np.zeros((4, 4))
    pair = np.zeros((2, 4))
    found = np.zeros(4)
    scratch = Scratch(
        np.zeros((70, 4)), np.zeros((70, 4)), np.zeros((70, 2)), np.zeros((4, 3)), np.zeros((4, 3))
    )
    for g in range(n):
        a = payoffs[g]
        low, high, factor = _scale(a, r, c, m)
        shift = low * factor
        span = high * factor - shift
        pair[:] = 0.0
        if span == 0.0:
            values[g] = a[0, 0]
            rows[g, 0] = 1.0
            columns[g, 0] = 1.0
            unique[g] = r == 1 and c == 1
            gaps[g] = 0.0
            continue
        offset = min(abs(shift) / span, _LARGEST_OFFSET)
        # Step 2: one optimal pair.
        saddle_row, saddle_column = _saddle_point(m, r, c, offset, pair, found)
        if saddle_row < 0:
            search_pair(m, r, c, pair, found, scratch.candidates, scratch.differences)
        value = 0.5 * (found[1] + found[2])
        # Step 3: is it the only one, and if not, which is shown?
        for i in range(r):
            for j in range(c):
                mirrored[j, i] = -m[i, j]
        row_replies, row_support, row_clear = (1 << r) - 1, 0, False
        column_replies, column_support, column_clear = (1 << c) - 1, 0, False
        floor, ceiling = -np.inf, np.inf
        if found[0] <= TIGHT * found[2]:
            floor, ceiling = found[1], found[2]
            row_replies, row_support, row_clear = _replies(m, r, c, value, pair[0], pair[1])
            column_replies, column_support, column_clear = _replies(
                mirrored, c, r, -value, pair[1], pair[0]
            )
        alone = True
        if not (row_clear and column_clear and found[3] > _CLEAR_DETERMINANT):
            alone = first_extreme(
                m, r, c, offset, row_replies, column_support, floor, pair[0], scratch
            )
            alone &= first_extreme(
                mirrored, c, r, offset, column_replies, row_support, -ceiling, pair[1], scratch
            )
        lower, upper = _guarantees(m, r, c, pair[0], pair[1])
        if found[0] > TIGHT * found[2]:
            value = 0.5 * (lower + upper)
        if saddle_row >= 0 and found[0] == 0.0:
            values[g] = a[saddle_row, saddle_column]
        else:
            values[g] = min(max((shift + value * span) / factor, low), high)
        for i in range(r):
            rows[g, i] = pair[0, i]
        for j in range(c):
            columns[g, j] = pair[1, j]
        unique[g] = alone
        # guarantees are a certificate of probabilities only
        gaps[g] = upper - lower if pair.min() >= 0.0 else np.inf
