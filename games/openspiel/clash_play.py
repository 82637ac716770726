"""How a game of Solaris' Clash goes, one step of chance or of a player after the other.

First every player chooses a hand, or is dealt one; then the first four times are turned up; then
come the rounds. What is settled is no step: the hand of a player who can have only one, and the
last round, in which everybody has one card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from games.clash import Element, Hand, State, Time, next_times
from games.errors import IllegalMoveError
from games.openspiel.clash_setup import Setup
from games.openspiel.support import Immutable

__all__ = ["Play", "Step"]

_FACE_UP = 4


class Step(Enum):
    """What comes next."""

    HAND = "hand"
    TIME = "time"
    CARD = "card"
    OVER = "over"


@dataclass(frozen=True)
class Play(Immutable):
    """A game so far.

    Attributes
    ----------
    setup : Setup
        The game that is played.
    hands : tuple of Hand
        The hands at the start, of the players who have theirs.
    times : tuple of Time
        The times turned up before play begins.
    position : State, optional
        The position, once play has begun; in the middle of a round, that at its start.
    rounds : tuple of tuples of Element
        The cards of each round that is over.
    chosen : tuple of Element
        The cards that the first players have chosen in this round, not yet revealed.
    """

    setup: Setup
    hands: tuple[Hand, ...] = ()
    times: tuple[Time, ...] = ()
    position: State | None = None
    rounds: tuple[tuple[Element, ...], ...] = ()
    chosen: tuple[Element, ...] = ()

    @classmethod
    def start(cls, setup: Setup) -> "Play":
        """Return the start of a game."""
        return cls(setup, times=setup.times)._settled()

    @property
    def step(self) -> Step:
        """What comes next."""
        if len(self.hands) < self.setup.players:
            return Step.HAND
        if self.position is None or self.position.time_is_due:
            return Step.TIME
        return Step.OVER if self.position.is_over else Step.CARD

    @property
    def is_chance(self) -> bool:
        """Whether chance makes the next step."""
        return self.step is Step.TIME or (self.step is Step.HAND and not self.setup.chosen)

    @property
    def player(self) -> int:
        """The player who has a hand or a card to choose; the next of those who have."""
        return len(self.hands) if self.step is Step.HAND else len(self.chosen)

    def actions(self, player: int) -> list[int]:
        """Return the numbers of what a player may do: cards from 0, hands from 4."""
        if self.step is Step.HAND:
            return [len(Element) + k for k in range(len(self.setup.hands[player]))]
        if self.step is Step.CARD and self.position is not None:
            return [int(card) for card in self.position.legal(player)]
        return []

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of what chance may bring, times or hands from 0, with chances."""
        if self.step is Step.HAND:
            return list(enumerate(self.setup.priors[self.player]))
        if self.position is not None:
            chances = self.position.next_times()
        else:
            chances = next_times(self.times, self.setup.rules.time_deck)
        return [(int(time), float(chance)) for time, chance in chances.items()]

    def after_chance(self, outcome: int) -> "Play":
        """Return the game after what chance brought."""
        if self.step is Step.HAND:
            return self._with_hand(outcome)
        if self.position is not None:
            return replace(self, position=self.position.reveal(Time(outcome)))._settled()
        return replace(self, times=(*self.times, Time(outcome)))._settled()

    def after_action(self, action: int) -> "Play":
        """Return the game after what the next player did."""
        if action not in self.actions(self.player):
            raise IllegalMoveError(
                f"player {self.player} cannot do {action} here: expected one of "
                f"{', '.join(map(str, self.actions(self.player)))}"
            )
        if self.step is Step.HAND:
            return self._with_hand(action - len(Element))
        return replace(self, chosen=(*self.chosen, Element(action)))._settled()

    def after_actions(self, actions: Sequence[int]) -> "Play":
        """Return the game after all players did something at once."""
        play, step = self, self.step
        for player, action in enumerate(actions):
            # who can have one hand only has it already
            if step is Step.CARD or player == len(play.hands):
                play = play.after_action(action)
        return play

    def _with_hand(self, number: int) -> "Play":
        hand = self.setup.hands[len(self.hands)][number]
        return replace(self, hands=(*self.hands, hand))._settled()

    def _settled(self) -> "Play":
        """Return the game after all that follows by itself."""
        setup, play = self.setup, self
        while len(play.hands) < setup.players and len(play.hands) not in setup.undecided:
            play = replace(play, hands=(*play.hands, setup.hands[len(play.hands)][0]))
        if play.position is None:
            if len(play.hands) < setup.players or len(play.times) < _FACE_UP:
                return play
            play = replace(play, position=setup.position(play.hands, play.times))
        position = play.position
        assert position is not None
        if play.step is Step.CARD and len(position.hands[0]) == 1:
            play = replace(play, chosen=tuple(position.legal(k)[0] for k in range(setup.players)))
        if len(play.chosen) == setup.players:
            return play._revealed(position)._settled()
        return play

    def _revealed(self, position: State) -> "Play":
        """Return the game after the cards of a round are revealed."""
        return replace(
            self,
            position=position.play(self.chosen),
            rounds=(*self.rounds, self.chosen),
            chosen=(),
        )
