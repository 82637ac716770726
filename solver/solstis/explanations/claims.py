"""What an explanation of a Solstis decision consists of: claims with numbers.

Two kinds are kept apart. In an exact ending values are Fractions and proved; elsewhere they are
means over sampled worlds, floats with a standard error. All are to one player: expected own score
minus the other's, or under the objective ``win`` a chance (a draw counts one half).
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from games.solstis import Action, Score
from games.solstis.table_view import Seen
from solver.rendering.data import to_data
from solver.solstis.choose import SolstisObjective

__all__ = [
    "Amount",
    "Branch",
    "Candidate",
    "Certainty",
    "Draws",
    "Explanation",
    "Line",
    "Outlook",
    "Parts",
    "Step",
]

Amount: TypeAlias = Fraction | float
"""Exact as a Fraction, estimated as a float."""

_TOLD_APART = 2.0
"""Standard errors from which on two values are told apart."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Points and where they come from; means over what may happen, or exact expectations.

    Attributes
    ----------
    area, fires, spirits, blue, fireflies : float or Fraction
        As in `games.solstis.Score`; `blue` is the sum over the spirits that act at the end.
    total : float or Fraction
        The points. (Not the sum of the parts where a fourth firefly may win the game.)
    """

    area: Amount
    fires: Amount
    spirits: Amount
    blue: Amount
    fireflies: Amount
    total: Amount

    @classmethod
    def of(cls, score: Score) -> "Parts":
        """Return the parts of one score, exact."""
        blue = sum(score.blue.values())
        numbers = (score.area, score.fires, score.spirits, blue, score.fireflies, score.total)
        return cls(*map(Fraction, numbers))

    @classmethod
    def mean(cls, weighted: Iterable[tuple["Parts", Amount]]) -> "Parts":
        """Return the mean of some parts with weights that sum to one."""
        pairs = list(weighted)
        return cls(
            *(
                sum((getattr(parts, field.name) * weight for parts, weight in pairs), Fraction(0))
                for field in fields(cls)
            )
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal move, judged.

    Attributes
    ----------
    action : Action
        The move.
    words : str
        The move in words.
    value : float or Fraction
        What it is worth to the player whose values these are.
    error : float or None
        Standard error of that mean; None where it is exact.
    loss : float or Fraction
        What it gives away against the best move, to the player who decides.
    loss_error : float or None
        Standard error of the loss, in the same worlds; None where it is exact.
    best_in : int or None
        In how many worlds it was the best or as good as that; None where it is exact.
    """

    action: Action
    words: str
    value: Amount
    error: float | None
    loss: Amount
    loss_error: float | None
    best_in: int | None

    @property
    def is_told_apart(self) -> bool:
        """Whether it is worse than the best for certain, or by more than two standard errors."""
        if self.loss_error is None:
            return self.loss > 0
        return self.loss > _TOLD_APART * self.loss_error


@dataclass(frozen=True, slots=True)
class Step:
    """An action or an outcome of chance on a line.

    Attributes
    ----------
    action : Action
        What is played, or what chance brings.
    player : int
        Whose turn it is.
    by_chance : bool
        Whether chance decides.
    turn : int
        The number of the turn on this line: 0 for the present one.
    words : str
        What happens, in words.
    """

    action: Action
    player: int
    by_chance: bool
    turn: int
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """How the game may go on.

    Attributes
    ----------
    kind : {"principal variation", "typical world"}
        Best play of both, proved; or the line that the search expects in one world, in which both
        players know everything and all draws are settled.
    steps : tuple of Step
        The line.
    stop : {"end", "chance", "horizon"}
        Why it stops: the game is over, chance decides, or the search looks no further.
    value : float or Fraction
        What the place where it stops is worth: its value, or the evaluation in that world.
    worlds : int
        Of how many worlds the one shown was nearest to their mean; 0 for a proof.
    mean : float or Fraction
        The mean value of these worlds; for a proof the value.
    """

    kind: Literal["principal variation", "typical world"]
    steps: tuple[Step, ...]
    stop: Literal["end", "chance", "horizon"]
    value: Amount
    worlds: int
    mean: Amount


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the scores become after a move, on average.

    Attributes
    ----------
    action : Action or None
        The move; None where chance decides.
    after_turn : pair of Parts
        The scores of players 0 and 1 when the mover's turn ends.
    after_reply : pair of Parts or None
        The same when the other player's next turn ends, where there is one; None if there is none
        at all, or too much can happen to work it out.
    """

    action: Action | None
    after_turn: tuple[Parts, Parts]
    after_reply: tuple[Parts, Parts] | None


@dataclass(frozen=True, slots=True)
class Branch:
    """What chance may bring, and what the game is worth then.

    Attributes
    ----------
    outcome : str
        The tile, or the spirits.
    chance : Fraction
        How likely it is.
    value : float or Fraction
        What the game is worth after it.
    gain : float or Fraction
        The value minus the mean over all branches.
    error : float or None
        Standard error of the gain; None where it is exact.
    """

    outcome: str
    chance: Fraction
    value: Amount
    gain: Amount
    error: float | None

    @property
    def effect(self) -> Literal["helps", "hurts", "either"]:
        """Whether it helps or hurts by more than two standard errors, or cannot be told."""
        margin = 0.0 if self.error is None else _TOLD_APART * self.error
        if -margin <= self.gain <= margin:
            return "either"
        return "helps" if self.gain > 0 else "hurts"


@dataclass(frozen=True, slots=True)
class Draws:
    """A draw to come, and what each outcome is worth.

    Attributes
    ----------
    kind : str
        What is drawn: the kind of the outcomes, as in records.
    after : tuple of Action
        What is played before, from the position explained on.
    at_once : int
        How many of the outcomes come together: 2 where two spirits are drawn and each is judged
        by itself. The chances sum to this.
    branches : tuple of Branch
        All outcomes, the best first.
    mean : float or Fraction
        What the game is worth before the draw.
    worlds : int
        In how many worlds each outcome was tried; 0 where it is exact.
    """

    kind: str
    after: tuple[Action, ...]
    at_once: int
    branches: tuple[Branch, ...]
    mean: Amount
    worlds: int

    @property
    def shares(self) -> dict[str, Fraction]:
        """How likely the draw helps, hurts, or makes no difference that can be told.

        Of draws of which several come together there is none: the dictionary is empty.
        """
        if self.at_once > 1:
            return {}
        result = {"helps": Fraction(0), "hurts": Fraction(0), "either": Fraction(0)}
        for branch in self.branches:
            result[branch.effect] += branch.chance
        return result


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure an explanation is.

    Attributes
    ----------
    exact : bool
        Whether all values are proved.
    positions : int
        The size of the proof, or how many positions were looked at.
    worlds : int
        How many worlds were searched; 0 for a proof.
    depth : int or None
        How many turns after the present one; None for a proof.
    draw_depth : int or None
        The same for the values of draws.
    seconds : float
        Time that the search took.
    """

    exact: bool
    positions: int
    worlds: int
    depth: int | None
    draw_depth: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A judged decision and what there is to say about it. Values are to `player`.

    Attributes
    ----------
    seen : State or Observation
        The position: all of it for an exact ending, otherwise what the player sees.
    player : int
        To whom all values are.
    decider : int or None
        Who decides; None where chance does.
    objective : {"margin", "win"}
        What the players maximise.
    value : float or Fraction
        What the position is worth.
    error : float or None
        Standard error of it; None where it is exact.
    candidates : tuple of Candidate
        All legal moves, the best first; none where chance decides.
    line : Line
        How it may go on after the best move.
    before : pair of Parts
        The scores of players 0 and 1 now.
    outlooks : tuple of Outlook
        What the scores become after the best move, and after the next one in value if there is one.
    draws : tuple of Draws
        The draws that come next, at most one of each kind.
    certainty : Certainty
        How sure it is.
    """

    seen: Seen
    player: int
    decider: int | None
    objective: SolstisObjective
    value: Amount
    error: float | None
    candidates: tuple[Candidate, ...]
    line: Line
    before: tuple[Parts, Parts]
    outlooks: tuple[Outlook, ...]
    draws: tuple[Draws, ...]
    certainty: Certainty

    @property
    def best(self) -> Candidate | None:
        """The best move; None where chance decides."""
        return self.candidates[0] if self.candidates else None

    @property
    def rivals(self) -> tuple[Candidate, ...]:
        """Moves as good as the best, or not told apart from it."""
        return tuple(one for one in self.candidates[1:] if not one.is_told_apart)

    def built(self, outlook: Outlook) -> Amount:
        """Return how many points a move brings the player who decides by the end of the turn."""
        mover = self._mover
        return outlook.after_turn[mover].total - self.before[mover].total

    def left(self, outlook: Outlook) -> Amount | None:
        """Return by how much the other player's next turn changes that player's score."""
        if outlook.after_reply is None:
            return None
        other = 1 - self._mover
        return outlook.after_reply[other].total - outlook.after_turn[other].total

    @property
    def denied(self) -> Amount | None:
        """How much less the best move leaves the other player than the next one in value."""
        left = [self.left(outlook) for outlook in self.outlooks]
        if len(left) < 2 or left[0] is None or left[1] is None:
            return None
        return left[1] - left[0]

    @property
    def _mover(self) -> int:
        return self.player if self.decider is None else self.decider

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON, as `solver.rendering.to_data` writes it."""
        data = to_data(self)
        assert isinstance(data, dict)
        return data
