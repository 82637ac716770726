"""The time deck: what can lie face down, and with what chance.

Six cards are shuffled: one of each time and two additional ones, drawn independently and uniformly
(``"independent"``) or as two different times (``"distinct"``). Rules page: "Setup".

The order of a shuffled deck is exchangeable, so the chance of what comes next depends only on how
often each time has come up.
"""

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product

from games.clash.elements import ROUNDS, Time, TimesLike, read_times
from games.errors import RulesError

__all__ = ["face_up_sequences", "next_times", "prefix_chance"]


_TIME_DECKS = ("independent", "distinct")


def _check(time_deck: str) -> None:
    if not isinstance(time_deck, str) or time_deck not in _TIME_DECKS:
        raise RulesError(f"time_deck is {time_deck!r}: expected one of {', '.join(_TIME_DECKS)}")


@lru_cache(maxsize=2)
def _decks(time_deck: str) -> dict[tuple[int, ...], Fraction]:
    """Return the compositions of the deck (cards of each time) and their chances."""
    ways = {"independent": product(Time, repeat=2), "distinct": combinations(Time, 2)}
    pairs = list(ways[time_deck])
    decks: dict[tuple[int, ...], Fraction] = {}
    for pair in pairs:
        counts = tuple(1 + pair.count(time) for time in Time)
        decks[counts] = decks.get(counts, Fraction(0)) + Fraction(1, len(pairs))
    return decks


@cache
def _prefix_chance(counts: tuple[int, ...], time_deck: str) -> Fraction:
    chance = Fraction(0)
    if sum(counts) > ROUNDS:
        return chance
    for deck, deck_chance in _decks(time_deck).items():
        ways = 1
        for held, wanted in zip(deck, counts, strict=True):
            for drawn in range(wanted):
                ways *= max(held - drawn, 0)
        orders = 1
        for drawn in range(sum(counts)):
            orders *= ROUNDS - drawn
        chance += deck_chance * Fraction(ways, orders)
    return chance


def _counts(times: TimesLike) -> tuple[int, ...]:
    row = read_times(times)
    return tuple(row.count(time) for time in Time)


def prefix_chance(times: TimesLike, time_deck: str = "independent") -> Fraction:
    """Chance that the first cards of the shuffled deck are these, in this order.

    Examples
    --------
    >>> prefix_chance("DaNoMiDu")
    Fraction(1, 96)
    >>> prefix_chance([Time.DAWN] * 4)
    Fraction(0, 1)
    """
    _check(time_deck)
    return _prefix_chance(_counts(times), time_deck)


def next_times(times: TimesLike, time_deck: str = "independent") -> dict[Time, Fraction]:
    """Return the exact chance of each time that can come next after these face-up ones.

    Parameters
    ----------
    times : row of times
        The cards turned up so far, any number; the order does not matter, face-down ones are
        passed over.
    time_deck : {"independent", "distinct"}
        How the two additional cards were drawn.

    Returns
    -------
    dict
        Only times that are possible; empty when the cards so far cannot occur or are all six.

    Examples
    --------
    >>> chances = next_times("DaDaNoDu")
    >>> chances[Time.MIDNIGHT], sum(chances.values())
    (Fraction(15, 26), Fraction(1, 1))
    """
    _check(time_deck)
    seen = _counts(times)
    total = _prefix_chance(seen, time_deck)
    if not total or sum(seen) == ROUNDS:
        return {}
    chances = {}
    for time in Time:
        longer = tuple(count + (other == time) for other, count in enumerate(seen))
        chances[time] = _prefix_chance(longer, time_deck) / total
    return {time: chance for time, chance in chances.items() if chance}


def face_up_sequences(time_deck: str = "independent") -> dict[tuple[Time, ...], Fraction]:
    """Return every sequence that the four face-up cards can show, with its chance.

    Examples
    --------
    >>> len(face_up_sequences()), len(face_up_sequences("distinct"))
    (252, 204)
    """
    chances = {row: prefix_chance(row, time_deck) for row in product(Time, repeat=4)}
    return {row: chance for row, chance in chances.items() if chance}
