"""The script that writes games for other programs."""

import runpy
from pathlib import Path

import networkx as nx
import pytest

from games.solstis import State as SolstisState
from solver.clash.gambit import hidden_efg, round_nfg
from solver.solstis.gambit import ending_efg

ROOT = Path(__file__).parents[2]
MAIN = runpy.run_path(str(ROOT / "examples" / "export.py"))["main"]
ENDING = ROOT / "examples" / "positions" / "solstis-ending.txt"
ROUND = "WF/FE DaNoDuMiDa-- 3-2"
HANDS = (["WWF", "WFA"], ["WAE", "FAE"])


def test_rounds(capsys):
    assert MAIN(["nfg", ROUND, "--objective", "margin", "--exact"]) == 0
    assert capsys.readouterr().out == round_nfg(ROUND, "margin", exact=True)
    assert MAIN(["nfg", *ROUND.split()]) == 0
    assert capsys.readouterr().out == round_nfg(ROUND)


def test_hidden_hands(capsys):
    words = ["efg", "MiDaNoDaNoDu", "WWF,WFA", "WAE,FAE", "--points", "2-1"]
    assert MAIN(words) == 0
    assert capsys.readouterr().out == hidden_efg("MiDaNoDaNoDu", HANDS, points=(2, 1))


def test_endings(capsys, tmp_path):
    assert MAIN(["ending"]) == 0
    state = SolstisState.parse(ENDING.read_text().strip())
    assert capsys.readouterr().out == ending_efg(state)
    path = tmp_path / "ending.graphml"
    assert MAIN(["ending", str(ENDING), "--format", "graphml", "--output", str(path)]) == 0
    assert capsys.readouterr().out == ""
    graph = nx.read_graphml(path)
    assert graph.nodes[str(graph.graph["root"])]["value"] == "27/5"
    assert MAIN(["ending", *str(state).split(), "--format", "dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph {")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["pdf"], "invalid choice: 'pdf'"),
        (["nfg", "WF/EE"], "position 'WF/EE' has 1 field"),
        (["nfg", "WF/EE DaNoDuMi---- 3-2"], "the time of round 5 is due"),
        (["nfg", ROUND, "--output", ""], "no file is named"),
        (["nfg", ROUND, "--output", "nowhere/at/all.nfg"], "cannot write nowhere/at/all.nfg"),
        (["efg", "DaNo", "WF", "AE"], "'DaNo' has 2 times"),
        (["efg", "DaNoDuMi", "WZ", "AE"], "'WZ' is no hand"),
        (["efg", "DaNoDuMi", "WF,WFA", "AE"], "expected one size"),
        (["efg", "DaNoDuMi", "WF", "AE", "--points", "3"], "'3' are no points"),
        (["efg", "DaNoDuMi", "WWFFAE", "WFAEEE"], "the game has 180,662 nodes"),
        (["efg", "DaNoDuMi", "WF", "AE", "--max-nodes", "0"], "'0' is no whole number"),
        (["ending", "nowhere.txt"], "nowhere.txt: No such file"),
        (["ending", "--max-nodes", "5"], "max_nodes = 5 states"),
        (["ending", "rules=base"], "rules=base"),
    ],
)
def test_bad_input_gives_one_clear_line(words, message, capsys):
    try:
        status = MAIN(words)
    except SystemExit as leaving:
        status = leaving.code
    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert message in printed.err


def test_a_state_with_hidden_tiles_and_an_empty_file_are_refused(capsys, tmp_path):
    assert MAIN(["ending", str(SolstisState.new(5))]) == 2
    assert "only an ending in which nothing is hidden" in capsys.readouterr().err
    path = tmp_path / "empty.txt"
    path.write_text("")
    assert MAIN(["ending", str(path), "--format", "dot"]) == 2
    assert "the file is empty" in capsys.readouterr().err
