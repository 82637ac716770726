import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Element, Hand, Rules, State, Time, next_times
from games.errors import GameError, IllegalMoveError, NotationError, PositionError
from tests.strategies import (
    RepeatBonus,
    deals,
    heavy,
    junk,
    random_play,
    read_or_refused,
    rules,
    states,
)

START = "WWFFAE/WFFAEE DaNoDuMi---- 0-0"
LATE = "WF/EE DaNoDuMiDa-- 3-2"
DUE = "WF/EE DaNoDuMi---- 3-2"
OVER = "-/- DaNoDuMiDaNo 7-5"


def test_a_game_is_played_from_deal_to_end():
    state = State.start(["WFAE+WF", "WFAE+FE"], "DaNoDuMi")
    seen = [str(state)]
    for step in ["WF", "FA", "EE", "AE", "Da", "WF", "No", "FW"]:
        state = state.reveal(step) if state.time_is_due else state.play(step)
        seen.append(str(state))
    assert seen == [
        "WWFFAE/WFFAEE DaNoDuMi---- 0-0",
        "WFFAE/WFAEE DaNoDuMi---- 2-0",
        "WFAE/WFEE DaNoDuMi---- 4-0",
        "WFA/WFE DaNoDuMi---- 4-0",
        "WF/WF DaNoDuMi---- 6-0",
        "WF/WF DaNoDuMiDa-- 6-0",
        "F/W DaNoDuMiDa-- 8-0",
        "F/W DaNoDuMiDaNo 8-0",
        "-/- DaNoDuMiDaNo 8-1",
    ]
    assert state.utility(0) == 1


@pytest.mark.parametrize(
    ("text", "round_", "time", "due", "over"),
    [
        (START, 1, Time.DAWN, False, False),
        ("WFAE/WFAE DaNoDuMi---- 0-0", 3, Time.DUSK, False, False),
        (DUE, 5, None, True, False),
        (LATE, 5, Time.DAWN, False, False),
        ("W/E DaNoDuMiDa-- 3-2", 6, None, True, False),
        ("W/E DaNoDuMiDaNo 3-2", 6, Time.NOON, False, False),
        (OVER, 6, Time.NOON, False, True),
        ("WF/EE DaNoDuMiDaNo 3-2", 5, Time.DAWN, False, False),
        ("WWFFAE/WFFAEE DaNoDuMiDaNo 0-0", 1, Time.DAWN, False, False),
    ],
)
def test_round_time_and_what_is_due(text, round_, time, due, over):
    state = State.parse(text)
    assert (state.round, state.time, state.time_is_due, state.is_over) == (round_, time, due, over)
    assert state.rounds_played == (6 if over else round_ - 1)
    assert str(state) == text


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        (START, [(0, 1, 2, 3), (0, 1, 2, 3)]),
        (LATE, [(0, 1), (3,)]),
        (DUE, [(), ()]),
        ("W/E DaNoDuMiDa-- 3-2", [(), ()]),
        ("W/E DaNoDuMiDaNo 3-2", [(0,), (3,)]),
        (OVER, [(), ()]),
    ],
)
def test_legal_cards_are_those_held_and_none_while_a_time_is_due(text, legal):
    state = State.parse(text)
    assert [state.legal(player) for player in range(2)] == legal
    assert all(type(card) is Element for card in state.legal(0))


@heavy
@given(states(rules(bonuses=True)))
def test_what_is_legal_due_and_possible_agree(state):
    for player, hand in enumerate(state.hands):
        legal = state.legal(player)
        assert legal == (() if state.time_is_due else hand.elements)
        assert legal == state.legal(np.int64(player))
        assert list(legal) == sorted(set(legal))
    cards = [next(iter(hand), Element.WATER) for hand in state.hands]
    if state.is_over or state.time_is_due:
        for ask in (state.play, state.score):
            with pytest.raises(IllegalMoveError, match="over" if state.is_over else "turn up"):
                ask(cards)
    else:
        assert state.play(cards).rounds_played == state.rounds_played + 1
    known = [time for time in state.times if time is not None]
    if state.time_is_due:
        assert state.next_times() == next_times(known, state.rules.time_deck)
        assert sum(state.next_times().values()) == 1
    else:
        assert state.next_times() == {}
    for time in Time:
        if time in state.next_times():
            after = state.reveal(time.code)
            assert after.time is time
            assert not after.time_is_due
            assert replace(after, times=state.times) == state
        else:
            with pytest.raises(IllegalMoveError):
                state.reveal(time)


@heavy
@given(st.data())
def test_a_card_that_is_gone_cannot_be_played_again(data):
    state = data.draw(deals())
    after = state
    for _ in range(data.draw(st.integers(1, 3))):
        after = after.play([data.draw(st.sampled_from(hand.elements)) for hand in after.hands])
    gone = [e for e in Element if e not in after.hands[0]]
    for card in gone:
        with pytest.raises(IllegalMoveError) as refused:
            after.play([card, *[hand.elements[0] for hand in after.hands[1:]]])
        assert f"player 0 cannot play {card.letter}" in str(refused.value)
        held = ", ".join(e.letter for e in after.hands[0].elements)
        assert str(refused.value).endswith(f"legal are {held}")


@pytest.mark.parametrize(
    ("text", "ask", "error", "faults"),
    [
        (LATE, lambda s: s.play("AE"), IllegalMoveError, ["player 0 cannot play A", "are W, F"]),
        (LATE, lambda s: s.play("WW"), IllegalMoveError, ["player 1 cannot play W", "are E"]),
        (LATE, lambda s: s.play({1, 3}), PositionError, ["cards {1, 3}: a set"]),
        (LATE, lambda s: s.play("W"), IllegalMoveError, ["1 card for 2 players"]),
        (LATE, lambda s: s.play("WEE"), IllegalMoveError, ["3 cards for 2 players"]),
        (LATE, lambda s: s.play([]), IllegalMoveError, ["0 cards for 2 players"]),
        (LATE, lambda s: s.play("WX"), NotationError, ["'X' is no element"]),
        (LATE, lambda s: s.play([0, 4]), NotationError, ["4 is no element"]),
        (LATE, lambda s: s.play([0, 3.0]), NotationError, ["3.0 is no element"]),
        (LATE, lambda s: s.play([Time.DAWN, 3]), NotationError, ["DAWN", "is no element"]),
        (LATE, lambda s: s.play(None), PositionError, ["cards None"]),
        (LATE, lambda s: s.play(7), PositionError, ["cards 7"]),
        (DUE, lambda s: s.play("WE"), IllegalMoveError, ["turn up the time of round 5 first"]),
        (OVER, lambda s: s.play("WE"), IllegalMoveError, ["no card can be played", "is over"]),
        (LATE, lambda s: s.reveal("No"), IllegalMoveError, ["no time is due", LATE]),
        (OVER, lambda s: s.reveal("No"), IllegalMoveError, ["no time is due"]),
        (START, lambda s: s.reveal("No"), IllegalMoveError, ["no time is due"]),
        (DUE, lambda s: s.reveal("Xx"), NotationError, ["'Xx' is no time of day"]),
        (DUE, lambda s: s.reveal(Element.WATER), NotationError, ["is no time of day"]),
        (DUE, lambda s: s.reveal(None), NotationError, ["None is no time of day"]),
        (
            "W/E DaDaDaNoMi-- 3-2",
            lambda s: s.reveal("Da"),
            IllegalMoveError,
            ["Da cannot be turned up", "possible are Du"],
        ),
        (LATE, lambda s: s.legal(2), GameError, ["there is no player 2: expected 0 to 1"]),
        (LATE, lambda s: s.legal(-1), GameError, ["there is no player -1"]),
        (LATE, lambda s: s.legal("0"), GameError, ["player: '0' is no whole number"]),
        (LATE, lambda s: s.legal(True), GameError, ["True is no whole number"]),
        (LATE, lambda s: s.legal(0.0), GameError, ["0.0 is no whole number"]),
        (LATE, lambda s: s.legal(None), GameError, ["None is no whole number"]),
        (LATE, lambda s: s.margin(5), GameError, ["there is no player 5"]),
        (OVER, lambda s: s.utility(5), GameError, ["there is no player 5"]),
        (OVER, lambda s: s.utility(0, "money"), GameError, ["objective is 'money'", "win, margin"]),
        (OVER, lambda s: s.utility(0, None), GameError, ["objective is None"]),
        (LATE, lambda s: s.utility(0), GameError, [LATE, "is not over: it has no utility yet"]),
        (LATE, lambda s: s.utility(0, "margin"), GameError, ["is not over"]),
    ],
)
def test_what_is_not_legal_is_refused_with_its_fault(text, ask, error, faults):
    state = State.parse(text)
    with pytest.raises(error) as refused:
        ask(state)
    assert isinstance(refused.value, GameError)
    assert isinstance(refused.value, ValueError)
    for fault in faults:
        assert fault in str(refused.value)
    assert str(state) == text


def test_distinct_deck_forbids_a_third_card_of_a_time():
    state = State.parse("WF/EE DaDaNoNo---- 3-2", Rules(time_deck="distinct"))
    assert set(state.next_times()) == {Time.MIDNIGHT, Time.DUSK}
    with pytest.raises(IllegalMoveError, match=r"Da cannot be turned up .* possible are Mi, Du"):
        state.reveal("Da")


FULL = ["WFAE+WF", "WFAE+WF"]


@pytest.mark.parametrize(
    ("ask", "error", "faults"),
    [
        (lambda: State.start(["WFAE+WFA", "WFAE+WF"], "DaNoDuMi"), PositionError, ["7 cards"]),
        (lambda: State.start(["WFAE+W", "WFAE+WF"], "DaNoDuMi"), PositionError, ["WWFAE has 5"]),
        (lambda: State.start(["WWFFAA", "WFAE+WF"], "DaNoDuMi"), PositionError, ["lacks Earth"]),
        (lambda: State.start([*FULL, "WFAE+WF"], "DaNoDuMi"), PositionError, ["3 hands for 2 pl"]),
        (lambda: State.start(FULL[:1], "DaNoDuMi"), PositionError, ["1 hand for 2 players"]),
        (lambda: State.start([], "DaNoDuMi"), PositionError, ["0 hands for 2 players"]),
        (lambda: State.start(None, "DaNoDuMi"), PositionError, ["hands None"]),
        (lambda: State.start(5, "DaNoDuMi"), PositionError, ["hands 5"]),
        (lambda: State.start([None, None], "DaNoDuMi"), NotationError, ["None is no hand"]),
        (lambda: State.start(FULL, "DaDaDaDa"), PositionError, ["DaDaDaDa---- cannot occur"]),
        (lambda: State.start(FULL, "DaDaDaNoNo"), PositionError, ["cannot occur"]),
        (lambda: State.start(FULL, "DaNoDu"), NotationError, ["has 3 times"]),
        (lambda: State.start(FULL, None), NotationError, ["None is no row of times"]),
        (lambda: State.start(FULL, "DaNoDuMi", "rules"), PositionError, ["expected Rules(...)"]),
        (
            lambda: State.start(FULL, "DaDaDaNo", Rules(time_deck="distinct")),
            PositionError,
            ["cannot occur with the distinct time deck"],
        ),
        (lambda: State(("WF", "E"), "DaNoDuMi"), PositionError, ["WF/E differ in size: [2, 1]"]),
        (
            lambda: State(("W", "E"), "DaNoDuMi"),
            PositionError,
            ["5 rounds were played, but only 4 times are face up"],
        ),
        (lambda: State(("-", "-"), "DaNoDuMiDa"), PositionError, ["6 rounds were played"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", (1,)), PositionError, ["1 total of points"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", (-1, 0)), PositionError, ["points -1"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", (9, 0)), PositionError, ["9 points", "most 8"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", (0.0, 0)), PositionError, ["points: 0.0"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", (True, 0)), PositionError, ["points: True"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", "32"), PositionError, ["points: '3'"]),
        (lambda: State(("WF", "EE"), "DaNoDuMi", None), PositionError, ["points None"]),
        (
            lambda: State(("WF", "EE"), "DaNoDuMi", (0, 0), (0, 0)),
            PositionError,
            ["streaks (0, 0) are given, but Sunburst is off"],
        ),
        (lambda: State(("WF", "EE"), "DaNoDuMi", rules=None), PositionError, ["rules is None"]),
        (lambda: State.parse(LATE, 3), PositionError, ["rules is 3: expected Rules(...)"]),
    ],
)
def test_positions_that_cannot_be_are_refused_with_their_fault(ask, error, faults):
    with pytest.raises(error) as refused:
        ask()
    for fault in faults:
        assert fault in str(refused.value)


def test_hands_and_times_are_accepted_in_every_notation():
    wanted = State.parse("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    hands = [Hand.parse("WWFFAE"), ["W", "F", "F", 2, Element.EARTH, "earth"]]
    assert State.start(hands, [0, "No", "dusk", Time.MIDNIGHT]) == wanted
    assert State.start("WFAE+WF/WFAE+FE", np.array([0, 1, 3, 2])) == wanted
    assert State(hands, "DaNoDuMi", np.array([0, 0])) == wanted
    assert hash(State(iter(hands), iter(["Da", "No", "Du", "Mi"]), np.array([0, 0]))) == hash(
        wanted
    )


def test_points_of_numpy_become_plain_integers():
    state = State(("WF", "EE"), "DaNoDuMi", np.array([3, 2], dtype=np.uint8))
    assert str(state) == DUE
    assert {type(points) for points in state.points} == {int}


@heavy
@given(states(rules(bonuses=True)))
def test_a_state_is_a_value(state):
    twin = State.parse(str(state), state.rules)
    assert twin == state
    assert hash(twin) == hash(state)
    assert len({state, twin, copy.copy(state), copy.deepcopy(state)}) == 1
    assert pickle.loads(pickle.dumps(state)) == state
    for name in ("hands", "times", "points", "streaks", "memory", "rules", "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(state, name, None)
    with pytest.raises(FrozenInstanceError):
        del state.points
    assert isinstance(state.hands, tuple)
    assert isinstance(state.points, tuple)


@heavy
@given(st.data())
def test_play_and_reveal_leave_the_state_as_it_was(data):
    state = data.draw(states())
    before = str(state)
    if not state.is_over:
        assert data.draw(random_play(state)) != state
    assert str(state) == before


def test_states_under_other_rules_differ():
    late = State.parse(LATE)
    assert late != State.parse(LATE, Rules(time_deck="distinct"))
    assert late != State.parse(LATE, Rules(bonus=RepeatBonus()))
    assert late != LATE


@heavy
@given(junk(), junk(), junk(), junk())
def test_only_game_errors_come_out_of_a_state(first, second, third, fourth):
    state = State.parse(LATE)
    options = Rules(sunburst="once")
    for ask in (
        lambda: State.start(first, second),
        lambda: State(first, second, third, fourth),
        lambda: State(("WF", "EE"), "DaNoDuMi", third, fourth, rules=options),
        lambda: State(("WF", "EE"), "DaNoDuMi", rules=first),
        lambda: State.parse(first, options),
        lambda: State.parse(LATE, second),
        lambda: state.play(first),
        lambda: state.play([first, second]),
        lambda: State.parse(DUE).reveal(first),
        lambda: state.legal(first),
        lambda: state.margin(first),
    ):
        read_or_refused(ask, GameError)
