"""Random games of Solstis: how many nodes a second, by the library and by plainer and barer means.

    python -m benchmarks.solstis_playouts [--games 300] [--seed 0]

from the root of the repository. Every game is played to its end by random choices, its piles
without order, so that draws are chance. A node is a decision or a chance node; at every node all
legal actions or all outcomes are asked for. Side by side, in one run:

* ``State``: what users call, immutable states, `legal`, `outcomes` and `play`.
* ``reference``: the rules once more, written plainly on sets and names, with which the tests
  compare (tests/solstis_reference.py).
* ``core``: the compiled core alone on a vector that it changes, the random choice compiled too.

Times are processor time of this process. Compiling, or loading what was compiled before, is told
apart. The mean number of nodes a game and the mean score of player 1 show that all three play the
same game, up to chance.
"""

import argparse
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numba import njit

from games.solstis import Rules, State
from games.solstis.options import MOST_OPTIONS, options
from games.solstis.scoring import total_score
from games.solstis.turn import CHANCE, END, apply, status
from tests.solstis_reference import Reference, random_setup


@dataclass(frozen=True)
class Run:
    """What some games took, and what came of them."""

    games: int
    decisions: int
    chances: int
    points: int
    seconds: float

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return (self.decisions + self.chances) / self.seconds


Player: TypeAlias = Callable[[Rules, int, int], Run]


def by_state(rules: Rules, games: int, seed: int) -> Run:
    """Play with `State`."""
    chooser = random.Random(seed)
    starts = [State.new(seed + number, rules, ordered=False) for number in range(games)]
    decisions = chances = points = 0
    begun = time.process_time()
    for start in starts:
        state = start
        while state.kind != "end":
            if state.kind == "decision":
                decisions += 1
                state = state.play(chooser.choice(state.legal()))
            else:
                chances += 1
                state = state.play(chooser.choice(state.outcomes())[0])
        points += state.score(0).total
    return Run(games, decisions, chances, points, time.process_time() - begun)


def by_reference(rules: Rules, games: int, seed: int) -> Run:
    """Play with the straightforward version."""
    chooser = random.Random(seed)
    words = rules.to_dict()
    setups = [random_setup(chooser, rules.variant) for _ in range(games)]
    decisions = chances = points = 0
    begun = time.process_time()
    for setup in setups:
        state = Reference(words, setup, ordered=False)
        while state.kind != "end":
            if state.kind == "decision":
                decisions += 1
                state = state.play(chooser.choice(state.options()))
            else:
                chances += 1
                state = state.play(chooser.choice(state.outcomes())[0])
        points += state.score(0)["total"]
    return Run(games, decisions, chances, points, time.process_time() - begun)


def by_core(rules: Rules, games: int, seed: int) -> Run:
    """Play with the compiled core alone, twenty times as many games."""
    games *= 20
    starts = [State.new(seed + number, rules, ordered=False) for number in range(games)]
    vectors = np.stack([start._core for start in starts])
    begun = time.process_time()
    decisions, chances, points = play_vectors(vectors, seed + 1)
    return Run(games, decisions, chances, points, time.process_time() - begun)


@njit(cache=True)
def play_vectors(vectors: Any, seed: Any) -> Any:
    """Play games to their ends; return the decisions, chance nodes and points of player 1."""
    out = np.empty(MOST_OPTIONS, dtype=np.int64)
    word = np.uint64(seed * 2 + 1)
    decisions, chances, points = 0, 0, 0
    for game in range(len(vectors)):
        s = vectors[game]
        node = status(s)
        while node != END:
            if node == CHANCE:
                chances += 1
            else:
                decisions += 1
            word ^= word << np.uint64(13)
            word ^= word >> np.uint64(7)
            word ^= word << np.uint64(17)
            choice = (word >> np.uint64(33)) % np.uint64(options(s, out))
            node = apply(s, out[np.int64(choice)], 0)
        points += total_score(s, 0)
    return decisions, chances, points


def seconds_of(work: Callable[[], object]) -> float:
    """Return the seconds that something takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Read the sample sizes and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=300, help="games of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    sizes = parser.parse_args()

    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}")
    first = seconds_of(lambda: by_state(Rules("firefly"), 20, 0))
    print(f"State: the first 20 games {first:.2f} s (compiles, or loads what was compiled before)")
    first = seconds_of(lambda: by_core(Rules("firefly"), 1, 0))
    print(f"core: the first 20 games {first:.2f} s")
    players: dict[str, tuple[Player, int]] = {
        "State": (by_state, sizes.games),
        "reference": (by_reference, max(sizes.games // 5, 1)),
        "core": (by_core, sizes.games),
    }
    print(
        f"\n{'rules':22}{'':11}{'games':>7}{'decisions':>11}{'chances':>9}{'nodes/game':>12}"
        f"{'points':>8}{'nodes/s':>11}{'games/s':>9}{'State = 1':>11}"
    )
    for variant in ("base", "beginner", "firefly"):
        for label, rules in (("sheet", Rules(variant)), ("published", Rules.published(variant))):
            runs = {
                name: player(rules, games, sizes.seed) for name, (player, games) in players.items()
            }
            for name, run in runs.items():
                nodes = run.decisions + run.chances
                print(
                    f"{f'{variant}, {label}' if name == 'State' else '':22}{name:11}{run.games:7}"
                    f"{run.decisions:11}{run.chances:9}{nodes / run.games:12.1f}"
                    f"{run.points / run.games:8.1f}{run.speed:11,.0f}"
                    f"{run.games / run.seconds:9,.0f}{run.speed / runs['State'].speed:11.2f}"
                )


if __name__ == "__main__":
    main()
