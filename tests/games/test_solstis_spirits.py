"""Encounters, the Evil Spirit, and the effects of plain spirits, from the words of the rules."""

from fractions import Fraction
from itertools import product

import pytest

from games.errors import IllegalMoveError
from games.solstis import Rules, State
from tests.solstis_positions import asks, lies, near, options, pan, position, run, table
from tests.solstis_strategies import EVIL, SPIRITS, SQUARES, VARIANTS, choices

HELD = Rules(first_rainbow="held")
PASSES = ("to_encounterer", "by_encounterer")

MEET = {
    "hands": ("3-10 6-4 6-5", "1-1 1-2 1-3"),
    "display": "3-5 4-9/4-2",
    "tiles": ("2-4..5 3-4", ""),
    "pile": "5-3 5-8 1-9 1-8",
}
"""Player 0 completes the square 2-4 by capturing 3-5 with 3-10."""


def square_made(rules=None, **parts):
    return run(position(rules, **MEET | parts), "play_tile 3-10", "capture 3-5@0")


def meet(spirit, rules=None, **parts):
    """Take a spirit of the line."""
    return square_made(rules, **{"line": spirit} | parts).play(f"spirit_source {spirit}@2-4")


def source(state):
    return state.to_dict()["turn"]["source"]


# ---- squares


def test_there_are_33_squares():
    assert len(SQUARES) == 33


def test_a_spirit_of_the_line_or_two_of_the_pile():
    state = square_made(line="Fish Bee")
    assert (asks(state), state.decider) == ("spirit_source", 0)
    assert options(state) == {"Fish@2-4", "Bee@2-4", "draw"}
    after = state.play("spirit_source Bee@2-4")
    assert pan(after)["spirits"] == ["Bee@2-4"]
    assert table(after)["line"] == ["Fish"]
    assert after.to_move == 1


def test_of_two_spirits_drawn_one_is_kept_and_the_other_joins_the_line_last():
    state = square_made(line="Fish", spirit_pile="Wolf Bird Bee").play("spirit_source draw")
    assert (asks(state), options(state)) == ("spirit_keep", {"Wolf@2-4", "Bird@2-4"})
    after = state.play("spirit_keep Bird@2-4")
    assert table(after)["line"] == ["Fish", "Wolf"]
    assert table(after)["spirits_left"] == 15 - 3
    assert after.to_dict()["spirit_pile"][0] == "Bee"
    assert after.to_move == 1


def test_with_an_empty_line_two_are_drawn_at_once():
    assert options(square_made(spirit_pile="Wolf Bird")) == {"Wolf@2-4", "Bird@2-4"}


def test_pairs_of_spirits_are_drawn_without_order():
    state = square_made(pile=None, display="3-5")
    assert (state.kind, asks(state)) == ("chance", "draw_spirits")
    pairs = {outcome.option: chance for outcome, chance in state.outcomes()}
    names = sorted(SPIRITS["base"])
    assert set(pairs) == {f"{a}+{b}" for a, b in product(names, names) if a < b}
    assert set(pairs.values()) == {Fraction(1, 105)}


def test_the_last_spirit_is_drawn_alone():
    state = square_made(line="*", spirit_pile="Wolf", evil=0).play("spirit_source draw")
    assert options(state) == {"Wolf@2-4"}
    assert table(state.play("spirit_keep Wolf@2-4"))["spirits_left"] == 0


def test_with_an_empty_pile_of_spirits_only_the_line_is_left():
    state = square_made(line="*", evil=1)
    assert options(state) == {f"{name}@2-4" for name in SPIRITS["base"] if name != EVIL}


FULL = {
    "hands": ("4-9 6-4 6-5", "5-5 5-6 5-7"),
    "display": "4-5 4-2",
    "pile": "5-3 5-8 5-4",
    "rainbows": ("", "3-1..10"),
}


def everything_placed(rules, **parts):
    """Complete the square 3-4 while all spirits but the Evil one lie on the other panorama."""
    names = [name for name in SPIRITS[rules.variant] if name != EVIL]
    squares = [f"{row}-{n}" for row in (1, 2) for n in range(1, 10)]
    placed = " ".join(f"{name}@{square}" for name, square in zip(names, squares, strict=False))
    tiles = ("3-4..5 4-4", "1-1..10 2-1..10")
    hands = ("4-9 6-4 6-5", "5-5 5-6 5-7 6-7" if "Bear" in names else "5-5 5-6 5-7")
    parts = FULL | {"hands": hands, "tiles": tiles, "spirits": ("", placed)} | parts
    return run(position(rules, **parts), "play_tile 4-9", "capture 4-5@0")


def test_without_any_spirit_left_there_is_no_encounter():
    after = everything_placed(Rules(variant="beginner"))
    assert (asks(after), after.to_move) == ("play_tile", 1)
    assert pan(after)["spirits"] == []


def test_the_player_chooses_among_all_squares_of_the_cells_filled():
    state = square_made(tiles=("2-4..6 3-4 3-6", ""), line="Bee")
    assert options(state) == {"Bee@2-4", "Bee@2-5", "draw"}
    after = state.play("spirit_source Bee@2-5")
    # One encounter a turn; the other square stays empty.
    assert (after.to_move, pan(after)["spirits"]) == (1, ["Bee@2-5"])
    assert "fireflies" not in pan(after)


def test_a_square_may_overlap_one_with_a_spirit_but_none_bears_two():
    parts = {"tiles": ("2-4..6 3-5..6", ""), "spirits": ("Wolf@2-5", "")}
    state = position(**MEET | parts | {"display": "3-4 4-9", "line": "Bee"})
    state = run(state, "play_tile 3-10", "capture 3-4@0")
    assert options(state) == {"Bee@2-4", "draw"}


def test_a_square_that_was_complete_and_is_not_touched_is_not_eligible():
    parts = {"hands": ("3-10 1-4 1-5", "1-1"), "line": "Bee"}
    square = {"tiles": ("2-4..5 3-4 5-4..5", ""), "rainbows": ("6-4..5", "")}
    assert options(square_made(**parts | square)) == {"Bee@2-4", "draw"}
    square = {"tiles": ("2-4 5-4..5", ""), "rainbows": ("6-4..5", "")}
    after = square_made(**parts | square)
    assert (asks(after), after.to_move) == ("play_tile", 1)


def test_a_square_is_eligible_again_when_one_of_its_cells_is_filled_once_more():
    # 5-4 5-5 6-4 and a rainbow are complete; the land tile of that cell comes now.
    parts = {"tiles": ("5-4..5 6-4", ""), "rainbows": ("6-5", ""), "hands": ("6-7 6-6", "1-1")}
    state = position(**MEET | parts | {"display": "6-5 4-9", "line": "Bee"})
    state = run(state, "play_tile 6-7", "capture 6-5@0")
    assert asks(state) == "place_rainbow"
    assert options(state.play("place_rainbow 5-6")) == {"Bee@5-4", "draw"}


def test_a_rainbow_pushed_out_of_a_square_and_placed_there_keeps_it_eligible():
    parts = {"tiles": ("2-4..5 3-4", ""), "rainbows": ("3-10", ""), "line": "Bee"}
    state = square_made(**parts)
    assert asks(state) == "place_rainbow"
    # A second square, by the rainbow.
    tiles = ("2-4..6 3-4", "")
    state = square_made(**parts | {"tiles": tiles}).play("place_rainbow 3-6")
    assert options(state) == {"Bee@2-4", "Bee@2-5", "draw"}


# ---- the Evil Spirit


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize("pile", [f"Fish {EVIL}", f"{EVIL} Fish"])
def test_who_draws_the_evil_spirit_keeps_both(passes, pile):
    state = square_made(Rules(evil_passes=passes), spirit_pile=pile)
    assert (asks(state), options(state)) == ("spirit_keep", {"Fish@2-4"})
    after = state.play("spirit_keep Fish@2-4")
    assert asks(after) == "place_rainbow"
    after = after.play(str(after.legal()[0]))
    # It does not pass at the encounter at which it was drawn.
    assert (table(after)["evil"], table(after)["line"]) == (1, [])
    assert pan(after)["spirits"] == ["Fish@2-4"]
    assert table(after)["spirits_left"] == 13


@pytest.mark.parametrize(
    ("passes", "holder", "after"),
    [
        ("to_encounterer", 0, 0),
        ("to_encounterer", 1, 0),
        ("to_encounterer", None, None),
        ("by_encounterer", 0, 1),
        ("by_encounterer", 1, 1),
        ("by_encounterer", None, None),
    ],
)
@pytest.mark.parametrize("drawn", [True, False])
def test_the_evil_spirit_passes_when_player_0_encounters_a_spirit(passes, holder, after, drawn):
    parts = {"spirit_pile": "Deer Bird"} if drawn else {"line": "Deer"}
    state = square_made(Rules(evil_passes=passes), evil=holder, **parts)
    assert table(state)["evil"] == (None if holder is None else holder + 1)
    state = state.play("spirit_keep Deer@2-4" if drawn else "spirit_source Deer@2-4")
    # Before the effect.
    assert asks(state) == "deer"
    expected = None if after is None else after + 1
    assert table(state)["evil"] == expected
    assert table(state.play("deer 6-4"))["evil"] == expected


@pytest.mark.parametrize("passes", PASSES)
def test_the_evil_spirit_drawn_alone_is_taken_and_nothing_else_happens(passes):
    rules = Rules(evil_passes=passes)
    for state in (
        square_made(rules, line="*").play("spirit_source draw"),
        everything_placed(rules),
    ):
        assert (asks(state), state.to_move) == ("play_tile", 1)
        assert (table(state)["evil"], table(state)["spirits_left"]) == (1, 0)
        assert pan(state)["spirits"] == []
        assert len(table(state)["hands"]["1"]) == 3


def test_the_beginners_have_no_evil_spirit():
    names = State.new(1, Rules(variant="beginner")).to_dict()["spirit_pile"]
    assert sorted(names) == sorted(SPIRITS["beginner"])


# ---- Fish


def test_the_fish_places_a_rainbow():
    state = meet("Fish")
    assert (asks(state), state.decider, source(state)) == ("place_rainbow", 0, "fish")
    assert options(state) == near(["2-4", "2-5", "3-4", "3-5", "3-10"])
    after = state.play("place_rainbow 3-9")
    assert (pan(after)["rainbows"], table(after)["rainbow_stock"]) == (["3-9"], 11)
    assert after.to_move == 1


def test_the_fish_is_lost_without_a_stock_or_without_a_cell():
    after = meet("Fish", rainbows=("", "2-1..10 3-1..2"))
    assert (after.to_move, table(after)["rainbow_stock"]) == (1, 0)
    # All cells next to land are filled with rainbows.
    full = " ".join(sorted(near(["2-4", "2-5", "3-4", "3-5", "3-10"])))
    after = meet("Fish", rainbows=(full, ""))
    assert (after.to_move, table(after)["rainbow_stock"]) == (1, 12 - len(full.split()))


def test_a_square_that_an_effect_completes_brings_no_spirit():
    state = meet("Fish", tiles=("2-4..6 3-4", ""), line="Fish Bee")
    after = state.play("place_rainbow 3-6")
    assert (after.to_move, pan(after)["spirits"]) == (1, ["Fish@2-4"])


# ---- Deer


def test_the_deer_places_a_hand_tile_that_is_refilled():
    state = meet("Deer")
    assert (asks(state), state.decider, options(state)) == ("deer", 0, {"6-4", "6-5"})
    after = state.play("deer 6-5")
    assert pan(after)["tiles"] == ["2-4", "2-5", "3-4", "3-5", "3-10", "6-5"]
    assert table(after)["hands"]["1"] == ["5-3", "5-8", "6-4"]
    assert after.to_move == 1


def test_the_deer_never_captures():
    after = meet("Deer", hands=("3-10 4-4 6-5", "1-1")).play("deer 4-4")
    assert (after.to_move, lies(after)) == (1, {1: "4-9/"})


def test_a_tile_of_the_deer_may_be_locked_by_the_square_of_the_deer_itself():
    state = meet("Deer", hands=("3-10 3-4 6-5", "1-1"), tiles=("2-4..5", ""), rainbows=("3-4", ""))
    assert options(state) == {"3-4!removed", "6-5"}
    after = state.play("deer 3-4!removed")
    assert "3-4" in table(after)["removed"]
    assert pan(after)["rainbows"] == ["3-4"]
    with pytest.raises(IllegalMoveError):
        state.play("deer 3-4")


def test_the_deer_pushes_out_a_free_rainbow():
    state = meet("Deer", rainbows=("6-4", "")).play("deer 6-4")
    assert (asks(state), source(state)) == ("place_rainbow", "deer")
    assert options(state) == near(["2-4", "2-5", "3-4", "3-5", "3-10", "6-4"])
    after = state.play("place_rainbow 6-5")
    assert (after.to_move, pan(after)["rainbows"]) == (1, ["6-5"])


def test_the_deer_is_lost_with_an_empty_hand():
    after = meet("Deer", hands=("3-10", "4-3"), pile="")
    assert (asks(after), after.to_move) == ("play_tile", 1)


# ---- Eagle


def test_the_eagle_places_a_random_tile_of_the_pile():
    state = meet("Eagle")
    assert (state.kind, asks(state), state.decider, state.to_move) == (
        "chance",
        "eagle_draw",
        None,
        0,
    )
    assert {o.option: chance for o, chance in state.outcomes()} == dict.fromkeys(
        ["5-3", "5-8", "1-9", "1-8"], Fraction(1, 4)
    )
    after = state.play("eagle_draw 5-8")
    assert "5-8" in pan(after)["tiles"]
    # The order of the others is as it was.
    assert table(after)["hands"]["1"] == ["5-3", "6-4", "6-5"]
    assert after.to_dict()["pile"] == ["1-9", "1-8"]


def test_the_eagle_may_bring_any_unseen_tile_where_the_order_is_not_known():
    state = meet("Eagle", display="3-5 4-9/?", pile=None)
    assert len(state.outcomes()) == 48 - 3 - 5 - 3
    assert table(state)["pile"] == 48 - 3 - 5 - 3 - 1


def test_a_tile_of_the_eagle_may_be_removed_or_push_a_rainbow_out():
    parts = {"tiles": ("2-4..5", ""), "rainbows": ("3-4 5-8", ""), "pile": "3-4 5-8 1-9 1-8"}
    state = meet("Eagle", **parts)
    assert "3-4" in table(state.play("eagle_draw 3-4"))["removed"]
    after = state.play("eagle_draw 5-8")
    assert (asks(after), source(after)) == ("place_rainbow", "eagle")


def test_the_eagle_is_lost_with_an_empty_pile():
    after = meet("Eagle", hands=("3-10", "4-3"), pile="")
    assert (asks(after), after.to_move) == ("play_tile", 1)


# ---- Bear


def test_the_bear_draws_a_tile_and_the_hand_has_four_from_now_on():
    after = meet("Bear")
    assert table(after)["hands"]["1"] == ["5-3", "5-8", "6-4", "6-5"]
    assert after.to_dict()["pile"] == ["1-9", "1-8"]
    after = run(after, "play_tile 1-1")
    # The opponent still has three, the owner of the Bear four.
    assert [len(hand) for hand in table(after)["hands"].values()] == [4, 2]
    state = position(
        hands=("3-3 6-4 6-5 6-6", "1-1 1-2 1-3"),
        display="3-9 4-9",
        tiles=("2-4..5 3-4..5", ""),
        spirits=("Bear@2-4", ""),
        pile="5-3 5-8",
    )
    after = run(state, "play_tile 3-3", "capture 3-9@0")
    assert len(table(after)["hands"]["1"]) == 4


def test_the_bear_draws_what_there_is():
    after = meet("Bear", pile="5-3")
    assert table(after)["hands"]["1"] == ["5-3", "6-4", "6-5"]
    after = meet("Bear", pile="", hands=("3-10 6-4 6-5", "4-3"))
    assert table(after)["hands"]["1"] == ["6-4", "6-5"]


# ---- Dragonfly


def test_the_dragonfly_takes_a_random_tile_of_the_opponent_who_draws_one():
    state = meet("Dragonfly")
    assert (state.kind, asks(state)) == ("chance", "dragonfly_draw")
    assert {o.option: chance for o, chance in state.outcomes()} == dict.fromkeys(
        ["1-1", "1-2", "1-3"], Fraction(1, 3)
    )
    after = state.play("dragonfly_draw 1-2")
    assert "1-2" in pan(after)["tiles"]
    # The opponent draws first, then the hand is refilled.
    assert table(after)["hands"] == {"1": ["5-8", "6-4", "6-5"], "2": ["1-1", "1-3", "5-3"]}


def test_the_dragonfly_with_an_empty_pile_takes_and_nobody_draws():
    state = meet("Dragonfly", pile="", hands=("3-10 4-3", "4-4 1-1"))
    after = state.play("dragonfly_draw 1-1")
    assert table(after)["hands"] == {"1": ["4-3"], "2": ["4-4"]}


def test_the_dragonfly_is_lost_with_nothing_to_take():
    after = meet("Dragonfly", pile="", hands=("3-10 4-3", ""))
    assert (asks(after), after.to_move) == ("play_tile", 0)


def test_a_tile_of_the_dragonfly_may_be_removed_or_push_a_rainbow_out():
    parts = {"tiles": ("2-4..5", ""), "rainbows": ("3-4 1-2", ""), "hands": ("3-10 6-4", "3-4 1-2")}
    state = meet("Dragonfly", **parts)
    after = state.play("dragonfly_draw 3-4")
    assert "3-4" in table(after)["removed"]
    assert len(table(after)["hands"]["2"]) == 2
    after = state.play("dragonfly_draw 1-2")
    assert (asks(after), after.decider, source(after)) == ("place_rainbow", 0, "dragonfly")
    # With an empty pile too.
    after = meet("Dragonfly", **parts | {"pile": ""}).play("dragonfly_draw 1-2")
    assert (asks(after), source(after)) == ("place_rainbow", "dragonfly")
    assert table(after)["hands"]["2"] == ["3-4"]


def test_what_the_opponent_draws_is_chance_where_the_order_is_not_known():
    state = meet("Dragonfly", pile=None, display="3-5").play("dragonfly_draw 1-2")
    assert (state.kind, asks(state)) == ("chance", "draw")
    after = state.play("draw 5-5")
    assert table(after)["hands"]["2"] == ["1-1", "1-3", "5-5"]


# ---- Beetle


def test_the_beetle_places_any_face_up_tile_one_turned_up_just_now_too():
    state = meet("Beetle", display="3-5/1-10 4-9/4-2 5-6")
    assert (asks(state), options(state)) == ("beetle", {"1-10@0", "4-9@1", "5-6@2"})
    after = state.play("beetle 1-10@0")
    assert (lies(after), after.to_move) == ({1: "4-9/", 2: "5-6"}, 1)
    assert "1-10" in pan(after)["tiles"]
    # The tile beneath is turned up.
    assert lies(state.play("beetle 4-9@1")) == {0: "1-10", 1: "4-2", 2: "5-6"}


def test_a_tile_of_the_beetle_may_be_removed_or_push_a_rainbow_out():
    parts = {"tiles": ("2-4..5", ""), "rainbows": ("3-4 4-9", ""), "display": "3-5/3-4 4-9/4-2"}
    state = meet("Beetle", **parts)
    assert options(state) == {"3-4@0!removed", "4-9@1"}
    assert "3-4" in table(state.play("beetle 3-4@0!removed"))["removed"]
    after = state.play("beetle 4-9@1")
    assert (asks(after), source(after)) == ("place_rainbow", "beetle")
    assert lies(after) == {0: "3-4", 1: "4-2"}


def test_the_beetle_is_lost_with_an_empty_display():
    after = meet("Beetle", display="3-5")
    assert (asks(after), after.to_move) == ("play_tile", 1)


# ---- Groundhog


def test_the_groundhog_brings_another_whole_turn():
    state = meet("Groundhog")
    assert (asks(state), state.to_move) == ("play_tile", 0)
    assert table(state)["hands"]["1"] == ["5-3", "6-4", "6-5"]
    # One, not more.
    state = position(hands=("4-4 6-4", "1-1 1-2 1-3"), display="4-9 4-2", pile="5-3 5-8")
    assert run(state, "play_tile 4-4", "capture 4-9@0").to_move == 1
    state = meet("Groundhog", hands=("3-10 4-4 6-5", "1-1 1-2 1-3"))
    assert run(state, "play_tile 4-4", "capture 4-9@1").to_move == 1


def test_the_turn_of_the_groundhog_ends_before_the_next_one_begins():
    state = square_made(line="Groundhog")
    end = state.end_of_turn("spirit_source Groundhog@2-4")
    assert end["hands"]["1"] == ["5-3", "6-4", "6-5"]


def test_the_turn_of_the_groundhog_is_passed_when_nothing_can_be_captured():
    parts = {"pile": "", "display": "3-5 4-9/6-6"}
    after = meet("Groundhog", hands=("3-10 6-5", "4-3 1-1"), **parts)
    assert (asks(after), after.to_move, options(after)) == ("play_tile", 1, {"4-3"})
    # Then it is the turn of the first player, once.
    after = run(after, "play_tile 4-3", "capture 4-9@1")
    assert (asks(after), after.to_move, options(after)) == ("play_tile", 0, {"6-5"})
    assert "again" not in after.to_dict().get("turn", {})
    assert meet("Groundhog", hands=("3-10 6-5", "1-1"), **parts).kind == "end"


@pytest.mark.parametrize("variant", VARIANTS)
def test_spirits_that_act_at_the_end_do_nothing_now(variant):
    for name in ("Bee", "Ladybug", "Wolf", "Squirrel", "Bird", "Lizard", "Butterfly"):
        after = meet(name, Rules(variant=variant))
        assert (asks(after), after.to_move) == ("play_tile", 1)
        assert pan(after)["spirits"] == [f"{name}@2-4"]
        assert len(choices(after)) == 3
