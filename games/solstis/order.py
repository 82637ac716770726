"""The order of the piles, where it is known: in a real deal and in a replay.

The core of a state knows which tiles and spirits are unseen, not where they lie, so that drawing is
chance. With an order, what is drawn is settled.
"""

from dataclasses import dataclass

from games.solstis.layout import Kind
from games.solstis.spirits import Spirit

__all__ = ["Order"]


@dataclass(frozen=True, slots=True)
class Order:
    """Where the unseen tiles and spirits lie.

    Attributes
    ----------
    pile : tuple of int
        The tiles of the pile, the top one first.
    face_down : tuple of pairs of int
        Places of the display and their face-down tiles, in order of place.
    spirits : tuple of Spirit
        The spirit pile, the top one first.
    """

    pile: tuple[int, ...]
    face_down: tuple[tuple[int, int], ...]
    spirits: tuple[Spirit, ...]

    def settled(self, outcomes: list[int]) -> int | None:
        """Return the outcome that comes, of those possible; None for a blind pick."""
        kind = outcomes[0] >> 16
        if kind in (Kind.EAGLE_DRAW, Kind.DRAGONFLY_DRAW):
            return None
        if kind == Kind.DRAW_SPIRITS:
            drawn = sorted(self.spirits[:2])
            return Kind.DRAW_SPIRITS << 16 | drawn[0] << 7 | drawn[-1]
        place = outcomes[0] & 127
        tile = dict(self.face_down)[place] if kind == Kind.REVEAL else self.pile[0]
        return kind << 16 | tile << 7 | place

    def possible(self, outcomes: list[int]) -> list[int]:
        """Return those outcomes of a blind pick that the order allows."""
        if outcomes[0] >> 16 != Kind.EAGLE_DRAW:
            return outcomes
        return [code for code in outcomes if (code >> 7 & 127) in self.pile]

    def without(self, code: int) -> "Order":
        """Return the order after an outcome."""
        kind, first = code >> 16, code >> 7 & 127
        if kind == Kind.DRAW_SPIRITS:
            return Order(self.pile, self.face_down, self.spirits[2:])
        if kind == Kind.REVEAL:
            rest = tuple(pair for pair in self.face_down if pair[1] != first)
            return Order(self.pile, rest, self.spirits)
        if kind in (Kind.EAGLE_DRAW, Kind.DRAW, Kind.SECOND_CHANCE):
            pile = tuple(tile for tile in self.pile if tile != first)
            return Order(pile, self.face_down, self.spirits)
        return self
