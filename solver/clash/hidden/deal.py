"""Solving one deal with hidden hands, from round 1 or from any later public position."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules
from games.clash.elements import TimesLike
from games.clash.hand import HandLike
from solver.clash.hidden.arguments import check_tolerance, read_deal
from solver.clash.hidden.best_response import Behaviour, best_response, own_reach, profile_value
from solver.clash.hidden.layout import HiddenLayout
from solver.clash.hidden.regrets import DealRegrets, bytes_needed
from solver.clash.hidden.solution import HiddenSolution
from solver.errors import SolverError
from solver.regret_rules import DEFAULT_RULE, RegretRule

__all__ = ["Progress", "next_check", "solve_hidden"]

FloatArray: TypeAlias = NDArray[np.float64]

_SINGLE_FROM = 1e-5
"""From this tolerance on, float32 is exact enough for the regrets of the last two cards."""

_FIRST_CHECK, _FALL = 20, 1.7


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solution is.

    Attributes
    ----------
    iterations : int
        How many were made.
    exploitability : float
        As measured last, in antes or points; infinite before the first measurement.
    seconds : float
        Since the start.
    bytes : int
        Memory that the regrets take.
    bounds : pair of float
        What player 0's strategy guaranteed when measured last, and what player 1's conceded;
        infinite before the first measurement.
    """

    iterations: int
    exploitability: float
    seconds: float
    bytes: int
    bounds: tuple[float, float] = (-math.inf, math.inf)


def solve_hidden(  # noqa: PLR0917
    times: TimesLike,
    objective: Objective = "win",
    hands: Sequence[Iterable[HandLike]] | None = None,
    priors: Sequence[Sequence[SupportsFloat]] | None = None,
    points: Sequence[int] = (0, 0),
    streaks: Sequence[int | str] = (0, 0),
    rules: Rules | None = None,
    tolerance: float = 1e-3,
    iterations: int = 20_000,
    seed: int = 0,
    rule: RegretRule | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> HiddenSolution:
    """Solve a deal in which each player knows only the own hand.

    Counterfactual regret minimisation in vector form: all hands of both players at once on the
    public tree, alternating updates, until a best response of either player to the average
    strategies gains less than the tolerance.

    Parameters
    ----------
    times : row of times
        The six codes, ``--`` for face down.
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points at the end.
    hands : pair of iterables of Hand, optional
        The hands that each player may hold, all of one size: six cards for the game from round 1,
        five from round 2, and so on. The ten full hands by default.
    priors : pair of sequences of float, optional
        Their chances, uniform by default. The two players' hands are independent.
    points, streaks : pair, optional
        At the start; streaks only matter with Sunburst.
    rules : Rules, optional
        The options of the rules, for two players.
    tolerance : float
        Stop when the exploitability is at most this, in antes or points.
    iterations : int
        Stop after so many iterations in any case.
    seed : int
        Kept with the result; nothing is random here, so that every seed gives the same bits.
    rule : RegretRule, optional
        How regrets and averages are updated; `solver.regret_rules.DEFAULT_RULE` by default.
    progress : callable, optional
        Called with a `Progress` before the first iteration, when the memory is known but not yet
        taken, and at every measurement.

    Returns
    -------
    HiddenSolution
        Strategies, beliefs and best responses, with the exploitability that they measured.

    Raises
    ------
    StateError
        If the position cannot be, the hands differ in size, a hand is given twice, the chances are
        negative or do not sum to 1, or the game is not for two players.
    SolverError
        If the objective, tolerance or number of iterations makes no sense.

    Examples
    --------
    >>> solution = solve_hidden("DaNoDaNoDu--", hands=[["WF", "WA"], ["FE", "AE"]])
    >>> solution.exploitability <= 1e-3
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise SolverError(f"seed is {seed!r}: expected a whole number")
    tolerance = check_tolerance(tolerance)
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
        raise SolverError(f"iterations is {iterations!r}: expected a whole number, 1 or more")
    deal = read_deal(times, objective, hands, priors, points, streaks, rules)
    chosen = DEFAULT_RULE if rule is None else rule
    started = perf_counter()
    layout = deal.layout()
    single = tolerance >= _SINGLE_FROM

    def tell(done: int, bounds: tuple[float, float]) -> None:
        if progress is not None:
            gap, size = (bounds[1] - bounds[0]) / 2, bytes_needed(layout, single)
            progress(Progress(done, gap, perf_counter() - started, size, bounds))

    tell(0, (-math.inf, math.inf))
    regrets = DealRegrets(layout, single)
    done, check, curve = 0, min(_FIRST_CHECK, iterations), []
    while True:
        for _ in range(check - done):
            done += 1
            step = chosen.step(done)
            for player in (0, 1):
                regrets.update(player, deal.priors[player], deal.priors[1 - player], step)
        behaviours = (regrets.average(0), regrets.average(1))
        bounds = _bounds(layout, behaviours, deal.priors)
        gap = (bounds[1] - bounds[0]) / 2
        curve.append((done, gap))
        tell(done, bounds)
        if gap <= tolerance or done >= iterations:
            break
        check = min(next_check(done, gap / tolerance), iterations)
    reaches = (
        own_reach(layout, 0, behaviours[0].rounds, deal.priors[0]),
        own_reach(layout, 1, behaviours[1].rounds, deal.priors[1]),
    )
    value, _ = profile_value(layout, behaviours, reaches, 0)
    return HiddenSolution(
        deal.objective,
        deal.rules,
        deal.times,
        deal.priors,
        (deal.points[0], deal.points[1]),
        deal.streaks,
        layout,
        behaviours,
        value,
        bounds,
        done,
        "tolerance" if gap <= tolerance else "iterations",
        chosen.name,
        perf_counter() - started,
        tuple(curve),
        seed,
    )


def next_check(done: int, excess: float) -> int:
    """Return when to measure again: when the tolerance may have been reached, but not too late.

    The exploitability falls about as fast as the 1.7th power of the iterations.
    """
    expected = float(done * excess ** (1 / _FALL))
    return max(done + 1, round(min(max(expected, 1.05 * done), 2 * done)))


def _bounds(
    layout: HiddenLayout,
    behaviours: tuple[Behaviour, Behaviour],
    priors: tuple[FloatArray, FloatArray],
) -> tuple[float, float]:
    """Return what player 0's strategy guarantees and what player 1's concedes."""
    best = []
    for player in (0, 1):
        other = 1 - player
        reach = own_reach(layout, other, behaviours[other].rounds, priors[other])
        by_type, _ = best_response(layout, player, reach, behaviours[other].plans)
        best.append(float(priors[player] @ by_type))
    return -best[1], best[0]
