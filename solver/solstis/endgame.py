"""Exact endings of Solstis: what best play by both leads to, as a fraction.

Where the pile is empty and nothing lies face down, both hands are known by elimination; only the
spirit pile and blind picks are left to chance. Every state that can be reached is searched once
(memoised expectiminimax). The search is compiled and counts in whole numbers: values are multiples
of one fraction, the product of all chances that can still occur (see `endgame_search`).

With ``draws=True`` states further back are searched as well, with both hands open and every draw
and turning-up as chance: exact for that game of open hands.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, factorial
from time import perf_counter
from typing import Final

import networkx as nx
import numpy as np

from games.solstis import Action, State
from games.solstis.layout import Field
from games.solstis.mountain import cell_name, cells_in
from solver.errors import SolverError, StateError
from solver.solstis.endgame_search import new_stack, solve_line
from solver.solstis.transpositions import EMPTY, move_entries, new_table
from solver.state_graph import expectiminimax, state_graph

__all__ = ["EndgameSolution", "count_leaves", "solve_endgame"]

_MOST_POINTS: Final = 200
"""More than any margin."""
_FIRST_TABLE: Final = 1 << 14


@dataclass(frozen=True, eq=False)
class EndgameSolution:
    """The exact value of an ending and of every move.

    Attributes
    ----------
    state : State
        What was solved, draws as chance.
    player : int
        Whose turn it is; all values are to this player: own score minus the other's.
    value : Fraction
        Under best play of both.
    moves : dict of Action to Fraction
        The value of every legal action, if a player decides; empty where chance does. It is the
        decider who gains by a high one if that is `player`, by a low one otherwise.
    nodes : int
        Positions that were searched, each once.
    seconds : float
        Time taken.
    """

    state: State
    player: int
    value: Fraction
    moves: dict[Action, Fraction]
    nodes: int
    seconds: float
    _searcher: "_Searcher" = field(repr=False)

    @property
    def best(self) -> list[Action]:
        """All optimal actions."""
        return [action for action, value in self.moves.items() if value == self.value]

    @property
    def losses(self) -> dict[Action, Fraction]:
        """What each action gives away, to the player who decides."""
        return {action: abs(self.value - value) for action, value in self.moves.items()}

    @property
    def line(self) -> list[Action]:
        """The principal variation: best play of both, up to the end or to where chance decides."""
        line: list[Action] = []
        state = self.state
        while state.kind == "decision":
            values = self._searcher.moves(state)
            choose = max if state.decider == self.player else min
            best = choose(values.values())
            action = next(action for action, value in values.items() if value == best)
            line.append(action)
            state = state.play(action)
        return line

    def value_at(self, state: State) -> Fraction:
        """Return the value of a state that can be reached, to the same player."""
        return self._searcher.value(state.unordered())

    def graph(self, max_nodes: int = 100_000) -> "nx.DiGraph[State]":
        """Return the graph of all states, with their values (`solver.state_graph`).

        Computed anew, state by state, without the compiled search: its values are a check.
        """
        graph = state_graph(self.state, max_nodes)
        own, other = self.player, 1 - self.player
        expectiminimax(
            graph, lambda end: Fraction(end.score(own).total - end.score(other).total), own
        )
        return graph

    def __str__(self) -> str:
        lines = [
            f"value {_signed(self.value)} to player {self.player + 1}, exact "
            f"({self.nodes} positions, {self.seconds:.2f} s)"
        ]
        order = sorted(self.moves.items(), key=lambda pair: (self.losses[pair[0]], str(pair[0])))
        for action, value in order:
            lines.append(f"  {action!s:32s} {_signed(value):>8s}   loses {self.losses[action]}")
        return "\n".join(lines)


def _signed(value: Fraction) -> str:
    return f"{'+' if value > 0 else ''}{value}"


def solve_endgame(state: State, max_nodes: int = 5_000_000, draws: bool = False) -> EndgameSolution:
    """Return the exact value of an ending under best play of both players.

    Parameters
    ----------
    state : State
        With an empty pile and nothing face down in the display.
    max_nodes : int
        Give up beyond so many positions; one takes about 50 bytes.
    draws : bool
        Allow tiles in the pile and face-down ones: every draw is chance then, and both hands are
        taken as open.

    Raises
    ------
    StateError
        If the game is over, or tiles are hidden (the message names them).
    SolverError
        If there are more positions than `max_nodes`, or more chance than whole numbers of 64 bits
        hold.

    Examples
    --------
    >>> ending = {
    ...     "variant": "base", "to_move": 2,
    ...     "state": {
    ...         "pan": {"1": {"tiles": ["1-1", "1-2"], "rainbows": [], "spirits": []},
    ...                 "2": {"tiles": ["2-1"], "rainbows": [], "spirits": []}},
    ...         "display": [{"slot": 0, "up": "3-1"}], "hands": {"1": [], "2": ["3-2"]},
    ...         "pile": 0, "removed": [],
    ...     },
    ... }
    >>> every = [f"{r}-{n}" for r, (a, b) in
    ...          {1: (1, 10), 2: (1, 10), 3: (1, 10), 4: (2, 9), 5: (3, 8), 6: (4, 7)}.items()
    ...          for n in range(a, b + 1)]
    >>> ending["state"]["removed"] = [
    ...     t for t in every if t not in ("1-1", "1-2", "2-1", "3-1", "3-2")]
    >>> solution = solve_endgame(State.from_dict(ending))
    >>> solution.value, [str(action) for action in solution.line]
    (Fraction(1, 1), ['play_tile 3-2', 'capture 3-1@0'])
    """
    if not isinstance(state, State):
        raise StateError(f"{type(state).__name__} is no state of Solstis")
    if isinstance(max_nodes, bool) or not isinstance(max_nodes, int) or max_nodes < 1:
        raise SolverError(f"max_nodes is {max_nodes!r}: expected a whole number, 1 or more")
    if state.kind == "end" or state.to_move is None:
        raise StateError("the game is over: there is nothing to solve")
    hidden = int(state._core[Field.POOL])
    if hidden and not draws:
        names = ", ".join(cell_name(tile) for tile in cells_in(hidden))
        raise StateError(
            f"tiles are hidden, in the pile or face down: {names}. With draws=True they are drawn "
            "by chance, and both hands taken as open"
        )
    started = perf_counter()
    state = state.unordered()
    searcher = _Searcher(state, max_nodes)
    value = searcher.value(state)
    moves = searcher.moves(state) if state.kind == "decision" else {}
    return EndgameSolution(
        state,
        searcher.player,
        value,
        moves,
        int(searcher.counts[0]),
        perf_counter() - started,
        searcher,
    )


def count_leaves(state: State, max_nodes: int = 5_000_000) -> int:
    """Return in how many ways a game can go on to its end, branches of chance counted.

    Equal options are merged, transpositions are not: a count that any other program can check its
    moves by, as perft does in chess.

    Raises
    ------
    SolverError
        If there are more positions than `max_nodes`.
    """
    counts = np.array([0, max_nodes], dtype=np.int64)
    states, codes, frames, hashes = new_stack()
    size = _FIRST_TABLE
    while True:
        states[0] = state.unordered()._core
        counts[:] = (0, min(size, max_nodes))
        keys, values = new_table(size)
        found = int(solve_line(states, codes, frames, keys, values, hashes, 0, counts))
        if found != EMPTY:
            return found
        if size >= max_nodes:
            raise SolverError(f"there are more positions than max_nodes = {max_nodes}")
        size *= 8


def scale_of(state: State) -> int:
    """Return a number that the product of all chances on any line from a state divides."""
    core = state._core
    spirits = int(core[Field.SPIRIT_PILE]).bit_count()
    scale = factorial(int(core[Field.POOL]).bit_count()) * 12
    while spirits > 1:
        scale *= comb(spirits, 2)
        spirits -= 2
    return scale


class _Searcher:
    """The compiled search with its table, which grows when it is full."""

    def __init__(self, state: State, max_nodes: int) -> None:
        self.scale = scale_of(state)
        if self.scale * _MOST_POINTS >= 2**63:
            raise SolverError(
                "too many draws are left for an exact search: the chances on one line need more "
                "than 64 bits"
            )
        assert state.to_move is not None
        self.player = state.to_move
        self.max_nodes = max_nodes
        self.states, self.codes, self.frames, self.hashes = new_stack()
        self.size = min(_FIRST_TABLE, max_nodes)
        self.counts = np.array([0, self.size], dtype=np.int64)
        self.keys, self.values = new_table(self.size)

    def value(self, state: State) -> Fraction:
        while True:
            self.states[0] = state._core
            found = int(
                solve_line(
                    self.states,
                    self.codes,
                    self.frames,
                    self.keys,
                    self.values,
                    self.hashes,
                    self.scale,
                    self.counts,
                )
            )
            if found != EMPTY:
                return Fraction(found if self.player == 0 else -found, self.scale)
            self._grow()

    def moves(self, state: State) -> dict[Action, Fraction]:
        return {action: self.value(state.play(action)) for action in state.legal()}

    def _grow(self) -> None:
        """Take a larger table and keep what was found."""
        if self.size >= self.max_nodes:
            raise SolverError(
                f"there are more positions than max_nodes = {self.max_nodes}: an ending nearer to "
                "the end, or a larger number"
            )
        self.size = min(self.size * 8, self.max_nodes)
        keys, values = new_table(self.size)
        filled = int(move_entries(self.keys, self.values, keys, values))
        self.keys, self.values = keys, values
        self.counts[:] = (filled, self.size)
