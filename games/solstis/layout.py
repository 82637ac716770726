"""Where the core of a state keeps what: the fields of one vector of int64.

The core knows which tiles are unseen (the pile and the face-down tiles of the display are one
*pool*: nobody has seen any of them), but not their order: that is `order.Order`, if it is known.
"""

from enum import IntEnum
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.solstis.rules import Rules

Core: TypeAlias = NDArray[np.int64]

__all__ = ["PLACES", "SOURCES", "Core", "Field", "Kind", "Stage", "empty_core"]

PLACES: Final = 18
"""Places that the display can ever have.

A tile is only added when no face-up tile has its row, so that of such tiles at most six lie there
at once; all others are of the first twelve.
"""

ENTRY_BITS: Final = 6
ENTRIES: Final = 10
"""Bits for an entry of a sequence, and entries in a word of it."""

SPIRITS: Final = 19
PLACED: Final = 100
"""Added to 64 times the player plus the square where a spirit lies."""
PER_PLAYER: Final = 64


class Field(IntEnum):
    """Places in the vector. Those of two players stand side by side."""

    TILES = 0
    RAINBOWS = 2
    HAND = 4
    SPIRIT_SQUARES = 6
    FIREFLIES = 8
    SEEN = 10
    """Tiles of the other's hand that a player has seen."""
    FORCED = 12
    """The tile that the player must play in the next turn, or -1."""
    HELD = 14
    POOL = 16
    """The tiles of the pile and the face-down ones of the display."""
    REMOVED = 17
    UP = 18
    """The face-up tiles of the display."""
    DOWN = 19
    """The places (as bits) that have a face-down tile."""
    STOCK = 20
    FIREFLY_STOCK = 21
    SPIRIT_PILE = 22
    LINE = 23
    """The spirits (as bits) of the pile and of the line."""
    TURN = 24
    AGAIN = 25
    """Whether another turn of the same player follows (Groundhog)."""
    EVIL_HOLDER = 26
    EVIL_COVER = 27
    EVIL_BLOCK = 28
    """64 times the player plus the square or cell on which the Evil Spirit lies, or -1."""
    EVIL_DRAWN = 29
    """The player who drew the Evil Spirit in this encounter, or -1."""
    RULES = 30
    STAGE = 31
    PLAYING = 32
    """The tile that was played, or turned up, and is not laid down yet, or -1."""
    PLAYING_PLACE = 33
    """The place where the second-chance tile lies while face-down tiles are turned up, or -1."""
    CAPTURED = 34
    """The tile turned up that must be captured, or -1."""
    FILLED = 35
    """Cells filled by capture and rainbows this turn."""
    EFFECT_FILLED = 36
    """Cells filled by a spirit's effect this turn."""
    PENDING = 37
    """Rainbows to be placed now."""
    SOURCE = 38
    """Why they are placed: a number of `SOURCES`."""
    DRAWN = 39
    """The spirits (as bits) drawn, of which one is kept."""
    ELIGIBLE = 40
    """Squares that may bear the spirit encountered, or get a firefly."""
    SEQUENCE = 41
    """Firefly: the cells filled in their order, after the encounter the eligible squares in theirs;
    two words of ten entries, one more than the number, 0 for none."""
    EFFECT_SEQUENCE = 43
    """Firefly: the cells that the effect filled, in their order."""
    TURNING = 44
    """The place whose face-down tile is turned up, or -1."""
    WHERE = 45
    """For each spirit: its place in the line, `PLACED` and more on a panorama, or -1."""
    PLACE = WHERE + SPIRITS
    """For each place of the display: its face-up tile, or -1."""


SIZE: Final = int(Field.PLACE) + PLACES


class Stage(IntEnum):
    """What comes next in a turn.

    At those from SECOND_CHANCE to COMPENSATE chance decides, at those from PLAY to COVER a player
    does; all others are passed automatically, except that placing rainbows stops at any of them.
    """

    SECOND_CHANCE = 0
    UNCOVER = 1
    BENEATH_CAPTURED = 2
    BENEATH_BEETLE = 3
    SPIRITS = 4
    EAGLE = 5
    DRAGONFLY = 6
    BEAR = 7
    COMPENSATE = 8
    REFILL = 9
    PLAY = 10
    CAPTURE = 11
    SOURCE = 12
    KEEP = 13
    DEER = 14
    BEETLE = 15
    VIPER = 16
    FOX = 17
    BLOCK = 18
    COVER = 19
    TURN = 20
    MISS = 21
    PLACE_PLAYING = 22
    PLACE_HELD = 23
    ENCOUNTER = 24
    FIREFLIES = 25
    EVIL = 26
    TURN_END = 27
    ENDPHASE = 28
    SQUIRREL = 29
    END = 30


class Kind(IntEnum):
    """What an action or an outcome is; the text is the word of the records."""

    PLAY_TILE = 0
    CAPTURE = 1
    PLACE_RAINBOW = 2
    SPIRIT_SOURCE = 3
    SPIRIT_KEEP = 4
    DEER = 5
    BEETLE = 6
    VIPER = 7
    FOX_FORCE = 8
    EVIL_BLOCK = 9
    EVIL_COVER = 10
    EAGLE_DRAW = 11
    DRAGONFLY_DRAW = 12
    DRAW = 13
    SECOND_CHANCE = 14
    REVEAL = 15
    DRAW_SPIRITS = 16

    def __str__(self) -> str:
        return self.name.lower()


SOURCES: Final = (
    "no_capture",
    "capture",
    "fish",
    "deer",
    "eagle",
    "beetle",
    "dragonfly",
    "viper",
    "squirrel",
)
"""Why a rainbow is placed, in the words of the records."""

_RAINBOWS, _FIREFLIES = 12, 7


def empty_core(rules: Rules) -> Core:
    """Return the vector of a game in which nothing lies anywhere yet."""
    core = np.zeros(SIZE, dtype=np.int64)
    for field in (
        Field.FORCED,
        Field.FORCED + 1,
        Field.EVIL_HOLDER,
        Field.EVIL_COVER,
        Field.EVIL_BLOCK,
        Field.EVIL_DRAWN,
        Field.PLAYING,
        Field.PLAYING_PLACE,
        Field.CAPTURED,
        Field.TURNING,
    ):
        core[field] = -1
    core[Field.WHERE :] = -1
    core[Field.STOCK] = _RAINBOWS
    core[Field.FIREFLY_STOCK] = _FIREFLIES if rules.variant == "firefly" else 0
    core[Field.RULES] = rules.code
    core[Field.STAGE] = Stage.PLAY
    return core
