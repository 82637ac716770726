"""Public trees written out for other solvers, and strategies carried over in both directions.

A public tree keeps all types at a node together; OpenSpiel and LiteEFG want every deal of types by
itself. `expand` writes the deals out: one chance move for the types of both, then play. Where both
choose at once, player 0 moves first and player 1 does not see it. What is forced is left out as it
is in the public tree, so that the others get the smallest tree of this kind; information set ``i``
of a player there is number ``i + 1`` here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.public_game import NodeKind
from solver.public_tree import FloatArray, PublicTree

__all__ = ["Vertex", "efg_text", "expand", "liteefg_text", "read_policy", "write_policy"]

Policy = dict[tuple[int, int], list[float]]
"""The chances of the actions by player and information set, both from 0."""

CHANCE, END = 2, 3


@dataclass(slots=True)
class Vertex:
    """A node of the tree that is written out; in the list of all, children follow their parent.

    Attributes
    ----------
    player : int
        Who moves: 0, 1, `CHANCE`, or nobody at an `END`.
    information_set : int
        The mover's information set, from 0; of no meaning elsewhere.
    children : list of int
        Places of the children in the list of all.
    chances : list of float
        Their probabilities, where chance moves.
    payoff : float
        To player 0, at an end.
    """

    player: int
    information_set: int
    children: list[int]
    chances: list[float]
    payoff: float = 0.0


class _Expander:
    """Walks a public tree deal by deal."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree
        self.vertices: list[Vertex] = []
        self._types = [
            [form.slot_type[a:b].tolist() for a, b in pairwise(starts)]
            for form in tree.players
            for starts in [form.slot_start.tolist()]
        ]
        self._sets = [
            {key: number for number, key in enumerate(zip(*where, strict=True))}
            for form in tree.players
            for where in [(form.set_node.tolist(), form.set_type.tolist())]
        ]
        self._end = {int(node): number for number, node in enumerate(tree.end_node)}
        self._known: dict[int, FloatArray] = {}

    def deal(self) -> list[Vertex]:
        root = self._add(CHANCE, 0)
        for i in self._types[0][0]:
            for j in self._types[1][0]:
                chance = self._chance(0, i, j)
                if chance > 0:
                    root.chances.append(chance)
                    root.children.append(self._place(0, i, j))
        return self.vertices

    def _add(self, player: int, information_set: int) -> Vertex:
        self.vertices.append(Vertex(player, information_set, [], []))
        return self.vertices[-1]

    def _cell(self, node: int, i: int, j: int) -> tuple[int, int]:
        return self._types[0][node].index(i), self._types[1][node].index(j)

    def _chance(self, node: int, i: int, j: int) -> float:
        if node not in self._known:
            self._known[node] = self.tree.type_chances(node)
        return float(self._known[node][self._cell(node, i, j)])

    def _place(self, node: int, i: int, j: int) -> int:
        """Add what follows a public node in one deal and return where it begins."""
        tree = self.tree
        kind = NodeKind(int(tree.kind[node]))
        here = len(self.vertices)
        if kind is NodeKind.END:
            self._add(END, 0).payoff = self._payoff(node, i, j)
            return here
        children = tree.child[tree.child_start[node] : tree.child_start[node + 1]].tolist()
        open_to = {
            place: child
            for place, child in enumerate(children)
            if child >= 0 and i in self._types[0][child] and j in self._types[1][child]
        }
        if kind is NodeKind.CHANCE:
            vertex = self._add(CHANCE, 0)
            before = self._chance(node, i, j)
            for child in open_to.values():
                chance = self._chance(child, i, j) / before
                if chance > 0:
                    vertex.chances.append(chance)
                    vertex.children.append(self._place(child, i, j))
            return here
        width = len(tree.moves[node][1]) if kind is NodeKind.BOTH else len(children)
        split = {place: divmod(place, width) for place in open_to}
        if kind is NodeKind.PLAYER_0:
            split = {place: (place, 0) for place in open_to}
        return self._choose(0, node, (i, j), [(*split[p], open_to[p]) for p in open_to])

    def _choose(
        self, player: int, node: int, types: tuple[int, int], moves: list[tuple[int, int, int]]
    ) -> int:
        """Add the choice of a player among moves (action of 0, action of 1, child)."""
        if player == 2:
            return self._place(moves[0][2], *types)
        actions = sorted({move[player] for move in moves})
        if len(actions) == 1:
            return self._choose(player + 1, node, types, moves)
        here = len(self.vertices)
        vertex = self._add(player, self._sets[player][node, types[player]])
        for action in actions:
            rest = [move for move in moves if move[player] == action]
            vertex.children.append(self._choose(player + 1, node, types, rest))
        return here

    def _payoff(self, node: int, i: int, j: int) -> float:
        tree, end = self.tree, self._end[node]
        row, column = self._cell(node, i, j)
        start = int(tree.table_start[tree.end_table[end]])
        place = start + row * len(self._types[1][node]) + column
        weighted = float(tree.end_scale[end] * tree.table_values[place])
        return weighted / self._chance(node, i, j)


def expand(tree: PublicTree) -> list[Vertex]:
    """Write a public tree out, deal by deal, in preorder."""
    return _Expander(tree).deal()


def efg_text(vertices: Sequence[Vertex]) -> str:
    """Return a tree as an .efg text, which OpenSpiel's efg_game reads.

    Actions are named by their place in the information set: OpenSpiel sorts the actions of a node
    by the order in which their names first occur, and the places keep theirs.
    """
    lines = ['EFG 2 R "game" { "0" "1" }']
    for number, vertex in enumerate(vertices):
        if vertex.player == END:
            paid = vertex.payoff + 0.0
            lines.append(f't "" {number + 1} "" {{ {paid!r} {-paid!r} }}')
        elif vertex.player == CHANCE:
            parts = " ".join(f'"{k}" {chance!r}' for k, chance in enumerate(vertex.chances))
            lines.append(f'c "" {number + 1} "" {{ {parts} }} 0')
        else:
            parts = " ".join(f'"{k}"' for k in range(len(vertex.children)))
            lines.append(
                f'p "" {vertex.player + 1} {vertex.information_set + 1} "" {{ {parts} }} 0'
            )
    return "\n".join(lines) + "\n"


def liteefg_text(vertices: Sequence[Vertex]) -> str:
    """Return a tree as a text that LiteEFG's FileEnv reads; what it writes itself is rounded."""
    return "\n".join(_liteefg_lines(vertices)) + "\n"


def _liteefg_lines(vertices: Sequence[Vertex]) -> Iterator[str]:
    yield from ("# game", "# Opt {", "#     openspiel,", "#     players: 2,", "# }")
    sets: dict[tuple[int, int], list[int]] = {}
    for number, vertex in enumerate(vertices):
        if vertex.player == END:
            paid = vertex.payoff + 0.0
            yield f"node {number} leaf payoffs 1={paid!r} 2={-paid!r}"
        elif vertex.player == CHANCE:
            pairs = zip(vertex.children, vertex.chances, strict=True)
            yield f"node {number} chance actions " + " ".join(f"{c}={p!r}" for c, p in pairs)
        else:
            sets.setdefault((vertex.player, vertex.information_set), []).append(number)
            names = " ".join(map(str, vertex.children))
            yield f"node {number} player {vertex.player + 1} actions {names}"
    for (player, number), members in sets.items():
        yield f"infoset {player}-{number} nodes " + " ".join(map(str, members))


def read_policy(tree: PublicTree, policy: Policy) -> tuple[FloatArray, FloatArray]:
    """Return a policy over information sets as strategies over the sequences of a public tree."""
    strategies = tree.uniform()
    for (player, number), chances in policy.items():
        form = tree.players[player]
        first, last = (int(start) for start in form.set_start[number : number + 2])
        if len(chances) != last - first:
            raise ValueError(f"set {number} of player {player} has {last - first} actions")
        strategies[player][first:last] = np.array(chances) / sum(chances)
    return strategies


def write_policy(tree: PublicTree, strategies: Iterable[FloatArray]) -> Policy:
    """Return strategies over sequences as a policy over information sets."""
    return {
        (player, number): strategy[form.set_start[number] : form.set_start[number + 1]].tolist()
        for player, (form, strategy) in enumerate(zip(tree.players, strategies, strict=True))
        for number in range(form.sets)
    }
