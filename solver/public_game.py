"""What a game must tell to be compiled to a public tree: a small protocol.

The games meant here are played by two players with perfect recall, for stakes that sum to zero.
Each player has a private *type*, dealt once at the start with a joint chance; everything after that
is public: moves in turn, moves made at once, chance. What a player may do can depend on the own
type, what chance does can depend on both. A *public node* is what both players have seen so far.
"""

from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from typing import Protocol, TypeAlias, TypeVar

from numpy.typing import ArrayLike

__all__ = ["Move", "NodeKind", "PublicGame"]

Move: TypeAlias = Hashable
"""What leads from a public node to the next: an action, a pair of actions, or an outcome."""

Node = TypeVar("Node")


class NodeKind(IntEnum):
    """What happens at a public node.

    Examples
    --------
    >>> NodeKind.BOTH.movers, NodeKind.PLAYER_1.movers, NodeKind.CHANCE.movers
    ((0, 1), (1,), ())
    """

    PLAYER_0 = 0
    PLAYER_1 = 1
    BOTH = 2
    CHANCE = 3
    END = 4

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who choose an action."""
        return ((0,), (1,), (0, 1), (), ())[self]


class PublicGame(Protocol[Node]):
    """A two-player zero-sum game with private types, told by its public nodes.

    A node may be any object; two calls with one node must answer the same.
    """

    def types(self, player: int) -> Sequence[Hashable]:
        """Return the types that a player may have."""

    def prior(self) -> ArrayLike:
        """Return the chance of each pair of types, shape (types of player 0, types of player 1).

        It need not be a product: cards dealt from one pack are not independent.
        """

    def root(self) -> Node:
        """Return the public node at which play starts."""

    def kind(self, node: Node) -> NodeKind:
        """Return what happens at a node."""

    def actions(self, node: Node, player: int) -> Sequence[Hashable]:
        """Return the actions of a player who moves at a node, over all own types."""

    def available(self, node: Node, player: int) -> ArrayLike | None:
        """Return which type has which action, shape (types, actions); None if each has all."""

    def play(self, node: Node, move: Move) -> Node:
        """Return the node that a move leads to.

        The move is the action where one player moves, the pair of actions where both do, and the
        outcome where chance does.
        """

    def chances(self, node: Node) -> Mapping[Hashable, ArrayLike]:
        """Return the probability of each outcome of chance: a number, or one for each type pair."""

    def payoff(self, node: Node) -> ArrayLike:
        """Return what an end pays to player 0: a number, or one for each type pair.

        Entries for pairs of types that cannot lead here are not read.
        """
