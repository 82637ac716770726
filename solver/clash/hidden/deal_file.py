"""The file of a solved deal with hidden hands.

A zip archive of numpy arrays: a header in JSON and both players' strategies. The layout is made
again from the header, so that only the strategies take room.
"""

import os
from typing import Any

import numpy as np

from games.clash import Objective, Rules
from solver.archive import DAMAGE, Arrays, checked, read_archive, write_archive
from solver.clash.hidden.best_response import Behaviour
from solver.clash.hidden.layout import BLOCK, HiddenLayout
from solver.errors import TableError

__all__ = ["read_behaviours", "read_fields", "write_deal"]

_FORMAT, _VERSION = "solaris-clash-hidden-deal", 1
_WHAT = "a solved deal with hidden hands"


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
    arrays: Arrays = {}
    for player, behaviour in enumerate(behaviours):
        arrays[f"plans{player}"] = behaviour.plans
        for level, chances in enumerate(behaviour.rounds):
            arrays[f"rounds{player}-{level}"] = chances
    write_archive(path, header, arrays)


def read_fields(
    path: str | os.PathLike[str], rules: Rules | None, objective: Objective | None
) -> tuple[dict[str, Any], Arrays, Rules]:
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
    header, arrays = read_archive(path, _FORMAT, _VERSION, _WHAT)
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


def read_behaviours(layout: HiddenLayout, arrays: Arrays) -> tuple[Behaviour, Behaviour]:
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
            checked(
                arrays[f"rounds{player}-{number}"],
                np.float64,
                (len(level.child), len(facing.prefixes), 4),
            )
            for number, (level, facing) in enumerate(levels)
        )
        plans = checked(arrays[f"plans{player}"], np.float64, (layout.choices[player], BLOCK))
        behaviours.append(Behaviour(rounds, plans))
    return behaviours[0], behaviours[1]
