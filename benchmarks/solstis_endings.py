"""How far back Solstis is solved exactly: the share of positions solved in ten seconds.

    python -m benchmarks.solstis_endings [--games 20] [--most 3] [--seconds 10] [--techniques]

from the root of the repository. Greedy bots play; at the start of every turn with few enough unseen
tiles (in the pile or face down) the rest of the game is solved with open hands and every draw as
chance. Told for each number of unseen tiles: how many positions were tried, which share was solved
in time by a search of every position once and by the pruned one, and how many positions the pruned
one took. With --techniques what each way of pruning adds. At the end, what keeping the graph in
networkx costs beside the compiled search.
"""

import argparse
import statistics
import time

import numpy as np

from games.solstis import Rules, State
from games.solstis.layout import Field
from solver.errors import SolverError
from solver.solstis import EndgameSolution, GreedyBot, solve_endgame
from solver.solstis.endgame import value_without_pruning
from solver.solstis.pruned_search import BOUNDS, EVERYTHING, ORDER, SCOUT, STAR2

FASTEST = 1_000_000
"""More positions than a second is enough for."""

SMALLEST = 2_000
"""Smaller endings are over before they can be timed."""

SETS = (
    ("alpha-beta and Star1", 0),
    ("with ordered options", ORDER),
    ("with bounds on the score", BOUNDS),
    ("ordered, bounds", ORDER | BOUNDS),
    ("ordered, bounds, Star2", ORDER | BOUNDS | STAR2),
    ("ordered, bounds, scouting", ORDER | BOUNDS | SCOUT),
    ("everything", EVERYTHING),
)


def late_positions(game: int, most: int, rules: Rules) -> list[State]:
    """Return the starts of turns of a game with at most so many unseen tiles."""
    rng, bot = np.random.default_rng(game), GreedyBot()
    state, found = State.new(game, rules), []
    while state.kind != "end":
        player = state.decider
        if player is None:
            outcomes = state.outcomes()
            state = state.play(outcomes[int(rng.integers(len(outcomes)))][0])
            continue
        if state.legal()[0].kind == "play_tile" and unseen(state) <= most:
            found.append(state)
        state = state.play(bot.choose(state.observe(player), rng))
    return found


def unseen(state: State) -> int:
    """Return how many tiles lie in the pile or face down."""
    return int(state._core[Field.POOL]).bit_count()


def solved_in_time(state: State, seconds: float, techniques: int) -> EndgameSolution | None:
    """Return the solution of a state, or None when it takes longer."""
    started = time.perf_counter()
    try:
        solution = solve_endgame(state, int(seconds * FASTEST), True, techniques)
    except SolverError:
        return None
    return solution if time.perf_counter() - started <= seconds else None


def searched_whole(state: State, seconds: float) -> tuple[int, float] | None:
    """Return how many positions there are, and the seconds; None when it takes longer."""
    started = time.perf_counter()
    try:
        nodes = value_without_pruning(state, int(seconds * FASTEST))[1]
    except SolverError:
        return None
    taken = time.perf_counter() - started
    return (nodes, taken) if taken <= seconds else None


def table_of_shares(positions: list[State], seconds: float) -> None:
    """Print which share is solved in time, by unseen tiles, with and without pruning."""
    print("unseen  tried   whole  pruned  median positions  median seconds")
    for left in sorted({unseen(state) for state in positions}):
        tried = [state for state in positions if unseen(state) == left]
        whole = sum(searched_whole(state, seconds) is not None for state in tried)
        solutions = [solved_in_time(state, seconds, EVERYTHING) for state in tried]
        solved = [one for one in solutions if one is not None]
        nodes = statistics.median([one.nodes for one in solved]) if solved else 0
        taken = statistics.median([one.seconds for one in solved]) if solved else 0.0
        shares = [f"{100 * number / len(tried):6.0f}%" for number in (whole, len(solved))]
        print(
            f"{left:6d} {len(tried):6d} {' '.join(shares)} {nodes:17,.0f} {taken:15.3f}",
            flush=True,
        )


def table_of_techniques(positions: list[State], seconds: float) -> None:
    """Print what each technique adds, over the positions that all of them solve."""
    rows: dict[str, list[tuple[int, float]]] = {name: [] for name, _ in SETS}
    wholes: list[tuple[int, float]] = []
    for state in positions:
        whole = searched_whole(state, seconds)
        if whole is None or whole[0] < SMALLEST:
            continue
        found = [solved_in_time(state, seconds, techniques) for _, techniques in SETS]
        if None in found:
            continue
        wholes.append(whole)
        for (name, _), one in zip(SETS, found, strict=True):
            assert one is not None
            rows[name].append((one.nodes, one.seconds))
    if not wholes:
        return
    print(f"{len(wholes)} positions of {SMALLEST:,} or more; all of them together:")
    print(f"{'':38s}  positions  seconds   (the value and every move's)")
    for name, pairs in [("every position once, the value alone", wholes), *rows.items()]:
        nodes, taken = (sum(column) for column in zip(*pairs, strict=True))
        print(f"{name:38s} {nodes:10,.0f} {taken:8.1f}", flush=True)


def cost_of_networkx(positions: list[State]) -> None:
    """Print what keeping the graph costs beside the compiled search."""
    compiled, kept = 0.0, 0.0
    for state in [state for state in positions if unseen(state) == 0][:20]:
        nodes, _ = value_without_pruning(state)
        if nodes > 20_000:
            continue
        solution = solve_endgame(state)
        started = time.perf_counter()
        graph = solution.graph()
        kept += time.perf_counter() - started
        started = time.perf_counter()
        value_without_pruning(state)
        compiled += time.perf_counter() - started
        if graph.nodes[solution.state]["value"] != solution.value:
            raise SystemExit("the graph has another value")
    if compiled:
        print(f"the graph in networkx, Fractions: {kept / compiled:.0f} times the compiled search")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--most", type=int, default=3, help="unseen tiles")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--variant", default="base", choices=("base", "beginner", "firefly"))
    parser.add_argument("--techniques", action="store_true", help="weigh each by itself too")
    given = parser.parse_args()
    rules = Rules.published(given.variant)
    positions = [s for game in range(given.games) for s in late_positions(game, given.most, rules)]
    if not positions:
        parser.error("no position has so few unseen tiles: more --games or a larger --most")
    small = min(positions, key=unseen)
    for techniques in (0, EVERYTHING):
        solve_endgame(small, draws=True, techniques=techniques)
    value_without_pruning(small)
    table_of_shares(positions, given.seconds)
    if given.techniques:
        table_of_techniques(positions, given.seconds)
    cost_of_networkx(positions)


if __name__ == "__main__":
    main()
