"""Many small zero-sum games at once."""

import pickle

import numpy as np
import pytest

from solver.errors import PayoffError
from solver.matrix import batch as batch_module
from solver.matrix import solve, solve_batch


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_every_game_as_solve_has_it(rows, columns):
    rng = np.random.default_rng([rows, columns])
    games = np.concatenate(
        [
            rng.normal(size=(20, rows, columns)),
            rng.integers(-2, 3, size=(40, rows, columns)),
            rng.integers(0, 2, size=(20, rows, columns)) / 3 + 1e3,
            rng.integers(-9, 10, size=(20, rows, columns)) * 1e-9,
            10.0 ** rng.integers(-12, 2, size=(20, rows, columns)),
        ]
    )
    kept = games.copy()
    batch = solve_batch(games)
    np.testing.assert_array_equal(games, kept)
    for g, game in enumerate(games):
        alone = solve(game)
        assert batch.values[g] == alone.value
        assert batch.unique[g] == alone.unique
        np.testing.assert_array_equal(batch.rows[g], alone.row)
        np.testing.assert_array_equal(batch.columns[g], alone.column)
    span = np.ptp(games, axis=(1, 2))
    low = np.einsum("gi,gij->gj", batch.rows, games).min(axis=1)
    high = np.einsum("gij,gj->gi", games, batch.columns).max(axis=1)
    rounding = 1e-15 * np.abs(games).max(axis=(1, 2))
    assert (high - low <= 1e-9 * span + rounding).all()
    np.testing.assert_allclose(batch.rows.sum(axis=1), 1)
    assert batch.rows.min() >= 0
    assert batch.columns.min() >= 0


def test_three_fields_and_an_attribute():
    solution = solve_batch([[[4, 1], [1, 2]], [[1, 1], [1, 1]]])
    values, rows, columns = solution
    assert len(solution) == 3
    np.testing.assert_array_equal(values, [1.75, 1])
    np.testing.assert_array_equal(rows, [[0.25, 0.75], [1, 0]])
    np.testing.assert_array_equal(columns, solution.columns)
    np.testing.assert_array_equal(solution.unique, [True, False])
    again = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(again.unique, solution.unique)
    np.testing.assert_array_equal(again.rows, solution.rows)
    assert repr(solution) == "BatchSolution(2 games of 2 by 2)"


@pytest.mark.parametrize("kind", [float, np.int64, bool, object, np.longdouble])
def test_no_games(kind):
    values, rows, columns = solve_batch(np.empty((0, 2, 3), dtype=kind))
    assert (values.shape, rows.shape, columns.shape) == ((0,), (0, 2), (0, 3))


def test_large_integers_are_shifted_before_they_are_rounded():
    base = np.array([[4, 1], [1, 2]])
    for games in (
        np.stack([base + 2**62, base - 2**62, base]),
        np.stack([base.astype(np.uint64) + np.uint64(2**63)] * 2),
        np.stack([base.astype(object) + 10**40]),
    ):
        batch = solve_batch(games)
        np.testing.assert_allclose(batch.rows, [[0.25, 0.75]] * len(games))
        for g, game in enumerate(games):
            assert batch.values[g] == solve(game).value


NAN = float("nan")


@pytest.mark.parametrize(
    ("payoffs", "message"),
    [
        ([], "an empty list does not say the shape"),
        (np.zeros((2, 5, 3)), "games of 5 by 3; solve_batch is for up to 4 by 4, solver.matrix.so"),
        ([np.zeros((2, 5))], "games of 2 by 5"),
        (np.zeros((2, 2)), r"shape \(2, 2\) has 2 dimensions; a batch must be three-dimensional"),
        ([[1, 2], [3, 4]], "game 0: row 0 is 1, not a list of numbers"),
        (np.zeros((2, 0, 2)), "holds empty games"),
        ([[[1, 2]], [[1, NAN]]], "game 1: the entry in row 0, column 1 is nan"),
        (np.array([[[1, 2]], [[1, np.inf]]]), "game 1: the entry in row 0, column 1 is inf"),
        ([[[1, 2]], [[1]]], r"game 1: the shape is \(1, 1\) and that of game 0 is \(1, 2\)"),
        (np.ma.array([[[1, 2]]], mask=[[[0, 1]]]), "game 0: the entry in row 0, column 1 is mask"),
        (np.array([[[1j]]]), "game 0: an array of type complex128"),
        ([[["a"]]], "game 0: the entry in row 0, column 0 is 'a'"),
        ("abc", "str is not a batch of matrices"),
        (None, "NoneType is not a batch of matrices"),
        ({1: 2}, "dict is not a batch of matrices"),
    ],
)
def test_bad_batches_are_refused(payoffs, message):
    with pytest.raises(PayoffError, match=message):
        solve_batch(payoffs)


def test_a_game_that_the_kernels_miss_is_solved_exactly(monkeypatch):
    def miss(_payoffs, values, _rows, _columns, _unique, gaps):
        values[:] = np.nan
        gaps[:] = np.nan

    games = np.array([[[4.0, 1], [1, 2]], [[1, 1], [0, 2]]])
    wanted = solve_batch(games)
    monkeypatch.setattr(batch_module, "solve_games", miss)
    found = solve_batch(games)
    for ours, theirs in zip(wanted, found, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-15)
    np.testing.assert_array_equal(wanted.unique, found.unique)
