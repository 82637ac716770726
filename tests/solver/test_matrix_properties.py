"""What holds for every matrix game."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import example, given, settings
from hypothesis.extra.numpy import arrays

from solver.matrix import equilibria, solve, solve_batch, solve_exact
from solver.matrix.payoffs import simplest_fraction


def matrices(elements, largest_side=5):
    shapes = st.tuples(st.integers(1, largest_side), st.integers(1, largest_side))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=elements))


SMALL_INTEGERS = st.integers(-3, 3).map(float)
UNLIKE = st.sampled_from([0.0, 1, -1, 2, -127, 5e-324, 1e-161, 3e-150, 1e-8, 7e162, 1e150, -1e308])
ANY_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
FINITE = settings(deadline=None, max_examples=50)


def guarantees_meet(payoffs, solution):
    half = payoffs * 0.5
    span = half.max() - half.min()
    if span == 0:
        return True
    scaled = (half - half.min()) / span
    return (scaled @ solution.column).max() - (solution.row @ scaled).min() <= 1e-9


def is_certified(payoffs):
    solution = solve(payoffs)
    assert guarantees_meet(payoffs, solution)
    assert abs(solution.row.sum() - 1) < 1e-12
    assert abs(solution.column.sum() - 1) < 1e-12
    assert min(solution.row.min(), solution.column.min()) >= 0
    assert payoffs.min() <= solution.value <= payoffs.max()


@settings(deadline=None, max_examples=100)
@given(matrices(ANY_FLOATS))
def test_any_floats_are_certified(payoffs):
    is_certified(payoffs)


@settings(deadline=None, max_examples=200)
@given(matrices(UNLIKE, 4))
@example(np.array([[0, -127, 7e162, -127], [-127] * 4, [-127] * 4, [-127, 0, -127, 1]]))
@example(np.array([[0.0, 3, 0], [-3, 0, 1], [1, 2, 3], [1e156, 3e156, 0]]))
def test_payoffs_of_most_unlike_sizes_are_certified(payoffs):
    # Where products of small differences underflow, strategies once came out negative.
    is_certified(payoffs)


def test_many_games_of_most_unlike_sizes_are_certified():
    rng = np.random.default_rng(1)
    numbers = rng.integers(-3, 4, (20_000, 4, 4)).astype(float)
    games = numbers * 10.0 ** rng.choice([0, -8, -160, -150, 150], numbers.shape)
    values, rows, columns = solve_batch(games)
    assert min(rows.min(), columns.min()) >= 0
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(columns.sum(axis=1), 1, atol=1e-12)
    low, high = games.min(axis=(1, 2)), games.max(axis=(1, 2))
    assert ((low <= values) & (values <= high)).all()
    span = np.where(high > low, high - low, 1)[:, np.newaxis]
    least = np.einsum("gi,gij->gj", rows, games) / span
    most = np.einsum("gij,gj->gi", games, columns) / span
    assert (most.max(axis=1) - least.min(axis=1)).max() <= 1e-9


@FINITE
@given(matrices(SMALL_INTEGERS))
def test_players_can_change_sides(payoffs):
    solution, mirrored = solve(payoffs), solve(-payoffs.T)
    assert abs(solution.value + mirrored.value) < 1e-12
    assert solution.unique == mirrored.unique
    if max(payoffs.shape) <= 4:
        np.testing.assert_allclose(solution.row, mirrored.column, atol=1e-12)
        np.testing.assert_allclose(solution.column, mirrored.row, atol=1e-12)


@FINITE
@given(matrices(SMALL_INTEGERS, 4), st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
def test_scale_and_offset_leave_the_strategies(payoffs, scale, offset):
    solution = solve(payoffs)
    moved = solve(payoffs * scale + offset)
    blur = 1e-13 * (1 + abs(offset) / scale)
    assert abs(moved.value - (solution.value * scale + offset)) <= scale * blur * 10
    if np.ptp(payoffs) and blur < 1e-10:
        assert moved.unique == solution.unique
        np.testing.assert_allclose(moved.row, solution.row, atol=max(1e-9, 1e3 * blur))
        np.testing.assert_allclose(moved.column, solution.column, atol=max(1e-9, 1e3 * blur))


@FINITE
@given(matrices(SMALL_INTEGERS), st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter(payoffs, random):
    order = list(range(len(payoffs)))
    random.shuffle(order)
    solution, moved = solve(payoffs), solve(payoffs[order])
    assert abs(solution.value - moved.value) < 1e-12
    assert solution.unique == moved.unique
    if solution.unique:
        np.testing.assert_allclose(solution.row[order], moved.row, atol=1e-9)
        np.testing.assert_allclose(solution.column, moved.column, atol=1e-9)


@FINITE
@given(matrices(SMALL_INTEGERS, 3))
def test_a_repeated_action_changes_no_value(payoffs):
    doubled = np.vstack([payoffs, payoffs[-1:]])
    solution, more = solve(payoffs), solve(doubled)
    assert abs(solution.value - more.value) < 1e-12
    np.testing.assert_allclose(more.row[:-1], solution.row, atol=1e-12)
    np.testing.assert_allclose(more.column, solution.column, atol=1e-12)
    if solution.row[-1] > 0:
        assert not more.unique


@FINITE
@given(matrices(SMALL_INTEGERS))
def test_floats_agree_with_fractions(payoffs):
    solution, exact = solve(payoffs), solve_exact(payoffs)
    assert abs(solution.value - float(exact.value)) < 1e-12
    assert solution.unique == exact.unique


@settings(deadline=None, max_examples=30)
@given(matrices(SMALL_INTEGERS, 4), st.data())
def test_equilibria_are_equilibria(payoffs, data):
    other = data.draw(arrays(np.float64, payoffs.shape, elements=SMALL_INTEGERS))
    found = equilibria(payoffs, other)
    assert found
    for row, column in found:
        assert (payoffs @ column).max() - row @ payoffs @ column < 1e-12
        assert (row @ other).max() - row @ other @ column < 1e-12
    vectors = [(*row, *column) for row, column in found]
    assert len(set(vectors)) == len(vectors)
    assert sorted(vectors, reverse=True) == vectors


@FINITE
@given(ANY_FLOATS)
def test_simplest_fraction_rounds_to_the_float(number):
    assert float(simplest_fraction(number)) == number


@FINITE
@given(st.fractions(max_denominator=10**6, min_value=-(10**3), max_value=10**3))
def test_simplest_fraction_finds_the_fraction(fraction):
    assert simplest_fraction(float(fraction)) == fraction
