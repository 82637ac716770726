"""Where the two searches of Solstis disagree, and who is right.

    python -m benchmarks.solstis_disagreements [--games 40] [--worlds 1000]

from the root of the repository. At the decisions of games that greedy bots play, `choose` (100
worlds, 2 turns ahead) and `search_tree` (5,000 iterations) are asked for the largest expected
margin. Where they name different actions, two judges compare these two actions:

* *played out*: from the position after each action the game is played to its end in the same
  sampled worlds, both players by the evaluation after every action;
* *deeper*: `choose` with 3 turns ahead in 60 other worlds.

Told for each judge, and by kind of decision and part of the game: by how many points the action of
`choose` is better, with a 95 % interval over the disagreements.
"""

import argparse
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from games.solstis import Action, Observation, Rules, State
from games.solstis.layout import SIZE
from games.solstis.moves import pile_size
from games.solstis.options import MOST_OPTIONS
from solver.solstis import GreedyBot, choose, search_tree
from solver.solstis.evaluation import weights_for
from solver.solstis.lookahead import LONGEST, MARGIN, play_on

TO_THE_END = LONGEST
EARLY = 15
"""More tiles in the pile: the first half of the game."""


@dataclass(frozen=True)
class Disagreement:
    """A decision at which the searches name different actions.

    `played` and `deeper` are by how many points the judges prefer the action of `choose`.
    """

    kind: str
    pile: int
    played: float
    deeper: float


def decisions(game: int, share: float) -> list[Observation]:
    """Return some decisions with a choice of a game between greedy bots."""
    rng, bot = np.random.default_rng(game), GreedyBot()
    state, found = State.new(game, Rules.published()), []
    while state.kind != "end":
        player = state.decider
        if player is None:
            outcomes = state.outcomes()
            state = state.play(outcomes[int(rng.integers(len(outcomes)))][0])
            continue
        seen = state.observe(player)
        if len(state.legal()) > 1 and rng.random() < share:
            found.append(seen)
        state = state.play(bot.choose(seen, rng))
    return found


def played_out(seen: Observation, actions: tuple[Action, Action], worlds: int, seed: int) -> float:
    """Return by how many points the first action is better when games are played to the end."""
    rng = np.random.default_rng(seed)
    weights = weights_for(seen.rules)
    codes, scratch = np.zeros(MOST_OPTIONS, np.int64), np.zeros(SIZE, np.int64)
    sign = 1 if seen.player == 0 else -1
    total = 0.0
    for _ in range(worlds):
        world = seen.sample(rng)
        tiles, spirits = rng.permutation(60), rng.permutation(19)
        ends = [
            play_on(
                world.play(action)._core.copy(), TO_THE_END, tiles, spirits, MARGIN, weights,
                codes, scratch,
            )
            for action in actions
        ]  # fmt: skip
        total += sign * (ends[0] - ends[1])
    return total / worlds


def judge(job: tuple[int, float, int]) -> tuple[int, list[Disagreement]]:
    """Return how many decisions of a game were looked at, and the disagreements."""
    game, share, worlds = job
    found = []
    asked = decisions(game, share)
    for number, seen in enumerate(asked):
        seed = 1000 * game + number
        one = choose(seen, depth=2, samples=100, seed=seed).action
        other = search_tree(seen, iterations=5000, seed=seed).action
        if one == other:
            continue
        deep = choose(seen, depth=3, samples=60, seed=seed + 500_000)
        value = {alternative.action: alternative.value for alternative in deep.alternatives}
        found.append(
            Disagreement(
                str(one.kind),
                int(pile_size(seen.sample(np.random.default_rng(0))._core)),
                played_out(seen, (one, other), worlds, seed),
                value[one] - value[other],
            )
        )
    return len(asked), found


def told(name: str, group: list[Disagreement]) -> None:
    """Print what both judges say of some disagreements."""
    cells = []
    for values in ([one.played for one in group], [one.deeper for one in group]):
        width = 1.96 * np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.inf
        better = np.mean([value > 0 for value in values])
        cells.append(f"{np.mean(values):+6.2f} +- {width:4.2f} {100 * better:4.0f}%")
    print(f"{name:26s} {len(group):5d}   {cells[0]}   {cells[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--share", type=float, default=0.2, help="of the decisions asked about")
    parser.add_argument("--worlds", type=int, default=1000, help="played out for each")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    started, asked = time.perf_counter(), 0
    found: list[Disagreement] = []
    jobs = [(game, given.share, given.worlds) for game in range(given.games)]
    with ProcessPoolExecutor(given.processes) as pool:
        for number, some in pool.map(judge, jobs):
            asked += number
            found += some
    print(f"{asked} decisions, {len(found)} disagreements, {time.perf_counter() - started:.0f} s")
    if not found:
        return
    print("points by which the action of `choose` is better, and how often it is")
    print(f"{'':26s} {'':5s}   {'played out':>19s}   {'deeper':>19s}")
    told("all", found)
    groups = defaultdict(list)
    for one in found:
        groups[one.kind].append(one)
        groups["first half" if one.pile > EARLY else "second half"].append(one)
    for name in sorted(groups):
        told(name, groups[name])


if __name__ == "__main__":
    main()
