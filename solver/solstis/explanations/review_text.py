"""A game gone through in words: who was lucky, who played well, and the moments that decided."""

from solver.document import Block, Document, Item, Labelled, Paragraph, Section, Table
from solver.errors import SolverError
from solver.rendering import to_text
from solver.solstis.explanations.words import Amounts
from solver.solstis.review import Moment, Review
from solver.text_layout import count

__all__ = ["render_review", "review_document"]


def review_document(found: Review, worst: int = 3, moves: bool = True) -> Document:
    """Put a review into words, to be written by `solver.rendering.render`.

    Parameters
    ----------
    found : Review
        What `solver.solstis.review.review` returns.
    worst : int
        How many of the worst moments are told.
    moves : bool
        Whether every decision is listed.

    Raises
    ------
    SolverError
        If this is no review.
    """
    if not isinstance(found, Review):
        raise SolverError(f"{found!r} is no Review: use review(record)")
    amounts = Amounts(found.objective)
    told = [_told(*one, amounts) for one in enumerate(found.worst(worst), 1)]
    sections: list[tuple[str, list[Block]]] = [
        ("", [_summary(found, amounts)]),
        ("Worst moments", [*told]),
        ("Most luck", [*_lucky(found, amounts)]),
        ("", [_table(found, amounts)] if moves and found.moments else []),
    ]
    return Document(
        title=f"Solstis: a review of {found.name}",
        opening=tuple(Paragraph(words) for words in _head(found)),
        sections=tuple(Section(label, tuple(body)) for label, body in sections if body),
        kind="solstis-review",
        source=found,
    )


def render_review(found: Review, worst: int = 3, moves: bool = True) -> str:
    """Put a review into words, as text for a terminal; its lines are as long as they must be.

    Parameters
    ----------
    found, worst, moves
        As for `review_document`.

    Raises
    ------
    SolverError
        If this is no review.
    """
    return to_text(review_document(found, worst, moves), width=None)


def _head(found: Review) -> list[str]:
    first, second = found.totals
    exact = sum(moment.is_exact for moment in found.moments)
    result = f"{found.name}: Player 1 {count(first, 'point')}, Player 2 {count(second, 'point')}."
    text = (
        f"{count(len(found.moments), 'decision')} with a choice, judged by {found.samples} worlds "
        f"and {count(found.depth, 'turn')} ahead, or fewer where that is too much"
    )
    judged = f"{text}; {exact} exactly." if exact else f"{text}."
    if found.is_finished:
        return [result, judged]
    return [f"{result} The game was left there: the result is what the position is worth.", judged]


def _summary(found: Review, amounts: Amounts) -> Table:
    one, other = found.summaries
    unit = "points" if found.objective == "margin" else "percentage points above an even game"
    change = amounts.change
    rows = (
        (f"result, in {unit}", change(one.result), change(other.result)),
        ("  luck (draws, and errors of the values)", change(one.luck), change(other.luck)),
        ("  skill", change(one.skill), change(other.skill)),
        ("    by own moves", change(-one.lost), change(-other.lost)),
        ("    by the other's", change(one.gained), change(other.gained)),
        ("decisions with a choice", str(one.decisions), str(other.decisions)),
        ("  clear mistakes", str(one.mistakes), str(other.mistakes)),
    )
    return Table(("", "Player 1", "Player 2"), rows)


def _place(moment: Moment) -> str:
    where = "after the last turn" if moment.turn is None else f"turn {moment.turn}"
    return f"{where}, decision {moment.decision}"


def _told(number: int, moment: Moment, amounts: Amounts) -> Item:
    sure = "exact" if moment.is_exact else amounts.error(moment.error)
    loss = f"{amounts.size(moment.loss)} {amounts.unit(moment.loss)} ({sure})"
    played = f"{moment.chosen_words}: {amounts.value(moment.chosen_value)}"
    better = f"{moment.best_words}: {amounts.value(moment.best_value)}"
    return Item(
        f"{number}. {_place(moment)}, Player {moment.player + 1} loses {loss}",
        (Labelled("played", played), Labelled("better", better)),
    )


def _lucky(found: Review, amounts: Amounts) -> list[Item]:
    moments = [(player, found.luckiest(player)) for player in (0, 1)]
    return [
        Item(
            f"Player {player + 1}, before {_place(moment)}: {amounts.size(moment.luck)}",
            (Paragraph(moment.happened),),
        )
        for player, moment in moments
        if moment is not None
    ]


def _table(found: Review, amounts: Amounts) -> Table:
    rows = tuple(
        (
            "end" if moment.turn is None else f"{moment.turn}.{moment.decision}",
            str(moment.player + 1),
            str(moment.chosen),
            "" if moment.best == moment.chosen else str(moment.best),
            amounts.size(moment.loss),
            "exact" if moment.is_exact else amounts.error(moment.error),
        )
        for moment in found.moments
    )
    return Table(
        ("turn", "player", "played", "better", "loses", ""),
        rows,
        left=4,
        names=("turn and decision", "player", "played", "better", "loses", "standard error"),
    )
