"""The simplex method in whole numbers: exact solutions of zero-sum games of any size.

With positive payoffs M the program

    maximise 1'w   subject to   M w <= 1,  w >= 0

starts from the feasible point 0.  At its optimum 1'w is one over the value of the game, w scaled
to sum 1 is an optimal column strategy, and the dual variables scaled alike an optimal row
strategy.

The tableau holds whole numbers over one common denominator, the last pivot (Edmonds' integer
pivoting), so that nothing is ever rounded and no fraction has to be reduced.  Bland's rule takes
over whenever a pivot makes no progress, which rules out cycling.

References
----------
R. G. Bland (1977), New finite pivoting rules for the simplex method. Mathematics of Operations
Research 2, 103-107.
J. Edmonds and J.-F. Maurras (1997), Note sur les Q-matrices d'Edmonds. RAIRO Operations Research
31, 203-209.
"""

from fractions import Fraction
from typing import NamedTuple

from solver.errors import SolverError
from solver.matrix.vertices import DIGIT_BITS, WORK_LIMIT

__all__ = ["SimplexSolution", "simplex"]


class SimplexSolution(NamedTuple):
    """Exact value, optimal strategies, and whether the column strategy is the only one."""

    value: Fraction
    row: tuple[Fraction, ...]
    column: tuple[Fraction, ...]
    column_unique: bool


class _Tableau:
    """Condensed tableau: one line for each basic variable, one column for each non-basic one.

    Variables 0 to c - 1 are w, c to c + r - 1 the slacks.  The last column is the right-hand
    side; line r holds the reduced costs.
    """

    def __init__(self, payoffs: list[list[int]], limited: str | None) -> None:
        r, c = len(payoffs), len(payoffs[0])
        self.lines = [[*row, 1] for row in payoffs] + [[-1] * c + [0]]
        self.basic = list(range(c, c + r))
        self.nonbasic = list(range(c))
        self.denominator = 1
        self.limited = limited
        self.work = 0

    def _spend(self) -> None:
        """Count the work of a pivot in the unit of `WORK_LIMIT`."""
        digits = self.denominator.bit_length() // DIGIT_BITS + 1
        self.work += len(self.lines) * len(self.lines[0]) * (25 + digits * digits // 2)
        if self.limited is not None and self.work > WORK_LIMIT:
            raise SolverError(
                f"too large to list all {self.limited}: the work limit of {WORK_LIMIT:,} "
                "comparisons was passed before the first was found"
            )

    def pivot(self, p: int, q: int) -> None:
        """Exchange basic variable p with non-basic variable q."""
        self._spend()
        lines, old = self.lines, self.denominator
        source = lines[p]
        pivot = source[q]
        for i, line in enumerate(lines):
            if i == p:
                continue
            factor = line[q]
            if factor == 0:
                if pivot != old:
                    lines[i] = [pivot * a // old for a in line]
                continue
            lines[i] = [(pivot * a - factor * b) // old for a, b in zip(line, source, strict=True)]
            lines[i][q] = -factor
        source[q] = old
        self.denominator = pivot
        self.basic[p], self.nonbasic[q] = self.nonbasic[q], self.basic[p]

    def leaving(self, q: int) -> int:
        """Line of the basic variable that reaches nought first as non-basic variable q grows."""
        best = -1
        for i in range(len(self.basic)):
            a = self.lines[i][q]
            if a <= 0:
                continue
            if best < 0:
                best = i
                continue
            ours = self.lines[i][-1] * self.lines[best][q]
            theirs = self.lines[best][-1] * a
            if ours < theirs or (ours == theirs and self.basic[i] < self.basic[best]):
                best = i
        return best

    def maximise(self) -> None:
        """Pivot until no reduced cost is negative."""
        stalled = False
        while True:
            costs = self.lines[len(self.basic)]
            entering = [q for q in range(len(self.nonbasic)) if costs[q] < 0]
            if not entering:
                return
            q = (
                min(entering, key=self.nonbasic.__getitem__)
                if stalled
                else min(entering, key=costs.__getitem__)
            )
            p = self.leaving(q)
            stalled = self.lines[p][-1] == 0
            self.pivot(p, q)

    def only_solution(self) -> bool:
        """Whether the optimum reached is the only one; pivots on to find out.

        Another optimum would make some non-basic variable of reduced cost 0 positive.  Their sum
        is maximised over the optimal solutions.
        """
        r, c = len(self.basic), len(self.nonbasic)
        costs = self.lines[r]
        if all(costs[:c]):
            return True
        self.lines.append([0 if costs[q] else -self.denominator for q in range(c)] + [0])
        while True:
            costs, second = self.lines[r], self.lines[r + 1]
            if second[c] > 0:
                return False
            entering = [q for q in range(c) if costs[q] == 0 and second[q] < 0]
            if not entering:
                return True
            q = min(entering, key=self.nonbasic.__getitem__)
            self.pivot(self.leaving(q), q)


def simplex(payoffs: list[list[int]], limited: str | None = None) -> SimplexSolution:
    """Solve a zero-sum game of whole-number payoffs exactly.

    Parameters
    ----------
    payoffs
        What the column player pays the row player; rows of equal length.
    limited
        What is being listed, when this is a part of that work and subject to its limit.

    Returns
    -------
    SimplexSolution
        The value in the unit of the payoffs, and optimal strategies (vertices, which ones is
        arbitrary).

    Raises
    ------
    SolverError
        When the work is limited and the game too large.

    Examples
    --------
    >>> simplex([[4, 1], [1, 2]]).value
    Fraction(7, 4)
    """
    r, c = len(payoffs), len(payoffs[0])
    shift = 1 - min(map(min, payoffs))
    tableau = _Tableau([[a + shift for a in row] for row in payoffs], limited)
    tableau.maximise()
    costs = tableau.lines[r]
    total = costs[-1]
    row = [Fraction(0)] * r
    column = [Fraction(0)] * c
    for q, variable in enumerate(tableau.nonbasic):
        if variable >= c:
            row[variable - c] = Fraction(costs[q], total)
    for p, variable in enumerate(tableau.basic):
        if variable < c:
            column[variable] = Fraction(tableau.lines[p][-1], total)
    value = Fraction(tableau.denominator, total) - shift
    return SimplexSolution(value, tuple(row), tuple(column), tableau.only_solution())
