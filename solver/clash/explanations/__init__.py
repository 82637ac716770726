"""Explanations of Solaris' Clash: data first, then documents made of it.

`explain` returns a frozen `Explanation`, claims with their numbers; `explanation_document` puts it
into words for a player, and `solver.rendering.render` writes that as text, Markdown, HTML or JSON.
`render_text` is the short way to text. Nothing is printed that the data does not hold.
"""

# Registers how results are written as data.
import solver.clash.explanations.data  # noqa: F401
from solver.clash.explanations.explanation import Explanation, explain
from solver.clash.explanations.explanation_text import explanation_document, render_text

__all__ = ["Explanation", "explain", "explanation_document", "render_text"]
