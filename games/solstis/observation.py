"""What a player sees, and the worlds that agree with it.

Rules page: "What a player sees".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from games.errors import PositionError
from games.solstis.actions import Action
from games.solstis.bits import reach
from games.solstis.layout import Field, Stage
from games.solstis.mountain import cell_name, cells_in, mask_of
from games.solstis.position import position_record
from games.solstis.rules import Rules
from games.solstis.scoring import Score, score_of
from games.solstis.spirits import Spirit

if TYPE_CHECKING:
    from games.solstis.layout import Core
    from games.solstis.state import State

__all__ = ["Observation", "observe"]


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What a player sees of a state.

    The own hand, both panoramas, face-up tiles and spirits, who has the Evil Spirit, sizes, what
    was removed, tiles of the opponent's hand that a Fox showed, and the middle of a turn as it lies
    open. Two states that differ only in what is hidden from the player have equal observations.

    Made by `State.observe`.

    Examples
    --------
    >>> from games.solstis import State
    >>> view = State.new(5).observe(1)
    >>> view.hand, view.pile_size, len(view.unseen)
    (['3-9', '4-5', '6-7'], 30, 39)
    >>> world = view.sample(0)
    >>> world.observe(1) == view
    True
    """

    player: int
    _core: "Core"

    @property
    def rules(self) -> Rules:
        """The options of the rules."""
        return Rules.from_code(int(self._core[Field.RULES]))

    @property
    def hand(self) -> list[str]:
        """The own hand."""
        return [cell_name(tile) for tile in cells_in(int(self._core[Field.HAND + self.player]))]

    @property
    def known(self) -> list[str]:
        """The tiles of the opponent's hand that a Fox showed and that are still there."""
        return [cell_name(tile) for tile in cells_in(int(self._core[Field.SEEN + self.player]))]

    @property
    def unseen(self) -> list[str]:
        """The tiles that may be in the opponent's hand, in the pile or face down."""
        return [cell_name(tile) for tile in cells_in(int(self._core[Field.POOL]))]

    @property
    def unseen_spirits(self) -> list[str]:
        """The spirits of the face-down pile."""
        return sorted(str(Spirit(k)) for k in cells_in(int(self._core[Field.SPIRIT_PILE])))

    @property
    def opponent_hand_size(self) -> int:
        """How many tiles the opponent holds."""
        return int(self._core[Field.HAND + 1 - self.player])

    @property
    def pile_size(self) -> int:
        """How many tiles the pile has."""
        down = int(self._core[Field.DOWN]).bit_count()
        return len(self.unseen) - self._hidden - down

    @property
    def _hidden(self) -> int:
        """How many tiles of the opponent's hand were never seen."""
        return self.opponent_hand_size - len(self.known)

    @property
    def to_move(self) -> int | None:
        """Whose turn it is; None at the end."""
        return self._any_world().to_move

    @property
    def decider(self) -> int | None:
        """Who decides now; None at a chance node and at the end."""
        return self._any_world().decider

    def legal(self) -> list[Action]:
        """Return the legal actions, if the player decides now; nothing otherwise."""
        world = self._any_world()
        return world.legal() if world.decider == self.player else []

    def score(self, player: int) -> Score:
        """Return what a player's panorama is worth as it stands."""
        from games.solstis.state import read_player  # noqa: PLC0415

        return score_of(self._core, read_player(player))

    def to_dict(self) -> dict[str, Any]:
        """Return what is seen, in the vocabulary of the recorded games."""
        world = self._any_world()
        data = world.to_dict()
        other = str(2 - self.player)
        data["player"] = self.player + 1
        data["state"] = position_record(world._core, None)
        data["state"]["hands"][other] = self.opponent_hand_size
        data["known"] = self.known
        data.pop("seen", None)
        return data

    def worlds(self) -> int:
        """Return how many hands the opponent may hold."""
        pool = int(self._core[Field.POOL])
        count, useful = pool.bit_count(), (pool & self._capturing()).bit_count()
        if self._must_capture():
            return comb(count, self._hidden) - comb(count - useful, self._hidden)
        if self._cannot_capture():
            return comb(count - useful, self._hidden)
        return comb(count, self._hidden)

    def sample(
        self, rng: np.random.Generator | int | None = None, ordered: bool = False
    ) -> "State":
        """Return a state that agrees with what is seen, each as likely.

        Parameters
        ----------
        rng : numpy.random.Generator or int, optional
            Where chance comes from, or its seed.
        ordered : bool
            Settle the order of the piles as well; otherwise draws stay chance.
        """
        rng = np.random.default_rng(rng)
        pool = self._pool()
        while True:
            chosen = rng.permutation(len(pool))[: self._hidden]
            hidden = [pool[k] for k in chosen]
            if self._agrees(hidden):
                break
        state = self._world(hidden)
        return state.shuffled(rng) if ordered else state

    def enumerate(self, limit: int = 100_000) -> Iterator[tuple["State", Fraction]]:
        """Yield every state that agrees with what is seen, with its probability.

        The piles are sets in it: their order is no part of a world.

        Raises
        ------
        PositionError
            If there are more than `limit`.
        """
        count = self.worlds()
        if count > limit:
            raise PositionError(f"{count} hands are possible, more than {limit}: sample instead")
        for hidden in combinations(self._pool(), self._hidden):
            if self._agrees(hidden):
                yield self._world(hidden), Fraction(1, count)

    def _pool(self) -> list[int]:
        """Return the unseen tiles; once it is seen that nobody can capture, those that cannot."""
        pool = int(self._core[Field.POOL])
        if self._cannot_capture():
            pool &= ~self._capturing()
        return list(cells_in(pool))

    def _capturing(self) -> int:
        """Return the tiles that would capture."""
        return int(reach(self._core[Field.UP]))

    def _must_capture(self) -> bool:
        """Whether it is seen that a tile of the opponent's hand that was never seen captures.

        With an empty pile it is only a player's turn who can capture.
        """
        other = 1 - self.player
        at_play = self._core[Field.STAGE] == Stage.PLAY and self._core[Field.TURN] == other
        shown = int(self._core[Field.SEEN + self.player]) & self._capturing()
        forced = self._core[Field.FORCED + other] >= 0
        return bool(at_play and self.pile_size == 0 and not shown and not forced)

    def _cannot_capture(self) -> bool:
        """Whether it is seen that no tile of the opponent's hand that was never seen captures.

        At the end neither player can; except that in the firefly variant the end may have come by
        the fourth firefly, or by an order of the Fox, of which nothing is known any more.
        """
        over = self._core[Field.STAGE] in (Stage.COVER, Stage.END)
        return bool(over and self.rules.variant != "firefly")

    def _agrees(self, hidden: Sequence[int]) -> bool:
        return not self._must_capture() or bool(mask_of(hidden) & self._capturing())

    def _any_world(self) -> "State":
        return self._world(self._pool()[: self._hidden])

    def _world(self, hidden: Sequence[int]) -> "State":
        from games.solstis.state import State  # noqa: PLC0415

        core, other = self._core.copy(), 1 - self.player
        tiles = mask_of(hidden)
        core[Field.POOL] ^= tiles
        core[Field.HAND + other] = tiles | int(core[Field.SEEN + self.player])
        return State._of(core, None, self.rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.player == other.player and self._core.tobytes() == other._core.tobytes()

    def __hash__(self) -> int:
        return hash((self.player, self._core.tobytes()))


def observe(state: "State", player: int) -> Observation:
    """Return what a player sees of a state."""
    core, other = state._core.copy(), 1 - player
    size = int(core[Field.HAND + other]).bit_count()
    known = int(core[Field.SEEN + player])
    core[Field.POOL] |= core[Field.HAND + other] & ~known
    # In the place of the hand itself: how many tiles it has.
    core[Field.HAND + other] = size
    core[Field.SEEN + other] &= core[Field.HAND + player]
    return Observation(player, core)
