"""Bots that search: they see an observation, and get some time for each turn."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from games.solstis import Action, Observation
from solver.solstis.arguments import (
    DEEPEST,
    MOST,
    MOST_PLAYOUT_TURNS,
    check_exploration,
    check_objective,
    check_observation,
    check_seconds,
    check_whole,
)
from solver.solstis.choose import Choice, SolstisObjective, choose
from solver.solstis.tree_search import EXPLORATION, PLAYOUT_TURNS, search_tree

__all__ = ["SearchBot", "TreeBot"]

_SHARE = 0.6
"""How much of what is left of a turn's time goes to its next decision."""


@dataclass
class _Clock:
    """Shares the time of a turn among its decisions."""

    seconds: float
    left: float = 0.0

    def look(self, legal: list[Action]) -> None:
        """Begin a new turn where one begins."""
        if legal and legal[0].kind == "play_tile":
            self.left = self.seconds

    def share(self) -> float:
        """Return the seconds for the present decision."""
        return max(self.left * _SHARE, 0.02 * self.seconds)

    def spent(self, seconds: float) -> None:
        self.left = max(self.left - seconds, 0.0)


@dataclass
class _SearchingBot(ABC):
    """Asks a search at every decision that leaves a choice, for its share of the turn's time."""

    seconds: float = 1.0
    objective: SolstisObjective = "win"
    _clock: _Clock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_seconds(self.seconds)
        check_objective(self.objective)
        self._clock = _Clock(self.seconds)

    @property
    @abstractmethod
    def _is_timed(self) -> bool:
        """Whether it takes time, or a given effort at each decision."""

    @abstractmethod
    def _search(self, observation: Observation, seconds: float | None, seed: int) -> Choice:
        """Return what the search finds."""

    def choose(self, observation: Observation, rng: np.random.Generator) -> Action:
        """Return the action to take.

        Raises
        ------
        SolverError
            If this is no observation, or the player who observes has nothing to decide.
        """
        legal = check_observation(observation).legal()
        self._clock.look(legal)
        if len(legal) == 1:
            return legal[0]
        started = perf_counter()
        seconds = self._clock.share() if self._is_timed else None
        choice = self._search(observation, seconds, int(rng.integers(2**31)))
        self._clock.spent(perf_counter() - started)
        return choice.action


@dataclass
class SearchBot(_SearchingBot):
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

    Raises
    ------
    SolverError
        If an option makes no sense.
    """

    depth: int | None = None
    samples: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("depth", self.depth, 0, DEEPEST)
        check_whole("samples", self.samples, 1, MOST)

    @property
    def _is_timed(self) -> bool:
        return self.samples is None

    def _search(self, observation: Observation, seconds: float | None, seed: int) -> Choice:
        return choose(observation, self.objective, seconds, self.depth, self.samples, seed)


@dataclass
class TreeBot(_SearchingBot):
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

    Raises
    ------
    SolverError
        If an option makes no sense.
    """

    exploration: float = EXPLORATION
    playout_turns: int = PLAYOUT_TURNS
    iterations: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_exploration(self.exploration)
        check_whole("playout_turns", self.playout_turns, 0, MOST_PLAYOUT_TURNS)
        check_whole("iterations", self.iterations, 1, MOST)

    @property
    def _is_timed(self) -> bool:
        return self.iterations is None

    def _search(self, observation: Observation, seconds: float | None, seed: int) -> Choice:
        return search_tree(
            observation,
            self.objective,
            seconds,
            self.iterations,
            seed,
            self.exploration,
            self.playout_turns,
        )
