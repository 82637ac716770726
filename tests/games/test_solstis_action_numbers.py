"""Numbers for actions and observations, and deals in steps."""

import random

import numpy as np
import pytest

from games.errors import IllegalMoveError, NotationError, PositionError
from games.solstis import Action, Rules, State
from games.solstis.action_numbers import (
    ACTION_COUNTS,
    OUTCOME_COUNT,
    action_number,
    legal_numbers,
    outcome_number,
)
from games.solstis.dealing import deal, drawing_player
from games.solstis.observation_arrays import OBSERVATION_PARTS, observation_arrays

RULES = [
    Rules(),
    Rules.published(),
    Rules("firefly"),
    Rules.published("firefly"),
    Rules("beginner"),
]
BOTH = (0, 1)


def walk(rules, seed):
    """Yield the states of a random game in which every draw is chance."""
    rng, state = random.Random(seed), State.new(seed, rules, ordered=False)
    yield state
    while state.kind != "end":
        state = state.play(rng.choice([*legal_numbers(state).values()]))
        yield state


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_different_actions_have_different_numbers(rules):
    for seed in range(15):
        for state in walk(rules, seed):
            numbers = legal_numbers(state)
            if state.kind == "chance":
                assert len(numbers) == len(state.outcomes())
                assert max(numbers) < OUTCOME_COUNT
            else:
                assert len(numbers) == len(state.legal())
                assert max(numbers, default=0) < ACTION_COUNTS[rules.variant]
            assert min(numbers, default=0) >= 0
            assert list(numbers) == sorted(numbers)


def test_the_numbers_are_those_of_the_documentation():
    first = {
        "play_tile 1-1": 0,
        "capture 1-1@17!removed": 48,
        "place_rainbow 1-1": 96,
        "deer 1-1": 144,
        "beetle 1-1@0": 192,
        "spirit_source draw": 240,
        "spirit_source Fish@1-1": 241,
        "spirit_keep Fish@1-1": 835,
        "evil_cover Fish@1-1": 1429,
        "fox_force 1-1": 1447,
        "evil_block 1-1": 1495,
        "viper 1-1": 1543,
        "viper rainbow@1-1>1-1": 1591,
    }
    assert {text: action_number(Action.parse(text)) for text in first} == first
    assert ACTION_COUNTS == {"base": 1447, "beginner": 1447, "firefly": 3895}
    assert action_number(Action.parse("evil_cover Phoenix@1-1")) == 1446
    assert action_number(Action.parse("viper rainbow@6-7>6-7")) == 3894
    assert action_number(Action.parse("spirit_keep Phoenix@5-6")) == 1428
    assert outcome_number(Action.parse("second_chance 6-7")) == 47
    assert outcome_number(Action.parse("draw_spirits EvilBeaver")) == OUTCOME_COUNT - 1 == 189


def test_chance_and_players_are_not_mixed_up():
    with pytest.raises(IllegalMoveError, match="draw 1-2 is an outcome of chance"):
        action_number(Action.parse("draw 1-2"))
    with pytest.raises(IllegalMoveError, match="deer 1-2 is an action of a player"):
        outcome_number(Action.parse("deer 1-2"))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_deal_is_the_start_of_a_game(rules):
    start = State.new(3, rules, ordered=False)
    display = [entry["up"] for entry in start.to_dict()["state"]["display"]]
    tiles = [*display, *start.observe(0).hand, *start.observe(1).hand]
    assert deal(tiles, rules) == start
    assert deal(tiles[:8], rules).observe(0).hand == sorted(tiles[6:8])


def test_deals_that_cannot_be():
    with pytest.raises(PositionError, match="each of them once"):
        deal(["1-1", "1-1"])
    with pytest.raises(PositionError, match="at most 12 tiles"):
        deal([f"{row}-{number}" for row in (1, 2) for number in range(1, 8)])
    with pytest.raises(NotationError, match="there is no cell '4-1'"):
        deal(["4-1"])


def test_who_draws_sees_it():
    drawn = 0
    for seed in range(10):
        rng, state = random.Random(seed), State.new(seed, Rules(), ordered=False)
        while state.kind != "end":
            player = drawing_player(state)
            action = rng.choice([*legal_numbers(state).values()])
            after = state.play(action)
            assert (player is not None) == (action.kind == "draw")
            if player is not None and after.observe(player).pile_size:
                drawn += 1
                assert action.option in after.observe(player).hand
                assert action.option in after.observe(1 - player).unseen
            state = after
    assert drawn > 100


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_arrays_of_observations(rules):
    arrays, views = {}, {}
    for seed in range(3):
        for number, state in enumerate(walk(rules, seed)):
            for player in BOTH:
                view = state.observe(player)
                found = observation_arrays(view)
                assert {name: part.shape for name, part in found.items()} == OBSERVATION_PARTS
                assert all(part.dtype == np.float32 for part in found.values())
                key = player, b"".join(part.tobytes() for part in found.values())
                assert arrays.setdefault(view, key) == key
                if number % 10 == 0:
                    world = view.sample(number).observe(player)
                    assert all(
                        np.array_equal(found[name], part)
                        for name, part in observation_arrays(world).items()
                    )
                if rules.variant != "firefly":
                    assert views.setdefault(key, view) == view


def test_what_the_arrays_say():
    state = State.new(5).play("play_tile 4-7").play("capture 4-3@0")
    mine, theirs = (observation_arrays(state.observe(player)) for player in BOTH)
    assert mine["tiles"].sum(axis=1).tolist() == [2, 0]
    assert theirs["tiles"].sum(axis=1).tolist() == [0, 2]
    assert mine["to_move"].tolist() == [0, 1]
    assert theirs["to_move"].tolist() == [1, 0]
    assert mine["scores"].tolist() == [state.score(0).total, state.score(1).total]
    assert mine["display"].sum() == 6
    assert mine["face_down"].sum() == 5
    assert mine["counts"][:3].tolist() == [3, 29, 12]
