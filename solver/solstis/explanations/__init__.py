"""Explanations of Solstis: data first, then their text.

`explain` returns a frozen `Explanation`, claims with their numbers; `render_text` writes it for a
player at a terminal. Nothing is printed that the data does not hold.
"""

from solver.solstis.explanations.claims import Explanation
from solver.solstis.explanations.explanation import explain
from solver.solstis.explanations.explanation_text import render_text

__all__ = ["Explanation", "explain", "render_text"]
