"""The linear program of the sequence form on games of the literature, and what it refuses."""

import numpy as np
import pytest

from solver.errors import CertificationError, PayoffError, SolverError, StateError
from solver.exploitability import exploitability, reach_probabilities
from solver.extensive_form import Unrolled
from solver.matrix import solve
from solver.public_game import NodeKind
from solver.sequence_form import solve_sequence_form
from solver.sequences import sequence_form, sequence_form_of_tree
from solver.tree_compiler import compile_public_tree
from tests.small_games import (
    Goofspiel,
    HiddenBids,
    Kuhn,
    KuhnAtOnce,
    Leduc,
    MatrixGame,
    RandomGame,
    Signal,
)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Kuhn(), -1 / 18),
        (KuhnAtOnce(), -1 / 18),
        (Leduc(), -0.085606424078),
        (Goofspiel([1, 2, 3]), 0),
        (MatrixGame([[1, -1], [-1, 1]]), 0),
        (MatrixGame([[4, 1], [1, 2]]), 7 / 4),
        (MatrixGame([[4e-9, 1e-9], [1e-9, 2e-9]]), 7e-9 / 4),
        (MatrixGame([[4e9, 1e9], [1e9, 2e9]]), 7e9 / 4),
    ],
)
def test_values_of_the_literature(game, value):
    for told in (Unrolled(game), compile_public_tree(game)):
        solution = solve_sequence_form(told)
        assert solution.value == pytest.approx(
            value, rel=1e-11, abs=1e-12 * min(1, abs(value) or 1)
        )
        assert solution.bounds[0] <= solution.bounds[1] + 1e-12 * max(1, abs(value))
        assert solution.exploitability <= 1e-12 * max(1, abs(value))


@pytest.mark.parametrize("game", [Signal(), *map(RandomGame, range(60))])
def test_compiled_and_unrolled_games_have_one_value(game):
    tree = compile_public_tree(game)
    compiled = solve_sequence_form(tree)
    assert compiled.value == pytest.approx(solve_sequence_form(Unrolled(game)).value, abs=1e-9)
    measured = exploitability(tree, compiled.strategies)
    assert measured.bounds == pytest.approx(compiled.bounds, abs=1e-12)


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_goofspiel_with_hidden_bids(cards):
    solution = solve_sequence_form(HiddenBids(cards))
    assert solution.value == pytest.approx(0, abs=1e-12)
    assert solution.exploitability <= 1e-12


def test_hidden_bids_are_worth_as_much_as_a_matrix_of_all_plans():
    """With two cards the only choice is the first bid; player 0 is ahead in the second prize."""

    class Ahead(HiddenBids):
        def payoffs(self, node):
            margin = (3, 1)[self.won(node)[0] < 0] * sum(self.won(node)) + self.won(node)[0] * 2
            return margin, -margin

    game = Ahead(2)
    payoffs = [[game.payoffs(((a, 3 - a), (b, 3 - b)))[0] for b in (1, 2)] for a in (1, 2)]
    assert solve_sequence_form(game).value == pytest.approx(solve(payoffs).value, abs=1e-12)


def test_strategies_are_read_by_information_set():
    solution = solve_sequence_form(Unrolled(Kuhn()))
    # player 1 has one equilibrium strategy
    assert solution.strategy(1, (("b",), "Q"))["b"] == pytest.approx(1 / 3)
    assert solution.strategy(1, (("p",), "J"))["b"] == pytest.approx(1 / 3)
    assert solution.strategy(1, (("p",), "K")) == pytest.approx({"p": 0, "b": 1})
    with pytest.raises(StateError, match="no choice at 'nowhere'"):
        solution.strategy(0, "nowhere")


@pytest.mark.parametrize("game", [Kuhn(), Signal(), *map(RandomGame, range(20))])
def test_sets_that_play_never_comes_to_are_marked(game):
    tree = compile_public_tree(game)
    solution = solve_sequence_form(tree)
    for player in (0, 1):
        chances = reach_probabilities(tree, solution.strategies, player)
        assert np.array_equal(solution.reached(player), chances > 0)


def test_sets_after_a_move_that_is_never_made_are_unreached():
    class Stop(Kuhn):
        def payoff(self, node):
            return -5 if node[0] == "b" else super().payoff(node)

    solution = solve_sequence_form(Unrolled(Stop()))
    labels = solution.form.sides[1].labels
    assert {path for (path, _), hit in zip(labels, solution.reached(1), strict=True) if hit} == {
        ("p",)
    }


class Changed(HiddenBids):
    """Goofspiel with hidden bids and one answer replaced."""

    def __init__(self, **answers):
        super().__init__(2)
        for name, answer in answers.items():
            setattr(self, name, answer)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"information_set": lambda node: "blind"}, "has the actions|forgets something"),
        ({"payoffs": lambda node: (1.0, 1.0)}, "do not sum to 0"),
        ({"payoffs": lambda node: (np.nan, 1.0)}, "not finite"),
        ({"actions": lambda node: [1, 1]}, "expected different ones"),
        ({"actions": lambda node: []}, "expected different ones"),
        ({"kind": lambda node: NodeKind.BOTH}, "tell their moves in turn"),
    ],
)
def test_what_is_no_such_game_is_refused(answers, message):
    with pytest.raises(SolverError, match=message):
        solve_sequence_form(Changed(**answers))


class Forgetful(HiddenBids):
    """Player 0 bids twice and forgets the first bid."""

    def information_set(self, node):
        player = self.kind(node)
        return (player, len(node[player])) if player == 0 else super().information_set(node)

    def actions(self, node):
        return [1, 2, 3]


def test_a_player_who_forgets_is_refused():
    with pytest.raises(SolverError, match="forgets something"):
        solve_sequence_form(Forgetful(2))


@pytest.mark.parametrize("chances", [{0: 0.5, 1: 0.4}, {0: 1.5, 1: -0.5}, {0: np.nan}, {}])
def test_chance_that_is_no_probability_is_refused(chances):
    game = Unrolled(Kuhn())
    game.chances = lambda node: chances
    with pytest.raises(SolverError, match="probabilit"):
        solve_sequence_form(game)


def test_payoffs_that_are_not_finite_are_payoff_errors():
    with pytest.raises(PayoffError):
        solve_sequence_form(Changed(payoffs=lambda node: (np.inf, -np.inf)))


def test_games_beyond_the_limits_are_refused():
    with pytest.raises(SolverError, match="more than 100 histories"):
        solve_sequence_form(HiddenBids(3), max_histories=100)
    tree = compile_public_tree(Leduc())
    with pytest.raises(SolverError, match="terms: at most 100 allowed"):
        solve_sequence_form(tree, max_terms=100)
    with pytest.raises(SolverError, match="terms: at most 100 allowed"):
        solve_sequence_form(sequence_form_of_tree(tree), max_terms=100)


def test_a_failure_of_the_solver_is_told(monkeypatch):
    class Failed:
        status, message = 4, "numerical difficulties"

    monkeypatch.setattr("scipy.optimize.linprog", lambda *args, **options: Failed)
    with pytest.raises(CertificationError, match="numerical difficulties"):
        solve_sequence_form(Unrolled(Kuhn()))


def test_a_wrong_answer_of_the_solver_is_not_given(monkeypatch):
    form = sequence_form(Unrolled(Kuhn()))

    class Wrong:
        status = 0
        x = np.ones(100)

        class ineqlin:  # noqa: N801 - named as in scipy
            marginals = -np.ones(form.sides[1].sequences - 1)

    monkeypatch.setattr("scipy.optimize.linprog", lambda *args, **options: Wrong)
    with pytest.raises(CertificationError, match="do not meet"):
        solve_sequence_form(form)
