"""Compiling games to public trees, and reading what the trees hold."""

import numpy as np
import pytest

from solver.errors import PayoffError, SolverError, StateError
from solver.public_game import NodeKind
from solver.tree_compiler import compile_public_tree, memory_needed
from tests.small_games import Goofspiel, Kuhn, KuhnAtOnce, Leduc, MatrixGame, RandomGame


@pytest.fixture(scope="module")
def kuhn():
    return compile_public_tree(Kuhn())


def changed(game, **methods):
    """Return the game with some answers replaced."""
    parts = {name: staticmethod(method) for name, method in methods.items()}
    return type("Changed", (type(game),), parts).__new__(type("Changed", (type(game),), parts))


def test_sizes_of_the_literature(kuhn):
    assert [form.sets for form in kuhn.players] == [6, 6]
    assert kuhn.nodes == 9
    leduc = compile_public_tree(Leduc())
    # 288 information sets in all when suits are not told apart
    assert [form.sets for form in leduc.players] == [144, 144]


def test_levels_hold_all_nodes_in_order(kuhn):
    tree = compile_public_tree(Leduc())
    for level in range(1, tree.levels):
        nodes = range(tree.level_start[level], tree.level_start[level + 1])
        parents = tree.parent[nodes]
        assert (parents >= tree.level_start[level - 1]).all()
        assert (parents < tree.level_start[level]).all()
        assert all(node in tree.child[tree.child_start[tree.parent[node]] :] for node in nodes)
    assert tree.level_start[-1] == tree.nodes


def test_chances_of_all_ends_sum_to_one():
    for game in (Kuhn(), *map(RandomGame, range(10))):
        tree = compile_public_tree(game)
        if not np.isin(tree.kind, (NodeKind.CHANCE, NodeKind.END)).all():
            continue
        total = sum(tree.type_chances(int(node)).sum() for node in tree.end_node)
        assert total == pytest.approx(1)


def test_chance_of_types_includes_public_chance():
    tree = compile_public_tree(Leduc())
    node = tree.find("c", "c", "K")
    chances = tree.type_chances(node)
    assert chances.sum() == pytest.approx(1 / 3)
    # both hold a king and a third one is turned up: there are two kings only
    assert chances[2, 2] == 0
    assert chances[0, 1] == pytest.approx(4 / 30 * 2 / 4)


def test_a_type_that_cannot_be_there_is_left_out():
    prior = np.array([[0.5, 0.0], [0.5, 0.0]])
    game = changed(MatrixGame([[1, 2], [3, 4]]), types=lambda player: "ab", prior=lambda: prior)
    game.payoffs = np.eye(2)
    tree = compile_public_tree(game)
    assert tree.type_chances(0).shape == (2, 1)
    with pytest.raises(StateError, match="cannot have type 'b' at node 0"):
        tree.slot(1, 0, "b")


def test_moves_lead_to_nodes_and_bad_ones_are_named(kuhn):
    assert kuhn.kind[kuhn.find("p", "b")] == NodeKind.PLAYER_0
    with pytest.raises(StateError, match="'x' is no move at node 0: expected one of 'p', 'b'"):
        kuhn.find("x")
    with pytest.raises(StateError, match="play has ended"):
        kuhn.find("b", "b", "b")
    both = compile_public_tree(KuhnAtOnce())
    assert both.find(("p", "wait"), ("wait", "b")) == kuhn.find("p", "b")
    with pytest.raises(StateError, match="a pair of"):
        both.find("p")


def test_strategies_are_read_by_node_and_type(kuhn):
    strategy = kuhn.players[1].uniform()
    node = kuhn.find("p")
    assert kuhn.action_probabilities(1, strategy, node, "Q") == {"p": 0.5, "b": 0.5}
    with pytest.raises(StateError, match="does not move"):
        kuhn.action_probabilities(0, strategy, node, "Q")
    with pytest.raises(StateError, match="no type 'A'"):
        kuhn.action_probabilities(1, strategy, node, "A")
    with pytest.raises(StateError, match="no node 99"):
        kuhn.action_probabilities(1, strategy, 99, "Q")


def test_a_forced_action_is_certain_and_has_no_information_set():
    tree = compile_public_tree(KuhnAtOnce())
    assert tree.information_set(1, 0, "Q") is None
    assert tree.action_probabilities(1, tree.players[1].uniform(), 0, "Q") == {"wait": 1.0}
    mask = np.array([[True, True], [False, True], [True, False]])
    masked = compile_public_tree(
        changed(Kuhn(), available=lambda node, player: mask if node == "" else None)
    )
    uniform = masked.players[0].uniform()
    assert masked.action_probabilities(0, uniform, 0, "J") == {"p": 0.5, "b": 0.5}
    assert masked.action_probabilities(0, uniform, 0, "Q") == {"b": 1.0}
    assert masked.action_probabilities(0, uniform, 0, "K") == {"p": 1.0}


def test_equal_tables_are_shared():
    tree = compile_public_tree(Goofspiel(range(1, 5)))
    assert len(tree.end_node) == 576
    assert len(tree.table_start) - 1 == 3


def test_arrays_cannot_be_written(kuhn):
    with pytest.raises(ValueError, match="read-only"):
        kuhn.table_values[0] = 1


def test_memory_is_told_and_limited(kuhn):
    needed = memory_needed(Leduc())
    tree = compile_public_tree(Leduc(), max_bytes=needed)
    assert tree.bytes <= needed
    with pytest.raises(SolverError, match="MiB allowed"):
        compile_public_tree(Leduc(), max_bytes=needed - 1)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"types": lambda player: []}, "types of player 0"),
        ({"types": lambda player: ["J", "J", "K"]}, "types of player 0"),
        ({"prior": lambda: np.eye(2) / 2}, "prior has shape"),
        ({"prior": lambda: np.eye(3)}, "prior is no probability"),
        ({"prior": lambda: np.full((3, 3), np.nan)}, "prior is no probability"),
        ({"prior": lambda: np.diag([1.5, -0.5, 0])}, "prior is no probability"),
        ({"kind": lambda node: 7}, "expected a NodeKind"),
        ({"actions": lambda node, player: []}, "moves at ''"),
        ({"actions": lambda node, player: ["p", "p"]}, "moves at ''"),
        ({"available": lambda node, player: np.ones((2, 2))}, "has shape"),
        ({"available": lambda node, player: np.zeros((3, 2))}, "type 'J' of player 0 has no act"),
        ({"payoff": lambda node: np.zeros((2, 2))}, "a payoff at 'pp' has shape"),
        ({"payoff": lambda node: np.inf}, "a payoff at 'pp' is not finite"),
    ],
)
def test_a_game_that_contradicts_the_protocol_is_refused(methods, message):
    with pytest.raises(SolverError, match=message):
        compile_public_tree(changed(Kuhn(), **methods))


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ({"J": 0.5, "Q": 0.4}, "do not sum to 1"),
        ({"J": 1.5, "Q": -0.5}, "negative or not finite"),
        ({"J": np.ones((2, 3))}, "has shape"),
        ({}, "expected one or more"),
    ],
)
def test_chance_that_is_no_probability_is_refused(chances, message):
    with pytest.raises(SolverError, match=message):
        compile_public_tree(changed(Leduc(), chances=lambda node: chances))


def test_payoffs_of_impossible_pairs_are_not_read():
    payoff = np.where(np.eye(3) > 0, np.nan, 1.0)
    tree = compile_public_tree(changed(Kuhn(), payoff=lambda node: payoff))
    assert np.isfinite(tree.table_values).all()
    with pytest.raises(PayoffError):
        compile_public_tree(changed(Kuhn(), payoff=lambda node: np.full((3, 3), np.nan)))


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (np.ones(3), "expected one number for each of 13 sequences"),
        (np.full(13, np.nan), "negative or not finite"),
        (np.append(1, np.tile([1.5, -0.5], 6)), "negative or not finite"),
        (np.ones(13), "information set 0 sum to 2.0"),
        (np.append(0.5, np.full(12, 0.5)), "empty sequence sum to 0.5"),
    ],
)
def test_what_is_no_strategy_is_refused(kuhn, strategy, message):
    with pytest.raises(SolverError, match=message):
        kuhn.players[0].check(strategy)
