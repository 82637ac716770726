"""A played game of Solstis gone through: what each decision lost, and what was luck.

What is added up. Let v be the value of the game to player 0: under the objective ``margin`` the
expected difference of scores, 0 at an even game; under ``win`` the chance to win, 1/2 at an even
game. At each decision with more than one option, two values are taken of one search by the player
who decides, from what that player sees: v(best), after the best move, and v(chosen), after the move
played. Then

* the *loss* of the decision is the difference of the two, 0 or more to the player who decides;
* *luck* is v(best) minus what v was before: v(chosen) of the decision before it, and for the first
  decision the even game (the deal);
* after the last decision, luck is the result minus v(chosen) of the last decision. The result of a
  game that was left is what its last position is worth, by the same search.

The sum telescopes. For each player, with all amounts to that player,

    result  =  luck  +  skill,      skill  =  what the other lost  -  what the own moves lost,

where the result is what was reached above an even game. Luck and skill of one player are those of
the other with the sign changed. It is an identity: it holds however good the values are. What they
are decides what it means. Luck is a remainder: tiles and spirits drawn, blind picks, what the other
turns out to hold (the next value is taken by another player, who sees other things), and also the
errors of the values, of sampling and of the evaluation alike. In an exact ending nothing but chance
is left in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from games.solstis import Action, State
from games.solstis.replay import first_difference
from games.solstis.telling import tell
from games.solstis.words import describe
from solver.errors import SolverError, StateError
from solver.rendering.data import to_data
from solver.solstis.choose import Choice, SolstisObjective, choose
from solver.solstis.endgame import EndgameSolution, solve_endgame
from solver.solstis.explanations.explanation import is_open

__all__ = ["Moment", "Review", "Summary", "review"]

_TOLD_APART: Final = 2.0
_EVEN: Final = {"margin": 0.0, "win": 0.5}
_SEEDS: Final = 10_000
_PROBE: Final = 2
_GROWTH: Final = 4
"""A turn more visits at least so many times as many."""
_MOST_POSITIONS: Final = 600_000
"""About so many positions are visited for a decision."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision with more than one option.

    Attributes
    ----------
    turn : int or None
        The number of the turn; None after the last one.
    decision : int
        The number of the decision in the turn, from 1.
    player : int
        Who decided.
    options : int
        How many legal moves there were.
    chosen, best : Action
        What was played, and what was best; the same if the move played was as good.
    chosen_words, best_words : str
        Both in words.
    chosen_value, best_value : float
        What both are worth to the player who decided.
    loss : float
        The difference, 0 or more.
    error : float or None
        Standard error of the loss; None where it is exact.
    samples, depth : int
        Worlds searched, and turns looked at after the present one; 0 and 0 where it is exact.
    luck : float
        How much v rose since the decision before, to player 0 (see the module).
    happened : str
        What was played and drawn since the decision before.
    """

    turn: int | None
    decision: int
    player: int
    options: int
    chosen: Action
    best: Action
    chosen_words: str
    best_words: str
    chosen_value: float
    best_value: float
    loss: float
    error: float | None
    samples: int
    depth: int
    luck: float
    happened: str

    @property
    def is_exact(self) -> bool:
        """Whether the values are proved."""
        return self.error is None

    @property
    def is_mistake(self) -> bool:
        """Whether it lost something for certain, or more than two standard errors."""
        return self.loss > (1e-9 if self.error is None else _TOLD_APART * self.error)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a game was for one player; amounts are to that player.

    Attributes
    ----------
    player : int
        0 or 1.
    result : float
        What was reached above an even game: ``luck + skill``.
    luck : float
        The deal and all other luck.
    lost : float
        What the own moves lost, all together.
    gained : float
        What the other's moves lost.
    decisions : int
        How many own decisions had more than one option.
    mistakes : int
        How many of them lost something that can be told apart from nothing.
    """

    player: int
    result: float
    luck: float
    lost: float
    gained: float
    decisions: int
    mistakes: int

    @property
    def skill(self) -> float:
        """What the other lost minus what was lost."""
        return self.gained - self.lost


@dataclass(frozen=True, slots=True)
class Review:
    """A game gone through.

    Attributes
    ----------
    name : str
        What the game is called.
    objective : {"margin", "win"}
        What is counted: points, or chances to win.
    totals : pair of int
        Points of players 0 and 1 at the end, or so far.
    moments : tuple of Moment
        All decisions with more than one option, in order.
    last_luck : float
        Luck after the last of them, to player 0.
    summaries : pair of Summary
        Those of players 0 and 1.
    samples, depth : int
        Worlds searched for each decision, and turns after the present one, where that is not too
        much (a moment tells its own).
    is_finished : bool
        Whether the game was played to its end; if not, results are what the last position is worth.
    """

    name: str
    objective: SolstisObjective
    totals: tuple[int, int]
    moments: tuple[Moment, ...]
    last_luck: float
    summaries: tuple[Summary, Summary]
    samples: int
    depth: int
    is_finished: bool

    def worst(self, number: int = 3) -> tuple[Moment, ...]:
        """Return the moments that lost most, those that lost nothing left out."""
        losing = [moment for moment in self.moments if moment.loss > 0]
        return tuple(sorted(losing, key=lambda moment: -moment.loss)[:number])

    def luckiest(self, player: int) -> Moment | None:
        """Return the moment before which a player had most luck, if there was any."""
        sign = 1 - 2 * player
        lucky = [moment for moment in self.moments[1:] if sign * moment.luck > 0]
        return max(lucky, key=lambda moment: sign * moment.luck, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON, as `solver.rendering.to_data` writes it."""
        result = to_data(self)
        assert isinstance(result, dict)
        return result


def review(  # noqa: PLR0917
    record: Mapping[str, Any],
    objective: SolstisObjective = "margin",
    samples: int = 50,
    depth: int = 2,
    seed: int = 0,
    max_nodes: int = 200_000,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Go through a recorded game: what each decision lost, and what was luck.

    How values are taken, and why luck and skill add up to the result, says the module. Values are
    those of `choose` with a fixed number of worlds; under ``margin``, where nothing is hidden any
    more and the ending is not too large, those of `solve_endgame`.

    Parameters
    ----------
    record : mapping
        A recorded game (``solstis-trace-1``), played to its end or left before.
    objective : {"margin", "win"}
        Count points, or chances to win.
    samples, depth, seed
        As in `choose`, for each decision. Where some 600,000 positions do not suffice, fewer turns
        are looked at, then fewer worlds.
    max_nodes : int
        Solve an ending exactly if it has no more positions.
    progress : callable, optional
        Called after each decision with how many are done, and how many there are.

    Raises
    ------
    StateError
        If the record does not follow the rules.
    SolverError
        If an option makes no sense.

    Examples
    --------
    >>> from games.solstis.record import record_game
    >>> state, played = State.new(5), []
    >>> while state.kind != "end":
    ...     options = state.legal() or [outcome for outcome, _ in state.outcomes()]
    ...     played.append(options[0])
    ...     state = state.play(options[0])
    >>> found = review(record_game(State.new(5), played), samples=2, depth=0)
    >>> first = found.summaries[0]
    >>> abs(first.luck + first.skill - first.result) < 1e-9
    True
    """
    if not isinstance(record, Mapping):
        raise StateError(f"{type(record).__name__} is no recorded game")
    difference = first_difference(record)
    if difference is not None:
        raise StateError(f"the record does not follow the rules: {difference}")
    return _Reviewer(record, objective, samples, depth, seed, max_nodes).run(progress)


class _Reviewer:
    """Goes through one game."""

    def __init__(  # noqa: PLR0917
        self,
        record: Mapping[str, Any],
        objective: SolstisObjective,
        samples: int,
        depth: int,
        seed: int,
        max_nodes: int,
    ) -> None:
        if objective not in _EVEN:
            raise SolverError(f"objective is {objective!r}: expected 'margin' or 'win'")
        self.record = record
        self.objective: SolstisObjective = objective
        self.samples, self.depth, self.seed = samples, depth, seed
        self.max_nodes = max_nodes
        self.ending: EndgameSolution | None = None
        self.tried: int | None = None

    def steps(self) -> list[tuple[int | None, int, State, Action]]:
        """Return turn, number in the turn, state and action of everything that was recorded."""
        state = State.from_dict(self.record)
        turns = [(turn["n"], turn["decisions"]) for turn in self.record["turns"]]
        turns.append((None, self.record.get("endphase", [])))
        found = []
        for turn, decisions in turns:
            for number, decision in enumerate(decisions, 1):
                action = Action.parse(f"{decision['k']} {decision['chosen']}")
                found.append((turn, number, state, action))
                state = state.play(action)
        self.end = state
        return found

    def run(self, progress: Callable[[int, int], None] | None) -> Review:
        steps = self.steps()
        total = sum(_is_choice(state) for _, _, state, _ in steps)
        moments: list[Moment] = []
        value = _EVEN[self.objective]
        happened: list[str] = []
        for turn, number, state, action in steps:
            if _is_choice(state):
                moment = self.moment(turn, number, state, action, value, " ".join(happened))
                moments.append(moment)
                value = self.to_first(moment.chosen_value, moment.player)
                happened.clear()
                if progress is not None:
                    progress(len(moments), total)
            happened.append(tell(state, action))
        first, second = (self.end.score(player).total for player in (0, 1))
        result = self.result(value)
        last = result - value
        return Review(
            str(self.record.get("id", "a game")),
            self.objective,
            (first, second),
            tuple(moments),
            last,
            (self.summary(0, moments, last, result), self.summary(1, moments, last, result)),
            self.samples,
            self.depth,
            self.end.kind == "end",
        )

    def result(self, value: float) -> float:
        """Return what was reached, to player 0; `value` is what v was after the last decision."""
        state = self.end
        if state.kind == "end":
            lead = float(state.score(0).total - state.score(1).total)
            return lead if self.objective == "margin" else 0.5 + 0.5 * float(np.sign(lead))
        if not _is_choice(state):
            return value
        assert state.decider is not None
        exact = self.exact_values(state, None)
        if exact is not None:
            return self.to_first(float(max(exact.values())), state.decider)
        choice = self.search(state, self.seed * _SEEDS)
        best = next(one for one in choice.alternatives if one.action == choice.action)
        return self.to_first(best.value, state.decider)

    def to_first(self, value: float, player: int) -> float:
        """Return a value to a player as one to player 0."""
        if player == 0:
            return value
        return 1 - value if self.objective == "win" else -value

    def moment(  # noqa: PLR0917
        self,
        turn: int | None,
        number: int,
        state: State,
        action: Action,
        before: float,
        happened: str,
    ) -> Moment:
        """Judge a decision; `before` is what v was."""
        player = state.decider
        assert player is not None
        exact = self.exact_values(state, turn)
        error, samples, depth = None, 0, 0
        if exact is not None:
            values = {option: float(value) for option, value in exact.items()}
            best = max(exact, key=lambda option: exact[option])
        else:
            choice = self.search(state, self.seed * _SEEDS + 100 * (turn or 0) + number)
            samples, depth = choice.samples, choice.depth
            values = {one.action: one.value for one in choice.alternatives}
            best = choice.action
            error = next(one.loss_error for one in choice.alternatives if one.action == action)
        if values[action] == values[best]:
            best = action
        return Moment(
            turn=turn,
            decision=number,
            player=player,
            options=len(values),
            chosen=action,
            best=best,
            chosen_words=describe(action, state),
            best_words=describe(best, state),
            chosen_value=values[action],
            best_value=values[best],
            loss=values[best] - values[action],
            error=error,
            samples=samples,
            depth=depth,
            luck=self.to_first(values[best], player) - before,
            happened=happened,
        )

    def search(self, state: State, seed: int) -> Choice:
        """Judge a decision by search: fewer turns, then fewer worlds, where there is too much.

        Positions are counted, not seconds, so that the same seed gives the same review.
        """
        assert state.decider is not None
        view = state.observe(state.decider)
        few, depth, visited = min(_PROBE, self.samples), -1, 0
        # Upwards from no turn: a trial that is too deep may take longer than all the rest.
        while depth < self.depth and visited * _GROWTH <= _MOST_POSITIONS:
            probe = choose(view, self.objective, None, depth + 1, few, seed)
            needed = probe.nodes * self.samples // few
            if depth >= 0 and needed > _MOST_POSITIONS:
                break
            depth, visited = depth + 1, needed
        fitting = self.samples * _MOST_POSITIONS // max(visited, 1)
        samples = max(min(self.samples, fitting), few)
        return choose(view, self.objective, None, depth, samples, seed)

    def exact_values(self, state: State, turn: int | None) -> dict[Action, Fraction] | None:
        """Return the exact value of every move to the player who decides, if it can be had."""
        if self.objective != "margin" or not is_open(state):
            return None
        state = state.unordered()
        if self.ending is None:
            if self.tried == turn and turn is not None:
                return None
            self.tried = turn
            try:
                self.ending = solve_endgame(state, self.max_nodes)
            except SolverError:
                return None
        sign = 1 if self.ending.player == state.decider else -1
        ending = self.ending
        return {option: sign * ending.value_at(state.play(option)) for option in state.legal()}

    def summary(self, player: int, moments: list[Moment], last: float, result: float) -> Summary:
        """Add up for a player."""
        sign = 1 - 2 * player
        own = [moment for moment in moments if moment.player == player]
        return Summary(
            player=player,
            result=sign * (result - _EVEN[self.objective]),
            luck=sign * (sum(moment.luck for moment in moments) + last),
            lost=sum(moment.loss for moment in own),
            gained=sum(moment.loss for moment in moments if moment.player != player),
            decisions=len(own),
            mistakes=sum(moment.is_mistake for moment in own),
        )


def _is_choice(state: State) -> bool:
    return state.kind == "decision" and len(state.legal()) > 1
