"""The choice of extras under open hands as a heat map."""

import os
from typing import TYPE_CHECKING, Final

import numpy as np

from games.picture_file import check_title, new_canvas, plain_style, save_figure
from solver.clash.explanations.words import chance_cells
from solver.clash.pictures.heat_map import GREY, HeatMap, draw_scale, signed
from solver.clash.selection import SelectionGame, rotation_classes
from solver.errors import SolverError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["selection_picture"]

_CELL: Final = (0.72, 0.46)
_LEFT, _TOP, _RIGHT, _BELOW = 1.0, 1.2, 1.85, 1.2
_CLASSES: Final = ("equal", "neighbours", "opposite")
_CHOSEN: Final = 1e-9


def selection_picture(
    game: SelectionGame,
    path: str | os.PathLike[str] | None = None,
    dpi: float = 150,
    *,
    title: str | None = None,
) -> "Figure":
    """Return a heat map of the choice of extras under open hands.

    A row's pair of extras against a column's. Pairs that are rotations of each other stand
    together. To the right, how often the equilibrium selects each pair, and what it earns against
    that selection; pairs of pairs that both select are framed.

    Parameters
    ----------
    game : SelectionGame
        From `solver.clash.selection_game`.
    path, dpi, title
        As for `round_picture`.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    SolverError
        If this is no selection game.
    GameError, OSError
        As for `round_picture`.

    Examples
    --------
    >>> from solver.clash import selection_game
    >>> figure = selection_picture(selection_game(), "extras.png")  # doctest: +SKIP
    """
    if not isinstance(game, SelectionGame):
        raise SolverError(f"{game!r} is no SelectionGame: use selection_game()")
    title = check_title(title)
    classes = rotation_classes()
    order = [game.labels.index(label) for group in classes for label in group]
    labels = [game.labels[place] for place in order]
    chances = np.array([game.selection[label] for label in labels])
    payoffs = game.matrix[np.ix_(order, order)]
    unit = "antes" if game.objective == "win" else "points"
    side = len(labels)
    with plain_style():
        figure, axes = new_canvas(
            _LEFT + side * _CELL[0] + _RIGHT, _TOP + side * _CELL[1] + _BELOW, dpi
        )
        heat = HeatMap(axes, (_LEFT, _TOP), _CELL, payoffs)
        head = f"Extras against extras: what a row earns against a column, in {unit}"
        heat.text(0.2, 0.35, head if title is None else title, 12.5, ha="left", weight="bold")
        heat.draw(9)
        chosen = chances > _CHOSEN
        for i, j in np.argwhere(np.outer(chosen, chosen)):
            heat.frame(int(i), int(j))
        for place, label in enumerate(labels):
            weight = "bold" if chosen[place] else "normal"
            heat.text(_LEFT - 0.12, heat.y(place + 0.5), label, 11, ha="right", weight=weight)
            heat.text(heat.x(place + 0.5), _TOP - 0.14, label, 11, weight=weight)
        _classes(heat, [len(group) for group in classes])
        _selection(heat, chances, payoffs)
        draw_scale(axes, (_LEFT, heat.y(side) + 0.3), side * _CELL[0], heat.most, unit)
        words = f"Value {signed(game.value)} {unit}. Framed: what the equilibrium selects. "
        words += "Both hands are open once extras are taken."
        heat.text(0.2, heat.y(side) + 0.92, words, 9.5, ha="left")
        return save_figure(figure, path, dpi)


def _classes(heat: HeatMap, sizes: list[int]) -> None:
    """Name the classes at the left and above, with lines between them."""
    first, side = 0, sum(sizes)
    for words, size in zip(_CLASSES, sizes, strict=True):
        middle = first + size / 2
        heat.text(0.32, heat.y(middle), words, 9.5, color=GREY, rotation="vertical")
        heat.text(heat.x(middle), _TOP - 0.4, words, 9.5, color=GREY)
        first += size
        if first < side:
            heat.axes.plot([_LEFT, heat.x(side)], [heat.y(first)] * 2, color="white", linewidth=4)
            heat.axes.plot([heat.x(first)] * 2, [_TOP, heat.y(side)], color="white", linewidth=4)


def _selection(
    heat: HeatMap, chances: "np.ndarray[tuple[int], np.dtype[np.float64]]", payoffs: np.ndarray
) -> None:
    right = heat.x(len(chances))
    heat.text(right + 0.1, _TOP - 0.14, "selected", 9.5, ha="left", color=GREY)
    heat.text(right + 1.65, _TOP - 0.14, "earns", 9.5, ha="right", color=GREY)
    heat.mix_right(chances.tolist(), chance_cells(chances.tolist()), 0.75)
    for i, worth in enumerate(payoffs @ chances):
        heat.text(right + 1.65, heat.y(i + 0.5), signed(float(worth)), 10, ha="right")
