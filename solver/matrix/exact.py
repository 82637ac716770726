"""Zero-sum games in exact rational arithmetic.

`solve_exact` answers in fractions: for backward induction without rounding, and as the judge of
the floating-point methods.  Up to four by four it tries the kernels of Shapley and Snow, as
`solver.matrix.kernels` does, on whole numbers; beyond, the simplex method of
`solver.matrix.simplex`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm

import numpy as np

from solver.matrix.kernels import LARGEST_SIDE, solve_games
from solver.matrix.payoffs import PayoffsLike, read_matrix
from solver.matrix.simplex import simplex

__all__ = ["ExactSolution", "solve_exact"]

Integers = list[list[int]]


@dataclass(frozen=True)
class ExactSolution:
    """Exact solution of a zero-sum game.

    Parameters
    ----------
    value
        Value of the game to the row player, in the unit of the payoffs.
    row, column
        An optimal strategy of each player: probabilities that sum to 1.
    unique
        Whether both strategies are the only optimal ones.
    """

    value: Fraction
    row: tuple[Fraction, ...]
    column: tuple[Fraction, ...]
    unique: bool


def _cofactors(m: Integers, rows: tuple[int, ...], columns: tuple[int, ...]) -> list[int] | None:
    """Whole-number weights on rows that make all columns pay the same; None if not one sign.

    The weights are not divided by their sum, which is positive.
    """
    if len(rows) == 1:
        return [1]
    j0 = columns[0]
    d = [[m[i][j] - m[i][j0] for j in columns[1:]] for i in rows]
    if len(rows) == 2:
        weights = [d[1][0], -d[0][0]]
    elif len(rows) == 3:
        (a, b), (c, e), (f, g) = d
        weights = [c * g - e * f, f * b - g * a, a * e - b * c]
    else:
        weights = []
        for skip in range(4):
            (a, b, c), (e, f, g), (h, k, n) = (d[i] for i in range(4) if i != skip)
            minor = a * (f * n - g * k) - b * (e * n - g * h) + c * (e * k - f * h)
            weights.append(-minor if skip % 2 else minor)
    total = sum(weights)
    if total == 0:
        return None
    if total < 0:
        weights = [-weight for weight in weights]
    return None if min(weights) < 0 else weights


def _spread(weights: list[int], places: tuple[int, ...], length: int) -> list[int]:
    spread = [0] * length
    for place, weight in zip(places, weights, strict=True):
        spread[place] = weight
    return spread


def _row_payoffs(m: Integers, column: list[int]) -> list[int]:
    return [sum(a * y for a, y in zip(row, column, strict=True) if y) for row in m]


def _transpose(m: Integers) -> Integers:
    """Return the game as the column player sees it."""
    return [[-a for a in column] for column in zip(*m, strict=True)]


def _guesses(m: Integers) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Kernels in the order in which to try them: first the one that floats point to."""
    r, c = len(m), len(m[0])
    low = min(map(min, m))
    span = max(map(max, m)) - low
    floats = np.array([[[(a - low) / span for a in row] for row in m]])
    rows, columns = np.zeros((1, r)), np.zeros((1, c))
    solve_games(floats, np.zeros(1), rows, columns, np.zeros(1, bool), np.zeros(1))
    guess = tuple(
        tuple(int(k) for k in np.flatnonzero(strategy[0] > 0.0)) for strategy in (rows, columns)
    )
    if len(guess[0]) == len(guess[1]):
        yield guess[0], guess[1]
    for size in range(1, min(r, c) + 1):
        for places in combinations(range(r), size):
            for others in combinations(range(c), size):
                yield places, others


def _one_pair(m: Integers) -> tuple[list[int], list[int], Fraction]:
    """One optimal pair of strategies, as whole-number weights, and the value."""
    r, c = len(m), len(m[0])
    least = [min(row) for row in m]
    greatest = [max(column) for column in zip(*m, strict=True)]
    if max(least) == min(greatest):
        i, j = least.index(max(least)), greatest.index(min(greatest))
        return _spread([1], (i,), r), _spread([1], (j,), c), Fraction(m[i][j])
    other = _transpose(m)
    for rows, columns in _guesses(m):
        x = _cofactors(m, rows, columns)
        y = None if x is None else _cofactors(other, columns, rows)
        if x is None or y is None:
            continue
        row, column = _spread(x, rows, r), _spread(y, columns, c)
        # the kernel's determinant is the same from both sides, and so are the sums of weights
        value = sum(row[i] * m[i][columns[0]] for i in rows)
        if max(_row_payoffs(m, column)) == value and max(_row_payoffs(other, row)) == -value:
            return row, column, Fraction(value, sum(row))
    raise AssertionError("a matrix game without a kernel contradicts Shapley and Snow")


def _extreme_rows(m: Integers, value: Fraction, column: list[int]) -> list[tuple[Fraction, ...]]:
    """All extreme optimal strategies of the row player, the first in the stated order first.

    column holds the weights of an extreme optimal strategy of the other player.  Every extreme
    strategy of this one shares a kernel with it: rows among the best replies to it, columns
    around its support.
    """
    r, c = len(m), len(m[0])
    payoffs = _row_payoffs(m, column)
    allowed = [i for i in range(r) if payoffs[i] == max(payoffs)]
    support = [j for j in range(c) if column[j]]
    rest = [j for j in range(c) if not column[j]]
    top, bottom = value.numerator, value.denominator
    other = _transpose(m)
    found: set[tuple[Fraction, ...]] = set()
    for size in range(len(support), min(len(allowed), c) + 1):
        for rows in combinations(allowed, size):
            for added in combinations(rest, size - len(support)):
                weights = _cofactors(m, rows, tuple(sorted((*support, *added))))
                if weights is None:
                    continue
                row = _spread(weights, rows, r)
                total = sum(row)
                if max(_row_payoffs(other, row)) * bottom <= -top * total:
                    found.add(tuple(Fraction(weight, total) for weight in row))
    return sorted(found, reverse=True)


def solve_exact(payoffs: PayoffsLike) -> ExactSolution:
    """Solve a zero-sum game in exact rational arithmetic.

    Up to four by four the strategies shown follow the rule of `solver.matrix.solve`: the extreme
    optimal strategy that comes first when the one that plays the first action most goes first,
    then the second, and so on.  Beyond that size they are arbitrary extreme optimal strategies.

    Parameters
    ----------
    payoffs
        Matrix of what the column player pays the row player, in any unit: integers, fractions or
        decimals.  Floats are accepted and read as the exact binary fractions that they are.

    Returns
    -------
    ExactSolution
        Value, strategies and uniqueness, all exact.

    Raises
    ------
    PayoffError
        When the payoffs are not a finite, non-empty matrix of real numbers.

    References
    ----------
    L. S. Shapley and R. N. Snow (1950), Basic solutions of discrete games. Contributions to the
    Theory of Games I, Annals of Mathematics Studies 24, 27-35.

    Examples
    --------
    >>> solution = solve_exact([[4, 1], [1, 2]])
    >>> solution.value, solution.row
    (Fraction(7, 4), (Fraction(1, 4), Fraction(3, 4)))
    """
    table = read_matrix(payoffs).fractions()
    scale = lcm(*(a.denominator for row in table for a in row))
    m = [[a.numerator * (scale // a.denominator) for a in row] for row in table]
    if max(len(m), len(m[0])) > LARGEST_SIDE:
        ours, theirs = simplex(m), simplex(_transpose(m))
        return ExactSolution(
            ours.value / scale, ours.row, ours.column, ours.column_unique and theirs.column_unique
        )
    row, column, value = _one_pair(m)
    rows = _extreme_rows(m, value, column)
    columns = _extreme_rows(_transpose(m), -value, row)
    unique = len(rows) == 1 and len(columns) == 1
    return ExactSolution(value / scale, rows[0], columns[0], unique)
