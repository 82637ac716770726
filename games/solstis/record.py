"""A played game as a record, in the form of the recorded games (``solstis-trace-1``).

Reading and checking records is in `replay`. The form has one addition: ``rules``, the options of
the rules, when they are not the published ones of the variant; and ``unfinished``, when the game
was left before its end.
"""

from collections.abc import Iterable
from typing import Any, Final

from games.errors import GameError, PositionError
from games.solstis.actions import Action
from games.solstis.events import split_events
from games.solstis.rules import Rules
from games.solstis.state import State

__all__ = ["SCHEMA", "SQUIRREL", "is_endphase", "options_of", "record_game", "winner_of"]

SCHEMA: Final = "solstis-trace-1"
SQUIRREL: Final = "squirrel"


def record_game(
    start: State, actions: Iterable[Action | str], name: str = "game", policy: str = "played"
) -> dict[str, Any]:
    """Return the record of a game.

    Parameters
    ----------
    start : State
        The start of a game whose piles have an order.
    actions : iterable of Action or str
        All that was played, outcomes of blind picks too.
    name, policy : str
        What the game is called, and how it was played.

    Raises
    ------
    PositionError
        If `start` is no start of a game, or has no order of its piles.
    IllegalMoveError, NotationError
        If an action is not legal where it is played.

    Examples
    --------
    >>> record = record_game(State.new(5), ["play_tile 4-7", "capture 4-3@0"])
    >>> record["turns"][0]["decisions"][1]["events"]
    ['place 4-3', 'reveal 1-7 0', 'place 4-7', 'draw 1 4-2']
    """
    if not isinstance(start, State):
        raise PositionError(f"{start!r} is no start of a game: expected a state")
    record: dict[str, Any] = {"schema": SCHEMA, "id": name, "variant": start.rules.variant}
    if start.rules != Rules.published(start.rules.variant):
        record["rules"] = start.rules.to_dict()
    record |= {"policy": policy, "first_player": 1, "setup": _setup(start)}
    turns: list[dict[str, Any]] = []
    endphase: list[dict[str, Any]] = []
    state, turn = start, None
    for played in actions:
        action = played if isinstance(played, Action) else Action.parse(played)
        decision, after_it = _decision(state, action)
        if is_endphase(state):
            endphase.append(decision)
        else:
            if turn is None:
                turn = {"n": len(turns) + 1, "player": decision["p"], "decisions": []}
                turns.append(turn)
            turn["decisions"].append(decision)
            after = state.end_of_turn(action)
            if after is not None:
                post = [event for event in after_it if not event.startswith("again")]
                turn |= {"after": after, "post": post}
                turn = None
        state = state.play(action)
    record["turns"] = turns
    if endphase:
        record["endphase"] = endphase
    if state.kind != "end":
        record["unfinished"] = True
    else:
        scores = {str(player + 1): state.score(player).to_dict() for player in (0, 1)}
        final = {"state": state.to_dict()["state"], "scores": scores, "winner": winner_of(state)}
        record["end"] = final
    return record


def _setup(start: State) -> dict[str, Any]:
    data = start.to_dict()
    state = data["state"]
    setup = {
        "pile": data.get("pile", []),
        "display": state["display"],
        "hands": state["hands"],
        "spirit_pile": data.get("spirit_pile", []),
        "rainbow_stock": state["rainbow_stock"],
    }
    if start.rules.variant == "firefly":
        setup["firefly_stock"] = 7
    try:
        if start == State.from_dict({"variant": start.rules.variant, "setup": setup}, start.rules):
            return setup
    except GameError:
        pass
    raise PositionError("the state is no start of a game whose piles have an order")


def _decision(state: State, action: Action) -> tuple[dict[str, Any], list[str]]:
    mover = state.to_move if state.decider is None else state.decider
    happened, after_it = split_events(state, action)
    decision: dict[str, Any] = {"p": None if mover is None else mover + 1, "k": action.kind}
    source = state.to_dict().get("turn", {}).get("source")
    if action.kind == "place_rainbow":
        decision["src"] = source
    if state.kind == "chance":
        decision["chance"] = True
    decision["options"] = sorted(option.option for option in options_of(state))
    return decision | {"chosen": action.option, "events": happened}, after_it


def options_of(state: State) -> list[Action]:
    """Return the legal actions, or at a chance node its outcomes."""
    return state.legal() or [outcome for outcome, _ in state.outcomes()]


def is_endphase(state: State) -> bool:
    """Return whether a decision comes after the last turn."""
    actions = options_of(state)
    if not actions or actions[0].kind not in ("evil_cover", "place_rainbow"):
        return False
    turn = state.to_dict().get("turn", {})
    return actions[0].kind == "evil_cover" or turn.get("source") == SQUIRREL


def winner_of(state: State) -> int:
    """Return the winner of a game that is over as records write it: 1, 2, or 0 for a draw."""
    first, second = (state.score(player).total for player in (0, 1))
    return 0 if first == second else 1 if first > second else 2
