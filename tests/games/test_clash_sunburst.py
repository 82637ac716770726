from itertools import product

import pytest
from hypothesis import given

from games.clash import AWARDED, Element, Record, Rules, State, Time, score_round
from games.errors import PositionError
from tests.strategies import RepeatBonus, heavy, records, rules, studied_positions

READINGS = ["restarting", "overlapping", "once"]


def awards_of(reading, history):
    """Count the bonus points of a row of rounds, told as whether each scored, from the rules."""
    ends = [i for i in range(2, len(history)) if all(history[i - 2 : i + 1])]
    if reading == "overlapping":
        return len(ends)
    if reading == "once":
        return min(len(ends), 1)
    earned, free = 0, 0
    for end in ends:
        if end - 2 >= free:
            earned, free = earned + 1, end + 1
    return earned


def streak_of(reading, history):
    """Tell the streak after a row of rounds as the notation of positions defines it."""
    if reading == "once" and awards_of(reading, history):
        return AWARDED
    run = 0
    for end in range(len(history)):
        run = run + 1 if history[end] else 0
        if reading == "restarting" and run == 3:
            run = 0
    return min(run, 2)


@pytest.mark.parametrize(
    ("reading", "by_round", "streaks"),
    [
        ("off", [2, 4, 6, 8, 10, 12], ""),
        ("restarting", [2, 4, 7, 9, 11, 14], "120120"),
        ("overlapping", [2, 4, 7, 10, 13, 16], "122222"),
        ("once", [2, 4, 7, 9, 11, 13], "12****"),
    ],
)
def test_six_scoring_rounds_earn_two_four_or_one(reading, by_round, streaks):
    state = State.start("WFAE+WW/WFAE+FF", "DaNoMiDuDaDa", Rules(sunburst=reading))
    for number, (cards, total) in enumerate(
        zip(["WF", "FA", "AE", "EW", "WF", "WF"], by_round, strict=True)
    ):
        state = state.play(cards)
        assert state.points == (total, 0)
        if streaks:
            assert str(state.streaks[0]) == streaks[number]
            assert state.streaks[1] == 0
            assert str(state).endswith(f"{total}-0 {streaks[number]}-0")
        else:
            assert state.streaks == ()
        assert State.parse(str(state), state.rules) == state
    assert state.is_over


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("history", list(product([False, True], repeat=6)))
def test_every_history_earns_what_the_reading_says(reading, history):
    options = Rules(sunburst=reading)
    streaks, earned = (0, 0), 0
    for played, scores in enumerate(history, start=1):
        cards = (Element.WATER, Element.FIRE if scores else Element.WATER)
        score = score_round(options, cards, Time.DAWN, streaks, None)
        streaks, earned = score.streaks, earned + score.sunburst[0]
        assert score.points == (2 * scores, 0)
        assert score.sunburst[1] == 0
        assert earned == awards_of(reading, history[:played])
        assert streaks == (streak_of(reading, history[:played]), 0)


@pytest.mark.parametrize(
    ("reading", "history", "earned"),
    [
        ("restarting", "110111", 1),
        ("restarting", "110110", 0),
        ("restarting", "011111", 1),
        ("restarting", "111011", 1),
        ("overlapping", "110111", 1),
        ("overlapping", "111101", 2),
        ("overlapping", "011111", 3),
        ("once", "111011", 1),
        ("once", "011110", 1),
        ("once", "101010", 0),
    ],
)
def test_a_round_without_a_point_ends_a_streak(reading, history, earned):
    # The expectations here are written by hand, and check the counting functions above as well.
    assert awards_of(reading, [mark == "1" for mark in history]) == earned


@heavy
@given(records(rules(bonuses=True).filter(lambda options: options.sunburst != "off")))
def test_sunburst_and_streaks_follow_the_points_of_play_alone(record):
    reading = record.deal.rules.sunburst
    plain = [0] * record.deal.rules.players
    histories = [[] for _ in plain]
    state = record.deal
    for played in record.rounds:
        state = state.reveal(played.time) if state.time_is_due else state
        score = state.score(played.cards)
        state = state.play(played.cards)
        for player, points in enumerate(score.points):
            histories[player].append(points > 0)
            plain[player] += points + score.bonus[player]
            assert state.points[player] == plain[player] + awards_of(reading, histories[player])
            assert state.streaks[player] == streak_of(reading, histories[player])


def test_a_bonus_counts_toward_no_streak():
    options = Rules(sunburst="restarting", bonus=RepeatBonus(award=3))
    state = State.start("WFAE+WW/WFAE+WW", "DaNoMiDu", options)
    for _ in range(3):
        state = state.play("WW")
    assert state.points == (6, 6)
    assert state.streaks == (0, 0)


def test_both_players_keep_streaks_of_their_own():
    options = Rules(players=3, sunburst="restarting")
    state = State.parse("WF/FA/AA DaNoDuMiDa-- 3-2-1 2-2-1", options)
    assert str(state.play("WFA")) == "F/A/A DaNoDuMiDa-- 6-4-1 0-0-0"


@pytest.mark.parametrize(
    ("reading", "text", "fault"),
    [
        ("restarting", "WF/EE DaNoDuMiDa-- 3-2 3-0", "streak 3 cannot be after 4 rounds"),
        ("restarting", "WF/EE DaNoDuMiDa-- 3-2 *-0", "streak '*' cannot be after 4 rounds"),
        ("overlapping", "WF/EE DaNoDuMiDa-- 3-2 *-0", "expected 0 to 2"),
        ("overlapping", "WF/EE DaNoDuMiDa-- 3-2 0-3", "streak 3"),
        ("once", "WF/EE DaNoDuMiDa-- 3-2 0-3", "or * from round 4 on"),
        ("once", "WFAE/WFAE DaNoDuMi---- 3-2 *-0", "streak '*' cannot be after 2 rounds"),
        ("restarting", "WFFAE/WFFAE DaNoDuMi---- 0-0 2-0", "after 1 round "),
        ("restarting", "WFFAEE/WFFAEE DaNoDuMi---- 0-0 0-1", "streak 1 cannot be after 0 rounds"),
        ("restarting", "WF/EE DaNoDuMiDa-- 3-2 0-0-0", "3 streaks for 2 players"),
        ("restarting", "WF/EE DaNoDuMiDa-- 3-2 1", "1 streak for 2 players"),
    ],
)
def test_streaks_out_of_bounds_are_refused(reading, text, fault):
    with pytest.raises(PositionError) as refused:
        State.parse(text, Rules(sunburst=reading))
    assert fault in str(refused.value)


HANDS = {0: "WWFFAE", 1: "WFFAE", 2: "WFAE", 3: "WFA", 4: "WF", 5: "W", 6: "-"}


@pytest.mark.parametrize(
    ("reading", "awards"),
    [
        ("off", [0, 0, 0, 0, 0, 0, 0]),
        ("restarting", [0, 0, 0, 1, 1, 1, 2]),
        ("overlapping", [0, 0, 0, 1, 2, 3, 4]),
        ("once", [0, 0, 0, 1, 1, 1, 1]),
    ],
)
@pytest.mark.parametrize("played", range(7))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_points_are_bounded_by_the_rounds_played(reading, awards, played, players):
    options = Rules(players=players, sunburst=reading)
    most = 2 * (players - 1) * played + awards[played]
    held = (HANDS[played],) * players
    others = (0,) * (players - 1)
    streak = {"restarting": 0, "overlapping": min(2, played)}.get(reading, "*")
    streak = 0 if reading == "once" and played < 3 else streak
    streaks = () if reading == "off" else (streak, *others)
    state = State(held, "DaNoDuMiDaNo", (most, *others), streaks, rules=options)
    assert State.parse(str(state), options) == state
    for points in (most + 1, -1):
        with pytest.raises(PositionError, match=f"{points}"):
            State(
                held,
                "DaNoDuMiDaNo",
                (*others, points),
                (*others, streak)[: len(streaks)],
                rules=options,
            )


@pytest.mark.parametrize(
    ("reading", "points", "streak", "most"),
    [("restarting", 7, 2, 6), ("restarting", 7, 1, 6), ("once", 7, 2, 6), ("once", 7, 0, 6)],
)
def test_a_streak_that_may_yet_earn_the_award_has_not_earned_it(reading, points, streak, most):
    # Otherwise a legal round would lead to more points than any position may have.
    with pytest.raises(PositionError, match=f"with a streak of {streak}: at most {most}"):
        State.parse(f"WFA/WFE DaNoDuMi---- {points}-0 {streak}-0", Rules(sunburst=reading))


@heavy
@given(studied_positions(rules()))
def test_no_play_leads_out_of_bounds(state):
    """Follow the best that a player can do from any position: the rules accept all of it."""
    best = max(range(len(state.points)), key=state.points.__getitem__)
    while not state.is_over:
        if state.time_is_due:
            state = state.reveal(max(state.next_times()))
        cards = [hand.elements[0] for hand in state.hands]
        for card in state.legal(best):
            for other, hand in enumerate(state.hands):
                beaten = [held for held in hand.elements if card.beats(held)]
                if other != best and beaten:
                    cards[best], cards[other] = card, beaten[0]
        state = state.play(cards)
        assert State.parse(str(state), state.rules) == state


def test_a_record_carries_its_sunbursts():
    record = Record.parse(
        """Solaris' Clash record 1
        rules sunburst=restarting
        deal WWWFAE/WFFFAE DaNoMiDu
        1 Da WF
        2 No FA
        3 Mi AE"""
    )
    assert str(record.state) == "WWE/WFF DaNoMiDu---- 7-0 0-0"
