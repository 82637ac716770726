"""Where the states of a small graph stand when it is drawn from left to right.

A state's column is the longest way to it from the root, so that every edge leads to the right. Each
edge ends in a row of its own: that of the state it leads to if it is the first to lead there,
otherwise one in which nothing else lies, so that neither states nor labels lie on one another.
"""

from dataclasses import dataclass, field
from typing import Any

import networkx as nx

__all__ = ["Layout", "layered_layout"]


@dataclass
class Layout:
    """Columns and rows, counted from 0.

    Attributes
    ----------
    columns : dict
        The column of each state.
    rows : dict
        The row of each state; a middle between rows for those that branch.
    edge_rows : dict
        The row in which each edge runs.
    height : int
        How many rows there are.
    """

    columns: dict[Any, int]
    rows: dict[Any, float] = field(default_factory=dict)
    edge_rows: dict[tuple[Any, Any], float] = field(default_factory=dict)
    height: int = 0


def layered_layout(graph: "nx.DiGraph[Any]") -> Layout:
    """Lay out a directed acyclic graph in which the attribute ``root`` leads to every node.

    Examples
    --------
    >>> graph = nx.DiGraph([("a", "b"), ("a", "c"), ("c", "b")], root="a")
    >>> layout = layered_layout(graph)
    >>> layout.columns
    {'a': 0, 'c': 1, 'b': 2}
    >>> layout.rows
    {'b': 0, 'c': 1, 'a': 0.5}
    >>> layout.edge_rows
    {('a', 'b'): 0, ('c', 'b'): 1, ('a', 'c'): 1}
    """
    layout = Layout({})
    for column, layer in enumerate(_layers(graph)):
        layout.columns.update(dict.fromkeys(layer, column))
    _place(graph, graph.graph["root"], layout, {graph.graph["root"]})
    return layout


def _layers(graph: "nx.DiGraph[Any]") -> list[list[Any]]:
    longest: dict[Any, int] = {}
    for state in nx.topological_sort(graph):
        longest[state] = max((longest[one] + 1 for one in graph.predecessors(state)), default=0)
    layers: list[list[Any]] = [[] for _ in range(1 + max(longest.values()))]
    for state, column in longest.items():
        layers[column].append(state)
    return layers


def _place(graph: "nx.DiGraph[Any]", state: Any, layout: Layout, met: set[Any]) -> float:
    """Give rows to a state and to all that are met first from there; return its own."""
    taken: list[float] = []
    for other in graph.successors(state):
        if other in met:
            row: float = layout.height
            layout.height += 1
        else:
            met.add(other)
            row = _place(graph, other, layout, met)
        layout.edge_rows[state, other] = row
        taken.append(row)
    if not taken:
        taken = [layout.height]
        layout.height += 1
    middle = (taken[0] + taken[-1]) / 2
    # A single option is on the line of its state, which is then a straight one.
    layout.rows[state] = taken[0] if len(taken) == 1 else middle
    return layout.rows[state]
