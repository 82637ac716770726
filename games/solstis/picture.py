"""The table as a picture, for print and for every eye. Needs matplotlib, an optional package.

Rows go from dark at the bottom to light at the top, in colours of which everyone can tell the
order, in grey too; whatever a colour says is also written or drawn. Lit fires are filled, others
white. A spirit is a label where the four tiles of its square meet, which are framed together: white
ones act at once, blue ones at the end, a black one is the Evil Spirit.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from games.picture_file import check_title, new_figure, plain_style, save_figure, text_width
from games.solstis.mountain import CELLS, FIRES, WIDTH, cell_name, cell_number
from games.solstis.spirits import BLUE, Spirit
from games.solstis.table_view import PanoramaView, Place, Seen, TableView, player_name, table_view
from games.solstis.words import next_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

__all__ = ["picture"]

_ROW_COLORS: Final = ("#46327e", "#365c8d", "#277f8e", "#3fae7c", "#9bd93c", "#fde725")
_DARK_ROWS: Final = 3
_RAINBOW: Final = ("#d55e00", "#e69f00", "#f0e442", "#009e73", "#0072b2")
_INK, _GREY, _PALE, _BACK = "#1a1a1a", "#5c5c5c", "#b8b8b8", "#c9c4b8"
_BLUE, _FLAME, _GLOW = "#0b4f8a", "#d55e00", "#ffe169"

_WIDE: Final = 22.6
"""Units across: two mountains of ten cells and a gap."""
_SECOND: Final = 12.3
_TOP, _BOTTOM = 7.6, -5.5
_INDENT: Final = 1.4
_INCH: Final = 0.56
_NAME_SIZE: Final = 10
_NAME_WIDTH: Final = 0.45
"""How wide a name on a label may be, in inches."""


def picture(
    seen: Seen,
    path: str | os.PathLike[str] | None = None,
    title: str | None = None,
    dpi: int = 150,
) -> "Figure":
    """Return a picture of the table, and write it to a file if one is named.

    Parameters
    ----------
    seen : State or Observation
        A state, with both hands; or what a player sees of one.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others). An old file is replaced
        when the new one is complete.
    title : str, optional
        What stands above it; by default what is to happen next.
    dpi : int
        Dots per inch of formats that have dots.

    Returns
    -------
    matplotlib.figure.Figure
        Notebooks show it; it belongs to no window.

    Raises
    ------
    GameError
        If matplotlib is missing, or the format, the title or the dots make no sense.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from games.solstis import State
    >>> figure = picture(State.new(5), "start.png")  # doctest: +SKIP
    """
    view, title = table_view(seen), check_title(title)
    with plain_style():
        figure = new_figure(_WIDE * _INCH, (_TOP - _BOTTOM) * _INCH, dpi)
        axes = figure.add_axes((0.01, 0.01, 0.98, 0.98))
        axes.set(xlim=(-0.7, _WIDE), ylim=(_BOTTOM, _TOP), aspect="equal")
        axes.axis("off")
        _Painter(axes).table(view, next_words(view) if title is None else title)
        return save_figure(figure, path, dpi)


class _Painter:
    """Draws one table on axes whose unit is a cell."""

    def __init__(self, axes: "Axes") -> None:
        self.axes = axes

    def table(self, view: TableView, title: str) -> None:
        self.text(_WIDE / 2 - 0.35, _TOP - 0.45, title, 17, weight="bold")
        for player, pan in enumerate(view.panoramas):
            left = player * _SECOND
            self.mountain(pan, left)
            self.belongings(view, player, left)
        self.display(view.display, -3.3)
        self.supplies(view, -4.3)

    # ---- the parts of a mountain

    def mountain(self, pan: PanoramaView, left: float) -> None:
        for row in range(1, 7):
            self.text(left - 0.4, row - 0.5, str(row), 11, color=_GREY)
        for number in range(1, WIDTH + 1):
            self.text(left + number - 0.5, -0.3, str(number), 11, color=_GREY)
        for cell in CELLS:
            x, y = left + cell % WIDTH, float(cell // WIDTH)
            self.cell(pan, cell, x, y)
        for square in pan.fireflies:
            self.firefly(*_middle(square, left))
            self.frame(*_middle(square, left))
        for square, name in pan.spirits.items():
            self.frame(*_middle(square, left))
            self.spirit(name, *_middle(square, left), covered=square == pan.covered)

    def cell(self, pan: PanoramaView, cell: int, x: float, y: float) -> None:
        if cell in pan.rainbows:
            self.rainbow(x, y)
        elif cell in pan.tiles:
            self.tile(cell_name(cell), x, y, lit=cell in pan.lit)
        else:
            self.box(x, y, facecolor="white", edgecolor=_PALE, linewidth=0.8)
            if cell in FIRES:
                self.flame(x + 0.5, y + 0.5, 0.24, facecolor="white", edgecolor=_PALE)
            if cell == pan.blocked:
                self.label("Evil Spirit", x + 0.5, y + 0.5, _INK, "white")

    def tile(self, name: str, x: float, y: float, lit: bool = False) -> None:
        """Draw a land tile, with its fire if it has one."""
        cell = cell_number(name)
        row = cell // WIDTH
        self.box(x, y, facecolor=_ROW_COLORS[row], edgecolor=_INK, linewidth=0.8)
        fire = cell in FIRES
        ink = "white" if row < _DARK_ROWS else _INK
        self.text(x + 0.5, y + (0.31 if fire else 0.5), name, 9 if fire else 11.5, color=ink)
        if fire:
            filled = _FLAME if lit else "white"
            self.flame(x + 0.5, y + 0.67, 0.23, facecolor=filled, edgecolor=_INK)

    def rainbow(self, x: float, y: float) -> None:
        from matplotlib.patches import Wedge  # noqa: PLC0415

        self.box(x, y, facecolor="white", edgecolor=_INK, linewidth=0.8)
        for band, color in enumerate(_RAINBOW):
            outer = 0.4 - 0.06 * band
            arc = Wedge((x + 0.5, y + 0.3), outer, 0, 180, width=0.06, facecolor=color)
            self.add(arc, 2)

    def flame(self, x: float, y: float, size: float, **colors: Any) -> None:
        from matplotlib.patches import PathPatch  # noqa: PLC0415
        from matplotlib.path import Path as Outline  # noqa: PLC0415

        points = [(x + size * dx, y + size * dy) for dx, dy in _FLAME_POINTS]
        codes = [Outline.MOVETO, *[Outline.CURVE4] * (len(points) - 1)]
        self.add(PathPatch(Outline(points, codes), linewidth=0.9, **colors), 3)

    def spirit(self, name: str, x: float, y: float, covered: bool = False) -> None:
        late = Spirit.parse(name) in BLUE
        face, ink = (_BLUE, "white") if late else ("white", _INK)
        if covered:
            face, ink = _INK, "white"
            self.axes.plot([x - 0.42, x + 0.42], [y, y], color="white", linewidth=1.2, zorder=7)
        self.label(name, x, y, face, ink)

    def label(self, name: str, x: float, y: float, face: str, ink: str) -> None:
        """Draw the label of a spirit."""
        from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415

        style = "round,pad=0,rounding_size=0.2"
        corner, edge = (x - 0.47, y - 0.2), _INK if ink == _INK else "white"
        shape = FancyBboxPatch(
            corner, 0.94, 0.4, boxstyle=style, facecolor=face, edgecolor=edge, linewidth=0.9
        )
        self.add(shape, 5)
        size = min(7.5, _NAME_SIZE * _NAME_WIDTH / text_width(name, _NAME_SIZE, "bold"))
        self.text(x, y - 0.01, name, size, color=ink, weight="bold", z=6)

    def firefly(self, x: float, y: float) -> None:
        from matplotlib.patches import Circle  # noqa: PLC0415

        disc = Circle((x, y), 0.24, facecolor=_GLOW, edgecolor=_INK, linewidth=0.9)
        self.add(disc, 5)
        self.axes.plot([x], [y], marker=(8, 1, 0), markersize=9, color=_INK, zorder=6)

    def frame(self, x: float, y: float) -> None:
        """Draw a dark ground under the four tiles of a square that is locked."""
        self.box(x - 1, y - 1, size=2, margin=0.0, z=0.5, facecolor=_INK, edgecolor=_INK)

    # ---- what lies beside the mountains

    def belongings(self, view: TableView, player: int, left: float) -> None:
        pan = view.panoramas[player]
        name = player_name(player) + (" (you)" if player == view.viewer else "")
        self.text(left, 6.4, name, 15, weight="bold", ha="left")
        points = pan.score.total
        self.text(left + 10, 6.4, f"{points} point{'' if points == 1 else 's'}", 15, ha="right")
        self.caption("hand", left, -1.3)
        x = left + _INDENT
        for tile in pan.hand:
            self.tile(tile, x, -1.8, lit=False)
            if tile == pan.forced:
                self.text(x + 0.5, -1.95, "must be played", 8.5, color=_INK)
            x += 1.1
        for _ in range(pan.hidden):
            self.face_down(x, -1.8)
            x += 1.1
        if pan.held:
            waiting = f"{pan.held} rainbow{'' if pan.held == 1 else 's'} waiting"
            self.text(left + 8.8, -1.3, waiting, 11, ha="right")
        if view.evil_holder == player:
            self.label("Evil Spirit", left + 9.5, -1.3, _INK, "white")

    def face_down(self, x: float, y: float, z: float = 1.0) -> None:
        self.box(x, y, z=z, facecolor=_BACK, edgecolor=_INK, linewidth=0.8, hatch="////")

    def display(self, places: Sequence[Place], y: float) -> None:
        self.caption("display", 0, y + 0.5)
        for number, place in enumerate(places):
            x = _INDENT + number * 1.15
            if place.covers:
                self.face_down(x + 0.1, y + 0.1, z=0.5)
            if place.tile is not None:
                self.tile(place.tile, x, y)
            self.text(x + 0.5, y - 0.25, str(place.number), 10, color=_GREY)

    def supplies(self, view: TableView, y: float) -> None:
        self.caption("line", 0, y)
        x = _INDENT
        for name in view.line:
            self.spirit(name, x + 0.5, y)
            x += 1.15
        if view.drawn:
            x += 0.4
            self.caption("drawn", x, y)
            for number, name in enumerate(view.drawn):
                self.spirit(name, x + 1.8 + number * 1.15, y)
        left = [f"{view.pile} tiles", f"{view.spirits} spirits", f"{view.rainbows} rainbows"]
        if view.fireflies is not None:
            left.append(f"{view.fireflies} fireflies")
        self.caption("left", 0, y - 0.75)
        self.text(_INDENT, y - 0.75, ", ".join(left), 11.5, ha="left")
        if view.removed:
            self.caption("removed", _SECOND, y - 0.75)
            self.text(_SECOND + 1.8, y - 0.75, ", ".join(view.removed), 11.5, ha="left")

    # ---- shapes

    def add(self, patch: "Patch", z: float) -> None:
        patch.set_zorder(z)
        # Not `add_patch`, which works out limits that are fixed here, and takes most of the time.
        self.axes.add_artist(patch)

    def box(
        self,
        x: float,
        y: float,
        size: float = 1.0,
        margin: float = 0.06,
        z: float = 1.0,
        **style: Any,
    ) -> None:
        from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415

        corner, inner = (x + margin, y + margin), size - 2 * margin
        shape = "round,pad=0,rounding_size=0.12"
        self.add(FancyBboxPatch(corner, inner, inner, boxstyle=shape, **style), z)

    def caption(self, text: str, x: float, y: float) -> None:
        self.text(x, y, text, 11.5, color=_GREY, ha="left")

    def text(self, x: float, y: float, text: str, size: float, z: float = 4, **style: Any) -> None:
        style = {"color": _INK, "ha": "center", "va": "center", **style}
        self.axes.text(x, y, text, fontsize=size, zorder=z, **style)


_FLAME_POINTS: Final = (
    (0.0, -1.0),
    (0.75, -1.0),
    (0.95, -0.3),
    (0.6, 0.2),
    (0.5, 0.0),
    (0.4, -0.05),
    (0.35, -0.1),
    (0.45, 0.5),
    (0.2, 0.9),
    (-0.15, 1.2),
    (-0.1, 0.6),
    (-0.35, 0.4),
    (-0.6, 0.1),
    (-0.8, -0.1),
    (-0.85, -0.4),
    (-0.75, -0.45),
    (-0.75, -1.0),
    (0.0, -1.0),
    (0.0, -1.0),
)
"""The outline of a flame, cubic curves about its middle."""


def _middle(square: int, left: float) -> tuple[float, float]:
    """Return the point where the four cells of a square meet."""
    return left + square % WIDTH + 1, square // WIDTH + 1.0
