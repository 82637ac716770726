"""Games in extensive form, told by a small protocol, and other kinds of games unrolled to it.

The protocol is for any two-player game with chance and hidden information in which the players
forget nothing. Moves made at once are told in turn: the second player moves in an information set
that does not tell what the first has done.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from solver.public_game import NodeKind, PublicGame

if TYPE_CHECKING:
    from solver.state_graph import GameState

__all__ = ["ExtensiveGame", "History", "StateHistory", "Unrolled", "UnrolledStates"]

Node = TypeVar("Node")


class ExtensiveGame(Protocol[Node]):
    """A two-player game told by its histories; a node may be any object."""

    def root(self) -> Node:
        """Return the node at which play starts."""

    def kind(self, node: Node) -> NodeKind:
        """Return who moves: a player, chance, or nobody at an end; never both."""

    def information_set(self, node: Node) -> Hashable:
        """Return what the player who moves knows; nodes alike in it are one information set."""

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Return the actions of the player who moves, the same at all nodes of a set."""

    def chances(self, node: Node) -> Mapping[Hashable, float]:
        """Return the probability of each outcome of chance."""

    def play(self, node: Node, move: Hashable) -> Node:
        """Return the node that an action or an outcome leads to."""

    def payoffs(self, node: Node) -> tuple[float, float]:
        """Return what an end pays to each player."""


@dataclass(frozen=True, slots=True)
class History(Generic[Node]):
    """A history of a public game: the public node, the types, and an action not yet shown.

    Attributes
    ----------
    path : tuple
        The public moves so far.
    node : object
        The public node they lead to.
    types : pair of int, optional
        Index of each player's type; None before they are dealt.
    pending : tuple
        The action that player 0 has chosen where both choose at once, until player 1 has; else
        empty.
    """

    path: tuple[Hashable, ...]
    node: Node
    types: tuple[int, int] | None = None
    pending: tuple[Hashable, ...] = ()


_History: TypeAlias = History[Any]


class Unrolled:
    """A public game as an extensive game: chance deals the types, moves at once are told in turn.

    It shares no code with the compiler of public trees, and serves to check it.

    Parameters
    ----------
    game : PublicGame
        The game.
    """

    def __init__(self, game: PublicGame[Any]) -> None:
        self._game = game
        self._prior = np.asarray(game.prior(), dtype=np.float64)

    def root(self) -> _History:
        """Return the history before the types are dealt."""
        return History((), self._game.root())

    def kind(self, node: _History) -> NodeKind:
        """Return who moves."""
        if node.types is None:
            return NodeKind.CHANCE
        kind = self._game.kind(node.node)
        if kind is NodeKind.BOTH:
            return NodeKind.PLAYER_1 if node.pending else NodeKind.PLAYER_0
        return kind

    def information_set(self, node: _History) -> Hashable:
        """Return the public moves so far and the own type."""
        assert node.types is not None
        return node.path, self._game.types(self.kind(node))[node.types[self.kind(node)]]

    def actions(self, node: _History) -> Sequence[Hashable]:
        """Return the actions that the type of the mover has."""
        assert node.types is not None
        player = int(self.kind(node))
        actions = self._game.actions(node.node, player)
        available = self._game.available(node.node, player)
        if available is None:
            return actions
        mask = np.asarray(available)[node.types[player]]
        return [action for action, has in zip(actions, mask, strict=True) if has]

    def chances(self, node: _History) -> Mapping[Hashable, float]:
        """Return the chance of each pair of types, or of each public outcome given the types."""
        if node.types is None:
            return {(int(i), int(j)): float(self._prior[i, j]) for i, j in np.argwhere(self._prior)}
        return {
            outcome: self._entry(node, chance)
            for outcome, chance in self._game.chances(node.node).items()
        }

    def play(self, node: _History, move: Any) -> _History:
        """Return the history after a move."""
        if node.types is None:
            return History(node.path, node.node, move)
        if self._game.kind(node.node) is NodeKind.BOTH:
            if not node.pending:
                return History(node.path, node.node, node.types, (move,))
            move = (node.pending[0], move)
        return History((*node.path, move), self._game.play(node.node, move), node.types)

    def payoffs(self, node: _History) -> tuple[float, float]:
        """Return what an end pays to each player."""
        payoff = self._entry(node, self._game.payoff(node.node))
        return payoff, -payoff

    @staticmethod
    def _entry(node: _History, numbers: ArrayLike) -> float:
        array = np.asarray(numbers, dtype=np.float64)
        return float(array if array.ndim == 0 else array[node.types])


@dataclass(frozen=True, slots=True)
class StateHistory:
    """A history of a game of turns and chance.

    Attributes
    ----------
    path : tuple
        The actions and the outcomes of chance so far.
    state : GameState
        The state that they lead to.
    """

    path: tuple[Hashable, ...]
    state: "GameState"


class UnrolledStates:
    """A game of turns and chance as an extensive game, in which everything is seen.

    A state that play can come to in several ways is a node for each of them, so that players
    remember what they did: `solver.state_graph.count_histories` tells how many that makes.

    Parameters
    ----------
    root : GameState
        Where to begin (`solver.state_graph`).
    payoff : callable
        What an end pays to player 0; player 1 pays it.
    """

    def __init__(self, root: "GameState", payoff: Callable[[Any], Any]) -> None:
        self._root = StateHistory((), root)
        self._payoff = payoff

    def root(self) -> StateHistory:
        """Return the history before anything was played."""
        return self._root

    def kind(self, node: StateHistory) -> NodeKind:
        """Return who moves."""
        if node.state.kind == "decision":
            return NodeKind.PLAYER_1 if node.state.decider else NodeKind.PLAYER_0
        return NodeKind.CHANCE if node.state.kind == "chance" else NodeKind.END

    def information_set(self, node: StateHistory) -> Hashable:
        """Return all that was played and drawn so far."""
        return node.path

    def actions(self, node: StateHistory) -> Sequence[Hashable]:
        """Return the legal actions."""
        return node.state.legal()

    def chances(self, node: StateHistory) -> Mapping[Hashable, Any]:
        """Return the probability of each outcome of chance, as the state tells it."""
        return dict(node.state.outcomes())

    def play(self, node: StateHistory, move: Hashable) -> StateHistory:
        """Return the history after an action or an outcome."""
        return StateHistory((*node.path, move), node.state.play(move))

    def payoffs(self, node: StateHistory) -> tuple[Any, Any]:
        """Return what an end pays to each player."""
        payoff = self._payoff(node.state)
        return payoff, -payoff
