"""What a position must fulfil besides that its parts fit: the start, the middle, the end of a turn.

Rules page: "A turn", "End", "Firefly expansion".
"""

from typing import Final

from games.errors import PositionError
from games.solstis.bits import captures, cover, lowest, reach
from games.solstis.layout import PER_PLAYER, PLACED, SOURCES, Core, Field, Stage
from games.solstis.mountain import ROW_MASKS, cell_name
from games.solstis.moves import FIREFLY, hand_size, pile_size, variant
from games.solstis.options import legal_codes
from games.solstis.spirits import Spirit
from games.solstis.turn import END, TURN_ENDED, status

__all__ = [
    "check_block",
    "check_display",
    "check_hands",
    "check_over",
    "check_start",
    "check_turn",
]

_FIREFLIES_TO_WIN: Final = 4
_MOST_IN_DISPLAY: Final = 6 + 6 + len(ROW_MASKS) - 1
"""At the start: face-up and face-down tiles, and the rows that have none of the former."""

_PARTS: Final = {
    "playing": Field.PLAYING,
    "playing_place": Field.PLAYING_PLACE,
    "must_capture": Field.CAPTURED,
    "turning": Field.TURNING,
    "filled": Field.FILLED,
    "effect_filled": Field.EFFECT_FILLED,
    "eligible": Field.ELIGIBLE,
    "drawn": Field.DRAWN,
    "rainbows": Field.PENDING,
    "again": Field.AGAIN,
    "evil_drawn": Field.EVIL_DRAWN,
}
"""What may be told of the middle of a turn."""

_NONE_IS_MINUS_1: Final = {"playing", "playing_place", "must_capture", "turning", "evil_drawn"}

_ENCOUNTERED: Final = " eligible evil_drawn"
"""What is remembered while a spirit acts, in the firefly variant."""

_NEEDED_ALLOWED: Final = {
    Stage.SECOND_CHANCE: ("", ""),
    Stage.UNCOVER: ("playing playing_place turning", ""),
    Stage.BENEATH_CAPTURED: ("playing turning", "filled rainbows"),
    Stage.BENEATH_BEETLE: ("turning", "effect_filled rainbows" + _ENCOUNTERED),
    Stage.SPIRITS: ("eligible", ""),
    Stage.EAGLE: ("", _ENCOUNTERED),
    Stage.DRAGONFLY: ("", _ENCOUNTERED),
    Stage.BEAR: ("", _ENCOUNTERED),
    Stage.COMPENSATE: ("", "effect_filled rainbows" + _ENCOUNTERED),
    Stage.REFILL: ("", "again"),
    Stage.CAPTURE: ("playing", "playing_place must_capture"),
    Stage.SOURCE: ("eligible", ""),
    Stage.KEEP: ("eligible drawn", "evil_drawn"),
    Stage.DEER: ("", _ENCOUNTERED),
    Stage.BEETLE: ("", _ENCOUNTERED),
    Stage.VIPER: ("", _ENCOUNTERED),
    Stage.FOX: ("", _ENCOUNTERED),
    Stage.BLOCK: ("", "again evil_drawn"),
    Stage.PLACE_PLAYING: ("playing filled rainbows", ""),
    Stage.PLACE_HELD: ("filled rainbows", ""),
    Stage.ENCOUNTER: ("rainbows", "filled"),
    Stage.FIREFLIES: ("rainbows", "effect_filled" + _ENCOUNTERED),
    Stage.END: ("rainbows", "effect_filled"),
}
"""For each stage at which a turn can rest: what is told of it, and what may be."""

_SPIRITS: Final = {
    Stage.BENEATH_BEETLE: Spirit.BEETLE,
    Stage.EAGLE: Spirit.EAGLE,
    Stage.DRAGONFLY: Spirit.DRAGONFLY,
    Stage.BEAR: Spirit.BEAR,
    Stage.COMPENSATE: Spirit.DRAGONFLY,
    Stage.DEER: Spirit.DEER,
    Stage.BEETLE: Spirit.BEETLE,
    Stage.VIPER: Spirit.VIPER,
    Stage.FOX: Spirit.FOX,
}
_SOURCES: Final = {
    Stage.BENEATH_CAPTURED: {"capture"},
    Stage.PLACE_PLAYING: {"capture"},
    Stage.PLACE_HELD: {"capture"},
    Stage.ENCOUNTER: {"no_capture", "capture"},
    Stage.BENEATH_BEETLE: {"beetle"},
    Stage.COMPENSATE: {"dragonfly"},
    Stage.FIREFLIES: {"fish", "deer", "eagle", "beetle", "dragonfly", "viper"},
    Stage.END: {"squirrel"},
}
_TO_HAND: Final = {Stage.BEAR, Stage.COMPENSATE, Stage.REFILL}
_FROM_PILE: Final = {Stage.SECOND_CHANCE, Stage.EAGLE, *_TO_HAND}


def check_display(core: Core) -> None:
    """Refuse a display too full, or a face-down tile that lies open and is not turned up.

    A tile is only added when no face-up tile has its row, or from beneath. So face-up tiles,
    face-down tiles and rows without a face-up tile never become more in all than at the start.
    """
    up, down = int(core[Field.UP]), int(core[Field.DOWN])
    rows = sum(not up & row for row in ROW_MASKS)
    if up.bit_count() + down.bit_count() + rows > _MOST_IN_DISPLAY:
        raise PositionError(
            f"{up.bit_count()} tiles lie face up in the display and {down.bit_count()} face down, "
            "more than there can be"
        )
    for place in range(int(core[Field.DOWN]).bit_length()):
        if core[Field.DOWN] >> place & 1 and core[Field.PLACE + place] < 0:
            beneath = core[Field.STAGE] in (Stage.BENEATH_CAPTURED, Stage.BENEATH_BEETLE)
            if not beneath or core[Field.TURNING] != place:
                raise PositionError(f"the face-down tile of place {place} has no tile on it")


def check_hands(core: Core, refilled: bool) -> None:
    """Refuse hands that are too large, or not of the full size if they should be."""
    for player in (0, 1):
        size, most = int(core[Field.HAND + player]).bit_count(), int(hand_size(core, player))
        if size > most or (refilled and size < most):
            raise PositionError(
                f"player {player + 1} has {size} tiles in hand: expected {most}"
                + ("" if refilled else " or fewer")
            )


def check_start(core: Core) -> None:
    """Refuse what cannot be at the start of a turn."""
    player = int(core[Field.TURN])
    if _fireflies(core) >= _FIREFLIES_TO_WIN:
        raise PositionError("a player has four fireflies, but the game is not over")
    _check_empty_hand(core, player)
    _check_empty_hand(core, 1 - player)
    if core[Field.EVIL_DRAWN] >= 0:
        raise PositionError("the Evil Spirit was drawn and is still in a player's hand")


def _check_empty_hand(core: Core, player: int) -> None:
    if pile_size(core) > 0 and not core[Field.HAND + player]:
        raise PositionError(f"player {player + 1} has no tile in hand, but the pile has some")


def check_over(core: Core) -> None:
    """Refuse an end before the end: with a pile, or with a player who can capture."""
    if max(core[Field.FORCED], core[Field.FORCED + 1]) >= 0:
        raise PositionError("an order of the Fox ends with the game")
    if _fireflies(core) >= _FIREFLIES_TO_WIN:
        return
    if core[Field.EVIL_DRAWN] >= 0:
        raise PositionError("the Evil Spirit was drawn and is still in a player's hand")
    if pile_size(core) > 0:
        raise PositionError(f"the game is over, but the pile has {pile_size(core)} tiles")
    for player in (0, 1):
        can = int(core[Field.HAND + player] & reach(core[Field.UP]))
        # An order of the Fox, which ended with the game, may have kept a player from it.
        if can and variant(core) != FIREFLY:
            name = cell_name(int(lowest(can)))
            raise PositionError(
                f"the game is over, but player {player + 1} can capture with {name}"
            )


def _fireflies(core: Core) -> int:
    return max(int(core[Field.FIREFLIES + player]).bit_count() for player in (0, 1))


def check_turn(core: Core) -> None:
    """Refuse the middle of a turn that no turn leads to."""
    stage, player = Stage(int(core[Field.STAGE])), int(core[Field.TURN])
    at = f"at stage {stage.name.lower()}"
    if stage not in _NEEDED_ALLOWED or status(core) in (END, TURN_ENDED):
        raise PositionError(f"nothing is to be decided {at} of a turn")
    _check_parts(core, stage, at)
    _check_places(core, stage, at)
    _check_spirits(core, stage, at)
    if stage == Stage.END:
        check_over(core)
        return
    if _fireflies(core) >= _FIREFLIES_TO_WIN:
        raise PositionError("a player has four fireflies, but the game is not over")
    _check_empty_hand(core, 1 - player)
    drawer = 1 - player if stage == Stage.COMPENSATE else player
    full = int(core[Field.HAND + drawer]).bit_count() >= hand_size(core, drawer)
    if stage in _TO_HAND and full:
        raise PositionError(f"player {drawer + 1} is to draw a tile, but the hand is full {at}")
    if stage in _FROM_PILE and pile_size(core) <= 0:
        raise PositionError(f"the pile is empty {at}")
    if len(legal_codes(core)) == 0:
        raise PositionError(f"nothing can be done {at}")


def _check_parts(core: Core, stage: Stage, at: str) -> None:
    """Check what is told of a stage: all that is needed, nothing that is not."""
    needed, allowed = (set(names.split()) for names in _NEEDED_ALLOWED[stage])
    if variant(core) != FIREFLY and stage != Stage.KEEP:
        allowed -= set(_ENCOUNTERED.split())
    for name, field in _PARTS.items():
        given = core[field] != (-1 if name in _NONE_IS_MINUS_1 else 0)
        if given and name not in needed | allowed:
            raise PositionError(f"{name!r} is given, but is not needed {at}")
        if not given and name in needed:
            raise PositionError(f"{name!r} is missing {at}")
    source, rainbows = SOURCES[core[Field.SOURCE]], int(core[Field.PENDING])
    if rainbows and source not in _SOURCES[stage]:
        raise PositionError(f"a rainbow is to be placed for {source!r}, which cannot be {at}")
    several = stage == Stage.END or (stage == Stage.ENCOUNTER and source == "capture")
    if rainbows > 1 and not several:
        raise PositionError(f"{rainbows} rainbows are to be placed, which cannot be {at}")


def _check_places(core: Core, stage: Stage, at: str) -> None:
    """Check the tile that is played, the one to be captured, and the place that is turned up."""
    playing, captured = int(core[Field.PLAYING]), int(core[Field.CAPTURED])
    if (captured >= 0) != (stage == Stage.CAPTURE and core[Field.PLAYING_PLACE] >= 0):
        raise PositionError(f"'must_capture' and 'playing_place' do not go together {at}")
    if captured >= 0:
        if not core[Field.UP] >> captured & 1 or captured == playing:
            raise PositionError("the tile that must be captured is not in the display")
        if not captures(playing) >> captured & 1:
            raise PositionError("the tile that must be captured does not match")
    place = int(core[Field.TURNING])
    if place < 0:
        return
    if not core[Field.DOWN] >> place & 1:
        raise PositionError(f"place {place} is turned up, but it has no face-down tile")
    if stage == Stage.UNCOVER:
        if place != lowest(core[Field.DOWN]):
            raise PositionError(f"place {place} is turned up, but it is not the lowest")
    elif core[Field.PLACE + place] >= 0:
        raise PositionError(f"place {place} is turned up, but a tile lies on it")


def _check_spirits(core: Core, stage: Stage, at: str) -> None:
    """Check the squares to choose from, what was drawn, and whose effect it is."""
    player = int(core[Field.TURN])
    taken = core[Field.SPIRIT_SQUARES + player] | core[Field.FIREFLIES + player]
    if core[Field.ELIGIBLE] & taken:
        raise PositionError("'eligible' has squares that bear a spirit or a firefly")
    drawn, evil = int(core[Field.DRAWN]), core[Field.EVIL_DRAWN] >= 0
    if drawn >> Spirit.EVIL & 1:
        raise PositionError("the Evil Spirit is not kept by choice: 'evil_drawn' tells it")
    alone = not evil and core[Field.SPIRIT_PILE] != 0
    if stage == Stage.KEEP and not (1 + alone <= drawn.bit_count() <= 2 - evil):
        raise PositionError(f"two spirits are drawn {at}, or the last one")
    if evil and (
        core[Field.EVIL_DRAWN] != player
        or (variant(core) != FIREFLY and core[Field.EVIL_HOLDER] != player)
    ):
        raise PositionError("the Evil Spirit was drawn, but not by the player to move")
    hosted = core[Field.EVIL_BLOCK] >= 0 and core[Field.EVIL_BLOCK] // PER_PLAYER == player
    if stage == Stage.BLOCK and not (variant(core) == FIREFLY and (evil or hosted)):
        raise PositionError(f"player {player + 1} has no Evil Spirit to put anywhere {at}")
    if stage == Stage.SOURCE and not core[Field.LINE]:
        raise PositionError(f"there is no spirit in the line {at}")
    source = SOURCES[core[Field.SOURCE]]
    spirit = Spirit.parse(source.capitalize()) if stage == Stage.FIREFLIES else _SPIRITS.get(stage)
    if spirit is not None and not _has(core, player, spirit):
        raise PositionError(f"player {player + 1} has no {spirit}, which is to act {at}")
    if core[Field.AGAIN] and not _has(core, player, Spirit.GROUNDHOG):
        raise PositionError(f"player {player + 1} has no Groundhog for another turn")
    if stage == Stage.END and core[Field.WHERE + Spirit.SQUIRREL] < PLACED:
        raise PositionError("rainbows are to be placed at the end, but there is no Squirrel")


def _has(core: Core, player: int, spirit: Spirit) -> bool:
    where = int(core[Field.WHERE + spirit]) - PLACED
    return where >= 0 and where // PER_PLAYER == player


def check_block(core: Core) -> None:
    """Refuse an Evil Spirit on a cell of a square with a spirit or a firefly."""
    block = int(core[Field.EVIL_BLOCK])
    if block < 0:
        return
    player, cell = divmod(block, PER_PLAYER)
    squares = core[Field.SPIRIT_SQUARES + player] | core[Field.FIREFLIES + player]
    if int(cover(squares)) >> cell & 1:
        raise PositionError("the Evil Spirit blocks a cell of a square with a spirit")
