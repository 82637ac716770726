"""Reading payoffs: any two-dimensional table of real numbers, or a refusal that says where.

A matrix game keeps its optimal strategies when every payoff is multiplied by one positive number
and shifted by another.  So each matrix is read exactly, shifted and divided once to lie in
[0, 1] (span 1), solved there, and the value taken back.  Payoffs times 1e-12 or plus 1e12 then
make no difference, and one set of tolerances fits every game.

Entries that a float64 cannot hold (integers beyond 2**53, fractions, decimals) are shifted and
divided as exact rationals before they become floats.
"""

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.errors import PayoffError

__all__ = ["FloatArray", "PayoffMatrix", "PayoffsLike", "read_matrix", "simplest_fraction"]

FloatArray = NDArray[np.float64]

PayoffsLike = ArrayLike | Sequence[Sequence[float | Fraction | Decimal]]
"""What is accepted as a payoff matrix."""

Entry = int | float | Fraction

_LARGEST_DENOMINATOR = 10**60
# Payoffs that are whole numbers of so few bits are read well enough.
_SHORT = 30
# How many times fewer bits another reading must have to be believed instead.
_FAR_SHORTER = 4

_WIDEST_DECIMAL = 5_000
"""Decimals whose exponent is beyond this are refused: as fractions they fill the memory."""


@dataclass(frozen=True, eq=False)
class PayoffMatrix:
    """A payoff matrix that has been read and found sound.

    Parameters
    ----------
    shape
        Number of rows and of columns, each at least 1.
    floats
        The payoffs as float64, when every one is exactly a float64; None otherwise.
    table
        The payoffs as they were given, row by row; None to derive them from `floats`.
    """

    shape: tuple[int, int]
    floats: FloatArray | None
    table: tuple[tuple[Entry, ...], ...] | None = None

    @cached_property
    def entries(self) -> tuple[tuple[Entry, ...], ...]:
        """The payoffs as Python numbers."""
        if self.table is not None:
            return self.table
        assert self.floats is not None
        return tuple(map(tuple, self.floats.tolist()))

    def fractions(self) -> list[list[Fraction]]:
        """Return the payoffs as the fractions that they are; floats are binary fractions."""
        return [[Fraction(a) for a in row] for row in self.entries]

    def simplest_fractions(self) -> list[list[Fraction]]:
        """Return the payoffs as fractions, floats as what they were probably meant to be.

        That is the simplest fraction that rounds to the float. Where those fractions have no common
        denominator of reasonable length, or another reading makes far smaller whole numbers of all
        payoffs, it is the shortest decimal (3e-16 beside -2e-16), or else the binary fraction that
        the float is (3 * 2**-60 beside -2 * 2**-60).
        """
        meant = _meant({a for a in chain(*self.entries) if isinstance(a, float)})
        return [
            [meant[a] if isinstance(a, float) else Fraction(a) for a in row] for row in self.entries
        ]

    @cached_property
    def _scaling(self) -> tuple[FloatArray, Any, Any, float]:
        """The matrix of span 1, the lowest payoff, the span, and the factor both are kept at."""
        if self.floats is not None:
            # The same operations in the same order as `solver.matrix.kernels`: equal to the bit.
            low, high = float(self.floats.min()), float(self.floats.max())
            with np.errstate(over="ignore", under="ignore"):
                factor = 1.0 if np.isfinite(np.float64(high) - np.float64(low)) else 0.5
                low *= factor
                span = high * factor - low
                if span == 0.0:
                    scaled = np.zeros(self.shape)
                else:
                    scaled = (self.floats * factor - low) / span
            scaled.setflags(write=False)
            return scaled, low, span, factor
        table = self.fractions()
        lowest = min(map(min, table))
        exact_span = max(map(max, table)) - lowest
        if exact_span == 0:
            scaled = np.zeros(self.shape)
        else:
            scaled = np.array([[float((a - lowest) / exact_span) for a in row] for row in table])
        scaled.setflags(write=False)
        return scaled, lowest, exact_span, 1.0

    @property
    def scaled(self) -> FloatArray:
        """The payoffs shifted and divided to lie in [0, 1]; all 0 when they are all equal."""
        return self._scaling[0]

    @property
    def constant(self) -> bool:
        """Whether all payoffs are equal."""
        return bool(self._scaling[2] == 0)

    def restore(self, scaled_value: float) -> float:
        """Take a value on the matrix of span 1 back to the scale of the payoffs."""
        _, low, span, factor = self._scaling
        if self.floats is not None:
            value = (low + scaled_value * span) / factor
            return float(min(max(value, self.floats.min()), self.floats.max()))
        try:
            return float(low + Fraction(scaled_value) * span)
        except OverflowError:
            raise PayoffError(
                "the value of this game is beyond the largest float, about 1.8e308; "
                "solver.matrix.solve_exact gives it as a fraction"
            ) from None


def _place(name: str, i: int, j: int) -> str:
    return f"{name}: the entry in row {i}, column {j}"


def _read_decimal(value: Decimal, place: str) -> Fraction:
    """Read a finite decimal exactly, within reason."""
    if value and abs(value.adjusted()) > _WIDEST_DECIMAL:
        raise PayoffError(
            f"{place} is {value}; decimals up to 1E+{_WIDEST_DECIMAL} and down to "
            f"1E-{_WIDEST_DECIMAL} can be read"
        )
    return Fraction(value)


def _read_float(value: Any) -> float | Fraction:
    """Read a finite float of any width exactly."""
    # a wider float beyond the range of float64 stays a fraction
    as_float = float(value) if abs(value) <= np.finfo(np.float64).max else np.inf
    return as_float if as_float == value else Fraction(*value.as_integer_ratio())


def _read_entry(value: Any, name: str, i: int, j: int) -> Entry:
    """Read one payoff exactly."""
    place = _place(name, i, j)
    if isinstance(value, np.ndarray) and value.ndim == 0 and value is not np.ma.masked:
        value = value[()]
    if value is np.ma.masked:
        raise PayoffError(f"{place} is masked; every payoff must be given")
    if isinstance(value, (bool, np.bool_, numbers.Integral)):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal) and value.is_finite():
        return _read_decimal(value, place)
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        return _read_float(value)
    if isinstance(value, (float, np.floating, Decimal)):
        raise PayoffError(f"{place} is {value}; payoffs must be finite numbers")
    if isinstance(value, (list, tuple, np.ndarray)):
        raise PayoffError(
            f"{place} is itself a list; payoffs must be two-dimensional, one number an entry"
        )
    what = "None" if value is None else f"{value!r} of type {type(value).__name__}"
    raise PayoffError(f"{place} is {what}; payoffs must be real numbers")


def _exact_floats(table: Sequence[Sequence[Entry]]) -> FloatArray | None:
    """Return the table as float64, or None when some entry is not exactly a float64."""
    try:
        rows = [[float(a) for a in row] for row in table]
    except OverflowError:
        return None
    exact = all(
        a == b
        for row, floats in zip(table, rows, strict=True)
        for a, b in zip(row, floats, strict=True)
    )
    return np.array(rows) if exact else None


def _from_rows(rows: Sequence[Any], name: str) -> PayoffMatrix:
    """Read a sequence of rows, each a sequence of numbers."""
    if len(rows) == 0:
        raise PayoffError(f"{name}: empty; a game needs at least one row and one column")
    table: list[tuple[Entry, ...]] = []
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes, dict, set)) or not (
            isinstance(row, Sequence) or hasattr(row, "__array__")
        ):
            raise PayoffError(
                f"{name}: row {i} is {row!r}, not a list of numbers; payoffs must be "
                "two-dimensional, a list of rows"
            )
        if not isinstance(row, Sequence) and np.ndim(row) == 0:
            raise PayoffError(
                f"{name}: row {i} is the single number {row!r}; payoffs must be two-dimensional, "
                "a list of rows"
            )
        # a masked array gives its masked entries up one by one, not through `tolist`
        items = row if isinstance(row, (Sequence, np.ma.MaskedArray)) else np.asarray(row)
        table.append(tuple(_read_entry(value, name, i, j) for j, value in enumerate(items)))
        if len(table[i]) != len(table[0]):
            raise PayoffError(
                f"{name}: row {i} has {len(table[i])} entries and row 0 has {len(table[0])}; "
                "all rows must be of one length"
            )
    if not table[0]:
        raise PayoffError(f"{name}: the rows are empty; a game needs at least one column")
    return PayoffMatrix((len(table), len(table[0])), _exact_floats(table), tuple(table))


def _check_shape(shape: tuple[int, ...], name: str) -> None:
    if len(shape) != 2:
        raise PayoffError(
            f"{name}: an array of shape {shape} has {len(shape)} dimensions; payoffs must be "
            "two-dimensional, one row for each action of the row player"
        )
    if 0 in shape:
        raise PayoffError(
            f"{name}: an array of shape {shape} is empty; a game needs at least one row and one "
            "column"
        )


def read_matrix(payoffs: PayoffsLike, name: str = "payoffs") -> PayoffMatrix:
    """Read a payoff matrix exactly, or refuse it with the reason and the place.

    Parameters
    ----------
    payoffs
        A two-dimensional array, or a list of rows, of real numbers of any kind.
    name
        What to call the matrix in an error.

    Returns
    -------
    PayoffMatrix
        The payoffs, never sharing memory that the caller can change.

    Raises
    ------
    PayoffError
        When the payoffs are not a finite, non-empty matrix of real numbers.
    """
    given: Any = payoffs
    if hasattr(given, "tocsr") or hasattr(given, "todense"):
        raise PayoffError(
            f"{name}: a sparse matrix; give it as a dense array, for instance payoffs.toarray()"
        )
    if isinstance(given, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(given)
        if mask.any() and mask.ndim == 2:
            i, j = (int(k) for k in np.argwhere(mask)[0])
            raise PayoffError(f"{_place(name, i, j)} is masked; every payoff must be given")
        if mask.any():
            raise PayoffError(f"{name}: an array with masked entries; every payoff must be given")
        given = given.data
    if isinstance(given, (str, bytes)):
        raise PayoffError(f"{name}: {given!r} is text; payoffs must be a list of rows of numbers")
    if isinstance(given, Sequence):
        return _from_rows(given, name)
    if not hasattr(given, "__array__"):
        raise PayoffError(
            f"{name}: {type(given).__name__} is not a matrix; payoffs must be a two-dimensional "
            "array or a list of rows"
        )
    array = np.asarray(given)
    _check_shape(array.shape, name)
    kind = array.dtype.kind
    if kind == "b" or (kind == "f" and array.dtype.itemsize <= 8):
        floats = np.array(array, dtype=np.float64)
        if not np.isfinite(floats).all():
            i, j = (int(k) for k in np.argwhere(~np.isfinite(floats))[0])
            raise PayoffError(
                f"{_place(name, i, j)} is {floats[i, j]}; payoffs must be finite numbers"
            )
        return PayoffMatrix(array.shape, floats)
    if kind in "iu":
        if max(abs(int(array.min())), abs(int(array.max()))) <= 2**53:
            return PayoffMatrix(array.shape, np.array(array, dtype=np.float64))
        return _from_rows(array.tolist(), name)
    if kind in "fO":
        return _from_rows([list(row) for row in array], name)
    raise PayoffError(f"{name}: an array of type {array.dtype}; payoffs must be real numbers")


def _meant(numbers: set[float]) -> dict[float, Fraction]:
    """Return for each float the fraction that it was probably meant to be, judged all together."""
    simplest = {number: simplest_fraction(number) for number in numbers}
    length = _length(simplest, _LARGEST_DENOMINATOR)
    if length <= _SHORT:
        return simplest
    # These have denominators of one kind, so that they never have a long common one.
    decimal = {number: Fraction(repr(number)) for number in numbers}
    binary = {number: Fraction(number) for number in numbers}
    other = binary if _FAR_SHORTER * _length(binary) < _length(decimal) else decimal
    return other if _FAR_SHORTER * _length(other) < length else simplest


def _length(read: dict[float, Fraction], most: float = math.inf) -> float:
    """Return how many bits the largest has when all are whole numbers without a common factor.

    It is infinite where the common denominator is larger than `most`: with many fractions of
    denominators of their own it would take long to find out.
    """
    common = 1
    for fraction in read.values():
        common = lcm(common, fraction.denominator)
        if common > most:
            return math.inf
    whole = [fraction.numerator * (common // fraction.denominator) for fraction in read.values()]
    return (max(map(abs, whole), default=0) // (gcd(*whole) or 1)).bit_length()


def simplest_fraction(number: float) -> Fraction:
    """Return the fraction of least denominator that rounds to a float; integers as they are.

    Rational payoffs are often written as floats.  Reading 0.6666666666666666 as 2/3 and 0.672 as
    84/125 restores the ties that rounding broke.

    Parameters
    ----------
    number
        Any finite float.

    Returns
    -------
    Fraction
        A fraction with ``float(fraction) == number``.

    Examples
    --------
    >>> simplest_fraction(2 / 3), simplest_fraction(-0.25), simplest_fraction(3.0)
    (Fraction(2, 3), Fraction(-1, 4), Fraction(3, 1))
    """
    exact = Fraction(number)
    if exact.denominator == 1 or number < 0.0:
        return exact if exact.denominator == 1 else -simplest_fraction(-number)
    # Everything strictly between the midpoints to the neighbouring floats rounds to the number;
    # the neighbours need not be equally far (at powers of two).
    below = (exact + Fraction(float(np.nextafter(number, 0.0)))) / 2
    above = (exact + Fraction(float(np.nextafter(number, np.inf)))) / 2
    # The first fraction of the Stern-Brocot tree inside the open interval (below, above), found
    # by the common start of the two continued fractions.
    a, b, c, d = below.numerator, below.denominator, above.numerator, above.denominator
    p0, q0, p1, q1 = 0, 1, 1, 0
    while True:
        whole = a // b
        if (whole + 1) * d < c:
            # an integer lies strictly inside: the least one ends the expansion
            whole += 1
            p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
            return Fraction(p1, q1)
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        # 1 / (interval - whole), its ends exchanged
        a, b, c, d = d, c - whole * d, b, a - whole * b
        if d == 0:
            # the upper end is infinite now: the next integer above the lower end will do
            whole = a // b + 1
            p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
            return Fraction(p1, q1)
