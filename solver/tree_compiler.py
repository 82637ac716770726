"""Compiling a game to a public tree, and telling how much memory that takes before it is taken.

The game is walked level by level (`solver.game_walk`); sequences and information sets are numbered
as they are met, so that parents come before children.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError
from solver.game_walk import (
    BoolArray,
    Choice,
    FloatArray,
    IntArray,
    Labels,
    Position,
    children,
    end_table,
    kind_of,
    options,
    root,
    types_of,
    width,
)
from solver.public_game import NodeKind, PublicGame
from solver.public_tree import PlayerForm, PublicTree

__all__ = ["MEMORY_LIMIT", "compile_public_tree", "memory_needed"]

MEMORY_LIMIT = 4 << 30
"""Bytes that a tree and a regret loop over it may take unless the caller allows more."""

_CHECK_EVERY = 1024

Node = TypeVar("Node")


@dataclass(slots=True)
class _Side:
    """Lists that become a `PlayerForm`."""

    types: tuple[Hashable, ...]
    slot_start: list[int] = field(default_factory=lambda: [0])
    slot_type: list[IntArray] = field(default_factory=list)
    slot_sequence: list[IntArray] = field(default_factory=list)
    set_node: list[int] = field(default_factory=list)
    set_type: list[int] = field(default_factory=list)
    set_parent: list[int] = field(default_factory=list)
    set_start: list[int] = field(default_factory=lambda: [1])
    level_set: list[int] = field(default_factory=list)
    sequence_action: list[int] = field(default_factory=lambda: [-1])

    def add_slots(self, types: IntArray, sequences: IntArray) -> None:
        self.slot_start.append(self.slot_start[-1] + len(types))
        self.slot_type.append(types)
        self.slot_sequence.append(sequences)

    def choose(self, node: int, position: Position[Any], player: int, mask: BoolArray) -> Choice:
        """Give numbers to the sets and sequences of a mover at a node."""
        sequences = np.repeat(position.sequences[player][:, np.newaxis], mask.shape[1], axis=1)
        for row in np.flatnonzero(mask.sum(axis=1) > 1):
            actions = np.flatnonzero(mask[row])
            first = len(self.sequence_action)
            sequences[row, actions] = np.arange(first, first + len(actions))
            self.sequence_action.extend(actions.tolist())
            self.set_node.append(node)
            self.set_type.append(int(position.types[player][row]))
            self.set_parent.append(int(position.sequences[player][row]))
            self.set_start.append(len(self.sequence_action))
        return Choice(mask, sequences)

    def form(self) -> PlayerForm:
        def joined(parts: list[IntArray]) -> NDArray[np.int32]:
            return np.concatenate(parts).astype(np.int32)

        return PlayerForm(
            self.types,
            np.array(self.slot_start, dtype=np.int64),
            joined(self.slot_type),
            joined(self.slot_sequence),
            _index(self.set_node),
            _index(self.set_type),
            _index(self.set_parent),
            np.array(self.set_start, dtype=np.int64),
            np.array(self.level_set, dtype=np.int64),
            _index(self.sequence_action),
        )


@dataclass(slots=True)
class _Tables:
    """Tables of numbers, equal ones kept once."""

    known: dict[tuple[tuple[int, ...], bytes], int] = field(default_factory=dict)
    start: list[int] = field(default_factory=lambda: [0])
    values: list[FloatArray] = field(default_factory=list)

    def add(self, table: FloatArray) -> int:
        key = (table.shape, table.tobytes())
        number = self.known.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(table.ravel())
            self.start.append(self.start[-1] + table.size)
        return number


@dataclass(slots=True)
class _Builder(Generic[Node]):
    """What becomes the arrays of a tree, filled level by level."""

    game: PublicGame[Node]
    limit: int
    sides: tuple[_Side, _Side] = field(init=False)
    tables: _Tables = field(default_factory=_Tables)
    kind: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    moves: list[Labels] = field(default_factory=list)
    shared_moves: dict[Labels, Labels] = field(default_factory=dict)
    level_start: list[int] = field(default_factory=lambda: [0])
    child_start: list[int] = field(default_factory=lambda: [0])
    child: list[int] = field(default_factory=list)
    node_table: list[int] = field(default_factory=list)
    node_scale: list[float] = field(default_factory=list)
    end_node: list[int] = field(default_factory=list)
    end_table: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sides = (_Side(types_of(self.game, 0)), _Side(types_of(self.game, 1)))

    def add_level(self, level: list[Position[Node]]) -> list[Position[Node]]:
        """Give numbers to the nodes of a level and return those of the next."""
        for side in self.sides:
            side.level_set.append(len(side.set_node))
        following: list[Position[Node]] = []
        for position in level:
            following.extend(self._add(position))
            if len(self.kind) % _CHECK_EVERY == 0:
                self._refuse_too_large()
        self.level_start.append(len(self.kind))
        return following

    def _add(self, position: Position[Node]) -> Iterator[Position[Node]]:
        number = len(self.kind)
        if position.parent >= 0:
            self.child[self.child_start[position.parent] + position.place] = number
        kind = kind_of(self.game, position.node)
        labels, choices = options(
            self.game,
            position,
            kind,
            lambda player, mask: self.sides[player].choose(number, position, player, mask),
        )
        self.kind.append(kind)
        self.parent.append(position.parent)
        self.moves.append(self.shared_moves.setdefault(labels, labels))
        self.node_table.append(self.tables.add(position.joint))
        self.node_scale.append(position.scale)
        for side, types, own in zip(self.sides, position.types, position.sequences, strict=True):
            side.add_slots(types, own)
        if kind is NodeKind.END:
            self.end_node.append(number)
            self.end_table.append(self.tables.add(end_table(self.game, position)))
        self.child.extend([-1] * width(labels))
        self.child_start.append(len(self.child))
        for after in children(self.game, position, kind, labels, choices):
            after.parent = number
            yield after

    def _refuse_too_large(self) -> None:
        size = _Size(
            nodes=len(self.kind),
            slots=sum(side.slot_start[-1] for side in self.sides),
            sets=sum(len(side.set_node) for side in self.sides),
            sequences=sum(len(side.sequence_action) for side in self.sides),
            ends=len(self.end_node),
            cells=self.tables.start[-1],
            children=len(self.child),
        )
        if size.bytes > self.limit:
            raise SolverError(
                f"the public tree takes more than the {self.limit / 2**20:.1f} MiB allowed; "
                "memory_needed tells how much, max_bytes allows it"
            )

    def tree(self) -> PublicTree:
        """Return the arrays."""
        self._refuse_too_large()
        for side in self.sides:
            side.level_set.append(len(side.set_node))
        scales = np.array(self.node_scale)
        return PublicTree(
            np.array(self.kind, dtype=np.int8),
            np.array(self.level_start, dtype=np.int64),
            _index(self.parent),
            np.array(self.child_start, dtype=np.int64),
            _index(self.child),
            tuple(self.moves),
            (self.sides[0].form(), self.sides[1].form()),
            _index(self.node_table),
            scales,
            _index(self.end_node),
            _index(self.end_table),
            scales[self.end_node],
            np.array(self.tables.start, dtype=np.int64),
            np.concatenate(self.tables.values),
        )


def compile_public_tree(game: PublicGame[Node], max_bytes: int = MEMORY_LIMIT) -> PublicTree:
    """Compile a game to a public tree.

    Parameters
    ----------
    game : PublicGame
        The game.
    max_bytes : int
        Most memory that the tree and a regret loop over it may take together. While it is compiled,
        two levels of the game's own nodes are held besides.

    Raises
    ------
    SolverError
        If the game contradicts the protocol, or is larger than the limit.
    PayoffError
        If a payoff is not a finite number.

    Examples
    --------
    A coin is tossed and player 0 alone sees it; player 1 names a side:

    >>> class Coin:
    ...     def types(self, player): return ["heads", "tails"] if player == 0 else [None]
    ...     def prior(self): return [[0.5], [0.5]]
    ...     def root(self): return ""
    ...     def kind(self, node): return NodeKind.END if node else NodeKind.PLAYER_1
    ...     def actions(self, node, player): return ["heads", "tails"]
    ...     def available(self, node, player): return None
    ...     def play(self, node, move): return move
    ...     def payoff(self, node): return [[-1], [1]] if node == "heads" else [[1], [-1]]
    >>> tree = compile_public_tree(Coin())
    >>> print(tree)
    public tree of 3 nodes, 2 of them ends, 0 and 1 information sets with a choice
    >>> tree.type_chances(tree.find("heads")).tolist()
    [[0.5], [0.5]]
    """
    builder = _Builder(game, max_bytes)
    level = [root(game)]
    while level:
        level = builder.add_level(level)
    return builder.tree()


def memory_needed(game: PublicGame[Node]) -> int:
    """Return how many bytes a game's tree and a regret loop over it would take.

    The game is walked once, but nothing of it is kept: it takes the time of compiling, not the
    memory. Tables that turn out equal are counted once.

    Raises
    ------
    SolverError
        If the game contradicts the protocol.
    PayoffError
        If a payoff is not a finite number.
    """
    size = _Size(sequences=2)  # the empty ones
    seen: set[int] = set()
    stack = [root(game)]
    while stack:
        position = stack.pop()
        kind = kind_of(game, position.node)
        labels, choices = options(
            game,
            position,
            kind,
            lambda _, mask: Choice(mask, np.zeros(mask.shape, dtype=np.int64)),
        )
        tables = [position.joint]
        if kind is NodeKind.END:
            size.ends += 1
            tables.append(end_table(game, position))
        for choice in choices.values():
            widths = choice.available.sum(axis=1)
            size.sets += int((widths > 1).sum())
            size.sequences += int(widths[widths > 1].sum())
        for table in tables:
            key = hash((table.shape, table.tobytes()))
            size.cells += 0 if key in seen else table.size
            seen.add(key)
        size.nodes += 1
        size.slots += sum(map(len, position.types))
        size.children += width(labels)
        stack.extend(children(game, position, kind, labels, choices))
    return size.bytes


@dataclass(slots=True)
class _Size:
    """How many of everything a tree has."""

    nodes: int = 0
    slots: int = 0
    sets: int = 0
    sequences: int = 0
    ends: int = 0
    cells: int = 0
    children: int = 0

    @property
    def bytes(self) -> int:
        """Memory of the tree's arrays, and of five numbers a sequence in a regret loop."""
        return (
            60 * self.nodes
            + 8 * self.slots
            + 20 * self.sets
            + (4 + 5 * 8) * self.sequences
            + 16 * self.ends
            + 8 * self.cells
            + 4 * self.children
        )


def _index(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)
