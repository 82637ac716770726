"""What a player sees of Solstis, as text and as numbers for OpenSpiel.

An observation is what lies there, as `games.solstis.State.observe` tells it; its numbers are those
of `games.solstis.observation_arrays`. An information state adds all that happened before, as the
player saw it; it has a text only.
"""

from typing import Any

from games.openspiel.solstis_play import Play
from games.openspiel.support import Observer, pyspiel
from games.solstis.notation import format_state
from games.solstis.observation import Observation
from games.solstis.observation_arrays import OBSERVATION_PARTS, observation_arrays

__all__ = ["SolstisObserver"]

_PRIVATE = ("hand", "known", "shown", "unseen")


class SolstisObserver(Observer):
    """What a player sees.

    Parameters
    ----------
    kind : pyspiel.IIGObservationType
        Which information, and whether all that was seen so far (``perfect_recall``) or what lies
        there.
    """

    def __init__(self, kind: Any) -> None:
        self._recall = kind.perfect_recall
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        parts = {
            name: shape
            for name, shape in OBSERVATION_PARTS.items()
            if (private if name in _PRIVATE else kind.public_info)
        }
        super().__init__({} if self._recall else parts)

    def set_from(self, state: Any, player: int) -> None:
        """Fill the arrays with what a player sees of a state."""
        self.fill(observation_arrays(state.play.state.observe(player)))

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player sees of a state as a line of text."""
        play: Play = state.play
        text = _text(play.state.observe(player))
        if self._recall:
            text += " | " + ", ".join(step.by(player) for step in play.steps)
        return text


def _text(seen: Observation) -> str:
    """Return an observation as a line: that of a state, without what is hidden."""
    return f"player={seen.player} known={'+'.join(seen.known)} {format_state(seen.to_dict())}"
