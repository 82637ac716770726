"""A round of a followed game with hidden hands, in words, and what the opponent may hold."""

from collections.abc import Mapping

from games.clash import Element, Hand
from solver.clash.explanations.claims import TIE
from solver.clash.explanations.hidden_claims import FollowedGame, Moment, PlayedCards
from solver.clash.explanations.words import (
    Amounts,
    chance_cells,
    count,
    extras_words,
    hand_words,
    joined,
    mix_words,
    name,
    percentages,
    shares,
)
from solver.document import Labelled, Section, Table

__all__ = ["NEVER", "belief_table", "moment_section", "seldom_words"]

NEVER = "play as advised never leads here"
_LIKELIEST = 3
_SELDOM = 0.01


def moment_section(moment: Moment, amounts: Amounts, seldom: str) -> Section:
    """Return a round of a followed game as a section.

    Parameters
    ----------
    moment : Moment
        The round.
    amounts : Amounts
        How amounts are written.
    seldom : str
        What to say when play seldom leads there (`seldom_words` of an earlier round), or nothing.
    """
    own, other = moment.points
    when = f", {name(moment.time)}" if moment.time is not None else ""
    words = [("Play", _play_words(moment))]
    if moment.belief is not None:
        words.append(("They", _likeliest(moment.belief)))
    else:
        words.append(("They", "There is no telling: the solution never plays their cards so."))
    if moment.expected is not None:
        words.append(("Expect", f"{mix_words(moment.expected)}."))
    if moment.value is not None:
        value = moment.value
        odds = f"{amounts.said(value)} {amounts.unit()}: {amounts.weighed(value)}."
        words.append(("Odds", odds))
    if moment.played is not None:
        words.append(("Played", _played_words(moment, moment.played)))
    if seldom and moment.value is not None:
        words.append(("Note", seldom))
    return Section(
        f"Round {moment.round}{when}   {own} : {other}   you hold {hand_words(moment.left)}",
        tuple(Labelled(label, text) for label, text in words),
    )


def _play_words(moment: Moment) -> str:
    if len(moment.left.elements) == 1:
        off = f" ({NEVER[0].upper()}{NEVER[1:]}.)" if moment.value is None else ""
        return f"{name(moment.left.elements[0])}: it is all that you have left.{off}"
    if moment.advice is not None:
        return f"{mix_words(moment.advice)}."
    if moment.value is not None:
        return "Nothing yet: the time of this round is turned up first."
    who = "you" if moment.belief is not None else "the opponent"
    return f"No advice: {NEVER}, as {who} left it."


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


def seldom_words(played: PlayedCards | None) -> str:
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


def belief_table(game: FollowedGame) -> Table:
    """Return the table of beliefs: a row for each hand, a column for each round."""
    hands = list(game.solution.hands(1 - game.player))
    six = hands[0].is_full
    columns = [[extras_words(hand.extras) if six else hand_words(hand) for hand in hands]]
    header = ["Their extras" if six else "Their hand"]
    head = "at first"
    for moment in game.moments:
        shown = ["-"] * len(hands)
        if moment.belief is not None:
            shown = chance_cells([moment.belief[hand] for hand in hands])
        header.append(head)
        columns.append(shown)
        head = "" if moment.played is None else f"{moment.round}: {name(moment.played.other)}"
    return Table(
        tuple(header),
        tuple(zip(*columns, strict=True)),
        caption="What the opponent may hold, at first and after each card of theirs:",
    )
