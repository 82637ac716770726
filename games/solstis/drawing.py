"""The table as text: both mountains, the hands, the display, and what comes next.

A land tile is a full block, a rainbow a shaded one, ``·`` an empty cell. Fires are ``△``, lit ones
``▲``. A spirit stands with three letters in the middle of its square, a firefly as ``✦``, the Evil
Spirit as ``✖`` on the cell that it blocks or before the spirit that it covers. With colours every
row has its own, the same in the display and in the hands.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.solstis.mountain import FIRES, ROWS, WIDTH, cell_name, cell_number
from games.solstis.table_view import PanoramaView, Place, Seen, player_name, table_view
from games.solstis.words import next_words

__all__ = ["ASCII", "SHORT", "draw"]

SHORT: Final = {
    "Fish": "Fis",
    "Deer": "Dee",
    "Eagle": "Eag",
    "Bear": "Ber",
    "Dragonfly": "Dra",
    "Beetle": "Btl",
    "Groundhog": "Gro",
    "Viper": "Vip",
    "Fox": "Fox",
    "Bee": "Bee",
    "Ladybug": "Lad",
    "Wolf": "Wol",
    "Squirrel": "Squ",
    "Bird": "Bir",
    "Lizard": "Liz",
    "Butterfly": "But",
    "Cow": "Cow",
    "Phoenix": "Pho",
}
"""The spirits in three letters."""

_LAND, _RAINBOW, _EMPTY, _FACE_DOWN = "█", "░", "·", "▒"
_UPPER_HALF, _LOWER_HALF = "▀", "▄"
_FIRE, _LIT, _FIREFLY, _EVIL = "△", "▲", "✦", "✖"

ASCII: Final = str.maketrans(
    {
        _LAND: "#",
        _RAINBOW: "%",
        _EMPTY: ".",
        _FACE_DOWN: "?",
        _UPPER_HALF: '"',
        _LOWER_HALF: "_",
        _FIRE: "^",
        _LIT: "A",
        _FIREFLY: "+",
        _EVIL: "x",
    }
)
"""For terminals that show nothing but ASCII: ``draw(state).translate(ASCII)``."""

_CELL: Final = 3
_STEP: Final = _CELL + 1
_MARGIN: Final = 3
_SIDE: Final = _MARGIN + _STEP * WIDTH - 1
_GAP: Final = 6
_WIDTH: Final = 2 * _SIDE + _GAP
_LABEL: Final = 9
_PLACE: Final = 2 * _CELL
_PLACES: Final = (_WIDTH - _LABEL) // _PLACE

# Of the 256 colours of terminals. Rows differ in lightness, so that every eye tells them apart.
_ROW_COLORS: Final = {1: 54, 2: 61, 3: 31, 4: 36, 5: 113, 6: 220}
_RAINBOW_COLORS: Final = (203, 221, 75)
_WHITE, _BLACK, _ORANGE, _GREY = 15, 16, 208, 236
_LAST_DARK_ROW: Final = 3

_CODES: Final = re.compile(r"\x1b\[[0-9;]*m")


def draw(seen: Seen, color: bool = False) -> str:
    """Return the table as text, at most 100 columns wide.

    Parameters
    ----------
    seen : State or Observation
        A state, with both hands; or what a player sees of one.
    color : bool
        Colour it with the codes of terminals that know 256 colours.

    Raises
    ------
    PositionError
        If it is neither a state nor an observation.

    Examples
    --------
    >>> from games.solstis import State
    >>> state = State.new(5).play("play_tile 4-7").play("capture 4-3@0")
    >>> print(draw(state.observe(0)))
    Player 2 plays a tile
    ...
    """
    return "\n".join(line.rstrip() for line in _Artist(seen, color).lines())


class _Artist:
    """Draws one table."""

    def __init__(self, seen: Seen, color: bool) -> None:
        self.view = table_view(seen)
        self.color = color

    def paint(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.color else text

    def dim(self, text: str) -> str:
        return self.paint(text, "2")

    def bold(self, text: str) -> str:
        return self.paint(text, "1")

    def lines(self) -> Iterator[str]:
        yield self.bold(next_words(self.view))
        yield from _beside(*(self.mountain(pan) for pan in self.view.panoramas))
        yield ""
        yield from _beside(*(self.belongings(player) for player in (0, 1)))
        yield ""
        yield from self.display()
        yield from self.supplies()

    # ---- the mountain

    def mountain(self, pan: PanoramaView) -> Iterator[str]:
        for row in sorted(ROWS, reverse=True):
            yield self.between(pan, row + 1)
            yield self.row(pan, row)
        yield self.between(pan, 1)
        yield " " * _MARGIN + self.dim("".join(f"{n:^{_STEP}}" for n in range(1, WIDTH + 1)))

    def row(self, pan: PanoramaView, row: int) -> str:
        """Return the middle line of a row."""
        cells = [self.cell(pan, row, _at(row, number)) for number in range(1, WIDTH + 1)]
        return self.dim(f"{row:<{_MARGIN}}") + " ".join(cells)

    def cell(self, pan: PanoramaView, row: int, cell: int | None) -> str:
        if cell is None:
            return " " * _CELL
        if cell in pan.rainbows:
            return self.rainbow()
        fire = (_LIT if cell in pan.lit else _FIRE) if cell in FIRES else ""
        if cell in pan.tiles:
            return self.tile(fire, row, _CELL)
        if cell == pan.blocked:
            return self.bold(f"{_EVIL:^{_CELL}}")
        mark = f"{fire or _EMPTY:^{_CELL}}"
        return self.paint(mark, f"38;5;{_ORANGE}") if fire else self.dim(mark)

    def rainbow(self) -> str:
        if not self.color:
            return _RAINBOW * _CELL
        return "".join(self.paint(" ", f"48;5;{code}") for code in _RAINBOW_COLORS)

    def tile(self, label: str, row: int, width: int) -> str:
        """Return a land tile, with a fire or its name on it."""
        if not self.color:
            return f"{label:{_LAND}^{width}}"
        ink = _WHITE if row <= _LAST_DARK_ROW else _BLACK
        return self.paint(f"{label:^{width}}", "1", f"38;5;{ink}", f"48;5;{_ROW_COLORS[row]}")

    def between(self, pan: PanoramaView, row: int) -> str:
        """Return the line below a row: halves of tiles, and what stands in the middle of squares.

        Below row 7 is the line above the top row.
        """
        letters = self.letters(pan, row)
        text = " " * _MARGIN
        for column in range(_STEP * WIDTH - 1):
            number, part = column // _STEP + 1, column % _STEP
            upper, lower = (self.shade(pan, r, number, part) for r in (row, row - 1))
            text += letters.get(column) or self.halves(upper, lower)
        return text

    def letters(self, pan: PanoramaView, row: int) -> dict[int, str]:
        """Return the letters that stand on the line below a row, by column."""
        found: dict[int, str] = {}
        for square in (*pan.spirits, *pan.fireflies):
            if square // WIDTH + 2 != row:
                continue
            middle = _STEP * (square % WIDTH) + _CELL
            if square in pan.fireflies:
                found[middle] = self.paint(_FIREFLY, "1", f"38;5;{_ORANGE}", f"48;5;{_GREY}")
                continue
            name = SHORT[pan.spirits[square]]
            name = _EVIL + name[:2] if square == pan.covered else name
            for place, letter in enumerate(name, middle - 1):
                found[place] = self.paint(letter, "1", f"38;5;{_WHITE}", f"48;5;{_GREY}")
        return found

    def shade(self, pan: PanoramaView, row: int, number: int, part: int) -> int | None:
        """Return the colour of a part of a tile; None where there is none."""
        cell = _at(row, number)
        if cell is None or part == _CELL:
            return None
        if cell in pan.rainbows and self.color:
            return _RAINBOW_COLORS[part]
        return _ROW_COLORS[row] if cell in pan.tiles else None

    def halves(self, upper: int | None, lower: int | None) -> str:
        """Return the half of what is above and the half of what is below."""
        if upper is None:
            return " " if lower is None else self.paint(_LOWER_HALF, f"38;5;{lower}")
        if lower is None:
            return self.paint(_UPPER_HALF, f"38;5;{upper}")
        if not self.color:
            return _LAND
        return self.paint(_UPPER_HALF, f"38;5;{upper}", f"48;5;{lower}")

    # ---- what else a player has

    def belongings(self, player: int) -> Iterator[str]:
        view, pan = self.view, self.view.panoramas[player]
        you = " (you)" if player == view.viewer else ""
        yield self.bold(player_name(player)) + f"{you}, {_count(pan.score.total, 'point')}"
        yield self.labelled("hand", self.hand(pan))
        if pan.shown and pan.hand != pan.shown:
            yield self.labelled("", f"seen by the other: {' '.join(pan.shown)}")
        if pan.forced is not None:
            yield self.labelled("", f"must play {pan.forced} (Fox)")
        yield from self.listed("spirits", self.spirits(player), _SIDE)
        if pan.held:
            yield self.labelled("waiting", _count(pan.held, "rainbow"))

    def spirits(self, player: int) -> list[str]:
        pan = self.view.panoramas[player]
        spirits = [
            f"{spirit} {cell_name(square)}" + (" (covered)" if square == pan.covered else "")
            for square, spirit in sorted(pan.spirits.items())
        ]
        evil = ["Evil Spirit"] if self.view.evil_holder == player else []
        return spirits + evil

    def hand(self, pan: PanoramaView) -> str:
        tiles = [self.named(tile) for tile in pan.hand]
        tiles += [self.dim(_FACE_DOWN * _CELL)] * pan.hidden
        return " ".join(tiles) or "-"

    def named(self, tile: str) -> str:
        """Return a tile that lies beside the mountains, by its name."""
        if not self.color:
            return tile
        return self.tile(tile, cell_number(tile) // WIDTH + 1, len(tile))

    def labelled(self, label: str, content: str) -> str:
        return self.dim(f"{label:{_LABEL}}") + content

    def listed(self, label: str, words: Sequence[str], width: int) -> Iterator[str]:
        """Return a list under a label, on as many lines as it needs."""
        line = ""
        for word in [*(f"{word}," for word in words[:-1]), *words[-1:]]:
            if line and _LABEL + len(line) + 1 + len(word) > width:
                yield self.labelled(label, line)
                label, line = "", ""
            line += f" {word}" if line else word
        yield self.labelled(label, line or "-")

    # ---- the middle of the table

    def display(self) -> Iterator[str]:
        places = self.view.display
        if not places:
            yield self.labelled("display", "-")
        for start in range(0, len(places), _PLACES):
            yield from self.shelf(places[start : start + _PLACES])

    def shelf(self, places: Sequence[Place]) -> Iterator[str]:
        numbers = [self.dim(f"{place.number:^{_CELL}}") for place in places]
        tiles = ["" if place.tile is None else self.named(place.tile) for place in places]
        beneath = [self.dim(_FACE_DOWN * _CELL) if place.covers else "" for place in places]
        for label, parts in (("place", numbers), ("display", tiles), ("beneath", beneath)):
            if any(parts):
                yield self.labelled(label, "".join(_padded(part, _PLACE) for part in parts))

    def supplies(self) -> Iterator[str]:
        view = self.view
        if view.drawn:
            yield from self.listed("drawn", view.drawn, _WIDTH)
        yield from self.listed("line", view.line, _WIDTH)
        left = [_count(view.pile, "tile"), _count(view.spirits, "spirit")]
        left.append(_count(view.rainbows, "rainbow"))
        if view.fireflies is not None:
            left.append(_count(view.fireflies, "firefly"))
        yield self.labelled("left", ", ".join(left))
        if view.removed:
            yield from self.listed("removed", view.removed, _WIDTH)


def _beside(left: Iterable[str], right: Iterable[str]) -> Iterator[str]:
    """Return two blocks of lines side by side."""
    first, second = list(left), list(right)
    height = max(len(first), len(second))
    first += [""] * (height - len(first))
    second += [""] * (height - len(second))
    for one, other in zip(first, second, strict=True):
        yield _padded(one, _SIDE + _GAP) + other


def _padded(text: str, width: int) -> str:
    """Fill a text up with spaces; the codes of colours take none."""
    return text + " " * (width - len(_CODES.sub("", text)))


def _count(number: int, thing: str) -> str:
    many = thing.removesuffix("y") + "ies" if thing.endswith("y") else f"{thing}s"
    return f"{number} {thing if number == 1 else many}"


def _at(row: int, number: int) -> int | None:
    """Return the cell of a row and a number, if there is one."""
    first, last = ROWS.get(row, (1, 0))
    return WIDTH * (row - 1) + number - 1 if first <= number <= last else None
