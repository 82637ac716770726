"""Choosing moves by search: what it sees, what it tells, and exact values where all is known."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from games.solstis import Rules, State
from games.solstis.actions import action_of
from games.solstis.options import legal_codes
from solver.errors import SolverError
from solver.solstis import SearchBot, TreeBot, UniformBot, choose, search_tree, solve_endgame
from solver.solstis.evaluation import plain_weights, weights_for
from solver.solstis.features import FEATURES, feature_vector
from solver.solstis.lookahead import (
    MARGIN,
    WIN,
    evaluate,
    final_value,
    new_line,
    option_values,
    settled_outcome,
)
from solver.state_graph import expectiminimax, state_graph

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "solstis" / "endgames.json").read_text()
)["positions"]


def decisions(seed, rules, count):
    """Return some states with more than one legal action, from a random game."""
    rng = np.random.default_rng(seed)
    state, found = State.new(seed, rules), []
    while state.kind != "end":
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        if state.kind == "decision" and len(options) > 1:
            found.append(state)
        state = state.play(options[int(rng.integers(len(options)))])
    return found[:: max(1, len(found) // count)][:count]


RULES = [Rules(), Rules.published("firefly"), Rules.published("beginner")]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.variant)
@pytest.mark.parametrize("objective", ["margin", "win"])
def test_every_legal_action_is_judged(rules, objective):
    for state in decisions(3, rules, 6):
        choice = choose(state.observe(state.decider), objective, depth=1, samples=10, seed=4)
        assert choice.action in state.legal()
        assert {one.action for one in choice.alternatives} == set(state.legal())
        assert choice.alternatives[0].action == choice.action
        assert choice.alternatives[0].loss == 0
        assert all(one.loss >= -1e-12 for one in choice.alternatives)
        assert sum(one.best_in for one in choice.alternatives) >= choice.samples == 10
        if objective == "win":
            assert all(-1e-12 <= one.value <= 1 + 1e-12 for one in choice.alternatives)


def test_the_same_seed_gives_the_same_choice():
    state = decisions(5, Rules(), 3)[1]
    view = state.observe(state.decider)
    first, second = (choose(view, depth=2, samples=15, seed=9) for _ in range(2))
    assert first.alternatives == second.alternatives
    assert search_tree(view, iterations=200, seed=3).alternatives == (
        search_tree(view, iterations=200, seed=3).alternatives
    )


def test_nothing_hidden_is_read():
    state = decisions(6, Rules(), 4)[2]
    player = state.decider
    rng = np.random.default_rng(0)
    other = state.observe(player).sample(rng, ordered=True)
    for search in (
        lambda view: choose(view, depth=1, samples=12, seed=2).alternatives,
        lambda view: search_tree(view, iterations=100, seed=2).alternatives,
    ):
        assert search(state.observe(player)) == search(other.observe(player))


@pytest.mark.parametrize("record", RECORDED[::4], ids=lambda record: str(record["id"]))
def test_it_is_exact_where_all_is_known(record):
    state = State.from_dict(record)
    if len(state.legal()) < 2 or record["chance"]:
        pytest.skip("nothing to choose, or chance is left")
    solution = solve_endgame(state)
    choice = choose(state.observe(state.decider), "margin", depth=12, samples=2)
    assert choice.action in solution.best
    for one in choice.alternatives:
        assert one.value == pytest.approx(float(solution.moves[one.action]), abs=1e-9)


@dataclass(frozen=True)
class SettledState:
    """A state in a world where no draw is left to chance, cut off after some turns."""

    state: State
    turns: int
    world: tuple[tuple[int, ...], tuple[int, ...]]

    @classmethod
    def of(cls, state, turns, world):
        """Let the world bring its draws, and count the turn that begins then."""
        tiles, spirits = (np.array(order) for order in world)
        while state.kind == "chance":
            codes = legal_codes(state._core)
            code = settled_outcome(codes, len(codes), tiles, spirits)
            state = state.play(action_of(int(code)))
        if state.kind == "decision" and state.legal()[0].kind == "play_tile":
            turns -= 1
        return cls(state, turns, world)

    @property
    def kind(self):
        return "end" if self.turns < 0 else self.state.kind

    @property
    def decider(self):
        return None if self.kind == "end" else self.state.decider

    def legal(self):
        return self.state.legal()

    def play(self, action):
        return self.of(self.state.play(action), self.turns, self.world)


@pytest.mark.parametrize("objective", [MARGIN, WIN])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.variant)
def test_the_compiled_search_and_the_graph_have_equal_floats(rules, objective):
    rng = np.random.default_rng(objective)
    weights = weights_for(rules)

    def payoff(node):
        if node.state.kind == "end":
            return float(final_value(node.state._core, objective))
        return float(evaluate(node.state._core, objective, weights))

    compared = 0
    for found in decisions(8, rules, 8):
        state = found.unordered()
        world = tuple(rng.permutation(60).tolist()), tuple(rng.permutation(19).tolist())
        line, counts = new_line(), np.array([0, 10**7], dtype=np.int64)
        line[0][0] = state._core
        values = np.empty(line[1].shape[1])
        tiles, spirits = (np.array(order) for order in world)
        for turns in (0, 1):
            counts[0] = 0
            number = option_values(
                *line, turns, tiles, spirits, 0, objective, weights, counts, values
            )
            for action, value in zip(state.legal(), values[:number], strict=True):
                root = SettledState.of(state.play(action), turns, world)
                try:
                    graph = state_graph(root, max_nodes=1_500)
                except SolverError:
                    continue
                assert expectiminimax(graph, payoff)[root] == value
                compared += 1
    assert compared > 20


def test_anytime_always_has_a_legal_action():
    for state in decisions(8, Rules(), 3):
        for search in (choose, search_tree):
            choice = search(state.observe(state.decider), seconds=0.02)
            assert choice.action in state.legal()
            assert choice.samples >= 1


def test_a_single_action_takes_no_time():
    state = State.new(4, Rules.published())
    rng = np.random.default_rng(4)
    while state.kind != "decision" or len(state.legal()) > 1:
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(options[int(rng.integers(len(options)))])
    choice = choose(state.observe(state.decider), seconds=5)
    assert choice.action == state.legal()[0]
    assert choice.seconds < 1
    assert math.isnan(choice.value)


def test_bots_play_whole_games():
    bots = [
        SearchBot(objective="margin", depth=0, samples=2),
        TreeBot(objective="win", iterations=20),
    ]
    rng = np.random.default_rng(1)
    state = State.new(2, Rules())
    while state.kind != "end":
        if state.kind == "chance":
            state = state.play(state.outcomes()[0][0])
        else:
            player = state.decider
            state = state.play(bots[player].choose(state.observe(player), rng))
    assert state.score(0).total > 0


def test_search_beats_chance():
    rng = np.random.default_rng(4)
    won = 0
    for game in range(6):
        bots = [SearchBot(depth=0, samples=4), UniformBot()][:: 1 if game % 2 else -1]
        state = State.new(game // 2, Rules.published())
        while state.kind != "end":
            if state.kind == "chance":
                options = state.outcomes()
                state = state.play(options[int(rng.integers(len(options)))][0])
            else:
                player = state.decider
                state = state.play(bots[player].choose(state.observe(player), rng))
        mine = 0 if game % 2 else 1
        won += state.score(mine).total > state.score(1 - mine).total
    assert won >= 5


def test_plain_weights_give_the_score():
    # Fires are not rounded in the features: at most half a point for each player and spirit.
    for rules in RULES:
        for state in decisions(10, rules, 12):
            margin = state.score(0).total - state.score(1).total
            found = evaluate(state._core, MARGIN, plain_weights())
            assert abs(found - margin) <= 2


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.variant)
def test_evaluation_is_a_chance_under_win(rules):
    for state in decisions(12, rules, 8):
        features = np.empty(len(FEATURES))
        for player in (0, 1):
            feature_vector(state._core, player, features)
            assert np.isfinite(features).all()
        assert 0 < evaluate(state._core, WIN, weights_for(rules)) < 1


def test_refusals():
    state = State.new(5)
    view = state.observe(0)
    with pytest.raises(SolverError, match="observation"):
        choose(state)
    with pytest.raises(SolverError, match="observation"):
        search_tree(state)
    with pytest.raises(SolverError, match="nothing to decide"):
        choose(state.observe(1))
    with pytest.raises(SolverError, match="objective"):
        choose(view, "points")
    for name, values in {
        "seconds": (0, -1, math.nan, math.inf, "1", True),
        "depth": (-1, 13, 1.5, True),
        "samples": (0, -3, 2.0),
        "seed": (-1, 0.5),
    }.items():
        for value in values:
            with pytest.raises(SolverError, match=name):
                choose(view, **{name: value})
    with pytest.raises(SolverError, match="iterations"):
        search_tree(view, iterations=0)
