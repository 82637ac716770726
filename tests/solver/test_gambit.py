"""Games in the formats of Gambit: what is written, what is read back, what is refused."""

import doctest
import io
import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clash import Rules, full_hands
from games.solstis import State as SolstisState
from solver.clash import selection_game, solve_open
from solver.clash.gambit import hidden_efg, round_nfg
from solver.clash.hidden_tree import hidden_tree
from solver.errors import PayoffError, SolverError, StateError
from solver.extensive_form import Unrolled, UnrolledStates
from solver.gambit import efg, label_text, nfg, read_nfg
from solver.gambit.notation import exact_chances, number_text, quoted
from solver.matrix import equilibria, solve
from solver.public_game import NodeKind
from solver.sequence_form import solve_sequence_form
from solver.solstis import solve_endgame
from solver.solstis.gambit import ending_efg
from solver.state_graph import count_histories, expectiminimax, state_graph
from tests.efg_reader import EfgGame
from tests.small_games import Kuhn, Leduc
from tests.solver.test_state_graph import Dice

DATA = Path(__file__).parents[1] / "data"
KUHN = (DATA / "gambit" / "kuhn.efg").read_text()
ENDINGS = json.loads((DATA / "solstis" / "endgames.json").read_text())["positions"]
THREE_CARDS = ("MiDaNoDaNoDu", [["WWF", "WFA"], ["WAE", "FAE"]])

floats = st.floats(allow_nan=False, allow_infinity=False, width=64)


def kuhn_name(label):
    path, card = label
    return f"{card} {''.join(path)}".strip()


# Numbers and labels.


@given(floats)
def test_floats_read_back_equal(number):
    text = number_text(number)
    assert "+" not in text
    assert float(Fraction(text)) == number


@given(st.fractions())
def test_fractions_are_kept(number):
    assert Fraction(number_text(number)) == number


def test_numbers_are_short():
    assert [number_text(x) for x in (0.0, -0.0, -0.5, 1e300, 5e-324, 7)] == [
        "0", "0", "-0.5", "1e300", "5e-324", "7"
    ]  # fmt: skip
    with pytest.raises(SolverError, match="thousands of digits"):
        number_text(Fraction(10**5000))


@pytest.mark.parametrize("label", ["é", "tab\t", "two  spaces", " a", "a ", "line\n", "back\\", 5])
def test_labels_that_gambit_refuses_are_refused(label):
    with pytest.raises(SolverError, match="the title is"):
        quoted(label, "the title")
    with pytest.raises(SolverError, match="one of the rows"):
        nfg([[1, 2]], row_labels=[label])


# Chances.


@given(st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=12))
def test_chances_that_are_floats_sum_to_one_exactly(weights):
    chances = np.array(weights) / np.sum(weights)
    exact = exact_chances(dict(enumerate(chances)), "the deal")
    assert sum(exact.values()) == 1
    for number, chance in enumerate(chances):
        assert float(exact[number]) == pytest.approx(chance, rel=1e-15)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=8))
def test_floats_stand_for_simple_fractions(weights):
    total = sum(weights)
    exact = exact_chances({n: weight / total for n, weight in enumerate(weights)}, "the deal")
    assert exact == {n: Fraction(weight, total) for n, weight in enumerate(weights)}


def test_products_of_floats_stand_for_simple_fractions():
    exact = exact_chances(dict.fromkeys(range(100), 0.1 * 0.1), "the deal")
    assert set(exact.values()) == {Fraction(1, 100)}


def test_outcomes_without_a_chance_are_left_out():
    assert exact_chances({"a": 0.0, "b": Fraction(1)}, "x") == {"b": 1}
    assert exact_chances({"a": 0.1, "b": 0.2, "c": 0.7}, "x")["c"] == Fraction(7, 10)


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ({}, "no outcomes of chance at the deal"),
        ({"a": -0.5, "b": 1.5}, "negative"),
        ({"a": float("nan")}, "no number"),
        ({"a": "all"}, "no number"),
        ({"a": 0.5, "b": 0.4}, "have the sum 0.9, not 1"),
        ({"a": 0.0}, "have the sum 0.0, not 1"),
        ({"a": Fraction(1, 3), "b": Fraction(2, 3) - Fraction(1, 10**12)}, "not 1"),
    ],
)
def test_chances_that_make_no_sense_are_refused(chances, message):
    with pytest.raises(SolverError, match=message):
        exact_chances(chances, "the deal")


# Strategic form.


def test_the_strategy_of_the_first_player_changes_fastest():
    text = nfg([[1, 2, 3], [4, 5, 6]], [[10, 20, 30], [40, 50, 60]], 'called "A"', comment="why")
    assert text == (
        'NFG 1 R "called \\"A\\"" { "Player 0" "Player 1" }\n'
        '{ { "1" "2" } { "1" "2" "3" } }\n'
        '"why"\n\n1 10 4 40\n2 20 5 50\n3 30 6 60\n'
    )
    game = read_nfg(text)
    assert (game.title, game.comment, game.players) == (
        'called "A"',
        "why",
        ("Player 0", "Player 1"),
    )
    assert game.strategies == (("1", "2"), ("1", "2", "3"))
    assert game.payoffs[0].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert game.payoffs[1].tolist() == [[10, 20, 30], [40, 50, 60]]


@given(st.lists(st.lists(floats, min_size=3, max_size=3), min_size=1, max_size=4))
def test_matrices_of_floats_read_back_equal(rows):
    game = read_nfg(nfg(rows))
    assert (game.payoffs[0].astype(float) == np.array(rows)).all()
    assert (game.payoffs[0] == -game.payoffs[1]).all()


def test_matrices_of_fractions_read_back_equal():
    rows = [[Fraction(1, 3), Fraction(-22, 7)], [Fraction(10**40, 3), Fraction(5)]]
    assert read_nfg(nfg(rows)).payoffs[0].tolist() == rows


def test_what_is_read_is_solved():
    game = read_nfg(nfg([[3, 0], [0, 2]], [[2, 0], [0, 3]]))
    assert len(equilibria(*game.payoffs)) == 3
    game = read_nfg(nfg([[4, 1], [1, 2]]))
    assert solve(game.payoffs[0]).value == 1.75


OUTCOMES = """NFG 1 D "three players" { "a" "b" "c" }

{ { "1" "2" } { "1" "2" } { "only" } }
"a comment
of two lines"

{
{ "first" 1, 2, 3 }
{ "" 1/2 -0.25 1e-2 }
}
1 2 0 1
"""


def test_outcomes_and_three_players_are_read():
    game = read_nfg(OUTCOMES)
    assert game.comment == "a comment\nof two lines"
    assert game.strategies == (("1", "2"), ("1", "2"), ("only",))
    first, second, third = game.payoffs
    assert first.shape == (2, 2, 1)
    assert first[:, :, 0].tolist() == [[1, 0], [Fraction(1, 2), 1]]
    assert second[:, :, 0].tolist() == [[2, 0], [Fraction(-1, 4), 2]]
    assert third[:, :, 0].tolist() == [[3, 0], [Fraction(1, 100), 3]]


HEAD = 'NFG 1 R "g" { "a" "b" }\n{ 2 2 }\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected NFG 1 R, as files of this format begin, found the end"),
        ("EFG 2 R", "line 1: expected NFG 1 R.*found 'EFG'"),
        ("NFG 1 RD", "found 'RD'"),
        ("NFG 1 R g", "line 1: expected the title in quotes, found 'g'"),
        ('NFG 1 R "g', "line 1: a quote is opened and never closed"),
        ('NFG 1 R "g"\n{ }', "line 2: expected the names of the players in braces"),
        ('NFG 1 R "g" { "a" "b" }\n\n{ 2 x }', "line 3: expected how many.*found 'x'"),
        ('NFG 1 R "g" { "a" "b" }\n{ 0 2 }', "line 2: expected one strategy or more, found '0'"),
        ('NFG 1 R "g" { "a" "b" } { 2 }', "expected strategies of 2 players, found '1'"),
        ('NFG 1 R "g" { "a" "b" } { { "x" } 99999 } 1', "no more than payoffs"),
        (HEAD + "1 2 3 4\n5 6 7", "line 3: expected 8 payoffs from here on, found 7"),
        (HEAD + "1 2 3 4\n5 6 7 8 9", "line 3: expected 8 payoffs from here on, found 9"),
        (HEAD + "1 2 3 4\n5 nan 7 8", "line 4: expected a payoff, found 'nan'"),
        (HEAD + "1 2 3 4\n5 1/0 7 8", "line 4: expected a payoff, found '1/0'"),
        (HEAD + "1 2 3 4\n5 1e9999 7 8", "line 4: expected a payoff, found '1e9999'"),
        (HEAD + '{ { "x" 1 2 }\n{ "y" 1 } } 1 1 1 1', "line 4: expected a payoff, found '}'"),
        (HEAD + '{ { "x" 1 2 3 } } 1 1 1 1', "line 3: expected a closing brace after 2 payoffs"),
        (HEAD + '{ { "x" 1 2 } }\n1 1 1', "line 4: expected 4 numbers of outcomes.*found 3"),
        (HEAD + '{ { "x" 1 2 } }\n1 1 1 2', "line 4: expected the number of one of 1 outcomes"),
        (HEAD + "{", "line 3: expected an outcome in braces, found the end"),
    ],
)  # fmt: skip
def test_files_that_are_none_are_refused_with_the_line(text, message):
    with pytest.raises(SolverError, match=message):
        read_nfg(text)


@settings(max_examples=300)
@given(st.data())
def test_damaged_files_are_read_or_refused(data):
    text = data.draw(st.sampled_from([OUTCOMES, HEAD + "1 2 3 4 5 6 7 8"]))
    place = data.draw(st.integers(0, len(text) - 1))
    damage = data.draw(st.sampled_from(["", "{", "}", '"', "-", "1", " ", "\\", "e9", "/"]))
    damaged = text[:place] + damage + text[place + 1 :]
    with suppress(SolverError):
        game = read_nfg(damaged)
        assert len(game.payoffs) == len(game.players)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, float("nan")]],), PayoffError, "row 0, column 1 is nan"),
        (([[1, 2]], [[1]]), PayoffError, r"shape \(1, 1\), payoffs \(1, 2\)"),
    ],
)
def test_matrices_that_are_none_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        nfg(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"row_labels": ["a", "b"]}, "expected 1 names"),
        ({"row_labels": "a"}, "expected 1 names"),
        ({"column_labels": ["a", "a"]}, "expected different names"),
        ({"column_labels": ["a", ""]}, "none empty"),
        ({"players": ["a"]}, "1 players: expected two"),
        ({"players": ["a", "a"]}, "expected different names"),
    ],
)
def test_labels_that_do_not_fit_are_refused(options, message):
    with pytest.raises(SolverError, match=message):
        nfg([[1, 2]], **options)


# Extensive form.


def test_kuhn_poker_is_written_as_recorded():
    assert efg(Unrolled(Kuhn()), "Kuhn poker", set_name=kuhn_name) == KUHN
    assert solve_sequence_form(EfgGame(KUHN)).value == pytest.approx(-1 / 18, abs=1e-9)


def test_leduc_poker_keeps_its_value():
    game = EfgGame(efg(Unrolled(Leduc()), "Leduc poker"))
    expected = solve_sequence_form(Unrolled(Leduc())).value
    assert solve_sequence_form(game).value == pytest.approx(expected, abs=1e-9)


class Wrong:
    """A game of two moves that a test makes wrong in one place."""

    def __init__(self, **changes):
        self.changes = changes

    def root(self):
        return ""

    def kind(self, node):
        return self.changes.get("kind", NodeKind((0, 1, 4)[len(node)]))

    def information_set(self, node):
        return ("a", ("b", "c")) if node == "L" and "sets" in self.changes else "a b c"

    def actions(self, node):
        return self.changes.get(f"actions {node}", "LR")

    def play(self, node, move):
        return node + move

    def payoffs(self, node):
        return self.changes.get("payoffs", (1, 2))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": NodeKind.BOTH}, "both players move at '': tell their moves in turn"),
        ({"payoffs": (1, 2, 3)}, "3 payoffs at 'LL': expected two"),
        ({"payoffs": (1, float("inf"))}, "payoffs at 'LL': .* is inf"),
        ({"actions ": ""}, "no actions"),
        ({"actions R": "LM"}, r"has the actions \('L', 'R'\) and \('L', 'M'\)"),
        ({"actions L": "LL"}, "expected different names"),
        ({"sets": True}, "are both called 'a b c': pass a set_name"),
    ],
)
def test_games_that_are_none_are_refused(changes, message):
    with pytest.raises(SolverError, match=message):
        efg(Wrong(**changes))


def test_games_need_not_be_zero_sum():
    assert 't "" 1 "1" { 1, 2 }' in efg(Wrong())


def test_large_games_are_refused():
    nodes = KUHN.count("\n") - 3
    assert len(EfgGame(efg(Unrolled(Kuhn()), max_nodes=nodes))) == nodes
    with pytest.raises(SolverError, match="more than max_nodes = 54 nodes"):
        efg(Unrolled(Kuhn()), max_nodes=nodes - 1)
    for wrong in (0, True, 2.5):
        with pytest.raises(SolverError, match="max_nodes"):
            efg(Unrolled(Kuhn()), max_nodes=wrong)
    with pytest.raises(SolverError, match="3 players"):
        efg(Unrolled(Kuhn()), players=("a", "b", "c"))


def test_games_of_turns_and_chance_are_unrolled():
    unrolled = UnrolledStates(Dice(2), lambda state: state.shown)
    game = EfgGame(efg(unrolled, set_name=lambda path: label_text(path) or "start"))
    graph = state_graph(Dice(2))
    value = expectiminimax(graph, lambda state: Fraction(state.shown))[Dice(2)]
    assert len(game) == count_histories(graph)
    assert solve_sequence_form(game).value == pytest.approx(float(value), abs=1e-9)


# Clash and Solstis.


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_a_round_keeps_its_matrix(objective):
    position = "WFAE/WWEE DaNoDuMi---- 2-1"
    game = read_nfg(round_nfg(position, objective))
    solution = solve_open(position, objective)
    assert (game.payoffs[0].astype(float) == solution.matrix(position)).all()
    assert game.strategies == (("Water", "Fire", "Air", "Earth"), ("Water", "Earth"))
    assert solve(game.payoffs[0]).value == pytest.approx(solution.value, abs=1e-12)
    exact = solve_open(position, objective, exact=True).matrix(position)
    assert (read_nfg(round_nfg(position, objective, exact=True)).payoffs[0] == exact).all()


def test_rounds_without_a_choice_are_refused():
    with pytest.raises(StateError, match="the time of round 5 is due"):
        round_nfg("WF/EE DaNoDuMi---- 3-2")
    with pytest.raises(SolverError, match="objective"):
        round_nfg("WF/EE DaNoDuMiDa-- 3-2", "draw")


def test_the_choice_of_extras_keeps_its_matrix():
    game = selection_game("margin")
    labels = game.labels
    back = read_nfg(nfg(game.matrix, row_labels=labels, column_labels=labels))
    assert (back.payoffs[0].astype(float) == game.matrix).all()
    assert back.strategies == (labels, labels)


@pytest.mark.parametrize(
    ("times", "hands", "options"),
    [
        (*THREE_CARDS, {}),
        (*THREE_CARDS, {"objective": "margin", "points": (2, 1)}),
        ("DaNoDuMi----", [["WF", "WA", "FE"], ["AE", "FA"]],
         {"priors": [[0.5, 0.3, 0.2], [0.1, 0.9]]}),
        ("DaNoDuMi----", [["WF", "WA"], ["AE", "FA"]],
         {"rules": Rules(time_deck="distinct", sunburst="restarting"), "streaks": (2, 1)}),
    ],
)  # fmt: skip
def test_hidden_hands_keep_their_value(times, hands, options):
    text = hidden_efg(times, hands, **options)
    game = EfgGame(text)
    solution = solve_sequence_form(hidden_tree(times, hands, **options))
    assert solve_sequence_form(game).value == pytest.approx(solution.value, abs=1e-9)
    with pytest.raises(SolverError, match=f"the game has {len(game)} nodes, max_nodes is 9"):
        hidden_efg(times, hands, **options, max_nodes=9)


def test_the_whole_deal_is_counted_and_refused_at_once():
    with pytest.raises(SolverError, match=r"the game has 19,978,949 nodes, max_nodes is 100,000"):
        hidden_efg("DaNoDuMi----", [full_hands().values()] * 2)


def small_ending():
    """Return a recorded ending in which few ways lead on, by chance and by choice."""
    recorded = next(one for one in ENDINGS if one["leaves"] == 17)
    return SolstisState.from_dict(recorded), recorded["leaves"]


def test_an_ending_keeps_its_value():
    state, leaves = small_ending()
    game = EfgGame(ending_efg(state))
    assert sum(words[0] == "t" for words in game.lines) == leaves
    solution = solve_endgame(state)
    sign = 1 - 2 * solution.player
    assert game.players == ["Player 1", "Player 2"]
    assert solve_sequence_form(game).value == pytest.approx(sign * float(solution.value), abs=1e-9)


def test_endings_that_cannot_be_written_are_refused():
    state, _ = small_ending()
    with pytest.raises(SolverError, match="max_nodes = 5 states"):
        ending_efg(state, max_nodes=5)
    # 31 positions, to some of which play can come in several ways.
    recorded = next(one for one in ENDINGS if one["leaves"] == 8)
    with pytest.raises(SolverError, match="the game has 37 nodes, max_nodes is 31"):
        ending_efg(SolstisState.from_dict(recorded), max_nodes=31)
    with pytest.raises(StateError, match="nothing is hidden can be written"):
        ending_efg(SolstisState.new(5))
    with pytest.raises(StateError, match="no state of Solstis"):
        ending_efg("rules=base")
    while state.kind != "end":
        options = state.legal() or [outcome for outcome, _ in state.outcomes()]
        state = state.play(options[0])
    with pytest.raises(StateError, match="the game is over"):
        ending_efg(state)


# Gambit itself. Its names change from release to release: as few as can be are used.


@pytest.fixture(scope="module")
def gambit():
    return pytest.importorskip("pygambit")


def read_by_gambit(gambit, text, form="efg"):
    reader = {"efg": gambit.read_efg, "nfg": gambit.read_nfg}[form]
    return reader(io.BytesIO(text.encode()))


def gambit_value(gambit, game):
    """Return the value to the first player, in rationals; the regret of the answer is checked."""
    profile = gambit.nash.lp_solve(game, rational=True).equilibria[0]
    assert profile.max_regret() == 0
    return Fraction(str(profile.payoff(next(iter(game.players)))))


def test_gambit_reads_labels_and_numbers_as_they_were_written(gambit):
    payoffs = [[0.1, 1e-17, 2.5], [Fraction(1, 3), 1e30, -7]]
    text = nfg(payoffs, title='a "title"', row_labels=['the "left"', "right"])
    game = read_by_gambit(gambit, text, "nfg")
    assert game.title == 'a "title"'
    first, second = game.players
    assert [strategy.label for strategy in first.strategies] == ['the "left"', "right"]
    for i, row in enumerate(first.strategies):
        for j, column in enumerate(second.strategies):
            profile = game.mixed_strategy_profile(rational=True)
            for strategy in (*first.strategies, *second.strategies):
                profile[strategy] = Fraction(int(strategy in (row, column)))
            assert Fraction(str(profile.payoff(first))) == Fraction(str(payoffs[i][j]))


def test_gambit_finds_the_value_of_kuhn_poker(gambit):
    game = read_by_gambit(gambit, KUHN)
    assert gambit_value(gambit, game) == Fraction(-1, 18)
    assert game.is_perfect_recall
    assert [len(player.infosets) for player in game.players] == [6, 6]


def test_gambit_finds_the_values_of_rounds(gambit):
    for position in ("WFAE/WWEE DaNoDuMi---- 2-1", "FE/FA DaNoDuMiNo-- 0-0"):
        game = read_by_gambit(gambit, round_nfg(position, exact=True), "nfg")
        assert gambit_value(gambit, game) == solve_open(position, exact=True).value


def test_gambit_finds_the_values_of_hidden_hands(gambit):
    # Its linear program takes long for more than a few information sets.
    one, two = [["WF"], ["AE"]], [["WF", "WA"], ["AE", "FA"]]
    for times, hands in (("DaNoDuMiDa--", two), ("DaNoDuMi----", one)):
        game = read_by_gambit(gambit, hidden_efg(times, hands))
        value = solve_sequence_form(hidden_tree(times, hands)).value
        assert float(gambit_value(gambit, game)) == pytest.approx(value, abs=1e-9)


def test_our_strategies_have_no_regret_by_gambit(gambit):
    text = hidden_efg("DaNoDuMiDa--", [["WF", "WA"], ["AE", "FA"]])
    solution = solve_sequence_form(EfgGame(text))
    game = read_by_gambit(gambit, text)
    profile = game.mixed_behavior_profile(rational=False)
    for number, player in enumerate(game.players):
        for place in player.infosets:
            actions = list(place.actions)
            if len(actions) > 1:
                mix = solution.strategy(number, place.label)
                for action in actions:
                    profile[action] = mix[action.label]
    assert float(profile.payoff(next(iter(game.players)))) == pytest.approx(
        solution.value, abs=1e-9
    )
    assert profile.max_regret() < 1e-7


def test_gambit_finds_the_value_of_an_ending(gambit):
    state, _ = small_ending()
    solution = solve_endgame(state)
    value = gambit_value(gambit, read_by_gambit(gambit, ending_efg(state)))
    assert value == solution.value * (1 - 2 * solution.player)


def test_the_page_on_gambit_is_true(gambit):
    """Its examples run as doctests without Gambit, those that need it left out; here all run."""
    path = Path(__file__).parents[2] / "docs" / "how-to" / "use-gambit.md"
    text = path.read_text().replace("# doctest: +SKIP", "")
    page = doctest.DocTestParser().get_doctest(text, {}, "use-gambit.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    failures = []
    assert runner.run(page, out=failures.append).failed == 0, "".join(failures)
