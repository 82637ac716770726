"""Actions and outcomes numbered densely, for learners and other programs that want small integers.

The numbers are the same in all variants and options of the rules: the base game uses the first
1447, the firefly variant all 3895. A number names what is chosen; what the state settles, such as
the place of a tile in the display or that a cell is locked, is no part of it. So two actions that
are legal in one state have different numbers.

==========  =====  ==========================================================
first       count  actions
==========  =====  ==========================================================
0           48     ``play_tile T``: the tiles in order, 1-1 first
48          48     ``capture T@P``, by T
96          48     ``place_rainbow C``
144         48     ``deer T``
192         48     ``beetle T@P``, by T
240         1      ``spirit_source draw``
241         594    ``spirit_source N@S``: for each spirit N the 33 squares S
835         594    ``spirit_keep N@S``
1429        18     ``evil_cover N@S``, by N
1447        48     ``fox_force T``
1495        48     ``evil_block C``
1543        48     ``viper T``
1591        2304   ``viper rainbow@C>D``: for each C the 48 D
==========  =====  ==========================================================

Outcomes of chance have numbers of their own, from 0: a tile that is drawn or turned up has its
place among the 48, and spirits that are drawn have theirs among the 190 pairs of the 19 spirits (a
spirit that is drawn alone is paired with itself).
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from games.errors import IllegalMoveError
from games.solstis.actions import Action
from games.solstis.layout import Kind
from games.solstis.mountain import CELLS, SQUARES
from games.solstis.spirits import Spirit

if TYPE_CHECKING:
    from games.solstis.state import State

__all__ = ["ACTION_COUNTS", "OUTCOME_COUNT", "action_number", "legal_numbers", "outcome_number"]

_TILES: Final = len(CELLS)
_KEPT: Final = int(Spirit.EVIL)
"""Spirits that can be kept: all before the Evil Spirit."""

_PLACED: Final = _KEPT * len(SQUARES)
_SHARED: Final = {
    Kind.PLAY_TILE: 0,
    Kind.CAPTURE: _TILES,
    Kind.PLACE_RAINBOW: 2 * _TILES,
    Kind.DEER: 3 * _TILES,
    Kind.BEETLE: 4 * _TILES,
    Kind.SPIRIT_SOURCE: 5 * _TILES,
    Kind.SPIRIT_KEEP: 5 * _TILES + 1 + _PLACED,
    Kind.EVIL_COVER: 5 * _TILES + 1 + 2 * _PLACED,
}
_BASE: Final = _SHARED[Kind.EVIL_COVER] + _KEPT
_FIRST: Final = {
    **_SHARED,
    Kind.FOX_FORCE: _BASE,
    Kind.EVIL_BLOCK: _BASE + _TILES,
    Kind.VIPER: _BASE + 2 * _TILES,
}
_FIREFLY: Final = _FIRST[Kind.VIPER] + _TILES + _TILES**2
_RAINBOW: Final = 2
_DRAW: Final = 1

ACTION_COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {"base": _BASE, "beginner": _BASE, "firefly": _FIREFLY}
)
"""How many numbers of actions each variant uses."""

_PAIRS: Final = {
    pair: number for number, pair in enumerate((a, b) for a in Spirit for b in Spirit if a <= b)
}
OUTCOME_COUNT: Final = len(_PAIRS)
"""How many numbers of outcomes there are."""

_CELL: Final = {cell: number for number, cell in enumerate(CELLS)}
_SQUARE: Final = {square: number for number, square in enumerate(SQUARES)}


@cache
def action_number(action: Action) -> int:
    """Return the number of an action of a player.

    Raises
    ------
    IllegalMoveError
        If it is an outcome of chance.

    Examples
    --------
    >>> action_number(Action.parse("play_tile 1-2"))
    1
    >>> action_number(Action.parse("capture 1-2@3")), action_number(Action.parse("capture 1-2@5"))
    (49, 49)
    """
    kind, flag = Kind(action.code >> 16), action.code >> 14 & 3
    first, second = action.code >> 7 & 127, action.code & 127
    if kind not in _FIRST:
        raise IllegalMoveError(f"{action} is an outcome of chance, not an action of a player")
    start = _FIRST[kind]
    if kind == Kind.SPIRIT_SOURCE:
        return start if flag == _DRAW else start + 1 + first * len(SQUARES) + _SQUARE[second]
    if kind == Kind.SPIRIT_KEEP:
        return start + first * len(SQUARES) + _SQUARE[second]
    if kind == Kind.EVIL_COVER:
        return start + first
    if kind == Kind.VIPER and flag & _RAINBOW:
        return start + _TILES + _CELL[first] * _TILES + _CELL[second]
    return start + _CELL[first]


@cache
def outcome_number(outcome: Action) -> int:
    """Return the number of an outcome of chance.

    Raises
    ------
    IllegalMoveError
        If it is an action of a player.

    Examples
    --------
    >>> outcome_number(Action.parse("draw 1-2")), outcome_number(Action.parse("reveal 1-2@4"))
    (1, 1)
    >>> outcome_number(Action.parse("draw_spirits Deer+Fish"))
    1
    """
    kind = Kind(outcome.code >> 16)
    if kind in _FIRST:
        raise IllegalMoveError(f"{outcome} is an action of a player, not an outcome of chance")
    first, second = outcome.code >> 7 & 127, outcome.code & 127
    if kind == Kind.DRAW_SPIRITS:
        return _PAIRS[Spirit(first), Spirit(second)]
    return _CELL[first]


def legal_numbers(state: "State") -> dict[int, Action]:
    """Return the legal actions of a decision, or the outcomes at a chance node, by their numbers.

    Examples
    --------
    >>> from games.solstis import State
    >>> {number: str(action) for number, action in legal_numbers(State.new(5)).items()}
    {23: 'play_tile 3-4', 35: 'play_tile 4-7', 41: 'play_tile 5-6'}
    """
    if state.kind == "chance":
        numbered = {outcome_number(outcome): outcome for outcome, _ in state.outcomes()}
    else:
        numbered = {action_number(action): action for action in state.legal()}
    return dict(sorted(numbered.items()))
