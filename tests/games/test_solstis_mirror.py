"""Symmetries: the mountain is its own mirror image, and the players can be exchanged.

Left out is one thing only: which squares get the last fireflies of a player who makes more than the
four that win. They are placed in the order in which the cells were filled, around a cell from the
left to the right, and the mirror image turns that round; the game is won all the same.
"""

import random

import pytest
from hypothesis import given

from games.solstis import State
from games.solstis.mountain import CELLS as NUMBERS
from games.solstis.mountain import SQUARES as SQUARE_NUMBERS
from games.solstis.mountain import (
    cell_name,
    cell_number,
    mask_of,
    mirror_cell,
    mirror_mask,
    mirror_square,
)
from tests.solstis_positions import asks, position
from tests.solstis_strategies import (
    ALL_RULES,
    CELLS,
    SQUARES,
    by_sets,
    choices,
    exchange,
    four,
    mirror,
    mirror_action,
    nodes,
    seeds,
    states,
)
from tests.solstis_strategies import (
    mirror_cell as mirror_cell_name,
)
from tests.solstis_strategies import (
    mirror_square as mirror_square_name,
)
from tests.strategies import heavy


def won_by_fireflies(state):
    return any(state.score(player).firefly_win for player in (0, 1))


def in_step(state, other, change, action_of, *, rng, steps):
    """Play both on, and compare them at every node."""
    for _ in range(steps):
        if state.kind == "end" and won_by_fireflies(state):
            assert other.kind == "end"
            assert won_by_fireflies(other)
            return
        assert by_sets(other.to_dict()) == by_sets(change(state.to_dict()))
        assert other.kind == state.kind
        theirs = {str(action): action for action in choices(other)}
        mine = choices(state)
        assert {action_of(action) for action in mine} == set(theirs)
        if state.kind == "chance":
            chances = {str(outcome): chance for outcome, chance in other.outcomes()}
            assert all(chances[action_of(o)] == chance for o, chance in state.outcomes())
        if not mine:
            return
        action = rng.choice(mine)
        state, other = state.play(action), other.play(theirs[action_of(action)])


@heavy
@given(states(), seeds)
def test_a_mirrored_state_is_played_in_the_mirror(state, seed):
    other = State.from_dict(mirror(state.to_dict()))
    for player in (0, 1):
        assert other.score(player) == state.score(player)
    assert State.from_dict(mirror(other.to_dict())) == state
    in_step(state, other, mirror, mirror_action, rng=random.Random(seed), steps=8)


@heavy
@given(states(), seeds)
def test_the_players_can_be_exchanged(state, seed):
    other = State.from_dict(exchange(state.to_dict()))
    for player in (0, 1):
        assert other.score(player) == state.score(1 - player)
    decider = None if state.decider is None else 1 - state.decider
    assert other.decider == decider
    in_step(state, other, exchange, str, rng=random.Random(seed), steps=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(96))
def test_whole_games_are_played_in_the_mirror(seed):
    rules = ALL_RULES[seed]
    for ordered in (True, False):
        state = State.new(seed, rules, ordered)
        other = State.from_dict(mirror(state.to_dict()))
        in_step(state, other, mirror, mirror_action, rng=random.Random(seed), steps=300)
        for node in nodes(state, random.Random(seed)):
            twin = State.from_dict(mirror(node.to_dict()))
            assert [twin.score(k) for k in (0, 1)] == [node.score(k) for k in (0, 1)]


def test_cells_and_squares_have_mirror_images():
    assert [cell_name(cell) for cell in NUMBERS] == CELLS
    assert [cell_name(square) for square in SQUARE_NUMBERS] == SQUARES
    for cell in CELLS:
        assert cell_name(mirror_cell(cell_number(cell))) == mirror_cell_name(cell)
        assert mirror_cell_name(mirror_cell_name(cell)) == cell
        assert mirror_cell_name(cell) in CELLS
    for square in SQUARES:
        image = mirror_square_name(square)
        assert cell_name(mirror_square(cell_number(square))) == image
        assert {mirror_cell_name(cell) for cell in four(square)} == {*four(image)}
        assert mirror_square_name(image) == square
    left = mask_of(cell_number(cell) for cell in ("1-1", "4-2", "6-4"))
    right = mask_of(cell_number(cell) for cell in ("1-10", "4-9", "6-7"))
    assert mirror_mask(left) == right


def test_a_hand_made_position_and_its_mirror_image():
    state = position(hands=("3-10 6-4", "1-1"), display="3-5 4-9/4-2", tiles=("2-4 3-4", ""))
    other = position(hands=("3-1 6-7", "1-10"), display="3-6 4-2/4-9", tiles=("2-7 3-7", ""))
    assert asks(other) == "play_tile"
    assert by_sets(mirror(state.to_dict())) == by_sets(other.to_dict())
    assert mirror_action("spirit_keep Bee@2-4") == "spirit_keep Bee@2-6"
    assert mirror_action("capture 3-5@0!removed") == "capture 3-6@0!removed"
    assert mirror_action("viper rainbow@1-1>6-7") == "viper rainbow@1-10>6-4"
