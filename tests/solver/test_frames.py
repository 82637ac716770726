"""Results as tables of pandas, and the long form that needs no pandas."""

import builtins
import doctest
import io
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from games.clash import Element, Hand
from games.solstis import State as SolstisState
from solver import frames
from solver.clash import StrategyBook, selection_game, solve_hidden, solve_open, solve_table
from solver.clash import frames as clash_frames
from solver.clash.explanations.play_table import table_csv
from solver.clash.explanations.words import Amounts
from solver.clash.hidden.long_form import strategy_columns
from solver.clash.review import review
from solver.errors import SolverError, StateError
from solver.solstis import choose, solve_endgame
from solver.solstis import frames as solstis_frames

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "examples" / "books" / "clash-win-rounds-1-3.book"
RECORD = ROOT / "examples" / "records" / "clash-game.txt"
ENDING = ROOT / "examples" / "positions" / "solstis-ending.txt"
ROUND = "WFAE/WWEE DaNoDuMi---- 2-1"


@pytest.fixture(scope="module")
def pandas():
    return pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def deal():
    """A deal of four cards with its fifth time hidden; after some plays nothing is to choose."""
    hands = [["WWWF", "WFAE", "FFFE"], ["WAAE", "FFEE"]]
    priors = [[0.5, 0.5, 0.0], [0.6, 0.4]]
    return solve_hidden("DaNoDuMi----", hands=hands, priors=priors, iterations=200)


def ending():
    return SolstisState.parse(ENDING.read_text().strip())


# The long form of strategies.


def test_the_long_form_says_what_the_solution_says(deal):
    columns = strategy_columns(deal)
    assert len(columns["card"]) > 300
    sets = {}
    for player, times, hand, history, card, chance, reached in zip(
        *(columns[name].tolist() for name in ("player", "times", "hand", "history", "card")),
        columns["chance"].tolist(),
        columns["reached"].tolist(),
        strict=True,
    ):
        sets.setdefault((player, times, hand, history, reached), {})[card] = chance
    for (player, times, hand, history, reached), mix in sets.items():
        pairs = [tuple(pair) for pair in history.split()]
        expected = deal.strategy(player, hand, pairs, times)
        assert mix == {card.letter: chance for card, chance in expected.items()}
        assert deal.reached(player, hand, pairs, times) == reached
        assert len(mix) > 1
        assert sum(mix.values()) == pytest.approx(1, abs=1e-12)


def test_reach_is_a_chance_over_what_can_happen(deal):
    columns = strategy_columns(deal, player=0)
    first = columns["round"] == 3
    # Each hand is held with its prior; the other's hands are summed over.
    reach = dict(zip(columns["hand"][first], columns["reach"][first], strict=True))
    assert reach == pytest.approx({"WWWF": 0.5, "WFAE": 0.5, "FFFE": 0.0})
    assert not columns["reached"].all()
    assert (columns["reach"][columns["reached"]] > 0).all()


def test_rounds_and_players_are_chosen(deal):
    whole = strategy_columns(deal)
    parts = [strategy_columns(deal, player, [number]) for player in (0, 1) for number in (3, 4, 5)]
    for name, column in whole.items():
        assert (np.concatenate([part[name] for part in parts]) == column).all()


def test_what_cannot_be_told_in_long_form_is_refused(deal):
    rows = len(strategy_columns(deal)["card"])
    assert len(strategy_columns(deal, max_rows=rows)["card"]) == rows
    with pytest.raises(SolverError, match=f"makes {rows:,} rows, max_rows is {rows - 1:,}"):
        strategy_columns(deal, max_rows=rows - 1)
    for wrong in (2, 6, "3"):
        with pytest.raises(StateError, match=r"no choice in round .*: the deal has \[3, 4, 5\]"):
            strategy_columns(deal, rounds=[wrong])
    with pytest.raises(StateError, match="no rounds"):
        strategy_columns(deal, rounds=[])
    with pytest.raises(StateError, match="no player 2"):
        strategy_columns(deal, player=2)
    with pytest.raises(SolverError, match="max_rows is 0"):
        strategy_columns(deal, max_rows=0)


# Tables of Clash.


def test_a_matrix_and_its_mixtures(pandas):
    entry = solve_open(ROUND).entry(ROUND)
    matrix = clash_frames.matrix_frame(entry)
    assert (matrix.index.name, matrix.columns.name) == ("player 0", "player 1")
    assert (list(matrix.index), list(matrix.columns)) == (["W", "F", "A", "E"], ["W", "E"])
    assert (matrix.to_numpy() == entry.matrix).all()
    matrix.loc["W", "E"] = 7.0
    assert entry.matrix[0, 1] != 7.0
    cards = clash_frames.cards_frame(entry)
    assert list(cards.columns) == ["player", "card", "chance", "earns"]
    assert cards.chance.dtype == cards.earns.dtype == np.float64
    # On average over the own mixture, cards earn the value of the round.
    earned = (cards.chance * cards.earns).groupby(cards.player).sum()
    assert earned.tolist() == pytest.approx([entry.value, -entry.value])


def test_fractions_stay_fractions(pandas):
    entry = solve_open(ROUND, exact=True).entry(ROUND)
    assert clash_frames.matrix_frame(entry).loc["W", "W"] == entry.matrix[0, 0]
    cards = clash_frames.cards_frame(entry)
    mine = cards[cards.player == 0]
    assert sum(mine.chance * mine.earns) == entry.value
    assert isinstance(mine.earns[0], Fraction)


def test_a_table_is_that_of_its_csv(pandas, tmp_path):
    table = solve_table("margin")
    path = tmp_path / "table.csv"
    table.to_csv(path, rounds=(5,))
    frame = clash_frames.entries_frame(table.entries(5))
    read = pandas.read_csv(path)
    assert list(frame.columns) == list(read.columns)
    read = read.astype({"unique": bool})
    pandas.testing.assert_frame_equal(frame, read, check_dtype=False, rtol=1e-14)


@pytest.mark.parametrize("player", [0, 1])
def test_a_play_table_is_that_of_its_csv(pandas, player):
    deals = [f"WWFFAE/{other} DaNoDuMi---- 0-0" for other in ("WFFAEE", "WWWFAE")]
    entries = [solve_open(deal).entry(deal) for deal in deals]
    frame = clash_frames.play_table_frame(entries, player)
    text = table_csv(entries, player, Amounts("win"))
    read = pandas.read_csv(io.StringIO(text))
    read = read.astype({"unique": bool})
    pandas.testing.assert_frame_equal(frame, read, check_dtype=False, rtol=1e-14)


def test_the_choice_of_extras(pandas):
    game = selection_game()
    matrix = clash_frames.matrix_frame(game)
    assert (matrix.to_numpy() == game.matrix).all()
    frame = clash_frames.selection_frame(game)
    assert dict(zip(frame.extras, frame.chance, strict=True)) == game.selection
    assert frame.earns.max() == pytest.approx(game.value, abs=1e-9)
    book = StrategyBook(BOOK)
    frame = clash_frames.selection_frame(book)
    assert dict(zip(frame.extras, frame.chance, strict=True)) == book.selection
    assert frame.earns.isna().all()


def test_strategies_of_a_deal(pandas, deal):
    frame = clash_frames.strategy_frame(deal, player=1, rounds=[4])
    columns = strategy_columns(deal, 1, [4])
    assert list(frame.columns) == list(columns)
    assert all((frame[name] == column).all() for name, column in columns.items())
    places = ["player", "times", "hand", "history"]
    assert frame.groupby(places).chance.sum().to_numpy() == pytest.approx(1.0)


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_moments_and_events_of_clash(pandas, hands):
    options = {"tolerance": 0.5} if hands == "hidden" else {}
    found = review(RECORD.read_text(), hands=hands, **options)
    frame = clash_frames.moments_frame(found)
    assert len(frame) == len(found.moments)
    for row, moment in zip(frame.itertuples(), found.moments, strict=True):
        assert (row.round, row.player, row.loss) == (moment.round, moment.player, moment.loss)
        assert (row.chosen, row.held) == (moment.chosen.letter, str(moment.held))
        assert (row.points_0, row.points_1) == moment.points
        for card in Element:
            earned = getattr(row, f"earns_{card.letter}")
            assert moment.earns.get(card, None) == (None if pandas.isna(earned) else earned)
        assert row.is_mistake == moment.is_mistake
    lost = frame.groupby("player").loss.sum()
    assert lost.tolist() == pytest.approx([one.lost for one in found.summaries])
    events = clash_frames.events_frame(found)
    assert events.luck.sum() == pytest.approx(found.summaries[0].luck)
    assert list(events.kind) == [event.kind for event in found.events]


# Tables of Solstis.


def test_moves_that_were_searched(pandas):
    choice = choose(SolstisState.new(5).observe(0), depth=0, samples=20)
    frame = solstis_frames.moves_frame(choice)
    assert list(frame.action) == [str(one.action) for one in choice.alternatives]
    for name in ("value", "error", "loss", "loss_error", "best_in"):
        assert list(frame[name]) == [getattr(one, name) for one in choice.alternatives]


def test_moves_of_an_exact_ending(pandas):
    solution = solve_endgame(ending())
    frame = solstis_frames.moves_frame(solution)
    assert dict(zip(frame.action, frame.value, strict=True)) == {
        str(action): value for action, value in solution.moves.items()
    }
    assert frame.value.max() == solution.value == Fraction(27, 5)
    assert frame[frame.loss == 0].action.tolist() == [str(action) for action in solution.best]


def test_moments_of_solstis(pandas):
    from games.solstis.replay import read_records  # noqa: PLC0415
    from solver.solstis.review import review as review_solstis  # noqa: PLC0415

    path = ROOT / "tests" / "data" / "solstis" / "games-beginner.jsonl.gz"
    _, record = next(iter(read_records(str(path))))
    found = review_solstis(record, samples=2, depth=0)
    frame = solstis_frames.moments_frame(found)
    assert list(frame.chosen) == [str(moment.chosen) for moment in found.moments]
    assert list(frame.is_mistake) == [moment.is_mistake for moment in found.moments]
    lost = frame.groupby("player").loss.sum()
    assert lost.tolist() == pytest.approx([one.lost for one in found.summaries])


# Refusals.


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (clash_frames.matrix_frame, "an OpenEntry"),
        (clash_frames.cards_frame, "an OpenEntry"),
        (lambda wrong: clash_frames.entries_frame([wrong]), "an OpenEntry"),
        (lambda wrong: clash_frames.play_table_frame([wrong]), "an OpenEntry"),
        (clash_frames.selection_frame, "a SelectionGame"),
        (clash_frames.strategy_frame, "a HiddenSolution"),
        (clash_frames.moments_frame, "a Review of Solaris' Clash"),
        (clash_frames.events_frame, "a Review of Solaris' Clash"),
        (solstis_frames.moves_frame, "a Choice or an EndgameSolution"),
        (solstis_frames.moments_frame, "a Review of Solstis"),
    ],
)
def test_other_objects_have_no_table(make, expected):
    with pytest.raises(StateError, match=f"no such table of a Hand: expected {expected}"):
        make(Hand.parse("WF"))


def test_states_without_a_choice_have_no_matrix():
    due = "WF/EE DaNoDuMi---- 3-2"
    entry = solve_open(due).entry(due)
    for make in (clash_frames.matrix_frame, clash_frames.cards_frame):
        with pytest.raises(StateError, match="the time of round 5 is due"):
            make(entry)
    with pytest.raises(StateError, match="a play table is of round 1"):
        clash_frames.play_table_frame([solve_open(ROUND).entry(ROUND)])
    with pytest.raises(StateError, match="no player 2"):
        clash_frames.play_table_frame([], 2)


def test_without_pandas_it_is_said_how_to_install_it(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="pip install pandas"):
        frames.column_frame({"a": [1]})
    with pytest.raises(ImportError, match="tables need pandas"):
        clash_frames.selection_frame(selection_game())


def test_a_table_may_have_no_rows(pandas):
    frame = clash_frames.entries_frame([])
    assert (len(frame), frame.columns[0]) == (0, "state")


def test_the_page_on_pandas_is_true(pandas):
    """Its examples run as doctests without pandas, those that need it left out; here all run."""
    text = (ROOT / "docs" / "how-to" / "use-pandas.md").read_text().replace("# doctest: +SKIP", "")
    page = doctest.DocTestParser().get_doctest(text, {}, "use-pandas.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    failures = []
    assert runner.run(page, out=failures.append).failed == 0, "".join(failures)
