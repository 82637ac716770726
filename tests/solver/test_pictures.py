"""Pictures of results: what they say is what the results hold."""

import numpy as np
import pytest

from examples.draw_pictures import NAMES, main
from games.clash import Element, Record
from games.errors import GameError
from games.solstis import State
from solver.clash import selection_game, solve_hidden, solve_open
from solver.clash.explanations.explanation import explain
from solver.clash.pictures import (
    RoundMixes,
    exploitability_picture,
    mixes_along,
    round_picture,
    selection_picture,
    strategies_picture,
)
from solver.errors import SolverError, StateError
from solver.solstis import solve_endgame
from solver.state_graph import state_graph
from solver.state_graph_picture import draw_state_graph
from solver.text_layout import shares

pytest.importorskip("matplotlib")

GAME = Record.parse(
    """Solaris' Clash record 1
deal WWFFAE/WFAAEE DuDaDaMi
1 Du FW
2 Da FA
3 Da AA"""
)
ENDING = "examples/positions/solstis-small-ending.txt"


def words(figure):
    """Return all texts of a picture."""
    found = [text.get_text() for axes in figure.axes for text in axes.texts]
    found += [label.get_text() for axes in figure.axes for label in axes.get_xticklabels()]
    return found + [text.get_text() for text in figure.texts]


@pytest.fixture(scope="module")
def ending(pytestconfig):
    text = (pytestconfig.rootpath / ENDING).read_text().strip()
    return solve_endgame(State.parse(text))


def test_a_round_shows_its_matrix_and_both_mixes():
    why = explain("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    figure = round_picture(why)
    texts = words(figure)
    assert [f"{worth:+.3f}" for worth in why.matrix.ravel()] == texts[:16]
    for side in why.sides:
        for card, share in zip(side.cards, shares(c.chance for c in side.cards), strict=True):
            assert any(card.element.name.capitalize() in t and share in t for t in texts)
    frames = [patch for patch in figure.axes[0].patches if not patch.get_fill()]
    assert len(frames) == 9


def test_a_dominated_card_says_so():
    why = explain("WWFA/FFEA DaNoDuMiDaNo 2-2")
    assert any(card.dominated for side in why.sides for card in side.cards)
    assert any("dominated" in text for text in words(round_picture(why)))


def test_the_extras_show_ten_by_ten():
    game = selection_game()
    texts = words(selection_picture(game))
    cells = [float(text) for text in texts[:100]]
    assert np.allclose(cells, game.matrix.ravel(), atol=5e-4)
    assert {"WA  50.0%", "FE  50.0%"} <= {*texts}


def test_mixes_follow_a_game():
    solution = solve_open(GAME.deal)
    rounds = mixes_along(solution, GAME.states())
    assert [one.label for one in rounds] == ["1 Du", "2 Da", "3 Da", "4 Mi"]
    assert rounds[0].mixes[1] == solution.strategy(GAME.deal, 1)
    assert rounds[1].played == (Element.FIRE, Element.AIR)
    assert rounds[3].played is None
    texts = words(strategies_picture(rounds, title="A game"))
    assert "1 Du\nplayed F" in texts
    assert "A game" in texts
    largest = max(rounds[0].mixes[0].values())
    assert any(f"{100 * largest:.1f}%" in text for text in texts)


def test_mixes_follow_a_game_under_hidden_hands():
    hands = [["WWFFAE", "WFFAEE"], ["WFAAEE", "WWFAAE"]]
    solution = solve_hidden("DuDaDaMi", hands=hands, tolerance=0.05)
    rounds = mixes_along(solution, GAME.states())
    assert rounds[0].mixes[0] == solution.strategy(0, "WWFFAE")
    assert all(sum(mix.values()) == pytest.approx(1) for one in rounds for mix in one.mixes)


def test_exploitability_is_drawn_as_measured():
    curves = {"a run": [(10, 0.1), (100, 0.01)], "another": [(10, 0.2)]}
    axes = exploitability_picture(curves, unit="points").axes[0]
    assert axes.lines[0].get_xydata().tolist() == [[10, 0.1], [100, 0.01]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a run", "another"]
    assert axes.get_ylabel() == "exploitability (points)"


def test_a_graph_shows_values_actions_and_chances(ending):
    graph = ending.graph()
    figure = draw_state_graph(graph, title="An ending")
    texts = [text.get_text() for text in figure.axes[0].texts]
    values = [data["value"] for _, data in graph.nodes(data=True)]
    assert sorted(t for t in texts if t[0] in "+-0") == sorted(
        f"{'+' if value > 0 else ''}{value}" for value in values
    )
    for _, _, data in graph.edges(data=True):
        assert any(str(data["actions"][0]) in text for text in texts)
    assert any(text.endswith("1/3") for text in texts)
    fewer = words(draw_state_graph(graph, best_lines=True))
    assert len(fewer) < len(texts)


def test_what_cannot_be_drawn_is_refused(ending, tmp_path):
    with pytest.raises(SolverError, match="is no Explanation"):
        round_picture("WF/FE")
    with pytest.raises(StateError, match="no matrix to show"):
        round_picture(explain("WF/FE DaNoDuMi---- 3-3"))
    with pytest.raises(SolverError, match="is no SelectionGame"):
        selection_picture(None)
    with pytest.raises(SolverError, match="expected one RoundMixes or more"):
        strategies_picture([])
    with pytest.raises(SolverError, match="expected what solve_open or solve_hidden gave"):
        mixes_along(None, [])
    with pytest.raises(SolverError, match="no position of the game has a choice"):
        mixes_along(solve_open(GAME.deal), [])
    for curves in ({}, {"a": []}):
        with pytest.raises(SolverError, match="each with a point or more"):
            exploitability_picture(curves)
    with pytest.raises(SolverError, match="positive, finite"):
        exploitability_picture({"a": [(1, float("inf"))]})
    with pytest.raises(SolverError, match="run expectiminimax"):
        draw_state_graph(state_graph(ending.state), best_lines=True)
    with pytest.raises(GameError, match="names no format"):
        exploitability_picture({"a": [(1, 0.1)]}, tmp_path / "curve.doc")
    mixes = ({Element.WATER: 1.0}, {Element.FIRE: 1.0})
    strategies_picture([RoundMixes("1 Da", mixes)], tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text().rstrip().endswith("</svg>")


def test_a_large_graph_is_refused(pytestconfig):
    text = (pytestconfig.rootpath / "examples/positions/solstis-ending.txt").read_text().strip()
    graph = solve_endgame(State.parse(text)).graph()
    with pytest.raises(SolverError, match="best_lines=True draws less"):
        draw_state_graph(graph)


def test_the_script_draws_what_is_asked_for(tmp_path, capsys):
    drawn = [name for name in NAMES if name != "exploitability"]
    for _ in range(2):
        arguments = ["--directory", str(tmp_path), "--only", *drawn, "--format", "svg"]
        assert main(arguments) == 0
    assert capsys.readouterr().out.split()[: len(drawn)] == [
        str(tmp_path / f"{name}.svg") for name in drawn
    ]
    assert all((tmp_path / f"{name}.svg").stat().st_size > 1000 for name in drawn)
    (tmp_path / "file").write_text("")
    assert main(["--directory", str(tmp_path / "file"), "--only", "round"]) == 2
