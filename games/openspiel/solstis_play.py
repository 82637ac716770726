"""How a game of Solstis goes, one step of chance or of a player after the other.

The deal is twelve steps of chance: the face-up tiles of places 0 to 5, then the hand of player 0,
then that of player 1. All other tiles are unseen, and drawing one is chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from games.errors import IllegalMoveError, RulesError
from games.openspiel.support import OBJECTIVES, Immutable, read_word
from games.solstis import Action, Rules, State
from games.solstis.action_numbers import legal_numbers
from games.solstis.dealing import DEALT_TILES, DISPLAY_PLACES, HAND_TILES, deal, drawing_player
from games.solstis.mountain import CELLS, cell_name

__all__ = ["DEFAULTS", "Play", "Seen", "Setup", "position_parameter", "read_setup"]

DEFAULTS: Final[dict[str, Any]] = {"objective": "win", "position": "", **Rules().to_dict()}
"""The parameters and their defaults."""

_TILES: Final = tuple(map(cell_name, CELLS))
_SIGNS: Final = {"=": "~", ",": ";"}
"""Signs of a position that would end a parameter, and what stands for them."""


@dataclass(frozen=True)
class Setup(Immutable):
    """A game of Solstis as it is set up for OpenSpiel.

    Attributes
    ----------
    rules : Rules
        The options of the rules.
    objective : {"win", "margin"}
        What is paid.
    position : State, optional
        Where the game begins, instead of a deal.
    """

    rules: Rules
    objective: str
    position: State | None


def position_parameter(state: State) -> str:
    """Return a state as the parameter ``position``: its text, with other signs for ``=`` and ``,``.

    Examples
    --------
    >>> position_parameter(State.new(5))[:48]
    'rules~base;land;anywhere;reveals;to_encounterer;'
    """
    text = str(state.unordered())
    for sign, other in _SIGNS.items():
        text = text.replace(sign, other)
    return text


def read_setup(parameters: Mapping[str, Any]) -> Setup:
    """Return the game that the parameters describe.

    Raises
    ------
    GameError
        If a parameter is not possible; the message names it.

    Examples
    --------
    >>> read_setup({**DEFAULTS, "variant": "long"})
    Traceback (most recent call last):
    games.errors.RulesError: variant is 'long': expected 'base', 'beginner' or 'firefly'
    """
    objective = read_word(parameters, "objective", OBJECTIVES)
    rules = Rules(**{name: parameters[name] for name in Rules().to_dict()})
    text = parameters["position"]
    if not text:
        return Setup(rules, objective, None)
    for sign, other in _SIGNS.items():
        text = text.replace(other, sign)
    position = State.parse(text).unordered()
    if rules not in (Rules(), position.rules):
        raise RulesError("the position says its rules: leave the other parameters of the rules out")
    if position.kind == "end":
        raise RulesError("the position is at its end: there is nothing to play")
    return Setup(position.rules, objective, position)


@dataclass(frozen=True)
class Seen(Immutable):
    """A step as the players saw it.

    Attributes
    ----------
    text : str
        What happened.
    viewer : int, optional
        Who alone saw all of it; None if both did.
    hidden : str
        What the other saw of it.
    """

    text: str
    viewer: int | None = None
    hidden: str = ""

    def by(self, player: int) -> str:
        """Return what a player saw."""
        return self.text if self.viewer in (None, player) else self.hidden


@dataclass(frozen=True)
class Play(Immutable):
    """A game so far.

    Attributes
    ----------
    setup : Setup
        The game that is played.
    dealt : tuple of str
        The tiles dealt so far.
    state : State
        The state; during the deal, what lies there so far.
    steps : tuple of Seen
        All that happened.
    """

    setup: Setup
    dealt: tuple[str, ...]
    state: State
    steps: tuple[Seen, ...] = ()

    @classmethod
    def start(cls, setup: Setup) -> "Play":
        """Return the start of a game."""
        if setup.position is not None:
            return cls(setup, (), setup.position)
        return cls(setup, (), deal((), setup.rules))

    @property
    def is_dealing(self) -> bool:
        """Whether tiles are still being dealt."""
        return self.setup.position is None and len(self.dealt) < DEALT_TILES

    @property
    def is_chance(self) -> bool:
        """Whether chance makes the next step."""
        return self.is_dealing or self.state.kind == "chance"

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return not self.is_dealing and self.state.kind == "end"

    @cached_property
    def numbered(self) -> dict[int, Action]:
        """The actions or outcomes that are possible, by number; none during the deal."""
        return {} if self.is_dealing else legal_numbers(self.state)

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of what chance may bring, with chances."""
        if self.is_dealing:
            numbers = [k for k, tile in enumerate(_TILES) if tile not in self.dealt]
        else:
            numbers = list(self.numbered)
        return [(number, 1 / len(numbers)) for number in numbers]

    def text(self, number: int) -> str:
        """Return the text of an action or of an outcome."""
        if self.is_dealing:
            return self._dealing(_TILES[number]).text
        return str(self._action(number))

    def after(self, number: int) -> "Play":
        """Return the game after an action or an outcome."""
        if self.is_dealing:
            tile = _TILES[number]
            dealt = (*self.dealt, tile)
            steps = (*self.steps, self._dealing(tile))
            return Play(self.setup, dealt, deal(dealt, self.setup.rules), steps)
        action = self._action(number)
        state, steps = self.state.play(action), (*self.steps, self._seen(action))
        return Play(self.setup, self.dealt, state, steps)

    def _action(self, number: int) -> Action:
        action = self.numbered.get(number)
        if action is None:
            known = ", ".join(f"{k} ({action})" for k, action in self.numbered.items())
            raise IllegalMoveError(f"action {number} is not possible here: expected one of {known}")
        return action

    def _dealing(self, tile: str) -> Seen:
        """Return the step of the deal that brings a tile."""
        place = len(self.dealt)
        if place < DISPLAY_PLACES:
            return Seen(f"deal {tile}@{place}")
        viewer = (place - DISPLAY_PLACES) // HAND_TILES
        return Seen(f"deal {tile} to {viewer}", viewer, f"deal ? to {viewer}")

    def _seen(self, action: Action) -> Seen:
        viewer = drawing_player(self.state)
        if viewer is not None:
            return Seen(f"{action} to {viewer}", viewer, f"draw ? to {viewer}")
        if action.kind == "fox_force":
            fox = self.state.decider
            assert fox is not None
            shown = "+".join(self.state.observe(fox).known)
            return Seen(f"{action} of {shown}", fox, str(action))
        return Seen(str(action))
