"""The tie-break: a game of its own, played by those tied for most points.

Each plays one extra card, any of the four elements, from outside the hand. Matchups are counted
among the tied players alone and no time boosts them; whoever scores most wins, and those still tied
play again. Rules page: "End".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.clash.elements import Element, ElementLike, counted, read_cards, whole_number
from games.clash.rules import clash_points
from games.clash.state import State
from games.errors import GameError, IllegalMoveError, PositionError

__all__ = ["TieBreak"]


@dataclass(frozen=True)
class TieBreak:
    """A tie-break about to be played, or won when a single player is left.

    Parameters
    ----------
    tied : tuple of int
        The players still tied, in ascending order.
    players : int
        How many play the whole game and have anted.

    Examples
    --------
    >>> tie = TieBreak.of(State.parse("-/- DaNoDuMiDaNo 5-5"))
    >>> tie.play("WA").tied, tie.play("WF").winner
    ((0, 1), 0)
    """

    tied: tuple[int, ...]
    players: int = 2

    def __post_init__(self) -> None:
        players = whole_number(self.players)
        if players is None or not 2 <= players <= 6:
            raise PositionError(f"players is {self.players!r}: expected a whole number from 2 to 6")
        try:
            numbers = [whole_number(player) for player in self.tied]
        except TypeError:
            numbers = []
        tied = [player for player in range(players) if player in numbers]
        object.__setattr__(self, "players", players)
        if not tied or tied != numbers:
            raise PositionError(
                f"tied players {self.tied!r}: expected different ones of 0 to {self.players - 1}, "
                "in ascending order"
            )
        object.__setattr__(self, "tied", tuple(tied))

    @classmethod
    def of(cls, state: State) -> "TieBreak":
        """Return the tie-break of a game whose six rounds were played.

        Raises
        ------
        GameError
            If the game is not over. (With a sole winner the tie-break is over at once.)
        """
        if not isinstance(state, State):
            raise PositionError(f"{state!r} is no State: use State.parse or State.start")
        if not state.is_over:
            raise GameError(f"{state} is not over: a tie-break follows the sixth round")
        best = max(state.points)
        tied = tuple(player for player, points in enumerate(state.points) if points == best)
        return cls(tied, len(state.points))

    @property
    def is_over(self) -> bool:
        """Whether one player is left."""
        return len(self.tied) == 1

    @property
    def winner(self) -> int | None:
        """The player who has won; None while several are tied."""
        return self.tied[0] if self.is_over else None

    def legal(self, player: int) -> tuple[Element, ...]:
        """Return the cards that a player may choose: all four while tied, else none.

        Raises
        ------
        GameError
            If there is no such player.
        """
        self._check(player)
        return () if self.is_over or player not in self.tied else tuple(Element)

    def play(self, cards: Sequence[ElementLike]) -> "TieBreak":
        """Play one card for each tied player, in the players' order.

        Raises
        ------
        IllegalMoveError
            If the tie-break is over or the number of cards is not that of the tied players.
        """
        if not isinstance(cards, Iterable):
            raise IllegalMoveError(f"{cards!r} are no cards: expected one a tied player")
        chosen = read_cards(cards)
        if self.is_over:
            raise IllegalMoveError(f"the tie-break is over: player {self.winner} has won")
        if len(chosen) != len(self.tied):
            raise IllegalMoveError(
                f"{counted(len(chosen), 'card')} for {len(self.tied)} tied players"
            )
        points = clash_points(chosen, None)
        best = max(points)
        still = (p for p, scored in zip(self.tied, points, strict=True) if scored == best)
        return TieBreak(tuple(still), self.players)

    def utility(self, player: int) -> float:
        """Return the antes a player has won: n - 1 for the winner, -1 for all others.

        Raises
        ------
        GameError
            If the tie-break is not over, or there is no such player.
        """
        self._check(player)
        if not self.is_over:
            raise GameError(f"players {self.tied} are still tied: the tie-break has no utility yet")
        return float(self.players - 1) if player == self.winner else -1.0

    def _check(self, player: int) -> None:
        number = whole_number(player)
        if number is None or not 0 <= number < self.players:
            raise GameError(f"there is no player {player!r}: expected 0 to {self.players - 1}")
