"""What is to be said of a deal with hidden hands: claims with numbers, for one player.

All of it holds under the two strategies of a `HiddenSolution`: values when both play them, beliefs
about an opponent who plays them. Where play under them never leads, there is nothing to be said,
and the fields are None.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import ROUNDS, Element, Hand, Rules, State, Time, next_times
from solver.clash.explanations.claims import check_player
from solver.clash.hidden.best_response import Behaviour, own_reach, profile_value
from solver.clash.hidden.layout import LAST
from solver.clash.hidden.lookup import History
from solver.clash.hidden.solution import HiddenSolution
from solver.errors import StateError

__all__ = [
    "DealAdvice",
    "FollowedGame",
    "HandAdvice",
    "Moment",
    "PlayedCards",
    "advise",
    "check_followed",
    "follow",
    "position_value",
]

FloatArray: TypeAlias = NDArray[np.float64]
Times: TypeAlias = tuple[Time | None, ...]
Cards: TypeAlias = tuple[Element, Element]


@dataclass(frozen=True, eq=False)
class HandAdvice:
    """What a player is to do first with one hand.

    Attributes
    ----------
    hand : Hand
        The hand at the start.
    chance : float
        How likely the opponent thinks it before anything is played.
    mix : dict or None
        The chance of each card in the first round; None where play never leads.
    value : float or None
        What the hand is worth to the player when both play the strategies.
    """

    hand: Hand
    chance: float
    mix: Mapping[Element, float] | None
    value: float | None


@dataclass(frozen=True, eq=False)
class DealAdvice:
    """What a player is to do first with each hand, and how sure that is.

    Attributes
    ----------
    solution : HiddenSolution
        Where it comes from.
    player : int
        Whose advice it is.
    hands : tuple of HandAdvice
        One for each hand that the player may hold.
    value : float
        What the deal is worth to the player when both play the strategies.
    guarantee, ceiling : float
        What the player's strategy makes sure of on average, against any opponent; what no strategy
        can make sure of more than, as the opponent's strategy concedes no more.
    """

    solution: HiddenSolution
    player: int
    hands: tuple[HandAdvice, ...]
    value: float
    guarantee: float
    ceiling: float


@dataclass(frozen=True)
class PlayedCards:
    """The two cards of a round.

    Attributes
    ----------
    own, other : Element
        The player's card and the opponent's.
    own_chance, other_chance : float or None
        How often the player was advised to play it; how often the opponent was expected to, given
        the belief before. None where play never leads.
    scored : pair of int
        Points of the round, the player's first.
    """

    own: Element
    other: Element
    own_chance: float | None
    other_chance: float | None
    scored: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Moment:
    """A round of a followed game, before its cards are chosen.

    Attributes
    ----------
    round : int
        1 to 6.
    time : Time or None
        Its time; None when it is still to be turned up.
    points : pair of int
        So far, the player's first.
    left : Hand
        What the player holds.
    reached : bool
        Whether play under the strategies leads here.
    advice : dict or None
        The player's mix; None where play never leads, or the time is still to be turned up.
    expected : dict or None
        The chances of the opponent's card, as the player sees it; None likewise.
    belief : dict or None
        The chances of the opponent's hands at the start, given what was played; None when the
        opponent has left the strategy.
    value : float or None
        What the player can expect at the end, given hand and belief, when both play on by their
        strategies; None where play never leads.
    played : PlayedCards or None
        What was then played.
    """

    round: int
    time: Time | None
    points: tuple[int, int]
    left: Hand
    reached: bool
    advice: Mapping[Element, float] | None
    expected: Mapping[Element, float] | None
    belief: Mapping[Hand, float] | None
    value: float | None
    played: PlayedCards | None


@dataclass(frozen=True, eq=False)
class FollowedGame:
    """A game seen by one player, round by round.

    Attributes
    ----------
    solution : HiddenSolution
        Where the advice comes from.
    player : int
        Whose game it is.
    hand : Hand
        The player's hand at the start.
    moments : tuple of Moment
        A moment for each round played, and one for the round to come.
    end : pair of int or None
        The points at the end, the player's first; None while the game goes on.
    """

    solution: HiddenSolution
    player: int
    hand: Hand
    moments: tuple[Moment, ...]
    end: tuple[int, int] | None


def advise(solution: HiddenSolution, player: int = 0) -> DealAdvice:
    """Return what a player is to do first with each hand.

    Examples
    --------
    >>> from solver.clash import solve_hidden
    >>> deal = solve_hidden("DaNoDaNoDu--", hands=[["WF", "WA"], ["FE", "AE"]])
    >>> advice = advise(deal)
    >>> [str(one.hand) for one in advice.hands], advice.guarantee <= advice.value <= advice.ceiling
    (['WF', 'WA'], True)
    """
    player = check_player(player)
    values = solution.values(player)
    hands = []
    for hand, chance in solution.hands(player).items():
        times = solution.times
        first = ROUNDS - len(hand) + 1
        due = times[first - 1] is None
        reached = solution.reached(player, hand, times=_any_time(solution, times, first))
        hands.append(
            HandAdvice(
                hand,
                chance,
                solution.strategy(player, hand) if reached and not due else None,
                values[hand] if reached else None,
            )
        )
    low, high = solution.bounds
    value = solution.value
    if player == 1:
        value, low, high = -value, -high, -low
    return DealAdvice(solution, player, tuple(hands), value, low, high)


def follow(
    solution: HiddenSolution,
    player: int,
    hand: Hand,
    cards: Sequence[Cards] = (),
    turned_up: Sequence[Time] = (),
) -> FollowedGame:
    """Follow a game from one player's seat.

    Parameters
    ----------
    solution : HiddenSolution
        The deal, solved.
    player : int
        Whose seat it is.
    hand : Hand
        The hand that the player held at the start of the deal.
    cards : sequence of pairs of Element
        For each round played, the player's own card, then the opponent's.
    turned_up : sequence of Time
        The times turned up since the start, as far as they are.

    Raises
    ------
    StateError
        If the hand is none of the deal, the cards cannot have been played from it, or the times do
        not fit.

    Examples
    --------
    >>> from solver.clash import solve_hidden
    >>> deal = solve_hidden("DaNoDaNoDu--", hands=[["WF", "WA"], ["FE", "AE"]])
    >>> game = follow(deal, 0, Hand.parse("WF"), [(Element.FIRE, Element.EARTH)])
    >>> [moment.round for moment in game.moments]
    [5, 6]
    """
    player = check_player(player)
    other = 1 - player
    hands = (tuple(solution.hands(0)), tuple(solution.hands(1)))
    check_followed(hands, solution.times, solution.rules, player, hand, cards, turned_up)
    possible = hands[other]
    face_up = [*(time for time in solution.times if time is not None), *turned_up]
    known: Times = (*face_up, *[None] * (ROUNDS - len(face_up)))
    # Points and streaks are the same whichever hand the opponent's cards came from.
    played_by_other = [theirs for _, theirs in cards]
    witness = next(held for held in possible if _left(held, played_by_other) is not None)
    state = _start(solution, _seated(player, hand, witness))
    history: History = ()
    moments = []
    for number in range(len(cards) + 1):
        if state.time_is_due and (now := known[state.round - 1]) is not None:
            state = state.reveal(now)
        if number == len(hand):
            break
        moment = _moment(solution, player, hand, state, history)
        if number < len(cards):
            own, theirs = cards[number]
            pair = (theirs, own) if player else (own, theirs)
            before, state = state.points, state.play(pair)
            scored = (
                state.points[player] - before[player],
                state.points[other] - before[other],
            )
            played = PlayedCards(
                own,
                theirs,
                None if moment.advice is None else moment.advice.get(own, 0.0),
                None if moment.expected is None else moment.expected.get(theirs, 0.0),
                scored,
            )
            moment = replace(moment, played=played)
            history = (*history, pair)
        moments.append(moment)
    end = (state.points[player], state.points[other]) if state.is_over else None
    return FollowedGame(solution, player, hand, tuple(moments), end)


def check_followed(  # noqa: PLR0917
    hands: Sequence[Sequence[Hand]],
    times: Times,
    rules: Rules,
    player: int,
    hand: Hand,
    cards: Sequence[Cards] = (),
    turned_up: Sequence[Time] = (),
) -> None:
    """Refuse what `follow` refuses, before the deal is solved.

    Parameters
    ----------
    hands : two sequences of Hand
        What each player may hold at the start.
    times : row of Time or None
        The times of the deal.
    rules : Rules
        The options of the rules.
    player, hand, cards, turned_up
        As for `follow`.

    Raises
    ------
    StateError
        As `follow` does.
    """
    possible = hands[check_player(player)]
    if hand not in possible:
        raise StateError(
            f"{hand} is none of the hands of this deal: {', '.join(map(str, possible))}"
        )
    _check_cards(hand, [own for own, _ in cards], "you", [hand])
    _check_cards(hand, [theirs for _, theirs in cards], "the opponent", hands[1 - player])
    _check_times(times, rules, ROUNDS - len(hand), len(cards), turned_up)


def position_value(  # noqa: PLR0917
    solution: HiddenSolution,
    player: int,
    hand: Hand,
    history: History,
    times: Times,
    belief: Mapping[Hand, float],
) -> float:
    """Return what a player can expect at the end when both play on by their strategies.

    Parameters
    ----------
    solution : HiddenSolution
        The deal.
    player : int
        Whose expectation it is.
    hand : Hand
        The player's hand at the start.
    history : sequence of pairs of Element
        The cards so far, player 0 first.
    times : row of six times
        As known by now.
    belief : dict
        The chances of the opponent's hands.
    """
    player = check_player(player)
    if len(hand) - len(history) > LAST:
        return _early_value(solution, player, hand, history, belief)
    return sum(
        chance * _expected_end(solution, player, _seated(player, hand, held), history, times)
        for held, chance in belief.items()
        if chance
    )


def _early_value(
    solution: HiddenSolution,
    player: int,
    hand: Hand,
    history: History,
    belief: Mapping[Hand, float],
) -> float:
    """Return the value of a position before the last two cards: both made to play the history."""
    behaviours = []
    for seat, behaviour in enumerate(solution.behaviours):
        rounds = list(behaviour.rounds)
        for number, pair in enumerate(history):
            forced = np.zeros_like(rounds[number])
            forced[:, :, pair[seat]] = 1.0
            rounds[number] = forced
        behaviours.append(Behaviour(tuple(rounds), behaviour.plans))
    layout = solution.layout
    chances = [solution.priors[0], solution.priors[1]]
    chances[1 - player] = np.array([belief[held] for held in layout.players[1 - player].types])
    reaches = [own_reach(layout, seat, behaviours[seat].rounds, chances[seat]) for seat in (0, 1)]
    _, by_type = profile_value(
        layout, (behaviours[0], behaviours[1]), (reaches[0], reaches[1]), player
    )
    return float(by_type[layout.players[player].types.index(hand)])


def _expected_end(
    solution: HiddenSolution,
    player: int,
    hands: tuple[Hand, Hand],
    history: History,
    times: Times,
) -> float:
    """Return the expectation with at most two cards left, both hands given."""
    state = _start(solution, hands)
    for number in range(len(history) + 1):
        if state.time_is_due and (now := times[state.round - 1]) is not None:
            state = state.reveal(now)
        if number < len(history):
            state = state.play(history[number])

    def expected(state: State, history: History) -> float:
        if state.is_over:
            return float(state.utility(player, solution.objective))
        if state.time_is_due:
            return sum(
                float(chance) * expected(state.reveal(time), history)
                for time, chance in state.next_times().items()
            )
        mixes = [
            solution.strategy(seat, hands[seat], history, state.times).items() for seat in (0, 1)
        ]
        return sum(
            p * q * expected(state.play((first, second)), (*history, (first, second)))
            for first, p in mixes[0]
            for second, q in mixes[1]
            if p * q
        )

    return expected(state, history)


def _moment(
    solution: HiddenSolution, player: int, hand: Hand, state: State, history: History
) -> Moment:
    other = 1 - player
    times = state.times
    reached = solution.reached(player, hand, history, _any_time(solution, times, state.round))
    try:
        belief = solution.belief(player, history, times)
    except StateError:  # the cards and times were checked, so that only this can be the reason
        belief = None
    advice = expected = value = None
    if reached and belief is not None:
        value = position_value(solution, player, hand, history, times, belief)
        if not state.time_is_due:
            advice = solution.strategy(player, hand, history, times)
            expected = dict.fromkeys(Element, 0.0)
            for held, chance in belief.items():
                if chance:
                    for card, p in solution.strategy(other, held, history, times).items():
                        expected[card] += chance * p
    points = (state.points[player], state.points[other])
    left = state.hands[player]
    return Moment(
        state.round, state.time, points, left, reached, advice, expected, belief, value, None
    )


def _start(solution: HiddenSolution, hands: tuple[Hand, Hand]) -> State:
    return State(hands, solution.times, solution.points, solution.streaks, rules=solution.rules)


def _seated(player: int, hand: Hand, other: Hand) -> tuple[Hand, Hand]:
    return (other, hand) if player else (hand, other)


def _any_time(solution: HiddenSolution, times: Times, now: int) -> Times:
    """Return the times with one that may be the fifth, if it is due.

    Whether play leads to the fifth round does not depend on it.
    """
    if now < ROUNDS - 1 or times[ROUNDS - 2] is not None:
        return times
    known = [time for time in times if time is not None]
    return (*known, next(iter(next_times(known, solution.rules.time_deck))), None)


def _check_times(
    times: Times, rules: Rules, first: int, played: int, turned_up: Sequence[Time]
) -> None:
    """Check that times can be turned up after those of the deal, each when its round begins."""
    known = [time for time in times if time is not None]
    for time in turned_up:
        if len(known) >= ROUNDS:
            raise StateError("all six times are known already")
        if time not in next_times(known, rules.time_deck):
            raise StateError(f"{time.name.title()} cannot be turned up: no such card is left")
        if len(known) > first + played:
            raise StateError(
                f"the time of round {len(known) + 1} is turned up after {len(known)} rounds, not "
                f"after {first + played}"
            )
        known.append(time)
    if len(known) < first + played:
        raise StateError(
            f"the time of round {len(known) + 1} is needed to follow {first + played} rounds"
        )


def _check_cards(hand: Hand, cards: Sequence[Element], who: str, possible: Sequence[Hand]) -> None:
    if len(cards) > len(hand):
        raise StateError(f"{len(cards)} rounds are too many: the deal has {len(hand)}")
    if not any(_left(held, cards) is not None for held in possible):
        letters = "".join(card.letter for card in cards)
        held = str(hand) if len(possible) == 1 else "any hand that is possible here"
        raise StateError(f"{who} cannot have played {letters} from {held}")


def _left(hand: Hand, cards: Sequence[Element]) -> Hand | None:
    """Return what is left of a hand, None when it cannot have played the cards."""
    for card in cards:
        if card not in hand:
            return None
        hand = hand.without(card)
    return hand
