import os
import re
import runpy
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import solver.clash
from games.clash import Element, Hand, Rules, Time
from solver.clash import WholeSolution, solve_hidden
from solver.clash.explanations.hidden_claims import advise, follow, position_value
from solver.clash.explanations.hidden_text import deal_text, extras_text, followed_text
from solver.clash.explanations.words import Amounts
from solver.clash.hidden import WholeProgress

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "clash_hidden.py"
MAIN = runpy.run_path(str(SCRIPT))["main"]
TWO = ("--prior", "WF=0.5,WA=0.5", "--tolerance", "0.02")
HANDS = [["WWFA", "WFFA", "WFAE"], ["WFAE", "FFAE", "FAEE"]]


@pytest.fixture(scope="module")
def small():
    """A deal from round 3, hands as in no symmetric game, so that seats cannot be confused."""
    return solve_hidden("DaNoMiDu", hands=HANDS, points=(3, 2), tolerance=1e-3)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("deal") / "deal.npz"
    assert MAIN(["deal", "DaNoDuMi", *TWO, "--save", str(path)]) == 0
    return str(path)


def said(capsys, *arguments):
    assert MAIN(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments):
    try:
        status = MAIN(list(arguments))
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err


def test_a_deal_runs_as_a_script():
    command = [sys.executable, str(SCRIPT), "deal", "DaNoDuMi", *TWO]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Round 1 of 6, Dawn")
    assert re.search(r"^Water and Fire +50\.0% +\d", done.stdout, re.MULTILINE)
    assert "exploitability" in done.stderr


def test_values_agree_with_those_at_the_start(small):
    for player in (0, 1):
        for hand, value in small.values(player).items():
            first = follow(small, player, hand).moments[0]
            assert first.value == pytest.approx(value, abs=1e-12)
            assert first.belief == pytest.approx(small.hands(1 - player))


@pytest.mark.parametrize("player", [0, 1])
def test_a_position_is_worth_what_follows_it_on_average(small, player):
    """Through rounds 3 and 4, and into the fifth, whose values are computed in another way."""
    hand = next(iter(small.hands(player)))

    def check(cards, depth):
        moment = follow(small, player, hand, cards).moments[-1]
        if depth == 2:
            return
        total = 0.0
        for own, theirs in product(moment.advice, moment.expected):
            chance = moment.advice[own] * moment.expected[theirs]
            if chance > 1e-4:
                later = follow(small, player, hand, [*cards, (own, theirs)]).moments[-1]
                total += chance * later.value
                if chance > 0.15:
                    check([*cards, (own, theirs)], depth + 1)
        assert total == pytest.approx(moment.value, abs=4e-3)

    check([], 0)


def test_the_fifth_time_averages_to_the_value_before_it(small):
    hand = next(iter(small.hands(0)))
    cards = most_played(small, 0, hand, 2)
    before = follow(small, 0, hand, cards).moments[-1]
    after = [follow(small, 0, hand, cards, [time]).moments[-1] for time in Time]
    assert before.advice is None
    assert all(moment.advice is not None for moment in after)
    # Each time is as likely, after one of each.
    assert np.mean([moment.value for moment in after]) == pytest.approx(before.value)


def most_played(solution, player, hand, rounds):
    cards = []
    for _ in range(rounds):
        moment = follow(solution, player, hand, cards).moments[-1]
        pair = tuple(max(mix, key=mix.get) for mix in (moment.advice, moment.expected))
        cards.append(pair)
    return cards


def test_both_players_expect_the_same_in_all(small):
    for player in (0, 1):
        prior, values = small.hands(player), small.values(player)
        total = sum(prior[hand] * values[hand] for hand in prior)
        assert advise(small, player).value == pytest.approx(total)
    assert advise(small, 0).value == -advise(small, 1).value
    assert advise(small, 0).guarantee == -advise(small, 1).ceiling


@pytest.fixture(scope="module")
def unlikely():
    """A deal in which each player has a hand that is never held, so that it is never reached."""
    hands = [["WF", "WE"], ["WA", "FE"]]
    return solve_hidden("DaNoMiDuDa", hands=hands, priors=[[1, 0], [1, 0]], tolerance=1e-3)


def test_where_play_never_leads_there_is_no_advice(unlikely):
    hand = Hand.parse("WE")
    game = follow(unlikely, 0, hand, [(Element.WATER, Element.WATER)])
    for moment in game.moments:
        assert (moment.reached, moment.advice, moment.expected, moment.value) == (
            False,
            *[None] * 3,
        )
        assert moment.belief is not None
    text = followed_text(game, Amounts("win"))
    assert "No advice: play as advised never leads here, as you left it." in text
    assert "Earth: it is all that you have left. (Play as advised never leads here.)" in text
    assert "Odds" not in text
    held, never = advise(unlikely).hands
    assert (held.mix is None, never.mix, never.value) == (False, None, None)
    assert re.search(r"0%( +-){5}$", deal_text(advise(unlikely), Amounts("win")), re.MULTILINE)


def test_an_opponent_who_left_the_solution_gives_no_belief(unlikely):
    game = follow(unlikely, 0, Hand.parse("WF"), [(Element.WATER, Element.EARTH)])
    first, second = game.moments
    assert first.reached
    assert (second.reached, second.belief, second.value) == (False, None, None)
    text = followed_text(game, Amounts("win"))
    assert "expected never" in text
    assert "There is no telling: the solution never plays their cards so." in text
    assert text.count("Odds") == 1


def test_percentages_of_a_text_sum_to_a_hundred(small):
    hand = next(iter(small.hands(1)))
    cards = most_played(small, 1, hand, 2)
    text = followed_text(follow(small, 1, hand, cards, [Time.DAWN]), Amounts("win"))
    assert "-0.000" not in text
    table = text[text.index("What the opponent may hold") : text.index("Sure")]
    rows = [re.findall(r"(\d+\.\d)%|\b(0)%|<(0\.1)%", line) for line in table.splitlines()[3:]]
    shares = [[sum(map(float, filter(None, cell))) for cell in row] for row in rows if row]
    columns = list(zip(*shares, strict=True))
    assert len(columns) == 3
    for column in columns:
        assert sum(share for share in column if share != 0.1) == pytest.approx(100, abs=0.11)


def test_a_whole_game_is_followed_to_its_end(capsys, saved):
    game = ["follow", "DaNoDuMi", "WF", "WA", "FW", "AF", "FA", "WW", "EE"]
    out = said(capsys, *game, "--fifth", "Da", "--sixth", "Du", "--load", saved)
    assert "Round 6, Dusk" in out
    assert "Earth: it is all that you have left." in out
    # Water on Air 0, Fire on Water loses (Noon boosts Fire), Air on Fire loses, Fire beats Air.
    assert "The end: You lose, 1 to 2." in out
    assert "extra Water and Air" in out


def test_text_keeps_to_its_width(capsys, saved):
    for words in (["deal", "DaNoDuMi"], ["follow", "DaNoDuMi", "WF", "WA", "AA"]):
        assert max(map(len, said(capsys, *words, "--load", saved).splitlines())) <= 80


def test_the_seat_turns_the_cards(capsys, saved):
    out = said(capsys, "follow", "DaNoDuMi", "WF", "WA", "--player", "1", "--load", saved)
    assert "Played  you Water (" in out
    assert "they Air (" in out


def test_a_deal_in_points(small):
    points = solve_hidden("DaNoMiDuDa", "margin", hands=[["WF", "WA"], ["FE", "AE"]])
    text = deal_text(advise(points), Amounts("margin"))
    assert "points to you on average" in text
    assert "in 100 games" not in text


def whole(stopped="tolerance"):
    prior = np.array([0.08, 0.11, 0.1, 0.11, 0.08, 0.11, 0.1, 0.08, 0.11, 0.08])
    prior /= prior.sum()
    return WholeSolution(
        objective="win",
        rules=Rules(),
        prior=prior,
        behaviours=(),
        exploitability=0.0097,
        seat=0,
        iterations=120,
        stopped=stopped,
        method="rule",
        seconds=300.0,
        curve=((120, 0.0097),),
    )


def test_extras_are_told_by_kind_and_by_pair():
    text = extras_text(whole(), Amounts("win"))
    assert "two Waters" in text
    assert "gain 0.010 antes a game" in " ".join(text.split())
    kinds = re.findall(r"^\S.*?(\d+\.\d)%$", text, re.MULTILINE)
    pairs = re.findall(r"^  \S.*?(\d+\.\d)%$", text, re.MULTILINE)
    assert (len(kinds), len(pairs)) == (3, 10)
    for shares in (kinds, pairs):
        assert sum(map(float, shares)) == pytest.approx(100)
    assert "ended before" in extras_text(whole("iterations"), Amounts("win"))


def test_the_script_solves_the_whole_game_as_asked(capsys, monkeypatch):
    asked = {}

    def solved(objective, rules, progress, **options):
        asked.update(options, objective=objective, rules=rules)
        progress(WholeProgress(0, float("inf"), 0.0, float("inf"), 0))
        progress(WholeProgress(50, 0.05, 100.0, float("inf"), 2_700_000_000))
        return whole()

    monkeypatch.setattr(solver.clash, "solve_whole", solved)
    words = "extras --tolerance 0.02 --workers 2 --checkpoint here --time-deck distinct"
    assert MAIN(words.split()) == 0
    out, err = capsys.readouterr()
    assert "opposites" in out
    assert "50 iterations, 100 s: exploitability 0.05, about 71 s left; 2.7 GB" in err
    assert asked["rules"] == Rules(time_deck="distinct")
    assert (asked["tolerance"], asked["workers"], asked["checkpoint"]) == (0.02, 2, "here")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("deal DaNoDuXx", "Xx"),
        ("deal DaDaDaDa", "Da"),
        ("deal DaNoDuMi --prior WW=0.5,WX=0.5", "WX"),
        ("deal DaNoDuMi --prior WW=0.5,FF", "FF"),
        ("deal DaNoDuMi --prior WW=0.5,FF=0.4", "sum to 0.9"),
        ("deal DaNoDuMi --prior WW=0.5,WW=0.5", "twice"),
        ("deal DaNoDuMi --tolerance 0", "positive"),
        ("deal DaNoDuMi --iterations 0", "whole number"),
        ("deal DaNoDuMi --load nowhere.npz", "nowhere.npz"),
        ("deal DaNoDuMi --load nowhere.npz --save too.npz", "--save"),
        ("deal DaNoDuMi --objective margin --ante 5", "ante"),
        ("follow DaNoDuMi W", "no hand"),
        ("follow WF DaNoDuMi WA", "'WF' stands where the times should"),
        ("follow Dawn Noon Dusk Midnight", "name your extras after the times"),
        ("follow DaNoDuMi Air Earth", "'Air' is no hand to start with: two extras, as AE"),
        ("follow", "required: TIMES HAND CARDS (try"),
        ("deal Noon Noon", "has 2 times"),
        ("follow DaNoDuMi WF WX", "WX"),
        ("follow DaNoDuMi WF WFA", "WFA"),
        ("follow DaNoDuMi WF --fifth Xx", "Xx"),
        ("follow DaNoDuMi WF --sixth Da", "--fifth"),
        ("", "COMMAND"),
    ],
)
def test_mistakes_get_one_line(capsys, words, why):
    assert why in refused(capsys, *words.split())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("follow DaNoDuMi WF EE EE", "you cannot have played EE"),
        ("follow DaNoDuMi WF WF FF", "the opponent cannot have played FFF"),
        ("follow DaNoDuMi FE", "none of the hands"),
        ("follow DaNoDuMi WF WA --fifth Da", "after 4 rounds"),
        ("follow DaNoDuMi WF WA FW AF FA WW", "round 5 is needed"),
        ("follow DaNoDuMi WF WA FW AF FA --fifth Da --sixth No", "after 5 rounds"),
        ("follow DaNoMiDu WF", "is the deal DaNoDuMi"),
        ("follow DaNoDuMi WF --objective margin", "objective"),
        ("follow DaNoDuMi WF --time-deck distinct", "made for"),
        ("follow DaNoDuMi WF --tolerance 0.1", "solved already"),
    ],
)
def test_a_loaded_deal_refuses_what_does_not_fit_it(capsys, saved, words, why):
    if "FFF" in why:
        words = "follow DaNoDuMi WF WF FF AF"
    assert why in refused(capsys, *words.split(), "--load", saved)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("follow DaNoDuMi WF EE EE", "you cannot have played EE"),
        ("follow DaNoDuMi FE --prior WF=0.5,WA=0.5", "none of the hands"),
        ("follow DaNoDuMi WF WA --fifth Da", "after 4 rounds"),
        ("follow DaNoDuMi WF WA FW AF FA WW", "round 5 is needed"),
    ],
)
def test_a_game_that_cannot_be_followed_is_refused_before_the_search(
    capsys, monkeypatch, words, why
):
    monkeypatch.setattr("solver.clash.solve_hidden", lambda *_, **__: pytest.fail("searched"))
    assert why in refused(capsys, *words.split())


def test_position_value_is_what_the_moments_say(small):
    hand = Hand.parse("WWFA")
    belief = small.belief(0)
    value = position_value(small, 0, hand, (), small.times, belief)
    assert value == follow(small, 0, hand).moments[0].value


def test_a_book_says_how_often_extras_are_taken(capsys):
    words = ["deal", "Dawn", "Noon", "Dusk", "Midnight", "--iterations", "20"]
    book = ROOT / "examples" / "books" / "clash-win-rounds-1-3.book"
    assert MAIN([*words, "--prior", str(book)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^two Waters +8\.[78]%", said, re.MULTILINE)
    assert re.search(r"^Water and Fire +11\.8%", said, re.MULTILINE)
