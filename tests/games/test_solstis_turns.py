"""A turn of Solstis, step by step, from the words of the rules: play, capture, second chance,
placing, rainbows. Spirits are in `test_solstis_spirits`."""

from fractions import Fraction

import pytest

from games.errors import IllegalMoveError
from games.solstis import Rules, State
from tests.solstis_positions import asks, lies, near, options, pan, position, run, table
from tests.solstis_strategies import CELLS, VARIANTS

LAND, TILE = Rules(), Rules(rainbow_next_to="tile")
PUBLISHED = Rules.published()
HELD = Rules(first_rainbow="held")
HIDES = Rules(second_chance_reveals=False)


# ---- setup


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("ordered", [True, False])
def test_the_game_begins_as_the_setup_says(variant, ordered):
    state = State.new(3, Rules(variant=variant), ordered)
    record = table(state)
    assert (state.kind, state.to_move, state.decider, state.ordered) == ("decision", 0, 0, ordered)
    assert [entry["slot"] for entry in record["display"]] == [0, 1, 2, 3, 4, 5]
    assert all({"slot", "up", "down"} == set(entry) for entry in record["display"])
    assert [len(record["hands"][player]) for player in "12"] == [3, 3]
    assert (record["pile"], record["rainbow_stock"]) == (30, 12)
    assert record["spirits_left"] == {"base": 15, "beginner": 14, "firefly": 19}[variant]
    assert record["line"] == record["removed"] == []
    assert record["evil"] is None
    assert record["pan"]["1"] == record["pan"]["2"] == {"tiles": [], "rainbows": [], "spirits": []}
    assert options(state) == {*record["hands"]["1"]}
    assert asks(state) == "play_tile"
    assert [state.score(player).total for player in (0, 1)] == [0, 0]


# ---- 1 and 2: play and capture


def test_any_hand_tile_may_be_played_while_the_pile_has_tiles():
    state = position(hands=("6-4 1-1 2-2", "3-1 3-2 3-3"), display="1-9", pile="5-5")
    assert options(state) == {"6-4", "1-1", "2-2"}


def test_when_the_pile_is_empty_only_a_capturing_tile_may_be_played():
    state = position(hands=("6-4 1-1 2-2", "3-1 3-2 3-3"), display="1-9 4-2", pile="")
    assert options(state) == {"1-1", "2-2"}
    with pytest.raises(IllegalMoveError, match=r"play_tile 6-4 .*play_tile 1-1, play_tile 2-2"):
        state.play("play_tile 6-4")


def test_a_tile_captures_one_face_up_tile_of_its_row_or_its_number():
    display = "3-1/2-3 4-3 1-4 3-10 2-2/3-2"
    state = run(position(hands=("3-3 1-1 1-2", "5-5"), display=display), "play_tile 3-3")
    assert asks(state) == "capture"
    assert options(state) == {"3-1@0", "4-3@1", "3-10@3"}
    assert state.decider == state.to_move == 0
    after = state.play("capture 4-3@1")
    assert pan(after)["tiles"] == ["3-3", "4-3"]
    assert lies(after) == {0: "3-1/", 2: "1-4", 3: "3-10", 4: "2-2/"}


def test_a_capture_is_compulsory_even_of_a_single_tile():
    state = run(position(hands=("3-3 1-1 1-2", "5-5"), display="3-1 2-2"), "play_tile 3-3")
    assert options(state) == {"3-1@0"}


def test_the_tile_beneath_is_turned_up_at_once_and_captures_nothing_more():
    state = position(
        hands=("3-3 1-1 1-2", "5-5"), display="3-1/3-2 3-9", pile="5-3 1-9 1-8", line="*"
    )
    after = run(state, "play_tile 3-3", "capture 3-1@0")
    assert lies(after) == {0: "3-2", 1: "3-9"}
    assert pan(after)["tiles"] == ["3-1", "3-3"]
    assert (after.to_move, table(after)["hands"]["1"]) == (1, ["1-1", "1-2", "5-3"])


@pytest.mark.parametrize(
    ("display", "place"),
    [("3-1 3-2", 2), ("3-1 . 3-2", 1), ("3-1 3-2 3-3 1-1 1-2 1-3", 6)],
)
def test_a_tile_that_captures_nothing_goes_to_the_lowest_free_place(display, place):
    state = position(HIDES, hands=("6-4 1-9", "5-5"), display=display, pile="2-10 2-8")
    after = run(state, "play_tile 6-4")
    assert asks(after) == "place_rainbow"
    assert lies(after)[place] == "6-4"
    assert "2-10" in lies(after).values()


# ---- 3: the second chance


def missed(rules=None, display="1-1/2-8 2-2/3-9", pile="5-8 1-9 1-8 1-7", **parts):
    """Play 6-4, which captures nothing; 5-8 is turned up as the second chance."""
    state = position(
        rules, hands=("6-4 6-6 1-10", "1-2 1-3 1-5"), display=display, pile=pile, **parts
    )
    return run(state, "play_tile 6-4")


def test_the_second_chance_may_capture_any_face_up_tile_also_the_one_just_added():
    after = missed(display="1-1 4-5", pile="6-5 1-9 1-8")
    assert asks(after) == "capture"
    assert options(after) == {"6-4@2", "4-5@1"}
    after = after.play("capture 6-4@2")
    assert pan(after)["tiles"] == ["6-4", "6-5"]
    assert lies(after) == {0: "1-1", 1: "4-5"}
    assert table(after)["hands"]["1"] == ["1-9", "1-10", "6-6"]


def test_a_second_chance_that_captures_turns_nothing_up():
    after = missed(display="1-1/2-8 4-8/3-9")
    assert options(after) == {"4-8@1"}
    assert lies(after) == {0: "1-1/", 1: "4-8/", 2: "6-4"}


def test_a_face_down_tile_that_matches_at_once_is_captured_by_the_second_chance():
    after = missed()
    assert asks(after) == "capture"
    assert options(after) == {"2-8@4"}
    # Its cover stays; 5-8 lies in the display until it takes the tile.
    assert lies(after) == {0: "1-1", 1: "2-2/", 2: "6-4", 3: "5-8", 4: "2-8"}
    after = after.play("capture 2-8@4")
    assert lies(after) == {0: "1-1", 1: "2-2/", 2: "6-4"}
    assert pan(after)["tiles"] == ["2-8", "5-8"]
    assert pan(after)["rainbows"] == []
    assert (after.to_move, table(after)["pile"]) == (1, 2)


def test_a_face_down_tile_that_matches_later_is_captured_and_the_others_stay():
    after = missed(display="1-1/3-9 2-2/2-8 3-3/5-6")
    assert options(after) == {"2-8@6"}
    assert lies(after) == {0: "1-1", 1: "2-2", 2: "3-3/", 3: "6-4", 4: "5-8", 5: "3-9", 6: "2-8"}
    after = after.play("capture 2-8@6")
    assert lies(after) == {0: "1-1", 1: "2-2", 2: "3-3/", 3: "6-4", 5: "3-9"}
    assert pan(after)["tiles"] == ["2-8", "5-8"]


def test_only_what_matches_the_second_chance_counts_not_what_matches_other_tiles():
    # 2-1 turned up shares a row with 2-2 and a number with 1-1, but nothing with 5-8.
    after = missed(display="1-1/2-1 2-2")
    assert asks(after) == "place_rainbow"
    assert lies(after) == {0: "1-1", 1: "2-2", 2: "6-4", 3: "5-8", 4: "2-1"}


def test_when_no_face_down_tile_matches_a_rainbow_is_taken():
    after = missed(display="1-1/3-9 2-2/3-10")
    assert asks(after) == "place_rainbow"
    assert lies(after) == {0: "1-1", 1: "2-2", 2: "6-4", 3: "5-8", 4: "3-9", 5: "3-10"}
    assert table(after)["rainbow_stock"] == 11


def test_without_face_down_tiles_a_rainbow_is_taken_at_once():
    after = missed(display="1-1 2-2")
    assert asks(after) == "place_rainbow"
    assert lies(after) == {0: "1-1", 1: "2-2", 2: "6-4", 3: "5-8"}


def test_the_tile_turned_up_goes_to_the_lowest_free_place_also_below_its_own():
    after = missed(display=". 1-1/3-9 . 2-2 . 3-3/2-8")
    # 6-4 to place 0, 5-8 to place 2, 3-9 to place 4, 2-8 to place 6.
    assert lies(after) == {0: "6-4", 1: "1-1", 2: "5-8", 3: "2-2", 4: "3-9", 5: "3-3", 6: "2-8"}
    assert options(after) == {"2-8@6"}


def test_turning_up_is_chance_where_the_order_is_not_known():
    state = missed(display="1-1/? 2-2/? 3-3", pile=None)
    assert (state.kind, asks(state)) == ("chance", "second_chance")
    unseen = set(options(state))
    assert len(unseen) == 48 - 6 - 3
    after = state.play("second_chance 5-8")
    assert (after.kind, asks(after)) == ("chance", "reveal")
    assert options(after) == {f"{tile}@0" for tile in unseen - {"5-8"}}
    assert {chance for _, chance in after.outcomes()} == {Fraction(1, 38)}
    later = after.play("reveal 3-9@0")
    assert options(later) == {f"{tile}@1" for tile in unseen - {"5-8", "3-9"}}
    assert options(later.play("reveal 2-8@1")) == {"2-8@6"}
    assert asks(later.play("reveal 3-10@1")) == "place_rainbow"
    assert options(after.play("reveal 5-3@0")) == {"5-3@5"}


def test_a_tile_to_be_captured_by_the_second_chance_may_be_removed():
    parts = {"tiles": ("2-8..9 3-8", ""), "rainbows": ("3-9", "")}
    after = missed(display="1-1/4-8", spirits=("Bee@2-8", ""), **parts)
    assert options(after) == {"4-8@3"}
    parts = {"tiles": ("3-9", ""), "rainbows": ("2-8..9 3-8", "")}
    after = missed(display="1-1/2-8", spirits=("Bee@2-8", ""), **parts)
    assert options(after) == {"2-8@3!removed"}
    after = after.play("capture 2-8@3!removed")
    assert "2-8" in table(after)["removed"]
    assert pan(after)["tiles"] == ["3-9", "5-8"]
    assert pan(after)["rainbows"] == ["2-8", "2-9", "3-8"]


def test_the_published_second_chance_turns_nothing_up():
    for rules in (HIDES, Rules(second_chance_reveals=False, rainbow_next_to="tile")):
        after = missed(rules)
        assert asks(after) == "place_rainbow"
        assert lies(after) == {0: "1-1/", 1: "2-2/", 2: "6-4", 3: "5-8"}


# ---- 4: placing


SQUARE = {"tiles": ("3-4..5 4-4", ""), "rainbows": ("4-5", ""), "spirits": ("Bee@3-4", "")}
"""A square with a spirit: 4-5 is a rainbow that never moves."""


def test_a_land_tile_whose_cell_is_locked_is_removed_and_counts_as_the_capture():
    state = position(hands=("4-9 1-1 1-2", "5-5"), display="4-5 4-2/1-9 3-9", pile="", **SQUARE)
    state = run(state, "play_tile 4-9")
    assert options(state) == {"4-5@0!removed", "4-2@1", "3-9@2"}
    after = state.play("capture 4-5@0!removed")
    assert "4-5" in table(after)["removed"]
    assert pan(after)["tiles"] == ["3-4", "3-5", "4-4", "4-9"]
    assert pan(after)["rainbows"] == ["4-5"]


def test_a_played_tile_whose_cell_is_locked_is_removed_after_its_capture():
    state = position(hands=("4-5 1-1 1-2", "5-5"), display="4-9 2-2", pile="", **SQUARE)
    after = run(state, "play_tile 4-5", "capture 4-9@0")
    assert "4-5" in table(after)["removed"]
    assert pan(after)["tiles"] == ["3-4", "3-5", "4-4", "4-9"]


def test_both_tiles_of_a_capture_may_be_removed():
    state = position(
        hands=("4-5 1-1 1-2", "5-5"),
        display="4-4 2-2",
        pile="",
        tiles=("3-4..5", ""),
        rainbows=("4-4..5", ""),
        spirits=("Bee@3-4", ""),
    )
    after = run(state, "play_tile 4-5", "capture 4-4@0!removed")
    assert {"4-4", "4-5"} <= {*table(after)["removed"]}
    assert pan(after)["tiles"] == ["3-4", "3-5"]
    # No cell was filled, and the square bears a spirit already: no encounter.
    assert asks(after) == "play_tile"


def test_a_free_rainbow_is_placed_again_at_once_before_the_playing_tile():
    state = position(
        hands=("4-9 1-1 1-2", "5-5"),
        display="4-5 2-2",
        pile="",
        tiles=("3-5", ""),
        rainbows=("4-5 4-9", ""),
    )
    after = run(state, "play_tile 4-9", "capture 4-5@0")
    assert asks(after) == "place_rainbow"
    assert after.to_dict()["turn"]["source"] == "capture"
    assert pan(after)["tiles"] == ["3-5", "4-5"]
    assert pan(after)["rainbows"] == ["4-9"]
    assert options(after) == near(["3-5", "4-5"])
    after = after.play("place_rainbow 4-6")
    assert pan(after)["tiles"] == ["3-5", "4-5", "4-9"]
    # Now the rainbow of the playing tile's cell; 4-9 is land and may be next to it.
    assert asks(after) == "place_rainbow"
    assert options(after) == near(["3-5", "4-5", "4-9"]) - {"4-6"}


def test_a_rainbow_may_be_pushed_onto_the_cell_of_the_playing_tile_and_out_again():
    state = position(
        hands=("4-6 1-1 1-2", "5-5"),
        display="4-5 2-2",
        pile="",
        tiles=("3-5", ""),
        rainbows=("4-5", ""),
    )
    after = run(state, "play_tile 4-6", "capture 4-5@0", "place_rainbow 4-6")
    assert asks(after) == "place_rainbow"
    assert pan(after) == {"tiles": ["3-5", "4-5", "4-6"], "rainbows": [], "spirits": []}
    assert options(after) == near(["3-5", "4-5", "4-6"])
    after = after.play("place_rainbow 3-6")
    assert asks(after) == "spirit_keep"


def test_a_rainbow_pushed_out_that_finds_no_cell_goes_back_to_the_stock():
    # Next to land are only 1-1's neighbours, both filled.
    state = position(
        hands=("1-10 2-2", "5-5"),
        display="1-1 3-3",
        pile="",
        rainbows=("1-1..2 2-1 1-9 2-10", ""),
        line="*",
    )
    after = run(state, "play_tile 1-10", "capture 1-1@0")
    assert asks(after) != "place_rainbow"
    assert pan(after)["rainbows"] == ["1-2", "1-9", "2-1", "2-10"]
    assert table(after)["rainbow_stock"] == 8


# ---- rainbows


ONE_AND_ONE = {"tiles": ("3-5", ""), "rainbows": ("3-6", "")}


def test_a_rainbow_goes_next_to_land_or_next_to_any_tile():
    assert options(missed(HIDES, **ONE_AND_ONE)) == {"3-4", "2-5", "4-5"}
    rules = Rules(second_chance_reveals=False, rainbow_next_to="tile")
    assert options(missed(rules, **ONE_AND_ONE)) == near(["3-5", "3-6"])


def test_a_rainbow_of_the_opponent_is_no_neighbour():
    after = missed(HIDES, tiles=("3-5", "5-5"), rainbows=("", "5-6"))
    assert options(after) == near(["3-5"])


@pytest.mark.parametrize("rules", [LAND, TILE, HIDES])
def test_the_first_rainbow_goes_anywhere(rules):
    after = missed(rules, display="1-1 2-2")
    assert options(after) == {*CELLS}
    after = after.play("place_rainbow 6-7")
    assert pan(after)["rainbows"] == ["6-7"]
    assert table(after)["rainbow_stock"] == 11


def test_with_rainbows_alone_the_sheet_lets_the_next_one_go_anywhere():
    parts = {"display": "1-1 2-2", "rainbows": ("3-5", "")}
    assert options(missed(LAND, **parts)) == {*CELLS} - {"3-5"}
    assert options(missed(TILE, **parts)) == near(["3-5"])
    # Anywhere is for want of a tile only: here is one, but there is no room next to it.
    after = missed(LAND, display="2-7 2-2", tiles=("1-1", ""), rainbows=("1-2 2-1", ""))
    assert (asks(after), after.to_move, table(after)["rainbow_stock"]) == ("play_tile", 1, 10)


def test_two_rainbows_are_held_and_placed_after_the_next_capture():
    state = position(
        Rules(first_rainbow="held", second_chance_reveals=False),
        hands=("6-4 4-2 2-9", "1-2 1-3 1-5"),
        display="1-1 3-3",
        pile="5-8 6-5 1-9",
    )
    after = run(state, "play_tile 6-4")
    assert after.to_move == 1
    assert table(after)["held"] == {"1": 1}
    assert table(after)["rainbow_stock"] == 11
    assert pan(after)["rainbows"] == []
    state = position(
        HELD,
        hands=("6-4 4-2 2-9", "1-2 1-3 1-5"),
        display="1-1 3-3",
        pile="5-8 6-5 1-9",
        held=(1, 0),
    )
    after = run(state, "play_tile 6-4")
    assert table(after)["held"] == {"1": 2}
    assert table(after)["rainbow_stock"] == 10
    state = position(
        HELD,
        hands=("3-4 4-2 2-9", "1-2 1-3 1-5"),
        display="3-3 1-1",
        pile="5-8 6-5 1-9",
        held=(2, 1),
        line="*",
    )
    after = run(state, "play_tile 3-4", "capture 3-3@0")
    assert asks(after) == "place_rainbow"
    assert after.to_dict()["turn"]["source"] == "capture"
    assert pan(after)["tiles"] == ["3-3", "3-4"]
    assert options(after) == near(["3-3", "3-4"])
    after = after.play("place_rainbow 4-3")
    assert options(after) == near(["3-3", "3-4"]) - {"4-3"}
    # The second one completes a square: it was filled in this turn.
    after = after.play("place_rainbow 4-4")
    assert asks(after) == "spirit_source"
    assert "Bee@3-3" in options(after)
    assert {option.partition("@")[2] for option in options(after)} == {"", "3-3"}
    assert table(after)["held"] == {"2": 1}
    assert table(after)["rainbow_stock"] == 9


def test_a_held_rainbow_waits_for_land_where_rainbows_go_next_to_land():
    rules = Rules(first_rainbow="held", second_chance_reveals=False)
    after = missed(rules, display="1-1 2-2", rainbows=("3-5", ""))
    assert (after.to_move, table(after)["held"]) == (1, {"1": 1})
    rules = Rules(first_rainbow="held", second_chance_reveals=False, rainbow_next_to="tile")
    assert options(missed(rules, display="1-1 2-2", rainbows=("3-5", ""))) == near(["3-5"])


def test_held_rainbows_come_after_those_that_the_playing_tile_pushes_out():
    state = position(
        HELD,
        hands=("3-4 4-2 2-9", "1-2 1-3 1-5"),
        display="3-3 1-1",
        pile="5-8 6-5 1-9",
        rainbows=("3-3 3-4", ""),
        held=(1, 0),
    )
    after = run(state, "play_tile 3-4", "capture 3-3@0")
    assert pan(after)["rainbows"] == ["3-4"]
    after = after.play("place_rainbow 2-3")
    assert pan(after)["tiles"] == ["3-3", "3-4"]
    after = after.play("place_rainbow 4-4")
    assert asks(after) == "place_rainbow"
    after = after.play("place_rainbow 3-2")
    assert pan(after)["rainbows"] == ["2-3", "3-2", "4-4"]
    assert "held" not in table(after)


@pytest.mark.parametrize("rules", [LAND, PUBLISHED])
def test_an_empty_stock_gives_no_rainbow(rules):
    parts = {"rainbows": ("3-1..6", "1-1..6"), "tiles": ("4-4", "4-7")}
    after = missed(rules, display="2-1 2-2", **parts)
    assert (after.to_move, table(after)["rainbow_stock"]) == (1, 0)
    assert pan(after)["rainbows"] == [f"3-{n}" for n in range(1, 7)]
    after = missed(rules, display="2-1 2-2", rainbows=("", "1-1..7 3-1..5"))
    # Nothing is held either: the panorama is empty, but there is nothing to wait for.
    assert (after.to_move, table(after)["rainbow_stock"]) == (1, 0)
    assert "held" not in table(after)


def test_a_rainbow_of_the_second_chance_can_complete_a_square():
    after = missed(HIDES, tiles=("3-4..5 4-4", ""))
    after = after.play("place_rainbow 4-5")
    assert asks(after) == "spirit_keep"
    assert {option.partition("@")[2] for option in options(after)} == {"3-4"}


# ---- 6 and 7: refill and the next turn


def test_the_hand_is_refilled_to_three_and_the_turn_passes_on():
    state = position(
        hands=("3-3 1-1 1-2", "3-9 2-2 2-3"), display="3-1 1-9", pile="5-5 5-6 5-7", to_move=0
    )
    after = run(state, "play_tile 3-3", "capture 3-1@0")
    assert table(after)["hands"] == {"1": ["1-1", "1-2", "5-5"], "2": ["2-2", "2-3", "3-9"]}
    assert (after.to_move, after.decider, options(after)) == (1, 1, {"3-9", "2-2", "2-3"})
    assert after.to_dict()["pile"] == ["5-6", "5-7"]


def test_the_refill_stops_when_the_pile_is_empty():
    state = position(hands=("3-3 1-1 1-2", "1-10"), display="3-1 1-9", pile="")
    after = run(state, "play_tile 3-3", "capture 3-1@0")
    assert table(after)["hands"]["1"] == ["1-1", "1-2"]


def test_the_end_of_a_turn_is_told_with_its_refill_and_without_what_follows():
    state = position(hands=("3-3 1-1", "5-5"), display="3-1 1-9", pile="6-6")
    state = state.play("play_tile 3-3")
    assert state.end_of_turn("capture 3-1@0")["hands"] == {"1": ["1-1", "6-6"], "2": ["5-5"]}
    assert (
        position(hands=("3-3 1-1", "5-5"), display="3-1 1-9").end_of_turn("play_tile 3-3") is None
    )
    # Player 1 cannot capture and passes: the position is told before the pass.
    assert state.play("capture 3-1@0").to_move == 0


def test_a_turn_may_end_with_a_rainbow():
    state = position(
        HIDES, hands=("6-4 6-6", "5-5"), display="3-1", tiles=("1-1", ""), pile="5-8 2-9"
    )
    state = state.play("play_tile 6-4")
    end = state.end_of_turn("place_rainbow 1-2")
    assert end["pan"]["1"]["rainbows"] == ["1-2"]
    assert end["hands"]["1"] == ["2-9", "6-6"]
    assert end["display"] == [
        {"slot": 0, "up": "3-1"},
        {"slot": 1, "up": "6-4"},
        {"slot": 2, "up": "5-8"},
    ]
