"""Both games as games of OpenSpiel, for its algorithms and bots. Needs an extra, open_spiel.

Importing this package registers them: ``python_solaris_clash`` and ``python_solstis``. Nothing else
in the library imports it.

Examples
--------
>>> import pyspiel
>>> import games.openspiel
>>> game = pyspiel.load_game("python_solaris_clash(objective=margin,extras=dealt)")
>>> game.num_players(), game.max_utility(), game.max_game_length()
(2, 12.0, 10)
"""

from games.openspiel.clash import ClashGame, ClashState
from games.openspiel.solstis import SolstisGame, SolstisState, position_parameter

__all__ = ["ClashGame", "ClashState", "SolstisGame", "SolstisState", "position_parameter"]
