"""Hidden hands: Solaris' Clash as it is really played, solved to a measured exploitability."""

from solver.clash.hidden.book import StrategyBook, write_book
from solver.clash.hidden.deal import Progress, solve_hidden
from solver.clash.hidden.solution import BestResponse, HiddenSolution
from solver.clash.hidden.whole import WholeProgress, solve_whole
from solver.clash.hidden.whole_solution import WholeSolution

__all__ = [
    "BestResponse",
    "HiddenSolution",
    "Progress",
    "StrategyBook",
    "WholeProgress",
    "WholeSolution",
    "solve_hidden",
    "solve_whole",
    "write_book",
]
