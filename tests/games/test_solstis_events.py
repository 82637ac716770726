"""What happens by itself after an action, and the same in words."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from games.errors import IllegalMoveError, NotationError
from games.solstis import Rules, State
from games.solstis.events import events, split_events
from games.solstis.telling import tell
from games.solstis.words import SPIRIT_WORDS, describe, score_table
from tests.solstis_positions import position
from tests.solstis_strategies import SPIRITS, choices, states

DATA = Path(__file__).parents[1] / "data" / "solstis"
# Of these the records do not keep the order, or do not speak.
UNORDERED = {"spirit_drawn", "firefly"}
SQUIRREL = {"place", "remove", "rainbow_off"}
NOT_RECORDED = {"again"}


def in_order(happened):
    """Return events whose order counts, and the others sorted."""
    happened = [event for event in happened if event.split()[0] not in NOT_RECORDED]
    free = UNORDERED | SQUIRREL if any(e.startswith("endphase_sq") for e in happened) else UNORDERED
    ordered = [event for event in happened if event.split()[0] not in free]
    return ordered, sorted(event for event in happened if event.split()[0] in free)


@pytest.mark.parametrize("name", ["base", "beginner", "firefly", "rare"])
def test_the_events_are_those_of_the_recorded_games(name):
    with gzip.open(DATA / f"games-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    for game in games[:30]:
        state = State.from_dict(game)
        for turn in [*game["turns"], {"decisions": game.get("endphase", []), "n": "end"}]:
            within, after = [], []
            for decision in turn["decisions"]:
                text = f"{decision['k']} {decision['chosen']}"
                within, after = split_events(state, text)
                found = within + after if turn["n"] == "end" else within
                assert in_order(found) == in_order(decision["events"]), (game["id"], turn["n"])
                state = state.play(text)
            if "post" in turn:
                assert in_order(after) == in_order(turn["post"]), (game["id"], turn["n"])


@settings(max_examples=40, deadline=None)
@given(states())
def test_every_action_of_any_state_is_told(state):
    for action in choices(state):
        text = tell(state, action)
        assert not text[0].islower()
        assert text.endswith(".")
        assert "{" not in text
        assert describe(action, state)
        assert (events(state, action)[-1:] == ["end"]) == (state.play(action).kind == "end")


def test_what_others_draw_is_not_named():
    state = State.new(5, Rules.published()).play("play_tile 4-7")
    assert tell(state, "capture 4-3@0").endswith("Player 1 draws 4-2.")
    assert tell(state, "capture 4-3@0", hidden=[0]).endswith("Player 1 draws a tile.")


def told(text, state):
    return tell(state, text)


@pytest.mark.parametrize(
    ("action", "parts", "words"),
    [
        (
            "place_rainbow 2-1",
            {
                "tiles": ("1-1", ""),
                "turn": {"stage": "encounter", "rainbows": 1},
                "hands": ("", "5-6"),
                "display": "5-5",
            },
            "Player 1 places a rainbow on 2-1.",
        ),
        (
            "evil_cover Bee@5-4",
            {"tiles": ("6-4..5 5-4..5", ""), "spirits": ("Bee@5-4", ""), "evil": 0, "display": ""},
            "Player 2 covers Bee on square 5-4 with the Evil Spirit. The game is over.",
        ),
        (
            "capture 1-1@0!removed",
            {
                "tiles": ("2-1..2 1-2", ""),
                "rainbows": ("1-1", ""),
                "spirits": ("Bee@1-1", ""),
                "turn": {"stage": "capture", "playing": "1-5"},
                "display": "1-1 5-5",
                "hands": ("", "5-6"),
            },
            "Player 1 captures 1-1 of place 0. 1-1 leaves the game as its cell is locked, 1-5 is "
            "placed.",
        ),
        (
            "capture 1-1@0",
            {
                "rainbows": ("1-1", ""),
                "tiles": ("1-2", ""),
                "turn": {"stage": "capture", "playing": "1-5"},
                "display": "1-1 5-5",
                "hands": ("", "5-6"),
            },
            "Player 1 captures 1-1 of place 0. 1-1 is placed, the rainbow of 1-1 is pushed out.",
        ),
        (
            "play_tile 5-6",
            {"hands": ("5-6", ""), "display": "5-5", "pile": ""},
            "Player 1 plays 5-6.",
        ),
        (
            "capture 5-5@0",
            {
                "hands": ("5-6", "1-7"),
                "turn": {"stage": "capture", "playing": "5-4"},
                "display": "5-5 5-8",
            },
            "Player 1 captures 5-5 of place 0. 5-5 and 5-4 are placed. Player 2 cannot capture and "
            "passes.",
        ),
    ],
)
def test_single_actions_in_words(action, parts, words):
    assert tell(position(pile=parts.pop("pile", ""), **parts), action) == words


def test_evil_without_a_cell_leaves_the_game():
    state = position(
        Rules("firefly"),
        hands=("", ""),
        tiles=("6-4..5 5-4..5", ""),
        display="1-1",
        line="Bee*",
        block=("4-4", None),
        pile="",
        turn={"stage": "source", "eligible": ["5-4"]},
    )
    assert "evil_lost" in events(state, "spirit_source Bee@5-4")
    words = "The Evil Spirit finds no cell and leaves the game."
    assert words in tell(state, "spirit_source Bee@5-4")


def test_a_missed_second_chance_without_rainbows():
    full = [f"{row}-{n}" for row in (1, 2) for n in range(1, 7)]
    state = position(
        Rules.published(),
        hands=("6-6", "1-10"),
        display="",
        rainbows=(" ".join(full), ""),
        tiles=("3-1", ""),
        pile="1-9",
    )
    assert "rainbow_none" in events(state, "play_tile 6-6")


def test_every_spirit_is_explained():
    assert set(SPIRIT_WORDS) == set(SPIRITS["firefly"]) - {"EvilBeaver"}


def test_illegal_actions_are_refused():
    with pytest.raises(IllegalMoveError, match="expected one of"):
        events(State.new(5), "play_tile 1-1")
    with pytest.raises(NotationError):
        tell(State.new(5), "nothing")


@settings(max_examples=30, deadline=None)
@given(states())
def test_the_score_table_adds_up(state):
    lines = score_table(state).splitlines()
    numbers = [line[34:].split() for line in lines[1:-1]]
    for player in (0, 1):
        score = state.score(player)
        column = [0 if row[player] == "-" else int(row[player]) for row in numbers]
        assert column[-1] == score.total
        won = any(state.score(k).firefly_win for k in (0, 1))
        assert won or sum(column[:-1]) == score.total


def test_a_draw_of_unordered_piles_is_told_as_a_draw():
    state = State.new(1, Rules.published(), ordered=False)
    while state.kind == "decision" or state.outcomes()[0][0].kind != "draw":
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(options[0])
    told = tell(state, state.outcomes()[0][0])
    assert "spirits" not in told
    assert "draws" in told
