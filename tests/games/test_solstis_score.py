"""The end of the game and the points, from the words of the rules."""

import pytest

from games.errors import PositionError
from games.solstis import Rules, State
from tests.solstis_positions import asks, lies, near, options, pan, position, run, table
from tests.solstis_strategies import SPIRITS

FIREFLY = Rules(variant="firefly")
BY_LAND = Rules(largest_area="land")
HELD = Rules(first_rainbow="held")


def ended(rules=None, **parts):
    """Return a position in which nobody can capture any more."""
    return position(rules, **{"pile": ""} | parts)


def score(rules=None, player=0, **parts):
    state = ended(rules, **parts)
    assert state.kind == "end"
    return state.score(player)


def row(tiles="", rainbows="", spirits="", **more):
    """Return the parts of a panorama of player 0."""
    two = {"tiles": (tiles, ""), "rainbows": (rainbows, ""), "spirits": (spirits, "")}
    return two | more


# ---- the end


def test_a_player_who_cannot_capture_passes_and_the_game_goes_on():
    state = position(hands=("1-1", "6-4 6-5"), display="6-6 5-4", pile="")
    assert (state.kind, state.to_move, options(state)) == ("decision", 1, {"6-4", "6-5"})
    after = run(state, "play_tile 6-5", "capture 6-6@0")
    # Again player 0 passes.
    assert (after.to_move, options(after)) == (1, {"6-4"})
    after = run(after, "play_tile 6-4", "capture 5-4@1")
    assert (after.kind, after.to_move, lies(after)) == ("end", None, {})
    assert table(after)["hands"] == {"1": ["1-1"], "2": []}


def test_a_capture_can_give_the_other_player_a_tile_to_capture_again():
    state = position(hands=("1-2", "6-4"), display="6-6/1-1", pile="", to_move=1)
    after = run(state, "play_tile 6-4", "capture 6-6@0")
    assert (after.to_move, options(after)) == (0, {"1-2"})


@pytest.mark.parametrize("variant", ["base", "beginner", "firefly"])
def test_the_game_ends_when_neither_can_capture(variant):
    state = ended(Rules(variant=variant), hands=("1-1", "1-2"), display="6-6 5-4")
    assert (state.kind, state.to_move, state.decider) == ("end", None, None)
    assert state.legal() == state.outcomes() == []
    with pytest.raises(ValueError, match="the game is over"):
        state.play("play_tile 1-1")


TWO_SPIRITS = {"tiles": ("1-1..3 2-1..3", ""), "spirits": ("Bee@1-1 Fish@1-2", "")}


def test_the_opponent_of_the_holder_covers_one_of_his_spirits():
    state = ended(evil=0, hands=("4-4", "5-5"), **TWO_SPIRITS)
    assert (state.kind, asks(state), state.decider) == ("decision", "evil_cover", 1)
    assert options(state) == {"Bee@1-1", "Fish@1-2"}
    # Both count 0, and the covered one has no effect.
    after = state.play("evil_cover Fish@1-2")
    assert after.kind == "end"
    assert table(after)["evil"] is None
    assert pan(after)["evil_cover"] == "1-2"
    assert pan(after)["spirits"] == ["Bee@1-1", "Fish@1-2"]
    assert after.score(0).to_dict() | {"total": 0} == {
        "area": 6, "fires": 0, "spirits": 1, "blue": {"Bee": 0}, "fireflies": 0, "total": 0
    }  # fmt: skip
    after = state.play("evil_cover Bee@1-1")
    assert (after.score(0).spirits, after.score(0).blue, after.score(0).total) == (1, {}, 7)
    assert state.end_of_turn("evil_cover Bee@1-1") is None


def test_the_holder_who_has_no_spirit_loses_nothing():
    state = ended(evil=1, **TWO_SPIRITS)
    assert (state.kind, table(state)["evil"]) == ("end", 2)
    assert state.score(0).total == 6 + 2 + 1


def test_the_squirrel_places_all_tiles_of_the_hand_and_then_the_rainbows():
    state = ended(
        hands=("4-4 5-5 1-2", "6-6"),
        tiles=("1-1 2-1 2-2", ""),
        rainbows=("1-2 4-4 5-5", ""),
        spirits=("Squirrel@1-1", ""),
        to_move=1,
    )
    # 1-2 is locked: removed. 4-4 and 5-5 push rainbows out.
    assert (state.kind, asks(state), state.decider, state.to_move) == (
        "decision",
        "place_rainbow",
        0,
        1,
    )
    assert state.to_dict()["turn"]["source"] == "squirrel"
    assert table(state)["hands"] == {"1": [], "2": ["6-6"]}
    assert pan(state)["tiles"] == ["1-1", "2-1", "2-2", "4-4", "5-5"]
    assert pan(state)["rainbows"] == ["1-2"]
    assert "1-2" in table(state)["removed"]
    free = near(["1-1", "2-1", "2-2", "4-4", "5-5"]) - {"1-2"}
    assert options(state) == free
    after = state.play("place_rainbow 4-5")
    assert options(after) == free - {"4-5"}
    assert State.from_dict(after.to_dict()) == after
    after = after.play("place_rainbow 3-1")
    assert after.kind == "end"
    assert pan(after)["rainbows"] == ["1-2", "3-1", "4-5"]
    # No points for what would be an encounter: squares made now bear nothing.
    assert pan(after)["spirits"] == ["Squirrel@1-1"]


def test_the_squirrel_places_rainbows_that_are_still_held():
    state = ended(
        HELD,
        tiles=("1-1 2-1 2-2", ""),
        rainbows=("1-2", ""),
        spirits=("Squirrel@1-1", ""),
        held=(2, 1),
    )
    assert asks(state) == "place_rainbow"
    after = run(state, "place_rainbow 2-3", "place_rainbow 3-1")
    assert after.kind == "end"
    assert table(after)["held"] == {"2": 1}


def test_without_the_squirrel_held_rainbows_stay_and_hands_too():
    state = ended(HELD, hands=("4-4", "5-5"), held=(2, 1))
    assert (state.kind, table(state)["held"]) == ("end", {"1": 2, "2": 1})
    assert table(state)["hands"] == {"1": ["4-4"], "2": ["5-5"]}


def test_a_covered_squirrel_places_nothing():
    state = ended(
        evil=0,
        hands=("4-4", "5-5"),
        tiles=("1-1..3 2-1..3", ""),
        spirits=("Squirrel@1-1 Bee@1-2", ""),
    )
    after = state.play("evil_cover Squirrel@1-1")
    assert (after.kind, table(after)["hands"]["1"]) == ("end", ["4-4"])
    after = state.play("evil_cover Bee@1-2")
    assert (after.kind, table(after)["hands"]["1"]) == ("end", [])
    assert "4-4" in pan(after)["tiles"]


def test_a_covered_spirit_still_locks_its_square():
    state = ended(
        evil=0,
        hands=("2-2 4-4", "5-5"),
        tiles=("1-1..3 2-1 2-3", ""),
        rainbows=("2-2", ""),
        spirits=("Squirrel@1-1 Bee@1-2", ""),
    )
    after = state.play("evil_cover Bee@1-2")
    assert "2-2" in table(after)["removed"]


# ---- areas


@pytest.mark.parametrize(
    ("rules", "tiles", "rainbows", "area"),
    [
        (None, "", "", 0),
        (None, "", "1-1..3", 0),
        (None, "1-1", "", 1),
        (None, "1-1 2-2 3-3", "", 1),
        (None, "1-1..3 3-4 3-6", "3-5 3-7", 2),
        (BY_LAND, "1-1..3 3-4 3-6", "3-5 3-7", 3),
        (None, "1-1..3 3-4..5", "3-6", 3),
        (None, "3-1..3 1-4..5", "1-6", 3),
        (None, "1-1..3 3-4..5", "3-6..7", 2),
        (None, "1-1 1-2 2-2 3-2 3-3", "4-3", 5),
        (None, "1-10 2-1", "", 1),
        (None, "1-1 1-3", "1-2", 2),
    ],
)
def test_the_largest_area_scores_its_land_tiles(rules, tiles, rainbows, area):
    points = score(rules, **row(tiles, rainbows))
    assert (points.area, points.total) == (area, area)


@pytest.mark.parametrize(
    ("rules", "tiles", "rainbows", "points"),
    [
        (Rules(variant="firefly"), "1-1..2 2-1..2", "", 0),
        (Rules(variant="firefly"), "1-1..2 2-1..2 4-4 4-5 5-8", "", 2),
        (Rules(variant="firefly"), "1-1..2 2-1..2 4-4 5-8", "4-5 4-6", 1),
        (Rules(variant="firefly"), "1-1..2 2-1..2 6-5..6", "4-5 4-6 4-7", 0),
        (Rules(variant="firefly", largest_area="land"), "1-1..2 2-1..2 6-5..6", "4-5 4-6 4-7", 2),
        (Rules(variant="firefly"), "1-1..2 2-1..2 4-4..7", "5-5 5-6", 4),
        (Rules(variant="firefly", largest_area="land"), "1-1..2 2-1..2 4-4..7", "5-5 5-6", 4),
        (Rules(variant="firefly"), "1-1..2 2-1..2 4-4 4-6", "4-5", 2),
        (Rules(variant="firefly"), "1-1..2 2-1..2 4-4 4-6 6-5 6-6 6-7", "4-5", 3),
    ],
)
def test_the_cow_scores_the_second_area_of_the_ranking(rules, tiles, rainbows, points):
    assert score(rules, **row(tiles, rainbows, "Cow@1-1")).blue == {"Cow": points}


# ---- fires


UP = {5: "1-5 2-5 3-5 4-5 5-5", 4: "1-4 2-4 3-4 4-4 5-4"}


@pytest.mark.parametrize(
    ("tiles", "rainbows", "fires"),
    [
        ("4-2", "", 0),
        ("1-2 2-2 3-2 4-2", "", 1),
        ("2-2 3-2 4-2", "1-2", 1),
        ("4-2", "1-2 2-2 3-2", 1),
        ("2-2 3-2 4-2", "", 0),
        ("1-2 2-2 3-2", "4-2", 0),
        ("1-2 3-2 4-2", "", 0),
        (f"{UP[5]} 6-5", "", 1),
        (f"{UP[5]} 6-5 6-6", "", 3),
        (f"{UP[5]} 6-5", "6-6", 1),
        (f"{UP[5]} 6-4 6-5", "", 2),
        (f"{UP[5]} 6-4..7", "", 5),
        (f"{UP[5]} 5-3 5-4 6-4", "", 2),
        ("1-5 2-5 3-5 6-4..7 5-3..8 4-2..9", "", 9),
    ],
)
def test_fires_are_lit_from_row_1_and_halves_are_rounded_down(tiles, rainbows, fires):
    points = score(**row(tiles, rainbows))
    assert points.fires == fires
    assert points.total == points.area + fires
    flight = score(**row(f"{tiles} 1-9..10 2-9..10", rainbows, "Butterfly@1-9"))
    assert flight.blue == {"Butterfly": fires}
    assert flight.fires == fires


@pytest.mark.parametrize(
    ("tiles", "rainbows", "unlit", "lit"),
    [
        ("6-5", "", 1, 0),
        ("6-5..6", "", 3, 0),
        ("6-4..5", "", 2, 0),
        ("6-6..7 5-8", "", 3, 0),
        ("6-4..7 5-3 4-2 4-9 5-8", "", 9, 0),
        ("1-2 2-2 3-2 4-2 6-5", "", 1, 1),
        (f"{UP[4]} 6-4 6-6", "", 1, 1),
        (f"{UP[4]} 6-4 6-6", "6-5", 0, 2),
        ("6-6", "6-5", 1, 0),
        ("", "6-5 6-6", 0, 0),
    ],
)
def test_the_ladybug_scores_the_fires_that_are_not_lit(tiles, rainbows, unlit, lit):
    points = score(**row(f"{tiles} 1-9..10 2-9..10", rainbows, "Ladybug@1-9"))
    assert points.blue == {"Ladybug": unlit}
    assert points.fires == lit


# ---- spirits


SIX = "1-1..4 2-1..4 3-1..4"
"""Six squares: 1-1, 1-2, 1-3, 2-1, 2-2, 2-3."""


@pytest.mark.parametrize(
    ("spirits", "blue"),
    [
        ("Fish@1-1", {}),
        ("Bee@1-1", {"Bee": 0}),
        ("Bee@1-1 Fish@1-2 Bear@1-3 Wolf@2-2", {"Bee": 2, "Wolf": 1}),
        ("Bird@1-1", {"Bird": 0}),
        ("Bird@1-1 Fish@1-2", {"Bird": 0}),
        ("Bird@1-1 Squirrel@1-2 Lizard@1-3", {"Bird": 2, "Lizard": 0}),
        ("Squirrel@1-1", {}),
        ("Butterfly@1-1 Ladybug@1-2", {"Butterfly": 0, "Ladybug": 0}),
    ],
)
def test_every_spirit_scores_1_and_the_blue_ones_more(spirits, blue):
    points = score(**row(SIX, "", spirits))
    assert points.blue == blue
    assert points.spirits == len(spirits.split())
    assert points.total == 12 + points.spirits + sum(blue.values())


@pytest.mark.parametrize(
    ("tiles", "rainbows", "areas"),
    [
        ("1-1..2 2-1..2", "", 1),
        ("1-1..2 2-1..2 4-4", "", 2),
        ("1-1..2 2-1..2 4-4 6-7", "", 3),
        ("1-1..2 2-1..2", "4-4", 2),
        ("1-1..2 2-1..2", "4-4 4-5 6-6", 3),
        ("1-1..2 2-1..2 5-4", "4-4 3-2", 2),
    ],
)
def test_the_wolf_scores_every_area_also_single_tiles_and_rainbows(tiles, rainbows, areas):
    assert score(**row(tiles, rainbows, "Wolf@1-1")).blue == {"Wolf": areas}


def test_the_lizard_scores_the_own_rainbows():
    parts = row("1-1..2 2-1", "2-2 5-5 6-6", "Lizard@1-1")
    parts["rainbows"] = ("2-2 5-5 6-6", "1-1 1-2")
    assert score(**parts).blue == {"Lizard": 3}


def test_of_a_panorama_only_its_own_spirits_count():
    parts = {"tiles": (SIX, "1-9..10 2-9..10"), "spirits": ("Bee@1-1 Fish@1-2", "Bird@1-9")}
    assert score(**parts).blue == {"Bee": 1}
    assert score(player=1, **parts).blue == {"Bird": 0}


@pytest.mark.parametrize(
    ("covered", "blue", "spirits"),
    [
        ("Fish@1-2", {"Bee": 1, "Bird": 2, "Wolf": 1}, 4),
        ("Bee@1-1", {"Bird": 1, "Wolf": 1}, 4),
        ("Wolf@2-1", {"Bee": 2, "Bird": 1}, 4),
        ("Bird@1-3", {"Bee": 2, "Wolf": 1}, 4),
    ],
)
def test_a_covered_spirit_counts_nowhere(covered, blue, spirits):
    state = ended(evil=0, **row(SIX, "", "Bee@1-1 Fish@1-2 Bird@1-3 Wolf@2-1 Deer@2-2"))
    after = state.play(f"evil_cover {covered}")
    assert (after.score(0).blue, after.score(0).spirits) == (blue, spirits)


def test_fireflies_shine_in_areas_that_reach_row_1():
    parts = row("1-1..3 2-1..3 4-4..5 5-4..5", fireflies=("1-1 4-4", ""))
    points = score(FIREFLY, **parts)
    assert (points.fireflies, points.total) == (1, 7)
    parts = row("1-1..3 2-1..3 4-4..5 5-4..5", "3-4 2-4", fireflies=("1-1 4-4", ""))
    assert score(FIREFLY, **parts).fireflies == 2
    parts = row("2-2..3 3-2..3", "1-2", fireflies=("2-2", ""))
    assert score(FIREFLY, **parts).fireflies == 1


def test_the_phoenix_scores_all_fireflies_lit_or_not():
    parts = row("1-1..3 2-1..3 4-4..5 5-4..5", "", "Phoenix@1-2", fireflies=("1-1 4-4", ""))
    points = score(FIREFLY, **parts)
    assert (points.blue, points.fireflies, points.spirits) == ({"Phoenix": 2}, 1, 1)
    assert points.total == 6 + 1 + 1 + 2


def test_plain_and_blue_spirits_of_the_expansion_count_too():
    points = score(FIREFLY, **row(SIX, "", "Bee@1-1 Viper@1-2 Fox@1-3 Bird@2-1 Cow@2-2"))
    assert points.blue == {"Bee": 2, "Bird": 2, "Cow": 0}


def test_a_score_prints_and_is_a_value():
    state = ended(**row(SIX, "", "Bee@1-1 Fish@1-2"))
    points = state.score(0)
    assert str(points) == "15: area 12, fires 0, spirits 2, Bee 1"
    assert points == state.score(0)
    assert points != state.score(1)
    assert points.to_dict() == {
        "area": 12, "fires": 0, "spirits": 2, "blue": {"Bee": 1}, "fireflies": 0, "total": 15
    }  # fmt: skip
    with pytest.raises(TypeError):
        points.blue["Bee"] = 7
    with pytest.raises(AttributeError):
        points.total = 7
    won = position(FIREFLY, **row("1-1..5 2-1..5", fireflies=("1-1 1-2 1-3 1-4", "")), to_move=None)
    assert "wins by the fourth firefly" in str(won.score(0))


@pytest.mark.parametrize("player", [2, -1, True, "0", None, 0.0])
def test_there_are_two_players(player):
    state = ended()
    for ask in (state.score, state.observe):
        with pytest.raises(PositionError, match="there is no player"):
            ask(player)


def test_the_points_stand_during_the_game_too():
    state = position(hands=("3-5 4-4 5-5", "6-6"), **row(SIX, "", "Fish@1-1"))
    assert state.score(0).total == 13
    assert set(SPIRITS["base"]) >= set(state.score(0).blue)
