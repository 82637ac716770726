"""An exact ending explained: every value is a Fraction and proved."""

from fractions import Fraction
from typing import Literal

from games.solstis import Action, State
from games.solstis.telling import tell
from games.solstis.words import describe
from solver.solstis.endgame import EndgameSolution, solve_endgame
from solver.solstis.explanations.claims import (
    Branch,
    Candidate,
    Certainty,
    Draws,
    Explanation,
    Line,
    Outlook,
    Parts,
    Step,
)
from solver.solstis.explanations.outlooks import Weighted, outlook
from solver.solstis.explanations.worlds import starts_turn

__all__ = ["explain_exactly"]


def explain_exactly(state: State, player: int | None, max_nodes: int) -> Explanation:
    """Return the explanation of an ending that is solved to its end."""
    return _Exact(solve_endgame(state, max_nodes), player).explanation()


class _Exact:
    """A solved ending, seen by one player."""

    def __init__(self, solution: EndgameSolution, player: int | None) -> None:
        self.solution = solution
        self.state = solution.state
        self.decider = self.state.decider
        self.mover = solution.player if self.decider is None else self.decider
        self.player = self.mover if player is None else player

    def explanation(self) -> Explanation:
        candidates = self.candidates()
        line, state = self.line()
        first, second = (Parts.of(self.state.score(seat)) for seat in (0, 1))
        solution = self.solution
        return Explanation(
            seen=self.state,
            player=self.player,
            decider=self.decider,
            objective="margin",
            value=self.mine(solution.value),
            error=None,
            candidates=candidates,
            line=line,
            before=(first, second),
            outlooks=self.outlooks(candidates),
            draws=self.draws(state, tuple(step.action for step in line.steps)),
            certainty=Certainty(True, solution.nodes, 0, None, None, solution.seconds),
        )

    def mine(self, value: Fraction) -> Fraction:
        """Return a value to the solution's player as one to the player of the explanation."""
        return value if self.player == self.solution.player else -value

    def value(self, state: State) -> Fraction:
        """Return the value of a state that can be reached."""
        return self.mine(self.solution.value_at(state))

    def candidates(self) -> tuple[Candidate, ...]:
        losses = self.solution.losses
        found = [
            Candidate(
                action,
                describe(action, self.state),
                self.mine(value),
                None,
                losses[action],
                None,
                None,
            )
            for action, value in self.solution.moves.items()
        ]
        # The line begins with the first of the best: the order of the rules decides among equals.
        return tuple(sorted(found, key=lambda one: one.loss))

    def line(self) -> tuple[Line, State]:
        """Return the principal variation and the state where it stops."""
        state, turn = self.state, 0
        steps: list[Step] = []
        for action in self.solution.line:
            if steps and starts_turn(state):
                turn += 1
            assert state.to_move is not None
            steps.append(Step(action, state.to_move, False, turn, tell(state, action)))
            state = state.play(action)
        value = self.value(state)
        stop: Literal["end", "chance"] = "end" if state.kind == "end" else "chance"
        return Line("principal variation", tuple(steps), stop, value, 0, value), state

    def draws(self, state: State, after: tuple[Action, ...]) -> tuple[Draws, ...]:
        """Return the draw at which the line stops."""
        if state.kind != "chance":
            return ()
        mean = self.value(state)
        branches = [
            Branch(action.option, chance, value, value - mean, None)
            for action, chance in state.outcomes()
            for value in [self.value(state.play(action))]
        ]
        branches.sort(key=lambda branch: (-branch.value, branch.outcome))
        kind = state.outcomes()[0][0].kind
        return (Draws(kind, after, 1, tuple(branches), mean, 0),)

    def outlooks(self, candidates: tuple[Candidate, ...]) -> tuple[Outlook, ...]:
        """Return what the scores become after the best move and after the next one in value."""
        first: list[Action | None] = [one.action for one in candidates[:2]]
        start: Weighted = {self.state: Fraction(1)}
        found = [outlook(start, self._branching, self.mover, one) for one in first or [None]]
        return tuple(one for one in found if one is not None)

    def _branching(self, state: State, turn: int) -> list[tuple[Action, Fraction]]:
        del turn
        if state.kind == "chance":
            return state.outcomes()
        values = {action: self.value(state.play(action)) for action in state.legal()}
        choose = max if state.decider == self.player else min
        return [(choose(values, key=lambda action: values[action]), Fraction(1))]
