"""Choosing a move from what a player sees: worlds are sampled and searched, and means are told.

Perfect-information Monte Carlo (Ginsberg 2001): a world settles what is hidden (the opponent's
hand, face-down tiles, the order of the piles); in each, minimax looks some whole turns ahead with
the fitted evaluation at its leaves; an action's value is its mean over the worlds. Inside a world
both players know too much, and a plan may rest on a draw that nobody foresees (strategy fusion,
Frank and Basin 1998): looking few turns ahead in many worlds keeps that small.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.solstis import Action, Observation, State
from solver.solstis.arguments import (
    DEEPEST,
    MOST,
    SolstisObjective,
    check_question,
    check_seconds,
    check_whole,
)
from solver.solstis.evaluation import weights_for
from solver.solstis.lookahead import MARGIN, WIN, new_line, option_values

__all__ = ["Alternative", "Choice", "SolstisObjective", "choose"]

_DEFAULT_SAMPLES, _DEFAULT_DEPTH, _DEFAULT_SECONDS = 200, 2, 1.0
_FEWEST: Final = 40
"""So many worlds should fit in the time before a deeper search is taken."""
_PLAYOUT: Final = 0
"""Turns played on greedily at the horizon: deeper search was better than any."""
_NODES_A_SECOND: Final = 5_000_000
"""More than most machines visit: bounds what a trial of the next depth may take."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One legal action, judged.

    Attributes
    ----------
    action : Action
        The action.
    value : float
        Mean over the worlds, in points of the margin or as a chance to win.
    error : float
        Standard error of that mean; what all actions of a world share is in it.
    loss : float
        The mean by which it is worse than the chosen action in the same worlds.
    loss_error : float
        Standard error of the loss: what is told apart by the search.
    best_in : int
        In how many worlds it was the best, or as good as the best.
    """

    action: Action
    value: float
    error: float
    loss: float
    loss_error: float
    best_in: int


@dataclass(frozen=True, slots=True)
class Choice:
    """What `choose` found.

    Attributes
    ----------
    action : Action
        The action with the highest mean.
    value : float
        Its mean, to the player who decides: expected margin in points, or chance to win.
    alternatives : tuple of Alternative
        All legal actions, the best first.
    objective : {"margin", "win"}
        What was maximised.
    samples : int
        How many worlds were searched; 0 where there was nothing to choose.
    depth : int
        How many turns were looked at after the present one.
    nodes : int
        Positions visited.
    seconds : float
        Time taken.
    """

    action: Action
    value: float
    alternatives: tuple[Alternative, ...]
    objective: SolstisObjective
    samples: int
    depth: int
    nodes: int
    seconds: float

    def __str__(self) -> str:
        unit = "points" if self.objective == "margin" else "chance to win"
        lines = [
            f"{self.action}: {self.value:+.2f} {unit} ({self.samples} worlds, {self.depth} turns "
            f"after this one, {self.nodes} positions, {self.seconds:.1f} s)"
        ]
        lines += [
            f"  {one.action!s:32s} {one.value:+8.3f} +- {one.error:.3f}   loses "
            f"{one.loss:.3f} +- {one.loss_error:.3f}   best in {one.best_in}"
            for one in self.alternatives
        ]
        return "\n".join(lines)


def choose(  # noqa: PLR0917
    observation: Observation,
    objective: SolstisObjective = "margin",
    seconds: float | None = None,
    depth: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Choice:
    """Choose an action from what a player sees.

    With `seconds` it is anytime: it looks as deep as leaves time for some 40 worlds, and always
    has an action. Without, it searches `samples` worlds (200) to `depth` (2) and is reproducible.

    Parameters
    ----------
    observation : Observation
        What the player sees, at a decision of that player.
    objective : {"margin", "win"}
        The expected difference of scores, or the chance to win (a draw counts one half).
    seconds : float, optional
        Time for this decision.
    depth : int, optional
        How many turns to look at after the present one.
    samples : int, optional
        How many worlds to search; with `seconds` as well, at most so many.
    seed : int
        Of the worlds.
    progress : callable, optional
        Called with the number of worlds searched.

    Returns
    -------
    Choice
        The action with the highest mean, and what each other one would lose.

    Raises
    ------
    SolverError
        If the player has nothing to decide, or a time, depth or number makes no sense.

    Examples
    --------
    >>> from games.solstis import State
    >>> choice = choose(State.new(5).observe(0), depth=1, samples=20)
    >>> choice.action in State.new(5).legal(), choice.samples, choice.depth
    (True, 20, 1)
    """
    legal = check_question(observation, objective)
    check_seconds(seconds)
    check_whole("depth", depth, 0, DEEPEST)
    check_whole("samples", samples, 1, MOST)
    check_whole("seed", seed, 0, 2**63)
    _compile()
    started = perf_counter()
    if len(legal) == 1 and seconds is not None:
        only = Alternative(legal[0], math.nan, math.nan, 0.0, 0.0, 0)
        return Choice(legal[0], math.nan, (only,), objective, 0, 0, 0, perf_counter() - started)
    search = _Search(observation, objective, len(legal), seed)
    until = None if seconds is None else started + seconds
    if depth is None:
        depth = _DEFAULT_DEPTH if until is None else search.depth_for(until)
    most = samples if samples is not None else (_DEFAULT_SAMPLES if until is None else MOST)
    while len(search.rows) < most:
        if until is not None and search.rows and perf_counter() + search.slowest > until:
            break
        if not search.add_world(depth):
            depth -= 1
        if progress is not None:
            progress(len(search.rows))
    return search.result(legal, depth, perf_counter() - started)


@cache
def _compile() -> None:
    """Search once, so that compiling, or loading what is compiled, takes no one's time."""
    start = State.new(0)
    _Search(start.observe(0), "margin", len(start.legal()), 0).add_world(1)


class _Search:
    """Worlds searched so far."""

    def __init__(
        self, observation: Observation, objective: SolstisObjective, number: int, seed: int
    ) -> None:
        self.observation = observation
        self.objective = objective
        self.number = number
        self.rng = np.random.default_rng(seed)
        self.weights = weights_for(observation.rules)
        self.line = new_line()
        self.values = np.empty(self.line[1].shape[1])
        self.counts = np.zeros(2, dtype=np.int64)
        self.rows: list[NDArray[np.float64]] = []
        self.nodes = 0
        self.slowest = 0.0

    def add_world(self, depth: int, most_nodes: int = 10**9) -> bool:
        """Search one more world; return False if that takes more nodes than allowed."""
        started = perf_counter()
        world = self.observation.sample(self.rng)
        row = self._search(world._core, depth, most_nodes)
        self.slowest = max(self.slowest, perf_counter() - started)
        if row is None:
            return False
        self.rows.append(row)
        return True

    def _search(self, core: Any, depth: int, most_nodes: int) -> NDArray[np.float64] | None:
        self.line[0][0] = core
        self.counts[:] = (0, most_nodes)
        number = option_values(
            *self.line,
            depth,
            self.rng.permutation(60),
            self.rng.permutation(19),
            _PLAYOUT,
            WIN if self.objective == "win" else MARGIN,
            self.weights,
            self.counts,
            self.values,
        )
        self.nodes += int(self.counts[0])
        if number < 0:
            return None
        values = self.values[:number].copy()
        if self.observation.player == 1:
            values = 1 - values if self.objective == "win" else -values
        return values

    def depth_for(self, until: float) -> int:
        """Return how deep to look so that some 40 worlds fit in the time."""
        left = until - perf_counter()
        depth = 0
        for deeper in range(DEEPEST + 1):
            started = perf_counter()
            world = self.observation.sample(self.rng)
            most = max(int(left / _FEWEST * _NODES_A_SECOND), 1000)
            row = self._search(world._core, deeper, most)
            took = perf_counter() - started
            if row is None or took * _FEWEST > left:
                return max(deeper - 1, 0)
            depth = deeper
        return depth

    def result(self, legal: list[Action], depth: int, seconds: float) -> Choice:
        table = np.array(self.rows)
        means = table.mean(axis=0)
        best = int(np.argmax(means))
        worlds = len(table)
        losses = table[:, [best]] - table
        top = table.max(axis=1, keepdims=True)
        tied = (table >= top - 1e-9).sum(axis=0)
        alternatives = [
            Alternative(
                legal[k],
                float(means[k]),
                _standard_error(table[:, k]),
                float(losses[:, k].mean()) + 0.0,
                _standard_error(losses[:, k]),
                int(tied[k]),
            )
            for k in range(self.number)
        ]
        alternatives.sort(key=lambda one: (-one.value, str(one.action)))
        return Choice(
            alternatives[0].action,
            alternatives[0].value,
            tuple(alternatives),
            self.objective,
            worlds,
            depth,
            self.nodes,
            seconds,
        )


def _standard_error(values: NDArray[np.float64]) -> float:
    if len(values) < 2:
        return math.inf
    return float(values.std(ddof=1) / math.sqrt(len(values)))
