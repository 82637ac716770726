"""The mountain: 48 cells in six rows, its squares and fires, as bits of one integer.

Cell ``row-number`` has the bit ``10 * (row - 1) + (number - 1)``: six rows of ten, of which the
upper ones are used in part. So the neighbours of a whole set of cells are four shifts, and the
complete squares of a panorama are three. A tile is named and numbered like its cell.

Rules page: "Material", "Squares and encounters", "Score".
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from games.errors import NotationError

__all__ = [
    "CELLS",
    "FIRES",
    "ROWS",
    "SQUARES",
    "cell_name",
    "cell_number",
    "cells_in",
    "mask_of",
    "mirror_cell",
    "mirror_mask",
    "mirror_square",
    "square_cells",
]

WIDTH: Final = 10
"""Bits for a row."""

ROWS: Final = {1: (1, 10), 2: (1, 10), 3: (1, 10), 4: (2, 9), 5: (3, 8), 6: (4, 7)}
"""For each row, from the bottom, the first and the last number."""

CELLS: Final = tuple(
    WIDTH * (row - 1) + number - 1
    for row, (first, last) in ROWS.items()
    for number in range(first, last + 1)
)
"""All cells, in order of row and number."""

LAND: Final = sum(1 << cell for cell in CELLS)
"""The mask of all cells."""

ROW_MASKS: Final = tuple(
    sum(1 << cell for cell in CELLS if cell // WIDTH == row) for row in range(len(ROWS))
)
FIRST_COLUMN: Final = sum(1 << WIDTH * row for row in range(len(ROWS)))
LAST_COLUMN: Final = FIRST_COLUMN << (WIDTH - 1)

SQUARES: Final = tuple(
    cell
    for cell in CELLS
    if (cell + 1) % WIDTH
    and all(LAND >> other & 1 for other in (cell + 1, cell + WIDTH, cell + WIDTH + 1))
)
"""The squares, each as its lower-left cell."""

SQUARE_MASK: Final = sum(1 << cell for cell in SQUARES)

_NAME = re.compile(r"([1-6])-([1-9]|10)")


def cell_name(cell: int) -> str:
    """Return the name of a cell or of its tile.

    Examples
    --------
    >>> cell_name(0), cell_name(36)
    ('1-1', '4-7')
    """
    return f"{cell // WIDTH + 1}-{cell % WIDTH + 1}"


_NUMBERS: Final = {cell_name(cell): cell for cell in CELLS}


def cell_number(name: str) -> int:
    """Return the bit of the cell of that name.

    Raises
    ------
    NotationError
        If there is no such cell.

    Examples
    --------
    >>> cell_number("4-7")
    36
    >>> cell_number("4-1")
    Traceback (most recent call last):
    games.errors.NotationError: there is no cell '4-1': row 4 has numbers 2 to 9
    """
    cell = _NUMBERS.get(name) if isinstance(name, str) else None
    if cell is not None:
        return cell
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise NotationError(f"{name!r} is no cell: expected row-number, such as 4-7")
    first, last = ROWS[int(match[1])]
    raise NotationError(f"there is no cell {name!r}: row {match[1]} has numbers {first} to {last}")


FIRES: Final = {
    **{cell_number(name): 2 for name in ("4-2", "5-3", "6-4", "6-7", "5-8", "4-9")},
    **{cell_number(name): 3 for name in ("6-5", "6-6")},
}
"""The tiles that bear fires, with twice what each counts: one, or one and a half."""

FIRE_MASK: Final = sum(1 << cell for cell in FIRES)
HIGH_FIRES: Final = sum(1 << cell for cell, twice in FIRES.items() if twice == 3)


def cells_in(mask: int) -> Iterator[int]:
    """Yield the cells of a mask in ascending order.

    Examples
    --------
    >>> list(cells_in(0b101))
    [0, 2]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def square_cells(square: int) -> tuple[int, int, int, int]:
    """Return the four cells of a square.

    Examples
    --------
    >>> [cell_name(cell) for cell in square_cells(cell_number("3-4"))]
    ['3-4', '3-5', '4-4', '4-5']
    """
    return (square, square + 1, square + WIDTH, square + WIDTH + 1)


def mirror_cell(cell: int) -> int:
    """Return the cell opposite in the same row: number n becomes 11 - n.

    Examples
    --------
    >>> cell_name(mirror_cell(cell_number("4-2")))
    '4-9'
    """
    return cell - cell % WIDTH + WIDTH - 1 - cell % WIDTH


def mirror_square(square: int) -> int:
    """Return the name of the mirrored square: number n becomes 10 - n."""
    return mirror_cell(square) - 1


def mirror_mask(mask: int) -> int:
    """Return a set of cells mirrored."""
    return mask_of(mirror_cell(cell) for cell in cells_in(mask))
