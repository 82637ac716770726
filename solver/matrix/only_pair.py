"""The only equilibrium of a zero-sum game, proved without the simplex method.

Let all payoffs be positive, x and y an optimal pair with supports I and J of equal size, and K the
submatrix of the payoffs on them.  When K is nonsingular and every action outside the supports is
strictly worse than the value against the other's strategy, (x, y) is the only optimal pair: the
rows of any other optimal x are best replies to y, so among I, and make all columns of J pay the
value, which is positive; such an x is the solution of one nonsingular system.

Floats say what the supports probably are; whole numbers decide.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from solver.matrix.linear_programs import by_highs, polish

__all__ = ["only_pair"]

Integers: TypeAlias = list[list[int]]
Strategy: TypeAlias = tuple[Fraction, ...]

_PLAYED = 1e-9


def _weights(m: Integers) -> list[int] | None:
    """Whole numbers z, not all positive perhaps, with m z = d (1, ..., 1), d > 0; None if singular.

    Gauss-Jordan elimination in whole numbers over one common denominator (Bareiss).
    """
    size = len(m)
    lines = [[*line, 1] for line in m]
    denominator = 1
    for k in range(size):
        place = next((i for i in range(k, size) if lines[i][k]), None)
        if place is None:
            return None
        lines[k], lines[place] = lines[place], lines[k]
        source = lines[k]
        pivot = source[k]
        for i, line in enumerate(lines):
            if i != k:
                factor = line[k]
                # the first k columns are those of the unit matrix times the denominator
                line[k + 1 :] = [
                    (pivot * a - factor * b) // denominator
                    for a, b in zip(line[k + 1 :], source[k + 1 :], strict=True)
                ]
        denominator = pivot
    sign = 1 if denominator > 0 else -1
    return [sign * line[size] for line in lines]


def _beats_all(m: Integers, places: Sequence[int], others: Sequence[int], z: list[int]) -> bool:
    """Whether each row of m outside places pays less against z on the columns others."""
    value = sum(m[places[0]][j] * w for j, w in zip(others, z, strict=True))
    outside = set(range(len(m))) - set(places)
    return all(sum(m[i][j] * w for j, w in zip(others, z, strict=True)) < value for i in outside)


def _spread(z: list[int], places: Sequence[int], length: int) -> Strategy:
    total = sum(z)
    strategy = [Fraction(0)] * length
    for place, weight in zip(places, z, strict=True):
        strategy[place] = Fraction(weight, total)
    return tuple(strategy)


def only_pair(payoffs: Integers) -> tuple[Strategy, Strategy] | None:
    """Return the optimal pair of a zero-sum game when it is found to be the only one.

    Parameters
    ----------
    payoffs
        What the column player pays the row player; rows of equal length.

    Returns
    -------
    pair of tuples of Fraction, or None
        None when there are several optimal pairs, or floats do not point to the only one.

    Examples
    --------
    >>> only_pair([[4, 1], [1, 2]])
    ((Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 4), Fraction(3, 4)))
    >>> only_pair([[1, 1], [0, 2]]) is None
    True
    """
    r, c = len(payoffs), len(payoffs[0])
    low = min(map(min, payoffs))
    span = max(map(max, payoffs)) - low
    if not span:
        return None
    matrix = np.array([[(a - low) / span for a in line] for line in payoffs])
    found = by_highs(matrix)
    if found is None:
        return None
    row, column = polish(matrix, found)
    rows = [int(i) for i in np.flatnonzero(row > _PLAYED)]
    columns = [int(j) for j in np.flatnonzero(column > _PLAYED)]
    if len(rows) != len(columns):
        return None
    positive = [[a - low + 1 for a in line] for line in payoffs]
    across = [[-a for a in line] for line in zip(*positive, strict=True)]
    y = _weights([[positive[i][j] for j in columns] for i in rows])
    x = None if y is None else _weights([[positive[i][j] for i in rows] for j in columns])
    if x is None or y is None or min(x) <= 0 or min(y) <= 0:
        return None
    if not _beats_all(positive, rows, columns, y) or not _beats_all(across, columns, rows, x):
        return None
    return _spread(x, rows, r), _spread(y, columns, c)
