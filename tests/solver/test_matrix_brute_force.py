"""Agreement with brute force in fractions, written apart from the library's own way."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from solver.matrix import equilibria, solve, solve_batch, solve_exact


def solve_linear(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Gaussian elimination; None when the solution is not the only one."""
    n = len(matrix)
    lines = [[*map(Fraction, row), Fraction(b)] for row, b in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if lines[i][k]), None)
        if pivot is None:
            return None
        lines[k], lines[pivot] = lines[pivot], lines[k]
        lines[k] = [a / lines[k][k] for a in lines[k]]
        for i in range(n):
            if i != k and lines[i][k]:
                factor = lines[i][k]
                lines[i] = [a - factor * b for a, b in zip(lines[i], lines[k], strict=True)]
    return [line[-1] for line in lines]


def response_vertices(payoffs):
    """Vertices (x, t) of x >= 0, sum x = 1, x payoffs <= t with their labels, from all bases."""
    r, c = len(payoffs), len(payoffs[0])
    constraints = [[int(k == i) for k in range(r)] + [0] for i in range(r)]
    constraints += [[-payoffs[i][j] for i in range(r)] + [1] for j in range(c)]
    found = {}
    for basis in combinations(range(r + c), r):
        point = solve_linear([[1] * r + [0]] + [constraints[k] for k in basis], [1] + [0] * r)
        if point is None:
            continue
        slacks = [sum(a * z for a, z in zip(row, point, strict=True)) for row in constraints]
        if min(slacks) >= 0:
            labels = frozenset(k for k, slack in enumerate(slacks) if slack == 0)
            found[tuple(point[:r])] = (point[r], labels)
    return found


def optimal_strategies(payoffs):
    """Value and all extreme optimal strategies of the row player, first in the order first."""
    vertices = response_vertices([[-a for a in row] for row in payoffs])
    value = max(-t for t, _ in vertices.values())
    return value, sorted((x for x, (t, _) in vertices.items() if -t == value), reverse=True)


def transposed(payoffs):
    return [[-a for a in column] for column in zip(*payoffs, strict=True)]


def brute_equilibria(a, b):
    r, c = len(a), len(a[0])
    ours = response_vertices(b)
    theirs = response_vertices([list(column) for column in zip(*a, strict=True)])
    pairs = []
    for x, (_, labels) in ours.items():
        for y, (_, other) in theirs.items():
            seen = labels | {k + r if k < c else k - c for k in other}
            if len(seen) == r + c:
                pairs.append((x, y))
    return sorted(pairs, reverse=True)


SHAPES = [(1, 1), (1, 4), (3, 1), (2, 2), (2, 4), (3, 3), (4, 3), (4, 4)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("largest", [1, 2, 9])
def test_small_zero_sum_games(shape, largest):
    rng = np.random.default_rng([*shape, largest])
    games = rng.integers(-largest, largest + 1, size=(25, *shape))
    batch = solve_batch(games)
    moved = solve_batch(games * 0.1 + 0.7)
    for g, game in enumerate(games):
        payoffs = game.tolist()
        value, rows = optimal_strategies(payoffs)
        _, columns = optimal_strategies(transposed(payoffs))
        unique = len(rows) == 1 and len(columns) == 1

        exact = solve_exact(payoffs)
        assert (exact.value, exact.row, exact.column) == (value, rows[0], columns[0])
        assert exact.unique is unique

        alone = solve(game)
        assert batch.values[g] == alone.value == pytest.approx(float(value), abs=1e-12)
        assert batch.unique[g] == alone.unique == moved.unique[g] == unique
        np.testing.assert_array_equal(batch.rows[g], alone.row)
        np.testing.assert_array_equal(batch.columns[g], alone.column)
        for row, column in ((alone.row, alone.column), (moved.rows[g], moved.columns[g])):
            np.testing.assert_allclose(row, np.array(rows[0], dtype=float), atol=1e-9)
            np.testing.assert_allclose(column, np.array(columns[0], dtype=float), atol=1e-9)

        found = equilibria(game)
        expected = [np.array(x + y, dtype=float) for x in rows for y in columns]
        assert len(found) == len(expected)
        for pair, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.concatenate(pair), wanted, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 2), (3, 2), (3, 3), (2, 4), (4, 3)])
@pytest.mark.parametrize("largest", [1, 2, 50])
def test_small_bimatrix_games(shape, largest):
    rng = np.random.default_rng([*shape, largest])
    for _ in range(12):
        a, b = rng.integers(-largest, largest + 1, size=(2, *shape))
        found = equilibria(a, b)
        expected = brute_equilibria(a.tolist(), b.tolist())
        assert len(found) == len(expected)
        for pair, (x, y) in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.concatenate(pair), np.array(x + y, float), atol=1e-12)


@pytest.mark.parametrize("shape", [(5, 5), (2, 6), (6, 3), (3, 7)])
@pytest.mark.parametrize("largest", [1, 9])
def test_larger_zero_sum_games(shape, largest):
    rng = np.random.default_rng([*shape, largest])
    for _ in range(4):
        game = rng.integers(-largest, largest + 1, size=shape)
        value, rows = optimal_strategies(game.tolist())
        _, columns = optimal_strategies(transposed(game.tolist()))
        unique = len(rows) == 1 and len(columns) == 1
        exact = solve_exact(game)
        assert exact.value == value
        assert exact.row in rows
        assert exact.column in columns
        assert exact.unique is unique
        assert len(equilibria(game)) == len(rows) * len(columns)
        for method in ("auto", "highs", "nashpy"):
            solution = solve(game, method)
            assert solution.value == pytest.approx(float(value), abs=1e-12)
            assert solution.unique is unique


def test_floats_of_thirds_keep_their_ties():
    rng = np.random.default_rng(7)
    for _ in range(20):
        whole = rng.integers(-2, 3, size=(4, 4))
        assert len(equilibria(whole / 3)) == len(equilibria(whole))


def test_exact_solution_of_huge_rationals():
    rng = np.random.default_rng(3)
    for _ in range(20):
        whole = rng.integers(-3, 4, size=(4, 4)).tolist()
        factor = Fraction(10**400 + 7, 3**700)
        shift = Fraction(2**900 + 1, 10**350)
        moved = solve_exact([[a * factor + shift for a in row] for row in whole])
        plain = solve_exact(whole)
        assert moved.value == plain.value * factor + shift
        assert (moved.row, moved.column, moved.unique) == (plain.row, plain.column, plain.unique)
