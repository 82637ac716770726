from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Element, Rules, State, TieBreak, Time
from games.errors import GameError, IllegalMoveError, NotationError, PositionError
from tests.strategies import elements, heavy, junk, light, reachable_states, read_or_refused, rules


def over(*points):
    hands = ("-",) * len(points)
    return State(hands, "DaNoDuMiDaNo", points, rules=Rules(players=len(points)))


@pytest.mark.parametrize(
    ("points", "win"),
    [
        ((7, 5), (1, -1)),
        ((5, 7), (-1, 1)),
        ((5, 5), (0, 0)),
        ((0, 0), (0, 0)),
        ((9, 3, 2), (2, -1, -1)),
        ((9, 9, 2), (0.5, 0.5, -1)),
        ((4, 4, 4), (0, 0, 0)),
        ((1, 4, 4, 0), (-1, 1, 1, -1)),
        ((4, 4, 4, 0), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), -1)),
        ((8, 0, 0, 0, 0), (4, -1, -1, -1, -1)),
        ((8, 8, 8, 8, 8, 1), (0.2, 0.2, 0.2, 0.2, 0.2, -1)),
        ((3, 0, 0, 0, 0, 3), (2, -1, -1, -1, -1, 2)),
    ],
)
def test_the_pot_goes_to_the_winner_or_is_shared(points, win):
    state = over(*points)
    for player, share in enumerate(win):
        assert state.utility(player) == pytest.approx(float(share), abs=1e-15)
        assert state.utility(player) == state.utility(np.int64(player), "win")


def test_a_tie_of_two_is_worth_exactly_nothing():
    assert over(6, 6).utility(0) == over(6, 6).utility(1) == 0


@pytest.mark.parametrize(
    ("points", "margins"),
    [((7, 5), (2, -2)), ((9, 3, 2), (6.5, -2.5, -4)), ((1, 0, 0, 0), (1, *[-1 / 3] * 3))],
)
def test_the_margin_is_measured_from_the_mean_of_the_others(points, margins):
    state = over(*points)
    for player, margin in enumerate(margins):
        assert state.margin(player) == pytest.approx(margin)
        assert state.utility(player, "margin") == state.margin(player)


def test_the_margin_is_told_during_play_too():
    state = State.parse("WF/EE DaNoDuMiDa-- 3-2")
    assert (state.margin(0), state.margin(1)) == (1, -1)
    assert type(state.margin(0)) is float


@heavy
@given(reachable_states(rules(bonuses=True), over=True))
def test_utilities_sum_to_zero_at_the_end(state):
    players = range(state.rules.players)
    wins = [state.utility(player) for player in players]
    assert sum(wins) == pytest.approx(0, abs=1e-12)
    assert sum(state.utility(player, "margin") for player in players) == pytest.approx(0, abs=1e-9)
    best = [player for player in players if state.points[player] == max(state.points)]
    assert [player for player in players if wins[player] > -1] == best
    tie = TieBreak.of(state)
    assert tie.tied == tuple(best)
    assert tie.is_over == (len(best) == 1)
    if tie.is_over:
        assert [tie.utility(player) for player in players] == wins


BEATS = {("W", "F"), ("F", "A"), ("A", "E"), ("E", "W")}


@pytest.mark.parametrize("tied", [(0, 1), (1, 3), (0, 2, 4), (1, 2, 3, 5)], ids=str)
def test_matchups_of_a_tie_break_count_among_the_tied_alone_and_unboosted(tied):
    for cards in product("WFAE", repeat=len(tied)):
        points = [sum((card, other) in BEATS for other in cards) for card in cards]
        still = tuple(p for p, own in zip(tied, points, strict=True) if own == max(points))
        after = TieBreak(tied, 6).play(cards)
        assert (after.tied, after.players) == (still, 6)
        assert after.winner == (still[0] if len(still) == 1 else None)


@pytest.mark.parametrize("tied", [(0, 1), (0, 1, 2)])
def test_equal_chances_give_each_tied_player_the_same(tied):
    left = [
        TieBreak(tied, len(tied)).play(cards).tied for cards in product("WFAE", repeat=len(tied))
    ]
    assert len({sum(player in still for still in left) for player in tied}) == 1
    assert any(len(still) == 1 for still in left)


def test_a_tie_break_is_played_until_one_is_left():
    tie = TieBreak.of(over(9, 9, 2, 9))
    assert (tie.tied, tie.players, tie.winner) == ((0, 1, 3), 4, None)
    assert tie.legal(0) == tie.legal(np.int64(3)) == tuple(Element)
    assert tie.legal(2) == ()
    tie = tie.play("WWF")
    assert tie.tied == (0, 1)
    assert tie.legal(3) == ()
    assert tie.play("WA") == tie.play("AA") == tie
    tie = tie.play([np.int64(0), "Earth"])
    assert (tie.is_over, tie.winner, tie.legal(1)) == (True, 1, ())
    assert [tie.utility(player) for player in range(4)] == [-1, 3, -1, -1]


def test_tie_breaks_are_values():
    assert TieBreak((0, 1)) == TieBreak([0, 1], 2)
    assert len({TieBreak((0, 1)), TieBreak([0, 1]), TieBreak((0, 1), 3)}) == 2


@pytest.mark.parametrize(
    ("ask", "error", "fault"),
    [
        (lambda: TieBreak(()), PositionError, "tied players ()"),
        (lambda: TieBreak((1, 0)), PositionError, "in ascending order"),
        (lambda: TieBreak((0, 0)), PositionError, "different ones of 0 to 1"),
        (lambda: TieBreak((0, 2)), PositionError, "different ones of 0 to 1"),
        (lambda: TieBreak.of(State.parse("WF/EE DaNoDuMiDa-- 3-3")), GameError, "is not over"),
        (lambda: TieBreak((0, 1)).play("W"), IllegalMoveError, "1 card for 2 tied players"),
        (lambda: TieBreak((0, 2), 3).play("WFA"), IllegalMoveError, "3 cards for 2 tied players"),
        (lambda: TieBreak((0, 1)).play("WX"), NotationError, "'X' is no element"),
        (lambda: TieBreak((0, 1)).play([0, Time.DAWN]), NotationError, "is no element"),
        (lambda: TieBreak((0, 1)).play(None), IllegalMoveError, "None are no cards"),
        (lambda: TieBreak((1,)).play("W"), IllegalMoveError, "over: player 1 has won"),
        (lambda: TieBreak((0, 1)).utility(0), GameError, "(0, 1) are still tied"),
        (lambda: TieBreak((1,)).utility(2), GameError, "there is no player 2: expected 0 to 1"),
        (lambda: TieBreak((0, 1)).legal(-1), GameError, "there is no player -1"),
        (lambda: TieBreak((0, 1)).legal(True), GameError, "there is no player True"),
        (lambda: TieBreak((0, 1)).legal(1.0), GameError, "there is no player 1.0"),
        (lambda: TieBreak((0, 1), players=2**70), PositionError, "whole number from 2 to 6"),
        (lambda: TieBreak((0, 1), players=None), PositionError, "players is None"),
        (lambda: TieBreak(None), PositionError, "tied players None"),
        (lambda: TieBreak((0, 1.0)), PositionError, "tied players (0, 1.0)"),
        (lambda: TieBreak.of(None), PositionError, "None is no State"),
        (lambda: TieBreak((0, 1)).play({"W", "F"}), NotationError, "is a set"),
    ],
)
def test_what_a_tie_break_refuses(ask, error, fault):
    with pytest.raises(error) as refused:
        ask()
    assert fault in str(refused.value)


@light
@given(junk(), st.lists(elements(), max_size=4))
def test_only_game_errors_come_out_of_a_tie_break(value, cards):
    tie = TieBreak((0, 1))
    read_or_refused(lambda: tie.play(value), GameError)
    read_or_refused(lambda: tie.play(cards), GameError)
