"""Games in the file formats of Gambit: strategic form (``.nfg``) and extensive form (``.efg``).

Gambit (R. D. McKelvey, A. M. McLennan and T. L. Turocy) is a collection of programs for finite
games. A game written here is read by all of them, exactly: what Gambit would refuse, such as
chances whose sum is not quite 1, is settled or refused when the text is made.
"""

from solver.gambit.extensive import MAX_NODES, check_size, efg, label_text
from solver.gambit.strategic import StrategicGame, nfg, read_nfg

__all__ = ["MAX_NODES", "StrategicGame", "check_size", "efg", "label_text", "nfg", "read_nfg"]
