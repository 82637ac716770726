"""The legal actions of a decision and the outcomes of a chance node, as numbers. Compiled.

Rules page: "A turn" to "Firefly expansion". What the numbers mean is in `actions`.
"""

from typing import Any

import numpy as np
from numba import njit

from games.solstis.bits import captures, lowest
from games.solstis.layout import PER_PLAYER, PLACED, PLACES, Field, Kind, Stage
from games.solstis.moves import (
    action_code,
    block_cells,
    can_capture,
    is_locked,
    isolated,
    pile_size,
    placing_player,
    rainbow_cells,
)
from games.solstis.spirits import Spirit

__all__ = ["MOST_OPTIONS", "legal_codes", "options"]

MOST_OPTIONS = 1024


@njit(cache=True)
def legal_codes(s: Any) -> Any:
    """Return the codes of all legal actions, or of all outcomes, in a new array."""
    out = np.empty(MOST_OPTIONS, dtype=np.int64)
    return out[: options(s, out)]


@njit(cache=True)
def options(s: Any, out: Any) -> Any:
    """Write the codes of all legal actions, or of all outcomes, and return how many there are."""
    stage = s[Field.STAGE]
    if stage <= Stage.REFILL:
        return _outcomes(s, stage, out)
    if s[Field.PENDING] > 0:
        return _cells(rainbow_cells(s, placing_player(s)), Kind.PLACE_RAINBOW, out)
    player = s[Field.TURN]
    other = 1 - player
    if stage == Stage.PLAY:
        tiles = s[Field.HAND + player]
        if pile_size(s) == 0:
            tiles = can_capture(s, player)
        elif s[Field.FORCED + player] >= 0:
            tiles = 1 << s[Field.FORCED + player]
        return _cells(tiles, Kind.PLAY_TILE, out)
    if stage == Stage.CAPTURE:
        tiles = s[Field.UP] & captures(s[Field.PLAYING])
        if s[Field.CAPTURED] >= 0:
            tiles = 1 << s[Field.CAPTURED]
        return _display(s, player, tiles, Kind.CAPTURE, out)
    if stage == Stage.BEETLE:
        return _display(s, player, s[Field.UP], Kind.BEETLE, out)
    if stage == Stage.DEER:
        return _tiles(s, player, s[Field.HAND + player], Kind.DEER, out)
    if stage == Stage.SOURCE:
        count = 0
        if s[Field.SPIRIT_PILE]:
            out[0] = action_code(Kind.SPIRIT_SOURCE, 1, 0, 0)
            count = 1
        return _spirits(s[Field.LINE], s[Field.ELIGIBLE], Kind.SPIRIT_SOURCE, count, out)
    if stage == Stage.KEEP:
        return _spirits(s[Field.DRAWN], s[Field.ELIGIBLE], Kind.SPIRIT_KEEP, 0, out)
    if stage == Stage.VIPER:
        return _viper(s, player, out)
    if stage == Stage.FOX:
        return _cells(s[Field.HAND + other], Kind.FOX_FORCE, out)
    if stage == Stage.BLOCK:
        return _cells(block_cells(s, other), Kind.EVIL_BLOCK, out)
    if stage == Stage.COVER:
        return _covers(s, s[Field.EVIL_HOLDER], out)
    return 0


@njit(cache=True)
def _outcomes(s: Any, stage: Any, out: Any) -> Any:
    if stage == Stage.SPIRITS:
        return _pairs(s[Field.SPIRIT_PILE], out)
    if stage == Stage.DRAGONFLY:
        return _cells(s[Field.HAND + 1 - s[Field.TURN]], Kind.DRAGONFLY_DRAW, out)
    kind = Kind.DRAW
    second = 0
    if stage == Stage.SECOND_CHANCE:
        kind = Kind.SECOND_CHANCE
    elif stage == Stage.EAGLE:
        kind = Kind.EAGLE_DRAW
    elif stage <= Stage.BENEATH_BEETLE:
        kind = Kind.REVEAL
        second = s[Field.TURNING]
    count, rest = 0, s[Field.POOL]
    while rest:
        out[count] = action_code(kind, 0, lowest(rest), second)
        count += 1
        rest &= rest - 1
    return count


@njit(cache=True)
def _pairs(spirits: Any, out: Any) -> Any:
    kind = Kind.DRAW_SPIRITS
    if spirits & (spirits - 1) == 0:
        out[0] = action_code(kind, 0, lowest(spirits), lowest(spirits))
        return 1
    count = 0
    while spirits:
        first = lowest(spirits)
        spirits &= spirits - 1
        rest = spirits
        while rest:
            out[count] = action_code(kind, 0, first, lowest(rest))
            count += 1
            rest &= rest - 1
    return count


@njit(cache=True)
def _cells(cells: Any, kind: Any, out: Any) -> Any:
    count = 0
    while cells:
        out[count] = action_code(kind, 0, lowest(cells), 0)
        count += 1
        cells &= cells - 1
    return count


@njit(cache=True)
def _tiles(s: Any, player: Any, tiles: Any, kind: Any, out: Any) -> Any:
    count = 0
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        out[count] = action_code(kind, is_locked(s, player, tile), tile, 0)
        count += 1
    return count


@njit(cache=True)
def _display(s: Any, player: Any, tiles: Any, kind: Any, out: Any) -> Any:
    count = 0
    for place in range(PLACES):
        tile = s[Field.PLACE + place]
        if tile >= 0 and tiles >> tile & 1:
            out[count] = action_code(kind, is_locked(s, player, tile), tile, place)
            count += 1
    return count


@njit(cache=True)
def _spirits(spirits: Any, squares: Any, kind: Any, count: Any, out: Any) -> Any:
    while spirits:
        spirit = lowest(spirits)
        spirits &= spirits - 1
        rest = squares
        while rest:
            out[count] = action_code(kind, 0, spirit, lowest(rest))
            count += 1
            rest &= rest - 1
    return count


@njit(cache=True)
def _viper(s: Any, player: Any, out: Any) -> Any:
    other = 1 - player
    alone = isolated(s, other)
    count = _tiles(s, player, alone & s[Field.TILES + other], Kind.VIPER, out)
    cells = rainbow_cells(s, player)
    rainbows = alone & s[Field.RAINBOWS + other]
    while rainbows:
        cell = lowest(rainbows)
        rainbows &= rainbows - 1
        rest = cells
        while rest:
            out[count] = action_code(Kind.VIPER, 2, cell, lowest(rest))
            count += 1
            rest &= rest - 1
    return count


@njit(cache=True)
def _covers(s: Any, holder: Any, out: Any) -> Any:
    count = 0
    for spirit in range(Spirit.EVIL):
        where = s[Field.WHERE + spirit] - PLACED
        if where >= 0 and where // PER_PLAYER == holder:
            out[count] = action_code(Kind.EVIL_COVER, 0, spirit, where % PER_PLAYER)
            count += 1
    return count
