"""What the scores become after a move: at the end of the turn, and after the other's next turn."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from games.solstis import Action, State
from games.solstis.layout import Field
from solver.solstis.explanations.claims import Amount, Outlook, Parts
from solver.solstis.explanations.worlds import starts_turn

__all__ = ["Branching", "Weighted", "mean_outlook", "outlook", "turn_ends"]

Branching: TypeAlias = Callable[[State, int], Iterable[tuple[Action, Amount]]]
"""What happens at a state in the turn of that number (0, 1): actions with weights that sum to 1."""

Weighted: TypeAlias = dict[State, Amount]

_MOST_STEPS: Final = 20_000
_GROUNDHOG: Final = "Groundhog@"


def turn_ends(
    starts: Weighted, branching: Branching, turn: int, first: Action | None = None
) -> Weighted | None:
    """Return the states in which a turn ends, with weights; None if that takes too many steps.

    A turn that the Groundhog gives belongs to the one before it. `first` is played at the start.
    """
    ends: Weighted = {}
    waiting = [(state, weight, first) for state, weight in starts.items()]
    steps = 0
    while waiting:
        state, weight, forced = waiting.pop()
        chosen = branching(state, turn) if forced is None else [(forced, Fraction(1))]
        for action, share in chosen:
            steps += 1
            if steps > _MOST_STEPS:
                return None
            following = state.play(action)
            again = state._core[Field.AGAIN] or action.option.startswith(_GROUNDHOG)
            if following.kind == "end" or (starts_turn(following) and not again):
                ends[following] = ends.get(following, Fraction(0)) + weight * share
            else:
                waiting.append((following, weight * share, None))
    return ends


def outlook(
    starts: Weighted, branching: Branching, mover: int, first: Action | None
) -> Outlook | None:
    """Return what the scores become, with an action played first; None if it is too large."""
    after = turn_ends(starts, branching, 0, first)
    if after is None:
        return None
    turns = {state: weight for state, weight in after.items() if state.to_move == 1 - mover}
    reply = turn_ends(turns, branching, 1) if turns else None
    after_reply = None
    if reply is not None:
        over = [(state, weight) for state, weight in after.items() if state not in turns]
        after_reply = _scores([*reply.items(), *over])
    return Outlook(first, _scores(after.items()), after_reply)


def mean_outlook(outlooks: Iterable[Outlook]) -> Outlook:
    """Return the mean of outlooks after the same action, one for each world."""
    each = list(outlooks)
    weight = 1 / len(each)

    def mean(pairs: Iterable[tuple[Parts, Parts]]) -> tuple[Parts, Parts]:
        first, second = zip(*pairs, strict=True)
        return Parts.mean((p, weight) for p in first), Parts.mean((p, weight) for p in second)

    after_reply = None
    if any(one.after_reply is not None for one in each):
        after_reply = mean(one.after_reply or one.after_turn for one in each)
    return Outlook(each[0].action, mean(one.after_turn for one in each), after_reply)


def _scores(states: Iterable[tuple[State, Amount]]) -> tuple[Parts, Parts]:
    weighted = list(states)
    first, second = (
        Parts.mean((Parts.of(state.score(player)), weight) for state, weight in weighted)
        for player in (0, 1)
    )
    return first, second
