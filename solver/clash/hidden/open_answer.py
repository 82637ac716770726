"""The open-hand answer, played in the game with hidden hands, and what it costs.

A player who has learned the strategies for open hands, but not those for hidden ones, may do this:
in every information set, hold a belief about the opponent's hand, look up the optimal strategy
against each hand as if both were open, and mix these strategies in proportion to the belief. Here
that habit is built as a strategy in arrays, so that best responses measure it as they do others.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import ROUNDS, Element, State, Time, full_hands, hands_of_size
from solver.backward_induction import games_by_shape
from solver.clash.hidden.arguments import Deal
from solver.clash.hidden.best_response import (
    Behaviour,
    best_response,
    own_reach,
    own_reaches,
    profile_value,
)
from solver.clash.hidden.classes import class_layout, kinds, sequence_classes
from solver.clash.hidden.layout import BLOCK, HiddenLayout, Level, public_accounts
from solver.clash.hidden.solution import REACHED, HiddenSolution
from solver.clash.hidden.whole_solution import WholeSolution
from solver.clash.open_hands import without_rounding
from solver.clash.outlook import Outlook
from solver.clash.stages import Memory, Positions, Stage, join_stages, legal_cards, positions_of
from solver.clash.values import ArrayValues, solve_arrays_from
from solver.errors import SolverError
from solver.matrix import solve_batch

__all__ = [
    "AnswerCost",
    "Ties",
    "answer_costs",
    "open_answer",
    "plan_places",
    "whole_answer_costs",
]

FloatArray: TypeAlias = NDArray[np.float64]

Ties: TypeAlias = Literal["first", "even"]
"""Which of several optimal strategies is taken: the one that `solver.matrix` shows, which prefers
the first cards in the order WFAE, or the mean of that and of the one that prefers the last cards.
(Against one hand, cards may be as good as each other: all are when it is settled who wins.)"""

FIRST_ROUNDS = tuple(range(1, ROUNDS))
"""The rounds from which on the habit can be followed; the sixth round is forced."""


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """What the open-hand answer costs when it is played from some round on.

    Before that round the player plays the solution. Both costs are in antes or points a game, and
    what is meant by none is the value of the game.

    Attributes
    ----------
    first_round : int
        The first round of the open-hand answer.
    at_most : float
        What it costs against an opponent who knows all of it and plays a best response.
    against_solution : float
        What it costs against an opponent who plays the solution.
    """

    first_round: int
    at_most: float
    against_solution: float


def open_answer(
    deal: Deal,
    layout: HiddenLayout,
    player: int,
    opponent: Behaviour | None,
    ties: Ties = "first",
) -> Behaviour:
    """Return the mix of open-hand strategies, weighted by the belief about the opponent's hand.

    Parameters
    ----------
    deal : Deal
        The deal.
    layout : HiddenLayout
        The same in arrays: ``deal.layout()``.
    player : int
        Whose strategy it is.
    opponent : Behaviour or None
        The strategy by which the player weighs the belief anew after each card of the opponent
        (Bayes' rule). Where it never leads, and everywhere if there is none, the belief is the
        prior over the hands that can have played these cards (uniform if that is nought as well).
    ties : {"first", "even"}
        Which open-hand strategy is mixed in where several are optimal: see `Ties`.

    Raises
    ------
    SolverError
        If there is no such way with ties.
    """
    if ties not in ("first", "even"):
        raise SolverError(f"ties is {ties!r}: expected 'first' or 'even'")
    own, other = layout.players[player], layout.players[1 - player]
    prior = deal.priors[1 - player]
    if opponent is None:
        reaches = [prior[level.state_type][:, None] for level in other.levels]
    else:
        reaches = own_reaches(layout, 1 - player, opponent.rounds, prior)
    beliefs = [
        _belief(level, reach, prior, len(facing.prefixes))
        for level, reach, facing in zip(other.levels, reaches, own.levels, strict=True)
    ]
    open_hands = _OpenStrategies(deal, layout, player, ties)
    rounds = [open_hands.mixed(level, belief, None) for level, belief in enumerate(beliefs[:-1])]
    plans = np.full((layout.choices[player], BLOCK), 0.5)
    if layout.choices[player]:
        row, column, state, prefix = plan_places(layout, player)
        first = own.plans[:, 0] // len(Element)
        for number, time in enumerate(layout.times):
            mixed = open_hands.mixed(len(own.levels) - 1, beliefs[-1], time)
            plans[row + number, column] = mixed[state, prefix, first[state]]
    return Behaviour(tuple(rounds), plans)


def answer_costs(
    solution: HiddenSolution, player: int = 0, bayes: bool = True, ties: Ties = "first"
) -> tuple[AnswerCost, ...]:
    """Return what the open-hand answer costs a player in one deal, by the round it starts in.

    Parameters
    ----------
    solution : HiddenSolution
        The solved deal: its strategy of the other player gives the belief. Costs are as exact as
        it is, that is to twice its exploitability.
    player : int
        Who plays the open-hand answer.
    bayes : bool
        Whether the player weighs the belief anew by Bayes' rule; if not, hands that cannot have
        played the cards seen are left out, and nothing more.
    ties : {"first", "even"}
        Which open-hand strategy is mixed in where several are optimal: see `Ties`.

    Raises
    ------
    SolverError
        If no choice is left in the deal, or there is no such player.
    """
    if not isinstance(solution, HiddenSolution):
        raise SolverError(f"{type(solution).__name__} is no HiddenSolution: use solve_hidden")
    if player not in (0, 1):
        raise SolverError(f"there is no player {player!r}: expected 0 or 1")
    deal = Deal(
        solution.times,
        (solution.layout.players[0].types, solution.layout.players[1].types),
        solution.priors,
        solution.points,
        solution.streaks,
        solution.objective,
        solution.rules,
    )
    played = ROUNDS - len(deal.hands[0][0])
    if played == ROUNDS - 1:
        raise SolverError("one card is left: nothing is chosen")
    measured = _measured(
        deal, solution.layout, player, solution.behaviours[1 - player],
        solution.behaviours[player], bayes, ties,
    )  # fmt: skip
    value = solution.value if player == 0 else -solution.value
    return tuple(
        AnswerCost(
            played + 1 + number,
            float(deal.priors[1 - player] @ best) + value,
            value - float(deal.priors[player] @ earned),
        )
        for number, (best, earned) in enumerate(measured)
    )


def whole_answer_costs(
    solution: WholeSolution,
    bayes: bool = True,
    ties: Ties = "first",
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[AnswerCost, ...]:
    """Return what the open-hand answer costs in the whole game, by the round it starts in.

    Extras are chosen as the solution does. The best response chooses its own.

    Parameters
    ----------
    solution : WholeSolution
        The solved whole game. Costs are as exact as it is, that is to its exploitability.
    bayes, ties
        As for `answer_costs`.
    workers : int, optional
        How many threads; one by default.
    progress : callable, optional
        Called with how many classes of face-up sequences are done, and how many there are.
    """
    classes = sequence_classes(solution.rules.time_deck)
    ten = tuple(full_hands().values())
    streaks = (0, 0) if solution.rules.sunburst != "off" else ()
    # The solution is kept in one seat; the other one, which is as good, plays the habit.
    player = 1 - solution.seat

    def measured(number: int) -> FloatArray:
        times = (*classes[number].times, None, None)
        deal = Deal(
            times, (ten, ten), (solution.prior, solution.prior), (0, 0), streaks,
            solution.objective, solution.rules,
        )  # fmt: skip
        layout = class_layout(times, solution.objective, solution.rules)
        behaviour = solution.behaviours[number]
        return np.array(_measured(deal, layout, player, behaviour, behaviour, bayes, ties))

    total = np.zeros((len(FIRST_ROUNDS), 2, len(ten)))
    with ThreadPoolExecutor(workers or 1) as executor:
        for number, one in enumerate(executor.map(measured, range(len(classes)))):
            total += classes[number].chance * one
            if progress is not None:
                progress(number + 1, len(classes))
    return tuple(
        AnswerCost(
            first_round,
            max(float(best[list(members)].mean()) for members in kinds()),
            -float(solution.prior @ earned),
        )
        for first_round, (best, earned) in zip(FIRST_ROUNDS, total, strict=True)
    )


def _measured(  # noqa: PLR0917
    deal: Deal,
    layout: HiddenLayout,
    player: int,
    opponent: Behaviour,
    before: Behaviour,
    bayes: bool,
    ties: Ties,
) -> list[tuple[FloatArray, FloatArray]]:
    """Measure the open-hand answer from each round on.

    Parameters
    ----------
    deal, layout, player, opponent
        As for `open_answer`.
    before : Behaviour
        What the player plays in the rounds before; its plans are not asked for.
    bayes, ties
        As for `answer_costs`.

    Returns
    -------
    list of pairs of float arrays, shape (types,)
        What each hand of the opponent earns by a best response, and what each own hand earns
        against the given strategy of the opponent.
    """
    answer = open_answer(deal, layout, player, opponent if bayes else None, ties)
    theirs = own_reach(layout, 1 - player, opponent.rounds, deal.priors[1 - player])
    measured = []
    for first in range(len(answer.rounds) + 1):
        rounds = (*before.rounds[:first], *answer.rounds[first:])
        mine = own_reach(layout, player, rounds, deal.priors[player])
        best, _ = best_response(layout, 1 - player, mine, answer.plans)
        both = Behaviour(rounds, answer.plans), opponent
        reaches = mine, theirs
        if player == 1:
            both, reaches = (both[1], both[0]), (theirs, mine)
        _, earned = profile_value(layout, both, reaches, player)
        measured.append((best, earned))
    return measured


def _belief(level: Level, reach: FloatArray, prior: FloatArray, prefixes: int) -> FloatArray:
    """Return the chance of each state of the opponent given its prefix, by own prefix."""
    starts = np.searchsorted(level.state_prefix, np.arange(len(level.prefixes)))
    shape = (len(level.state_prefix), prefixes)
    weights = np.broadcast_to(reach, shape)
    for least, instead in ((REACHED, prior[level.state_type][:, None]), (0.0, np.ones((1, 1)))):
        lost = (np.add.reduceat(weights, starts) <= least)[level.state_prefix]
        weights = np.where(lost, instead, weights)
    result: FloatArray = weights / np.add.reduceat(weights, starts)[level.state_prefix]
    return result


def plan_places(
    layout: HiddenLayout, player: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each choice of plan its first row, column, own state and other prefix."""
    groups, own = layout.groups, layout.players[player]
    prefix, facing = groups.prefix[player], groups.prefix[1 - player]
    sizes = np.diff(groups.start)
    group = np.repeat(np.arange(len(sizes)), sizes)
    block, column = np.divmod(np.arange(len(group)) - groups.start[group], BLOCK)
    choices = own.choices[prefix].astype(np.int64)
    # An entry for each pair of prefixes and own state with a choice.
    pair = np.repeat(np.arange(len(group)), choices)
    index = np.arange(len(pair)) - np.repeat(choices.cumsum() - choices, choices)
    place = block[pair] * choices[pair] + index
    row = groups.offset[player][group[pair]] + place * len(layout.times)
    return row, column[pair], own.first_state[prefix[pair]] + index, facing[pair].astype(np.int64)


class _OpenStrategies:
    """One player's optimal strategies if both hands were open, in every position of a deal."""

    def __init__(self, deal: Deal, layout: HiddenLayout, player: int, ties: Ties) -> None:
        self._deal = deal
        self._ties: Ties = ties
        self._levels = layout.players[0].levels, layout.players[1].levels
        self._player = player
        self._types = [np.array([hand.counts for hand in hands]) for hands in deal.hands]
        self._values = _solved(deal)
        memory = None if deal.rules.bonus is None else deal.rules.bonus.start
        start = (deal.points[0] - deal.points[1], deal.streaks, memory)
        self._played = ROUNDS - len(deal.hands[0][0])
        self._accounts = public_accounts(
            layout.players, deal.times[self._played :], deal.rules, start
        )

    def mixed(self, level: int, belief: FloatArray, time: Time | None) -> FloatArray:
        """Return the mix in every information set, shape (own states, other prefixes, 4).

        Parameters
        ----------
        level : int
            How many cards were played.
        belief : float array, shape (other states, own prefixes)
            From `_belief`.
        time : Time, optional
            The time of the round, if it was face down at the start of the deal.
        """
        own, other = self._levels[self._player][level], self._levels[1 - self._player][level]
        number = next(
            number
            for number, stage in enumerate(self._values.stages)
            if stage.round == self._played + level + 1 and not stage.is_due
        )
        index = self._positions(self._values.stages[number], level, time)
        if self._player == 1:
            index = index.T
        strategies = _stage_strategies(self._values, number, self._player, self._ties)
        weighted = belief.T[own.state_prefix][:, :, None] * strategies[index]
        starts = np.searchsorted(other.state_prefix, np.arange(len(other.prefixes)))
        return np.add.reduceat(weighted, starts, axis=1)

    def _positions(self, stage: Stage, level: int, time: Time | None) -> NDArray[np.int64]:
        """Return where each pair of states of the two players stands in a stage."""
        state0, state1 = (levels[level] for levels in self._levels)
        hands = [self._hands(player, level, stage.size) for player in (0, 1)]
        accounts, numbers = self._accounts[level]
        memories = {memory: number for number, memory in enumerate(stage.memories)}
        # Under margin, what is still to come does not depend on the points so far.
        win = self._deal.objective == "win"
        difference = np.array([account[0] if win else 0 for account in accounts])
        memory = np.array([memories[account[1], account[2]] for account in accounts])
        now = [outlook.known[0] for outlook in stage.outlooks]
        account = numbers[state0.state_prefix][:, state1.state_prefix].reshape(-1)
        shape = len(hands[0]), len(hands[1])
        index, _ = stage.find_all(
            Positions(
                (np.repeat(hands[0], shape[1]), np.tile(hands[1], shape[0])),
                np.full(len(account), 0 if time is None else now.index(time)),
                memory[account],
                difference[account],
            )
        )
        if index.min() < 0:
            raise AssertionError("every pair of states is a position of the open game")
        return index.reshape(shape)

    def _hands(self, player: int, level: int, size: int) -> NDArray[np.int64]:
        """Return the index of what each state still holds among `games.clash.hands_of_size`."""
        states = self._levels[player][level]
        cards = [[prefix.count(card) for card in Element] for prefix in states.prefixes]
        left = self._types[player][states.state_type] - np.array(cards)[states.state_prefix]
        numbers = {hand.counts: number for number, hand in enumerate(hands_of_size(size))}
        return np.array([numbers[tuple(counts)] for counts in left.tolist()])


def _solved(deal: Deal) -> ArrayValues:
    """Solve the deal with open hands, for every pair of hands at the start."""
    pairs = [(first, second) for first in deal.hands[0] for second in deal.hands[1]]
    states = [
        State(pair, deal.times, deal.points, deal.streaks, rules=deal.rules) for pair in pairs
    ]
    outlooks = [Outlook.of(states[0])]
    memories: list[Memory] = [(states[0].streaks, states[0].memory)]
    nothing = [0] * len(states)
    start = positions_of(states, deal.objective, nothing, nothing)
    size = len(pairs[0][0])
    return solve_arrays_from(
        deal.rules, deal.objective, size, outlooks, memories, start, symmetric=False
    )


def _stage_strategies(values: ArrayValues, number: int, player: int, ties: Ties) -> FloatArray:
    """Return a player's optimal strategy in each position of a stage, shape (positions, 4)."""
    stage, following = values.stages[number : number + 2]
    layer = join_stages(stage, following, values.rules, values.objective)
    held = legal_cards(stage.size)[stage.decode().hands[player]]
    strategies = np.zeros(held.shape)
    # The rule of the solver prefers the first cards, and so the last ones in reversed matrices.
    orders = [slice(None)] if ties == "first" else [slice(None), slice(None, None, -1)]
    for nodes, games in games_by_shape(layer, values.values[number + 1]):
        payoffs = without_rounding(games)
        solved = [
            solve_batch(np.ascontiguousarray(payoffs[:, order, order]))[1 + player][:, order]
            for order in orders
        ]
        chances = np.zeros((len(nodes), len(Element)))
        chances[held[nodes]] = np.mean(solved, axis=0).reshape(-1)
        strategies[nodes] = chances
    return strategies
