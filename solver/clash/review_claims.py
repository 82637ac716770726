"""What a review of a game of Solaris' Clash consists of: moments, events and their sums.

Let v be what the position is worth to player 0, from the start to the end. It changes by *events*:
the deal of extras (with hidden hands), a time turned up, the two cards of a round, a tie-break. A
decision with a choice is a *moment*. It is judged by what its player could know: the *loss* is the
value of the position to that player minus what the card played earns, both against the opponent's
optimal mixture, not against the card that came. Then for each event

    change of v  =  luck  -  loss of player 0  +  loss of player 1,

which says what luck is: the rest. Added up over the game, for each player and with all amounts to
that player,

    result  =  luck  +  skill,        skill  =  what the other lost  -  what the own cards lost,

where the result is v at the end minus v at the start. It is an identity, however good the values
are. Luck and skill of one player are those of the other with the sign changed. Luck is fair: the
opponent who mixes as stated leaves it 0 on average, whatever the player does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.clash import Element, Hand, Objective, Record, Time
from solver.clash.explanations.claims import TIE
from solver.errors import StateError

__all__ = ["DealtExtras", "Event", "Hands", "Moment", "Review", "Summary"]

Hands: TypeAlias = Literal["open", "hidden"]

_TOLD_APART: Final = 2.0


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision between two kinds of card or more; amounts are to the player who decides.

    Attributes
    ----------
    round : int
        1 to 5.
    player : int
        Who decided.
    time : Time
        The time of the round.
    points : pair of int
        The points before, player 0's first.
    held : Hand
        What the player held.
    chosen : Element
        The card played.
    mix : dict
        The optimal mixture that is stated; empty if the moment was not judged.
    earns : dict
        What each card earns against the opponent's stated mixture, later rounds played as well as
        can be (hidden hands: by the strategies); empty if the moment was not judged.
    best : tuple of Element
        The cards that are right: with open hands those that earn the value against every optimal
        mixture of the opponent that is known; with hidden hands those that earn the most, or less
        by no more than the error. None if the moment was not judged.
    value : float or None
        What the stated mixture earns; None if the moment was not judged.
    loss : float
        The value minus what the card played earns. With open hands 0 or more. With hidden hands it
        may be below 0 by as much as the strategies fall short there; 0 if not judged.
    loss_range : pair of float or None
        The least and the most that the card loses against an optimal mixture of the opponent, where
        there are several; equal where there is one. None where not all of them are known. A card
        that loses against one of them is in no optimal mixture, even if it loses nothing against
        the one that is stated.
    error : float
        How exact the loss is: 0 with open hands. With hidden hands the exploitability of the
        strategies; or, if that is more, how far a card that the mixture plays 1 time in 100 or more
        differs from it, or the best card (in an equilibrium none does).
    reach : float or None
        With hidden hands, how likely the strategies were to lead here, given the player's hand and
        the times; 0 when the own strategy never does, and the best reply from here is the measure.
        None with open hands.
    seldom : bool
        Whether a card was played before that the strategies play less than once in 100 times, so
        that what is said here is little tested.
    unjudged : str
        Why the moment was not judged; empty if it was.
    """

    round: int
    player: int
    time: Time
    points: tuple[int, int]
    held: Hand
    chosen: Element
    mix: Mapping[Element, float]
    earns: Mapping[Element, float]
    best: tuple[Element, ...]
    value: float | None
    loss: float
    loss_range: tuple[float, float] | None
    error: float = 0.0
    reach: float | None = None
    seldom: bool = False
    unjudged: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the loss is exact."""
        return self.reach is None

    @property
    def is_mistake(self) -> bool:
        """Whether the card lost something for certain, or more than twice the error."""
        return self.loss > (TIE if self.is_exact else _TOLD_APART * self.error)

    @property
    def chosen_value(self) -> float | None:
        """What the card played earns; None if not judged."""
        return self.earns.get(self.chosen)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that changed what the position is worth; amounts are to player 0.

    Attributes
    ----------
    kind : {"deal", "time", "cards", "tie-break"}
        What it was.
    round : int or None
        Its round; None for the deal and the tie-break.
    before, after : float
        What the position was worth.
    luck : float
        The change without what the players lost in this round.
    happened : str
        What it was, in words.
    """

    kind: Literal["deal", "time", "cards", "tie-break"]
    round: int | None
    before: float
    after: float
    luck: float
    happened: str


@dataclass(frozen=True, slots=True)
class DealtExtras:
    """The extras that a player took, with hidden hands, and what they turned out to be worth.

    Extras are taken before the times are seen. What they are worth in this deal is not what was
    known when they were taken: it is told, and counted as luck.

    Attributes
    ----------
    player : int
        Who took them.
    taken : Hand
        The two extras.
    worth : dict
        What each pair of extras is worth to the player in this deal, against what the opponent may
        hold.
    """

    player: int
    taken: Hand
    worth: Mapping[Hand, float]

    @property
    def best(self) -> Hand:
        """The pair that is worth most."""
        return max(self.worth, key=lambda extras: self.worth[extras])


@dataclass(frozen=True, slots=True)
class Summary:
    """What a game was for one player; amounts are to that player.

    Attributes
    ----------
    player : int
        0 or 1.
    result : float
        The value at the end minus that at the start: ``luck + skill``.
    luck : float
        What the mixtures, the times and the draws brought.
    lost : float
        What the own cards lost, all together.
    gained : float
        What the other's cards lost.
    decisions : int
        How many own decisions had a choice.
    mistakes : int
        How many of them lost something that can be told apart from nothing.
    unjudged : int
        How many of them could not be judged.
    """

    player: int
    result: float
    luck: float
    lost: float
    gained: float
    decisions: int
    mistakes: int
    unjudged: int

    @property
    def skill(self) -> float:
        """What the other lost minus what was lost."""
        return self.gained - self.lost


@dataclass(frozen=True, slots=True)
class Review:
    """A game gone through.

    Attributes
    ----------
    record : Record
        The game.
    objective : {"win", "margin"}
        What is counted: antes of the pot, or points.
    hands : {"open", "hidden"}
        Whether decisions are judged as if both hands were known, or as the game is played.
    moments : tuple of Moment
        All decisions with a choice: round by round, player 0 first.
    events : tuple of Event
        All that changed the value, in order.
    start, end : float
        What the game was worth to player 0 at first and at last.
    summaries : pair of Summary
        Those of players 0 and 1.
    extras : pair of DealtExtras or None
        What the extras turned out to be worth; None with open hands.
    exploitability : float
        Of the strategies by which decisions were judged, in antes or points a game; 0 with open
        hands, where they are exact.
    """

    record: Record
    objective: Objective
    hands: Hands
    moments: tuple[Moment, ...]
    events: tuple[Event, ...]
    start: float
    end: float
    summaries: tuple[Summary, Summary]
    extras: tuple[DealtExtras, DealtExtras] | None
    exploitability: float

    @property
    def unit(self) -> str:
        """The unit of all amounts: antes or points."""
        return "antes" if self.objective == "win" else "points"

    @property
    def is_finished(self) -> bool:
        """Whether all six rounds were played; if not, `end` is what the last position is worth."""
        return self.record.state.is_over

    def worst(self, number: int = 3) -> tuple[Moment, ...]:
        """Return the moments that lost most, clear mistakes only."""
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise StateError(f"number of moments is {number!r}: expected a whole number, 0 or more")
        losing = [moment for moment in self.moments if moment.is_mistake]
        return tuple(sorted(losing, key=lambda moment: -moment.loss)[:number])

    def luckiest(self, player: int) -> Event | None:
        """Return the event in which a player had most luck, if there was any."""
        if isinstance(player, bool) or player not in (0, 1):
            raise StateError(f"there is no player {player!r}: expected 0 or 1")
        sign = 1 - 2 * player
        lucky = [event for event in self.events if sign * event.luck > TIE]
        return max(lucky, key=lambda event: sign * event.luck, default=None)
