"""Pictures of what was computed for Solaris' Clash. Needs matplotlib, an optional package.

Each function returns a matplotlib ``Figure`` and writes it to a file if one is named. No meaning is
in colour alone: numbers are written, elements have letters and hatches, lines their own marks.
"""

from solver.clash.pictures.exploitability import bounds_picture, exploitability_picture
from solver.clash.pictures.extras import selection_picture
from solver.clash.pictures.mixes import RoundMixes, mean_mixes, mixes_along
from solver.clash.pictures.round_matrix import round_picture
from solver.clash.pictures.strategies import strategies_picture

__all__ = [
    "RoundMixes",
    "bounds_picture",
    "exploitability_picture",
    "mean_mixes",
    "mixes_along",
    "round_picture",
    "selection_picture",
    "strategies_picture",
]
