"""``--format`` and ``--output``: what scripts write, and where."""

import errno
import io
import json
import runpy
import sys
from pathlib import Path

import pytest
from numba import njit

import solver.command_line
from solver.command_line import Parser, add_output, run
from solver.document import FORMATS
from tests.document_readers import Page, markdown_tables

ROOT = Path(__file__).parents[2]
BOOK = str(ROOT / "examples" / "books" / "clash-win-rounds-1-3.book")
ENDING = str(ROOT / "examples" / "positions" / "solstis-ending.txt")
GAMES = str(ROOT / "tests" / "data" / "solstis" / "games-beginner.jsonl.gz")
TWO = ("--prior", "WF=0.5,WA=0.5", "--tolerance", "0.02")
CALLS = [
    ("explain_clash.py", ["WF/EE DaNoDuMiDa-- 3-2"]),
    ("clash_play_table.py", ["WF", "FE", "DaNoDuMi"]),
    ("clash_play_table.py", ["WF", "DaNoDuMi"]),
    ("explain_solstis.py", [ENDING]),
    ("explain_solstis.py", ["--draw", "--depth", "0", "--samples", "4"]),
    ("solstis_review.py", [GAMES, "--game", "2", "--depth", "0", "--samples", "2"]),
    ("clash_hidden.py", ["extras", "--book", BOOK]),
    ("clash_hidden.py", ["deal", "DaNoDuMi", *TWO]),
    ("clash_hidden.py", ["follow", "DaNoDuMi", "WF", "WA", *TWO]),
]
KINDS = {
    "explain_clash.py": "clash-explanation",
    "clash_play_table.py": "clash-play-table",
    "explain_solstis.py": "solstis-explanation",
    "solstis_review.py": "solstis-review",
    "extras": "clash-extras",
    "deal": "clash-deal",
    "follow": "clash-followed-game",
}


def main_of(script):
    return runpy.run_path(str(ROOT / "examples" / script))["main"]


@pytest.mark.parametrize(("script", "arguments"), CALLS)
def test_every_script_writes_every_format(script, arguments, capsys, tmp_path):
    main = main_of(script)
    written = {}
    for form in FORMATS:
        path = tmp_path / form
        assert main([*arguments, "--format", form, "--output", str(path)]) == 0
        assert capsys.readouterr().out == ""
        written[form] = path.read_text(encoding="utf-8")
        assert written[form].endswith("\n")
        assert not written[form].endswith("\n\n")
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == written["text"].splitlines()[0]
    assert "Sure" in written["text"] or script in ("solstis_review.py", "clash_play_table.py")
    data = json.loads(written["json"])
    assert (data["format"], data["version"]) == (KINDS.get(script) or KINDS[arguments[0]], 1)
    assert len(Page(written["html"]).tables) == len(markdown_tables(written["markdown"])) > 0
    assert written["markdown"].startswith("# Sol")


def test_json_is_short_for_the_format(capsys):
    main = main_of("explain_solstis.py")
    for words in (["--json"], ["--format", "json"], ["--format", "json", "--json"]):
        assert main([ENDING, *words]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["format"], data["value"]) == ("solstis-explanation", "27/5")


def test_an_old_file_stays_until_the_new_one_is_complete(tmp_path, capsys):
    path = tmp_path / "page.html"
    path.write_text("old")
    main = main_of("explain_clash.py")
    assert main(["no position", "--output", str(path)]) == 2
    assert (path.read_text(), [*tmp_path.iterdir()]) == ("old", [path])
    assert main(["F/A DaNoDuMiDaNo 3-4", "--format", "html", "--output", str(path)]) == 0
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert [*tmp_path.iterdir()] == [path]
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "text"),
        (["--output", "page.html"], "html"),
        (["--output", "page.HTM"], "html"),
        (["--output", "page.md"], "markdown"),
        (["--output", "data.json"], "json"),
        (["--output", "page.txt"], "text"),
        (["--output", "page.pdf", "--format", "html"], "html"),
        (["--output", "page"], "text"),
        (["--output", "page.html", "--format", "text"], "text"),
    ],
)
def test_the_ending_of_the_file_tells_the_format(words, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = Parser(prog="example.py")
    add_output(options)
    assert run(lambda arguments: arguments.format, options, words) == 0
    written = [path.read_text() for path in tmp_path.iterdir()] or [capsys.readouterr().out]
    assert written == [f"{expected}\n"]


def test_on_a_terminal_compiling_is_told_once(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    def work(_):
        return str(njit(lambda x: x + 1)(1) + njit(lambda x: x + 2)(1))

    assert run(work, Parser(prog="example.py"), []) == 0
    printed = capsys.readouterr()
    told = "example.py: compiling, this once: it can take a minute\n"
    assert (printed.out, printed.err) == ("5\n", told)
    monkeypatch.undo()
    assert run(work, Parser(prog="silent.py"), []) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--output", ""], "no file is named"),
        (["--output", "nowhere/at/all.html"], "nowhere/at/all.html: its folder does not exist"),
        (
            ["--output", "data.csv"],
            "cannot write data.csv as .csv: choose one of .htm, .html, .json",
        ),
        (["--output", "page.pdf"], "or add --format"),
        (["--output", "."], "cannot write .: "),
        (["--output"], "expected one argument"),
        (["--format", "pdf"], "invalid choice: 'pdf'"),
        (["--format", ""], "invalid choice"),
    ],
)
def test_bad_requests_give_one_line_before_the_work(words, message, capsys):
    options = Parser(prog="example.py")
    add_output(options)

    def work(_):
        pytest.fail("the work was begun")

    try:
        status = run(work, options, words)
    except SystemExit as leaving:
        status = leaving.code
    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert message in printed.err


def test_a_full_disk_and_a_device(tmp_path, capsys, monkeypatch):
    options = Parser(prog="example.py")
    add_output(options)
    assert run(lambda _: "text", options, ["--output", "/dev/null"]) == 0
    path = tmp_path / "page.txt"

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert run(lambda _: "text", options, ["--output", str(path)]) == 2
    assert "No space left" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_what_is_read_is_never_written_over(tmp_path, capsys):
    game = tmp_path / "game.txt"
    game.write_bytes((ROOT / "examples" / "records" / "clash-game.txt").read_bytes())
    before = game.read_bytes()
    review = main_of("clash_review.py")
    assert review([str(game), "--output", str(tmp_path / "." / "game.txt")]) == 2
    assert "is the file that is read" in capsys.readouterr().err
    assert game.read_bytes() == before
    ending = tmp_path / "ending.txt"
    ending.write_bytes(Path(ENDING).read_bytes())
    for script, words in (("explain_solstis.py", []), ("export.py", ["ending", "--format", "dot"])):
        assert main_of(script)([*words, str(ending), "--output", str(ending)]) == 2
    assert ending.read_bytes() == Path(ENDING).read_bytes()


def test_signs_that_an_output_lacks_are_put_in_ascii(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, "cp1252"))
    assert run(lambda _: "▄▄▄ ± 0.1\n█△█ é", Parser(prog="example.py"), []) == 0
    sys.stdout.flush()
    assert written.getvalue().decode("ascii").split() == ["___", "+-", "0.1", "#^#", "?"]


def test_the_parser_offers_what_can_be_written():
    assert solver.command_line.FORMATS is FORMATS
