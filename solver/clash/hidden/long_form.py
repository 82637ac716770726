"""The strategies of a solved deal in long form: a row for each card of each information set."""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import ROUNDS, Element, format_times
from solver.clash.hidden.best_response import own_reaches
from solver.clash.hidden.layout import LAST, HiddenLayout
from solver.clash.hidden.open_answer import plan_places
from solver.clash.hidden.solution import REACHED, HiddenSolution, read_seat
from solver.errors import SolverError, StateError

__all__ = ["MAX_ROWS", "strategy_columns"]

MAX_ROWS: Final = 1_000_000
"""Most rows that are made, unless the caller allows more."""

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Columns: TypeAlias = dict[str, NDArray[Any]]


def strategy_columns(
    solution: HiddenSolution,
    player: int | None = None,
    rounds: Iterable[int] | None = None,
    max_rows: int = MAX_ROWS,
) -> Columns:
    """Return strategies in long form: a row for each card of each set with a choice.

    Parameters
    ----------
    solution : HiddenSolution
        The solved deal.
    player : int, optional
        Whose strategy; both by default.
    rounds : iterable of int, optional
        Which rounds, of those from the first of the deal to the fifth; all by default. (The sixth
        is forced.)
    max_rows : int
        Refuse more rows.

    Returns
    -------
    dict of arrays
        ``player``; ``round``; ``times`` as known by then; ``hand`` at the start of the deal;
        ``history``, the cards of each round so far, player 0's first (``WF EA``); ``card``;
        ``chance`` of it; ``reach``, the chance that play leads to the information set, the times
        left aside; and whether it is ``reached``: where it is not, chances are no advice.

    Raises
    ------
    StateError
        If there is no such player or round.
    SolverError
        If there would be more rows than allowed.

    Examples
    --------
    >>> from solver.clash import solve_hidden
    >>> deal = solve_hidden("DaNoDuMi----", hands=[["WF", "WA"], ["FE", "FA"]])
    >>> columns = strategy_columns(deal, player=0)
    >>> [len(column) for column in columns.values()] == [16] * 9     # 2 hands, 4 times, 2 cards
    True
    >>> [str(columns[name][0]) for name in ("times", "hand", "card")]
    ['DaNoDuMiDa--', 'WF', 'W']
    """
    if isinstance(max_rows, bool) or not isinstance(max_rows, int) or max_rows < 1:
        raise SolverError(f"max_rows is {max_rows!r}: expected a whole number, 1 or more")
    seats = (0, 1) if player is None else (read_seat(player),)
    first = ROUNDS - len(solution.layout.players[0].types[0]) + 1
    possible = range(first, ROUNDS)
    if rounds is not None and not isinstance(rounds, Iterable):
        raise StateError(f"rounds is {rounds!r}: expected some rounds, as [{rounds!r}]")
    wanted = list(possible) if rounds is None else sorted(set(rounds))
    for number in wanted:
        if number not in possible:
            raise StateError(f"there is no choice in round {number!r}: the deal has {[*possible]}")
    count = sum(
        _count(solution.layout, seat, number - first) for seat in seats for number in wanted
    )
    if count > max_rows:
        raise SolverError(
            f"that makes {count:,} rows, max_rows is {max_rows:,}: ask for one player or for fewer "
            "rounds"
        )
    parts = []
    for seat in seats:
        places = _Places(solution, seat)
        for number in wanted:
            part = places.plans() if number == ROUNDS - 1 else places.cards(number - first)
            size = len(part["card"])
            parts.append({"player": np.full(size, seat), "round": np.full(size, number)} | part)
    if not parts:
        raise StateError("no rounds were asked for")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _count(layout: HiddenLayout, player: int, level: int) -> int:
    own, other = layout.players[player], layout.players[1 - player]
    if level == len(own.levels) - 1:
        return len(plan_places(layout, player)[0]) * len(layout.times) * LAST
    return int(_choices(layout, player, level).sum()) * len(other.levels[level].prefixes)


def _choices(layout: HiddenLayout, player: int, level: int) -> NDArray[np.bool_]:
    """Return which own state may choose which card: those with one kind of card have no choice."""
    held = layout.players[player].levels[level].child >= 0
    return np.asarray(held & (held.sum(axis=1) > 1)[:, None])


class _Places:
    """Tells where the information sets of a player stand, and how likely play leads to them."""

    def __init__(self, solution: HiddenSolution, player: int) -> None:
        self.solution, self.player = solution, player
        self.layout = solution.layout
        self.own, self.other = self.layout.players[player], self.layout.players[1 - player]
        self.reaches = tuple(
            own_reaches(self.layout, seat, solution.behaviours[seat].rounds, solution.priors[seat])
            for seat in (0, 1)
        )

    def cards(self, level: int) -> Columns:
        """Return the rows of a round before the fifth."""
        behaviour = self.solution.behaviours[self.player].rounds[level]
        choices = _choices(self.layout, self.player, level)[:, None, :]
        state, facing, card = np.nonzero(np.broadcast_to(choices, behaviour.shape))
        times = np.full(len(card), format_times(self.solution.times), dtype=object)
        chances = behaviour[state, facing, card]
        return self.rows(level, times, state, facing, card, chances)

    def plans(self) -> Columns:
        """Return the rows of the fifth round: for each fifth time, which card comes first."""
        layout, known = self.layout, self.solution.times
        row, column, state, facing = plan_places(layout, self.player)
        # Two rows for each place and time.
        first = self.solution.behaviours[self.player].plans[
            row[:, None] + np.arange(len(layout.times)), column[:, None]
        ]
        chances = np.stack([first, 1 - first], axis=2)
        cards = np.broadcast_to(
            (self.own.plans[state] // len(Element))[:, None, :], chances.shape
        ).reshape(-1)
        texts = [format_times((*known[:4], time, *known[5:])) for time in layout.times]
        times = np.tile(np.repeat(np.array(texts, dtype=object), LAST), len(state))
        each = len(texts) * LAST
        return self.rows(
            len(self.own.levels) - 1,
            times,
            np.repeat(state, each),
            np.repeat(facing, each),
            cards,
            chances.reshape(-1),
        )

    def rows(  # noqa: PLR0917
        self,
        level: int,
        times: NDArray[Any],
        state: IntArray,
        facing: IntArray,
        card: NDArray[np.integer[Any]],
        chances: FloatArray,
    ) -> Columns:
        """Return rows, given own states, prefixes of the other, cards and chances."""
        here, there = self.own.levels[level], self.other.levels[level]
        prefix = here.state_prefix[state]
        shape = (len(here.state_prefix), len(there.prefixes))
        mine = np.broadcast_to(self.reaches[self.player][level], shape)[state, facing]
        theirs = self.arrivals(level)[facing, prefix]
        hands = np.array([str(hand) for hand in self.own.types], dtype=object)
        letters = np.array([element.letter for element in Element], dtype=object)
        return {
            "times": times,
            "hand": hands[here.state_type[state]],
            "history": self.histories(level)[prefix, facing],
            "card": letters[card],
            "chance": chances,
            "reach": mine * theirs,
            "reached": (mine > REACHED) & (theirs > REACHED),
        }

    def arrivals(self, level: int) -> FloatArray:
        """Return how likely the other has played each prefix, shape (prefixes, own prefixes)."""
        here, there = self.own.levels[level], self.other.levels[level]
        reach = self.reaches[1 - self.player][level]
        arrived = np.zeros((len(there.prefixes), len(here.prefixes)))
        np.add.at(arrived, there.state_prefix, reach)
        return arrived

    def histories(self, level: int) -> NDArray[Any]:
        """Return the text of each history, shape (own prefixes, prefixes of the other)."""
        here, there = self.own.levels[level].prefixes, self.other.levels[level].prefixes
        texts = np.empty((len(here), len(there)), dtype=object)
        for i, mine in enumerate(here):
            for j, theirs in enumerate(there):
                pairs = zip(mine, theirs, strict=True)
                ordered = pairs if self.player == 0 else ((b, a) for a, b in pairs)
                texts[i, j] = " ".join(a.letter + b.letter for a, b in ordered)
        return texts
