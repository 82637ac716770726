"""Exact endings of Solstis: what best play by both leads to, as a fraction.

Where the pile is empty and nothing lies face down, both hands are known by elimination; only the
spirit pile and blind picks are left to chance. The search is memoised expectiminimax with pruning,
compiled (see `pruned_search`). It counts in whole numbers: values are multiples of one fraction,
the product of all chances that can still occur.

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
from solver.solstis.arguments import check_state
from solver.solstis.endgame_search import new_stack, solve_line
from solver.solstis.pruned_search import (
    EVERYTHING,
    move_intervals,
    new_interval_table,
    new_pruned_stack,
    prune_line,
)
from solver.solstis.score_bounds import MOST_POINTS
from solver.solstis.transpositions import EMPTY, new_table
from solver.state_graph import expectiminimax, state_graph

__all__ = ["EndgameSolution", "count_leaves", "solve_endgame"]

_FIRST_TABLE: Final = 1 << 14
_LARGEST_HAND: Final = 4


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
        Positions that prove it: those that the transposition table holds.
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
            action = self._searcher.best(state, self.value)
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


def solve_endgame(
    state: State, max_nodes: int = 5_000_000, draws: bool = False, techniques: int = EVERYTHING
) -> EndgameSolution:
    """Return the exact value of an ending under best play of both players.

    Parameters
    ----------
    state : State
        With an empty pile and nothing face down in the display.
    max_nodes : int
        Give up beyond so many positions; one takes 64 to 128 bytes.
    draws : bool
        Allow tiles in the pile and face-down ones: every draw is chance then, and both hands are
        taken as open.
    techniques : int
        Which ways of pruning are used (`pruned_search`), 0 for alpha-beta and Star1 alone. They
        change how long it takes, never the answer.

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
    state = check_state(state)
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
    searcher = _Searcher(state, max_nodes, techniques)
    value = searcher.value(state)
    moves = searcher.moves(state) if state.kind == "decision" else {}
    return EndgameSolution(
        state,
        searcher.player,
        value,
        moves,
        searcher.nodes,
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
    return _without_pruning(check_state(state), 0, max_nodes)[0]


def value_without_pruning(state: State, max_nodes: int = 5_000_000) -> tuple[Fraction, int]:
    """Return the value that `solve_endgame` returns, and how many positions there are.

    Every position is searched, each once, with both hands open and every draw as chance: what
    pruning is measured and checked against.

    Raises
    ------
    SolverError
        If there are more positions than `max_nodes`, or too many draws.
    """
    scale = _checked_scale(check_state(state))
    value, nodes = _without_pruning(state, scale, max_nodes)
    return Fraction(value if state.to_move == 0 else -value, scale), nodes


def _without_pruning(state: State, scale: int, max_nodes: int) -> tuple[int, int]:
    """Return the value, or with a scale of 0 the number of lines, and how many positions."""
    counts = np.array([0, max_nodes], dtype=np.int64)
    states, codes, frames, hashes = new_stack()
    size = _FIRST_TABLE
    while True:
        states[0] = state.unordered()._core
        counts[:] = (0, min(size, max_nodes))
        keys, values = new_table(size)
        found = int(solve_line(states, codes, frames, keys, values, hashes, scale, counts))
        if found != EMPTY:
            return found, int(counts[0])
        if size >= max_nodes:
            raise SolverError(f"there are more positions than max_nodes = {max_nodes}")
        size *= 8


def _checked_scale(state: State) -> int:
    """Return the scale of a search, if its sums over outcomes fit into 64 bits."""
    scale = scale_of(state)
    # In a window of the pruned search an outcome counts twice their number times.
    if scale * MOST_POINTS * 2 * _most_outcomes(state) >= 2**63:
        raise SolverError(
            "too many draws are left for an exact search: the chances on one line need more than "
            "64 bits"
        )
    return scale


def scale_of(state: State) -> int:
    """Return a number that the product of all chances on any line from a state divides."""
    core = state._core
    spirits = int(core[Field.SPIRIT_PILE]).bit_count()
    # Tiles of the pool come one by one, a blind pick is from one hand of three or four.
    scale = factorial(int(core[Field.POOL]).bit_count()) * 12
    for _ in range(_most_encounters(state)):
        if spirits > 1:
            scale *= comb(spirits, 2)
            spirits -= 2
    return scale


def _most_encounters(state: State) -> int:
    """Return more spirits than can be encountered: one in each turn, the present one included.

    Each turn plays a tile of the hand, and each that captures takes one of the display.
    """
    core = state._core
    hands = int(core[Field.HAND] | core[Field.HAND + 1]).bit_count()
    pool = int(core[Field.POOL]).bit_count()
    if pool:
        return hands + pool + 1
    return min(hands, int(core[Field.UP]).bit_count()) + 1


def _most_outcomes(state: State) -> int:
    """Return more outcomes than any later chance node has."""
    spirits = int(state._core[Field.SPIRIT_PILE]).bit_count()
    return max(comb(spirits, 2), int(state._core[Field.POOL]).bit_count(), _LARGEST_HAND)


class _Searcher:
    """A compiled search with its table, which grows when it is full."""

    def __init__(self, state: State, max_nodes: int, techniques: int) -> None:
        self.scale = _checked_scale(state)
        assert state.to_move is not None
        self.player = state.to_move
        self.max_nodes = max_nodes
        self.techniques = techniques
        self.line = new_pruned_stack()
        self.size = min(_FIRST_TABLE, max_nodes)
        self.keys, self.intervals = new_interval_table(self.size)
        self.counts = np.array([0, self.size, 0], dtype=np.int64)
        self.found = np.zeros(2, dtype=np.int64)

    @property
    def nodes(self) -> int:
        """How many positions the table holds."""
        return int(self.counts[2])

    def value(self, state: State) -> Fraction:
        """Return the value of a state, to the player who asked."""
        everything = self.scale * MOST_POINTS
        low, high = self._interval(state, -everything, everything)
        assert low == high
        return Fraction(low if self.player == 0 else -low, self.scale)

    def moves(self, state: State) -> dict[Action, Fraction]:
        """Return the value of every legal action."""
        return {action: self.value(state.play(action)) for action in state.legal()}

    def best(self, state: State, value: Fraction) -> Action:
        """Return the first action that keeps the value of a decision."""
        wanted = int(value * self.scale) * (1 if self.player == 0 else -1)
        for action in state.legal():
            if self._interval(state.play(action), wanted - 1, wanted + 1) == (wanted, wanted):
                return action
        raise AssertionError("no action keeps the value")

    def _interval(self, state: State, alpha: int, beta: int) -> tuple[int, int]:
        """Return what is known of a value after a search in a window."""
        while True:
            self.line[0][0] = state._core
            states, codes, frames, bounds, hashes, known, scratch = self.line
            if prune_line(
                states,
                codes,
                frames,
                bounds,
                hashes,
                known,
                scratch,
                self.keys,
                self.intervals,
                self.scale,
                alpha,
                beta,
                self.techniques,
                self.counts,
                self.found,
            ):
                return int(self.found[0]), int(self.found[1])
            self._grow()

    def _grow(self) -> None:
        """Take a larger table and keep what was found."""
        if self.size >= self.max_nodes:
            raise SolverError(
                f"there are more positions than max_nodes = {self.max_nodes}: an ending nearer to "
                "the end, or a larger number"
            )
        self.size = min(self.size * 8, self.max_nodes)
        keys, intervals = new_interval_table(self.size)
        move_intervals(self.keys, self.intervals, keys, intervals)
        self.keys, self.intervals = keys, intervals
        self.counts[1] = self.size
