r"""Public trees in flat arrays: the form in which games with private types are solved.

A public tree holds what both players see; the private types of both live in arrays beside each
node, those only that can still be there. In the *sequence form* (von Stengel, "Efficient
computation of behavior strategies", Games and Economic Behavior 1996) a *sequence* of a player is
an own type with own actions, in order. An *information set* is a node at which the player moves
together with an own type; its sequences extend its *parent* sequence by one action. Sets with a
single action are left out: what is forced needs no strategy.

Sequence 0 is the empty one. A strategy of a player is an array over sequences: the probability of
the last action of each, 1 for the empty one. With :math:`x(s)` the product of these along a
sequence, and :math:`y` likewise for the other player, the expected payoff to player 0 is

.. math:: \sum_{e} c_e \sum_{i, j} M_e(i, j)\, x(s_e(i))\, y(s_e(j))

over the ends :math:`e` and the types :math:`i, j` that are still possible there, where
:math:`c_e M_e` is the payoff times the chance of the types and of all outcomes on the way. Ends
with equal tables :math:`M_e` share one.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.errors import SolverError, StateError
from solver.public_game import Move, NodeKind

__all__ = ["PlayerForm", "PublicTree"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
IndexArray: TypeAlias = NDArray[np.int32]
_SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class PlayerForm:
    """One player's side of a public tree.

    A *slot* is a node together with a type that the player can still have there.

    Attributes
    ----------
    types : tuple
        The types, as the game names them.
    slot_start : integer array, shape (nodes + 1,)
        The slots of node ``n`` are ``slot_start[n]`` up to ``slot_start[n + 1]``.
    slot_type, slot_sequence : integer array, shape (slots,)
        The type of each slot, and the own sequence that leads to it.
    set_node, set_type : integer array, shape (sets,)
        Where each information set is; nodes ascend, types ascend within a node.
    set_parent : integer array, shape (sets,)
        The sequence that leads to each set.
    set_start : integer array, shape (sets + 1,)
        The sequences of set ``i`` are ``set_start[i]`` up to ``set_start[i + 1]``.
    level_set : integer array, shape (levels + 1,)
        The sets of level ``d`` of the tree are ``level_set[d]`` up to ``level_set[d + 1]``.
    sequence_action : integer array, shape (sequences,)
        Index of the last action of each sequence among the actions of its node; -1 for the empty
        sequence.
    """

    types: tuple[Hashable, ...]
    slot_start: IntArray
    slot_type: IndexArray
    slot_sequence: IndexArray
    set_node: IndexArray
    set_type: IndexArray
    set_parent: IndexArray
    set_start: IntArray
    level_set: IntArray
    sequence_action: IndexArray

    @property
    def sets(self) -> int:
        """How many information sets with a choice the player has."""
        return len(self.set_node)

    @property
    def sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return len(self.sequence_action)

    def uniform(self) -> FloatArray:
        """Return the strategy that plays all actions of a set with equal probability."""
        widths = np.diff(self.set_start)
        return np.concatenate([np.ones(1), np.repeat(1.0 / widths, widths)])

    def check(self, strategy: ArrayLike) -> FloatArray:
        """Return a strategy as an array of float64.

        Raises
        ------
        SolverError
            If it is no strategy of this player: of another length, negative or not finite
            somewhere, or with probabilities of a set that do not sum to 1.
        """
        array = np.asarray(strategy, dtype=np.float64)
        if array.shape != (self.sequences,):
            raise SolverError(
                f"a strategy of shape {array.shape}: expected one number for each of "
                f"{self.sequences} sequences"
            )
        if not np.isfinite(array).all() or array.min() < 0:
            raise SolverError("a strategy holds numbers that are negative or not finite")
        sums = np.add.reduceat(array, np.append(0, self.set_start[:-1]))
        wrong = np.flatnonzero(np.abs(sums - 1) > _SUM_TOLERANCE)
        if len(wrong):
            where = "the empty sequence" if not wrong[0] else f"information set {wrong[0] - 1}"
            raise SolverError(f"the probabilities of {where} sum to {sums[wrong[0]]}, not to 1")
        return array


@dataclass(frozen=True, eq=False)
class PublicTree:
    """A compiled game; `solver.tree_compiler.compile_public_tree` makes one.

    Nodes are numbered level by level, the root is 0.

    Attributes
    ----------
    kind : integer array, shape (nodes,)
        The `NodeKind` of each node.
    level_start : integer array, shape (levels + 1,)
        The nodes of level ``d`` are ``level_start[d]`` up to ``level_start[d + 1]``.
    parent : integer array, shape (nodes,)
        The node before each node; -1 for the root.
    child_start : integer array, shape (nodes + 1,)
        The children of node ``n`` are ``child[child_start[n]:child_start[n + 1]]``.
    child : integer array
        Children in the order of the moves; where both move, the action of player 1 runs fastest.
        -1 where no types can make the move.
    moves : tuple
        For each node the actions of its movers, one tuple a mover, or its outcomes in one tuple.
    players : pair of PlayerForm
        The two sides.
    node_table, node_scale : array, shape (nodes,)
        Table and factor that give the chance of each pair of types at the node, times the chance of
        all outcomes on the way.
    end_node, end_table, end_scale : array, shape (ends,)
        The nodes at which play ends; table and factor that give that chance times the payoff to
        player 0.
    table_start : integer array, shape (tables + 1,)
        Table ``k`` is ``table_values[table_start[k]:table_start[k + 1]]``, one row for each slot of
        player 0 at its node, one column for each slot of player 1.
    table_values : float array
        The entries of all tables.
    """

    kind: NDArray[np.int8]
    level_start: IntArray
    parent: IndexArray
    child_start: IntArray
    child: IndexArray
    moves: tuple[tuple[tuple[Hashable, ...], ...], ...]
    players: tuple[PlayerForm, PlayerForm]
    node_table: IndexArray
    node_scale: FloatArray
    end_node: IndexArray
    end_table: IndexArray
    end_scale: FloatArray
    table_start: IntArray
    table_values: FloatArray

    def __post_init__(self) -> None:
        for part in (self, *self.players):
            for field in fields(part):
                array = getattr(part, field.name)
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False

    def __str__(self) -> str:
        sets = " and ".join(f"{form.sets:,}" for form in self.players)
        return (
            f"public tree of {len(self.kind):,} nodes, {len(self.end_node):,} of them ends, "
            f"{sets} information sets with a choice"
        )

    @property
    def nodes(self) -> int:
        """How many public nodes the tree has."""
        return len(self.kind)

    @property
    def levels(self) -> int:
        """How many levels the tree has, the root's included."""
        return len(self.level_start) - 1

    @property
    def bytes(self) -> int:
        """Memory that the arrays take, the names of moves left out."""
        return sum(
            array.nbytes
            for part in (self, *self.players)
            for field in fields(part)
            if isinstance(array := getattr(part, field.name), np.ndarray)
        )

    def uniform(self) -> tuple[FloatArray, FloatArray]:
        """Return for both players the strategy that plays all actions with equal probability."""
        return self.players[0].uniform(), self.players[1].uniform()

    def find(self, *moves: Move) -> int:
        """Return the node that moves lead to from the root.

        Raises
        ------
        StateError
            If there is no such move, or no types that can make it.
        """
        node = 0
        for move in moves:
            node = self._child(node, move)
        return node

    def _child(self, node: int, move: Move) -> int:
        labels = self.moves[node]
        parts = move if len(labels) == 2 and isinstance(move, tuple) else (move,)
        place = 0
        if len(parts) != len(labels):
            raise StateError(f"{move!r} is no move at node {node}: expected {self._expected(node)}")
        for part, known in zip(parts, labels, strict=True):
            if part not in known:
                raise StateError(
                    f"{move!r} is no move at node {node}: expected {self._expected(node)}"
                )
            place = place * len(known) + known.index(part)
        child = int(self.child[self.child_start[node] + place])
        if child < 0:
            raise StateError(f"no types can make the move {move!r} at node {node}")
        return child

    def _expected(self, node: int) -> str:
        kind = NodeKind(int(self.kind[node]))
        if kind is NodeKind.END:
            return "none, play has ended"
        lists = ["one of " + ", ".join(map(repr, known)) for known in self.moves[node]]
        return lists[0] if len(lists) == 1 else f"a pair of {lists[0]} and {lists[1]}"

    def slot(self, player: int, node: int, own_type: Hashable) -> int:
        """Return the slot of a type at a node.

        Raises
        ------
        StateError
            If there is no such node or type, or the type cannot be at the node.
        """
        form = self.players[player]
        if not 0 <= node < self.nodes:
            raise StateError(f"there is no node {node}: the tree has {self.nodes}")
        if own_type not in form.types:
            raise StateError(f"player {player} has no type {own_type!r}")
        index = form.types.index(own_type)
        first, last = int(form.slot_start[node]), int(form.slot_start[node + 1])
        place = first + int(np.searchsorted(form.slot_type[first:last], index))
        if place == last or form.slot_type[place] != index:
            raise StateError(f"player {player} cannot have type {own_type!r} at node {node}")
        return place

    def information_set(self, player: int, node: int, own_type: Hashable) -> int | None:
        """Return the information set of a type at a node; None where the player has no choice.

        Raises
        ------
        StateError
            If there is no such node or type, or the type cannot be at the node.
        """
        form = self.players[player]
        index = form.slot_type[self.slot(player, node, own_type)]
        first, last = (int(i) for i in np.searchsorted(form.set_node, [node, node + 1]))
        place = first + int(np.searchsorted(form.set_type[first:last], index))
        return place if place < last and form.set_type[place] == index else None

    def action_probabilities(
        self, player: int, strategy: FloatArray, node: int, own_type: Hashable
    ) -> Mapping[Hashable, float]:
        """Return the probability of each action that a type has at a node.

        Raises
        ------
        StateError
            If the player does not move there, or the type cannot be there.
        """
        index = self.information_set(player, node, own_type)
        movers = NodeKind(int(self.kind[node])).movers
        if player not in movers:
            raise StateError(f"player {player} does not move at node {node}")
        form = self.players[player]
        known = self.moves[node][movers.index(player)]
        if index is None:
            return {known[self._forced_action(player, node, own_type)]: 1.0}
        sequences = slice(int(form.set_start[index]), int(form.set_start[index + 1]))
        return {
            known[action]: float(probability)
            for action, probability in zip(
                form.sequence_action[sequences], strategy[sequences], strict=True
            )
        }

    def _forced_action(self, player: int, node: int, own_type: Hashable) -> int:
        """Return the only action of a type: the one that it is still possible after."""
        form = self.players[player]
        index = form.types.index(own_type)
        children = self.child[self.child_start[node] : self.child_start[node + 1]]
        for place, child in enumerate(children):
            slots = slice(int(form.slot_start[child]), int(form.slot_start[child + 1]))
            if child >= 0 and index in form.slot_type[slots]:
                both = len(self.moves[node]) == 2
                width = len(self.moves[node][1]) if both else 1
                return place // width if player == 0 or not both else place % width
        raise AssertionError("a type that is at a node has an action there")

    def type_chances(self, node: int) -> FloatArray:
        """Return the chance of the types and of all outcomes up to a node, players left out.

        Returns
        -------
        float array, shape (slots of player 0 there, slots of player 1 there)
            Chance of each pair of types that can be at the node.
        """
        table = self.node_table[node]
        values = self.table_values[self.table_start[table] : self.table_start[table + 1]]
        rows, columns = (
            int(form.slot_start[node + 1] - form.slot_start[node]) for form in self.players
        )
        return np.asarray(self.node_scale[node] * values.reshape(rows, columns))
