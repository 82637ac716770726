"""What holds in every state of every game."""

import copy
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import GameError, IllegalMoveError, PositionError
from games.solstis import Action, Rules, State
from games.solstis.bits import complete
from games.solstis.mountain import mask_of
from tests.solstis_positions import position, run
from tests.solstis_strategies import (
    ALL_RULES,
    BLUE,
    CELLS,
    EVIL,
    PLAIN,
    SPIRITS,
    SQUARES,
    VARIANTS,
    by_sets,
    choices,
    four,
    game,
    neighbours,
    nodes,
    raised_by,
    rules,
    seeds,
    states,
    step,
    studied,
)
from tests.strategies import heavy

EVERY_KIND = [
    "play_tile",
    "capture",
    "place_rainbow",
    "spirit_source",
    "spirit_keep",
    "deer",
    "beetle",
    "viper",
    "fox_force",
    "evil_block",
    "evil_cover",
    "eagle_draw",
    "dragonfly_draw",
    "draw",
    "second_chance",
    "reveal",
    "draw_spirits",
]


def check_conserved(state):
    """Count all tiles, rainbows, spirits and fireflies, and look where they lie."""
    data = state.to_dict()
    record, turn, variant = data["state"], data.get("turn", {}), state.rules.variant
    pans = [record["pan"][player] for player in "12"]
    tiles = [tile for pan in pans for tile in pan["tiles"]] + record["removed"]
    tiles += [tile for player in "12" for tile in record["hands"][player]]
    tiles += [entry["up"] for entry in record["display"] if "up" in entry]
    if "playing" in turn and "playing_place" not in turn:
        tiles.append(turn["playing"])
    below = [entry["down"] for entry in record["display"] if "down" in entry]
    assert len(tiles) == len({*tiles})
    assert len(tiles) + len(below) + record["pile"] == 48
    if state.ordered:
        assert sorted(tiles + below + data["pile"]) == sorted(CELLS)
    rainbows = sum(len(pan["rainbows"]) for pan in pans) + record["rainbow_stock"]
    assert rainbows + sum(record.get("held", {}).values()) + turn.get("rainbows", 0) == 12

    placed = [text.partition("@") for pan in pans for text in pan["spirits"]]
    spirits = [name for name, _, _ in placed] + record["line"] + turn.get("drawn", [])
    spirits += data.get("spirit_pile_set", data.get("spirit_pile"))
    evil = [record["evil"] is not None, "spirit_hand" in record]
    evil += [name in pan for pan in pans for name in ("evil_cover", "evil_block")]
    spirits += [EVIL] * sum(evil)
    gone = {*SPIRITS[variant]} - {*spirits}
    assert len(spirits) == len({*spirits})
    assert not gone or (variant == "firefly" and gone == {EVIL})
    assert {*spirits} <= {*SPIRITS[variant]}
    assert len(data.get("spirit_pile_set", data.get("spirit_pile"))) == record["spirits_left"]

    for pan in pans:
        filled = {*pan["tiles"], *pan["rainbows"]}
        assert len(filled) == len(pan["tiles"]) + len(pan["rainbows"])
        bearing = [text.partition("@")[2] for text in pan["spirits"]] + pan.get("fireflies", [])
        assert len(bearing) == len({*bearing})
        assert all({*four(square)} <= filled for square in bearing)
        assert len(pan.get("fireflies", [])) <= 4
        assert pan.get("evil_block") not in filled
    assert len(placed) + sum(len(pan.get("fireflies", [])) for pan in pans) <= 66


@heavy
@given(rules(), seeds, st.booleans())
def test_nothing_is_lost_or_doubled_in_a_game(options, seed, ordered):
    played = list(game(seed, options, ordered))
    for state in (*played[seed % 3 :: 3], played[-1]):
        check_conserved(state)
    assert 20 < len(played) < 400


@heavy
@given(rules(), seeds)
def test_nothing_is_lost_or_doubled_after_a_studied_position(options, seed):
    rng = random.Random(seed)
    for state in list(nodes(State.from_dict(studied(rng, options)), rng))[::2]:
        check_conserved(state)


@heavy
@given(states(), seeds)
def test_what_is_offered_can_be_played_and_nothing_else(state, seed):
    rng = random.Random(seed)
    offered = choices(state)
    assert len({*offered}) == len(offered)
    assert (state.kind == "end") == (not offered)
    assert (state.decider is None) == (state.kind != "decision")
    assert (state.to_move is None) == (state.kind == "end")
    assert bool(state.legal()) == (state.kind == "decision")
    assert bool(state.outcomes()) == (state.kind == "chance")
    for action in offered:
        after = state.play(action)
        assert after != state
        assert after == state.play(str(action))
    if state.kind == "chance":
        chances = [chance for _, chance in state.outcomes()]
        assert sum(chances) == 1
        assert {type(chance) for chance in chances} == {Fraction}
    texts = {str(action) for action in offered}
    for _ in range(5):
        other, kind = rng.choice(CELLS), rng.choice(EVERY_KIND)
        name = rng.choice([*PLAIN, *BLUE])
        square, place = rng.choice(SQUARES), rng.randrange(8)
        text = {
            "spirit_source": f"spirit_source {name}@{square}",
            "spirit_keep": f"spirit_keep {name}@{square}",
            "evil_cover": f"evil_cover {name}@{square}",
            "capture": f"capture {other}@{place}",
            "beetle": f"beetle {other}@{place}",
            "reveal": f"reveal {other}@{place}",
            "viper": f"viper rainbow@{other}>{rng.choice(CELLS)}",
            "draw_spirits": f"draw_spirits {name}",
        }.get(kind, f"{kind} {other}")
        if text not in texts:
            for ask in (state.play, state.end_of_turn):
                with pytest.raises(IllegalMoveError) as refused:
                    ask(text)
                assert text in str(refused.value)
                assert all(known in str(refused.value) for known in texts)


@heavy
@given(states(), seeds)
def test_a_state_is_a_value(state, seed):
    text, data, number = str(state), state.to_dict(), hash(state)
    twins = [copy.copy(state), copy.deepcopy(state), State.parse(text), State.from_dict(data)]
    twins.append(pickle.loads(pickle.dumps(state)))
    for twin in twins:
        assert twin == state
        assert hash(twin) == number
        assert (twin.kind, twin.decider, twin.to_move) == (state.kind, state.decider, state.to_move)
        assert twin.legal() == state.legal()
        assert twin.outcomes() == state.outcomes()
    assert len({state, *twins}) == 1
    assert state != text
    assert state != data
    # Nothing that is asked of it, or done with it, changes it.
    for player in (0, 1):
        state.score(player)
        state.observe(player).sample(seed)
    for action in choices(state)[:5]:
        state.play(action)
        state.end_of_turn(action)
    state.shuffled(seed)
    state.unordered()
    data["state"]["hands"]["1"].clear()
    data["state"]["pan"]["1"]["tiles"].append("9-9")
    state.legal().clear()
    state.outcomes().clear()
    assert (str(state), hash(state)) == (text, number)
    assert state == State.parse(text)


@heavy
@given(states(), seeds)
def test_order_is_given_and_taken(state, seed):
    free = state.unordered()
    assert (free.ordered, free.unordered()) == (False, free)
    assert free.to_dict()["state"]["hands"] == state.to_dict()["state"]["hands"]
    known = state.shuffled(seed)
    assert known.ordered
    assert known == state.shuffled(seed) == free.shuffled(seed)
    # What an order settles is no chance.
    kinds = {outcome.kind for outcome, _ in known.outcomes()}
    assert kinds <= {"eagle_draw", "dragonfly_draw"}
    if state.kind != "chance" or kinds:
        assert known.unordered() == free
    if state.ordered:
        assert {o.kind for o, _ in state.outcomes()} <= {"eagle_draw", "dragonfly_draw"}


def test_a_game_with_an_order_is_one_of_the_games_without():
    # Every draw that the order settles is an outcome of the state of sets.
    for seed, options in enumerate(ALL_RULES[::16]):
        known = State.new(seed, options)
        free = known.unordered()
        rng = random.Random(seed)
        while known.kind != "end":
            assert free == known.unordered()
            action = rng.choice(choices(known))
            known = known.play(action)
            free = settled(free.play(action), known)
        assert free == known.unordered()


def settled(free, known):
    """Play the draws that lead from a state of sets to one with an order."""
    wanted = known.unordered()
    reached, seen = [free], set()
    while reached:
        state = reached.pop()
        if state == wanted:
            return state
        if state.kind != "chance" or state in seen:
            continue
        seen.add(state)
        reached += [state.play(outcome) for outcome in choices(state) if fits(outcome, wanted)]
    raise AssertionError("no draws lead there")


def fits(outcome, wanted):
    """Return whether an outcome could lead to a state: what was drawn is not unseen there."""
    if outcome.kind == "draw_spirits":
        return not {*outcome.option.split("+")} & {*wanted.to_dict()["spirit_pile_set"]}
    record = wanted.to_dict()["state"]
    hands = record["hands"]["1"] + record["hands"]["2"]
    tile = outcome.option.partition("@")[0]
    if outcome.kind == "draw":
        return tile in hands
    return tile not in wanted.observe(0).unseen + hands


def test_the_same_state_is_reached_by_two_ways():
    parts = {
        "hands": ("1-1 2-2 6-6", "1-2 5-6"),
        "display": "1-9 2-9 5-3 6-4",
        "pile": "",
    }
    state = position(**parts)
    one = run(state, "play_tile 1-1", "capture 1-9@0", "play_tile 5-6", "capture 5-3@2")
    one = run(one, "play_tile 2-2", "capture 2-9@1")
    two = run(state, "play_tile 2-2", "capture 2-9@1", "play_tile 5-6", "capture 5-3@2")
    two = run(two, "play_tile 1-1", "capture 1-9@0")
    assert one == two
    assert hash(one) == hash(two)
    assert str(one) == str(two)
    assert len({one, two, state}) == 2


def test_states_under_other_rules_differ():
    data = State.new(1).to_dict()["state"]
    starts = {
        State.from_dict({"variant": "base", "to_move": 1, "state": data}, options)
        for options in ALL_RULES
        if options.variant == "base"
    }
    assert len(starts) == 32


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seed_makes_the_game(variant):
    options = Rules.published(variant)
    for ordered in (True, False):
        one, two = State.new(7, options, ordered), State.new(7, options, ordered)
        assert one == two == State.new(np.random.default_rng(7), options, ordered)
        assert one.shuffled(3) == two.shuffled(np.random.default_rng(3))
        assert one.observe(0).sample(5) == two.observe(0).sample(np.random.default_rng(5))
        assert list(game(7, options, ordered)) == list(game(7, options, ordered))
    assert State.new(7, options, ordered=False) == State.new(7, options).unordered()
    assert len({State.new(seed, options) for seed in range(50)}) == 50
    assert len({State.new(None, options) for _ in range(3)}) == 3


def test_every_tile_and_spirit_can_lie_anywhere_at_the_start():
    starts = [State.new(seed).to_dict() for seed in range(600)]
    assert {s["pile"][0] for s in starts} == {*CELLS}
    assert {s["state"]["hands"]["2"][0] for s in starts} >= {"1-1", "3-3"}
    assert {s["spirit_pile"][0] for s in starts} == {*SPIRITS["base"]}
    assert {s["state"]["display"][5]["down"] for s in starts} == {*CELLS}


def test_squares_complete_as_the_cells_say():
    rng = random.Random(1)
    numbers = dict(zip(CELLS, [cell_bit(cell) for cell in CELLS], strict=True))
    for _ in range(200):
        filled = rng.sample(CELLS, rng.randrange(49))
        found = int(complete(np.int64(mask_of(numbers[cell] for cell in filled))))
        expected = [square for square in SQUARES if {*four(square)} <= {*filled}]
        assert found == mask_of(numbers[square] for square in expected)


def cell_bit(cell):
    row, number = map(int, cell.split("-"))
    return 10 * (row - 1) + number - 1


def test_rainbows_are_offered_on_all_empty_cells_next_to_tiles():
    found = 0
    for seed in range(60):
        rng = random.Random(seed)
        options = rng.choice(ALL_RULES)
        for state in game(seed, options):
            if {action.kind for action in state.legal()} != {"place_rainbow"}:
                continue
            found += 1
            pan = state.to_dict()["state"]["pan"][str(state.decider + 1)]
            filled = {*pan["tiles"], *pan["rainbows"], pan.get("evil_block")}
            base = (
                pan["tiles"]
                if options.rainbow_next_to == "land"
                else filled - {pan.get("evil_block")}
            )
            expected = {cell for tile in base for cell in neighbours(tile)} - filled
            if not base:
                expected = {*CELLS} - filled
            assert {action.option for action in state.legal()} == expected
    assert found > 60


def test_all_kinds_of_choices_are_met():
    kinds = set()
    for seed in range(400):
        rng = random.Random(seed)
        options = Rules(variant="base" if "evil_cover" not in kinds else "firefly")
        state = State.from_dict(studied(rng, options))
        for node in nodes(state, rng):
            kinds |= {action.kind for action in choices(node)}
        if kinds == {*EVERY_KIND}:
            break
    assert kinds == {*EVERY_KIND}


@pytest.mark.parametrize(
    "ask",
    [
        lambda: State.new(5).play(Action.parse("play_tile 1-1")),
        lambda: State.new(1).observe(2),
        lambda: State.new(1).score("1"),
        lambda: State.new(1, rules="base"),
        lambda: State.parse(""),
        lambda: State.from_dict({}),
    ],
)
def test_what_is_wrong_is_an_error_of_the_games(ask):
    assert isinstance(raised_by(ask), GameError)
    assert isinstance(raised_by(ask), ValueError)


def test_the_end_refuses_everything():
    *_, end = game(3)
    assert (end.kind, end.legal(), end.outcomes()) == ("end", [], [])
    with pytest.raises(IllegalMoveError, match="play_tile 1-1 is not possible: the game is over"):
        end.play("play_tile 1-1")
    assert end.observe(0).to_move is None
    with pytest.raises(PositionError):
        end.observe(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ALL_RULES, ids=lambda one: "-".join(map(str, one.to_dict().values()))
)
def test_many_games_lose_and_double_nothing(options):
    for seed in range(25):
        for state in game(seed, options, ordered=bool(seed % 2)):
            check_conserved(state)
        rng = random.Random(seed)
        for state in nodes(State.from_dict(studied(rng, options)), rng):
            check_conserved(state)
            assert by_sets(State.parse(str(state)).to_dict()) == by_sets(state.to_dict())
            if state.kind != "end":
                assert step(state, random.Random(seed)) != state
