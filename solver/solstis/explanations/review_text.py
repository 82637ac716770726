"""A game gone through as text: who was lucky, who played well, and the moments that decided."""

from solver.errors import SolverError
from solver.solstis.explanations.words import Amounts
from solver.solstis.review import Moment, Review
from solver.text_layout import aligned, count

__all__ = ["render_review"]


def render_review(found: Review, worst: int = 3, moves: bool = True) -> str:
    """Put a review into words.

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
    lines = [_head(found), "", *_summary(found, amounts)]
    shown = found.worst(worst)
    if shown:
        lines += ["", "Worst moments"]
        for number, moment in enumerate(shown, 1):
            lines += _told(number, moment, amounts)
    lines += _lucky(found, amounts)
    if moves and found.moments:
        lines += ["", *_table(found, amounts)]
    return "\n".join(lines)


def _head(found: Review) -> str:
    first, second = found.totals
    exact = sum(moment.is_exact for moment in found.moments)
    text = (
        f"{found.name}: Player 1 {count(first, 'point')}, Player 2 {count(second, 'point')}.\n"
        f"{count(len(found.moments), 'decision')} with a choice, judged by {found.samples} worlds "
        f"and {count(found.depth, 'turn')} ahead, or fewer where that is too much"
    )
    return f"{text}; {exact} exactly." if exact else f"{text}."


def _summary(found: Review, amounts: Amounts) -> list[str]:
    one, other = found.summaries
    unit = "points" if found.objective == "margin" else "percentage points above an even game"
    change = amounts.change
    rows = [
        ["", "Player 1", "Player 2"],
        [f"result, in {unit}", change(one.result), change(other.result)],
        ["  luck (draws, and errors of the values)", change(one.luck), change(other.luck)],
        ["  skill", change(one.skill), change(other.skill)],
        ["    lost by own moves", change(-one.lost), change(-other.lost)],
        ["    given by the other's", change(one.gained), change(other.gained)],
        ["decisions with a choice", str(one.decisions), str(other.decisions)],
        ["  clear mistakes", str(one.mistakes), str(other.mistakes)],
    ]
    return aligned(rows)


def _place(moment: Moment) -> str:
    where = "after the last turn" if moment.turn is None else f"turn {moment.turn}"
    return f"{where}, decision {moment.decision}"


def _told(number: int, moment: Moment, amounts: Amounts) -> list[str]:
    sure = "exact" if moment.is_exact else amounts.error(moment.error)
    loss = f"{amounts.size(moment.loss)} {amounts.unit(moment.loss)} ({sure})"
    return [
        f"{number}. {_place(moment)}, Player {moment.player + 1} loses {loss}",
        f"   played  {moment.chosen_words}: {amounts.value(moment.chosen_value)}",
        f"   better  {moment.best_words}: {amounts.value(moment.best_value)}",
    ]


def _lucky(found: Review, amounts: Amounts) -> list[str]:
    lines = []
    for player in (0, 1):
        moment = found.luckiest(player)
        if moment is not None:
            lines += [
                f"Player {player + 1}, before {_place(moment)}: {amounts.size(moment.luck)}",
                f"   {moment.happened}",
            ]
    return ["", "Most luck", *lines] if lines else []


def _table(found: Review, amounts: Amounts) -> list[str]:
    rows = [["turn", "player", "played", "better", "loses", ""]]
    for moment in found.moments:
        better = "" if moment.best == moment.chosen else str(moment.best)
        rows.append(
            [
                "end" if moment.turn is None else f"{moment.turn}.{moment.decision}",
                str(moment.player + 1),
                str(moment.chosen),
                better,
                amounts.size(moment.loss),
                "exact" if moment.is_exact else amounts.error(moment.error),
            ]
        )
    return aligned(rows, left=4)
