"""The choice of extras under open hands."""

import json
from pathlib import Path

import numpy as np
import pytest

from games.clash import Rules
from solver.clash import rotation_classes, selection_game
from solver.errors import SolverError, StateError
from solver.matrix import equilibria

RECORDED = json.loads((Path(__file__).parents[1] / "data/clash/open.json").read_text())["selection"]


@pytest.mark.parametrize("key", RECORDED)
def test_recorded_matrix_and_equilibrium(key):
    time_deck, objective, sunburst = key.split("_")
    rules = Rules(time_deck=time_deck, sunburst="restarting" if sunburst == "1" else "off")
    game = selection_game(objective, rules)
    case = RECORDED[key]
    assert list(game.labels) == case["order"]
    np.testing.assert_allclose(game.matrix, case["matrix"], rtol=0, atol=1e-9)
    assert game.value == pytest.approx(case["selection_game_value"], abs=1e-9)
    expected = {label: case["symmetric_equilibrium"].get(label, 0) for label in case["order"]}
    assert game.selection == pytest.approx(expected, abs=1e-6)
    assert game.guarantee == pytest.approx(game.value, abs=1e-9)


@pytest.mark.parametrize("sunburst", ["overlapping", "once"])
def test_the_selection_is_invariant_and_safe(sunburst):
    game = selection_game("margin", Rules(sunburst=sunburst))
    assert np.abs(game.matrix + game.matrix.T).max() < 1e-12
    for group in rotation_classes():
        assert len({round(game.selection[label], 12) for label in group}) == 1
    assert sum(game.selection.values()) == pytest.approx(1, abs=1e-12)
    assert game.guarantee == pytest.approx(0, abs=1e-9)
    assert "extras, open hands, margin" in str(game)
    assert "-0.0" not in str(game)


def test_the_extreme_equilibria_are_those_of_the_exact_game():
    matrix = selection_game("win").matrix
    assert (matrix == -matrix.T).all()
    assert len(equilibria(matrix)) == 4


def test_wrong_wishes_are_refused():
    with pytest.raises(SolverError, match="objective is 'money'"):
        selection_game("money")
    with pytest.raises(StateError, match="two players, not 3"):
        selection_game(rules=Rules(players=3))
