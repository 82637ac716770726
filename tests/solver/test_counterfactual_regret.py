"""Regret minimisation on small games whose values are published or found otherwise."""

import io

import numpy as np
import pytest

from solver.counterfactual_regret import CounterfactualRegret, minimise_regret
from solver.errors import SolverError, StateError
from solver.exploitability import exploitability, trimmed
from solver.matrix import solve
from solver.regret_rules import RULES, CfrPlus, PdcfrPlus
from solver.sequence_form import solve_sequence_form
from solver.tree_compiler import compile_public_tree
from tests.small_games import (
    Goofspiel,
    Kuhn,
    KuhnAtOnce,
    Leduc,
    MatrixGame,
    RandomGame,
    Signal,
)


@pytest.fixture(scope="module")
def kuhn():
    return compile_public_tree(Kuhn())


@pytest.fixture(scope="module")
def leduc():
    return compile_public_tree(Leduc())


@pytest.mark.parametrize(
    ("rule", "tolerance"),
    [("CFR", 2e-3), ("CFR+", 2e-4), ("DCFR", 2e-4), ("PCFR+", 1e-6), ("PDCFR+", 1e-6)],
)
def test_every_rule_solves_kuhn_poker(kuhn, rule, tolerance):
    solution = minimise_regret(kuhn, tolerance, 1000, rule)
    assert solution.converged, str(solution)
    assert solution.rule == rule
    assert solution.measured.lower <= -1 / 18 <= solution.measured.upper
    assert solution.measured.value == pytest.approx(-1 / 18, abs=2 * tolerance)


def test_all_rules_are_tried_above():
    assert set(RULES) == {"CFR", "CFR+", "DCFR", "PCFR+", "PDCFR+"}


def test_equilibrium_of_kuhn_poker(kuhn):
    first, second = minimise_regret(kuhn, 1e-7).strategies
    bluff = kuhn.action_probabilities(0, first, 0, "J")["b"]
    assert 0 <= bluff <= 1 / 3 + 1e-5
    assert kuhn.action_probabilities(0, first, 0, "K")["b"] == pytest.approx(3 * bluff, abs=1e-4)
    assert kuhn.action_probabilities(0, first, 0, "Q")["b"] == pytest.approx(0, abs=1e-5)
    # player 1 has one equilibrium strategy
    bet, checked = kuhn.find("b"), kuhn.find("p")
    assert kuhn.action_probabilities(1, second, bet, "Q")["b"] == pytest.approx(1 / 3, abs=1e-4)
    assert kuhn.action_probabilities(1, second, checked, "J")["b"] == pytest.approx(1 / 3, abs=1e-4)
    assert kuhn.action_probabilities(1, second, checked, "K")["b"] == pytest.approx(1, abs=1e-5)


def test_moves_in_turn_and_at_once_are_the_same_game(kuhn):
    pairs = [
        minimise_regret(compile_public_tree(game), 0.0, 200).strategies
        for game in (Kuhn(), KuhnAtOnce())
    ]
    for in_turn, at_once in zip(*pairs, strict=True):
        assert np.array_equal(in_turn, at_once)


@pytest.mark.parametrize("rule", ["CFR+", "DCFR", "PCFR+", "PDCFR+"])
def test_value_of_leduc_poker(leduc, rule):
    solution = minimise_regret(leduc, 1e-3, 2000, rule)
    assert solution.converged
    assert solution.measured.lower <= -0.085606424 <= solution.measured.upper
    assert solution.measured.value == pytest.approx(-0.0856, abs=1e-3)


def backward(hand0, hand1, ahead):
    """Value of goofspiel with open bids by plain recursion over matrix games."""
    if not hand0:
        return float(np.sign(ahead))
    game = Goofspiel(hand0, hand1, ahead)
    payoffs = [[backward(*game.play(game.start, (a, b))) for b in hand1] for a in hand0]
    return solve(payoffs).value


@pytest.mark.parametrize(
    "start",
    [
        ((1, 2, 3), (1, 2, 3), 0),
        ((1, 2, 3, 4), (1, 2, 3, 4), 0),
        ((1, 2, 3, 4), (1, 2, 3, 4), 1),
        ((1, 2, 4, 6), (2, 3, 5, 7), -1),
        ((1, 3, 5), (2, 3, 4), 0),
    ],
)
def test_goofspiel_with_open_bids_agrees_with_backward_induction(start):
    measured = minimise_regret(compile_public_tree(Goofspiel(*start)), 1e-6).measured
    value = backward(*start)
    assert measured.exploitability <= 1e-6
    assert measured.lower - 1e-9 <= value <= measured.upper + 1e-9
    if start[0] == start[1] and start[2] == 0:
        assert value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("payoffs", [[[1, -1], [-1, 1]], [[0, -1, 2], [1, 0, -1], [-1, 1, 0]]])
def test_matrix_games_agree_with_the_matrix_solver(payoffs):
    solution = minimise_regret(compile_public_tree(MatrixGame(payoffs)), 1e-6, 100_000)
    exact = solve(payoffs)
    assert solution.measured.value == pytest.approx(exact.value, abs=1e-5)
    assert solution.strategies[0][1:] == pytest.approx(exact.row, abs=1e-3)
    assert solution.strategies[1][1:] == pytest.approx(exact.column, abs=1e-3)


@pytest.mark.parametrize("game", [Signal(), *map(RandomGame, range(40))])
def test_games_with_chance_that_depends_on_types_agree_with_the_linear_program(game):
    tree = compile_public_tree(game)
    solution = minimise_regret(tree, 1e-4, 3000)
    assert solution.converged
    value = solve_sequence_form(tree).value
    assert solution.measured.lower - 1e-9 <= value <= solution.measured.upper + 1e-9


def test_same_game_same_bits(leduc):
    first, second = (CounterfactualRegret(compile_public_tree(Leduc())) for _ in range(2))
    first.iterate(60)
    for _ in range(60):
        second.iterate()
    for one, other in zip(first.average_strategy(), second.average_strategy(), strict=True):
        assert np.array_equal(one, other)


def test_a_checkpoint_goes_on_bit_by_bit(leduc):
    whole, first, second = (CounterfactualRegret(leduc, CfrPlus()) for _ in range(3))
    whole.iterate(50)
    first.iterate(20)
    saved = io.BytesIO()
    np.savez(saved, **first.checkpoint())
    saved.seek(0)
    second.restore(np.load(saved))
    second.iterate(30)
    assert second.iterations == 50
    for one, other in zip(whole.average_strategy(), second.average_strategy(), strict=True):
        assert np.array_equal(one, other)


def test_a_checkpoint_of_another_loop_is_refused(kuhn, leduc):
    state = CounterfactualRegret(leduc).checkpoint()
    with pytest.raises(StateError, match="another tree"):
        CounterfactualRegret(kuhn).restore(state)
    with pytest.raises(StateError, match="was made with PdcfrPlus"):
        CounterfactualRegret(leduc, "CFR").restore(state)
    with pytest.raises(StateError, match="was made with PdcfrPlus"):
        CounterfactualRegret(leduc, PdcfrPlus(alpha=1.5)).restore(state)
    del state["sums1"]
    with pytest.raises(StateError, match="has no 'sums1'"):
        CounterfactualRegret(leduc).restore(state)


def test_every_version_of_a_strategy_has_the_same_weight_at_all_sets(leduc):
    """The average plan is the weighted mean of the plans that were played."""
    rule = PdcfrPlus()
    loop = CounterfactualRegret(leduc, rule)
    form = leduc.players[0]
    mean, total = np.zeros(form.sequences), 0.0
    for iteration in range(1, 30):
        loop.iterate()
        reach = loop.current_strategy[0]
        for index, parent in enumerate(form.set_parent):
            reach[form.set_start[index] : form.set_start[index + 1]] *= reach[parent]
        weight = iteration**rule.average_power
        mean += weight * reach
        total += weight
    average = loop.average_strategy()[0]
    for index, parent in enumerate(form.set_parent):
        average[form.set_start[index] : form.set_start[index + 1]] *= average[parent]
    assert average == pytest.approx(mean / total, abs=1e-12)


class Dominated(MatrixGame):
    """Player 0 may stop at once for 10; going on leads to matching pennies for less."""

    def kind(self, node):
        return type(super().kind(None))((0, 2, 4)[len(node)])

    def root(self):
        return ()

    def actions(self, node, player):
        return ["stop", "go"] if not node else [0, 1]

    def play(self, node, move):
        return ("stop", None) if move == "stop" else (*node, move)

    def payoff(self, node):
        return 10.0 if node[0] == "stop" else self.payoffs[node[1]]


def test_sets_that_play_never_comes_to_are_marked_and_uniform():
    tree = compile_public_tree(Dominated([[1, -1], [-1, 1]]))
    solution = minimise_regret(tree, 1e-9)
    assert solution.reached(0).tolist() == [True, False]
    assert solution.reached(1).tolist() == [False]
    go = tree.find("go")
    assert tree.action_probabilities(0, solution.strategies[0], go, None) == {0: 0.5, 1: 0.5}


def test_traces_in_the_average_do_not_count_above_a_least_chance(leduc):
    solution = minimise_regret(leduc, 2e-3)
    reached = [solution.reached(0, least).sum() for least in (0.0, 1e-6, 1e-3)]
    assert reached[0] >= reached[1] > reached[2]
    clean = tuple(
        trimmed(form, own, 1e-3)
        for form, own in zip(leduc.players, solution.strategies, strict=True)
    )
    assert exploitability(leduc, clean).exploitability < 5e-3


def test_progress_is_shown_and_the_reason_for_stopping_told(kuhn):
    seen = []
    solution = minimise_regret(
        kuhn, 0.0, 30, progress=lambda made, measured: seen.append((made, measured.exploitability))
    )
    assert [made for made, _ in seen] == [10, 12, 15, 18, 22, 27, 30]
    assert not solution.converged
    assert solution.iterations == 30
    assert "out of iterations" in str(solution)
    assert "tolerance met" in str(minimise_regret(kuhn, 0.1))


def test_bad_input_is_refused(kuhn):
    with pytest.raises(SolverError, match="no rule 'CFR#': expected one of CFR, CFR"):
        CounterfactualRegret(kuhn, "CFR#")
    with pytest.raises(SolverError, match="tolerance"):
        minimise_regret(kuhn, -1.0)
    with pytest.raises(SolverError, match="iterations"):
        minimise_regret(kuhn, iterations=0)
