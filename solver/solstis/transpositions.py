"""A transposition table for compiled searches of Solstis.

States that differ only in what the rest of the game does not depend on share an entry: the order of
the line, what a Fox has shown (both hands are open in a search), and, where no rule asks for them,
the numbers of the places of the display.

An entry is found by 128 bits of a hash. Two of n different states share them with a chance below
n^2 / 2^129: less than 10^-20 for a hundred million.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from games.solstis.layout import PLACED, PLACES, Field
from games.solstis.spirits import Spirit

__all__ = ["EMPTY", "hash_state", "new_table", "probe", "store"]

EMPTY: Final = np.iinfo(np.int64).min
"""Stands for 'nothing is known'."""

_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MIX, _FINAL = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT, _LAST_SHIFT = np.uint64(29), np.uint64(32)
_ZERO = np.uint64(0)


def new_table(entries: int) -> tuple[Any, Any]:
    """Return the keys and the values of an empty table of at least so many entries."""
    size = 1 << max(10, (2 * entries - 1).bit_length())
    return np.zeros((size, 2), dtype=np.uint64), np.full(size, EMPTY, dtype=np.int64)


@njit(cache=True)
def _mixed(word: Any, value: Any, factor: Any) -> Any:
    word = (word ^ np.uint64(value)) * factor
    return word ^ (word >> _SHIFT)


@njit(cache=True)
def hash_state(s: Any, key: Any) -> None:
    """Write the two words of a state's hash."""
    first, second = _FIRST, _SECOND
    for field in range(Field.WHERE):
        if Field.SEEN <= field < Field.FORCED or field in (Field.DOWN, Field.TURNING):
            continue
        first = _mixed(first, s[field] + 1, _MIX)
        second = _mixed(second, s[field] + 1, _FINAL)
    for spirit in range(Spirit.EVIL):
        where = s[Field.WHERE + spirit]
        if where >= PLACED:
            first = _mixed(first, where * 64 + spirit, _MIX)
            second = _mixed(second, where * 64 + spirit, _FINAL)
    if s[Field.DOWN]:
        # Which tiles cover one; while such tiles may be turned up in order, where they lie too.
        ordered = s[Field.RULES] >> 6 & 3 == 0
        covering = np.int64(0)
        for place in range(PLACES):
            tile = s[Field.PLACE + place]
            if ordered:
                first = _mixed(first, tile + 1, _MIX)
                second = _mixed(second, tile + 1, _FINAL)
            elif tile >= 0 and s[Field.DOWN] >> place & 1:
                covering |= 1 << tile
        place_word = s[Field.DOWN] * 64 + s[Field.TURNING] + 1 if ordered else covering
        first = _mixed(first, place_word, _MIX)
        second = _mixed(second, place_word, _FINAL)
    first = (first ^ (first >> _LAST_SHIFT)) * _FINAL
    second = (second ^ (second >> _LAST_SHIFT)) * _MIX
    key[0] = first ^ (first >> _SHIFT)
    key[1] = (second ^ (second >> _SHIFT)) | np.uint64(1)


@njit(cache=True)
def probe(keys: Any, values: Any, key: Any) -> Any:
    """Return the place of a state: where it is, or where it can be stored."""
    mask = len(values) - 1
    place = np.int64(key[0]) & mask
    while keys[place, 1] != _ZERO:
        if keys[place, 0] == key[0] and keys[place, 1] == key[1]:
            return place
        place = (place + 1) & mask
    return place


@njit(cache=True)
def store(keys: Any, values: Any, key: Any, value: Any) -> None:
    """Store a value; the table must not be full."""
    place = probe(keys, values, key)
    keys[place, 0] = key[0]
    keys[place, 1] = key[1]
    values[place] = value
