"""The file of a table of open hands.

A zip archive of numpy arrays: a header in JSON (format, version, rules, objective, and what the
numbers of each stage mean), and for each stage the codes of its positions, as differences, and
their values.
"""

import os
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules, Time, memory_from_text, memory_to_text
from games.errors import GameError
from solver.archive import DAMAGE, Arrays, checked, read_archive, write_archive
from solver.clash.open_hands import check_objective
from solver.clash.outlook import Outlook
from solver.clash.stages import Stage
from solver.clash.values import ArrayValues
from solver.errors import TableError

__all__ = ["read_values", "write_values"]

_FORMAT = "solaris-clash-open-table"
_VERSION = 1
_WHAT = "a table of open hands"


def write_values(path: str | os.PathLike[str], stored: ArrayValues, seconds: float) -> None:
    """Write values to a file, aside first, so that an old one is never half replaced.

    Raises
    ------
    TableError
        If a bonus of the user's own remembers something that cannot be written as text.
    OSError
        If the file cannot be written.
    """
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "objective": stored.objective,
        "rules": _rules_to_json(stored.rules),
        "seconds": seconds,
        "stages": [_stage_to_json(stage) for stage in stored.stages],
    }
    arrays: Arrays = {}
    for number, (stage, values) in enumerate(zip(stored.stages, stored.values, strict=True)):
        arrays[f"codes{number}"] = np.diff(stage.codes, prepend=0).astype(np.int64)
        arrays[f"values{number}"] = values
    write_archive(path, header, arrays)


def read_values(
    path: str | os.PathLike[str], rules: Rules | None, objective: Objective | None
) -> tuple[ArrayValues, float]:
    """Read values, and how many seconds they took, from a file.

    Raises
    ------
    TableError
        If the file is damaged, no such table, of another format version, or made for other rules or
        another objective than those wanted.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    header, arrays = read_archive(path, _FORMAT, _VERSION, _WHAT)
    made_for = _check_wanted(name, header, rules, objective)
    try:
        stages = tuple(
            _stage_from_json(stage, arrays[f"codes{number}"])
            for number, stage in enumerate(header["stages"])
        )
        values = tuple(
            checked(arrays[f"values{number}"], np.float64, stage.codes.shape)
            for number, stage in enumerate(stages)
        )
        stored = ArrayValues(made_for, check_objective(header["objective"]), stages, values)
        return stored, float(header["seconds"])
    except DAMAGE as error:
        raise TableError(f"{name} is damaged: {error}") from None


def _rules_to_json(rules: Rules) -> dict[str, Any]:
    bonus = None if rules.bonus is None else rules.bonus.name
    return {"time_deck": rules.time_deck, "sunburst": rules.sunburst, "bonus": bonus}


def _check_wanted(
    name: str, header: dict[str, Any], rules: Rules | None, objective: Objective | None
) -> Rules:
    """Return the rules that a table was made for, if they and its objective are those wanted."""
    recorded = header.get("rules")
    if objective is not None and objective != header.get("objective"):
        made = header.get("objective")
        raise TableError(f"{name} was made for the objective {made!r}, not for {objective!r}")
    if rules is not None:
        if rules.players != 2 or _rules_to_json(rules) != recorded:
            raise TableError(f"{name} was made for the rules {recorded}, not for {rules}")
        return rules
    try:
        if recorded["bonus"] is None:  # type: ignore[index]
            return Rules(time_deck=recorded["time_deck"], sunburst=recorded["sunburst"])  # type: ignore[index]
    except DAMAGE as error:
        raise TableError(f"{name} is damaged: {error}") from None
    raise TableError(
        f"{name} was made with the bonus {recorded['bonus']!r}: pass rules that have it"  # type: ignore[index]
    )


def _stage_to_json(stage: Stage) -> dict[str, Any]:
    memories = [[list(streaks), _memory_text(memory)] for streaks, memory in stage.memories]
    return {
        "size": stage.size,
        "outlooks": [[list(o.seen), [t.code for t in o.known]] for o in stage.outlooks],
        "memories": memories,
        "lowest": stage.lowest,
        "differences": stage.differences,
        "symmetric": stage.symmetric,
    }


def _memory_text(memory: Hashable) -> str:
    text = memory_to_text(memory)
    try:
        readable = memory_from_text(text) == memory
    except GameError:
        readable = False
    if not readable:
        raise TableError(f"what the bonus remembers cannot be written as text: {memory!r}")
    return text


def _stage_from_json(header: dict[str, Any], codes: NDArray[Any]) -> Stage:
    outlooks = tuple(
        Outlook(tuple(seen), tuple(Time.parse(code) for code in known))
        for seen, known in header["outlooks"]
    )
    memories = tuple(
        (tuple(streaks), memory_from_text(memory)) for streaks, memory in header["memories"]
    )
    return Stage(
        int(header["size"]),
        outlooks,
        memories,
        int(header["lowest"]),
        int(header["differences"]),
        np.cumsum(checked(codes, np.int64, (len(codes),)), dtype=np.int64),
        bool(header["symmetric"]),
    )
