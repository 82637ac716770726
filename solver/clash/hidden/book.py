"""The strategy book: the solved whole game in one compact file, probed without loading it.

The file starts with eight letters, the length of the header and the header in JSON. Then come the
strategies, one compressed chunk for each class of face-up sequences and round; a probe reads the
chunks of one class only. Chances are kept in 8 or 16 bits, and the exploitability in the header is
measured for them as they are kept.
"""

import json
import os
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules
from games.files import written_aside
from solver.clash.hidden.best_response import Behaviour, best_response, own_reach
from solver.clash.hidden.classes import class_layout, kinds, sequence_classes
from solver.clash.hidden.layout import BLOCK
from solver.clash.hidden.whole_solution import WholeSolution, WholeStrategy
from solver.clash.open_hands import check_objective
from solver.errors import SolverError, StateError, TableError

__all__ = ["StrategyBook", "write_book"]

FloatArray: TypeAlias = NDArray[np.float64]

_MAGIC = b"CLASHBOK"
_VERSION = 1
_PLAN_ROUND = 5
"""The round in which the plan of the last two cards is chosen."""


def write_book(
    solution: WholeSolution,
    path: str | os.PathLike[str],
    bits: int = 16,
    last_round: int = 6,
) -> None:
    """Write a solution as a strategy book, aside first, so that an old one is never half replaced.

    Parameters
    ----------
    solution : WholeSolution
        What `solve_whole` returned.
    path : path
        The file.
    bits : {8, 16}
        How exactly chances are kept. The exploitability is measured again for them as kept.
    last_round : int
        The last round that is kept, 1 to 6: a book of the first rounds only is small. Its
        exploitability is that of the whole strategy from which it is taken.

    Raises
    ------
    SolverError
        If this is no whole solution, or bits or last_round is something else.
    OSError
        If the file cannot be written.
    """
    if not isinstance(solution, WholeSolution):
        raise SolverError(f"{type(solution).__name__} is no WholeSolution: use solve_whole")
    if bits not in (8, 16):
        raise SolverError(f"bits is {bits!r}: expected 8 or 16")
    if isinstance(last_round, bool) or last_round not in range(1, 7):
        raise SolverError(f"last_round is {last_round!r}: expected 1 to 6")
    kept = [_kept(behaviour, bits) for behaviour in solution.behaviours]
    chunks: list[list[tuple[int, int]]] = []
    content = bytearray()
    for rounds, plans in kept:
        places = []
        for number, array in enumerate((*rounds, plans), start=1):
            if number <= last_round:
                packed = zlib.compress(array.tobytes(), 9)
                places.append((len(content), len(packed)))
                content += packed
        chunks.append(places)
    prior = _shares(_quantised(solution.prior, 16))
    header = {
        "version": _VERSION,
        "objective": solution.objective,
        "rules": {"time_deck": solution.rules.time_deck, "sunburst": solution.rules.sunburst},
        "bits": bits,
        "last_round": last_round,
        "seat": solution.seat,
        "prior": prior.tolist(),
        "exploitability": _exploitability(solution, [_read(one) for one in kept], prior),
        "iterations": solution.iterations,
        "stopped": solution.stopped,
        "method": solution.method,
        "seconds": solution.seconds,
        "checksum": zlib.crc32(bytes(content)),
        "chunks": chunks,
    }
    text = json.dumps(header).encode()
    with written_aside(path) as file:
        file.write(_MAGIC + struct.pack("<Q", len(text)) + text + content)


class StrategyBook(WholeStrategy):
    """A strategy for the whole game in a file; it is read as far as it is asked.

    Parameters
    ----------
    path : path
        The file.
    rules : Rules, optional
        The rules that are wanted.
    objective : {"win", "margin"}, optional
        The objective that is wanted.

    Raises
    ------
    TableError
        If the file is damaged, no book, of another format version, or made for other rules or
        another objective than those wanted.
    OSError
        If the file cannot be read.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        rules: Rules | None = None,
        objective: Objective | None = None,
    ) -> None:
        self.path = Path(path)
        name = os.fspath(path)
        with self.path.open("rb") as file:
            start = file.read(len(_MAGIC) + 8)
            if start[: len(_MAGIC)] != _MAGIC:
                raise TableError(f"{name} is no strategy book")
            try:
                (length,) = struct.unpack("<Q", start[len(_MAGIC) :])
                header = json.loads(file.read(length))
                version = header["version"]
            except (ValueError, KeyError, TypeError, struct.error, OverflowError, MemoryError):
                raise TableError(f"{name} is damaged: its header cannot be read") from None
        if version != _VERSION:
            raise TableError(f"{name} is of format version {version!r}, not {_VERSION}")
        try:
            self.rules = Rules(**header["rules"])
            self.objective = check_objective(header["objective"])
            self.prior = np.array(header["prior"], dtype=np.float64)
            self.exploitability = float(header["exploitability"])
            self.seat = int(header["seat"])
            self.iterations = int(header["iterations"])
            self.stopped = str(header["stopped"])
            self.last_round = int(header["last_round"])
            kind = np.dtype({8: "<u1", 16: "<u2"}[header["bits"]])
            self.behaviours = _Pages(self, kind, len(start) + length, header["chunks"])
            if (
                self.prior.shape != (10,)
                or self.seat not in (0, 1)
                or len(self.behaviours) != len(sequence_classes(self.rules.time_deck))
            ):
                raise ValueError("classes or extras are missing")
        except (ValueError, KeyError, TypeError, IndexError, SolverError) as error:
            raise TableError(f"{name} is damaged: {error}") from None
        if rules is not None and rules != self.rules:
            raise TableError(f"{name} was made for {self.rules}, not for {rules}")
        if objective is not None and objective != self.objective:
            raise TableError(f"{name} was made for {self.objective!r}, not for {objective!r}")

    def __str__(self) -> str:
        chosen = ", ".join(f"{label} {p:.1%}" for label, p in self.selection.items())
        kept = "all rounds" if self.last_round == 6 else f"rounds 1 to {self.last_round}"
        return (
            f"strategy book, {self.objective}, {self.rules}, {kept}: exploitability "
            f"{self.exploitability:.1e} {self.unit}\nextras: {chosen}"
        )


class _Pages(Sequence[Behaviour]):
    """The strategies of a book by class, read when asked."""

    def __init__(
        self,
        book: StrategyBook,
        kind: np.dtype[Any],
        start: int,
        chunks: list[list[list[int]]],
    ) -> None:
        self._book, self._kind, self._start, self._chunks = book, kind, start, chunks
        self._read = lru_cache(maxsize=16)(self._chunk)

    def __len__(self) -> int:
        return len(self._chunks)

    def __getitem__(self, number: Any) -> Any:
        return _Page(self, range(len(self))[number])

    def array(self, number: int, part: int, shape: tuple[int, ...]) -> NDArray[Any]:
        return self._read(number, part).reshape(shape)

    def _chunk(self, number: int, part: int) -> NDArray[Any]:
        places = self._chunks[number]
        if part >= len(places):
            raise StateError(
                f"{self._book.path} holds rounds 1 to {self._book.last_round} only, not round "
                f"{part + 1}"
            )
        offset, length = places[part]
        with self._book.path.open("rb") as file:
            file.seek(self._start + offset)
            packed = file.read(length)
        try:
            return np.frombuffer(zlib.decompress(packed), self._kind)
        except (zlib.error, ValueError) as error:
            raise TableError(f"{self._book.path} is damaged: {error}") from None


class _Page:
    """The strategy of one class in a book: like `Behaviour`, but read when asked."""

    def __init__(self, pages: _Pages, number: int) -> None:
        self._pages, self._number = pages, number

    @property
    def rounds(self) -> "_Rounds":
        return _Rounds(self._pages, self._number)

    @property
    def plans(self) -> FloatArray:
        array = self._pages.array(self._number, _PLAN_ROUND - 1, (-1, BLOCK))
        return array / np.iinfo(array.dtype).max


class _Rounds:
    def __init__(self, pages: _Pages, number: int) -> None:
        self._pages, self._number = pages, number

    def __getitem__(self, level: int) -> FloatArray:
        prefixes = _other_prefixes()[level]
        return _shares(self._pages.array(self._number, level, (-1, prefixes, 4)))


@lru_cache(maxsize=1)
def _other_prefixes() -> tuple[int, ...]:
    first = sequence_classes("independent")[0].times
    layout = class_layout((*first, None, None), "win", Rules())
    return tuple(len(level.prefixes) for level in layout.players[1].levels)


def _kept(behaviour: Behaviour, bits: int) -> tuple[list[NDArray[Any]], NDArray[Any]]:
    rounds = [_quantised(chances, bits) for chances in behaviour.rounds]
    return rounds, _quantised(behaviour.plans, bits)


def _quantised(chances: FloatArray, bits: int) -> NDArray[Any]:
    most = 2**bits - 1
    kept: NDArray[Any] = np.rint(chances * most).astype("<u1" if bits == 8 else "<u2")
    return kept


def _shares(kept: NDArray[Any]) -> FloatArray:
    """Return kept chances as chances that sum to 1."""
    numbers = kept.astype(np.float64)
    result: FloatArray = numbers / numbers.sum(axis=-1, keepdims=True)
    return result


def _read(kept: tuple[list[NDArray[Any]], NDArray[Any]]) -> Behaviour:
    rounds, plans = kept
    return Behaviour(tuple(map(_shares, rounds)), plans / np.iinfo(plans.dtype).max)


def _exploitability(
    solution: WholeSolution, behaviours: list[Behaviour], prior: FloatArray
) -> float:
    """Return what a best response to a strategy, selection included, earns."""
    seat = solution.seat
    worth = np.zeros(len(prior))
    for one, behaviour in zip(sequence_classes(solution.rules.time_deck), behaviours, strict=True):
        layout = class_layout((*one.times, None, None), solution.objective, solution.rules)
        reach = own_reach(layout, seat, behaviour.rounds, prior)
        values, _ = best_response(layout, 1 - seat, reach, behaviour.plans)
        worth += one.chance * values
    return max(float(worth[list(members)].mean()) for members in kinds())
