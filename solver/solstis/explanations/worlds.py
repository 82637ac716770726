"""Worlds that agree with what a player sees, and the search inside one.

A world settles the opponent's hand and in which order tiles and spirits come. Both players know it,
so chance has no say: the search is the one of `solver.solstis.lookahead`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.solstis import Action, Observation, Rules, State
from games.solstis.layout import Field
from games.solstis.mountain import cells_in
from solver.solstis.choose import SolstisObjective
from solver.solstis.evaluation import weights_for
from solver.solstis.lookahead import (
    MARGIN,
    WIN,
    evaluate,
    final_value,
    new_line,
    option_values,
    settled_outcome,
)

__all__ = ["World", "WorldSearch", "draw_world", "follow", "starts_turn", "with_tile"]

_TILES, _SPIRITS = 60, 19
_MOST_NODES = 10**9
_PLAYOUT = 0
"""At the horizon it is judged at once, not played on."""


@dataclass(frozen=True, eq=False)
class World:
    """A state with both hands settled, and how soon each tile and each spirit comes."""

    state: State
    tiles: NDArray[np.int64]
    spirits: NDArray[np.int64]


def draw_world(observation: Observation, rng: np.random.Generator) -> World:
    """Return a world that agrees with what is seen, each as likely."""
    state = observation.sample(rng)
    return World(state, rng.permutation(_TILES), rng.permutation(_SPIRITS))


def with_tile(
    world: World, tile: int, player: int, is_held: bool, rng: np.random.Generator
) -> State:
    """Return the state of a world in which the other player holds a tile, or does not.

    If that is otherwise in this world, the tile is exchanged for another that the player cannot
    tell it from.
    """
    core, other = world.state._core, 1 - player
    if bool(int(core[Field.HAND + other]) >> tile & 1) == is_held:
        return world.state
    core = core.copy()
    hidden = int(core[Field.HAND + other]) & ~int(core[Field.SEEN + player])
    choices = list(cells_in(hidden if is_held else int(core[Field.POOL])))
    change = 1 << tile | 1 << choices[int(rng.integers(len(choices)))]
    core[Field.POOL] ^= change
    core[Field.HAND + other] ^= change
    return State._of(core, None, world.state.rules)


def starts_turn(state: State) -> bool:
    """Return whether a turn begins: a hand tile is to be played."""
    return state.kind == "decision" and state.legal()[0].kind == "play_tile"


class WorldSearch:
    """Minimax in worlds, with values to one player."""

    def __init__(self, rules: Rules, objective: SolstisObjective, player: int) -> None:
        self.player = player
        self.objective = objective
        self.weights = weights_for(rules)
        self.line = new_line()
        self.values = np.empty(self.line[1].shape[1])
        self.counts = np.zeros(2, dtype=np.int64)

    def _mine(self, value: float) -> float:
        if self.player == 0:
            return value
        return 1 - value if self.objective == "win" else -value

    @property
    def _code(self) -> int:
        return WIN if self.objective == "win" else MARGIN

    def value(self, state: State, world: World, turns: int) -> float:
        """Return what a state is worth when so many turns may still begin."""
        while state.kind == "chance":
            state = state.play(self.outcome(state, world))
        if state.kind == "end":
            return self._mine(float(final_value(state._core, self._code)))
        if starts_turn(state):
            if turns == 0:
                return self._mine(float(evaluate(state._core, self._code, self.weights)))
            turns -= 1
        choose = max if state.decider == self.player else min
        return choose(self.options(state, world, turns).values())

    def options(self, state: State, world: World, turns: int) -> dict[Action, float]:
        """Return the value of every legal action of a decision."""
        self.line[0][0] = state._core
        self.counts[:] = (0, _MOST_NODES)
        number = option_values(
            *self.line,
            turns,
            world.tiles,
            world.spirits,
            _PLAYOUT,
            self._code,
            self.weights,
            self.counts,
            self.values,
        )
        return dict(zip(state.legal(), map(self._mine, self.values[:number]), strict=True))

    def best(self, state: State, world: World, turns: int) -> Action:
        """Return the action that the player who decides takes in this world."""
        values = self.options(state, world, turns)
        choose = max if state.decider == self.player else min
        return choose(values, key=lambda action: values[action])

    @staticmethod
    def outcome(state: State, world: World) -> Action:
        """Return what chance brings in this world."""
        by_code = {action.code: action for action, _ in state.outcomes()}
        codes = np.array(list(by_code), dtype=np.int64)
        return by_code[int(settled_outcome(codes, len(codes), world.tiles, world.spirits))]


def follow(
    searching: WorldSearch, world: World, first: Action, turns: int
) -> Iterator[tuple[State, Action, int]]:
    """Yield state, action and number of the turn along the line that the search expects.

    It begins with the given action, and ends with the game or where no further turn may begin.
    """
    state, action, turn = world.state, first, 0
    while True:
        yield state, action, turn
        state = state.play(action)
        if state.kind == "end":
            return
        if state.kind == "chance":
            action = searching.outcome(state, world)
            continue
        if starts_turn(state):
            if turn >= turns:
                return
            turn += 1
        action = searching.best(state, world, turns - turn)
