"""Endings of Solstis as files of Gambit."""

from games.solstis import State
from games.solstis.layout import Field
from games.solstis.mountain import cell_name, cells_in
from solver.errors import StateError
from solver.extensive_form import UnrolledStates
from solver.gambit import MAX_NODES, check_size, efg, label_text
from solver.solstis.arguments import check_state
from solver.state_graph import count_histories, state_graph

__all__ = ["ending_efg"]


def ending_efg(state: State, max_nodes: int = MAX_NODES) -> str:
    """Return an ending in which nothing is hidden as the text of an ``.efg`` file.

    Parameters
    ----------
    state : State
        With an empty pile and nothing face down in the display, as for `solve_endgame`.
    max_nodes : int
        Refuse a larger game. A position that play can come to in several ways is a node for each.

    Returns
    -------
    str
        Payoffs are the own score minus the other's. Information sets are called by all that was
        played and drawn so far.

    Raises
    ------
    StateError
        If the game is over, or tiles are hidden.
    SolverError
        If the game is larger than allowed.
    """
    state = check_state(state)
    if state.kind == "end":
        raise StateError("the game is over: there is nothing to write")
    hidden = int(state._core[Field.POOL])
    if hidden:
        names = ", ".join(cell_name(tile) for tile in cells_in(hidden))
        raise StateError(
            "only an ending in which nothing is hidden can be written: in the pile or face down "
            f"are {names}"
        )
    root = state.unordered()
    count = count_histories(state_graph(root, max_nodes))
    check_size(count, max_nodes, "take an ending nearer to the end")
    return efg(
        UnrolledStates(root, lambda end: end.score(0).total - end.score(1).total),
        "An ending of Solstis",
        players=("Player 1", "Player 2"),
        comment="payoffs in points: the own score minus the other's",
        set_name=lambda path: label_text(path) or "start",
        max_nodes=max_nodes,
    )
