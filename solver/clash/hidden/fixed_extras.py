"""Always the same extras, and the opponent knows: what that game is worth.

Player 0's hand is known then. The opponent still chooses extras in secret, before any time is seen,
so that this is one game over all face-up sequences. It is solved as the whole game is: a choice of
extras on top, a deal below it for every face-up sequence (those merged that are rotations of each
other by a rotation that leaves player 0's extras as they are).
"""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import EXTRAS_LABELS, Element, Hand, Objective, Rules, full_hands
from games.errors import GameError
from solver.clash.hidden.arguments import check_tolerance
from solver.clash.hidden.best_response import best_response, own_reach
from solver.clash.hidden.classes import sequence_classes, spread
from solver.clash.hidden.deal import Progress, next_check
from solver.clash.hidden.layout import HiddenLayout, hidden_layout
from solver.clash.hidden.regrets import DealRegrets, bytes_needed, update_choice
from solver.clash.open_hands import check_objective, check_rules
from solver.errors import SolverError, StateError
from solver.regret_rules import DEFAULT_RULE, RegretRule, RegretStep

__all__ = ["FixedExtras", "KnownHandGame", "solve_fixed_extras"]

FloatArray: TypeAlias = NDArray[np.float64]

_FIRST_CHECK = 50


@dataclass(frozen=True, eq=False)
class FixedExtras:
    """What taking extras that the opponent knows of is worth.

    Attributes
    ----------
    extras : str
        The label of player 0's extras.
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    bounds : pair of float
        What player 0's strategy guarantees, and what player 1's concedes: the value of this game to
        player 0 lies between them.
    reply : dict
        How often player 1 takes each pair of extras.
    iterations : int
        How many iterations were made.
    stopped : str
        Why no more were: ``"tolerance"`` or ``"iterations"``.
    method : str
        The regret rule.
    seconds : float
        How long it took.
    curve : tuple of (int, float)
        Exploitability after some of the iterations.
    """

    extras: str
    objective: Objective
    rules: Rules
    bounds: tuple[float, float]
    reply: dict[str, float]
    iterations: int
    stopped: str
    method: str
    seconds: float
    curve: tuple[tuple[int, float], ...]

    @property
    def value(self) -> float:
        """The middle of the bounds: the value to player 0 within the exploitability."""
        return (self.bounds[0] + self.bounds[1]) / 2

    @property
    def exploitability(self) -> float:
        """Half the distance of the bounds, in antes or points."""
        return (self.bounds[1] - self.bounds[0]) / 2

    @property
    def unit(self) -> str:
        """The unit of all values: antes or points."""
        return "antes" if self.objective == "win" else "points"

    def __str__(self) -> str:
        low, high = self.bounds
        chosen = ", ".join(f"{label} {p:.1%}" for label, p in self.reply.items() if p > 5e-4)
        return (
            f"always {self.extras}, {self.objective}, {self.rules}: worth {self.value:+.4f} "
            f"{self.unit}, between {low:+.4f} and {high:+.4f} ({self.iterations} iterations of "
            f"{self.method}, {self.seconds:.0f} s; stopped by {self.stopped})\nreply: {chosen}"
        )


class KnownHandGame:
    """Player 1 chooses a hand, chance a deal; player 0 holds a hand that player 1 knows.

    Parameters
    ----------
    layouts : sequence of HiddenLayout
        The deals: one type of player 0, and the same types of player 1 in each.
    chances : sequence of float
        The chance of each deal.
    groups : sequence of sequences of int
        Player 1's types by number, those together that are as good by symmetry.
    workers : int
        How many threads.
    single : bool
        Whether the choices of plan are kept in float32.
    """

    def __init__(
        self,
        layouts: Sequence[HiddenLayout],
        chances: Sequence[float],
        groups: Sequence[Sequence[int]],
        workers: int = 1,
        single: bool = True,
    ) -> None:
        self._deals = [DealRegrets(layout, single) for layout in layouts]
        self._chances = np.array(chances)
        self._groups = groups
        self._numbers = np.zeros((3, len(groups)))
        # At first every hand is as likely.
        sizes = np.array([len(members) for members in groups])
        self._numbers[0] = sizes / sizes.sum()
        self._executor = ThreadPoolExecutor(workers)

    def iterate(self, step: RegretStep) -> None:
        """Update player 0 in every deal, then player 1 with the choice of the hand."""
        known, secret = np.ones(1), spread(self._numbers[0], self._groups)
        self._summed(lambda deal: deal.update(0, known, secret, step))
        worth = self._summed(lambda deal: deal.update(1, secret, known, step))
        update_choice(self._numbers, self._by_group(worth), step)

    def reply(self) -> FloatArray:
        """Return how often player 1 takes each hand, on average."""
        total = self._numbers[2]
        return spread(total / total.sum(), self._groups)

    def bounds(self) -> tuple[float, float]:
        """Return what player 0's average strategy guarantees and what player 1's concedes."""
        priors = np.ones(1), self.reply()

        def best(deal: DealRegrets) -> FloatArray:
            earned = []
            for player in (0, 1):
                behaviour, prior = deal.average(1 - player), priors[1 - player]
                reach = own_reach(deal.layout, 1 - player, behaviour.rounds, prior)
                earned.append(best_response(deal.layout, player, reach, behaviour.plans)[0])
            return np.concatenate(earned)

        best0, *best1 = self._summed(best)
        return -float(self._by_group(np.array(best1)).max()), float(best0)

    def _summed(self, ask: Callable[[DealRegrets], FloatArray]) -> FloatArray:
        """Add up what the deals answer in their order, whoever computed it."""
        answers = self._executor.map(ask, self._deals)
        parts = [one * answer for one, answer in zip(self._chances, answers, strict=True)]
        total: FloatArray = np.sum(parts, axis=0)
        return total

    def _by_group(self, worth: FloatArray) -> FloatArray:
        return np.array([worth[list(members)].mean() for members in self._groups])


def solve_fixed_extras(  # noqa: PLR0917
    extras: str,
    objective: Objective = "win",
    rules: Rules | None = None,
    tolerance: float = 3e-3,
    workers: int | None = None,
    iterations: int = 20_000,
    rule: RegretRule | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> FixedExtras:
    """Solve the game in which player 0 always takes the same extras and player 1 knows.

    Parameters
    ----------
    extras : str
        Two elements: ``"WF"``.
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points.
    rules : Rules, optional
        For two players, without a bonus of the user's own (of which no symmetry is known).
    tolerance : float
        Stop when the exploitability is at most this, in antes or points.
    workers : int, optional
        How many threads; as many as there are cores by default. The result does not depend on it.
    iterations : int
        Stop after so many iterations in any case.
    rule : RegretRule, optional
        How regrets and averages are updated; `solver.regret_rules.DEFAULT_RULE` by default.
    progress : callable, optional
        Called with a `Progress` before memory is taken and at every measurement.

    Returns
    -------
    FixedExtras
        The value within bounds that best responses measured.

    Raises
    ------
    StateError
        If the extras are no two elements, or the rules are not for two players or have a bonus of
        the user's own.
    SolverError
        If the objective, the tolerance or another number makes no sense.
    """
    objective, rules = check_objective(objective), check_rules(rules)
    if rules.bonus is not None:
        raise StateError(f"fixed extras are solved with no own bonus, not with {rules}")
    hand = _hand(extras)
    tolerance = check_tolerance(tolerance)
    for name, number in (("iterations", iterations), ("workers", workers or 1)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise SolverError(f"{name} is {number!r}: expected a whole number, 1 or more")
    started = perf_counter()
    ten = tuple(full_hands().values())
    # Rotations that leave the extras as they are merge deals, and hands of player 1.
    turns = tuple(turn for turn in range(4) if hand.rotated(turn) == hand)
    orbits = {frozenset(ten.index(other.rotated(turn)) for turn in turns) for other in ten}
    classes = sequence_classes(rules.time_deck, turns)
    account = (0, (0, 0) if rules.sunburst != "off" else (), None)
    layouts = [
        hidden_layout((*one.times, None, None), ((hand,), ten), objective, rules, account)
        for one in classes
    ]
    size = sum(map(bytes_needed, layouts))
    curve: list[tuple[int, float]] = []

    def tell(done: int, bounds: tuple[float, float]) -> None:
        if progress is not None:
            gap = (bounds[1] - bounds[0]) / 2
            progress(Progress(done, gap, perf_counter() - started, size, bounds))

    tell(0, (-math.inf, math.inf))
    game = KnownHandGame(
        layouts, [one.chance for one in classes], sorted(map(sorted, orbits)),
        workers or os.cpu_count() or 1,
    )  # fmt: skip
    chosen = DEFAULT_RULE if rule is None else rule
    done, check = 0, min(_FIRST_CHECK, iterations)
    while True:
        for number in range(done + 1, check + 1):
            game.iterate(chosen.step(number))
        done = check
        bounds = game.bounds()
        gap = (bounds[1] - bounds[0]) / 2
        curve.append((done, gap))
        tell(done, bounds)
        if gap <= tolerance or done >= iterations:
            break
        check = min(next_check(done, gap / tolerance), iterations)
    return FixedExtras(
        EXTRAS_LABELS[ten.index(hand)],
        objective,
        rules,
        bounds,
        dict(zip(EXTRAS_LABELS, game.reply().tolist(), strict=True)),
        done,
        "tolerance" if gap <= tolerance else "iterations",
        chosen.name,
        perf_counter() - started,
        tuple(curve),
    )


def _hand(extras: str) -> Hand:
    try:
        hand = Hand.parse((*Element, *extras))
    except (TypeError, GameError):
        hand = None
    if hand is None or not hand.is_full:
        raise StateError(f"{extras!r} are no extras: expected two of W, F, A, E")
    return hand
