"""The small steps of a turn on the core of a state: placing, turning up, capturing. Compiled.

Every function changes the vector it is given (a copy that its caller made). What the numbers in it
mean is in `layout`.

Rules page: "A turn", "Rainbows".
"""

from typing import Any

from numba import njit

from games.solstis.bits import cover, near, popcount, reach
from games.solstis.layout import (
    ENTRIES,
    ENTRY_BITS,
    PER_PLAYER,
    PLACED,
    PLACES,
    Field,
    Stage,
)
from games.solstis.mountain import LAND
from games.solstis.spirits import Spirit

__all__ = [
    "action_code",
    "add_to_display",
    "append",
    "block_cells",
    "can_capture",
    "entry_of",
    "hand_size",
    "is_locked",
    "isolated",
    "pile_size",
    "place_tile",
    "placing_player",
    "rainbow_cells",
    "remember_filled",
    "take_from_display",
    "turn_up",
    "variant",
]

ENTRY = (1 << ENTRY_BITS) - 1

FIREFLY = 2
"""The number of that variant."""


@njit(cache=True)
def variant(s: Any) -> Any:
    """Return the number of the variant."""
    return s[Field.RULES] & 3


@njit(cache=True)
def action_code(kind: Any, flag: Any, first: Any, second: Any) -> Any:
    """Return the number of an action: its kind, a flag and two small numbers."""
    return kind << 16 | flag << 14 | first << 7 | second


@njit(cache=True)
def pile_size(s: Any) -> Any:
    """Return how many tiles the pile has: those of the pool that do not lie in the display."""
    return popcount(s[Field.POOL]) - popcount(s[Field.DOWN])


@njit(cache=True)
def hand_size(s: Any, player: Any) -> Any:
    """Return to how many tiles a hand is refilled."""
    bear = s[Field.WHERE + Spirit.BEAR]
    if bear >= PLACED and (bear - PLACED) // PER_PLAYER == player:
        return 4
    return 3


@njit(cache=True)
def blocked(s: Any, player: Any) -> Any:
    """Return the cell that the Evil Spirit blocks on a panorama, as a mask."""
    block = s[Field.EVIL_BLOCK]
    if block >= 0 and block // PER_PLAYER == player:
        return 1 << block % PER_PLAYER
    return 0


@njit(cache=True)
def locked(s: Any, player: Any) -> Any:
    """Return the cells whose land tile would be removed from the game."""
    squares = s[Field.SPIRIT_SQUARES + player] | s[Field.FIREFLIES + player]
    return cover(squares) | blocked(s, player)


@njit(cache=True)
def is_locked(s: Any, player: Any, tile: Any) -> Any:
    """Return 1 if a tile would be removed instead of placed, else 0."""
    return locked(s, player) >> tile & 1


@njit(cache=True)
def has_base(s: Any, player: Any) -> Any:
    """Return whether a panorama has a tile of the kind that rainbows go next to."""
    if s[Field.RULES] >> 2 & 3:
        return (s[Field.TILES + player] | s[Field.RAINBOWS + player]) != 0
    return s[Field.TILES + player] != 0


@njit(cache=True)
def waits(s: Any) -> Any:
    """Return whether a rainbow without a tile to be next to is held."""
    return s[Field.RULES] >> 4 & 3


@njit(cache=True)
def rainbow_cells(s: Any, player: Any) -> Any:
    """Return the cells where a player may place a rainbow."""
    tiles = s[Field.TILES + player]
    filled = tiles | s[Field.RAINBOWS + player]
    empty = LAND & ~filled & ~blocked(s, player)
    if not has_base(s, player):
        return 0 if waits(s) else empty
    return near(filled if s[Field.RULES] >> 2 & 3 else tiles) & empty


@njit(cache=True)
def block_cells(s: Any, player: Any) -> Any:
    """Return the cells of a panorama where the Evil Spirit may be put."""
    filled = s[Field.TILES + player] | s[Field.RAINBOWS + player]
    return near(filled) & ~filled & ~blocked(s, player)


@njit(cache=True)
def isolated(s: Any, player: Any) -> Any:
    """Return the tiles and rainbows of a panorama that have no neighbour."""
    filled = s[Field.TILES + player] | s[Field.RAINBOWS + player]
    return filled & ~near(filled)


@njit(cache=True)
def placing_player(s: Any) -> Any:
    """Return who places the pending rainbows: whose turn it is, or the owner of the Squirrel."""
    if s[Field.STAGE] == Stage.END:
        return (s[Field.WHERE + Spirit.SQUIRREL] - PLACED) // PER_PLAYER
    return s[Field.TURN]


@njit(cache=True)
def place_tile(s: Any, player: Any, tile: Any, filled: Any) -> None:
    """Place a land tile, or remove it where its cell is locked; a rainbow there becomes pending.

    `filled` is the field that remembers the cell.
    """
    bit = 1 << tile
    if is_locked(s, player, tile):
        s[Field.REMOVED] |= bit
        return
    if s[Field.RAINBOWS + player] & bit:
        s[Field.RAINBOWS + player] ^= bit
        s[Field.PENDING] += 1
    s[Field.TILES + player] |= bit
    remember_filled(s, tile, filled)


@njit(cache=True)
def remember_filled(s: Any, cell: Any, filled: Any) -> None:
    """Remember that a cell was filled; in the firefly variant, in which order."""
    s[filled] |= 1 << cell
    if variant(s) == FIREFLY:
        sequence = Field.SEQUENCE if filled == Field.FILLED else Field.EFFECT_SEQUENCE
        append(s, sequence, 2 if filled == Field.FILLED else 1, cell)


@njit(cache=True)
def append(s: Any, sequence: Any, words: Any, number: Any) -> None:
    """Append a number to a sequence, unless it is there or the sequence is full."""
    for place in range(words * ENTRIES):
        shift = ENTRY_BITS * (place % ENTRIES)
        entry = s[sequence + place // ENTRIES] >> shift & ENTRY
        if entry == number + 1:
            return
        if entry == 0:
            s[sequence + place // ENTRIES] |= (number + 1) << shift
            return


@njit(cache=True)
def entry_of(s: Any, sequence: Any, place: Any) -> Any:
    """Return a number of a sequence, or -1."""
    shift = ENTRY_BITS * (place % ENTRIES)
    return (s[sequence + place // ENTRIES] >> shift & ENTRY) - 1


@njit(cache=True)
def add_to_display(s: Any, tile: Any) -> Any:
    """Lay a tile face up on the lowest free place and return that place."""
    for place in range(PLACES):
        if s[Field.PLACE + place] < 0 and not s[Field.DOWN] >> place & 1:
            s[Field.PLACE + place] = tile
            s[Field.UP] |= 1 << tile
            return place
    return -1


@njit(cache=True)
def take_from_display(s: Any, tile: Any) -> None:
    """Take a face-up tile; a face-down tile beneath is then to be turned up."""
    for place in range(PLACES):
        if s[Field.PLACE + place] == tile:
            s[Field.PLACE + place] = -1
            s[Field.UP] ^= 1 << tile
            if s[Field.DOWN] >> place & 1:
                s[Field.TURNING] = place


@njit(cache=True)
def turn_up(s: Any, tile: Any) -> None:
    """Turn up the face-down tile of the place that is uncovered; it stays there."""
    place = s[Field.TURNING]
    s[Field.TURNING] = -1
    s[Field.POOL] ^= 1 << tile
    s[Field.DOWN] ^= 1 << place
    s[Field.PLACE + place] = tile
    s[Field.UP] |= 1 << tile


@njit(cache=True)
def can_capture(s: Any, player: Any) -> Any:
    """Return the hand tiles that may be played and capture: of a Fox's order only the named one."""
    hand = s[Field.HAND + player]
    if s[Field.FORCED + player] >= 0:
        hand &= 1 << s[Field.FORCED + player]
    return hand & reach(s[Field.UP])
