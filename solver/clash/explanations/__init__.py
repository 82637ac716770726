"""Explanations of Solaris' Clash: data first, then their texts.

`explain` returns a frozen `Explanation`, claims with their numbers; `render_text` writes it for a
player at a terminal. Nothing is printed that the data does not hold.
"""

from solver.clash.explanations.explanation import Explanation, explain
from solver.clash.explanations.explanation_text import render_text

__all__ = ["Explanation", "explain", "render_text"]
