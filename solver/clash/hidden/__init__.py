"""Hidden hands: Solaris' Clash as it is really played, solved to a measured exploitability."""

from solver.clash.hidden.book import StrategyBook, write_book
from solver.clash.hidden.deal import Progress, solve_hidden
from solver.clash.hidden.fixed_extras import FixedExtras, solve_fixed_extras
from solver.clash.hidden.open_answer import AnswerCost, answer_costs, whole_answer_costs
from solver.clash.hidden.solution import BestResponse, HiddenSolution
from solver.clash.hidden.whole import WholeProgress, solve_whole
from solver.clash.hidden.whole_solution import WholeSolution

__all__ = [
    "AnswerCost",
    "BestResponse",
    "FixedExtras",
    "HiddenSolution",
    "Progress",
    "StrategyBook",
    "WholeProgress",
    "WholeSolution",
    "answer_costs",
    "solve_fixed_extras",
    "solve_hidden",
    "solve_whole",
    "whole_answer_costs",
    "write_book",
]
