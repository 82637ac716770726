"""Speed of the solvers of small zero-sum games, side by side on the same matrices.

Run ``python benchmarks/matrix_games.py``; ``--help`` lists the sample sizes.  Times are processor
time of this process in microseconds a game, best of several runs for the fast ones; ratios are to
``solve_batch``.  What numba compiles at first use is told apart.

The row "numpy kernels" is the batch written without numba, whole arrays at a time: it finds values
and optimal strategies, but neither uniqueness nor the stated rule, so it does less than
``solve_batch``.
"""

import argparse
import platform
import time
import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import nashpy
import numpy as np
import scipy
import scipy.optimize
from numpy.typing import NDArray

from solver.matrix import solve, solve_batch

try:
    from quantecon.optimize import minmax as quantecon_minmax
except ImportError:
    quantecon_minmax = None

FloatArray = NDArray[np.float64]


def random_floats(n: int, rng: np.random.Generator) -> list[FloatArray]:
    """Four by four matrices of normal variates."""
    return [rng.normal(size=(n, 4, 4))]


def card_like(n: int, rng: np.random.Generator) -> list[FloatArray]:
    """Small whole numbers in the shapes that a game of few cards gives, often degenerate."""
    shares = {(1, 1): 5, (1, 2): 8, (1, 3): 8, (2, 2): 16, (2, 3): 16, (3, 3): 22, (4, 4): 25}
    return [
        rng.integers(-2, 3, size=(max(n * share // 100, 1), *shape)).astype(float)
        for shape, share in shares.items()
    ]


def one_row(n: int, rng: np.random.Generator) -> list[FloatArray]:
    """One row of four small whole numbers."""
    return [rng.integers(-2, 3, size=(n, 1, 4)).astype(float)]


def zeros_and_ones(n: int, rng: np.random.Generator) -> list[FloatArray]:
    """Four by four matrices of 0 and 1: nearly all degenerate, the worst for the kernels."""
    return [rng.integers(0, 2, size=(n, 4, 4)).astype(float)]


def weights(kernels: NDArray[Any]) -> NDArray[Any]:
    """Weights on the rows that equalise the columns of each square matrix, (n, k, k) to (n, k)."""
    k = kernels.shape[1]
    if k == 1:
        return np.ones(kernels.shape[:2])
    d = kernels[:, :, 1:] - kernels[:, :, :1]
    if k == 2:
        return np.stack([d[:, 1, 0], -d[:, 0, 0]], axis=1)
    if k == 3:
        return np.asarray(np.cross(d[:, :, 0], d[:, :, 1]))
    minors = [np.linalg.det(np.delete(d, i, axis=1)) * (-1) ** i for i in range(4)]
    return np.stack(minors, axis=1)


def best_rows(games: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Value and an optimal row strategy of each game, by all kernels at once."""
    n, r, c = games.shape
    best, strategies = np.full(n, -np.inf), np.zeros((n, r))
    for k in range(1, min(r, c) + 1):
        for rows in combinations(range(r), k):
            for columns in combinations(range(c), k):
                x: NDArray[Any] = weights(games[:, rows][:, :, columns])
                total = x.sum(axis=1)
                x = x / np.where(total == 0, np.nan, total)[:, np.newaxis]
                guarantee = np.einsum("gi,gij->gj", x, games[:, rows]).min(axis=1)
                better = (x >= -1e-12).all(axis=1) & (guarantee > best)
                best[better] = guarantee[better]
                strategies[better] = 0
                strategies[np.ix_(better, rows)] = x[better]
    return best, strategies


def numpy_batch(games: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve a batch without numba."""
    values, rows = best_rows(games)
    _, columns = best_rows(-games.transpose(0, 2, 1))
    return values, rows, columns


def by_nashpy(game: FloatArray) -> float:
    row, column = nashpy.Game(game).linear_program()
    return float(row @ game @ column)


def by_highs(game: FloatArray) -> float:
    r, c = game.shape
    result = scipy.optimize.linprog(
        np.append(np.zeros(r), -1.0),
        A_ub=np.column_stack([-game.T, np.ones(c)]),
        b_ub=np.zeros(c),
        A_eq=np.append(np.ones(r), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * r + [(None, None)],
        method="highs",
    )
    return -float(result.fun or 0.0)


def timed(action: Callable[[], Any], runs: int = 1) -> float:
    """Least processor time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def one_by_one(solver: Callable[[FloatArray], float], sample: list[FloatArray]) -> float:
    """Microseconds a game, the answers compared with those of the batch."""
    values: list[float] = []

    def run() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values.extend(solver(game) for games in sample for game in games)

    seconds = timed(run)
    expected = np.concatenate([solve_batch(games).values for games in sample])
    wrong = int((np.abs(np.array(values) - expected) > 1e-9).sum())
    if wrong:
        print(f"  ({wrong} of {len(values)} values differ from the batch)")
    return seconds / len(values) * 1e6


def measure(
    make: Callable[[int, np.random.Generator], list[FloatArray]],
    sizes: argparse.Namespace,
    minmax: Callable[[FloatArray], float] | None,
) -> None:
    """Print the table of one kind of matrices."""
    rng = np.random.default_rng(sizes.seed)
    batch = make(sizes.batch, rng)
    medium = [games[: max(len(games) * sizes.single // sizes.batch, 1)] for games in batch]
    small = [games[: max(len(games) * sizes.programs // sizes.batch, 1)] for games in batch]
    count = sum(map(len, batch))
    unique = sum(int(solve_batch(games).unique.sum()) for games in batch) / count

    rows: list[tuple[str, float]] = []
    fast = timed(lambda: [solve_batch(games) for games in batch], 5) / count * 1e6
    rows.append(("solve_batch", fast))
    with np.errstate(all="ignore"):
        plain = timed(lambda: [numpy_batch(games) for games in medium], 3)
    rows.append(("numpy kernels", plain / sum(map(len, medium)) * 1e6))
    if minmax is not None:
        rows.append(("quantecon minmax, one by one", one_by_one(minmax, medium)))
    rows.append(("solve, one by one", one_by_one(lambda game: solve(game).value, medium)))
    rows.append(("scipy linprog HiGHS", one_by_one(by_highs, small)))
    rows.append(("nashpy linear_program", one_by_one(by_nashpy, small)))

    print(f"\n{make.__name__.replace('_', ' ')}: {count:,} games, {unique:.0%} with one solution")
    print(f"  {'method':<30}{'us a game':>12}{'ratio':>10}")
    for name, microseconds in rows:
        print(f"  {name:<30}{microseconds:>12.2f}{microseconds / fast:>10.1f}")


def main() -> None:
    """Read the sample sizes and print one table for each kind of matrices."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--batch", type=int, default=200_000, help="games for solve_batch")
    parser.add_argument("--single", type=int, default=5_000, help="games solved one by one")
    parser.add_argument("--programs", type=int, default=200, help="games for linear programs")
    parser.add_argument("--seed", type=int, default=0)
    sizes = parser.parse_args()

    print(f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}")
    example = np.array([[[4.0, 1.0], [1.0, 2.0]]])
    first = timed(lambda: solve_batch(example))
    print(f"solve_batch: first call {first:.2f} s (compiles, or loads what was compiled before)")
    minmax: Callable[[FloatArray], float] | None = None
    if quantecon_minmax is None:
        print("quantecon is not installed: left out")
    else:
        first = timed(lambda: quantecon_minmax(example[0]))
        print(f"quantecon minmax: first call {first:.2f} s")

        def minmax(game: FloatArray) -> float:
            return float(quantecon_minmax(game)[0])

    for make in (random_floats, card_like, one_row, zeros_and_ones):
        measure(make, sizes, minmax)


if __name__ == "__main__":
    main()
