"""The rules of the games, and nothing else: no module here knows a solver."""

from games.errors import GameError

__all__ = ["GameError"]
