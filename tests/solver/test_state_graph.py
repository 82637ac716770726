"""Graphs of states and expectiminimax on them, with small games whose values are known."""

from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import pytest

from solver.errors import SolverError
from solver.state_graph import (
    best_actions,
    count_histories,
    expectiminimax,
    principal_variation,
    readable,
    state_graph,
    to_dot,
    to_graphml,
)
from tests.small_games import Nim


@dataclass(frozen=True)
class Dice:
    """Throw a die again and again, at most three times, or keep the number."""

    throws: int = 3
    shown: int = 0
    kept: bool = False

    @property
    def kind(self):
        if self.kept:
            return "end"
        return "decision" if self.shown else "chance"

    @property
    def decider(self):
        return 0 if self.kind == "decision" else None

    def legal(self):
        return ["keep", "throw"] if self.throws else ["keep"]

    def outcomes(self):
        return [(k, Fraction(1, 6)) for k in range(1, 7)] if self.kind == "chance" else []

    def play(self, action):
        if action == "keep":
            return Dice(self.throws, self.shown, True)
        if action == "throw":
            return Dice(self.throws)
        return Dice(self.throws - 1, action)


@dataclass(frozen=True)
class Circle:
    """Two states that lead to each other."""

    place: int = 0
    kind = "decision"
    decider = 0

    def legal(self):
        return ["on"]

    def outcomes(self):
        return []

    def play(self, _):
        return Circle(1 - self.place)


def winner(state):
    # Who was to move at the empty heap has lost.
    return -1 if state.player == 0 else 1


@pytest.mark.parametrize("heap", range(1, 13))
def test_nim_is_lost_at_multiples_of_four(heap):
    graph = state_graph(Nim(heap))
    values = expectiminimax(graph, winner)
    assert values[Nim(heap)] == (-1 if heap % 4 == 0 else 1)
    if heap % 4:
        assert best_actions(graph, Nim(heap)) == [heap % 4]
    assert graph.nodes[Nim(heap)]["depth"] == heap


def test_values_to_the_other_player_are_opposite():
    graph = state_graph(Nim(7))
    mine = expectiminimax(graph, winner)
    theirs = expectiminimax(graph, lambda state: -winner(state), player=1)
    assert all(mine[state] == -theirs[state] for state in graph)


def test_best_of_three_throws():
    graph = state_graph(Dice())
    values = expectiminimax(graph, lambda state: Fraction(state.shown))
    # One throw 7/2; two: keep 4 and more, 17/4; three: keep 5 and more.
    assert values[Dice(0 + 1)] == Fraction(7, 2)
    assert values[Dice(2)] == Fraction(17, 4)
    assert values[Dice()] == Fraction(14, 3)
    assert best_actions(graph, Dice(2, 4)) == ["throw"]
    assert sum(data["probability"] for _, _, data in graph.out_edges(Dice(), data=True)) == 1


def test_principal_variation_stops_at_chance_and_at_the_end():
    graph = state_graph(Nim(6))
    expectiminimax(graph, winner)
    line = principal_variation(graph, Nim(6))
    assert line[0] == 2
    assert sum(line) == 6
    graph = state_graph(Dice(2, 1))
    expectiminimax(graph, lambda state: Fraction(state.shown))
    assert principal_variation(graph, Dice(2, 1)) == ["throw"]


def test_refusals():
    with pytest.raises(SolverError, match="max_nodes = 3 states"):
        state_graph(Nim(9), max_nodes=3)
    with pytest.raises(SolverError, match="come back to itself"):
        state_graph(Circle())
    for wrong in (0, -1, True, 2.5):
        with pytest.raises(SolverError, match="max_nodes"):
            state_graph(Nim(3), max_nodes=wrong)


def test_readable_graphs_are_written_as_graphml(tmp_path):
    graph = state_graph(Dice(2))
    expectiminimax(graph, lambda state: Fraction(state.shown))
    plain = readable(graph)
    path = tmp_path / "dice.graphml"
    nx.write_graphml(plain, path)
    back = nx.read_graphml(path)
    assert len(back) == len(graph)
    assert back.number_of_edges() == graph.number_of_edges()
    root = str(plain.graph["root"])
    assert back.nodes[root]["value"] == "17/4"
    assert back.nodes[root]["kind"] == "chance"


def test_dot_has_every_node_and_edge_and_marks_best_actions():
    graph = state_graph(Nim(3))
    expectiminimax(graph, winner)
    text = to_dot(graph)
    assert text.count("->") == graph.number_of_edges()
    assert text.count("shape=") == len(graph)
    root = text.split("[shape")[0].split()[-1]
    best = next(
        line for line in text.splitlines() if line.startswith(f"  {root} ->") and "2];" in line
    )
    assert 'label="3"' in best
    assert "(1/6)" in to_dot(state_graph(Dice(1)))


def test_graphml_is_read_back_with_all_values():
    graph = state_graph(Dice(2))
    expectiminimax(graph, lambda state: Fraction(state.shown))
    plain = readable(graph)
    back = nx.parse_graphml(to_graphml(graph), node_type=int)
    assert dict(back.nodes(data=True)) == dict(plain.nodes(data=True))
    assert [*back.edges(data=True)] == [*plain.edges(data=True)]
    assert back.graph["root"] == plain.graph["root"]
    values = sorted(Fraction(data["value"]) for _, data in back.nodes(data=True))
    assert values == sorted(Fraction(data["value"]) for _, data in graph.nodes(data=True))
    chances = [Fraction(data["probability"]) for _, _, data in back.out_edges(0, data=True)]
    assert sum(chances) == 1


@dataclass(frozen=True)
class Quoted(Nim):
    """Nim whose moves have names that a file must escape."""

    def legal(self):
        return ['say "one" \\ <1>']

    def play(self, taken):
        return Quoted(0, 1 - self.player)


def test_names_are_escaped():
    graph = state_graph(Quoted(1))
    assert r'label="say \"one\" \\ <1>"' in to_dot(graph)
    ((_, _, data),) = nx.parse_graphml(to_graphml(graph)).edges(data=True)
    assert data["actions"] == 'say "one" \\ <1>'


def test_histories_are_the_nodes_of_the_tree():
    # Moves of 1 to 3 from a heap of n: f(n) = 1 + f(n-1) + f(n-2) + f(n-3).
    assert [count_histories(state_graph(Nim(heap))) for heap in range(1, 6)] == [2, 4, 8, 15, 28]
    # Both faces of chance: 1 root, 6 numbers shown, 6 kept.
    assert count_histories(state_graph(Dice(1))) == 13
    assert count_histories(state_graph(Quoted(1))) == 2
