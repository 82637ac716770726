"""Recorded games replayed, and compared with what the rules say at every step.

A record (``solstis-trace-1``) is one JSON object on a line of a file, compressed with gzip or not.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Final, TypeAlias

from games.errors import GameError, NotationError
from games.solstis.record import SCHEMA, is_endphase, options_of, winner_of
from games.solstis.state import State

__all__ = ["Difference", "first_difference", "read_records"]

_MOST_SHOWN: Final = 6
_GZIP: Final = b"\x1f\x8b"

Path: TypeAlias = str | PathLike[str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record first differs from the rules.

    Attributes
    ----------
    game : str
        The name of the game.
    turn : int or None
        The number of the turn; None before the first and after the last.
    decision : int or None
        The number of the decision in the turn, from 1; None if the difference is in no decision.
    what : str
        What differs.
    expected, found : str
        What the record says, and what the rules do.
    """

    game: str
    turn: int | None
    decision: int | None
    what: str
    expected: str
    found: str

    @property
    def place(self) -> str:
        """Where it is, in words."""
        words = [] if self.turn is None else [f"turn {self.turn}"]
        words += [] if self.decision is None else [f"decision {self.decision}"]
        return ", ".join(words)

    def __str__(self) -> str:
        where = f"{self.game}, {self.place}" if self.place else self.game
        text = f"{where}: {self.what}: expected {self.expected}, found {self.found}"
        return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of the line and the record of each game of a file.

    Blank lines are passed over.

    Raises
    ------
    NotationError
        If a line is no record of this form, or there is none; the message names file and line.
    OSError
        If the file cannot be read.
    """
    name = fspath(path)
    number = games = 0
    try:
        with open(path, "rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    games += 1
                    yield number, _parse(line, f"{name}, line {number}")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise NotationError(
            f"{name}, after line {number}: not a whole gzip file: {error}"
        ) from None
    if not games:
        raise NotationError(f"{name}: no recorded game in it")


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line.strip())
    except json.JSONDecodeError as error:
        raise NotationError(
            f"{where}: not JSON, as recorded games are (.json, .jsonl, .jsonl.gz): {error.msg}, "
            f"column {error.colno}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{where}: not JSON: {error}") from None
    if not isinstance(record, dict):
        raise NotationError(f"{where}: no recorded game: expected an object")
    if record.get("schema") != SCHEMA:
        schema = _short(record.get("schema"))
        raise NotationError(f"{where}: no recorded game: 'schema' is {schema}, not {SCHEMA!r}")
    return record


def first_difference(record: Mapping[str, Any]) -> Difference | None:
    """Replay a recorded game and return where it first differs from the rules, or None.

    Compared are who decides, the kind and the options of every decision, the position right after
    every turn, the position at the end, both scores with their parts, and the winner. A record that
    is not in its form is a difference too.

    Examples
    --------
    >>> from games.solstis.record import record_game
    >>> record = record_game(State.new(5), ["play_tile 4-7", "capture 4-3@0"])
    >>> print(first_difference(record))
    None
    >>> record["turns"][0]["decisions"][1]["options"].append("5-6@4")
    >>> print(first_difference(record))
    game, turn 1, decision 2: options: expected 5-6@4 too, found nothing of it
    """
    replay = _Replay(record)
    try:
        replay.run()
    except _Differs as difference:
        return Difference(replay.name, replay.turn, replay.decision, *difference.args)
    return None


class _Differs(Exception):  # noqa: N818
    """What differs, what was expected and what was found."""


class _Replay:
    """Replays one game and stops with `_Differs`."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.name = _clip(str(record.get("id", "a game without a name")))
        self.turn: int | None = None
        self.decision: int | None = None

    def run(self) -> None:
        record = self.record
        _entry(record, "setup", dict)
        try:
            self.state = State.from_dict(record)
        except GameError as error:
            raise _Differs("setup", "a start of a game", str(error)) from None
        unfinished = record.get("unfinished") is True
        turns = _entry(record, "turns", list)
        for number, turn in enumerate(turns, 1):
            self.turn = number
            self.play_turn(turn, may_stop=unfinished and number == len(turns))
        self.turn = self.decision = None
        for decision in _entry(record, "endphase", list, []):
            self.decision = (self.decision or 0) + 1
            if not is_endphase(self.state):
                raise _Differs("decision", "a decision after the last turn", self.now())
            self.play(decision)
        self.decision = None
        if not unfinished:
            self.finish(_entry(record, "end", dict))

    def play_turn(self, turn: Any, may_stop: bool) -> None:
        after = None
        player = _entry(turn, "player", int)
        if self.state.to_move != player - 1 or is_endphase(self.state):
            raise _Differs("turn", f"a turn of player {player}", self.now())
        decisions = _entry(turn, "decisions", list)
        for number, decision in enumerate(decisions, 1):
            self.decision = number
            if after is not None:
                raise _Differs("decision", "one more in this turn", "the turn is over")
            after = self.play(decision)
        self.decision = None
        if after is not None:
            _compare("position", _entry(turn, "after", dict), after)
        elif not may_stop:
            raise _Differs("turn", "its end", self.now())

    def play(self, decision: Any) -> dict[str, Any] | None:
        """Play a decision; return the position after the turn if it ends there."""
        actions = options_of(self.state)
        kind, player = _entry(decision, "k", str), _entry(decision, "p", int)
        if not actions or actions[0].kind != kind:
            raise _Differs("kind", kind, self.now())
        by_chance = _entry(decision, "chance", bool, False)
        if by_chance != (self.state.kind == "chance"):
            raise _Differs("decider", "chance" if by_chance else f"player {player}", self.now())
        decider = self.state.to_move if by_chance else self.state.decider
        if decider != player - 1:
            raise _Differs("decider", f"player {player}", self.now())
        _compare("options", _entry(decision, "options", list), [a.option for a in actions])
        text = f"{kind} {_entry(decision, 'chosen', str)}"
        try:
            after = self.state.end_of_turn(text)
            self.state = self.state.play(text)
        except GameError as error:
            raise _Differs("chosen", "a legal option", str(error)) from None
        return after

    def finish(self, end: Mapping[str, Any]) -> None:
        state = self.state
        if state.kind != "end":
            raise _Differs("end", "the end of the game", self.now())
        _compare("final position", _entry(end, "state", dict), state.to_dict()["state"])
        scores = {str(player + 1): state.score(player).to_dict() for player in (0, 1)}
        _compare("scores", _entry(end, "scores", dict), scores)
        _compare("winner", _entry(end, "winner", int), winner_of(state))

    def now(self) -> str:
        """Return what comes next, in the words of the records."""
        actions = options_of(self.state)
        if not actions:
            return "the end of the game"
        if self.state.kind == "chance":
            return f"{actions[0].kind} by chance"
        return f"{actions[0].kind} by player {(self.state.decider or 0) + 1}"


_KINDS: Final = {list: "a list", dict: "an object", str: "a text", int: "a number", bool: "a truth"}


def _entry(data: Any, name: str, kind: type, default: Any = ...) -> Any:
    """Return an entry of a record, which must be of that kind."""
    if not isinstance(data, dict):
        raise _Differs("record", "an object", _short(data))
    value = data.get(name, default)
    if value is ...:
        raise _Differs("record", repr(name), "nothing of that name")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _Differs("record", f"{name!r} to be {_KINDS[kind]}", _short(value))
    return value


def _compare(what: str, expected: Any, found: Any) -> None:
    """Compare two values, dictionaries by their entries and lists as sets (the line as a list)."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted({*expected, *found}):
            if name not in found or name not in expected:
                raise _Differs(f"{what}, {name}", _of(expected, name), _of(found, name))
            _compare(f"{what}, {name}", expected[name], found[name])
    elif isinstance(expected, list) and isinstance(found, list) and not what.endswith(", line"):
        _compare_sets(what, expected, found)
    elif type(expected) is not type(found) or expected != found:
        raise _Differs(what, _short(expected), _short(found))


def _compare_sets(what: str, expected: Sequence[Any], found: Sequence[Any]) -> None:
    wanted, had = (sorted(map(_canonical, values)) for values in (expected, found))
    if wanted == had:
        return
    missing = [value for value in wanted if value not in had]
    extra = [value for value in had if value not in wanted]
    if not missing and not extra:
        raise _Differs(what, f"{len(wanted)} entries", f"{len(had)}: some are there twice")
    more = f"{_list(missing)} too" if missing else "no more"
    raise _Differs(what, more, _list(extra) if extra else "nothing of it")


def _canonical(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _of(values: Mapping[str, Any], name: str) -> str:
    return _short(values[name]) if name in values else "nothing"


def _list(values: Sequence[str]) -> str:
    shown = ", ".join(_clip(value) for value in values[:_MOST_SHOWN])
    rest = len(values) - _MOST_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown


def _short(value: Any) -> str:
    return _clip(json.dumps(value, sort_keys=True, default=repr))


def _clip(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]} ... {text[-15:]}"
