"""Fit the weights of the evaluation of Solstis from games of the search against itself.

    python -m benchmarks.fit_solstis_evaluation [--games 4000] [--rounds 3] [--seed 0] [--write]

from the root of the repository. In each round both sides look to the end of their own turn with
the weights found so far (at first the score as it stands) and now and then play at random; then the
margin at the end is regressed (ridge) on the differences of the features at the start of every
turn. The games of a variant are played under the sheet's and the published rules, half each. With
``--write`` the weights replace those of the package (`solver/solstis/weights.json`).
"""

import argparse
import json
import time
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from games.files import written_aside
from games.solstis import Rules, State
from games.solstis.layout import Field, Stage
from games.solstis.moves import pile_size
from games.solstis.options import options
from games.solstis.scoring import total_score
from games.solstis.turn import CHANCE, END, apply, decider, status
from solver.solstis.evaluation import FAMILIES, WEIGHTS_FILE, plain_weights, weights_for
from solver.solstis.features import FEATURES, feature_vector
from solver.solstis.lookahead import MARGIN, new_line, option_values, settled_outcome

COUNT = len(FEATURES)
MOST_TURNS = 80
PILE = 30.0


@njit(cache=True)
def play_game(  # noqa: PLR0917
    s: Any,
    weights: Any,
    epsilon: Any,
    looked: Any,
    seed: Any,
    states: Any,
    codes: Any,
    frames: Any,
    bounds: Any,
    features: Any,
    piles: Any,
) -> Any:
    """Play a game to its end; write the features at each turn and return how many there are."""
    np.random.seed(seed)  # noqa: NPY002
    tiles, spirits = np.random.permutation(60), np.random.permutation(19)  # noqa: NPY002
    values = np.empty(codes.shape[1])
    mine, theirs = np.empty(COUNT), np.empty(COUNT)
    counts = np.empty(2, np.int64)
    turns = 0
    while True:
        node = status(s)
        if node == END:
            return turns
        if node == CHANCE:
            number = options(s, codes[0])
            apply(s, settled_outcome(codes[0], number, tiles, spirits), 0)
            continue
        if s[Field.STAGE] == Stage.PLAY and s[Field.PENDING] == 0 and turns < len(piles):
            feature_vector(s, 0, mine)
            feature_vector(s, 1, theirs)
            features[turns] = mine - theirs
            piles[turns] = pile_size(s)
            turns += 1
        number = options(s, codes[0])
        chosen = np.random.randint(number)  # noqa: NPY002
        if number > 1 and np.random.random() >= epsilon:  # noqa: NPY002
            states[0, :] = s
            counts[:] = (0, 1_000_000)
            # Its own idea of what comes, not what will come.
            number = option_values(
                states,
                codes,
                frames,
                bounds,
                looked,
                np.random.permutation(60),  # noqa: NPY002
                np.random.permutation(19),  # noqa: NPY002
                0,
                MARGIN,
                weights,
                counts,
                values,
            )
            sign = 1.0 if decider(s) == 0 else -1.0
            number = options(s, codes[0])
            chosen = 0
            for k in range(number):
                if sign * values[k] > sign * values[chosen]:
                    chosen = k
        apply(s, codes[0, chosen], 0)


def gather(job: tuple[str, Any, int, int, float, int]) -> tuple[Any, Any, Any]:
    """Play games of a variant; return features, pile sizes and margins."""
    variant, weights, games, seed, epsilon, looked = job
    line = new_line()
    features, piles, margins = [], [], []
    row, pile = np.empty((MOST_TURNS, COUNT)), np.empty(MOST_TURNS)
    for game in range(games):
        rules = Rules(variant) if game % 2 else Rules.published(variant)
        core = State.new(seed + game, rules, ordered=False)._core.copy()
        turns = play_game(core, weights, epsilon, looked, seed + game, *line, row, pile)
        margin = total_score(core, 0) - total_score(core, 1)
        features.append(row[:turns].copy())
        piles.append(pile[:turns].copy())
        margins.append(np.full(turns, float(margin)))
    return np.concatenate(features), np.concatenate(piles), np.concatenate(margins)


def fit(features: Any, piles: Any, margins: Any, ridge: float) -> Any:
    """Return the weights that foretell the margin, and the spread of what they leave open."""
    left = piles[:, None] / PILE
    design = np.hstack([features, left * features])
    scale = np.maximum(design.std(axis=0), 1e-9)
    scaled = design / scale
    gram = scaled.T @ scaled + ridge * len(scaled) * np.eye(scaled.shape[1])
    solution = np.linalg.solve(gram, scaled.T @ margins) / scale
    solution[design.std(axis=0) < 1e-9] = 0.0
    weights = np.zeros((3, COUNT))
    weights[0], weights[1] = solution[:COUNT], solution[COUNT:]
    foretold = design @ solution
    weights[2, :2] = _spread(foretold, piles / PILE, margins)
    return weights, foretold


def _spread(foretold: Any, left: Any, margins: Any) -> Any:
    """Return the two spreads that make the chance to win most likely (a coarse search)."""
    decided = margins != 0
    sign = np.sign(margins[decided])
    best, found = np.inf, (1.0, 1.0)
    for base in np.arange(0.5, 6.01, 0.5):
        for more in np.arange(0.0, 10.01, 0.5):
            spread = base + more * left[decided]
            loss = np.log1p(np.exp(-sign * foretold[decided] / spread)).mean()
            if loss < best:
                best, found = loss, (base, more)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=4000, help="games a round and variant")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epsilon", type=float, default=0.1, help="chance of a random action")
    parser.add_argument("--turns", type=int, default=0, help="turns looked at after the own one")
    parser.add_argument("--refine", action="store_true", help="start from the package's weights")
    parser.add_argument("--ridge", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="replace the package's weights")
    given = parser.parse_args()
    written: dict[str, Any] = {"features": list(FEATURES)}
    with Pool(given.processes) as pool:
        for family in FAMILIES:
            weights = weights_for(Rules(family)) if given.refine else plain_weights()
            for turn in range(given.rounds):
                started = time.perf_counter()
                share = given.games // given.processes
                first = given.seed + 10**6 * turn
                jobs = [
                    (family, weights, share, first + 10**5 * k, given.epsilon, given.turns)
                    for k in range(given.processes)
                ]
                parts = pool.map(gather, jobs)
                features, piles, margins = (
                    np.concatenate([part[k] for part in parts]) for k in range(3)
                )
                weights, foretold = fit(features, piles, margins, given.ridge)
                explained = 1 - (margins - foretold).var() / margins.var()
                seconds = time.perf_counter() - started
                print(
                    f"{family}, round {turn + 1}: {len(margins)} positions, margin explained "
                    f"{explained:.3f}, spreads {weights[2, 0]:.1f} and {weights[2, 1]:.1f} more "
                    f"with a full pile; {seconds:.0f} s",
                    flush=True,
                )
            written[family] = {
                "empty_pile": [round(float(w), 4) for w in weights[0]],
                "more_with_full_pile": [round(float(w), 4) for w in weights[1]],
                "spreads": [float(w) for w in weights[2, :2]],
            }
            for name, low, more in zip(FEATURES, weights[0], weights[1], strict=True):
                print(f"  {name:45s} {low:8.3f} {low + more:8.3f}")
    if given.write:
        with written_aside(Path(WEIGHTS_FILE)) as file:
            file.write((json.dumps(written, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
