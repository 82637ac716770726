"""Many zero-sum games of one small shape at once.

`solve_batch` is `solver.matrix.solve` for arrays of games: the same compiled kernels, the same
check and the same strategies shown, at about a microsecond a game.
"""

from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.errors import CertificationError, PayoffError
from solver.matrix.exact import solve_exact
from solver.matrix.kernels import CERTIFIED_GAP, LARGEST_SIDE, solve_games
from solver.matrix.payoffs import FloatArray, PayoffMatrix, read_matrix

__all__ = ["BatchSolution", "SmallSolution", "solve_batch", "solve_small"]


class SmallSolution(NamedTuple):
    """Solution of one game of at most four by four actions."""

    value: float
    row: FloatArray
    column: FloatArray
    unique: bool
    gap: float


class _BatchFields(NamedTuple):
    values: FloatArray
    rows: FloatArray
    columns: FloatArray


class BatchSolution(_BatchFields):
    """Values and optimal strategies of n zero-sum games; unpacks into its three arrays.

    Attributes
    ----------
    values : ndarray of shape (n,)
        Value of each game to the row player, in the unit of its payoffs.
    rows : ndarray of shape (n, r)
        An optimal strategy of the row player in each game.
    columns : ndarray of shape (n, c)
        An optimal strategy of the column player in each game.
    unique : ndarray of shape (n,) of bool
        Whether both strategies of a game are its only optimal ones.  An attribute only, so that
        ``values, rows, columns = solve_batch(payoffs)`` works.
    """

    unique: NDArray[np.bool_]

    def __new__(
        cls,
        values: FloatArray,
        rows: FloatArray,
        columns: FloatArray,
        unique: NDArray[np.bool_],
    ) -> "BatchSolution":
        """Bundle the four arrays."""
        self = super().__new__(cls, values, rows, columns)
        self.unique = unique
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle all four arrays, the three fields and the attribute."""
        return BatchSolution, (self.values, self.rows, self.columns, self.unique)

    def __repr__(self) -> str:
        n, r = self.rows.shape
        return f"BatchSolution({n} games of {r} by {self.columns.shape[1]})"


def _run(payoffs: FloatArray) -> tuple[BatchSolution, FloatArray]:
    """Run the kernels on a float array (n, r, c), and the exact way where they do not certify."""
    n, r, c = payoffs.shape
    if not payoffs.flags.writeable:
        # numba would compile everything a second time for arrays that are read-only
        payoffs = payoffs.copy()
    solution = BatchSolution(np.zeros(n), np.zeros((n, r)), np.zeros((n, c)), np.zeros(n, bool))
    gaps = np.zeros(n)
    solve_games(payoffs, solution.values, solution.rows, solution.columns, solution.unique, gaps)
    for g in np.flatnonzero(~(gaps <= CERTIFIED_GAP)):
        read = PayoffMatrix((r, c), payoffs[g])
        exact = solve_exact(read.fractions())
        row = np.array([float(p) for p in exact.row])
        column = np.array([float(p) for p in exact.column])
        gaps[g] = (read.scaled @ column).max() - (row @ read.scaled).min()
        if not gaps[g] <= CERTIFIED_GAP:
            raise CertificationError(
                f"game {g}: the two guarantees differ by {gaps[g]:.1e} of the span of the payoffs,"
                f" more than {CERTIFIED_GAP:.0e}; payoffs {payoffs[g].tolist()}"
            )
        solution.values[g] = float(exact.value)
        solution.rows[g], solution.columns[g] = row, column
        solution.unique[g] = exact.unique
    return solution, gaps


def solve_small(read: PayoffMatrix) -> SmallSolution:
    """Solve one game of at most four by four actions that has been read."""
    payoffs = read.scaled if read.floats is None else read.floats
    solution, gaps = _run(payoffs[np.newaxis])
    value = float(solution.values[0])
    if read.floats is None:
        value = read.restore(value)
    unique = bool(solution.unique[0])
    return SmallSolution(value, solution.rows[0], solution.columns[0], unique, float(gaps[0]))


def _refuse_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 3:
        raise PayoffError(
            f"payoffs: an array of shape {shape} has {len(shape)} dimensions; a batch must be "
            "three-dimensional: games, rows, columns"
        )
    if shape[1] == 0 or shape[2] == 0:
        raise PayoffError(
            f"payoffs: an array of shape {shape} holds empty games; a game needs at least one row "
            "and one column"
        )
    if max(shape[1:]) > LARGEST_SIDE:
        raise PayoffError(
            f"payoffs: games of {shape[1]} by {shape[2]}; solve_batch is for up to "
            f"{LARGEST_SIDE} by {LARGEST_SIDE}, solver.matrix.solve solves one game of any size"
        )


def _read_each(games: list[Any]) -> list[PayoffMatrix]:
    """Read the games one by one, exactly."""
    matrices = [read_matrix(game, f"payoffs, game {g}") for g, game in enumerate(games)]
    for g, matrix in enumerate(matrices):
        if matrix.shape != matrices[0].shape:
            raise PayoffError(
                f"payoffs, game {g}: the shape is {matrix.shape} and that of game 0 is "
                f"{matrices[0].shape}; all games of a batch must be of one shape"
            )
    return matrices


def _as_floats(payoffs: Any) -> FloatArray | list[PayoffMatrix]:
    """Return the games as one float array where that is exact, else read one by one."""
    if hasattr(payoffs, "tocsr") or isinstance(payoffs, (str, bytes)):
        raise PayoffError(
            f"payoffs: {type(payoffs).__name__} is not a batch of matrices; an array of shape "
            "(games, rows, columns) is wanted"
        )
    if isinstance(payoffs, (list, tuple)):
        if not payoffs:
            raise PayoffError(
                "payoffs: an empty list does not say the shape of its games; give an array of "
                "shape (0, rows, columns)"
            )
        kinds = {(type(game), getattr(game, "dtype", None)) for game in payoffs}
        if len(kinds) > 1 or next(iter(kinds))[0] is not np.ndarray:
            return _read_each(list(payoffs))
        if len({game.shape for game in payoffs}) > 1:
            return _read_each(list(payoffs))
        payoffs = np.stack(payoffs)
    elif not hasattr(payoffs, "__array__"):
        raise PayoffError(
            f"payoffs: {type(payoffs).__name__} is not a batch of matrices; an array of shape "
            "(games, rows, columns) is wanted"
        )
    array = payoffs if isinstance(payoffs, np.ma.MaskedArray) else np.asarray(payoffs)
    _refuse_shape(array.shape)
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.getmaskarray(array).any():
            return _read_each(list(array))
        array = array.data
    kind = array.dtype.kind
    exact = kind == "b" or (kind == "f" and array.dtype.itemsize <= 8)
    if kind in "iu" and array.size:
        exact = max(abs(int(array.min())), abs(int(array.max()))) <= 2**53
    if not exact and array.size:
        return _read_each(list(array))
    floats = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(floats).all():
        g, i, j = (int(k) for k in np.argwhere(~np.isfinite(floats))[0])
        raise PayoffError(
            f"payoffs, game {g}: the entry in row {i}, column {j} is {floats[g, i, j]}; payoffs "
            "must be finite numbers"
        )
    return floats


def solve_batch(payoffs: ArrayLike) -> BatchSolution:
    """Solve many zero-sum games of one shape, up to four by four.

    Every answer is checked as that of `solver.matrix.solve` is: on the payoffs shifted and scaled
    to span 1, what the row strategy makes sure of and what the column strategy concedes meet
    within 1e-9.  Where several strategies are optimal, those shown are the ones that ``solve``
    shows.

    Parameters
    ----------
    payoffs
        Array of shape (n, r, c), r and c from 1 to 4: what the column player pays the row player,
        in any unit.

    Returns
    -------
    BatchSolution
        Unpacks into ``values`` (n,), ``rows`` (n, r) and ``columns`` (n, c); its attribute
        ``unique`` (n,) tells whether both strategies are the only optimal ones.

    Raises
    ------
    PayoffError
        When the payoffs are not finite real numbers of such a shape.
    CertificationError
        When an answer does not pass the check; no known game does this.

    Examples
    --------
    >>> values, rows, columns = solve_batch([[[4, 1], [1, 2]], [[1, 0], [0, 1]]])
    >>> values
    array([1.75, 0.5 ])
    >>> rows
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    games = _as_floats(payoffs)
    if isinstance(games, np.ndarray):
        return _run(games)[0]
    _refuse_shape((len(games), *games[0].shape))
    if all(game.floats is not None for game in games):
        return _run(np.stack([game.floats for game in games if game.floats is not None]))[0]
    solutions = [solve_small(game) for game in games]
    return BatchSolution(
        np.array([solution.value for solution in solutions]),
        np.array([solution.row for solution in solutions]),
        np.array([solution.column for solution in solutions]),
        np.array([solution.unique for solution in solutions]),
    )
