"""Between what the margin at the end must lie, told from a position without search. Compiled.

A player's score is bounded from above by what all tiles that could still come to that player would
be worth, and from below by what nobody can take away: areas and lit fires only grow, spirits stay
unless the Evil Spirit covers one. Bounds are for the base and the beginner variant; in the firefly
variant nothing is claimed.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.bits import area, complete, popcount
from games.solstis.layout import Field, Stage
from games.solstis.mountain import ROW_MASKS
from games.solstis.moves import FIREFLY, pile_size, variant
from games.solstis.scoring import (
    AREA,
    BLUE,
    FIRES,
    SCORE_SIZE,
    SPIRITS,
    counts,
    half_fires,
    plain_and_blue,
    score_vector,
    total_score,
)
from games.solstis.spirits import Spirit
from games.solstis.turn import END, status

__all__ = ["MOST_POINTS", "margin_bounds"]

MOST_POINTS: Final = 200
"""More than any margin."""

_BOTTOM = ROW_MASKS[0]


@njit(cache=True)
def margin_bounds(s: Any, out: Any) -> None:
    """Write the least and the greatest margin, player 0's score minus the other's, that can be."""
    if status(s) == END:
        out[0] = total_score(s, 0) - total_score(s, 1)
        out[1] = out[0]
        return
    if variant(s) == FIREFLY:
        out[0], out[1] = -MOST_POINTS, MOST_POINTS
        return
    parts = np.empty(SCORE_SIZE, dtype=np.int64)
    _score_bounds(s, 0, parts, out)
    low, high = out[0], out[1]
    _score_bounds(s, 1, parts, out)
    out[0], out[1] = low - out[1], high - out[0]


@njit(cache=True)
def _score_bounds(s: Any, player: Any, parts: Any, out: Any) -> None:
    """Write the least and the greatest score of a player at the end."""
    score_vector(s, player, parts)
    pile = pile_size(s)
    to_come = s[Field.SPIRIT_PILE] | s[Field.LINE] | s[Field.DRAWN]
    tiles, rainbows = s[Field.TILES + player], s[Field.RAINBOWS + player]
    own = s[Field.HAND + player]
    land = own | s[Field.UP] | s[Field.POOL]
    if pile or to_come >> Spirit.DRAGONFLY & 1 or s[Field.STAGE] == Stage.DRAGONFLY:
        land |= s[Field.HAND + 1 - player]
    if s[Field.PLAYING] >= 0:
        land |= 1 << s[Field.PLAYING]
    everything = tiles | land
    # Rainbows that may still be placed: held, pushed out, won by a miss or by the Fish.
    placing = s[Field.HELD + player] + s[Field.PENDING] + pile
    placing += popcount(rainbows & land) + (to_come >> Spirit.FISH & 1)
    if s[Field.STAGE] == Stage.MISS:
        placing += 1
    encounters = min(popcount(to_come), popcount(own) + pile + 1)
    if placing == 0:
        squares = complete(everything | rainbows) & ~s[Field.SPIRIT_SQUARES + player]
        encounters = min(encounters, popcount(squares))
    _greatest(s, player, parts, out, everything, placing, encounters, to_come)
    _least(s, player, parts, out, placing + popcount(rainbows), to_come)


@njit(cache=True)
def _greatest(  # noqa: PLR0912, PLR0917
    s: Any, player: Any, parts: Any, out: Any, everything: Any, placing: Any, encounters: Any,
    to_come: Any,
) -> None:  # fmt: skip
    """Write the greatest score; `placing`: rainbows that may still be placed."""
    tiles, rainbows = s[Field.TILES + player], s[Field.RAINBOWS + player]
    largest, areas = np.int64(0), np.int64(0)
    lit = np.int64(0)
    if placing:
        largest = popcount(everything)
        lit = everything
    else:
        rest = everything | rainbows
        while rest:
            group = area(rest & -rest, rest)
            rest ^= group
            largest = max(largest, popcount(group & everything))
            if group & _BOTTOM:
                lit |= group
    rest = tiles | rainbows
    while rest:
        group = area(rest & -rest, rest)
        rest ^= group
        areas += 1
    more = popcount(everything & ~tiles)
    fires = half_fires(everything & lit) // 2
    total = largest + fires + parts[SPIRITS] + encounters
    plain = plain_and_blue(s, player)[0]
    best = np.int64(0)
    for spirit in range(Spirit.BEE, Spirit.EVIL):
        own = counts(s, player, spirit)
        if not own and not to_come >> spirit & 1:
            continue
        if spirit == Spirit.BEE:
            points = plain + encounters
        elif spirit == Spirit.LADYBUG:
            points = half_fires(everything) // 2
        elif spirit == Spirit.WOLF:
            points = areas + more + placing
        elif spirit == Spirit.BIRD:
            points = parts[SPIRITS] + encounters
        elif spirit == Spirit.LIZARD:
            points = popcount(rainbows) + placing
        elif spirit == Spirit.BUTTERFLY:
            points = fires
        else:
            points = np.int64(0)
        if own:
            total += points
        else:
            best = max(best, points)
    out[1] = total + best * encounters


@njit(cache=True)
def _least(  # noqa: PLR0917
    s: Any, player: Any, parts: Any, out: Any, moving: Any, to_come: Any
) -> None:
    """Write the least score; `moving`: rainbows that lie on the panorama or may come there."""
    first = np.int64(0)
    rest = s[Field.TILES + player] | s[Field.RAINBOWS + player]
    while rest:
        group = area(rest & -rest, rest)
        rest ^= group
        first = max(first, popcount(group))
    land = parts[AREA]
    if moving:
        land = max(first - moving, np.int64(0))
    total = land + parts[FIRES] + parts[SPIRITS]
    most = np.int64(0)
    for spirit in range(Spirit.BEE, Spirit.EVIL):
        points = np.int64(0)
        if spirit in (Spirit.BEE, Spirit.BIRD, Spirit.BUTTERFLY):
            points = max(parts[BLUE + spirit], np.int64(0))
        elif spirit == Spirit.WOLF:
            points = np.int64(parts[BLUE + spirit] > 0)
        total += points
        most = max(most, points)
    evil = to_come >> Spirit.EVIL & 1 or s[Field.EVIL_HOLDER] >= 0 or s[Field.EVIL_DRAWN] >= 0
    if evil and parts[SPIRITS] > 0:
        # The covered spirit, its points, and one each for Bee and Bird that counted it.
        total -= most + 3
    out[0] = max(total, 0)
