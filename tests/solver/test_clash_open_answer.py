"""The open-hand answer against its definition, asked card by card of the open-hand solver."""

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from games.clash import Rules, State, next_times
from games.errors import IllegalMoveError
from solver.clash import (
    HiddenSolution,
    answer_costs,
    solve_hidden,
    solve_open,
    solve_whole,
    whole_answer_costs,
)
from solver.clash.hidden.arguments import Deal
from solver.clash.hidden.best_response import Behaviour, own_reach, profile_value
from solver.clash.hidden.classes import class_layout, sequence_classes
from solver.clash.hidden.open_answer import open_answer
from solver.clash.hidden.solution import read_mix, read_strategy
from solver.errors import SolverError, StateError
from solver.matrix import solve

HANDS = [["WWF", "WFF", "WFA", "WFE"], ["WAE", "FAE", "AAE", "AEE"]]


def by_definition(found, player, bayes, ties, first_round=1):
    """The open-hand answer as a callable; the solution before its first round."""

    def can_play(hand, cards):
        try:
            for card in cards:
                hand = hand.without(card)
        except IllegalMoveError:
            return False
        return True

    @cache
    def belief(history, times):
        if bayes:
            try:
                return found.belief(player, history, times)
            except StateError:
                pass
        cards = [pair[1 - player] for pair in history]
        held = {h: p for h, p in found.hands(1 - player).items() if can_play(h, cards)}
        total = sum(held.values())
        return {h: p / total if total else 1 / len(held) for h, p in held.items()}

    @cache
    def solved(start):
        return solve_open(start, found.objective)

    @cache
    def open_strategy(start, state):
        entry = solved(start).entry(state)
        mix = entry.strategies[player]
        if ties == "first":
            return mix
        backwards = solve(entry.matrix[::-1, ::-1].round(12))
        other = (backwards.row, backwards.column)[player][::-1]
        return {c: (p + q) / 2 for (c, p), q in zip(mix.items(), other, strict=True)}

    @cache
    def strategy(hand, history, times):
        if 7 - len(hand) + len(history) < first_round:
            return found.strategy(player, hand, history, times)
        mixed = {}
        for theirs, chance in belief(history, times).items():
            if not chance:
                continue
            pair = (hand, theirs) if player == 0 else (theirs, hand)
            start = State(pair, found.times, found.points, found.streaks, rules=found.rules)
            state = start
            for cards in (*history, None):
                if state.time_is_due:
                    state = state.reveal(times[state.rounds_played])
                if cards:
                    state = state.play(cards)
            for card, share in open_strategy(start, state).items():
                mixed[card] = mixed.get(card, 0.0) + chance * share
        return mixed

    return strategy


def earned(found, player, strategy):
    """What a strategy earns its player against the solution, asked set by set."""
    behaviours = list(found.behaviours)
    behaviours[player] = read_strategy(found, player, strategy)
    reaches = [
        own_reach(found.layout, seat, behaviours[seat].rounds, found.priors[seat])
        for seat in (0, 1)
    ]
    return profile_value(found.layout, behaviours, reaches, player)[0]


@pytest.mark.parametrize(
    ("times", "objective", "hands", "options"),
    [
        ("MiDaNoDa----", "win", [HANDS[0][:3], HANDS[1][2:]], {}),
        ("MiDaNoDa----", "margin", [HANDS[0][2:], HANDS[1][:2]], {"points": (1, 0)}),
        ("MiDaNoDaNo--", "win", [["WF", "AE", "WW"], ["FA", "EE"]], {"points": (1, 0)}),
        ("MiDaNoDa----", "win", [["WF", "AE", "WW"], ["FA", "EE"]], {}),
        ("MiDaNoDaNoDu", "win", [["WFA", "AEE", "WWE"], ["FAE", "WEE"]], {}),
        (
            "MiDaNoDu----",
            "win",
            [["WWF", "WFA"], ["WAE", "FAE"]],
            {"streaks": (2, 1), "rules": Rules(time_deck="distinct", sunburst="restarting")},
        ),
        # a hand of no chance, which is what is believed where nothing else fits
        (
            "MiDaNoDu----",
            "win",
            [["WFA", "WAE"], ["FAE", "WFE", "AAE"]],
            {"priors": [[0.3, 0.7], [0.5, 0.5, 0]]},
        ),
    ],
)
def test_costs_are_those_of_the_definition(times, objective, hands, options):
    found = solve_hidden(times, objective, hands, tolerance=1e-2, **options)
    first_round = 7 - len(found.layout.players[0].types[0])
    for player, (bayes, ties) in product((0, 1), ((True, "first"), (False, "even"))):
        value = (found.value, -found.value)[player]
        costs = answer_costs(found, player, bayes, ties)
        assert [cost.first_round for cost in costs] == list(range(first_round, 6))
        for cost in costs:
            strategy = by_definition(found, player, bayes, ties, cost.first_round)
            best = found.best_response(1 - player, strategy).value
            assert cost.at_most == pytest.approx(best + value, abs=1e-9)
            mine = earned(found, player, strategy)
            assert cost.against_solution == pytest.approx(value - mine, abs=1e-9)


def test_it_costs_nothing_when_hands_are_known():
    hands = [["WWFFAE"], ["WFFAEE"]]
    found = solve_hidden("DaNoMiDu", hands=hands, iterations=1)
    state = State.start([hands[0][0], hands[1][0]], "DaNoMiDu")
    for player, ties in product((0, 1), ("first", "even")):
        cost = answer_costs(found, player, ties=ties)[0]
        value = (found.value, -found.value)[player]
        optimal = (1, -1)[player] * solve_open(state).value
        assert value - cost.at_most == pytest.approx(optimal, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("player", "bayes", "ties"), [(0, True, "first"), (1, False, "even")])
def test_a_true_deal_is_played_as_defined(player, bayes, ties):
    found = solve_hidden("DaNoMiDu", tolerance=2e-2)
    hands = found.layout.players[0].types
    deal = Deal(found.times, (hands, hands), found.priors, (0, 0), (), "win", Rules())
    opponent = found.behaviours[1 - player] if bayes else None
    answer = open_answer(deal, found.layout, player, opponent, ties)
    expected = by_definition(found, player, bayes, ties)
    random = Random(1)
    for _ in range(100):
        held, played = (random.choice(hands), random.choice(hands)), random.randrange(5)
        history = tuple(zip(*(random.sample(list(hand), played) for hand in held), strict=True))
        times = found.times
        if played == 4:
            times = (*times[:4], random.choice(list(next_times(times[:4]))), None)
        mix = read_mix(found._lookup, answer, player, held[player], history, times)
        assert mix == pytest.approx(
            dict.fromkeys(mix, 0.0) | expected(held[player], history, times), abs=1e-12
        )


@pytest.mark.slow
def test_the_whole_game_is_its_deals_together(monkeypatch):
    few = sequence_classes("independent")[20:22]
    total = sum(one.chance for one in few)
    scaled = tuple(type(one)(one.times, one.chance / total) for one in few)
    for module in ("whole", "whole_solution", "open_answer"):
        monkeypatch.setattr(
            f"solver.clash.hidden.{module}.sequence_classes", lambda time_deck: scaled
        )
    found = solve_whole(iterations=20)
    told = []
    costs = whole_answer_costs(found, workers=2, progress=lambda *now: told.append(now))
    assert told == [(1, 2), (2, 2)]
    assert [cost.first_round for cost in costs] == [1, 2, 3, 4, 5]
    against_solution = np.zeros(5)
    at_least = np.zeros(5)
    for one, behaviour in zip(scaled, found.behaviours, strict=True):
        times = (*one.times, None, None)
        layout = class_layout(times, "win", Rules())
        # What the player of the open-hand answer has as plans is not asked for.
        both = Behaviour(behaviour.rounds, behaviour.plans)
        deal = HiddenSolution(
            "win", Rules(), times, (found.prior, found.prior), (0, 0), (), layout,
            (both, both), 0.0, (-1.0, 1.0), 1, "", "", 0.0, (),
        )  # fmt: skip
        alone = answer_costs(deal, 1 - found.seat)
        against_solution += [one.chance * cost.against_solution for cost in alone]
        at_least += [one.chance * cost.at_most for cost in alone]
    assert [cost.against_solution for cost in costs] == pytest.approx(against_solution)
    # A best response may choose its extras as well.
    assert (np.array([cost.at_most for cost in costs]) >= at_least - 1e-12).all()


def test_bad_questions_are_named():
    found = solve_hidden("MiDaNoDaNoDu", hands=[["W"], ["F", "E"]])
    with pytest.raises(SolverError, match="one card is left"):
        answer_costs(found)
    found = solve_hidden("MiDaNoDaNoDu", hands=[["WF"], ["FA", "AE"]])
    with pytest.raises(SolverError, match="no player 2"):
        answer_costs(found, 2)
    with pytest.raises(SolverError, match="ties is 'last'"):
        answer_costs(found, ties="last")
