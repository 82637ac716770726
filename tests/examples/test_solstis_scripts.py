"""The scripts that play and replay Solstis, run as their users do."""

import gzip
import io
import json
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from games.solstis import Rules, State
from games.solstis.record import record_game
from games.solstis.replay import first_difference, read_records

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "solstis"
PLAY = runpy.run_path(str(ROOT / "examples" / "solstis_play.py"))["main"]
REPLAY = runpy.run_path(str(ROOT / "examples" / "solstis_replay.py"))["main"]
BOTS = ["--players", "greedy", "uniform"]


def run(script, *arguments, **options):
    """Run a script in a process of its own."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "examples" / script), *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


@pytest.fixture
def answers(monkeypatch):
    """Return a function that sets what a person types, then the input ends."""

    def typed(*lines):
        rest = iter(lines)

        def answer(prompt):
            print(prompt, end="")
            try:
                return next(rest)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)

    return typed


# ---- replaying


def test_the_recorded_games_do_not_differ():
    process = run("solstis_replay.py", DATA / "games-beginner.jsonl.gz")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out == f"{DATA / 'games-beginner.jsonl.gz'}: 20 games, 0 differ\n"


@pytest.fixture
def changed(tmp_path):
    """Return a file of three games, of which the second is changed."""
    with gzip.open(DATA / "games-beginner.jsonl.gz", "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines][:3]
    games[1]["turns"][4]["decisions"][0]["options"].pop()
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(f"{json.dumps(game)}\n" for game in games), encoding="utf-8")
    return path


def test_the_first_difference_is_reported_and_sets_the_status(changed, capsys):
    assert REPLAY([str(changed)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    where = r"changed\.jsonl, line 2: beginner-g-0003, turn 5, decision 1: options: expected no "
    assert re.search(where + r"more, found \d-\d", lines[0])
    assert lines[1].endswith("changed.jsonl: 3 games, 1 differs")
    assert REPLAY(["--quiet", str(changed)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_unreadable_files_are_named_and_the_others_replayed(changed, tmp_path, capsys):
    odd = tmp_path / "odd.jsonl"
    odd.write_text('\n{"schema": 7}\n', encoding="utf-8")
    missing = tmp_path / "missing.jsonl"
    assert REPLAY([str(odd), str(missing), str(tmp_path), str(changed)]) == 2
    printed = capsys.readouterr()
    assert printed.out.endswith("in all: 3 games, 1 differs\n")
    errors = printed.err.splitlines()
    assert errors[0].startswith(f"solstis_replay.py: {odd}, line 2: no recorded game")
    assert errors[1] == f"solstis_replay.py: {missing}: No such file or directory"
    assert errors[2] == f"solstis_replay.py: {tmp_path}: Is a directory"
    assert len(errors) == 3


def test_replaying_nothing_is_an_error(capsys):
    with pytest.raises(SystemExit) as leaving:
        REPLAY([])
    assert leaving.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# ---- bots


def test_a_quiet_game_of_bots_prints_the_scores(capsys):
    assert PLAY([*BOTS, "--seed", "5", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(" ")
    assert re.search(r"total +\d+ +\d+\nPlayer \d wins by \d+ points\.\n$", out)


def test_the_same_seed_gives_the_same_game(capsys):
    printed = []
    for seed in ("5", "5", "6"):
        assert PLAY([*BOTS, "--seed", seed]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0] != printed[2]
    assert "Player 1 plays " in printed[0]
    assert "The game is over." in printed[0]
    assert "\x1b" not in printed[0]


@pytest.mark.parametrize("variant", ["base", "beginner", "firefly"])
@pytest.mark.parametrize("rules", ["sheet", "published"])
def test_saved_games_are_replayed(variant, rules, tmp_path, capsys):
    path = tmp_path / "game.jsonl.gz"
    options = ["--variant", variant, "--rules", rules, "--seed", "3", "--save", str(path)]
    assert PLAY(["--players", "uniform", "uniform", "--quiet", *options]) == 0
    ((_, record),) = read_records(path)
    assert record["variant"] == variant
    assert record["id"] == "seed-3"
    assert first_difference(record) is None
    assert REPLAY([str(path)]) == 0
    expected = Rules.published(variant) if rules == "published" else Rules(variant)
    assert State.from_dict(record) == State.new(3, expected)
    capsys.readouterr()


def test_a_game_that_cannot_be_saved_is_kept_elsewhere(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "games"
    folder.mkdir()
    path = folder / "game.json"
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    play = State.play

    def lost(state, action):
        shutil.rmtree(folder, ignore_errors=True)
        return play(state, action)

    monkeypatch.setattr(State, "play", lost)
    assert PLAY([*BOTS, "--seed", "5", "--quiet", "--save", str(path)]) == 2
    printed = capsys.readouterr()
    assert "wins by" in printed.out
    assert f"cannot write {path}: No such file" in printed.err
    (kept,) = tmp_path.glob("solstis-*/game.json")
    assert str(kept) in printed.err.replace("\n", "")
    assert REPLAY([str(kept)]) == 0


def test_a_game_saved_as_text_is_positions_and_actions(tmp_path, capsys):
    path = tmp_path / "game.txt"
    assert PLAY([*BOTS, "--seed", "5", "--quiet", "--save", str(path)]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    state = State.parse(lines[0])
    assert state == State.new(5)
    for action, position in zip(lines[1::2], lines[2::2], strict=True):
        assert action.startswith("  ")
        state = state.play(action.strip())
        assert str(state) == position
    assert state.kind == "end"
    capsys.readouterr()


# ---- persons


def test_a_person_plays_a_whole_game_through_a_pipe():
    process = run("solstis_play.py", "--seed", 5)
    out, err = process.communicate("1\n" * 200, timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "Player 1, 1 to 3 or help: 1\nPlayer 1 plays 3-4." in out
    assert "Player 1 (you), 0 points" in out
    assert "The game is over." in out
    assert "\x1b" not in out
    assert re.search(r"total +\d+ +\d+\n", out)


def test_a_person_sees_only_what_may_be_seen(answers, capsys):
    """The bot's hand never shows, and what it draws is not named."""
    answers(*["1"] * 200)
    assert PLAY(["--seed", "5", "--players", "uniform", "person"]) == 0
    out = capsys.readouterr().out.partition("The game is over.")[0]
    assert "Player 1 draws a tile." in out
    assert not re.search(r"Player 1 draws \d", out)
    assert re.search(r"Player 2 draws \d", out)
    hands = re.findall(r"^hand     (.{39})", out, re.MULTILINE)
    assert hands
    assert not any(re.search(r"\d", hand) for hand in hands)


def test_two_persons_at_one_keyboard(answers, capsys):
    answers(*["1"] * 6)
    assert PLAY(["--seed", "5", "--players", "person", "person"]) == 0
    out = capsys.readouterr().out
    assert "Player 2, 1 to" in out
    assert not re.search(r"Player \d draws \d", out)
    assert "The game is left unfinished." in out


def test_commands(answers, capsys):
    answers(
        "help", "score", "show", "undo", "", "x" * 99, "0", "99", "4-7", "undo", "PLAY_TILE 5-6"
    )
    assert PLAY(["--seed", "5"]) == 0
    out = capsys.readouterr().out
    assert "Type the number of a choice" in out
    assert "As it stands, it is a draw." in out
    assert "There is nothing of yours to take back." in out
    assert f"{'x' * 40!r} is no choice here." in out
    assert "'99' is no choice here." in out
    # Played, taken back, and played otherwise.
    plays = re.findall(r"Player 1 plays (\S+)\.", out)
    assert plays == ["4-7", "5-6"]
    assert out.count("  1  play 3-4") == 2


def test_quitting_keeps_the_game(answers, capsys, tmp_path):
    path = tmp_path / "game.json"
    answers("2", "1", "quit", "1")
    assert PLAY(["--seed", "5", "--save", str(path)]) == 0
    assert "The game is left unfinished." in capsys.readouterr().out
    ((_, record),) = read_records(path)
    assert record["unfinished"] is True
    assert record["policy"] == "person against greedy"
    assert first_difference(record) is None
    assert record["turns"][0]["decisions"][0]["chosen"] == "4-7"


def _heed_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_politely(tmp_path):
    path = tmp_path / "game.json"
    # Whoever runs the tests in the background may have told their processes to ignore Ctrl-C.
    process = run("solstis_play.py", "--seed", 5, "--save", path, preexec_fn=_heed_interrupts)
    out = ""
    while not out.endswith("or help: "):
        letter = process.stdout.read(1)
        assert letter
        out += letter
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "solstis_play.py: interrupted\n")
    assert json.loads(path.read_text(encoding="utf-8"))["turns"] == []


def test_a_terminal_without_the_signs_gets_ascii(answers, monkeypatch):
    written = io.BytesIO()
    answers()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert PLAY(["--seed", "5"]) == 0
    assert b"beneath  ???   ???" in written.getvalue()


def test_colours_only_on_a_terminal(monkeypatch, capsys, answers):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def colored(*arguments, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        answers("1")
        assert PLAY(["--seed", "5", *arguments]) == 0
        return "\x1b[" in capsys.readouterr().out

    assert colored()
    assert not colored("--no-color")
    assert not colored(TERM="dumb")
    assert not colored(TERM="xterm", NO_COLOR="1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--quiet"], "--quiet is for games of bots"),
        (["--players", "person"], "--players"),
        (["--players", "person", "robot"], "--players"),
        (["--variant", "long"], "--variant"),
        (["--rules", "mine"], "--rules"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "1.5"], "'1.5' is no seed"),
        (["--seed", "9" * 30], "no seed"),
        (["--save", "/nowhere/at/all.json"], "cannot write /nowhere/at/all.json"),
    ],
)
def test_bad_input_gives_one_clear_line(arguments, message, capsys):
    try:
        status = PLAY(arguments)
    except SystemExit as leaving:
        status = leaving.code
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    assert message in printed.err


@pytest.mark.parametrize("main", [PLAY, REPLAY])
def test_help_shows_an_example(main, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["--help"])
    assert leaving.value.code == 0
    assert "python examples/" in capsys.readouterr().out


def test_a_record_made_by_hand_is_replayed(tmp_path, capsys):
    record = record_game(State.new(5), ["play_tile 4-7", "capture 4-3@0"])
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert REPLAY([str(path)]) == 0
    capsys.readouterr()
