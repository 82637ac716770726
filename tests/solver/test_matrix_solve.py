"""One zero-sum game: numbers of every kind, results, large games and the ways back."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from solver.errors import CertificationError, PayoffError, SolverError
from solver.matrix import Solution, equilibria, solve, solve_batch, solve_exact
from solver.matrix import zero_sum as zero_sum_module

METHODS = ("auto", "kernel", "nashpy", "highs")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("payoffs", "value", "row"),
    [
        (np.array([[1, 0], [0, 1]], dtype=np.uint8), 0.5, [0.5, 0.5]),
        (np.array([[-128, 127], [127, -128]], dtype=np.int8), -0.5, [0.5, 0.5]),
        (np.array([[True, False], [False, True]]), 0.5, [0.5, 0.5]),
        (np.array([[4, 1], [1, 2]], dtype=np.float32), 1.75, [0.25, 0.75]),
        (np.array([[4, 1], [1, 2]], dtype=np.float16), 1.75, [0.25, 0.75]),
        (np.array([[4, 1], [1, 2]], dtype=np.longdouble), 1.75, [0.25, 0.75]),
        (np.array([[4, 1], [1, 2]], dtype=object), 1.75, [0.25, 0.75]),
        (np.array([[4, 1], [1, 2]], dtype=">i4"), 1.75, [0.25, 0.75]),
        (np.asfortranarray([[4.0, 1.0], [1.0, 2.0]]), 1.75, [0.25, 0.75]),
        (np.array([[4.0, 9, 1], [1, 9, 2]])[:, ::2], 1.75, [0.25, 0.75]),
        (np.ma.array([[4, 1], [1, 2]], mask=False), 1.75, [0.25, 0.75]),
        (((4, 1), (1, 2)), 1.75, [0.25, 0.75]),
        ([np.array([4, 1]), (1, np.int8(2))], 1.75, [0.25, 0.75]),
        (
            [[Fraction(4, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]],
            7 / 12,
            [0.25, 0.75],
        ),
        ([[Decimal("0.4"), Decimal("0.1")], [Decimal("0.1"), Decimal("0.2")]], 0.175, [0.25, 0.75]),
        ([[Fraction(4), 1], [1.0, Decimal(2)]], 1.75, [0.25, 0.75]),
        ([[2**53 + 4, 2**53 + 1], [2**53 + 1, 2**53 + 2]], 2.0**53 + 2, [0.25, 0.75]),
        (
            np.array([[2**64 - 1, 2**64 - 4], [2**64 - 4, 2**64 - 3]], dtype=np.uint64),
            2.0**64,
            [0.25, 0.75],
        ),
        (
            np.array([[2**63 - 1, -(2**63)], [-(2**63), 2**63 - 1]], dtype=np.int64),
            -0.5,
            [0.5, 0.5],
        ),
        ([[10**30 + 4, 10**30 + 1], [10**30 + 1, 10**30 + 2]], 1e30, [0.25, 0.75]),
        ([[1e300, -1e300], [-1e300, 1e300]], 0.0, [0.5, 0.5]),
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], 0.0, [0.5, 0.5]),
        ([[5]], 5.0, [1.0]),
        ([[3, 1, 2]], 1.0, [1.0]),
        ([[3], [1]], 3.0, [1.0, 0.0]),
    ],
)
def test_numbers_of_every_kind(payoffs, value, row, method):
    before = copy.deepcopy(payoffs)
    solution = solve(payoffs, method)
    assert solution.value == value
    np.testing.assert_allclose(solution.row, row, atol=1e-15)
    assert solution.unique
    batch = solve_batch([payoffs])
    assert batch.values[0] == solution.value
    np.testing.assert_array_equal(batch.rows[0], solution.row)
    np.testing.assert_array_equal(batch.columns[0], solution.column)
    assert len(equilibria(payoffs)) == 1
    np.testing.assert_array_equal(np.array(payoffs, dtype=object), np.array(before, dtype=object))


BAD = [
    ([[1, float("nan")]], "row 0, column 1 is nan; payoffs must be finite"),
    ([[1, 2], [float("inf"), 2]], "row 1, column 0 is inf; payoffs must be finite"),
    (np.array([[1.0, -np.inf]]), "row 0, column 1 is -inf; payoffs must be finite"),
    (np.array([[np.inf]], dtype=np.longdouble), "row 0, column 0 is inf"),
    ([[Decimal("NaN")]], "row 0, column 0 is NaN; payoffs must be finite"),
    ([[Decimal("sNaN")]], "row 0, column 0 is sNaN; payoffs must be finite"),
    ([[Decimal("1e999999")]], "decimals up to 1E"),
    ([[1, None]], "row 0, column 1 is None; payoffs must be real numbers"),
    (np.array([[1, None]], dtype=object), "row 0, column 1 is None; payoffs must be real numbers"),
    ([], "empty; a game needs at least one row"),
    ([[]], "the rows are empty; a game needs at least one column"),
    (np.zeros((0, 3)), r"shape \(0, 3\) is empty; a game needs"),
    (np.zeros((3, 0)), r"shape \(3, 0\) is empty; a game needs"),
    ([[1, 2], [3]], "row 1 has 1 entries and row 0 has 2; all rows must be of one length"),
    ([np.array([1, 2]), np.array([1])], "row 1 has 1 entries and row 0 has 2"),
    ([1, 2], "row 0 is 1, not a list of numbers; payoffs must be two-dimensional"),
    (np.array([1.0, 2.0]), "has 1 dimensions; payoffs must be two-dimensional"),
    (np.zeros((2, 2, 2)), "has 3 dimensions; payoffs must be two-dimensional"),
    ([[[1]]], "row 0, column 0 is itself a list; payoffs must be two-dimensional"),
    (np.float64(3), "has 0 dimensions; payoffs must be two-dimensional"),
    (5, "int is not a matrix; payoffs must be a two-dimensional array or a list of rows"),
    (None, "NoneType is not a matrix"),
    ({"a": 1}, "dict is not a matrix"),
    ({1, 2}, "set is not a matrix"),
    (map(list, [[1]]), "map is not a matrix"),
    ("abc", "'abc' is text; payoffs must be a list of rows"),
    (["12", "34"], "row 0 is '12', not a list of numbers"),
    ([["4", "1"]], "row 0, column 0 is '4' of type str; payoffs must be real numbers"),
    (np.array([["4"]]), "an array of type <U1; payoffs must be real numbers"),
    ([[1, 2j]], "row 0, column 1 is 2j of type complex; payoffs must be real numbers"),
    (np.array([[1j]]), "an array of type complex128; payoffs must be real numbers"),
    (np.array([[1]], dtype="m8[s]"), "an array of type timedelta64"),
    (np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]), "row 1, column 0 is masked"),
    ([np.ma.array([1, 2], mask=[0, 1])], "row 0, column 1 is masked"),
]


@pytest.mark.parametrize(("payoffs", "message"), BAD)
@pytest.mark.parametrize("function", [solve, solve_exact, equilibria])
def test_bad_payoffs_are_refused(function, payoffs, message):
    with pytest.raises(PayoffError, match=message):
        function(payoffs)


def test_sparse_matrices_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (sparse.csr_matrix([[1, 2]]), sparse.coo_array(np.array([[1, 2]]))):
        with pytest.raises(PayoffError, match="sparse matrix; give it as a dense array"):
            solve(matrix)


def test_unknown_methods_are_refused():
    with pytest.raises(SolverError, match="'simplex'; it must be one of 'auto', 'kernel'"):
        solve([[1]], "simplex")
    with pytest.raises(SolverError, match="up to 4 by 4, and this one is 5 by 2; use 'auto'"):
        solve(np.zeros((5, 2)), "kernel")


def test_value_beyond_the_largest_float_is_refused():
    huge = [[10**400, 10**399], [10**399, 10**400]]
    with pytest.raises(PayoffError, match="beyond the largest float"):
        solve(huge)
    assert solve_exact(huge).value == Fraction(10**400 + 10**399, 2)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 2), (4, 4), (6, 6), (1, 9)])
@pytest.mark.parametrize("level", [0.0, -7.0, 1e-320, 1.7e308])
def test_constant_payoffs(shape, level):
    solution = solve(np.full(shape, level))
    assert solution.value == level
    assert solution.row[0] == solution.column[0] == 1
    assert solution.unique is (shape == (1, 1))


def test_uniqueness_counts_both_players():
    assert solve([[1, 2, 3]]).unique
    assert not solve([[1, 1, 3]]).unique
    assert not solve([[0], [0]]).unique
    assert solve([[1, 0], [1, 1]]).unique is False
    np.testing.assert_array_equal(solve([[1, 0], [1, 1]]).column, [1, 0])


def test_the_rule_prefers_the_first_actions():
    # rows 0 and 2 are the same, and so are columns 1 and 2
    payoffs = np.array([[4, 1, 1], [1, 2, 2], [4, 1, 1]])
    for method in METHODS:
        solution = solve(payoffs, method)
        np.testing.assert_allclose(solution.row, [0.25, 0.75, 0])
        np.testing.assert_allclose(solution.column, [0.25, 0.75, 0])
        assert not solution.unique


@pytest.mark.parametrize("method", METHODS)
def test_wide_dynamic_range(method):
    powers = np.array([1, 1e-7, 1e-10])
    solution = solve(np.diag(powers), method)
    np.testing.assert_allclose(solution.row, (1 / powers) / (1 / powers).sum(), rtol=1e-12)
    np.testing.assert_allclose(solution.column, solution.row, rtol=1e-12)
    assert solution.value == pytest.approx(1 / (1 / powers).sum(), rel=1e-12)
    assert solution.unique
    solution = solve([[1, 1e-7, 0], [0, 1, 1e-10], [1e-10, 0, 1e-7]], method)
    exact = solve_exact([[1, 1e-7, 0], [0, 1, 1e-10], [1e-10, 0, 1e-7]])
    np.testing.assert_allclose(solution.row, np.array(exact.row, dtype=float), atol=1e-12)
    assert solution.unique is exact.unique


@pytest.mark.parametrize("method", ["auto", "nashpy", "highs"])
def test_wide_dynamic_range_beyond_the_kernels(method):
    rng = np.random.default_rng(11)
    for _ in range(10):
        payoffs = 10.0 ** rng.integers(-12, 1, size=(5, 6)) * rng.integers(0, 4, size=(5, 6))
        solution = solve(payoffs, method)
        assert solution.gap <= 1e-9
        assert abs(solution.value - float(solve_exact(payoffs).value)) <= 1e-9 * np.ptp(payoffs)


@pytest.mark.parametrize("method", ["auto", "nashpy", "highs"])
def test_a_gap_that_would_just_pass_is_closed(method):
    payoffs = np.eye(5)
    payoffs[4, 4] = 1e-9
    solution = solve(payoffs, method)
    assert solution.value == pytest.approx(1 / (4 + 1e9), rel=1e-12)
    assert solution.unique
    assert solution.gap <= 1e-15


@pytest.mark.parametrize("shape", [(5, 5), (2, 40), (40, 2), (25, 30), (60, 60)])
def test_random_larger_games_are_certified(shape):
    payoffs = np.random.default_rng(shape).normal(size=shape)
    solution = solve(payoffs)
    low, high = (solution.row @ payoffs).min(), (payoffs @ solution.column).max()
    assert high - low <= 1e-9 * np.ptp(payoffs)
    assert low - 1e-12 <= solution.value <= high + 1e-12
    assert solution.unique
    assert solution.row.sum() == pytest.approx(1)
    assert solution.row.min() >= 0


def test_duplicates_in_larger_games():
    payoffs = np.random.default_rng(2).normal(size=(6, 6))
    doubled = np.vstack([payoffs, payoffs])
    assert solve(payoffs).unique
    assert solve(doubled).value == pytest.approx(solve(payoffs).value, abs=1e-12)
    assert not solve(doubled).unique
    assert not solve(doubled.T).unique


@pytest.mark.parametrize("method", ["auto", "nashpy", "highs"])
def test_a_failing_linear_program_is_not_the_end(method, monkeypatch):
    payoffs = np.random.default_rng(4).normal(size=(6, 5))
    wanted = solve(payoffs)
    for failure in (None, (np.full(6, 1 / 6), np.full(5, 1 / 5))):
        monkeypatch.setattr(
            zero_sum_module, "_PROGRAMS", dict.fromkeys(("highs", "nashpy"), lambda _, f=failure: f)
        )
        solution = solve(payoffs, method)
        assert solution.gap <= 1e-9
        assert solution.value == pytest.approx(wanted.value, abs=1e-12)
        if failure is None:
            assert solution.method == "exact"


def test_nothing_uncertified_is_returned(monkeypatch):
    uniform = (np.full(5, 0.2), np.full(5, 0.2))
    monkeypatch.setattr(zero_sum_module, "_PROGRAMS", {"highs": lambda _: None})
    monkeypatch.setattr(zero_sum_module, "_exactly", lambda _: (uniform, True))
    with pytest.raises(CertificationError, match="guarantees differ by"):
        solve(np.diag([1.0, 2, 3, 4, 5]))


def test_solution_is_a_value():
    solution = solve([[4, 1], [1, 2]])
    again = pickle.loads(pickle.dumps(solution))
    assert again == solution == copy.deepcopy(solution) == solve([[4, 1], [1, 2]], "highs")
    assert hash(again) == hash(solution)
    assert solution != solve([[4, 1], [1, 3]])
    assert solution != 1.75
    assert not again.row.flags.writeable
    with pytest.raises(AttributeError):
        solution.value = 2.0
    with pytest.raises(ValueError, match="read-only"):
        solution.row[0] = 1
    assert str(solution) == (
        "value 1.75; row (0.25, 0.75); column (0.25, 0.75); the only optimal strategies; "
        "method kernel, gap 0.0e+00"
    )
    assert isinstance(solution, Solution)
    assert solution.row.dtype == solution.column.dtype == np.float64


@pytest.mark.parametrize(
    ("payoffs", "method", "value"),
    [
        (
            1e8 + np.array([[0, 0.6, -0.6, -0.9, -0.6, 0.6], [-0.3, -0.6, 0.3, 0.6, 0.9, -0.6]]),
            "auto",
            99_999_999.85,
        ),
        (1e8 + np.array([[0.3, 0.9, -0.9], [-0.6, -0.9, 0]]), "highs", 99_999_999.7),
        (np.array([[0, 5e-324, 0, 0, 0]]), "auto", 0.0),
        (np.array([[0, 5e-324, 0, 0, 0]]), "highs", 0.0),
    ],
)
def test_payoffs_at_the_edge_of_what_floats_tell(payoffs, method, value):
    solution = solve(payoffs, method)
    assert solution.value == pytest.approx(value, rel=1e-15)
    assert solution.gap <= 1e-9
