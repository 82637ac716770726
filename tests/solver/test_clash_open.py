"""Open hands: recorded values, exact values, symmetries, best responses and simulation."""

import json
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clash import Element, Rules, State, rotate, swap_players
from solver.clash import solve_open
from solver.clash.open_hands import without_rounding
from solver.errors import SolverError, StateError
from tests.strategies import RepeatBonus, heavy, reachable_states, rules, states

RECORDED = json.loads((Path(__file__).parents[1] / "data/clash/open.json").read_text())["values"]
ROUND_5 = "WF/EE DaNoDuMiDa-- 3-2"

two_players = rules(st.just(2), bonuses=True)
standard = rules(st.just(2))
objectives = st.sampled_from(["win", "margin"])


def recorded_state(case):
    options = Rules(time_deck=case["time_deck"], sunburst=case["sunburst"])
    return State.parse(case["position"], options)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: str(case["id"]))
def test_recorded_value_and_matrix(case):
    state = recorded_state(case)
    solution = solve_open(state, case["objective"])
    assert solution.value == pytest.approx(float(case["value"]), abs=1e-9)
    matrix = solution.matrix(state)
    assert [card.letter for card in state.legal(0)] == case["rows"]
    assert [card.letter for card in state.legal(1)] == case["columns"]
    np.testing.assert_allclose(matrix, case["matrix"], rtol=0, atol=1e-9)
    row, column = (np.array(list(solution.strategy(state, p).values())) for p in (0, 1))
    assert (row @ matrix).min() == pytest.approx(solution.value, abs=1e-9)
    assert (matrix @ column).max() == pytest.approx(solution.value, abs=1e-9)


SMALL = [case for case in RECORDED if case["fraction"] and len(case["position"].split("/")[0]) <= 4]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: str(case["id"]))
def test_recorded_fraction(case):
    solution = solve_open(recorded_state(case), case["objective"], exact=True)
    assert solution.value == Fraction(case["fraction"])
    assert solution.exact


@heavy
@given(states(two_players), objectives)
def test_arrays_agree_with_exact_recursion(state, objective):
    if len(state.hands[0]) > 4:
        return
    exact = solve_open(state, objective, exact=True)
    assert solve_open(state, objective).value == pytest.approx(float(exact.value), abs=1e-12)


@heavy
@given(states(standard), objectives, st.integers(0, 3))
def test_symmetries(state, objective, steps):
    value = solve_open(state, objective).value
    assert solve_open(rotate(state, steps), objective).value == pytest.approx(value, abs=1e-12)
    assert solve_open(swap_players(state), objective).value == pytest.approx(-value, abs=1e-12)


def best_response(solution, state, player):
    """Return what a player gets by a best response to the other's strategy in the solution."""
    if state.is_over:
        return state.utility(player, solution.objective)
    if state.time_is_due:
        return sum(
            float(chance) * best_response(solution, state.reveal(time), player)
            for time, chance in state.next_times().items()
        )
    mix = solution.strategy(state, 1 - player)
    return max(
        sum(
            chance
            * best_response(
                solution, state.play((own, card) if player == 0 else (card, own)), player
            )
            for card, chance in mix.items()
            if chance
        )
        for own in state.legal(player)
    )


@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("WFAE/FAAE DaNoDuMi---- 2-1", Rules()),
        ("WWF/AEE DaNoDuMi---- 2-4 0-2", Rules(sunburst="restarting")),
        ("WWA/FEE DaDaDuMi---- 5-4", Rules(time_deck="distinct")),
        ("WFA/FAE DaNoDuMi---- 3-2 2-*", Rules(sunburst="once")),
        ("WFA/FAE DaNoDuMi---- 3-2", Rules(bonus=RepeatBonus())),
    ],
)
def test_best_response_gains_nothing(position, options, objective):
    state = State.parse(position, options)
    solution = solve_open(state, objective)
    assert best_response(solution, state, 0) == pytest.approx(solution.value, abs=1e-9)
    assert best_response(solution, state, 1) == pytest.approx(-solution.value, abs=1e-9)


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_simulation_agrees_within_its_error(objective):
    root = State.parse("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    solution = solve_open(root, objective)
    random = np.random.default_rng(20260101)
    utilities = []
    cache: dict = {}
    for _ in range(3000):
        state = root
        while not state.is_over:
            if state.time_is_due:
                chances = state.next_times()
                times = list(chances)
                p = [float(chance) for chance in chances.values()]
                state = state.reveal(times[random.choice(len(times), p=p)])
                continue
            if state not in cache:
                cache[state] = [solution.strategy(state, player) for player in (0, 1)]
            state = state.play(
                [list(mix)[random.choice(len(mix), p=list(mix.values()))] for mix in cache[state]]
            )
        utilities.append(state.utility(0, objective))
    error = np.std(utilities) / len(utilities) ** 0.5
    assert abs(np.mean(utilities) - solution.value) < 4 * error


@heavy
@given(reachable_states(two_players), objectives, st.data())
def test_every_state_that_follows_is_answered_as_by_itself(root, objective, data):
    solution = solve_open(root, objective)
    state = root
    while not state.is_over and data.draw(st.booleans()):
        if state.time_is_due:
            state = state.reveal(data.draw(st.sampled_from(sorted(state.next_times()))))
        else:
            state = state.play([data.draw(st.sampled_from(state.legal(p))) for p in (0, 1)])
    alone = solve_open(state, objective)
    assert solution.value_at(state) == pytest.approx(alone.value, abs=1e-12)
    if not state.is_over and not state.time_is_due:
        np.testing.assert_allclose(solution.matrix(state), alone.matrix(state), atol=1e-12)
        for player in (0, 1):
            mix = solution.strategy(state, player)
            assert tuple(mix) == state.legal(player)
            assert sum(mix.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("sunburst", ["restarting", "overlapping", "once"])
def test_points_so_far_only_shift_the_margin(sunburst):
    options = Rules(sunburst=sunburst)
    behind = solve_open(State.parse("WFA/FAE DaNoDuMi---- 0-4 0-2", options), "margin")
    even = solve_open(State.parse("WFA/FAE DaNoDuMi---- 0-0 0-2", options), "margin")
    assert behind.value == pytest.approx(even.value - 4, abs=1e-12)


def test_known_times_are_used():
    hidden = solve_open("WFA/FAE DaNoDuMi---- 0-0", "margin").value
    known = [
        solve_open(f"WFA/FAE DaNoDuMi{fifth}-- 0-0", "margin").value
        for fifth in ("Da", "No", "Mi", "Du")
    ]
    assert min(known) < hidden < max(known)
    assert solve_open("WFA/FAE DaNoDuMiDaNo 0-0", "margin").value != known[0]


def test_time_due_over_and_forced():
    due = solve_open("WF/EE DaNoDuMi---- 3-2")
    state = due.root
    expected = sum(
        float(chance) * due.value_at(state.reveal(time))
        for time, chance in state.next_times().items()
    )
    assert due.value == pytest.approx(expected, abs=1e-12)
    for question in (due.matrix, lambda s: due.strategy(s, 0)):
        with pytest.raises(StateError, match="round 5 is due"):
            question(state)
    over = solve_open("-/- DaNoDuMiDaNo 7-5")
    assert (over.value, over.value_at(over.root)) == (1.0, 1.0)
    assert solve_open("-/- DaNoDuMiDaNo 7-5", "margin", exact=True).value == 2
    with pytest.raises(StateError, match="over"):
        over.matrix(over.root)
    forced = solve_open("W/F DaNoDuMiDaDa 7-9")
    assert forced.strategy(forced.root, 0) == {Element.WATER: 1.0}
    assert forced.value == 0.0


def test_exact_answers_are_fractions_throughout():
    solution = solve_open(ROUND_5, exact=True)
    assert isinstance(solution.value, Fraction)
    assert all(isinstance(entry, Fraction) for entry in solution.matrix(solution.root).flat)
    assert sum(solution.strategy(solution.root, 0).values()) == Fraction(1)
    assert solution.value == pytest.approx(solve_open(ROUND_5).value, abs=1e-12)


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda s: s.value_at("WF/EE NoDaDuMiNo-- 3-2"), "does not follow"),
        (lambda s: s.matrix("WW/EE DaNoDuMiDa-- 3-2"), "does not follow"),
        (lambda s: s.strategy(s.root, 2), "no player 2"),
        (lambda s: s.strategy(s.root, True), "no player True"),
        (lambda s: s.value_at(State.parse(ROUND_5, Rules(time_deck="distinct"))), "other rules"),
        (lambda s: s.value_at(7), "no State"),
        (lambda s: solve_open(ROUND_5, "money"), "objective is 'money'"),
        (lambda s: solve_open(None), "no State"),
        (
            lambda s: solve_open(State.parse("W/F/A DaNoDuMiDaNo 0-0-0", Rules(players=3))),
            "two players, not 3",
        ),
    ],
)
def test_refusals_name_the_fault(ask, fault):
    with pytest.raises(SolverError, match=fault):
        ask(solve_open(ROUND_5))


@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("WWW/FFE NoMiDuDu---- 0-0", Rules()),
        ("WAA/FFF DuDaDuMi---- 3-0 2-0", Rules(sunburst="once")),
    ],
)
def test_ties_up_to_rounding_are_ties(position, options):
    state = State.parse(position, options)
    found, exact = (solve_open(state, "margin", exact).entry(state) for exact in (False, True))
    assert not exact.unique
    assert not found.unique
    assert found.row == pytest.approx(exact.row)
    assert found.column == pytest.approx(exact.column)


def test_a_solution_prints_and_pickles():
    solution = solve_open(ROUND_5)
    again = pickle.loads(pickle.dumps(solution))
    assert (again.value, str(again)) == (solution.value, str(solution))
    assert "certified" in str(solution)
    assert "antes" in str(solution)


def test_faults_of_a_bonus_come_through():
    class Wrong(RepeatBonus):
        def step(self, memory, cards, time, points_this_round):
            return memory, (-1, 0)

    with pytest.raises(ValueError, match="non-negative"):
        solve_open(State.parse(ROUND_5, Rules(bonus=Wrong())))


@pytest.mark.parametrize(
    ("text", "sunburst", "objective"),
    [
        # thirds: 1 - 2/3 and 1/3 are not the same float, nor in proportion once they are rounded
        ("AAAE/WFAA DaDuNoDaNo-- 1-0", "off", "win"),
        ("FAE/WAE DuDuNoDaDa-- 1-0", "off", "win"),
        ("FAEE/WFAE DaDaMiDuMiNo 0-1", "off", "win"),
        ("FFAA/WAEE DaNoDuNoDu-- 3-0 2-0", "once", "margin"),
    ],
)
def test_ties_of_thirds_stay_ties(text, sunburst, objective):
    state = State.parse(text, Rules(sunburst=sunburst))
    found = solve_open(state, objective).entry(state)
    exact = solve_open(state, objective, exact=True).entry(state)
    assert found.unique == exact.unique
    for mine, theirs in zip(found.strategies, exact.strategies, strict=True):
        for card, chance in theirs.items():
            assert mine[card] == pytest.approx(float(chance), abs=1e-12)


def test_values_that_are_the_same_become_one():
    payoffs = np.array([[1 / 3, 1 - 2 / 3, 5.0], [2 / 3, 1 / 3 + 3e-13, -1 / 3]])
    same = without_rounding(np.stack([payoffs, -payoffs]))
    assert same[0, 0, 0] == same[0, 0, 1] == same[0, 1, 1] == pytest.approx(1 / 3, abs=1e-12)
    assert (same[0, 0, 2], same[0, 1, 0], same[0, 1, 2]) == (5.0, 2 / 3, -1 / 3)
    np.testing.assert_array_equal(same[1], -same[0])
    for empty in (np.zeros((0, 3, 3)), np.zeros((0, 0)), np.zeros((2, 0, 0))):
        assert without_rounding(empty).shape == empty.shape
    assert without_rounding(np.array([[0.25]])) == 0.25
