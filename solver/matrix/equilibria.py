"""All extreme equilibria of a two-player game, in exact arithmetic.

Let A and B be the payoffs of the row and the column player, r by c.  The best-response polyhedra

    P = {(x, t) : x >= 0, sum x = 1, x B <= t},   Q = {(y, u) : y >= 0, sum y = 1, A y <= u}

carry a label for each inequality: label i for x_i = 0 in P and for (A y)_i = u in Q; label r + j
for (x B)_j = t in P and for y_j = 0 in Q.  A pair (x, y) is an equilibrium when every label is
present, that is, when every action is either unused or a best reply.  It is an *extreme*
equilibrium when x and y are vertices.  There are finitely many, in degenerate games too, and the
set of all equilibria is a union of convex hulls of products of them.

In a zero-sum game the extreme equilibria are all pairs of an extreme optimal strategy of one
player and one of the other, which takes far less work.

Enumeration is exact, so it always ends and misses nothing.  Floats are read as the simplest
fractions that round to them (0.672 as 84/125), which restores the ties that rounding broke; or as
their shortest decimals, or the binary fractions that they are, when those fractions have no common
denominator of sixty digits, or the other reading makes far smaller whole numbers of the payoffs.

References
----------
D. Avis, G. D. Rosenberg, R. Savani and B. von Stengel (2010), Enumeration of Nash equilibria for
two-player games. Economic Theory 42, 9-37.
"""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from solver.errors import CertificationError, PayoffError, SolverError
from solver.matrix.kernels import CERTIFIED_GAP, LARGEST_SIDE
from solver.matrix.only_pair import only_pair
from solver.matrix.payoffs import FloatArray, PayoffsLike, read_matrix
from solver.matrix.simplex import simplex
from solver.matrix.vertices import extreme_rays

__all__ = ["MOST_EQUILIBRIA", "Equilibrium", "equilibria"]

MOST_EQUILIBRIA = 100_000
"""Games with more extreme equilibria than this are refused."""

Integers = list[list[int]]
Strategy = tuple[Fraction, ...]


class Equilibrium(NamedTuple):
    """A pair of strategies, each a best reply to the other: probabilities that sum to 1."""

    row: FloatArray
    column: FloatArray


def _as_integers(table: list[list[Fraction]]) -> Integers:
    """Return the same game with whole-number payoffs."""
    scale = lcm(*(a.denominator for row in table for a in row))
    return [[a.numerator * (scale // a.denominator) for a in row] for row in table]


def _transpose(m: Integers) -> Integers:
    return [list(column) for column in zip(*m, strict=True)]


def _strategy(weights: tuple[int, ...]) -> Strategy:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


def _best_response_vertices(payoffs: Integers, what: str) -> list[tuple[Strategy, int]]:
    """Vertices of {(x, t) : x >= 0, sum x = 1, x payoffs <= t}, with their tight constraints.

    Bit i of the mask stands for x_i = 0, bit r + j for column j being a best reply.
    """
    r, c = len(payoffs), len(payoffs[0])
    # t counted from the payoff of the first column is not negative, which makes it a coordinate
    rows = [[payoffs[i][0] - payoffs[i][j] for i in range(r)] + [1] for j in range(1, c)]
    rays = extreme_rays(r + 1, [], rows, what)
    return [(_strategy(ray.direction[:r]), ray.tight) for ray in rays if any(ray.direction[:r])]


def _bimatrix_pairs(a: Integers, b: Integers) -> list[tuple[Strategy, Strategy]]:
    """All completely labelled pairs of vertices."""
    r, c = len(a), len(a[0])
    what = f"extreme equilibria of a {r} by {c} game"
    ours = _best_response_vertices(b, what)
    theirs = [
        (y, tight >> c | (tight & ((1 << c) - 1)) << r)
        for y, tight in _best_response_vertices(_transpose(a), what)
    ]
    every = (1 << (r + c)) - 1
    kind = np.uint64 if r + c <= 64 else object
    masks = np.array([tight for _, tight in theirs], dtype=kind)
    pairs: list[tuple[Strategy, Strategy]] = []
    for x, tight in ours:
        missing = masks.dtype.type(every ^ tight) if kind is np.uint64 else every ^ tight
        pairs += [(x, theirs[n][0]) for n in np.flatnonzero((masks & missing) == missing)]
        if len(pairs) > MOST_EQUILIBRIA:
            _refuse_many()
    return pairs


def _optimal_face(a: Integers, value: Fraction, row: Strategy, column: Strategy) -> list[Strategy]:
    """All extreme optimal strategies of the row player, given an optimal pair."""
    r, c = len(a), len(a[0])
    surplus = [[p * value.denominator - value.numerator for p in line] for line in a]
    replies = [
        i for i in range(r) if sum(s * y for s, y in zip(surplus[i], column, strict=True) if y) == 0
    ]
    if len(replies) == 1:
        return [row]
    held = [j for j in range(c) if column[j]]
    rest = [j for j in range(c) if not column[j]]
    # a column that pays the value whatever the row player does says nothing
    equalities = {tuple(surplus[i][j] for i in replies) for j in held}
    inequalities = {tuple(surplus[i][j] for i in replies) for j in rest}
    rays = extreme_rays(
        len(replies),
        sorted(line for line in equalities if any(line)),
        sorted(line for line in inequalities - equalities if any(line)),
        f"extreme optimal strategies of a {r} by {c} game",
    )
    strategies = []
    for ray in rays:
        weights = [0] * r
        for place, weight in zip(replies, ray.direction, strict=True):
            weights[place] = weight
        strategies.append(_strategy(tuple(weights)))
    return strategies


def _zero_sum_pairs(a: Integers) -> list[tuple[Strategy, Strategy]]:
    """All pairs of extreme optimal strategies."""
    only = only_pair(a) if max(len(a), len(a[0])) > LARGEST_SIDE else None
    if only is not None:
        return [only]
    what = f"extreme optimal strategies of a {len(a)} by {len(a[0])} game"
    value, row, column, _ = simplex(a, what)
    rows = _optimal_face(a, value, row, column)
    other = [[-p for p in line] for line in _transpose(a)]
    columns = _optimal_face(other, -value, column, row)
    if len(rows) * len(columns) > MOST_EQUILIBRIA:
        _refuse_many()
    return [(x, y) for x in rows for y in columns]


def _refuse_many() -> None:
    raise SolverError(
        f"this game has more than {MOST_EQUILIBRIA:,} extreme equilibria, too many to list"
    )


def _check(pairs: list[Equilibrium], a: list[list[Fraction]], b: list[list[Fraction]]) -> None:
    """Make sure that nobody gains by another action, after the rounding to floats."""
    ours, theirs = read_matrix(a).scaled, read_matrix(b).scaled
    for x, y in pairs:
        replies, counter_replies = ours @ y, x @ theirs
        regret = max(
            float(replies.max() - x @ replies), float(counter_replies.max() - counter_replies @ y)
        )
        if not regret <= CERTIFIED_GAP:
            raise CertificationError(
                f"a pair of strategies is no equilibrium: one player gains {regret:.1e} of the "
                "span of the payoffs"
            )


def equilibria(
    payoffs: PayoffsLike, column_payoffs: PayoffsLike | None = None
) -> tuple[Equilibrium, ...]:
    """List all extreme equilibria of a two-player game.

    Every equilibrium is a mixture of these, taken from sets of them that can all be interchanged.
    A game with finitely many equilibria has just these.

    Parameters
    ----------
    payoffs
        Matrix of payoffs to the row player, who maximises: one row for each of their actions.
    column_payoffs
        Matrix of the same shape of payoffs to the column player, who maximises too; left out, the
        game is zero-sum.

    Returns
    -------
    tuple of Equilibrium
        Each extreme equilibrium once, as read-only float64 arrays (row, column).  The first is
        the one whose row strategy plays the first action most, then the second, and so on, then
        likewise by the column strategy; up to four by four that is the pair that
        `solver.matrix.solve` shows for a zero-sum game.

    Raises
    ------
    PayoffError
        When the payoffs are not finite matrices of real numbers of one shape.
    SolverError
        When the game is too large for all extreme equilibria to be listed.

    Notes
    -----
    All is done on fractions.  A float is read as the simplest fraction that rounds to it
    (0.6666666666666666 as 2/3); when the fractions of a matrix have no common denominator of at
    most sixty digits, or another reading makes far smaller whole numbers of all payoffs, as its
    shortest decimal (3e-16), or as the binary fraction that it is (3 * 2**-60).

    References
    ----------
    D. Avis, G. D. Rosenberg, R. Savani and B. von Stengel (2010), Enumeration of Nash equilibria
    for two-player games. Economic Theory 42, 9-37.

    Examples
    --------
    Where row and column pick the same they win 3 and 2, or 2 and 3:

    >>> for row, column in equilibria([[3, 0], [0, 2]], [[2, 0], [0, 3]]):
    ...     print(row, column)
    [1. 0.] [1. 0.]
    [0.6 0.4] [0.4 0.6]
    [0. 1.] [0. 1.]
    """
    a = read_matrix(payoffs).simplest_fractions()
    if column_payoffs is None:
        b = [[-p for p in line] for line in a]
    else:
        b = read_matrix(column_payoffs, "column_payoffs").simplest_fractions()
    if (len(a), len(a[0])) != (len(b), len(b[0])):
        raise PayoffError(
            f"column_payoffs: the shape is ({len(b)}, {len(b[0])}) and that of payoffs is "
            f"({len(a)}, {len(a[0])}); both must be of one shape, rows for the row player"
        )
    total = a[0][0] + b[0][0]
    constant_sum = all(
        p + q == total
        for line, other in zip(a, b, strict=True)
        for p, q in zip(line, other, strict=True)
    )
    if constant_sum:
        pairs = _zero_sum_pairs(_as_integers(a))
    else:
        pairs = _bimatrix_pairs(_as_integers(a), _as_integers(b))
    strategies: dict[Strategy, FloatArray] = {}
    for pair in pairs:
        for strategy in pair:
            if strategy not in strategies:
                floats = np.array([float(p) for p in strategy])
                floats.setflags(write=False)
                strategies[strategy] = floats
    found = [Equilibrium(strategies[x], strategies[y]) for x, y in sorted(pairs, reverse=True)]
    _check(found, a, b)
    return tuple(found)
