"""Games read into sequence form: sequences of both players and sparse payoffs between them."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from solver.errors import PayoffError, SolverError
from solver.extensive_form import ExtensiveGame
from solver.public_game import NodeKind
from solver.public_tree import PublicTree

__all__ = [
    "MAX_HISTORIES",
    "MAX_TERMS",
    "SequenceForm",
    "SequenceSide",
    "sequence_form",
    "sequence_form_of_tree",
]

MAX_HISTORIES: Final = 1_000_000
"""Largest game that is read, in histories, unless the caller allows more."""

MAX_TERMS: Final = 5_000_000
"""Largest program that is solved, in pairs of sequences that meet at an end."""

_TOLERANCE = 1e-9
_TRACE = 1e-11
"""Probabilities below this are what a linear program in floating point means by 0."""

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Node = TypeVar("Node")


@dataclass(frozen=True, eq=False)
class SequenceSide:
    """One player's information sets and sequences; sequence 0 is the empty one.

    Attributes
    ----------
    labels : tuple
        A name for each information set.
    actions : tuple of tuples
        The actions of each set.
    parent : integer array, shape (sets,)
        The sequence that leads to each set; sets come after those that lead to them.
    start : integer array, shape (sets + 1,)
        The sequences of set ``i`` are ``start[i]`` up to ``start[i + 1]``.
    """

    labels: tuple[Hashable, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    parent: IntArray
    start: IntArray

    @property
    def sequences(self) -> int:
        """How many sequences there are, the empty one included."""
        return int(self.start[-1])

    def behaviour(self, plan: FloatArray) -> FloatArray:
        """Return the probability of each last action; uniform where the plan never leads."""
        widths = np.diff(self.start)
        uniform = np.repeat(1.0 / widths, widths)
        clipped = np.where(plan > _TRACE, plan, 0.0)[1:]
        totals = np.zeros(len(widths))
        np.add.at(totals, np.repeat(np.arange(len(widths)), widths), clipped)
        totals = np.repeat(totals, widths)
        played = np.divide(clipped, totals, out=uniform, where=totals > 0)
        return np.concatenate([np.ones(1), played])

    def plan(self, behaviour: FloatArray) -> FloatArray:
        """Return the probability of playing all of each sequence."""
        plan = behaviour.copy()
        for index, parent in enumerate(self.parent):
            plan[self.start[index] : self.start[index + 1]] *= plan[parent]
        return plan

    def respond(self, worth: FloatArray) -> float:
        """Return the best that a player can get when ends after sequences are worth so much."""
        worth = worth.copy()
        for index in range(len(self.parent) - 1, -1, -1):
            worth[self.parent[index]] += worth[self.start[index] : self.start[index + 1]].max()
        return float(worth[0])


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game in sequence form.

    Attributes
    ----------
    sides : pair of SequenceSide
        The two players.
    payoffs : sparse array, shape (sequences of player 0, sequences of player 1)
        Payoff to player 0 times chance, summed over the ends that both sequences lead to.
    chances : sparse array
        Chance alone, summed likewise.
    largest : float
        Largest payoff in absolute value; what differences are small against.
    """

    sides: tuple[SequenceSide, SequenceSide]
    payoffs: Any
    chances: Any
    largest: float


def sequence_form(game: ExtensiveGame[Node], max_histories: int = MAX_HISTORIES) -> SequenceForm:
    """Return the sequence form of a game.

    Raises
    ------
    SolverError
        If the game is too large, is not zero-sum, or a player forgets something.
    PayoffError
        If a payoff is not a finite number.
    """
    readers = (_Reader(), _Reader())
    terms: dict[tuple[int, int], list[float]] = {}
    stack: list[tuple[Node, tuple[int, int], float]] = [(game.root(), (0, 0), 1.0)]
    histories = 0
    while stack:
        node, own, chance = stack.pop()
        histories += 1
        if histories > max_histories:
            raise SolverError(f"the game has more than {max_histories:,} histories")
        kind = game.kind(node)
        if kind is NodeKind.END:
            term = terms.setdefault(own, [0.0, 0.0])
            term[0] += chance * _zero_sum_payoff(game, node)
            term[1] += chance
        elif kind is NodeKind.CHANCE:
            for outcome, probability in _checked_chances(game, node).items():
                stack.append((game.play(node, outcome), own, chance * probability))
        elif kind is NodeKind.BOTH:
            raise SolverError(f"both players move at {node!r}: tell their moves in turn")
        else:
            player = int(kind)
            actions = tuple(game.actions(node))
            firsts = readers[player].sequences(game.information_set(node), actions, own[player])
            for action, sequence in zip(actions, firsts, strict=True):
                after = (sequence, own[1]) if player == 0 else (own[0], sequence)
                stack.append((game.play(node, action), after, chance))
    sides = (readers[0].side(), readers[1].side())
    pairs = np.array(list(terms), dtype=np.int64)
    numbers = np.array(list(terms.values()))
    return _form(sides, pairs[:, 0], pairs[:, 1], numbers[:, 0], numbers[:, 1])


class _Reader:
    """Collects the information sets of one player."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[int, int, tuple[Hashable, ...]]] = {}
        self.count = 1

    def sequences(self, label: Hashable, actions: tuple[Hashable, ...], parent: int) -> list[int]:
        """Return the sequence of each action; the parent again where there is no choice."""
        if not actions or len(set(actions)) < len(actions):
            raise SolverError(f"actions at {label!r} are {actions!r}: expected different ones")
        if label not in self.known:
            self.known[label] = (parent, self.count, actions)
            if len(actions) > 1:
                self.count += len(actions)
        first_parent, first, first_actions = self.known[label]
        if first_actions != actions:
            raise SolverError(
                f"information set {label!r} has the actions {first_actions!r} and {actions!r}"
            )
        if first_parent != parent:
            raise SolverError(
                f"information set {label!r} is reached by different own moves: the player forgets "
                "something, which this method cannot solve"
            )
        return [parent] if len(actions) == 1 else list(range(first, first + len(actions)))

    def side(self) -> SequenceSide:
        chosen = {label: entry for label, entry in self.known.items() if len(entry[2]) > 1}
        return SequenceSide(
            tuple(chosen),
            tuple(actions for _, _, actions in chosen.values()),
            np.array([parent for parent, _, _ in chosen.values()], dtype=np.int64),
            np.array([first for _, first, _ in chosen.values()] + [self.count], dtype=np.int64),
        )


def _zero_sum_payoff(game: ExtensiveGame[Node], node: Node) -> float:
    payoff, other = (float(number) for number in game.payoffs(node))
    if not (np.isfinite(payoff) and np.isfinite(other)):
        raise PayoffError(f"a payoff at {node!r} is not finite")
    if abs(payoff + other) > _TOLERANCE * max(1.0, abs(payoff)):
        raise SolverError(f"payoffs {payoff} and {other} at {node!r} do not sum to 0")
    return payoff


def _checked_chances(game: ExtensiveGame[Node], node: Node) -> dict[Hashable, float]:
    chances = {outcome: float(chance) for outcome, chance in game.chances(node).items()}
    if not all(chance >= 0 for chance in chances.values()):
        raise SolverError(f"a probability at {node!r} is negative or no number")
    if abs(sum(chances.values()) - 1) > _TOLERANCE:
        raise SolverError(f"the probabilities of the outcomes at {node!r} do not sum to 1")
    return {outcome: chance for outcome, chance in chances.items() if chance > 0}


def sequence_form_of_tree(tree: PublicTree, max_terms: int = MAX_TERMS) -> SequenceForm:
    """Return the sequence form of a compiled public tree; strategies are then those of the tree.

    Raises
    ------
    SolverError
        If more pairs of sequences meet at ends than are allowed.
    """
    counts = [np.diff(form.slot_start)[tree.end_node] for form in tree.players]
    cells = int((counts[0].astype(np.int64) * counts[1]).sum())
    if cells > max_terms:
        raise SolverError(f"the game has {cells:,} terms: at most {max_terms:,} allowed")
    sides = []
    for player, form in enumerate(tree.players):
        labels, actions = [], []
        for index, (node, own_type) in enumerate(zip(form.set_node, form.set_type, strict=True)):
            kind = NodeKind(int(tree.kind[node]))
            known = tree.moves[node][kind.movers.index(player)]
            places = form.sequence_action[form.set_start[index] : form.set_start[index + 1]]
            labels.append((int(node), form.types[own_type]))
            actions.append(tuple(known[place] for place in places))
        sides.append(
            SequenceSide(
                tuple(labels), tuple(actions), form.set_parent.astype(np.int64), form.set_start
            )
        )
    rows, columns, payoffs, chances = [], [], [], []
    for node, table, scale in zip(tree.end_node, tree.end_table, tree.end_scale, strict=True):
        own = [
            form.slot_sequence[form.slot_start[node] : form.slot_start[node + 1]]
            for form in tree.players
        ]
        rows.append(np.repeat(own[0], len(own[1])))
        columns.append(np.tile(own[1], len(own[0])))
        values = tree.table_values[tree.table_start[table] : tree.table_start[table + 1]]
        payoffs.append(scale * values)
        chances.append(tree.type_chances(int(node)).ravel())
    return _form((sides[0], sides[1]), *map(np.concatenate, (rows, columns, payoffs, chances)))


def _form(
    sides: tuple[SequenceSide, SequenceSide],
    rows: NDArray[Any],
    columns: NDArray[Any],
    payoffs: FloatArray,
    chances: FloatArray,
) -> SequenceForm:
    shape = (sides[0].sequences, sides[1].sequences)
    matrices = []
    for numbers in (payoffs, chances):
        # equal pairs of sequences are summed on the way to rows
        matrix = scipy.sparse.csr_array(scipy.sparse.coo_array((numbers, (rows, columns)), shape))
        matrix.eliminate_zeros()
        matrices.append(matrix)
    largest = np.divide(np.abs(payoffs), chances, out=np.zeros(len(chances)), where=chances > 0)
    return SequenceForm(sides, matrices[0], matrices[1], float(largest.max(initial=0.0)))
