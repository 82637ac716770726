"""Zero-sum games of any size by linear programming, and what makes the answers exact enough.

The row player's program on a matrix M is

    maximise v   subject to   x M >= v,  sum x = 1,  x >= 0,

and its dual is the column player's.  A solver in floating point meets such constraints only
within its own tolerance, 1e-7 in HiGHS, so an answer is judged by its *gap*, max(M y) - min(x M),
and improved until the gap is small:

* the equations of the actions in use are solved directly (`polish`);
* what is left is magnified and solved as a program of its own (`refine`), as Gleixner, Steffy and
  Wolter do.

All functions here take the matrix of span 1.

References
----------
A. M. Gleixner, D. E. Steffy and K. Wolter (2016), Iterative refinement for linear programming.
INFORMS Journal on Computing 28, 449-464.
"""

import warnings
from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from solver.matrix.payoffs import FloatArray

__all__ = ["Pair", "by_highs", "by_nashpy", "gap_of", "polish", "refine"]

Pair = tuple[FloatArray, FloatArray]


def _as_strategy(weights: FloatArray) -> FloatArray:
    """Clip rounding noise below 0 and scale to sum 1."""
    clipped = np.maximum(np.nan_to_num(weights, nan=0.0, posinf=0.0), 0.0)
    total = clipped.sum()
    if not total > 0.0:
        return np.full(len(clipped), 1.0 / len(clipped))
    return np.asarray(clipped / total, dtype=np.float64)


def gap_of(matrix: FloatArray, pair: Pair) -> float:
    """Return what the column strategy concedes at most, minus what the row strategy makes sure of.

    Never negative but for rounding; 0 exactly when both strategies are optimal.
    """
    row, column = pair
    return float((matrix @ column).max() - (row @ matrix).min())


def by_highs(matrix: FloatArray) -> Pair | None:
    """Return both strategies from one program, solved by HiGHS; None when it gives no answer."""
    r, c = matrix.shape
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = scipy.optimize.linprog(
            np.append(np.zeros(r), -1.0),
            A_ub=np.column_stack([-matrix.T, np.ones(c)]),
            b_ub=np.zeros(c),
            A_eq=np.append(np.ones(r), 0.0)[np.newaxis],
            b_eq=[1.0],
            bounds=[(0.0, None)] * r + [(None, None)],
            method="highs",
        )
    if result.x is None or result.ineqlin.marginals is None:
        return None
    return _as_strategy(result.x[:r]), _as_strategy(-result.ineqlin.marginals)


def by_nashpy(matrix: FloatArray) -> Pair | None:
    """Return both strategies from ``nashpy.Game.linear_program``; None when it gives no answer.

    nashpy does not read the status of its solver: a failure shows as an exception of any kind or
    as a wrong answer, which the gap tells.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import nashpy  # noqa: PLC0415 - slow to import, and not needed by the other methods

        try:
            row, column = nashpy.Game(matrix).linear_program()
        except Exception:  # whatever it is, there is no answer
            return None
    return _as_strategy(np.asarray(row)), _as_strategy(np.asarray(column))


def _equaliser(matrix: FloatArray, rows: NDArray[Any], columns: NDArray[Any]) -> FloatArray:
    """Return the strategy on the given rows against which the given columns all pay the same."""
    part = matrix[np.ix_(rows, columns)]
    k, n = part.shape
    system = np.zeros((n + 1, k + 1))
    system[:n, :k] = part.T
    system[:n, k] = -1.0
    system[n, :k] = 1.0
    right = np.append(np.zeros(n), 1.0)
    solution = np.linalg.lstsq(system, right, rcond=None)[0]
    # one step of refinement takes out the rounding of the factorisation
    solution += np.linalg.lstsq(system, right - system @ solution, rcond=None)[0]
    strategy = np.zeros(len(matrix))
    strategy[rows] = solution[:k]
    return _as_strategy(strategy)


def polish(matrix: FloatArray, pair: Pair) -> Pair:
    """Solve the equations of the actions in use; keep what has the smaller gap."""
    best, best_gap = pair, gap_of(matrix, pair)
    for threshold in (1e-12, 1e-8, 1e-5):
        row, column = pair
        value = 0.5 * float((matrix @ column).max() + (row @ matrix).min())
        rows, columns = row > threshold, column > threshold
        tight_rows = (matrix @ column >= value - threshold) | rows
        tight_columns = (row @ matrix <= value + threshold) | columns
        for played, held, played_columns, held_rows in (
            (rows, columns, columns, rows),
            (rows, tight_columns, columns, tight_rows),
        ):
            try:
                candidate = (
                    _equaliser(matrix, np.flatnonzero(played), np.flatnonzero(held)),
                    _equaliser(
                        -matrix.T, np.flatnonzero(played_columns), np.flatnonzero(held_rows)
                    ),
                )
            except np.linalg.LinAlgError:
                continue
            gap = gap_of(matrix, candidate)
            if gap < best_gap:
                best, best_gap = candidate, gap
        if best_gap <= 1e-14:
            break
    return best


def _refine_row(matrix: FloatArray, row: FloatArray, scale: float) -> FloatArray:
    """Best correction of a row strategy, looked for with everything magnified by scale."""
    r, c = matrix.shape
    payoffs = row @ matrix
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = scipy.optimize.linprog(
            np.append(np.zeros(r), -1.0),
            A_ub=np.column_stack([-matrix.T, np.ones(c)]),
            b_ub=scale * (payoffs - payoffs.min()),
            A_eq=np.append(np.ones(r), 0.0)[np.newaxis],
            b_eq=[0.0],
            bounds=[(-scale * p, None) for p in row] + [(None, None)],
            method="highs",
        )
    if result.x is None:
        return row
    candidate = _as_strategy(row + result.x[:r] / scale)
    return candidate if (candidate @ matrix).min() > payoffs.min() else row


def refine(matrix: FloatArray, pair: Pair, wanted: float) -> Pair:
    """Magnify what the pair lacks and solve for it, until the gap is as wanted or stays."""
    for _ in range(4):
        gap = gap_of(matrix, pair)
        if gap <= wanted:
            break
        scale = min(max(1.0 / gap, 1e2), 1e8)
        row, column = pair
        pair = polish(
            matrix, (_refine_row(matrix, row, scale), _refine_row(-matrix.T, column, scale))
        )
        if gap_of(matrix, pair) > 0.5 * gap:
            break
    return pair
