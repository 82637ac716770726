"""Records of played games: written, read, checked and replayed.

A record is plain text, one line a round, so that a person can write it at the table:

    Solaris' Clash record 1
    rules players=2 time_deck=independent sunburst=off
    deal WWFFAE/WFFAEE DaNoDuMi
    1 Da WF
    2 No EA
    tie-break WF

A round's line gives its number, its time and one card a player. A game may be recorded up to any
round; tie-breaks come after the sixth. Blank lines and lines that start with ``#`` are passed over.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.clash.elements import ROUNDS, Element, Time, format_times, read_cards
from games.clash.rules import Bonus, Rules, check_bonus
from games.clash.state import State
from games.clash.tie_break import TieBreak
from games.errors import GameError, NotationError, PositionError, RulesError
from games.files import written_aside

__all__ = ["PlayedRound", "Record"]

_HEADER = "Solaris' Clash record 1"
# Word processors put a curved apostrophe there.
_PLAIN = {ord("\N{RIGHT SINGLE QUOTATION MARK}"): "'"}
_OPTIONS = ("players", "time_deck", "sunburst", "bonus")


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round as it was played: its time and one card a player."""

    time: Time
    cards: tuple[Element, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", Time.parse(self.time))
        object.__setattr__(self, "cards", read_cards(self.cards))


@dataclass(frozen=True)
class Record:
    """A played game, or as much of it as was played.

    Parameters
    ----------
    deal : State
        The position at the start of round 1.
    rounds : tuple of PlayedRound
        The rounds in order.
    tie_breaks : tuple of tuple of Element
        The cards of each tie-break, one for each player still tied.

    Raises
    ------
    GameError
        If the game cannot have been played so; the message names the round.

    Examples
    --------
    >>> record = Record.parse('''Solaris' Clash record 1
    ... deal WWFFAE/WFFAEE DaNoDuMi
    ... 1 Da WF
    ... 2 No EA''')
    >>> str(record.state)
    'WFFA/WFEE DaNoDuMi---- 2-1'
    """

    deal: State
    rounds: tuple[PlayedRound, ...] = ()
    tie_breaks: tuple[tuple[Element, ...], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.deal, State):
            raise PositionError(f"deal is {self.deal!r}: expected a State (see Record.parse)")
        try:
            rounds, tie_breaks = tuple(self.rounds), tuple(self.tie_breaks)
        except TypeError:
            raise NotationError(
                "rounds and tie-breaks of a record: expected two sequences"
            ) from None
        for played in rounds:
            if not isinstance(played, PlayedRound):
                raise NotationError(f"{played!r} is no PlayedRound(time, cards)")
        object.__setattr__(self, "rounds", rounds)
        object.__setattr__(self, "tie_breaks", tuple(map(read_cards, tie_breaks)))
        for _ in self.states():
            pass
        for _ in self.tie_break_states():
            pass

    def states(self) -> Iterator[State]:
        """Iterate over the positions: the deal, then after each turning-up and each round."""
        state = self.deal
        if state.rounds_played or state != State(state.hands, state.times, rules=state.rules):
            raise GameError(f"a record starts at round 1, with nothing scored, not with {state}")
        yield state
        for number, played in enumerate(self.rounds, start=1):
            try:
                if state.time_is_due:
                    state = state.reveal(played.time)
                    yield state
                if not state.is_over and state.time != played.time:
                    assert state.time is not None
                    raise NotationError(f"the time is {state.time.code}, not {played.time.code}")
                state = state.play(played.cards)
            except GameError as error:
                raise type(error)(f"round {number}: {error}") from None
            yield state

    def tie_break_states(self) -> Iterator[TieBreak]:
        """Iterate over the tie-breaks: the first one, then after each; empty when none is due."""
        if not self.state.is_over:
            if self.tie_breaks:
                raise GameError(f"a tie-break is recorded, but {self.state} is not over")
            return
        tie = TieBreak.of(self.state)
        if tie.is_over and not self.tie_breaks:
            return
        yield tie
        for number, cards in enumerate(self.tie_breaks, start=1):
            try:
                tie = tie.play(cards)
            except GameError as error:
                raise type(error)(f"tie-break {number}: {error}") from None
            yield tie

    @property
    def state(self) -> State:
        """The position after the last recorded round."""
        *_, last = self.states()
        return last

    @property
    def winner(self) -> int | None:
        """The player who has won the game; None while that is not decided."""
        if not self.state.is_over:
            return None
        tie = TieBreak.of(self.state)
        for tie in self.tie_break_states():  # noqa: B007
            pass
        return tie.winner

    @classmethod
    def parse(cls, text: str, bonus: Bonus | None = None) -> "Record":
        """Read a record from its text.

        Parameters
        ----------
        text : str
            The record.
        bonus : Bonus, optional
            The bonus of the user's own that the record names.

        Raises
        ------
        GameError
            If the text is malformed or the game cannot have been played so; the message names the
            line.
        """
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is no text of a record")
        if bonus is not None:
            check_bonus(bonus)
        lines = [
            (number, line.strip())
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        if not lines or lines[0][1].translate(_PLAIN) != _HEADER:
            first = lines[0][0] if lines else 1
            hint = " (Record.load reads a file)" if len(text.split()) == 1 else ""
            raise NotationError(f'line {first}: a record starts with the line "{_HEADER}"{hint}')
        rules: Rules | None = None
        deal: State | None = None
        rounds: list[PlayedRound] = []
        tie_breaks: list[tuple[Element, ...]] = []
        for number, line in lines[1:]:
            keyword, *others = line.split(maxsplit=1)
            rest = others[0] if others else ""
            try:
                if keyword == "rules" and rules is None and deal is None:
                    rules = _parse_rules(rest, bonus)
                elif keyword == "deal" and deal is None:
                    rules = _parse_rules("", bonus) if rules is None else rules
                    deal = _parse_deal(rest, rules)
                elif keyword == "tie-break" and deal is not None:
                    tie_breaks.append(read_cards(rest))
                elif keyword.isdecimal() and deal is not None and not tie_breaks:
                    rounds.append(_parse_round(keyword, rest, len(rounds) + 1))
                else:
                    raise NotationError(
                        f"{line!r} does not belong here: expected rules, deal, the rounds 1 to "
                        f"{ROUNDS} and tie-breaks, in this order"
                    )
                if deal is not None:
                    # What cannot have been played is told of where it stands.
                    cls(deal, tuple(rounds), tuple(tie_breaks))
            except GameError as error:
                raise type(error)(f"line {number}: {error}") from None
        if deal is None:
            raise NotationError("the record has no deal, e.g.: deal WWFFAE/WFFAEE DaNoDuMi")
        return cls(deal, tuple(rounds), tuple(tie_breaks))

    def __str__(self) -> str:
        rules = self.deal.rules
        options = f"players={rules.players} time_deck={rules.time_deck} sunburst={rules.sunburst}"
        if rules.bonus is not None:
            options += f" bonus={rules.bonus.name}"
        hands = "/".join(map(str, self.deal.hands))
        lines = [_HEADER, f"rules {options}", f"deal {hands} {format_times(self.deal.times)}"]
        for number, played in enumerate(self.rounds, start=1):
            lines.append(f"{number} {played.time.code} {_letters(played.cards)}")
        lines.extend(f"tie-break {_letters(cards)}" for cards in self.tie_breaks)
        return "\n".join(lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, aside first, so that an old one is never half replaced."""
        with written_aside(path) as file:
            file.write(str(self).encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str], bonus: Bonus | None = None) -> "Record":
        """Read a record from a file.

        Raises
        ------
        GameError
            As for `parse`; the message names the file.
        """
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8-sig"), bonus)
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise NotationError(f"{os.fspath(path)}: line {line}: this is no text") from None
        except GameError as error:
            raise type(error)(f"{os.fspath(path)}: {error}") from None


def _letters(cards: tuple[Element, ...]) -> str:
    return "".join(card.letter for card in cards)


def _parse_rules(text: str, bonus: Bonus | None) -> Rules:
    head, bonus_sign, name = text.partition("bonus=")
    options: dict[str, str] = {}
    for field in head.split():
        key, sign, value = field.partition("=")
        if not sign or key not in _OPTIONS or key in options:
            raise NotationError(
                f"{field!r} is no option: expected {', '.join(_OPTIONS)}, once each"
            )
        options[key] = value
    players = options.get("players", "2")
    if not (players.isascii() and players.isdecimal() and len(players) < 3):
        raise NotationError(f"players={players}: expected a whole number from 2 to 6")
    recorded = name.strip() if bonus_sign else None
    given = None if bonus is None else bonus.name
    if recorded != given:
        raise RulesError(f"the record was played with bonus {recorded!r}, but {given!r} is given")
    return Rules(
        players=int(players),
        time_deck=options.get("time_deck", "independent"),  # type: ignore[arg-type]
        sunburst=options.get("sunburst", "off"),  # type: ignore[arg-type]
        bonus=bonus,
    )


def _parse_deal(text: str, rules: Rules) -> State:
    fields = text.split()
    if len(fields) != 2:
        raise NotationError(f"deal {text!r}: expected hands and times, as WWFFAE/WFFAEE DaNoDuMi")
    return State.start(fields[0], fields[1], rules)


def _parse_round(keyword: str, text: str, expected: int) -> PlayedRound:
    if keyword != str(expected) or expected > ROUNDS:
        wanted = f"round {expected}" if expected <= ROUNDS else f"no round after {ROUNDS}"
        raise NotationError(f"round {keyword} stands where {wanted} should be")
    fields = text.split()
    if len(fields) != 2:
        raise NotationError(f"{keyword} {text!r}: expected number, time and cards, as 1 Da WF")
    return PlayedRound(Time.parse(fields[0]), read_cards(fields[1]))
