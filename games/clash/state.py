"""The state of a game: an immutable position at the start of a round or at a turning-up of a time.

Rules page: "A round", "End", "Objectives", "Positions".
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias, TypeVar

from games.clash.elements import (
    ROUNDS,
    Element,
    ElementLike,
    Time,
    TimeLike,
    TimesLike,
    counted,
    format_times,
    parse_times,
    whole_number,
)
from games.clash.hand import Hand, HandLike
from games.clash.memory import memory_from_text, memory_to_text
from games.clash.rules import AWARDED, RoundScore, Rules, Streak, score_round, sunburst_limit
from games.clash.time_deck import next_times, prefix_chance
from games.errors import GameError, IllegalMoveError, NotationError, PositionError

__all__ = ["OBJECTIVES", "Objective", "State"]

Objective: TypeAlias = Literal["win", "margin"]

OBJECTIVES: Final = ("win", "margin")
"""What a player may maximise: antes of the pot, or the difference in points."""

_DEFAULT_RULES: Final = Rules()
_MEMORY: Final = " memory="
_T = TypeVar("_T")


class _AtStart:
    """Stands for 'what the bonus remembers before round 1'."""

    def __repr__(self) -> str:
        return "<at start>"


_AT_START: Final = _AtStart()


@dataclass(frozen=True)
class State:
    """A position of Solaris' Clash.

    It is hashable and comparable, prints as one line of text and is parsed back from it.

    Parameters
    ----------
    hands : sequence of Hand
        What each player still holds, all of one size.
    times : row of times
        The time cards in order; those face down are None or left out.
    points : sequence of int, optional
        Points so far, 0 each by default.
    streaks : sequence of int, optional
        With Sunburst: rounds in a row with a point, 0 each by default; ``"*"`` where the only
        Sunburst of a game was awarded. Empty when Sunburst is off.
    memory : hashable, optional
        What the user's own bonus remembers; its start by default, None when there is no bonus.
    rules : Rules
        The options of the rules.

    Raises
    ------
    PositionError
        If the rules do not allow the position; the message says what is wrong.
    NotationError
        If a hand or a time is not in its notation.

    Examples
    --------
    >>> state = State.parse("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    >>> state.round, state.time, [card.letter for card in state.legal(0)]
    (1, <Time.DAWN: 0>, ['W', 'F', 'A', 'E'])
    >>> str(state.play(("W", "F")))
    'WFFAE/WFAEE DaNoDuMi---- 2-0'
    """

    hands: tuple[Hand, ...]
    times: tuple[Time | None, ...]
    points: tuple[int, ...] = ()
    streaks: tuple[Streak, ...] = ()
    memory: Hashable = _AT_START
    rules: Rules = _DEFAULT_RULES

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise PositionError(f"rules is {self.rules!r}: expected Rules(...)")
        players = self.rules.players
        sunburst = self.rules.sunburst != "off"
        bonus = self.rules.bonus
        memory = self.memory
        if isinstance(memory, _AtStart):
            memory = None if bonus is None else bonus.start
        _set(self, "hands", _parse_hands(self.hands))
        _set(self, "times", parse_times(self.times))
        points = tuple(_whole(number, "points") for number in _entries(self.points, "points"))
        _set(self, "points", points or (0,) * players)
        _set(self, "memory", memory)
        streaks = tuple(
            AWARDED if isinstance(streak, str) and streak == AWARDED else _whole(streak, "streaks")
            for streak in _entries(self.streaks, "streaks")
        )
        _set(self, "streaks", streaks or (0,) * players if sunburst else streaks)
        self._check_hands_and_times()
        self._check_streaks()
        self._check_points()
        if bonus is None and memory is not None:
            raise PositionError(f"memory {memory!r} is given, but the rules have no bonus")
        try:
            hash(memory)
        except TypeError:
            raise PositionError(f"memory {memory!r} is not hashable") from None

    def _check_hands_and_times(self) -> None:
        players = self.rules.players
        if len(self.hands) != players:
            raise PositionError(f"{counted(len(self.hands), 'hand')} for {players} players")
        sizes = [len(hand) for hand in self.hands]
        if len(set(sizes)) > 1:
            raise PositionError(f"hands {self._hands_text()} differ in size: {sizes}")
        face_up = self._face_up
        if not prefix_chance(face_up, self.rules.time_deck):
            raise PositionError(
                f"times {format_times(self.times)} cannot occur with the {self.rules.time_deck} "
                "time deck: it holds each time once and two more"
            )
        if len(face_up) < self.rounds_played:
            raise PositionError(
                f"{self.rounds_played} rounds were played, but only {len(face_up)} times are "
                f"face up in {format_times(self.times)}"
            )

    def _check_points(self) -> None:
        players, played = self.rules.players, self.rounds_played
        if len(self.points) != players:
            raise PositionError(
                f"{counted(len(self.points), 'total of points')} for {players} players"
            )
        for points, streak in zip(self.points, self.streaks or (0,) * players, strict=True):
            if points < 0:
                raise PositionError(f"points {points}: expected 0 or more")
            most = 2 * (players - 1) * played
            most += self._most_sunbursts(streak) if self.streaks else 0
            if self.rules.bonus is None and points > most:
                raise PositionError(
                    f"{counted(points, 'point')} cannot be reached in {counted(played, 'round')}"
                    + (f" with a streak of {streak}" if self.streaks else "")
                    + f": at most {most}"
                )

    def _most_sunbursts(self, streak: Streak) -> int:
        """Return how many Sunbursts a player may have had so far.

        As many as the rounds played allow; fewer where the streak could then earn more than a
        later round allows, so that no play leads out of bounds.
        """
        played = self.rounds_played
        return min(
            sunburst_limit(self.rules, 0, played + more) - sunburst_limit(self.rules, streak, more)
            for more in range(ROUNDS - played + 1)
        )

    def _check_streaks(self) -> None:
        players, played = self.rules.players, self.rounds_played
        if self.rules.sunburst == "off":
            if self.streaks:
                raise PositionError(f"streaks {self.streaks!r} are given, but Sunburst is off")
            return
        if len(self.streaks) != players:
            raise PositionError(f"{counted(len(self.streaks), 'streak')} for {players} players")
        for streak in self.streaks:
            if streak == AWARDED and self.rules.sunburst == "once" and played >= 3:
                continue
            limit = min(2, played)
            if isinstance(streak, str) or not 0 <= streak <= limit:
                raise PositionError(
                    f"streak {streak!r} cannot be after {counted(played, 'round')} with "
                    f"Sunburst {self.rules.sunburst}: expected 0 to {limit}"
                    + (", or * from round 4 on" if self.rules.sunburst == "once" else "")
                )

    @classmethod
    def start(
        cls, hands: str | Iterable[HandLike], face_up: TimesLike, rules: Rules | None = None
    ) -> "State":
        """Return the position at the start of round 1.

        Parameters
        ----------
        hands : iterable of Hand
            One full hand a player; or their texts with ``/`` between.
        face_up : row of times
            The four times turned up; the fifth and sixth may be given too and are then known.
        rules : Rules, optional
            The options of the rules.

        Raises
        ------
        PositionError
            If a hand is not full or the times cannot occur.

        Examples
        --------
        >>> str(State.start(["WFAE+WF", "WFAE+EE"], "DaNoDuMi"))
        'WWFFAE/WFAEEE DaNoDuMi---- 0-0'
        """
        held = _parse_hands(hands)
        for hand in held:
            if not hand.is_full:
                raise PositionError(
                    f"{hand} has {counted(len(hand), 'card')}: a full hand has {ROUNDS}, as WFAE+WF"
                )
        return cls(held, parse_times(face_up), rules=_DEFAULT_RULES if rules is None else rules)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> "State":
        """Read a position from its text.

        Parameters
        ----------
        text : str
            Hands left, six time codes with ``--`` for face down (which may be left out), points,
            and streaks when Sunburst is on: ``"WF/EE DaNoDuMiDa-- 3-2"``.
        rules : Rules, optional
            The options of the rules.

        Raises
        ------
        NotationError
            If the text is malformed.
        PositionError
            If the rules do not allow the position.
        """
        rules = _DEFAULT_RULES if rules is None else rules
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is no text of a position")
        if not isinstance(rules, Rules):
            raise PositionError(f"rules is {rules!r}: expected Rules(...)")
        body, memory_sign, memory_text = text.partition(_MEMORY)
        fields = body.split()
        wanted = ["hands", "times", "points"] + ["streaks"] * (rules.sunburst != "off")
        if len(fields) != len(wanted):
            raise NotationError(
                f"position {text!r} has {counted(len(fields), 'field')}: expected "
                f"{', '.join(wanted)} (Sunburst is {rules.sunburst}), as in WF/EE DaNoDuMiDa-- 3-2"
                + (" 0-1" if rules.sunburst != "off" else "")
            )
        memory: Hashable = _AT_START
        if memory_sign:
            if rules.bonus is None:
                raise NotationError(
                    f"the position gives memory={memory_text}, but the rules have no bonus"
                )
            memory = memory_from_text(memory_text)
        return cls(
            _parse_hands(fields[0]),
            parse_times(fields[1]),
            tuple(_parse_number(number, "points") for number in fields[2].split("-")),
            tuple(
                AWARDED if streak == AWARDED else _parse_number(streak, "streaks")
                for streak in (fields[3].split("-") if len(fields) > 3 else ())
            ),
            memory,
            rules,
        )

    def __str__(self) -> str:
        fields = [self._hands_text(), format_times(self.times), "-".join(map(str, self.points))]
        if self.streaks:
            fields.append("-".join(map(str, self.streaks)))
        text = " ".join(fields)
        if self.rules.bonus is not None and self.memory != self.rules.bonus.start:
            text += f"{_MEMORY}{memory_to_text(self.memory)}"
        return text

    def _hands_text(self) -> str:
        return "/".join(map(str, self.hands))

    @property
    def _face_up(self) -> tuple[Time, ...]:
        return tuple(time for time in self.times if time is not None)

    @property
    def rounds_played(self) -> int:
        """How many rounds were played, 0 to 6."""
        return ROUNDS - len(self.hands[0])

    @property
    def round(self) -> int:
        """The round to be played, 1 to 6; 6 when the game is over."""
        return min(self.rounds_played + 1, ROUNDS)

    @property
    def time(self) -> Time | None:
        """The time of the round; None while it lies face down."""
        return self.times[self.round - 1]

    @property
    def is_over(self) -> bool:
        """Whether all six rounds were played."""
        return self.rounds_played == ROUNDS

    @property
    def time_is_due(self) -> bool:
        """Whether the time of the round must be turned up before cards are chosen."""
        return not self.is_over and self.time is None

    def next_times(self) -> dict[Time, Fraction]:
        """Return the exact chance of each time that may be turned up now; empty when none is due.

        Examples
        --------
        >>> State.parse("WF/EE DaDaNoDu---- 3-2").next_times()[Time.MIDNIGHT]
        Fraction(15, 26)
        """
        return next_times(self._face_up, self.rules.time_deck) if self.time_is_due else {}

    def legal(self, player: int) -> tuple[Element, ...]:
        """Return the cards that a player may choose: none while a time is due or when over.

        Raises
        ------
        GameError
            If there is no such player.
        """
        hand = self.hands[self._player(player)]
        return () if self.time_is_due else hand.elements

    def reveal(self, time: TimeLike) -> "State":
        """Turn up the time that is due.

        Raises
        ------
        IllegalMoveError
            If no time is due, or this one cannot be.

        Examples
        --------
        >>> str(State.parse("WF/EE DaNoDuMi---- 3-2").reveal("Da"))
        'WF/EE DaNoDuMiDa-- 3-2'
        """
        turned_up = Time.parse(time)
        possible = self.next_times()
        if not possible:
            raise IllegalMoveError(f"no time is due to be turned up in {self}")
        if turned_up not in possible:
            codes = ", ".join(t.code for t in possible)
            raise IllegalMoveError(
                f"{turned_up.code} cannot be turned up in {self}: possible are {codes}"
            )
        return replace(self, times=(*self._face_up, turned_up))

    def play(self, cards: Sequence[ElementLike]) -> "State":
        """Play one card each, all revealed at once, and return the position after the round.

        Parameters
        ----------
        cards : sequence of elements
            One card a player, in the players' order: ``("W", "F")`` or ``"WF"``.

        Raises
        ------
        IllegalMoveError
            If the game is over, a time is due, or a card is not in its player's hand.
        """
        chosen = self._chosen(cards)
        score = self._score(chosen)
        return replace(
            self,
            hands=tuple(hand.without(card) for hand, card in zip(self.hands, chosen, strict=True)),
            points=tuple(map(sum, zip(self.points, score.total, strict=True))),
            streaks=score.streaks,
            memory=score.memory,
        )

    def score(self, cards: Sequence[ElementLike]) -> RoundScore:
        """Return what this round would score with these cards, bonuses apart.

        Raises
        ------
        IllegalMoveError
            As for `play`.

        Examples
        --------
        >>> State.parse("WF/EE DaNoDuMiDa-- 3-2").score("WE").total
        (0, 1)
        """
        return self._score(self._chosen(cards))

    def _score(self, cards: tuple[Element, ...]) -> RoundScore:
        assert self.time is not None
        return score_round(self.rules, cards, self.time, self.streaks, self.memory)

    def _chosen(self, cards: Sequence[ElementLike]) -> tuple[Element, ...]:
        chosen = tuple(Element.parse(card) for card in _entries(cards, "cards"))
        if self.is_over:
            raise IllegalMoveError(f"no card can be played: {self} is over")
        if self.time_is_due:
            raise IllegalMoveError(f"turn up the time of round {self.round} first: {self}")
        if len(chosen) != len(self.hands):
            raise IllegalMoveError(f"{counted(len(chosen), 'card')} for {len(self.hands)} players")
        for player, (hand, card) in enumerate(zip(self.hands, chosen, strict=True)):
            if card not in hand:
                legal = ", ".join(element.letter for element in hand.elements)
                raise IllegalMoveError(
                    f"player {player} cannot play {card.letter} in {self}: legal are {legal}"
                )
        return chosen

    def margin(self, player: int) -> float:
        """Return own points so far minus the mean of the opponents' points."""
        own = self.points[self._player(player)]
        return own - (sum(self.points) - own) / (len(self.points) - 1)

    def utility(self, player: int, objective: Objective = "win") -> float:
        """Return what the end of the game is worth to a player.

        Parameters
        ----------
        player : int
            The player, 0 to n - 1.
        objective : {"win", "margin"}
            Antes won of the pot (a tie shares it), or points above the opponents' mean.

        Raises
        ------
        GameError
            If the game is not over, or there is no such player or objective.

        Examples
        --------
        >>> over = State.parse("-/- DaNoDuMiDaNo 7-5")
        >>> over.utility(0), over.utility(1), over.utility(0, "margin")
        (1.0, -1.0, 2.0)
        """
        index = self._player(player)
        if objective not in OBJECTIVES:
            raise GameError(f"objective is {objective!r}: expected one of {', '.join(OBJECTIVES)}")
        if not self.is_over:
            raise GameError(f"{self} is not over: it has no utility yet")
        if objective == "margin":
            return self.margin(index)
        best = max(self.points)
        if self.points[index] < best:
            return -1.0
        return len(self.points) / self.points.count(best) - 1

    def _player(self, player: int) -> int:
        index = _whole(player, "player")
        if not 0 <= index < len(self.hands):
            raise GameError(f"there is no player {index}: expected 0 to {len(self.hands) - 1}")
        return index


def _set(state: State, name: str, value: object) -> None:
    """Put the checked object in the place of its text: the one write to a frozen state."""
    object.__setattr__(state, name, value)


def _whole(value: object, what: str) -> int:
    """Read a whole number, also one of numpy's; True and 2.0 are none."""
    number = whole_number(value)
    if number is None:
        raise PositionError(f"{what}: {value!r} is no whole number")
    return number


def _parse_hands(hands: str | Iterable[HandLike]) -> tuple[Hand, ...]:
    entries = hands.split("/") if isinstance(hands, str) else _entries(hands, "hands")
    return tuple(Hand.parse(hand) for hand in entries)


def _entries(values: Iterable[_T], what: str) -> list[_T]:
    if isinstance(values, set | frozenset):
        raise PositionError(f"{what} {values!r}: a set does not say which is whose")
    try:
        return list(values)
    except TypeError:
        raise PositionError(f"{what} {values!r}: expected one for each player") from None


def _parse_number(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise NotationError(f"{what}: {text!r} is no whole number; expected e.g. 3-2")
    return int(text)
