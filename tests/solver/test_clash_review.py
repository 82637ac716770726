from dataclasses import FrozenInstanceError, replace
from itertools import pairwise, product
from json import loads

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clash import Element, Hand, PlayedRound, Record, Rules, State
from games.errors import GameError
from solver.clash import explain, solve_hidden, solve_open
from solver.clash.explanations.hidden_claims import follow
from solver.clash.explanations.review_text import render_review, review_document
from solver.clash.hidden.best_response import best_response, own_reach
from solver.clash.hidden_review import HiddenJudge
from solver.clash.open_review import OpenJudge
from solver.clash.review import review
from solver.errors import SolverError, StateError
from solver.rendering import render
from tests.strategies import heavy, records, rules

GAME = """Solaris' Clash record 1
deal WWFFAE/WFAAEE DuDaDaMi
1 Du FW
2 Da FA
3 Da AA
4 Mi WE
5 No EF
6 Da WE
"""
DRAWN = """Solaris' Clash record 1
deal WWFFAE/WWFFAE DaNoDuMi
1 Da WW
2 No WW
3 Du FF
4 Mi FF
5 Da AA
6 No EE
"""
few = settings(heavy, max_examples=20)
HANDS = [["WWFFAE", "WFAAEE", "WFFAAE"], ["WFAAEE", "WWWFAE"]]


def cards(text):
    return tuple(map(Element.parse, text))


@pytest.fixture(scope="module")
def deal():
    """The game's deal with few possible hands, other ones for each player."""
    priors = [[0.5, 0.3, 0.2], [0.6, 0.4]]
    return solve_hidden("DuDaDaMi", hands=HANDS, priors=priors, tolerance=3e-3)


@pytest.fixture(scope="module")
def hidden(deal):
    return review(GAME, hands="hidden", solution=deal)


def check_sums(found):
    """Luck and skill add up to the result, in all and event by event."""
    one, other = found.summaries
    assert found.events == () or found.events[0].before == found.start
    assert found.events == () or found.events[-1].after == found.end
    for earlier, later in pairwise(found.events):
        assert earlier.after == later.before
    for event in found.events:
        moments = [m for m in found.moments if event.kind == "cards" and m.round == event.round]
        lost = sum((1 - 2 * moment.player) * moment.loss for moment in moments)
        assert event.after - event.before == pytest.approx(event.luck - lost, abs=1e-9)
    for summary in found.summaries:
        own = [moment for moment in found.moments if moment.player == summary.player]
        assert summary.lost == sum(moment.loss for moment in own)
        assert summary.luck + summary.skill == pytest.approx(summary.result, abs=1e-9)
        assert (summary.decisions, summary.mistakes) == (len(own), sum(m.is_mistake for m in own))
    assert one.result == -other.result == found.end - found.start
    assert one.luck == -other.luck
    assert one.lost == other.gained
    assert other.lost == one.gained


@few
@given(records(rules(st.just(2), bonuses=True)), st.sampled_from(["win", "margin"]))
def test_luck_and_skill_add_up_to_the_result_of_any_game(record, objective):
    found = review(record, objective)
    check_sums(found)
    assert all(moment.loss >= 0 for moment in found.moments)
    last = record.state
    if last.is_over and objective == "margin":
        assert found.end == last.margin(0)
    elif last.is_over:
        winner = record.winner
        assert found.end == (0 if winner is None else 1 - 2 * winner)
    assert found.is_finished == last.is_over
    choices = [
        (state.round, player)
        for state in list(record.states())[:-1]
        if not state.time_is_due
        for player in (0, 1)
        if len(state.legal(player)) > 1
    ]
    assert [(moment.round, moment.player) for moment in found.moments] == choices
    assert "result" in render_review(found)


@few
@given(records(rules(st.just(2))))
def test_a_loss_is_the_value_minus_what_the_card_earns(record):
    found = review(record)
    solution = solve_open(record.deal)
    states = {state.round: state for state in record.states() if not state.time_is_due}
    for moment in found.moments:
        state = states[moment.round]
        matrix, other = solution.matrix(state), solution.strategy(state, 1 - moment.player)
        payoffs = -matrix.T if moment.player else matrix
        earns = dict(zip(state.legal(moment.player), payoffs @ list(other.values()), strict=True))
        assert moment.earns == pytest.approx(earns, abs=1e-9)
        assert moment.loss == pytest.approx(moment.value - earns[moment.chosen], abs=1e-8)
        assert moment.value == pytest.approx(max(earns.values()), abs=1e-9)
        assert not (moment.is_mistake and moment.chosen in moment.best)
        assert moment.best
        own = solution.strategy(state, moment.player)
        assert all(card in moment.best for card, chance in own.items() if chance > 1e-9)
        assert moment.held == state.hands[moment.player]


@few
@given(records(rules(st.just(2)), st.integers(0, 4)), st.sampled_from([0, 1]))
def test_luck_is_fair_against_the_stated_mix(record, player):
    """Whatever the player plays."""
    judge = OpenJudge(record, "margin")
    state = record.state
    if state.time_is_due:
        state = state.reveal(min(state.next_times()))
    mix = solve_open(record.deal, "margin").strategy(state, 1 - player)
    for own in state.legal(player):
        luck = 0.0
        for other, chance in mix.items():
            pair = (other, own) if player else (own, other)
            losses = [(1 - 2 * m.player) * m.loss for m in judge.moments(state, (), pair)]
            luck += chance * (judge.value(state.play(pair), ()) + sum(losses))
        assert luck == pytest.approx(judge.value(state, ()), abs=1e-8)


def test_the_worst_and_the_luckiest_moments():
    found = review(GAME)
    assert [(m.round, m.player, m.chosen.letter) for m in found.worst(2)] == [
        (1, 1, "W"),
        (3, 0, "A"),
    ]
    assert [card.letter for card in found.worst(1)[0].best] == ["F", "A", "E"]
    assert found.worst(0) == ()
    assert found.luckiest(0).round == 2
    assert found.luckiest(1).round == 1
    assert found.luckiest(1).luck == min(event.luck for event in found.events)
    kinds = [event.kind for event in found.events]
    assert kinds == [*["cards"] * 4, "time", "cards", "time", "cards"]
    assert "Fire of Player 0 meets Water of Player 1" in found.luckiest(1).happened


def test_a_mistake_costs_as_much_as_its_explanation_says():
    found = review(GAME)
    state = State.parse("WWFFAE/WFAAEE DuDaDaMi---- 0-0")
    card = explain(state).sides[1].card(Element.WATER)
    assert found.worst(1)[0].loss == card.cost
    assert found.worst(1)[0].loss_range == (card.cost, card.cost)


def test_several_equilibria_give_a_range():
    text = """Solaris' Clash record 1
    deal WFFAAE/WFFAEE DuDuDaNo
    1 Du FF
    2 Du AE
    3 Da FA
    4 No AW
    5 Mi EF
    """
    found = review(text)
    fourth, fifth = (m for m in found.moments if m.player == 0 and m.round > 3)
    # Against the mix that is stated Air loses nothing, but no optimal mix plays it.
    assert (fourth.chosen.letter, fourth.loss, fourth.is_mistake) == ("A", 0, False)
    assert fourth.loss_range == (0, pytest.approx(1))
    assert [card.letter for card in fourth.best] == ["W"]
    assert fourth.earns[Element.AIR] == pytest.approx(fourth.value)
    assert (fifth.chosen.letter, fifth.loss) == ("E", pytest.approx(0.2))
    assert fifth.loss_range == (0, pytest.approx(0.2))
    written = render(review_document(found), width=None)
    assert "Player 1 has several optimal mixes: against them the card loses nothing" in written
    assert "0.000 to 1.000" in written
    unknown = replace(found, moments=tuple(replace(m, loss_range=None) for m in found.moments))
    assert "or other" in render_review(unknown)


def test_a_tie_break_is_luck():
    tied = review(DRAWN)
    assert (tied.end, [event.kind for event in tied.events][-1]) == (0, "cards")
    undecided = review(f"{DRAWN}tie-break WW\n")
    assert undecided.end == 0
    won = review(f"{DRAWN}tie-break WW\ntie-break WE\n")
    assert (won.end, won.events[-1].kind, won.events[-1].luck) == (-1, "tie-break", -1)
    assert won.moments == tied.moments
    assert "Player 1 wins the tie-break" in render_review(won)
    assert "a tie." in render_review(tied)
    check_sums(won)
    assert review(f"{DRAWN}tie-break WW\ntie-break WE\n", "margin").end == 0


def test_a_game_that_was_left_ends_with_what_it_was_worth():
    text = GAME[: GAME.index("4 Mi")]
    found = review(text)
    assert not found.is_finished
    assert found.end == solve_open(State.parse("WWE/FEE DuDaDaMi---- 1-1")).value
    assert "3 of 6 rounds were played" in render_review(found)
    nothing = review(GAME[: GAME.index("1 Du")])
    assert (nothing.moments, nothing.events, nothing.start) == ((), (), nothing.end)
    assert nothing.luckiest(0) is None
    assert "None: no card" in render_review(nothing)


def test_a_review_is_data_and_a_document():
    found = review(GAME)
    with pytest.raises(FrozenInstanceError):
        found.start = 0
    page = review_document(found, worst=1, moves=False)
    data = loads(render(page, "json"))
    assert (data["format"], data["unit"], data["finished"]) == ("clash-review", "antes", True)
    assert Record.parse(data["record"]) == found.record
    assert data["moments"][1]["loss"] == found.moments[1].loss
    assert data["moments"][1]["mistake"] is True
    assert "| in antes | Player 0 | Player 1 |" in render(page, "markdown")
    text = render(page)
    assert "1. round 1, Dusk, Player 1 loses 0.245 antes (exact)" in text
    assert "2. round" not in text
    assert "round  time" not in text
    assert "loses 24.5 at an ante of 100" in render_review(found, ante=100)


# Hidden hands


def test_luck_and_skill_add_up_with_hidden_hands(hidden, deal):
    check_sums(hidden)
    assert hidden.start == deal.value
    assert hidden.end == -1
    assert hidden.exploitability == deal.exploitability
    assert hidden.events[0].kind == "deal"
    for summary in hidden.summaries:
        assert summary.decisions == 5


@few
@given(data=st.data())
def test_luck_and_skill_add_up_in_any_game_with_hidden_hands(deal, data):
    hands = [data.draw(st.sampled_from(possible)) for possible in HANDS]
    state = start = State.start(hands, "DuDaDaMi")
    rounds = []
    for _ in range(data.draw(st.integers(0, 6))):
        if state.time_is_due:
            state = state.reveal(data.draw(st.sampled_from(sorted(state.next_times()))))
        pair = tuple(data.draw(st.sampled_from(state.legal(player))) for player in (0, 1))
        rounds.append(PlayedRound(state.time, pair))
        state = state.play(pair)
    found = review(Record(start, tuple(rounds)), hands="hidden", solution=deal)
    check_sums(found)
    assert "result" in render_review(found)
    assert not state.is_over or found.end == state.utility(0, "win")


def test_values_are_those_of_a_followed_game(hidden, deal):
    """Wherever the strategies lead, the value and the mix are what a player is told at the time."""
    pairs = [played.cards for played in hidden.record.rounds]
    turned_up = [played.time for played in hidden.record.rounds[4:]]
    for player, hand in enumerate(hidden.record.deal.hands):
        own = [pair[::-1] if player else pair for pair in pairs]
        game = follow(deal, player, hand, own, turned_up)
        judged = [moment for moment in hidden.moments if moment.player == player]
        compared = 0
        for moment, told in zip(judged, game.moments, strict=False):
            assert (moment.round, moment.held) == (told.round, told.left)
            assert bool(moment.reach) == told.reached
            assert bool(moment.unjudged) == (told.belief is None)
            if told.reached:
                assert moment.value == pytest.approx(told.value, abs=1e-7)
                assert moment.mix == pytest.approx(told.advice)
                compared += 1
        assert compared


def test_extras_are_told_and_counted_as_luck(hidden, deal):
    for player, dealt in enumerate(hidden.extras):
        worth = {hand.extras: value for hand, value in deal.values(player).items()}
        assert dealt.worth == pytest.approx(worth, abs=1e-7)
        assert dealt.taken == hidden.record.deal.hands[player].extras
        assert dealt.worth[dealt.best] == max(dealt.worth.values())
    assert "Extras  Player 0  took Water and Fire" in render_review(hidden)


def test_the_deal_is_worth_its_pairs_of_hands_on_average(deal):
    chances = [deal.hands(player) for player in (0, 1)]
    total = 0.0
    for (first, p), (second, q) in product(chances[0].items(), chances[1].items()):
        judge = HiddenJudge(deal, (first, second))
        state = State.start([first, second], "DuDaDaMi")
        total += p * q * judge.value(state, ())
    assert total == pytest.approx(deal.value, abs=1e-7)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("before", ["", "FE", "FE FA WA", "FE FA WA AE"])
def test_luck_is_fair_against_a_hidden_opponent_who_plays_the_strategy(deal, player, before):
    """Whatever the player plays: averaged over the opponent's hands and cards, from any round."""
    history = tuple(cards(pair) for pair in before.split())
    own = Hand.parse(HANDS[player][0])
    times = deal.times if len(history) < 4 else "DuDaDaMiNo--"
    assert deal.reached(player, own, history, times)
    belief = deal.belief(player, history, times)
    sums = {}
    for held, chance in belief.items():
        if not chance:
            continue
        hands = (held, own) if player else (own, held)
        judge = HiddenJudge(deal, hands)
        state = State.start(hands, "DuDaDaMi")
        for pair in history:
            state = state.play(pair)
        if state.time_is_due:
            state = state.reveal("No")
        mix = deal.strategy(1 - player, held, history, state.times)
        for mine in state.legal(player):
            for theirs, p in mix.items():
                if not p:
                    continue
                pair = (theirs, mine) if player else (mine, theirs)
                lost = sum(
                    (1 - 2 * moment.player) * moment.loss
                    for moment in judge.moments(state, history, pair)
                )
                change = judge.value(state.play(pair), (*history, pair))
                change -= judge.value(state, history)
                sums[mine] = sums.get(mine, 0.0) + chance * p * (change + lost)
    assert sums
    for luck in sums.values():
        assert luck == pytest.approx(0, abs=1e-6)


def test_a_card_of_the_mix_is_no_clear_mistake(hidden):
    for moment in hidden.moments:
        if moment.mix.get(moment.chosen, 0.0) >= 0.01:
            assert not moment.is_mistake
        if moment.earns:
            assert moment.loss == moment.value - moment.chosen_value
            assert moment.error >= hidden.exploitability


def _sure_of(deal, card):
    """Return the deal with player 1 never playing a card first."""
    behaviour = deal.behaviours[1]
    rounds = list(behaviour.rounds)
    first = rounds[0].copy()
    first[:, :, Element.parse(card)] = 0.0
    rounds[0] = first / first.sum(axis=-1, keepdims=True)
    changed = replace(behaviour, rounds=tuple(rounds))
    return replace(deal, behaviours=(deal.behaviours[0], changed))


def test_unjudged_decisions_are_said_to_be(deal):
    found = review(GAME, hands="hidden", solution=_sure_of(deal, "W"))
    check_sums(found)
    second = next(m for m in found.moments if (m.round, m.player) == (2, 0))
    assert second.unjudged == "the opponent's strategy never leads here"
    assert (second.loss, second.mix, second.best, second.value) == (0, {}, (), None)
    # The player who left the strategy can still do better or worse.
    own = next(m for m in found.moments if (m.round, m.player) == (2, 1))
    assert own.reach == 0
    assert not own.unjudged
    assert own.loss >= 0
    assert max(own.earns.values()) == pytest.approx(own.value, abs=1e-9)
    assert found.summaries[0].unjudged == 4
    text = render(review_document(found), width=None)
    assert "not judged" in text
    assert "Not judged, and counted as luck: the opponent's strategy never leads here." in text


def test_a_prior_of_zero_for_the_hand_that_was_held():
    """The hand is judged by its best reply; the opponent cannot believe in it."""
    priors = [[0.0, 0.5, 0.5], [0.6, 0.4]]
    solved = solve_hidden("DuDaDaMi", hands=HANDS, priors=priors, tolerance=0.05)
    found = review(GAME, hands="hidden", solution=solved)
    check_sums(found)
    assert all(moment.reach == 0 for moment in found.moments if moment.player == 0)
    reach = own_reach(solved.layout, 1, solved.behaviours[1].rounds, solved.priors[1])
    best, _ = best_response(solved.layout, 0, reach, solved.behaviours[1].plans)
    assert found.extras[0].worth[Hand.parse("WF")] == pytest.approx(best[0], abs=1e-7)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"record": 5}, StateError, "5 is no Record"),
        ({"objective": "glory"}, SolverError, "objective is 'glory'"),
        ({"hands": "shut"}, SolverError, "hands is 'shut': expected 'open' or 'hidden'"),
        ({"priors": [[1], [1]]}, SolverError, "priors and a solution are for hidden hands"),
        ({"hands": "hidden", "priors": [[1], [1]]}, SolverError, "possible hands"),
        ({"hands": "hidden", "tolerance": -1}, SolverError, "tolerance"),
        ({"hands": "hidden", "solution": "x"}, StateError, "'x' is no HiddenSolution"),
        ({"record": GAME.replace("3 Da AA", "3 Da FA")}, GameError, "round 3: player 0"),
        ({"record": GAME.replace("3 Da AA", "3 Xx AA")}, GameError, "line 5: "),
    ],
)
def test_refusals(arguments, error, words):
    with pytest.raises(error, match=words):
        review(**{"record": GAME, **arguments})


def test_a_solution_of_another_deal_is_refused(deal):
    for text, objective, words in [
        (GAME, "margin", "for the objective win, not margin"),
        (
            GAME.replace("DuDaDaMi", "DuDaDaNo").partition("4 Mi")[0],
            "win",
            "for the times DuDaDaMi",
        ),
        (GAME.replace("deal", "rules sunburst=once\ndeal"), "win", "for the rules"),
        ("Solaris' Clash record 1\ndeal WWWFAE/WFAAEE DuDaDaMi", "win", "WWFFAE, WFAAEE, WFFAAE"),
    ]:
        with pytest.raises(StateError, match=words):
            review(text, objective, "hidden", solution=deal)
    with pytest.raises(SolverError, match="a solution has its own priors"):
        review(GAME, hands="hidden", solution=deal, priors=[[1.0], [1.0]])


def test_games_of_three_are_refused():
    three = State.start("WWFFAE/WFFAEE/WFFAEE", "DaNoDuMi", Rules(players=3))
    with pytest.raises(StateError, match="two players, not 3"):
        review(Record(three))


def test_no_review_and_no_such_moments():
    found = review(GAME)
    with pytest.raises(SolverError, match="is no Review"):
        render_review("text")
    for number in (-1, True, 1.5):
        with pytest.raises(StateError, match="number of moments"):
            found.worst(number)
    for player in (2, True, "0"):
        with pytest.raises(StateError, match="there is no player"):
            found.luckiest(player)
    with pytest.raises(SolverError, match="ante"):
        render_review(found, ante=0)
    with pytest.raises(SolverError, match="width"):
        render_review(found, width=10)


def test_other_rules_with_hidden_hands():
    text = GAME.replace("deal", "rules time_deck=distinct sunburst=restarting\ndeal")
    text = text.replace("DuDaDaMi", "DuDaDaMiNo--")
    game = Record.parse(text.replace("6 Da", "6 Mi"))
    solved = solve_hidden(game.deal.times, "margin", HANDS, rules=game.deal.rules, tolerance=0.05)
    found = review(game, "margin", "hidden", solution=solved)
    check_sums(found)
    assert found.end == game.state.margin(0)
    assert [event.kind for event in found.events].count("time") == 1


@pytest.mark.slow
def test_a_whole_deal_with_all_hands():
    found = review(GAME, hands="hidden", tolerance=2e-3)
    check_sums(found)
    assert found.exploitability <= 2e-3
    assert abs(found.start) <= 2e-3
    # With hands hidden, Water at Dusk is nearly as good as the rest; with open hands it is not.
    assert found.moments[1].loss < 0.02 < review(GAME).moments[1].loss
