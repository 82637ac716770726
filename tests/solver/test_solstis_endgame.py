"""Exact endings against recorded values, and against expectiminimax on the graph of states."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from games.solstis import Rules, State
from games.solstis.layout import Field
from solver.errors import SolverError, StateError
from solver.solstis import count_leaves, solve_endgame
from solver.solstis.endgame import value_without_pruning
from solver.solstis.pruned_search import EVERYTHING
from solver.solstis.score_bounds import margin_bounds
from solver.state_graph import readable

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "solstis" / "endgames.json").read_text()
)["positions"]


def options_of(values):
    return {str(action).split(" ", 1)[1]: value for action, value in values.items()}


@pytest.mark.parametrize("record", RECORDED, ids=lambda record: str(record["id"]))
def test_recorded_endings(record):
    state = State.from_dict(record)
    solution = solve_endgame(state)
    assert solution.player == record["to_move"] - 1
    assert solution.value == Fraction(record["value"])
    moves = options_of(solution.moves)
    assert moves == {move["play_tile"]: Fraction(move["value"]) for move in record["moves"]}
    best = [str(action).split(" ", 1)[1] for action in solution.best]
    assert sorted(best) == sorted(record["optimal"])
    for move in record["moves"]:
        following = state.play(f"play_tile {move['play_tile']}")
        for option, value in move.get("next", {}).get("options", []):
            action = f"{move['next']['k']} {option}"
            assert solution.value_at(following.play(action)) == Fraction(value)
    assert count_leaves(state) == record["leaves"]


@pytest.mark.parametrize("record", RECORDED[::6], ids=lambda record: str(record["id"]))
def test_the_graph_has_the_same_values(record):
    solution = solve_endgame(State.from_dict(record))
    graph = solution.graph()
    for state, data in graph.nodes(data=True):
        assert solution.value_at(state) == data["value"]
    assert len(readable(graph)) == len(graph)


@pytest.mark.parametrize("record", RECORDED[::10], ids=lambda record: str(record["id"]))
def test_the_line_is_best_play(record):
    solution = solve_endgame(State.from_dict(record))
    state = solution.state
    for action in solution.line:
        assert solution.value_at(state) == solution.value
        state = state.play(action)
    assert solution.value_at(state) == solution.value
    assert state.kind in ("chance", "end")


def with_tiles_in_the_pile(left):
    """Return a late state with so many unseen tiles, from a seeded game."""
    state = State.new(38, Rules.published())
    count = 0
    while True:
        if state.kind == "chance":
            state = state.play(state.outcomes()[0][0])
            continue
        pile = state.to_dict()["state"]
        hidden = pile["pile"] + sum("down" in place for place in pile["display"])
        if hidden <= left and state.legal()[0].kind == "play_tile":
            return state
        legal = state.legal()
        count += 1
        state = state.play(legal[count % len(legal)])


def test_draws_as_chance_agree_with_the_graph():
    state = with_tiles_in_the_pile(1)
    with pytest.raises(StateError, match="tiles are hidden, in the pile or face down"):
        solve_endgame(state)
    solution = solve_endgame(state, draws=True)
    assert solution.value == Fraction(743, 110)
    assert solution.graph().nodes[solution.state]["value"] == solution.value


def open_late_states(seed, most):
    """Return the starts of late turns of a random game, both hands open."""
    rng = np.random.default_rng(seed)
    rules = Rules(variant="beginner") if seed % 2 else Rules.published()
    state, found = State.new(rng, rules).unordered(), []
    while state.kind != "end":
        unseen = int(state._core[Field.POOL]).bit_count()
        if unseen <= most and state.kind == "decision" and state.legal()[0].kind == "play_tile":
            found.append(state)
        outcomes = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(outcomes[int(rng.integers(len(outcomes)))])
    return found


@pytest.mark.parametrize("seed", range(12))
def test_pruning_changes_no_value(seed):
    for state in open_late_states(seed, 1):
        try:
            value, _ = value_without_pruning(state, 60_000)
        except SolverError:
            continue
        for techniques in range(EVERYTHING + 1):
            solution = solve_endgame(state, draws=True, techniques=techniques)
            assert solution.value == value
            assert solution.player == state.to_move
        assert max(solution.moves.values()) == value
        assert {solution.value_at(state.play(action)) for action in solution.best} == {value}


@pytest.mark.parametrize("record", RECORDED[::4], ids=lambda record: str(record["id"]))
def test_every_value_is_within_its_bounds(record):
    solution = solve_endgame(State.from_dict(record))
    sign = 1 if solution.player == 0 else -1
    bounds = np.zeros(2, dtype=np.int64)
    for state, data in solution.graph().nodes(data=True):
        margin_bounds(state._core, bounds)
        assert bounds[0] <= sign * data["value"] <= bounds[1]
        if state.kind == "end":
            assert bounds[0] == bounds[1]


@pytest.mark.parametrize("seed", range(60))
def test_a_game_ends_within_its_bounds(seed):
    rng = np.random.default_rng(seed)
    state = State.new(rng, Rules() if seed % 2 else Rules.published()).unordered()
    bounds, met = np.zeros(2, dtype=np.int64), []
    while state.kind != "end":
        margin_bounds(state._core, bounds)
        met.append(tuple(bounds))
        outcomes = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(outcomes[int(rng.integers(len(outcomes)))])
    margin = state.score(0).total - state.score(1).total
    assert all(low <= margin <= high for low, high in met)


def test_refusals():
    record = max(RECORDED, key=lambda record: record["leaves"])
    state = State.from_dict(record)
    with pytest.raises(SolverError, match="more positions than max_nodes = 5"):
        solve_endgame(state, max_nodes=5)
    with pytest.raises(SolverError, match="more positions than max_nodes = 5"):
        count_leaves(state, max_nodes=5)
    with pytest.raises(SolverError, match="max_nodes is 0"):
        solve_endgame(state, max_nodes=0)
    with pytest.raises(StateError, match="no state"):
        solve_endgame("a text")
    solution = solve_endgame(state)
    while state.kind != "end":
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(options[0])
    with pytest.raises(StateError, match="over"):
        solve_endgame(state)
    assert solution.value_at(state) is not None


def test_losses_and_text():
    solution = solve_endgame(State.from_dict(RECORDED[0]))
    assert min(solution.losses.values()) == 0
    assert {action for action, loss in solution.losses.items() if not loss} == set(solution.best)
    assert "exact" in str(solution)
    assert "play_tile 1-8" in str(solution)
