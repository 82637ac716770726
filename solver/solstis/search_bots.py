"""Bots that search: they see an observation, and get some time for each turn."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from games.solstis import Action, Observation
from solver.solstis.choose import SolstisObjective, choose
from solver.solstis.tree_search import EXPLORATION, PLAYOUT_TURNS, search_tree

__all__ = ["SearchBot", "TreeBot"]

_SHARE = 0.6
"""How much of what is left of a turn's time goes to its next decision."""


@dataclass
class _Clock:
    """Shares the time of a turn among its decisions."""

    seconds: float
    left: float = 0.0

    def share(self, observation: Observation) -> float:
        legal = observation.legal()
        if legal and legal[0].kind == "play_tile":
            self.left = self.seconds
        return max(self.left * _SHARE, 0.02 * self.seconds)

    def spent(self, seconds: float) -> None:
        self.left = max(self.left - seconds, 0.0)


@dataclass
class SearchBot:
    """Plays what `choose` finds.

    Parameters
    ----------
    seconds : float
        For each turn.
    objective : {"margin", "win"}
        What it maximises.
    depth : int, optional
        How many turns to look at after the present one; by default as many as leave time.
    samples : int, optional
        Search so many worlds at each decision instead of taking time.
    """

    seconds: float = 1.0
    objective: SolstisObjective = "win"
    depth: int | None = None
    samples: int | None = None
    _clock: _Clock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._clock = _Clock(self.seconds)

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return the action to take."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        started = perf_counter()
        seed = int(rng.integers(2**31))
        seconds = self._clock.share(observation) if self.samples is None else None
        choice = choose(observation, self.objective, seconds, self.depth, self.samples, seed)
        self._clock.spent(perf_counter() - started)
        return choice.action


@dataclass
class TreeBot:
    """Plays what information-set Monte Carlo tree search finds.

    Parameters
    ----------
    seconds : float
        For each turn.
    objective : {"margin", "win"}
        What it maximises.
    exploration : float
        The constant of UCB1.
    playout_turns : int
        For how many turns it is played on greedily.
    iterations : int, optional
        Make so many iterations at each decision instead of taking time.
    """

    seconds: float = 1.0
    objective: SolstisObjective = "win"
    exploration: float = EXPLORATION
    playout_turns: int = PLAYOUT_TURNS
    iterations: int | None = None
    _clock: _Clock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._clock = _Clock(self.seconds)

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return the action to take."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        started = perf_counter()
        seconds = self._clock.share(observation) if self.iterations is None else None
        choice = search_tree(
            observation,
            self.objective,
            seconds,
            self.iterations,
            int(rng.integers(2**31)),
            self.exploration,
            self.playout_turns,
        )
        self._clock.spent(perf_counter() - started)
        return choice.action
