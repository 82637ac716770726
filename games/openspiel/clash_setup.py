"""The parameters of Solaris' Clash for OpenSpiel, read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from games.clash import (
    ROUNDS,
    Element,
    Hand,
    Objective,
    Rules,
    State,
    Time,
    full_hands,
    parse_times,
)
from games.clash.rules import Streak, sunburst_limit
from games.errors import PositionError
from games.openspiel.support import OBJECTIVES, Immutable, read_word

__all__ = ["DEFAULTS", "Setup", "read_setup"]

DEFAULTS: Final[dict[str, Any]] = {
    "players": 2,
    "objective": "win",
    "time_deck": "independent",
    "sunburst": "off",
    "extras": "chosen",
    "hands": "",
    "priors": "",
    "times": "",
    "points": "",
    "streaks": "",
    "simultaneous": False,
}
"""The parameters and their defaults."""

_WAYS: Final = ("chosen", "dealt")
_FEWEST_CARDS: Final = 2
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True)
class Setup(Immutable):
    """A game of Clash as it is set up for OpenSpiel.

    Attributes
    ----------
    rules : Rules
        The options of the rules.
    objective : {"win", "margin"}
        What is paid.
    hands : tuple of tuples of Hand
        For each player the hands that the player may start with.
    priors : tuple of tuples of float
        For each player their chances.
    chosen : bool
        Whether players choose their hands; otherwise they are dealt.
    times : tuple
        The times that are known from the start; empty if the first four are dealt.
    points, streaks : tuple
        As in `games.clash.State`.
    simultaneous : bool
        Whether all players choose in one step, or one after the other without seeing it.
    """

    rules: Rules
    objective: Objective
    hands: tuple[tuple[Hand, ...], ...]
    priors: tuple[tuple[float, ...], ...]
    chosen: bool
    times: tuple[Time, ...]
    points: tuple[int, ...]
    streaks: tuple[Streak, ...]
    simultaneous: bool

    @property
    def players(self) -> int:
        """How many players there are."""
        return self.rules.players

    @property
    def rounds(self) -> int:
        """How many rounds are played, the last one included."""
        return len(self.hands[0][0])

    @cached_property
    def undecided(self) -> tuple[int, ...]:
        """The players who may start with more than one hand."""
        return tuple(player for player, hands in enumerate(self.hands) if len(hands) > 1)

    @property
    def actions(self) -> int:
        """How many actions there are: the four cards, then the hands where they are chosen."""
        return len(Element) + (max(map(len, self.hands)) if self.chosen and self.undecided else 0)

    @property
    def outcomes(self) -> int:
        """How many outcomes a chance node may have."""
        dealt = 0 if self.chosen else max(map(len, self.hands))
        return max(len(Time), dealt)

    @property
    def most_decisions(self) -> int:
        """How many decisions a game has; with simultaneous moves, how many joint ones."""
        choices = len(self.undecided) if self.chosen else 0
        if self.simultaneous:
            return self.rounds - 1 + min(choices, 1)
        return self.players * (self.rounds - 1) + choices

    @property
    def most_chance_nodes(self) -> int:
        """How many chance nodes a game has."""
        return ROUNDS - len(self.times) + (0 if self.chosen else len(self.undecided))

    @property
    def utilities(self) -> tuple[float, float]:
        """The least and the greatest that a player can get, or bounds of them."""
        others = self.players - 1
        if self.objective == "win":
            return -1.0, float(others)
        points = self.points or (0,) * self.players
        most = [
            2 * others * self.rounds + sunburst_limit(self.rules, streak, self.rounds)
            for streak in self.streaks or (0,) * self.players
        ]
        rest = [
            (sum(points) - points[k], sum(most) - most[k], points[k], most[k])
            for k in range(self.players)
        ]
        least = min(own - (had + gained) / others for had, gained, own, _ in rest)
        return least, max(own + mine - had / others for had, _, own, mine in rest)

    def position(self, hands: tuple[Hand, ...], times: tuple[Time, ...]) -> State:
        """Return the position at which play begins."""
        return State(hands, times, self.points, self.streaks, rules=self.rules)


def read_setup(parameters: Mapping[str, Any]) -> Setup:
    """Return the game that the parameters describe.

    Raises
    ------
    GameError
        If a parameter is not possible; the message names it.

    Examples
    --------
    >>> setup = read_setup({**DEFAULTS, "hands": "WWF|WFF/WAE", "times": "MiDaNoDaNoDu"})
    >>> setup.rounds, setup.undecided, setup.priors
    (3, (0,), ((0.5, 0.5), (1.0,)))
    """
    rules = Rules(
        players=parameters["players"],
        time_deck=parameters["time_deck"],
        sunburst=parameters["sunburst"],
    )
    hands = _hands(parameters["hands"], rules.players)
    chosen = read_word(parameters, "extras", _WAYS) == "chosen"
    if chosen and parameters["priors"]:
        raise PositionError("priors are given, but extras=chosen: they belong to extras=dealt")
    row = parse_times(parameters["times"]) if parameters["times"] else ()
    setup = Setup(
        rules,
        read_word(parameters, "objective", OBJECTIVES),
        hands,
        _priors(parameters["priors"], hands),
        chosen,
        tuple(time for time in row if time is not None),
        tuple(_number(word, "points") for word in _parts(parameters["points"])),
        tuple(_streak(word) for word in _parts(parameters["streaks"])),
        bool(parameters["simultaneous"]),
    )
    for player, held in enumerate(hands):
        for hand in held:
            # the position checks each hand, the times, the points and the streaks
            first = tuple(others[0] for others in hands)
            together = (*first[:player], hand, *first[player + 1 :])
            setup.position(
                together, setup.times or (Time.DAWN, Time.NOON, Time.MIDNIGHT, Time.DUSK)
            )
    return setup


def _parts(text: str) -> list[str]:
    """Return what stands between slashes: one for each player."""
    return text.split("/") if text else []


def _hands(text: str, players: int) -> tuple[tuple[Hand, ...], ...]:
    if not text:
        return (tuple(full_hands().values()),) * players
    hands = tuple(tuple(Hand.parse(hand) for hand in part.split("|")) for part in _parts(text))
    if len(hands) == 1:
        hands *= players
    if len(hands) != players:
        raise PositionError(
            f"hands {text!r} are for {len(hands)} players: expected one list for all, or "
            f"{players} with / between"
        )
    sizes = {len(hand) for held in hands for hand in held}
    if len(sizes) > 1 or not _FEWEST_CARDS <= min(sizes) <= ROUNDS:
        raise PositionError(
            f"hands {text!r} have {' and '.join(map(str, sorted(sizes)))} cards: expected one "
            f"size from {_FEWEST_CARDS} to {ROUNDS}"
        )
    for held in hands:
        if len(set(held)) < len(held):
            raise PositionError(f"hands {text!r}: the same hand stands twice in a list")
    return hands


def _priors(text: str, hands: tuple[tuple[Hand, ...], ...]) -> tuple[tuple[float, ...], ...]:
    if not text:
        return tuple((1 / len(held),) * len(held) for held in hands)
    try:
        priors = tuple(tuple(map(float, part.split("|"))) for part in _parts(text))
    except ValueError:
        raise PositionError(f"priors {text!r}: expected numbers such as 0.25|0.75/1") from None
    if len(priors) == 1:
        priors *= len(hands)
    if [len(row) for row in priors] != [len(held) for held in hands]:
        raise PositionError(f"priors {text!r}: expected one for each hand of each player")
    for row in priors:
        if not min(row) > 0 or not abs(sum(row) - 1) < _TOLERANCE:
            raise PositionError(f"priors {text!r}: expected positive chances with the sum 1")
    return priors


def _number(word: str, name: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 4):
        raise PositionError(f"{name}: {word!r} is no whole number; expected e.g. 3/2")
    return int(word)


def _streak(word: str) -> Streak:
    return word if word == "*" else _number(word, "streaks")
