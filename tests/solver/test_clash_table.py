"""The table of everything: what it holds, how it is probed, and its file."""

import csv
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clash import Rules, State, face_up_sequences, full_hands
from solver.clash import OpenTable, solve_open, solve_table
from solver.clash.outlook import Outlook
from solver.clash.stages import Positions
from solver.clash.values import solve_arrays_from
from solver.errors import SolverError, StateError, TableError
from tests.strategies import RepeatBonus, reachable_states

ROUND_5 = "WF/EE DaNoDuMiDa-- 3-2"


@pytest.fixture(scope="module")
def margin_table():
    return solve_table("margin")


@pytest.fixture(scope="module")
def win_table():
    return solve_table("win")


def all_deals(rules):
    """Every deal as arrays, built here without the table's own code."""
    outlooks = [
        Outlook.of(State.start(["WFAEWW", "WFAEWW"], row, rules))
        for row in face_up_sequences(rules.time_deck)
    ]
    hand0, hand1, outlook = np.indices((10, 10, len(outlooks))).reshape(3, -1)
    return outlooks, Positions((hand0, hand1), outlook, outlook * 0, outlook * 0)


@pytest.mark.parametrize(
    ("objective", "rules", "games"),
    [
        ("margin", Rules(), 411_884),
        pytest.param("win", Rules(), 1_426_460, marks=pytest.mark.slow),
        pytest.param("margin", Rules(sunburst="restarting"), 1_084_436, marks=pytest.mark.slow),
    ],
)
def test_different_matrix_games_are_as_many_as_an_independent_count(objective, rules, games):
    outlooks, start = all_deals(rules)
    streaks = (0, 0) if rules.sunburst != "off" else ()
    full = solve_arrays_from(
        rules, objective, 6, outlooks, [(streaks, None)], start, symmetric=False
    )
    assert full.games == games
    table = solve_table(objective, rules)
    assert games / 8 < table.games < games / 7


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(time_deck="distinct"),
        Rules(sunburst="restarting"),
        Rules(time_deck="distinct", sunburst="restarting"),
    ],
    ids=str,
)
@pytest.mark.parametrize("objective", ["win", "margin"])
def test_probing_agrees_with_solving(objective, rules):
    table = solve_table(objective, rules)

    @settings(deadline=None, max_examples=12)
    @given(reachable_states(st.just(rules)))
    def agrees(state):
        root = state if state.times[4] is None or state.round >= 5 else None
        if root is None or (state.round == 5 and state.times[5] is not None):
            return
        found, alone = table.probe(state), solve_open(state, objective).entry(state)
        assert found.value == pytest.approx(alone.value, abs=1e-12)
        if found.matrix is not None:
            np.testing.assert_allclose(found.matrix, alone.matrix, atol=1e-12)
            for player in (0, 1):
                assert found.strategies[player] == pytest.approx(alone.strategies[player], abs=1e-9)

    agrees()


def test_every_deal_has_its_value(margin_table):
    values = margin_table.start_values()
    assert values.shape == (10, 10, 252)
    assert np.abs(values + values.transpose(1, 0, 2)).max() < 1e-12
    hands, rows = list(full_hands().values()), list(face_up_sequences())
    state = State.start([hands[3], hands[7]], rows[100])
    assert values[3, 7, 100] == pytest.approx(solve_open(state, "margin").value, abs=1e-12)


def test_probe_raises_and_get_takes_a_default(win_table):
    known_early = State.parse("WF/EE DaNoDuMiDaNo 3-2")
    with pytest.raises(TableError, match="cannot arise in play"):
        win_table.probe(known_early)
    assert win_table.get(known_early) is None
    assert win_table.get(known_early, 7) == 7
    assert win_table.get(State.parse(ROUND_5)).value == pytest.approx(0, abs=1e-9)
    unreachable = State.parse("WWWA/WFAE DaNoDuMi---- 4-0")  # Fire and Earth were played
    assert win_table.get(unreachable, "no") == "no"


def test_other_rules_are_refused_not_answered(win_table):
    other = State.parse(ROUND_5, Rules(time_deck="distinct"))
    for ask in (win_table.probe, lambda state: win_table.get(state, 0)):
        with pytest.raises(TableError, match="the table is for 2 players, independent"):
            ask(other)
    with pytest.raises(StateError, match="two players"):
        win_table.probe(State.parse("W/F/A DaNoDuMiDaNo 0-0-0", Rules(players=3)))
    with pytest.raises(StateError, match="no State"):
        win_table.probe(5)
    assert win_table.probe(ROUND_5).value == win_table.probe(State.parse(ROUND_5)).value


def test_an_entry_says_why_there_is_no_strategy(win_table):
    due = win_table.probe(State.parse("WF/EE DaNoDuMi---- 3-2"))
    assert due.matrix is None
    with pytest.raises(StateError, match="round 5 is due"):
        _ = due.row
    over = win_table.probe(State.parse("-/- DaNoDuMiDaNo 7-5"))
    with pytest.raises(StateError, match="over"):
        _ = over.column


def test_saved_and_loaded_answers_are_the_same(tmp_path, win_table):
    path = tmp_path / "win.npz"
    win_table.save(path)
    again = OpenTable.load(path)
    assert (again.rules, again.objective, len(again), again.games) == (
        win_table.rules,
        "win",
        len(win_table),
        win_table.games,
    )
    for text in (ROUND_5, "WWFFAE/WFFAEE DaNoDuMi---- 0-0", "WFAE/FAAE DaDaDuMi---- 1-3"):
        state = State.parse(text)
        first, second = win_table.probe(state), again.probe(state)
        assert (first.value, first.strategies) == (second.value, second.strategies)
    assert path.stat().st_size < 2_000_000
    assert [file.name for file in tmp_path.iterdir()] == ["win.npz"]


def test_a_file_for_something_else_is_refused(tmp_path, margin_table):
    path = tmp_path / "margin.npz"
    margin_table.save(path)
    with pytest.raises(TableError, match="objective 'margin', not for 'win'"):
        OpenTable.load(path, objective="win")
    with pytest.raises(TableError, match="was made for the rules"):
        OpenTable.load(path, Rules(sunburst="restarting"))
    with pytest.raises(FileNotFoundError):
        OpenTable.load(tmp_path / "none.npz")


def rewritten(path, change):
    """Write a table's file again with its header changed."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    header = json.loads(arrays["header"].tobytes())
    change(header, arrays)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda header, arrays: header.update(version=99), "format version 99"),
        (lambda header, arrays: header.update(format="chess"), "'chess', not a table"),
        (lambda header, arrays: header.update(objective="money"), "damaged"),
        (lambda header, arrays: header.update(rules=None), "damaged"),
        (lambda header, arrays: header["rules"].update(sunburst="maybe"), "damaged"),
        (lambda header, arrays: header["rules"].update(bonus="mine"), "pass rules that have it"),
        (lambda header, arrays: header.pop("stages"), "damaged"),
        (lambda header, arrays: header["stages"][0].update(size="six"), "damaged"),
        (lambda header, arrays: header["stages"][0].update(outlooks=[[[1], ["Xx"]]]), "damaged"),
        (lambda header, arrays: arrays.pop("values2"), "damaged"),
        (lambda header, arrays: arrays.update(values0=np.zeros(3)), "damaged"),
    ],
)
def test_a_wrong_header_is_named(tmp_path, margin_table, change, fault):
    path = tmp_path / "margin.npz"
    margin_table.save(path)
    rewritten(path, change)
    with pytest.raises(TableError, match=fault):
        OpenTable.load(path)


def test_damaged_files_are_refused(tmp_path, margin_table):
    path = tmp_path / "margin.npz"
    margin_table.save(path)
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    for content in (b"", b"hello", whole[:1000], whole[:-1], whole[1:]):
        path.write_bytes(content)
        with pytest.raises(TableError, match="damaged"):
            OpenTable.load(path)
    for place in random.integers(60, len(whole) - 1000, 25):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            again = OpenTable.load(path)
        except TableError:
            continue
        # A byte between the members of the archive means nothing; then all values are right.
        assert all(map(np.array_equal, again.stored.values, margin_table.stored.values))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("header.npy", "nonsense")
    with pytest.raises(TableError, match="damaged"):
        OpenTable.load(path)


def test_a_failed_save_leaves_the_old_file(tmp_path, margin_table, monkeypatch):
    path = tmp_path / "margin.npz"
    path.write_text("old")

    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk full"):
        margin_table.save(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["margin.npz"]


@pytest.mark.slow
def test_uniqueness_is_that_of_the_exact_games(margin_table):
    # All positions of the table in which two cards tie up to rounding but not to the bit.
    tied = 0
    for round_number in (2, 3, 4, 5):
        for found in margin_table.entries(round_number):
            if found.matrix is None or found.matrix.size < 2:
                continue
            rounded = found.matrix.round(12)
            if len(np.unique(found.matrix)) == len(np.unique(rounded)):
                continue
            tied += 1
            if tied % 40 == 1:
                exact = solve_open(found.state, "margin", exact=True).entry(found.state)
                assert found.unique == exact.unique
                assert found.row == pytest.approx(exact.row, abs=1e-9)
                assert found.column == pytest.approx(exact.column, abs=1e-9)
    assert tied


def test_csv_says_what_probing_says(tmp_path, margin_table):
    path = tmp_path / "margin.csv"
    margin_table.to_csv(path)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    choices = [stage for stage in margin_table.stored.stages if stage.size > 1]
    assert len(rows) == sum(len(stage.codes) for stage in choices)
    for row in rows[:: len(rows) // 60]:
        found = margin_table.probe(State.parse(row["state"]))
        assert float(row["value"]) == pytest.approx(found.value, abs=1e-12)
        for player, who in enumerate(("row", "column")):
            told = {k[-1]: float(p) for k, p in row.items() if k.startswith(f"{who}_") and p}
            if found.strategies is None:
                assert not told
            else:
                mix = {card.letter: p for card, p in found.strategies[player].items()}
                assert told == pytest.approx(mix, abs=1e-9)
        assert row["unique"] == str(int(found.unique))


def test_the_sixth_round_is_forced_in_the_csv(tmp_path, margin_table):
    path = tmp_path / "last.csv"
    margin_table.to_csv(path, rounds=(6,))
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["state"].split()[1][-2:] != "--"]
    hand = rows[0]["state"][0]
    assert rows[0][f"row_{hand}"] == "1.0"


def test_a_bonus_of_ones_own_is_recorded_by_name(tmp_path):
    rules = Rules(bonus=RepeatBonus())
    root = State.parse("WF/EE DaNoDuMiDa-- 3-2 memory=(4, (1, 2))", rules)
    stored = solve_open(root).values
    path = tmp_path / "bonus.npz"
    OpenTable(stored, 0.0).save(path)
    assert OpenTable.load(path, rules).probe(root).value == stored.value(root)
    with pytest.raises(TableError, match="echo of the sun"):
        OpenTable.load(path)
    with pytest.raises(TableError, match="was made for the rules"):
        OpenTable.load(path, Rules(bonus=RepeatBonus(name="another")))


def test_a_memory_that_cannot_be_written_is_refused(tmp_path):
    class Opaque(RepeatBonus):
        def step(self, memory, cards, time, points_this_round):
            return frozenset(cards), (0, 0)

    root = State.parse(ROUND_5, Rules(bonus=Opaque(start=frozenset())))
    with pytest.raises(TableError, match="cannot be written"):
        OpenTable(solve_open(root).values, 0.0).save(tmp_path / "bonus.npz")
    assert not list(tmp_path.iterdir())


def test_wrong_wishes_are_refused():
    with pytest.raises(SolverError, match="objective is 'money'"):
        solve_table("money")
    with pytest.raises(StateError, match="two players, not 4"):
        solve_table(rules=Rules(players=4))
