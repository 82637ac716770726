"""The whole open-hand tables against other solvers on the same matrix games, in one run.

    python benchmarks/open_tables.py [--sample 300] [--seed 1]

Times the two tables of everything (all extras, all face-up sequences; compilation told apart), then
nashpy's linear program, scipy's HiGHS and quantecon's `minmax` on a random sample of the very games
that the tables solve. Times of the others for all games are extrapolated from the sample. Needs the
optional packages of `pip install -e ".[benchmark]"` for quantecon.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import nashpy
import numpy as np
from scipy.optimize import linprog

from solver.backward_induction import games_by_shape
from solver.clash import OpenTable, solve_open, solve_table
from solver.clash.stages import join_stages
from solver.matrix import solve_batch

try:
    from quantecon.optimize import minmax
except ImportError:
    minmax = None


def all_games(table: OpenTable) -> list[np.ndarray]:
    """Return the matrix games of a table as arrays (n, r, c), one array a stage and shape."""
    stored = table.stored
    games: list[np.ndarray] = []
    for number, stage in enumerate(stored.stages):
        if not stage.is_due and stage.size > 1:
            layer = join_stages(stage, stored.stages[number + 1], table.rules, table.objective)
            games.extend(batch for _, batch in games_by_shape(layer, stored.values[number + 1]))
    return games


def by_nashpy(game: np.ndarray) -> float:
    row, _ = nashpy.Game(game).linear_program()
    return float((row @ game).min())


def by_highs(game: np.ndarray) -> float:
    rows, columns = game.shape
    constraints = np.hstack([-game.T, np.ones((columns, 1))])
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=constraints,
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return float(np.asarray(answer.x)[-1])


def by_quantecon(game: np.ndarray) -> float:
    return float(minmax(game)[0])


def sampled(batches: list[np.ndarray], size: int, random: np.random.Generator) -> list[np.ndarray]:
    counts = np.array([len(batch) for batch in batches])
    picks = random.choice(len(batches), size=size, p=counts / counts.sum())
    return [np.ascontiguousarray(batches[k][random.integers(counts[k])]) for k in picks]


def seconds_each(solve: Callable[[np.ndarray], Any], games: list[np.ndarray]) -> float:
    started = time.perf_counter()
    for game in games:
        solve(game)
    return (time.perf_counter() - started) / len(games)


def batch_seconds(batches: list[np.ndarray]) -> float:
    started = time.perf_counter()
    for batch in batches:
        solve_batch(batch)
    return (time.perf_counter() - started) / sum(map(len, batches))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=300, help="games for the slow solvers")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    started = time.perf_counter()
    solve_open("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    print(
        f"first solution, loading or compiling the kernels: {time.perf_counter() - started:.2f} s"
    )
    for objective in ("margin", "win"):
        table = min((solve_table(objective) for _ in range(3)), key=lambda table: table.seconds)
        print(f"\n{table}")
        batches = all_games(table)
        games = sampled(batches, arguments.sample, np.random.default_rng(arguments.seed))
        count = sum(map(len, batches))
        ours = batch_seconds(batches)
        peers = [("solve_batch, all games", ours), ("the whole table", table.seconds / count)]
        peers.append(("nashpy linear_program", seconds_each(by_nashpy, games)))
        peers.append(("scipy linprog HiGHS", seconds_each(by_highs, games)))
        if minmax is not None:
            by_quantecon(games[0])  # compiles
            many = sampled(batches, 20 * arguments.sample, np.random.default_rng(arguments.seed))
            peers.append(("quantecon minmax", seconds_each(by_quantecon, many)))
        print(f"{'':26}{'us a game':>12}{'all games, s':>14}{'times solve_batch':>19}")
        for name, each in peers:
            print(f"{name:26}{1e6 * each:12.2f}{each * count:14.2f}{each / ours:19.1f}")
        print(f"(others: a sample of {len(games)} of the {count} games, extrapolated)")


if __name__ == "__main__":
    main()
