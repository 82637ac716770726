"""Exact best responses on a laid-out deal: the measure of how exploitable a strategy is.

Nothing here is shared with the regret loop but the layout of the deal: it is written for one pair
of prefixes at a time, in float64.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solver.clash.hidden.layout import BLOCK, HiddenLayout

__all__ = [
    "Behaviour",
    "best_response",
    "counterfactual_values",
    "own_reach",
    "own_reaches",
    "profile_value",
]

FloatArray: TypeAlias = NDArray[np.float64]
Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Behaviour:
    """A strategy of one player in every information set of a deal.

    Attributes
    ----------
    rounds : tuple of float arrays, shape (states, other prefixes, 4)
        For each round before the last two cards, the chance of each card; 0 where not held.
    plans : float array, shape (rows, BLOCK)
        The chance of the first plan of each choice, in the order of `Groups`.
    """

    rounds: tuple[FloatArray, ...]
    plans: FloatArray


def own_reach(
    layout: HiddenLayout, player: int, rounds: tuple[FloatArray, ...], prior: FloatArray
) -> FloatArray:
    """Return the chance that own play leads to each last state, shape (states, other prefixes)."""
    return own_reaches(layout, player, rounds, prior)[-1]


def own_reaches(
    layout: HiddenLayout, player: int, rounds: tuple[FloatArray, ...], prior: FloatArray
) -> list[FloatArray]:
    """Return for each level the chance that own play leads to each of its states."""
    own, other = layout.players[player], layout.players[1 - player]
    reaches = [prior[own.levels[0].state_type][:, None]]
    for level, behaviour in enumerate(rounds):
        following = own.levels[level + 1]
        before = other.levels[level + 1].prefix_parent
        card = following.prefix_card[following.state_prefix]
        played = (reaches[-1][:, :, None] * behaviour)[following.state_parent, :, card]
        reaches.append(played[:, before])
    return reaches


def best_response(
    layout: HiddenLayout, player: int, other_reach: FloatArray, other_plans: FloatArray
) -> tuple[FloatArray, Behaviour]:
    """Return the best that a player can do against a strategy of the other.

    Parameters
    ----------
    layout : HiddenLayout
        The deal.
    player : int
        Whose best response it is.
    other_reach : float array, shape (last states of the other, last prefixes of the player)
        From `own_reach` of the other, prior included.
    other_plans : float array, shape (rows, BLOCK)
        The other's chance of the first plan of each choice.

    Returns
    -------
    values : float array, shape (types,)
        What each own hand earns by it, times nothing: own prior not included.
    response : Behaviour
        A pure best response; the first one where several cards are as good.
    """
    own, other = layout.players[player], layout.players[1 - player]
    groups = layout.groups
    value = np.empty((len(own.plans), len(other.levels[-1].prefixes)))
    plans = np.zeros((int(groups.offset[player, -1]), BLOCK))
    _best_plans(
        groups.start, groups.blocks, groups.prefix[player], groups.prefix[1 - player],
        groups.account, groups.offset[player], groups.offset[1 - player],
        own.first_state, own.choices, own.states, own.plans,
        other.first_state, other.choices, other.states, other.plans,
        layout.payoff[player], other_reach, other_plans, value, plans,
    )  # fmt: skip
    rounds: list[FloatArray] = []
    for level in range(len(own.levels) - 2, -1, -1):
        child, parents = own.levels[level].child, other.levels[level + 1].prefix_parent
        gathered = np.zeros((len(value), len(other.levels[level].prefixes)))
        np.add.at(gathered.T, parents, value.T)
        earned = np.where(child[:, :, None] >= 0, gathered[child], -np.inf)
        best = earned.argmax(axis=1)
        value = earned.max(axis=1)
        rounds.append(np.eye(4)[best])
    values = np.zeros(len(own.types))
    values[own.levels[0].state_type] = value[:, 0]
    return values, Behaviour(tuple(rounds[::-1]), plans)


@njit(cache=True, error_model="numpy", nogil=True)
def _best_plans(  # noqa: PLR0917
    start: Array,
    blocks: Array,
    own_prefix: Array,
    other_prefix: Array,
    account: Array,
    own_offset: Array,
    other_offset: Array,
    own_first: Array,
    own_choices: Array,
    own_states: Array,
    own_plans: Array,
    other_first: Array,
    other_choices: Array,
    other_states: Array,
    other_plans: Array,
    payoff: Array,
    other_reach: Array,
    other_strategy: Array,
    value: Array,
    response: Array,
) -> None:
    """Fill in what each last state is worth with the better plan, and which one that is."""
    times = payoff.shape[3]
    chance = np.zeros((16, times))
    plan = np.zeros(16, dtype=np.int64)
    for g in range(len(account)):
        for pair in range(start[g], start[g + 1]):
            block, k = divmod(pair - start[g], BLOCK)
            u, v = own_prefix[pair], other_prefix[pair]
            plans = 0
            for j in range(other_states[v]):
                state = other_first[v] + j
                arrive = other_reach[state, u]
                plan[plans] = other_plans[state, 0]
                if j < other_choices[v]:
                    row = other_offset[g] + (block * other_choices[v] + j) * times
                    plan[plans + 1] = other_plans[state, 1]
                    for t in range(times):
                        chance[plans, t] = arrive * other_strategy[row + t, k]
                        chance[plans + 1, t] = arrive - chance[plans, t]
                    plans += 2
                else:
                    for t in range(times):
                        chance[plans, t] = arrive
                    plans += 1
            for i in range(own_states[u]):
                state = own_first[u] + i
                worth = 0.0
                for t in range(times):
                    first, second = 0.0, 0.0
                    for z in range(plans):
                        first += payoff[account[g], own_plans[state, 0], plan[z], t] * chance[z, t]
                        second += payoff[account[g], own_plans[state, 1], plan[z], t] * chance[z, t]
                    worth += max(first, second)
                    if i < own_choices[u]:
                        row = own_offset[g] + (block * own_choices[u] + i) * times + t
                        response[row, k] = 1.0 if first >= second else 0.0
                value[state, v] = worth


def profile_value(
    layout: HiddenLayout,
    behaviours: tuple[Behaviour, Behaviour],
    reaches: tuple[FloatArray, FloatArray],
    player: int,
) -> tuple[float, FloatArray]:
    """Return what two strategies earn against each other.

    Parameters
    ----------
    layout : HiddenLayout
        The deal.
    behaviours : pair of Behaviour
        Both strategies.
    reaches : pair of float arrays
        From `own_reach` of each, priors included.
    player : int
        To whom.

    Returns
    -------
    value : float
        The expected utility of the player.
    by_type : float array, shape (types,)
        The same for each hand at the start; the sum weighted by the prior is the value.
    """
    values = counterfactual_values(layout, behaviours, reaches[1 - player], player)
    total = float((reaches[player] * values[-1]).sum())
    own = layout.players[player]
    by_type = np.zeros(len(own.types))
    by_type[own.levels[0].state_type] = values[0][:, 0]
    return total, by_type


def counterfactual_values(
    layout: HiddenLayout,
    behaviours: tuple[Behaviour, Behaviour],
    other_reach: FloatArray,
    player: int,
) -> list[FloatArray]:
    """Return what every information set earns a player when both play their strategies.

    Parameters
    ----------
    layout : HiddenLayout
        The deal.
    behaviours : pair of Behaviour
        Both strategies.
    other_reach : float array, shape (last states of the other, last prefixes of the player)
        From `own_reach` of the other, prior included.
    player : int
        To whom.

    Returns
    -------
    list of float arrays, shape (states, other prefixes)
        For each level the expected utility times the chance that the other plays so: divided by
        that chance, the value to a player who knows the own hand and what was played. The fifth
        time is still to come.
    """
    own, other = layout.players[player], layout.players[1 - player]
    groups = layout.groups
    value = np.empty((len(own.plans), len(other.levels[-1].prefixes)))
    _profile_plans(
        groups.start, groups.prefix[player], groups.prefix[1 - player],
        groups.account, groups.offset[player], groups.offset[1 - player],
        own.first_state, own.choices, own.states, own.plans,
        other.first_state, other.choices, other.states, other.plans,
        layout.payoff[player], other_reach,
        behaviours[player].plans, behaviours[1 - player].plans, value,
    )  # fmt: skip
    values = [value]
    for level in range(len(own.levels) - 2, -1, -1):
        child, parents = own.levels[level].child, other.levels[level + 1].prefix_parent
        gathered = np.zeros((len(value), len(other.levels[level].prefixes)))
        np.add.at(gathered.T, parents, value.T)
        behaviour = behaviours[player].rounds[level].transpose(0, 2, 1)
        value = np.where(child[:, :, None] >= 0, behaviour * gathered[child], 0.0).sum(axis=1)
        values.append(value)
    return values[::-1]


@njit(cache=True, error_model="numpy", nogil=True)
def _profile_plans(  # noqa: PLR0917
    start: Array,
    own_prefix: Array,
    other_prefix: Array,
    account: Array,
    own_offset: Array,
    other_offset: Array,
    own_first: Array,
    own_choices: Array,
    own_states: Array,
    own_plans: Array,
    other_first: Array,
    other_choices: Array,
    other_states: Array,
    other_plans: Array,
    payoff: Array,
    other_reach: Array,
    own_strategy: Array,
    other_strategy: Array,
    value: Array,
) -> None:
    """Fill in what each last state is worth when both play their strategies."""
    times = payoff.shape[3]
    for g in range(len(account)):
        for pair in range(start[g], start[g + 1]):
            block, k = divmod(pair - start[g], BLOCK)
            u, v = own_prefix[pair], other_prefix[pair]
            for i in range(own_states[u]):
                state = own_first[u] + i
                worth = 0.0
                for t in range(times):
                    mine = 1.0
                    if i < own_choices[u]:
                        mine = own_strategy[
                            own_offset[g] + (block * own_choices[u] + i) * times + t, k
                        ]
                    for j in range(other_states[v]):
                        facing = other_first[v] + j
                        theirs = 1.0
                        if j < other_choices[v]:
                            theirs = other_strategy[
                                other_offset[g] + (block * other_choices[v] + j) * times + t, k
                            ]
                        matrix = payoff[account[g]]
                        own0, own1 = own_plans[state, 0], own_plans[state, 1]
                        other0, other1 = other_plans[facing, 0], other_plans[facing, 1]
                        against0 = mine * matrix[own0, other0, t]
                        against0 += (1.0 - mine) * matrix[own1, other0, t]
                        against1 = mine * matrix[own0, other1, t]
                        against1 += (1.0 - mine) * matrix[own1, other1, t]
                        earned = theirs * against0 + (1.0 - theirs) * against1
                        worth += other_reach[facing, u] * earned
                value[state, v] = worth
