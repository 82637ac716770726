"""What is to be said of a single card, in words for a player of Solaris' Clash."""

from games.clash import Element
from solver.clash.explanations.claims import TIE, Card, Side
from solver.clash.explanations.words import Amounts, count, joined, name, proportions

__all__ = ["card_words", "giving_away", "standing"]


def card_words(card: Card, mine: Side, theirs: Side, amounts: Amounts) -> str:
    """Return what one of the reader's own cards does and costs."""
    sentences = [_matchups(card), standing(card, amounts, "they")]
    if len(mine.cards) > 1 and len(theirs.cards) > 1:
        sentences.append(_always(card, mine, amounts))
    return " ".join(sentence for sentence in sentences if sentence)


def _matchups(card: Card) -> str:
    """Return what the card beats now and what beats it, with the points of the round."""
    clauses = []
    if card.beats:
        clauses.append("beats " + joined(_scored(card, other, 0) for other in card.beats))
    if card.loses_to:
        clauses.append("loses to " + joined(_scored(card, other, 1) for other in card.loses_to))
    neutral = [other for other in card.points if other not in card.beats + card.loses_to]
    quiet = [name(other) for other in neutral if not any(card.points[other])]
    if quiet:
        clauses.append(f"draws with {joined(quiet)}")
    clauses += [
        f"draws with {name(other)} (bonus: {card.points[other][0]} to {card.points[other][1]})"
        for other in neutral
        if any(card.points[other])
    ]
    words = "; ".join(clauses)
    return f"{words[0].upper()}{words[1:]}."


def _scored(card: Card, other: Element, winner: int) -> str:
    points = card.points[other]
    words = count(points[winner], "point")
    if points[1 - winner]:
        words += f" to {points[1 - winner]}"
    return f"{name(other)} ({words})"


def standing(card: Card, amounts: Amounts, opponent: str) -> str:
    """Return why a card is not played, or what equals it; nothing for a card of the mixture.

    Parameters
    ----------
    card : Card
        The card.
    amounts : Amounts
        How amounts are written.
    opponent : {"they", "you"}
        Who plays against the card, as the reader calls them.
    """
    sentences = []
    if card.twins:
        sentences.append(
            f"Worth the same as {joined(map(name, card.twins))}, whatever {opponent} play."
        )
    if card.dominated is not None:
        sentences.append(_dominated(card, amounts, opponent))
    elif card.role == "never":
        sentences.append(_never(card, amounts, opponent))
    elif card.chance <= TIE and card.role == "optimal":
        sentences.append("Not in the mix shown, but in another that is as good.")
    elif card.chance <= TIE:
        sentences.append("Not in the mix shown.")
    return " ".join(sentences)


def _dominated(card: Card, amounts: Amounts, opponent: str) -> str:
    mixture = card.dominated
    assert mixture is not None
    better = proportions(mixture.by)
    if not mixture.strict:
        most = amounts.price(mixture.greatest)
        never = "Never right" if card.role == "never" else "Never needed"
        reach = f"whatever {opponent} play, up to {most} more"
        return f"{never}: {better} is worth as much or more {reach}."
    least, most = amounts.price(mixture.least), amounts.price(mixture.greatest)
    gain = least if least == most else f"{least} to {most}"
    return f"Never right: {better} is worth more whatever {opponent} play, by {gain}."


def _never(card: Card, amounts: Amounts, opponent: str) -> str:
    whose = "their" if opponent == "they" else "your"
    if card.cost <= TIE:
        return (
            f"Never right: {whose} mix shown does not punish it, but another that is as good does."
        )
    return (
        f"Never right: it gives away {amounts.price(card.cost)} against {whose} mix. (No other "
        "card or mix is better against everything.)"
    )


def _always(card: Card, mine: Side, amounts: Amounts) -> str:
    """Return what happens when the card is played every time."""
    if card.element in mine.sure_cards:
        return f"Always played, it is worth {amounts.said(card.then)} at least."
    answers = joined(map(name, card.answers), "or")
    return f"Always played, it meets {answers} and is worth {amounts.said(card.then)}."


def giving_away(theirs: Side, amounts: Amounts, what: str) -> str:
    """Return what the opponent's cards give away against the reader's mixture or card."""
    worse = [card for card in theirs.cards if card.cost > TIE]
    if not worse:
        return f"Against your {what} they cannot go wrong this round: all their cards do as well."
    costs = [f"{name(card.element)} gives you {amounts.price(card.cost)}" for card in worse]
    best = [name(card.element) for card in theirs.cards if card.cost <= TIE]
    return f"Against your {what}, {joined(costs)} more; {joined(best)} nothing."
