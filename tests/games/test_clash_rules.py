import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from games.clash import Bonus, Element, Rules, State, Time
from games.errors import GameError, NotationError, PositionError, RulesError
from tests.strategies import RepeatBonus, ScriptedBonus, junk, light, read_or_refused, rules


def test_the_default_rules():
    options = Rules()
    assert (options.players, options.time_deck) == (2, "independent")
    assert (options.sunburst, options.bonus) == ("off", None)
    assert str(Rules(3, "distinct", "once", RepeatBonus())) == (
        "3 players, distinct time deck, Sunburst once, bonus 'echo of the sun'"
    )


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"players": 1}, "players is 1: expected a whole number from 2 to 6"),
        ({"players": 7}, "players is 7"),
        ({"players": True}, "players is True"),
        ({"players": 2.0}, "players is 2.0"),
        ({"players": float("nan")}, "players is nan"),
        ({"players": "2"}, "players is '2'"),
        ({"players": None}, "players is None"),
        ({"players": np.array([2, 3])}, "players is array"),
        ({"time_deck": "dependent"}, "time_deck is 'dependent': expected one of independent, dis"),
        ({"time_deck": None}, "time_deck is None"),
        ({"sunburst": "on"}, "sunburst is 'on': expected one of off, restarting, overlapping, onc"),
        ({"sunburst": True}, "sunburst is True"),
        ({"sunburst": np.array(["off", "once"])}, "sunburst is array"),
        ({"bonus": np.array(["a", "b"])}, "lacks one of name, start and step"),
        ({"bonus": "suns_cycle"}, "the source names the Sun's Cycle but gives no text for it"),
        ({"bonus": "suns_cycle"}, "pass an object with name, start and step"),
        ({"bonus": "sunburst"}, "bonus 'sunburst' does not exist"),
        ({"bonus": ""}, "bonus '' does not exist"),
        ({"bonus": 5}, "bonus 5 lacks one of name, start and step"),
        ({"bonus": RepeatBonus}, "is a class: pass an object of it"),
        ({"bonus": SimpleNamespace(name="x", start=0)}, "lacks one of name, start and step"),
        ({"bonus": RepeatBonus(name="")}, "a bonus needs a printable name"),
        ({"bonus": RepeatBonus(name="two\nlines")}, "a bonus needs a printable name"),
        ({"bonus": RepeatBonus(name=" edges ")}, "without spaces around it"),
        ({"bonus": RepeatBonus(name=5)}, "a bonus needs a printable name"),
        ({"bonus": RepeatBonus(start=[])}, "start|bonus 'echo of the sun' is not hashable"),
    ],
    ids=str,
)
def test_rules_that_do_not_exist_are_refused(options, fault):
    with pytest.raises(RulesError) as refused:
        Rules(**options)
    assert any(part in str(refused.value) for part in fault.split("|"))


def test_a_bonus_that_is_not_hashable_is_refused():
    bonus = SimpleNamespace(name="x", start=0, step=print)
    with pytest.raises(RulesError, match="the bonus 'x' is not hashable"):
        Rules(bonus=bonus)


def test_rules_are_values():
    assert Rules(bonus=RepeatBonus()) == Rules(2, "independent", "off", RepeatBonus())
    assert len({Rules(), Rules(players=3), Rules(players=np.int64(3)), Rules(players=2)}) == 2
    assert type(Rules(players=np.int64(3)).players) is int
    with pytest.raises(FrozenInstanceError):
        Rules().players = 3


@light
@given(rules(bonuses=True))
def test_rules_pickle_and_copy(options):
    assert pickle.loads(pickle.dumps(options)) == copy.deepcopy(options) == replace(options)
    assert hash(copy.copy(options)) == hash(options)


def test_a_bonus_is_known_by_its_parts():
    assert isinstance(RepeatBonus(), Bonus)
    assert isinstance(ScriptedBonus(None), Bonus)
    assert not isinstance("suns_cycle", Bonus)


def test_a_bonus_is_asked_once_a_round_and_remembers():
    bonus = ScriptedBonus((5, (0, 4)), start="begin")
    state = State.start("WFAE+WW/WFAE+FF", "DaNoMiDu", Rules(bonus=bonus))
    assert state.memory == "begin"
    state = state.play("WF")
    assert (state.points, state.memory) == ((2, 4), 5)
    state = state.play("FA")
    assert (state.points, state.memory) == ((4, 8), 5)
    assert bonus.asked == [
        ("begin", (Element.WATER, Element.FIRE), Time.DAWN, (2, 0)),
        (5, (Element.FIRE, Element.AIR), Time.NOON, (2, 0)),
    ]


def test_a_bonus_comes_after_sunburst_and_does_not_see_it():
    bonus = ScriptedBonus((0, [7, 0]))
    options = Rules(sunburst="overlapping", bonus=bonus)
    state = State.parse("WFA/FAE DaNoDuMi---- 3-2 2-0", options)
    score = state.score("AE")
    assert bonus.asked[0][3] == score.points == (2, 0)
    assert (score.sunburst, score.bonus, score.total) == ((1, 0), (7, 0), (10, 0))
    assert state.play("AE").points == (13, 2)


@dataclass(frozen=True)
class Slotted:
    """A bonus whose parts are properties."""

    amount: int = 1

    @property
    def name(self):
        return "slotted"

    @property
    def start(self):
        return None

    def step(self, memory, cards, time, points_this_round):
        return None, np.full(len(cards), self.amount)


def test_a_bonus_may_answer_with_numpy_integers():
    state = State.start("WFAE+WW/WFAE+FF", "DaNoMiDu", Rules(bonus=Slotted())).play("WW")
    assert state.points == (1, 1)
    assert {type(points) for points in state.points} == {int}
    assert str(state) == "WWFAE/FFFAE DaNoMiDu---- 1-1"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (None, "returned None: expected a hashable memory and a sequence of points"),
        (5, "returned 5"),
        ((0, [0, 0], 0), "expected a hashable memory"),
        ((0, 5), "expected a hashable memory"),
        (([], [0, 0]), "expected a hashable memory"),
        ((0, [0]), "gave points (0,): expected 2 non-negative integers"),
        ((0, [0, 0, 0]), "gave points (0, 0, 0)"),
        ((0, []), "gave points ()"),
        ((0, [0, -1]), "gave points (0, -1)"),
        ((0, [0, 0.5]), "gave points (0, 0.5)"),
        ((0, [0, float("nan")]), "gave points (0, nan)"),
        ((0, [True, 0]), "gave points (True, 0)"),
        ((0, [None, 0]), "gave points (None, 0)"),
        ((0, "00"), "gave points ('0', '0')"),
        ((0, [0, np.array([0, 1])]), "gave points"),
    ],
    ids=repr,
)
def test_a_bonus_that_answers_badly_is_refused_by_name(answer, fault):
    state = State.start("WFAE+WW/WFAE+FF", "DaNoMiDu", Rules(bonus=ScriptedBonus(answer)))
    with pytest.raises(RulesError) as refused:
        state.play("WF")
    assert "bonus 'scripted'" in str(refused.value)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    "memory",
    [None, 0, -7, 2.5, True, "two\nlines", " memory=", "", (), (1, ("a", None)), b"x", 10**40, 1j],
    ids=repr,
)
@pytest.mark.parametrize("sunburst", ["off", "restarting"])
def test_memory_round_trips_in_text(memory, sunburst):
    options = Rules(sunburst=sunburst, bonus=RepeatBonus(start="not yet"))
    streaks = () if sunburst == "off" else (1, 0)
    state = State(("WF", "EE"), "DaNoDuMiDa--", (30, 2), streaks, memory, options)
    assert len(str(state).splitlines()) == 1
    assert State.parse(str(state), options) == state
    assert hash(State.parse(str(state), options)) == hash(state)


def test_memory_at_its_start_is_left_out_of_the_text():
    options = Rules(bonus=RepeatBonus())
    state = State.start("WFAE+WW/WFAE+FF", "DaNoMiDu", options)
    assert "memory" not in str(state)
    after = state.play("WF")
    assert str(after) == "WWFAE/WFFAE DaNoMiDu---- 2-0 memory=(1, (0, 1))"
    assert State.parse(str(after), options).play("WF").points == after.play("WF").points


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("memory=", "cannot be read back: expected a Python literal"),
        ("memory=x", "memory=x cannot be read back"),
        ("memory=[]", "cannot be read back"),
        ("memory={}", "cannot be read back"),
        ("memory=1 2", "cannot be read back"),
        ("memory=__import__('os')", "cannot be read back"),
        ("memory='", "cannot be read back"),
        ("memory=\x00", "cannot be read back"),
        ("memory=" + "(" * 5000, "cannot be read back"),
        ("memory=" + "-" * 50000 + "1", "cannot be read back"),
        ("memory=" + "9" * 5000, "cannot be read back"),
        ("Memory=1", "fields: expected hands, times, points"),
    ],
    ids=lambda value: value[:20],
)
def test_memory_that_is_no_literal_is_refused(text, fault):
    with pytest.raises(NotationError) as refused:
        State.parse(f"WF/EE DaNoDuMiDa-- 3-2 {text}", Rules(bonus=RepeatBonus()))
    assert fault in str(refused.value)


def test_memory_without_a_bonus_is_refused():
    with pytest.raises(NotationError, match="gives memory=1, but the rules have no bonus"):
        State.parse("WF/EE DaNoDuMiDa-- 3-2 memory=1")
    with pytest.raises(PositionError, match="memory 1 is given, but the rules have no bonus"):
        State(("WF", "EE"), "DaNoDuMiDa", (3, 2), memory=1)


def test_memory_that_is_not_hashable_is_refused():
    unhashable: Any = [1]
    with pytest.raises(PositionError, match=r"memory \[1\] is not hashable"):
        State(("WF", "EE"), "DaNoDuMiDa", memory=unhashable, rules=Rules(bonus=RepeatBonus()))


def test_states_with_different_memories_differ():
    options = Rules(bonus=RepeatBonus())
    first = State.parse("WF/EE DaNoDuMiDa-- 3-2 memory=(4, (0, 1))", options)
    second = State.parse("WF/EE DaNoDuMiDa-- 3-2 memory=(4, (1, 1))", options)
    assert first != second
    assert first != replace(first, rules=Rules(bonus=RepeatBonus(award=2)))


@light
@given(junk(), junk(), junk(), junk())
def test_only_rules_errors_come_out_of_rules(players, time_deck, sunburst, bonus):
    given_options = {
        "players": players,
        "time_deck": time_deck,
        "sunburst": sunburst,
        "bonus": bonus,
    }
    for name, value in given_options.items():
        read_or_refused(lambda options={name: value}: Rules(**options), GameError)
