"""Solaris' Clash, solved: optimal play, tables, the choice of extras, explanations.

Examples
--------
>>> from solver.clash import solve_open
>>> solution = solve_open("WAE/FAE DaNoDuMi---- 3-2")
>>> round(solution.value, 4)
0.2883
"""

from solver.clash.explanations import Explanation, explain, render_text
from solver.clash.hidden import (
    AnswerCost,
    BestResponse,
    FixedExtras,
    HiddenSolution,
    StrategyBook,
    WholeSolution,
    answer_costs,
    solve_fixed_extras,
    solve_hidden,
    solve_whole,
    whole_answer_costs,
    write_book,
)
from solver.clash.open_hands import OpenEntry, OpenSolution, solve_open
from solver.clash.selection import SelectionGame, rotation_classes, selection_game
from solver.clash.table import OpenTable, solve_table

__all__ = [
    "AnswerCost",
    "BestResponse",
    "Explanation",
    "FixedExtras",
    "HiddenSolution",
    "OpenEntry",
    "OpenSolution",
    "OpenTable",
    "SelectionGame",
    "StrategyBook",
    "WholeSolution",
    "answer_costs",
    "explain",
    "render_text",
    "rotation_classes",
    "selection_game",
    "solve_fixed_extras",
    "solve_hidden",
    "solve_open",
    "solve_table",
    "solve_whole",
    "whole_answer_costs",
    "write_book",
]
