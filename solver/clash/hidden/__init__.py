"""Hidden hands: Solaris' Clash as it is really played, solved to a measured exploitability."""

from solver.clash.hidden.deal import Progress, solve_hidden
from solver.clash.hidden.solution import BestResponse, HiddenSolution

__all__ = ["BestResponse", "HiddenSolution", "Progress", "solve_hidden"]
