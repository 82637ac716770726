from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Element, Rules, State, Time, clash_points, score_round
from tests.strategies import elements, heavy, light, reachable_states, rules, times

BEATS = {("W", "F"), ("F", "A"), ("A", "E"), ("E", "W")}
BOOSTS = {("Da", "W"), ("No", "F"), ("Mi", "A"), ("Du", "E")}


def scored(cards, time):
    """Score a round anew from the words of the rules: matchup by matchup, in letters."""
    totals = []
    for me, card in enumerate(cards):
        points = 0
        for other, against in enumerate(cards):
            if me != other and (card, against) in BEATS:
                points += 1
                if (time, card) in BOOSTS:
                    points += 1
        totals.append(points)
    return tuple(totals)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_round_of_a_few_players_scores_as_the_rules_say(players):
    for cards in product("WFAE", repeat=players):
        read = [Element.parse(card) for card in cards]
        assert clash_points(read, None) == scored(cards, None)
        for time in Time:
            assert clash_points(read, time) == scored(cards, time.code), (cards, time)


@light
@given(st.lists(elements(), min_size=2, max_size=6), times())
def test_a_round_of_up_to_six_players_scores_as_the_rules_say(cards, time):
    points = clash_points(cards, time)
    assert points == scored([card.letter for card in cards], time.code)
    assert all(0 <= own <= 2 * (len(cards) - 1) for own in points)
    score = score_round(Rules(players=len(cards)), tuple(cards), time, (), None)
    assert score.points == score.total == points
    assert (score.streaks, score.memory) == ((), None)
    assert set(score.sunburst) == set(score.bonus) == {0}


@pytest.mark.parametrize("players", range(2, 7))
def test_a_card_scores_at_most_two_points_an_opponent(players):
    cards = (Element.WATER, *[Element.FIRE] * (players - 1))
    assert clash_points(cards, Time.DAWN) == (2 * (players - 1), *[0] * (players - 1))
    assert clash_points(cards, Time.NOON) == (players - 1, *[0] * (players - 1))


@heavy
@given(reachable_states(rules().filter(lambda options: options.sunburst == "off")), st.data())
def test_play_adds_what_the_cards_score_and_discards_them(state, data):
    if state.is_over or state.time_is_due:
        return
    cards = [data.draw(st.sampled_from(list(hand))) for hand in state.hands]
    after = state.play(cards)
    expected = scored([card.letter for card in cards], state.time.code)
    assert state.score(cards).points == expected
    assert after.points == tuple(map(sum, zip(state.points, expected, strict=True)))
    assert after.hands == tuple(h.without(c) for h, c in zip(state.hands, cards, strict=True))
    assert (after.times, after.rules) == (state.times, state.rules)
    assert after.rounds_played == state.rounds_played + 1


@pytest.mark.parametrize(
    "cards", ["WF", "wf", ("W", "F"), ["Water", 1], (0, 1), np.array([0, 1])], ids=repr
)
def test_cards_are_read_in_every_notation(cards):
    state = State.parse("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    assert str(state.play(cards)) == "WFFAE/WFAEE DaNoDuMi---- 2-0"
