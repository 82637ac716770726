"""One zero-sum game of any size: value and optimal strategies, checked before they are given.

In a zero-sum game with payoffs A to the row player, a row strategy x makes sure of min(x A) and a
column strategy y concedes max(A y) at most.  Von Neumann's theorem says that the best of each meet
in the value.  So a pair (x, y) whose two numbers meet is optimal, however it was found: this is
the check that every answer here passes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from solver.errors import CertificationError, SolverError
from solver.matrix.batch import solve_small
from solver.matrix.exact import solve_exact
from solver.matrix.kernels import CERTIFIED_GAP, LARGEST_SIDE
from solver.matrix.linear_programs import Pair, by_highs, by_nashpy, gap_of, polish, refine
from solver.matrix.payoffs import FloatArray, PayoffMatrix, PayoffsLike, read_matrix
from solver.matrix.uniqueness import row_is_unique

__all__ = ["Method", "Solution", "solve"]

Method = Literal["auto", "kernel", "nashpy", "highs"]

_TINY_GAP = 1e-12
"""A gap above this is more than rounding leaves, and so is improved although it would pass."""

_EXACT_SIZE = 400
"""Up to so many payoffs, that is done in fractions at once; beyond, in floats first."""

_PROGRAMS: dict[str, Callable[[FloatArray], Pair | None]] = {
    "highs": by_highs,
    "nashpy": by_nashpy,
}


@dataclass(frozen=True, eq=False)
class Solution:
    """Solution of one zero-sum game.

    Two solutions are equal when their values, strategies and uniqueness are, whatever the method.

    Parameters
    ----------
    value
        Value of the game to the row player, in the unit of the payoffs.
    row, column
        An optimal strategy of each player: probabilities that sum to 1, read-only.
    unique
        Whether both strategies are the only optimal ones.
    method
        What produced the answer: "kernel", "highs", "nashpy" or "exact".
    gap
        What the column strategy concedes at most, minus what the row strategy makes sure of, with
        the payoffs shifted and scaled to span 1; 0 but for rounding, and 1e-9 at most.
    """

    value: float
    row: FloatArray
    column: FloatArray
    unique: bool
    method: str = field(default="kernel")
    gap: float = field(default=0.0)

    def __post_init__(self) -> None:
        for name in ("row", "column"):
            strategy = np.array(getattr(self, name), dtype=np.float64)
            strategy.setflags(write=False)
            object.__setattr__(self, name, strategy)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return (
            self.value == other.value
            and self.unique == other.unique
            and np.array_equal(self.row, other.row)
            and np.array_equal(self.column, other.column)
        )

    def __hash__(self) -> int:
        return hash((self.value, self.unique, tuple(self.row), tuple(self.column)))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.value, self.row, self.column, self.unique, self.method, self.gap)
        return Solution, fields

    def __str__(self) -> str:
        def shown(strategy: FloatArray) -> str:
            return "(" + ", ".join(f"{p:.6g}" for p in strategy) + ")"

        only = "the only optimal strategies" if self.unique else "other optimal strategies exist"
        return (
            f"value {self.value:.10g}; row {shown(self.row)}; column {shown(self.column)}; {only}; "
            f"method {self.method}, gap {self.gap:.1e}"
        )


def _unit(length: int, place: int) -> FloatArray:
    strategy = np.zeros(length)
    strategy[place] = 1.0
    return strategy


def _saddle_point(matrix: FloatArray) -> Pair | None:
    """Pure optimal strategies, where there are any."""
    least, greatest = matrix.min(axis=1), matrix.max(axis=0)
    i, j = int(least.argmax()), int(greatest.argmin())
    if least[i] != greatest[j]:
        return None
    return _unit(len(least), i), _unit(len(greatest), j)


def _exactly(read: PayoffMatrix) -> tuple[Pair, bool]:
    """Solve a game in fractions; return the strategies rounded and whether they are the only ones.

    Floats are read as the simplest fractions that round to them, which restores their ties, or as
    what they are where that does not pass the check.
    """
    for table in (read.simplest_fractions(), read.fractions()):
        exact = solve_exact(table)
        row = np.array([float(p) for p in exact.row])
        column = np.array([float(p) for p in exact.column])
        pair = row / row.sum(), column / column.sum()
        # Far from nought the simplest fractions may differ from the floats by too much of the span.
        if gap_of(read.scaled, pair) <= CERTIFIED_GAP:
            break
    return pair, exact.unique


def _optimal_pair(read: PayoffMatrix, method: str) -> tuple[Pair, str, bool | None]:
    """Return a pair whose guarantees meet, what produced it, and whether it is the only one.

    The last is None when it was not found out exactly.
    """
    matrix = read.scaled
    if method == "auto":
        saddle = _saddle_point(matrix)
        if saddle is not None:
            return saddle, "kernel", None
        method = "highs"
    pair = _PROGRAMS[method](matrix)
    if pair is not None:
        pair = polish(matrix, pair)
        allowed = _TINY_GAP
        if matrix.size > _EXACT_SIZE:
            pair = refine(matrix, pair, _TINY_GAP)
            allowed = CERTIFIED_GAP
        if gap_of(matrix, pair) <= allowed:
            return pair, method, None
    pair, unique = _exactly(read)
    gap = gap_of(matrix, pair)
    if not gap <= CERTIFIED_GAP:
        raise CertificationError(
            f"the two guarantees differ by {gap:.1e} of the span of the payoffs, more than "
            f"{CERTIFIED_GAP:.0e}, after every method was tried"
        )
    return pair, "exact", unique


def _solve_large(read: PayoffMatrix, method: str) -> Solution:
    matrix = read.scaled
    (row, column), used, unique = _optimal_pair(read, method)
    low = float((row @ matrix).min())
    high = float((matrix @ column).max())
    if unique is None:
        # Payoffs far from nought carry rounding of their own, which must not pass for a difference.
        noise = 0.0
        if read.floats is not None and not read.constant:
            span = float(np.ptp(read.floats * 0.5))
            largest = float(np.abs(read.floats * 0.5).max())
            # a span of the least float is nought when it is halved
            noise = 2.0**-52 * largest / span if span else 0.0
        tolerance = min(max(1e-9, 8.0 * noise), 1e-7)
        unique = row_is_unique(matrix, row, column, tolerance) and row_is_unique(
            -matrix.T, column, row, tolerance
        )
    value = read.restore(0.5 * (low + high))
    if read.floats is not None and row.max() == column.max() == 1.0:
        # the value of a saddle point is one of the payoffs, not nearly so
        value = float(read.floats[row.argmax(), column.argmax()])
    return Solution(value, row, column, unique, used, max(high - low, 0.0))


def solve(payoffs: PayoffsLike, method: Method = "auto") -> Solution:
    """Solve a zero-sum game: its value and an optimal strategy of each player.

    The answer is checked: with the payoffs shifted and scaled to span 1, what the row strategy
    makes sure of and what the column strategy concedes at most meet within 1e-9.

    Up to four by four the strategies shown are, for every method, the extreme optimal strategy of
    each player that comes first when strategies are ordered by the probability of the first
    action, largest first, then by that of the second, and so on.  Guarantees and probabilities
    that differ by no more than rounding can explain count as equal.  Beyond four by four, which
    of several optimal strategies is shown is arbitrary, and whether there are several is judged
    to 1e-9 of the span.

    Parameters
    ----------
    payoffs
        Matrix of what the column player pays the row player, in any unit: one row for each action
        of the row player, who maximises.  Integers, floats, fractions and decimals are read
        exactly.
    method
        "kernel" tries the square submatrices and is for up to four by four; "highs" and "nashpy"
        solve the linear program, by scipy's HiGHS and by `nashpy`; "auto" takes the kernels up to
        four by four and HiGHS beyond.  An answer that does not pass the check is improved, and as
        a last resort found in exact arithmetic.

    Returns
    -------
    Solution
        Its fields are value, row, column, unique, method and gap.

    Raises
    ------
    PayoffError
        When the payoffs are not a finite, non-empty matrix of real numbers.
    SolverError
        When the method is unknown, or "kernel" is asked for a game beyond four by four.
    CertificationError
        When no method passes the check; no known game does this.

    References
    ----------
    J. von Neumann (1928), Zur Theorie der Gesellschaftsspiele. Mathematische Annalen 100, 295-320.
    L. S. Shapley and R. N. Snow (1950), Basic solutions of discrete games. Contributions to the
    Theory of Games I, Annals of Mathematics Studies 24, 27-35.

    Examples
    --------
    >>> solution = solve([[4, 1], [1, 2]])
    >>> solution.value, solution.row, solution.unique
    (1.75, array([0.25, 0.75]), True)
    >>> print(solve([[1, 1], [0, 2]]))
    value 1; row (1, 0); column (1, 0); other optimal strategies exist; method kernel, gap 0.0e+00
    """
    if method not in ("auto", "kernel", *_PROGRAMS):
        raise SolverError(
            f"method is {method!r}; it must be one of 'auto', 'kernel', 'nashpy', 'highs'"
        )
    read = read_matrix(payoffs)
    if max(read.shape) > LARGEST_SIDE:
        if method == "kernel":
            raise SolverError(
                f"method 'kernel' is for games up to {LARGEST_SIDE} by {LARGEST_SIDE}, and this "
                f"one is {read.shape[0]} by {read.shape[1]}; use 'auto', 'highs' or 'nashpy'"
            )
        return _solve_large(read, method)
    value, row, column, unique, gap = solve_small(read)
    used = "kernel"
    if method in _PROGRAMS:
        # The program must agree on the value; the strategies shown follow the common rule.
        pair, used, _ = _optimal_pair(read, method)
        theirs = 0.5 * float((read.scaled @ pair[1]).max() + (pair[0] @ read.scaled).min())
        ours = 0.5 * float((read.scaled @ column).max() + (row @ read.scaled).min())
        if abs(theirs - ours) > CERTIFIED_GAP:
            raise CertificationError(
                f"method {method!r} and the kernels disagree by {abs(theirs - ours):.1e} of the "
                "span of the payoffs"
            )
    return Solution(value, row, column, unique, used, max(gap, 0.0))
