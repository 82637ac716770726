"""Is an optimal strategy the only one?  Zero-sum games beyond the size of the kernels.

Let x and y be optimal, v the value.  Another optimal row strategy exists exactly when x can be
moved along some d, not 0, with

    sum d = 0,   d_i >= 0 where x_i = 0,   d_i = 0 where (M y)_i < v,
    (d M)_j >= 0 where (x M)_j = v,

and then (d M)_j = 0 wherever y_j > 0.  These d form a cone; one small linear program looks for a
member that makes some inequality strict, and a rank tells whether one is left that makes none
strict.  Appa treats linear programs in general in this manner.

References
----------
G. Appa (2002), On the uniqueness of solutions to linear programs. Journal of the Operational
Research Society 53, 1127-1132.
"""

import warnings

import numpy as np
import scipy.optimize

from solver.matrix.payoffs import FloatArray

__all__ = ["row_is_unique"]

# The cone is cut off at entries of size 1, so that its optimum is 0 or of the order of 1.
_POSITIVE = 1e-6
_RANK_TOLERANCE = 1e-9


def row_is_unique(
    matrix: FloatArray, row: FloatArray, column: FloatArray, tolerance: float
) -> bool:
    """Whether row is the only optimal strategy of the row player.

    Parameters
    ----------
    matrix
        Payoffs of span 1.
    row, column
        An optimal pair.
    tolerance
        Probabilities and differences of payoffs below this are taken for nought.
    """
    value = 0.5 * float((matrix @ column).max() + (row @ matrix).min())
    played = row > tolerance
    held = column > tolerance
    replies = (matrix @ column >= value - tolerance) | played
    tight = (row @ matrix <= value + tolerance) | held
    part = matrix[np.ix_(replies, tight)] - value
    idle = ~played[replies]
    spare = ~held[tight]
    if idle.any() or spare.any():
        gain = idle.astype(float) + part[:, spare].sum(axis=1)
        equal = np.vstack([np.ones(len(part)), part[:, ~spare].T])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = scipy.optimize.linprog(
                -gain,
                A_ub=-part[:, spare].T if spare.any() else None,
                b_ub=np.zeros(int(spare.sum())) if spare.any() else None,
                A_eq=equal,
                b_eq=np.zeros(len(equal)),
                bounds=[(0.0 if new else -1.0, 1.0) for new in idle],
                method="highs",
            )
        if result.x is None or gain @ result.x > _POSITIVE:
            return False
    bordered = np.column_stack([part[~idle], np.ones(int((~idle).sum()))])
    singular = np.linalg.svd(bordered, compute_uv=False)
    rank = int((singular > _RANK_TOLERANCE * singular[0]).sum())
    return rank == len(bordered)
