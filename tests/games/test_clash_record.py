import copy
import os
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Element, PlayedRound, Record, Rules, State, Time
from games.errors import GameError, IllegalMoveError, NotationError, PositionError, RulesError
from tests.strategies import (
    RepeatBonus,
    damaged,
    heavy,
    junk,
    light,
    read_or_refused,
    records,
    rules,
)

HEADER = "Solaris' Clash record 1"
DEAL = "deal WWFFAE/WWFFAE DaNoDuMi"
DRAWN = f"""{HEADER}
{DEAL}
1 Da WW
2 No WW
3 Du FF
4 Mi FF
5 Da AA
6 No EE
"""


def lines(*rows):
    return "\n".join([HEADER, *rows])


def test_a_game_of_three_is_written_read_and_replayed():
    text = """Solaris' Clash record 1
rules players=3 time_deck=distinct sunburst=overlapping
deal WWFFAE/WFFAEE/WFAAEE DaNoDuMi----
1 Da WFA
2 No WFA
3 Du FAW
4 Mi FEE
5 Da AEF
6 No EWE
"""
    record = Record.parse(text)
    assert str(record) == text
    states = list(record.states())
    assert [str(state) for state in states] == [
        "WWFFAE/WFFAEE/WFAAEE DaNoDuMi---- 0-0-0 0-0-0",
        "WFFAE/WFAEE/WFAEE DaNoDuMi---- 2-1-0 1-1-0",
        "FFAE/WAEE/WFEE DaNoDuMi---- 3-3-0 2-2-0",
        "FAE/WEE/FEE DaNoDuMi---- 5-3-1 2-0-1",
        "AE/WE/FE DaNoDuMi---- 5-3-1 0-0-0",
        "AE/WE/FE DaNoDuMiDa-- 5-3-1 0-0-0",
        "E/W/E DaNoDuMiDa-- 6-3-2 1-0-1",
        "E/W/E DaNoDuMiDaNo 6-3-2 1-0-1",
        "-/-/- DaNoDuMiDaNo 7-3-3 2-0-2",
    ]
    assert record.state == states[-1]
    assert record.winner == 0
    assert list(record.tie_break_states()) == []


def test_comments_blank_lines_and_defaults():
    record = Record.parse(f"\n# at the table\n{HEADER}\n\n  {DEAL}  \n#\n 1 Da WF\n")
    assert record.deal == State.start("WWFFAE/WWFFAE", "DaNoDuMi")
    assert record.rounds == (PlayedRound(Time.DAWN, (Element.WATER, Element.FIRE)),)
    assert record.winner is None


def test_tie_breaks_follow_the_sixth_round():
    record = Record.parse(DRAWN)
    assert (record.state.points, record.winner) == ((0, 0), None)
    (tie,) = record.tie_break_states()
    assert tie.tied == (0, 1)
    record = Record.parse(DRAWN + "tie-break WW\ntie-break wa\n")
    assert record.winner is None
    record = Record.parse(DRAWN + "tie-break WW\ntie-break WE\n")
    assert [tie.tied for tie in record.tie_break_states()] == [(0, 1), (0, 1), (1,)]
    assert record.winner == 1
    assert str(record).endswith("6 No EE\ntie-break WW\ntie-break WE\n")


def test_tie_breaks_of_three_narrow_to_the_tied():
    text = lines(
        "rules players=3",
        "deal WWFFAE/WWFFAE/WWFFAE DaNoDuMi",
        *["1 Da WWW", "2 No WWW", "3 Du FFF", "4 Mi FFF", "5 Da AAA", "6 No EEE"],
        *["tie-break WWF", "tie-break WF"],
    )
    record = Record.parse(text)
    assert [tie.tied for tie in record.tie_break_states()] == [(0, 1, 2), (0, 1), (0,)]
    assert record.winner == 0
    with pytest.raises(IllegalMoveError, match="tie-break 2: 3 cards for 2 tied players"):
        Record.parse(text + "A")


def test_times_known_from_the_deal_bind_the_rounds():
    deal = "deal WWFFAE/WWFFAE DaNoDuMiMiNo"
    rows = ["1 Da WW", "2 No WW", "3 Du FF", "4 Mi FF"]
    record = Record.parse(lines(deal, *rows, "5 Mi AA", "6 No EE"))
    assert record.state.is_over
    assert len(list(record.states())) == 7
    assert Record.parse(str(record)) == record
    with pytest.raises(NotationError, match="round 5: the time is Mi, not Da"):
        Record.parse(lines(deal, *rows, "5 Da AA"))


FOUR = ["1 Da WW", "2 No WW", "3 Du FF", "4 Mi FF"]
SIX = [*FOUR, "5 Da AA", "6 No EE"]


@pytest.mark.parametrize(
    ("text", "error", "faults"),
    [
        ("", NotationError, ["line 1: a record starts with the line", HEADER]),
        ("# nothing\n", NotationError, ["line 1"]),
        ("game.txt", NotationError, ["line 1: a record starts", "(Record.load reads a file)"]),
        ("Solaris' Clash record 2\n" + DEAL, NotationError, ["a record starts with the line"]),
        (DEAL, NotationError, ["a record starts with the line"]),
        (HEADER, NotationError, ["the record has no deal, e.g.: deal"]),
        (lines("rules players=2"), NotationError, ["the record has no deal"]),
        (lines("rules players=7", DEAL), RulesError, ["line 2", "players is 7"]),
        (lines("rules players=x", DEAL), NotationError, ["line 2", "players=x: expected a whole"]),
        (lines("rules players=\u0663", DEAL), NotationError, ["line 2: players=\u0663"]),
        (lines("rules players=\u00b2", DEAL), NotationError, ["line 2: players=\u00b2"]),
        (lines("rules players=" + "9" * 5000, DEAL), NotationError, ["line 2: players=999"]),
        (lines("rules players=-2", DEAL), NotationError, ["players=-2"]),
        (lines("rules players", DEAL), NotationError, ["line 2: 'players' is no option"]),
        (lines("rules color=red", DEAL), NotationError, ["'color=red' is no option"]),
        (lines("rules players=2 players=2", DEAL), NotationError, ["once each"]),
        (lines("rules time_deck=odd", DEAL), RulesError, ["line 2: time_deck is 'odd'"]),
        (lines("rules sunburst=", DEAL), RulesError, ["line 2: sunburst is ''"]),
        (
            lines("rules bonus=suns", DEAL),
            RulesError,
            ["line 2", "bonus 'suns', but None is given"],
        ),
        (lines("rules", "rules", DEAL), NotationError, ["line 3: 'rules' does not belong here"]),
        (lines(DEAL, "rules"), NotationError, ["line 3: 'rules' does not belong here"]),
        (lines(DEAL, DEAL), NotationError, ["line 3", "does not belong here"]),
        (lines("deal"), NotationError, ["line 2: deal '': expected hands and times"]),
        (lines(DEAL + " 0-0"), NotationError, ["line 2: deal", "expected hands and times"]),
        (lines("deal WWFFAE/WFFAE DaNoDuMi"), PositionError, ["line 2: WFFAE has 5 cards"]),
        (lines("deal WWFFAE/WWWFFAE DaNoDuMi"), PositionError, ["line 2", "7 cards"]),
        (lines("deal WWFFAE DaNoDuMi"), PositionError, ["line 2: 1 hand for 2 players"]),
        (lines("deal WWFFAX/WWFFAE DaNoDuMi"), NotationError, ["line 2", "is no hand"]),
        (lines("deal WWFFAE/WWFFAE DaDaDaDa"), PositionError, ["line 2", "cannot occur"]),
        (lines("deal WWFFAE/WWFFAE DaNoDu"), NotationError, ["line 2", "3 times"]),
        (lines("1 Da WW", DEAL), NotationError, ["line 2: '1 Da WW' does not belong here"]),
        (lines("tie-break WW", DEAL), NotationError, ["line 2", "does not belong here"]),
        (lines(DEAL, "hello"), NotationError, ["line 3: 'hello' does not belong here"]),
        (lines(DEAL, "2 No WW"), NotationError, ["line 3: round 2 stands where round 1 should"]),
        (lines(DEAL, "01 Da WW"), NotationError, ["line 3: round 01 stands where round 1"]),
        (lines(DEAL, "\u0661 Da WW"), NotationError, ["line 3: round \u0661 stands where"]),
        (lines(DEAL, "9" * 5000 + " Da WW"), NotationError, ["stands where round 1 should be"]),
        (lines(DEAL, "1 Da"), NotationError, ["line 3", "expected number, time and cards"]),
        (lines(DEAL, "1 Da W W"), NotationError, ["line 3", "expected number, time and cards"]),
        (lines(DEAL, "1 Xx WW"), NotationError, ["line 3: 'Xx' is no time of day"]),
        (lines(DEAL, "1 Da WX"), NotationError, ["line 3: 'X' is no element"]),
        (lines(DEAL, "1 No WW"), NotationError, ["line 3: round 1: the time is Da, not No"]),
        (lines(DEAL, "1 Da W"), IllegalMoveError, ["line 3: round 1: 1 card for 2 players"]),
        (lines(DEAL, "1 Da WWW"), IllegalMoveError, ["line 3: round 1: 3 cards for 2 players"]),
        (
            lines(DEAL, "1 Da AW", "2 No AW"),
            IllegalMoveError,
            ["line 4: round 2: player 0 cannot play A", "legal are W, F, E"],
        ),
        (
            lines("deal WWFFAE/WWFFAE DaDaDaNo", "1 Da WW", "2 Da WW", "3 Da FF", "4 No FF")
            + "\n5 Da AA",
            IllegalMoveError,
            ["round 5: Da cannot be turned up", "line "],
        ),
        (lines(DEAL, *SIX, "7 Da WW"), NotationError, ["line 9: round 7", "no round after 6"]),
        (
            lines(DEAL, *FOUR, "tie-break WF"),
            GameError,
            ["a tie-break is recorded, but", "not over"],
        ),
        (lines(DEAL, *SIX, "tie-break"), IllegalMoveError, ["tie-break 1: 0 cards for 2 tied"]),
        (lines(DEAL, *SIX, "tie-break WX"), NotationError, ["line 9: 'X' is no element"]),
        (lines(DEAL, *SIX, "tie-break W F"), NotationError, ["line 9: ' ' is no element"]),
        (
            lines(DEAL, *SIX, "tie-break WF", "tie-break WF"),
            IllegalMoveError,
            ["tie-break 2: the tie-break is over: player 0 has won"],
        ),
        (lines(DEAL, *SIX, "tie-break WW", "6 No EE"), NotationError, ["line 10", "belong here"]),
        (None, NotationError, ["None is no text of a record"]),
        (b"Solaris", NotationError, ["is no text of a record"]),
        (5, NotationError, ["5 is no text of a record"]),
    ],
    ids=lambda value: str(value)[-40:],
)
def test_faults_of_a_record_are_named_with_their_line_or_round(text, error, faults):
    with pytest.raises(error) as refused:
        Record.parse(text)
    for fault in faults:
        assert fault in str(refused.value)


def test_no_tie_break_follows_a_game_that_has_a_winner():
    won = DRAWN.replace("1 Da WW", "1 Da WF").replace("3 Du FF", "3 Du FW")  # 2-1
    assert Record.parse(won).winner == 0
    with pytest.raises(IllegalMoveError, match="tie-break 1: the tie-break is over: player 0"):
        Record.parse(won + "tie-break WF")


@heavy
@given(records(rules(bonuses=True)))
def test_records_round_trip_and_replay(record):
    bonus = record.deal.rules.bonus
    again = Record.parse(str(record), bonus)
    assert again == record
    assert hash(again) == hash(record)
    assert str(again) == str(record)
    assert again.state == record.state == list(record.states())[-1]
    assert copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record
    ties = list(record.tie_break_states())
    if not record.state.is_over:
        assert record.winner is None
    elif not ties:
        assert record.state.points[record.winner] == max(record.state.points)
    else:
        assert record.winner == ties[-1].winner
        assert len(ties) == len(record.tie_breaks) + 1


@heavy
@given(st.data())
def test_a_damaged_record_is_read_or_refused(data):
    record = data.draw(records(rules(bonuses=True)))
    text = data.draw(damaged(str(record)))
    read = read_or_refused(lambda: Record.parse(text, record.deal.rules.bonus), GameError)
    if read is not None:
        assert Record.parse(str(read), record.deal.rules.bonus) == read


@light
@given(junk() | st.text())
def test_only_game_errors_come_out_of_record_parse(value):
    assert read_or_refused(lambda: Record.parse(value), GameError) is None
    if isinstance(value, str):
        read_or_refused(lambda: Record.parse(lines(value)), GameError)
        read_or_refused(lambda: Record.parse(lines(DEAL, value)), GameError)


def test_a_record_may_be_built_from_texts():
    deal = State.start("WWFFAE/WWFFAE", "DaNoDuMi")
    record = Record(deal, [PlayedRound("Da", "WF"), PlayedRound(1, ["Fire", 2])])
    assert record == Record.parse(str(record))
    assert hash(record) == hash(Record.parse(str(record)))
    assert record.rounds[1].cards == (Element.FIRE, Element.AIR)
    with pytest.raises(NotationError, match="None are no cards"):
        PlayedRound("Da", None)
    with pytest.raises(NotationError, match="'X' is no element"):
        Record(deal, (), ["WX"])
    with pytest.raises(FrozenInstanceError):
        record.deal = None


def test_a_record_starts_at_the_first_round_with_nothing_scored():
    with pytest.raises(GameError, match="a record starts at round 1"):
        Record(State.parse("WF/EE DaNoDuMiDa-- 3-2"))
    begun = State.parse("WWFFAE/WWFFAE DaNoDuMi---- 5-0", Rules(bonus=RepeatBonus()))
    with pytest.raises(GameError, match="with nothing scored"):
        Record(begun)


@pytest.mark.parametrize("name", ["echo", "a bonus", "bonus=bonus=", "players=3", "\u2600 x=y #"])
def test_the_name_of_a_bonus_is_recorded_and_another_refused(name):
    bonus = RepeatBonus(name=name)
    record = Record(State.start("WWFFAE/WWFFAE", "DaNoDuMi", Rules(bonus=bonus)))
    assert f"bonus={name}\n" in str(record)
    assert Record.parse(str(record), bonus) == record
    with pytest.raises(RulesError) as refused:
        Record.parse(str(record), RepeatBonus(name="other"))
    assert f"line 2: the record was played with bonus {name!r}" in str(refused.value)
    with pytest.raises(RulesError, match="but None is given"):
        Record.parse(str(record))


@pytest.mark.parametrize("text", [lines(DEAL), lines("rules players=2", DEAL)])
def test_a_record_without_a_bonus_refuses_one(text):
    with pytest.raises(RulesError, match="played with bonus None, but 'echo of the sun' is given"):
        Record.parse(text, RepeatBonus())


@heavy
@given(record=records(rules(bonuses=True)))
def test_saving_and_loading(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("records") / "game.txt"
    record.save(path)
    assert path.read_text(encoding="utf-8") == str(record)
    assert Record.load(path, record.deal.rules.bonus) == record
    assert Record.load(str(path), record.deal.rules.bonus) == record
    assert os.listdir(path.parent) == ["game.txt"]


@pytest.mark.parametrize("broken", ["replace", "text"])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, broken):
    path = tmp_path / "game.txt"
    old, new = Record.parse(DRAWN), Record.parse(DRAWN + "tie-break WE\n")
    old.save(path)

    def fail(*_):
        raise OSError("no space left")

    if broken == "replace":
        monkeypatch.setattr(os, "replace", fail)
    else:
        monkeypatch.setattr(Record, "__str__", fail)
    with pytest.raises(OSError, match="no space left"):
        new.save(path)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["game.txt"]
    assert Record.load(path) == old
    new.save(path)
    assert Record.load(path) == new


def test_load_names_the_file(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(lines(DEAL, "1 No WW"), encoding="utf-8")
    with pytest.raises(NotationError) as refused:
        Record.load(path)
    assert str(refused.value) == f"{path}: line 3: round 1: the time is Da, not No"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotationError) as refused:
        Record.load(path)
    assert str(refused.value) == f"{path}: line 1: this is no text"
    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        Record.load(tmp_path / "missing.txt")


def test_a_saved_file_may_be_read_by_whoever_may_read_other_files(tmp_path):
    plain, saved = tmp_path / "plain.txt", tmp_path / "game.txt"
    plain.write_text("", encoding="utf-8")
    Record.parse(DRAWN).save(saved)
    assert saved.stat().st_mode == plain.stat().st_mode
