"""The table as text."""

import re

import pytest
from hypothesis import given, settings

from games.errors import PositionError
from games.solstis import Rules, State
from games.solstis.drawing import ASCII, SHORT, draw
from tests.solstis_positions import position
from tests.solstis_strategies import SPIRITS, VARIANTS, game, states

CODES = re.compile(r"\x1b\[[0-9;]*m")
PLAYED = """\
Player 1 plays a tile
               ▄▄▄ ▄▄▄
6              █▲█ █▲█  △   △                   6               △   △   △   △
               ██Bee██
5           △  ███ ███  ·   ·   △               5           △   ·   ·   ·   ·   △
               ██Lad██             ▄▄▄
4       △   ·  ███ ███  ·   ·   ·  █△█          4       △   ·   ·   ·   ·   ·   ·   ✖
               ▀▀▀ ███             ▀▀▀                                                 ▄▄▄
3   ·   ·   ·   ·  ███  ·   ·   ·   ·   ·       3   ·   ·   ·   ·   ·   ·   ·   ·   ·  ███
                   ███                                                                 ▀▀▀
2   ·   ·   ·  ░░░ ███  ·   ·   ·   ·   ·       2   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
               ▄▄▄✦███
1   ·   ·   ·  ███ ███  ·   ·   ·   ·   ·       1   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
               ▀▀▀ ▀▀▀
    1   2   3   4   5   6   7   8   9   10          1   2   3   4   5   6   7   8   9   10

Player 1, 16 points                             Player 2, 1 point
hand     1-10 2-1                               hand     1-1 1-2 1-3
spirits  Ladybug 4-4, Bee 5-4                            must play 1-2 (Fox)
                                                spirits  -

place     0     2
display  3-1   2-10
beneath  ▒▒▒
line     Fish, Deer
left     0 tiles, 14 spirits, 11 rainbows, 6 fireflies
"""


def firefly_state():
    return position(
        Rules("firefly"),
        hands=("1-10 2-1", "1-1..3"),
        display="3-1/3-2 . 2-10",
        tiles=("6-4..5 5-4..5 4-4..5 3-5 2-5 1-4..5 4-9", "3-10"),
        rainbows=("2-4", ""),
        spirits=("Bee@5-4 Ladybug@4-4", ""),
        fireflies=("1-4", ""),
        block=(None, "4-9"),
        forced=(None, "1-2"),
        line="Fish Deer",
        pile="",
    )


def plain(text):
    return CODES.sub("", text)


def test_a_table_in_plain_text():
    drawn, removed, _ = draw(firefly_state()).partition("removed")
    assert drawn == PLAYED
    assert removed


def test_every_spirit_has_three_letters_of_its_own():
    names = set(SPIRITS["firefly"]) - {"EvilBeaver"}
    assert set(SHORT) == names
    assert len({short for short in SHORT.values() if len(short) == 3}) == len(names)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("color", [False, True])
def test_lines_are_at_most_100_columns_wide(variant, color):
    for state in list(game(3, Rules(variant)))[::4]:
        for seen in (state, state.observe(0), state.observe(1)):
            lines = plain(draw(seen, color)).splitlines()
            assert max(map(len, lines)) <= 100
            assert color or all(line == line.rstrip() for line in lines)


@settings(max_examples=30, deadline=None)
@given(states())
def test_any_state_is_drawn(state):
    text = draw(state)
    assert max(map(len, text.splitlines())) <= 100
    assert text.translate(ASCII).isascii()
    # Colours change no place: the same lines, and the same words.
    colored = draw(state, color=True)
    assert "\x1b[" in colored
    words = [re.findall(r"\w+", re.sub("[^\x00-\x7f]", " ", t)) for t in (text, plain(colored))]
    assert words[0] == words[1]


def test_a_covered_spirit_is_marked():
    state = position(
        hands=("1-1", ""),
        display="1-2",
        tiles=("6-4..5 5-4..5", ""),
        spirits=("Bee@5-4", ""),
        cover=("5-4", None),
        pile="",
    )
    assert "██✖Be██" in draw(state)
    assert "Bee 5-4 (covered)" in draw(state)


def test_what_is_hidden_is_not_drawn():
    for state in list(game(8, Rules.published()))[::3]:
        for player in (0, 1):
            view = state.observe(player)
            other = view.sample(4, ordered=True)
            assert draw(view) == draw(other.observe(player))
            assert f"Player {player + 1} (you)" in draw(view)
            hand = next(line for line in draw(view).splitlines() if line.startswith("hand"))
            hidden = state.to_dict()["state"]["hands"][str(2 - player)]
            assert not any(re.search(rf"\b{tile}\b", hand) for tile in hidden)
            assert hand.count("▒▒▒") == len(hidden)


def test_tiles_that_a_fox_showed_are_drawn():
    state = position(
        Rules("firefly"),
        to_move=1,
        hands=("1-1", "1-3 1-4 1-5"),
        display="1-2",
        seen=("1-4 1-5", ""),
    )
    view = draw(state.observe(0))
    assert re.search(r"hand     1-4 1-5 ▒▒▒$", view, re.MULTILINE)
    assert "seen by the other: 1-4 1-5" in draw(state)


def test_the_end_says_who_has_won():
    *_, end = game(5)
    lead = end.score(0).total - end.score(1).total
    assert lead != 0
    first = draw(end).splitlines()[0]
    assert first == f"The game is over. Player {1 if lead > 0 else 2} wins by {abs(lead)} points."


def test_spirits_drawn_and_the_evil_one_are_shown():
    state = position(
        hands=("1-10 2-1 2-2", "1-1..3"),
        tiles=("6-4..5 5-4..5", ""),
        evil=0,
        turn={"stage": "keep", "drawn": ["Fish", "Wolf"], "eligible": ["5-4"]},
    )
    text = draw(state)
    assert "drawn    Fish, Wolf" in text
    assert "spirits  Evil Spirit" in text
    assert text.startswith("Player 1 encounters a spirit: which, and on which square?")


def test_rainbows_that_wait_are_shown():
    state = position(Rules.published(), hands=("1-10 2-1 2-2", "1-1..3"), held=(2, 0))
    assert "waiting  2 rainbows" in draw(state)


@pytest.mark.parametrize("thing", [None, "state", {}, 5])
def test_other_things_are_refused(thing):
    with pytest.raises(PositionError, match="cannot be shown"):
        draw(thing)


def test_a_drawing_changes_nothing():
    state = State.new(5)
    before = str(state)
    draw(state, color=True)
    assert str(state) == before
