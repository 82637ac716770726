"""What both games need of OpenSpiel: the package itself, parameters, and observers."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.errors import MissingPackageError, RulesError

try:
    import pyspiel
except ImportError:
    raise MissingPackageError(
        "games for OpenSpiel need open_spiel, which is not installed: "
        "python -m pip install open_spiel"
    ) from None

__all__ = ["OBJECTIVES", "Immutable", "Observer", "changed", "pyspiel", "read_word", "sample"]

_T = TypeVar("_T")

OBJECTIVES: Final = ("win", "margin")
"""What a player may maximise."""


def read_word(parameters: Mapping[str, Any], name: str, words: Sequence[str]) -> Any:
    """Return a parameter that is one of some words.

    Raises
    ------
    RulesError
        If it is another.

    Examples
    --------
    >>> read_word({"objective": "points"}, "objective", OBJECTIVES)
    Traceback (most recent call last):
    games.errors.RulesError: objective is 'points': expected one of win, margin
    """
    if parameters[name] not in words:
        raise RulesError(f"{name} is {parameters[name]!r}: expected one of {', '.join(words)}")
    return parameters[name]


def changed(parameters: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that are not as by default.

    Games are written with these alone: some versions of OpenSpiel cannot read an empty text back.

    Examples
    --------
    >>> changed({"hands": "", "extras": "dealt"}, {"hands": "", "extras": "chosen"})
    {'extras': 'dealt'}
    """
    return {name: value for name, value in parameters.items() if value != defaults[name]}


def sample(values: Sequence[_T], weights: Sequence[float], random: Callable[[], float]) -> _T:
    """Return one of some values, each as likely as its weight says.

    Parameters
    ----------
    values : sequence
        What is drawn from.
    weights : sequence of float
        How likely each is, in any unit; not all are zero.
    random : callable
        Returns a number from 0 to 1.

    Examples
    --------
    >>> sample("abc", [1, 0, 1], lambda: 0.7)
    'c'
    """
    left = random() * sum(weights)
    possible = [pair for pair in zip(values, weights, strict=True) if pair[1] > 0]
    for value, weight in possible:
        left -= weight
        if left < 0:
            return value
    return possible[-1][0]


class Immutable:
    """A value that nobody changes: copies of what holds it share it.

    OpenSpiel copies a state by copying all that it holds, in every step of most algorithms.
    """

    def __copy__(self) -> "Immutable":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Immutable":
        return self


class Observer:
    """One flat array of float32, and named views of its parts.

    Parameters
    ----------
    parts : mapping of str to tuple of int
        The names of the parts and their shapes, in order.

    Attributes
    ----------
    tensor : array
        All of it.
    dict : mapping of str to array
        The parts, which share the memory of `tensor`.
    """

    def __init__(self, parts: Mapping[str, tuple[int, ...]]) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(sum(map(prod, parts.values())), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for name, shape in parts.items():
            self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
            start += prod(shape)

    def fill(self, values: Mapping[str, Any]) -> None:
        """Set the parts that have a value, all others to zero."""
        self.tensor.fill(0)
        for name, part in self.dict.items():
            if name in values:
                part[...] = values[name]
