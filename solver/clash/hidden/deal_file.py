"""The file of a solved deal with hidden hands.

A zip archive of numpy arrays: a header in JSON and both players' strategies. The layout is made
again from the header, so that only the strategies take room.
"""

import io
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules
from games.errors import GameError
from games.files import written_aside
from solver.clash.hidden.best_response import Behaviour
from solver.clash.hidden.layout import BLOCK, HiddenLayout
from solver.errors import SolverError, TableError

__all__ = ["DAMAGE", "read_behaviours", "read_fields", "write_deal"]

_FORMAT, _VERSION = "solaris-clash-hidden-deal", 1
DAMAGE = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    EOFError,
    NotImplementedError,
    zlib.error,
    zipfile.BadZipFile,
    GameError,
    SolverError,
)
"""What reading a file that is damaged, or none of ours, may raise."""


def write_deal(
    path: str | os.PathLike[str], fields: dict[str, Any], behaviours: tuple[Behaviour, Behaviour]
) -> None:
    """Write a solved deal to a file, aside first, so that an old one is never half replaced.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    header = {"format": _FORMAT, "version": _VERSION, **fields}
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(json.dumps(header).encode(), np.uint8)
    }
    for player, behaviour in enumerate(behaviours):
        arrays[f"plans{player}"] = behaviour.plans
        for level, chances in enumerate(behaviour.rounds):
            arrays[f"rounds{player}-{level}"] = chances
    with written_aside(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read_fields(
    path: str | os.PathLike[str], rules: Rules | None, objective: Objective | None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], Rules]:
    """Read the header of a solved deal, its arrays, and the rules that it was made for.

    Raises
    ------
    TableError
        If the file is damaged, no solved deal, of another format version, or made for other rules
        or another objective than those wanted.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    content = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(arrays["header"].tobytes())
        kind, version = header["format"], header["version"]
    except DAMAGE as error:
        raise TableError(f"{name} is damaged, or no solved deal: {error}") from None
    if kind != _FORMAT:
        raise TableError(f"{name} holds {kind!r}, not a solved deal with hidden hands")
    if version != _VERSION:
        raise TableError(f"{name} is of format version {version!r}; this program reads {_VERSION}")
    try:
        made_for = Rules(**header["rules"])
        made = header["objective"]
    except DAMAGE as error:
        raise TableError(f"{name} is damaged: {error}") from None
    if rules is not None and rules != made_for:
        raise TableError(f"{name} was made for {made_for}, not for {rules}")
    if objective is not None and objective != made:
        raise TableError(f"{name} was made for the objective {made!r}, not for {objective!r}")
    return header, arrays, made_for


def read_behaviours(
    layout: HiddenLayout, arrays: dict[str, NDArray[Any]]
) -> tuple[Behaviour, Behaviour]:
    """Return both strategies, if the arrays have the shapes of the deal.

    Raises
    ------
    ValueError, KeyError
        If they have not.
    """
    behaviours = []
    for player, own in enumerate(layout.players):
        other = layout.players[1 - player]
        levels = zip(own.levels[:-1], other.levels[:-1], strict=True)
        rounds = tuple(
            _checked(
                arrays[f"rounds{player}-{number}"], (len(level.child), len(facing.prefixes), 4)
            )
            for number, (level, facing) in enumerate(levels)
        )
        plans = _checked(arrays[f"plans{player}"], (layout.choices[player], BLOCK))
        behaviours.append(Behaviour(rounds, plans))
    return behaviours[0], behaviours[1]


def _checked(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.float64]:
    if array.dtype != np.float64 or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an array is {array.dtype} {array.shape}, not float64 {shape}")
    return array
