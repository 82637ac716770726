"""Elements and times of day: the two alphabets of Solaris' Clash.

Each element beats the next in the cycle Water, Fire, Air, Earth, Water; each time of day boosts one
element. Rules page: "Components".
"""

import operator
from collections.abc import Iterable
from enum import IntEnum
from typing import SupportsIndex, TypeAlias

from games.errors import GameError, NotationError

__all__ = [
    "ROUNDS",
    "Element",
    "ElementLike",
    "Time",
    "TimeLike",
    "TimesLike",
    "counted",
    "format_times",
    "parse_times",
    "read_cards",
    "read_times",
    "whole_number",
    "whole_steps",
]

ROUNDS = 6
"""Rounds in a game, cards in a full hand and cards in the time deck."""

_FACE_DOWN = "--"


def whole_number(value: object) -> int | None:
    """Return a whole number as an int, also one of numpy's; None for all else, True included."""
    # numpy's own bool too, which its older versions take for an index, with a warning
    if isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool":
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole_steps(steps: object) -> int:
    """Return how far to rotate as an int; refuse all that is no whole number."""
    number = whole_number(steps)
    if number is None:
        raise GameError(f"steps is {steps!r}: expected a whole number")
    return number


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is one.

    Examples
    --------
    >>> counted(1, "card"), counted(2, "card"), counted(0, "total of points")
    ('1 card', '2 cards', '0 totals of points')
    """
    first, *rest = noun.split(maxsplit=1)
    return " ".join([str(number), first if number == 1 else f"{first}s", *rest])


class Element(IntEnum):
    """An element; each beats the next one and Earth beats Water.

    Examples
    --------
    >>> Element.WATER.beats(Element.FIRE), Element.EARTH.beats("W"), Element.FIRE.beats("E")
    (True, True, False)
    >>> Element.parse("a"), Element.AIR.letter
    (<Element.AIR: 2>, 'A')
    """

    WATER = 0
    FIRE = 1
    AIR = 2
    EARTH = 3

    @property
    def letter(self) -> str:
        """The element's letter in hands and positions: one of ``WFAE``."""
        return "WFAE"[self]

    def beats(self, other: "ElementLike") -> bool:
        """Whether this element beats the other; equal and opposite ones are neutral."""
        return (Element.parse(other) - self) % 4 == 1

    def rotated(self, steps: int = 1) -> "Element":
        """Return the element that many places on in the cycle: the next one is the one it beats."""
        return Element((self + whole_steps(steps)) % 4)

    @classmethod
    def parse(cls, value: "ElementLike") -> "Element":
        """Read an element from itself, its letter or its name, in capitals or not.

        Raises
        ------
        NotationError
            If the value names no element. A `Time` is refused although it is an integer too.
        """
        if isinstance(value, Element):
            return value
        if isinstance(value, str):
            for element in cls:
                if value.strip().lower() in (element.letter.lower(), element.name.lower()):
                    return element
        elif not isinstance(value, Time):
            index = whole_number(value)
            if index is not None and 0 <= index < 4:
                return cls(index)
        raise NotationError(f"{value!r} is no element: expected one of W, F, A, E")


class Time(IntEnum):
    """A time of day; ``Time(i)`` boosts ``Element(i)``.

    Examples
    --------
    >>> Time.DUSK.code, Time.DUSK.element, Time.parse("No")
    ('Du', <Element.EARTH: 3>, <Time.NOON: 1>)
    """

    DAWN = 0
    NOON = 1
    MIDNIGHT = 2
    DUSK = 3

    @property
    def code(self) -> str:
        """The two letters that stand for this time in positions: ``Da No Mi Du``."""
        return ("Da", "No", "Mi", "Du")[self]

    @property
    def element(self) -> Element:
        """The element that this time boosts: it wins 2 points instead of 1."""
        return Element(self)

    def rotated(self, steps: int = 1) -> "Time":
        """Return the time whose element is that many places on in the cycle of the elements."""
        return Time((self + whole_steps(steps)) % 4)

    @classmethod
    def parse(cls, value: "TimeLike") -> "Time":
        """Read a time from itself, its code or its name, in capitals or not.

        Raises
        ------
        NotationError
            If the value names no time. An `Element` is refused although it is an integer too.
        """
        if isinstance(value, Time):
            return value
        if isinstance(value, str):
            for time in cls:
                if value.strip().lower() in (time.code.lower(), time.name.lower()):
                    return time
        elif not isinstance(value, Element):
            index = whole_number(value)
            if index is not None and 0 <= index < 4:
                return cls(index)
        raise NotationError(f"{value!r} is no time of day: expected one of Da, No, Mi, Du")


ElementLike: TypeAlias = Element | str | SupportsIndex
TimeLike: TypeAlias = Time | str | SupportsIndex
TimesLike: TypeAlias = str | Iterable[TimeLike | None]


def parse_times(times: TimesLike) -> tuple[Time | None, ...]:
    """Read a row of four to six times, padded to six with None for those face down.

    Parameters
    ----------
    times : str or iterable of times
        Two-letter codes with ``--`` for a card that lies face down, as one text
        (``"DaNoDuMi----"``, spaces allowed, full names between them too) or one by one (None for
        face down).

    Returns
    -------
    tuple of length 6
        The times in order, None where face down.

    Raises
    ------
    NotationError
        If a code is unknown, fewer than four or more than six cards are given, one of the first
        four is face down, or a card lies face up after one that lies face down.

    Examples
    --------
    >>> format_times(parse_times("DaNoDuMi"))
    'DaNoDuMi----'
    """
    cards = read_times(times)
    if not 4 <= len(cards) <= ROUNDS:
        raise NotationError(
            f"{times!r} has {counted(len(cards), 'time')}: four are turned up, six exist"
        )
    row = cards + (None,) * (ROUNDS - len(cards))
    known = row.index(None) if None in row else ROUNDS
    if known < 4:
        raise NotationError(f"{times!r} has card {known + 1} face down: the first four are face up")
    if any(time is not None for time in row[known:]):
        raise NotationError(f"{times!r} has a time face up after one that lies face down")
    return row


def read_times(times: TimesLike) -> tuple[Time | None, ...]:
    """Read a row of any number of times, in the notations of `parse_times`."""
    codes: list[TimeLike | None]
    if isinstance(times, str):
        codes = [code for word in times.split() for code in _codes(word)]
    else:
        try:
            codes = list(times)
        except TypeError:
            raise NotationError(f"{times!r} is no row of times: expected e.g. DaNoDuMi") from None
    return tuple(
        None if code is None or (isinstance(code, str) and code == _FACE_DOWN) else Time.parse(code)
        for code in codes
    )


def _codes(word: str) -> list[str]:
    """Return the two-letter codes of a word, or the word if it is the full name of a time."""
    names = {time.name.lower() for time in Time}
    codes = [word[i : i + 2] for i in range(0, len(word), 2)]
    known = {_FACE_DOWN, *(time.code.lower() for time in Time)}
    if word.lower() in names:
        return [word]
    wrong = [code for code in codes if code.lower() not in known]
    if wrong:
        within = f" (in {word!r})" if word != wrong[0] else ""
        raise NotationError(
            f"{wrong[0]!r} is no time of day{within}: expected one of Da, No, Mi, Du"
        )
    return codes


def read_cards(cards: Iterable[ElementLike]) -> tuple[Element, ...]:
    """Read one card a player, as elements or as a text; refuse a set, which has no order."""
    if isinstance(cards, set | frozenset):
        raise NotationError(f"{cards!r} is a set: it does not say which player plays which card")
    try:
        return tuple(map(Element.parse, cards.strip() if isinstance(cards, str) else cards))
    except TypeError:
        raise NotationError(f"{cards!r} are no cards: expected one letter a player") from None


def format_times(times: TimesLike) -> str:
    """Write a row of times as codes, ``--`` for None.

    Raises
    ------
    NotationError
        If one of them is no time.
    """
    row = read_times(times)
    return "".join(_FACE_DOWN if time is None else time.code for time in row)
