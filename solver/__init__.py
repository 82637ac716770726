"""How games are solved: algorithms that know no game, and the modules that bind a game to them."""

from solver.errors import SolverError

__all__ = ["SolverError"]
