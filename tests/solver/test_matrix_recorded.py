"""Games reported in public issue threads, by every method."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.matrix import equilibria, solve, solve_batch, solve_exact

PATH = Path(__file__).parents[1] / "data" / "matrix" / "issue_games.json"
RECORDED = json.loads(PATH.read_text(encoding="utf-8"))
ZERO_SUM = RECORDED["zero_sum"]
BIMATRIX = RECORDED["bimatrix"]


def as_fractions(rows: list[list[Any]]) -> list[list[Fraction]]:
    return [[Fraction(str(a)) for a in row] for row in rows]


def as_floats(rows: list[list[Any]]) -> np.ndarray:
    return np.array([[float(Fraction(str(a))) for a in row] for row in rows])


def vector(texts: list[Any]) -> np.ndarray:
    return np.array([float(Fraction(str(text))) for text in texts])


def players(game: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    if "player0" in game:
        return np.array(game["player0"]), np.array(game["player1"]).T
    sign = -1 if game.get("minimisers") else 1
    return sign * np.array(game["A"]), sign * np.array(game["B"])


def assert_same_set(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    assert len(found) == len(wanted)
    for strategy in wanted:
        assert min(np.abs(strategy - other).max() for other in found) < 1e-9


@pytest.mark.parametrize("read", [as_fractions, as_floats])
@pytest.mark.parametrize(
    ("name", "method"),
    [
        (name, method)
        for name, game in ZERO_SUM.items()
        for method in ("auto", "kernel", "nashpy", "highs")
        if method != "kernel" or len(game["A"]) <= 4
    ],
)
def test_zero_sum_by_each_method(name, method, read):
    game = ZERO_SUM[name]
    payoffs = read(game["A"])
    solution = solve(payoffs, method)
    assert solution.value == pytest.approx(float(Fraction(game["value"])), abs=1e-12, rel=1e-12)
    assert solution.gap <= 1e-9
    if method != "auto":
        assert solution.method == method
    if "unique" in game:
        assert solution.unique is game["unique"]
    for strategy, one, all_of_them in (
        (solution.row, "x", "row_extreme"),
        (solution.column, "y", "col_extreme"),
    ):
        if one in game:
            np.testing.assert_allclose(strategy, vector(game[one]), atol=1e-9)
        if all_of_them in game:
            assert not solution.unique
            first = max(game[all_of_them], key=lambda texts: [Fraction(t) for t in texts])
            np.testing.assert_allclose(strategy, vector(first), atol=1e-9)


@pytest.mark.parametrize("name", ZERO_SUM)
def test_zero_sum_exactly(name):
    game = ZERO_SUM[name]
    solution = solve_exact(as_fractions(game["A"]))
    assert solution.value == Fraction(game["value"])
    assert solution.unique is game.get("unique", name == "nashpy_207")
    if "x" in game:
        assert solution.row == tuple(Fraction(text) for text in game["x"])
    if "y" in game:
        assert solution.column == tuple(Fraction(text) for text in game["y"])


@pytest.mark.parametrize("name", [n for n in ZERO_SUM if len(ZERO_SUM[n]["A"]) <= 4])
def test_zero_sum_in_a_batch(name):
    payoffs = as_floats(ZERO_SUM[name]["A"])
    batch = solve_batch(np.stack([payoffs, -payoffs, payoffs * 1e-9 + 3]))
    for g, one in enumerate([payoffs, -payoffs, payoffs * 1e-9 + 3]):
        alone = solve(one)
        assert batch.values[g] == alone.value
        assert batch.unique[g] == alone.unique
        np.testing.assert_array_equal(batch.rows[g], alone.row)
        np.testing.assert_array_equal(batch.columns[g], alone.column)


@pytest.mark.parametrize("read", [as_fractions, as_floats])
@pytest.mark.parametrize("name", ZERO_SUM)
def test_all_equilibria_of_zero_sum_games(name, read):
    game = ZERO_SUM[name]
    found = equilibria(read(game["A"]))
    rows = list({tuple(row): row for row, _ in found}.values())
    columns = list({tuple(column): column for _, column in found}.values())
    assert len(found) == len(rows) * len(columns)
    if game.get("unique"):
        assert len(found) == 1
    for strategies, one, all_of_them in ((rows, "x", "row_extreme"), (columns, "y", "col_extreme")):
        if one in game:
            assert_same_set(strategies, [vector(game[one])])
        if all_of_them in game:
            assert_same_set(strategies, [vector(texts) for texts in game[all_of_them]])
    for one_of_many in ("y_one_of_many",):
        if one_of_many in game:
            assert min(np.abs(vector(game[one_of_many]) - y).max() for y in columns) < 1e-9
    if max(len(game["A"]), len(game["A"][0])) <= 4:
        shown = solve(read(game["A"]))
        np.testing.assert_allclose(found[0].row, shown.row, atol=1e-12)
        np.testing.assert_allclose(found[0].column, shown.column, atol=1e-12)


def test_constant_sum_game_is_the_zero_sum_game():
    game = ZERO_SUM["nashpy_207"]
    a = as_fractions(game["A"])
    ((row, column),) = equilibria(a, [[1 - p for p in line] for line in a])
    np.testing.assert_allclose(row, vector(game["x"]), atol=1e-12)
    np.testing.assert_allclose(column, vector(game["y"]), atol=1e-12)
    # as floats 1 - a is not always the float of the fraction; the equilibrium hardly moves
    floats = as_floats(game["A"])
    ((row, column),) = equilibria(floats, 1 - floats)
    np.testing.assert_allclose(row, vector(game["x"]), atol=1e-9)


@pytest.mark.parametrize("name", BIMATRIX)
def test_bimatrix_games(name):
    game = BIMATRIX[name]
    a, b = players(game)
    found = equilibria(a, b)
    assert found
    for row, column in found:
        assert row.sum() == pytest.approx(1)
        assert column.sum() == pytest.approx(1)
        assert row.min() >= 0
        assert column.min() >= 0
        assert (a @ column).max() - row @ a @ column == pytest.approx(0, abs=1e-9)
        assert (row @ b).max() - row @ b @ column == pytest.approx(0, abs=1e-9)
    if "extreme_equilibria" in game:
        assert len(found) == game["extreme_equilibria"]
    if isinstance(game.get("equilibria"), list):
        assert_same_set(
            [np.concatenate(pair) for pair in found],
            [np.concatenate([vector(x), vector(y)]) for x, y in game["equilibria"]],
        )
    if "x" in game:
        assert any(
            np.abs(row - vector(game["x"])).max() < 1e-6
            and np.abs(column - vector(game["y"])).max() < 1e-6
            for row, column in found
        )
    if "value_both" in game:
        for row, column in found:
            assert row @ a @ column == row @ b @ column == game["value_both"]


def test_segment_of_equilibria_is_given_by_its_ends():
    found = equilibria(*players(BIMATRIX["nashpy_222"]))
    assert_same_set(
        [np.concatenate(pair) for pair in found],
        [np.array([2 / 7, 5 / 7, 1, 0]), np.array([0, 1, 1, 0])],
    )


def test_game_of_zeros_has_every_pure_pair():
    assert len(equilibria(*players(BIMATRIX["zeros"]))) == 4


BASE = np.array(RECORDED["numeric_probes_2x2"]["base"])


@pytest.mark.parametrize("method", ["auto", "kernel", "nashpy", "highs"])
@pytest.mark.parametrize(
    ("scale", "offset"),
    [
        (1e-7, 0.0),
        (1e-8, 0.0),
        (1e-9, 0.0),
        (1e-12, 0.0),
        (1e-300, 0.0),
        (5e-324, 0.0),
        (1e15, 0.0),
        (1e300, 0.0),
        (4e307, 0.0),
        (1e-7, 0.5),
        (1e-8, 0.5),
        (1.0, 1e9),
        (1.0, 1e12),
        (1.0, -1e12),
    ],
)
def test_scale_and_offset_make_no_difference(scale, offset, method):
    payoffs = BASE * scale + offset
    solution = solve(payoffs, method)
    correct = vector(RECORDED["numeric_probes_2x2"]["correct"])
    # an offset rounds the payoffs themselves, by that much of their span
    blur = 2e-16 * abs(offset) / scale
    np.testing.assert_allclose(solution.row, correct, atol=1e-12 + blur)
    np.testing.assert_allclose(solution.column, correct, atol=1e-12 + blur)
    assert solution.value == pytest.approx(1.75 * scale + offset, rel=1e-12, abs=5e-324)
    assert solution.unique
    (row, _), *others = equilibria(payoffs)
    assert not others
    np.testing.assert_allclose(row, correct, atol=1e-12 + 2 * blur)
