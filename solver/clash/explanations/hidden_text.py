"""Hidden hands in words: which extras to take, what to play first, a game followed.

Everything printed is a number of a solution or a claim of `hidden_claims`.
"""

from collections.abc import Mapping
from textwrap import wrap

from games.clash import Element, Hand, State
from solver.clash.explanations.claims import TIE
from solver.clash.explanations.hidden_claims import DealAdvice, FollowedGame, Moment, PlayedCards
from solver.clash.explanations.situation_text import time_words
from solver.clash.explanations.words import (
    Amounts,
    cells,
    chance_cells,
    count,
    joined,
    mix_words,
    name,
    percentages,
    shares,
)
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden.whole_solution import WholeStrategy
from solver.clash.selection import rotation_classes
from solver.text_layout import Body, aligned, section

__all__ = ["deal_text", "extras_text", "extras_words", "followed_text", "hand_words"]

_WIDTH = 80
_KINDS = ("two equals", "neighbours in the cycle", "opposites")
_NEVER = "play as advised never leads here"
_LIKELIEST = 3
_SELDOM = 0.01


def extras_words(extras: Hand) -> str:
    """Return two extras in words.

    Examples
    --------
    >>> extras_words(Hand.parse("WA")), extras_words(Hand.parse("FF"))
    ('Water and Air', 'two Fires')
    """
    names = [name(card) for card in extras]
    return f"two {names[0]}s" if len(set(names)) == 1 else " and ".join(names)


def hand_words(hand: Hand) -> str:
    """Return a hand in words.

    Examples
    --------
    >>> hand_words(Hand.parse("WWFAE"))
    '2 Water, 1 Fire, 1 Air, 1 Earth'
    """
    return ", ".join(f"{n} {name(card)}" for card in Element if (n := hand.counts[card]))


def extras_text(solution: WholeStrategy, amounts: Amounts) -> str:
    """Return which extras to take, how often, and how sure that is.

    Parameters
    ----------
    solution : WholeStrategy
        The whole game, solved now or in a book.
    amounts : Amounts
        How amounts are written.
    """
    labels, chances = list(solution.selection), list(solution.selection.values())
    by_label = dict(zip(labels, chance_cells(chances), strict=True))
    groups = rotation_classes()
    kinds = chance_cells([sum(solution.selection[x] for x in group) for group in groups])
    lines = ["Which extras to take, the deck unseen, when they stay secret until played:", ""]
    for kind, share, group in zip(_KINDS, kinds, groups, strict=True):
        lines.append(f"{kind:28}{share:>6}")
        pairs = [[f"  {extras_words(Hand.parse(label)):18}", by_label[label]] for label in group]
        lines += aligned(pairs, gap=0)
    gap, unit = solution.exploitability, amounts.unit()
    sure = (
        f"The game is the same for both, so it is even ({amounts.said(0.0)}) between perfect "
        f"players. An opponent who knew this whole strategy, the extras and how each deal is "
        f"played, and answered it perfectly would gain {amounts.price(gap)} {unit} a game"
        f"{_in_games(gap, amounts)}. That was measured, after {solution.iterations} iterations."
    )
    lines += ["", *section("Sure", [sure, _finer(solution.stopped)], _WIDTH)]
    return "\n".join(lines)


def deal_text(advice: DealAdvice, amounts: Amounts) -> str:
    """Return what to play first with each hand, who is favoured, and how sure that is.

    Parameters
    ----------
    advice : DealAdvice
        What is to be said.
    amounts : Amounts
        How amounts are written.
    """
    solution = advice.solution
    state = _first_state(solution)
    six = state.round == 1
    lines = _situation(solution, state)
    lines += ["", f"What to play in round {state.round}, by what you hold:", ""]
    chances = chance_cells([one.chance for one in advice.hands])
    rows = [["Extras" if six else "Hand", "likely", *map(name, Element), "worth"]]
    for one, chance in zip(advice.hands, chances, strict=True):
        label = extras_words(one.hand.extras) if six else hand_words(one.hand)
        if one.mix is None:
            mix = ["-"] * len(Element)
        else:
            shown = iter(cells(one.mix))
            mix = [next(shown) if card in one.mix else "" for card in Element]
        worth = "-" if one.value is None else amounts.signed(one.value)
        rows.append([label, chance, *mix, worth])
    lines += aligned(rows)
    if any(one.value is None for one in advice.hands):
        lines += [f"-  {_NEVER}: no advice"]
    elif state.time_is_due:
        lines += ["-  the time of the round is turned up first"]
    body: Body = [
        f"{amounts.said(advice.value)} {amounts.unit()} to you on average over your hands, when "
        f"both play as advised. {_favoured(advice, amounts)}"
    ]
    lines += ["", *section("Worth", body, _WIDTH)]
    lines += ["", *section("Sure", [_sure(advice, amounts), _finer(solution.stopped)], _WIDTH)]
    return "\n".join(lines)


def followed_text(game: FollowedGame, amounts: Amounts) -> str:
    """Return a game round by round: advice, the opponent's probable hand, the odds.

    Parameters
    ----------
    game : FollowedGame
        What is to be said.
    amounts : Amounts
        How amounts are written.
    """
    lines = _situation(game.solution, _first_state(game.solution))
    lines += [f"You start with {hand_words(game.hand)}."]
    seldom = ""
    for moment in game.moments:
        lines += ["", *_moment_lines(moment, amounts, seldom)]
        seldom = seldom or _seldom(moment.played)
    if game.end is not None:
        own, other = game.end
        how = "It is a tie" if own == other else f"You {'win' if own > other else 'lose'}"
        lines += ["", f"The end: {how}, {own} to {other}."]
    lines += ["", *_belief_lines(game)]
    low, high = game.solution.bounds
    gap = high - low
    sure = (
        "Beliefs, expectations and odds suppose an opponent who plays the solution as well. Over "
        f"all hands and from the start, it is at most {amounts.price(gap)} {amounts.unit()} a game "
        f"short of perfect{_in_games(gap, amounts)}, as measured; in a single round it may be "
        "further off, most of all in one that play seldom leads to."
    )
    return "\n".join([*lines, "", *section("Sure", [sure], _WIDTH)])


def _first_state(solution: HiddenSolution) -> State:
    hands = tuple(player.types[0] for player in solution.layout.players)
    return State(hands, solution.times, solution.points, solution.streaks, rules=solution.rules)


def _situation(solution: HiddenSolution, state: State) -> list[str]:
    lines = wrap(time_words(state), _WIDTH)
    if state.rules.time_deck == "distinct" or state.rules.sunburst != "off":
        lines += [f"Rules: {state.rules}."]
    lines += ["Hands are hidden: each player knows the own hand only."]
    return lines


def _favoured(advice: DealAdvice, amounts: Amounts) -> str:
    low, high = advice.guarantee, advice.ceiling
    between = f"between {amounts.signed(low)} and {amounts.signed(high)}"
    if low <= 0 <= high:
        return f"Nobody is shown to be favoured: the exact value lies {between}."
    who = "You are" if low > 0 else "The opponent is"
    return f"{who} favoured: the exact value lies {between}."


def _sure(advice: DealAdvice, amounts: Amounts) -> str:
    low, high, unit = advice.guarantee, advice.ceiling, amounts.unit()
    gap = high - low
    return (
        f"Whatever the opponent does, these mixes earn you at least {amounts.said(low)} {unit} a "
        f"game on average, if you play on by this solution; no way of playing makes sure of more "
        f"than {amounts.said(high)}. So they are at most {amounts.price(gap)} {unit} a game short "
        f"of perfect{_in_games(gap, amounts)}."
    )


def _in_games(gap: float, amounts: Amounts) -> str:
    """Return an amount of antes as games in 100, in brackets."""
    if amounts.objective != "win":
        return ""
    games = f"{100 * gap:.1f}"
    return f" (net, {'less than 0.1' if games == '0.0' else games} wins in 100 games)"


def _finer(stopped: str) -> str:
    words = "Small chances may be left over from the search: a smaller --tolerance clears them."
    if stopped == "iterations":
        words = f"The search was ended before the tolerance was reached. {words}"
    return words


def _moment_lines(moment: Moment, amounts: Amounts, seldom: str) -> list[str]:
    own, other = moment.points
    when = f", {name(moment.time)}" if moment.time is not None else ""
    lines = [f"Round {moment.round}{when}   {own} : {other}   you hold {hand_words(moment.left)}"]
    body: list[tuple[str, str]] = []
    if len(moment.left.elements) == 1:
        off = f" ({_NEVER[0].upper()}{_NEVER[1:]}.)" if moment.value is None else ""
        body.append(
            ("Play", f"{name(moment.left.elements[0])}: it is all that you have left.{off}")
        )
    elif moment.advice is not None:
        body.append(("Play", f"{mix_words(moment.advice)}."))
    elif moment.value is not None:
        body.append(("Play", "Nothing yet: the time of this round is turned up first."))
    else:
        who = "you" if moment.belief is not None else "the opponent"
        body.append(("Play", f"No advice: {_NEVER}, as {who} left it."))
    if moment.belief is not None:
        body.append(("They", _likeliest(moment.belief)))
    else:
        body.append(("They", "There is no telling: the solution never plays their cards so."))
    if moment.expected is not None:
        body.append(("Expect", f"{mix_words(moment.expected)}."))
    if moment.value is not None:
        body.append(
            (
                "Odds",
                f"{amounts.said(moment.value)} {amounts.unit()}: {amounts.weighed(moment.value)}.",
            )
        )
    if moment.played is not None:
        body.append(("Played", _played_words(moment, moment.played)))
    if seldom and moment.value is not None:
        body.append(("Note", seldom))
    for label, words in body:
        lines += section(label, [words], _WIDTH)
    return lines


def _played_words(moment: Moment, played: PlayedCards) -> str:
    own, other = (
        name(card) + ("" if mix is None else f" ({word} {_percent(card, mix)})")
        for card, mix, word in (
            (played.own, moment.advice, "advised"),
            (played.other, moment.expected, "expected"),
        )
    )
    scored, lost = played.scored
    if scored:
        what = f"you score {count(scored, 'point')}"
        what += f", they {count(lost, 'point')}" if lost else ""
    else:
        what = f"they score {count(lost, 'point')}" if lost else "nobody scores"
    return f"you {own}, they {other}: {what}."


def _percent(card: Element, mix: Mapping[Element, float]) -> str:
    """Return the chance of one card as it stands in the whole mix."""
    if mix.get(card, 0.0) <= TIE:
        return "never"
    shown = percentages(mix)[card]
    return "under 0.1%" if shown == "0.0%" else shown


def _seldom(played: PlayedCards | None) -> str:
    """Return what to say of later rounds when a card was played that seldom is."""
    chances = () if played is None else (played.own_chance, played.other_chance)
    if any(chance is not None and chance < _SELDOM for chance in chances):
        return "Play as advised seldom leads here, so mix, belief and odds are little tested."
    return ""


def _likeliest(belief: Mapping[Hand, float]) -> str:
    """Return the likeliest hands as a sentence."""
    order = sorted(belief, key=lambda hand: -belief[hand])
    most, least = belief[order[0]], belief[order[-1]]
    if most >= 1 - TIE:
        return f"{_held(order[0])}: nothing else fits."
    if most - least <= TIE:
        return f"any of {len(belief)} hands, each as likely."
    shown = dict(zip(order, shares(belief[hand] for hand in order), strict=True))
    named = [hand for hand in order[:_LIKELIEST] if shown[hand] != "0.0%"]
    return f"probably {joined([f'{_held(hand)} {shown[hand]}' for hand in named], 'or')}."


def _held(hand: Hand) -> str:
    return f"extra {extras_words(hand.extras)}" if hand.is_full else f"({hand_words(hand)})"


def _belief_lines(game: FollowedGame) -> list[str]:
    """Return the table of beliefs: a row for each hand, a column for each round."""
    hands = list(game.solution.hands(1 - game.player))
    six = hands[0].is_full
    columns = [["Their extras" if six else "Their hand"]]
    columns[0] += [extras_words(hand.extras) if six else hand_words(hand) for hand in hands]
    head = "at first"
    for moment in game.moments:
        shown = ["-"] * len(hands)
        if moment.belief is not None:
            shown = chance_cells([moment.belief[hand] for hand in hands])
        columns.append([head, *shown])
        head = "" if moment.played is None else f"{moment.round}: {name(moment.played.other)}"
    return [
        "What the opponent may hold, at first and after each card of theirs:",
        "",
        *aligned(list(zip(*columns, strict=True))),
    ]
