"""Games of turns and chance as a graph of states, and expectiminimax on it.

A node is a state: a player decides there, chance does, or the game is over. An edge carries the
actions that lead from one state to the next, or the probability of it. Equal states are one node,
so that the graph is what a transposition table holds; games in which no state comes twice in a play
give a directed acyclic graph.

It knows no game: any immutable, hashable state with the few members of `GameState` will do.

References
----------
D. Michie (1966), Game-playing and game-learning automata. In: Advances in Programming and
Non-Numerical Computation, 183-200 (expectiminimax).
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import networkx as nx

from solver.errors import SolverError

__all__ = [
    "GameState",
    "best_actions",
    "count_histories",
    "expectiminimax",
    "principal_variation",
    "readable",
    "state_graph",
    "to_dot",
    "to_graphml",
]


class GameState(Hashable, Protocol):
    """What a state must know of itself."""

    @property
    def kind(self) -> str:
        """``"decision"``, ``"chance"`` or ``"end"``."""

    @property
    def decider(self) -> int | None:
        """Who decides, 0 or 1."""

    def legal(self) -> list[Any]:
        """Return the legal actions of a decision."""

    def outcomes(self) -> list[tuple[Any, Fraction]]:
        """Return what chance may bring, with probabilities."""

    def play(self, action: Any) -> Any:
        """Return the state that follows."""


StateT = TypeVar("StateT", bound=GameState)


def state_graph(root: StateT, max_nodes: int = 100_000) -> "nx.DiGraph[StateT]":
    """Return the graph of all states that can be reached from one.

    Parameters
    ----------
    root : GameState
        Where to begin.
    max_nodes : int
        Refuse a larger graph.

    Returns
    -------
    networkx.DiGraph
        Nodes are states with the attributes ``kind`` and ``decider``. Edges have ``actions``, a
        list (several may lead to one state), and from a chance node ``probability``, a Fraction.
        The graph's attribute ``root`` is the first state.

    Raises
    ------
    SolverError
        If there are more states than `max_nodes`, or one comes back to itself.
    """
    if isinstance(max_nodes, bool) or not isinstance(max_nodes, int) or max_nodes < 1:
        raise SolverError(f"max_nodes is {max_nodes!r}: expected a whole number, 1 or more")
    graph: nx.DiGraph[StateT] = nx.DiGraph(root=root)
    graph.add_node(root, kind=root.kind, decider=root.decider)
    waiting = [root]
    while waiting:
        state = waiting.pop()
        options: list[tuple[Any, Fraction | None]] = []
        if state.kind == "chance":
            options = list(state.outcomes())
        elif state.kind == "decision":
            options = [(action, None) for action in state.legal()]
        for action, chance in options:
            following = state.play(action)
            if following not in graph:
                if len(graph) >= max_nodes:
                    raise SolverError(f"more than max_nodes = {max_nodes} states can be reached")
                graph.add_node(following, kind=following.kind, decider=following.decider)
                waiting.append(following)
            if not graph.has_edge(state, following):
                graph.add_edge(state, following, actions=[], probability=None)
            edge = graph.edges[state, following]
            edge["actions"].append(action)
            if chance is not None:
                edge["probability"] = (edge["probability"] or Fraction(0)) + chance
    if not nx.is_directed_acyclic_graph(graph):
        raise SolverError("a state can come back to itself: values are not defined by recursion")
    return graph


def count_histories(graph: "nx.DiGraph[StateT]") -> int:
    """Return in how many ways play can come to a state, over all states.

    That is how many nodes the tree of the game has, in which a state stands once for each way that
    leads to it.
    """
    ways = dict.fromkeys(graph, 0)
    ways[graph.graph["root"]] = 1
    for state in nx.topological_sort(graph):
        for other, edge in graph[state].items():
            ways[other] += ways[state] * len(edge["actions"])
    return sum(ways.values())


def expectiminimax(
    graph: "nx.DiGraph[StateT]", payoff: Callable[[StateT], Any], player: int = 0
) -> dict[StateT, Any]:
    """Return the value of every state to a player, and write it to the graph.

    Parameters
    ----------
    graph : networkx.DiGraph
        From `state_graph`.
    payoff : callable
        What an end is worth to that player. With whole numbers or Fractions all values are exact;
        floats are summed in the order in which chance lists its outcomes.
    player : int
        Whose value it is; the other minimises it.

    Returns
    -------
    dict
        The value of each state; nodes of the graph have it as ``value``, and as ``depth`` the
        length of the longest play from there.
    """
    values: dict[StateT, Any] = {}
    depths: dict[StateT, int] = {}
    for state in reversed(list(nx.topological_sort(graph))):
        following = list(graph.successors(state))
        kind = graph.nodes[state]["kind"]
        if kind == "end":
            values[state] = payoff(state)
        elif kind == "chance":
            values[state] = sum(
                graph.edges[state, other]["probability"] * values[other] for other in following
            )
        else:
            choose = max if graph.nodes[state]["decider"] == player else min
            values[state] = choose(values[other] for other in following)
        depths[state] = 1 + max((depths[other] for other in following), default=-1)
        graph.nodes[state].update(value=values[state], depth=depths[state])
    return values


def best_actions(graph: "nx.DiGraph[StateT]", state: StateT) -> list[Any]:
    """Return the actions of a decision that reach its value, once values were computed."""
    return [
        action
        for other in graph.successors(state)
        if graph.nodes[other].get("value") == graph.nodes[state].get("value")
        for action in graph.edges[state, other]["actions"]
    ]


def principal_variation(graph: "nx.DiGraph[StateT]", state: StateT) -> list[Any]:
    """Return a line of best play, up to the end or to where chance decides."""
    line = []
    while graph.nodes[state]["kind"] == "decision":
        action = best_actions(graph, state)[0]
        line.append(action)
        state = next(
            other
            for other in graph.successors(state)
            if action in graph.edges[state, other]["actions"]
        )
    return line


def readable(graph: "nx.DiGraph[StateT]") -> "nx.DiGraph[int]":
    """Return the graph with numbers for nodes and text for everything on them.

    `to_graphml` writes it in this form, `to_dot` the graph itself for Graphviz.
    """
    numbers = {state: number for number, state in enumerate(graph)}
    result: nx.DiGraph[int] = nx.DiGraph(root=numbers[graph.graph["root"]])
    for state, data in graph.nodes(data=True):
        decider = data["decider"]
        result.add_node(
            numbers[state],
            label=str(state),
            kind=data["kind"],
            decider="" if decider is None else str(decider),
            value=str(data.get("value", "")),
        )
    for state, other, data in graph.edges(data=True):
        chance = data["probability"]
        result.add_edge(
            numbers[state],
            numbers[other],
            actions=", ".join(map(str, data["actions"])),
            probability="" if chance is None else str(chance),
        )
    return result


def to_graphml(graph: "nx.DiGraph[StateT]") -> str:
    """Return a graph as GraphML: that of `readable`, which ``networkx.read_graphml`` reads back.

    Nodes have ``label``, ``kind``, ``decider`` and ``value``, edges ``actions`` and
    ``probability``, all of them text and fractions such as ``27/5``; empty where there is none. The
    graph's ``root`` is the number of the first state.
    """
    return "\n".join(nx.generate_graphml(readable(graph))) + "\n"


_SHAPES = {"decision": "box", "chance": "diamond", "end": "plain"}


def to_dot(graph: "nx.DiGraph[StateT]") -> str:
    """Return a graph in the DOT language of Graphviz, values on the nodes.

    Decisions are boxes, chance nodes diamonds, ends bare numbers; best actions of a decision have
    thick edges once values were computed.
    """
    numbers = {state: number for number, state in enumerate(graph)}
    lines = ["digraph {"]
    for state, data in graph.nodes(data=True):
        who = "" if data["decider"] is None else f"player {data['decider']}\\n"
        label = f"{who}{_escaped(data.get('value', ''))}"
        shape, tooltip = _SHAPES[data["kind"]], _escaped(state)
        lines.append(f'  {numbers[state]} [shape={shape}, label="{label}", tooltip="{tooltip}"];')
    for state, other, data in graph.edges(data=True):
        label = _escaped(", ".join(map(str, data["actions"])))
        best = graph.nodes[state]["kind"] == "decision" and (
            "value" in graph.nodes[state]
            and graph.nodes[state]["value"] == graph.nodes[other]["value"]
        )
        width = ", penwidth=2" if best else ""
        chance = f" ({data['probability']})" if data["probability"] is not None else ""
        lines.append(f'  {numbers[state]} -> {numbers[other]} [label="{label}{chance}"{width}];')
    return "\n".join([*lines, "}"]) + "\n"


def _escaped(text: object) -> str:
    r"""Return a text as it stands between quotes in DOT: ``\"`` is a quote, ``\\`` a backslash."""
    return str(text).replace("\\", "\\\\").replace('"', '\\"')
