"""Solaris' Clash with hidden hands as a public tree.

The types of a player are the hands that the player may hold at the start; cards played, times
turned up and points are public. Both players choose at once in every round but the last, which is
forced: its payoff is the expectation over the time that may still lie face down. The tree is meant
for few hands or few cards: it serves to check faster solvers, and to solve reduced games exactly.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from games.clash import (
    OBJECTIVES,
    ROUNDS,
    Element,
    Hand,
    Objective,
    Rules,
    State,
    Time,
    next_times,
    parse_times,
    score_round,
)
from games.clash.elements import TimesLike
from games.clash.hand import HandLike
from games.clash.rules import Streak
from solver.errors import SolverError
from solver.public_game import Move, NodeKind
from solver.public_tree import PublicTree
from solver.tree_compiler import MEMORY_LIMIT, compile_public_tree

__all__ = ["HiddenHands", "PublicPosition", "hidden_tree"]

_TOLERANCE = 1e-9

Counts: TypeAlias = tuple[int, int, int, int]
FloatArray: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PublicPosition:
    """What both players see at the start of a round, or when a time is due.

    Attributes
    ----------
    played : pair of tuples
        How many cards of each element each player has played.
    times : tuple
        The six times, None where face down.
    points, streaks, memory
        As in `games.clash.State`.
    """

    played: tuple[Counts, Counts]
    times: tuple[Time | None, ...]
    points: tuple[int, ...]
    streaks: tuple[Streak, ...]
    memory: Hashable


class HiddenHands:
    """The game as `solver.public_game.PublicGame` wants it told; `hidden_tree` compiles it.

    Parameters
    ----------
    times : row of times
        The six times, ``--`` for face down.
    hands : pair of iterables of hands
        For each player the hands that the player may hold, all of one size: with k cards play
        starts in round 7 - k.
    priors : pair of arrays, optional
        For each player the chance of each hand, uniform by default; the players are independent.
    points, streaks : pair
        Points so far, and streaks when Sunburst is on.
    rules : Rules, optional
        The options of the rules.
    objective : {"win", "margin"}
        What is paid: antes or points.

    Raises
    ------
    SolverError
        If there are no hands, equal ones or some of another size, or the priors do not fit.
    GameError
        If no such position can be (`games.clash.State`).
    """

    def __init__(
        self,
        times: TimesLike,
        hands: Sequence[Iterable[HandLike]],
        priors: Sequence[ArrayLike] | None = None,
        *,
        points: Sequence[int] = (0, 0),
        streaks: Sequence[Streak] = (0, 0),
        rules: Rules | None = None,
        objective: Objective = "win",
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if objective not in OBJECTIVES:
            raise SolverError(
                f"objective is {objective!r}: expected one of {', '.join(OBJECTIVES)}"
            )
        if self.rules.players != 2 or isinstance(hands, str) or len(hands) != 2:
            raise SolverError("hidden hands are solved for two players")
        self.objective = objective
        self.hands = _hands(hands[0]), _hands(hands[1])
        self.size = len(self.hands[0][0])
        if any(len(hand) != self.size for held in self.hands for hand in held) or not self.size:
            raise SolverError("hands: expected one size of 1 to 6 cards for all of them")
        self._prior = np.multiply.outer(*_priors(priors, self.hands))
        if self.rules.sunburst == "off" and any(streak != 0 for streak in streaks):
            raise SolverError(f"streaks {tuple(streaks)!r} are given, but Sunburst is off")
        streaks = () if self.rules.sunburst == "off" else streaks
        row = parse_times(times)
        for mine in self.hands[0]:
            # the state checks all that is public, and each hand by itself
            start = State((mine, self.hands[1][0]), row, points, streaks, rules=self.rules)  # type: ignore[arg-type]
        self._root = PublicPosition(
            ((0, 0, 0, 0), (0, 0, 0, 0)), row, start.points, start.streaks, start.memory
        )
        self._counts = tuple(np.array([hand.counts for hand in held]) for held in self.hands)
        self._finals: dict[PublicPosition, FloatArray] = {}
        self._left_over: dict[tuple[int, Counts], NDArray[np.int64]] = {}
        self._score = lru_cache(maxsize=None)(partial(score_round, self.rules))

    def types(self, player: int) -> Sequence[Hand]:
        """Return the hands that a player may hold at the start."""
        return self.hands[player]

    def prior(self) -> FloatArray:
        """Return the chance of each pair of hands."""
        return np.asarray(self._prior)

    def root(self) -> PublicPosition:
        """Return the position at which play starts."""
        return self._root

    def kind(self, node: PublicPosition) -> NodeKind:
        """Return what happens: a round, the turning-up of a time, or the forced last round."""
        left = self._left(node)
        if left == 1:
            return NodeKind.END
        return NodeKind.CHANCE if node.times[ROUNDS - left] is None else NodeKind.BOTH

    def actions(self, node: PublicPosition, player: int) -> Sequence[Element]:
        """Return the elements that some hand of a player still holds."""
        held = self._remaining(node, player)
        return tuple(element for element in Element if held[:, element].any())

    def available(self, node: PublicPosition, player: int) -> NDArray[np.bool_]:
        """Return which hand still holds which of these elements."""
        return np.asarray(self._remaining(node, player)[:, list(self.actions(node, player))] > 0)

    def chances(self, node: PublicPosition) -> Mapping[Hashable, float]:
        """Return the chance of each time that may be turned up."""
        known = [time for time in node.times if time is not None]
        possible = next_times(known, self.rules.time_deck)
        return {time: float(chance) for time, chance in possible.items()}

    def play(self, node: PublicPosition, move: Move) -> PublicPosition:
        """Return the position after a pair of cards, or after a time was turned up."""
        if isinstance(move, tuple):
            return self._after(node, move)
        known = [time for time in node.times if time is not None]
        times = [*known, Time.parse(move)]  # type: ignore[arg-type]
        return replace(node, times=parse_times(times))

    def payoff(self, node: PublicPosition) -> FloatArray:
        """Return what the forced last round makes of each pair of hands, to player 0."""
        # cards played matter only through what is left, so positions share their last rounds
        public = replace(node, played=self._root.played)
        if public not in self._finals:
            self._finals[public] = self._last_round(node)
        last = [self._remaining(node, player).argmax(axis=1) for player in (0, 1)]
        return np.asarray(self._finals[public][last[0][:, None], last[1]])

    def _left(self, node: PublicPosition) -> int:
        return self.size - sum(node.played[0])

    def _remaining(self, node: PublicPosition, player: int) -> NDArray[np.int64]:
        """Return the cards left of each hand; a hand that cannot be any more has none."""
        key = player, node.played[player]
        if key not in self._left_over:
            left = self._counts[player] - np.array(node.played[player])
            left[(left < 0).any(axis=1)] = 0
            self._left_over[key] = left
        return self._left_over[key]

    def _after(self, node: PublicPosition, cards: tuple[Element, ...]) -> PublicPosition:
        time = node.times[ROUNDS - self._left(node)]
        assert time is not None
        score = self._score(cards, time, node.streaks, node.memory)
        played = [list(counts) for counts in node.played]
        for player, card in enumerate(cards):
            played[player][card] += 1
        return PublicPosition(
            (_counted(played[0]), _counted(played[1])),
            node.times,
            tuple(map(sum, zip(node.points, score.total, strict=True))),
            score.streaks,
            score.memory,
        )

    def _last_round(self, node: PublicPosition) -> FloatArray:
        """Return the payoff of each pair of last cards, shape (4, 4)."""
        ends = {node: 1.0}
        if node.times[-1] is None:
            ends = {self.play(node, time): chance for time, chance in self.chances(node).items()}
        table = np.zeros((len(Element), len(Element)))
        for end, chance in ends.items():
            for mine in Element:
                for other in Element:
                    points = self._after(end, (mine, other)).points
                    margin = points[0] - points[1]
                    paid = margin if self.objective == "margin" else np.sign(margin)
                    table[mine, other] += chance * paid
        return table


def hidden_tree(
    times: TimesLike,
    hands: Sequence[Iterable[HandLike]],
    priors: Sequence[ArrayLike] | None = None,
    *,
    points: Sequence[int] = (0, 0),
    streaks: Sequence[Streak] = (0, 0),
    rules: Rules | None = None,
    objective: Objective = "win",
    max_bytes: int = MEMORY_LIMIT,
) -> PublicTree:
    """Compile a game with hidden hands to a public tree.

    Parameters
    ----------
    times, hands, priors, points, streaks, rules, objective
        As for `HiddenHands`.
    max_bytes : int
        Most memory that the tree and a regret loop over it may take together.

    Raises
    ------
    SolverError
        If there are no hands, equal ones or some of another size, if the priors do not fit, or if
        the tree is larger than allowed.
    GameError
        If no such position can be (`games.clash.State`).

    Examples
    --------
    >>> tree = hidden_tree("MiDaNoDaNoDu", [["WWF", "WFA"], ["WAE", "FAE"]])
    >>> print(tree)
    public tree of 83 nodes, 70 of them ends, 18 and 20 information sets with a choice
    >>> from solver.sequence_form import solve_sequence_form
    >>> round(solve_sequence_form(tree).value, 4)
    -0.0647
    """
    game = HiddenHands(
        times,
        hands,
        priors,
        points=points,
        streaks=streaks,
        rules=rules,
        objective=objective,
    )
    return compile_public_tree(game, max_bytes)


def _hands(hands: Iterable[HandLike]) -> tuple[Hand, ...]:
    if isinstance(hands, str):
        raise SolverError(
            f"hands: {hands!r} stands where the possible hands of a player should, as in "
            "[['WF', 'WA'], ['FE']]"
        )
    held = tuple(map(Hand.parse, hands))
    if not held or len(set(held)) < len(held):
        raise SolverError(f"hands {[str(hand) for hand in held]}: expected one or more, different")
    return held


def _priors(
    priors: Sequence[ArrayLike] | None, hands: tuple[tuple[Hand, ...], tuple[Hand, ...]]
) -> list[FloatArray]:
    if priors is None:
        return [np.full(len(held), 1 / len(held)) for held in hands]
    if len(priors) != 2:
        raise SolverError(f"{len(priors)} priors: expected one for each of two players")
    arrays = [np.asarray(prior, dtype=np.float64) for prior in priors]
    for prior, held in zip(arrays, hands, strict=True):
        if prior.shape != (len(held),):
            raise SolverError(f"a prior of shape {prior.shape} for {len(held)} hands")
        if not np.isfinite(prior).all() or prior.min() < 0 or abs(prior.sum() - 1) > _TOLERANCE:
            raise SolverError("a prior is no probability: expected numbers from 0 up, of sum 1")
    return arrays


def _counted(counts: list[int]) -> Counts:
    return counts[0], counts[1], counts[2], counts[3]
