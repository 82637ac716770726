import csv
import io
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from games.clash import EXTRAS_LABELS, State
from solver.clash import solve_open

ROOT = Path(__file__).parents[2]
TABLE = runpy.run_path(str(ROOT / "examples" / "clash_play_table.py"))["main"]
EXPLAIN = runpy.run_path(str(ROOT / "examples" / "explain_clash.py"))["main"]


def run(script, *arguments, **options):
    """Run a script as a user does, from the checkout."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_explanation_runs_as_a_script():
    process = run("explain_clash.py", "WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "Play    Water 48.7%, Air 35.4%, Fire 15.9%; never Earth." in out


def test_the_table_runs_as_a_script():
    process = run("clash_play_table.py", "WF", "FE", "DaNoDuMi")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "You play   48.7%  15.9%  35.4%     0%" in out
    assert "Hands are taken as open" in out


def test_a_reader_that_stops_reading_ends_a_script_silently():
    process = run("clash_play_table.py", "--all", "DaNoDuMi", "--csv")
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), err) == (141, "")


def test_an_error_of_a_script_is_one_line():
    process = run("explain_clash.py", "WWFFAE/WFFAEE DaNoDuMi---- 3-0")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("explain_clash.py: 3 points cannot be reached in 0 rounds")


@pytest.mark.parametrize(
    ("main", "arguments", "message"),
    [
        (EXPLAIN, [], "required: position"),
        (EXPLAIN, ["WF/EE"], "WF/EE"),
        (EXPLAIN, ["WF/EEE DaNoDuMiDa-- 3-2"], "differ in size"),
        (EXPLAIN, ["WX/EE DaNoDuMiDa-- 3-2"], "no hand"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2 0-0"], "Sunburst is off"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--player", "2"], "--player"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--ante", "0"], "positive"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--ante", "nan"], "positive"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--ante", "two"], "no number"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--ante=2", "--objective=margin"], "margin"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--objective", "points"], "--objective"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--width", "5"], "width"),
        (TABLE, [], "expected extras and times"),
        (TABLE, ["WF"], "expected extras and times"),
        (TABLE, ["WF", "FE", "AA", "DaNoDuMi"], "expected extras and times"),
        (TABLE, ["WX", "DaNoDuMi"], "'WX' are no extras"),
        (TABLE, ["W", "DaNoDuMi"], "'W' are no extras"),
        (TABLE, ["WFA", "FE", "DaNoDuMi"], "'WFA' are no extras"),
        (TABLE, ["?", "FE", "DaNoDuMi"], "--all"),
        (TABLE, ["WF", "DaNoDu"], "3 times"),
        (TABLE, ["WF", "DaDaDaDa"], "cannot occur"),
        (TABLE, ["WF", "DaDaDaNo", "--time-deck", "distinct"], "cannot occur"),
        (TABLE, ["--all"], "--csv"),
        (TABLE, ["--all", "WF", "DaNoDuMi"], "too much"),
        (TABLE, ["--csv", "WF", "FE", "DaNoDuMi"], "put --csv last"),
        (TABLE, ["WF", "DaNoDuMi", "--csv", "/nowhere/at/all.csv"], "cannot write /nowhere"),
        (TABLE, ["WF", "DaNoDuMi", "--ante", "-1"], "positive"),
        (TABLE, ["WF", "DaNoDuMi", "--ante", "1e7"], "1e7 is too large: at most 1,000,000"),
        (EXPLAIN, ["WF/EE DaNoDuMiDa-- 3-2", "--ante", "1e300"], "too large"),
        (TABLE, ["WF", "DaNoDuMi", "--csv="], "--csv= names no file"),
        (TABLE, ["WWWFFF", "DaNoDuMi"], "WWWFFF cannot be held"),
        (TABLE, ["WF", "Dawm", "Noon", "Dusk", "Midnight"], "'wm' is no time of day (in 'Dawm')"),
        (TABLE, ["WF", "DaNoDuMi", "--csv", "a.csv", "--output", "b.csv"], "a.csv and to b.csv"),
        (TABLE, ["WF", "DaNoDuMi", "--csv", "--format", "json"], "as csv and as json"),
        (EXPLAIN, [str(ROOT / "README.md")], "README.md is a file"),
        (TABLE, ["--all", "DaNoDuMi", "--csv", "WWFFAE"], "put --csv last"),
        (EXPLAIN, ["WF", "FE", "DaNoDuMi"], "'FE' is no time of day"),
    ],
)
def test_bad_input_gives_one_clear_line(main, arguments, message, capsys):
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    assert message in printed.err


@pytest.mark.parametrize("arguments", [["W" * 5000], ["WF/EE " * 900], ["--player", "9" * 5000]])
def test_an_error_repeats_little_of_a_long_input(arguments, capsys):
    try:
        status = EXPLAIN(arguments)
    except SystemExit as leaving:
        status = leaving.code
    err = capsys.readouterr().err
    assert (status, err.count("\n")) == (2, 1)
    assert 100 < len(err) < 350


@pytest.mark.parametrize("main", [TABLE, EXPLAIN])
def test_closed_output_gives_one_line(main, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout", None)
    words = ["WF", "FE", "DaNoDuMi"] if main is TABLE else ["WF/EE DaNoDuMiDa-- 3-2"]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(": standard output is closed: nothing can be printed\n")


def test_ctrl_c_gives_one_line(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.clash.explanations.explanation.explain", interrupted)
    assert EXPLAIN(["WF/EE DaNoDuMiDa-- 3-2"]) == 130
    assert capsys.readouterr().err == "explain_clash.py: interrupted\n"


@pytest.mark.parametrize("main", [TABLE, EXPLAIN])
def test_help_shows_an_example(main, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["--help"])
    assert leaving.value.code == 0
    assert "python examples/" in capsys.readouterr().out


def test_a_position_in_words_and_with_empty_hands(capsys):
    assert EXPLAIN(["-/-", "DaNoDuMiDaNo", "7-5"]) == 0
    assert "The game is over." in capsys.readouterr().out
    assert EXPLAIN(["WF/FE", "DaNoDuMi----", "3-3", "2-0", "--sunburst", "once"]) == 0
    assert "Sunburst is on" in capsys.readouterr().out


def test_the_ante_and_the_seat(capsys):
    assert EXPLAIN(["WFAE/WFAE DaNoDuMi---- 2-0", "--ante", "10", "--player", "1"]) == 0
    out = capsys.readouterr().out
    value = -10 * solve_open("WFAE/WFAE DaNoDuMi---- 2-0").value
    assert f"Worth   {value:+.2f} at an ante of 10" in out
    assert "Opponent  1 Water, 1 Fire, 1 Air, 1 Earth   2 points" in out


@pytest.mark.parametrize("player", ["0", "1"])
def test_ten_columns_when_the_opponent_is_unknown(player, capsys):
    assert TABLE(["wf", "?", "DaNoDuMi", "--csv", "--player", player]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert [row["opponent"] for row in rows] == list(EXTRAS_LABELS)
    for row in rows:
        hands = ["WFAE+WF", f"WFAE+{row['opponent']}"]
        solution = solve_open(State.start(hands, "DaNoDuMi"))
        assert float(row["value"]) == pytest.approx(solution.value, abs=1e-9)
        mine = solution.strategy(solution.root, 0)
        assert [float(row[f"you_{card.letter}"]) for card in mine] == pytest.approx(
            list(mine.values()), abs=1e-9
        )
    assert TABLE(["WF", "DaNoDuMi", "--player", player]) == 0
    out = capsys.readouterr().out
    assert "blindly" in out
    assert "value  -0.172  0.000 -0.012 -0.140 +0.213 +0.114 -0.006 +0.189 -0.022 -0.157" in out


@pytest.mark.parametrize(
    "words",
    [
        ["WF", "DaNoDuMi", "FE"],
        ["DaNoDuMi", "wf", "fe"],
        ["WF", "FE", "Da", "No", "Du", "Mi"],
        ["WF", "FE", "Dawn", "noon", "Dusk", "Mi"],
        ["WF", "--player", "0", "FE", "--ante=1", "DaNoDuMi"],
        ["WWFFAE", "WFAE+FE", "DaNoDuMi"],
    ],
)
def test_times_stand_anywhere_and_hands_may_be_whole(words, capsys):
    assert TABLE(["WF", "FE", "DaNoDuMi"]) == 0
    expected = capsys.readouterr().out
    assert TABLE(words) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    "words",
    ["--format csv --output {}", "--output {}", "--csv {}", "--csv={}", "--csv --output {}"],
)
def test_csv_is_a_format(words, tmp_path, capsys):
    assert TABLE(["WF", "DaNoDuMi", "--csv"]) == 0
    printed = capsys.readouterr().out
    path = tmp_path / "table.csv"
    assert TABLE(["WF", "DaNoDuMi", *words.format(path).split()]) == 0
    assert (path.read_text(), capsys.readouterr().out) == (printed, "")


def test_all_hands_to_a_file(tmp_path, capsys):
    path = tmp_path / "all.csv"
    assert TABLE(["--all", "DaNoDuMi", f"--csv={path}", "--objective", "margin"]) == 0
    assert capsys.readouterr().out == ""
    rows = rows_of(path.read_text())
    assert len(rows) == 100
    values = {(row["you"], row["opponent"]): float(row["value"]) for row in rows}
    assert all(
        value == pytest.approx(-values[other, own]) for (own, other), value in values.items()
    )
    assert TABLE(["--all", "DaNoDuMi", "--sunburst", "once"]) == 0
    out = capsys.readouterr().out
    assert out.count("value ") == 10
    assert "Sunburst once" in out


def test_known_hidden_times_are_used(capsys):
    assert TABLE(["WF", "FE", "DaNoDuMiDaNo", "--csv"]) == 0
    (row,) = rows_of(capsys.readouterr().out)
    expected = solve_open("WWFFAE/WFFAEE DaNoDuMiDaNo 0-0").value
    assert float(row["value"]) == pytest.approx(expected, abs=1e-12)
