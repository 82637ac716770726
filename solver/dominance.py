r"""Dominated actions of a matrix game, and what dominates them.

Action :math:`i` of the row player is *strictly dominated* when some mixture :math:`p` of the other
actions earns more whatever the column player does, :math:`(p A)_j > A_{ij}` for every column, and
*weakly dominated* when it never earns less and somewhere more. That is again a zero-sum game: of
the row player choosing among the gains :math:`A_{kj} - A_{ij}`, :math:`k \ne i`, which has a
positive value exactly when the domination is strict.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.matrix import equilibria, solve

__all__ = ["Domination", "dominated_by"]

FloatArray = NDArray[np.float64]

_GRIDS = (2, 4, 5, 10, 20, 100)
"""Denominators of the mixtures tried first: people remember one half better than 0.4873."""

_LARGEST_GRID = 3
"""Mixtures of more actions than this are found by solving alone."""


@dataclass(frozen=True)
class Domination:
    """That an action is dominated, and by what.

    Attributes
    ----------
    by : tuple of float
        The dominating mixture: a probability for every action, 0 for the dominated one.
    strict : bool
        Whether it earns more against every column; otherwise it never earns less, and somewhere
        more.
    least, greatest : float
        The smallest and the largest gain over all columns.
    """

    by: tuple[float, ...]
    strict: bool
    least: float
    greatest: float

    @property
    def is_pure(self) -> bool:
        """Whether a single action dominates."""
        return max(self.by) == 1.0


def dominated_by(payoffs: ArrayLike, row: int, tolerance: float = 1e-9) -> Domination | None:
    """Return what dominates an action of the row player, or None when nothing does.

    Strict domination is preferred to weak, a single action to a mixture, and a mixture in simple
    proportions to another.

    Parameters
    ----------
    payoffs : array, shape (r, c)
        Payoffs to the row player.
    row : int
        The action that is asked about.
    tolerance : float
        Differences up to this count as none.

    Examples
    --------
    >>> dominated_by([[4, 0], [0, 4], [1, 1]], 2)
    Domination(by=(0.5, 0.5, 0.0), strict=True, least=1.0, greatest=1.0)
    >>> dominated_by([[4, 0], [4, -1], [0, 4]], 1)
    Domination(by=(1.0, 0.0, 0.0), strict=False, least=0.0, greatest=1.0)
    """
    matrix = np.asarray(payoffs, dtype=np.float64)
    gains = np.delete(matrix - matrix[row], row, axis=0)
    if not len(gains):
        return None
    weights = _strict(gains, tolerance)
    strict = weights is not None
    if weights is None:
        weights = _weak(gains, tolerance)
    if weights is None:
        return None
    gain = weights @ gains
    by = tuple(float(weight) for weight in np.insert(weights, row, 0.0))
    return Domination(by, strict, float(gain.min()), float(gain.max()))


def _strict(gains: FloatArray, tolerance: float) -> FloatArray | None:
    """Return a mixture whose gain is positive in every column."""
    if (gains.max(axis=0) <= tolerance).any():
        return None
    best = int(gains.min(axis=1).argmax())
    if gains[best].min() > tolerance:
        return _unit(len(gains), best)
    solution = solve(gains)
    if solution.value <= tolerance:
        return None
    for weights in _simple_mixtures(len(gains)):
        if (weights @ gains).min() > tolerance:
            return weights
    return solution.row if (solution.row @ gains).min() > tolerance else None


def _weak(gains: FloatArray, tolerance: float) -> FloatArray | None:
    """Return a mixture whose gain is nowhere negative and somewhere positive."""
    if (gains.max(axis=0) < -tolerance).any():
        return None
    candidates = [_unit(len(gains), action) for action in range(len(gains))]
    found = _best_weak(gains, candidates, tolerance)
    if found is not None or len(gains) == 1 or solve(gains).value < -tolerance:
        return found
    for weights in _simple_mixtures(len(gains)):
        found = _best_weak(gains, [weights], tolerance)
        if found is not None:
            return found
    extreme = [np.asarray(pair.row) for pair in equilibria(gains.round(12))]
    return _best_weak(gains, extreme, tolerance)


def _best_weak(
    gains: FloatArray, candidates: list[FloatArray], tolerance: float
) -> FloatArray | None:
    """Return the candidate that weakly dominates and gains most in sum."""
    dominating = [
        weights
        for weights in candidates
        if (weights @ gains).min() >= -tolerance and (weights @ gains).max() > tolerance
    ]
    return max(dominating, key=lambda weights: float((weights @ gains).sum()), default=None)


def _unit(length: int, place: int) -> FloatArray:
    weights = np.zeros(length)
    weights[place] = 1.0
    return weights


def _simple_mixtures(actions: int) -> Iterator[FloatArray]:
    """Iterate over mixtures of two and more actions, the simplest proportions first."""
    if not 1 < actions <= _LARGEST_GRID:
        return
    for parts in _GRIDS:
        for bars in combinations(range(parts + actions - 1), actions - 1):
            edges = (-1, *bars, parts + actions - 1)
            counts = [after - before - 1 for before, after in pairwise(edges)]
            if max(counts) < parts:
                yield np.array(counts) / parts
