"""Decisions of a played game judged as it is played: each player knows the own hand only.

A solved deal (`HiddenSolution`) holds two strategies. In an information set, given the own hand and
the cards so far, a card earns what it brings on average over the hands that the opponent may hold
by now: against the opponent's strategy, the own strategy followed afterwards. The value of the set
is the average over the own mixture. What the opponent happened to hold is left to luck: v itself is
the value of the true hands when both play on by their strategies.

*Where a player has left the own strategy* it has nothing to say: nothing was learnt there. For the
positions after a card that is never played, the best response to the opponent's strategy stands in,
so that a card is judged by the best that can still be made of it. Where the *opponent's* strategy
never leads, there is no belief about the opponent's hand, and a decision is not judged.
"""

from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Element, Hand, Objective, State, Time
from solver.clash.explanations.claims import Mix
from solver.clash.explanations.hidden_claims import position_value
from solver.clash.hidden.best_response import (
    Behaviour,
    best_response,
    counterfactual_values,
    own_reaches,
)
from solver.clash.hidden.layout import LAST, HiddenLayout
from solver.clash.hidden.lookup import History, Lookup
from solver.clash.hidden.open_answer import plan_places
from solver.clash.hidden.solution import REACHED, HiddenSolution
from solver.clash.review_claims import DealtExtras, Moment

__all__ = ["HiddenJudge"]

FloatArray: TypeAlias = NDArray[np.float64]
Times: TypeAlias = tuple[Time | None, ...]

_SELDOM = 0.01


class HiddenJudge:
    """Knows what every position of a game is worth, and what each card earns in it.

    Parameters
    ----------
    solution : HiddenSolution
        The deal of the game, solved from round 1.
    hands : pair of Hand
        The hands that the players held, both possible in the deal.
    """

    def __init__(self, solution: HiddenSolution, hands: tuple[Hand, Hand]) -> None:
        layout = solution.layout
        self._hands = hands
        self._reaches = tuple(
            own_reaches(layout, player, solution.behaviours[player].rounds, solution.priors[player])
            for player in (0, 1)
        )
        completed = tuple(_completed(solution, player, self._reaches[player]) for player in (0, 1))
        self._solution = replace(solution, behaviours=(completed[0], completed[1]))
        self._values = tuple(
            counterfactual_values(
                layout, self._solution.behaviours, self._reaches[1 - player][-1], player
            )
            for player in (0, 1)
        )
        self._lookup = Lookup(layout, solution.times, solution.rules)
        self.objective: Objective = solution.objective
        self.exploitability = solution.exploitability
        self.start = solution.value
        self.extras: tuple[DealtExtras, DealtExtras] | None = (self._extras(0), self._extras(1))

    def _extras(self, player: int) -> DealtExtras:
        worth = {hand.extras: value for hand, value in self._solution.values(player).items()}
        return DealtExtras(player, self._hands[player].extras, worth)

    def value(self, state: State, history: History) -> float:
        """Return what a position with these hands is worth to player 0."""
        if state.is_over:
            return float(state.utility(0, self.objective))
        return self._with_hand(0, self._hands[1], history, state.times)

    def _with_hand(self, player: int, other: Hand, history: History, times: Times) -> float:
        """Return what a position is worth to a player if the opponent held a certain hand."""
        held = {hand: float(hand == other) for hand in self._solution.hands(1 - player)}
        return position_value(self._solution, player, self._hands[player], history, times, held)

    def moments(
        self, state: State, history: History, cards: tuple[Element, Element]
    ) -> list[Moment]:
        """Judge the cards of a round, those of a player with one kind of card left out."""
        return [
            self._moment(state, player, history, cards[player])
            for player in (0, 1)
            if len(state.legal(player)) > 1
        ]

    def _moment(self, state: State, player: int, history: History, chosen: Element) -> Moment:
        assert state.time is not None
        own, theirs = self._arrivals(player, history, state.times)
        moment = Moment(
            round=state.round,
            player=player,
            time=state.time,
            points=(state.points[0], state.points[1]),
            held=state.hands[player],
            chosen=chosen,
            mix={},
            earns={},
            best=(),
            value=None,
            loss=0.0,
            loss_range=None,
            error=self.exploitability,
            reach=own[-1] / own[0] * theirs[-1] if own[-1] > REACHED else 0.0,
            seldom=_is_seldom(own) or _is_seldom(theirs),
        )
        if theirs[-1] <= REACHED:
            reason = "the opponent's strategy never leads here"
            return replace(moment, reach=0.0, unjudged=reason)
        mix = self._solution.strategy(player, self._hands[player], history, state.times)
        earns = self._earns(player, history, state, theirs[-1])
        value = sum(chance * earns[card] for card, chance in mix.items())
        error = max(self.exploitability, _spread(mix, earns, value))
        enough = max(earns.values()) - error
        return replace(
            moment,
            mix=mix,
            earns=earns,
            best=tuple(card for card, amount in earns.items() if amount >= enough),
            value=value,
            loss=value - earns[chosen],
            error=error,
        )

    def _arrivals(
        self, player: int, history: History, times: Times
    ) -> tuple[list[float], list[float]]:
        """Return how likely own play, and the opponent's, led to each position so far.

        The own chances hold the chance of the hand; the others are sums over all hands.
        """
        own, theirs = [], []
        for played in range(len(history) + 1):
            state, mine, other = self._place(player, history[:played], times)
            own.append(float(self._reaches[player][played][state, other]))
            level = self._solution.layout.players[1 - player].levels[played]
            facing = level.state_prefix == other
            theirs.append(float(self._reaches[1 - player][played][facing, mine].sum()))
        return own, theirs

    def _place(self, player: int, history: History, times: Times) -> tuple[int, int, int]:
        """Return the own state, its prefix and the opponent's prefix."""
        place = self._lookup.place(player, self._hands[player], history, times)
        level = self._solution.layout.players[player].levels[place.level]
        return place.state, int(level.state_prefix[place.state]), place.other_prefix

    def _earns(
        self, player: int, history: History, state: State, arrived: float
    ) -> dict[Element, float]:
        """Return what each card earns, given the own hand and what the opponent may hold."""
        cards = state.legal(player)
        if len(state.hands[player]) == LAST:
            return {card: self._last(player, history, state.times, card) for card in cards}
        layout, played = self._solution.layout, len(history)
        place, _, other = self._place(player, history, state.times)
        child = layout.players[player].levels[played].child[place]
        following = layout.players[1 - player].levels[played + 1].prefix_parent == other
        values = self._values[player][played + 1]
        return {card: float(values[child[card], following].sum()) / arrived for card in cards}

    def _last(self, player: int, history: History, times: Times, card: Element) -> float:
        """Return what a card earns in the fifth round, whose time is known."""
        other, earned = 1 - player, 0.0
        for hand, belief in self._solution.belief(player, history, times).items():
            if not belief:
                continue
            for theirs, chance in self._solution.strategy(other, hand, history, times).items():
                if chance:
                    pair = (theirs, card) if player else (card, theirs)
                    worth = self._with_hand(player, hand, (*history, pair), times)
                    earned += belief * chance * worth
        return earned


def _spread(mix: Mix, earns: Mix, value: float) -> float:
    """Return how far the cards in a mixture differ from it, or the best card: 0 if it is exact."""
    played = (abs(earns[card] - value) for card, chance in mix.items() if chance >= _SELDOM)
    return max(*played, max(earns.values()) - value)


def _is_seldom(arrivals: list[float]) -> bool:
    return any(after < _SELDOM * before for before, after in pairwise(arrivals))


def _completed(solution: HiddenSolution, player: int, reaches: list[FloatArray]) -> Behaviour:
    """Return a strategy with the best response where it has been left, and the other has not."""
    layout, given = solution.layout, solution.behaviours[player]
    theirs = own_reaches(
        layout, 1 - player, solution.behaviours[1 - player].rounds, solution.priors[1 - player]
    )
    _, reply = best_response(layout, player, theirs[-1], solution.behaviours[1 - player].plans)
    left = [
        (own <= REACHED) & (_facing(layout, player, level, other) > REACHED)
        for level, (own, other) in enumerate(zip(reaches, theirs, strict=True))
    ]
    rounds = tuple(
        np.where(place[:, :, None], instead, kept)
        for place, instead, kept in zip(left, reply.rounds, given.rounds, strict=False)
    )
    plans = given.plans.copy()
    row, column, state, other = plan_places(layout, player)
    for time in range(len(layout.times)):
        here = row + time, column
        plans[here] = np.where(left[-1][state, other], reply.plans[here], given.plans[here])
    return Behaviour(rounds, plans)


def _facing(layout: HiddenLayout, player: int, level: int, reach: FloatArray) -> FloatArray:
    """Return how likely the opponent, any hand held, arrives where each own state stands.

    Shape (own states, other prefixes), from the opponent's reach, shape (states, own prefixes).
    """
    theirs = layout.players[1 - player].levels[level]
    starts = np.searchsorted(theirs.state_prefix, np.arange(len(theirs.prefixes)))
    arrived = np.add.reduceat(np.broadcast_to(reach, _shape(layout, player, level)), starts)
    result: FloatArray = arrived[:, layout.players[player].levels[level].state_prefix].T
    return result


def _shape(layout: HiddenLayout, player: int, level: int) -> tuple[int, int]:
    """Return the opponent's states by the own prefixes."""
    own, theirs = (layout.players[seat].levels[level] for seat in (player, 1 - player))
    return len(theirs.state_prefix), len(own.prefixes)
