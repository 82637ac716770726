"""Open hands: optimal play when both hands are known.

Backward induction over the rounds (design of the mathematics: `solver.backward_induction`). The
answer is exact: every round's matrix game is certified, or solved in rationals on request.
"""

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import OBJECTIVES, Element, Objective, Rules, State
from solver.clash.values import ExactValues, Number, Values, solve_arrays
from solver.errors import SolverError, StateError
from solver.matrix import solve, solve_exact

__all__ = [
    "OpenEntry",
    "OpenSolution",
    "Strategy",
    "check_objective",
    "check_rules",
    "check_state",
    "solve_open",
]

_SAME = 1e-12

Strategy: TypeAlias = dict[Element, Number]
"""A probability for every legal card, those never played included."""

Matrix: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class OpenEntry:
    """What is known of one state: its value, and how to play it.

    Attributes
    ----------
    state : State
        The state.
    value : float or Fraction
        Expected utility of player 0 when both play optimally, in antes or points.
    matrix : array, optional
        The round's payoff matrix to player 0, rows and columns legal cards in the order WFAE; None
        while a time is due and when the game is over.
    strategies : pair of dict, optional
        An optimal strategy of each player, None where there is no matrix.
    unique : bool
        Whether both strategies are the only optimal ones. Where they are not, those shown are the
        ones that the rule of `solver.matrix.solve` names.
    """

    state: State
    value: Number
    matrix: Matrix | None
    strategies: tuple[Strategy, Strategy] | None
    unique: bool

    @property
    def row(self) -> Strategy:
        """The optimal strategy of player 0."""
        return self._strategy(0)

    @property
    def column(self) -> Strategy:
        """The optimal strategy of player 1."""
        return self._strategy(1)

    def _strategy(self, player: int) -> Strategy:
        if self.strategies is None:
            raise StateError(f"no card is chosen in {self.state}: {_no_choice(self.state)}")
        return self.strategies[player]


def entry(values: Values, state: State) -> OpenEntry | None:
    """Return what some values say of a state, or None if they do not hold it."""
    value = values.value(state)
    if value is None:
        return None
    if state.is_over or state.time_is_due:
        return OpenEntry(state, value, None, None, True)
    payoffs = [
        [_value_after(values, state, (card0, card1)) for card1 in state.legal(1)]
        for card0 in state.legal(0)
    ]
    exact = isinstance(value, Fraction)
    matrix = np.array(payoffs, dtype=object if exact else np.float64)
    solution: Any = solve_exact(payoffs) if exact else solve(without_rounding(matrix))
    number = Fraction if exact else float
    strategies = tuple(
        {card: number(chance) for card, chance in zip(state.legal(player), mix, strict=True)}
        for player, mix in enumerate((solution.row, solution.column))
    )
    return OpenEntry(state, value, matrix, (strategies[0], strategies[1]), bool(solution.unique))


def without_rounding(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return payoffs in which equal values from later rounds are equal again.

    Continuation values carry rounding errors of about 1e-15, and a tie broken by rounding is none:
    without this, another strategy than the stated one would be shown, and called unique. Values of
    one matrix that differ by less than 1e-12 become the mean of the two outermost of them; all
    others stay as they are, so that what is in proportion stays so.

    Parameters
    ----------
    payoffs : float array, shape (..., rows, columns)
        One matrix or many.
    """
    if not payoffs.size:
        return payoffs
    flat = payoffs.reshape(*payoffs.shape[:-2], payoffs.shape[-2] * payoffs.shape[-1])
    order = np.argsort(flat, axis=-1)
    ordered = np.take_along_axis(flat, order, axis=-1)
    apart = np.diff(ordered, axis=-1) > _SAME
    # The lowest and the highest of each run of values that are the same, for each of them.
    outermost = np.ones((*flat.shape[:-1], 1), dtype=bool)
    ends = np.concatenate([apart, outermost], axis=-1)
    starts = np.concatenate([outermost, apart], axis=-1)
    lowest = np.maximum.accumulate(np.where(starts, ordered, -np.inf), axis=-1)
    highest = np.minimum.accumulate(np.where(ends, ordered, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    snapped = np.empty_like(flat)
    np.put_along_axis(snapped, order, 0.5 * (lowest + highest), axis=-1)
    return snapped.reshape(payoffs.shape)


def _value_after(values: Values, state: State, cards: tuple[Element, Element]) -> Number:
    value = values.value(state.play(cards))
    assert value is not None, "a state that is held has all its children held"
    return value


@dataclass(frozen=True, eq=False)
class OpenSolution:
    """Optimal play with open hands from one state on, for every state that can follow it.

    Attributes
    ----------
    root : State
        The state that was solved.
    objective : {"win", "margin"}
        What players maximise.
    values : Values
        The values of the states.
    seconds : float
        How long the solution took.

    Examples
    --------
    >>> solution = solve_open(State.parse("WAE/FAE DaNoDuMi---- 3-2"))
    >>> print(solution)
    WAE/FAE DaNoDuMi---- 3-2, open hands, win: value 0.2883 antes to player 0
    (matrix games solved: 37, each certified)
    >>> {card.letter: round(p, 3) for card, p in solution.strategy(solution.root, 0).items()}
    {'W': 0.366, 'A': 0.366, 'E': 0.267}
    """

    root: State
    objective: Objective
    values: Values
    seconds: float

    @property
    def value(self) -> Number:
        """Expected utility of player 0 at the end, points so far included; antes or points."""
        return self.value_at(self.root)

    @property
    def exact(self) -> bool:
        """Whether the numbers are exact rationals; otherwise float64, certified to 1e-9."""
        return isinstance(self.values, ExactValues)

    @property
    def games(self) -> int:
        """How many matrix games were solved, forced sixth rounds not counted."""
        return self.values.games

    def entry(self, state: State | str) -> OpenEntry:
        """Return value, matrix and strategies of a state together.

        Raises
        ------
        StateError
            If the state does not follow from the one solved.
        """
        state = self._state(state)
        found = entry(self.values, state)
        if found is None:
            raise StateError(f"{state} does not follow from {self.root}: solve it by itself")
        return found

    def value_at(self, state: State | str) -> Number:
        """Return the expected utility of player 0 in a state; while a time is due, over it.

        States are matched by what their value depends on: past times in any order, and points that
        differ by as much. An ended game is answered by its utility.

        Raises
        ------
        StateError
            If the value of the state does not follow from the one solved.
        """
        state = self._state(state)
        value = self.values.value(state)
        if value is None:
            raise StateError(f"{state} does not follow from {self.root}: solve it by itself")
        return value

    def matrix(self, state: State | str) -> Matrix:
        """Return a round's payoff matrix to player 0, later rounds played optimally.

        Returns
        -------
        array, shape (legal cards of player 0, legal cards of player 1)
            Rows and columns in the order Water, Fire, Air, Earth; utilities of which the state's
            value is the value. Fractions in an exact solution.

        Raises
        ------
        StateError
            If a time is due, the game is over, or the state does not follow from the one solved.
        """
        found = self.entry(state)
        if found.matrix is None:
            raise StateError(f"{found.state} has no matrix: {_no_choice(found.state)}")
        return found.matrix

    def strategy(self, state: State | str, player: int) -> Strategy:
        """Return an optimal strategy: the chance of every legal card, zeros included.

        Parameters
        ----------
        state : State
            A state that follows from the one solved.
        player : int
            0 or 1.

        Raises
        ------
        StateError
            If a time is due, the game is over, the state does not follow from the one solved, or
            there is no such player.
        """
        if (
            isinstance(player, bool)
            or not isinstance(player, int | np.integer)
            or player not in (0, 1)
        ):
            raise StateError(f"there is no player {player!r}: expected 0 or 1")
        found = self.entry(state)
        return found.column if player else found.row

    def _state(self, state: State | str) -> State:
        if isinstance(state, str):
            state = State.parse(state, self.root.rules)
        state = check_state(state)
        if state.rules != self.root.rules:
            raise StateError(f"{state} is of other rules ({state.rules}) than {self.root.rules}")
        return state

    def __str__(self) -> str:
        unit = "antes" if self.objective == "win" else "points"
        how = "in exact rationals" if self.exact else "certified"
        return (
            f"{self.root}, open hands, {self.objective}: value {float(self.value):.4f} {unit} to "
            f"player 0\n(matrix games solved: {self.games}, each {how})"
        )


def solve_open(
    state: State | str, objective: Objective = "win", exact: bool = False
) -> OpenSolution:
    """Solve a position when both hands are known.

    Parameters
    ----------
    state : State or str
        Any legal position of two players; a text is read under the default rules.
    objective : {"win", "margin"}
        Antes of the pot (win 1, lose -1, tie 0), or the difference in points at the end.
    exact : bool
        Compute in exact rationals. A fraction of a second from round 3 on; in round 1, where the
        numbers have thousands of digits, a few seconds.

    Returns
    -------
    OpenSolution
        Value, matrices and strategies of the position and of all that can follow it.

    Raises
    ------
    StateError
        If the game is not for two players.
    SolverError
        If the objective is unknown.

    Examples
    --------
    >>> from games.clash import State
    >>> solution = solve_open(State.parse("FE/FA DaNoDuMiNo-- 0-0"), "margin", exact=True)
    >>> solution.value, solution.strategy(solution.root, 0)[Element.FIRE]
    (Fraction(17, 82), Fraction(33, 82))
    """
    state = check_state(State.parse(state) if isinstance(state, str) else state)
    objective = check_objective(objective)
    started = perf_counter()
    values: Values
    values = ExactValues(state, objective) if exact else solve_arrays(state, objective)
    return OpenSolution(state, objective, values, perf_counter() - started)


def check_state(state: object) -> State:
    """Return the state if it is one that exact solvers answer for: two players."""
    if not isinstance(state, State):
        kind = type(state)
        raise StateError(
            f"{kind.__module__}.{kind.__qualname__} is no State of Solaris' Clash: use State.parse "
            "or State.start of games.clash"
        )
    if state.rules.players != 2:
        raise StateError(f"exact solvers are for two players, not {state.rules.players}: {state}")
    return state


def check_rules(rules: object) -> Rules:
    """Return the rules if they are for two players; the default ones for None."""
    if rules is None:
        return Rules()
    if not isinstance(rules, Rules):
        raise StateError(f"rules is {rules!r}: expected Rules(...)")
    if rules.players != 2:
        raise StateError(f"solvers are for two players, not {rules.players}")
    return rules


def check_objective(objective: object) -> Objective:
    """Return the objective if there is such a one."""
    if isinstance(objective, str) and objective in OBJECTIVES:
        return "win" if objective == "win" else "margin"
    raise SolverError(f"objective is {objective!r}: expected one of {', '.join(OBJECTIVES)}")


def _no_choice(state: State) -> str:
    return "the game is over" if state.is_over else f"the time of round {state.round} is due"
