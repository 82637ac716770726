"""What a player sees and does not see, and the worlds that agree with it."""

import random
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import comb, sqrt

import pytest
from hypothesis import given

from games.errors import PositionError
from games.solstis import Rules, State
from tests.games.test_solstis_spirits import meet, square_made
from tests.solstis_positions import asks, position, run, table
from tests.solstis_strategies import CELLS, EVIL, seeds, states
from tests.strategies import heavy

FIREFLY = Rules(variant="firefly")
BOTH = (0, 1)


def hidden_parts(data, player):
    """Return the tiles that a player does not see in the dictionary of a state."""
    other = str(2 - player)
    known = data.get("seen", {}).get(str(player + 1), [])
    hand = [tile for tile in data["state"]["hands"][other] if tile not in known]
    below = [entry["down"] for entry in data["state"]["display"] if "down" in entry]
    return known, hand, below


def twin(state, player, rng, ordered):
    """Return a state that differs only in what is hidden, or None if that one is not possible."""
    data = state.shuffled(rng.randrange(2**32)).to_dict() if ordered else None
    if data is None or data.get("turn") != state.to_dict().get("turn"):
        # Where a draw is due, an order would settle it.
        data, ordered = state.unordered().to_dict(), False
    known, hand, _ = hidden_parts(data, player)
    pool = [*state.observe(player).unseen]
    rng.shuffle(pool)
    taken = pool[: len(hand)]
    data["state"]["hands"][str(2 - player)] = sorted(known + taken)
    if ordered:
        rest = pool[len(hand) :]
        for entry in data["state"]["display"]:
            if "down" in entry:
                entry["down"] = rest.pop()
        data["pile"] = rest
        rng.shuffle(data["spirit_pile"])
    try:
        other = State.from_dict(data)
    except PositionError:
        # The hand would capture after the game was over.
        return None
    # A hand that cannot capture may have brought another turn, or the endphase.
    same = (asks(other), other.to_move) == (asks(state), state.to_move)
    return other if same and other.to_dict().get("turn") == data.get("turn") else None


@heavy
@given(states(), seeds)
def test_states_that_differ_in_what_is_hidden_have_equal_observations(state, seed):
    rng = random.Random(seed)
    for player in BOTH:
        view = state.observe(player)
        others = [state.unordered(), *(twin(state, player, rng, k % 2 == 0) for k in range(2))]
        for other in others:
            if other is None:
                continue
            seen = other.observe(player)
            assert seen == view
            assert hash(seen) == hash(view)
            assert len({seen, view}) == 1
            assert seen.legal() == view.legal()
            assert seen.to_dict() == view.to_dict()
            assert (seen.unseen, seen.known, seen.hand) == (view.unseen, view.known, view.hand)
            assert seen.unseen_spirits == view.unseen_spirits
            assert seen.worlds() == view.worlds()
            assert seen.sample(seed) == view.sample(seed)


def test_twins_do_differ():
    rng = random.Random(1)
    state = State.new(3)
    others = [twin(state, 0, rng, ordered) for ordered in (True, False) for _ in range(5)]
    assert len({*others}) == 10
    assert state not in others


@heavy
@given(states())
def test_all_that_lies_open_is_seen(state):
    record = state.to_dict()
    for player in BOTH:
        view, me, other = state.observe(player), str(player + 1), str(2 - player)
        known, hand, below = hidden_parts(record, player)
        expected = state.unordered().to_dict()["state"]
        expected["hands"][other] = len(record["state"]["hands"][other])
        seen = view.to_dict()
        assert seen["state"] == expected
        assert all(entry.get("down", "?") == "?" for entry in seen["state"]["display"])
        assert seen["player"] == player + 1
        assert {"pile", "spirit_pile", "seen"} & set(seen) == set()
        assert seen.get("turn") == record.get("turn")
        assert (seen["rules"], seen["to_move"]) == (record["rules"], record["to_move"])
        assert view.hand == record["state"]["hands"][me]
        assert view.known == seen["known"] == known
        assert set(known) <= set(record["state"]["hands"][other])
        assert view.pile_size == record["state"]["pile"]
        assert view.opponent_hand_size == len(known) + len(hand)
        assert len(view.unseen) == len(hand) + len(below) + view.pile_size
        assert set(hand) <= set(view.unseen)
        assert set(record.get("pile", [])) <= set(view.unseen)
        assert not set(view.unseen) & {*view.hand, *view.known, *expected["removed"]}
        unseen = record.get("spirit_pile_set", sorted(record.get("spirit_pile", [])))
        assert view.unseen_spirits == seen["spirit_pile_set"] == unseen
        assert (view.rules, view.player) == (state.rules, player)
        assert (view.to_move, view.decider) == (state.to_move, state.decider)
        assert view.legal() == (state.legal() if state.decider == player else [])
        for one in BOTH:
            assert view.score(one) == state.score(one)


def test_what_lies_open_makes_a_difference():
    base = {"hands": ("3-10 6-4 6-5", "1-1 1-2"), "display": "3-5/4-8 2-2", "pile": None}
    view = position(**base).observe(0)
    for change in (
        {"hands": ("3-10 6-4 6-6", "1-1 1-2")},
        {"hands": ("3-10 6-4 6-5", "1-1 1-2 1-3")},
        {"display": "3-5/4-8 2-3"},
        {"display": "3-5/4-8 . 2-2"},
        {"display": "3-5 2-2"},
        {"tiles": ("4-4", "")},
        {"tiles": ("", "4-4")},
        {"rainbows": ("", "4-4")},
        {"removed": "5-5"},
        {"line": "Bee"},
        {"evil": 1},
        {"to_move": 1},
        {"rules": Rules.published()},
    ):
        assert position(**base | change).observe(0) != view
    for hidden in (
        {"hands": ("3-10 6-4 6-5", "1-1 1-3")},
        {"display": "3-5/4-7 2-2"},
        {"display": "3-5/? 2-2"},
        {
            "pile": " ".join(
                c
                for c in CELLS
                if c not in ["3-10", "6-4", "6-5", "1-1", "1-2", "3-5", "4-8", "2-2"]
            )
        },
    ):
        assert position(**base | hidden).observe(0) == view
    assert position(**base).observe(1) != view
    assert view != position(**base)


def test_spirits_are_seen_as_they_are_drawn():
    state = square_made(pile=None, display="3-5")
    for player in BOTH:
        views = {
            pair: state.play(f"draw_spirits {pair}").observe(player)
            for pair in ("Bird+Wolf", "Bee+Wolf", f"{EVIL}+Wolf")
        }
        assert len({*views.values()}) == 3
        assert views["Bird+Wolf"].to_dict()["turn"]["drawn"] == ["Bird", "Wolf"]
        assert views[f"{EVIL}+Wolf"].to_dict()["turn"]["drawn"] == ["Wolf"]
        assert views[f"{EVIL}+Wolf"].to_dict()["state"]["evil"] == 1


# ---- the Fox


def test_the_fox_shows_the_hand_until_its_tiles_are_played():
    state = meet("Fox", FIREFLY, display="3-5 4-9/4-2 1-9 2-10", pile="5-3 5-8 1-8 1-7 1-6")
    assert state.observe(0).known == ["1-1", "1-2", "1-3"]
    assert state.observe(1).known == []
    assert [str(a) for a in state.observe(0).legal()] == [f"fox_force 1-{n}" for n in (1, 2, 3)]
    assert state.observe(1).legal() == []
    after = state.play("fox_force 1-2")
    assert after.observe(0).to_dict()["state"]["forced"] == {"2": "1-2"}
    assert after.observe(1).to_dict()["state"]["forced"] == {"2": "1-2"}
    assert after.observe(0).worlds() == 1
    after = run(after, "play_tile 1-2", "capture 1-9@2")
    # The tile drawn was not seen.
    assert len(table(after)["hands"]["2"]) == 3
    assert after.observe(0).known == ["1-1", "1-3"]
    assert all(set(world.to_dict()["state"]["hands"]["2"]) >= {"1-1", "1-3"}
               for world, _ in after.observe(0).enumerate())  # fmt: skip
    data = after.to_dict()
    assert State.from_dict(data).observe(0) == after.observe(0)


def test_a_tile_that_the_dragonfly_took_is_not_known_in_the_hand():
    parts = {"hands": ("3-10 6-4 6-5", "1-1 1-2 1-3"), "seen": ("1-1 1-2", "")}
    state = meet("Dragonfly", FIREFLY, **parts)
    assert state.observe(0).known == ["1-1", "1-2"]
    assert state.play("dragonfly_draw 1-1").observe(0).known == ["1-2"]
    assert state.play("dragonfly_draw 1-3").observe(0).known == ["1-1", "1-2"]


# ---- worlds


@heavy
@given(states(), seeds)
def test_sampled_worlds_agree_with_the_observation(state, seed):
    for player in BOTH:
        view = state.observe(player)
        world = view.sample(seed)
        assert world.observe(player) == view
        assert not world.ordered
        assert world == view.sample(seed)
        assert State.from_dict(world.to_dict()) == world
        assert world.kind == state.kind
        assert (world.kind == "end") or world.legal() or world.outcomes()
        ordered = view.sample(seed, ordered=True)
        assert ordered.ordered
        if ordered.to_dict().get("turn") == state.to_dict().get("turn"):
            assert ordered.observe(player) == view


@heavy
@given(states())
def test_all_worlds_are_listed_with_their_probabilities(state):
    for player in BOTH:
        view = state.observe(player)
        count = view.worlds()
        assert count >= 1
        if count > 60:
            with pytest.raises(PositionError, match=f"{count} hands are possible, more than 60"):
                next(view.enumerate(60))
            continue
        worlds = dict(view.enumerate(60))
        assert len(worlds) == count
        assert sum(worlds.values()) == 1
        assert state.unordered() in worlds
        for world in worlds:
            assert world.observe(player) == view
            assert State.from_dict(world.to_dict()) == world
        assert view.sample(3) in worlds


LATE = {"hands": ("6-4", "1-1 1-2"), "pile": "", "display": "3-5/4-8 4-9/4-2 2-10/6-6 1-7/5-5"}


def test_with_an_empty_pile_the_player_to_move_can_capture():
    state = position(to_move=1, **LATE)
    assert (state.kind, state.to_move) == ("decision", 1)
    view = state.observe(0)
    # 1-1 1-2 and four face-down tiles; row 1, 2, 3 and 4 and numbers 5, 7, 9, 10 can capture.
    assert view.unseen == ["1-1", "1-2", "4-2", "4-8", "5-5", "6-6"]
    hands = {tuple(world.to_dict()["state"]["hands"]["2"]) for world, _ in view.enumerate()}
    assert len(hands) == view.worlds() == comb(6, 2)
    # Only 6-6 cannot capture; of one tile five are possible.
    view = position(to_move=1, **LATE | {"hands": ("6-4", "1-1")}).observe(0)
    worlds = dict(view.enumerate())
    hands = {world.to_dict()["state"]["hands"]["2"][0] for world in worlds}
    assert hands == {"1-1", "4-2", "4-8", "5-5"}
    assert view.worlds() == 4
    assert set(worlds.values()) == {Fraction(1, 4)}
    assert all(world.to_move == 1 and world.legal() for world in worlds)


def test_at_the_end_nobody_can_capture():
    state = position(hands=("6-4", "5-3 1-2"), pile="", display="3-8/4-8 4-9/6-6")
    assert state.kind == "end"
    view = state.observe(0)
    # 4-8 is in the row of a face-up tile, 6-6 is not.
    hands = {tuple(world.to_dict()["state"]["hands"]["2"]) for world, _ in view.enumerate()}
    assert hands == {("1-2", "5-3"), ("1-2", "6-6"), ("5-3", "6-6")}
    assert view.worlds() == 3
    assert all(view.sample(seed).observe(0) == view for seed in range(20))


def test_a_player_whose_tile_was_seen_to_capture_tells_nothing_more():
    late = LATE | {"display": "6-5/4-8 . 6-7/5-5", "hands": ("1-4", "6-4 1-2")}
    spirits = {"tiles": ("2-4..5 3-4..5", ""), "spirits": ("Fox@2-4", "")}
    view = position(FIREFLY, to_move=1, seen=("6-4", ""), **late | spirits).observe(0)
    assert view.known == ["6-4"]
    assert view.worlds() == 3
    assert {world.to_dict()["state"]["hands"]["2"][0] for world, _ in view.enumerate()} == {
        "1-2", "4-8", "5-5"
    }  # fmt: skip
    view = position(FIREFLY, to_move=1, **late | spirits).observe(0)
    # Without it: a hand of two of four tiles, 6-4 or 5-5 among them.
    assert view.worlds() == len(list(view.enumerate())) == comb(4, 2) - comb(2, 2)


def test_samples_come_as_often_as_they_should():
    view = position(to_move=1, **LATE).observe(0)
    count, times = view.worlds(), 600
    rng_samples = Counter(view.sample(seed) for seed in range(times))
    assert set(rng_samples) == {world for world, _ in view.enumerate()}
    mean = times / count
    for often in rng_samples.values():
        assert abs(often - mean) < 5 * sqrt(mean)
    places = Counter(
        view.sample(seed, ordered=True).to_dict()["state"]["display"][0]["down"]
        for seed in range(times)
    )
    assert set(places) == {"1-1", "1-2", "4-2", "4-8", "5-5", "6-6"}
    for often in places.values():
        assert abs(often - times / 6) < 5 * sqrt(times / 6)


def test_the_start_of_the_game_leaves_a_hand_of_39_tiles():
    view = State.new(1).observe(1)
    assert view.worlds() == comb(39, 3)
    assert len(view.unseen) == 39
    assert len({view.sample(seed) for seed in range(20)}) == 20


def test_observations_are_values():
    view = State.new(1).observe(0)
    with pytest.raises(FrozenInstanceError):
        view.player = 1
    assert view == State.new(1).observe(0)
    assert view != State.new(1).observe(1)
    assert view != 3
    assert {view: 1}[State.new(1).unordered().observe(0)] == 1
    before = view.to_dict()
    before["state"]["hands"]["1"].clear()
    assert view.to_dict() != before
