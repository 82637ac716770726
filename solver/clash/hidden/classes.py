"""The face-up sequences of the whole game, one of each class under rotation, and their regrets.

A sequence and its three rotations are one deal in other colours. So the whole game is the choice of
extras, coupled through chance to one deal a class; a *share* is some of these deals, kept together
on a thread, a process or another machine.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import EXTRAS_LABELS, Objective, Rules, Time, face_up_sequences, full_hands
from solver.clash.hidden.best_response import Behaviour, best_response, own_reach
from solver.clash.hidden.layout import HiddenLayout, hidden_layout
from solver.clash.hidden.regrets import DealRegrets, bytes_needed
from solver.clash.selection import rotation_classes
from solver.regret_rules import RegretStep

__all__ = ["SequenceClass", "Share", "class_layout", "kinds", "sequence_classes", "spread"]

FloatArray: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SequenceClass:
    """A face-up sequence that stands for its rotations.

    Attributes
    ----------
    times : tuple of four Time
        The smallest of the rotations.
    chance : float
        The chance that one of the rotations is turned up.
    """

    times: tuple[Time, ...]
    chance: float


def sequence_classes(
    time_deck: str, rotations: Iterable[int] = range(4)
) -> tuple[SequenceClass, ...]:
    """Return the classes of face-up sequences, in the order of their times.

    Parameters
    ----------
    time_deck : {"independent", "distinct"}
        How the additional time cards are drawn.
    rotations : iterable of int
        The rotations that merge sequences, a group: all four, or those that leave something else as
        it is.

    Examples
    --------
    >>> len(sequence_classes("independent")), len(sequence_classes("distinct"))
    (63, 51)
    """
    steps = tuple(rotations)
    chances: dict[tuple[Time, ...], float] = {}
    for row, chance in face_up_sequences(time_deck).items():
        smallest = min(tuple(time.rotated(turn) for time in row) for turn in steps)
        chances[smallest] = chances.get(smallest, 0.0) + float(chance)
    return tuple(SequenceClass(row, chances[row]) for row in sorted(chances))


def kinds() -> tuple[tuple[int, ...], ...]:
    """Return the hands of each kind of extras (equals, neighbours, opposites) by their numbers."""
    return tuple(
        tuple(EXTRAS_LABELS.index(label) for label in group) for group in rotation_classes()
    )


def spread(chances: FloatArray, groups: Sequence[Sequence[int]] | None = None) -> FloatArray:
    """Return the chance of each hand, given that of each group; the groups are `kinds` if none."""
    groups = kinds() if groups is None else groups
    hands = np.zeros(sum(map(len, groups)))
    for members, chance in zip(groups, chances, strict=True):
        hands[list(members)] = chance / len(members)
    return hands


def class_layout(
    times: tuple[Time | None, ...], objective: Objective, rules: Rules
) -> HiddenLayout:
    """Return the deal of a face-up sequence from round 1, every full hand possible."""
    hands = tuple(full_hands().values())
    streaks = (0, 0) if rules.sunburst != "off" else ()
    return hidden_layout(times, (hands, hands), objective, rules, (0, streaks, None))


class Share:
    """The regrets of some classes.

    Parameters
    ----------
    classes : tuple of SequenceClass
        Which ones.
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        Rules for two players, without a bonus of the user's own.
    single : bool
        Whether the last two cards are kept in float32.
    """

    def __init__(
        self,
        classes: tuple[SequenceClass, ...],
        objective: Objective,
        rules: Rules,
        single: bool,
    ) -> None:
        self.classes = classes
        self.deals = [
            DealRegrets(class_layout((*one.times, None, None), objective, rules), single)
            for one in classes
        ]
        self._single = single

    def bytes(self) -> int:
        """Return how many bytes the regrets take."""
        return sum(bytes_needed(deal.layout, self._single) for deal in self.deals)

    def update(
        self, player: int, own: FloatArray, other: FloatArray, step: RegretStep
    ) -> FloatArray:
        """Update one player's regrets; return what each hand was worth, shape (classes, 10)."""
        return np.array([deal.update(player, own, other, step) for deal in self.deals])

    def best(self, priors: tuple[FloatArray, FloatArray]) -> FloatArray:
        """Return what each player's hands earn by best responses, shape (classes, 2, 10)."""
        return np.array(
            [best_of(deal, (deal.average(0), deal.average(1)), priors) for deal in self.deals]
        )

    def averages(self, player: int) -> list[Behaviour]:
        """Return the average strategies of a player."""
        return [deal.average(player) for deal in self.deals]

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the regrets, a file for each class."""
        for one, deal in zip(self.classes, self.deals, strict=True):
            arrays: dict[str, NDArray[Any]] = {}
            for player in (0, 1):
                arrays[f"plans{player}"] = deal.plans[player]
                arrays[f"reached{player}"] = deal.reached[player]
                for level, numbers in enumerate(deal.rounds[player]):
                    arrays[f"rounds{player}-{level}"] = numbers
            np.savez(Path(folder) / _name(one), allow_pickle=False, **arrays)

    def load(self, folder: str | os.PathLike[str]) -> None:
        """Read the regrets that `save` wrote.

        Raises
        ------
        ValueError, KeyError, OSError
            If a file is missing or does not fit.
        """
        for one, deal in zip(self.classes, self.deals, strict=True):
            with np.load(Path(folder) / _name(one), allow_pickle=False) as file:
                for player in (0, 1):
                    deal.plans[player][:] = file[f"plans{player}"]
                    deal.reached[player][:] = file[f"reached{player}"]
                    for level, numbers in enumerate(deal.rounds[player]):
                        numbers[:] = file[f"rounds{player}-{level}"]


def best_of(
    deal: DealRegrets,
    behaviours: tuple[Behaviour, Behaviour],
    priors: tuple[FloatArray, FloatArray],
) -> FloatArray:
    """Return what each player's hands earn by a best response, shape (2, 10)."""
    earned = []
    for player in (0, 1):
        other = 1 - player
        reach = own_reach(deal.layout, other, behaviours[other].rounds, priors[other])
        values, _ = best_response(deal.layout, player, reach, behaviours[other].plans)
        earned.append(values)
    return np.array(earned)


def _name(one: SequenceClass) -> str:
    return "".join(time.code for time in one.times) + ".npz"
