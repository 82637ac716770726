"""What games of Solstis end like: scores by parts, margins, the first player's edge.

    python -m benchmarks.solstis_scores [BOT] [--games 400] [--variant base] [--seed 0]

from the root of the repository. A bot of `benchmarks.solstis_arena` that sees what a player sees
plays against itself, each game another deal, under the published rules. Intervals hold 95 %.
"""

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeAlias

import numpy as np

from benchmarks.solstis_arena import Seer, interval, make_bot
from games.solstis import Rules, State
from solver.solstis.bots import play_out

Scores: TypeAlias = tuple[dict[str, Any], dict[str, Any]]


def finish(job: tuple[str, str, int]) -> Scores:
    """Play a deal to its end."""
    bot, variant, seed = job
    state = State.new(seed, Rules.published(variant))
    player = make_bot(bot)
    assert not isinstance(player, Seer)
    end = play_out(state, [player, player], seed)
    return end.score(0).to_dict(), end.score(1).to_dict()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bot", nargs="?", default="greedy")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--variant", default="base", choices=("base", "beginner", "firefly"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if isinstance(make_bot(given.bot), Seer) or "open" in given.bot:
        parser.error(f"{given.bot} sees more than a player does")
    jobs = [(given.bot, given.variant, given.seed + game) for game in range(given.games)]
    with ProcessPoolExecutor(given.processes) as pool:
        games = list(pool.map(finish, jobs, chunksize=4))
    scores = [score for pair in games for score in pair]
    totals = np.array([[score["total"] for score in pair] for pair in games])
    margins = totals[:, 0] - totals[:, 1]
    edge, width = interval([float(margin) for margin in margins])
    wins = 100 * np.mean((margins > 0) + 0.5 * (margins == 0))
    quarters = np.percentile(abs(margins), [25, 50, 75])
    print(f"{given.bot} against itself, {given.variant}, {len(games)} games")
    print(f"winner           mean {totals.max(axis=1).mean():5.1f}")
    print(f"loser            mean {totals.min(axis=1).mean():5.1f}")
    print(
        f"margin           quarter up to {quarters[0]:.0f}, half up to {quarters[1]:.0f}, "
        f"three quarters up to {quarters[2]:.0f}; standard deviation {margins.std():.1f}"
    )
    print(f"first player     {edge:+.1f} +- {width:.1f}, wins {wins:.0f} %")
    for part in ("area", "fires", "spirits"):
        print(f"{part:<16} mean {np.mean([score[part] for score in scores]):5.1f}")
    blue = np.mean([sum(score["blue"].values()) for score in scores])
    print(f"blue points      mean {blue:5.1f}, of these:")
    owned, points = Counter[str](), Counter[str]()
    for score in scores:
        for name, value in score["blue"].items():
            owned[name] += 1
            points[name] += value
    for name in sorted(owned, key=lambda name: -points[name] / owned[name]):
        print(f"  {name:<14} mean {points[name] / owned[name]:5.1f} when had")


if __name__ == "__main__":
    main()
