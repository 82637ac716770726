"""Games written out in full, and the files that keep them.

    python -m tests.games.make_solstis_golden

writes the files again when a change of the rules or of the notation is meant; what is different is
then to be read.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from games.solstis import Rules
from tests.solstis_strategies import choices, dealt

DATA = Path(__file__).parents[1] / "data" / "solstis"
GAMES = {
    "base": (Rules(), 1386, True),
    "beginner": (Rules(variant="beginner"), 180, True),
    "firefly": (Rules(variant="firefly"), 989, True),
    "published": (Rules.published(), 2867, True),
    "sets": (Rules(variant="firefly"), 1350, False),
}
"""For each file the rules, the seed of the deal and of the choices, and whether it has an order."""


def lines(rules: Rules, seed: int, ordered: bool) -> Iterator[str]:
    """Yield a game: every state at the start of a turn, every choice, and the scores."""
    rng = random.Random(seed)
    state = dealt(rng, rules)
    state = state if ordered else state.unordered()
    while state.kind != "end":
        actions = choices(state)
        kind = actions[0].kind
        if kind == "play_tile":
            yield ""
            yield str(state)
        chosen = rng.choice(actions)
        who = "chance" if state.decider is None else f"player {state.decider + 1}"
        yield f"{who}: {kind} {' '.join(action.option for action in actions)}"
        yield f"    {chosen}"
        state = state.play(chosen)
    yield ""
    yield str(state)
    for player in (0, 1):
        yield f"player {player + 1} {state.score(player)}"


def golden(name: str) -> str:
    """Return the text of a file."""
    return "\n".join(lines(*GAMES[name])).lstrip() + "\n"


def path(name: str) -> Path:
    return DATA / f"golden-{name}.txt"


if __name__ == "__main__":
    for each in GAMES:
        path(each).write_text(golden(each), encoding="utf-8")
