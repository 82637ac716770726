import numpy as np
import pytest
from hypothesis import given

from games.clash import Element, Time, format_times, parse_times
from games.errors import GameError, NotationError
from tests.strategies import face_up, junk, light, read_or_refused

WINS = [("W", "F"), ("F", "A"), ("A", "E"), ("E", "W")]


@pytest.mark.parametrize("first", "WFAE")
@pytest.mark.parametrize("second", "WFAE")
def test_each_element_beats_the_next_and_no_other(first, second):
    assert Element.parse(first).beats(second) == ((first, second) in WINS)


def test_elements_and_times_are_numbered_as_they_boost():
    assert [element.letter for element in Element] == list("WFAE")
    assert [time.code for time in Time] == ["Da", "No", "Mi", "Du"]
    names = [(time.name, time.element.name) for time in Time]
    assert names == [("DAWN", "WATER"), ("NOON", "FIRE"), ("MIDNIGHT", "AIR"), ("DUSK", "EARTH")]


@pytest.mark.parametrize("steps", range(-5, 6))
def test_rotation_keeps_who_beats_whom_and_who_is_boosted(steps):
    for element in Element:
        assert element.rotated(steps).rotated(-steps) is element
        assert Time(element).rotated(steps).element is element.rotated(steps)
        for other in Element:
            assert element.rotated(steps).beats(other.rotated(steps)) == element.beats(other)


@pytest.mark.parametrize(
    "value", [Element.AIR, "A", "a", "air", "Air", " A ", 2, np.int64(2), np.uint8(2)]
)
def test_an_element_is_read_from_its_names(value):
    assert Element.parse(value) is Element.AIR


@pytest.mark.parametrize(
    "value", [Time.MIDNIGHT, "Mi", "MI", "mi", "Midnight", 2, np.int64(2), np.int8(2)]
)
def test_a_time_is_read_from_its_names(value):
    assert Time.parse(value) is Time.MIDNIGHT


NO_ELEMENTS = [
    *("", " ", "X", "WF", "-", "0", "Da", "\x00", "\u0391", b"W"),
    *(None, True, 4, -1, 10**30, 2.0, float("nan"), Time.DAWN, [0], ("W",), np.float64(1)),
    *(np.bool_(True), np.array([0, 1]), np.array(0.5), {}),
]


@pytest.mark.parametrize("value", NO_ELEMENTS, ids=repr)
def test_what_is_no_element_is_refused(value):
    with pytest.raises(NotationError, match="is no element: expected one of W, F, A, E"):
        Element.parse(value)


NO_TIMES = [
    *("", "D", "Daw", "W", "--", "DaNo", "\x00", b"Da"),
    *(None, False, 4, -1, 1.0, float("inf"), Element.WATER, np.array([0, 1]), np.bool_(False)),
]


@pytest.mark.parametrize("value", NO_TIMES, ids=repr)
def test_what_is_no_time_is_refused(value):
    with pytest.raises(NotationError, match="is no time of day: expected one of Da, No, Mi, Du"):
        Time.parse(value)


def test_an_element_is_no_time_although_both_are_integers():
    assert Element.WATER == Time.DAWN
    with pytest.raises(NotationError):
        Element.parse(Time.DAWN)
    with pytest.raises(NotationError):
        Time.parse(Element.WATER)


@pytest.mark.parametrize(
    "row",
    [
        "DaNoDuMi----",
        "DaNoDuMi",
        "DaNoDuMi--",
        " da no du mi -- -- ",
        "Da\tNoDu\nMi",
        "Dawn Noon Dusk Midnight",
        "Dawn NODU midnight --",
        ["Da", "No", "Du", "Mi"],
        [Time.DAWN, Time.NOON, Time.DUSK, Time.MIDNIGHT, None, None],
        (0, 1, 3, 2, None),
        ["Dawn", "noon", "dusk", np.int64(2), "--", None],
        np.array([0, 1, 3, 2]),
    ],
    ids=repr,
)
def test_a_row_of_times_is_read_in_all_notations(row):
    assert format_times(parse_times(row)) == "DaNoDuMi----"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("", "has 0 times: four are turned up, six exist"),
        ("DaNoDu", "has 3 times"),
        ("DaNoDuMiDaNoDu", "has 7 times"),
        ("DaNoDuXx", "'Xx' is no time of day"),
        ("DaNoDuMiD", "'D' is no time of day (in 'DaNoDuMiD')"),
        ("Dawn Noon Dusk Midnite", "'dn' is no time of day (in 'Midnite')"),
        ("DawnNoonDuskMidnight", "'wn' is no time of day"),
        ("DaNo--Mi----", "has card 3 face down: the first four are face up"),
        ("DaNoDu------", "has card 4 face down"),
        ("--------", "has card 1 face down"),
        ("DaNoDuMi--Da", "face up after one that lies face down"),
        (None, "None is no row of times"),
        (7, "7 is no row of times"),
        (2.5, "2.5 is no row of times"),
        (b"DaNoDuMi", "68 is no time of day"),
        ([Element.WATER] * 4, "is no time of day"),
        ([None] * 6, "card 1 face down"),
        (np.zeros((4, 2)), "is no time of day"),
        ("\uff24\uff41NoDuMi", "is no time of day"),
    ],
)
def test_a_row_that_is_none_is_refused_with_its_fault(row, fault):
    with pytest.raises(NotationError) as refused:
        parse_times(row)
    assert fault in str(refused.value)


@light
@given(face_up())
def test_times_round_trip(row):
    text = format_times(row)
    assert format_times(parse_times(text)) == text.ljust(12, "-")
    assert parse_times(row) == parse_times(text) == parse_times(text + "-" * (12 - len(text)))


@light
@given(junk())
def test_only_game_errors_come_out_of_the_small_parsers(value):
    read = read_or_refused(lambda: Element.parse(value), GameError)
    assert read is None or type(read) is Element
    read = read_or_refused(lambda: Time.parse(value), GameError)
    assert read is None or type(read) is Time
    row = read_or_refused(lambda: parse_times(value), GameError)
    assert row is None or (len(row) == 6 and None not in row[:4])
