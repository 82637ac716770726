"""A small graph of states drawn as a tree of play. Needs matplotlib, an optional package.

Play runs from left to right. Squares are decisions, filled for player 0 and white for player 1,
diamonds are chance, and ends are bare numbers; a state's value stands beside it. Edges that keep
the value of a decision are thick. No meaning is in colour alone.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from games.picture_file import new_figure, save_figure
from solver.errors import SolverError
from solver.state_graph import StateT

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST_DRAWN", "draw_state_graph"]

MOST_DRAWN: Final = 80
"""So many states can still be read on a page."""

_INK, _GREY = "#1a1a1a", "#8a8a8a"
_MARKERS: Final = {"decision": "s", "chance": "D", "end": "."}
_WIDE, _HIGH = 2.3, 0.42


def draw_state_graph(  # noqa: PLR0917
    graph: "nx.DiGraph[StateT]",
    path: str | os.PathLike[str] | None = None,
    title: str = "",
    best_lines: bool = False,
    name: Callable[[Any], str] = str,
    dpi: int = 150,
) -> "Figure":
    """Return a picture of a graph of states, and write it to a file if one is named.

    Parameters
    ----------
    graph : networkx.DiGraph
        From `solver.state_graph.state_graph`; values are shown once `expectiminimax` was run.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others).
    title : str
        What stands above.
    best_lines : bool
        Follow only best play and chance; what else could be played is drawn with its value, but not
        what comes after it. For graphs that are too large in full.
    name : callable
        The text of an action or outcome.
    dpi : int
        Dots per inch of formats that have dots.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    SolverError
        If more than `MOST_DRAWN` states would be drawn, or best lines are asked for before values
        were computed.
    GameError
        If matplotlib is missing, or does not know the format.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from solver.state_graph import expectiminimax, state_graph
    >>> draw_state_graph(state_graph(root), "tree.png")  # doctest: +SKIP
    """
    followed: list[StateT] = _followed(graph, best_lines)
    drawn = {graph.graph["root"]} | {other for state in followed for other in graph[state]}
    if len(drawn) > MOST_DRAWN:
        advice = "" if best_lines else "; best_lines=True draws less"
        raise SolverError(f"{len(drawn)} states: more than {MOST_DRAWN} cannot be read{advice}")
    places = _places(graph, followed)
    deep = max(x for x, _ in places.values())
    tall = max(y for _, y in places.values())
    figure = new_figure(1.6 + _WIDE * deep, 1.1 + _HIGH * tall, dpi)
    axes = figure.add_axes((0.02, 0.02, 0.96, 0.96))
    axes.axis("off")
    axes.set(xlim=(-0.3, deep + 0.45), ylim=(tall + 0.7, -1.6))
    axes.text(-0.25, -1.2, title, fontsize=11, weight="bold", color=_INK, va="center")
    for state in followed:
        for other in graph[state]:
            _draw_edge(axes, graph, (state, other), places, name)
    for state in drawn:
        _draw_node(axes, graph, state, places[state])
    if path is not None:
        save_figure(figure, path, dpi)
    return figure


def _followed(graph: "nx.DiGraph[StateT]", best_lines: bool) -> list[StateT]:
    """Return the states whose options are drawn, in the order in which they are met."""
    root = graph.graph["root"]
    if best_lines and "value" not in graph.nodes[root]:
        raise SolverError("values are not known yet: run expectiminimax on the graph first")
    found: dict[StateT, None] = {root: None}
    waiting = [root]
    while waiting:
        state = waiting.pop()
        for other in graph[state]:
            if other not in found and (not best_lines or _keeps_value(graph, state, other)):
                found[other] = None
                waiting.append(other)
    return [state for state in found if graph.out_degree(state)]


def _keeps_value(graph: "nx.DiGraph[StateT]", state: StateT, other: StateT) -> bool:
    """Return whether a move is best play, or chance."""
    if graph.nodes[state]["kind"] != "decision":
        return True
    return bool(graph.nodes[state].get("value") == graph.nodes[other].get("value"))


def _places(
    graph: "nx.DiGraph[StateT]", followed: list[StateT]
) -> dict[StateT, tuple[float, float]]:
    """Return where each state stands: its latest move from the root, and a row of its own.

    A state without options that are drawn takes the next row, any other the middle of its options
    met first there.
    """
    inner, root = set(followed), graph.graph["root"]
    columns: dict[StateT, int] = {root: 0}
    rows: dict[StateT, float] = {}
    order: list[StateT] = []
    stack: list[StateT] = [root]
    while stack:
        state = stack.pop()
        if state in rows:
            continue
        rows[state] = -1.0
        order.append(state)
        if state in inner:
            stack += reversed(list(graph[state]))
    for state in _in_play_order(graph, inner):
        for other in graph[state]:
            columns[other] = max(columns.get(other, 0), columns[state] + 1)
    next_row = 0.0
    own: dict[StateT, list[StateT]] = {}
    met = {root}
    for state in order:
        own[state] = []
        for other in graph[state] if state in inner else ():
            if other not in met:
                met.add(other)
                own[state].append(other)
    for state in order:
        if not own[state]:
            rows[state], next_row = next_row, next_row + 1
    for state in reversed(order):
        if own[state]:
            rows[state] = sum(rows[other] for other in own[state]) / len(own[state])
    return {state: (columns[state], rows[state]) for state in order}


def _in_play_order(graph: "nx.DiGraph[StateT]", inner: set[StateT]) -> list[StateT]:
    """Return the states before those that follow them."""
    import networkx as nx  # noqa: PLC0415

    return [state for state in nx.topological_sort(graph) if state in inner]


def _draw_edge(
    axes: "Axes",
    graph: "nx.DiGraph[StateT]",
    edge: tuple[StateT, StateT],
    places: dict[StateT, tuple[float, float]],
    name: Callable[[Any], str],
) -> None:
    state, other = edge
    (x, y), (to_x, to_y) = places[state], places[other]
    data = graph.edges[edge]
    known = "value" in graph.nodes[state] and graph.nodes[state]["kind"] == "decision"
    best = known and _keeps_value(graph, state, other)
    axes.plot(
        [x, x + 0.22, to_x], [y, to_y, to_y], color=_INK if best else _GREY,
        linewidth=2.4 if best else 0.9, zorder=1,
    )  # fmt: skip
    text = ", ".join(map(name, data["actions"]))
    if data["probability"] is not None:
        text += f"  {data['probability']}"
    axes.text(
        x + 0.24, to_y - 0.08, text, fontsize=6.5, color=_INK, va="bottom",
        weight="bold" if best else "normal",
    )  # fmt: skip


def _draw_node(
    axes: "Axes", graph: "nx.DiGraph[StateT]", state: StateT, place: tuple[float, float]
) -> None:
    data, (x, y) = graph.nodes[state], place
    filled = data["kind"] == "decision" and data["decider"] == 0
    axes.plot(
        [x], [y], marker=_MARKERS[data["kind"]], markersize=7, color=_INK,
        markerfacecolor=_INK if filled or data["kind"] == "end" else "white", zorder=3,
    )  # fmt: skip
    value = data.get("value")
    if value is not None:
        text = f"{value:+.3g}" if isinstance(value, float) else f"{'+' if value > 0 else ''}{value}"
        axes.text(
            x + 0.05, y + 0.12, text, fontsize=7.5, color=_INK, va="top", weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6}, zorder=2,
        )  # fmt: skip
