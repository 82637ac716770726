"""Games and positions of Solstis for the tests: by seed, by hypothesis, mirrored, damaged.

Positions that nobody played to (`studied`) are put together from the rules' own words: where tiles,
rainbows and spirits may lie. They reach what games hardly ever do: an empty stock, a spirit pile of
one, panoramas full of squares.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st

from games.solstis import Action, Rules, State

WORDS = {
    "variant": ("base", "beginner", "firefly"),
    "rainbow_next_to": ("land", "tile"),
    "first_rainbow": ("anywhere", "held"),
    "second_chance_reveals": (True, False),
    "evil_passes": ("to_encounterer", "by_encounterer"),
    "largest_area": ("tiles", "land"),
}
ALL_RULES = [Rules(*words) for words in product(*WORDS.values())]
VARIANTS = WORDS["variant"]

ROWS = {1: (1, 10), 2: (1, 10), 3: (1, 10), 4: (2, 9), 5: (3, 8), 6: (4, 7)}
CELLS = [f"{row}-{n}" for row, (first, last) in ROWS.items() for n in range(first, last + 1)]
PLAIN = ["Fish", "Deer", "Eagle", "Bear", "Dragonfly", "Beetle", "Groundhog"]
BLUE = ["Bee", "Ladybug", "Wolf", "Squirrel", "Bird", "Lizard", "Butterfly"]
EVIL = "EvilBeaver"
SPIRITS = {
    "beginner": [*PLAIN, *BLUE],
    "base": [*PLAIN, *BLUE, EVIL],
    "firefly": [*PLAIN, *BLUE, EVIL, "Viper", "Fox", "Cow", "Phoenix"],
}


def neighbours(cell: str) -> list[str]:
    row, number = map(int, cell.split("-"))
    around = [(row, number - 1), (row, number + 1), (row - 1, number), (row + 1, number)]
    return [f"{r}-{n}" for r, n in around if f"{r}-{n}" in CELLS]


def four(square: str) -> list[str]:
    """Return the cells of a square, all four if there is such a square."""
    row, number = map(int, square.split("-"))
    cells = [f"{r}-{n}" for r in (row, row + 1) for n in (number, number + 1)]
    return [cell for cell in cells if cell in CELLS]


SQUARES = [cell for cell in CELLS if len(four(cell)) == 4]


def dealt(rng: random.Random, rules: Rules) -> State:
    """Return the start of a game, shuffled here: no release of numpy changes it."""
    tiles, names = rng.sample(CELLS, len(CELLS)), SPIRITS[rules.variant]
    setup = {
        "display": [{"slot": k, "down": tiles[k], "up": tiles[6 + k]} for k in range(6)],
        "hands": {"1": tiles[12:15], "2": tiles[15:18]},
        "pile": tiles[18:],
        "spirit_pile": rng.sample(names, len(names)),
    }
    return State.from_dict({"variant": rules.variant, "setup": setup}, rules)


def choices(state: State) -> list[Action]:
    """Return what a player or chance may choose."""
    return state.legal() if state.kind == "decision" else [one for one, _ in state.outcomes()]


def step(state: State, rng: random.Random) -> State:
    return state.play(rng.choice(choices(state)))


def nodes(state: State, rng: random.Random) -> Iterator[State]:
    """Yield the states of a random game from this one on, the end too."""
    yield state
    while state.kind != "end":
        state = step(state, rng)
        yield state


def game(seed: int, rules: Rules | None = None, ordered: bool = True) -> Iterator[State]:
    """Yield the states of the random game of a seed."""
    return nodes(State.new(seed, rules, ordered), random.Random(seed))


def by_sets(value: Any, name: str = "") -> Any:
    """Return a value of a record with its lists as sets, except the line of spirits."""
    if isinstance(value, dict):
        return {key: by_sets(part, key) for key, part in value.items()}
    if isinstance(value, list) and name != "line":
        return sorted((by_sets(part) for part in value), key=repr)
    return value


# ---- studied positions


def studied(rng: random.Random, rules: Rules) -> dict[str, Any]:
    """Return a position at the start of a turn that the rules allow, as a dictionary."""
    free = rng.sample(CELLS, len(CELLS))
    spirits = rng.sample(SPIRITS[rules.variant], len(SPIRITS[rules.variant]))
    pile_is_empty = rng.random() < 0.4
    pans = _panoramas(rng, free, 0 if rng.random() < 0.1 else rng.randint(8, 34))
    stock = 12 - sum(len(pan["rainbows"]) for pan in pans)
    evil = None
    if EVIL in spirits and rng.random() < 0.6:
        spirits.remove(EVIL)
        evil = rng.randint(0, 1)
    _put_spirits(rng, rules, pans, spirits)
    state: dict[str, Any] = {"evil": None}
    if evil is not None and rules.variant == "base":
        state["evil"] = evil + 1
    elif evil is not None:
        # No cell for it: it has left the game.
        _block(rng, pans[evil])
    sizes = [3 + any(name.startswith("Bear@") for name in pan["spirits"]) for pan in pans]
    if pile_is_empty:
        sizes = [rng.randint(0, size) for size in sizes]
    hands = [[free.pop() for _ in range(min(size, len(free)))] for size in sizes]
    display = _display(rng, free, covers=not pile_is_empty or rng.random() < 0.2)
    below = sum("down" in entry for entry in display)
    pile = rng.randint(1, 8) if not pile_is_empty else 0
    unseen = min(len(free), pile + below)
    while unseen < below:
        del next(entry for entry in display if "down" in entry)["down"]
        below -= 1
    line = spirits[: rng.choice([0, 0, 1, 3, len(spirits) - 1, len(spirits)])]
    line = [name for name in line if name != EVIL]
    if rules.first_rainbow == "held":
        held = {
            str(k + 1): min(stock // 2, rng.randint(1, 3))
            for k, pan in enumerate(pans)
            if not pan["tiles"] and rng.random() < 0.7
        }
        state["held"] = {player: count for player, count in held.items() if count}
        stock -= sum(state["held"].values())
    mover = rng.randint(0, 1)
    state |= {
        "pan": {"1": pans[0], "2": pans[1]},
        "display": display,
        "hands": {"1": hands[0], "2": hands[1]},
        "pile": unseen - below,
        "line": line,
        "spirits_left": len(spirits) - len(line),
        "rainbow_stock": stock,
        "removed": free[unseen:],
    }
    data = {"rules": rules.to_dict(), "variant": rules.variant, "to_move": mover + 1}
    data |= {"state": state, "spirit_pile_set": [name for name in spirits if name not in line]}
    if not all(hands) and unseen > below:
        # Hands are full as long as the pile has tiles.
        return studied(rng, rules)
    if rules.variant == "firefly" and hands[mover] and rng.random() < 0.2:
        state["forced"] = {str(mover + 1): rng.choice(hands[mover])}
        data["seen"] = {str(2 - mover): hands[mover]}
    return data


def _panoramas(rng: random.Random, free: list[str], tiles: int) -> list[dict[str, Any]]:
    """Put tiles on both panoramas, mostly next to each other, and rainbows into the gaps."""
    pans: list[dict[str, Any]] = [{"tiles": [], "rainbows": [], "spirits": []} for _ in range(2)]
    share = rng.choice([0.2, 0.5, 0.9])
    for _ in range(tiles):
        pan = pans[rng.random() < share]
        near = {cell for tile in pan["tiles"] for cell in neighbours(tile)}
        wanted = [tile for tile in free if tile in near]
        tile = rng.choice(wanted if wanted and rng.random() < 0.8 else free)
        free.remove(tile)
        pan["tiles"].append(tile)
    for _ in range(rng.choice([0, 1, 3, 6, 11, 12])):
        pan = rng.choice(pans)
        filled = pan["tiles"] + pan["rainbows"]
        near = {cell for tile in filled for cell in neighbours(tile)}
        gaps = sorted(near - set(filled))
        if gaps:
            full = [
                cell
                for cell in gaps
                if any(cell in four(s) and {*four(s)} <= {*filled, cell} for s in SQUARES)
            ]
            pan["rainbows"].append(rng.choice(full if full and rng.random() < 0.7 else gaps))
    return pans


def _put_spirits(
    rng: random.Random, rules: Rules, pans: list[dict[str, Any]], spirits: list[str]
) -> None:
    share = rng.choice([0.1, 0.4, 0.8])
    for pan in pans:
        filled = {*pan["tiles"], *pan["rainbows"]}
        complete = [square for square in SQUARES if {*four(square)} <= filled]
        fireflies = []
        for square in rng.sample(complete, len(complete)):
            placed = [name for name in spirits if name != EVIL]
            if rng.random() > share:
                continue
            if rules.variant == "firefly" and len(fireflies) < 3 and rng.random() < 0.4:
                fireflies.append(square)
            elif placed:
                spirits.remove(placed[0])
                pan["spirits"].append(f"{placed[0]}@{square}")
        if fireflies:
            pan["fireflies"] = fireflies


def _block(rng: random.Random, pan: dict[str, Any]) -> None:
    filled = {*pan["tiles"], *pan["rainbows"]}
    cells = sorted({cell for tile in filled for cell in neighbours(tile)} - filled)
    if cells:
        pan["evil_block"] = rng.choice(cells)


def _display(rng: random.Random, free: list[str], covers: bool) -> list[dict[str, Any]]:
    display: list[dict[str, Any]] = []
    for place in range(rng.randint(0, 8)):
        if free and rng.random() < 0.8:
            entry: dict[str, Any] = {"slot": place, "up": free.pop()}
            if covers and place < 6 and rng.random() < 0.5:
                entry["down"] = "?"
            display.append(entry)
    return display


# ---- hypothesis

seeds = st.integers(0, 2**32 - 1)


def rules(variant: str | None = None) -> st.SearchStrategy[Rules]:
    """Return any rules, or any of a variant."""
    known = [one for one in ALL_RULES if variant in (None, one.variant)]
    return st.sampled_from(known)


@st.composite
def played(
    draw: st.DrawFn, options: st.SearchStrategy[Rules] | None = None, ordered: bool | None = None
) -> State:
    """Return a state that random play leads to, also the end of a game."""
    chosen = draw(rules() if options is None else options)
    known = draw(st.booleans()) if ordered is None else ordered
    states = list(game(draw(seeds), chosen, known))
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def studied_states(
    draw: st.DrawFn, options: st.SearchStrategy[Rules] | None = None, steps: int = 12
) -> State:
    """Return a studied position, or what a few random steps lead to from there."""
    chosen = draw(rules() if options is None else options)
    rng = random.Random(draw(seeds))
    state = State.from_dict(studied(rng, chosen))
    if draw(st.booleans()):
        state = state.shuffled(rng.randrange(2**32))
    for _ in range(draw(st.integers(0, steps))):
        if state.kind != "end":
            state = step(state, rng)
    return state


def states(
    options: st.SearchStrategy[Rules] | None = None,
) -> st.SearchStrategy[State]:
    """Return states of both kinds."""
    return st.one_of(played(options), studied_states(options))


@st.composite
def damaged(draw: st.DrawFn, text: str, alphabet: str) -> str:
    """Return a text with a few characters put in, taken out or exchanged, or words moved."""
    characters = list(text)
    letters = st.one_of(st.sampled_from(alphabet), st.characters())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(characters)))
        put_in = draw(st.lists(letters, max_size=2))
        characters[place : place + draw(st.integers(0, 2))] = put_in
    return "".join(characters)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _paths(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _paths(part, (*path, place))


def odd_values() -> st.SearchStrategy[Any]:
    """Return what JSON may hold in the place of something else."""
    texts = ["", "?", "1", "2", "3-4", "6-7", "9-9", "1-1@0", "Bee", EVIL, "Bee@3-4", "Bear@1-1"]
    words = ["play", "capture", "refill", "spirits", "end", "turn_end", "squirrel", "place_playing"]
    words += ["uncover", "beneath_captured", "keep", "cover", "block", "viper", "fox", "miss"]
    single = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 70),
        st.sampled_from([10**30, -(10**30), 2**63, 1.5, float("nan"), float("inf")]),
        st.sampled_from(texts + words),
        st.text(max_size=4),
    )
    several = st.lists(single, max_size=3)
    return st.one_of(single, several, st.dictionaries(st.sampled_from(["1", "2", "up"]), single))


@st.composite
def mutated(draw: st.DrawFn, data: dict[str, Any]) -> Any:
    """Return a dictionary with a few entries lost, exchanged, doubled, or replaced by others."""
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(1, 3))):
        paths = [path for path in _paths(data) if path]
        *outer, last = draw(st.sampled_from(paths))
        holder = data
        for part in outer:
            holder = holder[part]
        way = draw(st.sampled_from(["lose", "replace", "copy", "double", "add"]))
        if way == "lose":
            del holder[last]
        elif way == "replace":
            holder[last] = draw(odd_values())
        elif way == "copy":
            source: Any = data
            for part in draw(st.sampled_from(paths)):
                if not isinstance(source, dict | list) or (
                    part not in source if isinstance(source, dict) else part >= len(source)
                ):
                    break
                source = source[part]
            holder[last] = json.loads(json.dumps(source))
        elif isinstance(holder, list):
            holder.append(holder[last] if way == "double" else draw(odd_values()))
        else:
            names = ["turn", "held", "forced", "seen", "pile", "evil", "fireflies", "stage"]
            holder[draw(st.sampled_from([*names, "evil_block", "rainbows"]))] = draw(odd_values())
        if not data:
            break
    return data


def raised_by(ask: Callable[[], Any]) -> Exception | None:
    """Return what a call raises, or None."""
    try:
        ask()
    except Exception as error:
        return error
    return None


# ---- symmetry


def _turned(name: str, width: int) -> str:
    row, number = name.split("-")
    return f"{row}-{width - int(number)}"


def mirror_cell(name: str) -> str:
    """Return the cell on the other side: number n becomes 11 - n."""
    return _turned(name, 11)


def mirror_square(name: str) -> str:
    """Return the square on the other side: named by its left cell, n becomes 10 - n."""
    return _turned(name, 10)


_SQUARE_LISTS = {"spirits", "fireflies", "eligible"}
_SQUARE_KINDS = {"spirit_source", "spirit_keep", "evil_cover"}


def mirror(value: Any, name: str = "") -> Any:
    """Return a dictionary of a state with both panoramas, and so all tiles, mirrored."""
    if isinstance(value, dict):
        return {key: mirror(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [mirror(part, name) for part in value]
    if not isinstance(value, str) or name in WORDS or "-" not in value or name == "schema":
        return value
    spirit, at, square = value.rpartition("@")
    if name in _SQUARE_LISTS or name == "evil_cover":
        return f"{spirit}{at}{mirror_square(square)}"
    return mirror_cell(value)


def mirror_action(action: Action | str) -> str:
    """Return the text of an action, mirrored."""
    kind, option = str(action).split(" ")
    if kind == "draw_spirits" or option == "draw":
        return f"{kind} {option}"
    if kind in _SQUARE_KINDS:
        spirit, square = option.split("@")
        return f"{kind} {spirit}@{mirror_square(square)}"
    if option.startswith("rainbow@"):
        source, target = option.removeprefix("rainbow@").split(">")
        return f"{kind} rainbow@{mirror_cell(source)}>{mirror_cell(target)}"
    option, mark, _ = option.partition("!")
    tile, at, place = option.partition("@")
    return f"{kind} {mirror_cell(tile)}{at}{place}{mark}{'removed' if mark else ''}"


def exchange(value: Any, name: str = "") -> Any:
    """Return a dictionary of a state with the two players exchanged."""
    if isinstance(value, dict):
        players = set(value) <= {"1", "2"}
        return {
            (str(3 - int(key)) if players else key): exchange(part, key)
            for key, part in value.items()
        }
    if name in ("to_move", "evil") and value is not None:
        return 3 - value
    return value
