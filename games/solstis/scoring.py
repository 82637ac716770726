"""What a panorama is worth.

Rules page: "Score", "Firefly expansion".
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.bits import area, cover, popcount
from games.solstis.layout import PER_PLAYER, PLACED, Field
from games.solstis.mountain import FIRE_MASK, HIGH_FIRES, ROW_MASKS
from games.solstis.spirits import Spirit

__all__ = ["Score", "counts", "half_fires", "plain_and_blue", "score_vector", "total_score"]

_BOTTOM = ROW_MASKS[0]
_WIN = 4

AREA, FIRES, SPIRITS, FIREFLIES, FIREFLY_WIN, TOTAL, BLUE = range(7)
"""Places in the vector of a score; from BLUE on one for each spirit, -1 where it is not scored."""

SCORE_SIZE: Final = BLUE + len(Spirit)


@dataclass(frozen=True)
class Score:
    """A player's points and where they come from.

    Attributes
    ----------
    area : int
        Land tiles of the largest area.
    fires : int
        The sum of lit fires, rounded down.
    spirits : int
        Own spirits that are not covered.
    blue : mapping of str to int
        For each uncovered blue spirit with points of its own, these.
    fireflies : int
        Own fireflies in areas that reach row 1.
    firefly_win : bool
        Whether the fourth firefly won the game.
    total : int
        The points: 4 and 0 after a firefly win.
    """

    area: int
    fires: int
    spirits: int
    blue: MappingProxyType[str, int]
    fireflies: int
    firefly_win: bool
    total: int

    def to_dict(self) -> dict[str, Any]:
        """Return the breakdown in the records' vocabulary."""
        result: dict[str, Any] = {
            "area": self.area,
            "fires": self.fires,
            "spirits": self.spirits,
            "blue": dict(self.blue),
            "fireflies": self.fireflies,
            "total": self.total,
        }
        if self.firefly_win:
            result["firefly_win"] = True
        return result

    def __str__(self) -> str:
        parts = [f"area {self.area}", f"fires {self.fires}", f"spirits {self.spirits}"]
        parts += [f"{name} {points}" for name, points in self.blue.items()]
        if self.fireflies:
            parts.append(f"fireflies {self.fireflies}")
        if self.firefly_win:
            parts.append("wins by the fourth firefly")
        return f"{self.total}: " + ", ".join(parts)


def score_of(core: Any, player: int) -> Score:
    """Return the breakdown of a core."""
    parts = np.zeros(SCORE_SIZE, dtype=np.int64)
    score_vector(core, player, parts)
    numbers = parts.tolist()
    blue = {str(spirit): numbers[BLUE + spirit] for spirit in Spirit if numbers[BLUE + spirit] >= 0}
    return Score(
        numbers[AREA],
        numbers[FIRES],
        numbers[SPIRITS],
        MappingProxyType(blue),
        numbers[FIREFLIES],
        bool(numbers[FIREFLY_WIN]),
        numbers[TOTAL],
    )


@njit(cache=True)
def score_vector(s: Any, player: Any, parts: Any) -> None:
    """Fill in the parts of a player's score."""
    tiles, rainbows = s[Field.TILES + player], s[Field.RAINBOWS + player]
    fireflies = s[Field.FIREFLIES + player]
    by_land = s[Field.RULES] >> 10 & 3
    # The ranking as one number each: tiles, then land tiles.
    first, second, areas = np.int64(0), np.int64(0), 0
    lit = np.int64(0)
    rest = tiles | rainbows
    while rest:
        group = area(rest & -rest, rest)
        rest ^= group
        areas += 1
        land = popcount(group & tiles)
        rank = land if by_land else 64 * popcount(group) + land
        if rank > first:
            first, second = rank, first
        elif rank > second:
            second = rank
        if group & _BOTTOM:
            lit |= group
    fires, unlit = half_fires(tiles & lit) // 2, half_fires(tiles & ~lit) // 2
    parts[:] = -1
    parts[AREA] = first % 64
    parts[FIRES] = fires
    parts[FIREFLIES] = _shining(fireflies, lit)
    plain, blue = plain_and_blue(s, player)
    parts[SPIRITS] = plain + blue
    total = parts[AREA] + fires + parts[SPIRITS] + parts[FIREFLIES]
    for spirit in range(Spirit.BEE, Spirit.EVIL):
        if spirit == Spirit.SQUIRREL or not counts(s, player, spirit):
            continue
        if spirit == Spirit.BEE:
            points = plain
        elif spirit == Spirit.LADYBUG:
            points = unlit
        elif spirit == Spirit.WOLF:
            points = areas
        elif spirit == Spirit.BIRD:
            points = blue - 1
        elif spirit == Spirit.LIZARD:
            points = popcount(rainbows)
        elif spirit == Spirit.BUTTERFLY:
            points = fires
        elif spirit == Spirit.COW:
            points = second % 64
        else:
            points = popcount(fireflies)
        parts[BLUE + spirit] = points
        total += points
    parts[FIREFLY_WIN] = popcount(fireflies) >= _WIN
    if parts[FIREFLY_WIN]:
        total = _WIN
    elif popcount(s[Field.FIREFLIES + 1 - player]) >= _WIN:
        total = 0
    parts[TOTAL] = total


@njit(cache=True)
def half_fires(tiles: Any) -> Any:
    """Return the sum of fires on some tiles, in halves: a score counts it rounded down."""
    return 2 * popcount(tiles & FIRE_MASK) + popcount(tiles & HIGH_FIRES)


@njit(cache=True)
def _shining(fireflies: Any, lit: Any) -> Any:
    count = 0
    while fireflies:
        square = fireflies & -fireflies
        fireflies ^= square
        if cover(square) & lit:
            count += 1
    return count


@njit(cache=True)
def counts(s: Any, player: Any, spirit: Any) -> Any:
    """Return whether a spirit lies uncovered on a panorama."""
    where = s[Field.WHERE + spirit] - PLACED
    return where >= 0 and where // PER_PLAYER == player and where != s[Field.EVIL_COVER]


@njit(cache=True)
def plain_and_blue(s: Any, player: Any) -> Any:
    """Return how many plain and how many blue spirits count."""
    plain, blue = 0, 0
    for spirit in range(Spirit.EVIL):
        if counts(s, player, spirit):
            if spirit < Spirit.BEE:
                plain += 1
            else:
                blue += 1
    return plain, blue


@njit(cache=True)
def total_score(s: Any, player: Any) -> Any:
    """Return a player's total."""
    parts = np.empty(SCORE_SIZE, dtype=np.int64)
    score_vector(s, player, parts)
    return parts[TOTAL]
