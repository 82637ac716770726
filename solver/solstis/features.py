"""What a position is judged by before its end: numbers for each player. Compiled.

A feature is a number of one panorama and hand. The evaluation (see `evaluation`) weighs the
differences between the players, with weights that change as the pile runs out.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.bits import area, complete, cover, near, popcount, reach
from games.solstis.layout import PER_PLAYER, Field
from games.solstis.mountain import LAND, ROW_MASKS, SQUARE_MASK, WIDTH
from games.solstis.moves import locked
from games.solstis.scoring import counts, half_fires, plain_and_blue
from games.solstis.spirits import Spirit

__all__ = ["FEATURES", "feature_vector"]

_SPIRITS: Final = tuple(
    spirit for spirit in Spirit if spirit == Spirit.BEAR or (Spirit.BEE <= spirit < Spirit.EVIL)
)
_OWNED = np.array(_SPIRITS, dtype=np.int64)

FEATURES: Final = (
    "largest_area",
    "second_area",
    "areas",
    "lit_fires",
    "unlit_fires",
    "fires_unlit_in_largest_area",
    "largest_area_reaches_row_1",
    "plain_spirits",
    "blue_spirits",
    "rainbows",
    "tiles",
    "squares_lacking_one",
    "squares_lacking_two",
    "open_cells_beside_largest_area",
    "tiles_to_come_beside_largest_area",
    "hand_tiles_beside_largest_area",
    "hand_tiles",
    "hand_tiles_that_capture",
    "hand_tiles_locked",
    "squares_lacking_one_that_hand_completes",
    "squares_lacking_one_that_display_completes",
    "evil_holder",
    "blocked",
    "held_rainbows",
    "fireflies",
    "shining_fireflies",
    "third_firefly",
    "to_move",
    *(f"has_{spirit}" for spirit in _SPIRITS),
    "bee_points",
    "bird_points",
    "butterfly_points",
    "ladybug_points",
    "wolf_points",
    "lizard_points",
    "squirrel_points",
    "cow_points",
    "phoenix_points",
)
"""The features of a player, in order."""

_BOTTOM = ROW_MASKS[0]
_OWN: Final = FEATURES.index("has_Bear")
_POINTS: Final = FEATURES.index("bee_points")
COUNT: Final = len(FEATURES)


@njit(cache=True)
def _lacking(filled: Any, cells: Any, lacking: Any, free: Any) -> Any:
    """Return the squares without a spirit of which so many of some cells are still empty."""
    result = np.int64(0)
    rest = free
    while rest:
        square = rest & -rest
        rest ^= square
        empty = cover(square) & ~filled
        if popcount(empty) == lacking and empty & ~cells == 0:
            result |= square
    return result


@njit(cache=True)
def feature_vector(s: Any, player: Any, out: Any) -> None:  # noqa: PLR0915
    """Write the features of a player, in the order of `FEATURES`."""
    tiles, rainbows = s[Field.TILES + player], s[Field.RAINBOWS + player]
    hand = s[Field.HAND + player]
    filled = tiles | rainbows
    closed = locked(s, player)
    largest, best, second, areas = np.int64(0), 0, 0, 0
    lit = np.int64(0)
    rest = filled
    while rest:
        group = area(rest & -rest, rest)
        rest ^= group
        areas += 1
        land = popcount(group & tiles)
        if land > best:
            largest, best, second = group, land, best
        elif land > second:
            second = land
        if group & _BOTTOM:
            lit |= group
    out[0] = best
    out[1] = second
    out[2] = areas
    lit_fires, unlit_fires = 0.5 * half_fires(tiles & lit), 0.5 * half_fires(tiles & ~lit)
    out[3] = lit_fires
    out[4] = unlit_fires
    out[5] = 0.5 * half_fires(tiles & ~lit & largest)
    out[6] = 1.0 if largest & _BOTTOM else 0.0
    plain, blue = plain_and_blue(s, player)
    out[7] = plain
    out[8] = blue
    out[9] = popcount(rainbows)
    out[10] = popcount(tiles)
    taken = s[Field.SPIRIT_SQUARES + player] | s[Field.FIREFLIES + player]
    free = SQUARE_MASK & ~taken & ~complete(filled)
    # Squares near what is there, so that few are looked at.
    free &= filled | filled >> 1 | filled >> WIDTH | filled >> (WIDTH + 1)
    open_cells = LAND & ~closed & ~s[Field.TILES + 1 - player] & ~s[Field.REMOVED]
    to_come = s[Field.POOL] | s[Field.UP] | s[Field.HAND] | s[Field.HAND + 1]
    one = _lacking(filled, open_cells, 1, free)
    out[11] = popcount(one)
    out[12] = popcount(_lacking(filled, open_cells, 2, free & ~one))
    beside = near(largest) & ~filled & ~closed
    out[13] = popcount(beside)
    out[14] = popcount(beside & to_come)
    out[15] = popcount(beside & hand)
    out[16] = popcount(hand)
    out[17] = popcount(hand & reach(s[Field.UP]))
    out[18] = popcount(hand & closed)
    out[19] = popcount(_lacking(filled, hand, 1, one))
    out[20] = popcount(_lacking(filled, s[Field.UP], 1, one))
    out[21] = 1.0 if s[Field.EVIL_HOLDER] == player else 0.0
    block = s[Field.EVIL_BLOCK]
    out[22] = 1.0 if block >= 0 and block // PER_PLAYER == player else 0.0
    out[23] = s[Field.HELD + player]
    fireflies = s[Field.FIREFLIES + player]
    out[24] = popcount(fireflies)
    shining = 0
    rest = fireflies
    while rest:
        if cover(rest & -rest) & lit:
            shining += 1
        rest &= rest - 1
    out[25] = shining
    out[26] = 1.0 if popcount(fireflies) >= 3 else 0.0
    out[27] = 1.0 if s[Field.TURN] == player else 0.0
    for k in range(len(_OWNED)):
        out[_OWN + k] = 1.0 if counts(s, player, _OWNED[k]) else 0.0
    out[_POINTS] = plain if counts(s, player, Spirit.BEE) else 0.0
    out[_POINTS + 1] = blue - 1 if counts(s, player, Spirit.BIRD) else 0.0
    out[_POINTS + 2] = lit_fires if counts(s, player, Spirit.BUTTERFLY) else 0.0
    out[_POINTS + 3] = unlit_fires if counts(s, player, Spirit.LADYBUG) else 0.0
    out[_POINTS + 4] = areas if counts(s, player, Spirit.WOLF) else 0.0
    out[_POINTS + 5] = popcount(rainbows) if counts(s, player, Spirit.LIZARD) else 0.0
    out[_POINTS + 6] = popcount(hand & ~closed) if counts(s, player, Spirit.SQUIRREL) else 0.0
    out[_POINTS + 7] = second if counts(s, player, Spirit.COW) else 0.0
    out[_POINTS + 8] = popcount(fireflies) if counts(s, player, Spirit.PHOENIX) else 0.0
