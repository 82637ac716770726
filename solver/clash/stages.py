"""Positions of Solaris' Clash in flat arrays, and the game compiled to layers of them.

A *stage* is one round of the game, before or after its time is turned up. A position of a stage is
five whole numbers: both hands, the outlook on the times, what the bonuses remember, and (under the
objective ``win``) the difference in points. Under ``margin`` the points so far only shift the
value, so they are left out. Positions that play or chance can reach from the given ones are found
stage by stage, each once; with ``symmetric`` one representative stands for all its images under
rotation and exchange of the players (rules page: "Symmetries worth using").

The result goes to `solver.backward_induction`, which knows no game.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import (
    ROUNDS,
    Element,
    Hand,
    Objective,
    Rules,
    State,
    Time,
    hands_of_size,
    prefix_chance,
    score_round,
)
from solver.backward_induction import ChanceLayer, ChoiceLayer, Layer
from solver.clash.outlook import Outlook

__all__ = [
    "CompiledGame",
    "Memory",
    "Positions",
    "Stage",
    "compile_game",
    "join_stages",
    "legal_cards",
    "positions_of",
]

IntArray: TypeAlias = NDArray[np.int64]
Memory: TypeAlias = tuple[tuple[int | str, ...], Hashable]
"""What the bonuses remember: both players' streaks, and the memory of a bonus of one's own."""

_ACTIONS = len(Element)
_DENSE = 1 << 27
"""Up to so many possible codes, a bitmap finds the different ones faster than a sort."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one stage, an array for each of their five numbers.

    Attributes
    ----------
    hands : pair of integer arrays
        Index of each player's hand among `games.clash.hands_of_size`.
    outlook, memory : integer array
        Index into the stage's outlooks and memories.
    difference : integer array
        Points of player 0 minus points of player 1; 0 throughout under ``margin``.
    """

    hands: tuple[IntArray, IntArray]
    outlook: IntArray
    memory: IntArray
    difference: IntArray


@dataclass(frozen=True)
class Stage:
    """All positions of one round at the same point of it, in ascending order of their codes.

    Attributes
    ----------
    size : int
        Cards in a hand, 1 to 6.
    outlooks, memories : tuple
        The outlooks and memories that occur.
    lowest : int
        The smallest difference in points that has a code.
    differences : int
        How many differences have a code.
    codes : integer array, shape (n,)
        Each position as one number: its five numbers in mixed radix, the difference last.
    symmetric : bool
        Whether a position stands for its images under the symmetries too.
    """

    size: int
    outlooks: tuple[Outlook, ...]
    memories: tuple[Memory, ...]
    lowest: int
    differences: int
    codes: IntArray
    symmetric: bool

    @property
    def is_due(self) -> bool:
        """Whether the time of the round is to be turned up."""
        return self.outlooks[0].is_due

    @property
    def round(self) -> int:
        """The round of the stage, 1 to 6."""
        return ROUNDS - self.size + 1

    def decode(self) -> Positions:
        """Return the positions whose codes the stage holds."""
        code = self.codes
        code, difference = np.divmod(code, self.differences)
        code, memory = np.divmod(code, len(self.memories))
        code, outlook = np.divmod(code, len(self.outlooks))
        hand0, hand1 = np.divmod(code, len(hands_of_size(self.size)))
        return Positions((hand0, hand1), outlook, memory, difference + self.lowest)

    def find(self, state: State, objective: Objective) -> tuple[int, int] | None:
        """Return where a state stands: index and sign (-1 where the players are exchanged).

        Returns
        -------
        (index, sign) or None
            None when the stage does not hold the state.
        """
        outlook = self._outlook_index.get(Outlook.of(state))
        memory = self._memory_index.get((state.streaks, state.memory))
        if outlook is None or memory is None:
            return None
        positions = positions_of([state], objective, [outlook], [memory])
        index, sign = self.find_all(positions)
        return None if index[0] < 0 else (int(index[0]), int(sign[0]))

    def find_all(self, positions: Positions) -> tuple[IntArray, NDArray[np.int8]]:
        """Return the index of each position, -1 for one that is not held, and its sign."""
        sign = np.ones(len(positions.outlook), dtype=np.int8)
        if self.symmetric:
            positions, sign = self._symmetry.representatives(positions)
        code = _encode(positions, self)
        index = np.minimum(np.searchsorted(self.codes, code), len(self.codes) - 1)
        shifted = positions.difference - self.lowest
        held = (self.codes[index] == code) & (shifted >= 0) & (shifted < self.differences)
        return np.where(held, index, -1), sign

    @cached_property
    def _outlook_index(self) -> dict[Outlook, int]:
        return {outlook: index for index, outlook in enumerate(self.outlooks)}

    @cached_property
    def _memory_index(self) -> dict[Memory, int]:
        return {memory: index for index, memory in enumerate(self.memories)}

    @cached_property
    def _symmetry(self) -> "_Symmetry":
        return _Symmetry(self.size, self.outlooks, self.memories)

    def state(self, index: int, rules: Rules) -> State:
        """Return a state that stands at an index: points 0 at least, past times in any order."""
        code = int(self.codes[index])
        code, difference = divmod(code, self.differences)
        code, memory = divmod(code, len(self.memories))
        code, outlook = divmod(code, len(self.outlooks))
        hands = divmod(code, len(hands_of_size(self.size)))
        streaks, bonus_memory = self.memories[memory]
        difference += self.lowest
        return State(
            tuple(hands_of_size(self.size)[hand] for hand in hands),
            _example_times(self.outlooks[outlook], ROUNDS - self.size, rules),
            (max(difference, 0), max(-difference, 0)),
            streaks,
            bonus_memory,
            rules,
        )


@dataclass(frozen=True, slots=True)
class CompiledGame:
    """The stages of a game from its first positions on, and the layers that join them.

    Attributes
    ----------
    stages : list of Stage
        In the order of play.
    layers : list of ChoiceLayer or ChanceLayer
        One for each stage; the children of the last are the ends.
    terminal : float array
        What each end is worth to player 0: the sign of the difference under ``win``; 0 under
        ``margin``, where all points are rewards on the way.
    """

    stages: list[Stage]
    layers: list[Layer]
    terminal: NDArray[np.float64]


def compile_game(  # noqa: PLR0917
    rules: Rules,
    objective: Objective,
    size: int,
    outlooks: Sequence[Outlook],
    memories: Sequence[Memory],
    start: Positions,
    symmetric: bool,
) -> CompiledGame:
    """Find all positions that can follow the given ones and join them to layers.

    Parameters
    ----------
    rules : Rules
        Rules for two players.
    objective : {"win", "margin"}
        What the values will be.
    size : int
        Cards in the hands of the first positions, 1 to 6.
    outlooks, memories : sequence
        What the indices in `start` mean; all outlooks of one length.
    start : Positions
        The first positions, all of one stage.
    symmetric : bool
        Whether to merge positions that are images of each other. Not for rules with a bonus of the
        user's own, of which no symmetry is known.
    """
    stages: list[Stage] = []
    layers: list[Layer] = []
    stage, index, sign = _gather(start, size, outlooks, memories, symmetric)
    while True:
        stages.append(stage)
        if stage.is_due:
            following, targets, probability = _reveal(stage, rules)
            stage, index, sign = _gather(following, stage.size, targets, stage.memories, symmetric)
            shape = probability.shape
            layers.append(ChanceLayer(index.reshape(shape), sign.reshape(shape), probability))
            continue
        choices = _choices(stage, rules, objective)
        if stage.size == 1:
            lowest, highest = (int(f(choices.following.difference)) for f in (np.min, np.max))
            terminal = np.sign(np.arange(lowest, highest + 1)).astype(np.float64)
            index = (choices.following.difference - lowest).astype(np.int32)
            layers.append(choices.layer(index, np.ones(len(index), dtype=np.int8)))
            return CompiledGame(stages, layers, terminal)
        targets = [outlook.after_round() for outlook in stage.outlooks]
        stage, index, sign = _gather(
            choices.following, stage.size - 1, targets, choices.memories, symmetric
        )
        layers.append(choices.layer(index, sign))


def join_stages(stage: Stage, following: Stage, rules: Rules, objective: Objective) -> ChoiceLayer:
    """Return the layer that joins two stages of a compiled game, the second after a round.

    The layer is not kept with solved values; this makes it again.
    """
    choices = _choices(stage, rules, objective)
    outlooks = {outlook: index for index, outlook in enumerate(following.outlooks)}
    after = np.array([outlooks.get(o.after_round(), -1) for o in stage.outlooks])
    memories = np.array([following.memories.index(memory) for memory in choices.memories])
    positions = replace(
        choices.following,
        outlook=after[choices.following.outlook],
        memory=memories[choices.following.memory],
    )
    index, sign = following.find_all(positions)
    return choices.layer(index.astype(np.int32), sign)


def positions_of(
    states: Sequence[State],
    objective: Objective,
    outlooks: Sequence[int],
    memories: Sequence[int],
) -> Positions:
    """Return states of one stage as arrays, given the indices of their outlooks and memories."""
    hand0, hand1 = (
        np.array([_hand_index(state.hands[player]) for state in states]) for player in (0, 1)
    )
    differences = [s.points[0] - s.points[1] if objective == "win" else 0 for s in states]
    return Positions((hand0, hand1), np.array(outlooks), np.array(memories), np.array(differences))


# From one stage to the next


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the plays of a stage lead to, one entry a position and pair of cards."""

    following: Positions
    memories: list[Memory]
    place: tuple[IntArray, IntArray, IntArray]
    reward: IntArray
    rows: NDArray[np.int8]
    columns: NDArray[np.int8]

    def layer(self, index: NDArray[np.int32], sign: NDArray[np.int8]) -> ChoiceLayer:
        shape = (len(self.rows), _ACTIONS, _ACTIONS)
        child = np.zeros(shape, dtype=np.int32)
        signs = np.ones(shape, dtype=np.int8)
        rewards = np.zeros(shape, dtype=np.int32)
        child[self.place], signs[self.place], rewards[self.place] = index, sign, self.reward
        return ChoiceLayer(child, signs, rewards, self.rows, self.columns)


def _choices(stage: Stage, rules: Rules, objective: Objective) -> _Choices:
    positions = stage.decode()
    _, without = _hand_arrays(stage.size)
    legal = legal_cards(stage.size)
    place = legal.cumsum(axis=1) - 1
    now = np.array([outlook.known[0] for outlook in stage.outlooks])[positions.outlook]
    hand0, hand1 = positions.hands
    scores = _Scores(rules, stage.memories)
    parts: list[tuple[IntArray, ...]] = []
    for card0, card1 in product(Element, repeat=2):
        nodes = np.flatnonzero(legal[hand0, card0] & legal[hand1, card1])
        if not nodes.size:
            continue
        memory, gain = scores(positions.memory[nodes], now[nodes], (card0, card1))
        parts.append(
            (
                without[hand0[nodes], card0],
                without[hand1[nodes], card1],
                positions.outlook[nodes],
                memory,
                positions.difference[nodes],
                gain,
                nodes,
                place[hand0[nodes], card0],
                place[hand1[nodes], card1],
            )
        )
    columns = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    next0, next1, outlook, memory, difference, gain, nodes, row, column = columns
    if objective == "win":
        difference, gain = difference + gain, np.zeros_like(gain)
    return _Choices(
        Positions((next0, next1), outlook, memory, difference),
        scores.following,
        (nodes, row, column),
        gain,
        legal.sum(axis=1)[hand0].astype(np.int8),
        legal.sum(axis=1)[hand1].astype(np.int8),
    )


class _Scores:
    """What rounds score from each memory, asked of the rules once for each case that occurs."""

    def __init__(self, rules: Rules, memories: tuple[Memory, ...]) -> None:
        self._rules = rules
        self._memories = memories
        self._index: dict[Memory, int] = {}

    @property
    def following(self) -> list[Memory]:
        """The memories after the round, in the order of their indices."""
        return list(self._index)

    def __call__(
        self, memory: IntArray, time: IntArray, cards: tuple[Element, Element]
    ) -> tuple[IntArray, IntArray]:
        """Return the indices of the memories after the round, and what player 0 gains in it."""
        case = memory * len(Time) + time
        cases = np.unique(case)
        after = np.zeros((2, len(self._memories) * len(Time)), dtype=np.int64)
        for number in cases:
            before, now = divmod(int(number), len(Time))
            streaks, bonus_memory = self._memories[before]
            score = score_round(self._rules, cards, Time(now), streaks, bonus_memory)
            kept: Memory = (score.streaks, score.memory)
            gain = score.total[0] - score.total[1]
            after[:, number] = self._index.setdefault(kept, len(self._index)), gain
        return after[0, case], after[1, case]


def _reveal(stage: Stage, rules: Rules) -> tuple[Positions, list[Outlook], NDArray[np.float64]]:
    """Return every child of a stage whose time is due, what their outlooks are, and the chances."""
    reveals = [outlook.reveals(rules.time_deck) for outlook in stage.outlooks]
    targets = sorted({target for chances in reveals for target in chances})
    width = max(map(len, reveals))
    target_index = np.zeros((len(reveals), width), dtype=np.int64)
    probability = np.zeros((len(reveals), width))
    for row, chances in enumerate(reveals):
        padded = list(chances) + [next(iter(chances))] * (width - len(chances))
        target_index[row] = [targets.index(target) for target in padded]
        probability[row, : len(chances)] = [float(chance) for chance in chances.values()]
    positions = stage.decode()
    hand0, hand1, memory, difference = (
        np.repeat(array, width)
        for array in (*positions.hands, positions.memory, positions.difference)
    )
    outlook = target_index[positions.outlook].reshape(-1)
    return (
        Positions((hand0, hand1), outlook, memory, difference),
        targets,
        probability[positions.outlook],
    )


def _gather(
    positions: Positions,
    size: int,
    outlooks: Sequence[Outlook],
    memories: Sequence[Memory],
    symmetric: bool,
) -> tuple[Stage, NDArray[np.int32], NDArray[np.int8]]:
    """Return the stage that holds these positions, where each stands in it, and its sign."""
    different = set(outlooks)
    if symmetric:
        different = {image for outlook in different for image in _rotations(outlook)}
        memories = [*memories, *(m for m in map(_swapped, memories) if m not in memories)]
    listed = sorted(different)
    # Several outlooks may have become one, and rotations have joined them.
    numbers = {outlook: index for index, outlook in enumerate(listed)}
    renumbered = np.array([numbers[outlook] for outlook in outlooks])
    positions = replace(positions, outlook=renumbered[positions.outlook])
    sign = np.ones(len(positions.outlook), dtype=np.int8)
    if symmetric:
        positions, sign = _Symmetry(size, listed, memories).representatives(positions)
    lowest, highest = (int(f(positions.difference)) for f in (np.min, np.max))
    empty = np.zeros(0, dtype=np.int64)
    stage = Stage(
        size, tuple(listed), tuple(memories), lowest, highest - lowest + 1, empty, symmetric
    )
    codes, index = _distinct(_encode(positions, stage), _code_range(stage))
    return replace(stage, codes=codes), index, sign


class _Symmetry:
    """The representatives of a stage's positions under rotation and exchange of the players.

    The outlook is turned to its smallest rotation; of the two orders of the players, the one that
    is smaller by hands, then memory, then difference stands for both.
    """

    def __init__(self, size: int, outlooks: Sequence[Outlook], memories: Sequence[Memory]) -> None:
        numbers = {outlook: index for index, outlook in enumerate(outlooks)}
        images = [_rotations(outlook) for outlook in outlooks]
        self._turned = np.array([numbers[min(turns)] for turns in images])
        self._steps = np.array([turns.index(min(turns)) for turns in images])
        self._partner = np.array([memories.index(_swapped(memory)) for memory in memories])
        self._hands = _rotated_hands(size)

    def representatives(self, positions: Positions) -> tuple[Positions, NDArray[np.int8]]:
        """Return the representative of each position, and -1 where the players are exchanged."""
        steps = self._steps[positions.outlook]
        hand0, hand1 = (self._hands[steps, hand] for hand in positions.hands)
        memory, swapped = positions.memory, self._partner[positions.memory]
        difference = positions.difference
        exchange = (hand0 > hand1) | (
            (hand0 == hand1) & ((memory > swapped) | ((memory == swapped) & (difference < 0)))
        )
        return (
            Positions(
                (np.where(exchange, hand1, hand0), np.where(exchange, hand0, hand1)),
                self._turned[positions.outlook],
                np.where(exchange, swapped, memory),
                np.where(exchange, -difference, difference),
            ),
            np.where(exchange, -1, 1).astype(np.int8),
        )


def _encode(positions: Positions, stage: Stage) -> IntArray:
    """Return each position as one number: its five numbers in mixed radix, difference last."""
    hand0, hand1 = positions.hands
    code = hand0 * len(hands_of_size(stage.size)) + hand1
    code = code * len(stage.outlooks) + positions.outlook
    code = code * len(stage.memories) + positions.memory
    result: IntArray = code * stage.differences + (positions.difference - stage.lowest)
    return result


def _code_range(stage: Stage) -> int:
    hands = len(hands_of_size(stage.size))
    return hands * hands * len(stage.outlooks) * len(stage.memories) * stage.differences


def _distinct(codes: IntArray, code_range: int) -> tuple[IntArray, NDArray[np.int32]]:
    """Return the different codes in ascending order, and where each given one stands among them."""
    if code_range > _DENSE or code_range > 64 * len(codes) + 4096:
        different, index = np.unique(codes, return_inverse=True)
        return different, index.astype(np.int32)
    occurs = np.zeros(code_range, dtype=np.bool_)
    occurs[codes] = True
    rank = occurs.cumsum(dtype=np.int32) - 1
    return np.flatnonzero(occurs), rank[codes]


# Tables of hands, times and memories


def _hand_index(hand: Hand) -> int:
    return hands_of_size(len(hand)).index(hand)


def legal_cards(size: int) -> NDArray[np.bool_]:
    """Return which elements each hand of a size holds, shape (hands, 4)."""
    return _hand_arrays(size)[0] > 0


@lru_cache(maxsize=ROUNDS + 1)
def _hand_arrays(size: int) -> tuple[IntArray, IntArray]:
    """Return the card counts of all hands of a size, and their indices after each card (or -1)."""
    hands = hands_of_size(size)
    counts = np.array([hand.counts for hand in hands])
    without = np.full(counts.shape, -1)
    for number, hand in enumerate(hands):
        for card in hand.elements:
            without[number, card] = _hand_index(hand.without(card))
    return counts, without


@lru_cache(maxsize=ROUNDS + 1)
def _rotated_hands(size: int) -> IntArray:
    """Return the index of every hand of a size after 0 to 3 rotations, shape (4, hands)."""
    return np.array(
        [[_hand_index(hand.rotated(steps)) for hand in hands_of_size(size)] for steps in range(4)]
    )


def _rotations(outlook: Outlook) -> list[Outlook]:
    return [outlook.rotated(steps) for steps in range(4)]


def _swapped(memory: Memory) -> Memory:
    streaks, bonus_memory = memory
    return streaks[::-1], bonus_memory


def _example_times(outlook: Outlook, played: int, rules: Rules) -> tuple[Time, ...]:
    """Return a row of times that has this outlook after so many rounds."""
    if outlook.seen:
        past = [time for time in Time for _ in range(outlook.seen[time])]
        for time in outlook.known:
            past.remove(time)
        return (*past, *outlook.known)
    rows = ((*past, *outlook.known) for past in combinations_with_replacement(Time, played))
    return next(row for row in rows if prefix_chance(row, rules.time_deck))
