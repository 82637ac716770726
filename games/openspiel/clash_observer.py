"""What a player sees of Solaris' Clash, as text and as numbers for OpenSpiel.

========  =================  =====================================================================
part      shape              content
========  =================  =====================================================================
player    (players,)         1 at the observing player
hand      (4,)               the own cards: those at the start in an information state, those left
                             in an observation
choice    (4,)               1 at the own card of this round while others have not chosen theirs
hands     (players, 4)       as ``hand``, for all players, where all that is private is asked for
choices   (players, 4)       as ``choice``, likewise
times     (6, 4)             1 at the times turned up
points    (players,)         points so far, from the first player on
streaks   (players,)         streaks with Sunburst, 3 once the only one was awarded
rounds    (n, players, 4)    1 at the cards of each of n rounds played, in an information state
discards  (players, 4)       how many of each element were played, in an observation
========  =================  =====================================================================
"""

from typing import Any

import numpy as np

from games.clash import ROUNDS, Element, Hand, Time, format_times
from games.openspiel.clash_play import Play
from games.openspiel.clash_setup import Setup
from games.openspiel.support import Observer, pyspiel

__all__ = ["ClashObserver"]

_CARDS = len(Element)
_AWARDED = 3


class ClashObserver(Observer):
    """What a player sees.

    Parameters
    ----------
    setup : Setup
        The game that is played.
    kind : pyspiel.IIGObservationType
        Which information, and whether all that was seen so far (``perfect_recall``) or what lies
        on the table.
    """

    def __init__(self, setup: Setup, kind: Any) -> None:
        private = pyspiel.PrivateInfoType
        self._own = kind.private_info == private.SINGLE_PLAYER
        self._all = kind.private_info == private.ALL_PLAYERS
        self._public, self._recall = kind.public_info, kind.perfect_recall
        parts: dict[str, tuple[int, ...]] = {}
        if self._own:
            parts |= {"player": (setup.players,), "hand": (_CARDS,), "choice": (_CARDS,)}
        if self._all:
            parts |= {"hands": (setup.players, _CARDS), "choices": (setup.players, _CARDS)}
        if self._public:
            parts |= {"times": (ROUNDS, len(Time)), "points": (setup.players,)}
            if setup.rules.sunburst != "off":
                parts["streaks"] = (setup.players,)
            if self._recall:
                parts["rounds"] = (setup.rounds, setup.players, _CARDS)
            else:
                parts["discards"] = (setup.players, _CARDS)
        super().__init__(parts)

    def set_from(self, state: Any, player: int) -> None:
        """Fill the arrays with what a player sees of a state."""
        play: Play = state.play
        players = range(play.setup.players)
        cards = np.eye(_CARDS)
        hands = [self._hand(play, k) for k in players]
        counts = np.array([(0,) * _CARDS if hand is None else hand.counts for hand in hands])
        choices = np.zeros((play.setup.players, _CARDS))
        for k, card in enumerate(play.chosen):
            choices[k, card] = 1
        values: dict[str, Any] = {
            "player": [k == player for k in players],
            "hand": counts[player],
            "choice": choices[player],
            "hands": counts,
            "choices": choices,
            "points": _points(play),
        }
        if play.position is not None and play.position.streaks:
            values["streaks"] = [
                _AWARDED if isinstance(streak, str) else streak for streak in play.position.streaks
            ]
        self.fill(values)
        if self._public:
            for k, time in enumerate(_times(play)):
                self.dict["times"][k, time] = 1
            for k, played in enumerate(play.rounds):
                if self._recall:
                    self.dict["rounds"][k] = cards[list(played)]
                else:
                    self.dict["discards"] += cards[list(played)]

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player sees of a state as a line of text."""
        play: Play = state.play
        words = []
        if self._own:
            words.append(f"player={player} hand={_text(self._hand(play, player))}")
        if self._all:
            players = range(play.setup.players)
            words.append("hands=" + "/".join(_text(self._hand(play, k)) for k in players))
        if self._public:
            row = _times(play)
            words.append(f"times={format_times((*row, *(None,) * (ROUNDS - len(row))))}")
            words.append("points=" + "/".join(map(str, _points(play))))
            if play.position is not None and play.position.streaks:
                words.append("streaks=" + "/".join(map(str, play.position.streaks)))
            words.append(self._played(play))
        if self._own and player < len(play.chosen):
            words.append(f"choice={play.chosen[player].letter}")
        if self._all and play.chosen:
            words.append("choices=" + "/".join(card.letter for card in play.chosen))
        return " ".join(words)

    def _hand(self, play: Play, player: int) -> Hand | None:
        """Return the hand of a player, if there is one by now."""
        if not self._recall and play.position is not None:
            return play.position.hands[player]
        return play.hands[player] if player < len(play.hands) else None

    def _played(self, play: Play) -> str:
        if self._recall:
            rounds = ("".join(card.letter for card in cards) for cards in play.rounds)
            return f"rounds={','.join(rounds)}"
        piles = zip(*play.rounds, strict=True) if play.rounds else [()] * play.setup.players
        discards = ("".join(card.letter for card in sorted(cards)) for cards in piles)
        return f"discards={'/'.join(discards)}"


def _times(play: Play) -> tuple[Time, ...]:
    """Return the times that are face up."""
    if play.position is None:
        return play.times
    return tuple(time for time in play.position.times if time is not None)


def _points(play: Play) -> tuple[int, ...]:
    if play.position is None:
        return play.setup.points or (0,) * play.setup.players
    return play.position.points


def _text(hand: Hand | None) -> str:
    return "?" if hand is None else str(hand)
