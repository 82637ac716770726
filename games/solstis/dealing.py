"""Deals in steps, for programs in which chance is a player: the start tile by tile, and who draws.

Rules page: "Material".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from games.errors import PositionError
from games.solstis.layout import Field, Kind, Stage, empty_core
from games.solstis.mountain import LAND, cell_number, mask_of
from games.solstis.rules import Rules
from games.solstis.spirits import spirits_of

if TYPE_CHECKING:
    from games.solstis.state import State

__all__ = ["DEALT_TILES", "DISPLAY_PLACES", "HAND_TILES", "deal", "drawing_player"]

DISPLAY_PLACES: Final = 6
HAND_TILES: Final = 3
DEALT_TILES: Final = DISPLAY_PLACES + 2 * HAND_TILES
"""Tiles that are seen by somebody when the game begins."""


def deal(tiles: Sequence[str], rules: Rules | None = None) -> "State":
    """Return the start of a game of which these tiles are known; all others are unseen.

    Parameters
    ----------
    tiles : sequence of str
        The face-up tiles of places 0 to 5, then the hand of player 0, then that of player 1. With
        fewer than twelve, the state is what lies there so far, to be shown and not to be played.
    rules : Rules, optional
        The options of the rules, the sheet's by default.

    Returns
    -------
    State
        The piles as sets: every draw is chance.

    Raises
    ------
    PositionError
        If a tile is there twice, or there are more than twelve.
    NotationError
        If there is no such tile.

    Examples
    --------
    >>> state = deal("4-3 2-9 4-4 2-8 1-3 3-8 3-4 4-7 5-6 3-9 4-5 6-7".split())
    >>> state.kind, [str(action) for action in state.legal()]
    ('decision', ['play_tile 3-4', 'play_tile 4-7', 'play_tile 5-6'])
    """
    from games.solstis.state import State  # noqa: PLC0415

    rules = Rules() if rules is None else rules
    numbers = [cell_number(tile) for tile in tiles]
    if len(set(numbers)) < len(numbers) or len(numbers) > DEALT_TILES:
        raise PositionError(
            f"{' '.join(tiles)}: expected at most {DEALT_TILES} tiles, each of them once"
        )
    core = empty_core(rules)
    up, hands = numbers[:DISPLAY_PLACES], numbers[DISPLAY_PLACES:]
    core[Field.PLACE : Field.PLACE + len(up)] = up
    core[Field.UP] = mask_of(up)
    core[Field.DOWN] = (1 << DISPLAY_PLACES) - 1
    core[Field.HAND] = mask_of(hands[:HAND_TILES])
    core[Field.HAND + 1] = mask_of(hands[HAND_TILES:])
    core[Field.POOL] = LAND & ~mask_of(numbers)
    core[Field.SPIRIT_PILE] = mask_of(spirits_of(rules.variant))
    return State._of(core, None, rules)


def drawing_player(state: "State") -> int | None:
    """Return who alone sees the outcome at a chance node: the player who draws a tile to the hand.

    None where all see it, and where nothing is drawn.

    Examples
    --------
    >>> state = deal("4-3 2-9 4-4 2-8 1-3 3-8 3-4 4-7 5-6 3-9 4-5 6-7".split())
    >>> state = state.play("play_tile 4-7").play("capture 4-3@0").play("reveal 1-1@0")
    >>> [str(outcome) for outcome, _ in state.outcomes()][:2], drawing_player(state)
    (['draw 1-2', 'draw 1-4'], 0)
    """
    outcomes = state.outcomes()
    if not outcomes or outcomes[0][0].code >> 16 != Kind.DRAW:
        return None
    turn = int(state._core[Field.TURN])
    return 1 - turn if state._core[Field.STAGE] == Stage.COMPENSATE else turn
