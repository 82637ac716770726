"""The part of a graph of states that says how it should be played: best lines and their siblings.

It knows no game. What it returns is small enough to be drawn where the whole graph is not.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

import networkx as nx

from solver.errors import SolverError
from solver.state_graph import best_actions

__all__ = ["MOST_OUTCOMES", "Outcomes", "best_lines", "check_graph"]

MOST_OUTCOMES: Final = 6
"""With more outcomes, those of one value are put together."""


@dataclass(frozen=True)
class Outcomes:
    """Several outcomes of chance that are worth the same, as one node.

    Attributes
    ----------
    state : hashable
        Where chance decides.
    value : number
        What each of them is worth.
    """

    state: Hashable
    value: Any


def best_lines(graph: "nx.DiGraph[Any]", most_outcomes: int = MOST_OUTCOMES) -> "nx.DiGraph[Any]":
    """Return the best lines of a graph with values, and what else could be played in them.

    At a decision the first best action is followed; all others lead to states that are shown and
    not followed. At chance all outcomes are followed; where there are many, they are put together
    by value, and such a group is not followed.

    Parameters
    ----------
    graph : networkx.DiGraph
        From `solver.state_graph.state_graph`, with the values of `expectiminimax`.
    most_outcomes : int
        With more outcomes than this, those of one value become one node, an `Outcomes`.

    Returns
    -------
    networkx.DiGraph
        With the same attributes. Nodes have besides ``cut``: whether play goes on there which is
        not in this graph. Groups are of the kind ``"outcomes"`` and have their ``count``; the edge
        to one has all actions and the sum of the probabilities.

    Raises
    ------
    SolverError
        If this is no graph of states, or values were not computed.

    Examples
    --------
    >>> graph = nx.DiGraph(root="start")
    >>> for state, value in (("start", 3), ("left", 3), ("right", 1), ("deep", 1)):
    ...     kind = "decision" if state in ("start", "right") else "end"
    ...     graph.add_node(state, kind=kind, decider=0 if kind == "decision" else None, value=value)
    >>> graph.add_edge("start", "left", actions=["l"], probability=None)
    >>> graph.add_edge("start", "right", actions=["r"], probability=None)
    >>> graph.add_edge("right", "deep", actions=["d"], probability=None)
    >>> lines = best_lines(graph)
    >>> sorted(lines), lines.nodes["right"]["cut"]
    (['left', 'right', 'start'], True)
    """
    root = check_graph(graph)
    if isinstance(most_outcomes, bool) or not isinstance(most_outcomes, int) or most_outcomes < 1:
        raise SolverError(f"most_outcomes is {most_outcomes!r}: expected a whole number, 1 or more")
    if "value" not in graph.nodes[root]:
        raise SolverError("values are not known yet: run expectiminimax on the graph first")
    found: nx.DiGraph[Any] = nx.DiGraph(root=root)
    found.add_node(root, **graph.nodes[root])
    followed, waiting = {root}, [root]
    while waiting:
        state = waiting.pop()
        following = list(graph.successors(state))
        if graph.nodes[state]["kind"] == "chance" and len(following) > most_outcomes:
            _add_groups(found, graph, state)
            continue
        best = best_actions(graph, state)[:1] if graph.nodes[state]["kind"] == "decision" else None
        for other in following:
            edge = graph.edges[state, other]
            found.add_node(other, **graph.nodes[other])
            found.add_edge(state, other, **edge)
            if other not in followed and (best is None or best[0] in edge["actions"]):
                followed.add(other)
                waiting.append(other)
    for state, data in found.nodes(data=True):
        if not isinstance(state, Outcomes):
            data["cut"] = found.out_degree(state) == 0 < graph.out_degree(state)
    return found


def check_graph(graph: object) -> Any:
    """Return the root of a graph of states, or refuse what is none."""
    if not isinstance(graph, nx.DiGraph) or graph.graph.get("root") not in graph:
        raise SolverError(f"{type(graph).__name__} is no graph of states: use state_graph(root)")
    return graph.graph["root"]


def _add_groups(found: "nx.DiGraph[Any]", graph: "nx.DiGraph[Any]", state: Any) -> None:
    """Add the outcomes of a chance node by value, the smallest first."""
    groups: dict[Any, list[Any]] = {}
    for other in graph.successors(state):
        groups.setdefault(graph.nodes[other]["value"], []).append(other)
    for value in sorted(groups):
        edges = [graph.edges[state, other] for other in groups[value]]
        group = Outcomes(state, value)
        cut = any(graph.out_degree(other) for other in groups[value])
        found.add_node(group, kind="outcomes", decider=None, value=value, count=len(edges), cut=cut)
        actions = [action for edge in edges for action in edge["actions"]]
        chance = sum(edge["probability"] for edge in edges)
        found.add_edge(state, group, actions=actions, probability=chance)
