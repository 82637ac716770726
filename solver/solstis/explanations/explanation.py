"""Explaining a decision of Solstis: exactly where the ending can be solved, else by search."""

from contextlib import suppress

from games.solstis import Observation, State
from games.solstis.layout import Field
from games.solstis.table_view import Seen
from solver.errors import SolverError, StateError
from solver.solstis.choose import SolstisObjective
from solver.solstis.explanations.claims import Explanation
from solver.solstis.explanations.estimated import explain_by_worlds
from solver.solstis.explanations.exact import explain_exactly
from solver.text_layout import count

__all__ = ["explain", "is_open"]


def is_open(state: State) -> bool:
    """Return whether nothing is hidden: no pile, nothing face down.

    Examples
    --------
    >>> is_open(State.new(5))
    False
    """
    return not int(state._core[Field.POOL])


def explain(  # noqa: PLR0917
    seen: Seen,
    objective: SolstisObjective = "margin",
    player: int | None = None,
    exact: bool | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    max_nodes: int = 5_000_000,
) -> Explanation:
    """Explain a decision.

    A state with nothing hidden is solved to its end, under the objective ``margin``. Everything
    else is judged from what the player who decides sees, by `solver.solstis.choose`.

    Parameters
    ----------
    seen : State or Observation
        The position.
    objective : {"margin", "win"}
        The expected difference of scores, or the chance to win.
    player : int, optional
        To whom the values are, 0 or 1: by default to the player who decides. By search it must be
        that player.
    exact : bool, optional
        True: only an exact answer will do. False: search even where all is open. By default exact
        where all is open and the ending is not too large.
    seconds, depth, samples, seed
        For the search, as in `choose`.
    max_nodes : int
        An exact ending may take so many positions.

    Returns
    -------
    Explanation
        Claims with their numbers; `render_text` puts them into words.

    Raises
    ------
    StateError
        If the game is over, or what was asked for cannot be had here.
    SolverError
        If an option makes no sense, or the ending is too large.

    Examples
    --------
    >>> why = explain(State.new(5), depth=0, samples=4)
    >>> why.decider, len(why.candidates), why.certainty.exact
    (0, 3, False)
    """
    if not isinstance(seen, State | Observation):
        raise StateError(f"{type(seen).__name__} cannot be explained: pass a state or observation")
    if player not in (None, 0, 1) or isinstance(player, bool):
        raise StateError(f"there is no player {player!r}: expected 0 or 1")
    if seen.to_move is None:
        raise StateError("the game is over: there is nothing to explain")
    if exact:
        if not isinstance(seen, State):
            raise StateError("only a state is explained exactly: an observation hides a hand")
        if objective != "margin":
            raise StateError("an exact ending has the objective 'margin': points, not chances")
        if not is_open(seen):
            hidden = int(seen._core[Field.POOL]).bit_count()
            raise StateError(
                "only an ending in which nothing is hidden has an exact answer: here "
                f"{count(hidden, 'tile')} cannot be seen, in the pile or face down"
            )
        return explain_exactly(seen, player, max_nodes)
    if isinstance(seen, State):
        if exact is None and objective == "margin" and is_open(seen):
            with suppress(SolverError):
                return explain_exactly(seen, player, max_nodes)
        if seen.decider is None:
            raise StateError("chance decides here: only a decision can be explained by search")
        seen = seen.observe(seen.decider if player is None else player)
    elif player not in (None, seen.player):
        raise StateError(f"this is what player {seen.player} sees: values to another are not told")
    return explain_by_worlds(seen, objective, seconds, depth, samples, seed)
