"""A small graph of states as a picture. Needs matplotlib, an optional package.

Play runs from left to right. What stands where is said by shapes, never by colour alone: boxes and
ovals are decisions of the two players, diamonds are chance, dark boxes are ends, and each has its
value in it. Thick lines are best play. It knows no game.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from games.picture_file import check_title, new_canvas, plain_style, save_figure, text_width
from solver.best_lines import best_lines as only_best_lines
from solver.best_lines import check_graph
from solver.errors import SolverError
from solver.state_graph import StateT
from solver.state_graph_layout import Layout, layered_layout

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST_DRAWN", "draw_state_graph"]

MOST_DRAWN: Final = 80
"""So many states, and rows, can still be read on a page."""

_INK, _GREY, _OVAL = "#1a1a1a", "#6a6a6a", "#dcdcdc"
_ROW: Final = 0.36
_BEND: Final = 0.24
_LEFT, _TOP, _BELOW = 0.3, 0.75, 0.75
_VALUE, _LABEL = 9.0, 8.5
"""The size of the letters of values and of labels."""
_LONGEST: Final = 34
"""Labels of more letters are shortened."""


def draw_state_graph(  # noqa: PLR0917
    graph: "nx.DiGraph[StateT]",
    path: str | os.PathLike[str] | None = None,
    title: str = "",
    best_lines: bool = False,
    name: Callable[[Any], str] = str,
    dpi: float = 150,
    *,
    players: tuple[str, str] = ("Player 0", "Player 1"),
) -> "Figure":
    """Return a picture of a graph of states, and write it to a file if one is named.

    Parameters
    ----------
    graph : networkx.DiGraph
        From `solver.state_graph.state_graph`; values and best play are shown once `expectiminimax`
        was run. A state to which several lines lead stands once.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others). An old file is replaced
        when the new one is complete.
    title : str
        What stands above.
    best_lines : bool
        Draw only what `solver.best_lines.best_lines` gives: best play, chance, and what else could
        be played, but not what comes after that. For graphs that are too large in full.
    name : callable
        Makes the text of an action or outcome.
    dpi : float
        Dots per inch of formats that have dots.
    players : pair of str
        What the two players are called.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    SolverError
        If this is no graph of states, more than `MOST_DRAWN` states or rows would be drawn, or best
        lines are asked for before values were computed.
    GameError
        If matplotlib is missing, or the format, the title or the dots make no sense.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from solver.state_graph import expectiminimax, state_graph
    >>> draw_state_graph(state_graph(root), "tree.png")  # doctest: +SKIP
    """
    check_graph(graph)
    title = check_title(title) or ""
    drawn: nx.DiGraph[Any] = only_best_lines(graph) if best_lines else graph
    advice = "" if best_lines else "; best_lines=True draws less"
    if len(drawn) > MOST_DRAWN:
        raise SolverError(f"{len(drawn)} states: more than {MOST_DRAWN} cannot be read{advice}")
    layout = layered_layout(drawn)
    if layout.height > MOST_DRAWN:
        raise SolverError(f"{layout.height} rows: more than {MOST_DRAWN} cannot be read{advice}")
    with plain_style():
        painter = _Painter(drawn, layout, name)
        legend = painter.legend(players)
        width = max(
            painter.width, _LEFT + sum(part for *_, part in legend),
            text_width(title, 12.5, "bold") + 2 * _LEFT,
        )  # fmt: skip
        figure, painter.axes = new_canvas(width, _TOP + _ROW * layout.height + _BELOW, dpi)
        painter.text(_LEFT, 0.32, title, 12.5, ha="left", weight="bold")
        for state, other in drawn.edges:
            painter.edge(state, other)
        for state in drawn:
            painter.node(state)
        painter.draw_legend(legend)
        return save_figure(figure, path, dpi)


class _Painter:
    """Draws one graph on axes in inches."""

    axes: "Axes"

    def __init__(
        self, graph: "nx.DiGraph[Any]", layout: Layout, name: Callable[[Any], str]
    ) -> None:
        self.graph, self.layout = graph, layout
        self.labels = {edge: self._label(edge, name) for edge in graph.edges}
        texts = [_value(data) for _, data in graph.nodes(data=True)]
        widest = max(text_width(text, _VALUE, "bold") for text in texts)
        self.node_size = max(0.34, widest + 0.14), 0.24
        # A diamond has room in its middle only.
        self.diamond = self.node_size[0] + 0.3, 0.34
        half = self.diamond[0] / 2
        gaps = [0.0] * (1 + max(layout.columns.values()))
        for (state, _), text in self.labels.items():
            column = layout.columns[state]
            wide = text_width(text, _LABEL, "bold")
            gaps[column] = max(gaps[column], wide + 1.5 * _BEND + 2 * half + 0.1)
        self.places = [_LEFT + half + sum(gaps[:column]) for column in range(len(gaps))]
        self.width = self.places[-1] + half + _LEFT + 0.25

    def _label(self, edge: tuple[Any, Any], name: Callable[[Any], str]) -> str:
        """Return the text of an edge: its actions, and after chance the probability."""
        data = self.graph.edges[edge]
        actions = data["actions"]
        if self.graph.nodes[edge[1]]["kind"] == "outcomes":
            text = f"{len(actions)} outcomes"
        else:
            text = str(name(actions[0]))
            text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
            text += f" and {len(actions) - 1} more" if len(actions) > 1 else ""
        chance = data["probability"]
        return text if chance is None else f"{text}, {chance}"

    def x(self, state: Any) -> float:
        return self.places[self.layout.columns[state]]

    def y(self, row: float) -> float:
        return _TOP + _ROW * (row + 0.5)

    def is_best(self, state: Any, other: Any) -> bool:
        """Return whether a move keeps the value of a decision."""
        data, following = self.graph.nodes[state], self.graph.nodes[other]
        known = data["kind"] == "decision" and "value" in data
        return bool(known and data["value"] == following.get("value"))

    def edge(self, state: Any, other: Any) -> None:
        best = self.is_best(state, other)
        row = self.y(self.layout.edge_rows[state, other])
        start, end = self.x(state), self.x(other)
        half = self.diamond[0] / 2
        # Beside the other states of a column, never behind them.
        xs = [start, start + half + _BEND, end - half - _BEND / 2, end - half, end]
        to = self.y(self.layout.rows[other])
        ys = [self.y(self.layout.rows[state]), row, row, to, to]
        color, width = (_INK, 2.6) if best else (_GREY, 1.0)
        self.axes.plot(
            xs, ys, color=color, linewidth=width, zorder=2 if best else 1, solid_joinstyle="round"
        )
        self.text(
            start + half + _BEND + 0.03, row - 0.085, self.labels[state, other], _LABEL, ha="left",
            weight="bold" if best else "normal",
        )  # fmt: skip

    def node(self, state: Any) -> None:
        data = self.graph.nodes[state]
        x, y = self.x(state), self.y(self.layout.rows[state])
        shape = _shape(data)
        self.shape(shape, x, y)
        ink = "white" if shape == "end" else _INK
        self.text(x, y - 0.005, _value(data), _VALUE, color=ink, weight="bold")
        if data.get("cut"):
            self.text(x + self.node_size[0] / 2 + 0.2, y - 0.03, "…", 11, weight="bold")

    def shape(self, shape: str, x: float, y: float) -> None:
        from matplotlib.patches import Ellipse, Polygon, Rectangle  # noqa: PLC0415

        (wide, high), (across, tall) = self.node_size, self.diamond
        corner = (x - wide / 2, y - high / 2)
        style: dict[str, Any] = {"edgecolor": _INK, "linewidth": 1.4, "zorder": 3}
        if shape == "end":
            self.axes.add_patch(Rectangle(corner, wide, high, facecolor=_INK, **style))
        elif shape == "chance":
            points = [
                (x - across / 2, y),
                (x, y - tall / 2),
                (x + across / 2, y),
                (x, y + tall / 2),
            ]
            self.axes.add_patch(Polygon(points, facecolor="white", **style))
        elif shape == "1":
            oval = Ellipse((x, y), wide + 0.12, high + 0.06, facecolor=_OVAL, **style)
            self.axes.add_patch(oval)
        elif shape == "outcomes":
            dashed = Rectangle(corner, wide, high, facecolor="white", linestyle="--", **style)
            self.axes.add_patch(dashed)
        else:
            self.axes.add_patch(Rectangle(corner, wide, high, facecolor="white", **style))

    def legend(self, players: tuple[str, str]) -> list[tuple[str, str, float]]:
        """Return what has to be explained: shape, words and width of each entry."""
        words = {
            "0": f"{players[0]} decides",
            "1": f"{players[1]} decides",
            "chance": "chance",
            "end": "the end",
            "outcomes": "outcomes of one value",
        }
        nodes = [data for _, data in self.graph.nodes(data=True)]
        present = {_shape(data) for data in nodes}
        entries = [(shape, text) for shape, text in words.items() if shape in present]
        if any(self.is_best(*edge) for edge in self.graph.edges):
            entries.append(("best", "best play"))
        if any(data.get("cut") for data in nodes):
            entries.append(("cut", "play goes on"))
        return [
            (shape, text, text_width(text, 9) + self._room(shape) + 0.3) for shape, text in entries
        ]

    def _room(self, shape: str) -> float:
        """Return how wide the sign of an entry is."""
        if shape == "cut":
            return 0.2
        return (self.diamond if shape == "chance" else self.node_size)[0] + 0.15

    def draw_legend(self, entries: list[tuple[str, str, float]]) -> None:
        x, y = _LEFT, self.y(self.layout.height) + 0.2
        for shape, text, wide in entries:
            middle = x + self._room(shape) / 2
            if shape == "best":
                ends = [middle - self.node_size[0] / 2, middle + self.node_size[0] / 2]
                self.axes.plot(ends, [y, y], color=_INK, linewidth=2.6)
            elif shape == "cut":
                self.text(middle, y - 0.03, "…", 11, weight="bold")
            else:
                self.shape(shape, middle, y)
            self.text(x + self._room(shape) + 0.03, y, text, 9, ha="left")
            x += wide

    def text(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        style = {"color": _INK, "ha": "center", "va": "center", "zorder": 4, **style}
        self.axes.text(x, y, text, fontsize=size, **style)


def _shape(data: dict[str, Any]) -> str:
    return str(data["decider"]) if data["kind"] == "decision" else str(data["kind"])


def _value(data: dict[str, Any]) -> str:
    """Return a value with its sign; nothing if there is none."""
    value = data.get("value")
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:+.3g}"
        return "0" if float(text) == 0 else text
    return f"{'+' if value > 0 else ''}{value}"
