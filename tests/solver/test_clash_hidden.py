"""One deal with hidden hands: values, bounds, beliefs, best responses, files, bad input."""

import json
import zipfile
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from games.clash import Element, Hand, Rules, State, full_hands
from games.errors import GameError
from solver.clash import HiddenSolution, solve_hidden
from solver.errors import SolverError, StateError, TableError
from solver.regret_rules import RULES
from tests.strategies import RepeatBonus

DATA = Path(__file__).parents[1] / "data/clash"
SMALL = json.loads((DATA / "hidden_small.json").read_text())["games"]
FULL = json.loads((DATA / "hidden_full.json").read_text())["games"]
KNOWN = "MiDaNoDaNo--"
HANDS = [["WWF", "WFF", "WFA", "WFE"], ["WAE", "FAE", "AAE", "AEE"]]


def solve_case(case, tolerance):
    return solve_hidden(
        case["times"],
        case["objective"],
        case["hands"],
        case["priors"],
        case["points"],
        tolerance=tolerance,
    )


@pytest.fixture(scope="module")
def solution():
    return solve_hidden("MiDaNoDa----", "win", HANDS, tolerance=1e-4)


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case["id"])
def test_recorded_value_lies_within_the_bounds(case):
    found = solve_case(case, 5e-4)
    low, high = found.bounds
    assert low - 1e-7 <= case["value"] <= high + 1e-7
    assert found.exploitability == (high - low) / 2 <= 5e-4
    assert low - 1e-12 <= found.value <= high + 1e-12
    assert found.stopped == "tolerance"


@pytest.mark.slow
@pytest.mark.parametrize("case", FULL, ids=lambda case: case["id"])
def test_recorded_bracket_is_met(case):
    width = 2e-3 if case["objective"] == "win" else 5e-3
    low, high = solve_case(case, width / 2).bounds
    assert high - low <= width
    assert max(low, case["lo"]) <= min(high, case["hi"])


def _play(found, state, held, history):
    """The value of the returned profile by plain recursion over states."""
    if state.is_over:
        return state.utility(0, found.objective)
    if state.time_is_due:
        return sum(
            float(p) * _play(found, state.reveal(time), held, history)
            for time, p in state.next_times().items()
        )
    mixes = [found.strategy(player, held[player], history, state.times) for player in (0, 1)]
    return sum(
        p * q * _play(found, state.play((c, d)), held, (*history, (c, d)))
        for (c, p), (d, q) in product(mixes[0].items(), mixes[1].items())
        if p * q
    )


@pytest.mark.parametrize(
    ("times", "options", "streaks"),
    [
        ("MiDaNoDa----", Rules(), (0, 0)),
        ("MiDaNoDaNo--", Rules(time_deck="independent"), (0, 0)),
        ("MiDaNoDu----", Rules(time_deck="distinct", sunburst="restarting"), (2, 1)),
        ("MiDaNoDu----", Rules(sunburst="once"), (2, "*")),
        ("MiDaNoDuDaMi", Rules(sunburst="overlapping"), (1, 2)),
    ],
)
@pytest.mark.parametrize("objective", ["win", "margin"])
def test_value_by_plain_recursion_over_states(times, options, streaks, objective):
    hands = [["WF", "AE", "WW"], ["FA", "EE"]] if times[8:10] != "--" else HANDS
    points = (0, 0)
    found = solve_hidden(
        times, objective, hands, points=points, streaks=streaks, rules=options, tolerance=1e-2
    )
    both = found.hands(0), found.hands(1)
    total = 0.0
    for a, b in product(both[0], both[1]):
        shown = streaks if options.sunburst != "off" else ()
        state = State((a, b), found.times, points, shown, rules=options)
        total += both[0][a] * both[1][b] * _play(found, state, (a, b), ())
    assert found.value == pytest.approx(total, abs=1e-9)


def brute_best_response(found, player, strategy):
    """The value of a best response by recursion over what the player sees."""
    own, other = found.hands(player), found.hands(1 - player)

    def respond(held, state_of, weights, history):
        # weights: chance of each hand of the opponent times the chance of what it has played
        sample = state_of(next(iter(weights)))
        if sample.is_over:
            return sum(w * state_of(h).utility(player, found.objective) for h, w in weights.items())
        if sample.time_is_due:
            return sum(
                float(p) * respond(held, lambda h, t=time: state_of(h).reveal(t), weights, history)
                for time, p in sample.next_times().items()
            )
        best = -np.inf
        for card in sample.legal(player):
            total = 0.0
            for theirs in Element:
                moved = {
                    h: w * strategy(h, history, sample.times).get(theirs, 0.0)
                    for h, w in weights.items()
                    if theirs in state_of(h).hands[1 - player]
                }
                moved = {h: w for h, w in moved.items() if w}
                if moved:
                    cards = (card, theirs) if player == 0 else (theirs, card)
                    total += respond(
                        held,
                        lambda h, c=cards: state_of(h).play(c),
                        moved,
                        (*history, cards),
                    )
            best = max(best, total)
        return best

    value = 0.0
    for held, chance in own.items():

        def start(h, held=held):
            pair = (held, h) if player == 0 else (h, held)
            return State(pair, found.times, found.points, found.streaks, rules=found.rules)

        value += chance * respond(held, start, dict(other), ())
    return value


def test_bounds_are_those_of_brute_force_best_responses(solution):
    for player in (0, 1):

        def theirs(hand, history, times, player=player):
            return solution.strategy(1 - player, hand, history, times)

        value = brute_best_response(solution, player, theirs)
        bound = solution.bounds[1] if player == 0 else -solution.bounds[0]
        assert value == pytest.approx(bound, abs=1e-9)


def test_best_response_to_a_strategy_of_ones_own(solution):
    def first_card(hand, history, times):
        left = hand
        for cards in history:
            left = left.without(cards[1])
        return {left.elements[0]: 1.0}

    response = solution.best_response(0, first_card)
    assert response.value == pytest.approx(brute_best_response(solution, 0, first_card), abs=1e-9)
    assert response.value >= solution.bounds[0]
    mix = response.strategy("WFA", (), None)
    assert sorted(mix.values()) == [0.0, 0.0, 1.0]


def test_best_response_to_the_returned_strategy_is_the_bound(solution):
    assert solution.best_response(0).value == pytest.approx(solution.bounds[1], abs=1e-12)
    assert solution.best_response(1).value == pytest.approx(-solution.bounds[0], abs=1e-12)


def test_belief_follows_bayes(solution):
    assert solution.belief(0) == pytest.approx({Hand.parse(h): 0.25 for h in HANDS[1]})
    chances = {
        hand: p * solution.strategy(1, hand).get(Element.AIR, 0.0)
        for hand, p in solution.hands(1).items()
    }
    total = sum(chances.values())
    belief = solution.belief(0, [("W", "A")])
    assert belief == pytest.approx({hand: p / total for hand, p in chances.items()}, abs=1e-12)
    assert sum(belief.values()) == pytest.approx(1)


def test_beliefs_about_what_play_never_does_are_refused():
    # Water is certain to lose to the only possible Earth, so that player 0 keeps it back.
    found = solve_hidden("DaNoMiDuDaNo", "margin", [["WF"], ["EF"]], tolerance=1e-6)
    cards = found.strategy(0, "WF")
    never = [card for card, chance in cards.items() if chance < 1e-9]
    for card in never:
        history = [(card, "E")]
        assert not found.reached(0, "WF", history)
        with pytest.raises(StateError, match="play never leads there"):
            found.belief(1, history)


def test_values_by_hand_average_to_the_value(solution):
    values = solution.values(0)
    assert sum(values.values()) / 4 == pytest.approx(solution.value, abs=1e-12)
    assert sum(solution.values(1).values()) / 4 == pytest.approx(-solution.value, abs=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_every_regret_rule_brackets_the_value(name):
    found = solve_hidden("MiDaNoDaNoDu", "win", HANDS, rule=RULES[name], iterations=400)
    assert found.bounds[0] - 1e-9 <= 0.0009642227446371165 <= found.bounds[1] + 1e-9
    assert found.exploitability < 0.05
    assert found.method == name


def test_equal_priors_have_value_nought_within_the_bounds():
    hands = [["WWF", "WFA", "FAE", "AEE"]] * 2
    found = solve_hidden("DaDaNoMi----", "win", hands, tolerance=1e-4)
    assert found.bounds[0] <= 0 <= found.bounds[1]


def test_the_same_bits_every_time():
    first, second = (solve_hidden("MiDaNoDa----", "win", HANDS, iterations=60) for _ in range(2))
    assert (first.value, first.bounds, first.curve) == (second.value, second.bounds, second.curve)
    for one, other in zip(first.behaviours, second.behaviours, strict=True):
        assert np.array_equal(one.plans, other.plans)


def test_hands_may_be_given_in_any_order():
    first = solve_hidden("DaNoMiDuDaDa", hands=[["WF", "WE"], ["FF", "FE"]], tolerance=1e-6)
    again = solve_hidden("DaNoMiDuDaDa", hands=[["WE", "WF"], ["FE", "FF"]], tolerance=1e-6)
    assert first.value == pytest.approx(again.value, abs=2e-6)
    mixes = [found.strategy(1, "FE") for found in (first, again)]
    assert sum(mixes[0].values()) == pytest.approx(1)
    assert first.strategy(1, "FF") == {Element.FIRE: 1.0}


def test_reached_may_be_asked_while_a_time_is_due(solution):
    assert solution.reached(0, "WFA", [("W", "A")])
    with pytest.raises(StateError, match="cannot have played so"):
        solution.reached(0, "WWF", [("A", "A")])


def test_a_single_card_is_forced():
    found = solve_hidden("DaNoMiDuDa--", "margin", [["W", "F"], ["A", "E"]])
    assert found.strategy(0, "W") == {Element.WATER: 1.0}
    assert found.exploitability == pytest.approx(0, abs=1e-12)
    state = State.parse("W/E DaNoMiDuDa-- 0-0")
    chances = state.next_times()
    lost = sum(float(p) * -(2 if t.code == "Du" else 1) for t, p in chances.items())
    assert found.values(0)[Hand.parse("W")] == pytest.approx(lost / 2, abs=1e-12)


def test_progress_tells_memory_before_it_is_taken():
    told = []
    solve_hidden("MiDaNoDa----", "win", HANDS, tolerance=1e-2, progress=told.append)
    assert told[0].iterations == 0
    assert told[0].bytes > 1000
    assert told[-1].exploitability <= 1e-2


def test_saved_and_loaded_is_the_same(tmp_path, solution):
    path = tmp_path / "deal.npz"
    solution.save(path)
    again = HiddenSolution.load(path)
    assert (again.value, again.bounds, again.curve) == (
        solution.value,
        solution.bounds,
        solution.curve,
    )
    assert again.strategy(0, "WFA", [("W", "A")], KNOWN) == solution.strategy(
        0, "WFA", [("W", "A")], KNOWN
    )
    assert again.best_response(0).value == solution.best_response(0).value
    with pytest.raises(TableError, match="not for 'margin'"):
        HiddenSolution.load(path, objective="margin")
    with pytest.raises(TableError, match="was made for"):
        HiddenSolution.load(path, Rules(sunburst="once"))
    content = path.read_bytes()
    for damaged in (b"", content[:500], content[1:], content[:-1]):
        path.write_bytes(damaged)
        with pytest.raises(TableError, match="damaged"):
            HiddenSolution.load(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("header.npy", "nonsense")
    with pytest.raises(TableError, match="damaged"):
        HiddenSolution.load(path)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"times": "DaNo"}, "has 2 times"),
        ({"times": "DaDaDaDa----"}, "cannot occur"),
        ({"hands": [["WWF"], ["WA"]]}, "differ in size"),
        ({"hands": [["WF", "FW"], ["WA"]]}, "given twice"),
        ({"hands": [[], ["WA"]]}, "no possible hand"),
        ({"hands": ["WF", "WA"]}, "expected the possible hands"),
        ({"hands": [["WF"]]}, "expected the possible hands"),
        ({"hands": [["-"], ["-"]], "times": "DaNoDaNoDuMi"}, "nothing to solve"),
        ({"priors": [[0.5, 0.5], [1.5, -0.5]]}, "0 or more"),
        ({"priors": [[0.5, 0.4], [0.5, 0.5]]}, "sum to 0.9"),
        ({"priors": [[1.0], [0.5, 0.5]]}, "2 possible hands, but 1 chances"),
        ({"priors": [[0.5, float("nan")], [0.5, 0.5]]}, "0 or more"),
        ({"priors": [["a", "b"], [0.5, 0.5]]}, "no numbers"),
        ({"priors": [[0.5, 0.5]]}, "each of two players"),
        ({"points": (99, 0)}, "cannot be reached"),
        ({"objective": "money"}, "objective is 'money'"),
        ({"tolerance": 0}, "cannot be measured"),
        ({"tolerance": 1e-14}, "cannot be measured"),
        ({"tolerance": float("nan")}, "cannot be measured"),
        ({"tolerance": "small"}, "positive number"),
        ({"iterations": 0}, "1 or more"),
        ({"seed": 0.5}, "whole number"),
        ({"rules": Rules(players=3)}, "two players, not 3"),
    ],
)
def test_bad_arguments_are_named(arguments, fault):
    given = {"times": "DaNoDaNoDuMi", "hands": [["WF", "WA"], ["FE", "AE"]], **arguments}
    with pytest.raises((GameError, SolverError), match=fault):
        solve_hidden(**given)


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda s: s.strategy(0, "FAE"), "not a hand that player 0 may hold"),
        (lambda s: s.strategy(0, "WFA", [("A", "A"), ("A", "E")], KNOWN), "can have played AA"),
        (lambda s: s.strategy(0, "WFA", [("F", "F")] * 3, KNOWN), "it is over"),
        (lambda s: s.strategy(0, "WWF", [("A", "A")], KNOWN), "cannot have played so"),
        (lambda s: s.strategy(0, "WFA", ["W"]), "a pair of cards"),
        (lambda s: s.strategy(0, "WFA", 5), "a pair of cards"),
        (lambda s: s.strategy(2, "WFA"), "no player 2"),
        (lambda s: s.strategy(0, "WFA", [("W", "A")], "MiDaNoNo----"), "contradict"),
        (lambda s: s.strategy(0, "WFA", [], "MiDaNoDaNo--"), "not all known yet"),
        (lambda s: s.strategy(0, "WFA", [("W", "A")], "MiDaNoDa----"), "time of round 5 is needed"),
        (lambda s: s.belief(0, [("W", "W"), ("F", "W")], KNOWN), "can have played WW"),
        (lambda s: s.best_response(0, lambda *_: {"W": 2.0}), "not held|sum to 1"),
        (lambda s: s.best_response(0, lambda *_: None), "expected chances"),
    ],
)
def test_bad_questions_are_named(solution, ask, fault):
    with pytest.raises(SolverError, match=fault):
        ask(solution)


def test_a_bonus_of_ones_own_is_solved_but_not_saved(tmp_path):
    found = solve_hidden("MiDaNoDaNoDu", "win", HANDS, rules=Rules(bonus=RepeatBonus()))
    assert found.exploitability <= 1e-3
    with pytest.raises(TableError, match="cannot be saved"):
        found.save(tmp_path / "deal.npz")


@pytest.mark.slow
def test_a_true_deal_reaches_a_thousandth_of_an_ante():
    found = solve_hidden("DaNoMiDu----", tolerance=1e-3)
    assert found.exploitability <= 1e-3
    assert set(found.hands(0)) == set(full_hands().values())
    history = [("W", "F"), ("F", "A"), ("A", "E"), ("E", "A")]
    for time in ("Da", "No", "Mi", "Du"):
        mix = found.strategy(0, "WWFFAE", history, f"DaNoMiDu{time}--")
        assert sum(mix.values()) == pytest.approx(1)
