"""Pictures of results of Clash, and the script: what they say is what the results hold."""

import re
import sys
from itertools import pairwise

import numpy as np
import pytest

from examples.draw_pictures import DRAWERS, NAMES, main
from games.clash import Element, Record, Rules, State
from games.errors import GameError
from solver.clash import (
    StrategyBook,
    explain,
    selection_game,
    solve_hidden,
    solve_open,
)
from solver.clash.hidden import Progress
from solver.clash.pictures import (
    RoundMixes,
    bounds_picture,
    exploitability_picture,
    mean_mixes,
    mixes_along,
    round_picture,
    selection_picture,
    strategies_picture,
)
from solver.clash.pictures.heat_map import color_of, luminance, signed
from solver.errors import SolverError, StateError
from solver.text_layout import shares

matplotlib = pytest.importorskip("matplotlib")

GAME = Record.parse(
    """Solaris' Clash record 1
deal WWFFAE/WFAAEE DuDaDaMi
1 Du FW
2 Da FA
3 Da AA"""
)
HANDS = [["WWFFAE", "WFFAEE"], ["WFAAEE", "WWFAAE"]]
ROUND = "WWFFAE/WFFAEE DaNoDuMi---- 0-0"
DOMINATED = "WWFA/FFEA DaNoDuMiDaNo 2-2"
BOOK = "examples/books/clash-win-rounds-1-3.book"
SMALL = {"hands": [["WF", "WA"], ["FE", "AE"]], "times": "DaNoDaNoDu--"}


def words(figure):
    """Return all texts of a picture, in the order in which they were written."""
    found = [text.get_text() for axes in figure.axes for text in axes.texts]
    return found + [text.get_text() for text in figure.texts]


def numbers(texts):
    """Return the texts that are signed amounts or nought."""
    return [text for text in texts if re.fullmatch(r"[+-]\d+\.\d{3}|0", text)]


def frames(figure):
    return [patch for patch in figure.axes[0].patches if not patch.get_fill()]


@pytest.fixture(scope="module")
def deal():
    return solve_open(GAME.deal)


@pytest.fixture(scope="module")
def hidden():
    return solve_hidden("DuDaDaMi", hands=HANDS, tolerance=0.05)


# ---- a round


@pytest.mark.parametrize("player", [0, 1])
def test_a_round_shows_its_matrix_and_both_mixes(player):
    why = explain(ROUND)
    figure = round_picture(why, player=player)
    texts = words(figure)
    matrix = -why.matrix.T if player else why.matrix
    assert numbers(texts)[:16] == [signed(worth) for worth in matrix.ravel()]
    own, other = why.sides[player], why.sides[1 - player]
    assert numbers(texts)[16:24] == [signed(c.earns) for s in (own, other) for c in s.cards]
    for side in (own, other):
        for share in shares(card.chance for card in side.cards):
            assert ("0%" if share == "0.0%" else share) in texts
    played = [sum(card.chance > 0 for card in side.cards) for side in (own, other)]
    # Each frame is a dark line and a light one; the scale has one more.
    assert len(frames(figure)) == 2 * played[0] * played[1] + 1
    assert f"Worth {signed(why.value_to(player))} antes to you. Framed: what both mixes play." in (
        texts
    )
    assert "You: 2 Water, 2 Fire, 1 Air, 1 Earth; 0 points" in texts or player


def test_a_dominated_card_says_by_what():
    texts = words(round_picture(explain(DOMINATED), player=1))
    place = texts.index("dominated by")
    assert texts[place : place + 3] == ["dominated by", "half Fire,", "half Earth"]
    assert texts.count("dominated by") == 2


def test_a_round_without_differences_is_drawn():
    why = explain("WF/WF DaNoDuMiDaNo 8-0")
    texts = words(round_picture(why, title="Decided $1 to $2"))
    assert "Decided $1 to $2" in texts
    assert numbers(texts)[:4] == ["+1.000"] * 4
    assert any("Other mixes are optimal too" in text for text in texts)
    assert "0" in words(round_picture(explain("W/W DaNoDuMiDaNo 3-3")))


def test_colours_rise_in_lightness_and_change_hue_at_nought():
    parts = np.linspace(-1, 1, 101)
    lightness = [luminance(color_of(part)) for part in parts]
    assert all(later > earlier for earlier, later in pairwise(lightness))
    worst, best = color_of(-1), color_of(1)
    assert worst[2] > worst[0]
    assert best[0] > best[2]
    assert np.ptp(color_of(0)) < 0.02


def test_numbers_can_be_read_on_their_colours():
    for axes in (
        round_picture(explain(ROUND)).axes[0],
        selection_picture(selection_game()).axes[0],
    ):
        for patch in axes.patches:
            x, y = patch.get_xy()
            inside = [
                text
                for text in axes.texts
                if x < text.get_position()[0] < x + patch.get_width()
                and y < text.get_position()[1] < y + patch.get_height()
                and patch.get_fill()
            ]
            for text in inside:
                light = luminance(patch.get_facecolor()[:3])
                ink = luminance(matplotlib.colors.to_rgb(text.get_color()))
                assert (max(light, ink) + 0.05) / (min(light, ink) + 0.05) > 4


# ---- extras


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_the_extras_show_ten_by_ten(objective):
    game = selection_game(objective)
    texts = words(selection_picture(game))
    order = ["WW", "FF", "AA", "EE", "WF", "WE", "FA", "AE", "WA", "FE"]
    assert [text for text in texts if re.fullmatch("[WFAE]{2}", text)][::2] == order
    places = [game.labels.index(label) for label in order]
    cells = np.array([float(text) for text in numbers(texts)[:100]]).reshape(10, 10)
    assert np.allclose(cells, game.matrix[np.ix_(places, places)], atol=5e-4)
    chances = np.array([game.selection[label] for label in order])
    earned = [float(text) for text in numbers(texts)[100:110]]
    assert np.allclose(earned, game.matrix[np.ix_(places, places)] @ chances, atol=5e-4)
    shown = [text for text in texts if text.endswith("%")]
    assert [float(share[:-1]) for share in shown] == pytest.approx(100 * chances, abs=0.1)


# ---- mixes


def test_mixes_follow_a_game(deal):
    rounds = mixes_along(deal, GAME.states())
    assert [one.label for one in rounds] == ["1 Dusk", "2 Dawn", "3 Dawn", "4 Midnight"]
    assert rounds[0].mixes[1] == deal.strategy(GAME.deal, 1)
    assert rounds[1].played == (Element.FIRE, Element.AIR)
    assert rounds[1].boosted == Element.WATER
    assert rounds[3].played is None


def test_mixes_follow_a_game_under_hidden_hands(hidden):
    rounds = mixes_along(hidden, GAME.states())
    assert rounds[0].mixes[0] == hidden.strategy(0, "WWFFAE")
    history = [("F", "W")]
    assert rounds[1].mixes[1] == hidden.strategy(1, "WFAAEE", history)
    for one in rounds:
        assert all(mix is None or sum(mix.values()) == pytest.approx(1) for mix in one.mixes)


def test_where_play_never_leads_there_is_no_advice(pytestconfig):
    book = StrategyBook(pytestconfig.rootpath / BOOK)
    rounds = mixes_along(book, GAME.states())
    assert [one.label for one in rounds] == ["1 Dusk", "2 Dawn", "3 Dawn"]
    start = GAME.deal
    history = [one.played for one in rounds]
    for number, one in enumerate(rounds):
        for player in (0, 1):
            known = history[:number]
            if book.reached(player, start.hands[player], known, start.times):
                assert one.mixes[player] == book.strategy(
                    player, start.hands[player], known, start.times
                )
            else:
                assert one.mixes[player] is None


def test_means_over_the_rounds_are_the_hand():
    start = State.parse("WFA/FEE DaNoDuMi---- 3-2")
    rounds = mean_mixes(solve_open(start))
    assert [one.label for one in rounds] == ["4 Midnight", "5 face down", "6 face down"]
    for player, hand in enumerate(start.hands):
        for card in Element:
            total = sum(one.mixes[player].get(card, 0.0) for one in rounds)
            assert total == pytest.approx(hand.counts[card], abs=1e-4)


def test_means_under_hidden_hands_are_weighted_by_play():
    solution = solve_hidden("DaNoDuMiDaNo", hands=[["WFA", "WWA"], ["FEE", "FAE"]], tolerance=1e-4)
    start = State.parse("WFA/FEE DaNoDuMiDaNo 0-0")
    rounds = mean_mixes(solution, start)
    first, second = rounds[0].mixes
    expected = dict.fromkeys(Element, 0.0)
    for card, chance in first.items():
        for other, part in second.items():
            if chance * part > 1e-6:
                left = start.play((card, other))
                mix = (
                    solution.strategy(0, "WFA", [(card, other)])
                    if len(left.legal(0)) > 1
                    else {left.legal(0)[0]: 1.0}
                )
                for played, share in mix.items():
                    expected[played] += chance * part * share
    for card, chance in rounds[1].mixes[0].items():
        assert chance == pytest.approx(expected[card], abs=1e-4)


def test_means_of_a_book_end_where_it_ends(pytestconfig):
    book = StrategyBook(pytestconfig.rootpath / BOOK)
    rounds = mean_mixes(book, GAME.deal)
    assert len(rounds) == 3
    assert rounds[0].mixes[0] == pytest.approx(book.strategy(0, "WWFFAE", (), GAME.deal.times))


def test_bars_are_as_high_as_the_chances(deal):
    rounds = mixes_along(deal, GAME.states())
    figure = strategies_picture(rounds, title="A game")
    texts = words(figure)
    assert {"A game", "Player 0", "Player 1", "1 Dusk", "boosts Earth"} <= {*texts}
    bars = [patch for patch in figure.axes[0].patches if patch.get_width() == 0.66]
    heights = [patch.get_height() / 2 for patch in bars]
    chances = [
        chance
        for player in (0, 1)
        for one in rounds
        for chance in one.mixes[player].values()
        if chance > 0
    ]
    assert heights == pytest.approx(chances)
    assert len({(patch.get_facecolor(), patch.get_hatch()) for patch in bars}) == 4
    for one in rounds:
        for mix in one.mixes:
            for (card, chance), share in zip(mix.items(), shares(mix.values()), strict=True):
                assert chance < 0.045 or f"{card.letter} {share}" in texts
    assert "played A (0%)" in texts


def test_several_strategies_stand_side_by_side():
    water, fire = {Element.WATER: 1.0}, {Element.FIRE: 1.0}
    first = RoundMixes("1 Dawn", (water, fire), None, Element.WATER)
    second = RoundMixes("2 Noon", (water, None), None, Element.FIRE)
    texts = words(strategies_picture({"open": [first, second], "hidden": [first]}))
    assert texts.count("open") == 4
    assert texts.count("hidden") == 2
    assert texts.count("play never\nleads here") == 1


# ---- exploitability


def test_exploitability_is_drawn_as_measured():
    solution = solve_hidden(**SMALL, objective="margin", tolerance=1e-5, iterations=80)
    figure = exploitability_picture({"a run": solution, "another": [(10, 0.2), (40, 0.1)]})
    axes = figure.axes[0]
    assert axes.lines[0].get_xydata().tolist() == [list(point) for point in solution.curve]
    assert axes.lines[1].get_xydata().tolist() == [[10, 0.2], [40, 0.1]]
    assert axes.lines[0].get_marker() != axes.lines[1].get_marker()
    assert axes.get_ylabel() == "exploitability, points"
    assert axes.get_xscale() == axes.get_yscale() == "log"
    texts = words(figure)
    assert f"a run\n{solution.exploitability:.1e} after {solution.iterations}" in texts
    assert "another\n1.0e-01 after 40" in texts


def test_labels_of_runs_that_end_together_are_apart():
    runs = {f"a run with a long name {n}": [(10, 0.1), (20, 0.01 + n * 1e-5)] for n in range(4)}
    figure = exploitability_picture(runs)
    labels = [text for text in figure.axes[0].texts if "after" in text.get_text()]
    figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in labels), key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 for lower, upper in pairwise(boxes))
    assert all(box.x1 < figure.bbox.x1 for box in boxes)


def test_bounds_are_drawn_as_measured():
    trace = []
    solution = solve_hidden(**SMALL, tolerance=1e-5, iterations=80, progress=trace.append)
    assert trace[0].bounds == (-np.inf, np.inf)
    assert trace[-1].bounds == solution.bounds
    assert all(one.exploitability == (one.bounds[1] - one.bounds[0]) / 2 for one in trace[1:])
    figure = bounds_picture(trace)
    high, low = figure.axes[0].lines
    assert high.get_xydata().tolist() == [[one.iterations, one.bounds[1]] for one in trace[1:]]
    assert low.get_ydata()[-1] == solution.bounds[0]
    assert f"Player 0 guarantees\n{solution.bounds[0]:+.4f}" in words(figure)


# ---- what is refused


def test_what_cannot_be_drawn_is_refused(deal, hidden):
    with pytest.raises(SolverError, match="is no Explanation"):
        round_picture("WF/FE")
    with pytest.raises(StateError, match="no matrix to show"):
        round_picture(explain("WF/FE DaNoDuMi---- 3-3"))
    with pytest.raises(StateError, match="there is no player 2"):
        round_picture(explain(ROUND), player=2)
    with pytest.raises(SolverError, match="is no SelectionGame"):
        selection_picture(None)
    for rounds in ([], None, {}, {"a": []}, ["a"], "text", {"a": [1]}):
        with pytest.raises(SolverError, match="expected one RoundMixes or more"):
            strategies_picture(rounds)
    for asked in (mixes_along, mean_mixes):
        with pytest.raises(SolverError, match="expected what solve_open"):
            asked(None, [])
    with pytest.raises(SolverError, match="no position of the game has a choice"):
        mixes_along(deal, [])
    with pytest.raises(SolverError, match="does not follow"):
        mixes_along(deal, [GAME.deal, GAME.deal])
    with pytest.raises(StateError, match="no deal is given"):
        mean_mixes(hidden)
    with pytest.raises(StateError, match="of other rules"):
        mean_mixes(hidden, State.start(["WWFFAE", "WFAAEE"], "DuDaDaMi", Rules(sunburst="once")))
    later = State.parse("WF/FE DaNoDaNoDu-- 2-0")
    with pytest.raises(StateError, match="begins at 0 to 0 points"):
        mean_mixes(solve_hidden(**SMALL), later)
    with pytest.raises(StateError):
        mean_mixes(hidden, "WWFFAE/WFAAEE DaDaDaMi---- 0-0")
    with pytest.raises(SolverError, match="is over"):
        mean_mixes(solve_open("-/- DaNoDuMiDaNo 7-5"))


def test_curves_that_cannot_be_drawn_are_refused(hidden):
    for curves in ({}, None, {str(n): [(1, 0.1)] for n in range(5)}):
        with pytest.raises(SolverError, match="expected one to 4 runs"):
            exploitability_picture(curves)
    for run in ([], "text", 3, None):
        with pytest.raises(SolverError, match="neither a solution nor a list"):
            exploitability_picture({"a": run})
    for point in ((1, float("inf")), (0, 0.1), (1, 0.0), (1, float("nan")), (1,), ("1", "2"), 5):
        with pytest.raises(SolverError, match="positive and finite"):
            exploitability_picture({"a": [point]})
    with pytest.raises(SolverError, match="do not rise"):
        exploitability_picture({"a": [(2, 0.1), (1, 0.05)]})
    other = solve_hidden(**SMALL, objective="margin")
    with pytest.raises(SolverError, match="antes and points"):
        exploitability_picture({"a": hidden, "b": other})
    for trace in (None, hidden, [1]):
        with pytest.raises(SolverError, match="expected a list"):
            bounds_picture(trace)
    for trace in ([], [Progress(0, float("inf"), 0.0, 0)]):
        with pytest.raises(SolverError, match="nothing was measured"):
            bounds_picture(trace)


RUN = {"a": [(1, 0.1)]}


def test_files_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(GameError, match="names no format"):
        exploitability_picture(RUN, tmp_path / "curve.doc")
    for dpi in (0, -5, 1e9, True, "150", float("nan"), None):
        with pytest.raises(GameError, match="expected dots per inch"):
            exploitability_picture(RUN, tmp_path / "curve.png", dpi=dpi)
    with pytest.raises(GameError, match="title is 5"):
        exploitability_picture(RUN, tmp_path / "curve.png", title=5)
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_it_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(GameError, match="pip install matplotlib"):
        exploitability_picture(RUN)
    assert main(["--only", "round"]) == 2


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_files_are_complete_and_always_the_same(tmp_path, kind):
    first, second = (tmp_path / f"{name}.{kind}" for name in ("first", "second"))
    why = explain(ROUND)
    round_picture(why, first, 60)
    # Neither the style that a user has chosen nor dollar signs matter.
    with matplotlib.style.context("dark_background"):
        round_picture(why, second, 60)
    content = first.read_bytes()
    assert content == second.read_bytes()
    ends = {"png": b"IEND\xaeB`\x82", "svg": b"</svg>\n", "pdf": b"%%EOF\n"}
    assert content.endswith(ends[kind])
    assert b"20" + b"26-" not in content
    assert sorted(tmp_path.iterdir()) == [first, second]


# ---- the script


def test_the_script_draws_what_is_asked_for(tmp_path, capsys):
    drawn = ["round", "table", "ending", "lines"]
    arguments = ["--directory", str(tmp_path / "new"), "--only", *drawn, "round", "--format", "svg"]
    assert main(arguments) == 0
    names = [tmp_path / "new" / f"{name}.svg" for name in drawn]
    assert capsys.readouterr().out.split() == [str(name) for name in names]
    assert all(name.read_text().endswith("</svg>\n") for name in names)
    (tmp_path / "file").write_text("")
    assert main(["--directory", str(tmp_path / "file"), "--only", "round"]) == 2


def test_every_picture_of_the_script_is_in_the_documentation(pytestconfig):
    folder = pytestconfig.rootpath / "docs"
    assert tuple(DRAWERS) == NAMES
    assert sorted(path.stem for path in (folder / "pictures").iterdir()) == sorted(NAMES)
    page = (folder / "how-to/draw-pictures.md").read_text()
    for name in NAMES:
        assert f"(../pictures/{name}.png)" in page
        assert (folder / f"pictures/{name}.png").stat().st_size < 150_000
