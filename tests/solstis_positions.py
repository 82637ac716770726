"""Hand-made positions of Solstis, short enough to read in a test.

    position(
        hands=("4-4 2-1", "1-1"),
        display="4-5/3-9 . 2-2",        place 0 covers 3-9, place 1 is free, place 2 has 2-2
        tiles=("3-4..6 4-5", ""),       3-4, 3-5, 3-6 and 4-5 lie on the panorama of player 0
        line="Fish Bee",
        pile="1-10 1-9",                the order of the pile; all other tiles are removed
    )

Tiles without a place lie in the pile; when `pile` is given, they are out of the game. Spirits
without a place lie in the spirit pile, which is ordered (those of `spirit_pile` first) when the
pile is. With `line="..."` ending in ``*``, all spirits without a place lie in the line.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from games.solstis import Rules, State
from tests.solstis_strategies import CELLS, EVIL, SPIRITS, choices, neighbours

TWO = tuple[str, str]
NONE: TWO = ("", "")


def cells(text: str) -> list[str]:
    """Return the cells of a text; ``3-4..6`` is 3-4, 3-5 and 3-6."""
    result = []
    for word in text.split():
        first, _, last = word.partition("..")
        row, number = first.split("-")
        end = int(last) if last else int(number)
        result += [f"{row}-{n}" for n in range(int(number), end + 1)]
    return result


def data_of(
    rules: Rules | None = None,
    *,
    to_move: int | None = 0,
    hands: TWO = NONE,
    display: str = "",
    tiles: TWO = NONE,
    rainbows: TWO = NONE,
    spirits: TWO = NONE,
    fireflies: TWO = NONE,
    cover: tuple[str | None, str | None] = (None, None),
    block: tuple[str | None, str | None] = (None, None),
    line: str = "",
    evil: int | None = None,
    held: tuple[int, int] = (0, 0),
    forced: tuple[str | None, str | None] = (None, None),
    removed: str = "",
    pile: str | None = None,
    spirit_pile: str = "",
    seen: TWO = NONE,
    turn: dict[str, Any] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Return the dictionary of a position; `changes` replace entries of its ``state``."""
    rules, turn = rules or Rules(), turn or {}
    record: dict[str, Any] = {"evil": None if evil is None else evil + 1}
    record["pan"] = {
        player: _without_none(
            tiles=cells(tiles[k]),
            rainbows=cells(rainbows[k]),
            spirits=spirits[k].split(),
            fireflies=cells(fireflies[k]) or None,
            evil_cover=cover[k],
            evil_block=block[k],
        )
        for k, player in enumerate("12")
    }
    record["hands"] = {player: cells(hands[k]) for k, player in enumerate("12")}
    record["display"] = [
        entry for place, word in enumerate(display.split()) for entry in _place(place, word)
    ]
    record |= _without_none(held=_of_players(held), forced=_of_players(forced))
    placed = {*cells(removed), *_tiles_in(record)}
    if "playing" in turn and "playing_place" not in turn:
        placed.add(turn["playing"])
    order = cells(pile or "")
    out = [] if pile is None else [cell for cell in CELLS if cell not in {*placed, *order}]
    below = [entry["down"] for entry in record["display"] if "down" in entry]
    record["removed"] = cells(removed) + out
    record["pile"] = len(CELLS) - len({*placed, *out}) - below.count("?")
    record["rainbow_stock"] = 12 - turn.get("rainbows", 0) - sum(held)
    record["rainbow_stock"] -= sum(len(pan["rainbows"]) for pan in record["pan"].values())
    record["line"], left = _line_and_pile(rules, record, turn, line, spirit_pile)
    record["spirits_left"] = len(left)
    data = {
        "rules": rules.to_dict(),
        "variant": rules.variant,
        "to_move": None if to_move is None else to_move + 1,
        "state": record | changes,
    }
    if pile is None or "?" in below:
        data["spirit_pile_set"] = left
    else:
        data |= {"pile": order, "spirit_pile": left}
    shown = [cells(text) for text in seen]
    return data | _without_none(seen=_of_players(shown), turn=turn or None)


def _without_none(**parts: Any) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value is not None}


def _of_players(two: Iterable[Any]) -> dict[str, Any] | None:
    return {player: part for player, part in zip("12", two, strict=True) if part} or None


def _place(place: int, word: str) -> Iterator[dict[str, Any]]:
    up, _, down = word.partition("/")
    if up != ".":
        tiles = _without_none(up=None if up == "-" else up, down=down or None)
        yield {"slot": place, **tiles}


def _tiles_in(record: dict[str, Any]) -> Iterator[str]:
    for player in "12":
        yield from record["pan"][player]["tiles"] + record["hands"][player]
    for entry in record["display"]:
        yield from (tile for name, tile in entry.items() if name != "slot" and tile != "?")


def _line_and_pile(
    rules: Rules, record: dict[str, Any], turn: dict[str, Any], line: str, spirit_pile: str
) -> tuple[list[str], list[str]]:
    pans = record["pan"].values()
    known = {text.partition("@")[0] for pan in pans for text in pan["spirits"]}
    known |= {*turn.get("drawn", []), *line.removesuffix("*").split()}
    if record["evil"] or any({"evil_cover", "evil_block"} & {*pan} for pan in pans):
        known.add(EVIL)
    left = [name for name in SPIRITS[rules.variant] if name not in known]
    left.sort(key=lambda name: (name not in spirit_pile, spirit_pile.find(name), name))
    lying = line.removesuffix("*").split()
    if line.endswith("*"):
        lying += [name for name in left if name != EVIL and name not in spirit_pile]
    return lying, [name for name in left if name not in lying]


def position(rules: Rules | None = None, **parts: Any) -> State:
    return State.from_dict(data_of(rules, **parts))


def run(state: State, *texts: str) -> State:
    for text in texts:
        state = state.play(text)
    return state


def options(state: State) -> set[str]:
    """Return the options of the one kind that may be chosen."""
    actions = choices(state)
    assert len({action.kind for action in actions}) == 1
    assert len({action.option for action in actions}) == len(actions)
    return {action.option for action in actions}


def asks(state: State) -> str | None:
    """Return the kind of what is to be chosen."""
    return next((action.kind for action in choices(state)), None)


def table(state: State) -> dict[str, Any]:
    record: dict[str, Any] = state.to_dict()["state"]
    return record


def pan(state: State, player: int = 0) -> dict[str, Any]:
    panorama: dict[str, Any] = table(state)["pan"][str(player + 1)]
    return panorama


def lies(state: State) -> dict[int, str]:
    """Return the display: for each place its face-up tile, with ``/`` if it covers one."""
    return {
        entry["slot"]: entry.get("up", "") + ("/" if "down" in entry else "")
        for entry in table(state)["display"]
    }


def near(texts: Iterable[str]) -> set[str]:
    """Return the cells next to some cells that are not among them."""
    own = set(texts)
    return {cell for one in own for cell in neighbours(one)} - own
