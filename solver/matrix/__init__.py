"""Two-player games given by their payoff matrices.

* `solve` - one zero-sum game of any size: value and optimal strategies, checked.
* `solve_batch` - many zero-sum games of one shape up to four by four, at about a microsecond each.
* `solve_exact` - one zero-sum game in fractions.
* `equilibria` - all extreme equilibria of a zero-sum or bimatrix game.

A zero-sum game with payoffs A to the row player has a value v: some row strategy x makes sure of
min(x A) = v, some column strategy y concedes no more than max(A y) = v.  `solve` and `solve_batch`
give no answer whose two numbers do not meet.

The strategies shown
--------------------
Optimal strategies of one player form a polytope, often more than a point.  Its vertices are the
*extreme* optimal strategies, and every optimal strategy is a mixture of them.  For games of up to
four by four actions one rule says which is shown, whatever the method:

    Of each player's extreme optimal strategies, the one that plays the first action with the
    largest probability; among those, the second action; and so on.

That is the lexicographically largest vector of probabilities.  In floating point two numbers count
as equal when they differ by no more than the rounding of the payoffs can explain.
"""

from solver.matrix.batch import BatchSolution, solve_batch
from solver.matrix.equilibria import Equilibrium, equilibria
from solver.matrix.exact import ExactSolution, solve_exact
from solver.matrix.zero_sum import Solution, solve

__all__ = [
    "BatchSolution",
    "Equilibrium",
    "ExactSolution",
    "Solution",
    "equilibria",
    "solve",
    "solve_batch",
    "solve_exact",
]
