"""Both games under OpenSpiel: its own checks, its algorithms, and the values of this library."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from games.errors import GameError, IllegalMoveError
from games.solstis import Rules, State
from solver.clash import solve_hidden, solve_open

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    expected_game_score,
    exploitability,
    ismcts,
    mcts,
    minimax,
)
from open_spiel.python.bots import uniform_random  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from games.openspiel import position_parameter  # noqa: E402

DATA = Path(__file__).parents[1] / "data"
HIDDEN = {
    record["id"]: record
    for record in json.loads((DATA / "clash" / "hidden_small.json").read_text())["games"]
}
ENDINGS = json.loads((DATA / "solstis" / "endgames.json").read_text())["positions"]
BOTH = (0, 1)

TINY = "hands=WWF|WFA/WAE|FAE,times=MiDaNoDaNoDu,extras=dealt"
CLASH = [
    "",
    "objective=margin,extras=dealt,time_deck=distinct",
    "players=3,extras=dealt,sunburst=once,objective=margin",
    "simultaneous=True",
    "simultaneous=True,sunburst=overlapping,objective=margin,extras=dealt",
    "hands=WWF|WFF/WAE,times=MiDaNoDaNoDu,points=3/1",
    "hands=WWFA|WFAE,times=DaNoDaNo,sunburst=restarting,streaks=2/0,points=2/0,objective=margin",
    "hands=WFAE,times=MiDaNoDa,players=4,simultaneous=True",
    TINY,
]
SOLSTIS = [
    Rules(),
    Rules.published(),
    Rules("firefly"),
    Rules.published("firefly"),
    Rules("beginner", largest_area="land"),
]


def clash(text):
    return pyspiel.load_game(f"python_solaris_clash({text})")


def solstis(rules=None, **parameters):
    rules = Rules() if rules is None else rules
    return pyspiel.load_game("python_solstis", {**rules.to_dict(), **parameters})


def advance(state, rng):
    """Make one step at random."""
    if state.is_simultaneous_node():
        players = range(state.num_players())
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def walk(game, seed=1):
    """Yield the states of a random game; always the same object."""
    rng, state = random.Random(seed), game.new_initial_state()
    yield state
    while not state.is_terminal():
        advance(state, rng)
        yield state


def recorded(record, **parameters):
    """Return a recorded hidden-hand game."""
    return pyspiel.load_game(
        "python_solaris_clash",
        {
            "hands": "/".join("|".join(hands) for hands in record["hands"]),
            "priors": "/".join("|".join(map(str, row)) for row in record["priors"]),
            "times": record["times"],
            "points": "/".join(map(str, record["points"])),
            "objective": record["objective"],
            "extras": "dealt",
            **parameters,
        },
    )


class Advice(policy.Policy):
    """Strategies of this library as a policy: a function of state and player gives the mix."""

    def __init__(self, game, strategy):
        super().__init__(game, list(BOTH))
        self.strategy = strategy

    def action_probabilities(self, state, player_id=None):
        mix = self.strategy(state, state.current_player())
        return {int(card): chance for card, chance in mix.items()}


# ---- OpenSpiel's own checks


@pytest.mark.parametrize("text", CLASH)
def test_the_checks_of_openspiel_pass_on_clash(text):
    pyspiel.random_sim_test(clash(text), num_sims=4, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", SOLSTIS, ids=str)
def test_the_checks_of_openspiel_pass_on_solstis(rules):
    game = solstis(rules, objective="margin")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SOLSTIS, ids=str)
def test_the_checks_of_openspiel_pass_on_more_games_of_solstis(rules):
    pyspiel.random_sim_test(solstis(rules), num_sims=30, serialize=True, verbose=False)


@pytest.mark.parametrize("game", [clash(TINY), clash("simultaneous=True"), solstis()], ids=str)
def test_states_are_restored_and_copied(game):
    for state in walk(game):
        text = pyspiel.serialize_game_and_state(game, state)
        _, restored = pyspiel.deserialize_game_and_state(text)
        assert str(restored) == str(state)
        assert restored.history() == state.history()
        copy = state.clone()
        if not copy.is_terminal():
            advance(copy, random.Random(0))
            assert copy.history()[: len(state.history())] == state.history()
            assert str(restored) == str(state)


def test_bounds_hold():
    for game in [*map(clash, CLASH), *map(solstis, SOLSTIS)]:
        decisions = chances = 0
        for state in walk(game):
            chances += state.is_chance_node()
            decisions += not state.is_chance_node() and not state.is_terminal()
        assert decisions <= game.max_game_length()
        assert chances <= game.max_chance_nodes_in_history()
        assert sum(state.returns()) == pytest.approx(0)
        assert min(state.returns()) >= game.min_utility()
        assert max(state.returns()) <= game.max_utility()


# ---- Clash


@pytest.mark.parametrize("text", ["", "objective=margin,sunburst=restarting", "players=4"])
def test_utilities_of_clash_are_those_of_the_library(text):
    game = clash(text)
    for seed in range(5):
        *_, state = walk(game, seed)
        assert state.position.is_over
        assert state.position.points == tuple(
            sum(points) for points in zip(*points_by_round(state), strict=True)
        )
        for player in range(game.num_players()):
            objective = game.setup.objective
            assert state.returns()[player] == state.position.utility(player, objective)
        assert all(hand.is_full for hand in state.hands)


def points_by_round(state):
    """Play the rounds again from the start and yield what each scores."""
    rules = state.get_game().setup.rules
    position = type(state.position)(state.hands, state.position.times, rules=rules)
    for cards in state.rounds:
        yield position.score(cards).total
        position = position.play(cards)


def test_choices_are_secret_until_all_have_chosen():
    state = clash("").new_initial_state()
    seen = set()
    for action in state.legal_actions():
        child = state.child(action)
        assert child.current_player() == 1
        seen.add((child.information_state_string(1), child.observation_string(1)))
        assert child.information_state_string(0) != state.information_state_string(0)
    assert len(seen) == 1
    for state in walk(clash("times=DaNoDuMi,extras=dealt")):
        if state.current_player() == 0:
            after = [state.child(action) for action in state.legal_actions()]
            assert len({child.information_state_string(1) for child in after}) == 1
            assert len({child.information_state_string(0) for child in after}) == len(after)


def test_actions_of_clash_have_the_texts_of_the_library():
    state = clash("").new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()][:3] == [
        "WWWFAE",
        "WWFFAE",
        "WWFAAE",
    ]
    for action in (5, 5, 0, 1, 3, 2):
        state.apply_action(action)
    assert [state.action_to_string(action) for action in state.legal_actions()] == [*"WFAE"]
    assert str(state) == "WWFFAE/WWFFAE DaNoDuMi---- 0-0"
    assert state.information_state_string(0) == (
        "player=0 hand=WWFFAE times=DaNoDuMi---- points=0/0 rounds="
    )
    state.apply_action(0)
    assert state.information_state_string(0).endswith(" choice=W")
    state.apply_action(1)
    assert state.observation_string(1) == (
        "player=1 hand=WWFAE times=DaNoDuMi---- points=2/0 discards=W/F"
    )


def test_hidden_times_have_the_chances_of_the_library():
    state = clash("hands=WF/EE,times=DaDaNoDu,extras=dealt").new_initial_state()
    assert state.is_chance_node()
    assert dict(state.chance_outcomes())[2] == pytest.approx(15 / 26)


@pytest.mark.parametrize("text", [CLASH[0], CLASH[4], CLASH[6]])
@pytest.mark.parametrize("recall", [True, False])
def test_arrays_tell_apart_what_texts_tell_apart(text, recall):
    game = clash(text)
    kinds = pyspiel.IIGObservationType(perfect_recall=recall)
    observation = make_observation(game, kinds)
    arrays, texts = {}, {}
    for seed in range(15):
        for state in walk(game, seed):
            for player in BOTH:
                observation.set_from(state, player)
                key = observation.tensor.tobytes()
                line = observation.string_from(state, player)
                assert arrays.setdefault(line, key) == key
                assert texts.setdefault(key, line) == line
    assert len(arrays) > 100


def test_public_and_private_parts_of_clash():
    game = clash("extras=dealt,times=DaNoDuMi")
    state = game.new_initial_state()
    for action in (0, 9, 2):
        state.apply_action(action)
    private = pyspiel.PrivateInfoType
    public = make_observation(game, pyspiel.IIGObservationType(True, False, private.NONE))
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert "hand" not in public.dict
    everything = make_observation(game, pyspiel.IIGObservationType(True, True, private.ALL_PLAYERS))
    assert everything.string_from(state, 0).startswith("hands=WWWFAE/WFAEEE times=DaNoDuMi----")
    everything.set_from(state, 0)
    assert everything.dict["choices"].tolist() == [[0, 0, 1, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize("name", ["h3b_win", "h3b_margin"])
def test_openspiel_measures_the_exploitability_that_solve_hidden_reports(name):
    record = HIDDEN[name]
    solution = solve_hidden(
        record["times"], record["objective"], record["hands"], record["priors"], tolerance=1e-3
    )
    game = recorded(record)

    def strategy(state, player):
        times = state.position.times
        return solution.strategy(player, state.hands[player], state.rounds, times)

    advice = Advice(game, strategy)
    measured = exploitability.exploitability(game, advice)
    assert measured == pytest.approx(solution.exploitability, abs=1e-9)
    value = expected_game_score.policy_value(game.new_initial_state(), [advice] * 2)
    assert value == pytest.approx([solution.value, -solution.value], abs=1e-9)
    assert abs(value[0] - record["value"]) <= 2 * measured


def test_the_linear_program_of_openspiel_finds_the_recorded_values():
    pytest.importorskip("cvxpy")
    pytest.importorskip("ecos")
    from open_spiel.python.algorithms import sequence_form_lp  # noqa: PLC0415

    record = HIDDEN["h3b_win"]
    together = recorded(record, simultaneous=True)
    for game in (recorded(record), pyspiel.convert_to_turn_based(together)):
        value = sequence_form_lp.solve_zero_sum_game(game)[0]
        assert value == pytest.approx(record["value"], abs=1e-6)


def test_one_after_the_other_is_the_same_game_as_all_at_once():
    one_by_one = clash(TINY)
    at_once = pyspiel.convert_to_turn_based(clash(f"{TINY},simultaneous=True"))
    gaps = [pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True)
            for game in (one_by_one, at_once)]  # fmt: skip
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-12)


def test_counterfactual_regret_of_openspiel_finds_our_value():
    game = clash(TINY)
    exact = solve_hidden(
        "MiDaNoDaNoDu", hands=[["WWF", "WFA"], ["WAE", "FAE"]], tolerance=1e-6, iterations=20_000
    )
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(16):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    gap = pyspiel.nash_conv(game, average, True)
    assert gap < uniform / 3
    value = pyspiel.expected_returns(game.new_initial_state(), average, -1, True)[0]
    assert abs(value - exact.value) <= gap


def test_open_hands_are_the_game_with_one_hand_each():
    game = clash("hands=WWF/FAE,times=MiDaNoDaNo,extras=dealt,points=1/2")
    solution = solve_open(game.new_initial_state().position)
    advice = Advice(game, lambda state, player: solution.strategy(state.position, player))
    assert exploitability.exploitability(game, advice) == pytest.approx(0, abs=1e-9)
    value = expected_game_score.policy_value(game.new_initial_state(), [advice] * 2)
    assert value[0] == pytest.approx(solution.value, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("objective=points", "objective is 'points': expected one of win, margin"),
        ("time_deck=other", "time_deck is 'other'"),
        ("players=7", "players is 7"),
        ("extras=drawn", "extras is 'drawn': expected one of chosen, dealt"),
        ("hands=WWX", "is no hand"),
        ("hands=WWF|WF/WAE", "have 2 and 3 cards: expected one size from 2 to 6"),
        ("hands=W", "have 1 cards"),
        ("hands=WWF/WAE/FAE", "are for 3 players"),
        ("hands=WWF|FWW/WAE", "the same hand stands twice"),
        ("hands=WWWW", "."),
        ("times=DaNo", "has 2 times"),
        ("times=DaDaDaDa", "cannot occur"),
        ("hands=WF|FA,extras=dealt,priors=0.5|0.6", "the sum 1"),
        ("hands=WF|FA,extras=dealt,priors=half|half", "expected numbers"),
        ("hands=WF|FA,extras=dealt,priors=0.2|0.2|0.6", "expected one for each hand"),
        ("priors=0.5|0.5", "they belong to extras=dealt"),
        ("points=3/2/1", "3 totals of points for 2 players"),
        ("points=a/b", "'a' is no whole number"),
        ("hands=WF,streaks=1/1", "Sunburst is off"),
    ],
)
def test_parameters_of_clash_that_are_refused(text, message):
    with pytest.raises(GameError, match=message):
        clash(text)


def test_cards_that_are_not_held_are_refused():
    state = clash("hands=WWF/FAE,times=MiDaNoDaNoDu").new_initial_state()
    with pytest.raises(IllegalMoveError, match="player 0 cannot do 3 here: expected one of 0, 1"):
        state.apply_action(3)


# ---- Solstis


def test_solstis_is_the_game_of_the_library():
    for rules in SOLSTIS:
        for state in walk(solstis(rules, objective="margin"), seed=3):
            play, inner = state.play, state.state
            if play.is_dealing:
                assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
                continue
            assert inner.rules == rules
            assert not inner.ordered
            if state.is_chance_node():
                texts = [state.action_to_string(k) for k, _ in state.chance_outcomes()]
                assert sorted(texts) == sorted(str(outcome) for outcome, _ in inner.outcomes())
            else:
                texts = [state.action_to_string(k) for k in state.legal_actions()]
                assert sorted(texts) == sorted(map(str, inner.legal()))
        margin = inner.score(0).total - inner.score(1).total
        assert state.returns() == [margin, -margin]


def test_the_winner_gets_one():
    found = set()
    for seed in range(20):
        *_, state = walk(solstis(), seed)
        margin = state.state.score(0).total - state.state.score(1).total
        assert state.returns() == [np.sign(margin), -np.sign(margin)]
        found.add(np.sign(margin))
    assert found >= {-1, 1}


def test_hidden_tiles_are_not_told():
    for state in walk(solstis(Rules("firefly")), seed=5):
        for player in BOTH:
            seen = state.state.observe(player)
            hidden = set(state.state.observe(1 - player).hand) - set(seen.known)
            words = set(state.information_state_string(player).replace(",", " ").split())
            told = [word for word in words if word in hidden]
            assert told == []
            for tile in seen.hand:
                assert tile in state.information_state_string(player)


@pytest.mark.parametrize("rules", SOLSTIS, ids=str)
def test_other_worlds_look_the_same(rules):
    rng = random.Random(7)
    differ = 0
    for number, state in enumerate(walk(solstis(rules), seed=9)):
        if number % 9 == 0:
            for player in BOTH:
                other = state.resample_from_infostate(player, rng.random)
                line = state.information_state_string(player)
                assert other.information_state_string(player) == line
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert other.current_player() == state.current_player()
                differ += str(other) != str(state)
    assert differ > 3


@pytest.mark.parametrize("text", CLASH)
def test_other_hands_look_the_same(text):
    rng, game = random.Random(7), clash(text)
    for state in walk(game, seed=9):
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, rng.random)
            line = state.information_state_string(player)
            assert other.information_state_string(player) == line
            assert other.current_player() == state.current_player()
            assert other.is_terminal() == state.is_terminal()


def test_other_hands_are_drawn_by_their_chances():
    game = clash("hands=WWF|WFA|WAE/WAE|FAE,priors=0.2|0.2|0.6/0.5|0.5,extras=dealt,"
                 "times=MiDaNoDaNoDu")  # fmt: skip
    state = game.new_initial_state()
    for action in (1, 0, 2, 0):
        state.apply_action(action)
    rng = random.Random(1)
    hands = [str(state.resample_from_infostate(1, rng.random).hands[0]) for _ in range(400)]
    assert set(hands) == {"WFA", "WAE"}
    assert abs(hands.count("WAE") - 300) < 40


@pytest.mark.parametrize(
    "record", [record for record in ENDINGS if record["leaves"] < 80][::3], ids=lambda r: r["id"]
)
def test_expectiminimax_of_openspiel_finds_the_recorded_endings(record):
    position = State.from_dict(record)
    game = solstis(position=position_parameter(position), objective="margin")
    assert pyspiel.load_game(str(game)).new_initial_state().state == position.unordered()
    state, player = game.new_initial_state(), record["to_move"] - 1
    for move in record["moves"]:
        [action] = [
            action
            for action in state.legal_actions()
            if state.action_to_string(action) == f"play_tile {move['play_tile']}"
        ]
        value, _ = minimax.expectiminimax(state.child(action), 100, None, player)
        assert value == pytest.approx(float(Fraction(move["value"])))


def test_bots_play_solstis():
    rng = np.random.RandomState(3)
    game = solstis(Rules.published())
    rollout = mcts.RandomRolloutEvaluator(1, rng)
    bots = [
        mcts.MCTSBot(game, 1.4, 3, rollout, random_state=rng),
        uniform_random.UniformRandomBot(1, rng),
    ]
    assert sum(played(game, bots, rng)) == 0
    bots[0] = ismcts.ISMCTSBot(game, rollout, 1.4, 2, random_state=rng)
    assert sum(played(game, bots, rng)) == 0


def played(game, bots, rng):
    """Return what two bots get in a game."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state.returns()


@pytest.mark.parametrize("name", ["python_solaris_clash", "python_solstis"])
def test_the_environment_for_learners(name):
    environment = rl_environment.Environment(name)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) in (84, 3267)
        step = environment.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "points"}, "objective is 'points'"),
        ({"variant": "long"}, "variant is 'long'"),
        ({"position": "nowhere"}, "is no part of a position"),
        (
            {"position": position_parameter(State.new(1)), "variant": "firefly"},
            "the position says its rules",
        ),
    ],
)
def test_parameters_of_solstis_that_are_refused(parameters, message):
    with pytest.raises(GameError, match=message):
        solstis(**parameters)


def test_a_position_at_its_end_is_refused():
    *_, state = walk(solstis(), seed=2)
    with pytest.raises(GameError, match="at its end"):
        solstis(position=position_parameter(state.state))


def test_actions_that_are_not_legal_are_refused():
    state = solstis(position=position_parameter(State.new(5))).new_initial_state()
    with pytest.raises(IllegalMoveError, match=r"action 7 is not possible .* 23 \(play_tile 3-4\)"):
        state.apply_action(7)


# ---- the package


def test_without_openspiel_it_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for name in [name for name in sys.modules if name.startswith("games.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match="pip install open_spiel") as refused:
        __import__("games.openspiel")
    assert isinstance(refused.value, GameError)


def test_nothing_else_imports_openspiel():
    code = "import sys, games.clash, games.solstis; assert 'pyspiel' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
