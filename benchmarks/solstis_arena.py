"""Bots of Solstis play matches; win rate and margin with confidence intervals.

    python -m benchmarks.solstis_arena search:1 greedy --games 200 [--variant base] [--file F]

from the root of the repository. Every deal is played twice, the seats swapped; the intervals come
from the sums of such pairs, so that what the deal brings either seat cancels. A number after a
bot's name is its time in seconds for each turn. With ``--file`` finished pairs are appended to a
file of JSON lines, and a run that was ended goes on from there.

========================  ===================================================================
``random``                any legal action
``greedy``                the best immediate gain in score
``search:S``              `choose`: S seconds for each turn
``search:dDnN``           `choose`: N worlds, D turns after the present one
``tree:S``                information-set Monte Carlo tree search: S seconds for each turn
``tree:iN``               the same: N iterations for each decision
``open:S``                `choose` that sees the other hand: what hiding it is worth
``seer:nN``               knows the other hand and every draw to come, and looks ahead as far as
                          N thousand positions reach: what luck leaves to be won at all
========================  ===================================================================

Bots that search maximise the chance to win; ``margin+`` before their name (``margin+search:1``)
makes them maximise the margin.
"""

import argparse
import json
import math
import re
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.solstis import Action, Rules, State
from games.solstis.actions import action_of
from games.solstis.layout import Field
from games.solstis.options import legal_codes
from games.solstis.spirits import Spirit
from solver.solstis.bots import Bot, GreedyBot, UniformBot
from solver.solstis.choose import SolstisObjective
from solver.solstis.evaluation import weights_for
from solver.solstis.lookahead import MARGIN, WIN, new_line, option_values, settled_outcome
from solver.solstis.search_bots import SearchBot, TreeBot

_SPEC = re.compile(
    r"(?P<margin>margin\+)?(?P<name>random|greedy|search|tree|open|seer)"
    r"(:(?P<seconds>[0-9.]+)|:d(?P<depth>\d+)n(?P<samples>\d+)|:i(?P<iterations>\d+)|:n(?P<nodes>\d+))?"
    r"(,c(?P<exploration>[0-9.]+))?(,p(?P<playout>\d+))?"
)

DEEPEST_SEER = 30
"""More turns than a game has left when so few positions reach its end."""


@dataclass(frozen=True)
class World:
    """In which order tiles and spirits come: the smaller the number, the sooner."""

    tiles: NDArray[np.int64]
    spirits: NDArray[np.int64]

    def outcome(self, state: State) -> Action:
        """Return what chance brings."""
        codes = legal_codes(state._core)
        return action_of(int(settled_outcome(codes, len(codes), self.tiles, self.spirits)))


@dataclass(frozen=True)
class Seer:
    """Knows the state and the world, and searches as deep as some positions reach."""

    nodes: int
    objective: SolstisObjective

    def choose(self, state: State, world: World) -> Action:
        """Return the action of the deepest search that was finished."""
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        states, codes, frames, bounds = new_line()
        values, counts = np.empty(codes.shape[1]), np.zeros(2, dtype=np.int64)
        best, left = 0, self.nodes
        for turns in range(DEEPEST_SEER):
            states[0] = state._core
            counts[:] = (0, left)
            goal = WIN if self.objective == "win" else MARGIN
            weights = weights_for(state.rules)
            number = option_values(
                states, codes, frames, bounds, turns, world.tiles, world.spirits, 0, goal, weights,
                counts, values,
            )  # fmt: skip
            if number < 0:
                break
            found = values[:number] if state.decider == 0 else -values[:number]
            best, left = int(np.argmax(found)), left - int(counts[0])
            if left <= 0:
                break
        return legal[best]


def make_bot(spec: str) -> Bot | Seer:
    """Return the bot of a specification."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise SystemExit(f"{spec!r} is no bot: see --help")
    objective: SolstisObjective = "margin" if match["margin"] else "win"
    if match["name"] == "random":
        return UniformBot()
    if match["name"] == "greedy":
        return GreedyBot()
    if match["name"] == "seer":
        return Seer(1000 * int(match["nodes"] or 100), objective)
    seconds = float(match["seconds"] or 1)
    if match["name"] == "tree":
        options: dict[str, Any] = {}
        if match["exploration"]:
            options["exploration"] = float(match["exploration"])
        if match["playout"]:
            options["playout_turns"] = int(match["playout"])
        iterations = int(match["iterations"]) if match["iterations"] else None
        return TreeBot(seconds, objective, iterations=iterations, **options)
    depth = int(match["depth"]) if match["depth"] else None
    samples = int(match["samples"]) if match["samples"] else None
    return SearchBot(seconds, objective, depth, samples)


def play(
    bots: list[Bot | Seer], opened: list[bool], deal: int, rules: Rules
) -> tuple[int, list[float]]:
    """Play a deal; return the margin of player 0 and the seconds of both.

    For a seer blind picks are settled beforehand as well, and piles and face-down tiles come in an
    order of their own.
    """
    state = State.new(deal, rules)
    world = None
    if any(isinstance(bot, Seer) for bot in bots):
        shuffle = np.random.default_rng([deal, 2])
        world = World(shuffle.permutation(60), shuffle.permutation(len(Spirit)))
        state = state.unordered()
    rng = np.random.default_rng([deal, 1])
    spent = [0.0, 0.0]
    while state.kind != "end":
        player = state.decider
        if player is None:
            outcomes = state.outcomes()
            picked = int(rng.integers(len(outcomes)))
            state = state.play(outcomes[picked][0] if world is None else world.outcome(state))
            continue
        bot = bots[player]
        started = time.perf_counter()
        if isinstance(bot, Seer):
            assert world is not None
            action = bot.choose(state, world)
        else:
            seen = with_open_hands(state, player) if opened[player] else state
            action = bot.choose(seen.observe(player), rng)
        spent[player] += time.perf_counter() - started
        state = state.play(action)
    return state.score(0).total - state.score(1).total, spent


def with_open_hands(state: State, player: int) -> State:
    """Return the state with the other hand shown to a player, as a Fox would."""
    core = state._core.copy()
    core[Field.SEEN + player] = core[Field.HAND + 1 - player]
    return State._of(core, None, state.rules)


def play_pair(job: tuple[str, str, int, Rules]) -> dict[str, Any]:
    """Play a deal from both seats."""
    first, second, deal, rules = job
    margins, times = [], [0.0, 0.0]
    for swapped in (False, True):
        names = (second, first) if swapped else (first, second)
        bots = [make_bot(name) for name in names]
        margin, spent = play(bots, ["open" in name for name in names], deal, rules)
        margins.append(-margin if swapped else margin)
        times[0] += spent[swapped]
        times[1] += spent[1 - swapped]
    return {"deal": deal, "margins": margins, "seconds": times}


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half the width of a 95 % interval."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def summary(pairs: list[dict[str, Any]]) -> str:
    """Return win rate and margin of the first bot."""
    wins = [sum((m > 0) + 0.5 * (m == 0) for m in pair["margins"]) / 2 for pair in pairs]
    margins = [sum(pair["margins"]) / 2 for pair in pairs]
    rate, width = interval(wins)
    margin, margin_width = interval(margins)
    each = [sum(pair["seconds"][k] for pair in pairs) / (2 * len(pairs)) for k in (0, 1)]
    return (
        f"{2 * len(pairs)} games: wins {100 * rate:.1f} % +- {100 * width:.1f}, margin "
        f"{margin:+.2f} +- {margin_width:.2f}; {each[0]:.1f} and {each[1]:.1f} s a game"
    )


def finished(path: Path | None, head: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the pairs that a file holds already."""
    if path is None or not path.exists():
        return
    lines = path.read_text().splitlines()
    if lines and json.loads(lines[0]) != head:
        raise SystemExit(f"{path} holds another match: {lines[0]}")
    for line in lines[1:]:
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            # The last line of a run that was ended while it wrote.
            return


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variant", default="base", choices=("base", "beginner", "firefly"))
    parser.add_argument("--sheet", action="store_true", help="the sheet's rules, not the published")
    parser.add_argument("--seed", type=int, default=0, help="of the first deal")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--file", type=Path)
    given = parser.parse_args()
    make_bot(given.first), make_bot(given.second)
    rules = Rules(given.variant) if given.sheet else Rules.published(given.variant)
    head = {"first": given.first, "second": given.second, "rules": rules.to_dict()}
    pairs = list(finished(given.file, head))
    done = {pair["deal"] for pair in pairs}
    deals = [d for d in range(given.seed, given.seed + given.games // 2) if d not in done]
    if given.file is not None:
        kept = [head, *pairs]
        given.file.write_text("".join(json.dumps(line) + "\n" for line in kept))
    told = time.perf_counter()
    with ProcessPoolExecutor(given.processes) as pool:
        jobs = [pool.submit(play_pair, (given.first, given.second, deal, rules)) for deal in deals]
        for job in as_completed(jobs):
            pair = job.result()
            pairs.append(pair)
            if given.file is not None:
                with given.file.open("a") as file:
                    file.write(json.dumps(pair) + "\n")
            if time.perf_counter() - told > 30:
                told = time.perf_counter()
                print(summary(pairs), flush=True)
    print(f"{given.first} against {given.second}, {given.variant}: {summary(pairs)}")


if __name__ == "__main__":
    main()
