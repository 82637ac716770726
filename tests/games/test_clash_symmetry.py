import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.clash import Rules, State, rotate, swap_players
from games.errors import GameError, RulesError
from tests.strategies import RepeatBonus, heavy, random_play, reachable_states, rules, states


@heavy
@given(states())
def test_rotations_are_a_group_of_four(state):
    turned = [rotate(state, steps) for steps in range(4)]
    assert turned[0] == state == rotate(state, 4) == rotate(rotate(state), -1)
    assert rotate(state) == turned[1] != state
    assert len(set(turned)) == 4
    for first in range(4):
        for second in range(4):
            assert rotate(turned[first], second) == turned[(first + second) % 4]


@heavy
@given(states(), st.integers(-5, 5), st.data())
def test_rotation_commutes_with_play_and_turning_up(state, steps, data):
    turned = rotate(state, steps)
    assert turned.next_times() == {t.rotated(steps): c for t, c in state.next_times().items()}
    for player in range(state.rules.players):
        moved = {card.rotated(steps) for card in state.legal(player)}
        assert set(turned.legal(player)) == moved
    assume(not state.is_over)
    if state.time_is_due:
        time = data.draw(st.sampled_from(sorted(state.next_times())))
        assert rotate(state.reveal(time), steps) == turned.reveal(time.rotated(steps))
    else:
        cards = [data.draw(st.sampled_from(list(hand))) for hand in state.hands]
        moved = [card.rotated(steps) for card in cards]
        assert rotate(state.play(cards), steps) == turned.play(moved)


@heavy
@given(states(), st.data())
def test_swapping_players_commutes_with_play_and_turning_up(state, data):
    players = st.integers(0, state.rules.players - 1)
    first, second = data.draw(players), data.draw(players)

    def swapped(state):
        return swap_players(state, first, second)

    assert swapped(swapped(state)) == swap_players(swapped(state), second, first) == state
    if first == second:
        assert swapped(state) == state
    assert swapped(state).next_times() == state.next_times()
    assert swapped(state).margin(first) == state.margin(second)
    assume(not state.is_over)
    if state.time_is_due:
        time = data.draw(st.sampled_from(sorted(state.next_times())))
        assert swapped(state.reveal(time)) == swapped(state).reveal(time)
    else:
        cards = [data.draw(st.sampled_from(list(hand))) for hand in state.hands]
        after = swapped(state.play(cards))
        cards[first], cards[second] = cards[second], cards[first]
        assert after == swapped(state).play(cards)


@heavy
@given(reachable_states(rules(st.just(2)), over=True))
def test_swapping_two_players_changes_the_sign(state):
    for objective in ("win", "margin"):
        value = state.utility(0, objective)
        assert swap_players(state).utility(0, objective) == -value
        assert rotate(state).utility(0, objective) == value


@heavy
@given(st.data())
def test_the_symmetries_commute_with_each_other(data):
    state = data.draw(states())
    if not state.is_over:
        state = data.draw(random_play(state))
    assert rotate(swap_players(state)) == swap_players(rotate(state))


def test_numpy_integers_are_players_and_steps():
    state = State.parse("WF/EE DaNoDuMiDa-- 3-2")
    assert swap_players(state, np.int64(0), np.int64(1)) == swap_players(state)
    assert rotate(state, np.int64(3)) == rotate(state, -1)


def test_awarded_streaks_move_with_their_player():
    state = State.parse("WF/EE DaNoDuMiDa-- 3-2 *-1", Rules(sunburst="once"))
    assert str(swap_players(state)) == "EE/WF DaNoDuMiDa-- 2-3 1-*"


@pytest.mark.parametrize("player", [2, -1, None, "0", 0.5])
def test_players_who_do_not_exist_are_refused(player):
    with pytest.raises(GameError) as refused:
        swap_players(State.parse("WF/EE DaNoDuMiDa-- 3-2"), 0, player)
    assert f"there is no player {player!r}: expected 0 to 1" in str(refused.value)


@pytest.mark.parametrize("symmetry", [rotate, swap_players])
def test_no_symmetry_is_claimed_under_a_bonus_of_the_users_own(symmetry):
    state = State.parse("WF/EE DaNoDuMiDa-- 3-2", Rules(bonus=RepeatBonus()))
    with pytest.raises(RulesError, match="no symmetry is known of the bonus 'echo of the sun'"):
        symmetry(state)
