"""Reduced hidden-hand games of Solaris' Clash against OpenSpiel and LiteEFG, in one run.

    python -m benchmarks.hidden_hands [--games h3b_win h4_win ...] [--budget 100]

from the root of the repository. ``pip install open_spiel LiteEFG cvxpy ecos`` (in an environment of
their own) gives the others; what is not installed is skipped with a note.

Every solver runs in a process of its own, on one thread, and iterates to the given exploitability,
half the sum of what both players gain by best responses (for OpenSpiel half of nash_conv). That is
measured at growing numbers of iterations with the time for measuring left out; only `solve_hidden`
measures by itself, and its time includes that. Reading or building the game is told apart, and so
is loading or compiling the kernels, which is done on another, small game first. Memory is the peak
resident size after the iterations and before the first measurement (for `solve_hidden` and the
linear programs at the end), and what of it came after the imports and kernels: compare the latter,
for this script imports this library in every process. Quick solvers run three times; the run with
the median processor time is shown. A solver that cannot meet the exploitability in its budget, even
if it fell with the square of the iterations from there on, is stopped, and ">" marks its numbers.

OpenSpiel and LiteEFG get the game deal by deal, without forced moves, in a file that is written
beforehand at nobody's cost (`openspiel_game`). At the end every strategy found is measured twice,
by this library and by OpenSpiel.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from benchmarks.openspiel_game import (
    CHANCE,
    END,
    Policy,
    efg_text,
    expand,
    liteefg_text,
    read_policy,
    write_policy,
)
from games.clash import Element
from solver.clash import solve_hidden
from solver.clash.hidden.deal import Progress
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden_tree import hidden_tree
from solver.counterfactual_regret import CounterfactualRegret
from solver.exploitability import exploitability
from solver.public_game import NodeKind
from solver.public_tree import PublicTree
from solver.regret_rules import CfrPlus, RegretRule
from solver.sequence_form import solve_sequence_form

ROOT = Path(__file__).parents[1]
RECORDED = ROOT / "tests" / "data" / "clash" / "hidden_small.json"
PAIRS = [a + b for k, a in enumerate("WFAE") for b in "WFAE"[k:]]
EXTRA = {
    # five rounds, ten hands each: larger than the recorded ones
    "H5_WFA+2extras_uniform_win": {
        "times": "DuDaNoMi----",
        "hands": [["WFA" + pair for pair in PAIRS]] * 2,
        "priors": [[0.1] * 10] * 2,
        "points": [0, 0],
        "objective": "win",
    }
}
DEFAULT_GAMES = ["h3b_win", "h4_win", "H5_WFA+2extras_2v2_win", "H4_WF+2extras_asym_win"]
SMALL = "h3b_win"
PLAIN = CfrPlus(1.0, "CFR+, linear averaging")
"""What OpenSpiel and LiteEFG do."""

QUICK = 10.0
"""Processor seconds below which a solver is run three times."""

MEMORY_LIMIT = 10 << 30
"""Bytes of address space that a solver may take; dense linear programs want far more."""

ONE_THREAD = dict.fromkeys(
    [f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "BLIS")], "1"
)


@dataclass(frozen=True)
class Result:
    """What one solver did on one game; times in seconds, memory in MiB."""

    kernels: float
    build: float
    build_wall: float
    run: float
    run_wall: float
    iterations: int
    gap: float
    peak: float
    grown: float

    @property
    def total(self) -> float:
        """Building and running."""
        return self.build + self.run


@dataclass(frozen=True)
class Job:
    """What a solver is asked: a game, the files that hold it, and when to stop."""

    name: str
    game: dict[str, Any]
    files: Path
    tolerance: float
    budget: float


class Iterative(Protocol):
    """A solver that iterates."""

    def warm(self) -> None:
        """Load or compile what the first call loads or compiles."""

    def build(self) -> None:
        """Get the game ready."""

    def iterate(self, count: int) -> None:
        """Make so many iterations more."""

    def gap(self) -> float:
        """Measure the exploitability of the averages."""

    def policy(self) -> Policy:
        """Return the averages."""


class _Clock:
    """Processor and wall time since the start."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> tuple[float, float]:
        return time.process_time() - self._cpu, time.perf_counter() - self._wall


def peak_memory() -> float:
    """Return the peak resident size of this process in MiB."""
    try:
        # not getrusage: that counts the parent, out of which the process was started
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        resource = importlib.import_module("resource")
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return float(size) / (2**20 if sys.platform == "darwin" else 2**10)


def all_games() -> dict[str, dict[str, Any]]:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))["games"]
    return {game["id"]: game for game in recorded} | EXTRA


def tree_of(game: dict[str, Any]) -> PublicTree:
    return hidden_tree(
        game["times"],
        game["hands"],
        game["priors"],
        points=game["points"],
        objective=game["objective"],
    )


# Each solver, in its own process.


class _Loop:
    """The general regret loop of this library on the public tree."""

    def __init__(self, game: dict[str, Any], rule: RegretRule | None) -> None:
        self._game, self._rule = game, rule

    def warm(self) -> None:
        self._made(all_games()[SMALL]).iterate(1)

    def _made(self, game: dict[str, Any]) -> CounterfactualRegret:
        tree = tree_of(game)
        return CounterfactualRegret(tree, self._rule) if self._rule else CounterfactualRegret(tree)

    def build(self) -> None:
        self._loop = self._made(self._game)

    def iterate(self, count: int) -> None:
        self._loop.iterate(count)

    def gap(self) -> float:
        return exploitability(self._loop.tree, self._loop.average_strategy()).exploitability

    def policy(self) -> Policy:
        return write_policy(self._loop.tree, self._loop.average_strategy())


def spiel_policy(table: dict[str, list[tuple[int, float]]]) -> Policy:
    """Read OpenSpiel's table: keys are player, player, number of the set, and a name."""
    policy: Policy = {}
    for key, chances in table.items():
        player, _, number, _ = key.split("-", 3)
        policy[int(player), int(number) - 1] = [chance for _, chance in sorted(chances)]
    return policy


def python_policy(policy: Any, players: tuple[int, ...] = (0, 1)) -> Policy:
    """Read a tabular policy of OpenSpiel's Python side."""
    table = {}
    for key, row in policy.state_lookup.items():
        if int(key[0]) in players:
            legal = policy.legal_actions_mask[row].nonzero()[0].tolist()
            table[key] = [(k, float(policy.action_probability_array[row][k])) for k in legal]
    return spiel_policy(table)


class _Spiel:
    """OpenSpiel's CFR+ in C++."""

    def __init__(self, files: Path) -> None:
        self._file = files / "game.efg"
        self._spiel = importlib.import_module("pyspiel")

    def warm(self) -> None:
        pass

    def build(self) -> None:
        self._game = self._spiel.load_game(f"efg_game(filename={self._file})")
        self._solver = self._made()

    def _made(self) -> Any:
        return self._spiel.CFRPlusSolver(self._game)

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self._solver.evaluate_and_update_policy()

    def gap(self) -> float:
        return float(self._spiel.nash_conv(self._game, self._solver.average_policy())) / 2

    def policy(self) -> Policy:
        return spiel_policy(self._solver.tabular_average_policy().policy_table())


class _SpielPython(_Spiel):
    """OpenSpiel's CFR+ in Python, measured in C++."""

    def __init__(self, files: Path) -> None:
        super().__init__(files)
        self._cfr = importlib.import_module("open_spiel.python.algorithms.cfr")
        self._policies = importlib.import_module("open_spiel.python.policy")

    def _made(self) -> Any:
        return self._cfr.CFRPlusSolver(self._game)

    def gap(self) -> float:
        policy = self._policies.python_policy_to_pyspiel_policy(self._solver.average_policy())
        return float(self._spiel.nash_conv(self._game, policy)) / 2

    def policy(self) -> Policy:
        return python_policy(self._solver.average_policy())


class _Lite:
    """LiteEFG's CFR+ with its linear average."""

    AVERAGE = "linear-avg-iterate"

    def __init__(self, files: Path) -> None:
        self._file = files / "game.txt"
        self._lite = importlib.import_module("LiteEFG")
        self._baseline = importlib.import_module("LiteEFG.baselines.CFRplus")

    def warm(self) -> None:
        if hasattr(self._lite, "set_threads"):
            self._lite.set_threads(1)

    def build(self) -> None:
        self._environment = self._lite.FileEnv(str(self._file))
        self._graph = self._baseline.graph()
        self._environment.set_graph(self._graph)

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self._graph.update_graph(self._environment)
            self._environment.update_strategy(self._graph.current_strategy())

    def gap(self) -> float:
        gains = self._environment.exploitability(self._graph.current_strategy(), self.AVERAGE)
        return float(sum(gains)) / 2

    def policy(self) -> Policy:
        policy: Policy = {}
        for player in (1, 2):
            for name, chances in self._environment.get_strategy(
                player, self._graph.current_strategy(), self.AVERAGE
            ):
                policy[player - 1, int(name.split("-")[1])] = list(chances)
        return policy


def climb(job: Job, solver: Iterative) -> tuple[Result, Policy | None]:
    """Iterate until the tolerance is met, or cannot be met in the budget of processor seconds."""
    clock = _Clock()
    solver.warm()
    kernels, before = clock.read()[0], peak_memory()
    clock = _Clock()
    solver.build()
    build = clock.read()
    done, check, run, wall, peak = 0, 1, 0.0, 0.0, 0.0
    while True:
        clock = _Clock()
        solver.iterate(check - done)
        seconds = clock.read()
        run, wall, done = run + seconds[0], wall + seconds[1], check
        peak = peak or peak_memory()
        gap = solver.gap()
        # not beyond where it is met if the gap falls with the square of the iterations
        expected = done * (gap / job.tolerance) ** 0.5
        left = job.budget / max(run / done, 1e-9)
        if gap <= job.tolerance or done > left or (done > 1 and expected > left):
            break
        check = max(round(min(expected, 2.0 * done)), round(1.02 * done), 10)
    return Result(kernels, *build, run, wall, done, gap, peak, peak - before), solver.policy()


def by_solve_hidden(job: Job, rule: RegretRule | None) -> tuple[Result, Policy | None]:
    game = job.game
    small = all_games()[SMALL]
    clock = _Clock()
    solve_hidden(small["times"], small["objective"], small["hands"], small["priors"], rule=rule)
    kernels, before = clock.read()[0], peak_memory()
    marks: list[tuple[float, float]] = []

    def mark(_: Progress) -> None:
        marks.append(clock.read())

    clock = _Clock()
    solution = solve_hidden(
        game["times"],
        game["objective"],
        game["hands"],
        game["priors"],
        game["points"],
        tolerance=job.tolerance,
        rule=rule,
        progress=mark,
    )
    end, build, peak = clock.read(), marks[0], peak_memory()
    solution.save(job.files / f"{job.name}.solution")
    run = end[0] - build[0], end[1] - build[1]
    gap = solution.exploitability
    result = Result(kernels, *build, *run, solution.iterations, gap, peak, peak - before)
    return result, None


def by_our_program(job: Job) -> tuple[Result, Policy | None]:
    solve_sequence_form(tree_of(all_games()[SMALL]))
    before, clock = peak_memory(), _Clock()
    tree = tree_of(job.game)
    build, clock = clock.read(), _Clock()
    solution = solve_sequence_form(tree)
    run, peak = clock.read(), peak_memory()
    gap = exploitability(tree, solution.strategies).exploitability
    result = Result(0.0, *build, *run, 0, gap, peak, peak - before)
    return result, write_policy(tree, solution.strategies)


def by_spiel_program(job: Job) -> tuple[Result, Policy | None]:
    spiel = importlib.import_module("pyspiel")
    programs = importlib.import_module("open_spiel.python.algorithms.sequence_form_lp")
    before, clock = peak_memory(), _Clock()
    game = spiel.load_game(f"efg_game(filename={job.files / 'game.efg'})")
    build, clock = clock.read(), _Clock()
    answer = programs.solve_zero_sum_game(game, solver="ECOS")
    run, peak = clock.read(), peak_memory()
    policy = python_policy(answer[2], (0,)) | python_policy(answer[3], (1,))
    # slightly negative numbers come out of the interior-point method
    policy = {key: [max(chance, 0.0) for chance in row] for key, row in policy.items()}
    gap = float(spiel.nash_conv(game, spiel.TabularPolicy(spiel_table(policy)))) / 2
    return Result(0.0, *build, *run, 0, gap, peak, peak - before), policy


def spiel_table(policy: Policy) -> dict[str, list[tuple[int, float]]]:
    return {
        f"{player}-{player}-{number + 1}-": [(k, p / sum(row)) for k, p in enumerate(row)]
        for (player, number), row in policy.items()
    }


@dataclass(frozen=True)
class Entry:
    """A solver: what it is called, what it needs, and how it is run."""

    label: str
    needs: tuple[str, ...]
    run: Callable[[Job], tuple[Result, Policy | None]]


SPIEL, LITE = ("pyspiel", "open_spiel"), ("LiteEFG",)
SOLVERS = {
    "hidden": Entry("solve_hidden", (), lambda job: by_solve_hidden(job, None)),
    "hidden-plain": Entry("solve_hidden, CFR+", (), lambda job: by_solve_hidden(job, PLAIN)),
    "loop": Entry("general regret loop", (), lambda job: climb(job, _Loop(job.game, None))),
    "loop-plain": Entry("general loop, CFR+", (), lambda job: climb(job, _Loop(job.game, PLAIN))),
    "program": Entry("linear program (HiGHS)", (), by_our_program),
    "spiel": Entry("OpenSpiel C++ CFR+", SPIEL, lambda job: climb(job, _Spiel(job.files))),
    "spiel-python": Entry(
        "OpenSpiel Python CFR+", SPIEL, lambda job: climb(job, _SpielPython(job.files))
    ),
    "spiel-program": Entry("OpenSpiel linear program", (*SPIEL, "cvxpy", "ecos"), by_spiel_program),
    "lite": Entry("LiteEFG CFR+", LITE, lambda job: climb(job, _Lite(job.files))),
}


def work(job: Job) -> None:
    """Run one solver in this process and leave its result in a file."""
    if importlib.util.find_spec("resource") is not None:
        resource = importlib.import_module("resource")
        limit, hard = MEMORY_LIMIT, resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    result, policy = SOLVERS[job.name].run(job)
    found: dict[str, Any] = {"result": asdict(result)}
    if policy is not None:
        found["policy"] = [[*key, row] for key, row in policy.items()]
    (job.files / f"{job.name}.json").write_text(json.dumps(found), encoding="utf-8")


# The whole comparison.


def missing(entry: Entry) -> list[str]:
    return [name for name in entry.needs if importlib.util.find_spec(name) is None]


def launch(
    name: str, game: str, files: Path, tolerance: float, budget: float
) -> tuple[Result, Policy | None] | str:
    """Run a solver in a process of its own; return what it found, or why it found nothing."""
    command = [sys.executable, "-m", "benchmarks.hidden_hands", "--worker", name, "--games", game]
    command += ["--files", str(files), "--tolerance", str(tolerance), "--budget", str(budget)]
    target = files / f"{name}.json"
    target.unlink(missing_ok=True)
    try:
        subprocess.run(
            command,
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
            timeout=3 * budget + 60,
            env=os.environ | ONE_THREAD | {"NUMBA_CACHE_DIR": str(files.parent / "kernels")},
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {3 * budget + 60:.0f} s"
    except subprocess.CalledProcessError as failed:
        lines = str(failed.stderr).strip().splitlines() or [f"code {failed.returncode}"]
        return f"failed: {lines[-1][:80]}"
    found = json.loads(target.read_text(encoding="utf-8"))
    policy = {(player, number): row for player, number, row in found.get("policy", [])}
    return Result(**found["result"]), policy or None


def repeated(
    name: str, game: str, files: Path, tolerance: float, budget: float
) -> tuple[Result, Policy | None] | str:
    """Run a solver, three times if it is quick, and return the run in the middle."""
    first = launch(name, game, files, tolerance, budget)
    if isinstance(first, str) or first[0].total > QUICK:
        return first
    runs = [first] + [launch(name, game, files, tolerance, budget) for _ in range(2)]
    good = [run for run in runs if not isinstance(run, str)]
    middle = statistics.median_low(run[0].run for run in good)
    chosen = next(run for run in good if run[0].run == middle)
    build = statistics.median(run[0].build for run in good)
    return replace(chosen[0], build=build), chosen[1]


def hidden_policy(tree: PublicTree, solution: HiddenSolution) -> Policy:
    """Ask a solution for its strategy in every information set of the public tree."""
    histories: list[tuple[list[tuple[Element, Element]], str]] = [([], times_text(solution))]
    for node in range(1, tree.nodes):
        parent = int(tree.parent[node])
        rounds, times = histories[parent]
        start = int(tree.child_start[parent])
        place = tree.child[start : int(tree.child_start[parent + 1])].tolist().index(node)
        moves: Any = tree.moves[parent]
        if NodeKind(int(tree.kind[parent])) is NodeKind.CHANCE:
            known = times.index("--")
            code = str(getattr(moves[0][place], "code", moves[0][place]))
            histories.append((rounds, times[:known] + code + times[known + 2 :]))
        else:
            pair = moves[0][place // len(moves[1])], moves[1][place % len(moves[1])]
            histories.append(([*rounds, pair], times))
    policy: Policy = {}
    for player, form in enumerate(tree.players):
        for number in range(form.sets):
            rounds, times = histories[int(form.set_node[number])]
            hand: Any = form.types[int(form.set_type[number])]
            mix = solution.strategy(player, hand, rounds, times)
            node = int(form.set_node[number])
            actions: Any = tree.moves[node][player]
            chosen = form.sequence_action[
                int(form.set_start[number]) : int(form.set_start[number + 1])
            ]
            policy[player, number] = [float(mix[actions[k]]) for k in chosen.tolist()]
    return policy


def times_text(solution: HiddenSolution) -> str:
    return "".join("--" if time is None else time.code for time in solution.times)


def compare(name: str, solvers: list[str], tolerance: float, budget: float, folder: Path) -> None:
    """Run all solvers on one game and print what they did."""
    game = all_games()[name]
    files = folder / "game"
    files.mkdir(exist_ok=True)
    tree = tree_of(game)
    vertices = expand(tree)
    (files / "game.efg").write_text(efg_text(vertices), encoding="utf-8")
    (files / "game.txt").write_text(liteefg_text(vertices), encoding="utf-8")
    kinds = [vertex.player for vertex in vertices]
    print(
        f"\n{name}: {len(game['hands'][0])} and {len(game['hands'][1])} hands of "
        f"{len(game['hands'][0][0])} cards, {game['objective']}; {tree}\ndeal by deal "
        f"{len(kinds):,} nodes: {sum(kind < CHANCE for kind in kinds):,} choices, "
        f"{kinds.count(CHANCE):,} of chance, {kinds.count(END):,} ends",
        flush=True,
    )
    del vertices, kinds
    print(
        f"{'':25}{'build, s':>9}{'iterations':>11}{'ms each':>9}{'CPU, s':>9}{'wall, s':>9}"
        f"{'times':>8}{'with build':>11}{'peak, MB':>9}{'grown, MB':>10}{'exploit.':>10}"
        f"{'ours':>10}{'OpenSpiel':>10}{'value':>9}"
    )
    spiel = None if missing(SOLVERS["spiel"]) else importlib.import_module("pyspiel")
    reader = spiel and spiel.load_game(f"efg_game(filename={files / 'game.efg'})")
    ours: Result | None = None
    worst = 0.0
    for solver in solvers:
        entry = SOLVERS[solver]
        if absent := missing(entry):
            print(f"{entry.label:25} not run: {', '.join(absent)} not installed")
            continue
        found = repeated(solver, name, files, tolerance, budget)
        if isinstance(found, str):
            print(f"{entry.label:25} {found}")
            continue
        result, policy = found
        ours = ours or result
        if policy is None:
            policy = hidden_policy(tree, HiddenSolution.load(files / f"{solver}.solution"))
        measured = exploitability(tree, read_policy(tree, policy))
        theirs = float("nan")
        if spiel is not None:
            theirs = float(spiel.nash_conv(reader, spiel.TabularPolicy(spiel_table(policy)))) / 2
            worst = max(worst, abs(theirs - measured.exploitability))
        worst = max(worst, abs(result.gap - measured.exploitability))
        print(row(entry.label, result, ours, tolerance), end="")
        print(f"{measured.exploitability:10.2e}{theirs:10.2e}{measured.value:9.5f}", flush=True)
    print(f"largest difference between measurements of one strategy: {worst:.1e}", end="")
    print(f"; recorded value {game['value']:.5f}" if "value" in game else "")


def row(label: str, result: Result, ours: Result, tolerance: float) -> str:
    count = f"{result.iterations:11,}" if result.iterations else f"{'':11}"
    each = f"{1e3 * result.run / result.iterations:9.2f}" if result.iterations else f"{'':9}"
    late = ">" if result.gap > tolerance else ""
    ratios = f"{late}{result.run / ours.run:.1f}", f"{late}{result.total / ours.total:.1f}"
    return (
        f"{label:25}{result.build:9.3f}{count}{each}{late + f'{result.run:.3f}':>9}"
        f"{result.run_wall:9.3f}{ratios[0]:>8}{ratios[1]:>11}{result.peak:9.0f}{result.grown:10.1f}"
        f"{result.gap:10.2e}"
    )


def conditions() -> str:
    """Return what the numbers depend on."""
    names = ["numpy", "numba", "scipy", "open_spiel", "LiteEFG", "ecos"]
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} none")
    try:
        text = Path("/proc/cpuinfo").read_text()
        processor = text.split("model name")[1].split("\n")[0].strip("\t :")
    except (OSError, IndexError):
        processor = platform.processor()
    load = " ".join(f"{number:.1f}" for number in os.getloadavg())
    return (
        f"{processor}, {os.cpu_count()} cores, load at the start {load}; {platform.system()}, "
        f"Python {platform.python_version()}, {', '.join(versions)}; one thread a solver"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games", nargs="+", default=DEFAULT_GAMES, choices=list(all_games()), metavar="GAME",
        help="names of recorded games, or " + ", ".join(EXTRA),
    )  # fmt: skip
    parser.add_argument(
        "--solvers", nargs="+", default=list(SOLVERS), choices=list(SOLVERS), metavar="SOLVER",
        help=f"some of {', '.join(SOLVERS)}; ratios are to the first",
    )  # fmt: skip
    parser.add_argument("--tolerance", type=float, default=1e-3, help="exploitability to reach")
    parser.add_argument("--budget", type=float, default=100.0, help="processor seconds a solver")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--files", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        game, limits = all_games()[arguments.games[0]], (arguments.tolerance, arguments.budget)
        work(Job(arguments.worker, game, arguments.files, *limits))
        return
    print(conditions())
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "first"
        files.mkdir()
        for solver in ("hidden", "loop"):
            first = launch(solver, SMALL, files, arguments.tolerance, arguments.budget)
            again = launch(solver, SMALL, files, arguments.tolerance, arguments.budget)
            if not isinstance(first, str) and not isinstance(again, str):
                print(
                    f"kernels of {SOLVERS[solver].label}: compiled once in "
                    f"{first[0].kernels:.1f} s of processor time, then loaded from the cache in "
                    f"{again[0].kernels:.2f} s"
                )
        for name in arguments.games:
            compare(name, arguments.solvers, arguments.tolerance, arguments.budget, Path(folder))


if __name__ == "__main__":
    main()
