"""What an explanation consists of: claims with numbers about a round of Solaris' Clash.

Two kinds of claim are kept apart. A claim about a *mixture* holds against the best reply to it
(`Side.guarantee`); a claim about a *card* holds against the opponent's mixture as shown
(`Card.earns`), or against the best reply to that card played always (`Card.then`). Amounts of a
side are to that side's player; `Explanation.value` and `Explanation.matrix` are to player 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import ROUNDS, Element, Objective, State, Time
from games.clash.elements import whole_number
from games.clash.rules import sunburst_limit
from solver.errors import StateError

__all__ = ["TIE", "Card", "Explanation", "Mix", "Mixture", "Side", "Variant", "check_player"]

FloatArray: TypeAlias = NDArray[np.float64]
Mix: TypeAlias = Mapping[Element, float]
"""A probability for every legal card, those never played included."""

TIE = 1e-9
"""Amounts that differ by no more than this count as equal: rounds are certified to it."""


def check_player(player: object) -> int:
    """Return the player, 0 or 1, or refuse all else: 1.0, True and arrays too."""
    number = whole_number(player)
    if number not in (0, 1):
        raise StateError(f"there is no player {player!r}: expected 0 or 1")
    return number


@dataclass(frozen=True, eq=False)
class Mixture:
    """A mixture of a player's other cards that dominates a card.

    Attributes
    ----------
    by : dict
        The probability of each card in it, without those of probability 0.
    strict : bool
        Whether it is worth more whatever the opponent plays; otherwise never less, and against some
        card more.
    least, greatest : float
        The smallest and the largest gain over the opponent's cards.
    """

    by: Mix
    strict: bool
    least: float
    greatest: float


@dataclass(frozen=True, eq=False)
class Card:
    """What is to be said of one card that a player may play; amounts are to that player.

    Attributes
    ----------
    element : Element
        The card.
    chance : float
        How often the player's mixture shown plays it.
    earns : float
        Its worth against the opponent's mixture shown.
    cost : float
        The value minus that: what it gives away against that mixture, 0 or more.
    against : dict
        Its worth against each of the opponent's cards, later rounds played as well as can be.
    points : dict
        What it and the opponent's card score this round, bonuses included, for each card.
    beats, loses_to : tuple of Element
        Which of the opponent's cards it beats, and which beat it.
    answers : tuple of Element
        The opponent's best replies when it is always played.
    then : float
        What it is worth then.
    role : {"optimal", "never", "unknown"}
        Whether some optimal mixture plays it. Proved both ways: by such a mixture, or by an optimal
        mixture of the opponent against which the card earns less than the value.
    dominated : Mixture, optional
        What dominates it.
    twins : tuple of Element
        Other cards worth the same whatever the opponent plays.
    """

    element: Element
    chance: float
    earns: float
    cost: float
    against: Mix
    points: Mapping[Element, tuple[int, int]]
    beats: tuple[Element, ...]
    loses_to: tuple[Element, ...]
    answers: tuple[Element, ...]
    then: float
    role: Literal["optimal", "never", "unknown"]
    dominated: Mixture | None
    twins: tuple[Element, ...]


@dataclass(frozen=True, eq=False)
class Side:
    """One player's view of the round; amounts are to that player.

    Attributes
    ----------
    player : int
        0 or 1.
    value : float
        What the position is worth.
    strategy : dict
        The optimal mixture shown.
    guarantee : float
        What this mixture earns against the best reply to it; no mixture has more.
    optimal : tuple of dict
        All extreme optimal mixtures, of which every optimal one is a mixture; the one shown first.
        Only that one when they could not all be told apart (`complete`).
    complete : bool
        Whether `optimal` lists them all.
    sure_cards : tuple of Element
        Cards that are optimal by themselves: played always, they earn the value or more.
    cards : tuple of Card
        The cards, in the order Water, Fire, Air, Earth.
    """

    player: int
    value: float
    strategy: Mix
    guarantee: float
    optimal: tuple[Mix, ...]
    complete: bool
    sure_cards: tuple[Element, ...]
    cards: tuple[Card, ...]

    @property
    def is_free(self) -> bool:
        """Whether every card is optimal by itself."""
        return len(self.sure_cards) == len(self.cards)

    def card(self, element: Element) -> Card:
        """Return what is said of one card."""
        return next(card for card in self.cards if card.element == element)


@dataclass(frozen=True, eq=False)
class Variant:
    """The position with one thing changed: a hidden time known, or the score another.

    Attributes
    ----------
    state : State
        The position as changed.
    times : tuple of Time
        The hidden times that are known in it; empty where the score differs.
    chance : Fraction, optional
        The chance of these times; None where the score differs.
    shift : int
        How many points more player 0 is ahead than in the position itself.
    value : float
        Its value to player 0.
    strategies : pair of dict, optional
        An optimal mixture of each player; None while a time is due.
    free : pair of bool
        Whether every card of the player is optimal by itself.
    kept : pair of float, optional
        What each player's mixture in the position itself earns for that player against the best
        reply here; None where there is no such mixture.
    """

    state: State
    times: tuple[Time, ...]
    chance: Fraction | None
    shift: int
    value: float
    strategies: tuple[Mix, Mix] | None
    free: tuple[bool, bool]
    kept: tuple[float, float] | None

    def value_to(self, player: int) -> float:
        """Return the value to one of the players."""
        return -self.value if check_player(player) else self.value

    def loss(self, player: int) -> float | None:
        """Return what a player gives up by keeping to the mixture of the position itself."""
        index = check_player(player)
        return None if self.kept is None else max(self.value_to(index) - self.kept[index], 0.0)


@dataclass(frozen=True, eq=False)
class Explanation:
    """A solved position and what there is to say about it.

    Attributes
    ----------
    state : State
        The position.
    objective : {"win", "margin"}
        What the players maximise.
    value : float
        Expected utility of player 0 at the end.
    matrix : array, optional
        What each pair of cards is worth to player 0; None while a time is due and when over.
    rows, columns : tuple of Element
        The cards that its rows and columns stand for.
    unique : bool
        Whether each player has one optimal mixture only.
    sides : pair of Side, optional
        Both players' views; None where there is no matrix.
    hidden : tuple of Variant
        The position with the next hidden time known, for each that is possible; while it is due,
        the position after it was turned up.
    hidden_pairs : tuple of Variant
        The position with both hidden times known, where two are hidden and none is due.
    scores : tuple of Variant
        Under ``win``, the position with up to two points more or less, the most for player 0 first;
        those that the rules do not allow are left out, as is the position itself.
    games : int
        How many matrix games were solved and certified for all this.
    """

    state: State
    objective: Objective
    value: float
    matrix: FloatArray | None
    rows: tuple[Element, ...]
    columns: tuple[Element, ...]
    unique: bool
    sides: tuple[Side, Side] | None
    hidden: tuple[Variant, ...]
    hidden_pairs: tuple[Variant, ...]
    scores: tuple[Variant, ...]
    games: int

    @property
    def unit(self) -> str:
        """The unit of all amounts: ``"antes"`` or ``"points"``."""
        return "antes" if self.objective == "win" else "points"

    @property
    def is_forced(self) -> bool:
        """Whether both players have one kind of card only."""
        return len(self.rows) == len(self.columns) == 1

    @property
    def is_flat(self) -> bool:
        """Whether every pair of cards is worth the same."""
        return self.matrix is not None and float(np.ptp(self.matrix)) <= TIE

    @property
    def leader(self) -> int | None:
        """The player who is more points ahead than the other can still score; None if neither is.

        None too under a bonus of the user's own, of which nothing is known.
        """
        rounds = ROUNDS - self.state.rounds_played
        if self.state.rules.bonus is not None:
            return None
        for player in (0, 1):
            most = 2 * rounds
            if self.state.streaks:
                most += sunburst_limit(self.state.rules, self.state.streaks[1 - player], rounds)
            if self.state.points[player] - self.state.points[1 - player] > most:
                return player
        return None

    @property
    def has_saddle_point(self) -> bool:
        """Whether each player has a single card that is optimal by itself."""
        return self.sides is not None and all(side.sure_cards for side in self.sides)

    def value_to(self, player: int) -> float:
        """Return the value to one of the players."""
        return -self.value if check_player(player) else self.value

    def worth_of_knowing(self, player: int) -> float:
        """Return what a player gains on average if both learn the next hidden time now."""
        player = check_player(player)
        known = sum(float(v.chance or 0) * v.value_to(player) for v in self.hidden)
        return known - self.value_to(player) if self.hidden else 0.0

    def neutral_range(self, player: int) -> tuple[float, float] | None:
        """Return the least and most that a round without a winner leaves a player with.

        None when there is no pair of cards of which neither beats the other.
        """
        index = check_player(player)
        if self.sides is None:
            return None
        worth = [
            amount
            for card in self.sides[index].cards
            for other, amount in card.against.items()
            if other not in card.beats + card.loses_to
        ]
        return (min(worth), max(worth)) if worth else None
