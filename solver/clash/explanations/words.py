"""Numbers and names of Solaris' Clash in words for players.

What is rounded here stays true: percentages of a mixture sum to 100.0, and an amount too small for
the decimals shown is said to be small, not written as ``+0.000`` or ``-0.000``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from games.clash import OBJECTIVES, Element, Hand, Objective, Time
from solver.clash.explanations.claims import TIE, Mix
from solver.errors import SolverError
from solver.text_layout import count, joined, shares

__all__ = [
    "Amounts",
    "cells",
    "chance_cells",
    "chance_words",
    "count",
    "extras_words",
    "hand_words",
    "joined",
    "mix_words",
    "name",
    "percentages",
    "proportions",
    "shares",
]

_DECIMALS = 3
_EDGES = ((0.1, "slight"), (0.4, "clear"))


def name(item: Element | Time) -> str:
    """Return the full name of an element or a time of day.

    Examples
    --------
    >>> name(Element.WATER), name(Time.DUSK)
    ('Water', 'Dusk')
    """
    return item.name.title()


def chance_words(chance: Fraction) -> str:
    """Return an exact chance in words.

    Examples
    --------
    >>> chance_words(Fraction(1, 4)), chance_words(Fraction(1))
    ('1 in 4', 'certain')
    """
    return "certain" if chance == 1 else f"{chance.numerator} in {chance.denominator}"


def percentages(mix: Mix) -> dict[Element, str]:
    """Return the chances of a mixture in percent, rounded so that they sum to exactly 100.0.

    Of the tenths lost by rounding down, each goes to the chance that lost most (the method of the
    largest remainder).

    Examples
    --------
    >>> percentages(dict.fromkeys([Element.WATER, Element.FIRE, Element.AIR], 1 / 3)).values()
    dict_values(['33.4%', '33.3%', '33.3%'])
    """
    cards = sorted(mix)
    by_card = dict(zip(cards, shares(mix[card] for card in cards), strict=True))
    return {card: by_card[card] for card in mix}


def mix_words(mix: Mix) -> str:
    """Return a mixture in words, the most frequent card first; cards not in it are left out.

    Examples
    --------
    >>> mix_words({Element.WATER: 0.25, Element.FIRE: 0.75, Element.AIR: 0.0})
    'Fire 75.0%, Water 25.0%'
    >>> mix_words({Element.WATER: 0.0, Element.FIRE: 1.0})
    'always Fire'
    """
    played = sorted((card for card in mix if mix[card] > TIE), key=lambda card: -mix[card])
    if len(played) == 1:
        return f"always {name(played[0])}"
    shown = percentages(mix)
    return ", ".join(
        f"{name(card)} {'under 0.1%' if shown[card] == '0.0%' else shown[card]}" for card in played
    )


def cells(mix: Mix) -> list[str]:
    """Return the chances of a mixture as cells of a table, in the order of its cards.

    Examples
    --------
    >>> cells({Element.WATER: 0.9998, Element.FIRE: 0.0002, Element.AIR: 0.0})
    ['100.0%', '<0.1%', '0%']
    """
    return chance_cells(list(mix.values()))


def chance_cells(chances: Sequence[float]) -> list[str]:
    """Return the chances of anything as cells of a table.

    Examples
    --------
    >>> chance_cells([0.9998, 0.0002, 0.0])
    ['100.0%', '<0.1%', '0%']
    """
    return [
        "0%" if chance <= TIE else "<0.1%" if shown == "0.0%" else shown
        for chance, shown in zip(chances, shares(chances), strict=True)
    ]


def proportions(mix: Mapping[Element, float]) -> str:
    """Return a mixture named in passing: halves as such, else in percent.

    Examples
    --------
    >>> proportions({Element.WATER: 0.5, Element.AIR: 0.5}), proportions({Element.FIRE: 1.0})
    ('half Water, half Air', 'Fire')
    """
    if len(mix) == 1:
        return name(next(iter(mix)))
    if all(chance == 0.5 for chance in mix.values()):
        return ", ".join(f"half {name(card)}" for card in mix)
    return mix_words(mix)


def extras_words(extras: Hand) -> str:
    """Return two extras in words.

    Examples
    --------
    >>> extras_words(Hand.parse("WA")), extras_words(Hand.parse("FF"))
    ('Water and Air', 'two Fires')
    """
    names = [name(card) for card in extras]
    return f"two {names[0]}s" if len(set(names)) == 1 else " and ".join(names)


def hand_words(hand: Hand) -> str:
    """Return a hand in words.

    Examples
    --------
    >>> hand_words(Hand.parse("WWFAE"))
    '2 Water, 1 Fire, 1 Air, 1 Earth'
    """
    return ", ".join(f"{n} {name(card)}" for card in Element if (n := hand.counts[card]))


@dataclass(frozen=True)
class Amounts:
    """How amounts are written under an objective.

    Parameters
    ----------
    objective : {"win", "margin"}
        What the amounts are of.
    ante : float
        Under ``win``, what each player antes; amounts are multiplied by it.

    Raises
    ------
    SolverError
        If the ante is not a positive number, or given under ``margin``, or there is no such
        objective.

    Examples
    --------
    >>> amounts = Amounts("win")
    >>> amounts.signed(0.00912), amounts.signed(-1e-17), amounts.price(0.0002)
    ('+0.009', '0.000', 'less than 0.001')
    >>> Amounts("win", ante=100).signed(0.00912)
    '+0.9'
    """

    objective: Objective
    ante: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.objective, str) or self.objective not in OBJECTIVES:
            raise SolverError(
                f"objective is {self.objective!r}: expected one of {', '.join(OBJECTIVES)}"
            )
        number = self.ante
        try:
            ante = float(number) if isinstance(number, Real) and number is not True else 0.0
        except OverflowError:
            ante = math.inf
        if not (math.isfinite(ante) and ante > 0):
            raise SolverError(f"the ante is {number!r}: it must be a positive number")
        object.__setattr__(self, "ante", ante)
        if self.objective == "margin" and self.ante != 1:
            raise SolverError("an ante is for the objective win: margin counts points")

    @property
    def decimals(self) -> int:
        """How many decimals amounts are written with: thousandths of an ante or finer."""
        return min(max(_DECIMALS - math.floor(math.log10(self.ante)), 0), 12)

    @property
    def least(self) -> str:
        """The smallest amount that is not written as 0."""
        return f"{10**-self.decimals:.{self.decimals}f}"

    def unit(self) -> str:
        """Return the unit of the amounts: what stands after a number."""
        if self.objective == "margin":
            return "points"
        return "antes" if self.ante == 1 else f"at an ante of {self.ante:g}"

    def is_small(self, amount: float) -> bool:
        """Whether an amount would be written as 0."""
        return float(self._text(abs(amount))) == 0

    def signed(self, amount: float) -> str:
        """Return an amount with its sign, for tables; 0 has none."""
        if self.is_small(amount):
            return self._text(0.0)
        return ("+" if amount > 0 else "-") + self._text(abs(amount))

    def said(self, amount: float) -> str:
        """Return an amount with its sign, for sentences."""
        if abs(amount) <= TIE:
            return "0"
        if self.is_small(amount):
            return f"just {'above' if amount > 0 else 'below'} 0"
        return self.signed(amount)

    def price(self, amount: float) -> str:
        """Return a loss or a gain, without sign, for sentences."""
        if abs(amount) <= TIE:
            return "nothing"
        return f"less than {self.least}" if self.is_small(amount) else self._text(abs(amount))

    def weighed(self, amount: float) -> str:
        """Return what a value means, as a person can weigh it: the player is addressed.

        Examples
        --------
        >>> Amounts("win").weighed(0.009)
        'as good as even: you win 0.9 games in 100 more than you lose'
        >>> Amounts("margin").weighed(-1.5)
        'you finish 1.500 points behind on average'
        """
        if self.objective == "margin":
            if self.is_small(amount):
                return "you finish level on average"
            where = "ahead" if amount > 0 else "behind"
            return f"you finish {self._text(abs(amount))} points {where} on average"
        if abs(amount) <= TIE:
            return "even: you win as many games as you lose"
        if abs(amount) >= 1 - TIE:
            return "you win every time" if amount > 0 else "you lose every time"
        more, less = ("win", "lose") if amount > 0 else ("lose", "win")
        games = f"{100 * abs(amount):.1f}"
        if games == "100.0":
            return f"you {more} nearly every time"
        if games == "0.0":
            games = "less than 0.1"
        return f"{_judgement(amount)}: you {more} {games} games in 100 more than you {less}"

    def _text(self, amount: float) -> str:
        return f"{amount * self.ante:.{self.decimals}f}"


def _judgement(amount: float) -> str:
    if abs(amount) < 0.02:
        return "as good as even"
    size = next((word for limit, word in _EDGES if abs(amount) < limit), "great")
    return f"a {size} edge" + ("" if amount > 0 else " to the opponent")
