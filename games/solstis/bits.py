"""Sets of cells as bits: counting, neighbours, areas and squares. Compiled.

Masks are non-negative int64: bit ``10 * (row - 1) + (number - 1)`` for a cell (see `mountain`).
"""

from typing import Any

import numpy as np
from numba import njit

from games.solstis.mountain import (
    FIRST_COLUMN,
    LAND,
    LAST_COLUMN,
    ROW_MASKS,
    ROWS,
    SQUARE_MASK,
    WIDTH,
)

__all__ = [
    "area",
    "captures",
    "complete",
    "cover",
    "lowest",
    "near",
    "popcount",
    "reach",
    "touching",
]

_ROW = np.array(ROW_MASKS, dtype=np.int64)
_HEIGHT = len(ROWS)
_NOT_FIRST = LAND & ~FIRST_COLUMN
_NOT_LAST = LAND & ~LAST_COLUMN
_LINE = (1 << WIDTH) - 1
_BELOW_TOP = LAND & ~ROW_MASKS[-1]

_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@njit(cache=True)
def popcount(mask: Any) -> Any:
    """Return the number of cells in a mask."""
    # Unsigned: the compiler takes it that signed products do not overflow.
    bits = np.uint64(mask)
    bits = bits - ((bits >> _ONE) & _PAIRS)
    bits = (bits & _FOURS) + ((bits >> _TWO) & _FOURS)
    bits = (bits + (bits >> _FOUR)) & _BYTES
    return np.int64((bits * _SUM) >> _TOP)


@njit(cache=True)
def lowest(mask: Any) -> Any:
    """Return the lowest cell of a mask that is not empty."""
    return popcount((mask & -mask) - 1)


@njit(cache=True)
def near(mask: Any) -> Any:
    """Return the orthogonal neighbours of all cells of a mask."""
    sideways = (mask & _NOT_LAST) << 1 | (mask & _NOT_FIRST) >> 1
    return (sideways | (mask & _BELOW_TOP) << WIDTH | mask >> WIDTH) & LAND


@njit(cache=True)
def complete(filled: Any) -> Any:
    """Return the squares of which all four cells are filled, each as its lower-left cell."""
    return filled & filled >> 1 & filled >> WIDTH & filled >> (WIDTH + 1) & SQUARE_MASK


@njit(cache=True)
def touching(cells: Any) -> Any:
    """Return the squares that contain one of the cells."""
    return (cells | cells >> 1 | cells >> WIDTH | cells >> (WIDTH + 1)) & SQUARE_MASK


@njit(cache=True)
def cover(squares: Any) -> Any:
    """Return the cells of some squares."""
    return squares | squares << 1 | squares << WIDTH | squares << (WIDTH + 1)


@njit(cache=True)
def captures(tile: Any) -> Any:
    """Return the tiles that share a row or a number with a tile, itself included."""
    return _ROW[tile // WIDTH] | (FIRST_COLUMN << (tile % WIDTH) & LAND)


@njit(cache=True)
def reach(mask: Any) -> Any:
    """Return the tiles that share a row or a number with any tile of a mask."""
    numbers, result = np.int64(0), np.int64(0)
    for row in range(_HEIGHT):
        line = mask >> WIDTH * row & _LINE
        numbers |= line
        if line:
            result |= _ROW[row]
    for row in range(_HEIGHT):
        result |= numbers << WIDTH * row
    return result & LAND


@njit(cache=True)
def area(start: Any, filled: Any) -> Any:
    """Return the group of neighbouring filled cells that contains the cells of `start`."""
    group = start & filled
    while True:
        larger = group | near(group) & filled
        if larger == group:
            return group
        group = larger
