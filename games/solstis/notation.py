"""States as one line of text: words of the form name=value, read back from the same text.

A panorama is written by rows, the top one first, parted by ``/``: ``T`` is a land tile (on its own
cell, so that it needs no name), ``R`` a rainbow, a number that many empty cells. Lists are joined
by ``+``, empty ones left out, and so is what follows from the rest.

Examples
--------
>>> from games.solstis import State
>>> state = State.new(5, ordered=False).play("play_tile 3-4")
>>> print(state)
rules=base,land,anywhere,reveals,to_encounterer,tiles move=1 pan1=4/6/8/10/10/10
pan2=4/6/8/10/10/10 hand1=4-7+5-6 hand2=3-9+4-5+6-7
display=0:4-3/?+1:2-9/?+2:4-4/?+3:2-8/?+4:1-3/?+5:3-8/? spirits_left=15 turn:stage=capture
turn:playing=3-4
>>> State.parse(str(state)) == state
True
"""

import re
from typing import Any, Final

from games.errors import NotationError
from games.solstis.mountain import ROWS

__all__ = ["format_state", "parse_state"]

_FLAGS: Final = {"reveals": True, "hides": False}
_RULE_FIELDS: Final = (
    "variant",
    "rainbow_next_to",
    "first_rainbow",
    "second_chance_reveals",
    "evil_passes",
    "largest_area",
)
_PLAYERS: Final = ("1", "2")
_TURN: Final = "turn:"
_TURN_LISTS: Final = {"filled", "effect_filled", "eligible", "drawn"}
_TURN_NUMBERS: Final = {"playing_place", "turning", "rainbows"}
_TURN_FLAGS: Final = {"again", "evil_drawn"}
_PAN_LISTS: Final = {"spirits": "spirits", "fireflies": "fireflies"}
_PAN_WORDS: Final = {"cover": "evil_cover", "block": "evil_block"}
_TOP_LISTS: Final = {"pile", "spirit_pile"}
_STATE_LISTS: Final = {"removed", "line"}
_RUN: Final = re.compile(r"[TR]|10|[1-9]")
_PLACE: Final = re.compile(r"(0|[1-9][0-9]?):([^/]*)(?:/(.+))?")


def format_state(data: dict[str, Any]) -> str:
    """Return the line of a state from its dictionary (see `State.to_dict`)."""
    state, words = data["state"], []

    def add(name: str, value: Any) -> None:
        if isinstance(value, list):
            value = "+".join(value)
        if value not in (None, ""):
            words.append(f"{name}={value}")

    flags = {flag: word for word, flag in _FLAGS.items()}
    rules = [data["rules"][name] for name in _RULE_FIELDS]
    add("rules", ",".join(flags[word] if isinstance(word, bool) else word for word in rules))
    add("move", data["to_move"] or "-")
    for player in _PLAYERS:
        pan = state["pan"][player]
        add(f"pan{player}", _format_panorama(pan))
        for name, key in (*_PAN_LISTS.items(), *_PAN_WORDS.items()):
            add(f"{name}{player}", pan.get(key))
    for name, mapping in (
        ("hand", state["hands"]),
        ("seen", data.get("seen", {})),
        ("forced", state.get("forced", {})),
        ("held", state.get("held", {})),
        ("spirit_hand", state.get("spirit_hand", {})),
    ):
        for player in _PLAYERS:
            add(f"{name}{player}", mapping.get(player))
    add("display", [_format_place(entry) for entry in state["display"]])
    add("removed", state["removed"])
    add("line", state["line"])
    add("spirits_left", state["spirits_left"])
    add("evil", state["evil"])
    words.extend(f"{name}={'+'.join(data[name])}" for name in sorted(_TOP_LISTS & set(data)))
    for name, value in data.get("turn", {}).items():
        add(_TURN + name, "yes" if value is True else value)
    return " ".join(words)


def _format_panorama(pan: dict[str, Any]) -> str:
    rows = []
    for row, (first, last) in sorted(ROWS.items(), reverse=True):
        text, empty = "", 0
        for number in range(first, last + 1):
            name = f"{row}-{number}"
            mark = "T" if name in pan["tiles"] else "R" if name in pan["rainbows"] else ""
            if mark:
                text += (str(empty) if empty else "") + mark
                empty = 0
            else:
                empty += 1
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def _format_place(entry: dict[str, Any]) -> str:
    down = f"/{entry['down']}" if "down" in entry else ""
    return f"{entry['slot']}:{entry.get('up', '')}{down}"


def parse_state(text: str) -> dict[str, Any]:
    """Return the dictionary of a line of text; `State.from_dict` checks what it says.

    Raises
    ------
    NotationError
        If it is not such a line.
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is no position: expected a line of text")
    if not text.strip():
        raise NotationError("the text of the position is empty")
    words: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise NotationError(f"{word!r} is no part of a position: expected name=value")
        if name in words:
            raise NotationError(f"{name!r} is twice in the position")
        words[name] = value
    data: dict[str, Any] = {"rules": _parse_rules(words.pop("rules", None))}
    data["variant"] = data["rules"]["variant"]
    move = words.pop("move", None)
    if move not in ("1", "2", "-"):
        raise NotationError(f"move={move}: expected 1, 2, or - at the end")
    data["to_move"] = None if move == "-" else int(move)
    state: dict[str, Any] = {"pan": {}, "hands": {}, "line": [], "removed": []}
    data["state"] = state
    for player in _PLAYERS:
        state["pan"][player] = _parse_panorama(words.pop(f"pan{player}", None), player)
        state["hands"][player] = []
    for name, value in words.items():
        _parse_word(data, name, value)
    state.setdefault("display", [])
    state.setdefault("evil", None)
    return data


def _parse_word(data: dict[str, Any], name: str, value: str) -> None:  # noqa: PLR0912
    state, stem, player = data["state"], name[:-1], name[-1:]
    if name.startswith(_TURN):
        data.setdefault("turn", {})[name.removeprefix(_TURN)] = _parse_turn(name, value)
    elif name in _TOP_LISTS:
        data[name] = _list(value)
    elif name in _STATE_LISTS:
        state[name] = _list(value)
    elif name == "display":
        state["display"] = [_parse_place(entry) for entry in _list(value)]
    elif name in ("spirits_left", "evil"):
        state[name] = _number(name, value)
    elif player in _PLAYERS and stem in _PAN_LISTS:
        state["pan"][player][_PAN_LISTS[stem]] = _list(value)
    elif player in _PLAYERS and stem in _PAN_WORDS:
        state["pan"][player][_PAN_WORDS[stem]] = value
    elif player in _PLAYERS and stem == "hand":
        state["hands"][player] = _list(value)
    elif player in _PLAYERS and stem == "seen":
        data.setdefault("seen", {})[player] = _list(value)
    elif player in _PLAYERS and stem == "forced":
        state.setdefault("forced", {})[player] = value
    elif player in _PLAYERS and stem == "held":
        state.setdefault("held", {})[player] = _number(name, value)
    elif player in _PLAYERS and stem == "spirit_hand":
        state.setdefault("spirit_hand", {})[player] = _list(value)
    else:
        raise NotationError(f"{name!r} is no part of a position")


def _parse_rules(text: str | None) -> dict[str, Any]:
    values = [] if text is None else text.split(",")
    if len(values) != len(_RULE_FIELDS):
        raise NotationError(f"rules={text}: expected {','.join(_RULE_FIELDS)}")
    rules: dict[str, Any] = dict(zip(_RULE_FIELDS, values, strict=True))
    flag = _FLAGS.get(rules["second_chance_reveals"])
    if flag is None:
        raise NotationError(f"rules={text}: expected {' or '.join(_FLAGS)} in the fourth place")
    rules["second_chance_reveals"] = flag
    return rules


def _parse_panorama(text: str | None, player: str) -> dict[str, Any]:
    lines = [] if text is None else text.split("/")
    if len(lines) != len(ROWS):
        raise NotationError(f"pan{player}={text}: expected {len(ROWS)} rows, the top one first")
    marked: dict[str, list[str]] = {"T": [], "R": []}
    for (row, (first, last)), line in zip(sorted(ROWS.items(), reverse=True), lines, strict=True):
        number, end = first, 0
        for match in _RUN.finditer(line):
            if match.start() != end:
                break
            end = match.end()
            if match[0] in marked:
                marked[match[0]].append(f"{row}-{number}")
                number += 1
            else:
                number += int(match[0])
        if end != len(line) or number != last + 1:
            raise NotationError(f"row {row} of pan{player} is {line!r}: expected T, R and numbers "
                                f"of empty cells for {last - first + 1} cells")  # fmt: skip
    return {"tiles": marked["T"], "rainbows": marked["R"], "spirits": []}


def _parse_place(text: str) -> dict[str, Any]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is no place of the display: expected 0:3-7 or 0:3-7/?")
    entry: dict[str, Any] = {"slot": int(match[1])}
    if match[2]:
        entry["up"] = match[2]
    if match[3]:
        entry["down"] = match[3]
    return entry


def _parse_turn(name: str, value: str) -> Any:
    field = name.removeprefix(_TURN)
    if field in _TURN_LISTS:
        return _list(value)
    if field in _TURN_NUMBERS:
        return _number(name, value)
    if field in _TURN_FLAGS:
        if value != "yes":
            raise NotationError(f"{name}={value}: expected yes")
        return True
    return value


def _list(value: str) -> list[str]:
    return value.split("+") if value else []


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 4):
        raise NotationError(f"{name}={value}: expected a number")
    return int(value)
