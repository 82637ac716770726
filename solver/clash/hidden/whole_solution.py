"""The solved whole game: which extras to take, and how to play every deal.

The game is the same for both players, so that one strategy serves both. A deal of any face-up
sequence is turned to the representative of its class; player 1 plays as player 0 does with the
history seen from the other side.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import EXTRAS_LABELS, Hand, Objective, Rules, Time, full_hands, parse_times
from games.clash.elements import ElementLike, TimesLike
from games.clash.hand import HandLike
from solver.clash.hidden.best_response import Behaviour
from solver.clash.hidden.classes import class_layout, sequence_classes
from solver.clash.hidden.lookup import History, Lookup, read_history
from solver.clash.hidden.solution import REACHED, Mix, arrivals, read_mix, read_seat
from solver.errors import StateError

__all__ = ["WholeSolution", "WholeStrategy"]

FloatArray: TypeAlias = NDArray[np.float64]


class WholeStrategy:
    """A strategy for the whole game: what can be asked of it, wherever it is kept.

    Attributes
    ----------
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    prior : float array, shape (10,)
        The chance of each pair of extras, in the order of `games.clash.EXTRAS_LABELS`.
    behaviours : sequence of Behaviour
        The strategy in each class of face-up sequences.
    exploitability : float
        What a best response to this strategy, selection included, earns on average, in antes or
        points.
    seat : int
        In whose arrays the strategy is kept, player 0's or player 1's; both play it.
    iterations : int
        After how many iterations it was measured.
    stopped : str
        Why no more were made: ``"tolerance"`` or ``"iterations"``.
    """

    objective: Objective
    rules: Rules
    prior: FloatArray
    behaviours: Sequence[Behaviour]
    exploitability: float
    seat: int
    iterations: int
    stopped: str

    @property
    def value(self) -> float:
        """Expected utility of player 0 when both play the strategy: 0, as the game is symmetric."""
        return 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """What the strategy guarantees player 0, and what it concedes as player 1's."""
        return -self.exploitability, self.exploitability

    @property
    def exact(self) -> bool:
        """Whether the strategy is exact: never, it is as good as `exploitability` says."""
        return False

    @property
    def unit(self) -> str:
        """The unit of all values: antes or points."""
        return "antes" if self.objective == "win" else "points"

    @property
    def selection(self) -> dict[str, float]:
        """The chance of each pair of extras, by its label."""
        return dict(zip(EXTRAS_LABELS, self.prior.tolist(), strict=True))

    def strategy(
        self,
        player: int,
        hand: HandLike,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> Mix:
        """Return the strategy in an information set: the chance of every card still held.

        Parameters
        ----------
        player : int
            0 or 1.
        hand : Hand
            The full hand at the start.
        history : sequence of pairs of cards
            For each round so far, the card of player 0 and of player 1.
        times : row of times
            As known by now.

        Raises
        ------
        StateError
            If times are missing, the hand is not full, or history or times cannot be.
        """
        seat = read_seat(player)
        steps, number, rounds, row = self._turned(seat, history, times)
        full = self._full(hand)
        mix = read_mix(
            self._lookup(number), self.behaviours[number], self.seat,
            full.rotated(steps), rounds, row,
        )  # fmt: skip
        return {card.rotated(-steps): chance for card, chance in mix.items()}

    def belief(
        self,
        player: int,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> dict[Hand, float]:
        """Return what a player may think the opponent holds: selection first, then each card.

        Raises
        ------
        StateError
            If times are missing, history or times cannot be, or the strategy never plays so.
        """
        seat = read_seat(player)
        steps, number, rounds, row = self._turned(1 - seat, history, times, deciding=False)
        chances = self._arrivals(number, rounds, row)
        if chances.sum() <= REACHED:
            raise StateError(f"play never leads there: player {1 - seat} does not play so")
        hands = list(full_hands().values())
        return {
            hand: float(chances[hands.index(hand.rotated(steps))] / chances.sum()) for hand in hands
        }

    def reached(
        self,
        player: int,
        hand: HandLike,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> bool:
        """Return whether play under the strategy leads to an information set.

        Raises
        ------
        StateError
            As for `strategy`.
        """
        seat = read_seat(player)
        steps, number, rounds, row = self._turned(seat, history, times, deciding=False)
        _, _, theirs, _ = self._turned(1 - seat, history, times, deciding=False)
        turned = self._full(hand).rotated(steps)
        held = self._lookup(number).check_hand(self.seat, turned, rounds)
        own = self._arrivals(number, rounds, row)
        return bool(own[held] > REACHED and self._arrivals(number, theirs, row).sum() > REACHED)

    def _arrivals(self, number: int, rounds: History, row: tuple[Time | None, ...]) -> FloatArray:
        lookup = self._lookup(number)
        behaviour = self.behaviours[number]
        return arrivals(lookup, behaviour, self.seat, self.prior, rounds, row)

    def _full(self, hand: HandLike) -> Hand:
        held = Hand.parse(hand)
        if not held.is_full:
            raise StateError(f"{held} is not a full hand: name the six cards held at the start")
        return held

    def _turned(
        self,
        seat: int,
        history: Iterable[Sequence[ElementLike]],
        times: TimesLike | None,
        deciding: bool = True,
    ) -> tuple[int, int, History, tuple[Time | None, ...]]:
        """Return rotation, class, history with a player in our seat, and times, all turned."""
        if times is None:
            raise StateError("times are needed: the six codes as known by now, -- for face down")
        row = parse_times(times)
        face_up = tuple(time for time in row[:4] if time is not None)
        for steps in range(4):
            number = self._classes.get(tuple(time.rotated(steps) for time in face_up))
            if number is not None:
                break
        else:
            codes = "".join(time.code for time in face_up)
            raise StateError(f"{codes} cannot be turned up with the {self.rules.time_deck} deck")
        # The arrays are those of one seat; whoever asks is put there.
        exchange = seat != self.seat
        rounds = tuple(
            (cards[exchange].rotated(steps), cards[not exchange].rotated(steps))
            for cards in read_history(history)
        )
        turned = tuple(None if time is None else time.rotated(steps) for time in row)
        return (
            steps,
            number,
            rounds,
            self._lookup(number).check_times(turned, len(rounds), deciding),
        )

    @cached_property
    def _classes(self) -> dict[tuple[Time, ...], int]:
        classes = sequence_classes(self.rules.time_deck)
        return {one.times: number for number, one in enumerate(classes)}

    @cached_property
    def _lookups(self) -> dict[int, Lookup]:
        return {}

    def _lookup(self, number: int) -> Lookup:
        """Return where the information sets of a class stand; laid out when first asked."""
        if number not in self._lookups:
            times = (*sequence_classes(self.rules.time_deck)[number].times, None, None)
            layout = class_layout(times, self.objective, self.rules)
            self._lookups[number] = Lookup(layout, times, self.rules)
        return self._lookups[number]


@dataclass(frozen=True, eq=False)
class WholeSolution(WholeStrategy):
    """A strategy for the whole game, selection included, and how exploitable it is.

    Attributes
    ----------
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    prior : float array, shape (10,)
        The chance of each pair of extras, in the order of `games.clash.EXTRAS_LABELS`.
    behaviours : tuple of Behaviour
        The strategy in each class of face-up sequences.
    exploitability : float
        What a best response to this strategy, selection included, earns on average, in antes or
        points.
    seat : int
        In whose arrays the strategy is kept, player 0's or player 1's; both play it.
    iterations, stopped, method, seconds, curve
        How it was obtained; ``curve`` is the exploitability after some of the iterations.
    """

    objective: Objective
    rules: Rules
    prior: FloatArray
    behaviours: tuple[Behaviour, ...]
    exploitability: float
    seat: int
    iterations: int
    stopped: str
    method: str
    seconds: float
    curve: tuple[tuple[int, float], ...]

    def __str__(self) -> str:
        chosen = ", ".join(f"{label} {p:.1%}" for label, p in self.selection.items())
        return (
            f"whole game, {self.objective}, {self.rules}: exploitability "
            f"{self.exploitability:.1e} {self.unit} after {self.iterations} iterations of "
            f"{self.method}, {self.seconds:.0f} s; stopped by {self.stopped}\nextras: {chosen}"
        )
