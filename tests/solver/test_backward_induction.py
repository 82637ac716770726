"""The layered solver on small games of the literature, not on the games of this project."""

from itertools import product

import numpy as np
import pytest

from solver.backward_induction import ChanceLayer, ChoiceLayer, backward_induction
from solver.matrix import solve


def goofspiel_layers(cards: int) -> tuple[list[ChoiceLayer], np.ndarray]:
    """Goofspiel with open bids and prizes cards, cards - 1, ..., 1; the objective is to win.

    A position is (hand, hand, points so far); in each round the higher bid takes the prize.
    """
    full = frozenset(range(1, cards + 1))
    level = [(full, full, 0)]
    layers = []
    for prize in range(cards, 0, -1):
        children: dict[tuple, int] = {}
        child = np.zeros((len(level), prize, prize), dtype=np.int32)
        for node, (hand0, hand1, ahead) in enumerate(level):
            for (i, bid0), (j, bid1) in product(enumerate(sorted(hand0)), enumerate(sorted(hand1))):
                after = (hand0 - {bid0}, hand1 - {bid1}, ahead + prize * int(np.sign(bid0 - bid1)))
                child[node, i, j] = children.setdefault(after, len(children))
        size = np.full(len(level), prize, dtype=np.int8)
        ones = np.ones(child.shape, dtype=np.int8)
        layers.append(ChoiceLayer(child, ones, np.zeros(child.shape, dtype=np.int32), size, size))
        level = list(children)
    return layers, np.array([np.sign(ahead) for _, _, ahead in level], dtype=np.float64)


def goofspiel_value(hand0: frozenset, hand1: frozenset, ahead: int) -> float:
    if not hand0:
        return float(np.sign(ahead))
    prize = len(hand0)
    payoffs = [
        [
            goofspiel_value(hand0 - {b0}, hand1 - {b1}, ahead + prize * int(np.sign(b0 - b1)))
            for b1 in sorted(hand1)
        ]
        for b0 in sorted(hand0)
    ]
    return solve(payoffs).value


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_goofspiel_agrees_with_plain_recursion(cards):
    layers, terminal = goofspiel_layers(cards)
    values = backward_induction(layers, terminal)
    full = frozenset(range(1, cards + 1))
    assert values[0][0] == pytest.approx(goofspiel_value(full, full, 0), abs=1e-12)
    assert values[0][0] == pytest.approx(0, abs=1e-12)


def test_more_than_four_actions_are_solved_one_by_one():
    values = backward_induction(*goofspiel_layers(5))
    assert values[0][0] == pytest.approx(0, abs=1e-12)
    assert values[1].min() < -0.5


def test_rock_paper_scissors_with_a_reward_and_an_exchanged_child():
    beats = np.array([[[0, -1, 1], [1, 0, -1], [-1, 1, 0]]], dtype=np.int32)
    three = np.array([3], dtype=np.int8)
    child = np.zeros((1, 3, 3), dtype=np.int32)
    exchanged = -np.ones((1, 3, 3), dtype=np.int8)
    layer = ChoiceLayer(child, exchanged, beats, three, three)
    assert backward_induction([layer], np.array([0.25]))[0][0] == pytest.approx(-0.25, abs=1e-15)


def test_chance_takes_the_expectation():
    child = np.array([[0, 1]], dtype=np.int32)
    layer = ChanceLayer(child, np.array([[1, -1]], dtype=np.int8), np.array([[0.25, 0.75]]))
    assert backward_induction([layer], np.array([1.0, 2.0]))[0][0] == -1.25


def test_one_row_and_one_column_take_the_extreme():
    child = np.array([[[0, 1], [0, 0]], [[0, 0], [1, 0]]], dtype=np.int32)
    ones, zeros = np.ones(child.shape, dtype=np.int8), np.zeros(child.shape, dtype=np.int32)
    rows, columns = np.array([1, 2], dtype=np.int8), np.array([2, 1], dtype=np.int8)
    layer = ChoiceLayer(child, ones, zeros, rows, columns)
    values = backward_induction([layer], np.array([3.0, 7.0]))[0]
    assert values.tolist() == [3.0, 7.0]
