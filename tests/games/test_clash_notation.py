import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Rules, State
from games.errors import GameError, NotationError, PositionError
from tests.strategies import (
    RepeatBonus,
    damaged,
    heavy,
    junk,
    light,
    reachable_states,
    read_or_refused,
    rules,
    studied_positions,
)

SUN = Rules(sunburst="restarting")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("WWFFAE/WFFAEE DaNoDuMi---- 0-0", Rules()),
        ("WF/EE DaNoDuMiDa-- 3-2", Rules()),
        ("WF/EE DaNoDuMi---- 3-2", Rules()),
        ("-/- DaNoDuMiDaNo 7-5", Rules()),
        ("WF/EE/AA DaNoDuMiDa-- 3-2-1 0-1-0", Rules(players=3, sunburst="restarting")),
        ("WF/EE DaNoDuMiDa-- 3-2 0-2", Rules(sunburst="overlapping")),
        ("WF/EE DaNoDuMiDa-- 3-2 *-2", Rules(sunburst="once")),
        ("W/E/F/A/W/W DaNoDuMiDaDa 50-0-0-0-0-0", Rules(players=6)),
        ("WF/EE DaNoDuMiDa-- 99-2 memory=(1, (0, 1))", Rules(bonus=RepeatBonus())),
    ],
)
def test_the_texts_of_positions(text, options):
    assert str(State.parse(text, options)) == text
    assert str(State.parse(f"  {text.replace(' ', '   ', 2)} ", options)) == text


@heavy
@given(reachable_states(rules(bonuses=True)))
def test_text_of_played_positions_round_trips(state):
    assert State.parse(str(state), state.rules) == state
    assert "\n" not in str(state)


@heavy
@given(studied_positions())
def test_text_of_studied_positions_round_trips(state):
    assert State.parse(str(state), state.rules) == state


def test_letters_may_be_small_and_in_any_order():
    assert str(State.parse("fw/EE danoDUmiDa-- 3-2")) == "WF/EE DaNoDuMiDa-- 3-2"


@pytest.mark.parametrize(
    ("text", "options", "error", "fault"),
    [
        ("", Rules(), NotationError, "0 fields: expected hands, times, points (Sunburst is off)"),
        ("WF/EE", Rules(), NotationError, "1 field:"),
        ("WF/EE DaNoDuMiDa--", Rules(), NotationError, "2 fields: expected hands, times, points"),
        ("WF/EE DaNoDuMiDa-- 3-2 0-0", Rules(), NotationError, "4 fields"),
        ("WF/EE DaNoDuMiDa-- 3-2", SUN, NotationError, "expected hands, times, points, streaks"),
        ("WF/EE DaNoDuMiDa-- 3-2 0-0 0-0", SUN, NotationError, "5 fields"),
        ("WF/EE DaNoDu 3-2", Rules(), NotationError, "'DaNoDu' has 3 times"),
        ("WF/EE DaNoDuMiDaNoDu 3-2", Rules(), NotationError, "has 7 times: four are turned up"),
        ("E/E DaNoDuMi 3-2", Rules(), PositionError, "5 rounds were played, but only 4 times"),
        ("WF/EE DaNoDuXxDa-- 3-2", Rules(), NotationError, "'Xx' is no time of day"),
        ("WF/EE DaNo--MiDa-- 3-2", Rules(), NotationError, "card 3 face down"),
        ("WF/EE DaNoDuMi--Da 3-2", Rules(), NotationError, "a time face up after one that lies"),
        ("WF/EE DaNoDuMiD--- 3-2", Rules(), NotationError, "'D-' is no time of day"),
        ("WX/EE DaNoDuMiDa-- 3-2", Rules(), NotationError, "'WX' is no hand"),
        ("WF,EE DaNoDuMiDa-- 3-2", Rules(), NotationError, "'WF,EE' is no hand"),
        ("/ DaNoDuMiDaNo 3-2", Rules(), NotationError, "an empty one is written -"),
        ("-/ DaNoDuMiDaNo 3-2", Rules(), NotationError, "an empty one is written -"),
        ("WF/EE DaNoDuMiDa-- 3", Rules(), PositionError, "1 total of points for 2 players"),
        ("WF/EE DaNoDuMiDa-- 3-2-1", Rules(), PositionError, "3 totals of points for 2 players"),
        ("WF/EE DaNoDuMiDa-- 3:2", Rules(), NotationError, "points: '3:2' is no whole number"),
        ("WF/EE DaNoDuMiDa-- 3--2", Rules(), NotationError, "points: '' is no whole number"),
        ("WF/EE DaNoDuMiDa-- +3-2", Rules(), NotationError, "points: '+3' is no whole number"),
        ("WF/EE DaNoDuMiDa-- 3.0-2", Rules(), NotationError, "'3.0' is no whole number"),
        ("WF/EE DaNoDuMiDa-- \u0663-2", Rules(), NotationError, "is no whole number"),
        ("WF/EE DaNoDuMiDa-- \u00b2-2", Rules(), NotationError, "is no whole number"),
        ("WF/EE DaNoDuMiDa-- \uff13-2", Rules(), NotationError, "is no whole number"),
        ("WF/EE DaNoDuMiDa-- 1_0-2", Rules(), NotationError, "'1_0' is no whole number"),
        (f"WF/EE DaNoDuMiDa-- {'9' * 5000}-2", Rules(), NotationError, "is no whole number"),
        ("WF/EE DaNoDuMiDa-- 999999999-2", Rules(), PositionError, "at most 8"),
        ("WF/EE DaNoDuMiDa-- 3-2 x-0", SUN, NotationError, "streaks: 'x' is no whole number"),
        ("WF/EE DaNoDuMiDa-- *-2 0-0", SUN, NotationError, "points: '*' is no whole number"),
        ("WF/EE/AA DaNoDuMiDa-- 3-2-1", Rules(), PositionError, "3 hands for 2 players"),
        ("WF/EE DaNoDuMiDa-- 3-2", Rules(players=3), PositionError, "2 hands for 3 players"),
        ("WF/E DaNoDuMiDa-- 3-2", Rules(), PositionError, "differ in size"),
        ("WF/EEEE DaNoDuMiDa-- 3-2", Rules(), PositionError, "EEEE cannot be held"),
        ("WWFFAAE/WFAEEEE DaNoDuMi---- 0-0", Rules(), PositionError, "7 cards"),
        ("WF/EE DaDaDaDaNo-- 3-2", Rules(), PositionError, "cannot occur"),
        ("W/E DaNoDuMi---- 3-2", Rules(), PositionError, "only 4 times are face up"),
        ("WF/EE DaNoDuMiDa-- 9-2", Rules(), PositionError, "9 points cannot be reached in 4"),
        ("WWFFAE/WFFAEE DaNoDuMi---- 1-0", Rules(), PositionError, "at most 0"),
        (None, Rules(), NotationError, "None is no text of a position"),
        (b"WF/EE DaNoDuMiDa-- 3-2", Rules(), NotationError, "is no text of a position"),
        (["WF/EE"], Rules(), NotationError, "is no text of a position"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_malformed_texts_are_refused_with_their_fault(text, options, error, fault):
    with pytest.raises(error) as refused:
        State.parse(text, options)
    assert fault in str(refused.value)


@heavy
@given(st.data())
def test_a_damaged_text_is_read_or_refused(data):
    state = data.draw(reachable_states(rules(bonuses=True)))
    text = data.draw(damaged(str(state)))
    read = read_or_refused(lambda: State.parse(text, state.rules), GameError)
    if read is not None:
        assert State.parse(str(read), state.rules) == read


@light
@given(junk() | st.text(), rules(bonuses=True))
def test_only_game_errors_come_out_of_state_parse(value, options):
    assert read_or_refused(lambda: State.parse(value, options), GameError) is None


@light
@given(st.text(st.characters(max_codepoint=127)))
def test_any_memory_text_is_read_or_refused(text):
    options = Rules(bonus=RepeatBonus())
    position = f"WF/EE DaNoDuMiDa-- 3-2 memory={text}"
    read_or_refused(lambda: State.parse(position, options), GameError)


@pytest.mark.parametrize("times", ["DaNoDuMi", "DaNoDuMi--", "DaNoDuMi----"])
def test_times_face_down_may_be_left_out(times):
    state = State.parse(f"WFAE/WFAE {times} 1-0")
    assert str(state) == "WFAE/WFAE DaNoDuMi---- 1-0"
