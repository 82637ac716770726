from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest

from games.clash import Rules, State, Time, face_up_sequences, next_times, prefix_chance
from games.errors import NotationError, PositionError, RulesError

DECKS = ["independent", "distinct"]


@cache
def shuffles(time_deck):
    """Count every beginning of every shuffle, all shuffles being equally likely."""
    two = product(range(4), repeat=2) if time_deck == "independent" else combinations(range(4), 2)
    beginnings, total = Counter(), 0
    for pair in two:
        for deck in permutations([0, 1, 2, 3, *pair]):
            total += 1
            for length in range(7):
                beginnings[deck[:length]] += 1
    return beginnings, total


@pytest.mark.parametrize("time_deck", DECKS)
@pytest.mark.parametrize("length", range(7))
def test_chances_of_beginnings_are_those_of_all_shuffles_counted(time_deck, length):
    beginnings, total = shuffles(time_deck)
    for row in product(Time, repeat=length):
        counted = Fraction(beginnings[tuple(map(int, row))], total)
        assert prefix_chance(row, time_deck) == counted, row


@pytest.mark.parametrize("time_deck", DECKS)
@pytest.mark.parametrize("length", range(6))
def test_the_posterior_is_that_of_all_shuffles_counted(time_deck, length):
    beginnings, _ = shuffles(time_deck)
    for row in product(range(4), repeat=length):
        counted = {
            Time(time): Fraction(beginnings[*row, time], beginnings[row])
            for time in range(4)
            if beginnings[*row, time]
        }
        answer = next_times([Time(time) for time in row], time_deck)
        assert answer == counted, row
        assert all(type(time) is Time for time in answer)
        assert all(type(chance) is Fraction for chance in answer.values())


def test_after_dawn_dawn_noon_dusk_midnight_is_certain_to_come():
    fifth = next_times("DaDaNoDu")
    assert fifth[Time.MIDNIGHT] == Fraction(15, 26)
    midnight = fifth[Time.MIDNIGHT]
    for time, chance in fifth.items():
        if time is not Time.MIDNIGHT:
            midnight += chance * next_times(["Da", "Da", "No", "Du", time])[Time.MIDNIGHT]
    assert midnight == 1


@pytest.mark.parametrize(
    "row", ["DaDaNoDu", "dadanodu----", ["Da", "Da", "No", "Du"], (0, 0, 1, 3, None, None)]
)
def test_times_are_read_in_every_notation(row):
    assert next_times(row)[Time.MIDNIGHT] == Fraction(15, 26)
    assert prefix_chance(row) == prefix_chance([Time.DAWN, Time.DAWN, Time.NOON, Time.DUSK])
    assert next_times(np.array([0, 0, 1, 3]))[Time.MIDNIGHT] == Fraction(15, 26)


@pytest.mark.parametrize("time_deck", DECKS)
def test_nothing_follows_a_row_that_cannot_be_or_is_complete(time_deck):
    assert next_times([Time.DAWN] * 4, time_deck) == {}
    assert next_times("DaNoDuMiDaNo", time_deck) == {}
    assert next_times([Time.DAWN] * 7, time_deck) == {}
    assert prefix_chance("DaNoDuMiDaNoDu", time_deck) == 0
    assert set(next_times("", time_deck).values()) == {Fraction(1, 4)}


@pytest.mark.parametrize(
    ("time_deck", "sequences", "classes", "most"),
    [("independent", 252, 63, 3), ("distinct", 204, 51, 2)],
)
def test_face_up_sequences_and_their_classes(time_deck, sequences, classes, most):
    chances = face_up_sequences(time_deck)
    beginnings, total = shuffles(time_deck)
    assert len(chances) == sequences
    assert sum(chances.values()) == 1
    assert max(row.count(time) for row in chances for time in Time) == most
    for row, chance in chances.items():
        assert chance == Fraction(beginnings[tuple(map(int, row))], total)
        assert {chances[tuple(time.rotated(k) for time in row)] for k in range(4)} == {chance}
    turned = {min(tuple(t.rotated(k) for t in row) for k in range(4)) for row in chances}
    assert len(turned) == classes
    chances.clear()
    assert len(face_up_sequences(time_deck)) == sequences


@pytest.mark.parametrize("time_deck", DECKS)
def test_states_are_accepted_for_exactly_these_sequences(time_deck):
    rules = Rules(time_deck=time_deck)
    for row in product(Time, repeat=4):
        if row in face_up_sequences(time_deck):
            assert State.start(["WFAE+WF", "WFAE+WF"], row, rules).times[:4] == row
        else:
            with pytest.raises(PositionError, match=f"cannot occur with the {time_deck} time"):
                State.start(["WFAE+WF", "WFAE+WF"], row, rules)


@pytest.mark.parametrize("ask", [prefix_chance, next_times])
def test_a_deck_that_does_not_exist_is_refused(ask):
    with pytest.raises(RulesError, match="time_deck is 'other': expected one of independent"):
        ask("DaNoDuMi", "other")
    with pytest.raises(RulesError, match="time_deck is 'other'"):
        face_up_sequences("other")


@pytest.mark.parametrize("row", ["Xx", "D", 5, [0.5], [True], None, b"Da"])
def test_rows_that_are_none_are_refused(row):
    with pytest.raises(NotationError):
        next_times(row)
