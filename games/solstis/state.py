"""The state of a game of Solstis: an immutable value that real games, replays and searches share.

Rules page: all of it. The steps themselves are in `turn`, the options in `options`.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from games.errors import IllegalMoveError, PositionError
from games.solstis.actions import ACTIONS, Action
from games.solstis.layout import Core, Field, Stage, empty_core
from games.solstis.mountain import CELLS, mask_of
from games.solstis.options import legal_codes
from games.solstis.order import Order
from games.solstis.rules import Rules
from games.solstis.scoring import Score, score_of
from games.solstis.spirits import spirits_of
from games.solstis.turn import CHANCE, DECISION, END, TURN_ENDED, apply, decider, status

if TYPE_CHECKING:
    from games.solstis.observation import Observation

__all__ = ["NodeKind", "State"]


NodeKind: TypeAlias = Literal["decision", "chance", "end"]

_KINDS: Final[tuple[NodeKind, ...]] = ("decision", "chance", "end")
_FRACTIONS: Final = (Fraction(0), *(Fraction(1, count) for count in range(1, 200)))
_DISPLAY, _HAND = 6, 3


class State:
    """A state of the game: a player decides, chance does, or the game is over.

    A turn is a row of small decisions; automatic steps and passes are made by `play`. States are
    immutable, hashable and comparable.

    A state knows the order of its piles (then draws follow it and are no chance, in a real game or
    a replay) or only what is unseen (then draws and turnings-up are chance, in a search). The blind
    picks of Eagle and Dragonfly are chance in both.

    Make one with `new`, `from_dict` or `parse`.

    Examples
    --------
    >>> import numpy as np
    >>> state = State.new(np.random.default_rng(5))
    >>> state.kind, state.decider, [str(action) for action in state.legal()]
    ('decision', 0, ['play_tile 3-4', 'play_tile 4-7', 'play_tile 5-6'])
    """

    __slots__ = ("_codes", "_core", "_order", "_rules", "_status")

    _codes: list[int] | None
    _core: Core
    _order: Order | None
    _rules: Rules
    _status: int

    @classmethod
    def _of(cls, core: Core, order: Order | None, rules: Rules, node: int | None = None) -> "State":
        """Return a state of a vector that nobody changes any more."""
        state = object.__new__(cls)
        state._core, state._order, state._rules = core, order, rules
        state._status = status(core) if node is None else node
        state._codes = None
        return state

    @classmethod
    def new(
        cls,
        rng: np.random.Generator | int | None = None,
        rules: Rules | None = None,
        ordered: bool = True,
    ) -> "State":
        """Return the start of a game, shuffled.

        Parameters
        ----------
        rng : numpy.random.Generator or int, optional
            Where the shuffle comes from, or its seed.
        rules : Rules, optional
            The options of the rules, the sheet's by default.
        ordered : bool
            Whether the order of the piles is settled now, or every draw is chance.

        Raises
        ------
        PositionError
            If `rng` is neither generator nor seed, or `rules` are none.

        Examples
        --------
        >>> State.new(1) == State.new(1), State.new(1) == State.new(2)
        (True, False)
        """
        rules = Rules() if rules is None else rules
        if not isinstance(rules, Rules):
            raise PositionError(f"rules is {rules!r}: expected Rules(...)")
        seed = isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0
        if not (seed or rng is None or isinstance(rng, np.random.Generator)):
            raise PositionError(
                f"rng is {rng!r}: expected a numpy Generator or a seed, a whole number from 0 on"
            )
        rng = np.random.default_rng(rng)
        tiles = [CELLS[k] for k in rng.permutation(len(CELLS))]
        spirits = sorted(spirits_of(rules.variant))
        spirits = [spirits[k] for k in rng.permutation(len(spirits))]
        down, up = tiles[:_DISPLAY], tiles[_DISPLAY : 2 * _DISPLAY]
        rest = tiles[2 * _DISPLAY :]
        core = empty_core(rules)
        core[Field.PLACE : Field.PLACE + _DISPLAY] = up
        core[Field.UP] = mask_of(up)
        core[Field.DOWN] = (1 << _DISPLAY) - 1
        core[Field.HAND] = mask_of(rest[:_HAND])
        core[Field.HAND + 1] = mask_of(rest[_HAND : 2 * _HAND])
        pile = rest[2 * _HAND :]
        core[Field.POOL] = mask_of(pile + down)
        core[Field.SPIRIT_PILE] = sum(1 << spirit for spirit in spirits)
        order = Order(tuple(pile), tuple(enumerate(down)), tuple(spirits)) if ordered else None
        return cls._of(core, order, rules)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], rules: Rules | None = None) -> "State":
        """Return the state of a recorded game's start, of a recorded ending, or of `to_dict`.

        Parameters
        ----------
        data : mapping
            In the vocabulary of the recorded games.
        rules : Rules, optional
            By default those that `to_dict` wrote, or for a record the published ones of its
            variant.

        Raises
        ------
        PositionError
            If the rules do not allow the position; the message says what is wrong.
        NotationError
            If a cell or a spirit is not in its notation.
        """
        from games.solstis.position_reading import read_position  # noqa: PLC0415

        core, order, rules = read_position(data, rules)
        return cls._of(core, _follow(core, order, 0), rules)

    @classmethod
    def parse(cls, text: str) -> "State":
        """Return the state of a line of text that `str` made.

        Raises
        ------
        NotationError, PositionError, RulesError
            If it is not such a text.
        """
        from games.solstis.notation import parse_state  # noqa: PLC0415

        return cls.from_dict(parse_state(text))

    def to_dict(self) -> dict[str, Any]:
        """Return the state in the vocabulary of the recorded games; `from_dict` reads it."""
        from games.solstis.position import write_position  # noqa: PLC0415

        return write_position(self._core, self._order, self._rules)

    @property
    def rules(self) -> Rules:
        """The options of the rules."""
        return self._rules

    @property
    def ordered(self) -> bool:
        """Whether the order of the piles is known."""
        return self._order is not None

    @property
    def kind(self) -> NodeKind:
        """Whether a player decides, chance does, or the game is over."""
        return _KINDS[self._status]

    @property
    def to_move(self) -> int | None:
        """Whose turn it is, 0 or 1; None at the end.

        In the endphase, after the last turn, the player whose turn it would have been.
        """
        return None if self._status == len(_KINDS) - 1 else int(self._core[Field.TURN])

    @property
    def decider(self) -> int | None:
        """Who decides now, 0 or 1; None at a chance node and at the end."""
        return int(decider(self._core)) if self._status == DECISION else None

    def legal(self) -> list[Action]:
        """Return all legal actions, single ones too; none at a chance node and at the end."""
        if self._status != DECISION:
            return []
        return [ACTIONS[code] for code in self._options()]

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Return what chance may bring, with probabilities; nothing where chance has no say.

        Equal outcomes are merged, and of two spirits drawn the order does not matter.
        """
        if self._status != CHANCE:
            return []
        codes = self._options()
        chance = _FRACTIONS[len(codes)]
        return [(ACTIONS[code], chance) for code in codes]

    def _options(self) -> list[int]:
        """Return the codes of all legal actions, or of all outcomes."""
        codes = self._codes
        if codes is None:
            codes = legal_codes(self._core).tolist()
            if self._order is not None and self._status == CHANCE:
                codes = self._order.possible(codes)
            self._codes = codes
        return codes

    def play(self, action: Action | str) -> "State":
        """Return the state after an action, or after an outcome at a chance node.

        All automatic steps follow at once: passes, and the draws of a state with known order.

        Raises
        ------
        IllegalMoveError
            If it is not legal here; the message names what is.
        NotationError
            If a text is not that of an action.

        Examples
        --------
        >>> state = State.new(5, Rules.published())
        >>> [str(action) for action in state.play("play_tile 4-7").legal()]
        ['capture 4-3@0', 'capture 4-4@2']
        """
        code, core, order = self._checked(action).code, self._core.copy(), self._order
        node = apply(core, code, 0)
        if order is None:
            return self._of(core, None, self._rules, node)
        return self._of(core, _follow(core, order.without(code), 0), self._rules)

    def end_of_turn(self, action: Action | str) -> dict[str, Any] | None:
        """Return the position right after the turn that an action ends, in the records' words.

        The hand is refilled and nothing else has happened yet: no pass, no part of the endphase.
        None if the turn goes on after the action.

        Examples
        --------
        >>> state = State.new(5, Rules.published()).play("play_tile 4-7")
        >>> state.end_of_turn("capture 4-3@0")["pan"]["1"]["tiles"]
        ['4-3', '4-7']
        """
        from games.solstis.position import position_record  # noqa: PLC0415

        action = self._checked(action)
        core, order = self._core.copy(), self._order
        apply(core, action.code, 1)
        if order is not None:
            order = _follow(core, order.without(action.code), 1)
        in_a_turn = self._core[Field.STAGE] not in (Stage.COVER, Stage.END)
        won_by_fireflies = status(core) == END and in_a_turn
        if status(core) != TURN_ENDED and not won_by_fireflies:
            return None
        return position_record(core, order)

    def _checked(self, action: Action | str) -> Action:
        if not isinstance(action, Action):
            action = Action.parse(action)
        codes = self._options()
        if action.code not in codes:
            if not codes:
                raise IllegalMoveError(f"{action} is not possible: the game is over")
            known = ", ".join(str(ACTIONS[code]) for code in codes)
            raise IllegalMoveError(f"{action} is not possible here: expected one of {known}")
        return action

    def score(self, player: int) -> Score:
        """Return what a player's panorama is worth as it stands, with the breakdown.

        Examples
        --------
        >>> State.new(5).score(0).total
        0
        """
        return score_of(self._core, read_player(player))

    def observe(self, player: int) -> "Observation":
        """Return what a player sees of this state, and nothing else."""
        from games.solstis.observation import observe  # noqa: PLC0415

        return observe(self, read_player(player))

    def unordered(self) -> "State":
        """Return the state without the order of its piles: every draw is chance then."""
        return self if self._order is None else self._of(self._core, None, self._rules)

    def shuffled(self, rng: np.random.Generator | int | None = None) -> "State":
        """Return the state with an order of its piles drawn at random.

        Where a draw is due, it is made: an order leaves nothing of it to chance.
        """
        rng = np.random.default_rng(rng)
        from games.solstis.position import shuffled_order  # noqa: PLC0415

        core = self._core.copy()
        return self._of(core, _follow(core, shuffled_order(core, rng), 0), self._rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._order == other._order and self._core.tobytes() == other._core.tobytes()

    def __hash__(self) -> int:
        return hash((self._core.tobytes(), self._order))

    def __str__(self) -> str:
        from games.solstis.notation import format_state  # noqa: PLC0415

        return format_state(self.to_dict())

    def __repr__(self) -> str:
        return f"State.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return State._of, (self._core, self._order, self._rules)


def _follow(core: Core, order: Order | None, stop: int) -> Order | None:
    """Draw what the order brings, up to a decision or a blind pick."""
    if order is None:
        return None
    while status(core) == CHANCE:
        code = order.settled(legal_codes(core).tolist())
        if code is None:
            return order
        apply(core, code, stop)
        order = order.without(code)
    return order


def read_player(player: int) -> int:
    """Return the number of a player if there is such a one."""
    if isinstance(player, bool) or not isinstance(player, int | np.integer) or player not in (0, 1):
        raise PositionError(f"there is no player {player!r}: expected 0 or 1")
    return int(player)
