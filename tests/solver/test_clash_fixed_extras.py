"""Always the same extras: a reduced game against the exact linear program, symmetry, bad input."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from games.clash import Hand, Rules, State, full_hands
from solver.clash import solve_fixed_extras
from solver.clash.hidden.arguments import read_deal
from solver.clash.hidden.classes import sequence_classes
from solver.clash.hidden.fixed_extras import KnownHandGame
from solver.errors import SolverError
from solver.public_game import NodeKind
from solver.regret_rules import DEFAULT_RULE
from solver.sequence_form import solve_sequence_form
from tests.strategies import RepeatBonus

DEALS = {"DaNoMiDu----": Fraction(1, 4), "NoNoMiDa----": Fraction(3, 4)}
HELD, SECRET = "WFA", ("WWE", "FFE", "WAE", "FAE")


@dataclass(frozen=True)
class Node:
    hand: str | None = None
    state: State | None = None
    history: tuple = ()
    pending: tuple = ()


class KnownHand:
    """The reduced game as it is told by the rules: a hand, a deal turned up, three rounds."""

    def __init__(self, objective):
        self.objective = objective

    def root(self):
        return Node()

    def kind(self, node):
        if node.hand is None or node.pending:
            return NodeKind.PLAYER_1
        if node.state is None or node.state.time_is_due:
            return NodeKind.CHANCE
        return NodeKind.END if node.state.is_over else NodeKind.PLAYER_0

    def information_set(self, node):
        if node.hand is None:
            return "which hand"
        return node.state.times, node.history, node.hand if node.pending else None

    def actions(self, node):
        return SECRET if node.hand is None else node.state.legal(len(node.pending))

    def chances(self, node):
        chances = DEALS if node.state is None else node.state.next_times()
        return {outcome: float(chance) for outcome, chance in chances.items()}

    def play(self, node, move):
        if node.hand is None:
            return Node(move)
        if node.state is None:
            hands = Hand.parse(HELD), Hand.parse(node.hand)
            return replace(node, state=State(hands, DEALS_TIMES[move], (0, 0)))
        if node.state.time_is_due:
            return replace(node, state=node.state.reveal(move))
        if not node.pending:
            return replace(node, pending=(move,))
        cards = (*node.pending, move)
        return Node(node.hand, node.state.play(cards), (*node.history, cards))

    def payoffs(self, node):
        return node.state.utility(0, self.objective), node.state.utility(1, self.objective)


DEALS_TIMES = {
    times: read_deal(times, "win", [[HELD], SECRET], None, (0, 0), (0, 0), None).times
    for times in DEALS
}


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_a_reduced_game_has_the_value_of_the_linear_program(objective):
    exact = solve_sequence_form(KnownHand(objective))
    deals = [
        read_deal(times, objective, [[HELD], SECRET], None, (0, 0), (0, 0), None).layout()
        for times in DEALS
    ]
    groups = [[number] for number in range(len(SECRET))]
    game = KnownHandGame(deals, list(map(float, DEALS.values())), groups, 2, single=False)
    for number in range(1, 1001):
        game.iterate(DEFAULT_RULE.step(number))
    low, high = game.bounds()
    assert low - 1e-9 <= exact.value <= high + 1e-9
    assert high - low <= 1e-3
    assert game.reply().sum() == pytest.approx(1)


def test_rotations_that_leave_the_extras_merge_sequences():
    assert len(sequence_classes("independent", (0,))) == 252
    halves = sequence_classes("independent", (0, 2))
    assert len(halves) == 126
    assert sum(one.chance for one in halves) == pytest.approx(1)


@pytest.fixture
def few_sequences(monkeypatch):
    """Only sequences that begin with three equal times, so that a test takes seconds."""

    def few(time_deck, rotations):
        kept = [
            one for one in sequence_classes(time_deck, rotations) if len(set(one.times[:3])) == 1
        ]
        total = sum(one.chance for one in kept)
        return tuple(replace(one, chance=one.chance / total) for one in kept)

    monkeypatch.setattr("solver.clash.hidden.fixed_extras.sequence_classes", few)


@pytest.mark.slow
def test_rotated_extras_are_worth_as_much(few_sequences):
    for extras, turned in (("WW", "FF"), ("WA", "FE")):
        told = []
        one = solve_fixed_extras(extras, tolerance=0.02, progress=told.append)
        other = solve_fixed_extras(turned, tolerance=0.02, workers=1)
        assert one.extras == extras
        assert told[0].iterations == 0
        assert told[-1].exploitability == one.exploitability <= 0.02
        assert max(one.bounds[0], other.bounds[0]) <= min(one.bounds[1], other.bounds[1])
        around = {
            label: one.reply[next(k for k, h in full_hands().items() if h.rotated(1) == hand)]
            for label, hand in full_hands().items()
        }
        assert sum(abs(around[label] - other.reply[label]) for label in around) < 0.5
        assert f"always {extras}" in str(one)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"extras": "WX"}, "'WX' are no extras"),
        ({"extras": "W"}, "'W' are no extras"),
        ({"extras": "WWW"}, "'WWW' are no extras"),
        ({"extras": 5}, "5 are no extras"),
        ({"objective": "money"}, "objective is 'money'"),
        ({"rules": Rules(players=3)}, "two players"),
        ({"rules": Rules(bonus=RepeatBonus())}, "no own bonus"),
        ({"tolerance": 0.0}, "cannot be measured"),
        ({"iterations": 0}, "iterations is 0"),
        ({"workers": -1}, "workers is -1"),
    ],
)
def test_bad_arguments_are_named(arguments, fault):
    with pytest.raises(SolverError, match=fault):
        solve_fixed_extras(**{"extras": "WF", **arguments})
