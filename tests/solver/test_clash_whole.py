"""The whole game: classes, symmetry, checkpoints and the number of workers."""

import shutil

import numpy as np
import pytest

from games.clash import (
    EXTRAS_LABELS,
    Element,
    Hand,
    Rules,
    face_up_sequences,
    full_hands,
    next_times,
)
from solver.clash import StrategyBook, WholeSolution, solve_whole, write_book
from solver.clash.hidden.classes import Share, kinds, sequence_classes, spread
from solver.errors import SolverError, StateError, TableError
from solver.regret_rules import CfrPlus
from tests.strategies import RepeatBonus


def test_classes_have_all_the_chance():
    for time_deck, count in (("independent", 63), ("distinct", 51)):
        classes = sequence_classes(time_deck)
        assert len(classes) == count
        assert sum(one.chance for one in classes) == pytest.approx(1, abs=1e-12)
        chances = face_up_sequences(time_deck)
        assert all(one.chance == pytest.approx(4 * float(chances[one.times])) for one in classes)


def test_kinds_are_spread_evenly():
    hands = spread(np.array([0.4, 0.4, 0.2]))
    assert hands.sum() == pytest.approx(1)
    assert [hands[list(members)].sum() for members in kinds()] == pytest.approx([0.4, 0.4, 0.2])


@pytest.fixture
def three_classes(monkeypatch):
    """The whole game with three of its classes, so that a test takes seconds."""
    few = sequence_classes("independent")[20:23]
    total = sum(one.chance for one in few)
    scaled = tuple(type(one)(one.times, one.chance / total) for one in few)
    for module in ("whole", "whole_solution", "book"):
        monkeypatch.setattr(
            f"solver.clash.hidden.{module}.sequence_classes", lambda time_deck: scaled
        )
    return scaled


def same(first: WholeSolution, second: WholeSolution) -> bool:
    return (
        first.curve == second.curve
        and np.array_equal(first.prior, second.prior)
        and all(
            np.array_equal(a.plans, b.plans) and all(map(np.array_equal, a.rounds, b.rounds))
            for a, b in zip(first.behaviours, second.behaviours, strict=True)
        )
    )


@pytest.mark.slow
def test_same_bits_for_any_number_of_workers_and_after_an_interruption(three_classes, tmp_path):
    alone = solve_whole(iterations=60, workers=1)
    assert same(alone, solve_whole(iterations=60, workers=3))

    class RunEndedError(Exception):
        pass

    def kill(progress):
        if progress.iterations >= 50:
            raise RunEndedError

    folder = tmp_path / "run"
    with pytest.raises(RunEndedError):
        solve_whole(iterations=60, checkpoint=folder, checkpoint_seconds=0, progress=kill)
    complete = sorted(path.name for path in folder.iterdir())
    assert complete == ["iteration-0000049"]
    # What a process that is killed while it writes leaves behind is passed over.
    shutil.copytree(folder / complete[0], folder / "iteration-0000050.partial")
    resumed = solve_whole(iterations=60, checkpoint=folder, checkpoint_seconds=0)
    assert same(alone, resumed)
    assert sorted(path.name for path in folder.iterdir()) == ["iteration-0000060"]
    again = solve_whole(iterations=60, checkpoint=folder)
    assert same(alone, again)
    for arguments, fault in (
        ({"objective": "margin"}, "was made for objective 'win'"),
        ({"rules": Rules(sunburst="once")}, "was made for rules"),
        ({"rule": CfrPlus()}, "was made for rule"),
    ):
        with pytest.raises(TableError, match=fault):
            solve_whole(iterations=60, checkpoint=folder, **arguments)
    header = folder / "iteration-0000060/header.json"
    header.write_text(header.read_text()[:100])
    with pytest.raises(TableError, match="damaged"):
        solve_whole(iterations=60, checkpoint=folder)


@pytest.mark.slow
def test_one_strategy_serves_both_players_and_all_rotations(three_classes):
    found = solve_whole(iterations=50)
    assert found.bounds == (-found.exploitability, found.exploitability)
    assert sum(found.selection.values()) == pytest.approx(1)
    assert list(found.selection) == list(EXTRAS_LABELS)
    times = "".join(time.code for time in three_classes[0].times) + "----"
    turned = "".join(time.rotated(3).code for time in three_classes[0].times) + "----"
    history = [("W", "F"), ("F", "A")]
    there = [(b, a) for a, b in history]
    mix = found.strategy(0, "WWFFAE", history, times)
    assert mix == found.strategy(1, "WWFFAE", there, times)
    around = [tuple(Element.parse(card).rotated(3) for card in pair) for pair in history]
    rotated = found.strategy(0, Hand.parse("WWFFAE").rotated(3), around, turned)
    assert rotated == {card.rotated(3): chance for card, chance in mix.items()}
    belief = found.belief(0, history, times)
    assert sum(belief.values()) == pytest.approx(1)
    assert belief == found.belief(1, there, times)
    first = found.belief(0, (), times)
    assert first == pytest.approx(
        {hand: found.selection[label] for label, hand in full_hands().items()}
    )
    assert found.reached(0, "WWFFAE", history, times)
    with pytest.raises(StateError, match="times are needed"):
        found.strategy(0, "WWFFAE")
    with pytest.raises(StateError, match="not a full hand"):
        found.strategy(0, "WF", (), times)
    with pytest.raises(StateError, match="cannot be turned up"):
        found.strategy(0, "WWFFAE", (), "DaDaDaDa----")


def probe_every_class(path, classes, history):
    book = StrategyBook(path)
    for one in classes:
        row = "".join(time.code for time in (*one.times, min(next_times(one.times))))
        book.strategy(0, "WWFFAE", history, f"{row}--")


@pytest.mark.slow
def test_a_book_says_what_the_solution_says(three_classes, tmp_path):
    found = solve_whole(iterations=50)
    times = "".join(time.code for time in three_classes[1].times)
    fifth = f"{min(next_times(times)).code}--"
    history = [("W", "F"), ("F", "A"), ("A", "E"), ("E", "W")]
    for bits in (8, 16):
        path = tmp_path / f"{bits}.book"
        write_book(found, path, bits)
        book = StrategyBook(path, Rules(), "win")
        assert book.exploitability == pytest.approx(found.exploitability, abs=0.02)
        for player in (0, 1):
            for played in range(5):
                known = times + (fifth if played == 4 else "----")
                asked = (player, "WWFFAE", history[:played], known)
                if player == 1:
                    asked = (1, "WFAAEE", history[:played], known)
                assert book.strategy(*asked) == pytest.approx(
                    found.strategy(*asked), abs=2 / 2**bits
                )
        assert book.selection == pytest.approx(found.selection, abs=1e-4)
        known = times + "----"
        assert book.belief(0, history[:2], known) == pytest.approx(
            found.belief(0, history[:2], known), abs=0.05
        )
        with pytest.raises(TableError, match="was made for"):
            StrategyBook(path, Rules(sunburst="once"))
        with pytest.raises(TableError, match="was made for 'win'"):
            StrategyBook(path, objective="margin")
    coarse = tmp_path / "coarse.book"
    write_book(found, coarse, 8, last_round=3)
    assert coarse.stat().st_size < 50_000
    book = StrategyBook(coarse)
    assert "rounds 1 to 3" in str(book)
    assert book.strategy(0, "WWFFAE", history[:2], times + "----")
    with pytest.raises(StateError, match="rounds 1 to 3 only"):
        book.strategy(0, "WWFFAE", history[:3], times + "----")
    content = path.read_bytes()
    for damaged, fault in (
        (b"", "no strategy book"),
        (content[:30], "damaged"),
        (content[: len(content) // 2], "damaged"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=fault):
            probe_every_class(path, three_classes, history)
    with pytest.raises(SolverError, match="bits is 7"):
        write_book(found, path, 7)
    with pytest.raises(SolverError, match="last_round is 0"):
        write_book(found, path, last_round=0)


def test_memory_is_told_before_it_is_taken():
    class ToldError(Exception):
        pass

    def told(progress):
        assert progress.iterations == 0
        assert 1.9e9 < progress.bytes < 2.5e9
        raise ToldError

    with pytest.raises(ToldError):
        solve_whole(progress=told)


def test_shares_are_saved_whole(three_classes, tmp_path):
    share = Share(three_classes[:1], "win", Rules(), True)
    share.save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    share.load(tmp_path)
    assert share.bytes() > 1e7


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"objective": "money"}, "objective is 'money'"),
        ({"rules": Rules(players=3)}, "two players"),
        ({"rules": Rules(bonus=RepeatBonus())}, "no own bonus"),
        ({"tolerance": 0.0}, "cannot be measured"),
        ({"iterations": 0}, "iterations is 0"),
        ({"workers": -1}, "workers is -1"),
    ],
)
def test_bad_arguments_are_named(arguments, fault):
    with pytest.raises(SolverError, match=fault):
        solve_whole(**arguments)
