r"""Backward induction over layered zero-sum games with simultaneous moves.

A *layered game* is played in steps; every position belongs to a layer, and every edge leads from
one layer to the next. In a `ChoiceLayer` both players choose at once: with value :math:`v` of the
next layer, position :math:`s` is the matrix game

.. math:: A_s(i, j) = r(s, i, j) + \sigma(s, i, j) \, v(c(s, i, j)),

where :math:`c` is the child, :math:`r` the payoff to the row player on the way and
:math:`\sigma = -1` where the child is stored with the players exchanged (a symmetry of the game).
In a `ChanceLayer` the value is the expectation over the children. Solving the layers from the last
to the first gives the value of every position and so a subgame-perfect equilibrium (Shapley,
"Stochastic games", PNAS 1953, for the principle).

Positions live in flat arrays and each layer is solved as a batch, so that millions of positions
take seconds. The module knows no game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.matrix import solve, solve_batch

__all__ = [
    "ChanceLayer",
    "ChoiceLayer",
    "Layer",
    "backward_induction",
    "games_by_shape",
    "matrices",
]

MAX_BATCH_ACTIONS = 4
"""Matrix games with more actions than this are solved one by one."""

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ChoiceLayer:
    """Positions in which both players choose at once.

    Attributes
    ----------
    child : integer array, shape (n, r, c)
        Index of each child in the next layer. Position ``s`` uses only its first ``rows[s]`` rows
        and ``columns[s]`` columns.
    sign : integer array, shape (n, r, c)
        1, or -1 where the child is stored with the players exchanged.
    reward : array, shape (n, r, c)
        Payoff to the row player on the way to the child.
    rows, columns : integer array, shape (n,)
        How many actions the row and the column player have.
    """

    child: NDArray[np.int32]
    sign: NDArray[np.int8]
    reward: NDArray[np.int32]
    rows: NDArray[np.int8]
    columns: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class ChanceLayer:
    """Positions in which chance moves.

    Attributes
    ----------
    child : integer array, shape (n, k)
        Index of each child in the next layer.
    sign : integer array, shape (n, k)
        1, or -1 where the child is stored with the players exchanged.
    probability : float array, shape (n, k)
        Chance of each child, 0 for unused places; rows sum to 1.
    """

    child: NDArray[np.int32]
    sign: NDArray[np.int8]
    probability: FloatArray


Layer: TypeAlias = ChoiceLayer | ChanceLayer


def matrices(layer: ChoiceLayer, values: FloatArray, nodes: IntArray) -> FloatArray:
    """Return the payoff matrices of some positions, padded to the layer's width.

    Parameters
    ----------
    layer : ChoiceLayer
        The layer of the positions.
    values : float array
        Value of each position of the next layer, to the row player.
    nodes : integer array, shape (m,)
        Which positions of the layer.

    Returns
    -------
    float array, shape (m, r, c)
        Entries beyond a position's rows and columns mean nothing.
    """
    child = layer.child[nodes]
    return layer.reward[nodes] + layer.sign[nodes] * values[child]


def backward_induction(layers: Sequence[Layer], terminal: FloatArray) -> list[FloatArray]:
    """Return the value of every position of every layer, to the row player.

    Parameters
    ----------
    layers : sequence of ChoiceLayer or ChanceLayer
        The layers in the order of play; the children of the last are the ends of the game.
    terminal : float array
        What each end is worth to the row player, in the unit of the rewards.

    Returns
    -------
    list of float arrays
        One array for each layer. Every matrix game in them is certified by
        `solver.matrix.solve_batch`.

    Examples
    --------
    Matching pennies for a stake of 1:

    >>> child = np.zeros((1, 2, 2), dtype=np.int32)
    >>> reward = np.array([[[1, -1], [-1, 1]]], dtype=np.int32)
    >>> two = np.array([2], dtype=np.int8)
    >>> pennies = ChoiceLayer(child, np.ones((1, 2, 2), dtype=np.int8), reward, two, two)
    >>> [float(value) for value in backward_induction([pennies], np.zeros(1))[0]]
    [0.0]
    """
    values: list[FloatArray] = []
    following = terminal
    for layer in reversed(layers):
        if isinstance(layer, ChanceLayer):
            outcomes = layer.sign * following[layer.child]
            following = np.einsum("nk,nk->n", layer.probability, outcomes)
        else:
            following = _solve_choices(layer, following)
        values.append(following)
    return values[::-1]


def games_by_shape(layer: ChoiceLayer, values: FloatArray) -> Iterator[tuple[IntArray, FloatArray]]:
    """Iterate over the matrix games of a layer, those of one shape together.

    Parameters
    ----------
    layer : ChoiceLayer
        The layer.
    values : float array
        Value of each position of the next layer, to the row player.

    Yields
    ------
    nodes : integer array, shape (m,)
        Positions of the layer that share a shape.
    games : float array, shape (m, r, c)
        Their payoff matrices.
    """
    shapes = layer.rows.astype(np.int64) * 256 + layer.columns
    for shape in np.unique(shapes):
        rows, columns = divmod(int(shape), 256)
        nodes = np.flatnonzero(shapes == shape)
        yield nodes, matrices(layer, values, nodes)[:, :rows, :columns]


def _solve_choices(layer: ChoiceLayer, following: FloatArray) -> FloatArray:
    values = np.empty(len(layer.child))
    for nodes, games in games_by_shape(layer, following):
        rows, columns = games.shape[1:]
        if rows == 1:
            values[nodes] = games.min(axis=(1, 2))
        elif columns == 1:
            values[nodes] = games.max(axis=(1, 2))
        elif max(rows, columns) <= MAX_BATCH_ACTIONS:
            values[nodes] = solve_batch(games)[0]
        else:
            values[nodes] = [solve(game).value for game in games]
    return values
