r"""Exact solution of small games by the linear program of their sequence form.

With a variable for every sequence of player 0 (:math:`x`, the probability that the player plays
all of it) and one for every information set of player 1 (:math:`w`, what the set is worth when
player 1 responds best), the program (Koller, Megiddo, von Stengel, "Efficient computation of
equilibria for extensive two-person games", Games and Economic Behavior 1996) is

.. math::
    \max w_0 \quad \text{subject to} \quad
    \sum_{a \in I} x_a = x_{p(I)}, \quad
    w_{I(s)} \le (A^\top x)_s + \sum_{J : p(J) = s} w_J, \quad x \ge 0

where :math:`A` holds payoffs times chances for each pair of sequences and :math:`p` is the
sequence that leads to a set. Its dual is the program of player 1. HiGHS solves it; the answer is
then checked by a best response of each player, and refused if the two guarantees do not meet.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
import scipy.optimize
import scipy.sparse
from numpy.typing import NDArray

from solver.errors import CertificationError, SolverError, StateError
from solver.extensive_form import ExtensiveGame
from solver.public_tree import PublicTree
from solver.sequences import (
    MAX_HISTORIES,
    MAX_TERMS,
    SequenceForm,
    SequenceSide,
    sequence_form,
    sequence_form_of_tree,
)

__all__ = ["SequenceFormSolution", "solve_sequence_form"]

_CERTIFIED = 1e-7
"""Largest distance of the two guarantees that is let pass, relative to the largest payoff."""

FloatArray: TypeAlias = NDArray[np.float64]
Node = TypeVar("Node")


@dataclass(frozen=True, eq=False)
class SequenceFormSolution:
    """An equilibrium, with its proof.

    Attributes
    ----------
    form : SequenceForm
        The game.
    strategies : pair of float arrays
        Probability of the last action of each sequence, 1 for the empty one; uniform at sets that
        the player's own strategy never leads to.
    value : float
        Value of the game to player 0, in the unit of its payoffs: midway between the bounds.
    bounds : pair of float
        What player 0's strategy guarantees, and what player 1's concedes.
    """

    form: SequenceForm
    strategies: tuple[FloatArray, FloatArray]
    value: float
    bounds: tuple[float, float]

    @property
    def exploitability(self) -> float:
        """Half of what lies between the bounds, in the unit of the payoffs."""
        return (self.bounds[1] - self.bounds[0]) / 2

    def strategy(self, player: int, label: Hashable) -> dict[Hashable, float]:
        """Return the probability of each action at an information set.

        Raises
        ------
        StateError
            If the player has no choice at such a set.
        """
        side, index = self.form.sides[player], self._index(player, label)
        sequences = slice(int(side.start[index]), int(side.start[index + 1]))
        played = map(float, self.strategies[player][sequences])
        return dict(zip(side.actions[index], played, strict=True))

    def reached(self, player: int) -> NDArray[np.bool_]:
        """Return for each information set whether play under both strategies ever comes to it."""
        side, other = self.form.sides[player], self.form.sides[1 - player]
        chances = self.form.chances if player == 0 else self.form.chances.T
        seen = chances @ other.plan(self.strategies[1 - player]) > 0
        own = side.plan(self.strategies[player]) > 0
        reached = np.zeros(len(side.parent), dtype=np.bool_)
        for index in range(len(side.parent) - 1, -1, -1):
            reached[index] = seen[side.start[index] : side.start[index + 1]].any()
            seen[side.parent[index]] |= reached[index]
        return np.asarray(reached & own[side.parent])

    def _index(self, player: int, label: Hashable) -> int:
        try:
            return self.form.sides[player].labels.index(label)
        except ValueError:
            raise StateError(f"player {player} has no choice at {label!r}") from None


def solve_sequence_form(
    game: ExtensiveGame[Node] | PublicTree | SequenceForm,
    max_histories: int = MAX_HISTORIES,
    max_terms: int = MAX_TERMS,
) -> SequenceFormSolution:
    """Solve a zero-sum game by its linear program, without sampling or iterating.

    The bounds of the answer are those of best responses, computed apart from the program. They meet
    within 1e-7 of the largest payoff, or there is no answer; so payoffs far larger than what the
    game is about cost digits. Subtract what every end pays before you ask.

    Parameters
    ----------
    game : ExtensiveGame, PublicTree or SequenceForm
        The game; `solver.extensive_form.Unrolled` tells a public game as an extensive one.
    max_histories, max_terms : int
        Largest game to read, and largest program to solve.

    Raises
    ------
    SolverError
        If the game is too large, is not zero-sum, or a player forgets something.
    PayoffError
        If a payoff is not a finite number.
    CertificationError
        If the guarantees of the strategies found do not meet within 1e-7 of the largest payoff.

    Examples
    --------
    Player 0 hides a coin in one hand, player 1 guesses; the right hand holds twice as much:

    >>> from solver.public_game import NodeKind
    >>> class Guess:
    ...     def root(self): return ""
    ...     def kind(self, node): return NodeKind((0, 1, 4)[len(node)])
    ...     def information_set(self, node): return "guess" if node else "hide"
    ...     def actions(self, node): return "LR"
    ...     def play(self, node, move): return node + move
    ...     def payoffs(self, node): return {"LL": (-1, 1), "RR": (-2, 2)}.get(node, (1, -1))
    >>> solution = solve_sequence_form(Guess())
    >>> round(solution.value, 6), round(solution.strategy(0, "hide")["L"], 6)
    (-0.2, 0.6)
    """
    if isinstance(game, PublicTree):
        form = sequence_form_of_tree(game, max_terms)
    elif isinstance(game, SequenceForm):
        form = game
    else:
        form = sequence_form(game, max_histories)
    if form.payoffs.nnz > max_terms:
        raise SolverError(f"the game has {form.payoffs.nnz:,} terms: at most {max_terms:,} allowed")
    plans = _solve(form)
    strategies = tuple(side.behaviour(plan) for side, plan in zip(form.sides, plans, strict=True))
    x, y = (side.plan(own) for side, own in zip(form.sides, strategies, strict=True))
    lower = -form.sides[1].respond(-(form.payoffs.T @ x))
    upper = form.sides[0].respond(form.payoffs @ y)
    if not upper - lower <= _CERTIFIED * form.largest:
        raise CertificationError(
            f"the program's strategies guarantee {lower} and {upper}, which do not meet"
        )
    return SequenceFormSolution(
        form, (strategies[0], strategies[1]), (lower + upper) / 2, (lower, upper)
    )


def _membership(side: SequenceSide) -> tuple[Any, Any]:
    """Return which sequences each set has, and which sequence leads to it, as sparse matrices."""
    sets = len(side.parent)
    widths = np.diff(side.start)
    shape = (sets, side.sequences)
    own = scipy.sparse.csr_array(
        (
            np.ones(side.sequences - 1),
            (np.repeat(np.arange(sets), widths), np.arange(1, side.sequences)),
        ),
        shape,
    )
    parent = scipy.sparse.csr_array((np.ones(sets), (np.arange(sets), side.parent)), shape)
    return own, parent


def _solve(form: SequenceForm) -> tuple[FloatArray, FloatArray]:
    """Return optimal plans of both players."""
    # HiGHS takes numbers below 1e-9 for nought, whatever the unit
    largest = float(np.abs(form.payoffs.data).max(initial=0.0))
    scale = largest if largest > 0 else 1.0
    (own0, parent0), (own1, parent1) = map(_membership, form.sides)
    n0 = form.sides[0].sequences
    sets1 = len(form.sides[1].parent)
    # variables: x, then w of the sets of player 1; the objective is what the empty sequence is
    # worth, so that it needs no variable of its own
    worth = (form.payoffs.T / scale).tocsr()
    constraints = scipy.sparse.hstack([-worth[1:], (own1 - parent1).T.tocsr()[1:]], format="csc")
    equations = scipy.sparse.hstack(
        [own0 - parent0, scipy.sparse.csr_array((len(form.sides[0].parent), sets1))], format="csc"
    )
    objective = np.concatenate([-worth[[0]].toarray()[0], -parent1[:, [0]].toarray()[:, 0]])
    bounds: Any = [(1.0, 1.0)] + [(0.0, None)] * (n0 - 1) + [(None, None)] * sets1
    options: Any = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    # the stubs of scipy know no sparse constraints
    program: Any = scipy.optimize.linprog
    result = program(
        objective,
        A_ub=constraints if constraints.shape[0] else None,
        b_ub=np.zeros(constraints.shape[0]) if constraints.shape[0] else None,
        A_eq=equations if equations.shape[0] else None,
        b_eq=np.zeros(equations.shape[0]) if equations.shape[0] else None,
        bounds=bounds,
        method="highs",
        options=options,
    )
    if result.status != 0:
        raise CertificationError(f"HiGHS found no solution: {result.message}")
    second = -np.asarray(result.ineqlin.marginals) if constraints.shape[0] else np.zeros(0)
    return np.asarray(result.x[:n0]), np.concatenate([np.ones(1), second])
