"""Choosing the extras, when all hands will be open: a 10 by 10 matrix game.

Extras are chosen knowing nothing of the time deck, so a pair of extras against another is worth the
value of round 1 averaged over all face-up sequences.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from games.clash import EXTRAS_LABELS, Element, Objective, Rules, face_up_sequences
from solver.clash.open_hands import check_objective, check_rules
from solver.clash.table import solve_table
from solver.matrix import solve

__all__ = ["SelectionGame", "rotation_classes", "selection_game"]


_ROUNDING = 1e-14
"""Values averaged over the face-up sequences are not more exact than that."""


@dataclass(frozen=True, eq=False)
class SelectionGame:
    """The choice of extras under open hands.

    Attributes
    ----------
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    matrix : float array, shape (10, 10)
        What each pair of extras (rows, player 0) earns against each other one (columns).
    labels : tuple of str
        The pairs: ``WW WF WA WE FF FA FE AA AE EE``.
    value : float
        Value of the game to player 0, in antes or points.
    selection : dict
        The probability of each pair in the equilibrium that is invariant under rotation.
    guarantee : float
        What `selection` earns at least, whatever the opponent chooses; its distance to `value` says
        how exact it is.
    seconds : float
        How long the computation took.
    """

    objective: Objective
    rules: Rules
    matrix: NDArray[np.float64]
    labels: tuple[str, ...]
    value: float
    selection: dict[str, float]
    guarantee: float
    seconds: float

    def __str__(self) -> str:
        chosen = ", ".join(f"{k} {p:.1%}" for k, p in self.selection.items() if p > 5e-4)
        unit = "antes" if self.objective == "win" else "points"
        # What rounds to zero has no sign.
        value = round(self.value, 4) + 0.0
        return f"extras, open hands, {self.objective}: {chosen}; value {value:.4f} {unit}"


def selection_game(objective: Objective = "win", rules: Rules | None = None) -> SelectionGame:
    """Solve the choice of extras when hands will be open.

    Parameters
    ----------
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules, optional
        The options of the rules, for two players.

    Returns
    -------
    SelectionGame
        The matrix, its value and the equilibrium that gives pairs that are rotations of each other
        the same chance. (With a bonus of the user's own, of which no symmetry is known, any one.)

    Raises
    ------
    StateError
        If the rules are not for two players.
    SolverError
        If the objective is unknown.
    """
    objective = check_objective(objective)
    rules = check_rules(rules)
    started = perf_counter()
    chance = [float(chance) for chance in face_up_sequences(rules.time_deck).values()]
    matrix = solve_table(objective, rules).start_values() @ np.array(chance)
    if rules.bonus is None:
        # What the exchange of the players makes exact, and nought where only rounding is left.
        matrix = (matrix - matrix.T) / 2
        matrix[np.abs(matrix) < _ROUNDING] = 0.0
        classes = rotation_classes()
        members = np.array([[label in group for label in EXTRAS_LABELS] for group in classes])
        spread = members / members.sum(axis=1, keepdims=True)
        # Averaging an equilibrium over the rotations keeps it one, so the game between classes has
        # the same value, and its equilibria are the invariant ones of the whole game.
        chances = solve(spread @ matrix @ spread.T).row @ spread
    else:
        chances = solve(matrix).row
    value = solve(matrix).value + 0.0
    return SelectionGame(
        objective,
        rules,
        matrix,
        EXTRAS_LABELS,
        value,
        {label: float(chance) for label, chance in zip(EXTRAS_LABELS, chances, strict=True)},
        float((chances @ matrix).min()),
        perf_counter() - started,
    )


def rotation_classes() -> tuple[tuple[str, ...], ...]:
    """Return the pairs of extras that are rotations of each other: equals, neighbours, opposites.

    Examples
    --------
    >>> rotation_classes()
    (('WW', 'FF', 'AA', 'EE'), ('WF', 'WE', 'FA', 'AE'), ('WA', 'FE'))
    """
    groups: dict[frozenset[str], tuple[str, ...]] = {}
    for label in EXTRAS_LABELS:
        turned = (
            sorted(Element.parse(letter).rotated(steps) for letter in label) for steps in range(4)
        )
        images = frozenset("".join(e.letter for e in pair) for pair in turned)
        groups.setdefault(images, tuple(pair for pair in EXTRAS_LABELS if pair in images))
    return tuple(groups.values())
