"""All extreme equilibria: what is accepted, the order, and games too large."""

from fractions import Fraction

import numpy as np
import pytest

from solver.errors import CertificationError, PayoffError, SolverError
from solver.matrix import Equilibrium, equilibria, solve, solve_exact
from solver.matrix import equilibria as equilibria_function
from solver.matrix.equilibria import _check
from solver.matrix.only_pair import only_pair
from solver.matrix.vertices import extreme_rays


def test_coordination_game_of_any_size():
    for n in range(1, 7):
        found = equilibria(np.eye(n), np.eye(n))
        assert len(found) == 2**n - 1
        for row, column in found:
            np.testing.assert_allclose(row, column)


def test_one_action_a_side():
    ((row, column),) = equilibria([[2]])
    assert row == column == [1]
    found = equilibria([[0], [0]])
    assert [tuple(row) for row, _ in found] == [(1, 0), (0, 1)]
    assert len(equilibria([[0, 0]], [[1, 1]])) == 2


def test_results_are_read_only_pairs():
    (pair,) = equilibria([[4, 1], [1, 2]])
    assert isinstance(pair, Equilibrium)
    assert pair.row.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        pair.row[0] = 0


def test_zero_sum_and_constant_sum_are_the_same_game():
    rng = np.random.default_rng(5)
    for _ in range(10):
        a = rng.integers(-2, 3, size=(4, 5))
        for other in (-a, 10 - a):
            for pair, wanted in zip(equilibria(a, other), equilibria(a), strict=True):
                np.testing.assert_array_equal(np.concatenate(pair), np.concatenate(wanted))


def test_scale_and_offset_leave_the_equilibria():
    rng = np.random.default_rng(8)
    for _ in range(10):
        a, b = rng.integers(-2, 3, size=(2, 3, 3))
        for scale, offset in ((1e-12, 0.0), (1e15, 0.0), (1.0, 1e12), (1e300, 0.0), (0.25, 0.5)):
            moved = equilibria(a * scale + offset, b * scale - offset)
            for pair, wanted in zip(moved, equilibria(a, b), strict=True):
                np.testing.assert_allclose(np.concatenate(pair), np.concatenate(wanted), atol=1e-12)


def test_fractions_and_full_floats():
    third = Fraction(1, 3)
    assert len(equilibria([[third, 0], [0, third]], [[third, 0], [0, third]])) == 3
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 5, 4))
    assert len(equilibria(a, b)) % 2 == 1
    ((row, column),) = equilibria(rng.normal(size=(12, 12)))
    assert row.shape == column.shape == (12,)


def test_first_zero_sum_pair_is_the_one_that_solve_shows():
    rng = np.random.default_rng(9)
    for _ in range(30):
        a = rng.integers(-1, 2, size=(4, 4))
        solution = solve(a)
        row, column = equilibria(a)[0]
        np.testing.assert_allclose(row, solution.row, atol=1e-12)
        np.testing.assert_allclose(column, solution.column, atol=1e-12)


def test_shapes_must_agree():
    with pytest.raises(PayoffError, match=r"column_payoffs: the shape is \(1, 2\) and that of pay"):
        equilibria([[1], [2]], [[1, 2]])
    with pytest.raises(PayoffError, match="column_payoffs: the entry in row 0, column 0 is nan"):
        equilibria([[1]], [[float("nan")]])


def test_games_too_large_are_refused():
    with pytest.raises(SolverError, match="more than 100,000 extreme equilibria"):
        equilibria(np.zeros((400, 260)))


def test_work_limit(monkeypatch):
    monkeypatch.setattr("solver.matrix.vertices.WORK_LIMIT", 100)
    a, b = np.random.default_rng(1).normal(size=(2, 6, 6))
    with pytest.raises(SolverError, match="all extreme equilibria of a 6 by 6 game: the work limi"):
        equilibria(a, b)


def test_the_only_equilibrium_of_a_large_game():
    payoffs = np.random.default_rng(0).normal(size=(50, 50))
    ((row, column),) = equilibria(payoffs)
    solution = solve(payoffs)
    np.testing.assert_allclose(row, solution.row, atol=1e-12)
    np.testing.assert_allclose(column, solution.column, atol=1e-12)


def test_the_only_pair_is_that_of_the_simplex_method():
    rng = np.random.default_rng(3)
    proved = 0
    for _ in range(60):
        m = rng.integers(-3, 4, size=(5, 6)).tolist()
        only = only_pair(m)
        exact = solve_exact(m)
        if only is not None:
            proved += 1
            assert exact.unique
            assert only == (exact.row, exact.column)
    assert proved > 20
    # optimal, of one size and strictly best, but the kernel is singular
    assert only_pair([[1, 1], [1, 1]]) is None
    assert only_pair([[0, 1], [0, 1]]) is None


def test_work_on_long_numbers_counts(monkeypatch):
    monkeypatch.setattr("solver.matrix.simplex.WORK_LIMIT", 10_000)
    payoffs = np.random.default_rng(1).normal(size=(8, 8))
    with pytest.raises(SolverError, match="limit of 10,000 comparisons was passed before the fi"):
        equilibria(np.vstack([payoffs, payoffs]))


def test_many_actions_on_one_side():
    a, b = np.random.default_rng(6).integers(-20, 21, size=(2, 2, 70))
    found = equilibria_function(a, b)
    assert found
    for row, column in found:
        assert (a @ column).max() - row @ a @ column < 1e-9
        assert (row @ b).max() - row @ b @ column < 1e-9


def test_a_pair_that_is_no_equilibrium_is_not_returned():
    payoffs = [[Fraction(4), Fraction(1)], [Fraction(1), Fraction(2)]]
    pure = Equilibrium(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    with pytest.raises(CertificationError, match="is no equilibrium: one player gains"):
        _check([pure], payoffs, [[-a for a in row] for row in payoffs])


def test_extreme_rays_of_a_cube_cone():
    # {z >= 0: z_0 >= z_1, z_0 >= z_2}: rays over the corners of a square
    rays = extreme_rays(3, [], [[1, -1, 0], [1, 0, -1]], "rays")
    assert {ray.direction for ray in rays} == {(1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)}
    assert extreme_rays(2, [[1, 1]], [], "rays") == []


def test_tiny_and_huge_payoffs_keep_their_ties():
    tiny = [[-1e-16, 0.0], [3e-16, -2e-16], [-3e-16, 1e-16]]
    assert len(equilibria(tiny)) == len(equilibria([[-1, 0], [3, -2], [-3, 1]])) == 2
    row, column = [[-3, 1, 3, -3], [-1, 3, -1, 1]], [[3, -3, 2, -2], [-2, 4, -1, -4]]
    assert len(equilibria(row, column)) == 3
    for power in (-60, 60):
        scaled = np.array(row) * 2.0**power, np.array(column) * 2.0**-power
        assert len(equilibria(*scaled)) == 3
    literal = [[float(f"{k}e-20") for k in line] for line in row]
    assert len(equilibria(literal, [[float(f"{k}e-25") for k in line] for line in column])) == 3
