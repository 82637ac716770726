"""Players of Solstis to practise against and to measure others by.

A bot sees an `Observation` and nothing else, and draws all its chance from the generator it is
given: same seed, same game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import numpy as np

from games.solstis import Action, Observation, State
from solver.errors import SolverError, StateError
from solver.solstis.arguments import check_observation, check_state

__all__ = ["Bot", "GreedyBot", "UniformBot", "play_out"]

_T = TypeVar("_T")

_MOST_WORLDS: Final = 1000


class Bot(Protocol):
    """What plays: it chooses an action from what a player sees."""

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return a legal action of the player who observes."""


@dataclass(frozen=True, slots=True)
class UniformBot:
    """Plays every legal action with the same chance.

    Examples
    --------
    >>> view = State.new(5).observe(0)
    >>> UniformBot().choose(view, np.random.default_rng(1)) in view.legal()
    True
    """

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return a legal action.

        Raises
        ------
        StateError
            If the player who observes does not decide now.
        SolverError
            If this is no observation, or no generator.
        """
        actions = _legal(observation, rng)
        return actions[int(rng.integers(len(actions)))]


@dataclass(frozen=True, slots=True)
class GreedyBot:
    """Plays for the best lead, own score minus the other's, at the end of its own turn.

    Every legal action is tried in the same few worlds: states that agree with what is seen, in
    which the opponent's hand, the face-down tiles and the order of the piles are drawn at random.
    After the action the rest of the turn is played in each world: own decisions by the score right
    after each, blind picks (Eagle, Dragonfly) at random. The best mean lead wins; among equals
    chance decides. What comes after the turn is not looked at.

    Parameters
    ----------
    worlds : int
        How many worlds are sampled for a decision.

    Raises
    ------
    SolverError
        If `worlds` is not a number from 1 to 1000.

    Examples
    --------
    >>> view = State.new(5).observe(0)
    >>> str(GreedyBot().choose(view, np.random.default_rng(1)))
    'play_tile 3-4'
    """

    worlds: int = 3

    def __post_init__(self) -> None:
        whole = isinstance(self.worlds, int | np.integer) and not isinstance(self.worlds, bool)
        if not whole or not 1 <= self.worlds <= _MOST_WORLDS:
            raise SolverError(f"worlds is {self.worlds!r}: expected a number from 1 to 1000")

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return the action with the best mean lead at the end of the turn.

        Raises
        ------
        StateError
            If the player who observes does not decide now.
        SolverError
            If this is no observation, or no generator.
        """
        actions = _legal(observation, rng)
        if len(actions) == 1:
            return actions[0]
        player = observation.player
        leads = [0] * len(actions)
        for _ in range(self.worlds):
            world = observation.sample(rng, ordered=True)
            for number, action in enumerate(actions):
                leads[number] += _lead_after_turn(world.play(action), player, rng)
        return _best(actions, leads, rng)


def play_out(state: State, bots: Sequence[Bot], rng: np.random.Generator | int | None) -> State:
    """Return the end of a game that two bots play from a state on.

    Parameters
    ----------
    state : State
        Where they begin.
    bots : sequence of two Bot
        Those of players 0 and 1.
    rng : numpy.random.Generator or int, optional
        Where all chance comes from, or its seed: that of the bots, and draws from piles without
        order.

    Raises
    ------
    SolverError
        If there are not two bots, or this is no state.

    Examples
    --------
    >>> end = play_out(State.new(5), [GreedyBot(), UniformBot()], 1)
    >>> end.kind, end.score(0).total > end.score(1).total
    ('end', True)
    """
    state = check_state(state)
    rng = np.random.default_rng(rng)
    if not (
        isinstance(bots, Sequence)
        and len(bots) == 2
        and all(hasattr(bot, "choose") and not isinstance(bot, type) for bot in bots)
    ):
        raise SolverError(
            "bots: expected two, each made by a call, as in [GreedyBot(), UniformBot()]"
        )
    while state.kind != "end":
        decider = state.decider
        if decider is None:
            state = state.play(_picked(state, rng))
        else:
            state = state.play(bots[decider].choose(state.observe(decider), rng))
    return state


def _legal(observation: Observation, rng: np.random.Generator) -> list[Action]:
    if not isinstance(rng, np.random.Generator):
        raise SolverError(f"rng is {rng!r}: expected a numpy Generator")
    actions = check_observation(observation).legal()
    if not actions:
        raise StateError(f"player {observation.player} does not decide now")
    return actions


def _lead_after_turn(state: State, player: int, rng: np.random.Generator) -> int:
    """Play the rest of a player's turn greedily and return the lead."""
    while True:
        if state.kind == "chance":
            state = state.play(_picked(state, rng))
            continue
        actions = state.legal()
        if state.decider != player or actions[0].kind == "play_tile":
            return _lead(state, player)
        following = [state.play(action) for action in actions]
        leads = [_lead(after, player) for after in following]
        state = _best(following, leads, rng)


def _lead(state: State, player: int) -> int:
    return state.score(player).total - state.score(1 - player).total


def _picked(state: State, rng: np.random.Generator) -> Action:
    outcomes = state.outcomes()
    return outcomes[int(rng.integers(len(outcomes)))][0]


def _best(choices: Sequence[_T], values: Sequence[int], rng: np.random.Generator) -> _T:
    """Return a choice of the highest value, each such one with the same chance."""
    highest = max(values)
    best = [choice for choice, value in zip(choices, values, strict=True) if value == highest]
    return best[0] if len(best) == 1 else best[int(rng.integers(len(best)))]
