"""Where an information set of a deal stands in the arrays, and whether a question can be asked.

An information set is named by the hand at the start of the solved game, the history (a pair of
cards for each round played) and the times known by now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from games.clash import ROUNDS, Element, Hand, Rules, Time, format_times, next_times, parse_times
from games.clash.elements import ElementLike, TimesLike
from games.clash.hand import HandLike
from games.errors import GameError
from solver.clash.hidden.layout import BLOCK, LAST, HiddenLayout
from solver.errors import StateError

__all__ = ["History", "Lookup", "Place", "read_history"]

History: TypeAlias = tuple[tuple[Element, Element], ...]


def read_history(history: Iterable[Sequence[ElementLike]]) -> History:
    """Read a history: for each round the card of player 0 and of player 1, letters allowed.

    Raises
    ------
    StateError
        If an entry is no pair of cards.

    Examples
    --------
    >>> read_history(["WF", ("E", "A")])[1]
    (<Element.EARTH: 3>, <Element.AIR: 2>)
    """
    rounds = []
    try:
        for cards in history:
            first, second = (Element.parse(card) for card in cards)
            rounds.append((first, second))
    except (TypeError, ValueError, GameError):
        raise StateError(
            f"history {history!r}: expected a pair of cards for each round, as (('W', 'F'), ...)"
        ) from None
    return tuple(rounds)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an information set of one player stands.

    Attributes
    ----------
    level : int
        Cards played so far.
    other_prefix : int
        Index of the opponent's prefix at that level (at the last one for later rounds).
    state : int
        Index of the own state at that level, -1 when no hand was asked about.
    row, column : int
        Where the chance of the first plan is kept; -1 before the last two cards or without choice.
    """

    level: int
    other_prefix: int
    state: int
    row: int
    column: int


class Lookup:
    """Answers where information sets of a deal stand.

    Parameters
    ----------
    layout : HiddenLayout
        The deal.
    times : tuple of six times
        As known at its start.
    rules : Rules
        Its rules.
    """

    def __init__(self, layout: HiddenLayout, times: tuple[Time | None, ...], rules: Rules) -> None:
        self.layout = layout
        self._times = times
        self._rules = rules
        self.size = len(layout.players[0].types[0])
        self._prefixes = [
            [{prefix: n for n, prefix in enumerate(level.prefixes)} for level in player.levels]
            for player in layout.players
        ]
        self._states = [
            [
                {
                    pair: n
                    for n, pair in enumerate(zip(level.state_prefix, level.state_type, strict=True))
                }
                for level in player.levels
            ]
            for player in layout.players
        ]
        groups = layout.groups
        shape = tuple(len(player.levels[-1].prefixes) for player in layout.players)
        self._pair = np.empty(shape, dtype=np.int64)
        self._pair[groups.prefix[0], groups.prefix[1]] = np.arange(groups.prefix.shape[1])

    def type_index(self, player: int, hand: HandLike) -> int:
        """Return the number of a hand among a player's types.

        Raises
        ------
        StateError
            If the hand is not one of the possible ones.
        """
        held = Hand.parse(hand)
        types = self.layout.players[player].types
        if held not in types:
            raise StateError(
                f"{held} is not a hand that player {player} may hold at the start: possible are "
                f"{', '.join(map(str, types))}"
            )
        return types.index(held)

    def check_times(
        self, times: TimesLike | None, played: int, deciding: bool = True
    ) -> tuple[Time | None, ...]:
        """Return the times as known after so many cards, padded and checked.

        Parameters
        ----------
        times : row of times, optional
            Those of the deal's start by default.
        played : int
            How many cards were played since the start.
        deciding : bool
            Whether a card is to be chosen, so that the round's own time must be face up.

        Raises
        ------
        StateError
            If they contradict those of the deal, cannot be, or leave the round's time face down.
        """
        row = self._times if times is None else parse_times(times)
        for before, now in zip(self._times, row, strict=True):
            if before is not None and before != now:
                raise StateError(
                    f"times {format_times(row)} contradict those of the deal, "
                    f"{format_times(self._times)}"
                )
        known: list[Time] = [time for time in row if time is not None]
        for number in range(4, len(known)):
            if known[number] not in next_times(known[:number], self._rules.time_deck):
                raise StateError(f"times {format_times(row)} cannot occur with this time deck")
        round_now = ROUNDS - self.size + 1 + played
        # The sixth round is forced, so that nothing is asked of its time.
        needed = min(round_now if deciding else round_now - 1, ROUNDS - 1)
        if len(known) < needed:
            raise StateError(
                f"the time of round {needed} is needed: pass the times as known by then, not "
                f"{format_times(row)}"
            )
        if len(known) > max(round_now, sum(time is not None for time in self._times)):
            raise StateError(f"{format_times(row)} are not all known yet in round {round_now}")
        return row

    def place(
        self,
        player: int,
        hand: HandLike | None,
        history: History,
        times: tuple[Time | None, ...],
    ) -> Place:
        """Return where an information set stands.

        Raises
        ------
        StateError
            If the history cannot be: more rounds than cards, or cards that nobody can have played.
        """
        if len(history) >= self.size:
            raise StateError(
                f"{len(history)} rounds were played with {self.size} cards: it is over"
            )
        level = min(len(history), max(self.size - LAST, 0))
        prefixes = [tuple(cards[seat] for cards in history[:level]) for seat in (0, 1)]
        for seat in (0, 1):
            self._check_cards(seat, tuple(cards[seat] for cards in history))
        other = self._prefixes[1 - player][level][prefixes[1 - player]]
        if hand is None:
            return Place(level, other, -1, -1, -1)
        own = self._prefixes[player][level][prefixes[player]]
        state = self._states[player][level][own, self.check_hand(player, hand, history)]
        row, column = -1, -1
        if level == self.size - LAST:
            row, column = self.plan_place(player, own, other, state, times)
        return Place(level, other, state, row, column)

    def check_hand(self, player: int, hand: HandLike, history: History) -> int:
        """Return the number of a hand among a player's types, if it can have played so.

        Raises
        ------
        StateError
            If the hand is not a possible one or cannot have played so.
        """
        number = self.type_index(player, hand)
        if not _holds(Hand.parse(hand), tuple(cards[player] for cards in history)):
            raise StateError(f"player {player} cannot have played so from hand {Hand.parse(hand)}")
        return number

    def plan_place(
        self, player: int, own: int, other: int, state: int, times: tuple[Time | None, ...]
    ) -> tuple[int, int]:
        """Return row and column of a choice of plan; (-1, -1) where there is no choice."""
        layout, groups = self.layout, self.layout.groups
        mine = layout.players[player]
        index = state - int(mine.first_state[own])
        if index >= mine.choices[own]:
            return -1, -1
        pair = int(self._pair[own, other] if player == 0 else self._pair[other, own])
        group = int(np.searchsorted(groups.start, pair, side="right")) - 1
        block, column = divmod(pair - int(groups.start[group]), BLOCK)
        fifth = times[4]
        assert fifth is not None
        time = layout.times.index(fifth)
        row = (block * int(mine.choices[own]) + index) * len(layout.times) + time
        return int(groups.offset[player, group]) + row, column

    def _check_cards(self, player: int, cards: tuple[Element, ...]) -> None:
        if not any(_holds(hand, cards) for hand in self.layout.players[player].types):
            letters = "".join(card.letter for card in cards)
            raise StateError(f"no hand that player {player} may hold can have played {letters}")


def _holds(hand: Hand, cards: tuple[Element, ...]) -> bool:
    return all(cards.count(element) <= hand.counts[element] for element in Element)
