"""Actions of the players and outcomes of chance, as text and as numbers.

The text of an action is its kind and its option, in the vocabulary of the recorded games:
``play_tile 5-7``, ``capture 1-6@3``, ``spirit_keep Bee@4-5``.

========================  =====================================================================
``play_tile T``           a hand tile
``capture T@P``           the face-up tile of place P of the display
``place_rainbow C``       a cell of the own panorama
``spirit_source draw``    draw from the spirit pile, or ...
``spirit_source N@S``     take spirit N of the line and put it on square S
``spirit_keep N@S``       keep spirit N of those drawn, on square S
``deer T``                a hand tile
``beetle T@P``            a face-up tile of the display
``viper T``               a land tile of the opponent's panorama, or ...
``viper rainbow@C>D``     the rainbow of its cell C, to cell D of the own panorama
``fox_force T``           the tile that the opponent must play
``evil_block C``          a cell of the opponent's panorama
``evil_cover N@S``        the spirit that the Evil Spirit covers
``eagle_draw T``          chance: a tile of the pile
``dragonfly_draw T``      chance: a tile of the opponent's hand
``draw T``                chance: a tile of the pile, to the hand
``second_chance T``       chance: a tile of the pile, turned up
``reveal T@P``            chance: the face-down tile of place P
``draw_spirits N+M``      chance: two spirits, or one, of the spirit pile
========================  =====================================================================

``!removed`` after a tile says that its cell is locked: the tile leaves the game.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from games.errors import NotationError
from games.solstis.layout import Kind
from games.solstis.mountain import SQUARES, cell_name, cell_number
from games.solstis.spirits import Spirit

__all__ = ["Action", "action_of"]

_REMOVED: Final = 1
_RAINBOW: Final = 2
_DRAW: Final = 1
_SUFFIX: Final = "!removed"
_BY_WORD: Final = {str(kind): kind for kind in Kind}
_PLACE = re.compile(r"0|[1-9][0-9]?")

_TILE_KINDS: Final = {Kind.DEER, Kind.VIPER}
_PLACE_KINDS: Final = {Kind.CAPTURE, Kind.BEETLE, Kind.REVEAL}
_SPIRIT_KINDS: Final = {Kind.SPIRIT_SOURCE, Kind.SPIRIT_KEEP, Kind.EVIL_COVER}


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a player or an outcome of chance.

    Made by `State.legal`, `State.outcomes` and `parse`; two of the same text are equal.

    Attributes
    ----------
    kind : str
        What it is: the word of the records.
    option : str
        Which one.

    Examples
    --------
    >>> Action.parse("capture 1-6@3")
    Action(kind='capture', option='1-6@3')
    >>> str(Action.parse("spirit_keep Bee@4-5"))
    'spirit_keep Bee@4-5'
    """

    kind: str
    option: str
    code: int = field(repr=False, compare=False)

    def __hash__(self) -> int:
        return self.code

    def __str__(self) -> str:
        return f"{self.kind} {self.option}"

    @classmethod
    def parse(cls, text: str) -> "Action":
        """Return the action of a text.

        Raises
        ------
        NotationError
            If it is not the text of an action; whether it is legal is told by the state.
        """
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is no action: expected text such as 'play_tile 5-7'")
        word, _, option = text.partition(" ")
        kind = _BY_WORD.get(word)
        if kind is None:
            raise NotationError(
                f"{text!r} is no action: it begins with none of {', '.join(_BY_WORD)}"
            )
        try:
            action = action_of(_code(kind, option))
        except NotationError as error:
            raise NotationError(f"{text!r} is no action: {error}") from None
        if str(action) != text:
            raise NotationError(f"{text!r} is no action: expected {str(action)!r}")
        return action

    @property
    def tile(self) -> int | None:
        """The tile or cell it speaks of first, if it does."""
        kind = self.code >> 16
        if kind in _SPIRIT_KINDS or kind == Kind.DRAW_SPIRITS:
            return None
        return self.code >> 7 & 127


def _code(kind: Kind, option: str) -> int:
    flag = first = second = 0
    if option.endswith(_SUFFIX) and kind in (_PLACE_KINDS | _TILE_KINDS) - {Kind.REVEAL}:
        flag, option = _REMOVED, option.removesuffix(_SUFFIX)
    if kind == Kind.SPIRIT_SOURCE and option == "draw":
        flag = _DRAW
    elif kind in _SPIRIT_KINDS:
        name, _, square = option.partition("@")
        first, second = Spirit.parse(name), cell_number(square)
        if second not in SQUARES:
            raise NotationError(f"there is no square {square}")
    elif kind in _PLACE_KINDS:
        name, _, place = option.partition("@")
        if not _PLACE.fullmatch(place):
            raise NotationError(f"{place!r} is no place of the display")
        first, second = cell_number(name), int(place)
    elif kind == Kind.VIPER and option.startswith("rainbow@"):
        source, _, target = option.removeprefix("rainbow@").partition(">")
        flag, first, second = _RAINBOW, cell_number(source), cell_number(target)
    elif kind == Kind.DRAW_SPIRITS:
        spirits = sorted(Spirit.parse(name) for name in option.split("+"))
        first, second = spirits[0], spirits[-1]
    else:
        first = cell_number(option)
    return kind << 16 | flag << 14 | first << 7 | second


def _option(kind: Kind, flag: int, first: int, second: int) -> str:
    removed = _SUFFIX if flag & _REMOVED else ""
    if kind == Kind.SPIRIT_SOURCE and flag == _DRAW:
        return "draw"
    if kind in _SPIRIT_KINDS:
        return f"{Spirit(first)}@{cell_name(second)}"
    if kind in _PLACE_KINDS:
        return f"{cell_name(first)}@{second}{removed}"
    if kind == Kind.VIPER and flag & _RAINBOW:
        return f"rainbow@{cell_name(first)}>{cell_name(second)}"
    if kind == Kind.DRAW_SPIRITS:
        return "+".join(sorted({str(Spirit(first)), str(Spirit(second))}))
    return f"{cell_name(first)}{removed}"


class _Actions(dict[int, Action]):
    """All actions met so far, each made once."""

    def __missing__(self, code: int) -> Action:
        kind = Kind(code >> 16)
        option = _option(kind, code >> 14 & 3, code >> 7 & 127, code & 127)
        action = self[code] = Action(str(kind), option, code)
        return action


ACTIONS: Final = _Actions()


def action_of(code: int) -> Action:
    """Return the action of a number that the core knows."""
    return ACTIONS[code]
