# ruff: noqa: PLR0917 - compiled loops; arrays are passed to be filled
"""One optimal pair of strategies of a small zero-sum game, compiled.

Square submatrices of size two, three and four are tried in turn (see `solver.matrix.kernels` for
the mathematics).  x is written as a generalised cross product of column differences, which needs
no shift of the payoffs: x is orthogonal to every column of the submatrix minus its first, and its
entries sum to one.  The pair whose two guarantees are closest is kept; the search ends as soon as
they meet within rounding.

numba's cache notices a change of a file only for the functions in it: after an edit here, delete
``__pycache__`` beside this file.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["TIGHT", "search_pair"]

TIGHT = 64.0 * 2.0**-53
"""A pair is taken as it stands when its guarantees meet within this fraction of the value.

The rounding of a well-conditioned kernel, and no more.
"""

# Signs may be wrong by this fraction of the determinant before a submatrix is passed over.
_SIGN_SLACK = 1e-13
# A quick look may keep a pair with this gap; the whole pair is weighed afterwards.
_QUICK_GAP = 1e-9


@njit(cache=True, error_model="numpy")
def _keep_if_better(
    m: NDArray[Any],
    r: int,
    c: int,
    x: NDArray[Any],
    y: NDArray[Any],
    pair: NDArray[Any],
    found: NDArray[Any],
    determinant: float,
) -> bool:
    """Normalise the pair x, y; store it when its gap is the least so far; say whether it is tight.

    found holds (gap, lower guarantee, upper guarantee, |D|) of the pair stored.
    """
    total_x = 0.0
    total_y = 0.0
    for i in range(r):
        x[i] = max(x[i], 0.0)
        total_x += x[i]
    for j in range(c):
        y[j] = max(y[j], 0.0)
        total_y += y[j]
    for i in range(r):
        x[i] /= total_x
    for j in range(c):
        y[j] /= total_y
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
    gap = upper - lower
    if gap < found[0]:
        found[0] = gap
        found[1] = lower
        found[2] = upper
        found[3] = abs(determinant)
        for i in range(r):
            pair[0, i] = x[i]
        for j in range(c):
            pair[1, j] = y[j]
    return gap <= TIGHT * upper


@njit(cache=True, error_model="numpy")
def _search_two(
    m: NDArray[Any],
    r: int,
    c: int,
    x: NDArray[Any],
    y: NDArray[Any],
    pair: NDArray[Any],
    found: NDArray[Any],
) -> bool:
    """Try the kernels of size two."""
    for i0 in range(r - 1):
        for i1 in range(i0 + 1, r):
            for j0 in range(c - 1):
                for j1 in range(j0 + 1, c):
                    x1 = m[i0, j0] - m[i0, j1]
                    x0 = m[i1, j1] - m[i1, j0]
                    y1 = m[i0, j0] - m[i1, j0]
                    y0 = m[i1, j1] - m[i0, j1]
                    d = x0 + x1
                    if d < 0.0:
                        x0, x1, y0, y1, d = -x0, -x1, -y0, -y1, -d
                    slack = -_SIGN_SLACK * d
                    if d == 0.0 or x0 < slack or x1 < slack or y0 < slack or y1 < slack:
                        continue
                    # cheap look before the whole pair is weighed: no action may do better than
                    # the kernel's own
                    value = x0 * m[i0, j0] + x1 * m[i1, j0]
                    margin = _QUICK_GAP * d
                    sound = True
                    for j in range(c):
                        if x0 * m[i0, j] + x1 * m[i1, j] < value - margin:
                            sound = False
                    for i in range(r):
                        if y0 * m[i, j0] + y1 * m[i, j1] > value + margin:
                            sound = False
                    if not sound:
                        continue
                    x[:] = 0.0
                    y[:] = 0.0
                    x[i0] = x0
                    x[i1] = x1
                    y[j0] = y0
                    y[j1] = y1
                    if _keep_if_better(m, r, c, x, y, pair, found, d):
                        return True
    return False


@njit(cache=True, error_model="numpy")
def _search_three(
    m: NDArray[Any],
    r: int,
    c: int,
    x: NDArray[Any],
    y: NDArray[Any],
    pair: NDArray[Any],
    found: NDArray[Any],
) -> bool:
    """Try the kernels of size three."""
    for i0 in range(r - 2):
        for i1 in range(i0 + 1, r - 1):
            for i2 in range(i1 + 1, r):
                for j0 in range(c - 2):
                    for j1 in range(j0 + 1, c - 1):
                        for j2 in range(j1 + 1, c):
                            p0 = m[i0, j1] - m[i0, j0]
                            p1 = m[i1, j1] - m[i1, j0]
                            p2 = m[i2, j1] - m[i2, j0]
                            q0 = m[i0, j2] - m[i0, j0]
                            q1 = m[i1, j2] - m[i1, j0]
                            q2 = m[i2, j2] - m[i2, j0]
                            x0 = p1 * q2 - p2 * q1
                            x1 = p2 * q0 - p0 * q2
                            x2 = p0 * q1 - p1 * q0
                            d = x0 + x1 + x2
                            sign = 1.0 if d > 0.0 else -1.0
                            d *= sign
                            slack = -_SIGN_SLACK * d
                            x0 *= sign
                            x1 *= sign
                            x2 *= sign
                            if d == 0.0 or x0 < slack or x1 < slack or x2 < slack:
                                continue
                            s0 = m[i1, j0] - m[i0, j0]
                            s1 = m[i1, j1] - m[i0, j1]
                            s2 = m[i1, j2] - m[i0, j2]
                            t0 = m[i2, j0] - m[i0, j0]
                            t1 = m[i2, j1] - m[i0, j1]
                            t2 = m[i2, j2] - m[i0, j2]
                            y0 = (s1 * t2 - s2 * t1) * sign
                            y1 = (s2 * t0 - s0 * t2) * sign
                            y2 = (s0 * t1 - s1 * t0) * sign
                            if y0 + y1 + y2 <= 0.0 or y0 < slack or y1 < slack or y2 < slack:
                                continue
                            x[:] = 0.0
                            y[:] = 0.0
                            x[i0] = x0
                            x[i1] = x1
                            x[i2] = x2
                            y[j0] = y0
                            y[j1] = y1
                            y[j2] = y2
                            if _keep_if_better(m, r, c, x, y, pair, found, d):
                                return True
    return False


@njit(cache=True, error_model="numpy")
def _cross(a: NDArray[Any], out: NDArray[Any]) -> float:
    """Cofactors of a column of ones beside the (4, 3) array a; return their sum."""
    total = 0.0
    for i in range(4):
        p = 1 if i == 0 else 0
        q = 2 if i <= 1 else 1
        s = 2 if i == 3 else 3
        minor = (
            a[p, 0] * (a[q, 1] * a[s, 2] - a[q, 2] * a[s, 1])
            - a[p, 1] * (a[q, 0] * a[s, 2] - a[q, 2] * a[s, 0])
            + a[p, 2] * (a[q, 0] * a[s, 1] - a[q, 1] * a[s, 0])
        )
        out[i] = -minor if i % 2 else minor
        total += out[i]
    return total


@njit(cache=True, error_model="numpy")
def _search_four(
    m: NDArray[Any],
    x: NDArray[Any],
    y: NDArray[Any],
    pair: NDArray[Any],
    found: NDArray[Any],
    differences: NDArray[Any],
) -> bool:
    """Try the whole of a four by four matrix."""
    for i in range(4):
        for j in range(3):
            differences[i, j] = m[i, j + 1] - m[i, 0]
    d = _cross(differences, x)
    if d == 0.0:
        return False
    for i in range(4):
        x[i] /= d
        if x[i] < -_SIGN_SLACK:
            return False
    for j in range(4):
        for i in range(3):
            differences[j, i] = m[i + 1, j] - m[0, j]
    total = _cross(differences, y)
    if total == 0.0:
        return False
    for j in range(4):
        y[j] /= total
        if y[j] < -_SIGN_SLACK:
            return False
    return _keep_if_better(m, 4, 4, x, y, pair, found, d)


@njit(cache=True, error_model="numpy")
def search_pair(
    m: NDArray[Any],
    r: int,
    c: int,
    pair: NDArray[Any],
    found: NDArray[Any],
    space: NDArray[Any],
    differences: NDArray[Any],
) -> None:
    """Put the best pair among the kernels of m in pair, the row strategy first.

    m is of span 1 and has no saddle point.  found receives (gap, lower guarantee, upper
    guarantee, determinant); the gap is infinite when no submatrix qualifies.  space,
    two rows of four or more, and differences, four by three, are scratch space.
    """
    x, y = space[0], space[1]
    found[0] = np.inf
    found[1] = -np.inf
    found[2] = np.inf
    found[3] = 0.0
    if _search_two(m, r, c, x, y, pair, found) or r < 3 or c < 3:
        return
    if _search_three(m, r, c, x, y, pair, found) or r < 4 or c < 4:
        return
    _search_four(m, x, y, pair, found, differences)
