"""Hypothesis strategies for the games, shared by the tests.

Everything legal is built from the rules' own words (a base of four and two extras, a deck of four
and two more), not from the checks under test.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.clash import Element, Hand, PlayedRound, Record, Rules, State, Time

light = settings(deadline=None, max_examples=100)
"""For properties of small values."""

heavy = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
"""For properties of positions and whole games, which take milliseconds each to draw."""

SUNBURSTS = ("off", "restarting", "overlapping", "once")
TIME_DECKS = ("independent", "distinct")

_T = TypeVar("_T")


@dataclass(frozen=True)
class RepeatBonus:
    """A bonus for tests: points for whoever plays the element of the round before again.

    It remembers the number of the round and the elements as plain integers.
    """

    award: int = 1
    name: str = "echo of the sun"
    start: Any = (0, ())

    def step(self, memory, cards, time, points_this_round):
        played, before = memory
        awards = [self.award * (old == new) for old, new in zip(before, cards, strict=False)]
        return (played + 1, tuple(map(int, cards))), awards or [0] * len(cards)


@dataclass(frozen=True, eq=False)
class ScriptedBonus:
    """A bonus for tests that answers with what it is given and notes what it was asked."""

    answer: Any
    name: str = "scripted"
    start: Any = None
    asked: list[Any] = field(default_factory=list)

    def step(self, memory, cards, time, points_this_round):
        self.asked.append((memory, cards, time, points_this_round))
        return self.answer


def elements() -> st.SearchStrategy[Element]:
    """Return any of the four elements."""
    return st.sampled_from(Element)


def times() -> st.SearchStrategy[Time]:
    """Return any of the four times."""
    return st.sampled_from(Time)


@st.composite
def hands(draw: st.DrawFn, size: int | None = None) -> Hand:
    """Return what may be left, at a given size or any, of a base of four and two extras."""
    cards = draw(st.permutations([*Element, draw(elements()), draw(elements())]))
    left = draw(st.integers(0, 6)) if size is None else size
    return Hand.parse(cards[:left])


@st.composite
def decks(draw: st.DrawFn, time_deck: str = "independent") -> tuple[Time, ...]:
    """Return a shuffled deck of six times."""
    two = st.lists(times(), min_size=2, max_size=2, unique=time_deck == "distinct")
    return tuple(draw(st.permutations([*Time, *draw(two)])))


@st.composite
def face_up(draw: st.DrawFn, time_deck: str = "independent", least: int = 4) -> tuple[Time, ...]:
    """Return four to six times as they can be turned up."""
    return draw(decks(time_deck))[: draw(st.integers(least, 6))]


def rules(
    players: st.SearchStrategy[int] | None = None, bonuses: bool = False
) -> st.SearchStrategy[Rules]:
    """Return any rules; with a bonus of the user's own only where that is asked for."""
    return st.builds(
        Rules,
        players=st.integers(2, 6) if players is None else players,
        time_deck=st.sampled_from(TIME_DECKS),
        sunburst=st.sampled_from(SUNBURSTS),
        bonus=st.sampled_from([None, RepeatBonus()]) if bonuses else st.none(),
    )


@st.composite
def deals(draw: st.DrawFn, options: st.SearchStrategy[Rules] | None = None) -> State:
    """Return a position at the start of round 1, four to six times known."""
    chosen = draw(rules() if options is None else options)
    held = [draw(hands(6)) for _ in range(chosen.players)]
    return State.start(held, draw(face_up(chosen.time_deck)), chosen)


@st.composite
def records(
    draw: st.DrawFn,
    options: st.SearchStrategy[Rules] | None = None,
    rounds: st.SearchStrategy[int] | None = None,
) -> Record:
    """Return a game played at random, up to any round and with up to two tie-breaks."""
    state = deal = draw(deals(options))
    played = []
    for _ in range(draw(st.integers(0, 6) if rounds is None else rounds)):
        if state.time_is_due:
            state = state.reveal(draw(st.sampled_from(sorted(state.next_times()))))
        cards = tuple(draw(st.sampled_from(list(hand))) for hand in state.hands)
        played.append(PlayedRound(state.time, cards))
        state = state.play(cards)
    record = Record(deal, tuple(played))
    for _ in range(draw(st.integers(0, 2))):
        ties = list(record.tie_break_states())
        if not ties or ties[-1].is_over:
            break
        cards = tuple(draw(elements()) for _ in ties[-1].tied)
        record = Record(deal, record.rounds, (*record.tie_breaks, cards))
    return record


@st.composite
def reachable_states(
    draw: st.DrawFn, options: st.SearchStrategy[Rules] | None = None, over: bool = False
) -> State:
    """Return a position that play leads to, also one with a time due; or the end of a game."""
    record = draw(records(options, st.just(6) if over else None))
    return record.state if over else draw(st.sampled_from(list(record.states())))


@st.composite
def studied_positions(draw: st.DrawFn, options: st.SearchStrategy[Rules] | None = None) -> State:
    """Return a position within the bounds of the rules, whether or not play leads to it."""
    chosen = draw(rules() if options is None else options)
    played = draw(st.sampled_from([0, 1, 2, 3, 4, 4, 5, 5, 6]))  # a time is due only late
    held = [draw(hands(6 - played)) for _ in range(chosen.players)]
    known = draw(face_up(chosen.time_deck, max(4, played)))
    points, streaks = [], []
    for _ in range(chosen.players):
        streak = draw(st.integers(0, min(2, played)))
        awards = {
            "off": 0,
            "restarting": (played - streak) // 3,
            "overlapping": max(played - 2, 0),
            "once": 0,
        }[chosen.sunburst]
        if chosen.sunburst == "once" and played >= 3 and draw(st.booleans()):
            streak, awards = "*", 1
        points.append(draw(st.integers(0, 2 * (chosen.players - 1) * played + awards)))
        streaks.append(streak)
    return State(
        tuple(held),
        known,
        tuple(points),
        () if chosen.sunburst == "off" else tuple(streaks),
        rules=chosen,
    )


def states(options: st.SearchStrategy[Rules] | None = None) -> st.SearchStrategy[State]:
    """Return positions of both kinds."""
    return st.one_of(reachable_states(options), studied_positions(options))


@st.composite
def random_play(draw: st.DrawFn, state: State) -> State:
    """Return the position after one legal step from this one, which is not over."""
    if state.time_is_due:
        return state.reveal(draw(st.sampled_from(sorted(state.next_times()))))
    return state.play([draw(st.sampled_from(list(hand))) for hand in state.hands])


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """Return a text with a few characters put in, taken out or exchanged."""
    characters = list(text)
    alphabet = st.one_of(
        st.sampled_from("WFAEwfae DaNoMiu-/+*019=#\n\t\x00\x1c\u2028\u0661\u00b2\uff11\u1e9e"),
        st.characters(),
    )
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(characters)))
        put_in = draw(st.lists(alphabet, max_size=2))
        characters[place : place + draw(st.integers(0, 2))] = put_in
    return "".join(characters)


def junk() -> st.SearchStrategy[Any]:
    """Return values of many types, most of them nothing that a game asks for."""
    array = np.array
    single = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 7),
        st.integers(-(10**40), 10**40),
        st.floats(),
        st.complex_numbers(),
        st.text(max_size=8),
        st.binary(max_size=8),
        st.sampled_from([*Element, *Time, *"WFAE", "Da", "No", "--", "-", "*", "", " ", "0-0"]),
        st.builds(np.int64, st.integers(-3, 7)),
        st.builds(np.uint8, st.integers(0, 7)),
        st.builds(np.float64, st.floats()),
        st.sampled_from([np.bool_(True), array(1), array(1.5), array([0, 1]), array([[0.5]])]),
        st.sampled_from([object(), type, Rules(), Hand.parse("WF"), range(4), array(["W", "F"])]),
    )
    several = st.lists(single, max_size=7)
    return st.one_of(single, several, st.lists(several, max_size=3), several.map(tuple))


def read_or_refused(read: Callable[[], _T], error: type[Exception]) -> _T | None:
    """Return what a call returns, or None when it is refused with that error; let others out."""
    try:
        return read()
    except error:
        return None
