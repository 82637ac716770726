"""Solstis: the rules, states, notation and observations.

The rules as this package plays them, with every reading that was decided, are in
``docs/explanation/solstis-rules.md``.
"""

from games.solstis.actions import Action
from games.solstis.observation import Observation
from games.solstis.rules import Rules
from games.solstis.scoring import Score
from games.solstis.spirits import Spirit
from games.solstis.state import State

__all__ = ["Action", "Observation", "Rules", "Score", "Spirit", "State"]
