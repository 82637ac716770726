"""A round of Clash as a heat map: what each pair of cards is worth, and both equilibrium mixes."""

import os
import textwrap
from typing import TYPE_CHECKING, Final

import numpy as np

from games.picture_file import check_title, new_canvas, plain_style, save_figure
from solver.clash.explanations.claims import TIE, Card, Explanation, check_player
from solver.clash.explanations.situation_text import time_words
from solver.clash.explanations.words import chance_cells, count, hand_words, name, proportions
from solver.clash.pictures.heat_map import GREY, HeatMap, draw_scale, signed
from solver.errors import SolverError, StateError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["round_picture"]

_CELL: Final = (1.05, 0.74)
_LEFT, _RIGHT, _EARNS = 1.55, 2.05, 1.85
_LONGEST: Final = (0.75, 0.55)
"""A bar of 100 percent, to the right and above, in inches."""
_LINE: Final = 0.21
_NOTE: Final = 0.14
"""A line of a note below a card."""


def round_picture(
    why: Explanation,
    path: str | os.PathLike[str] | None = None,
    dpi: float = 150,
    *,
    player: int = 0,
    title: str | None = None,
) -> "Figure":
    """Return a heat map of a round: what each pair of cards is worth, and both equilibrium mixes.

    Rows are the player's cards and columns the opponent's. Beside each card stands how often it is
    played, and what it earns against the other's mix: those that are played earn the same. Frames
    mark the pairs of cards that both mixes play; a dominated card says by what.

    Parameters
    ----------
    why : Explanation
        From `solver.clash.explain`.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others). An old file is replaced
        when the new one is complete.
    dpi : float
        Dots per inch of formats that have dots.
    player : {0, 1}
        Whose view it is: all amounts but the last row are to this player, in antes or points.
    title : str, optional
        What stands above instead of what the picture shows.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    SolverError
        If this is no explanation.
    StateError
        If there is no choice of cards to show, as a time is due or the game is over; or if there is
        no such player.
    GameError
        If matplotlib is missing, or the format, the title or the dots make no sense.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from solver.clash import explain
    >>> why = explain("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    >>> figure = round_picture(why, "round.png")  # doctest: +SKIP
    """
    if not isinstance(why, Explanation):
        raise SolverError(f"{why!r} is no Explanation: use explain(state)")
    player, title = check_player(player), check_title(title)
    if why.matrix is None or why.sides is None:
        raise StateError(f"{why.state} has no matrix to show: a time is due, or the game is over")
    own, other = why.sides[player].cards, why.sides[1 - player].cards
    payoffs = np.array([list(card.against.values()) for card in own])
    width = _LEFT + _CELL[0] * len(other) + _RIGHT
    lines = textwrap.wrap(time_words(why.state), int(13 * (width - 0.4)))
    lines += [_seat(why, who, seat) for who, seat in (("You", player), ("Opponent", 1 - player))]
    base = 0.65 + _LINE * len(lines) + _LONGEST[1] + 0.35
    top = base + 0.35
    foot = top + _CELL[1] * len(own) + 0.6 + _NOTE * max(len(_note(card)) for card in other)
    with plain_style():
        figure, axes = new_canvas(width, foot + 0.85, dpi)
        heat = HeatMap(axes, (_LEFT, top), _CELL, payoffs)
        head = f"What each pair of cards is worth to you, in {why.unit}"
        heat.text(0.2, 0.32, head if title is None else title, 12.5, ha="left", weight="bold")
        for number, line in enumerate(lines):
            heat.text(0.2, 0.65 + _LINE * number, line, 9.5, ha="left")
        heat.draw(12)
        for i, card in enumerate(own):
            for j, facing in enumerate(other):
                if card.chance > TIE and facing.chance > TIE:
                    heat.frame(i, j)
        _own_margin(heat, own)
        _other_margin(heat, other, base)
        _foot(heat, foot, why, player)
        return save_figure(figure, path, dpi)


def _seat(why: Explanation, who: str, player: int) -> str:
    points = count(why.state.points[player], "point")
    return f"{who}: {hand_words(why.state.hands[player])}; {points}"


def _own_margin(heat: HeatMap, cards: tuple[Card, ...]) -> None:
    right = heat.x(heat.payoffs.shape[1])
    heat.text(right + 0.1, heat.y(0) - 0.16, "you play", 9.5, ha="left", color=GREY)
    heat.text(right + _EARNS, heat.y(0) - 0.16, "earns", 9.5, ha="right", color=GREY)
    chances = [card.chance for card in cards]
    heat.mix_right(chances, chance_cells(chances), _LONGEST[0])
    for i, card in enumerate(cards):
        middle, lines = heat.y(i + 0.5), _note(card)
        up = 0.07 * len(lines)
        heat.text(heat.x(0) - 0.12, middle - up, name(card.element), 11, ha="right", weight="bold")
        for number, line in enumerate(lines):
            heat.text(heat.x(0) - 0.12, middle - up + 0.17 + _NOTE * number, line, 8, ha="right")
        heat.text(right + _EARNS, middle, signed(card.earns), 10, ha="right")


def _other_margin(heat: HeatMap, cards: tuple[Card, ...], base: float) -> None:
    below = heat.y(heat.payoffs.shape[0]) + 0.2
    heat.text(heat.x(0) - 0.12, base - 0.1, "they play", 9.5, ha="right", color=GREY)
    heat.text(heat.x(0) - 0.12, below, "earns them", 9.5, ha="right", color=GREY)
    chances = [card.chance for card in cards]
    heat.mix_above(chances, chance_cells(chances), base, _LONGEST[1])
    for j, card in enumerate(cards):
        heat.text(heat.x(j + 0.5), heat.y(0) - 0.16, name(card.element), 11, weight="bold")
        heat.text(heat.x(j + 0.5), below, signed(card.earns), 10)
        for number, line in enumerate(_note(card)):
            heat.text(heat.x(j + 0.5), below + 0.2 + _NOTE * number, line, 8)


def _note(card: Card) -> list[str]:
    """Return by what a card is dominated, in short lines; none if it is not."""
    if card.dominated is None:
        return []
    words = proportions(card.dominated.by)
    return ["dominated by", *words.replace(", ", ",\n").split("\n")]


def _foot(heat: HeatMap, y: float, why: Explanation, player: int) -> None:
    draw_scale(heat.axes, (_LEFT, y), _CELL[0] * heat.payoffs.shape[1], heat.most, why.unit)
    words = f"Worth {signed(why.value_to(player))} {why.unit} to you. Framed: what both mixes play."
    if not why.unique:
        words += " Other mixes are optimal too."
    heat.text(0.2, y + 0.56, words, 9.5, ha="left")
