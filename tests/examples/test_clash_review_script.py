import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from games.clash import Record
from solver.clash import solve_hidden

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "clash_review.py"
GAME = ROOT / "examples" / "records" / "clash-game.txt"
MAIN = runpy.run_path(str(SCRIPT))["main"]
HANDS = [["WWFFAE", "WFAAEE"], ["WFAAEE", "WWWFAE"]]


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """The deal of the game with few possible hands, in a file."""
    path = tmp_path_factory.mktemp("deal") / "deal.npz"
    solve_hidden("DuDaDaMi", hands=HANDS, tolerance=0.02).save(path)
    return str(path)


def said(capsys, *arguments):
    assert MAIN([str(GAME), *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments):
    try:
        status = MAIN(list(arguments))
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err


def test_a_review_runs_as_a_script():
    command = [sys.executable, str(SCRIPT), str(GAME), "--worst", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Player 0 1 point, Player 1 3 points: Player 1 wins.\n")
    assert "1. round 1, Dusk, Player 1 loses 0.245 antes (exact)" in done.stdout
    assert "2. round" not in done.stdout


def test_options_change_what_is_told(capsys):
    text = said(capsys, "--brief", "--objective", "margin", "--worst", "0")
    assert "in points" in text
    assert "round  time" not in text
    assert "Worst moments" not in text
    assert "loses 2.45 at an ante of 10" in said(capsys, "--ante", "10")


def test_formats(capsys, tmp_path):
    data = json.loads(said(capsys, "--format", "json"))
    assert (data["format"], len(data["moments"])) == ("clash-review", 10)
    assert "# Solaris' Clash: a review" in said(capsys, "--format", "markdown")
    page = tmp_path / "page.html"
    assert said(capsys, "--format", "html", "--output", str(page)) == ""
    assert "Worst moments" in page.read_text()


def test_hidden_hands_from_a_solved_deal(capsys, solved):
    text = said(capsys, "--hands", "hidden", "--load", solved)
    assert "judged with hidden hands" in text
    assert "took Water and Fire" in text


def test_what_is_wrong_is_said_in_one_line(capsys, tmp_path, solved):
    bad = tmp_path / "game.txt"
    bad.write_text(GAME.read_text().replace("3 Da AA", "3 Da AX"))
    assert f"{bad}: line 6: " in refused(capsys, str(bad))
    bad.write_text(GAME.read_text().replace("3 Da AA", "3 Da FF"))
    assert f"{bad}: line 6: round 3: player 0 cannot play F" in refused(capsys, str(bad))
    three = "Solaris' Clash record 1\nrules players=3\ndeal WWFFAE/WFFAEE/WFAAEE DaNoDuMi"
    bad.write_text(three)
    assert "two players, not 3" in refused(capsys, str(bad))
    assert "no.txt: No such file" in refused(capsys, str(tmp_path / "no.txt"))
    game = str(GAME)
    assert "--load is for --hands hidden" in refused(capsys, game, "--load", solved)
    assert "--tolerance is for --hands hidden" in refused(capsys, game, "--tolerance", "1")
    hidden = (game, "--hands", "hidden", "--load", solved)
    assert "--tolerance is for a new search" in refused(capsys, *hidden, "--tolerance", "1")
    assert "for the objective win, not margin" in refused(capsys, *hidden, "--objective", "margin")
    assert "is no whole number from 0" in refused(capsys, game, "--worst", "-1")
    assert "is no whole number from 60" in refused(capsys, game, "--width", "5")
    assert "ante" in refused(capsys, game, "--objective", "margin", "--ante", "2")


def test_help_does_not_load_the_solvers():
    code = (
        f"import runpy, sys; main = runpy.run_path({str(SCRIPT)!r})['main']\n"
        "try: main(['--help'])\n"
        "except SystemExit: print('numba' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_the_record_that_is_shipped_is_a_whole_game():
    assert Record.load(GAME).winner == 1
