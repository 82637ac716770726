"""What a search is asked, checked."""

import math
from typing import Final, Literal, TypeAlias, get_args

from games.solstis import Action, Observation, State
from solver.errors import SolverError, StateError

__all__ = [
    "DEEPEST",
    "MOST",
    "MOST_PLAYOUT_TURNS",
    "SolstisObjective",
    "check_exploration",
    "check_objective",
    "check_observation",
    "check_question",
    "check_seconds",
    "check_state",
    "check_whole",
]

DEEPEST: Final = 12
"""The most turns that can be looked at after the present one."""

MOST: Final = 10**9
"""The most worlds, or iterations, that can be asked for."""

MOST_PLAYOUT_TURNS: Final = 100
"""More turns than a game has."""

SolstisObjective: TypeAlias = Literal["margin", "win"]


def check_state(state: object) -> State:
    """Return the state if it is one."""
    if not isinstance(state, State):
        how = ": State.parse reads one from its text" if isinstance(state, str) else ""
        raise StateError(f"{type(state).__name__} is no state of Solstis{how}")
    return state


def check_observation(observation: object) -> Observation:
    """Return the observation if it is one."""
    if not isinstance(observation, Observation):
        raise SolverError(
            f"{type(observation).__name__} is no observation of Solstis: pass "
            "state.observe(player), what a player sees"
        )
    return observation


def check_question(observation: object, objective: object) -> list[Action]:
    """Return what the player who observes may do.

    Raises
    ------
    SolverError
        If there is no such objective, or nothing to decide for that player.
    """
    observation = check_observation(observation)
    check_objective(objective)
    legal = observation.legal()
    if not legal:
        raise SolverError(f"player {observation.player} has nothing to decide here")
    return legal


def check_objective(objective: object) -> None:
    """Refuse what is no objective."""
    if objective not in get_args(SolstisObjective):
        raise SolverError(f"objective is {objective!r}: expected 'margin' or 'win'")


def check_seconds(seconds: object) -> None:
    """Refuse what is no time; None is none."""
    if seconds is not None and (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not math.isfinite(seconds)
        or seconds <= 0
    ):
        raise SolverError(f"seconds is {seconds!r}: expected a time above 0")


def check_exploration(exploration: object) -> None:
    """Refuse what is no constant of UCB1."""
    if (
        isinstance(exploration, bool)
        or not isinstance(exploration, int | float)
        or not 0 <= exploration < math.inf
    ):
        raise SolverError(f"exploration is {exploration!r}: expected a number, 0 or more")


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number in these bounds; None is none."""
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most
    ):
        raise SolverError(f"{name} is {value!r}: expected a whole number, {least} to {most}")
