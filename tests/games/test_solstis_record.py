"""Records of played games, written, replayed and damaged."""

import copy
import gzip
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import GameError, IllegalMoveError, NotationError, PositionError
from games.solstis import Rules, State
from games.solstis.record import SCHEMA, record_game
from games.solstis.replay import first_difference, read_records
from tests.solstis_strategies import ALL_RULES, VARIANTS, choices, mutated, seeds


def played(seed, rules):
    """Return the start of a random game and what was played."""
    rng = random.Random(seed)
    state = start = State.new(seed, rules)
    actions = []
    while state.kind != "end":
        actions.append(rng.choice(choices(state)))
        state = state.play(actions[-1])
    return start, actions


RECORD = record_game(*played(4, Rules.published("firefly")))


@settings(max_examples=15, deadline=None)
@given(seeds, st.sampled_from(ALL_RULES))
def test_a_played_game_is_replayed_without_a_difference(seed, rules):
    start, actions = played(seed, rules)
    record = json.loads(json.dumps(record_game(start, actions)))
    assert first_difference(record) is None
    half = record_game(start, actions[: len(actions) // 2])
    assert half["unfinished"] is True
    assert first_difference(half) is None


def test_rules_are_written_unless_they_are_the_published_ones():
    for variant in VARIANTS:
        assert "rules" not in record_game(*played(1, Rules.published(variant)))
        assert record_game(*played(1, Rules(variant)))["rules"] == Rules(variant).to_dict()


def test_only_starts_are_recorded():
    start, actions = played(2, Rules())
    for state in (start.play(actions[0]), start.unordered(), None):
        with pytest.raises(PositionError, match="no start of a game"):
            record_game(state, [])
    with pytest.raises(IllegalMoveError):
        record_game(start, ["play_tile 1-1", "play_tile 1-1"])


def damage(record, path, value):
    record = copy.deepcopy(record)
    *outer, last = path
    holder = record
    for part in outer:
        holder = holder[part]
    if value is None:
        del holder[last]
    else:
        holder[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["setup"], None, "game: record: expected 'setup', found nothing of that name"),
        (["setup", "pile", 0], "9-9", "game: setup: expected a start of a game, found '9-9'"),
        (["turns"], {}, "game: record: expected 'turns' to be a list, found {}"),
        (["turns", 2], 5, "game, turn 3: record: expected an object, found 5"),
        (["turns", 2, "player"], 2, "game, turn 3: turn: expected a turn of player 2, found play"),
        (["turns", 2, "after", "pile"], 3, "game, turn 3: position, pile: expected 3, found"),
        (["turns", 2, "after", "line"], ["Bee"], 'line: expected ["Bee"], found []'),
        (["turns", 2, "decisions", 0, "k"], "deer", "turn 3, decision 1: kind: expected deer"),
        (["turns", 2, "decisions", 0, "p"], 2, "decision 1: decider: expected player 2"),
        (["turns", 2, "decisions", 0, "chance"], True, "decider: expected chance, found play_tile"),
        (["turns", 2, "decisions", 0, "options", 0], "1-1", "options: expected 1-1 too, found"),
        (["turns", 2, "decisions", 0, "options", 0], {}, "options: expected {} too, found"),
        (["turns", 2, "decisions", 0, "chosen"], "1-1", "chosen: expected a legal option, found"),
        (["turns", 2, "decisions", 0, "chosen"], 7, "'chosen' to be a text, found 7"),
        (["turns", 2, "decisions"], [], "game, turn 3: turn: expected its end, found play_tile"),
        (["turns", 30], None, ""),
        (["end"], None, "game: record: expected 'end', found nothing of that name"),
        (["end", "winner"], 5, "game: winner: expected 5, found"),
        (["end", "scores", "1", "total"], 99, "game: scores, 1, total: expected 99, found"),
        (["end", "state", "removed"], ["1-1"], "game: final position, removed: expected"),
        (["id"], "an\x1b[31m id", "an\\x1b[31m id"),
    ],
)
def test_the_first_difference_is_named(path, value, words):
    record = RECORD
    if path == ["id"]:
        record = damage(record, ["end", "winner"], 5)
    if path == ["turns", 30]:
        path, words = ["turns", len(record["turns"]) - 1], "game: end: expected the end of the game"
    text = str(first_difference(damage(record, path, value)))
    assert words in text
    assert len(text) < 500


def test_decisions_after_the_end_of_a_turn_or_of_the_game():
    record = copy.deepcopy(RECORD)
    decisions = record["turns"][1]["decisions"]
    decisions.append(decisions[-1])
    assert "one more in this turn, found the turn is over" in str(first_difference(record))
    record = copy.deepcopy(RECORD)
    record["turns"].append(record["turns"][-1])
    assert "expected a turn of player" in str(first_difference(record))
    record = copy.deepcopy(RECORD)
    record["endphase"] = record.get("endphase", []) + record["turns"][0]["decisions"]
    assert "expected a decision after the last turn" in str(first_difference(record))


@settings(max_examples=40, deadline=None)
@given(mutated(RECORD))
def test_a_damaged_record_is_a_difference_or_none_at_all(record):
    if isinstance(record, dict):
        found = first_difference(record)
        assert found is None or str(found).isprintable()


@pytest.mark.parametrize("packed", [False, True])
def test_files_of_records(tmp_path, packed):
    path = tmp_path / "games"
    text = f"{json.dumps(RECORD)}\n\n{json.dumps(RECORD)}\n".encode()
    path.write_bytes(gzip.compress(text, mtime=0) if packed else text)
    assert [line for line, _ in read_records(path)] == [1, 3]
    assert all(record == RECORD for _, record in read_records(path))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no recorded game in it"),
        (b"\n\n", "no recorded game in it"),
        (b"{}\n", "line 1: no recorded game: 'schema' is null, not 'solstis-trace-1'"),
        (b"\n[]", "line 2: no recorded game: expected an object"),
        (b"{\n", "line 1: not JSON, as recorded games are (.json, .jsonl, .jsonl.gz): Expecting"),
        (b"\xff\xfe", "line 1: not JSON"),
        (b"[" * 100_000, "line 1: not JSON"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:20], "not a whole gzip file"),
        (gzip.compress(b"{}\n", mtime=0)[:10] + b"rubbish rubbish", "not a whole gzip file"),
    ],
)
def test_unreadable_files_are_refused(tmp_path, data, words):
    path = tmp_path / "games.jsonl"
    path.write_bytes(data)
    with pytest.raises(NotationError, match=r"games\.jsonl") as refusal:
        list(read_records(path))
    assert words in str(refusal.value)
    assert issubclass(NotationError, GameError)


def test_the_schema_is_that_of_the_records():
    assert RECORD["schema"] == SCHEMA == "solstis-trace-1"
