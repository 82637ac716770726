"""Games gone through: luck and skill add up, whatever the values are worth."""

import json
from pathlib import Path

import pytest

from games.solstis import State
from games.solstis.record import record_game
from games.solstis.replay import read_records
from solver.errors import SolverError, StateError
from solver.solstis import solve_endgame
from solver.solstis.explanations.explanation import is_open
from solver.solstis.explanations.review_text import render_review
from solver.solstis.review import review

DATA = Path(__file__).parents[1] / "data" / "solstis"


def game(name, number=0):
    """Return one of the recorded games."""
    records = [record for _, record in read_records(DATA / f"games-{name}.jsonl.gz")]
    return records[number]


@pytest.fixture(scope="module")
def base():
    return review(game("base"), samples=3, depth=0, max_nodes=20_000)


@pytest.mark.parametrize("name", ["base", "beginner", "firefly", "rare"])
@pytest.mark.parametrize("objective", ["margin", "win"])
def test_luck_and_skill_add_up_to_the_result(name, objective):
    record = game(name, 1)
    found = review(record, objective, samples=2, depth=0, max_nodes=2000)
    scores = [record["end"]["scores"][player]["total"] for player in "12"]
    assert list(found.totals) == scores
    result = scores[0] - scores[1]
    if objective == "win":
        result = 0.5 * ((result > 0) - (result < 0))
    one, other = found.summaries
    assert one.result == -other.result == result
    for summary in found.summaries:
        assert summary.luck + summary.skill == pytest.approx(summary.result, abs=1e-9)
    assert one.luck == pytest.approx(-other.luck)
    assert one.skill == pytest.approx(-other.skill)
    assert one.lost == other.gained


def test_every_decision_with_a_choice_is_there(base):
    record = game("base")
    expected = [
        (turn["n"], number)
        for turn in record["turns"]
        for number, decision in enumerate(turn["decisions"], 1)
        if len(decision["options"]) > 1 and not decision.get("chance")
    ]
    assert [(m.turn, m.decision) for m in base.moments if m.turn is not None] == expected
    assert all(moment.loss >= 0 for moment in base.moments)
    assert all(m.loss == m.best_value - m.chosen_value for m in base.moments)
    assert all((m.loss == 0) == (m.best == m.chosen) for m in base.moments)


def test_the_sum_goes_from_moment_to_moment(base):
    value = 0.0
    for moment in base.moments:
        sign = 1 - 2 * moment.player
        value += moment.luck
        assert value == pytest.approx(sign * moment.best_value)
        value -= sign * moment.loss
    assert value + base.last_luck == pytest.approx(base.totals[0] - base.totals[1])


def test_endings_are_exact():
    found = review(game("base", 1), samples=2, depth=0)
    exact = [moment for moment in found.moments if moment.is_exact]
    assert exact
    state = State.from_dict(game("base", 1))
    for turn in game("base", 1)["turns"]:
        for number, decision in enumerate(turn["decisions"], 1):
            if (turn["n"], number) == (exact[0].turn, exact[0].decision):
                solution = solve_endgame(state)
                sign = 1 if solution.player == exact[0].player else -1
                assert sign * float(solution.value) == exact[0].best_value
            state = state.play(f"{decision['k']} {decision['chosen']}")


def test_with_no_chance_left_there_is_no_luck(base):
    """From one exact moment to the next the value only changes where chance came in between."""
    exact = [moment for moment in base.moments if moment.is_exact]
    for moment in exact[1:]:
        if "Drawn" not in moment.happened and "Dragonfly takes" not in moment.happened:
            assert moment.luck == pytest.approx(0, abs=1e-9)


def test_the_same_seed_gives_the_same_review(base):
    again = review(game("base"), samples=3, depth=0, max_nodes=20_000)
    assert again == base
    other = review(game("base"), samples=3, depth=0, seed=1, max_nodes=20_000)
    assert other.moments != base.moments


def test_the_worst_moments_lost_most(base):
    worst = base.worst(3)
    assert len(worst) == 3
    assert worst[0].loss == max(moment.loss for moment in base.moments)
    text = render_review(base, worst=3)
    assert worst[0].best_words in text
    assert text.count("\n   better  ") == 3
    assert len(render_review(base, moves=False)) < len(text)
    json.dumps(base.to_dict(), allow_nan=False)


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("kept", [0, 7, 8, 9, 10, 60, 10_000])
def test_a_game_that_was_left_is_worth_its_last_position(objective, kept):
    record = game("base", 1)
    played = [
        f"{decision['k']} {decision['chosen']}"
        for turn in record["turns"]
        for decision in turn["decisions"]
    ]
    half = record_game(State.from_dict(record), played[:kept])
    found = review(half, objective, samples=2, depth=0, max_nodes=2000)
    end = State.from_dict(record)
    for action in played[:kept]:
        end = end.play(action)
    assert found.is_finished == (end.kind == "end")
    assert found.totals == tuple(end.score(player).total for player in (0, 1))
    for summary in found.summaries:
        assert summary.luck + summary.skill == pytest.approx(summary.result, abs=1e-9)
    assert ("The game was left there" in render_review(found)) == (not found.is_finished)


def test_a_game_left_in_its_ending_has_an_exact_result():
    record = game("base", 1)
    state, played, ends = State.from_dict(record), [], []
    for turn in record["turns"]:
        for decision in turn["decisions"]:
            if is_open(state) and state.kind == "decision" and len(state.legal()) > 1:
                ends.append((len(played), state))
            played.append(f"{decision['k']} {decision['chosen']}")
            state = state.play(played[-1])
    kept, end = ends[-1]
    found = review(record_game(State.from_dict(record), played[:kept]), samples=2, depth=0)
    solution = solve_endgame(end)
    value = float(solution.value) * (1 - 2 * solution.player)
    assert found.summaries[0].result == pytest.approx(value)
    assert not found.is_finished


def test_progress_is_told():
    told = []
    record = game("beginner")
    found = review(record, samples=1, depth=0, max_nodes=1, progress=lambda *one: told.append(one))
    assert told[-1] == (len(found.moments), len(found.moments))
    assert len(told) == len(found.moments)


def test_refusals(base):
    record = game("base")
    with pytest.raises(StateError, match="no recorded game"):
        review([record])
    with pytest.raises(SolverError, match="objective"):
        review(record, "points")
    broken = json.loads(json.dumps(record))
    broken["turns"][2]["decisions"][0]["chosen"] = "1-99"
    with pytest.raises(StateError, match="does not follow the rules"):
        review(broken)
    with pytest.raises(SolverError, match="samples"):
        review(record, samples=0)
    with pytest.raises(SolverError, match="no Review"):
        render_review(record)
    assert base.name
