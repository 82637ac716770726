"""Hidden hands in words: which extras to take, what to play first, a game followed.

For each there is a maker of a document, to be written by `solver.rendering.render`, and one of its
text for a terminal. Everything printed is a number of a solution or a claim of `hidden_claims`.
"""

from games.clash import Element, Hand, State, format_times
from solver.clash.explanations.hidden_claims import DealAdvice, FollowedGame
from solver.clash.explanations.moment_text import (
    NEVER,
    belief_table,
    moment_section,
    seldom_words,
)
from solver.clash.explanations.situation_text import time_words
from solver.clash.explanations.words import (
    Amounts,
    cells,
    chance_cells,
    extras_words,
    hand_words,
    name,
)
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden.whole_solution import WholeStrategy
from solver.clash.selection import rotation_classes
from solver.document import Block, Document, Paragraph, Section, Table
from solver.rendering import to_text

__all__ = [
    "deal_document",
    "deal_text",
    "extras_document",
    "extras_text",
    "followed_document",
    "followed_text",
]

_KINDS = ("two equals", "neighbours in the cycle", "opposites")


def extras_document(solution: WholeStrategy, amounts: Amounts) -> Document:
    """Put into words which extras to take, how often, and how sure that is.

    Parameters
    ----------
    solution : WholeStrategy
        The whole game, solved now or in a book.
    amounts : Amounts
        How amounts are written.
    """
    chances = solution.selection
    by_label = dict(zip(chances, chance_cells(list(chances.values())), strict=True))
    groups = rotation_classes()
    kinds = chance_cells([sum(chances[label] for label in group) for group in groups])
    rows = []
    for kind, share, group in zip(_KINDS, kinds, groups, strict=True):
        rows.append((kind, "", share))
        rows += [(f"  {extras_words(Hand.parse(label))}", by_label[label], "") for label in group]
    table = Table(
        (),
        tuple(rows),
        caption="Which extras to take, the deck unseen, when they stay secret until played:",
        names=("extras", "each", "all of the kind"),
    )
    gap, unit = solution.exploitability, amounts.unit()
    sure = (
        f"The game is the same for both, so it is even ({amounts.said(0.0)}) between perfect "
        f"players. An opponent who knew this whole strategy, the extras and how each deal is "
        f"played, and answered it perfectly would gain {amounts.price(gap)} {unit} a game"
        f"{_in_games(gap, amounts)}. That was measured, after {solution.iterations} iterations."
    )
    return Document(
        title="Solaris' Clash: which extras to take",
        opening=(table,),
        sections=(Section("Sure", (Paragraph(sure), Paragraph(_finer(solution.stopped)))),),
        kind="clash-extras",
        source=solution,
    )


def extras_text(solution: WholeStrategy, amounts: Amounts) -> str:
    """Return the text of `extras_document`."""
    return to_text(extras_document(solution, amounts))


def deal_document(advice: DealAdvice, amounts: Amounts) -> Document:
    """Put into words what to play first with each hand, who is favoured, and how sure that is.

    Parameters
    ----------
    advice : DealAdvice
        What is to be said.
    amounts : Amounts
        How amounts are written.
    """
    solution = advice.solution
    state = _first_state(solution)
    table: list[Block] = [_hands_table(advice, state, amounts)]
    if any(one.value is None for one in advice.hands):
        table.append(Paragraph(f"-  {NEVER}: no advice"))
    elif state.time_is_due:
        table.append(Paragraph("-  the time of the round is turned up first"))
    worth = (
        f"{amounts.said(advice.value)} {amounts.unit()} to you on average over your hands, when "
        f"both play as advised. {_favoured(advice, amounts)}"
    )
    sure = (Paragraph(_sure(advice, amounts)), Paragraph(_finer(solution.stopped)))
    return Document(
        title=f"Solaris' Clash with hidden hands: what to play first in {_deal_words(solution)}",
        opening=_situation(state),
        sections=(
            Section("", tuple(table)),
            Section("Worth", (Paragraph(worth),)),
            Section("Sure", sure),
        ),
        kind="clash-deal",
        source=advice,
    )


def deal_text(advice: DealAdvice, amounts: Amounts) -> str:
    """Return the text of `deal_document`."""
    return to_text(deal_document(advice, amounts))


def followed_document(game: FollowedGame, amounts: Amounts) -> Document:
    """Put a game into words, round by round: advice, the opponent's probable hand, the odds.

    Parameters
    ----------
    game : FollowedGame
        What is to be said.
    amounts : Amounts
        How amounts are written.
    """
    opening = _situation(_first_state(game.solution))
    sections = []
    seldom = ""
    for moment in game.moments:
        sections.append(moment_section(moment, amounts, seldom))
        seldom = seldom or seldom_words(moment.played)
    if game.end is not None:
        own, other = game.end
        how = "It is a tie" if own == other else f"You {'win' if own > other else 'lose'}"
        sections.append(Section("", (Paragraph(f"The end: {how}, {own} to {other}."),)))
    low, high = game.solution.bounds
    gap = high - low
    sure = (
        "Beliefs, expectations and odds suppose an opponent who plays the solution as well. Over "
        f"all hands and from the start, it is at most {amounts.price(gap)} {amounts.unit()} a game "
        f"short of perfect{_in_games(gap, amounts)}, as measured; in a single round it may be "
        "further off, most of all in one that play seldom leads to."
    )
    return Document(
        title=f"Solaris' Clash with hidden hands: a game of {_deal_words(game.solution)}",
        opening=(*opening, Paragraph(f"You start with {hand_words(game.hand)}.")),
        sections=(
            *sections,
            Section("", (belief_table(game),)),
            Section("Sure", (Paragraph(sure),)),
        ),
        kind="clash-followed-game",
        source=game,
    )


def followed_text(game: FollowedGame, amounts: Amounts) -> str:
    """Return the text of `followed_document`."""
    return to_text(followed_document(game, amounts))


def _first_state(solution: HiddenSolution) -> State:
    hands = tuple(player.types[0] for player in solution.layout.players)
    return State(hands, solution.times, solution.points, solution.streaks, rules=solution.rules)


def _deal_words(solution: HiddenSolution) -> str:
    return format_times(solution.times)


def _situation(state: State) -> tuple[Paragraph, ...]:
    rules = state.rules
    unusual = rules.time_deck == "distinct" or rules.sunburst != "off"
    return (
        Paragraph(time_words(state)),
        *([Paragraph(f"Rules: {rules}.", wraps=False)] if unusual else []),
        Paragraph("Hands are hidden: each player knows the own hand only."),
    )


def _hands_table(advice: DealAdvice, state: State, amounts: Amounts) -> Table:
    """Return the table of what to play: a row for each hand."""
    six = state.round == 1
    rows = []
    chances = chance_cells([one.chance for one in advice.hands])
    for one, chance in zip(advice.hands, chances, strict=True):
        label = extras_words(one.hand.extras) if six else hand_words(one.hand)
        if one.mix is None:
            mix = ["-"] * len(Element)
        else:
            shown = iter(cells(one.mix))
            mix = [next(shown) if card in one.mix else "" for card in Element]
        worth = "-" if one.value is None else amounts.signed(one.value)
        rows.append((label, chance, *mix, worth))
    return Table(
        ("Extras" if six else "Hand", "likely", *map(name, Element), "worth"),
        tuple(rows),
        caption=f"What to play in round {state.round}, by what you hold:",
    )


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
