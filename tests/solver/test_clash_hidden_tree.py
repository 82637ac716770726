"""Reduced games of Solaris' Clash with hidden hands, against recorded values and open hands."""

import json
from pathlib import Path

import numpy as np
import pytest

from games.clash import Element, Hand, Rules, State, Time
from games.errors import GameError
from solver.clash import solve_open
from solver.clash.hidden_tree import HiddenHands, hidden_tree
from solver.counterfactual_regret import minimise_regret
from solver.errors import SolverError
from solver.public_game import NodeKind
from solver.sequence_form import solve_sequence_form

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "clash" / "hidden_small.json").read_text()
)["games"]
QUICK = ["h3b_win", "h4_win", "h3b_margin", "h5a_margin"]


def recorded_tree(game):
    return hidden_tree(
        game["times"],
        game["hands"],
        game["priors"],
        points=game["points"],
        objective=game["objective"],
    )


def test_all_recorded_games_are_there():
    assert len(RECORDED) == 7
    assert {game["id"] for game in RECORDED} >= set(QUICK)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game["id"], marks=[] if game["id"] in QUICK else [pytest.mark.slow])
        for game in RECORDED
    ],
)
def test_recorded_values(game):
    tree = recorded_tree(game)
    solution = solve_sequence_form(tree)
    assert solution.value == pytest.approx(game["value"], abs=1e-7)
    assert solution.exploitability <= 1e-9
    found = minimise_regret(tree, 1e-3)
    assert found.converged
    assert found.measured.lower - 1e-9 <= game["value"] <= found.measured.upper + 1e-9


def test_margin_of_symmetric_hands_is_nought_by_regret_too():
    game = next(game for game in RECORDED if game["id"] == "H4_WF+2extras_uniform_margin")
    measured = minimise_regret(recorded_tree(game), 1e-3).measured
    assert measured.exploitability <= 1e-3
    assert abs(measured.value) <= 1e-3


class Tally:
    """A bonus of one's own: a point for playing the boosted element twice in the game."""

    name = "tally"
    start = (0, 0)

    def step(self, memory, cards, time, points_this_round):
        seen = tuple(n + (card == time.element) for n, card in zip(memory, cards, strict=True))
        return seen, [int(n == 2 and s > m) for m, n, s in zip(memory, seen, seen, strict=True)]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("WAE/FAE DaNoDuMi---- 3-2", Rules()),
        ("WAE/FAE DaNoDuMi---- 3-2", Rules(time_deck="distinct")),
        ("WFAE/WWFA DaDaDuMiNo-- 0-1", Rules()),
        ("WFA/AAE DaNoDuMiMiNo 0-0", Rules()),
        ("WFAE/WWFA DaNoDuMi---- 2-0 2-0", Rules(sunburst="restarting")),
        ("WFA/WWF DaNoDuMi---- 2-2 2-1", Rules(sunburst="overlapping")),
        ("WFA/WWF DaNoDuMi---- 4-2 *-1", Rules(sunburst="once")),
        ("WFA/WEE DaNoDuMi---- 1-2", Rules(bonus=Tally())),
        ("WA/FE DaNoDuMi---- 1-2", Rules()),
        ("W/E DaNoDuMiDa-- 5-5", Rules()),
        ("A/E DaNoDuMiDaNo 5-6", Rules()),
    ],
)
@pytest.mark.parametrize("objective", ["win", "margin"])
def test_one_hand_each_is_the_game_with_open_hands(text, rules, objective):
    state = State.parse(text, rules)
    tree = hidden_tree(
        state.times,
        [[hand] for hand in state.hands],
        points=state.points,
        streaks=state.streaks or (0, 0),
        rules=rules,
        objective=objective,
    )
    value = solve_open(state, objective).value
    assert solve_sequence_form(tree).value == pytest.approx(value, abs=1e-9)


class ByStates:
    """The same game in extensive form, told by `games.clash.State` move by move to the end.

    A node is (state, cards played, a card of player 0 not yet shown, hands at the start).
    """

    def __init__(self, times, hands, priors, objective):
        self.times, self.hands, self.priors, self.objective = times, hands, priors, objective

    def root(self):
        return None

    def kind(self, node):
        if node is None:
            return NodeKind.CHANCE
        state, _, pending, _ = node
        if state.is_over:
            return NodeKind.END
        if state.time_is_due:
            return NodeKind.CHANCE
        return NodeKind.PLAYER_0 if pending is None else NodeKind.PLAYER_1

    def information_set(self, node):
        state, history, _, start = node
        player = self.kind(node)
        return int(player), start[player], history, state.times

    def actions(self, node):
        return node[0].legal(int(self.kind(node)))

    def chances(self, node):
        if node is not None:
            return {time: float(chance) for time, chance in node[0].next_times().items()}
        return {
            (one, two): p * q
            for one, p in zip(self.hands[0], self.priors[0], strict=True)
            for two, q in zip(self.hands[1], self.priors[1], strict=True)
        }

    def play(self, node, move):
        if node is None:
            return State(tuple(map(Hand.parse, move)), self.times), (), None, move
        state, history, pending, start = node
        if state.time_is_due:
            return state.reveal(move), history, None, start
        if pending is None:
            return state, history, move, start
        return state.play((pending, move)), (*history, (pending, move)), None, start

    def payoffs(self, node):
        return node[0].utility(0, self.objective), node[0].utility(1, self.objective)


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_the_tree_is_the_game_played_state_by_state(objective):
    times, hands = "DaDaNoMi----", [["WFA", "WFE", "WWF"], ["WAE", "FAE"]]
    priors = [[0.5, 0.2, 0.3], [0.4, 0.6]]
    slow = solve_sequence_form(ByStates(times, hands, priors, objective))
    tree = hidden_tree(times, hands, priors, objective=objective)
    assert solve_sequence_form(tree).value == pytest.approx(slow.value, abs=1e-9)


def test_exchanging_the_players_changes_the_sign():
    hands, priors = [["WFAE", "WWFA"], ["WFEE", "FAAE"]], [[0.3, 0.7], [0.8, 0.2]]
    there = hidden_tree("DaNoDuMiDaNo", hands, priors, points=(2, 1), objective="margin")
    back = hidden_tree("DaNoDuMiDaNo", hands[::-1], priors[::-1], points=(1, 2), objective="margin")
    value = solve_sequence_form(there).value
    assert value == pytest.approx(-solve_sequence_form(back).value, abs=1e-9)
    assert value != 0


def test_public_facts_find_the_node():
    tree = hidden_tree("DaNoDuMi----", [["WWF", "WFF"], ["WAE"]])
    node = tree.find((Element.WATER, Element.AIR))
    assert tree.kind[node] == NodeKind.CHANCE
    below = tree.find((Element.WATER, Element.AIR), Time.NOON)
    assert tree.kind[below] == NodeKind.BOTH
    played = tree.action_probabilities(0, tree.players[0].uniform(), below, Hand.parse("WWF"))
    assert played == {Element.WATER: 0.5, Element.FIRE: 0.5}


def test_hands_that_the_cards_contradict_are_left_out():
    game = HiddenHands("DaNoDuMi----", [["WFA", "WWF"], ["WAE"]])
    after = game.play(game.root(), (Element.AIR, Element.WATER))
    assert np.array_equal(game.available(after, 0)[1], np.zeros(len(game.actions(after, 0))))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": [["WFA"], ["WF"]]}, "one size"),
        ({"hands": [["WFA", "WF"], ["WFA"]]}, "one size"),
        ({"hands": [["WFA", "FAW"], ["WFA"]]}, "one or more, different"),
        ({"hands": [[], ["WFA"]]}, "one or more, different"),
        ({"hands": [["-"], ["-"]]}, "1 to 6 cards"),
        ({"hands": [["WFA"]]}, "two players"),
        ({"rules": Rules(players=3)}, "two players"),
        ({"objective": "points"}, "expected one of win, margin"),
        ({"priors": [[1.0]]}, "one for each of two"),
        ({"priors": [[0.5, 0.5], [1.0]]}, "for 1 hands"),
        ({"priors": [[0.9], [1.0]]}, "no probability"),
        ({"streaks": (1, 0)}, "Sunburst is off"),
        ({"max_bytes": 100}, "MiB allowed"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    given = {"hands": [["WFA"], ["WAE"]]} | arguments
    with pytest.raises(SolverError, match=message):
        hidden_tree("DaNoDuMi----", **given)


@pytest.mark.parametrize(
    "arguments",
    [
        {"times": "DaDaDaDa----"},
        {"points": (99, 0)},
        {"hands": [["WFA"], ["WXE"]]},
        {"hands": [["WWWW"], ["WFAE"]]},
    ],
)
def test_positions_that_cannot_be_are_refused_by_the_rules(arguments):
    given = {"times": "DaNoDuMi----", "hands": [["WFA"], ["WAE"]]} | arguments
    with pytest.raises(GameError):
        hidden_tree(given.pop("times"), given.pop("hands"), **given)


@pytest.mark.parametrize("hands", ["WF", ["WF", "AE"], [["WF"], "AE"]])
def test_a_text_is_no_list_of_hands(hands):
    with pytest.raises(SolverError):
        hidden_tree("DaNoDuMiDa--", hands)
