"""The whole game as it is really played: the choice of extras, then any deal.

The choice of extras is the root of the game. It is coupled through chance to one deal for each
class of face-up sequences; by rotation it is a choice between three kinds (equals, neighbours,
opposites). Every iteration updates one player in all classes, then that player's choice of extras,
then the other player. Each class is computed by itself and the classes are added up in a fixed
order, so that the result has the same bits whatever the number of workers.
"""

import json
import math
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules, Time
from games.files import written_aside
from solver.clash.hidden.arguments import check_tolerance
from solver.clash.hidden.classes import class_layout, kinds, sequence_classes, spread
from solver.clash.hidden.regrets import bytes_needed, update_choice
from solver.clash.hidden.whole_solution import WholeSolution
from solver.clash.hidden.workers import Workers, dask_workers, thread_workers
from solver.clash.open_hands import check_objective, check_rules
from solver.errors import SolverError, StateError, TableError
from solver.regret_rules import DEFAULT_RULE, RegretRule, RegretStep

__all__ = ["WholeProgress", "solve_whole"]

FloatArray: TypeAlias = NDArray[np.float64]

_FORMAT, _VERSION = "solaris-clash-whole-checkpoint", 1
_FIRST_CHECK, _CHECK_GROWTH = 50, 1.25
_TELL = 10
"""Progress is told every so many iterations, measured or not."""


@dataclass(frozen=True, slots=True)
class WholeProgress:
    """How far the whole game is solved.

    Attributes
    ----------
    iterations : int
        How many were made.
    exploitability : float
        As measured last, in antes or points; infinite before the first measurement.
    seconds : float
        Since this call began.
    seconds_left : float
        An estimate from how fast the exploitability fell between the last measurements; infinite
        while it cannot be told.
    bytes : int
        Memory that the regrets take; at the start, at most this.
    """

    iterations: int
    exploitability: float
    seconds: float
    seconds_left: float
    bytes: int


class _Root:
    """Both players' choice of the kind of extras: chances, regrets and weighted sums."""

    def __init__(self) -> None:
        count = len(kinds())
        self.numbers = np.zeros((2, 3, count))
        # At first each of the ten pairs is as likely.
        self.numbers[:, 0] = np.array([len(members) for members in kinds()]) / 10

    def hands(self, player: int) -> FloatArray:
        return spread(self.numbers[player, 0])

    def average(self, player: int) -> FloatArray:
        total = self.numbers[player, 2]
        return spread(total / total.sum())

    def update(self, player: int, worth: FloatArray, step: RegretStep) -> None:
        earned = np.array([worth[list(members)].mean() for members in kinds()])
        update_choice(self.numbers[player], earned, step)


def solve_whole(  # noqa: PLR0917
    objective: Objective = "win",
    rules: Rules | None = None,
    tolerance: float = 1e-3,
    checkpoint: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    iterations: int = 20_000,
    checkpoint_seconds: float = 300.0,
    rule: RegretRule | None = None,
    client: Any = None,
    progress: Callable[[WholeProgress], None] | None = None,
) -> WholeSolution:
    """Solve the whole game with hidden extras, from choosing them.

    Parameters
    ----------
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points.
    rules : Rules, optional
        For two players, without a bonus of the user's own (of which no symmetry is known).
    tolerance : float
        Stop when the exploitability of the whole strategy is at most this, in antes or points.
    checkpoint : path, optional
        A folder for checkpoints. A run that was ended at any moment goes on from the last complete
        one and ends with the same bits as an uninterrupted run.
    workers : int, optional
        How many threads; as many as there are cores by default. The result does not depend on it.
    iterations : int
        Stop after so many iterations in any case.
    checkpoint_seconds : float
        How often to write a checkpoint.
    rule : RegretRule, optional
        How regrets and averages are updated; `solver.regret_rules.DEFAULT_RULE` by default.
    client : dask.distributed.Client, optional
        Compute on its workers instead of threads here. The checkpoint folder must then be one that
        all of them see.
    progress : callable, optional
        Called with a `WholeProgress` at the start, before memory is taken, and at every
        measurement.

    Returns
    -------
    WholeSolution
        The better of the two players' strategies, for both (the game is the same for both), with
        the exploitability that was measured for it.

    Raises
    ------
    StateError
        If the rules are not for two players or have a bonus of the user's own.
    SolverError
        If the objective, the tolerance or another number makes no sense.
    TableError
        If the checkpoint is of another game or damaged.
    """
    objective = check_objective(objective)
    rules = check_rules(rules)
    if rules.bonus is not None:
        raise StateError(f"the whole game is solved with no own bonus, not with {rules}")
    tolerance = check_tolerance(tolerance)
    for name, number in (("iterations", iterations), ("workers", workers or 1)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise SolverError(f"{name} is {number!r}: expected a whole number, 1 or more")
    run = _Run(objective, rules, rule or DEFAULT_RULE, checkpoint, checkpoint_seconds, progress)
    classes = sequence_classes(rules.time_deck)
    # The largest class is one of four different times; told before the memory is taken.
    example = class_layout((*Time, None, None), objective, rules)
    run.bytes = len(classes) * bytes_needed(example)
    run.tell(0)
    if client is None:
        pool = thread_workers(classes, objective, rules, workers or os.cpu_count() or 1)
    else:
        pool = dask_workers(classes, objective, rules, client)
    with pool:
        return run.solve(pool, tolerance, iterations)


class _Run:
    """One run of `solve_whole`: what it has learned, and where it keeps it."""

    def __init__(  # noqa: PLR0917
        self,
        objective: Objective,
        rules: Rules,
        rule: RegretRule,
        checkpoint: str | os.PathLike[str] | None,
        checkpoint_seconds: float,
        progress: Callable[[WholeProgress], None] | None,
    ) -> None:
        self.objective, self.rules, self.rule = objective, rules, rule
        self.folder = None if checkpoint is None else Path(checkpoint)
        self.checkpoint_seconds = checkpoint_seconds
        self.progress = progress
        self.started = perf_counter()
        self.seconds_before = 0.0
        self.root = _Root()
        self.curve: list[tuple[int, float]] = []
        self.bytes = 0
        self.tolerance, self.iterations, self.resumed = 1.0, 1, 0

    def solve(self, pool: Workers, tolerance: float, iterations: int) -> WholeSolution:
        self.tolerance, self.iterations = tolerance, iterations
        weights = np.array([one.chance for one in sequence_classes(self.rules.time_deck)])
        self.bytes = pool.bytes()
        done = self.resumed = self._resume(pool)
        saved = perf_counter()
        measured: tuple[int, float] | None = None
        while True:
            if self.curve and (self.curve[-1][1] <= tolerance or done >= iterations):
                break
            done += 1
            step = self.rule.step(done)
            for player in (0, 1):
                worth = pool.update(
                    player, self.root.hands(player), self.root.hands(1 - player), step
                )
                self.root.update(player, _summed(weights, worth), step)
            if _is_check(done) or done >= iterations:
                measured = self._measure(pool, weights)
                self.curve.append((done, measured[1]))
                self.tell(done)
            elif done % _TELL == 0:
                self.tell(done)
            if perf_counter() - saved > self.checkpoint_seconds:
                self._save(pool, done)
                saved = perf_counter()
        self._save(pool, done)
        # Nothing was measured here when the checkpoint was that of a finished run.
        player, gap = measured or self._measure(pool, weights)
        behaviours = tuple(pool.averages(player))
        return WholeSolution(
            self.objective,
            self.rules,
            self.root.average(player),
            behaviours,
            gap,
            player,
            done,
            "tolerance" if gap <= tolerance else "iterations",
            self.rule.name,
            self.seconds_before + perf_counter() - self.started,
            tuple(self.curve),
        )

    def _measure(self, pool: Workers, weights: FloatArray) -> tuple[int, float]:
        """Return whose strategy is less exploitable when both play it, and by how much."""
        priors = (self.root.average(0), self.root.average(1))
        best = pool.best(priors)
        # A best response takes the kind of extras that earns most against the other's strategy.
        against = []
        for player in (0, 1):
            worth = _summed(weights, best[:, player])
            against.append(max(float(worth[list(members)].mean()) for members in kinds()))
        # What player 0 gains by a best response is what player 1's strategy gives away.
        gaps = (max(against[1], 0.0), max(against[0], 0.0))
        player = int(gaps[1] < gaps[0])
        return player, gaps[player]

    def tell(self, done: int) -> None:
        if self.progress is None:
            return
        seconds = perf_counter() - self.started
        gap = self.curve[-1][1] if self.curve else float("inf")
        left = self._seconds_left(seconds)
        self.progress(WholeProgress(done, gap, seconds, left, self.bytes))

    def _seconds_left(self, seconds: float) -> float:
        """Estimate the time to the tolerance: the exploitability falls as a power of iterations."""
        if len(self.curve) < 2:
            return float("inf")
        (before, gap_before), (now, gap) = self.curve[-2:]
        if not 0 < gap < gap_before:
            return float("inf")
        power = math.log(gap_before / gap) / math.log(now / before)
        wanted = now * max(gap / self.tolerance, 1.0) ** (1 / power)
        each = seconds / max(now - self.resumed, 1)
        return float((min(wanted, self.iterations) - now) * each)

    # Checkpoints: a folder for each, complete once it has its final name.

    def _header(self, done: int) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "objective": self.objective,
            "rules": {"time_deck": self.rules.time_deck, "sunburst": self.rules.sunburst},
            "rule": {"name": self.rule.name, **asdict(self.rule)},  # type: ignore[call-overload]
            "iterations": done,
            "curve": self.curve,
            "seconds": self.seconds_before + perf_counter() - self.started,
            "root": self.root.numbers.tolist(),
        }

    def _save(self, pool: Workers, done: int) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self.folder / f"iteration-{done:07d}"
        if target.exists():
            return
        aside = self.folder / f"{target.name}.partial"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        pool.save(aside)
        with written_aside(aside / "header.json") as file:
            file.write(json.dumps(self._header(done)).encode())
        aside.rename(target)
        for old in _complete(self.folder):
            if old != target:
                shutil.rmtree(old, ignore_errors=True)

    def _resume(self, pool: Workers) -> int:
        """Load the last complete checkpoint, if there is one; return its iteration."""
        if self.folder is None or not self.folder.exists():
            return 0
        found = _complete(self.folder)
        if not found:
            return 0
        last = found[-1]
        try:
            header = json.loads((last / "header.json").read_text())
            mine = self._header(0)
            for key in ("format", "version", "objective", "rules", "rule"):
                if header[key] != mine[key]:
                    raise TableError(
                        f"{last} was made for {key} {header[key]!r}, not {mine[key]!r}: take "
                        "another folder"
                    )
            pool.load(last)
            self.root.numbers[:] = header["root"]
            self.curve = [(int(done), float(gap)) for done, gap in header["curve"]]
            self.seconds_before = float(header["seconds"])
            return int(header["iterations"])
        except TableError:
            raise
        except (ValueError, KeyError, TypeError, OSError, EOFError) as error:
            raise TableError(f"the checkpoint {last} is damaged: {error}") from None


def _complete(folder: Path) -> list[Path]:
    names = (path for path in folder.glob("iteration-*") if path.name[10:].isdecimal())
    return sorted(names)


def _is_check(done: int) -> bool:
    """Whether the exploitability is measured after this iteration; told by its number alone."""
    check = _FIRST_CHECK
    while check < done:
        check = round(check * _CHECK_GROWTH)
    return check == done


def _summed(weights: FloatArray, worth: FloatArray) -> FloatArray:
    """Add up the classes in their order, so that the sum does not depend on who computed them."""
    total = np.zeros(worth.shape[1])
    for weight, values in zip(weights, worth, strict=True):
        total += weight * values
    return total
