"""Values of open-hand positions: in arrays (float64) or computed exactly (rationals).

Both answer one question, the value of a state to player 0, and know which states they hold.
Matrices and strategies follow from it, as in `games.clash` a play is cheap.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Hand, Objective, Rules, State
from solver.backward_induction import backward_induction
from solver.clash.outlook import Outlook
from solver.clash.stages import Memory, Positions, Stage, compile_game, positions_of
from solver.matrix import solve_exact

__all__ = ["ArrayValues", "ExactValues", "Values", "solve_arrays", "solve_arrays_from"]

Number: TypeAlias = float | Fraction


class Values(Protocol):
    """What a solution is made of: the value of every state that it holds."""

    @property
    def rules(self) -> Rules:
        """The rules of the states."""

    @property
    def objective(self) -> Objective:
        """What the values are values of."""

    @property
    def games(self) -> int:
        """How many matrix games were solved for them, forced sixth rounds not counted."""

    def value(self, state: State) -> Number | None:
        """Return the expected utility of player 0, or None for a state that is not held."""


@dataclass(frozen=True)
class ArrayValues:
    """Values in float64, by stage and position.

    Attributes
    ----------
    rules : Rules
        The rules of the states.
    objective : {"win", "margin"}
        What the values are values of.
    stages : tuple of Stage
        The positions.
    values : tuple of float arrays
        The value of each position of each stage to player 0; under ``margin``, of the points still
        to come.
    """

    rules: Rules
    objective: Objective
    stages: tuple[Stage, ...]
    values: tuple[NDArray[np.float64], ...]

    @property
    def games(self) -> int:
        """How many matrix games the stages hold, forced sixth rounds not counted."""
        return sum(len(s.codes) for s in self.stages if not s.is_due and s.size > 1)

    def value(self, state: State) -> float | None:
        """Return the expected utility of player 0, or None for a state that is not held."""
        if state.is_over:
            return state.utility(0, self.objective)
        for stage, values in zip(self.stages, self.values, strict=True):
            if stage.round == state.round and stage.is_due == state.time_is_due:
                found = stage.find(state, self.objective)
                if found is None:
                    return None
                index, sign = found
                to_come = float(sign * values[index])
                return to_come + state.margin(0) if self.objective == "margin" else to_come
        return None


def solve_arrays(root: State, objective: Objective) -> ArrayValues:
    """Solve all that can follow a state."""
    if root.is_over:
        return ArrayValues(root.rules, objective, (), ())
    outlooks: list[Outlook] = [Outlook.of(root)]
    memories: list[Memory] = [(root.streaks, root.memory)]
    start = positions_of([root], objective, [0], [0])
    return solve_arrays_from(
        root.rules, objective, len(root.hands[0]), outlooks, memories, start, symmetric=False
    )


def solve_arrays_from(  # noqa: PLR0917
    rules: Rules,
    objective: Objective,
    size: int,
    outlooks: list[Outlook],
    memories: list[Memory],
    start: Positions,
    symmetric: bool,
) -> ArrayValues:
    """Solve all that can follow the given positions; the arguments are those of `compile_game`."""
    game = compile_game(rules, objective, size, outlooks, memories, start, symmetric)
    values = backward_induction(game.layers, game.terminal)
    return ArrayValues(rules, objective, tuple(game.stages), tuple(values))


_Key: TypeAlias = tuple[tuple[Hand, ...], Outlook, Memory, int]


class ExactValues:
    """Values as exact fractions, computed by recursion over states.

    It shares nothing with the arrays but the rules, and so checks them.

    Parameters
    ----------
    root : State
        The state to solve; every state that can follow it is held afterwards.
    objective : {"win", "margin"}
        What the values are values of.
    """

    def __init__(self, root: State, objective: Objective) -> None:
        self.rules = root.rules
        self.objective: Objective = objective
        self.games = 0
        self._known: dict[_Key, Fraction] = {}
        self._solve(root)

    def value(self, state: State) -> Fraction | None:
        """Return the expected utility of player 0, or None for a state that is not held."""
        if state.is_over:
            return Fraction(state.utility(0, self.objective))
        to_come = self._known.get(self._key(state))
        return None if to_come is None else to_come + self._so_far(state)

    def _key(self, state: State) -> _Key:
        difference = state.points[0] - state.points[1] if self.objective == "win" else 0
        return state.hands, Outlook.of(state), (state.streaks, state.memory), difference

    def _so_far(self, state: State) -> Fraction:
        return Fraction(state.margin(0)) if self.objective == "margin" else Fraction(0)

    def _solve(self, state: State) -> Fraction:
        known = self.value(state)
        if known is not None:
            return known
        if state.time_is_due:
            value = sum(
                (
                    chance * self._solve(state.reveal(time))
                    for time, chance in state.next_times().items()
                ),
                Fraction(0),
            )
        else:
            payoffs = [
                [self._solve(state.play((card0, card1))) for card1 in state.legal(1)]
                for card0 in state.legal(0)
            ]
            value = solve_exact(payoffs).value
            self.games += len(state.hands[0]) > 1
        self._known[self._key(state)] = value - self._so_far(state)
        return value
