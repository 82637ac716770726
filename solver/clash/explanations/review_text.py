"""A game of Solaris' Clash gone through, in words: luck, skill, and the moments that decided."""

from games.clash import ROUNDS, Record
from solver.clash.explanations.claims import TIE
from solver.clash.explanations.words import Amounts, count, extras_words, joined, mix_words, name
from solver.clash.review_claims import DealtExtras, Event, Moment, Review
from solver.document import Block, Document, Item, Labelled, Paragraph, Section, Table
from solver.errors import SolverError
from solver.rendering import to_text
from solver.rendering.data import Data, fields_as_data, to_data

__all__ = ["render_review", "review_document"]


def review_document(
    found: Review, worst: int = 3, moves: bool = True, ante: float = 1.0
) -> Document:
    """Put a review into words, to be written by `solver.rendering.render`.

    Parameters
    ----------
    found : Review
        What `solver.clash.review.review` returns.
    worst : int
        How many of the worst moments are told.
    moves : bool
        Whether every decision is listed.
    ante : float
        Under the objective ``win``, what each player antes: amounts are multiplied by it.

    Raises
    ------
    SolverError
        If this is no review, or an option makes no sense.
    """
    if not isinstance(found, Review):
        raise SolverError(f"{found!r} is no Review: use review(record)")
    amounts = Amounts(found.objective, ante)
    told: list[Block] = [_told(*each, amounts) for each in enumerate(found.worst(worst), 1)]
    if not found.worst():
        told = [Paragraph("None: no card that was played is a clear mistake.")]
    sections: list[tuple[str, list[Block]]] = [
        ("", [_summary(found, amounts)]),
        ("Extras", _extras(found, amounts)),
        ("Worst moments", told),
        ("Most luck", _luckiest(found, amounts)),
        ("", [_table(found, amounts)] if moves and found.moments else []),
        ("Sure", [Paragraph(words) for words in _sure(found, amounts)]),
    ]
    return Document(
        title="Solaris' Clash: a review",
        opening=(Paragraph(_result_words(found.record)), Paragraph(_judged_words(found, amounts))),
        sections=tuple(Section(label, tuple(body)) for label, body in sections if body),
        kind="clash-review",
        source=found,
    )


def render_review(
    found: Review, worst: int = 3, moves: bool = True, width: int = 80, ante: float = 1.0
) -> str:
    """Put a review into words, as text for a terminal.

    Parameters
    ----------
    found, worst, moves, ante
        As for `review_document`.
    width : int
        The longest line of a paragraph, 60 or more.

    Raises
    ------
    SolverError
        As for `review_document`, and if the width is too small.
    """
    return to_text(review_document(found, worst, moves, ante), width)


def _result_words(record: Record) -> str:
    first, second = record.state.points
    points = f"Player 0 {count(first, 'point')}, Player 1 {count(second, 'point')}"
    played = len(record.rounds)
    if not record.state.is_over:
        words = f"{played} of {ROUNDS} rounds were played: {points}. The game was left there, so"
        return f"{words} its result is what the last position is worth."
    if first != second:
        return f"{points}: Player {int(second > first)} wins."
    if record.winner is None:
        return f"{points}: a tie."
    return f"{points}: a tie, and Player {record.winner} wins the tie-break."


def _judged_words(found: Review, amounts: Amounts) -> str:
    words = f"{count(len(found.moments), 'decision')} with a choice, "
    if found.hands == "open":
        return f"{words}judged exactly, as if both hands had been known from the deal on."
    gap = amounts.price(found.exploitability)
    return (
        f"{words}judged with hidden hands: each by what its player could know, against strategies "
        f"that are exploitable by {gap} {amounts.unit()} a game."
    )


def _summary(found: Review, amounts: Amounts) -> Table:
    one, other = found.summaries
    signed = amounts.signed
    source = "mixes and times" if found.hands == "open" else "extras, mixes and times"
    rows = [
        ("value at the start", signed(found.start), signed(-found.start)),
        ("value at the end", signed(found.end), signed(-found.end)),
        ("result: end minus start", signed(one.result), signed(other.result)),
        (f"  luck ({source})", signed(one.luck), signed(other.luck)),
        ("  skill", signed(one.skill), signed(other.skill)),
        ("    by own cards", signed(-one.lost), signed(-other.lost)),
        ("    by the other's", signed(one.gained), signed(other.gained)),
        ("decisions with a choice", str(one.decisions), str(other.decisions)),
        ("  clear mistakes", str(one.mistakes), str(other.mistakes)),
    ]
    if one.unjudged or other.unjudged:
        rows.append(("  not judged", str(one.unjudged), str(other.unjudged)))
    head = (f"in {_unit(amounts)}", "Player 0", "Player 1")
    return Table(head, tuple(rows))


def _unit(amounts: Amounts) -> str:
    """Return the unit as the head of a column."""
    unit = amounts.unit()
    return unit if unit in {"antes", "points"} else f"units of the pot, {unit}"


def _extras(found: Review, amounts: Amounts) -> list[Block]:
    if found.extras is None:
        return []
    lines = [Labelled(f"Player {one.player}", _extras_words(one, amounts)) for one in found.extras]
    why = "Extras are taken before the times are seen, so what they turned out to be worth is luck."
    return [*lines, Paragraph(why)]


def _extras_words(dealt: DealtExtras, amounts: Amounts) -> str:
    taken, best = dealt.worth[dealt.taken], dealt.worth[dealt.best]
    words = f"took {extras_words(dealt.taken)}: {amounts.said(taken)} at these times"
    if best - taken <= TIE:
        return f"{words}, and no pair was worth more."
    return f"{words}; the best was {extras_words(dealt.best)}, {amounts.said(best)}."


def _place(moment: Moment) -> str:
    return f"round {moment.round}, {name(moment.time)}"


def _told(number: int, moment: Moment, amounts: Amounts) -> Item:
    loss = f"{amounts.price(moment.loss)} {amounts.unit()}"
    text = f"{number}. {_place(moment)}, Player {moment.player} loses {loss}"
    values = {card: amounts.said(value) for card, value in moment.earns.items()}
    lines = [Labelled("played", f"{name(moment.chosen)}: {values[moment.chosen]}")]
    if _was_better(moment):
        better = joined([f"{name(card)}: {values[card]}" for card in moment.best], "or")
        lines.append(Labelled("better", better))
    lines.append(Labelled("advised", f"{mix_words(moment.mix)}."))
    note = _note(moment, amounts)
    if note:
        lines.append(Labelled("note", note))
    return Item(f"{text} ({_exactness(moment, amounts)})", tuple(lines))


def _was_better(moment: Moment) -> bool:
    """Whether there is a better card than the one that was played."""
    return not moment.unjudged and moment.chosen not in moment.best


def _exactness(moment: Moment, amounts: Amounts) -> str:
    return "exact" if moment.is_exact else f"± {amounts.price(moment.error)}"


def _note(moment: Moment, amounts: Amounts) -> str:
    """Return what makes a loss less than the whole truth."""
    other = f"Player {1 - moment.player}"
    if moment.is_exact:
        if moment.loss_range is None:
            return f"{other} has several optimal mixes, and not all of them are known."
        if not _has_range(moment):
            return ""
        least, most = moment.loss_range
        return (
            f"{other} has several optimal mixes: against them the card loses {amounts.price(least)}"
            f" to {amounts.price(most)}."
        )
    if moment.reach == 0:
        return "The strategy never leads the player here: measured by the best reply from here."
    return "Play as advised seldom leads here, so this is little tested." if moment.seldom else ""


def _has_range(moment: Moment) -> bool:
    return moment.loss_range is not None and moment.loss_range[1] - moment.loss_range[0] > TIE


def _luckiest(found: Review, amounts: Amounts) -> list[Block]:
    lines: list[Block] = []
    for player in (0, 1):
        event = found.luckiest(player)
        if event is not None:
            luck = amounts.signed(abs(event.luck))
            text = f"Player {player}, {_when(event)}: {luck} {amounts.unit()}"
            lines.append(Item(text, (Paragraph(event.happened),)))
    return lines


def _when(event: Event) -> str:
    if event.round is not None:
        return f"round {event.round}"
    return "the deal" if event.kind == "deal" else "after the last round"


def _table(found: Review, amounts: Amounts) -> Table:
    rows = []
    for moment in found.moments:
        better = joined(map(name, moment.best), "or") if _was_better(moment) else ""
        place = (str(moment.round), name(moment.time), str(moment.player), name(moment.chosen))
        rows.append((*place, better, *_loss_cells(moment, amounts)))
    head = ("round", "time", "player", "played", "better", "loses", "")
    return Table(head, tuple(rows), left=5, names=(*head[:-1], "how exact"))


def _loss_cells(moment: Moment, amounts: Amounts) -> tuple[str, str]:
    if moment.unjudged:
        return "", "not judged"
    loss = amounts.signed(moment.loss).removeprefix("+")
    if not moment.is_exact:
        return loss, _exactness(moment, amounts) + (" *" if moment.seldom else "")
    if moment.loss_range is None:
        return loss, "or other"
    if not _has_range(moment):
        return loss, "exact"
    least, most = (amounts.signed(amount).removeprefix("+") for amount in moment.loss_range)
    return loss, f"{least} to {most}"


def _sure(found: Review, amounts: Amounts) -> list[str]:
    words = [
        "A card is judged against the opponent's optimal mix, not against the card that came. Luck "
        "is the rest: 0 on average against an opponent who plays that mix."
    ]
    if found.hands == "open":
        words.append("All values are exact: every round's equilibrium is certified.")
        if any(_has_range(moment) for moment in found.moments):
            words.append(
                "Where two amounts stand, the opponent has several optimal mixes: the least and "
                "the most that the card loses against one of them. No optimal mix of its player "
                "plays such a card."
            )
        if any(moment.loss_range is None for moment in found.moments):
            words.append(
                "Where 'or other' stands, the opponent has other optimal mixes, against which the "
                "card may lose another amount."
            )
        return words
    words.append(
        f"The strategies are exploitable by {amounts.price(found.exploitability)} "
        f"{amounts.unit()} a game, on average over all of it; in a place where play seldom leads "
        "they may be further off. What stands after ± is that, or how far the cards of the mix "
        "differ, which in an equilibrium earn the same. A loss is a clear mistake when it is more "
        "than twice as much; one below 0 is a card that earns more than the mix."
    )
    if any(moment.seldom for moment in found.moments):
        words.append(
            "* Before, a card was played that the strategies play less than 1 time in 100."
        )
    reasons = sorted({moment.unjudged for moment in found.moments} - {""})
    return words + [f"Not judged, and counted as luck: {reason}." for reason in reasons]


@to_data.register
def _record(value: Record) -> Data:
    return str(value)


@to_data.register
def _review(value: Review) -> Data:
    return {"unit": value.unit, "finished": value.is_finished, **fields_as_data(value)}


@to_data.register
def _moment(value: Moment) -> Data:
    return {**fields_as_data(value), "mistake": value.is_mistake}
