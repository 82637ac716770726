"""The compiled loops of the regret updates: the last two cards, and the rounds before them.

The arrays are those of `solver.clash.hidden.layout`; the rules of the update are the numbers of a
`solver.regret_rules.RegretStep`.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solver.clash.hidden.layout import BLOCK

__all__ = ["level_down", "level_update", "plan_update", "plan_weights"]

Array: TypeAlias = NDArray[Any]

_TINY = 1e-30
"""Regrets that sum to less say nothing, and denormal numbers would slow the arithmetic down."""


_FAST = {"contract", "nsz", "nnan"}

# The inner loops run over one block of pairs with constant bounds and at most three flat arrays,
# each part at a constant offset: so the compiler sees that nothing overlaps, and vectorises them.


@njit(cache=True, fastmath=_FAST, error_model="numpy")
def _split(
    both: Array,
    strategy: Array,
    chance: Array,
) -> None:
    """Split the chance to arrive in a block of pairs between the two plans."""
    for k in range(BLOCK):
        played = both[k] * strategy[k]
        chance[k] = played
        chance[BLOCK + k] = both[k] - played


@njit(cache=True, fastmath=_FAST, error_model="numpy")
def _earn(
    payoff0: Any,
    payoff1: Any,
    chance: Array,
    earned: Array,
) -> None:
    """Add what two plans earn against one plan of the other in a block of pairs."""
    for k in range(BLOCK):
        earned[k] += payoff0 * chance[k]
        earned[BLOCK + k] += payoff1 * chance[k]


@njit(cache=True, fastmath=_FAST, error_model="numpy")
def _learn(
    numbers: tuple[Any, ...],
    earned: Array,
    own: Array,
    choice: Array,
) -> None:
    """Update a choice between two plans in a block of pairs, given what each plan earns.

    ``own`` holds the own reach and what the state is worth; ``choice`` the probability of the first
    plan, its weighted sum, and the two regrets.
    """
    positive, negative, floor, prediction, predicted, keep = numbers
    zero = positive - positive
    one = zero + 1
    half, tiny = one / 2, zero + _TINY
    for k in range(BLOCK):
        played = choice[k]
        choice[BLOCK + k] = choice[BLOCK + k] * keep + own[k] * played
        gain = earned[k] - earned[BLOCK + k]
        own[BLOCK + k] += earned[BLOCK + k] + played * gain
        gain0 = (one - played) * gain
        gain1 = -played * gain
        old0, old1 = choice[2 * BLOCK + k], choice[3 * BLOCK + k]
        new0 = old0 * (positive if old0 > zero else negative) + gain0
        new1 = old1 * (positive if old1 > zero else negative) + gain1
        new0 = new0 if new0 > floor else floor
        new1 = new1 if new1 > floor else floor
        choice[2 * BLOCK + k] = new0
        choice[3 * BLOCK + k] = new1
        hope0 = new0 * predicted + prediction * gain0
        hope1 = new1 * predicted + prediction * gain1
        hope0 = hope0 if hope0 > zero else zero
        hope1 = hope1 if hope1 > zero else zero
        hope = hope0 + hope1
        share = hope0 / (hope + tiny)
        choice[k] = share if hope > tiny else half


@njit(cache=True, error_model="numpy", nogil=True)
def plan_update(  # noqa: PLR0912, PLR0917
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
    own_reach: Array,
    other_reach: Array,
    choices: Array,
    other_chances: Array,
    value: Array,
    numbers: tuple[Any, ...],
) -> None:
    """Update the choices of plan of one player, and return what each last state is worth.

    ``other_reach`` is turned round, (own prefixes, other states): pairs that follow each other in a
    group mostly share the own prefix.
    """
    times = payoff.shape[3]
    kind = choices.dtype
    reach = np.zeros((16, BLOCK), dtype=kind)
    own = np.zeros((16, 2 * BLOCK), dtype=kind)
    chance = np.zeros(17 * BLOCK, dtype=kind)
    earned = np.zeros(2 * BLOCK, dtype=kind)
    matrix = np.zeros((16, times, 16, 2), dtype=kind)
    for g in range(len(account)):
        u, v = own_prefix[start[g]], other_prefix[start[g]]
        mine, all_mine = own_choices[u], own_states[u]
        theirs, all_theirs = other_choices[v], other_states[v]
        plans = all_theirs + theirs
        for i in range(all_mine):
            plan0, plan1 = own_plans[own_first[u] + i]
            at = 0
            for j in range(all_theirs):
                for which in range(2 if j < theirs else 1):
                    plan = other_plans[other_first[v] + j, which]
                    for t in range(times):
                        matrix[i, t, at, 0] = payoff[account[g], plan0, plan, t]
                        matrix[i, t, at, 1] = payoff[account[g], plan1, plan, t]
                    at += 1
        for block in range(blocks[g]):
            pairs = start[g] + block * BLOCK
            width = min(BLOCK, start[g + 1] - pairs)
            if width < BLOCK:
                reach[:] = 0
                own[:] = 0
            for k in range(width):
                u, v = own_prefix[pairs + k], other_prefix[pairs + k]
                for j in range(all_theirs):
                    reach[j, k] = other_reach[u, other_first[v] + j]
                for i in range(all_mine):
                    own[i, k] = own_reach[own_first[u] + i, v]
            own[:all_mine, BLOCK:] = 0
            for t in range(times):
                for j in range(theirs):
                    base = other_offset[g] + (block * theirs + j) * times + t
                    _split(reach[j], other_chances[base], chance[2 * j * BLOCK :])
                for j in range(theirs, all_theirs):
                    chance[(theirs + j) * BLOCK : (theirs + j + 1) * BLOCK] = reach[j]
                for i in range(all_mine):
                    earned[:] = 0
                    for z in range(plans):
                        _earn(matrix[i, t, z, 0], matrix[i, t, z, 1], chance[z * BLOCK :], earned)
                    if i < mine:
                        base = own_offset[g] + (block * mine + i) * times + t
                        _learn(numbers, earned, own[i], choices[base])
                    else:
                        own[i, BLOCK:] += earned[:BLOCK]
            for k in range(width):
                u, v = own_prefix[pairs + k], other_prefix[pairs + k]
                for i in range(all_mine):
                    value[own_first[u] + i, v] = own[i, BLOCK + k]


@njit(cache=True, fastmath={"contract"}, error_model="numpy", nogil=True)
def level_down(  # noqa: PLR0917
    reach: Array,
    strategy: Array,
    state_parent: Array,
    state_card: Array,
    prefix_parent: Array,
    following: Array,
) -> None:
    """Fill in the own reach one level further: (states, other prefixes) of the next level."""
    for i in range(following.shape[0]):
        parent, card = state_parent[i], state_card[i]
        for v in range(following.shape[1]):
            before = prefix_parent[v]
            following[i, v] = reach[parent, before] * strategy[parent, before, card]


@njit(cache=True, fastmath={"contract"}, error_model="numpy", nogil=True)
def level_update(  # noqa: PLR0917
    child: Array,
    prefix_parent: Array,
    following_value: Array,
    own_reach: Array,
    strategy: Array,
    regret: Array,
    average: Array,
    value: Array,
    numbers: tuple[Any, ...],
) -> None:
    """Update the choices of one round, and return what each of its states is worth."""
    positive, negative, floor, prediction, predicted, keep = numbers
    states, prefixes = value.shape
    gathered = np.zeros((following_value.shape[0], prefixes))
    for i in range(following_value.shape[0]):
        for v in range(following_value.shape[1]):
            gathered[i, prefix_parent[v]] += following_value[i, v]
    for i in range(states):
        legal = 0
        for c in range(4):
            legal += child[i, c] >= 0
        for v in range(prefixes):
            worth = 0.0
            for c in range(4):
                if child[i, c] >= 0:
                    worth += strategy[i, v, c] * gathered[child[i, c], v]
            value[i, v] = worth
            hope = 0.0
            reached = own_reach[i, v]
            for c in range(4):
                if child[i, c] < 0:
                    continue
                average[i, v, c] = average[i, v, c] * keep + reached * strategy[i, v, c]
                gain = gathered[child[i, c], v] - worth
                old = regret[i, v, c]
                new = max(old * (positive if old > 0 else negative) + gain, floor)
                regret[i, v, c] = new
                hoped = max(new * predicted + prediction * gain, 0.0)
                strategy[i, v, c] = hoped
                hope += hoped
            for c in range(4):
                if child[i, c] >= 0:
                    strategy[i, v, c] = strategy[i, v, c] / hope if hope > _TINY else 1.0 / legal


@njit(cache=True, error_model="numpy", nogil=True)
def plan_weights(  # noqa: PLR0917
    start: Array,
    own_prefix: Array,
    other_prefix: Array,
    offset: Array,
    first_state: Array,
    choices: Array,
    reached: Array,
    times: int,
    weights: Array,
) -> None:
    """Write the summed own reach of every choice of plan where its sums are kept."""
    for g in range(len(start) - 1):
        for pair in range(start[g], start[g + 1]):
            block, k = divmod(pair - start[g], BLOCK)
            u, v = own_prefix[pair], other_prefix[pair]
            for i in range(choices[u]):
                row = offset[g] + (block * choices[u] + i) * times
                for t in range(times):
                    weights[row + t, k] = reached[first_state[u] + i, v]
