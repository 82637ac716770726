"""The scripts that explain and review Solstis, run as their users do."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from games.solstis import State

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "solstis"
GAMES = str(DATA / "games-beginner.jsonl.gz")
ENDING = str(ROOT / "examples" / "positions" / "solstis-ending.txt")
EXPLAIN = runpy.run_path(str(ROOT / "examples" / "explain_solstis.py"))["main"]
REVIEW = runpy.run_path(str(ROOT / "examples" / "solstis_review.py"))["main"]
SMALL = ["--depth", "0", "--samples", "4"]


def run(script, *arguments):
    """Run a script in a process of its own."""
    return subprocess.run(
        [sys.executable, str(ROOT / "examples" / script), *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_without_an_argument_the_example_is_explained():
    process = run("explain_solstis.py", *SMALL)
    assert (process.returncode, process.stderr) == (0, "")
    labels = re.findall(r"^([A-Z][a-z]+) {2,}", process.stdout, re.MULTILINE)
    assert labels == ["Play", "Worth", "Moves", "Line", "Builds", "Draws", "Sure"]


def test_a_review_as_a_script():
    process = run("solstis_review.py", GAMES, "--game", "2", *SMALL, "--brief")
    assert (process.returncode, process.stderr) == (0, "")
    assert "Worst moments" in process.stdout
    found = {
        row: [
            float(number)
            for number in re.findall(
                rf"^ *{row}.*?([+-]?[\d.]+) +([+-]?[\d.]+)$", process.stdout, re.MULTILINE
            )[0]
        ]
        for row in ("result", "luck", "skill")
    }
    for player in (0, 1):
        total = found["luck"][player] + found["skill"][player]
        assert total == pytest.approx(found["result"][player], abs=0.011)


def test_an_ending_is_exact_from_text_file_and_json(tmp_path, capsys):
    text = Path(ENDING).read_text(encoding="utf-8").strip()
    path = tmp_path / "ending.json"
    path.write_text(json.dumps(State.parse(text).to_dict()), encoding="utf-8")
    printed = []
    for words in ([ENDING], [text], text.split(), [str(path)]):
        assert EXPLAIN([*words, "--exact"]) == 0
        printed.append(re.sub(r"\(\d+\.\d s\)", "", capsys.readouterr().out))
    assert len(set(printed)) == 1
    assert "exactly 27/5" in printed[0]
    assert "424 positions" in printed[0]


def test_the_other_player_and_data(capsys):
    assert EXPLAIN([ENDING, "--player", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["value"] == "-27/5"
    assert data["certainty"]["exact"] is True
    assert EXPLAIN([ENDING, "--draw"]) == 0
    assert "1   2   3   4" in capsys.readouterr().out


def test_a_recorded_ending_and_a_recorded_game(capsys):
    assert EXPLAIN([str(DATA / "endgames.json"), "--game", "8"]) == 0
    assert "Exact: " in capsys.readouterr().out
    place = ["--game", "2", "--turn", "3"]
    assert EXPLAIN([GAMES, *place, *SMALL, "--objective", "win"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Player 1 plays a tile.")
    assert "to win (a draw counts half)" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt: no such file, and no position"),
        (["rules=base"], "explain_solstis.py: "),
        ([GAMES, "--game", "99"], "there is no game 99, only 20"),
        ([GAMES, "--turn", "99"], "there is no decision 1 of turn 99"),
        ([str(DATA / "endgames.json"), "--game", "999"], "there is no position 999"),
        (["--exact"], "only an ending in which nothing is hidden has an exact answer"),
        (["--turn", "2"], "solstis-middle.txt: --turn is of recorded games"),
        ([ENDING, "--game", "2"], "solstis-ending.txt: --game is of recorded games"),
        ([str(DATA / "endgames.json"), "--decision", "1"], "--decision is of recorded games"),
        ([str(ROOT / "README.md")], "README.md: '#' is no part of a position"),
        ([ENDING, "--exact", "--objective", "win"], "--exact counts points"),
        (["--player", "2", *SMALL], "nothing to decide"),
        (["--player", "3"], "--player"),
        (["--samples", "0"], "whole number from 1"),
        (["--seconds", "x"], "no number"),
        (["--depth", "13", "--samples", "2"], "depth"),
    ],
)
def test_bad_input_gives_one_clear_line(arguments, message, capsys):
    try:
        status = EXPLAIN(arguments)
    except SystemExit as leaving:
        status = leaving.code
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    assert message in printed.err


@pytest.mark.parametrize(
    "content", ["", "{", "[1]", '{"positions": 3}', '{"schema": 7}', "\x00\xff"]
)
def test_odd_files_give_one_clear_line(content, tmp_path, capsys):
    path = tmp_path / "odd.json"
    path.write_text(content, encoding="utf-8")
    for main in (EXPLAIN, REVIEW):
        assert main([str(path)]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_a_review_refuses_what_is_no_game(capsys):
    assert REVIEW([GAMES, "--game", "99"]) == 2
    assert "there is no game 99" in capsys.readouterr().err
    assert REVIEW([GAMES, "--json", "--depth", "0", "--samples", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    one = data["summaries"][0]
    assert one["luck"] + one["gained"] - one["lost"] == pytest.approx(one["result"])


@pytest.mark.parametrize("main", [EXPLAIN, REVIEW])
def test_help_shows_an_example(main, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["--help"])
    assert leaving.value.code == 0
    assert "python examples/" in capsys.readouterr().out
