"""Why a position of Solaris' Clash is played as it is.

`explain` solves a position with open hands and collects what a player asks about it: what each card
earns, what a wrong one costs, which are never right and why, what the hidden times and the score
change. The answer is data (`claims`); `explanation_text` puts it into words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from games.clash import OBJECTIVES, Element, Objective, State
from solver.clash.explanations.claims import (
    TIE,
    Card,
    Explanation,
    FloatArray,
    Mix,
    Mixture,
    Side,
    Variant,
)
from solver.clash.explanations.variants import (
    entry_of,
    mix_of,
    shifted,
    solve_together,
    variants_of_score,
    variants_of_time,
)
from solver.clash.open_hands import OpenEntry, check_objective, check_state
from solver.dominance import dominated_by
from solver.errors import SolverError
from solver.matrix import equilibria

__all__ = ["TIE", "Card", "Explanation", "Mix", "Mixture", "Side", "Variant", "explain", "sides_of"]


def explain(state: State | str, objective: Objective = "win") -> Explanation:
    """Solve a position with open hands and collect what there is to say about it.

    Parameters
    ----------
    state : State or str
        Any legal position of two players; a text is read under the default rules.
    objective : {"win", "margin"}
        Antes of the pot, or the difference in points at the end.

    Raises
    ------
    StateError
        If the game is not for two players.
    SolverError
        If the objective is unknown.

    Examples
    --------
    >>> why = explain("WFA/FEE DaNoDuMi---- 3-3")
    >>> [(card.element.letter, round(card.chance, 3), card.role) for card in why.sides[0].cards]
    [('W', 0.584, 'optimal'), ('F', 0.0, 'never'), ('A', 0.416, 'optimal')]
    """
    state = check_state(State.parse(state) if isinstance(state, str) else state)
    if not isinstance(objective, str):
        raise SolverError(f"objective is {objective!r}: expected one of {', '.join(OBJECTIVES)}")
    objective = check_objective(objective)
    if state.is_over:
        return _over(state, objective)
    scores = shifted(state) if objective == "win" else {}
    values = solve_together([state, *scores.values()], objective)
    found = entry_of(values, state)
    hidden, pairs, games = variants_of_time(values, found)
    return Explanation(
        state=state,
        objective=objective,
        value=float(found.value),
        matrix=found.matrix,
        rows=state.legal(0),
        columns=state.legal(1),
        unique=found.unique,
        sides=None if found.matrix is None else sides_of(found),
        hidden=hidden,
        hidden_pairs=pairs,
        scores=variants_of_score(scores, values, found),
        games=values.games + games,
    )


def _over(state: State, objective: Objective) -> Explanation:
    return Explanation(
        state=state,
        objective=objective,
        value=float(state.utility(0, objective)),
        matrix=None,
        rows=(),
        columns=(),
        unique=True,
        sides=None,
        hidden=(),
        hidden_pairs=(),
        scores=(),
        games=0,
    )


_Mixes: TypeAlias = tuple[Mix, ...]


@dataclass(frozen=True, eq=False)
class _View:
    """A round as one player sees it: payoffs to that player, own cards in rows.

    `optimal` has the extreme optimal mixtures of this player and of the opponent, the one shown
    first; `complete` says of each whether they are all there.
    """

    state: State
    player: int
    payoffs: FloatArray
    value: float
    optimal: tuple[_Mixes, _Mixes]
    complete: tuple[bool, bool]


def sides_of(found: OpenEntry) -> tuple[Side, Side]:
    """Return both players' views of a round that was solved.

    Parameters
    ----------
    found : OpenEntry
        A state in which cards are chosen.
    """
    matrix = np.asarray(found.matrix, dtype=np.float64)
    value = float(found.value)
    rows, columns = _extreme(found, matrix, value)
    optimal = (rows or (mix_of(found.row),), columns or (mix_of(found.column),))
    complete = (rows is not None, columns is not None)
    views = (
        _View(found.state, 0, matrix, value, optimal, complete),
        _View(found.state, 1, -matrix.T, -value, optimal[::-1], complete[::-1]),
    )
    return _side(views[0]), _side(views[1])


def _extreme(
    found: OpenEntry, matrix: FloatArray, value: float
) -> tuple[_Mixes | None, _Mixes | None]:
    """Return each player's extreme optimal mixtures; None where they cannot all be told.

    `equilibria` is exact, so rounding in the matrix could break a tie or make one. Its list is
    taken only when every mixture in it passes the check, the one shown is among them, and it agrees
    that there is more than one.
    """
    if found.unique:
        return (mix_of(found.row),), (mix_of(found.column),)
    try:
        pairs = equilibria(matrix.round(12))
    except SolverError:
        return None, None
    rows = _checked(found, 0, [pair.row for pair in pairs], matrix, value)
    columns = _checked(found, 1, [pair.column for pair in pairs], -matrix.T, -value)
    if rows is not None and columns is not None and len(rows) == len(columns) == 1:
        return None, None
    return rows, columns


def _checked(
    found: OpenEntry, player: int, listed: list[FloatArray], payoffs: FloatArray, value: float
) -> _Mixes | None:
    """Return the different mixtures listed, the one shown first; None if the list is not right."""
    strategy = found.column if player else found.row
    shown = np.array(list(strategy.values()), dtype=np.float64)
    mixtures = {tuple(mixture): mixture for mixture in listed}.values()
    others = [mixture for mixture in mixtures if np.abs(mixture - shown).max() > TIE]
    optimal = all((mixture @ payoffs).min() >= value - TIE for mixture in mixtures)
    if not optimal or len(others) != len(mixtures) - 1:
        return None
    return tuple(
        {card: float(chance) for card, chance in zip(strategy, mixture, strict=True)}
        for mixture in (shown, *others)
    )


def _side(view: _View) -> Side:
    strategy = view.optimal[0][0]
    cards = tuple(_card(view, index) for index in range(len(view.payoffs)))
    return Side(
        player=view.player,
        value=view.value,
        strategy=strategy,
        guarantee=float((np.array(list(strategy.values())) @ view.payoffs).min()),
        optimal=view.optimal[0],
        complete=view.complete[0],
        sure_cards=tuple(card.element for card in cards if card.then >= view.value - TIE),
        cards=cards,
    )


def _card(view: _View, index: int) -> Card:
    own, theirs = view.state.legal(view.player), view.state.legal(1 - view.player)
    element, worth = own[index], view.payoffs[index]
    earned = [float(worth @ np.array(list(mix.values()))) for mix in view.optimal[1]]
    return Card(
        element=element,
        chance=view.optimal[0][0][element],
        earns=earned[0],
        cost=max(view.value - earned[0], 0.0),
        against={other: float(amount) for other, amount in zip(theirs, worth, strict=True)},
        points=_points(view.state, view.player, element),
        beats=tuple(other for other in theirs if element.beats(other)),
        loses_to=tuple(other for other in theirs if other.beats(element)),
        answers=tuple(
            other for other, amount in zip(theirs, worth, strict=True) if amount <= min(worth) + TIE
        ),
        then=float(min(worth)),
        role=_role(element, view.optimal[0], min(earned) < view.value - TIE),
        dominated=_dominated(view.payoffs, index, own),
        twins=tuple(
            other
            for other, line in zip(own, view.payoffs, strict=True)
            if other != element and np.abs(line - worth).max() <= TIE
        ),
    )


def _role(
    element: Element, optimal: _Mixes, punished: bool
) -> Literal["optimal", "never", "unknown"]:
    """Say whether some optimal mixture plays a card.

    None does when it earns less than the value against some optimal mixture of the opponent.
    """
    if any(mix[element] > TIE for mix in optimal):
        return "optimal"
    return "never" if punished else "unknown"


def _points(state: State, player: int, element: Element) -> Mapping[Element, tuple[int, int]]:
    """Return what both players score this round, own points first, by the opponent's card."""
    points = {}
    for other in state.legal(1 - player):
        total = state.score((other, element) if player else (element, other)).total
        points[other] = (total[player], total[1 - player])
    return points


def _dominated(payoffs: FloatArray, index: int, cards: tuple[Element, ...]) -> Mixture | None:
    found = dominated_by(payoffs, index, TIE)
    if found is None:
        return None
    by = {card: weight for card, weight in zip(cards, found.by, strict=True) if weight > 0}
    return Mixture(by, found.strict, found.least, found.greatest)
