"""How both players mix from round to round: along a game that was played, or on average."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from games.clash import ROUNDS, Element, State
from solver.clash.explanations.words import name
from solver.clash.hidden.book import StrategyBook
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden.whole_solution import WholeStrategy
from solver.clash.open_hands import OpenSolution, check_state
from solver.errors import SolverError, StateError

__all__ = ["RoundMixes", "Solution", "mean_mixes", "mixes_along"]

Solution: TypeAlias = OpenSolution | HiddenSolution | WholeStrategy
"""What has a strategy for a deal: with open hands, with hidden ones, or for the whole game."""

_Mix: TypeAlias = Mapping[Element, float]
_History: TypeAlias = tuple[tuple[Element, Element], ...]

_SMALLEST: Final = 1e-6
"""Positions less likely than this are left out of a mean."""


@dataclass(frozen=True)
class RoundMixes:
    """How both players mix in a round.

    Attributes
    ----------
    label : str
        The round and its time: ``1 Dawn``.
    mixes : pair of mappings
        For each player the chance of each element; None where the solution has no advice, as its
        own play never leads there.
    played : pair of Element, optional
        What was played then.
    boosted : Element, optional
        The element that the time of the round boosts; None where the time is not one.
    """

    label: str
    mixes: tuple[_Mix | None, _Mix | None]
    played: tuple[Element, Element] | None = None
    boosted: Element | None = None


def mixes_along(solution: Solution, states: Iterable[State]) -> list[RoundMixes]:
    r"""Return the mixes of a solution along a game, from its positions.

    Parameters
    ----------
    solution : OpenSolution, HiddenSolution, WholeSolution or StrategyBook
        Of the position at which the game starts; under hidden hands of the same deal.
    states : iterable of State
        The positions of the game in order, as `games.clash.Record.states` gives them.

    Returns
    -------
    list of RoundMixes
        One for each round; of a book, for the rounds that it holds.

    Raises
    ------
    SolverError
        If this is no solution of Clash, no position of the game has a choice, or one does not
        follow from the one before by a card of each player.
    StateError
        If the solution is of another deal.

    Examples
    --------
    >>> from games.clash import Record
    >>> from solver.clash import solve_open
    >>> game = Record.parse("Solaris' Clash record 1\ndeal WFFAEE/WWFAAE DaNoDuMi\n1 Da FW")
    >>> rounds = mixes_along(solve_open(game.deal), game.states())
    >>> [one.label for one in rounds], rounds[0].played[0].letter
    (['1 Dawn', '2 Noon'], 'F')
    """
    _check_solution(solution)
    found: list[RoundMixes] = []
    positions = list(states)
    history: _History = ()
    for state, following in zip_longest(positions, positions[1:]):
        check_state(state)
        if state.time_is_due or state.is_over:
            continue
        if state.round > _last_round(solution):
            break
        played = None if following is None else _played(state, following)
        mixes = tuple(_mix(solution, seat, positions[0], history, state) for seat in (0, 1))
        assert state.time is not None
        found.append(
            RoundMixes(
                f"{state.round} {name(state.time)}", (mixes[0], mixes[1]), played,
                state.time.element,
            )
        )  # fmt: skip
        if played is not None:
            history = (*history, played)
    if not found:
        raise SolverError("no position of the game has a choice of cards")
    return found


def mean_mixes(solution: Solution, start: State | str | None = None) -> list[RoundMixes]:
    """Return what each player plays in each round, on average over all ways a deal can go.

    Both players hold the hands of the deal and play the solution. The chances of an element, summed
    over the rounds, are how many cards of it are in the hand.

    Parameters
    ----------
    solution : OpenSolution, HiddenSolution, WholeSolution or StrategyBook
        A solution of the deal. From round 1, open hands take about ten seconds, a deal with hidden
        ones longer; a book, which holds the first rounds only, a fraction of one.
    start : State or str, optional
        The deal, or a later position at the start of which the solution begins. May be left out
        under open hands.

    Returns
    -------
    list of RoundMixes
        One for each round; of a book, for the rounds that it holds.

    Raises
    ------
    SolverError
        If this is no solution of Clash, or the game is over.
    StateError
        If the solution is of another deal, or no deal is given.

    Examples
    --------
    >>> from solver.clash import solve_open
    >>> for one in mean_mixes(solve_open("WF/EE DaNoDuMiDaNo 3-2")):
    ...     print(one.label, {card.letter: chance for card, chance in one.mixes[0].items()})
    5 Dawn {'W': 1.0, 'F': 0.0}
    6 Noon {'F': 1.0}
    """
    _check_solution(solution)
    if start is None:
        if not isinstance(solution, OpenSolution):
            raise StateError("no deal is given: under hidden hands it says what both players hold")
        start = solution.root
    if isinstance(start, str):
        start = State.parse(start, _rules(solution))
    deal = check_state(start)
    if deal.is_over:
        raise SolverError(f"{deal} is over: there is nothing to play")
    # Under open hands positions count, however they came about.
    open_hands = isinstance(solution, OpenSolution)
    layer: dict[tuple[State, _History], float] = {(deal, ()): 1.0}
    found: list[RoundMixes] = []
    for number in range(deal.round, min(ROUNDS, _last_round(solution)) + 1):
        layer = _turned_up(layer)
        total: tuple[dict[Element, float], dict[Element, float]] = ({}, {})
        following: dict[tuple[State, _History], float] = {}
        for (state, history), chance in layer.items():
            both = [_mix(solution, seat, deal, history, state) for seat in (0, 1)]
            for seat, mix in enumerate(both):
                for card, part in (mix or {}).items():
                    total[seat][card] = total[seat].get(card, 0.0) + chance * part
            for cards, part in _pairs(both, chance):
                key = state.play(cards), () if open_hands else (*history, cards)
                following[key] = following.get(key, 0.0) + part
        times = {state.time for state, _ in layer}
        time = times.pop() if len(times) == 1 else None
        label = "face down" if time is None else name(time)
        means = tuple(_mean(mix) for mix in total)
        boosted = None if time is None else time.element
        found.append(RoundMixes(f"{number} {label}", (means[0], means[1]), None, boosted))
        layer = following
    return found


def _check_solution(solution: object) -> None:
    if not isinstance(solution, OpenSolution | HiddenSolution | WholeStrategy):
        raise SolverError(
            f"{type(solution).__name__}: expected what solve_open, solve_hidden or solve_whole "
            "gave, or a StrategyBook"
        )


def _rules(solution: Solution) -> Any:
    return solution.root.rules if isinstance(solution, OpenSolution) else solution.rules


def _last_round(solution: Solution) -> int:
    return solution.last_round if isinstance(solution, StrategyBook) else ROUNDS


def _mix(
    solution: Solution, seat: int, start: State, history: _History, state: State
) -> _Mix | None:
    """Return how a player mixes in a position; None where a solution has no advice."""
    cards = state.legal(seat)
    if len(cards) == 1:
        return {cards[0]: 1.0}
    mix: Mapping[Element, Any]
    if isinstance(solution, OpenSolution):
        mix = solution.strategy(state, seat)
    else:
        _check_deal(solution, start)
        hand = start.hands[seat]
        mix = solution.strategy(seat, hand, history, state.times)
        if not solution.reached(seat, hand, history, state.times):
            return None
    return {card: float(chance) for card, chance in mix.items()}


def _check_deal(solution: HiddenSolution | WholeStrategy, start: State) -> None:
    """Refuse a deal that begins otherwise than the solution; cards and times it refuses itself."""
    points = solution.points if isinstance(solution, HiddenSolution) else (0, 0)
    if start.points != points:
        raise StateError(f"{start}: the solution begins at {points[0]} to {points[1]} points")
    if start.rules != solution.rules:
        raise StateError(f"{start} is of other rules ({start.rules}) than {solution.rules}")


def _turned_up(
    layer: dict[tuple[State, _History], float],
) -> dict[tuple[State, _History], float]:
    """Return the positions after a time was turned up, where one is due."""
    found: dict[tuple[State, _History], float] = {}
    for (state, history), chance in layer.items():
        options = {state: 1.0}
        if state.time_is_due:
            options = {state.reveal(t): float(part) for t, part in state.next_times().items()}
        for shown, part in options.items():
            found[shown, history] = found.get((shown, history), 0.0) + chance * part
    return found


def _pairs(
    both: list[_Mix | None], chance: float
) -> Iterator[tuple[tuple[Element, Element], float]]:
    """Yield the pairs of cards that are played often enough, with their chances."""
    for first, part in (both[0] or {}).items():
        for second, other in (both[1] or {}).items():
            if chance * part * other > _SMALLEST:
                yield (first, second), chance * part * other


def _mean(mix: Mapping[Element, float]) -> _Mix | None:
    """Return chances that sum to 1, in the order of the elements."""
    total = sum(mix.values())
    return {card: mix[card] / total for card in sorted(mix)} if total > 0 else None


def _played(state: State, following: State) -> tuple[Element, Element]:
    """Return the cards that lead from one position to the next."""
    cards = []
    for before, after in zip(state.hands, following.hands, strict=True):
        gone = [card for card in Element if before.counts[card] > after.counts[card]]
        if len(gone) != 1 or len(before) != len(after) + 1:
            raise SolverError(f"{following} does not follow {state} by one card of each player")
        cards.append(gone[0])
    return cards[0], cards[1]
