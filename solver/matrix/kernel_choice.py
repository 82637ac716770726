# ruff: noqa: PLR0912, PLR0915, PLR0917 - compiled loops; arrays are passed to be filled
"""The extreme optimal strategy that is shown, and whether it is the only one, compiled.

Payoffs are rounded numbers, and so are probabilities worked out from them.  Each number here
carries a bound of its error, so that "equal" means equal as far as the payoffs can tell: a fixed
tolerance would be too fine for one game and too coarse for the next.

numba's cache notices a change of a file only for the functions in it: after an edit here, delete
``__pycache__`` beside this file.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Scratch", "first_extreme"]

SIZE = np.array([bin(mask).count("1") for mask in range(16)])
"""Number of actions in each bit mask."""

MEMBERS = np.array(
    [[i for i in range(4) if mask >> i & 1] + [0] * (4 - int(SIZE[mask])) for mask in range(16)]
)
"""The actions in each bit mask, padded with 0."""


COUNT = np.array([1, 4, 6, 4, 1])
"""Number of masks of each size."""

MASKS = np.array(
    [
        sorted(mask for mask in range(16) if SIZE[mask] == size) + [0] * (6 - int(COUNT[size]))
        for size in range(5)
    ]
)
"""The masks of each size in increasing order, padded with 0."""


class Scratch(NamedTuple):
    """Space for the candidates of one player, taken once for all games."""

    candidates: NDArray[Any]
    """Strategies, (70, 4)."""
    errors: NDArray[Any]
    """Bounds of the error of each probability, (70, 4)."""
    facts: NDArray[Any]
    """Guarantee of each candidate and a bound of its error, (70, 2)."""
    differences: NDArray[Any]
    """Differences of the columns of a submatrix, (4, 3)."""
    doubts: NDArray[Any]
    """Bounds of the error of each difference, (4, 3)."""


_UNIT_ROUNDOFF = 2.0**-53
# Most that a strategy's guarantee may fall short of the value and still be called optimal: two
# players' shortfalls stay below the certified gap, 1e-9, together.
_LARGEST_SHORTFALL = 4e-10
_LARGEST_TIE = 1e-7
# Probabilities below this, and below their own error bound, are taken for nought.
_NOUGHT = 1e-10


@njit(cache=True, error_model="numpy")
def _equaliser(
    m: NDArray[Any],
    row_mask: int,
    column_mask: int,
    offset: float,
    x: NDArray[Any],
    errors: NDArray[Any],
    d: NDArray[Any],
    f: NDArray[Any],
) -> bool:
    """Strategy x on the rows that makes the columns of a square submatrix pay the same.

    errors bounds the rounding error of each probability; offset is |lowest payoff| / span, which
    says how far the entries of m are uncertain.  False when the submatrix has no such strategy.
    """
    u = _UNIT_ROUNDOFF
    k = SIZE[row_mask]
    x[:] = 0.0
    errors[:] = 0.0
    if k == 1:
        x[MEMBERS[row_mask, 0]] = 1.0
        return True
    if k == 2:
        # opposite signs or nothing: a nought among the two is a row by itself, tried before
        i = MEMBERS[row_mask, 0]
        j = MEMBERS[row_mask, 1]
        p = MEMBERS[column_mask, 0]
        q = MEMBERS[column_mask, 1]
        if (m[i, p] < m[i, q]) == (m[j, p] < m[j, q]) or (m[i, p] > m[i, q]) == (m[j, p] > m[j, q]):
            return False
    j0 = MEMBERS[column_mask, 0]
    for a in range(k):
        i = MEMBERS[row_mask, a]
        for b in range(k - 1):
            j = MEMBERS[column_mask, b + 1]
            d[a, b] = m[i, j] - m[i, j0]
            f[a, b] = 4.0 * u * (abs(m[i, j]) + abs(m[i, j0])) + 2.0 * u * offset
            if m[i, j] == m[i, j0] and offset == 0.0:
                f[a, b] = 0.0
    total = 0.0
    total_error = 0.0
    for a in range(k):
        i = MEMBERS[row_mask, a]
        value = 0.0
        error = 0.0
        if k == 2:
            value = d[1 - a, 0]
            error = f[1 - a, 0]
            if a == 1:
                value = -value
        elif k == 3:
            p = (a + 1) % 3
            q = (a + 2) % 3
            value = d[p, 0] * d[q, 1] - d[q, 0] * d[p, 1]
            error = (
                f[p, 0] * abs(d[q, 1])
                + abs(d[p, 0]) * f[q, 1]
                + f[q, 0] * abs(d[p, 1])
                + abs(d[q, 0]) * f[p, 1]
                + 2.0 * u * (abs(d[p, 0] * d[q, 1]) + abs(d[q, 0] * d[p, 1]))
            )
        else:
            p = 1 if a == 0 else 0
            q = 2 if a <= 1 else 1
            s = 2 if a == 3 else 3
            for b in range(3):
                e = 1 if b == 0 else 0
                g = 1 if b == 2 else 2
                minor = d[q, e] * d[s, g] - d[q, g] * d[s, e]
                minor_error = (
                    f[q, e] * abs(d[s, g])
                    + abs(d[q, e]) * f[s, g]
                    + f[q, g] * abs(d[s, e])
                    + abs(d[q, g]) * f[s, e]
                    + 2.0 * u * (abs(d[q, e] * d[s, g]) + abs(d[q, g] * d[s, e]))
                )
                term = d[p, b] * minor
                value += -term if b == 1 else term
                error += f[p, b] * abs(minor) + abs(d[p, b]) * minor_error + 3.0 * u * abs(term)
            if a % 2:
                value = -value
        x[i] = value
        errors[i] = error
        total += value
        total_error += error
    scale = 1.0 / abs(total)
    # a total too small for a float's digits says nothing of the probabilities either
    if not (abs(total) > total_error and np.isfinite(scale)):
        return False
    positive = 0.0
    for a in range(k):
        i = MEMBERS[row_mask, a]
        x[i] /= total
        errors[i] = errors[i] * scale + abs(x[i]) * (total_error * scale + 4.0 * u)
        if x[i] < -errors[i]:
            return False
        if x[i] < min(errors[i], _NOUGHT):
            # nought as far as can be told, and exactly nought in most games that get here
            x[i] = 0.0
        positive += x[i]
    if not 0.0 < positive < np.inf:
        return False
    for a in range(k):
        x[MEMBERS[row_mask, a]] /= positive
    return True


@njit(cache=True, error_model="numpy")
def _standing(
    m: NDArray[Any],
    r: int,
    c: int,
    offset: float,
    x: NDArray[Any],
    errors: NDArray[Any],
    facts: NDArray[Any],
) -> None:
    """Write to facts what x makes sure of, and how much more that could be but for rounding."""
    guarantee = np.inf
    hopeful = np.inf
    for j in range(c):
        payoff = 0.0
        doubt = 8.0 * _UNIT_ROUNDOFF * offset
        for i in range(r):
            payoff += x[i] * m[i, j]
            doubt += 8.0 * _UNIT_ROUNDOFF * x[i] * abs(m[i, j])
        for i in range(r):
            # the errors of the probabilities add up to nought, so only differences count
            doubt += errors[i] * abs(m[i, j] - payoff)
        guarantee = min(guarantee, payoff)
        hopeful = min(hopeful, payoff + doubt)
    facts[0] = guarantee
    facts[1] = hopeful - guarantee


@njit(cache=True, error_model="numpy")
def _compare(
    r: int, x: NDArray[Any], x_errors: NDArray[Any], y: NDArray[Any], y_errors: NDArray[Any]
) -> int:
    """Return 1 when x comes before y, -1 when after, 0 when they are the same within rounding."""
    for i in range(r):
        tie = min(x_errors[i] + y_errors[i] + 8.0 * _UNIT_ROUNDOFF * x[i], _LARGEST_TIE)
        if x[i] - y[i] > tie:
            return 1
        if y[i] - x[i] > tie:
            return -1
    return 0


@njit(cache=True, error_model="numpy")
def _choose(r: int, count: int, best: float, chosen: NDArray[Any], scratch: Scratch) -> bool:
    """Put the first of the candidates that reach best in chosen; say whether it is alone."""
    candidates, errors, facts = scratch.candidates, scratch.errors, scratch.facts
    least_error = np.inf
    for n in range(count):
        if facts[n, 0] >= best:
            least_error = min(least_error, facts[n, 1])
    if least_error == np.inf:
        least_error = 0.0
    first = -1
    alone = True
    for n in range(count):
        tolerance = min(2.0 * facts[n, 1] + least_error, _LARGEST_SHORTFALL)
        if facts[n, 0] < best - tolerance:
            continue
        if first < 0:
            first = n
            continue
        order = _compare(r, candidates[n], errors[n], candidates[first], errors[first])
        if order != 0:
            alone = False
        if order > 0 or (order == 0 and facts[n, 1] < facts[first, 1]):
            first = n
    if first >= 0:
        for i in range(r):
            chosen[i] = candidates[first, i]
    return alone


@njit(cache=True, error_model="numpy")
def first_extreme(
    m: NDArray[Any],
    r: int,
    c: int,
    offset: float,
    allowed: int,
    required: int,
    floor: float,
    chosen: NDArray[Any],
    scratch: Scratch,
) -> bool:
    """Put the first extreme optimal strategy of the row player in chosen; say whether it is alone.

    allowed and required are bit masks that some optimal strategy y of the other player gives: the
    rows that are best replies to it, and its support.  Shapley and Snow pair every extreme x with
    every extreme y, so only kernels within allowed and around required matter.  floor is a
    guarantee that can be had, minus infinity when none is known.
    """
    if SIZE[allowed] == 1:
        for i in range(r):
            chosen[i] = 1.0 if allowed == 1 << i else 0.0
        return True
    candidates, errors, facts = scratch.candidates, scratch.errors, scratch.facts
    count = 0
    best = floor
    leader_is_first = False
    first_row = True
    for size in range(1, min(SIZE[allowed], c) + 1):
        if 1 < size < SIZE[required]:
            continue
        for a in range(COUNT[size]):
            row_mask = MASKS[size, a]
            if row_mask & ~allowed:
                continue
            for b in range(COUNT[size]):
                column_mask = MASKS[size, b]
                if column_mask >= 1 << c or (size > 1 and required & ~column_mask):
                    continue
                x = candidates[count]
                e = errors[count]
                if not _equaliser(
                    m, row_mask, column_mask, offset, x, e, scratch.differences, scratch.doubts
                ):
                    continue
                _standing(m, r, c, offset, x, e, facts[count])
                tolerance = min(2.0 * facts[count, 1], _LARGEST_SHORTFALL)
                if facts[count, 0] >= best - tolerance:
                    best = max(best, facts[count, 0])
                    if leader_is_first:
                        if _compare(r, candidates[0], errors[0], x, e) != 0:
                            # nothing comes before the first allowed row played for certain
                            for i in range(r):
                                chosen[i] = candidates[0, i]
                            return False
                    else:
                        # a known floor makes this verdict final
                        leader_is_first = first_row and floor > -np.inf
                    count += 1
                first_row = False
                if size == 1:
                    break  # one row's guarantee does not depend on the column
    return _choose(r, count, best, chosen, scratch)
