"""Results of Solaris' Clash as tables of pandas; `solver.frames` says how all tables are made."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from games.clash import Element, format_times
from solver.clash.explanations.claims import check_player
from solver.clash.hidden import HiddenSolution
from solver.clash.hidden.long_form import MAX_ROWS, strategy_columns
from solver.clash.hidden.whole_solution import WholeStrategy
from solver.clash.open_hands import OpenEntry
from solver.clash.review_claims import Review
from solver.clash.selection import SelectionGame
from solver.errors import StateError
from solver.frames import column_frame, no_frame, payoff_frame, row_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "cards_frame",
    "entries_frame",
    "events_frame",
    "matrix_frame",
    "moments_frame",
    "play_table_frame",
    "selection_frame",
    "strategy_frame",
]

_SEATS = ("row", "column")


def matrix_frame(result: OpenEntry | SelectionGame) -> "pd.DataFrame":
    """Return a payoff matrix, to player 0: of a round with open hands, or of the choice of extras.

    Parameters
    ----------
    result : OpenEntry or SelectionGame
        From ``solve_open(state).entry(state)``, ``table.probe(state)``, or `selection_game`.

    Raises
    ------
    StateError
        If there is no matrix: a time is due, the game is over, or it is another result.
    MissingPackageError
        If pandas is not installed.

    Examples
    --------
    >>> from solver.clash import solve_open
    >>> state = "WF/EE DaNoDuMiDa-- 3-2"
    >>> matrix_frame(solve_open(state).entry(state))     # doctest: +SKIP
    player 1    E
    player 0
    W         0.0
    F        -0.2
    """
    if isinstance(result, SelectionGame):
        return payoff_frame(result.matrix, result.labels, result.labels)
    entry = _decision(result)
    assert entry.matrix is not None
    return payoff_frame(entry.matrix, _letters(entry.row), _letters(entry.column))


def cards_frame(entry: OpenEntry) -> "pd.DataFrame":
    """Return what both players may play in a round with open hands.

    Columns: ``player``, ``card``, ``chance`` in the optimal mixture shown, and what the card
    ``earns`` that player against the other's.

    Raises
    ------
    StateError
        If no card is chosen: a time is due, the game is over, or it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    entry = _decision(entry)
    mixes = [np.array(list(mix.values()), dtype=object) for mix in (entry.row, entry.column)]
    earned = (entry.matrix @ mixes[1], -(mixes[0] @ entry.matrix))
    rows = [
        (player, card.letter, chance, earns)
        for player, mix in enumerate((entry.row, entry.column))
        for (card, chance), earns in zip(mix.items(), earned[player], strict=True)
    ]
    return row_frame(rows, ["player", "card", "chance", "earns"]).infer_objects()


def entries_frame(entries: Iterable[OpenEntry]) -> "pd.DataFrame":
    """Return a row for each state, as `OpenTable.to_csv` writes it.

    Columns: ``state``, ``round``, ``value`` to player 0, the chance of each element for player 0
    (``row_W`` ... ``row_E``) and player 1 (``column_W`` ...), missing for a card not held and while
    a time is due, and whether both mixtures are ``unique``.

    Parameters
    ----------
    entries : iterable of OpenEntry
        For instance ``table.entries(2)``.

    Raises
    ------
    StateError
        If one is another result.
    MissingPackageError
        If pandas is not installed.
    """
    rows = []
    for entry in _checked(entries):
        mixes = entry.strategies or ({}, {})
        chances = [mix.get(card) for mix in mixes for card in Element]
        rows.append((str(entry.state), entry.state.round, entry.value, *chances, entry.unique))
    columns = [f"{seat}_{card.letter}" for seat in _SEATS for card in Element]
    return row_frame(rows, ["state", "round", "value", *columns, "unique"])


def play_table_frame(entries: Iterable[OpenEntry], player: int = 0) -> "pd.DataFrame":
    """Return a row for each deal, as ``clash_play_table.py --csv`` writes it.

    Columns: ``times``; the extras, ``you`` and ``opponent``; ``value`` to you; the chance of each
    element (``you_W`` ... ``you_E``, ``opponent_W`` ...); ``unique``.

    Parameters
    ----------
    entries : iterable of OpenEntry
        Positions of round 1.
    player : int
        Who is ``you``.

    Raises
    ------
    StateError
        If one is another result or no position of round 1, or there is no such player.
    MissingPackageError
        If pandas is not installed.
    """
    own, other = check_player(player), 1 - check_player(player)
    rows = []
    for entry in _checked(entries):
        state = _decision(entry).state
        if state.round != 1:
            raise StateError(f"{state} is of round {state.round}: a play table is of round 1")
        mixes = (entry.row, entry.column)
        rows.append(
            (
                format_times(state.times),
                str(state.hands[own].extras),
                str(state.hands[other].extras),
                (-entry.value if player else entry.value) + 0,
                *mixes[own].values(),
                *mixes[other].values(),
                entry.unique,
            )
        )
    columns = [f"{seat}_{card.letter}" for seat in ("you", "opponent") for card in Element]
    return row_frame(rows, ["times", "you", "opponent", "value", *columns, "unique"])


def selection_frame(result: SelectionGame | WholeStrategy) -> "pd.DataFrame":
    """Return how often each pair of extras is taken.

    Columns: ``extras``, ``chance``, and what the pair ``earns`` against this selection (with hidden
    hands missing).

    Parameters
    ----------
    result : SelectionGame, WholeSolution or StrategyBook
        The choice of extras, solved.

    Raises
    ------
    StateError
        If it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    if not isinstance(result, SelectionGame | WholeStrategy):
        raise no_frame(result, "a SelectionGame, WholeSolution or StrategyBook")
    chances = np.array(list(result.selection.values()))
    earns = np.full(len(chances), np.nan)
    if isinstance(result, SelectionGame):
        earns = result.matrix @ chances
    return column_frame({"extras": list(result.selection), "chance": chances, "earns": earns})


def strategy_frame(
    solution: HiddenSolution,
    player: int | None = None,
    rounds: Iterable[int] | None = None,
    max_rows: int = MAX_ROWS,
) -> "pd.DataFrame":
    """Return the strategies of a solved deal: a row for each card of each information set.

    Parameters
    ----------
    solution, player, rounds, max_rows
        As for `solver.clash.hidden.long_form.strategy_columns`, which says what the columns are:
        ``player``, ``round``, ``times``, ``hand``, ``history``, ``card``, ``chance``, ``reach``,
        ``reached``.

    Raises
    ------
    StateError
        If it is another result, or there is no such player or round.
    SolverError
        If there would be more rows than allowed, or pandas is not installed.
    """
    if not isinstance(solution, HiddenSolution):
        raise no_frame(solution, "a HiddenSolution")
    return column_frame(strategy_columns(solution, player, rounds, max_rows))


def moments_frame(review: Review) -> "pd.DataFrame":
    """Return the decisions of a reviewed game.

    Columns are the fields of `Moment`, with ``points_0`` and ``points_1`` for the points before,
    ``loss_least`` and ``loss_most`` for the range of the loss, ``mix_W`` ... and ``earns_W`` ...
    for the cards, missing where not held; and its properties ``chosen_value``, ``is_exact`` and
    ``is_mistake``.

    Raises
    ------
    StateError
        If it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    if not isinstance(review, Review):
        raise no_frame(review, "a Review of Solaris' Clash")
    rows = []
    for moment in review.moments:
        row: dict[str, Any] = {
            "round": moment.round,
            "player": moment.player,
            "time": moment.time.code,
            "points_0": moment.points[0],
            "points_1": moment.points[1],
            "held": str(moment.held),
            "chosen": moment.chosen.letter,
            "best": "".join(card.letter for card in moment.best),
        }
        for name, amounts in (("mix", moment.mix), ("earns", moment.earns)):
            row |= {f"{name}_{card.letter}": amounts.get(card) for card in Element}
        least, most = moment.loss_range or (None, None)
        row |= {
            "value": moment.value,
            "chosen_value": moment.chosen_value,
            "loss": moment.loss,
            "loss_least": least,
            "loss_most": most,
            "error": moment.error,
            "reach": moment.reach,
            "seldom": moment.seldom,
            "unjudged": moment.unjudged,
            "is_exact": moment.is_exact,
            "is_mistake": moment.is_mistake,
        }
        rows.append(row)
    names = list(rows[0]) if rows else []
    return row_frame([list(row.values()) for row in rows], names)


def events_frame(review: Review) -> "pd.DataFrame":
    """Return all that changed what a reviewed game was worth; columns are the fields of `Event`.

    Raises
    ------
    StateError
        If it is another result.
    MissingPackageError
        If pandas is not installed.
    """
    if not isinstance(review, Review):
        raise no_frame(review, "a Review of Solaris' Clash")
    names = ["kind", "round", "before", "after", "luck", "happened"]
    return row_frame([[getattr(event, name) for name in names] for event in review.events], names)


def _checked(entries: Iterable[OpenEntry]) -> Iterator[OpenEntry]:
    """Iterate over entries, each checked; refuse what cannot be iterated over."""
    if not isinstance(entries, Iterable):
        raise no_frame(entries, "entries, as [solve_open(state).entry(state)]")
    yield from map(_check, entries)


def _check(entry: object) -> OpenEntry:
    if not isinstance(entry, OpenEntry):
        raise no_frame(entry, "an OpenEntry, as from solve_open(state).entry(state)")
    return entry


def _decision(entry: object) -> OpenEntry:
    """Return an entry of a state in which cards are chosen."""
    found = _check(entry)
    _ = found.row  # where there is none, this error says why
    return found


def _letters(mix: Iterable[Element]) -> list[str]:
    return [card.letter for card in mix]
