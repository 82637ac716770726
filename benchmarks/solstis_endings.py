"""How far back Solstis is solved exactly: the share of positions solved in ten seconds.

    python -m benchmarks.solstis_endings [--games 20] [--most 4] [--seconds 10]

from the root of the repository. Greedy bots play; at the start of every turn with few enough unseen
tiles (in the pile or face down) the rest of the game is solved with open hands and every draw as
chance. Told for each number of unseen tiles: how many positions were tried, which share was solved
in time, and how many positions that took. At the end, what keeping the graph in networkx costs
beside the compiled search.
"""

import argparse
import statistics
import time

import numpy as np

from games.solstis import Rules, State
from games.solstis.layout import Field
from solver.errors import SolverError
from solver.solstis import GreedyBot, solve_endgame


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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--most", type=int, default=3, help="unseen tiles")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--variant", default="base", choices=("base", "beginner", "firefly"))
    given = parser.parse_args()
    rules = Rules.published(given.variant)
    positions = [s for game in range(given.games) for s in late_positions(game, given.most, rules)]
    small = min(positions, key=unseen)
    solve_endgame(small, draws=True)
    started, speed = time.perf_counter(), 0.0
    for state in positions:
        if unseen(state) == 0:
            solution = solve_endgame(state)
            speed += solution.nodes
    speed = max(speed / (time.perf_counter() - started), 100_000.0)
    print(f"{len(positions)} positions; {speed:,.0f} positions a second in endings")
    print("unseen  tried  solved  median positions  median seconds")
    for left in range(given.most + 1):
        tried = [state for state in positions if unseen(state) == left]
        solved = []
        for state in tried:
            try:
                solution = solve_endgame(state, int(given.seconds * 2 * speed), draws=True)
            except SolverError:
                continue
            if solution.seconds <= given.seconds:
                solved.append(solution)
        if tried:
            nodes = statistics.median([one.nodes for one in solved]) if solved else 0
            seconds = statistics.median([one.seconds for one in solved]) if solved else 0.0
            share = len(solved) / len(tried)
            print(
                f"{left:6d} {len(tried):6d} {100 * share:6.0f}% {nodes:17,.0f} {seconds:15.3f}",
                flush=True,
            )
    compiled, kept = 0.0, 0.0
    for state in [state for state in positions if unseen(state) == 0][:20]:
        solution = solve_endgame(state)
        started = time.perf_counter()
        if solution.nodes > 20_000:
            continue
        graph = solution.graph()
        kept += time.perf_counter() - started
        compiled += solution.seconds
        if graph.nodes[solution.state]["value"] != solution.value:
            raise SystemExit("the graph has another value")
    print(f"the graph in networkx, Fractions: {kept / compiled:.0f} times the compiled search")


if __name__ == "__main__":
    main()
