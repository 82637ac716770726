"""Regret minimisation on one deal with hidden hands.

The arrays of one deal and the updates of both players. The rule comes from `solver.regret_rules`;
the compiled loops from `solver.clash.hidden.kernels`. Whether the chances of the types stay as they
are (one deal) or come from a selection that is learned as well (the whole game) is the caller's
business: an update takes them and returns what each type is worth.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.clash.hidden.best_response import Behaviour
from solver.clash.hidden.kernels import level_down, level_update, plan_update, plan_weights
from solver.clash.hidden.layout import BLOCK, HiddenLayout
from solver.regret_rules import RegretStep

__all__ = ["DealRegrets", "bytes_needed", "update_choice"]

FloatArray: TypeAlias = NDArray[np.float64]
_PARTS = 4
"""Numbers of a plan choice: chance of the first plan, its weighted sum, and the two regrets."""
_ROUND_PARTS = 3
"""Numbers of a card: its chance, its regret, its weighted sum."""


class DealRegrets:
    """Regrets, current strategies and weighted sums of both players in one deal.

    Parameters
    ----------
    layout : HiddenLayout
        The deal.
    single : bool
        Whether the choices of plan, by far most of the numbers, are kept in float32.

    Attributes
    ----------
    plans : list of two arrays, shape (rows, 4 * BLOCK)
        For each player and choice of plan: chance of the first plan, its sum weighted by own reach,
        and both regrets, each for a block of pairs.
    rounds : list of two lists of float arrays, shape (3, states, other prefixes, 4)
        For each player and earlier round: chance of each card, regret, and sum weighted by own
        reach.
    reached : list of two float arrays, shape (last states, other prefixes)
        Sum of the own reach of each last state, with the same weights.
    """

    def __init__(self, layout: HiddenLayout, single: bool = True) -> None:
        self.layout = layout
        self._kind: Any = np.float32 if single else np.float64
        self._payoff = [np.ascontiguousarray(side, dtype=self._kind) for side in layout.payoff]
        self.plans: list[NDArray[Any]] = []
        self.rounds: list[list[FloatArray]] = [[], []]
        self.reached: list[FloatArray] = []
        for player in (0, 1):
            own, other = layout.players[player], layout.players[1 - player]
            plans = np.zeros((layout.choices[player], _PARTS * BLOCK), dtype=self._kind)
            plans[:, :BLOCK] = 0.5
            self.plans.append(plans)
            for level, facing in zip(own.levels[:-1], other.levels[:-1], strict=True):
                legal = level.child >= 0
                numbers = np.zeros((_ROUND_PARTS, len(legal), len(facing.prefixes), len(legal[0])))
                numbers[0] = (legal / legal.sum(axis=1, keepdims=True))[:, None, :]
                self.rounds[player].append(numbers)
            self.reached.append(np.zeros((len(own.plans), len(other.levels[-1].prefixes))))

    def update(
        self, player: int, own_prior: FloatArray, other_prior: FloatArray, step: RegretStep
    ) -> FloatArray:
        """Update one player's regrets against the other's current strategy.

        Parameters
        ----------
        player : int
            Who learns.
        own_prior, other_prior : float arrays, shape (types,)
            The chance of each type of the player and of the other.
        step : RegretStep
            The numbers of this iteration.

        Returns
        -------
        float array, shape (types,)
            What each own type was worth in this iteration, own prior not included.
        """
        layout, groups = self.layout, self.layout.groups
        own, other = layout.players[player], layout.players[1 - player]
        reach = self._reaches(player, own_prior)
        other_reach = self._reaches(1 - player, other_prior)[-1]
        floor = 0.0 if step.floor else -np.inf
        numbers = (
            step.discount_positive,
            step.discount_negative,
            floor,
            step.prediction,
            step.predicted_discount,
            step.average_keep,
        )
        worth = np.empty(reach[-1].shape, dtype=self._kind)
        plan_update(
            groups.start, groups.blocks, groups.prefix[player], groups.prefix[1 - player],
            groups.account, groups.offset[player], groups.offset[1 - player],
            own.first_state, own.choices, own.states, own.plans,
            other.first_state, other.choices, other.states, other.plans,
            self._payoff[player],
            reach[-1].astype(self._kind), other_reach.T.astype(self._kind, order="C"),
            self.plans[player], self.plans[1 - player], worth,
            tuple(self._kind(number) for number in numbers),
        )  # fmt: skip
        self.reached[player] *= step.average_keep
        self.reached[player] += reach[-1]
        value = worth.astype(np.float64)
        for level in range(len(own.levels) - 2, -1, -1):
            strategy, regret, total = self.rounds[player][level]
            earlier = np.empty(reach[level].shape)
            level_update(
                own.levels[level].child, other.levels[level + 1].prefix_parent, value,
                reach[level], strategy, regret, total, earlier, numbers,
            )  # fmt: skip
            value = earlier
        values = np.zeros(len(own.types))
        values[own.levels[0].state_type] = value[:, 0]
        return values

    def _reaches(self, player: int, prior: FloatArray) -> list[FloatArray]:
        """Return the own reach of the states of every level, under the current strategy."""
        own, other = self.layout.players[player], self.layout.players[1 - player]
        reach = np.ascontiguousarray(prior[own.levels[0].state_type][:, None])
        reaches = [reach]
        for level, numbers in enumerate(self.rounds[player]):
            following, facing = own.levels[level + 1], other.levels[level + 1]
            longer = np.empty((len(following.state_prefix), len(facing.prefixes)))
            card = following.prefix_card[following.state_prefix]
            level_down(
                reach, numbers[0], following.state_parent, card, facing.prefix_parent, longer
            )
            reaches.append(longer)
            reach = longer
        return reaches

    def average(self, player: int) -> Behaviour:
        """Return the average strategy of a player; uniform where its play never led."""
        own = self.layout.players[player]
        rounds = []
        for level, (_, _, total) in zip(own.levels[:-1], self.rounds[player], strict=True):
            legal = (level.child >= 0)[:, None, :]
            rounds.append(_shares(total, legal))
        groups = self.layout.groups
        totals = self.plans[player][:, BLOCK : 2 * BLOCK].astype(np.float64)
        weights = np.zeros_like(totals)
        plan_weights(
            groups.start, groups.prefix[player], groups.prefix[1 - player], groups.offset[player],
            own.first_state, own.choices, self.reached[player], len(self.layout.times), weights,
        )  # fmt: skip
        reached = weights > 0
        plans = np.full_like(totals, 0.5)
        np.divide(totals, weights, out=plans, where=reached)
        return Behaviour(tuple(rounds), plans.clip(0.0, 1.0))


def _shares(total: FloatArray, legal: NDArray[np.bool_]) -> FloatArray:
    """Return sums as chances, uniform over what is legal where they are nought."""
    uniform = np.broadcast_to(legal / legal.sum(axis=2, keepdims=True), total.shape).copy()
    together = total.sum(axis=2, keepdims=True)
    np.divide(total, together, out=uniform, where=together > 0)
    return uniform


def bytes_needed(layout: HiddenLayout, single: bool = True) -> int:
    """Return how many bytes the regrets of a deal take."""
    size = (4 if single else 8) * _PARTS * BLOCK * sum(layout.choices)
    for own, other in (layout.players, layout.players[::-1]):
        for level, facing in zip(own.levels[:-1], other.levels[:-1], strict=True):
            size += 8 * _ROUND_PARTS * level.child.size * len(facing.prefixes)
        size += 8 * len(own.plans) * len(other.levels[-1].prefixes)
    return size


def update_choice(numbers: FloatArray, earned: FloatArray, step: RegretStep) -> None:
    """Update a choice that comes before all deals, in place.

    Parameters
    ----------
    numbers : float array, shape (3, options)
        The chance of each option, its regret, and the weighted sum of its chances.
    earned : float array, shape (options,)
        What each option was worth in this iteration.
    step : RegretStep
        The numbers of this iteration.
    """
    strategy, regret, total = numbers
    gain = earned - strategy @ earned
    total *= step.average_keep
    total += strategy
    faded = np.where(regret > 0, step.discount_positive, step.discount_negative)
    regret[:] = regret * faded + gain
    if step.floor:
        np.maximum(regret, 0.0, out=regret)
    hoped = np.maximum(regret * step.predicted_discount + step.prediction * gain, 0.0)
    uniform = np.full(len(hoped), 1 / len(hoped))
    strategy[:] = hoped / hoped.sum() if hoped.sum() > 0 else uniform
