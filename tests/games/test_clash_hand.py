import copy
import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import EXTRAS_LABELS, Element, Hand, Time, full_hands, hands_of_size
from games.errors import GameError, IllegalMoveError, NotationError, PositionError
from tests.strategies import hands, junk, light, read_or_refused

LABELS = ["WW", "WF", "WA", "WE", "FF", "FA", "FE", "AA", "AE", "EE"]


@pytest.mark.parametrize(
    "cards",
    [
        "WFAE+WF",
        "wwffae",
        "eaffww",
        " WWFFAE ",
        ["W", "W", "F", "F", "A", "E"],
        ["water", "Water", 1, 1, Element.AIR, "E"],
        np.array([0, 0, 1, 1, 2, 3]),
        Hand((2, 2, 1, 1)),
        Hand((np.int64(2), 2, 1, 1)),
        Hand([2, 2, 1, 1]),
    ],
    ids=repr,
)
def test_equal_hands_are_equal_in_every_notation(cards):
    hand = Hand.parse(cards)
    assert hand == Hand.parse("WWFFAE")
    assert hash(hand) == hash(Hand.parse("WWFFAE"))
    assert str(hand) == "WWFFAE"
    assert all(type(count) is int for count in hand.counts)


@pytest.mark.parametrize("empty", ["-", " - ", [], ()])
def test_an_empty_hand_is_written_as_a_dash(empty):
    hand = Hand.parse(empty)
    assert (str(hand), len(hand), list(hand), hand.elements) == ("-", 0, [], ())


def test_there_are_ten_full_hands_one_for_each_pair_of_extras():
    assert list(EXTRAS_LABELS) == list(full_hands()) == LABELS
    for label, hand in full_hands().items():
        assert Counter(map(str, "WFAE" + label)) == Counter(card.letter for card in hand)
        assert hand.is_full
        assert str(hand.extras) == label


def test_the_dictionary_of_full_hands_may_be_changed_by_who_asked_for_it():
    full_hands().clear()
    assert len(full_hands()) == 10


@pytest.mark.parametrize("size", range(8))
def test_hands_are_exactly_the_parts_of_full_hands(size):
    parts = {
        tuple(sorted(part)) for label in LABELS for part in _parts(sorted("WFAE" + label), size)
    }
    accepted = set()
    for cards in combinations_with_replacement(sorted("WFAE"), size):
        hand = read_or_refused(lambda cards=cards: Hand.parse("".join(cards) or "-"), GameError)
        if hand is not None:
            accepted.add(cards)
    assert accepted == parts
    if size < 7:
        assert {tuple(sorted(str(hand).strip("-"))) for hand in hands_of_size(size)} == parts


def _parts(cards, size):
    if size == 0:
        return {()}
    if len(cards) < size:
        return set()
    return {(cards[0], *part) for part in _parts(cards[1:], size - 1)} | _parts(cards[1:], size)


@pytest.mark.parametrize(
    ("cards", "error", "faults"),
    [
        ("WWFFAAE", PositionError, ["WWFFAAE", "7 cards", "a full hand has 6"]),
        ("W" * 300, PositionError, ["300 cards"]),
        ("WWFFAA", PositionError, ["WWFFAA", "lacks Earth", "beyond one of each"]),
        ("WWWWFA", PositionError, ["lacks Earth"]),
        ("WWWW", PositionError, ["lacks Fire, Air, Earth"]),
        ("WWFFAA"[::-1], PositionError, ["lacks Earth"]),
        ("WXAE", NotationError, ["'WXAE' is no hand", "expected letters W, F, A, E"]),
        ("WF AE", NotationError, ["is no hand"]),
        ("WF++AE", NotationError, ["is no hand"]),
        ("--", NotationError, ["is no hand"]),
        ("", NotationError, ["an empty one is written -"]),
        ("+", NotationError, ["before + stands one of each"]),
        ("\x00", NotationError, ["is no hand"]),
        ("\uff37FAE", NotationError, ["is no hand"]),
        (b"WFAE", NotationError, ["is no hand"]),
        (None, NotationError, ["None is no hand"]),
        (3, NotationError, ["3 is no hand"]),
        (float("nan"), NotationError, ["nan is no hand"]),
        ([0, 1, 2, 9], NotationError, ["is no hand"]),
        ([Time.DAWN], NotationError, ["is no hand"]),
        ([["W"]], NotationError, ["is no hand"]),
    ],
    ids=repr,
)
def test_a_hand_that_cannot_be_is_refused_with_its_fault(cards, error, faults):
    with pytest.raises(error) as refused:
        Hand.parse(cards)
    for fault in faults:
        assert fault in str(refused.value)


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 1, -1), (1, 1, 1, 0.5), (1, 1, 1, True), "WFAE"]
)
def test_counts_are_four_whole_numbers(counts):
    with pytest.raises(PositionError, match="no card counts"):
        Hand(counts)


@light
@given(hands(), st.data())
def test_playing_a_card_takes_one_of_it_and_leaves_the_hand_as_it_was(hand, data):
    card = data.draw(st.sampled_from(Element))
    before = str(hand)
    if card in hand:
        left = hand.without(card)
        assert Counter(hand) - Counter([card]) == Counter(left)
    else:
        with pytest.raises(IllegalMoveError) as refused:
            hand.without(card)
        assert f"{card.name.title()} is not in hand {hand}" in str(refused.value)
        assert all(held.name.title() in str(refused.value) for held in hand)
    assert str(hand) == before


@light
@given(hands(), st.integers(-9, 9))
def test_hands_turn_with_the_cycle(hand, steps):
    turned = hand.rotated(steps)
    assert Counter(turned) == Counter(card.rotated(steps) for card in hand)
    assert turned.rotated(-steps) == hand.rotated(4) == hand


@light
@given(hands())
def test_text_of_a_hand_round_trips_and_is_sorted(hand):
    assert Hand.parse(str(hand)) == Hand.parse(str(hand).lower()[::-1]) == hand
    assert list(hand) == sorted(hand)
    assert eval(repr(hand), {"Hand": Hand}) == hand
    assert pickle.loads(pickle.dumps(hand)) == copy.deepcopy(hand) == copy.copy(hand) == hand


def test_extras_are_known_only_of_a_full_hand():
    with pytest.raises(PositionError, match="WFAE is not a full hand"):
        _ = Hand.parse("WFAE").extras


def test_a_hand_cannot_be_changed():
    hand = Hand.parse("WF")
    with pytest.raises(FrozenInstanceError):
        hand.counts = (0, 0, 0, 0)
    with pytest.raises(TypeError):
        hand.counts[0] = 2


@light
@given(junk())
def test_only_game_errors_come_out_of_hand_parse(value):
    hand = read_or_refused(lambda: Hand.parse(value), GameError)
    assert hand is None or Hand.parse(str(hand)) == hand
