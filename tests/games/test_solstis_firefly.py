"""The firefly variant, from the words of the rules."""

from fractions import Fraction

import pytest

from games.errors import IllegalMoveError
from games.solstis import Rules, State
from tests.games.test_solstis_spirits import everything_placed, meet, source, square_made
from tests.solstis_positions import asks, lies, near, options, pan, position, run, table
from tests.solstis_strategies import EVIL, SPIRITS

FIREFLY = Rules(variant="firefly")
PUBLISHED = Rules.published("firefly")
BOTH = pytest.mark.parametrize("rules", [FIREFLY, PUBLISHED])

TWO_SQUARES = {"tiles": ("2-4..6 3-4 3-6", "")}
"""With 3-5 the squares 2-4 and 2-5 are complete."""


# ---- fireflies


def test_every_further_square_gets_a_firefly():
    state = square_made(FIREFLY, line="Bee", **TWO_SQUARES)
    assert options(state) == {"Bee@2-4", "Bee@2-5", "draw"}
    after = state.play("spirit_source Bee@2-4")
    assert (pan(after)["spirits"], pan(after)["fireflies"]) == (["Bee@2-4"], ["2-5"])
    after = state.play("spirit_source Bee@2-5")
    assert (pan(after)["spirits"], pan(after)["fireflies"]) == (["Bee@2-5"], ["2-4"])


@pytest.mark.parametrize(
    ("spirit", "parts", "answer", "fireflies"),
    [
        ("Fish", {"tiles": ("2-4..6 3-4", "")}, "place_rainbow 3-6", ["2-5"]),
        ("Deer", {"tiles": ("2-4..6 3-4", ""), "hands": ("3-10 3-6", "1-1")}, "deer 3-6", ["2-5"]),
        ("Eagle", {"tiles": ("2-4..6 3-4", ""), "pile": "3-6 1-9 1-8"}, "eagle_draw 3-6", ["2-5"]),
        ("Beetle", {"tiles": ("2-4..6 3-4", ""), "display": "3-5/3-6"}, "beetle 3-6@0", ["2-5"]),
        ("Fish", {"tiles": ("2-4..6 3-4", "")}, "place_rainbow 3-3", None),
        ("Deer", {"tiles": ("2-4..6 3-4", "")}, "deer 6-4", None),
    ],
)
def test_a_square_that_the_effect_completes_gets_a_firefly(spirit, parts, answer, fireflies):
    after = meet(spirit, FIREFLY, **parts).play(answer)
    assert pan(after).get("fireflies") == fireflies
    assert pan(after)["spirits"] == [f"{spirit}@2-4"]
    assert after.to_move == 1


def test_a_rainbow_that_the_effect_pushes_out_can_make_a_square():
    parts = {"tiles": ("2-4..6 3-4", ""), "rainbows": ("6-4", "")}
    after = run(meet("Deer", FIREFLY, **parts), "deer 6-4", "place_rainbow 3-6")
    assert pan(after)["fireflies"] == ["2-5"]


def test_without_an_encounter_no_square_gets_a_firefly():
    # The Evil Spirit is drawn alone: no spirit is placed.
    after = everything_placed(FIREFLY)
    assert asks(after) == "evil_block"
    assert "fireflies" not in pan(after)
    # A later turn that touches neither square leaves both alone.
    parts = {"hands": ("3-10 1-4 1-5", "1-1"), "tiles": ("2-4..6 3-4..6", ""), "pile": ""}
    state = position(FIREFLY, display="3-9 5-5", **parts)
    assert "fireflies" not in pan(run(state, "play_tile 3-10", "capture 3-9@0"))


def test_a_firefly_locks_its_square():
    state = position(
        FIREFLY,
        hands=("3-10 1-4 1-5", "1-1"),
        display="3-5 5-5",
        pile="",
        tiles=("2-4..5 3-4", ""),
        rainbows=("3-5", ""),
        fireflies=("2-4", ""),
    )
    state = state.play("play_tile 3-10")
    assert options(state) == {"3-5@0!removed"}
    after = state.play("capture 3-5@0!removed")
    assert pan(after)["rainbows"] == ["3-5"]
    assert "3-5" in table(after)["removed"]


def test_a_square_bears_a_firefly_or_a_spirit_never_both():
    state = position(
        FIREFLY,
        hands=("3-10 1-4 1-5", "1-1"),
        display="3-6 5-5",
        pile="",
        tiles=("2-4..6 3-4..5", ""),
        fireflies=("2-4", ""),
        line="Bee",
    )
    assert options(run(state, "play_tile 3-10", "capture 3-6@0")) == {"Bee@2-5", "draw"}


THREE = {
    "tiles": ("2-4..6 3-4 3-6 5-4..7", ""),
    "rainbows": ("6-4..7", ""),
    "fireflies": ("5-4 5-5 5-6", ""),
    "hands": ("3-10 1-4 1-5", "1-1 1-2 1-3"),
}
"""Player 0 has three fireflies; with 3-5 the squares 2-4 and 2-5 are complete."""


@BOTH
def test_the_fourth_firefly_ends_the_game_at_once(rules):
    state = square_made(rules, line="Bee", **THREE)
    end = state.end_of_turn("spirit_source Bee@2-4")
    after = state.play("spirit_source Bee@2-4")
    assert (after.kind, after.to_move, after.decider) == ("end", None, None)
    assert pan(after)["fireflies"] == ["2-5", "5-4", "5-5", "5-6"]
    # No refill.
    assert table(after)["hands"]["1"] == ["1-4", "1-5"]
    assert end == table(after)
    mine, theirs = after.score(0), after.score(1)
    assert (mine.firefly_win, theirs.firefly_win) == (True, False)
    assert (mine.total, theirs.total) == (4, 0)
    # The breakdown is that of the panorama.
    assert (mine.spirits, mine.fireflies, mine.fires, mine.area) == (1, 0, 0, 4)
    assert "firefly_win" in mine.to_dict()
    assert "firefly_win" not in theirs.to_dict()


def test_the_turn_ends_too_when_a_rainbow_of_the_effect_makes_the_fourth():
    parts = THREE | {"tiles": ("2-4..6 3-4 5-4..7", "")}
    state = meet("Fish", FIREFLY, **parts)
    end = state.end_of_turn("place_rainbow 3-6")
    after = state.play("place_rainbow 3-6")
    assert after.kind == "end"
    assert after.score(0).firefly_win
    assert end == table(after)
    assert state.end_of_turn("place_rainbow 3-3")["hands"]["1"] == ["1-4", "1-5", "5-3"]


def test_only_four_fireflies_are_placed_those_of_the_cells_filled_first():
    # The captured tile 3-5 completes 2-5 and 2-4, the playing tile 3-10 completes 2-9.
    parts = THREE | {"tiles": ("2-4..6 3-4 3-6 5-4..7 2-9..10 3-9", "")}
    state = square_made(FIREFLY, line="Bee", **parts)
    assert options(state) == {"Bee@2-4", "Bee@2-5", "Bee@2-9", "draw"}
    for square, left in (("2-4", "2-5"), ("2-5", "2-4"), ("2-9", "2-4")):
        after = state.play(f"spirit_source Bee@{square}")
        assert after.kind == "end"
        assert pan(after)["fireflies"] == [left, "5-4", "5-5", "5-6"]


def test_an_order_and_an_extra_turn_end_with_the_game():
    for spirit in ("Fox", "Groundhog"):
        state = meet(spirit, FIREFLY, **THREE)
        after = state.play("fox_force 1-2") if spirit == "Fox" else state
        assert after.kind == "end"
        assert "forced" not in table(after)
        assert after == State.from_dict(after.to_dict())


def test_the_evil_spirit_drawn_in_the_turn_of_the_fourth_stays_with_who_drew_it():
    state = square_made(FIREFLY, spirit_pile=f"{EVIL} Bee", **THREE)
    after = state.play("spirit_keep Bee@2-4")
    assert after.kind == "end"
    assert table(after)["spirit_hand"] == {"1": [EVIL]}
    assert State.from_dict(after.to_dict()) == after


def test_after_four_fireflies_there_is_no_endphase():
    parts = THREE | {"hands": ("3-10 1-4", "1-2"), "pile": "", "display": "3-5"}
    after = square_made(FIREFLY, line="Squirrel", **parts).play("spirit_source Squirrel@2-4")
    assert (after.kind, table(after)["hands"]["1"]) == ("end", ["1-4"])


# ---- the Evil Spirit


TO_BLOCK = {
    "tiles": ("2-4..5 3-4", "1-5 4-4"),
    "rainbows": ("", "1-6"),
    "hands": ("3-10 6-4", "1-1"),
}


@BOTH
def test_who_drew_the_evil_spirit_puts_it_before_the_opponent(rules):
    state = square_made(rules, spirit_pile=f"Bee {EVIL}", **TO_BLOCK)
    state = state.play("spirit_keep Bee@2-4")
    assert (asks(state), state.decider, state.to_move) == ("evil_block", 0, 0)
    assert table(state)["evil"] is None
    assert options(state) == near(["1-5", "1-6", "4-4"])
    after = state.play("evil_block 3-4")
    assert pan(after, 1)["evil_block"] == "3-4"
    assert after.to_move == 1
    assert len(table(after)["hands"]["1"]) == 3
    assert "spirit_hand" not in table(after)


def test_the_evil_spirit_drawn_alone_is_put_before_the_opponent():
    state = everything_placed(FIREFLY)
    assert (asks(state), state.decider) == ("evil_block", 0)
    assert pan(state)["spirits"] == []
    assert options(state) == {f"4-{n}" for n in range(2, 10)}
    after = state.play("evil_block 4-4")
    assert (pan(after, 1)["evil_block"], after.to_move) == ("4-4", 1)


def test_without_a_cell_the_evil_spirit_leaves_the_game():
    after = square_made(FIREFLY, spirit_pile=f"Bee {EVIL}").play("spirit_keep Bee@2-4")
    assert after.to_move == 1
    assert "evil_block" not in pan(after, 1)
    assert table(after)["spirits_left"] == len(SPIRITS["firefly"]) - 2
    assert EVIL not in after.to_dict()["spirit_pile"]
    assert State.from_dict(after.to_dict()) == after
    assert State.parse(str(after)) == after
    # The host's Evil Spirit leaves the game too; its cell is free again.
    after = meet("Bee", FIREFLY, block=("2-6", None))
    assert "evil_block" not in pan(after)
    assert after.to_move == 1


def test_the_host_who_encounters_a_spirit_passes_it_on():
    state = meet("Bee", FIREFLY, block=("2-6", None), **TO_BLOCK)
    assert (asks(state), state.decider) == ("evil_block", 0)
    after = state.play("evil_block 1-7")
    assert "evil_block" not in pan(after)
    assert pan(after, 1)["evil_block"] == "1-7"
    # Who does not host it leaves it where it is.
    after = meet("Bee", FIREFLY, block=(None, "4-5"), **TO_BLOCK)
    assert (after.to_move, pan(after, 1)["evil_block"]) == (1, "4-5")
    # And who encounters nothing as well.
    state = position(
        FIREFLY,
        hands=("3-10 6-4", "1-1"),
        display="3-5 4-4",
        block=("2-6", None),
        pile="",
        tiles=("2-5", ""),
    )
    after = run(state, "play_tile 3-10", "capture 3-5@0")
    assert pan(after)["evil_block"] == "2-6"


@BOTH
def test_no_rainbow_goes_to_a_blocked_cell(rules):
    state = meet("Fish", rules, block=("2-6", None))
    assert options(state) == near(["2-4", "2-5", "3-4", "3-5", "3-10"]) - {"2-6"}
    # Also where it may go anywhere.
    state = position(
        Rules(variant="firefly", second_chance_reveals=False),
        hands=("6-4", "1-1"),
        display="1-2",
        pile="5-8 1-9",
        block=("2-6", None),
    )
    assert options(state.play("play_tile 6-4")) >= {"2-5", "1-1"}
    assert "2-6" not in options(state.play("play_tile 6-4"))


def test_the_land_tile_of_a_blocked_cell_is_removed_and_the_cell_stays_blocked():
    state = position(
        FIREFLY,
        hands=("3-10 6-4", "1-1"),
        display="3-9 4-4/4-2",
        block=("3-9", None),
        pile="",
        tiles=("2-9 4-9", ""),
    ).play("play_tile 3-10")
    assert options(state) == {"3-9@0!removed"}
    after = state.play("capture 3-9@0!removed")
    assert "3-9" in table(after)["removed"]
    assert (pan(after)["evil_block"], pan(after)["tiles"]) == ("3-9", ["2-9", "3-10", "4-9"])


def test_the_evil_spirit_comes_after_effect_and_fireflies_and_before_the_refill():
    parts = TO_BLOCK | {"tiles": ("2-4..6 3-4", "1-5 4-4")}
    state = square_made(FIREFLY, spirit_pile=f"Fish {EVIL}", **parts)
    state = run(state, "spirit_keep Fish@2-4", "place_rainbow 3-6")
    assert asks(state) == "evil_block"
    assert pan(state)["fireflies"] == ["2-5"]
    assert table(state)["hands"]["1"] == ["6-4"]


def test_the_evil_spirit_costs_nothing_at_the_end():
    after = meet(
        "Bee", FIREFLY, block=(None, "4-5"), pile="", **TO_BLOCK | {"hands": ("3-10", "1-1")}
    )
    assert after.kind == "end"
    assert pan(after, 1)["evil_block"] == "4-5"
    assert after.score(0).spirits == 1


# ---- Viper


VIPER = {"tiles": ("2-4..5 3-4", "1-5 4-4 4-5"), "rainbows": ("", "1-7 6-4")}


@BOTH
def test_the_viper_takes_one_tile_without_neighbours(rules):
    state = meet("Viper", rules, hands=("3-10 1-8 6-5", "1-1 1-2 1-3"), pile="5-8 1-9", **VIPER)
    land = ["2-4", "2-5", "3-4", "3-5", "3-10"]
    targets = near(land)
    expected = {"1-5"} | {f"rainbow@{a}>{b}" for a in ("1-7", "6-4") for b in targets}
    assert (asks(state), state.decider, options(state)) == ("viper", 0, expected)
    after = state.play("viper 1-5")
    assert ("1-5" in pan(after)["tiles"], "1-5" in pan(after, 1)["tiles"]) == (True, False)
    after = state.play("viper rainbow@6-4>1-5")
    assert pan(after)["rainbows"] == ["1-5"]
    assert pan(after, 1)["rainbows"] == ["1-7"]
    assert table(after)["rainbow_stock"] == 10


def test_what_the_viper_takes_may_be_removed_push_a_rainbow_out_or_make_a_square():
    parts = {"tiles": ("2-4..5", "3-4 1-8"), "rainbows": ("3-4 1-8", "")}
    state = meet("Viper", FIREFLY, hands=("3-10 6-4", "1-1"), pile="5-3 5-8", **parts)
    assert options(state) == {"3-4!removed", "1-8"}
    after = state.play("viper 3-4!removed")
    assert "3-4" in table(after)["removed"]
    assert pan(after, 1)["tiles"] == ["1-8"]
    after = state.play("viper 1-8")
    assert (asks(after), after.decider, source(after)) == ("place_rainbow", 0, "viper")
    parts = {"tiles": ("2-4..6 3-4", "3-6"), "rainbows": ("", "6-4")}
    state = meet("Viper", FIREFLY, hands=("3-10 6-5", "1-1"), **parts)
    assert pan(state.play("viper 3-6"))["fireflies"] == ["2-5"]
    assert pan(state.play("viper rainbow@6-4>3-6"))["fireflies"] == ["2-5"]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"tiles": ("2-4..5 3-4", "4-4..5")},
        {"tiles": ("2-4..5 3-4", "4-4"), "rainbows": ("", "4-5")},
    ],
)
def test_the_viper_is_lost_without_a_lonely_tile(parts):
    after = meet("Viper", FIREFLY, **parts)
    assert (asks(after), after.to_move) == ("play_tile", 1)


def test_the_viper_takes_no_rainbow_that_has_no_place():
    first, *others = sorted(near(["2-4", "2-5", "3-4", "3-5", "3-10"]))
    state = meet("Viper", FIREFLY, rainbows=(" ".join(others), "6-7"))
    assert options(state) == {f"rainbow@6-7>{first}"}
    after = meet("Viper", FIREFLY, rainbows=(" ".join(others), "6-7"), block=(first, None))
    assert asks(after) == "evil_block"
    after = meet("Viper", FIREFLY, rainbows=(" ".join([first, *others]), "6-7"))
    assert (asks(after), after.to_move) == ("play_tile", 1)


# ---- Fox


@BOTH
def test_the_fox_sees_the_hand_and_names_the_tile_to_be_played(rules):
    state = meet("Fox", rules)
    assert (asks(state), state.decider, options(state)) == ("fox_force", 0, {"1-1", "1-2", "1-3"})
    assert state.observe(0).known == ["1-1", "1-2", "1-3"]
    after = state.play("fox_force 1-2")
    assert table(after)["forced"] == {"2": "1-2"}
    assert (after.to_move, options(after)) == (1, {"1-2"})
    with pytest.raises(IllegalMoveError):
        after.play("play_tile 1-1")
    after = after.play("play_tile 1-2")
    assert "forced" not in table(after)
    assert after.observe(0).known == ["1-1", "1-3"]


def test_an_order_to_play_what_captures_nothing_is_a_pass_with_an_empty_pile():
    parts = {"pile": "", "display": "3-5 1-9 6-6 4-4"}
    state = meet("Fox", FIREFLY, hands=("3-10 6-4 4-3", "1-1 5-5"), **parts)
    # 5-5 captures nothing, 1-1 would.
    after = state.play("fox_force 5-5")
    assert (after.to_move, options(after)) == (0, {"6-4", "4-3"})
    assert "forced" not in table(after)
    # The order ended with the pass.
    after = run(after, "play_tile 6-4", "capture 6-6@2")
    assert (after.to_move, options(after)) == (1, {"1-1"})
    assert options(state.play("fox_force 1-1")) == {"1-1"}


def test_the_game_ends_when_the_tile_named_and_the_other_player_capture_nothing():
    parts = {"pile": "", "display": "3-5 1-9"}
    state = meet("Fox", FIREFLY, hands=("3-10 6-4", "1-1 5-5"), **parts)
    after = state.play("fox_force 5-5")
    assert (after.kind, lies(after)) == ("end", {1: "1-9"})
    assert "forced" not in table(after)
    after = state.play("fox_force 1-1")
    assert (after.kind, after.to_move) == ("decision", 1)


def test_the_fox_is_lost_when_the_opponent_holds_nothing():
    after = meet("Fox", FIREFLY, pile="", hands=("3-10 4-3", ""))
    assert (asks(after), after.to_move) == ("play_tile", 0)


def test_a_named_tile_may_still_capture_any_tile():
    state = meet("Fox", FIREFLY, display="3-5 4-9/4-2 1-9 1-10", pile="5-3 5-8")
    state = run(state, "fox_force 1-1", "play_tile 1-1")
    assert options(state) == {"1-9@2", "1-10@3"}


def test_the_spirits_of_the_expansion_are_drawn_like_the_others():
    state = square_made(FIREFLY, pile=None, display="3-5")
    assert len(state.outcomes()) == 19 * 18 // 2
    assert sum(chance for _, chance in state.outcomes()) == 1
    assert {chance for _, chance in state.outcomes()} == {Fraction(1, 171)}
