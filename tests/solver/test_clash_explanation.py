import dataclasses
import pickle
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from games.clash import Element, Rules, State, Time
from solver.clash import solve_open
from solver.clash.explanations.explanation import TIE, Explanation, Mixture, Side, Variant, explain
from solver.clash.explanations.explanation_text import render_text
from solver.clash.explanations.words import Amounts, cells, mix_words, percentages
from solver.dominance import dominated_by
from solver.errors import SolverError, StateError
from tests.strategies import RepeatBonus, rules, states

GOLDEN = Path(__file__).parents[1] / "data" / "explanations"
GOLDEN_POSITIONS = [
    ("round-1", "WWFFAE/WFFAEE DaNoDuMi---- 0-0", 0, "win", 1),
    ("dominated", "FFAA/WFAE DaDuDaDa---- 0-0", 1, "win", 5),
    ("several", "FEEE/WAEE DuDuMiDu---- 3-0", 1, "win", 1),
    ("due", "WF/FA DaNoDuMi---- 3-3", 0, "margin", 1),
]
few = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
objectives = st.sampled_from(["win", "margin"])
two_players = states(rules(st.just(2), bonuses=True))
mixes = (
    st.lists(st.integers(0, 1000), min_size=1, max_size=4)
    .filter(any)
    .map(lambda n: {card: share / sum(n) for card, share in zip(Element, n, strict=False)})
)


def test_round_1_of_the_issue():
    why = explain("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    solution = solve_open("WWFFAE/WFFAEE DaNoDuMi---- 0-0")
    assert why.value == pytest.approx(solution.value, abs=1e-12)
    assert np.allclose(why.matrix, solution.matrix(solution.root), atol=1e-12)
    mine, theirs = why.sides
    assert mine.strategy == pytest.approx(solution.strategy(solution.root, 0), abs=1e-9)
    assert why.unique
    assert not why.has_saddle_point
    assert [card.role for card in mine.cards] == ["optimal", "optimal", "optimal", "never"]
    assert theirs.card(Element.FIRE).cost == pytest.approx(0.075, abs=1e-3)
    assert mine.card(Element.WATER).answers == (Element.EARTH,)
    assert mine.card(Element.WATER).then == pytest.approx(-0.4725, abs=1e-4)
    assert [variant.times for variant in why.hidden] == [(time,) for time in Time]
    assert len(why.hidden_pairs) == 16
    assert why.scores == ()


def test_every_changed_position_has_its_own_value():
    why = explain("WFFA/FAEE DaNoDuMi---- 2-1")
    for variant in (*why.hidden, *why.hidden_pairs[:3], *why.scores):
        assert variant.value == pytest.approx(solve_open(variant.state).value, abs=1e-12)
    assert sum(variant.chance for variant in why.hidden) == 1
    assert sum(variant.chance for variant in why.hidden_pairs) == 1
    assert [variant.shift for variant in why.scores] == [2, 1, -1, -2]


def test_while_a_time_is_due_the_value_is_the_mean_of_what_can_come():
    why = explain("WF/FA DaDaNoDu---- 3-3")
    assert why.sides is None
    assert why.matrix is None
    assert why.hidden[2].chance == Fraction(15, 26)
    mean = sum(variant.chance * variant.value for variant in why.hidden)
    assert why.value == pytest.approx(mean, abs=1e-12)
    assert all(variant.kept is None for variant in why.hidden)


def test_an_ended_a_forced_a_flat_and_a_decided_position():
    over = explain("-/- DaNoDuMiDaNo 7-5")
    assert (over.value, over.sides, over.games) == (1.0, None, 0)
    assert "You won 7 to 5." in render_text(over)
    assert "You lost 5 to 7." in render_text(over, 1)
    assert "tie at 5" in render_text(explain("-/- DaNoDuMiDaNo 5-5"))
    forced = explain("WW/EE DaNoDuMiDa-- 0-0")
    assert forced.is_forced
    assert "No choice: your Water meets their Earth. You score 0 points" in render_text(forced)
    decided = explain("WF/FE DaNoDuMiDa-- 8-0")
    assert (decided.leader, decided.is_flat) == (0, True)
    assert "You are further ahead" in render_text(decided)
    assert "The opponent is further ahead" in render_text(decided, 1)
    flat = explain("FFE/FFE DaNoDuMi---- 0-0".replace("FFE/FFE", "WWA/WWA"))
    assert flat.leader is None
    assert flat.is_flat
    assert "Any card" in render_text(flat)


def test_sunburst_and_a_bonus_of_ones_own_are_told():
    sunburst = Rules(sunburst="once", time_deck="distinct")
    text = render_text(explain(State.parse("WF/FE DaNoDuMiDa-- 4-3 *-2", sunburst)))
    flowing = " ".join(text.split())
    assert "You have had yours; the opponent has scored in the last 2 rounds" in flowing
    assert "different ones" in flowing
    bonus = Rules(bonus=RepeatBonus())
    text = render_text(explain(State.parse("WF/FA DaNoDuMiNo-- 3-2 memory=(4, (0,1))", bonus)))
    assert "'echo of the sun'" in text
    assert "draws with Air (bonus: 1 to 0)" in " ".join(text.split())


@pytest.mark.parametrize(("name", "position", "player", "objective", "ante"), GOLDEN_POSITIONS)
def test_recorded_text(name, position, player, objective, ante):
    text = render_text(explain(position, objective), player, ante=ante)
    assert text == (GOLDEN / f"{name}.txt").read_text().rstrip("\n")


def test_what_cannot_be_explained_is_refused():
    three = State.start(["WWFFAE"] * 3, "DaNoDuMi", Rules(players=3))
    with pytest.raises(StateError, match="two players"):
        explain(three)
    with pytest.raises(SolverError, match="objective"):
        explain("WF/EE DaNoDuMiDa-- 3-2", "points")
    why = explain("WF/EE DaNoDuMiDa-- 3-2")
    with pytest.raises(SolverError, match="player"):
        render_text(why, 2)
    for width in (10, float("nan"), float("inf"), True, "80"):
        with pytest.raises(SolverError, match="width"):
            render_text(why, width=width)
    for player in (1.0, True, None, "1", np.array([0, 1])):
        with pytest.raises(SolverError, match="there is no player"):
            render_text(why, player)
        with pytest.raises(SolverError, match="there is no player"):
            why.worth_of_knowing(player)
    for objective in (np.array(["win", "win"]), None, ["win"]):
        with pytest.raises(SolverError, match="objective is"):
            explain("WF/EE DaNoDuMiDa-- 3-2", objective)
        with pytest.raises(SolverError, match="objective is"):
            Amounts(objective)
    for explanation in (why.state, None, "WF/EE DaNoDuMiDa-- 3-2"):
        with pytest.raises(SolverError, match="is no Explanation"):
            render_text(explanation)
    for ante in (0, -1, float("nan"), float("inf"), "1", None, True, 10**400, np.ones(2)):
        with pytest.raises(SolverError, match="ante"):
            render_text(why, ante=ante)
    with pytest.raises(SolverError, match="margin"):
        render_text(explain("WF/EE DaNoDuMiDa-- 3-2", "margin"), ante=2)


# Properties


@few
@given(two_players, objectives)
def test_claims_hold_and_words_hold_only_claims(state, objective):
    why = explain(state, objective)
    if state.rules.bonus is None:
        assert pickle.loads(pickle.dumps(why)).value == why.value
    if why.sides is not None:
        _check_side(why.sides[0], why.matrix, why.value)
        _check_side(why.sides[1], -why.matrix.T, -why.value)
    for variant in (*why.hidden, *why.hidden_pairs, *why.scores):
        assert all(variant.loss(player) is None or variant.loss(player) >= 0 for player in (0, 1))
    for player in (0, 1):
        text = render_text(why, player)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80
        assert "-0.000" not in text
        assert "+0.000" not in text
        _check_numbers(why, text)


def _check_side(side: Side, payoffs: np.ndarray, value: float) -> None:
    """Check a side's claims against the payoffs, by linear programs where that takes one."""
    assert side.guarantee == pytest.approx(value, abs=1e-9)
    for mix in side.optimal:
        weights = np.array(list(mix.values()))
        assert weights.sum() == pytest.approx(1)
        assert (weights @ payoffs).min() >= value - 1e-9
    for index, card in enumerate(side.cards):
        line = payoffs[index]
        assert list(card.against.values()) == list(line)
        assert card.cost >= 0
        assert card.cost == pytest.approx(value - card.earns, abs=1e-9)
        assert card.then == line.min()
        assert all(card.against[answer] <= card.then + TIE for answer in card.answers)
        assert (card.element in side.sure_cards) == (card.then >= value - TIE)
        _check_role(card.role, payoffs, index, value)
        _check_domination(card.dominated, payoffs, index)


def _check_role(role: str, payoffs: np.ndarray, index: int, value: float) -> None:
    rows = len(payoffs)
    objective = np.zeros(rows)
    objective[index] = -1
    found = linprog(
        objective,
        A_ub=-payoffs.T,
        b_ub=np.full(payoffs.shape[1], 1e-10 - value),
        A_eq=np.ones((1, rows)),
        b_eq=[1.0],
    )
    most = -found.fun if found.status == 0 else 0.0
    if most > 1e-3:
        assert role == "optimal"
    elif most < 1e-8:
        assert role != "optimal"


def _most_gained(payoffs: np.ndarray, index: int, strict: bool) -> float:
    """Return how clearly a mixture of the others dominates: by least gain, or by sum of gains."""
    gains = np.delete(payoffs - payoffs[index], index, axis=0)
    if not len(gains):
        return -1.0
    rows, columns = gains.shape
    if strict:
        program = {"c": np.append(np.zeros(rows), -1.0), "A_ub": np.c_[-gains.T, np.ones(columns)]}
    else:
        program = {"c": -gains.sum(axis=1), "A_ub": -gains.T}
    total = np.append(np.ones(rows), 0.0) if strict else np.ones(rows)
    bounds = [(0, None)] * rows + [(None, None)] * strict
    found = linprog(
        b_ub=np.full(columns, 0.0 if strict else 1e-10),
        A_eq=total[None],
        b_eq=[1.0],
        bounds=bounds,
        **program,
    )
    return -found.fun if found.status == 0 else -1.0


def _check_domination(claim, payoffs: np.ndarray, index: int) -> None:
    strictly, weakly = (_most_gained(payoffs, index, strict) for strict in (True, False))
    if strictly > 1e-6:
        assert claim is not None
        assert claim.strict
    elif weakly > 1e-6:
        assert claim is not None
    elif weakly < 1e-10:
        assert claim is None
    if isinstance(claim, Mixture):
        assert sum(claim.by.values()) == pytest.approx(1)


@few
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test_domination_is_what_linear_programs_say(payoffs):
    matrix = np.array(payoffs, dtype=float)
    for index in range(len(matrix)):
        found = dominated_by(matrix, index)
        _check_domination(found, matrix, index)
        if found is not None:
            gain = np.array(found.by) @ matrix - matrix[index]
            assert found.by[index] == 0
            assert (gain.min(), gain.max()) == pytest.approx((found.least, found.greatest))
            assert gain.min() > 0 if found.strict else gain.min() >= -1e-9 < gain.max()


@given(mixes)
def test_percentages_sum_to_100(mix):
    shares = percentages(mix)
    assert sum(Fraction(share.rstrip("%")) for share in shares.values()) == 100
    for card, chance in mix.items():
        assert abs(float(shares[card].rstrip("%")) - 100 * chance) < 0.1 + 1e-9
    assert (cells(mix)[0] == "0%") == (mix[Element.WATER] <= TIE)
    assert "0.0%" not in mix_words(mix).split()


# Every number that is printed is one that the data holds


def _floats(item: object) -> set[float]:
    """Collect all amounts of an explanation, as seen by both players."""
    if isinstance(item, float):
        return {item, -item}
    if isinstance(item, np.ndarray):
        return _floats(item.ravel().tolist())
    if isinstance(item, dict):
        return _floats(list(item.values()))
    if isinstance(item, list | tuple):
        return set().union(*map(_floats, item))
    if dataclasses.is_dataclass(item) and not isinstance(item, State):
        fields = (getattr(item, field.name) for field in dataclasses.fields(item))
        found = _floats(list(fields))
        if isinstance(item, Variant):
            found |= _floats([item.loss(0), item.loss(1)])
        if isinstance(item, Explanation):
            margin = 0.0 if item.objective == "win" else item.state.margin(0)
            found |= _floats([margin, item.value - margin])
            found |= _floats([item.worth_of_knowing(player) for player in (0, 1)])
        return found
    return set()


def _mixes(item: object) -> list[dict[Element, float]]:
    if isinstance(item, dict):
        values = list(item.values())
        is_mix = all(isinstance(v, float) and -1e-9 <= v <= 1 + 1e-9 for v in values)
        return [item] if is_mix and abs(sum(values) - 1) < 1e-6 else []
    if isinstance(item, list | tuple):
        return [mix for part in item for mix in _mixes(part)]
    if dataclasses.is_dataclass(item) and not isinstance(item, State):
        return _mixes([getattr(item, field.name) for field in dataclasses.fields(item)])
    return []


def _check_numbers(why: Explanation, text: str) -> None:
    amounts = Amounts(why.objective)
    known = _floats(why)
    said = {amounts.signed(amount) for amount in known} | {f"{abs(x):.3f}" for x in known}
    said.add(amounts.least)
    for number in re.findall(r"[+-]?\d+\.\d{3}(?!\d)", text):
        assert number in said
    shares = {share for mix in _mixes(why) for share in percentages(mix).values()} | {"0.1%"}
    for share in re.findall(r"\d+\.\d%", text):
        assert share in shares
    for games in re.findall(r"(\d+\.\d) games in 100", " ".join(text.split())):
        assert games in {f"{100 * abs(why.value):.1f}", "0.1"}
    play = re.search(r"^Play    (.*?%.*?)[;.]( |$)", " ".join(text.split("\n")), re.MULTILINE)
    if play and "under" not in play.group(1):
        total = sum(map(Fraction, re.findall(r"(\d+\.\d)%", play.group(1))))
        assert total == 100
