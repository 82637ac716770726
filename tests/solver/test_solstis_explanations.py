"""Explanations of Solstis: exact ones hold what was proved, others what was sampled."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from games.solstis import Rules, State
from games.solstis.telling import tell
from solver.errors import SolverError, StateError
from solver.solstis import choose, solve_endgame
from solver.solstis.explanations import explain, render_text
from solver.solstis.explanations.claims import Parts
from solver.solstis.explanations.estimated import _Estimated
from solver.solstis.explanations.explanation import is_open

DATA = Path(__file__).parents[1] / "data" / "solstis"
RECORDED = json.loads((DATA / "endgames.json").read_text())["positions"]
ENDINGS = [record for record in RECORDED if record["leaves"] < 1500]


def decisions(seed, rules, count):
    """Return some states with more than one legal action, from a random game."""
    rng = np.random.default_rng(seed)
    state, found = State.new(seed, rules), []
    while state.kind != "end":
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        if state.kind == "decision" and len(options) > 1 and not is_open(state):
            found.append(state)
        state = state.play(options[int(rng.integers(len(options)))])
    return found[:: max(1, len(found) // count)][:count]


# ---- exact endings


@pytest.mark.parametrize("record", ENDINGS[::8], ids=lambda record: str(record["id"]))
def test_an_ending_is_explained_by_its_proof(record):
    state = State.from_dict(record)
    why, solution = explain(state), solve_endgame(state)
    assert why.value == solution.value == Fraction(record["value"])
    assert {one.action: one.value for one in why.candidates} == solution.moves
    assert {one.action: one.loss for one in why.candidates} == solution.losses
    assert why.best.action in solution.best
    assert [one.action for one in why.rivals] == [
        one.action for one in why.candidates[1:] if one.loss == 0
    ]
    assert [step.action for step in why.line.steps] == solution.line
    assert why.line.value == solution.value
    assert why.certainty.exact
    assert why.certainty.positions == solution.nodes
    assert why.before == tuple(Parts.of(state.score(player)) for player in (0, 1))


@pytest.mark.parametrize("record", ENDINGS[::8], ids=lambda record: str(record["id"]))
def test_branches_of_chance_weigh_to_the_value(record):
    why = explain(State.from_dict(record))
    assert bool(why.draws) == (why.line.stop == "chance")
    for draws in why.draws:
        assert sum(branch.chance for branch in draws.branches) == 1
        assert sum(b.chance * b.value for b in draws.branches) == draws.mean == why.value
        assert sum(b.chance * b.gain for b in draws.branches) == 0
        values = [branch.value for branch in draws.branches]
        assert values == sorted(values, reverse=True)
        assert sum(draws.shares.values()) == 1


def test_scores_after_the_last_turn_are_the_value():
    seen = 0
    for record in ENDINGS[::2]:
        why = explain(State.from_dict(record))
        if why.outlooks and why.line.stop == "end" and why.line.steps[-1].turn == 0:
            first, second = why.outlooks[0].after_turn
            sign = 1 if why.player == 0 else -1
            assert sign * (first.total - second.total) == why.value
            assert why.outlooks[0].after_reply is None
            seen += 1
    assert seen > 5


def test_values_to_the_other_player_have_the_other_sign():
    state = State.from_dict(RECORDED[0])
    mine, theirs = explain(state, player=0), explain(state, player=1)
    assert mine.value == -theirs.value
    assert mine.line.steps == theirs.line.steps
    assert [one.loss for one in mine.candidates] == [one.loss for one in theirs.candidates]
    assert mine.outlooks == theirs.outlooks


def test_where_chance_decides_there_is_nothing_to_choose():
    record = next(r for r in RECORDED if r["id"] == 24)
    state = State.from_dict(record).unordered()
    while state.kind != "chance":
        state = state.play(explain(state).best.action)
    why = explain(state)
    assert why.best is None
    assert why.decider is None
    assert len(why.draws[0].branches) == len(state.outcomes())
    assert "chance decides now" in render_text(why)


# ---- by search


@pytest.mark.parametrize("variant", ["base", "beginner", "firefly"])
@pytest.mark.parametrize("objective", ["margin", "win"])
def test_a_decision_is_explained_by_its_search(variant, objective):
    for state in decisions(3, Rules(variant), 2):
        view = state.observe(state.decider)
        why = explain(view, objective, depth=0, samples=6, seed=2)
        choice = choose(view, objective, depth=0, samples=6, seed=2)
        assert [(o.action, o.value, o.error, o.loss) for o in why.candidates] == [
            (o.action, o.value, o.error, o.loss) for o in choice.alternatives
        ]
        assert (why.value, why.certainty.worlds) == (choice.value, 6)
        assert why.line.steps[0].action == choice.action
        assert why.line.worlds == 6
        assert [outlook.action for outlook in why.outlooks] == [
            one.action for one in choice.alternatives[:2]
        ]
        for draws in why.draws:
            assert sum(branch.chance for branch in draws.branches) == draws.at_once
            gains = [float(branch.chance) * branch.gain for branch in draws.branches]
            assert sum(gains) == pytest.approx(0, abs=1e-9)
            assert not draws.shares or sum(draws.shares.values()) == 1
        # A number printed is one that the object holds.
        text = render_text(why)
        assert all(
            f"{share:.1f}" in text for share in ([why.value * 100] if objective == "win" else [])
        )
        json.dumps(why.to_dict(), allow_nan=False)


def test_the_same_seed_explains_alike_and_nothing_hidden_is_read():
    state = decisions(6, Rules(), 4)[2]
    other = state.observe(state.decider).sample(np.random.default_rng(0), ordered=True)
    first, second = (
        explain(one.observe(state.decider), depth=1, samples=4, seed=3) for one in (state, other)
    )
    assert first.candidates == second.candidates
    assert first.line == second.line
    assert first.draws == second.draws
    assert first.outlooks == second.outlooks


def test_the_line_is_legal_and_reaches_what_it_says():
    state = decisions(5, Rules(), 3)[1]
    why = explain(state, depth=1, samples=4)
    turns = [step.turn for step in why.line.steps]
    assert turns == sorted(turns)
    assert turns[0] == 0
    assert turns[-1] <= 1
    assert why.line.stop == "horizon"


def test_every_tile_that_is_unseen_may_be_drawn():
    state = State.new(5)
    why = explain(state, depth=0, samples=4)
    drawn = {draws.kind: draws for draws in why.draws}
    unseen = set(state.observe(0).unseen)
    assert {branch.outcome for branch in drawn["reveal"].branches} == unseen
    assert all(branch.chance == Fraction(1, len(unseen)) for branch in drawn["reveal"].branches)


def test_a_blind_pick_may_bring_every_tile_that_the_other_may_hold():
    rng = np.random.default_rng(5)
    for seed in range(30):
        state = State.new(seed, ordered=False)
        while state.kind != "end":
            options = state.legal() or [outcome for outcome, _ in state.outcomes()]
            chosen = options[int(rng.integers(len(options)))]
            if chosen.option.startswith("Dragonfly@") and state.play(chosen).kind == "chance":
                break
            state = state.play(chosen)
        if state.kind != "end":
            break
    action = next(one for one in state.legal() if one.option.startswith("Dragonfly@"))
    view = state.observe(state.decider)
    searching = _Estimated(view, choose(view, depth=0, samples=3), 0)
    draws = searching.draw(state.play(action), "dragonfly_draw", (action,))
    assert {branch.outcome for branch in draws.branches} == {*view.unseen, *view.known}
    assert sum(branch.chance for branch in draws.branches) == 1


def test_percentages_of_draws_sum_to_a_hundred():
    why = explain(State.new(5), depth=0, samples=8)
    for found in re.findall(
        r"helps in ([\d.]+)%,\s+hurts in ([\d.]+)%,[^%]+?([\d.]+)%", render_text(why)
    ):
        assert sum(map(float, found)) == pytest.approx(100)


def test_an_exact_ending_may_be_searched_all_the_same():
    state = State.from_dict(RECORDED[0])
    why = explain(state, exact=False, depth=4, samples=4)
    assert not why.certainty.exact
    assert not math.isnan(why.value)
    # Too large a proof is replaced by a search, unless it was asked for.
    assert not explain(state, samples=4, max_nodes=1).certainty.exact
    with pytest.raises(SolverError, match="max_nodes"):
        explain(state, exact=True, max_nodes=1)


def test_a_tile_drawn_is_told_without_a_spirit():
    state = State.new(5, ordered=False).play("play_tile 4-7").play("capture 4-3@0")
    state = state.play(state.outcomes()[0][0])
    text = tell(state, state.outcomes()[0][0])
    assert state.outcomes()[0][0].kind == "draw"
    assert "spirits" not in text


def test_refusals():
    state = State.new(5)
    for arguments, message in [
        ((7,), "cannot be explained"),
        ((state, "margin", 3), "no player"),
        ((state, "margin", 1), "nothing to decide"),
        ((state.observe(0), "margin", 1), "what player 0 sees"),
        ((state.observe(0), "margin", 0, True), "hides a hand"),
        ((state, "win", 0, True), "objective"),
        ((state, "margin", 0, True), "hidden"),
    ]:
        with pytest.raises(StateError, match=message):
            explain(*arguments)
    with pytest.raises(SolverError, match="objective"):
        explain(state, "points")
    with pytest.raises(SolverError, match="no Explanation"):
        render_text(state)
    with pytest.raises(SolverError, match="width"):
        render_text(explain(state, depth=0, samples=2), width=10)
