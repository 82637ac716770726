"""Walking a game node by node with all that a public tree needs to know of each node.

With each node go the types that both players can still have there, the own sequence of each, and
the chance of each pair. A move keeps the types that have it; chance keeps those under which its
outcome can happen. What the game says is checked on the way.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.errors import PayoffError, SolverError
from solver.public_game import Move, NodeKind, PublicGame

__all__ = [
    "BoolArray",
    "Choice",
    "FloatArray",
    "IntArray",
    "Labels",
    "Position",
    "children",
    "end_table",
    "kind_of",
    "options",
    "root",
    "types_of",
    "width",
]

_TOLERANCE = 1e-9

Node = TypeVar("Node")
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = tuple[tuple[Hashable, ...], ...]


@dataclass(slots=True)
class Position(Generic[Node]):
    """A node on the way: what can still be there, and how each type came there."""

    node: Node
    types: tuple[IntArray, IntArray]
    sequences: tuple[IntArray, IntArray]
    joint: FloatArray
    scale: float
    parent: int = -1
    place: int = -1


@dataclass(slots=True)
class Choice:
    """A mover's options at a node: which type has which action, which sequence each leads to."""

    available: BoolArray
    sequences: IntArray


def width(labels: Labels) -> int:
    """Return how many moves there are, pairs of actions where both players move."""
    return prod(map(len, labels)) if labels else 0


def options(
    game: PublicGame[Node],
    position: Position[Node],
    kind: NodeKind,
    number: Callable[[int, BoolArray], Choice],
) -> tuple[Labels, dict[int, Choice]]:
    """Return the moves at a node, and the choice of each mover with its sequences numbered."""
    labels = _labels(game, position, kind)
    return labels, {
        player: number(player, _mask(game, position, player, len(actions)))
        for player, actions in zip(kind.movers, labels, strict=kind is not NodeKind.CHANCE)
    }


def types_of(game: PublicGame[Node], player: int) -> tuple[Hashable, ...]:
    """Return the types of a player, checked."""
    types = tuple(game.types(player))
    if not types or len(set(types)) < len(types):
        raise SolverError(
            f"types of player {player} are {types!r}: expected one or more, different"
        )
    return types


def root(game: PublicGame[Node]) -> Position[Node]:
    """Return the position at which play starts, the prior checked."""
    shape = len(game.types(0)), len(game.types(1))
    prior = np.array(game.prior(), dtype=np.float64)
    if prior.shape != shape:
        raise SolverError(f"the prior has shape {prior.shape}, the types have {shape}")
    if not np.isfinite(prior).all() or prior.min() < 0 or abs(prior.sum() - 1) > _TOLERANCE:
        raise SolverError("the prior is no probability: expected numbers from 0 up, of sum 1")
    types = (np.arange(shape[0]), np.arange(shape[1]))
    empty = (np.zeros(shape[0], dtype=np.int64), np.zeros(shape[1], dtype=np.int64))
    return _possible(Position(game.root(), types, empty, prior, 1.0))


def _possible(position: Position[Node]) -> Position[Node]:
    """Leave out the types that cannot be there whatever the other player has."""
    kept = tuple(np.flatnonzero(position.joint.any(axis=axis)) for axis in (1, 0))
    if all(len(part) == size for part, size in zip(kept, position.joint.shape, strict=True)):
        return position
    position.types = (position.types[0][kept[0]], position.types[1][kept[1]])
    position.sequences = (position.sequences[0][kept[0]], position.sequences[1][kept[1]])
    position.joint = position.joint[kept[0][:, None], kept[1]]
    return position


def kind_of(game: PublicGame[Node], node: Node) -> NodeKind:
    """Return the kind of a node, checked."""
    try:
        return NodeKind(game.kind(node))
    except ValueError:
        raise SolverError(f"kind of {node!r} is {game.kind(node)!r}: expected a NodeKind") from None


def _labels(game: PublicGame[Node], position: Position[Node], kind: NodeKind) -> Labels:
    node = position.node
    labels: Labels = ()
    if kind is NodeKind.CHANCE:
        labels = (tuple(game.chances(node)),)
    else:
        labels = tuple(tuple(game.actions(node, player)) for player in kind.movers)
    for names in labels:
        if not names or len(set(names)) < len(names):
            raise SolverError(f"moves at {node!r} are {names!r}: expected one or more, different")
    return labels


def _mask(game: PublicGame[Node], position: Position[Node], player: int, actions: int) -> BoolArray:
    given = game.available(position.node, player)
    types = position.types[player]
    if given is None:
        return np.ones((len(types), actions), dtype=np.bool_)
    mask = np.asarray(given, dtype=np.bool_)
    if mask.shape != (len(game.types(player)), actions):
        raise SolverError(
            f"what is available to player {player} at {position.node!r} has shape {mask.shape}: "
            f"expected {(len(game.types(player)), actions)}"
        )
    mask = mask[types]
    stuck = np.flatnonzero(~mask.any(axis=1))
    if len(stuck):
        name = game.types(player)[types[stuck[0]]]
        raise SolverError(f"type {name!r} of player {player} has no action at {position.node!r}")
    return mask


def children(
    game: PublicGame[Node],
    position: Position[Node],
    kind: NodeKind,
    labels: Labels,
    choices: dict[int, Choice],
) -> Iterator[Position[Node]]:
    """Iterate over the positions after a node; sequences are those of the choices."""
    if kind is NodeKind.END:
        return
    if kind is NodeKind.CHANCE:
        yield from _outcomes(game, position, labels[0])
        return
    for place, numbers in enumerate(product(*(range(len(names)) for names in labels))):
        types, sequences, kept = list(position.types), list(position.sequences), []
        chosen = dict(zip(kind.movers, numbers, strict=True))
        for player in (0, 1):
            rows = np.arange(len(types[player]))
            if player in chosen:
                choice, action = choices[player], chosen[player]
                rows = np.flatnonzero(choice.available[:, action])
                sequences[player] = choice.sequences[rows, action]
                types[player] = types[player][rows]
            kept.append(rows)
        joint = position.joint[kept[0][:, None], kept[1]]
        if not joint.any():
            continue
        names = [known[number] for known, number in zip(labels, numbers, strict=True)]
        move: Move = names[0] if len(names) == 1 else tuple(names)
        yield _possible(
            Position(
                game.play(position.node, move),
                (types[0], types[1]),
                (sequences[0], sequences[1]),
                joint,
                position.scale,
                place=place,
            )
        )


def _outcomes(
    game: PublicGame[Node], position: Position[Node], outcomes: tuple[Hashable, ...]
) -> Iterator[Position[Node]]:
    chances = game.chances(position.node)
    # what chance does is read only for the pairs of types that can be here
    live = position.joint > 0
    total = np.zeros(position.joint.shape)
    for place, outcome in enumerate(outcomes):
        probability = _for_pairs(game, position, chances[outcome], "a probability")
        if not np.isfinite(probability[live]).all() or (probability[live] < 0).any():
            raise SolverError(
                f"the probability of {outcome!r} at {position.node!r} is negative or not finite"
            )
        probability = np.where(live, probability, 0.0)
        total += probability
        if not probability.any():
            continue
        scale, joint = position.scale, position.joint
        first = probability[live][0]
        if (probability[live] == first).all():
            scale = scale * float(first)
        else:
            joint = joint * probability
        after = Position(
            game.play(position.node, outcome),
            position.types,
            position.sequences,
            joint,
            scale,
            place=place,
        )
        yield _possible(after)
    if (np.abs(total[live] - 1) > _TOLERANCE).any():
        raise SolverError(f"the probabilities of the outcomes at {position.node!r} do not sum to 1")


def _for_pairs(
    game: PublicGame[Node], position: Position[Node], given: ArrayLike, what: str
) -> FloatArray:
    """Return numbers for all pairs of types as those of the pairs that can be here."""
    numbers = np.asarray(given, dtype=np.float64)
    shape = len(game.types(0)), len(game.types(1))
    if numbers.ndim == 0:
        return np.full(position.joint.shape, float(numbers))
    if numbers.shape != shape:
        raise SolverError(
            f"{what} at {position.node!r} has shape {numbers.shape}: expected {shape}"
        )
    return numbers[position.types[0][:, None], position.types[1]]


def end_table(game: PublicGame[Node], position: Position[Node]) -> FloatArray:
    """Return payoffs times the chance of each pair of types at an end."""
    payoff = _for_pairs(game, position, game.payoff(position.node), "a payoff")
    live = position.joint > 0
    if not np.isfinite(payoff[live]).all():
        raise PayoffError(f"a payoff at {position.node!r} is not finite")
    # adding 0 turns -0 to 0, so that equal tables have equal bytes
    return np.where(live, position.joint * np.where(live, payoff, 0.0), 0.0) + 0.0
