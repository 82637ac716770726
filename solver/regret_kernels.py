# ruff: noqa: PLR0917 - compiled loops; arrays are passed to be filled
"""Compiled loops of counterfactual regret minimisation over a public tree.

They run over the sequence form of `solver.public_tree`: parents come before children, so one pass
forward gives the probability of every sequence and one pass backward the value of every set.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["accumulate", "end_values", "plan", "update"]

FloatArray = NDArray[np.float64]
Array = NDArray[Any]


@njit(cache=True, error_model="numpy")
def plan(strategy: FloatArray, set_parent: Array, set_start: Array, out: FloatArray) -> None:
    """Fill out with the probability that the player plays all of each sequence."""
    out[0] = 1.0
    for s in range(len(set_parent)):
        before = out[set_parent[s]]
        for a in range(set_start[s], set_start[s + 1]):
            out[a] = before * strategy[a]


@njit(cache=True, error_model="numpy")
def end_values(
    player: int,
    end_node: Array,
    end_table: Array,
    end_scale: FloatArray,
    table_start: Array,
    table_values: FloatArray,
    slot_start: tuple[Array, Array],
    slot_sequence: tuple[Array, Array],
    other_plan: FloatArray,
    out: FloatArray,
) -> None:
    """Fill out with what the ends after each sequence of a player pay to that player.

    The payoffs are weighted by chance and by the other player's probability of playing there.
    """
    out[:] = 0.0
    for e in range(len(end_node)):
        node = end_node[e]
        first0, last0 = slot_start[0][node], slot_start[0][node + 1]
        first1, last1 = slot_start[1][node], slot_start[1][node + 1]
        cell = table_start[end_table[e]]
        scale = end_scale[e]
        if player == 0:
            for i in range(first0, last0):
                total = 0.0
                for j in range(first1, last1):
                    total += table_values[cell] * other_plan[slot_sequence[1][j]]
                    cell += 1
                out[slot_sequence[0][i]] += scale * total
        else:
            for i in range(first0, last0):
                weight = -scale * other_plan[slot_sequence[0][i]]
                if weight != 0.0:
                    for j in range(first1, last1):
                        out[slot_sequence[1][j]] += weight * table_values[cell + j - first1]
                cell += last1 - first1


@njit(cache=True, error_model="numpy")
def update(
    values: FloatArray,
    set_parent: Array,
    set_start: Array,
    regrets: FloatArray,
    strategy: FloatArray,
    discount_positive: float,
    discount_negative: float,
    floor: bool,
    prediction: float,
    predicted_discount: float,
) -> None:
    """Pass values to the parents, add the regrets, and make the next strategy of every set.

    ``values`` holds what the ends pay (`end_values`) and is used up. The numbers are those of a
    `solver.regret_rules.RegretStep`.
    """
    for s in range(len(set_parent) - 1, -1, -1):
        first, last = set_start[s], set_start[s + 1]
        value = 0.0
        for a in range(first, last):
            value += strategy[a] * values[a]
        values[set_parent[s]] += value
        total = 0.0
        for a in range(first, last):
            regret = values[a] - value
            kept = regrets[a]
            kept = kept * (discount_positive if kept > 0.0 else discount_negative) + regret
            if floor and kept < 0.0:
                kept = 0.0
            regrets[a] = kept
            weight = predicted_discount * kept + prediction * regret
            strategy[a] = weight if weight > 0.0 else 0.0
            total += strategy[a]
        for a in range(first, last):
            strategy[a] = strategy[a] / total if total > 0.0 else 1.0 / (last - first)


@njit(cache=True, error_model="numpy")
def accumulate(sums: FloatArray, keep: float, current: FloatArray) -> None:
    """Scale the sums of the average and add the current plan."""
    for a in range(len(sums)):
        sums[a] = keep * sums[a] + current[a]
