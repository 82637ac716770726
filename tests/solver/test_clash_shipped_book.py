"""The strategy books that come with the repository."""

from pathlib import Path

import pytest

from games.clash import full_hands
from solver.clash import StrategyBook
from solver.errors import StateError

BOOKS = Path(__file__).parents[2] / "examples/books"


@pytest.mark.parametrize(("objective", "exploitability"), [("win", 1e-3), ("margin", 2e-3)])
def test_a_shipped_book_answers_for_its_rounds(objective, exploitability):
    book = StrategyBook(BOOKS / f"clash-{objective}-rounds-1-3.book", objective=objective)
    assert 0 < book.exploitability < exploitability
    assert book.bounds == (-book.exploitability, book.exploitability)
    assert sum(book.selection.values()) == pytest.approx(1)
    for times in ("DaNoDuMi----", "MiMiDuNo----"):
        for hand in full_hands().values():
            assert sum(book.strategy(0, hand, (), times).values()) == pytest.approx(1)
        mix = book.strategy(1, "WWFFAE", [("F", "W"), ("A", "F")], times)
        assert sum(mix.values()) == pytest.approx(1)
        belief = book.belief(0, [("F", "W"), ("A", "F")], times)
        assert sum(belief.values()) == pytest.approx(1)
        with pytest.raises(StateError, match="rounds 1 to 3 only"):
            book.strategy(0, "WWFFAE", [("W", "F"), ("F", "A"), ("A", "E")], times)
