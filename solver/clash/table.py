"""A table of everything: all states that open-hand play can reach, solved once and probed.

Only values are kept, one for each set of states that are images of each other; the matrix of a round
and both strategies are made from the values of the states that follow. So the file is small.
"""

import csv
import io
import json
import os
import zipfile
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from games.clash import ROUNDS, Element, Hand, Objective, Rules, State, Time, face_up_sequences
from games.files import written_aside
from solver.clash.open_hands import OpenEntry, check_objective, check_state, entry
from solver.clash.outlook import Outlook
from solver.clash.stages import Memory, Positions, Stage
from solver.clash.values import ArrayValues, solve_arrays_from
from solver.errors import StateError, TableError

__all__ = ["OpenTable", "solve_table"]

_T = TypeVar("_T")
_FORMAT = "solaris-clash-open-table"
_VERSION = 1


@dataclass(frozen=True, eq=False)
class OpenTable:
    """Optimal play with open hands in every state that can arise under some rules.

    Made by `solve_table` or `OpenTable.load`.

    Attributes
    ----------
    stored : ArrayValues
        The values, one for each set of states that are images of each other.
    seconds : float
        How long the computation took.

    Examples
    --------
    >>> table = solve_table("margin")
    >>> table.probe(State.parse("WF/EE DaNoDuMiDa-- 3-2")).value
    0.5...
    >>> table.get(State.parse("WF/EE DaNoDuMiDaNo 3-2"), "not in the table")
    'not in the table'
    """

    stored: ArrayValues
    seconds: float

    @property
    def rules(self) -> Rules:
        """The rules that the table is for."""
        return self.stored.rules

    @property
    def objective(self) -> Objective:
        """The objective that the table is for."""
        return self.stored.objective

    @property
    def games(self) -> int:
        """How many matrix games were solved for it, forced sixth rounds not counted."""
        return self.stored.games

    def __len__(self) -> int:
        """Count the positions stored, chances and forced rounds included."""
        return sum(len(values) for values in self.stored.values)

    def probe(self, state: State) -> OpenEntry:
        """Return value, matrix and strategies of a state.

        Parameters
        ----------
        state : State
            A state of the table's rules that can arise in play: times five and six face down until
            they are due.

        Raises
        ------
        TableError
            If the state is of other rules, or not in the table.
        """
        found = self._entry(state)
        if found is None:
            raise TableError(
                f"{state} is not in the table: it cannot arise in play from round 1 with two times "
                "face down; solve_open answers for it"
            )
        return found

    def get(self, state: State, default: _T | None = None) -> OpenEntry | _T | None:
        """Return what `probe` does, or a default for a state that is not in the table.

        Raises
        ------
        TableError
            If the state is of other rules: no default stands for that.
        """
        found = self._entry(state)
        return default if found is None else found

    def _entry(self, state: State) -> OpenEntry | None:
        state = check_state(state)
        if state.rules != self.rules:
            raise TableError(f"the table is for {self.rules}; {state} is of {state.rules}")
        # An ended game has a utility under any rules of its own, but is no state of the table.
        return None if state.is_over else entry(self.stored, state)

    def start_value(self, hands: tuple[Hand, Hand], face_up: tuple[Time, ...]) -> float:
        """Return the value to player 0 at the start of round 1."""
        value = self.stored.value(State.start(hands, face_up, self.rules))
        assert value is not None
        return value

    def states(self) -> Iterator[State]:
        """Iterate over one state for each stored position, in the order of play."""
        for stage in self.stored.stages:
            for index in range(len(stage.codes)):
                yield stage.state(index, self.rules)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file, aside first, so that an old one is never half replaced.

        Raises
        ------
        TableError
            If a bonus of the user's own remembers something that cannot be written as text.
        """
        header = {
            "format": _FORMAT,
            "version": _VERSION,
            "objective": self.objective,
            "rules": _rules_dict(self.rules),
            "seconds": self.seconds,
            "stages": [_stage_dict(stage) for stage in self.stored.stages],
        }
        arrays = {"header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)}
        for number, (stage, values) in enumerate(
            zip(self.stored.stages, self.stored.values, strict=True)
        ):
            arrays[f"codes{number}"] = np.diff(stage.codes, prepend=0).astype(np.uint32)
            arrays[f"values{number}"] = values
        with written_aside(path) as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        rules: Rules | None = None,
        objective: Objective | None = None,
    ) -> "OpenTable":
        """Read a table from a file.

        Parameters
        ----------
        path : path
            The file.
        rules : Rules, optional
            The rules that are wanted; needed when the table was made with a bonus of the user's own.
        objective : {"win", "margin"}, optional
            The objective that is wanted.

        Raises
        ------
        TableError
            If the file is damaged, no such table, of another format version, or made for other
            rules or another objective than those wanted.
        OSError
            If the file cannot be read.
        """
        name = os.fspath(path)
        try:
            with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
            header = json.loads(arrays["header"].tobytes())
            if header["format"] != _FORMAT:
                raise TableError(f"{name} holds {header['format']!r}, not a table of open hands")
            if header["version"] != _VERSION:
                raise TableError(
                    f"{name} is of format version {header['version']}; this program reads {_VERSION}"
                )
            _check_wanted(name, header, rules, objective)
            made_for = rules if rules is not None else _rules_from(header["rules"])
            stages = tuple(
                _stage_from(stage, arrays[f"codes{number}"])
                for number, stage in enumerate(header["stages"])
            )
            values = tuple(arrays[f"values{number}"] for number in range(len(stages)))
            for stage, array in zip(stages, values, strict=True):
                if array.dtype != np.float64 or array.shape != stage.codes.shape:
                    raise ValueError("an array has another shape than its stage")
            stored = ArrayValues(made_for, check_objective(header["objective"]), stages, values)
            return cls(stored, float(header["seconds"]))
        except TableError:
            raise
        except OSError:
            raise
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, SyntaxError) as error:
            raise TableError(f"{name} is damaged or no table at all: {error}") from None

    def to_csv(self, path: str | os.PathLike[str], rounds: tuple[int, ...] = (1, 2, 3, 4, 5)) -> None:
        """Write the table as CSV: a line for each set of states that are images of each other.

        Columns: ``state`` (the text of one of them), ``round``, ``value`` to player 0, then the
        chance of each element for player 0 (``row_W`` ... ``row_E``) and player 1 (``column_W``
        ...), empty for a card not held, and ``unique``. States in which a time is due have no
        chances.

        Parameters
        ----------
        path : path
            The file to write.
        rounds : tuple of int
            Which rounds to write; the sixth is forced and left out by default.
        """
        chances = [f"{who}_{e.letter}" for who in ("row", "column") for e in Element]
        with written_aside(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(["state", "round", "value", *chances, "unique"])
            for state in self.states():
                if state.round in rounds:
                    writer.writerow(_csv_row(self.probe(state)))
            text.flush()
            text.detach()

    def __str__(self) -> str:
        return (
            f"open hands, {self.objective}, {self.rules}: {len(self)} positions stored, "
            f"{self.games} matrix games solved in {self.seconds:.2f} s"
        )


def solve_table(objective: Objective = "win", rules: Rules | None = None) -> OpenTable:
    """Solve every state that can arise with open hands: all extras, all face-up sequences.

    Parameters
    ----------
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points.
    rules : Rules, optional
        The options of the rules, for two players.

    Raises
    ------
    StateError
        If the rules are not for two players.
    SolverError
        If the objective is unknown.

    Examples
    --------
    >>> table = solve_table("margin")
    >>> table.games
    51...
    """
    objective = check_objective(objective)
    rules = Rules() if rules is None else rules
    if rules.players != 2:
        raise StateError(f"exact solvers are for two players, not {rules.players}")
    started = perf_counter()
    example = State.start(["WWFFAE"] * 2, next(iter(face_up_sequences(rules.time_deck))), rules)
    outlooks = [
        Outlook.of(State.start(example.hands, face_up, rules))
        for face_up in face_up_sequences(rules.time_deck)
    ]
    memories: list[Memory] = [(example.streaks, example.memory)]
    count = len(full_hand_indices := np.arange(10))
    hand0, hand1, outlook = (
        array.reshape(-1)
        for array in np.meshgrid(
            full_hand_indices, full_hand_indices, np.arange(len(outlooks)), indexing="ij"
        )
    )
    nothing = np.zeros(count * count * len(outlooks), dtype=np.int64)
    start = Positions((hand0, hand1), outlook, nothing, nothing)
    stored = solve_arrays_from(
        rules, objective, ROUNDS, outlooks, memories, start, symmetric=rules.bonus is None
    )
    return OpenTable(stored, perf_counter() - started)


def _csv_row(found: OpenEntry) -> list[object]:
    chances: list[object] = [""] * (2 * len(Element))
    if found.strategies is not None:
        for player, strategy in enumerate(found.strategies):
            for card, chance in strategy.items():
                chances[player * len(Element) + card] = repr(chance)
    return [str(found.state), found.state.round, repr(found.value), *chances, int(found.unique)]


# The file's header


def _rules_dict(rules: Rules) -> dict[str, Any]:
    bonus = None if rules.bonus is None else rules.bonus.name
    return {"time_deck": rules.time_deck, "sunburst": rules.sunburst, "bonus": bonus}


def _rules_from(header: dict[str, Any]) -> Rules:
    if header["bonus"] is not None:
        raise TableError(
            f"the table was made with the bonus {header['bonus']!r}: pass rules that have it"
        )
    return Rules(time_deck=header["time_deck"], sunburst=header["sunburst"])


def _check_wanted(
    name: str, header: dict[str, Any], rules: Rules | None, objective: Objective | None
) -> None:
    if rules is not None and (rules.players != 2 or _rules_dict(rules) != header["rules"]):
        raise TableError(f"{name} was made for {header['rules']}, not for {rules}")
    if objective is not None and objective != header["objective"]:
        raise TableError(f"{name} was made for {header['objective']!r}, not for {objective!r}")


def _stage_dict(stage: Stage) -> dict[str, Any]:
    for _, memory in stage.memories:
        try:
            readable = literal_eval(repr(memory)) == memory
        except (ValueError, SyntaxError):
            readable = False
        if not readable:
            raise TableError(f"what the bonus remembers cannot be written as text: {memory!r}")
    return {
        "size": stage.size,
        "outlooks": [[list(o.seen), [t.code for t in o.known]] for o in stage.outlooks],
        "memories": [[list(streaks), repr(memory)] for streaks, memory in stage.memories],
        "lowest": stage.lowest,
        "differences": stage.differences,
        "symmetric": stage.symmetric,
    }


def _stage_from(header: dict[str, Any], codes: Any) -> Stage:
    outlooks = tuple(
        Outlook(tuple(seen), tuple(Time.parse(code) for code in known))
        for seen, known in header["outlooks"]
    )
    memories = tuple(
        (tuple(streaks), literal_eval(memory)) for streaks, memory in header["memories"]
    )
    if codes.ndim != 1 or codes.dtype != np.uint32:
        raise ValueError("the codes of a stage are no row of numbers")
    return Stage(
        int(header["size"]),
        outlooks,
        memories,
        int(header["lowest"]),
        int(header["differences"]),
        np.cumsum(codes, dtype=np.int64),
        bool(header["symmetric"]),
    )
