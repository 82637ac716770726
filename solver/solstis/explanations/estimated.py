"""A decision explained from what a player sees: means over sampled worlds, with their errors."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from games.solstis import Action, Observation, State
from games.solstis.layout import Field, Stage
from games.solstis.telling import tell
from games.solstis.words import describe
from solver.errors import StateError
from solver.solstis.choose import Choice, SolstisObjective, choose
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
from solver.solstis.explanations.outlooks import mean_outlook, outlook
from solver.solstis.explanations.worlds import (
    World,
    WorldSearch,
    draw_world,
    follow,
    with_tile,
)

__all__ = ["explain_by_worlds"]

_LINES: Final = 25
"""Worlds in which a line is played out."""
_SHALLOW: Final = 2
"""So deep at most it is searched where much is to be searched: scores to come and draws. An odd
depth stays odd, as an even and an odd number of turns are judged differently."""
_TRIALS, _FEWEST, _MOST = 320, 4, 16
"""Values of draws: about so many in all, and the bounds of how many worlds that gives."""
_WHOLE: Final = {"draw_spirits"}
_BLIND: Final = "dragonfly_draw"


def explain_by_worlds(  # noqa: PLR0917
    observation: Observation,
    objective: SolstisObjective,
    seconds: float | None,
    depth: int | None,
    samples: int | None,
    seed: int,
) -> Explanation:
    """Return the explanation of what `choose` finds."""
    legal = observation.legal()
    if not legal:
        raise StateError(
            f"player {observation.player + 1} has nothing to decide here: only a decision of the "
            "player who sees it can be explained by search"
        )
    if len(legal) == 1:
        # With a time, a single move would not be judged at all.
        seconds = None
    choice = choose(observation, objective, seconds, depth, samples, seed)
    return _Estimated(observation, choice, seed).explanation()


class _Estimated:
    """A choice, and the worlds in which it is followed."""

    def __init__(self, observation: Observation, choice: Choice, seed: int) -> None:
        self.observation = observation
        self.player = observation.player
        self.choice = choice
        self.rng = np.random.default_rng([seed, 1])
        self.searching = WorldSearch(observation.rules, choice.objective, self.player)
        number = max(1, min(_LINES, choice.samples))
        self.worlds = [draw_world(observation, self.rng) for _ in range(number)]
        depth = choice.depth
        self.shallow = depth if depth <= _SHALLOW else _SHALLOW - depth % 2

    def explanation(self) -> Explanation:
        choice = self.choice
        line, path = self.line()
        first, second = (Parts.of(self.observation.score(seat)) for seat in (0, 1))
        return Explanation(
            seen=self.observation,
            player=self.player,
            decider=self.player,
            objective=choice.objective,
            value=choice.value,
            error=choice.alternatives[0].error,
            candidates=self.candidates(),
            line=line,
            before=(first, second),
            outlooks=tuple(self.outlook(one.action) for one in choice.alternatives[:2]),
            draws=self.draws(path),
            certainty=Certainty(
                False, choice.nodes, choice.samples, choice.depth, self.shallow, choice.seconds
            ),
        )

    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(
            Candidate(
                one.action,
                describe(one.action, self.observation),
                one.value,
                one.error,
                one.loss,
                one.loss_error,
                one.best_in,
            )
            for one in self.choice.alternatives
        )

    def line(self) -> tuple[Line, list[tuple[State, Action]]]:
        """Return the line in the world nearest to the mean, and its states within the own turn."""
        best, depth = self.choice.action, self.choice.depth
        values = [
            self.searching.value(world.state.play(best), world, depth) for world in self.worlds
        ]
        mean = float(np.mean(values))
        nearest = min(range(len(values)), key=lambda place: abs(values[place] - mean))
        steps: list[Step] = []
        path: list[tuple[State, Action]] = []
        state = self.worlds[nearest].state
        for state, action, turn in follow(self.searching, self.worlds[nearest], best, depth):
            assert state.to_move is not None
            by_chance = state.kind == "chance"
            words = tell(state, action)
            steps.append(Step(action, state.to_move, by_chance, turn, words))
            if turn == 0:
                path.append((state, action))
        is_over = state.play(steps[-1].action).kind == "end"
        stop: Literal["end", "horizon"] = "end" if is_over else "horizon"
        line = Line("typical world", tuple(steps), stop, values[nearest], len(values), mean)
        return line, path

    def outlook(self, action: Action) -> Outlook:
        """Return what the scores become after a move, the mean over the worlds."""
        return mean_outlook(self._outlooks(action))

    def _outlooks(self, action: Action) -> Iterable[Outlook]:
        for world in self.worlds:

            def branching(
                state: State, turn: int, world: World = world
            ) -> list[tuple[Action, float]]:
                if state.kind == "chance":
                    return [(self.searching.outcome(state, world), 1.0)]
                return [(self.searching.best(state, world, max(self.shallow - turn, 0)), 1.0)]

            found = outlook({world.state: 1.0}, branching, self.player, action)
            assert found is not None
            yield found

    def draws(self, path: Sequence[tuple[State, Action]]) -> tuple[Draws, ...]:
        """Return the draws of the own turn along the line, the first of each kind."""
        found: dict[str, Draws] = {}
        for number, (state, action) in enumerate(path):
            if state.kind != "chance" or state._core[Field.STAGE] == Stage.COMPENSATE:
                # What the other player draws is not seen.
                continue
            if action.kind not in found and len(state.outcomes()) > 1:
                after = tuple(before for _, before in path[:number])
                found[action.kind] = self.draw(state, action.kind, after)
        return tuple(found.values())

    def draw(self, state: State, kind: str, after: tuple[Action, ...]) -> Draws:
        """Try every outcome in the same worlds."""
        view = state.observe(self.player)
        outcomes, chances = zip(*_possible(state, view), strict=True)
        number = min(max(_TRIALS // len(outcomes), _FEWEST), _MOST)
        worlds = [draw_world(view, self.rng) for _ in range(number)]
        table = np.array([[self._after(world, one) for one in outcomes] for world in worlds])
        names = [action.option.partition("@")[0] for action in outcomes]
        at_once = 1
        if kind in _WHOLE and len(outcomes) > 6:
            names, table, chances = _by_spirit(names, table)
            at_once = 2
        means = table.mean(axis=0)
        weights = np.array(chances, dtype=float) / at_once
        mean = float(means @ weights)
        gains = table - (table @ weights)[:, None]
        branches = [
            Branch(
                name,
                chance,
                float(means[k]),
                float(means[k]) - mean,
                float(gains[:, k].std(ddof=1) / math.sqrt(number)),
            )
            for k, (name, chance) in enumerate(zip(names, chances, strict=True))
        ]
        branches.sort(key=lambda branch: (-branch.value, branch.outcome))
        return Draws(kind, after, at_once, tuple(branches), mean, number)

    def _after(self, world: World, outcome: Action) -> float:
        """Return the value after an outcome in a world in which it can come."""
        state = world.state
        if outcome.tile is not None:
            is_held = outcome.kind == _BLIND
            state = with_tile(world, outcome.tile, self.player, is_held, self.rng)
        return self.searching.value(state.play(outcome), world, self.shallow)


def _possible(state: State, view: Observation) -> list[tuple[Action, Fraction]]:
    """Return every outcome that is possible for the player who sees the state, with its chance.

    A tile that the other player holds in this world may lie in the pile as well, and the other way
    round.
    """
    outcomes = state.outcomes()
    kind, option = outcomes[0][0].kind, outcomes[0][0].option
    if kind == "draw_spirits":
        return outcomes
    place = option.partition("@")[2]
    suffix = f"@{place}" if place else ""
    held = Fraction(0)
    chances: dict[str, Fraction] = {}
    if kind == _BLIND:
        # Tiles that a Fox showed are known to be in the hand.
        chances = dict.fromkeys(view.known, Fraction(1, view.opponent_hand_size))
        held = sum(chances.values(), Fraction(0))
    if held < 1:
        chances |= dict.fromkeys(view.unseen, (1 - held) / len(view.unseen))
    return [(Action.parse(f"{kind} {tile}{suffix}"), chance) for tile, chance in chances.items()]


def _by_spirit(
    names: Sequence[str], table: NDArray[np.float64]
) -> tuple[list[str], NDArray[np.float64], tuple[Fraction, ...]]:
    """Return the spirits, in each world the mean of all pairs with it, and how likely each is."""
    pairs = [set(name.split("+")) for name in names]
    spirits = sorted(set().union(*pairs))
    columns = [table[:, [spirit in pair for pair in pairs]].mean(axis=1) for spirit in spirits]
    return spirits, np.array(columns).T, (Fraction(2, len(spirits)),) * len(spirits)
