"""The symmetries of the game: rotating the cycle, and exchanging players.

Rotating Water to Fire to Air to Earth to Water together with Dawn to Noon to Midnight to Dusk to
Dawn leaves the game as it is (a group of four); exchanging two players exchanges their utilities.
Rules page: "Symmetries worth using".
"""

from dataclasses import replace

from games.clash.elements import whole_number, whole_steps
from games.clash.state import State
from games.errors import GameError, PositionError, RulesError

__all__ = ["rotate", "swap_players"]


def rotate(state: State, steps: int = 1) -> State:
    """Return the position with every card and time moved on in its cycle; its value is the same.

    Raises
    ------
    GameError
        If steps is no whole number, or the state no State.
    RulesError
        If the rules have a bonus of the user's own, of which no symmetry is known.

    Examples
    --------
    >>> str(rotate(State.parse("WF/EE DaNoDuMiDa-- 3-2")))
    'FA/WW NoMiDaDuNo-- 3-2'
    """
    _refuse_bonus(state)
    turns = whole_steps(steps)
    return replace(
        state,
        hands=tuple(hand.rotated(turns) for hand in state.hands),
        times=tuple(None if time is None else time.rotated(turns) for time in state.times),
    )


def swap_players(state: State, first: int = 0, second: int = 1) -> State:
    """Return the position with two players exchanged; for two players its value changes sign.

    Raises
    ------
    GameError
        If there is no such player, or the state is no State.
    RulesError
        If the rules have a bonus of the user's own, of which no symmetry is known.

    Examples
    --------
    >>> str(swap_players(State.parse("WF/EE DaNoDuMiDa-- 3-2")))
    'EE/WF DaNoDuMiDa-- 2-3'
    """
    _refuse_bonus(state)
    players = list(range(len(state.hands)))
    for player in (first, second):
        if whole_number(player) not in players:
            raise GameError(f"there is no player {player!r}: expected 0 to {len(players) - 1}")
    players[first], players[second] = second, first
    return replace(
        state,
        hands=tuple(state.hands[player] for player in players),
        points=tuple(state.points[player] for player in players),
        streaks=tuple(state.streaks[player] for player in players) if state.streaks else (),
    )


def _refuse_bonus(state: State) -> None:
    if not isinstance(state, State):
        raise PositionError(f"{state!r} is no State: use State.parse or State.start")
    if state.rules.bonus is not None:
        raise RulesError(f"no symmetry is known of the bonus {state.rules.bonus.name!r}")
