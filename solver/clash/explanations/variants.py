"""Positions of Solaris' Clash with one thing changed: a hidden time known, or the score another.

What they are worth, against the position itself, says what the hidden times and the score mean for
its play.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from games.clash import Element, Objective, State, Time, next_times
from games.errors import PositionError
from solver.clash.explanations.claims import TIE, Mix, Variant
from solver.clash.open_hands import OpenEntry, entry
from solver.clash.outlook import Outlook
from solver.clash.stages import Memory, positions_of
from solver.clash.values import ArrayValues, solve_arrays_from

__all__ = [
    "entry_of",
    "mix_of",
    "shifted",
    "solve_together",
    "variants_of_score",
    "variants_of_time",
]

_SHIFTS = (2, 1, -1, -2)
_Known: TypeAlias = dict[tuple[Time, ...], tuple[State, Fraction]]


def shifted(state: State) -> dict[int, State]:
    """Return the position with up to two points more or less for player 0, by how many.

    The points are given to or taken from either player as the rules allow; what they do not allow
    is left out.

    Examples
    --------
    >>> state = State.parse("WFFAE/WFFAE DaNoDuMi---- 2-0")
    >>> [(shift, other.points) for shift, other in shifted(state).items()]
    [(-1, (1, 0)), (-2, (0, 0))]
    """
    positions: dict[int, State] = {}
    for shift in _SHIFTS:
        for to_first in range(abs(shift), -1, -1):
            sign = 1 if shift > 0 else -1
            gains = (sign * to_first, sign * (to_first - abs(shift)))
            points = tuple(map(sum, zip(state.points, gains, strict=True)))
            try:
                positions[shift] = replace(state, points=points)
            except PositionError:
                continue
            break
    return positions


def variants_of_score(
    positions: dict[int, State], values: ArrayValues, present: OpenEntry
) -> tuple[Variant, ...]:
    """Return what positions made by `shifted` are worth, from the values that hold them."""
    return tuple(
        _variant(values, other, present, shift=shift) for shift, other in positions.items()
    )


def variants_of_time(
    values: ArrayValues, present: OpenEntry
) -> tuple[tuple[Variant, ...], tuple[Variant, ...], int]:
    """Return the position with the next hidden time known, and with both known.

    Parameters
    ----------
    values : ArrayValues
        Values that hold the position and all that can follow it.
    present : OpenEntry
        The position.

    Returns
    -------
    next, both : tuple of Variant
        One for each possible time, or pair of times; while a time is due, `next` has the positions
        after it was turned up. Empty when so many times are not hidden.
    games : int
        How many matrix games were solved for them.
    """
    state = present.state
    due = state.next_times()
    if due:
        revealed: _Known = {(time,): (state.reveal(time), chance) for time, chance in due.items()}
        return _of_time(revealed, values, present), (), 0
    first = _one_more_known(state, (), Fraction(1))
    both: _Known = {}
    for times, (other, chance) in first.items():
        both |= _one_more_known(other, times, chance)
    games = 0
    found: list[tuple[Variant, ...]] = [(), ()]
    for place, cases in enumerate((first, both)):
        if cases:
            solved = solve_together([other for other, _ in cases.values()], values.objective)
            games += solved.games
            found[place] = _of_time(cases, solved, present)
    return found[0], found[1], games


def _one_more_known(state: State, before: tuple[Time, ...], chance: Fraction) -> _Known:
    """Return the position with the next hidden time given too, and the chance of all given."""
    face_up = tuple(time for time in state.times if time is not None)
    return {
        (*before, time): (replace(state, times=(*face_up, time)), chance * more)
        for time, more in next_times(face_up, state.rules.time_deck).items()
    }


def _of_time(
    cases: Mapping[tuple[Time, ...], tuple[State, Fraction]],
    values: ArrayValues,
    present: OpenEntry,
) -> tuple[Variant, ...]:
    return tuple(
        _variant(values, other, present, times=times, chance=chance)
        for times, (other, chance) in cases.items()
    )


def _variant(
    values: ArrayValues,
    state: State,
    present: OpenEntry,
    *,
    times: tuple[Time, ...] = (),
    chance: Fraction | None = None,
    shift: int = 0,
) -> Variant:
    found = entry_of(values, state)
    value = float(found.value)
    strategies: tuple[Mix, Mix] | None = None
    free = (False, False)
    kept = None
    if found.strategies is not None:
        matrix = np.asarray(found.matrix, dtype=np.float64)
        strategies = (mix_of(found.strategies[0]), mix_of(found.strategies[1]))
        free = (bool(matrix.min() >= value - TIE), bool(matrix.max() <= value + TIE))
        if present.strategies is not None:
            row, column = (np.array(list(mix.values())) for mix in present.strategies)
            kept = (float((row @ matrix).min()), -float((matrix @ column).max()))
    return Variant(state, times, chance, shift, value, strategies, free, kept)


def mix_of(strategy: Mapping[Element, float | Fraction]) -> Mix:
    """Return a strategy with its probabilities as floats."""
    return {card: float(chance) for card, chance in strategy.items()}


def entry_of(values: ArrayValues, state: State) -> OpenEntry:
    """Return what values say of a state that they hold."""
    found = entry(values, state)
    assert found is not None
    return found


def solve_together(states: list[State], objective: Objective) -> ArrayValues:
    """Solve positions of one round, equally many times known, and all that can follow."""
    outlooks = [Outlook.of(state) for state in states]
    memories: list[Memory] = [(state.streaks, state.memory) for state in states]
    different = list(dict.fromkeys(outlooks)), list(dict.fromkeys(memories))
    start = positions_of(
        states,
        objective,
        [different[0].index(outlook) for outlook in outlooks],
        [different[1].index(memory) for memory in memories],
    )
    size = len(states[0].hands[0])
    return solve_arrays_from(states[0].rules, objective, size, *different, start, symmetric=False)
