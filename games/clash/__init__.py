"""Solaris' Clash: the rules, positions, notation and records.

The rules as this package plays them, with every reading that was decided, are in
``docs/explanation/clash-rules.md``.

Examples
--------
>>> from games.clash import State
>>> state = State.start(["WFAE+WF", "WFAE+FE"], "DaNoDuMi")
>>> state = state.play(("W", "F"))
>>> str(state), state.margin(0)
('WFFAE/WFAEE DaNoDuMi---- 2-0', 2.0)
"""

from games.clash.elements import ROUNDS, Element, Time, format_times, parse_times
from games.clash.hand import EXTRAS, EXTRAS_LABELS, Hand, full_hands, hands_of_size
from games.clash.memory import memory_from_text, memory_to_text
from games.clash.record import PlayedRound, Record
from games.clash.rules import AWARDED, Bonus, RoundScore, Rules, clash_points, score_round
from games.clash.state import OBJECTIVES, Objective, State
from games.clash.symmetry import rotate, swap_players
from games.clash.tie_break import TieBreak
from games.clash.time_deck import face_up_sequences, next_times, prefix_chance

__all__ = [
    "AWARDED",
    "EXTRAS",
    "EXTRAS_LABELS",
    "OBJECTIVES",
    "ROUNDS",
    "Bonus",
    "Element",
    "Hand",
    "Objective",
    "PlayedRound",
    "Record",
    "RoundScore",
    "Rules",
    "State",
    "TieBreak",
    "Time",
    "clash_points",
    "face_up_sequences",
    "format_times",
    "full_hands",
    "hands_of_size",
    "memory_from_text",
    "memory_to_text",
    "next_times",
    "parse_times",
    "prefix_chance",
    "rotate",
    "score_round",
    "swap_players",
]
