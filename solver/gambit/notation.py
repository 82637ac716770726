"""What the files of Gambit are made of: labels, exact numbers, chances whose sum is exactly 1."""

import math
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from solver.errors import PayoffError, SolverError
from solver.matrix.payoffs import read_matrix

__all__ = ["exact_chances", "labels", "number_text", "numbers", "quoted"]

_TOLERANCE: Final = 1e-9
"""By how much the sum of chances that are floats may miss 1."""

_SIMPLE: Final = 10**6
"""Largest denominator of the fractions that floats are taken for."""

_ROUNDING: Final = 4
"""A float stands for a fraction that is so many of its last places away."""

Outcome = TypeVar("Outcome", bound=Hashable)


def quoted(text: str, what: str) -> str:
    r"""Return a label in quotes, as Gambit reads it.

    Gambit takes printable ASCII and single spaces inside. A quote is written with a backslash
    before it, so that a backslash itself cannot be told safely.

    Raises
    ------
    SolverError
        If Gambit would refuse the label, or change it.

    Examples
    --------
    >>> print(quoted('the "Winter" rule', "title"))
    "the \"Winter\" rule"
    """
    if not isinstance(text, str):
        raise SolverError(f"{what} is {text!r}: expected text")
    printable = text.isascii() and text.isprintable() and "\\" not in text
    if not printable or text != text.strip(" ") or "  " in text:
        raise SolverError(
            f"{what} is {text!r}: Gambit's labels are printable ASCII without backslashes, with "
            "single spaces inside only"
        )
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'


def labels(texts: Iterable[str], what: str) -> str:
    """Return labels that must differ, in braces.

    Raises
    ------
    SolverError
        If one is empty, two are equal, or Gambit would refuse one.

    Examples
    --------
    >>> labels(["call", "fold"], "actions")
    '{ "call" "fold" }'
    """
    found = list(texts)
    written = [quoted(text, f"one of the {what}") for text in found]
    if not all(found) or len(set(found)) < len(found):
        raise SolverError(f"the {what} are called {found}: expected different names, none empty")
    return f"{{ {' '.join(written)} }}"


def number_text(number: float | Fraction) -> str:
    """Return a number that reads back equal: a whole one, p/q, or the shortest decimal.

    Raises
    ------
    SolverError
        If it is a fraction of thousands of digits.

    Examples
    --------
    >>> [number_text(number) for number in (2.0, Fraction(-1, 18), 0.1, 1e30)]
    ['2', '-1/18', '0.1', '1e30']
    """
    if isinstance(number, int | Fraction):
        try:
            return str(number)
        except ValueError:
            # Python writes whole numbers of up to 4,300 digits, unless told otherwise.
            raise SolverError("a number has thousands of digits: too many for a file") from None
    # Without the sign of -0.0; and Gambit's reader knows no plus sign before an exponent.
    return repr(number + 0.0).replace("e+", "e").removesuffix(".0")


def numbers(values: Iterable[Any], what: str) -> tuple[int | float | Fraction, ...]:
    """Return numbers of any kind as Python's own, exactly.

    Raises
    ------
    PayoffError
        If one is not a finite real number.
    """
    return read_matrix([tuple(values)], what).entries[0]


def exact_chances(chances: Mapping[Outcome, Any], where: str) -> dict[Outcome, Fraction]:
    """Return chances as fractions of sum exactly 1; outcomes without a chance are left out.

    Fractions are kept. Floats are taken for the simple fractions that they stand for (0.3333... is
    1/3) if these have the sum 1; otherwise for the binary fractions that they are, and what is
    missing to 1 is spread over them, in proportion to what a float cannot tell: as long as the sum
    misses 1 by rounding only, each still rounds to its float, or to the next one.

    Raises
    ------
    SolverError
        If there are none, one is negative, or the sum is not 1.

    Examples
    --------
    >>> exact_chances({"heads": 1 / 3, "tails": 2 / 3, "edge": 0.0}, "the toss")
    {'heads': Fraction(1, 3), 'tails': Fraction(2, 3)}
    """
    if not chances:
        raise SolverError(f"there are no outcomes of chance at {where}")
    try:
        read = dict(zip(chances, numbers(chances.values(), "chances"), strict=True))
    except PayoffError:
        raise SolverError(f"a probability at {where} is no number: {dict(chances)!r}") from None
    if any(chance < 0 for chance in read.values()):
        raise SolverError(f"a probability at {where} is negative: {dict(chances)!r}")
    given = {outcome: Fraction(chance) for outcome, chance in read.items() if chance}
    total = sum(given.values(), Fraction(0))
    rounded = any(isinstance(chance, float) for chance in read.values())
    if abs(total - 1) > (_TOLERANCE if rounded else 0):
        raise SolverError(f"the probabilities at {where} have the sum {float(total)!r}, not 1")
    if not rounded:
        return given
    simple = {outcome: _simple(chance) for outcome, chance in given.items()}
    if sum(simple.values()) == 1:
        return simple
    places = {outcome: Fraction(math.ulp(float(chance))) for outcome, chance in given.items()}
    share = (1 - total) / sum(places.values(), Fraction(0))
    return {outcome: chance + share * places[outcome] for outcome, chance in given.items()}


def _simple(chance: Fraction) -> Fraction:
    """Return the simple fraction that a float stands for, or the float itself."""
    near = chance.limit_denominator(_SIMPLE)
    return near if abs(near - chance) <= _ROUNDING * Fraction(math.ulp(float(chance))) else chance
