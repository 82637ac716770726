"""A deal with hidden hands laid out in flat arrays.

Both players' information sets are made of three things: the own hand at the start (the *type*), the
own cards played so far (the own *prefix*) and the opponent's (the other prefix). Rounds before the
fifth hold no chance, so until then a position is a pair of prefixes; an own *state* is a prefix
together with a type that can have played it.

The last two cards are chosen at once: after the fifth time was turned up, a player who holds two
different cards decides which to play first (a *plan*), and the sixth round is forced. So what the
last two rounds are worth depends only on the two plans, the fifth time, and what the earlier rounds
left: the difference in points, streaks and the memory of a bonus (an *account*). All pairs of
prefixes that share an account and the cards left form a *group*; within a group the same payoff
matrices apply, so that a group is computed as one array operation with the pairs innermost.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import ROUNDS, Element, Hand, Objective, Rules, Time, next_times, score_round

BLOCK = 32
"""Pairs of prefixes that are computed together; groups are stored in whole blocks."""

__all__ = [
    "BLOCK",
    "Account",
    "Groups",
    "HiddenLayout",
    "Level",
    "PlayerLayout",
    "hidden_layout",
    "public_accounts",
]

IntArray: TypeAlias = NDArray[np.int32]
Cards: TypeAlias = tuple[Element, ...]
Account: TypeAlias = tuple[int, tuple[int | str, ...], Hashable]

_CARDS = len(Element)
_PLANS = _CARDS * _CARDS
LAST = 2
"""Cards that are played by plan."""


@dataclass(frozen=True)
class Level:
    """The own states of one player after so many cards.

    Attributes
    ----------
    prefixes : tuple
        The card sequences that some type can have played.
    prefix_parent, prefix_card : integer arrays
        For each prefix, the index of the one a card shorter, and that card.
    state_prefix, state_type : integer arrays
        Each own state's prefix and type, ordered by prefix.
    state_parent : integer array
        For each state, the index of the one a card earlier.
    child : integer array, shape (states, 4)
        For each state and card, the state that follows, -1 where the card is not held.
    """

    prefixes: tuple[Cards, ...]
    prefix_parent: IntArray
    prefix_card: IntArray
    state_prefix: IntArray
    state_type: IntArray
    state_parent: IntArray
    child: IntArray


@dataclass(frozen=True)
class PlayerLayout:
    """One player's types, levels and plans.

    Attributes
    ----------
    types : tuple of Hand
        The hands possible at the start.
    levels : tuple of Level
        From no card to all but the last two.
    first_state : integer array
        For each last prefix, its first state; its states with a choice of plan come first.
    choices, states : integer arrays
        For each last prefix, how many of its states have a choice, and how many it has.
    plans : integer array, shape (states, 2)
        The two plans of each last state, as 4 times the fifth card plus the sixth; equal where the
        two cards are.
    """

    types: tuple[Hand, ...]
    levels: tuple[Level, ...]
    first_state: IntArray
    choices: IntArray
    states: IntArray
    plans: IntArray


@dataclass(frozen=True)
class Groups:
    """Pairs of last prefixes that share their payoff matrices.

    Attributes
    ----------
    start : integer array, shape (groups + 1,)
        Where each group's pairs start.
    blocks : integer array, shape (groups,)
        How many blocks of pairs each group fills, the last one perhaps in part.
    prefix : integer array, shape (2, pairs)
        The pairs: the prefix of player 0 and of player 1.
    account : integer array, shape (groups,)
        The account of each group.
    offset : integer array, shape (2, groups + 1)
        For each player, where each group's rows start in the array of plan choices. The rows of a
        group are ordered by block, then choice, then fifth time; a row holds a block of pairs.
    """

    start: NDArray[np.int64]
    blocks: NDArray[np.int64]
    prefix: IntArray
    account: IntArray
    offset: NDArray[np.int64]


@dataclass(frozen=True)
class HiddenLayout:
    """A deal with hidden hands, ready for the regret loop and for best responses.

    Attributes
    ----------
    players : pair of PlayerLayout
        The types, levels and plans of each.
    groups : Groups
        The pairs of last prefixes.
    times : tuple of Time
        The possible fifth times; one where it is known.
    payoff : float array, shape (2, accounts, 16, 16, times)
        What a pair of plans earns its player, by own plan and other plan, the chance of the fifth
        time included.
    """

    players: tuple[PlayerLayout, PlayerLayout]
    groups: Groups
    times: tuple[Time, ...]
    payoff: NDArray[np.float64]

    @property
    def choices(self) -> tuple[int, int]:
        """How many rows each player's choices of plan fill, a block of pairs each."""
        return int(self.groups.offset[0, -1]), int(self.groups.offset[1, -1])


def hidden_layout(
    times: Sequence[Time | None],
    types: tuple[Sequence[Hand], Sequence[Hand]],
    objective: Objective,
    rules: Rules,
    account: Account,
) -> HiddenLayout:
    """Lay out a deal.

    Parameters
    ----------
    times : row of six times
        None where face down.
    types : pair of sequences of Hand
        The possible hands of each player, all of one size, two cards at least.
    objective : {"win", "margin"}
        What the payoffs are.
    rules : Rules
        Rules for two players.
    account : tuple
        Difference in points, streaks and memory of a bonus at the start.
    """
    first, second = (_player(tuple(hands)) for hands in types)
    played = ROUNDS - len(types[0][0])
    accounts, index = public_accounts((first, second), times[played:], rules, account)[-1]
    fifth = _fifth_times(times, rules)
    if played == ROUNDS - 1:
        payoff = _last_payoffs(account, times, objective, rules)
    else:
        payoff = _payoffs(accounts, times, fifth, objective, rules)
    groups = _groups((first, second), index, len(fifth))
    return HiddenLayout((first, second), groups, tuple(fifth), payoff)


@lru_cache(maxsize=8)
def _player(types: tuple[Hand, ...]) -> PlayerLayout:
    prefixes: list[Cards] = [()]
    nothing = np.zeros(1, dtype=np.int32)
    parents, cards = nothing, nothing
    # With two cards to go, hands with a choice of plan come first here already.
    order = sorted(range(len(types)), key=lambda number: (_is_pair(types[number]), number))
    states: list[tuple[Cards, int]] = [((), number) for number in order]
    state_parent = np.zeros(len(states), dtype=np.int32)
    levels = []
    while True:
        numbers = {prefix: number for number, prefix in enumerate(prefixes)}
        following = sorted(
            {
                ((*prefix, card), number)
                for prefix, number in states
                for card in _left(types[number], prefix).elements
            },
            key=lambda state: (state[0], _is_pair(_left(types[state[1]], state[0])), state[1]),
        )
        place = {state: number for number, state in enumerate(following)}
        child = np.array(
            [
                [place.get(((*prefix, card), number), -1) for card in Element]
                for prefix, number in states
            ],
            dtype=np.int32,
        )
        levels.append(
            Level(
                tuple(prefixes),
                parents,
                cards,
                np.array([numbers[prefix] for prefix, _ in states], dtype=np.int32),
                np.array([number for _, number in states], dtype=np.int32),
                state_parent,
                child,
            )
        )
        if len(prefixes[0]) == max(len(types[0]) - LAST, 0):
            return _with_plans(types, levels, states)
        earlier = {state: number for number, state in enumerate(states)}
        state_parent = np.array(
            [earlier[prefix[:-1], number] for prefix, number in following], dtype=np.int32
        )
        states = following
        prefixes = sorted({prefix for prefix, _ in states})
        parents = np.array([numbers[prefix[:-1]] for prefix in prefixes], dtype=np.int32)
        cards = np.array([prefix[-1] for prefix in prefixes], dtype=np.int32)


def _left(hand: Hand, prefix: Cards) -> Hand:
    for card in prefix:
        hand = hand.without(card)
    return hand


def _is_pair(hand: Hand) -> bool:
    """Whether two equal cards are left, or one, so that there is no choice of plan."""
    return len(hand) <= LAST and len(hand.elements) == 1


def _with_plans(
    types: tuple[Hand, ...], levels: list[Level], states: list[tuple[Cards, int]]
) -> PlayerLayout:
    last = levels[-1]
    # Hands at the start are in the caller's order; at the last level choices must come first.
    left = [_left(types[number], prefix) for prefix, number in states]
    order = sorted(range(len(states)), key=lambda s: (last.state_prefix[s], _is_pair(left[s]), s))
    if order != list(range(len(states))):
        raise AssertionError("the states with a choice come first")
    count = len(last.prefixes)
    pairs = np.array([_is_pair(hand) for hand in left])
    states_of = np.bincount(last.state_prefix, minlength=count).astype(np.int32)
    choices = np.bincount(last.state_prefix, weights=~pairs, minlength=count).astype(np.int32)
    cards = np.array([[hand.elements[0], hand.elements[-1]] for hand in left], dtype=np.int32)
    low, high = cards.T
    plans = np.stack([_CARDS * low + high, _CARDS * high + low], axis=1).astype(np.int32)
    first_state = np.concatenate([[0], np.cumsum(states_of)[:-1]]).astype(np.int32)
    return PlayerLayout(types, tuple(levels), first_state, choices, states_of, plans)


def public_accounts(
    players: tuple[PlayerLayout, PlayerLayout],
    times: Sequence[Time | None],
    rules: Rules,
    start: Account,
) -> list[tuple[list[Account], IntArray]]:
    """Return the account after each pair of prefixes.

    Parameters
    ----------
    players : pair of PlayerLayout
        The prefixes of both.
    times : sequence of Time
        Those of the rounds from the start of the deal on.
    rules : Rules
        Rules for two players.
    start : tuple
        The account before any card.

    Returns
    -------
    list of (list, integer array)
        For each level the accounts in the order in which they first occur, and for each prefix of
        player 0 and of player 1 the number of theirs.
    """
    found: list[tuple[list[Account], IntArray]] = [([start], np.zeros((1, 1), dtype=np.int32))]
    levels = zip(players[0].levels[1:], players[1].levels[1:], strict=True)
    for (level0, level1), time in zip(levels, times, strict=False):
        assert time is not None
        before, number = found[-1]
        earlier = number[level0.prefix_parent][:, level1.prefix_parent]
        step = _CARDS * (_CARDS * earlier + level0.prefix_card[:, None]) + level1.prefix_card
        steps, first, place = np.unique(step, return_index=True, return_inverse=True)
        after: dict[Account, int] = {}
        numbers = np.empty(len(steps), dtype=np.int32)
        for which in np.argsort(first):
            played, card1 = divmod(int(steps[which]), _CARDS)
            account, card0 = divmod(played, _CARDS)
            result = _score(before[account], (Element(card0), Element(card1)), time, rules)
            numbers[which] = after.setdefault(result, len(after))
        found.append((list(after), numbers[place].reshape(step.shape)))
    return found


def _score(account: Account, cards: tuple[Element, Element], time: Time, rules: Rules) -> Account:
    difference, streaks, memory = account
    score = score_round(rules, cards, time, streaks, memory)
    return difference + score.total[0] - score.total[1], score.streaks, score.memory


def _fifth_times(times: Sequence[Time | None], rules: Rules) -> dict[Time, float]:
    """Return the possible fifth times with their chances."""
    if times[4] is not None:
        return {times[4]: 1.0}
    known = [time for time in times if time is not None]
    return {time: float(chance) for time, chance in next_times(known, rules.time_deck).items()}


def _payoffs(
    accounts: list[Account],
    times: Sequence[Time | None],
    fifth: dict[Time, float],
    objective: Objective,
    rules: Rules,
) -> NDArray[np.float64]:
    """Return what each pair of plans earns, from both sides."""
    payoff = np.zeros((2, len(accounts), _PLANS, _PLANS, len(fifth)))
    known = [time for time in times[:4] if time is not None]
    ends: dict[tuple[Account, tuple[Element, Element], tuple[tuple[Time, float], ...]], float] = {}
    for place, (time, chance) in enumerate(fifth.items()):
        if times[5] is not None:
            sixth: tuple[tuple[Time, float], ...] = ((times[5], 1.0),)
        else:
            deck = next_times([*known, time], rules.time_deck)
            sixth = tuple((later, float(p)) for later, p in deck.items())
        for number, account in enumerate(accounts):
            for own, other in product(Element, repeat=2):
                after = _score(account, (own, other), time, rules)
                for own_last, other_last in product(Element, repeat=2):
                    key = (after, (own_last, other_last), sixth)
                    if key not in ends:
                        ends[key] = sum(
                            p * _utility(_score(after, key[1], later, rules)[0], objective)
                            for later, p in sixth
                        )
                    value = chance * ends[key]
                    plans = (_CARDS * own + own_last, _CARDS * other + other_last)
                    payoff[0, number, plans[0], plans[1], place] = value
                    payoff[1, number, plans[1], plans[0], place] = -value
    return payoff


def _last_payoffs(
    account: Account, times: Sequence[Time | None], objective: Objective, rules: Rules
) -> NDArray[np.float64]:
    """Return what the sixth cards earn when they are all that is left."""
    known = [time for time in times if time is not None]
    sixth = next_times(known, rules.time_deck)
    if len(known) == ROUNDS:
        sixth = {known[-1]: Fraction(1)}
    payoff = np.zeros((2, 1, _PLANS, _PLANS, 1))
    for own, other in product(Element, repeat=2):
        value = sum(
            float(chance) * _utility(_score(account, (own, other), time, rules)[0], objective)
            for time, chance in sixth.items()
        )
        plans = ((_CARDS + 1) * own, (_CARDS + 1) * other)
        payoff[0, 0, plans[0], plans[1], 0] = value
        payoff[1, 0, plans[1], plans[0], 0] = -value
    return payoff


def _utility(difference: int, objective: Objective) -> float:
    return float(np.sign(difference)) if objective == "win" else float(difference)


def _groups(players: tuple[PlayerLayout, PlayerLayout], account: IntArray, times: int) -> Groups:
    """Sort the pairs of last prefixes into groups: cards left of both, then account."""
    kinds = []
    for player in players:
        left: dict[tuple[int, ...], int] = {}
        kind = []
        for first, count in zip(player.first_state, player.states, strict=True):
            plans = tuple(player.plans[first : first + count].reshape(-1).tolist())
            kind.append(left.setdefault(plans, len(left)))
        kinds.append(np.array(kind))
    shape = account.shape
    key = (kinds[0][:, None] * (kinds[1].max() + 1) + kinds[1][None, :]) * (account.max() + 1)
    key = (key + account).reshape(-1)
    order = np.argsort(key, kind="stable")
    _, start = np.unique(key[order], return_index=True)
    own, other = np.unravel_index(order, shape)
    sizes = np.diff(np.append(start, len(order)))
    blocks = -(-sizes // BLOCK)
    offsets = [
        np.concatenate([[0], np.cumsum(player.choices[prefix[start]] * blocks * times)])
        for player, prefix in zip(players, (own, other), strict=True)
    ]
    return Groups(
        np.append(start, len(order)).astype(np.int64),
        blocks.astype(np.int64),
        np.stack([own, other]).astype(np.int32),
        account.reshape(-1)[order[start]].astype(np.int32),
        np.stack(offsets).astype(np.int64),
    )
