"""Results of Solstis as tables of pandas; `solver.frames` says how all tables are made."""

from dataclasses import fields
from typing import TYPE_CHECKING

from solver.frames import no_frame, row_frame
from solver.solstis.choose import Choice
from solver.solstis.endgame import EndgameSolution
from solver.solstis.review import Moment, Review

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["moments_frame", "moves_frame"]


def moves_frame(result: Choice | EndgameSolution) -> "pd.DataFrame":
    """Return the legal moves of a decision, as they were judged.

    Of a `Choice`, the best move first: ``action``, ``value``, ``error``, ``loss``, ``loss_error``
    and ``best_in``, as `Alternative` says. Of an exact ending, in the order of the rules:
    ``action``, and as Fractions its ``value`` to the player whose turn it is and its ``loss`` to
    the player who decides. No rows where chance decides.

    Parameters
    ----------
    result : Choice or EndgameSolution
        From `choose` or `solve_endgame`.

    Raises
    ------
    StateError
        If it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    if isinstance(result, EndgameSolution):
        losses = result.losses
        exact = [(str(action), value, losses[action]) for action, value in result.moves.items()]
        return row_frame(exact, ["action", "value", "loss"])
    if not isinstance(result, Choice):
        raise no_frame(result, "a Choice or an EndgameSolution")
    rows = [
        (str(one.action), one.value, one.error, one.loss, one.loss_error, one.best_in)
        for one in result.alternatives
    ]
    return row_frame(rows, ["action", "value", "error", "loss", "loss_error", "best_in"])


def moments_frame(review: Review) -> "pd.DataFrame":
    """Return the decisions of a reviewed game.

    Columns are the fields of `Moment`, and its properties ``is_exact`` and ``is_mistake``. ``turn``
    is missing after the last turn, ``error`` where the loss is exact.

    Raises
    ------
    StateError
        If it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    if not isinstance(review, Review):
        raise no_frame(review, "a Review of Solstis")
    names = [*(field.name for field in fields(Moment)), "is_exact", "is_mistake"]
    rows = []
    for moment in review.moments:
        row = {name: getattr(moment, name) for name in names}
        row |= {"chosen": str(moment.chosen), "best": str(moment.best)}
        rows.append(list(row.values()))
    return row_frame(rows, names)
