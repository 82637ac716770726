"""Reading and writing positions: what is refused and with which words, round trips, damage."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import GameError, IllegalMoveError, NotationError, PositionError, RulesError
from games.solstis import Action, Rules, Spirit, State
from tests.solstis_positions import data_of, position, run
from tests.solstis_strategies import (
    ALL_RULES,
    EVIL,
    SPIRITS,
    choices,
    damaged,
    game,
    mutated,
    raised_by,
    rules,
    states,
)
from tests.strategies import heavy, light

FIREFLY = Rules(variant="firefly")
HELD = Rules(first_rainbow="held")


# ---- rules


def test_rules_are_the_sheet_or_the_published_ones():
    assert Rules().to_dict() == {
        "variant": "base",
        "rainbow_next_to": "land",
        "first_rainbow": "anywhere",
        "second_chance_reveals": True,
        "evil_passes": "to_encounterer",
        "largest_area": "tiles",
    }
    assert Rules.published("firefly").to_dict() == {
        "variant": "firefly",
        "rainbow_next_to": "tile",
        "first_rainbow": "held",
        "second_chance_reveals": False,
        "evil_passes": "by_encounterer",
        "largest_area": "tiles",
    }
    assert Rules.published(largest_area="land").largest_area == "land"


@pytest.mark.parametrize(
    ("field", "word"),
    [
        ("variant", "long"),
        ("variant", None),
        ("variant", ["base"]),
        ("rainbow_next_to", "rainbow"),
        ("first_rainbow", "never"),
        ("second_chance_reveals", "yes"),
        ("second_chance_reveals", 1),
        ("second_chance_reveals", np.bool_(True)),
        ("evil_passes", "left"),
        ("largest_area", 3),
    ],
)
def test_an_unknown_word_of_the_rules_is_refused_with_its_field(field, word):
    with pytest.raises(RulesError, match=f"^{field} is .*: expected "):
        Rules(**{field: word})
    with pytest.raises(RulesError, match=f"^{field} is "):
        Rules.from_dict(Rules().to_dict() | {field: word})


def test_rules_are_values_and_read_back():
    for one in ALL_RULES:
        assert Rules.from_dict(json.loads(json.dumps(one.to_dict()))) == one
        assert Rules.from_code(one.code) == one
    assert len({one.code for one in ALL_RULES}) == len({*ALL_RULES}) == 96
    for data in (None, [], {}, {"variant": "base"}, Rules().to_dict() | {"more": 1}):
        with pytest.raises(RulesError, match="rules are"):
            Rules.from_dict(data)


# ---- actions


ACTIONS = """
    play_tile 5-7|capture 1-6@3|capture 1-6@17!removed|place_rainbow 6-4|spirit_source draw
    spirit_source Bee@4-5|spirit_keep Butterfly@1-1|deer 1-10|deer 1-10!removed|eagle_draw 3-3
    dragonfly_draw 2-2|beetle 3-1@0|beetle 3-1@0!removed|viper 4-4|viper 4-4!removed
    viper rainbow@1-1>6-7|fox_force 2-10|evil_block 3-9|evil_cover Fox@2-2|draw 1-1
    second_chance 6-7|reveal 4-2@5|draw_spirits Bee+Fish|draw_spirits EvilBeaver
"""
TEXTS = [text.strip() for line in ACTIONS.strip().splitlines() for text in line.split("|")]


@pytest.mark.parametrize("text", TEXTS)
def test_actions_read_what_they_print(text):
    action = Action.parse(text)
    assert str(action) == text
    assert (action.kind, action.option) == tuple(text.split(" "))
    assert Action.parse(text) == action
    assert len({action, Action.parse(text)}) == 1


def test_different_actions_differ():
    assert len({Action.parse(text) for text in TEXTS}) == len(TEXTS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with none of play_tile"),
        ("pass", "begins with none of"),
        ("play_tile", "'' is no cell"),
        ("play_tile 5-9", "row 5 has numbers 3 to 8"),
        ("play_tile 7-1", "'7-1' is no cell"),
        ("play_tile  5-7", "is no cell"),
        ("play_tile 5-7 ", "is no cell"),
        ("play_tile 5-7!removed", "is no cell"),
        ("Play_tile 5-7", "begins with none of"),
        ("capture 5-7", "'' is no place"),
        ("capture 5-7@03", "is no place"),
        ("capture 5-7@123", "is no place"),
        ("capture 5-7@\u0663", "is no place"),
        ("capture 5-7@1!gone", "is no place"),
        ("reveal 5-7@1!removed", "is no place"),
        ("spirit_keep Bee@6-4", "there is no square 6-4"),
        ("spirit_keep Bee@1-10", "there is no square 1-10"),
        ("spirit_keep Cat@1-1", "'Cat' is no spirit"),
        ("spirit_keep draw", "'draw' is no spirit"),
        ("spirit_source", "'' is no spirit"),
        ("draw_spirits Fish+Bee", "expected 'draw_spirits Bee+Fish'"),
        ("draw_spirits Bee+Bee", "expected 'draw_spirits Bee'"),
        ("draw_spirits Bee+Fish+Wolf", "expected"),
        ("viper rainbow@1-1", "'' is no cell"),
        ("viper rainbow@1-1>1-1>1-2", "is no cell"),
    ],
)
def test_what_is_no_action_is_refused(text, words):
    with pytest.raises(NotationError, match="is no action") as refused:
        Action.parse(text)
    assert words in str(refused.value)


@pytest.mark.parametrize("thing", [None, 5, b"play_tile 5-7", ["play_tile 5-7"]])
def test_only_texts_are_actions(thing):
    with pytest.raises(NotationError, match="expected text"):
        Action.parse(thing)
    with pytest.raises(NotationError, match="expected text"):
        State.new(1).play(thing)


def test_spirits_have_names():
    for names in SPIRITS.values():
        assert [str(Spirit.parse(name)) for name in names] == names
    for name in ("", "bee", "Evil", None, 3):
        with pytest.raises(NotationError, match="is no spirit"):
            Spirit.parse(name)


# ---- refusals of from_dict


GOOD = {
    "hands": ("3-10 6-4 6-5", "1-1 1-2 1-3"),
    "display": "3-5/4-8 4-9/4-2 2-2",
    "tiles": ("2-4..5 3-4 1-4..5", "5-5"),
    "rainbows": ("3-6", "5-6"),
    "spirits": ("Fish@1-4", ""),
    "line": "Bee Deer",
    "pile": "5-3 5-8 1-9 1-8",
    "evil": 1,
}
FIRE = {
    "tiles": ("1-4..6 2-4..6", "5-5"),
    "fireflies": ("1-5", ""),
    "block": (None, "5-4"),
    "evil": None,
}


def put(*path):
    """Return a change of a dictionary: the last of the path comes where the others lead."""
    *outer, last, value = path

    def change(data):
        for part in outer:
            data = data[part]
        data[last] = value

    return change


def lose(*path):
    *outer, last = path

    def change(data):
        for part in outer:
            data = data[part]
        del data[last]

    return change


def refusal(change, options=None, asked=None, **parts):
    data = copy.deepcopy(data_of(options, **GOOD | parts))
    State.from_dict(copy.deepcopy(data))
    change(data)
    with pytest.raises(GameError) as refused:
        State.from_dict(data, asked)
    assert isinstance(refused.value, PositionError | NotationError | RulesError)
    return str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lose("state"), "'state' is missing"),
        (put("state", []), "'state' is []: expected a dictionary"),
        (lose("state", "pan"), "'pan' is missing"),
        (lose("state", "pan", "2"), "'2' is missing"),
        (lose("state", "pan", "1", "tiles"), "'tiles' is missing"),
        (lose("state", "hands"), "'hands' is missing"),
        (lose("state", "hands", "1"), "'1' is missing"),
        (put("state", "hands", "1", "3-10"), "expected a list"),
        (lose("state", "display"), "'display' is missing"),
        (put("to_move", 3), "'to_move' is 3"),
        (put("to_move", "1"), "'to_move' is '1'"),
        (put("to_move", True), "'to_move' is True"),
        (put("to_move", None), "the game is over, but the pile has 4 tiles"),
        (put("variant", "firefly"), "of variant 'firefly', not 'base'"),
        (put("variant", "long"), "of variant 'long', not 'base'"),
        (put("rules", {}), "rules are {}"),
        (put("rules", "variant", "long"), "variant is 'long'"),
        # Tiles.
        (put("state", "hands", "1", 0, "3-11"), "'3-11' is no cell"),
        (put("state", "hands", "1", 0, "4-1"), "there is no cell '4-1': row 4 has numbers 2 to 9"),
        (put("state", "hands", "1", 0, 34), "34 is no cell"),
        (put("state", "hands", "1", 0, "1-1"), "tile 1-1 is twice there"),
        (put("state", "hands", "1", 0, "6-4"), "tile 6-4 is twice there: in the hand of player 1"),
        (put("state", "pan", "1", "tiles", 0, "2-2"), "in place 2 and on the panorama of player 1"),
        (put("state", "removed", ["3-5"]), "in place 0 and removed"),
        (put("state", "display", 0, "down", "5-5"), "tile 5-5 is twice there"),
        (put("state", "display", 0, "down", "5-8"), "are not the tiles that are unseen"),
        (put("pile", 0, "5-5"), "are not the tiles that are unseen"),
        (put("pile", 0, "5-8"), "are not the tiles that are unseen"),
        (put("pile", ["5-3", "5-8", "1-9"]), "are not the tiles that are unseen"),
        (put("pile", "5-3"), "'pile' is '5-3': expected a list"),
        (lose("pile"), "'pile' is missing"),
        (lose("spirit_pile"), "'spirit_pile' is missing"),
        (put("state", "pile", 5), "'pile' is 5 and 2 tiles lie face down"),
        (put("state", "pile", True), "'pile' is True: expected a whole number"),
        (put("state", "removed", []), "tiles are not seen"),
        # The display.
        (put("state", "display", 0, "3-5"), "'display' has '3-5': expected dictionaries"),
        (put("state", "display", 0, {}), "'slot' is missing"),
        (put("state", "display", 0, "slot", -1), "place -1 of the display"),
        (put("state", "display", 0, "slot", 18), "never has more than 18"),
        (put("state", "display", 0, "slot", 1), "place 1 of the display is given twice"),
        (put("state", "display", 0, "slot", "0"), "'slot' is '0': expected a whole number"),
        (put("state", "display", 0, {"slot": 0}), "place 0 of the display holds nothing"),
        (lose("state", "display", 2, "up"), "place 2 of the display holds nothing"),
        (put("state", "display", 0, "down", "?"), "not every face-down tile"),
        (put("state", "display", 0, "up", None), "expected a text"),
        # Rainbows.
        (put("state", "pan", "1", "rainbows", ["3-6", "3-6"]), "two rainbows lie on one cell"),
        (put("state", "pan", "1", "rainbows", ["2-4"]), "2-4 has a tile and a rainbow"),
        (put("state", "pan", "1", "rainbows", ["9-9"]), "'9-9' is no cell"),
        (put("state", "rainbow_stock", 11), "'rainbow_stock' is 11 and 2 rainbows are in use"),
        (put("state", "rainbow_stock", -1), "'rainbow_stock' is -1"),
        (put("state", "held", {"1": 1}), "by these rules no rainbow waits"),
        # Spirits.
        (put("state", "pan", "1", "spirits", ["Fish@2-4"]), "square 2-4 is not complete"),
        (put("state", "pan", "1", "spirits", ["Fish@6-4"]), "there is no square 6-4"),
        (put("state", "pan", "1", "spirits", ["Fish"]), "'' is no cell"),
        (put("state", "pan", "1", "spirits", ["Cat@1-4"]), "'Cat' is no spirit"),
        (put("state", "pan", "1", "spirits", ["Bee@1-4"]), "Bee is twice there"),
        (put("state", "pan", "1", "spirits", ["Cow@1-4"]), "not in the variant base"),
        (put("state", "pan", "1", "spirits", ["Fish@1-4", "Wolf@1-4"]), "two spirits lie on"),
        (put("state", "pan", "1", "spirits", [f"{EVIL}@1-4"]), "Evil Spirit lies on a square"),
        (put("state", "line", ["Bee", "Bee"]), "Bee is twice there"),
        (put("state", "line", ["Bee", EVIL]), "the Evil Spirit is never in the line"),
        (put("state", "line", "Bee"), "'line' is 'Bee': expected a list"),
        (put("state", "spirits_left", 12), "'spirits_left' is 12, but 11 spirits are not seen"),
        (put("spirit_pile", []), "does not hold the spirits that it should"),
        (put("spirit_pile", 0, "Bee"), "does not hold the spirits that it should"),
        (put("spirit_pile", 0, "Wolf"), "holds a spirit twice"),
        (put("spirit_pile", 0, "wolf"), "'wolf' is no spirit"),
        # The Evil Spirit.
        (put("state", "evil", 0), "'evil' is 0: expected 1, 2 or null"),
        (put("state", "evil", True), "'evil' is True"),
        (put("state", "evil", None), "12 spirits are not seen"),
        (put("state", "pan", "1", "evil_cover", "1-4"), "Evil Spirit is in two places"),
        (put("state", "pan", "1", "evil_cover", "2-4"), "covers square 2-4, without a spirit"),
        (put("state", "pan", "1", "evil_block", "2-4"), "blocks 2-4, which is not empty"),
        (put("state", "pan", "1", "evil_block", "2-3"), "in the firefly variant only"),
        (put("state", "spirit_hand", {"1": [EVIL]}), "'spirit_hand' is"),
        # The expansion.
        (put("state", "pan", "1", "fireflies", ["1-4"]), "bears a firefly and something else"),
        (put("state", "forced", {"1": "6-4"}), "there is no Fox in this variant"),
        (put("seen", {"1": ["1-1"]}), "there is no Fox in this variant"),
        (put("seen", {"1": ["6-4"]}), "'seen' of player 1 is not in the other's hand"),
        (put("seen", {"3": ["6-4"]}), "'seen' of player 3"),
        (put("state", "forced", {"1": "1-1"}), "player 1 must play 1-1, which is not in that hand"),
        (put("state", "forced", {"0": "1-1"}), "player 0 must play"),
        # The middle of a turn.
        (put("turn", []), "'turn' is []"),
        (put("turn", {"stage": "sleep"}), "'stage' is 'sleep', which is not known"),
        (put("turn", {"again": True}), "'stage' is missing"),
        (put("turn", {"stage": "capture", "more": 1}), "'turn' has 'more', which is not known"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_fault(change, words):
    assert words in refusal(change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("state", "evil", 1), "nobody holds the Evil Spirit"),
        (put("state", "pan", "1", "fireflies", ["1-4"]), "bears a firefly and something else"),
        (put("state", "pan", "1", "fireflies", ["1-5", "1-5"]), "bears a firefly and something"),
        (put("state", "pan", "1", "fireflies", ["2-4"]), "square 2-4 is not complete"),
        (put("state", "pan", "1", "evil_block", "2-3"), "'evil_block' is given on both panoramas"),
        (put("state", "spirit_hand", {"1": ["Bee"]}), "'spirit_hand' is"),
        (put("state", "spirit_hand", {"1": [EVIL]}), "the Evil Spirit is in two places"),
        (put("state", "spirits_left", 14), "'spirits_left' is 14, but 15 spirits are not seen"),
        (put("state", "forced", {"1": "1-1"}), "not in that hand"),
        (put("turn", {"stage": "block"}), "player 1 has no Evil Spirit to put anywhere"),
    ],
)
def test_a_position_of_the_expansion_that_cannot_be_is_refused(change, words):
    assert words in refusal(change, FIREFLY, **FIRE)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"hands": ("3-10 6-4..6", "1-1")}, "player 1 has 4 tiles in hand: expected 3 or fewer"),
        ({"hands": ("3-10", "1-1..3 1-6")}, "player 2 has 4 tiles in hand: expected 3 or fewer"),
        ({"hands": ("3-10", "")}, "player 2 has no tile in hand, but the pile has some"),
        ({"hands": ("", "3-10")}, "player 1 has no tile in hand, but the pile has some"),
        ({"display": "-/3-5 2-2"}, "the face-down tile of place 0 has no tile on it"),
        (
            {"display": "2-1/? 2-2/? 2-3 2-6 2-7 2-8 2-9 2-10 3-1 3-2 3-3 3-5"},
            "12 tiles lie face up in the display and 2 face down, more than there can be",
        ),
    ],
)
def test_hands_and_a_display_that_cannot_be_are_refused(parts, words):
    with pytest.raises(PositionError, match=words):
        position(**GOOD | parts)


def test_the_bear_allows_four_tiles():
    bear = GOOD | {"spirits": ("", ""), "line": "Bee"}
    bear |= {"tiles": ("2-4..5 3-4 1-4..5", "5-5"), "spirits": ("Bear@1-4", "")}
    assert position(**bear | {"hands": ("3-10 6-4..6", "1-1")}).decider == 0
    with pytest.raises(PositionError, match="player 1 has 5 tiles in hand: expected 4 or fewer"):
        position(**bear | {"hands": ("3-10 6-4..7", "1-1")})
    with pytest.raises(PositionError, match="player 2 has 4 tiles in hand: expected 3 or fewer"):
        position(**bear | {"hands": ("3-10 6-4..6", "1-1..3 1-6")})


def test_more_of_the_expansion_is_refused():
    data = data_of(FIREFLY, **GOOD | FIRE | {"block": (None, None)})
    data["state"]["spirit_hand"] = {"1": [EVIL]}
    data["state"]["spirits_left"] -= 1
    data["spirit_pile"].remove(EVIL)
    with pytest.raises(PositionError, match="still in a player's hand"):
        State.from_dict(data)
    blocked = {"rainbows": ("", ""), "tiles": ("1-4..6 2-4..5", "5-5"), "fireflies": ("1-4", "")}
    with pytest.raises(PositionError, match="blocks 1-4, which is not empty"):
        position(FIREFLY, **GOOD | FIRE | blocked | {"block": ("1-4", None), "spirits": ("", "")})
    four = {"tiles": ("1-1..6 2-1..6", ""), "fireflies": ("1-1 1-2 1-3 1-5", ""), "evil": None}
    four |= {"hands": ("6-4", "6-5"), "rainbows": ("", ""), "display": "3-5"}
    with pytest.raises(PositionError, match="four fireflies, but the game is not over"):
        position(FIREFLY, **GOOD | four)
    assert position(FIREFLY, **GOOD | four, to_move=None).score(0).total == 4
    five = four | {"fireflies": ("1-1 1-2 1-3 1-5 1-4", ""), "spirits": ("", "")}
    with pytest.raises(PositionError, match="have 5 and 0 fireflies"):
        position(FIREFLY, **GOOD | five, to_move=None)
    with pytest.raises(PositionError, match="but the variant is base"):
        position(**GOOD | four, to_move=None)


def test_an_end_before_the_end_is_refused():
    parts = {"hands": ("1-1", "2-2"), "to_move": None, "pile": ""}
    with pytest.raises(PositionError, match="the game is over, but player 2 can capture with 2-2"):
        position(display="2-5", **parts)
    # Here an order of the Fox may have ended it.
    assert position(FIREFLY, display="2-5", **parts).kind == "end"
    assert position(display="3-5", **parts).kind == "end"
    with pytest.raises(PositionError, match="the pile has 1 tiles"):
        position(display="3-5", **parts | {"pile": "6-4"})
    with pytest.raises(PositionError, match="'turn' is given, but the game is over"):
        position(display="3-5", turn={"stage": "capture", "playing": "3-1"}, **parts)
    with pytest.raises(PositionError, match="an order of the Fox ends with the game"):
        position(FIREFLY, display="3-5", forced=("1-1", None), **parts)


# ---- the middle of a turn


MID = {
    "hands": ("6-4 6-5", "1-1 1-2 1-3"),
    "display": "3-5/4-8 4-9/4-2 2-2",
    "tiles": ("2-4..5 3-4 1-4..5", "5-5"),
    "spirits": ("Groundhog@1-4", ""),
    "pile": "5-3 5-8 1-9 1-8",
}
OPEN = {"display": "-/4-8 4-9/4-2 2-2", "tiles": ("2-4..5 3-4..5 1-4..5", "5-5")}


@pytest.mark.parametrize(
    ("turn", "parts", "words"),
    [
        ({"stage": "capture"}, {}, "'playing' is missing at stage capture"),
        ({"stage": "capture", "playing": "3-5"}, {}, "tile 3-5 is twice there"),
        ({"stage": "capture", "playing": "5-10"}, {}, "there is no cell '5-10'"),
        ({"stage": "capture", "playing": "6-6"}, {}, "nothing can be done at stage capture"),
        ({"stage": "capture", "playing": "3-1", "again": True}, {}, "'again' is given"),
        ({"stage": "capture", "playing": "3-1", "again": 1}, {}, "'again' is 1: expected true or"),
        ({"stage": "capture", "playing": "3-1", "turning": 0}, {}, "'turning' is given"),
        ({"stage": "capture", "playing": "3-1", "turning": 18}, {}, "there is no such place"),
        ({"stage": "capture", "playing": "3-1", "filled": ["2-4"]}, {}, "'filled' is given"),
        ({"stage": "capture", "playing": "3-1", "must_capture": "2-2"}, {}, "do not go together"),
        ({"stage": "capture", "playing": "3-1", "playing_place": 0}, {}, "does not lie in the pl"),
        (
            {"stage": "capture", "playing": "3-5", "playing_place": 0, "must_capture": "6-6"},
            {},
            "the tile that must be captured is not in the display",
        ),
        (
            {"stage": "capture", "playing": "3-5", "playing_place": 0, "must_capture": "2-2"},
            {},
            "the tile that must be captured does not match",
        ),
        ({"stage": "second_chance", "playing": "3-1"}, {}, "'playing' is given"),
        ({"stage": "second_chance"}, {"pile": "", "display": "3-5"}, "the pile is empty"),
        ({"stage": "uncover", "playing": "3-5", "playing_place": 0}, {}, "'turning' is missing"),
        (
            {"stage": "uncover", "playing": "3-5", "playing_place": 0, "turning": 1},
            {},
            "place 1 is turned up, but it is not the lowest",
        ),
        (
            {"stage": "uncover", "playing": "3-5", "playing_place": 0, "turning": 2},
            {},
            "place 2 is turned up, but it has no face-down tile",
        ),
        (
            {"stage": "beneath_captured", "playing": "3-1", "turning": 1},
            {},
            "place 1 is turned up, but a tile lies on it",
        ),
        (
            {"stage": "beneath_captured", "playing": "3-1", "turning": 1},
            OPEN,
            "the face-down tile of place 0 has no tile on it",
        ),
        (
            {"stage": "beneath_captured", "playing": "3-1", "turning": 0, "filled": ["3-6"]},
            OPEN,
            "'filled' has cells that are not filled",
        ),
        ({"stage": "beneath_beetle", "turning": 0}, OPEN, "has no Beetle, which is to act"),
        ({"stage": "spirits"}, {}, "'eligible' is missing"),
        ({"stage": "spirits", "eligible": ["2-4"]}, {}, "'eligible' has cells that are not filled"),
        ({"stage": "spirits", "eligible": ["1-4"]}, {}, "squares that bear a spirit"),
        ({"stage": "source", "eligible": ["2-4"]}, OPEN, "has no tile on it"),
        ({"stage": "eagle"}, {}, "has no Eagle, which is to act"),
        (
            {"stage": "deer"},
            {"spirits": ("", "Deer@1-4"), "tiles": ("", MID["tiles"][0])},
            "no Deer",
        ),
        ({"stage": "deer", "eligible": ["1-4"]}, {"spirits": ("", "")}, "'eligible' is given"),
        (
            {"stage": "bear"},
            {"spirits": ("Bear@1-4", ""), "hands": ("6-4..7", "1-1")},
            "hand is fu",
        ),
        (
            {"stage": "refill"},
            {"hands": ("6-4..6", "1-1")},
            "player 1 is to draw a tile, but the h",
        ),
        ({"stage": "refill"}, {"pile": "", "display": "3-5"}, "the pile is empty at stage refill"),
        ({"stage": "refill"}, {"hands": ("6-4", "")}, "player 2 has no tile in hand"),
        ({"stage": "refill", "again": True}, {"spirits": ("Bee@1-4", "")}, "has no Groundhog"),
        ({"stage": "block"}, {}, "has no Evil Spirit to put anywhere"),
        ({"stage": "encounter"}, {}, "nothing is to be decided at stage encounter"),
        ({"stage": "encounter", "rainbows": 13}, {}, "'rainbows' or 'source' is not known"),
        ({"stage": "encounter", "rainbows": 1, "source": "bee"}, {}, "'source' is not known"),
        ({"stage": "encounter", "source": "capture"}, {}, "no rainbow is to be placed"),
        (
            {"stage": "encounter", "rainbows": 1, "source": "fish"},
            {},
            "for 'fish', which cannot be",
        ),
        ({"stage": "encounter", "rainbows": 2}, {}, "2 rainbows are to be placed"),
        ({"stage": "place_held", "rainbows": 1, "source": "capture"}, {}, "'filled' is missing"),
        ({"stage": "fireflies", "rainbows": 1, "source": "fish"}, {}, "has no Fish"),
        ({"stage": "end", "rainbows": 1, "source": "squirrel"}, {}, "there is no Squirrel"),
        ({"stage": "play"}, {}, "nothing is to be decided at stage play"),
        ({"stage": "cover"}, {}, "nothing is to be decided at stage cover"),
        ({"stage": "turn_end"}, {}, "nothing is to be decided at stage turn_end"),
        ({"stage": "miss"}, {}, "nothing is to be decided at stage miss"),
    ],
)
def test_the_middle_of_a_turn_that_cannot_be_is_refused(turn, parts, words):
    with pytest.raises(GameError) as refused:
        position(**MID | parts, turn=turn)
    assert words in str(refused.value)


KEEP = {"stage": "keep", "eligible": ["2-4"]}


@pytest.mark.parametrize(
    ("turn", "parts", "words"),
    [
        (KEEP, {}, "'drawn' is missing"),
        (KEEP | {"drawn": ["Bee"]}, {}, "two spirits are drawn"),
        (KEEP | {"drawn": ["Bee", "Fish", "Wolf"]}, {}, "two spirits are drawn"),
        (KEEP | {"drawn": ["Bee", "Bee"]}, {}, "two spirits are drawn"),
        (KEEP | {"drawn": ["Bee", EVIL]}, {}, "is not kept by choice"),
        (KEEP | {"drawn": ["Bee"], "evil_drawn": True}, {}, "the player to move has it not"),
        (KEEP | {"drawn": ["Bee"], "evil_drawn": True}, {"evil": 1}, "has it not"),
        (KEEP | {"drawn": ["Bee", "Fish"], "evil_drawn": True}, {"evil": 0}, "two spirits are"),
        (KEEP | {"drawn": ["Bee", "Groundhog"]}, {}, "Groundhog is twice there"),
        ({"stage": "source", "eligible": ["2-4"]}, {}, "there is no spirit in the line"),
    ],
)
def test_spirits_drawn_that_cannot_be_are_refused(turn, parts, words):
    parts = MID | {"display": "4-9/4-2 2-2", "tiles": OPEN["tiles"]} | parts
    with pytest.raises(GameError) as refused:
        position(**parts, turn=turn)
    assert words in str(refused.value)


def test_the_middle_of_a_turn_is_read():
    parts = MID | {"display": "4-9/4-2 2-2", "tiles": OPEN["tiles"]}
    state = position(**parts, turn=KEEP | {"drawn": ["Bee", "Fish"]})
    assert {str(action) for action in state.legal()} == {
        "spirit_keep Bee@2-4",
        "spirit_keep Fish@2-4",
    }
    state = position(**parts, evil=0, turn=KEEP | {"drawn": ["Bee"], "evil_drawn": True})
    after = state.play("spirit_keep Bee@2-4")
    assert after.to_dict()["state"]["evil"] == 1
    state = position(**MID, turn={"stage": "encounter", "rainbows": 1})
    assert {action.kind for action in state.legal()} == {"place_rainbow"}


def test_a_draw_that_the_order_settles_is_made_when_it_is_read():
    state = position(**MID, turn={"stage": "second_chance"})
    # The top tile 5-3 meets nothing; 4-8 and 4-2 neither: a rainbow.
    assert (state.kind, {action.kind for action in state.legal()}) == (
        "decision",
        {"place_rainbow"},
    )
    assert state.to_dict()["pile"] == ["5-8", "1-9", "1-8"]
    data = data_of(**MID, turn={"stage": "second_chance"})
    del data["pile"], data["spirit_pile"]
    state = State.from_dict(data)
    assert (state.kind, len(state.outcomes())) == ("chance", 6)


# ---- starts of games


SETUP = State.new(2).to_dict()


def setup():
    state = SETUP["state"]
    parts = {name: copy.deepcopy(SETUP[name]) for name in ("pile", "spirit_pile")}
    parts |= {"display": copy.deepcopy(state["display"]), "hands": copy.deepcopy(state["hands"])}
    return {"variant": "base", "setup": parts}


def test_the_start_of_a_game_is_read():
    assert State.from_dict(setup(), Rules()) == State.new(2)
    assert State.from_dict(setup()).rules == Rules.published()
    data = setup()
    data["setup"] |= {"rainbow_stock": 12, "firefly_stock": 0, "first_player": 1}
    assert State.from_dict(data, Rules()) == State.new(2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("setup", []), "'setup' is []"),
        (lose("setup", "pile"), "'pile' is missing"),
        (lose("setup", "hands", "2"), "'2' is missing"),
        (lose("setup", "display", 0, "down"), "'down' is missing"),
        (lose("setup", "display", 0), "'display' has not the places 0 to 5"),
        (put("setup", "display", 5, "slot", 6), "'display' has not the places 0 to 5"),
        (lose("setup", "pile", 0), "47 tiles are in the setup: expected 48"),
        (put("setup", "pile", 0, "9-9"), "'9-9' is no cell"),
        (lose("setup", "spirit_pile", 0), "does not hold the spirits that it should"),
        (put("setup", "spirit_pile", 0, "Cow"), "does not hold the spirits"),
        (put("setup", "first_player", 2), "'first_player' is 2: player 1 starts"),
        (put("setup", "rainbow_stock", 11), "'rainbow_stock' is 11: expected 12"),
        (put("setup", "firefly_stock", 7), "'firefly_stock' is 7: expected 0"),
        (put("variant", "long"), "variant is 'long'"),
        (put("variant", None), "variant is None"),
    ],
)
def test_the_start_of_a_game_that_cannot_be_is_refused(change, words):
    data = setup()
    change(data)
    with pytest.raises(GameError) as refused:
        State.from_dict(data)
    assert words in str(refused.value)


def test_a_tile_too_many_in_a_hand_is_refused():
    data = setup()
    data["setup"]["hands"]["1"].append(data["setup"]["pile"].pop())
    with pytest.raises(PositionError, match="player 1 has 4 tiles in hand: expected 3"):
        State.from_dict(data)


@pytest.mark.parametrize("data", [None, 3, "text", [], [("state", {})], np.zeros(3)])
def test_only_dictionaries_are_positions(data):
    with pytest.raises(PositionError, match="is no position"):
        State.from_dict(data)


def test_rules_and_position_must_agree():
    data = State.new(1).to_dict()
    with pytest.raises(PositionError, match="was written for"):
        State.from_dict(data, Rules.published())
    with pytest.raises(PositionError, match="of variant 'base', not 'firefly'"):
        State.from_dict(data, FIREFLY)
    for rules_ in ("base", 3, {}):
        with pytest.raises(PositionError, match=r"expected Rules\(...\)"):
            State.from_dict(data, rules_)
        with pytest.raises(PositionError, match=r"expected Rules\(...\)"):
            State.new(1, rules_)
    assert State.from_dict(data, Rules()) == State.new(1)
    with pytest.raises(PositionError, match="not in the records' form"):
        State.from_dict(data | {"variant": np.array([1, 2])})


def test_an_order_of_the_fox_means_that_the_hand_was_seen():
    state = position(FIREFLY, hands=("1-1 2-2", "3-3"), forced=("2-2", None))
    assert state.observe(1).known == ["1-1", "2-2"]
    assert {str(action) for action in state.legal()} == {"play_tile 2-2"}
    state = position(FIREFLY, hands=("1-1 2-2", "3-3"), forced=("2-2", None), seen=("", "2-2"))
    assert state.observe(1).known == ["2-2"]
    with pytest.raises(PositionError, match="must play 2-2, which was not seen"):
        position(FIREFLY, hands=("1-1 2-2", "3-3"), forced=("2-2", None), seen=("", "1-1"))


def test_held_rainbows_are_read_where_they_can_be():
    data = data_of(HELD, hands=("1-1", "2-2"), held=(2, 0))
    assert State.from_dict(data).to_dict()["state"]["held"] == {"1": 2}
    for held in ({"1": -1}, {"1": 13}, {"1": True}, {"1": "1"}, {"3": 1}, [1]):
        with pytest.raises(PositionError, match=r"held|whole number"):
            State.from_dict(data | {"state": data["state"] | {"held": held}})


# ---- text


def test_the_line_of_a_state_reads_well():
    state = position(
        FIREFLY,
        hands=("1-10 2-1", "1-1..3"),
        display="3-1/3-2 . 2-10",
        tiles=("6-4..5 5-4..5 4-4..5 3-5 2-5 1-4..5", "3-10"),
        rainbows=("2-4", ""),
        spirits=("Bee@5-4", ""),
        fireflies=("1-4", ""),
        block=(None, "4-9"),
        line="Fish Deer",
        pile="4-2 4-3",
    )
    text = (
        "rules=firefly,land,anywhere,reveals,to_encounterer,tiles move=1 pan1=TT2/1TT3/2TT4/4T5/"
        "3RT5/3TT5 spirits1=Bee@5-4 fireflies1=1-4 pan2=4/6/8/9T/10/10 block2=4-9 hand1=1-10+2-1 "
        "hand2=1-1+1-2+1-3 display=0:3-1/3-2+2:2-10 removed="
    )
    assert str(state).startswith(text)
    assert " line=Fish+Deer spirits_left=15 pile=4-2+4-3 spirit_pile=Bear+" in str(state)
    assert repr(state) == f"State.parse({str(state)!r})"
    assert State.parse(str(state)) == state


LINE = str(State.new(5, ordered=False))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("move=1", "", "move=None: expected 1, 2"),
        ("move=1", "move=3", "move=3: expected 1, 2"),
        ("move=1", "move=1 move=2", "'move' is twice in the position"),
        ("move=1", "move", "'move' is no part of a position: expected name=value"),
        ("move=1", "move=1 turns=3", "'turns' is no part of a position"),
        ("move=1", "move=1 hand3=1-1", "'hand3' is no part of a position"),
        ("rules=base,", "rules=", "expected variant,rainbow_next_to"),
        ("rules=base,", "rules=basic,", "variant is 'basic'"),
        ("reveals", "shows", "expected reveals or hides in the fourth place"),
        ("pan1=4/", "pan1=", "pan1=6/8/10/10/10: expected 6 rows"),
        ("pan1=4/", "pan1=5/", "row 6 of pan1 is '5'"),
        ("pan1=4/", "pan1=2TX/", "row 6 of pan1 is '2TX'"),
        ("pan1=4/", "pan1=04/", "row 6 of pan1 is '04'"),
        ("pan1=4/6/8/10/10/10 ", "", "pan1=None"),
        ("display=0:", "display=", "is no place of the display: expected 0:3-7"),
        ("spirits_left=15", "spirits_left=-1", "spirits_left=-1: expected a number"),
        ("spirits_left=15", "spirits_left=\u0661\u0665", "expected a number"),
        ("spirits_left=15", "spirits_left=99999", "expected a number"),
        ("spirits_left=15", "spirits_left=15 turn:again=no", "turn:again=no: expected yes"),
        ("spirits_left=15", "spirits_left=15 turn:turning=x", "turn:turning=x: expected a number"),
        ("spirits_left=15", "spirits_left=15 turn:stage=x", "'stage' is 'x'"),
    ],
)
def test_a_line_that_is_no_position_is_refused(old, new, words):
    assert old in LINE
    with pytest.raises(GameError) as refused:
        State.parse(LINE.replace(old, new))
    assert words in str(refused.value)


@pytest.mark.parametrize("thing", [None, 3, b"rules=", ["rules="]])
def test_only_texts_are_parsed(thing):
    with pytest.raises(NotationError, match="expected a line of text"):
        State.parse(thing)


@heavy
@given(states())
def test_states_are_read_back_from_what_they_write(state):
    data = json.loads(json.dumps(state.to_dict()))
    assert State.from_dict(data) == state
    assert State.from_dict(data, state.rules).to_dict() == state.to_dict()
    text = str(state)
    assert "\n" not in text
    assert State.parse(text) == state
    assert State.parse("  ".join(reversed(text.split(" ")))) == state
    assert eval(repr(state), {"State": State}) == state
    for action in choices(state):
        assert Action.parse(str(action)) == action


def test_every_state_of_a_game_is_read_back_in_every_variant():
    for seed, options in enumerate(ALL_RULES[::7]):
        for state in list(game(seed, options, ordered=bool(seed % 2)))[::3]:
            assert State.from_dict(state.to_dict()) == State.parse(str(state)) == state


# ---- damage


def lives(state, rng):
    """Play on from a state that was accepted: it must be one that can be played and read."""
    assert State.from_dict(state.to_dict()) == state
    assert State.parse(str(state)) == state
    for _ in range(12):
        for player in (0, 1):
            view = state.observe(player)
            assert view.sample(7).observe(player) == view
            assert state.score(player).total >= 0
        if state.kind == "end":
            return
        assert choices(state)
        state = state.play(rng.choice(choices(state)))


def read_and_played(read, rng):
    refused = raised_by(read)
    if refused is None:
        lives(read(), rng)
    else:
        assert isinstance(refused, GameError), repr(refused)


@heavy
@given(st.data(), states(), st.randoms(use_true_random=False))
def test_damaged_dictionaries_are_read_or_refused(data, state, rng):
    broken = data.draw(mutated(state.to_dict()))
    read_and_played(lambda: State.from_dict(broken), rng)
    read_and_played(lambda: State.from_dict(broken, state.rules), rng)


@heavy
@given(st.data(), states(), st.randoms(use_true_random=False))
def test_damaged_lines_are_read_or_refused(data, state, rng):
    text = data.draw(damaged(str(state), "TR/+-=:?@ 0123456789,_ \t\u0661\u00b2\x00\u2028"))
    read_and_played(lambda: State.parse(text), rng)


@heavy
@given(st.data(), states())
def test_damaged_actions_are_played_or_refused(data, state):
    for action in choices(state)[:3]:
        text = data.draw(damaged(str(action), "@-!>+ 0123456789removedraw\u0661\x00"))
        refused = raised_by(lambda text=text: state.play(text))
        assert refused is None or isinstance(refused, GameError)
        assert (refused is None) == (text in map(str, choices(state)))
        parsed = raised_by(lambda text=text: Action.parse(text))
        assert parsed is None or isinstance(parsed, NotationError)


@light
@given(rules(), st.sampled_from(["variant", "rainbow_next_to", "largest_area"]), st.text())
def test_damaged_rules_are_refused(options, field, word):
    data = options.to_dict() | {field: word}
    refused = raised_by(lambda: Rules.from_dict(data))
    assert refused is None or isinstance(refused, RulesError)


def test_an_illegal_action_leaves_everything_as_it_was():
    state = position(**GOOD)
    text = str(state)
    for action in ("play_tile 1-1", "capture 3-5@0", "draw 5-3", "evil_cover Fish@1-4"):
        with pytest.raises(IllegalMoveError, match=f"{action} is not possible here: expected one"):
            state.play(action)
        with pytest.raises(IllegalMoveError):
            state.end_of_turn(action)
    assert str(state) == text
    assert str(run(state)) == text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_much_damage_is_read_or_refused(seed):
    import random  # noqa: PLC0415

    from hypothesis import HealthCheck, settings  # noqa: PLC0415

    rng = random.Random(seed)

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), states())
    def damage(data, state):
        broken = data.draw(mutated(state.to_dict()))
        read_and_played(lambda: State.from_dict(broken), rng)

    damage()
