"""A played game of Solaris' Clash gone through: what each decision lost, and what was luck.

What is added up, and what it means, says `solver.clash.review_claims`. Decisions are judged in one
of two ways:

* ``hands="open"``: as if both hands had been known from the deal on. Exact.
* ``hands="hidden"``: as the game is played, each by what its player could know. The deal is solved
  by a search, to a measured exploitability.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, Protocol, SupportsFloat

from games.clash import Element, Objective, Record, State, format_times
from solver.clash.explanations.words import count, extras_words, name
from solver.clash.hidden.deal import Progress, solve_hidden
from solver.clash.hidden.lookup import History
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden_review import HiddenJudge
from solver.clash.open_hands import check_objective, check_state
from solver.clash.open_review import OpenJudge
from solver.clash.review_claims import DealtExtras, Event, Hands, Moment, Review, Summary
from solver.errors import SolverError, StateError

__all__ = ["DealtExtras", "Event", "Hands", "Moment", "Review", "Summary", "review"]


def review(  # noqa: PLR0917
    record: Record | str,
    objective: Objective = "win",
    hands: Hands = "open",
    priors: Sequence[Sequence[SupportsFloat]] | None = None,
    tolerance: float = 1e-3,
    iterations: int = 20_000,
    solution: HiddenSolution | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Review:
    """Go through a played game: what each decision lost, and what was luck.

    Parameters
    ----------
    record : Record or str
        A game of two players, or its text, played to any round. Under ``win`` a decided tie-break
        counts, as luck: every card is as good in it.
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points at the end.
    hands : {"open", "hidden"}
        Judge decisions as if both hands were known, or as the game is played.
    priors : pair of sequences of float, optional
        With hidden hands, how often each player takes each of the ten pairs of extras, in the order
        of `games.clash.EXTRAS_LABELS`. Uniform by default.
    tolerance, iterations, progress
        With hidden hands, as in `solve_hidden`: about ten seconds at the tolerance of 0.001.
    solution : HiddenSolution, optional
        With hidden hands, the deal solved already; priors and tolerance are then its own.

    Raises
    ------
    GameError
        If the text is no record.
    StateError
        If the game is not for two players, or the solution is not of its deal.
    SolverError
        If an option makes no sense.

    Examples
    --------
    >>> found = review('''Solaris' Clash record 1
    ... deal WWFFAE/WFFAEE DaNoDuMi
    ... 1 Da WF
    ... 2 No EA''')
    >>> [(m.round, m.player, m.chosen.letter, round(m.loss, 3)) for m in found.moments]
    [(1, 0, 'W', 0.0), (1, 1, 'F', 0.075), (2, 0, 'E', 0.0), (2, 1, 'A', 0.0)]
    >>> first = found.summaries[0]
    >>> abs(first.luck + first.skill - first.result) < 1e-9
    True
    """
    if isinstance(record, str):
        record = Record.parse(record)
    if not isinstance(record, Record):
        raise StateError(f"{record!r} is no Record: use Record.parse or Record.load")
    check_state(record.deal)
    objective = check_objective(objective)
    if hands == "open":
        if priors is not None or solution is not None:
            raise SolverError("priors and a solution are for hidden hands: pass hands='hidden'")
        return _Reviewer(record, OpenJudge(record, objective), "open").run()
    if hands != "hidden":
        raise SolverError(f"hands is {hands!r}: expected 'open' or 'hidden'")
    if solution is None:
        solution = solve_hidden(
            record.deal.times,
            objective,
            priors=priors,
            rules=record.deal.rules,
            tolerance=tolerance,
            iterations=iterations,
            progress=progress,
        )
    elif priors is not None:
        raise SolverError("priors and a solution together: a solution has its own priors")
    _check_solution(solution, record, objective)
    held = record.deal.hands
    return _Reviewer(record, HiddenJudge(solution, (held[0], held[1])), "hidden").run()


def _check_solution(solution: HiddenSolution, record: Record, objective: Objective) -> None:
    """Refuse a solution that is not of the record's deal."""
    if not isinstance(solution, HiddenSolution):
        raise StateError(f"{solution!r} is no HiddenSolution: use solve_hidden(times)")
    deal = record.deal
    for what, solved, wanted in (
        ("objective", solution.objective, objective),
        ("rules", solution.rules, deal.rules),
        ("times", format_times(solution.times), format_times(deal.times)),
        ("points", solution.points, deal.points),
        ("streaks", solution.streaks, deal.streaks),
    ):
        if solved != wanted:
            raise StateError(f"the solution is for the {what} {solved}, not {wanted}")
    for player, hand in enumerate(deal.hands):
        possible = solution.hands(player)
        if hand not in possible:
            raise StateError(
                f"player {player} of the record held {hand}, but of the solution's deal "
                f"{', '.join(map(str, possible))} are possible"
            )


class _Judge(Protocol):
    """Knows what positions are worth, and what cards earn."""

    @property
    def objective(self) -> Objective:
        """What is counted."""

    @property
    def exploitability(self) -> float:
        """How far from exact it is, in antes or points a game."""

    @property
    def start(self) -> float:
        """What the game is worth to player 0 at first; with hidden hands, before the extras."""

    @property
    def extras(self) -> tuple[DealtExtras, DealtExtras] | None:
        """What the extras turned out to be worth, if they are secret."""

    def value(self, state: State, history: History) -> float:
        """Return what a position is worth to player 0."""

    def moments(
        self, state: State, history: History, cards: tuple[Element, Element]
    ) -> list[Moment]:
        """Judge the cards of a round, those of a player with one kind of card left out."""


class _Reviewer:
    """Goes through one game."""

    def __init__(self, record: Record, judge: _Judge, hands: Hands) -> None:
        self.record, self.judge, self.hands = record, judge, hands
        self.value = judge.start
        self.events: list[Event] = []
        self.moments: list[Moment] = []

    def run(self) -> Review:
        history: History = ()
        states = list(self.record.states())
        if self.judge.extras is not None:
            happened = _deal_words(self.judge.extras)
            self.event("deal", None, self.judge.value(states[0], history), happened)
        for state, following in pairwise(states):
            if state.time_is_due:
                assert following.time is not None
                words = f"{name(following.time)} is turned up."
                value = self.judge.value(following, history)
                self.event("time", following.round, value, words)
                continue
            first, second = self.record.rounds[state.rounds_played].cards
            found = self.judge.moments(state, history, (first, second))
            history = (*history, (first, second))
            words = _cards_words(state, following, (first, second))
            value = self.judge.value(following, history)
            self.event("cards", state.round, value, words, found)
            self.moments += found
        winner = self.record.winner
        if self.judge.objective == "win" and self.record.tie_breaks and winner is not None:
            words = f"Player {winner} wins the tie-break."
            self.event("tie-break", None, float(1 - 2 * winner), words)
        return Review(
            record=self.record,
            objective=self.judge.objective,
            hands=self.hands,
            moments=tuple(self.moments),
            events=tuple(self.events),
            start=self.judge.start,
            end=self.value,
            summaries=(self.summary(0), self.summary(1)),
            extras=self.judge.extras,
            exploitability=self.judge.exploitability,
        )

    def event(
        self,
        kind: Literal["deal", "time", "cards", "tie-break"],
        number: int | None,
        after: float,
        happened: str,
        moments: Sequence[Moment] = (),
    ) -> None:
        """Add an event: what is not a loss of the moments is luck."""
        lost = sum((1 - 2 * moment.player) * moment.loss for moment in moments)
        luck = after - self.value + lost
        self.events.append(Event(kind, number, self.value, after, luck, happened))
        self.value = after

    def summary(self, player: int) -> Summary:
        """Add up for a player."""
        sign = 1 - 2 * player
        own = [moment for moment in self.moments if moment.player == player]
        return Summary(
            player=player,
            result=sign * (self.value - self.judge.start),
            luck=sign * sum(event.luck for event in self.events),
            lost=sum(moment.loss for moment in own),
            gained=sum(moment.loss for moment in self.moments if moment.player != player),
            decisions=len(own),
            mistakes=sum(moment.is_mistake for moment in own),
            unjudged=sum(bool(moment.unjudged) for moment in own),
        )


def _deal_words(extras: tuple[DealtExtras, DealtExtras]) -> str:
    one, other = (extras_words(dealt.taken) for dealt in extras)
    return f"The extras of Player 0, {one}, meet those of Player 1, {other}."


def _cards_words(before: State, after: State, cards: tuple[Element, Element]) -> str:
    scored = [late - early for early, late in zip(before.points, after.points, strict=True)]
    words = [
        f"Player {player} scores {count(points, 'point')}"
        for player, points in enumerate(scored)
        if points
    ]
    first, second = map(name, cards)
    result = ", ".join(words) or "nobody scores"
    return f"{first} of Player 0 meets {second} of Player 1: {result}."
