"""Solstis played: exact endings, moves chosen by search, explanations, and bots.

Examples
--------
>>> from games.solstis import State
>>> from solver.solstis import GreedyBot, UniformBot, choose, play_out
>>> play_out(State.new(5), [GreedyBot(), UniformBot()], 1).kind
'end'
>>> choose(State.new(5).observe(0), depth=1, samples=40).action in State.new(5).legal()
True
"""

from solver.solstis.bots import Bot, GreedyBot, UniformBot, play_out
from solver.solstis.choose import Alternative, Choice, SolstisObjective, choose
from solver.solstis.endgame import EndgameSolution, count_leaves, solve_endgame
from solver.solstis.explanations import Explanation, explain, render_text
from solver.solstis.search_bots import SearchBot, TreeBot
from solver.solstis.tree_search import search_tree

__all__ = [
    "Alternative",
    "Bot",
    "Choice",
    "EndgameSolution",
    "Explanation",
    "GreedyBot",
    "SearchBot",
    "SolstisObjective",
    "TreeBot",
    "UniformBot",
    "choose",
    "count_leaves",
    "explain",
    "play_out",
    "render_text",
    "search_tree",
    "solve_endgame",
]
