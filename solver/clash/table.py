"""A table of everything: all states that open-hand play can reach, solved once and probed.

Only values are kept, one for each set of states that are images of each other; the matrix of a
round and both strategies are made from the values of the states that follow. So the file is small.
"""

import csv
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.clash import (
    EXTRAS_LABELS,
    ROUNDS,
    Element,
    Objective,
    Rules,
    State,
    Time,
    face_up_sequences,
)
from games.files import written_aside
from solver.backward_induction import games_by_shape
from solver.clash.open_hands import (
    OpenEntry,
    Strategy,
    check_objective,
    check_rules,
    check_state,
    entry,
    without_rounding,
)
from solver.clash.outlook import Outlook
from solver.clash.stages import Memory, Positions, join_stages
from solver.clash.table_file import read_values, write_values
from solver.clash.values import ArrayValues, solve_arrays_from
from solver.errors import TableError
from solver.matrix import solve_batch

__all__ = ["OpenTable", "solve_table"]

_T = TypeVar("_T")


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
    >>> round(table.probe(State.parse("FE/FA DaNoDuMiNo-- 1-0")).value, 4)
    1.2073
    >>> table.get(State.parse("FE/FA DaNoDuMiNoMi 1-0"), "not in the table")
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

    def probe(self, state: State | str) -> OpenEntry:
        """Return value, matrix and strategies of a state.

        Parameters
        ----------
        state : State or str
            A state of the table's rules that can arise in play: times five and six face down until
            they are due. Only what the value depends on is asked: past times in any order, and
            points that differ by as much as some that can arise.

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

    def get(self, state: State | str, default: _T | None = None) -> OpenEntry | _T | None:
        """Return what `probe` does, or a default for a state that is not in the table.

        Raises
        ------
        TableError
            If the state is of other rules: no default stands for that.
        """
        found = self._entry(state)
        return default if found is None else found

    def _entry(self, state: State | str) -> OpenEntry | None:
        state = check_state(State.parse(state, self.rules) if isinstance(state, str) else state)
        if state.rules != self.rules:
            raise TableError(f"the table is for {self.rules}; {state} is of {state.rules}")
        return entry(self.stored, state)

    def start_values(self) -> NDArray[np.float64]:
        """Return the value to player 0 of every deal.

        Returns
        -------
        float array, shape (10, 10, n)
            By the extras of player 0, of player 1, and the face-up sequence, in the order of
            `games.clash.face_up_sequences`.
        """
        stage, values = self.stored.stages[0], self.stored.values[0]
        index, sign = stage.find_all(_deals(self.rules, stage.outlooks))
        count = len(EXTRAS_LABELS)
        result: NDArray[np.float64] = (sign * values[index]).reshape(count, count, -1)
        return result

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
        write_values(path, self.stored, self.seconds)

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
            The rules that are wanted; needed when the table was made with a bonus of one's own.
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
        wanted = None if rules is None else check_rules(rules)
        return cls(*read_values(path, wanted, objective))

    def to_csv(
        self, path: str | os.PathLike[str], rounds: tuple[int, ...] = (1, 2, 3, 4, 5)
    ) -> None:
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
            for round_number in rounds:
                writer.writerows(map(_csv_row, self.entries(round_number)))
            text.flush()
            text.detach()

    def entries(self, round_number: int) -> Iterator[OpenEntry]:
        """Iterate over what the table knows of a round, an entry for each stored position.

        Positions in which the round's time is due come first. The matrix games are solved in
        batches, so that this is many times faster than probing one state after another.
        """
        for number, stage in enumerate(self.stored.stages):
            if stage.round == round_number:
                yield from self._entries(number)

    def _entries(self, number: int) -> Iterator[OpenEntry]:
        stage = self.stored.stages[number]
        rounds = {} if stage.is_due or stage.size == 1 else self._solve_rounds(number)
        for index, to_come in enumerate(self.stored.values[number].tolist()):
            state = stage.state(index, self.rules)
            points = state.margin(0) if self.objective == "margin" else 0.0
            value = to_come + points
            if stage.is_due:
                yield OpenEntry(state, value, None, None, True)
                continue
            solved = rounds.get(index) or _SolvedRound(np.array([[to_come]]), [1.0], [1.0], True)
            row: Strategy = dict(zip(state.legal(0), solved.row, strict=True))
            column: Strategy = dict(zip(state.legal(1), solved.column, strict=True))
            yield OpenEntry(state, value, solved.matrix + points, (row, column), solved.unique)

    def _solve_rounds(self, number: int) -> dict[int, "_SolvedRound"]:
        """Return the matrix game of every position of a stage, solved."""
        stage, following = self.stored.stages[number : number + 2]
        layer = join_stages(stage, following, self.rules, self.objective)
        rounds: dict[int, _SolvedRound] = {}
        for nodes, games in games_by_shape(layer, self.stored.values[number + 1]):
            batch = solve_batch(without_rounding(games))
            mixes = zip(batch.rows.tolist(), batch.columns.tolist(), strict=True)
            for node, matrix, (row, column), unique in zip(
                nodes.tolist(), games, mixes, batch.unique.tolist(), strict=True
            ):
                rounds[node] = _SolvedRound(matrix, row, column, unique)
        return rounds

    def __str__(self) -> str:
        return (
            f"open hands, {self.objective}, {self.rules}: {len(self)} positions stored, "
            f"{self.games} matrix games solved in {self.seconds:.2f} s"
        )


def solve_table(
    objective: Objective = "win", rules: Rules | None = None, symmetric: bool = True
) -> OpenTable:
    """Solve every state that can arise with open hands: all extras, all face-up sequences.

    Parameters
    ----------
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points.
    rules : Rules, optional
        The options of the rules, for two players.
    symmetric : bool
        Whether to store one position for all that are images of each other under rotation and
        exchange of the players; the answers are the same, the table is eight times smaller. Never
        done for a bonus of the user's own, of which no symmetry is known.

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
    53587
    """
    objective = check_objective(objective)
    rules = check_rules(rules)
    started = perf_counter()
    outlooks = _start_outlooks(rules)
    bonus_memory = None if rules.bonus is None else rules.bonus.start
    memories: list[Memory] = [((0, 0) if rules.sunburst != "off" else (), bonus_memory)]
    start = _deals(rules, outlooks)
    merge = symmetric and rules.bonus is None
    stored = solve_arrays_from(rules, objective, ROUNDS, outlooks, memories, start, merge)
    return OpenTable(stored, perf_counter() - started)


def _start_outlooks(rules: Rules) -> list[Outlook]:
    rows = face_up_sequences(rules.time_deck)
    return [Outlook(tuple(map(row.count, Time)), row) for row in rows]


def _deals(rules: Rules, outlooks: Sequence[Outlook]) -> Positions:
    """Return the start of every deal: both hands, then the face-up sequence, counting up."""
    numbers = {outlook: index for index, outlook in enumerate(outlooks)}
    rows = np.array([numbers[outlook] for outlook in _start_outlooks(rules)])
    hands = np.arange(len(EXTRAS_LABELS))
    hand0, hand1, outlook = (
        array.reshape(-1) for array in np.meshgrid(hands, hands, rows, indexing="ij")
    )
    nothing = np.zeros(len(outlook), dtype=np.int64)
    return Positions((hand0, hand1), outlook, nothing, nothing)


class _SolvedRound(NamedTuple):
    """The matrix game of one position, under margin without the points so far."""

    matrix: NDArray[np.float64]
    row: list[float]
    column: list[float]
    unique: bool


def _csv_row(found: OpenEntry) -> list[object]:
    chances: list[object] = [""] * (2 * len(Element))
    for player, strategy in enumerate(found.strategies or ()):
        for card, chance in strategy.items():
            chances[player * len(Element) + card] = chance
    return [str(found.state), found.state.round, found.value, *chances, int(found.unique)]
