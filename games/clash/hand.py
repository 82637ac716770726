"""Hands: what a player may hold.

A full hand is one card of each element and two *extras* of any element. A hand in mid-game is what
is left of a full one. Rules page: "Components" and "Positions".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias

from games.clash.elements import ROUNDS, Element, ElementLike, whole_number, whole_steps
from games.errors import IllegalMoveError, NotationError, PositionError

__all__ = ["EXTRAS", "EXTRAS_LABELS", "Hand", "HandLike", "full_hands", "hands_of_size"]

EXTRAS = 2
"""Cards that a player adds to one of each element."""


@dataclass(frozen=True, slots=True)
class Hand:
    """An immutable multiset of cards that can be completed to a legal full hand.

    Parameters
    ----------
    counts : tuple of four int
        How many cards of Water, Fire, Air and Earth it holds.

    Raises
    ------
    PositionError
        If no full hand contains these cards: more than six, or more than two beyond one of each.

    Examples
    --------
    >>> hand = Hand.parse("WFAE+WF")
    >>> str(hand), len(hand), hand == Hand.parse("wwffae")
    ('WWFFAE', 6, True)
    >>> str(hand.without("W")), str(hand.extras)
    ('WFFAE', 'WF')
    """

    counts: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        try:
            counts = [
                number for count in self.counts if (number := whole_number(count)) is not None
            ]
            complete = len(counts) == len(self.counts) == 4
        except TypeError:
            complete = False
        if not complete or min(counts) < 0:
            raise PositionError(
                f"{self.counts!r} are no card counts: expected four, 0 or more (Hand.parse reads "
                "letters)"
            )
        object.__setattr__(self, "counts", tuple(counts))
        if sum(counts) > 4 * ROUNDS:
            # too many to be written out, and perhaps even their number is
            cards = f"{sum(counts)} cards" if max(counts) < 10**9 else "billions of cards"
            raise PositionError(f"a hand of {cards}: a full hand has {ROUNDS}")
        if len(self) > ROUNDS:
            raise PositionError(f"{self} has {len(self)} cards: a full hand has {ROUNDS}")
        if sum(max(count - 1, 0) for count in self.counts) > EXTRAS:
            missing = ", ".join(e.name.title() for e in Element if not self.counts[e])
            lacks = f" and lacks {missing}" if missing else ""
            raise PositionError(
                f"{self} cannot be held: it has more than {EXTRAS} cards beyond one of each "
                f"element{lacks} (a full hand is one of each and {EXTRAS} extras)"
            )

    @classmethod
    def parse(cls, cards: "HandLike") -> "Hand":
        """Read a hand from letters in any order, a ``+`` allowed between the base and the extras.

        Parameters
        ----------
        cards : Hand, str or iterable of elements
            ``"WFAE+WF"``, ``"wwffae"``, ``"-"`` for an empty hand, or elements one by one.

        Raises
        ------
        NotationError
            If a card is no element.
        PositionError
            If no full hand contains these cards.
        """
        if isinstance(cards, Hand):
            return cards
        letters: Iterable[ElementLike]
        if isinstance(cards, str):
            letters = _letters(cards)
        elif isinstance(cards, bytes):
            raise NotationError(f"{cards!r} is no hand: expected text, not bytes")
        else:
            letters = cards
        counts = [0, 0, 0, 0]
        try:
            for letter in letters:
                counts[Element.parse(letter)] += 1
        except (TypeError, NotationError):
            raise NotationError(
                f"{cards!r} is no hand: expected letters W, F, A, E such as WFAE+WF"
            ) from None
        return cls((counts[0], counts[1], counts[2], counts[3]))

    @property
    def elements(self) -> tuple[Element, ...]:
        """The different elements held, in the order Water, Fire, Air, Earth."""
        return tuple(element for element in Element if self.counts[element])

    @property
    def is_full(self) -> bool:
        """Whether this is a hand of six, as held in round 1."""
        return len(self) == ROUNDS

    @property
    def extras(self) -> "Hand":
        """The two cards beyond one of each element.

        Raises
        ------
        PositionError
            If the hand is not full: which cards were extras is then not told by it.
        """
        if not self.is_full:
            raise PositionError(f"{self} is not a full hand: its extras are not known from it")
        w, f, a, e = self.counts
        return Hand((w - 1, f - 1, a - 1, e - 1))

    def without(self, card: ElementLike) -> "Hand":
        """Return the hand after a card was played.

        Raises
        ------
        IllegalMoveError
            If the card is not held.
        """
        element = Element.parse(card)
        if not self.counts[element]:
            held = ", ".join(e.name.title() for e in self.elements) or "nothing"
            raise IllegalMoveError(f"{element.name.title()} is not in hand {self}: it holds {held}")
        counts = list(self.counts)
        counts[element] -= 1
        return Hand((counts[0], counts[1], counts[2], counts[3]))

    def rotated(self, steps: int = 1) -> "Hand":
        """Return the hand with every card moved that many places on in the cycle."""
        turns = whole_steps(steps)
        w, f, a, e = (self.counts[(element - turns) % 4] for element in Element)
        return Hand((w, f, a, e))

    def __iter__(self) -> Iterator[Element]:
        """Iterate over the cards, equal ones repeated, in the order Water, Fire, Air, Earth."""
        return (element for element in Element for _ in range(self.counts[element]))

    def __len__(self) -> int:
        return sum(self.counts)

    def __contains__(self, card: ElementLike) -> bool:
        return self.counts[Element.parse(card)] > 0

    def __str__(self) -> str:
        return "".join(element.letter for element in self) or "-"

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"


def _letters(text: str) -> str:
    """Return the letters of a hand's text without the signs."""
    base, plus, extras = text.strip().partition("+")
    if plus and sorted(base.upper()) != sorted("WFAE"):
        raise NotationError(f"{text!r} is no hand: before + stands one of each element")
    if base == "-":
        return ""
    if not base:
        raise NotationError(f"{text!r} is no hand: an empty one is written -")
    return base + extras


HandLike: TypeAlias = Hand | str | Iterable[ElementLike]


def hands_of_size(size: int) -> tuple[Hand, ...]:
    """Return every hand of so many cards that can be held, in the order of their letters.

    Parameters
    ----------
    size : int
        Number of cards, 0 to 6.

    Raises
    ------
    PositionError
        If no hand can have that size.

    Examples
    --------
    >>> [len(hands_of_size(size)) for size in range(7)]
    [1, 4, 10, 20, 31, 28, 10]
    """
    number = whole_number(size)
    if number is None or not 0 <= number <= ROUNDS:
        raise PositionError(f"size is {size!r}: expected a whole number from 0 to {ROUNDS}")
    return _hands_of_size(number)


@lru_cache(maxsize=ROUNDS + 1)
def _hands_of_size(size: int) -> tuple[Hand, ...]:
    return tuple(
        Hand.parse(cards)
        for cards in combinations_with_replacement(Element, size)
        if sum(max(cards.count(element) - 1, 0) for element in Element) <= EXTRAS
    )


def full_hands() -> dict[str, Hand]:
    """Return the ten full hands by the label of their extras, in the order of the labels.

    Examples
    --------
    >>> list(full_hands())
    ['WW', 'WF', 'WA', 'WE', 'FF', 'FA', 'FE', 'AA', 'AE', 'EE']
    >>> str(full_hands()["AE"])
    'WFAAEE'
    """
    pairs = combinations_with_replacement(Element, EXTRAS)
    labels = ("".join(element.letter for element in pair) for pair in pairs)
    return {label: Hand.parse(f"WFAE+{label}") for label in labels}


EXTRAS_LABELS = tuple(full_hands())
"""The ten pairs of extras: ``WW WF WA WE FF FA FE AA AE EE``."""
