"""Bars that show how both players mix, round by round."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from games.clash import Element
from games.picture_file import check_title, new_canvas, plain_style, save_figure
from solver.clash.explanations.words import chance_cells, name
from solver.clash.pictures.heat_map import GREY, INK
from solver.clash.pictures.mixes import RoundMixes
from solver.errors import SolverError
from solver.text_layout import shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

__all__ = ["strategies_picture"]

_Rounds: TypeAlias = Sequence[RoundMixes]

# In the order of the elements: colours whose lightness differs, and a hatch each.
_COLORS: Final = ("#1d4b8f", "#f4a259", "#f6eed3", "#4a8a57")
_HATCHES: Final = ("", "////", "..", "xxx")

_LEFT, _TOP = 1.05, 0.95
_HIGH: Final = 2.0
"""A bar of 100 percent."""
_WIDE: Final = 0.66
_GAP, _GROUP_GAP = 0.08, 0.34
_NARROWEST: Final = 1.0
_BELOW: Final = 1.1
_LABELLED: Final = 0.045
"""Parts that are smaller have no room for a label."""


def strategies_picture(
    rounds: _Rounds | Mapping[str, _Rounds],
    path: str | os.PathLike[str] | None = None,
    title: str = "",
    dpi: float = 150,
) -> "Figure":
    """Return how both players mix, round by round.

    A bar for each player and round has a part for each element, with its letter, its share, its own
    hatch and lightness. The element that the time boosts has a thick outline. Below stands what was
    played, where the rounds say so.

    Parameters
    ----------
    rounds : sequence of RoundMixes, or mapping of str to such sequences
        From `mixes_along` or `mean_mixes`. Several, by their names, stand side by side: open hands
        beside hidden ones; a round that one of them does not have is left empty there.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others).
    title : str
        What stands above.
    dpi : float
        Dots per inch of formats that have dots.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    SolverError
        If there are no rounds.
    GameError
        If matplotlib is missing, or the format, the title or the dots make no sense.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from solver.clash import solve_open
    >>> from solver.clash.pictures import mean_mixes
    >>> rounds = mean_mixes(solve_open("WF/FE DaNoDuMiDaNo 3-2"))
    >>> figure = strategies_picture(rounds, "mixes.png")  # doctest: +SKIP
    """
    named = _named(rounds)
    title = check_title(title) or ""
    labels = list(dict.fromkeys(one.label for some in named.values() for one in some))
    group = max(len(named) * (_WIDE + _GAP) + _GROUP_GAP, _NARROWEST)
    width = max(_LEFT + group * len(labels) + 0.2, 6.0)
    panel = _HIGH + _BELOW
    with plain_style():
        figure, axes = new_canvas(width, _TOP + 2 * panel + 0.35, dpi)
        _text(axes, 0.2, 0.32, title, 12.5, ha="left", weight="bold")
        for player in (0, 1):
            base = _TOP + player * panel + _HIGH
            _axis(axes, base, width, f"Player {player}")
            for place, label in enumerate(labels):
                middle = _LEFT + group * (place + 0.5)
                _group(axes, middle, base, label, named, player)
        _legend(axes, _TOP + 2 * panel + 0.1)
        return save_figure(figure, path, dpi)


def _named(rounds: object) -> dict[str, list[RoundMixes]]:
    """Return the rounds by name, checked."""
    named = rounds if isinstance(rounds, Mapping) else {"": rounds}
    found = {}
    for words, some in named.items():
        if (
            not isinstance(some, Sequence)
            or not some
            or not all(isinstance(one, RoundMixes) for one in some)
        ):
            raise SolverError(
                "rounds: expected one RoundMixes or more, as mixes_along or mean_mixes give them"
            )
        found[str(words)] = list(some)
    if not found:
        raise SolverError("rounds: expected one RoundMixes or more, not an empty mapping")
    return found


def _axis(axes: "Axes", base: float, width: float, words: str) -> None:
    """Draw the scale of a player's bars at the left, and lines through them."""
    _text(axes, 0.28, base - _HIGH / 2, words, 11, weight="bold", rotation="vertical")
    for part in (0, 50, 100):
        y = base - _HIGH * part / 100
        axes.plot([_LEFT - 0.05, width - 0.2], [y, y], color="#d0d0d0", linewidth=0.8, zorder=0)
        _text(axes, _LEFT - 0.12, y, f"{part}%", 9, ha="right", color=GREY)


def _group(  # noqa: PLR0917
    axes: "Axes",
    middle: float,
    base: float,
    label: str,
    named: Mapping[str, Sequence[RoundMixes]],
    player: int,
) -> None:
    """Draw the bars of a player in one round, and what stands below them."""
    found = {
        words: next((one for one in rounds if one.label == label), None)
        for words, rounds in named.items()
    }
    shown = {words: one for words, one in found.items() if one is not None}
    for number, (words, one) in enumerate(shown.items()):
        x = middle + (_WIDE + _GAP) * (number - (len(shown) - 1) / 2)
        _bar(axes, x, base, one.mixes[player], one.boosted)
        _text(axes, x, base + 0.14, words, 8.5)
    down = 0.32 if any(named) else 0.16
    _text(axes, middle, base + down, label, 9.5, weight="bold")
    first = next(iter(shown.values()))
    if first.boosted is not None:
        _text(axes, middle, base + down + 0.18, f"boosts {name(first.boosted)}", 8.5, color=GREY)
    if first.played is not None:
        card = first.played[player]
        mix = first.mixes[player]
        # Small parts have no label, so that it is said here.
        seldom = len(shown) == 1 and mix is not None and mix.get(card, 0.0) < _LABELLED
        words = f" ({_how_often(mix, card)})" if seldom and mix is not None else ""
        _text(axes, middle, base + down + 0.36, f"played {card.letter}{words}", 9)


def _how_often(mix: Mapping[Element, float], card: Element) -> str:
    """Return how often a mix plays a card, in percent."""
    by_card = dict(zip(mix, chance_cells(list(mix.values())), strict=True))
    return by_card.get(card, "0%")


def _bar(
    axes: "Axes",
    x: float,
    base: float,
    mix: Mapping[Element, float] | None,
    boosted: Element | None,
) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    left = x - _WIDE / 2
    if mix is None:
        axes.add_patch(
            Rectangle((left, base), _WIDE, -_HIGH, fill=False, edgecolor=GREY, linestyle=":")
        )
        _text(axes, x, base - _HIGH / 2, "play never\nleads here", 7.5, color=GREY)
        return
    y = base
    for (card, chance), share in zip(mix.items(), shares(mix.values()), strict=True):
        high = chance * _HIGH
        thick = card == boosted and chance > 0
        if high > 0:
            axes.add_patch(_part(left, y - high, high, card, 2.6 if thick else 0.8))
        if chance >= _LABELLED:
            _text(
                axes, x, y - high / 2, f"{card.letter} {share}", 8, zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.7},
            )  # fmt: skip
        y -= high


def _part(x: float, y: float, high: float, card: Element, line: float) -> "Rectangle":
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    return Rectangle(
        (x, y), _WIDE, high, facecolor=_COLORS[card], hatch=_HATCHES[card], edgecolor=INK,
        linewidth=line, zorder=3 if line > 1 else 2,
    )  # fmt: skip


def _legend(axes: "Axes", y: float) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    x = _LEFT
    for card in Element:
        axes.add_patch(
            Rectangle(
                (x, y - 0.08), 0.26, 0.16, facecolor=_COLORS[card], hatch=_HATCHES[card],
                edgecolor=INK, linewidth=0.8,
            )
        )  # fmt: skip
        _text(axes, x + 0.33, y, name(card), 9.5, ha="left")
        x += 1.0
    axes.add_patch(Rectangle((x, y - 0.08), 0.26, 0.16, fill=False, edgecolor=INK, linewidth=2.6))
    _text(axes, x + 0.33, y, "boosted", 9.5, ha="left")


def _text(axes: "Axes", x: float, y: float, text: str, size: float, **style: Any) -> None:
    style = {"color": INK, "ha": "center", "va": "center", **style}
    axes.text(x, y, text, fontsize=size, **style)
