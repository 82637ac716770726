"""The arguments of a deal with hidden hands, read and checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Hand, Objective, Rules, State, Time, full_hands, parse_times
from games.clash.elements import TimesLike
from games.clash.hand import HandLike
from solver.clash.hidden.layout import HiddenLayout, hidden_layout
from solver.clash.open_hands import check_objective, check_rules
from solver.errors import SolverError, StateError

__all__ = ["SMALLEST_TOLERANCE", "Deal", "check_tolerance", "read_deal"]

FloatArray: TypeAlias = NDArray[np.float64]

SMALLEST_TOLERANCE = 1e-10
"""Below this the measured exploitability is mostly rounding."""


@dataclass(frozen=True)
class Deal:
    """What is solved: a checked deal with its chances.

    Attributes
    ----------
    times : tuple of six times
        None where face down.
    hands : pair of tuples of Hand
        The possible hands of each player.
    priors : pair of float arrays
        Their chances.
    points, streaks : tuple
        At the start; streaks empty when Sunburst is off.
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    """

    times: tuple[Time | None, ...]
    hands: tuple[tuple[Hand, ...], tuple[Hand, ...]]
    priors: tuple[FloatArray, FloatArray]
    points: tuple[int, ...]
    streaks: tuple[int | str, ...]
    objective: Objective
    rules: Rules

    def layout(self) -> HiddenLayout:
        """Return the deal in arrays."""
        memory = None if self.rules.bonus is None else self.rules.bonus.start
        account = (self.points[0] - self.points[1], self.streaks, memory)
        return hidden_layout(self.times, self.hands, self.objective, self.rules, account)


def check_tolerance(tolerance: float) -> float:
    """Return the tolerance if an exploitability of this size can be measured."""
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float | np.floating):
        raise SolverError(f"tolerance is {tolerance!r}: expected a positive number")
    if not SMALLEST_TOLERANCE <= tolerance < np.inf:
        raise SolverError(
            f"tolerance is {tolerance!r}: an exploitability below {SMALLEST_TOLERANCE} cannot be "
            "measured in float64, and it must be finite"
        )
    return float(tolerance)


def read_deal(  # noqa: PLR0917
    times: TimesLike,
    objective: Objective,
    hands: Sequence[Iterable[HandLike]] | None,
    priors: Sequence[Sequence[SupportsFloat]] | None,
    points: Sequence[int],
    streaks: Sequence[int | str],
    rules: Rules | None,
) -> Deal:
    """Read and check the arguments of `solve_hidden`."""
    rules = check_rules(rules)
    if isinstance(times, State) or (isinstance(times, str) and "/" in times):
        raise StateError(
            f"{times} is a position: solve_hidden takes the times that are turned up, as DaNoDuMi, "
            "and the hands that players may hold"
        )
    row = parse_times(times)
    held = _read_hands(hands)
    start_streaks = tuple(streaks) if rules.sunburst != "off" else ()
    # A state of these hands is what checks times, points and streaks.
    example = State((held[0][0], held[1][0]), row, tuple(points), start_streaks, rules=rules)
    if example.rounds_played == len(example.times):
        raise StateError("no cards are left: there is nothing to solve")
    chances = _read_priors(priors, held)
    return Deal(
        example.times, held, chances, example.points, example.streaks,
        check_objective(objective), rules,
    )  # fmt: skip


def _read_hands(
    hands: Sequence[Iterable[HandLike]] | None,
) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
    if hands is None:
        ten = tuple(full_hands().values())
        return ten, ten
    if isinstance(hands, str) or len(hands) != 2 or any(isinstance(h, str) for h in hands):
        raise StateError(f"hands is {hands!r}: expected the possible hands of each of two players")
    first, second = (tuple(Hand.parse(hand) for hand in possible) for possible in hands)
    for player, possible in enumerate((first, second)):
        if not possible:
            raise StateError(f"player {player} has no possible hand")
        if len(set(possible)) < len(possible):
            raise StateError(
                f"a hand of player {player} is given twice: {list(map(str, possible))}"
            )
    sizes = {len(hand) for hand in first + second}
    if len(sizes) > 1:
        raise StateError(f"the possible hands differ in size: {sorted(sizes)} cards")
    return first, second


def _read_priors(
    priors: Sequence[Sequence[SupportsFloat]] | None,
    hands: tuple[tuple[Hand, ...], tuple[Hand, ...]],
) -> tuple[FloatArray, FloatArray]:
    if priors is None:
        uniform = [np.full(len(possible), 1 / len(possible)) for possible in hands]
        return uniform[0], uniform[1]
    if len(priors) != 2:
        raise StateError(f"priors is {priors!r}: expected the chances of each of two players")
    read = []
    for player, (chances, possible) in enumerate(zip(priors, hands, strict=True)):
        try:
            array = np.array([float(chance) for chance in chances])
        except (TypeError, ValueError):
            raise StateError(
                f"the chances of player {player} are no numbers: {chances!r}"
            ) from None
        if len(array) != len(possible):
            raise StateError(
                f"player {player} has {len(possible)} possible hands, but {len(array)} chances"
            )
        if not np.isfinite(array).all() or (array < 0).any():
            raise StateError(f"the chances of player {player} must be 0 or more: {array.tolist()}")
        if abs(array.sum() - 1) > 1e-9:
            raise StateError(f"the chances of player {player} sum to {array.sum():.12g}, not to 1")
        read.append(array / array.sum())
    return read[0], read[1]
