"""The recorded games, compared with the library decision by decision."""

import gzip
import json
from pathlib import Path

import pytest

from games.solstis import Rules, State
from tests.solstis_strategies import by_sets, choices

DATA = Path(__file__).parents[1] / "data" / "solstis"
FILES = {"base": 80, "beginner": 20, "firefly": 30, "rare": 27}
ENDINGS = json.loads((DATA / "endgames.json").read_text(encoding="utf-8"))["positions"]


def recorded(name):
    with gzip.open(DATA / f"games-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def decided(state, decision):
    """Compare one decision with its record; return the state after it and the end of the turn."""
    where = f"{decision['k']} {decision['chosen']}"
    actions = choices(state)
    assert state.kind == ("chance" if decision.get("chance") else "decision"), where
    assert state.decider == (None if decision.get("chance") else decision["p"] - 1), where
    assert sorted(action.option for action in actions) == decision["options"], where
    assert {action.kind for action in actions} == {decision["k"]}, where
    if decision["k"] == "place_rainbow":
        assert state.to_dict()["turn"]["source"] == decision["src"]
    assert State.from_dict(state.to_dict()) == state
    return state.play(where), state.end_of_turn(where)


@pytest.mark.parametrize("name", FILES)
def test_recorded_games_are_played_again(name):
    games = recorded(name)
    assert len(games) == FILES[name]
    for game in games:
        assert game["schema"] == "solstis-trace-1"
        state = State.from_dict(game)
        assert state.rules == Rules.published(game["variant"])
        for turn in game["turns"]:
            assert state.to_move == turn["player"] - 1
            ends = []
            for decision in turn["decisions"]:
                state, end = decided(state, decision)
                ends.append(end)
            assert by_sets(ends.pop()) == by_sets(turn["after"]), (game["id"], turn["n"])
            assert set(map(type, ends)) <= {type(None)}, (game["id"], turn["n"])
        for decision in game.get("endphase", []):
            state, end = decided(state, decision)
            assert end is None
        assert state.kind == "end"
        assert state.to_move is None
        assert by_sets(state.to_dict()["state"]) == by_sets(game["end"]["state"]), game["id"]
        scores = {str(player + 1): state.score(player).to_dict() for player in (0, 1)}
        assert scores == game["end"]["scores"], game["id"]
        margin = state.score(0).total - state.score(1).total
        assert game["end"]["winner"] == (margin > 0) + 2 * (margin < 0)
        assert State.from_dict(state.to_dict()) == state


@pytest.mark.parametrize("name", FILES)
def test_the_start_of_a_recorded_game_is_read_with_other_rules(name):
    for game in recorded(name)[:3]:
        state = State.from_dict(game, Rules(variant=game["variant"]))
        assert state.to_dict()["state"] == State.from_dict(game).to_dict()["state"]
        assert state.rules == Rules(variant=game["variant"])


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: str(ending["id"]))
def test_recorded_endings_have_the_recorded_options(ending):
    state = State.from_dict(ending)
    assert (state.kind, state.to_move) == ("decision", ending["to_move"] - 1)
    assert by_sets(state.to_dict()["state"]) == by_sets(ending["state"])
    assert State.from_dict(state.to_dict()) == state
    assert {a.option for a in state.legal()} == {move["play_tile"] for move in ending["moves"]}
    for move in ending["moves"]:
        if "next" in move:
            after = state.play(f"play_tile {move['play_tile']}")
            assert after.to_move == state.to_move
            assert {a.kind for a in after.legal()} == {move["next"]["k"]}
            assert {a.option for a in after.legal()} == {o for o, _ in move["next"]["options"]}
