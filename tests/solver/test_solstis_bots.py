"""Bots of Solstis: legal, repeatable, blind to what is hidden, and the greedy one better."""

import numpy as np
import pytest
from hypothesis import given, settings

from games.solstis import Rules, State
from solver.errors import SolverError, StateError
from solver.solstis import (
    GreedyBot,
    SearchBot,
    TreeBot,
    UniformBot,
    count_leaves,
    play_out,
)
from tests.solstis_positions import position
from tests.solstis_strategies import game, states

BOTS = (UniformBot(), GreedyBot(), GreedyBot(worlds=1))


@settings(max_examples=25, deadline=None)
@given(states())
def test_bots_choose_legal_actions(state):
    if state.kind == "decision":
        view = state.observe(state.decider)
        for bot in BOTS:
            assert bot.choose(view, np.random.default_rng(1)) in state.legal()


def test_bots_do_not_see_what_is_hidden():
    for state in list(game(3, Rules.published()))[::5]:
        if state.kind != "decision":
            continue
        view = state.observe(state.decider)
        other = view.sample(7).observe(state.decider)
        for bot in BOTS:
            choices = {bot.choose(seen, np.random.default_rng(2)) for seen in (view, other)}
            assert len(choices) == 1


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_game(bot):
    start = State.new(4, Rules("firefly"))
    first, second, third = (play_out(start, [bot, bot], seed) for seed in (1, 1, 2))
    assert first == second
    assert first != third
    assert first.kind == "end"


def test_piles_without_order_are_played_too():
    end = play_out(State.new(4, ordered=False), BOTS[:2], np.random.default_rng(0))
    assert end.kind == "end"


@pytest.mark.parametrize("rules", [Rules(), Rules.published("firefly")])
def test_the_greedy_bot_beats_the_uniform_one(rules):
    """Mirrored games: every deal is played twice, the seats exchanged."""
    leads = []
    for seed in range(15):
        start = State.new(seed, rules)
        for seat in (0, 1):
            bots = [UniformBot(), UniformBot()]
            bots[seat] = GreedyBot(worlds=1)
            end = play_out(start, bots, seed)
            leads.append(end.score(seat).total - end.score(1 - seat).total)
    # The mean is 8 to 10 with a standard error of 1.5.
    assert np.mean(leads) > 3


def test_greed_takes_the_points_there_are():
    """Of three captures only one joins a fire to row 1."""
    state = position(
        hands=("6-4 1-1 1-2", "1-10 2-10 3-10"),
        display="5-4 2-2 2-1",
        tiles=("4-4 3-4 2-4 1-4", ""),
    )
    choice = GreedyBot().choose(state.observe(0), np.random.default_rng(0))
    assert str(choice) == "play_tile 6-4"


def test_greed_looks_through_its_own_turn():
    """The tile itself scores nothing yet: the spirit of the square that it makes does."""
    state = position(
        hands=("1-1 3-7 5-8", "1-10 2-10 3-10"),
        display="1-2 6-7",
        tiles=("2-1..2", ""),
        line="Fish Deer",
    )
    choice = GreedyBot(worlds=5).choose(state.observe(0), np.random.default_rng(0))
    assert str(choice) == "play_tile 1-1"


@pytest.mark.parametrize("worlds", [0, -1, 1.5, True, "3", 1001])
def test_a_senseless_number_of_worlds_is_refused(worlds):
    with pytest.raises(SolverError, match="from 1 to 1000"):
        GreedyBot(worlds)


@pytest.mark.parametrize("bot", BOTS)
def test_who_does_not_decide_cannot_choose(bot):
    with pytest.raises(StateError, match="player 1 does not decide now"):
        bot.choose(State.new(5).observe(1), np.random.default_rng(0))


@pytest.mark.parametrize(
    "made",
    [
        lambda: SearchBot(samples=0),
        lambda: SearchBot(depth=-1),
        lambda: SearchBot(seconds=0),
        lambda: TreeBot(iterations=0),
        lambda: TreeBot(exploration=-1),
        lambda: TreeBot(exploration=float("nan")),
        lambda: TreeBot(playout_turns=-1),
        lambda: TreeBot(objective="points"),
    ],
)
def test_senseless_bots_are_refused_when_made(made):
    with pytest.raises(SolverError, match=": expected "):
        made()


@pytest.mark.parametrize("bot", [*BOTS, SearchBot(samples=1), TreeBot(iterations=1)])
def test_a_bot_takes_observations_only(bot):
    with pytest.raises(SolverError, match="State is no observation of Solstis"):
        bot.choose(State.new(1), np.random.default_rng(1))


@pytest.mark.parametrize(
    "bots", [GreedyBot(), [GreedyBot()], [GreedyBot(), 5], [GreedyBot, UniformBot], None]
)
def test_two_bots_play(bots):
    with pytest.raises(SolverError, match="bots: expected two"):
        play_out(State.new(1), bots, 1)


def test_games_are_played_out_from_states():
    with pytest.raises(StateError, match="no state of Solstis"):
        play_out(State.new(1).observe(0), [GreedyBot(), UniformBot()], 1)
    with pytest.raises(StateError, match="reads one from its text"):
        count_leaves("rules=base")
