"""Errors raised for what a user asked of a game.

All derive from `GameError`, which is a `ValueError`: one ``except GameError`` catches every
refusal of this package and nothing else.
"""

__all__ = [
    "GameError",
    "IllegalMoveError",
    "MissingPackageError",
    "NotationError",
    "PositionError",
    "RulesError",
]


class GameError(ValueError):
    """Base class of every error that the games raise for their user's input."""


class MissingPackageError(GameError, ImportError):
    """A package that this part needs is not installed; the message says how to get it."""


class RulesError(GameError):
    """Rules that do not exist or do not go together."""


class PositionError(GameError):
    """A position, a hand or a deal that the rules do not allow."""


class NotationError(GameError):
    """Text that is not in the notation it should be in."""


class IllegalMoveError(GameError):
    """A move that is not legal now; the message names the legal ones."""
