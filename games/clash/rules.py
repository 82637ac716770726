"""The options of the rules, and what a round scores under them.

Rules page: "A round", "Optional bonuses". Everything here is a pure function of the rules, the
cards, the time and what a bonus remembers.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from games.clash.elements import Element, ElementLike, Time, TimeLike, read_cards, whole_number
from games.errors import RulesError

__all__ = [
    "AWARDED",
    "Bonus",
    "RoundScore",
    "Rules",
    "Streak",
    "check_bonus",
    "clash_points",
    "score_round",
    "sunburst_limit",
]

TimeDeck: TypeAlias = Literal["independent", "distinct"]
Sunburst: TypeAlias = Literal["off", "restarting", "overlapping", "once"]
Streak: TypeAlias = int | str

AWARDED: Final = "*"
"""The streak of a player who has had the only Sunburst of a game (``sunburst="once"``)."""

_TIME_DECKS = ("independent", "distinct")
_SUNBURSTS = ("off", "restarting", "overlapping", "once")
_SUNBURST_ROUNDS = 3


@runtime_checkable
class Bonus(Protocol):
    """A bonus of the user's own: a small automaton with a name.

    It must be hashable, as it is part of the rules, and so must what it remembers. Positions and
    saved tables write that as a Python literal, so keep to numbers, texts, None and tuples of
    them. ``start`` is what it remembers before round 1;
    ``step`` is called once after every round, after Sunburst was counted.
    """

    @property
    def name(self) -> str:
        """Its name; saved results record it and refuse another."""

    @property
    def start(self) -> Hashable:
        """What it remembers before round 1."""

    def step(
        self,
        memory: Hashable,
        cards: tuple[Element, ...],
        time: Time,
        points_this_round: tuple[int, ...],
    ) -> tuple[Hashable, Sequence[int]]:
        """Return the new memory and each player's bonus points, non-negative integers."""


@dataclass(frozen=True)
class Rules:
    """The options of a game of Solaris' Clash.

    Parameters
    ----------
    players : int
        Two to six.
    time_deck : {"independent", "distinct"}
        How the two additional time cards are drawn: each uniformly from the four times, or as two
        different times.
    sunburst : {"off", "restarting", "overlapping", "once"}
        Whether three scoring rounds in a row earn a bonus point, and how often.
    bonus : Bonus, optional
        A bonus of the user's own.

    Raises
    ------
    RulesError
        If an option is not one of those.

    Examples
    --------
    >>> Rules(sunburst="restarting").time_deck
    'independent'
    """

    players: int = 2
    time_deck: TimeDeck = "independent"
    sunburst: Sunburst = "off"
    bonus: Bonus | None = None

    def __post_init__(self) -> None:
        players = whole_number(self.players)
        if players is None or not 2 <= players <= 6:
            raise RulesError(f"players is {self.players!r}: expected a whole number from 2 to 6")
        object.__setattr__(self, "players", players)
        for name, value, allowed in (
            ("time_deck", self.time_deck, _TIME_DECKS),
            ("sunburst", self.sunburst, _SUNBURSTS),
        ):
            if not isinstance(value, str) or value not in allowed:
                raise RulesError(f"{name} is {value!r}: expected one of {', '.join(allowed)}")
        if self.bonus is not None:
            check_bonus(self.bonus)

    def __str__(self) -> str:
        bonus = "" if self.bonus is None else f", bonus {self.bonus.name!r}"
        return (
            f"{self.players} players, {self.time_deck} time deck, Sunburst {self.sunburst}{bonus}"
        )


def check_bonus(bonus: object) -> None:
    """Refuse what is no bonus of the user's own.

    Raises
    ------
    RulesError
        If it is not an object with name, start and step, all hashable.
    """
    if isinstance(bonus, str) and bonus == "suns_cycle":
        raise RulesError(
            "the source names the Sun's Cycle but gives no text for it, so there is no such rule "
            "here; pass an object with name, start and step (see Bonus) to add a bonus of your own"
        )
    if isinstance(bonus, str):
        raise RulesError(f"bonus {bonus!r} does not exist: pass an object with name, start, step")
    if isinstance(bonus, type):
        raise RulesError(f"bonus {bonus!r} is a class: pass an object of it")
    if not isinstance(bonus, Bonus) or not callable(bonus.step):
        raise RulesError(f"bonus {bonus!r} lacks one of name, start and step (see Bonus)")
    name: object = bonus.name
    if not (isinstance(name, str) and name and name.isprintable() and name == name.strip()):
        raise RulesError(f"a bonus needs a printable name without spaces around it, not {name!r}")
    for what, value in (("bonus", bonus), ("start of the bonus", bonus.start)):
        try:
            hash(value)
        except TypeError:
            raise RulesError(f"the {what} {bonus.name!r} is not hashable") from None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a round scored.

    Attributes
    ----------
    points : tuple of int
        Points of the clash for each player, without bonuses.
    sunburst : tuple of int
        Sunburst points for each player.
    bonus : tuple of int
        Points of the user's own bonus for each player.
    streaks : tuple
        Each player's streak after the round; empty when Sunburst is off.
    memory : hashable
        What the user's own bonus remembers after the round; None when there is none.
    """

    points: tuple[int, ...]
    sunburst: tuple[int, ...]
    bonus: tuple[int, ...]
    streaks: tuple[Streak, ...]
    memory: Hashable

    @property
    def total(self) -> tuple[int, ...]:
        """All points of the round for each player."""
        return tuple(map(sum, zip(self.points, self.sunburst, self.bonus, strict=True)))


def clash_points(cards: Sequence[ElementLike], time: TimeLike | None) -> tuple[int, ...]:
    """Points that each card scores against all the others.

    Parameters
    ----------
    cards : sequence of elements
        One card a player.
    time : Time, its text or None
        The time of day; None in a tie-break, where no element is boosted.

    Returns
    -------
    tuple of int
        For each player one point an opponent beaten, two if the time boosts the card.

    Raises
    ------
    NotationError
        If a card is no element or the time no time.

    Examples
    --------
    >>> clash_points((Element.WATER, Element.FIRE), Time.DAWN)
    (2, 0)
    >>> clash_points((Element.WATER, Element.FIRE, Element.AIR), Time.NOON)
    (1, 2, 0)
    """
    played = read_cards(cards)
    boosted = None if time is None else Time.parse(time).element
    return tuple((2 if card == boosted else 1) * sum(map(card.beats, played)) for card in played)


def score_round(
    rules: Rules,
    cards: Sequence[ElementLike],
    time: TimeLike,
    streaks: tuple[Streak, ...],
    memory: Hashable,
) -> RoundScore:
    """Score one round under the rules: the clash, then Sunburst, then the user's own bonus.

    Raises
    ------
    NotationError
        If a card is no element or the time no time.
    RulesError
        If the user's own bonus returns something other than a hashable memory and one
        non-negative integer a player.

    Examples
    --------
    >>> rules = Rules(sunburst="restarting")
    >>> score = score_round(rules, (Element.WATER, Element.FIRE), Time.DAWN, (2, 1), None)
    >>> score.total, score.streaks
    ((3, 0), (0, 0))
    """
    played, now = read_cards(cards), Time.parse(time)
    points = clash_points(played, now)
    nothing = (0,) * len(played)
    sunburst, new_streaks = nothing, streaks
    if rules.sunburst != "off":
        steps = [_sunburst(rules, s, scored > 0) for s, scored in zip(streaks, points, strict=True)]
        new_streaks = tuple(streak for streak, _ in steps)
        sunburst = tuple(award for _, award in steps)
    if rules.bonus is None:
        return RoundScore(points, sunburst, nothing, new_streaks, None)
    new_memory, bonus = _bonus_step(rules.bonus, memory, played, now, points)
    return RoundScore(points, sunburst, bonus, new_streaks, new_memory)


def _sunburst(rules: Rules, streak: Streak, scored: bool) -> tuple[Streak, int]:
    """Return a player's streak and Sunburst point after a round that scored or did not."""
    if isinstance(streak, str):
        return AWARDED, 0
    if not scored:
        return 0, 0
    if streak + 1 < _SUNBURST_ROUNDS:
        return streak + 1, 0
    after: dict[str, Streak] = {"restarting": 0, "overlapping": streak, "once": AWARDED}
    return after[rules.sunburst], 1


def sunburst_limit(rules: Rules, streak: Streak, rounds: int) -> int:
    """Return how many Sunbursts a player with this streak can earn in so many rounds."""
    if rules.sunburst == "off" or isinstance(streak, str):
        return 0
    scoring = streak + rounds
    restarting = scoring // _SUNBURST_ROUNDS
    overlapping = max(scoring - _SUNBURST_ROUNDS + 1, 0)
    limits = {"restarting": restarting, "overlapping": overlapping, "once": min(restarting, 1)}
    return limits[rules.sunburst]


def _bonus_step(
    bonus: Bonus,
    memory: Hashable,
    cards: tuple[Element, ...],
    time: Time,
    points: tuple[int, ...],
) -> tuple[Hashable, tuple[int, ...]]:
    result = bonus.step(memory, cards, time, points)
    try:
        new_memory, awards = result
        awards = tuple(awards)
        numbers = tuple(number for award in awards if (number := whole_number(award)) is not None)
        hash(new_memory)
    except (TypeError, ValueError):
        raise RulesError(
            f"bonus {bonus.name!r} returned {result!r}: expected a hashable memory and a sequence "
            "of points, one a player"
        ) from None
    if not len(numbers) == len(awards) == len(cards) or min(numbers) < 0:
        raise RulesError(
            f"bonus {bonus.name!r} gave points {awards!r}: expected {len(cards)} non-negative "
            "integers"
        )
    return new_memory, numbers
