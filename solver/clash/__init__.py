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
    BestResponse,
    HiddenSolution,
    StrategyBook,
    WholeSolution,
    solve_hidden,
    solve_whole,
    write_book,
)
from solver.clash.open_hands import OpenEntry, OpenSolution, solve_open
from solver.clash.selection import SelectionGame, rotation_classes, selection_game
from solver.clash.table import OpenTable, solve_table

__all__ = [
    "BestResponse",
    "Explanation",
    "HiddenSolution",
    "OpenEntry",
    "OpenSolution",
    "OpenTable",
    "SelectionGame",
    "StrategyBook",
    "WholeSolution",
    "explain",
    "render_text",
    "rotation_classes",
    "selection_game",
    "solve_hidden",
    "solve_open",
    "solve_table",
    "solve_whole",
    "write_book",
]
