"""Rounds of Solaris' Clash, and reduced games with hidden hands, as files of Gambit."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from numpy.typing import ArrayLike

from games.clash import (
    ROUNDS,
    Element,
    Hand,
    Objective,
    Rules,
    State,
    Time,
    format_times,
    next_times,
)
from games.clash.elements import TimesLike
from games.clash.hand import HandLike
from games.clash.rules import Streak
from solver.clash.hidden_tree import HiddenHands
from solver.clash.open_hands import solve_open
from solver.extensive_form import Unrolled
from solver.gambit import MAX_NODES, check_size, efg, nfg

__all__ = ["hidden_efg", "round_nfg"]

_GAME = "Solaris' Clash"


def round_nfg(state: State | str, objective: Objective = "win", exact: bool = False) -> str:
    """Return a round with open hands as the text of a ``.nfg`` file.

    Parameters
    ----------
    state : State or str
        A position in which cards are chosen; a text is read under the default rules.
    objective : {"win", "margin"}
        What the payoffs are: antes of the pot, or points.
    exact : bool
        Write exact fractions: then ties between later rounds are ties. In round 1 they have
        hundreds of digits.

    Returns
    -------
    str
        Rows and columns are the cards that each player may play, payoffs what the game is worth
        when later rounds are played optimally (`OpenSolution.matrix`).

    Raises
    ------
    StateError
        If a time is due, the game is over, or it is not for two players.
    SolverError
        If the objective is unknown, or fractions are too long.

    Examples
    --------
    >>> print(round_nfg("FE/FA DaNoDuMiNo-- 0-0", "margin", exact=True))
    NFG 1 R "Solaris' Clash FE/FA DaNoDuMiNo-- 0-0" { "Player 0" "Player 1" }
    { { "Fire" "Earth" } { "Fire" "Air" } }
    "open hands, margin: payoffs in points"
    <BLANKLINE>
    -19/15 19/15 6/5 -6/5
    2 -2 -1 1
    <BLANKLINE>
    """
    solution = solve_open(state, objective, exact)
    root = solution.root
    return nfg(
        solution.matrix(root),
        title=f"{_GAME} {root}",
        row_labels=[_name(card) for card in root.legal(0)],
        column_labels=[_name(card) for card in root.legal(1)],
        comment=_comment("open hands", solution.objective, root.rules),
    )


def hidden_efg(
    times: TimesLike,
    hands: Sequence[Iterable[HandLike]],
    priors: Sequence[ArrayLike] | None = None,
    *,
    points: Sequence[int] = (0, 0),
    streaks: Sequence[Streak] = (0, 0),
    rules: Rules | None = None,
    objective: Objective = "win",
    max_nodes: int = MAX_NODES,
) -> str:
    r"""Return a reduced game with hidden hands as the text of an ``.efg`` file.

    Chance deals the hands first. Cards played at once are told in turn: player 1 does not see what
    player 0 has chosen. The last round is forced, so that an end pays what it is worth on average.

    Parameters
    ----------
    times, hands, priors, points, streaks, rules, objective
        As for `solver.clash.hidden_tree.hidden_tree`.
    max_nodes : int
        Refuse a larger game.

    Returns
    -------
    str
        Information sets are called by the hand held at the start and by what was played and turned
        up since, player 0's card first: ``WWF: WA No``.

    Raises
    ------
    SolverError
        If the game is larger than allowed, there are no hands, equal ones or some of another size,
        or the priors do not fit.
    GameError
        If no such position can be (`games.clash.State`).

    Examples
    --------
    >>> text = hidden_efg("MiDaNoDaNoDu", [["WF", "WA"], ["AE"]])
    >>> print(*text.splitlines()[3:8], sep="\n")
    c "" 1 "" { "WF/AE" 1/2 "WA/AE" 1/2 } 0
    p "" 1 1 "WF" { "Water" "Fire" } 0
    p "" 2 1 "AE" { "Air" "Earth" } 0
    t "" 1 "1" { 0, 0 }
    t "" 1 "1" { 0, 0 }
    """
    game = HiddenHands(
        times, hands, priors, points=points, streaks=streaks, rules=rules, objective=objective
    )
    check_size(_count_nodes(game), max_nodes, "take fewer hands, or fewer cards a hand")

    def move_name(move: Any) -> str:
        if isinstance(move, Element | Time):
            return _name(move)
        return f"{game.hands[0][move[0]]}/{game.hands[1][move[1]]}"

    return efg(
        Unrolled(game),
        f"{_GAME} {format_times(game.root().times)}, hidden hands",
        comment=_comment("hidden hands", objective, game.rules),
        set_name=_set_name,
        move_name=move_name,
        max_nodes=max_nodes,
    )


def _count_nodes(game: HiddenHands) -> int:
    """Return how many nodes a game with hidden hands has, the deal included."""
    deck = game.rules.time_deck

    @cache
    def below(first: Hand, second: Hand, times: tuple[Time, ...]) -> int:
        left = len(first)
        if left == 1:
            return 1
        if len(times) <= ROUNDS - left:
            return 1 + sum(below(first, second, (*times, time)) for time in next_times(times, deck))
        # A node of player 0, and one of player 1 after each card.
        after = (
            below(first.without(own), second.without(other), times)
            for own in first.elements
            for other in second.elements
        )
        return 1 + len(first.elements) + sum(after)

    start = tuple(time for time in game.root().times if time is not None)
    dealt = zip(*game.prior().nonzero(), strict=True)
    return 1 + sum(below(game.hands[0][i], game.hands[1][j], start) for i, j in dealt)


def _set_name(label: tuple[tuple[Any, ...], Hand]) -> str:
    path, hand = label
    shown = [
        move.code if isinstance(move, Time) else "".join(card.letter for card in move)
        for move in path
    ]
    return f"{hand}: {' '.join(shown)}" if shown else str(hand)


def _name(move: Element | Time) -> str:
    return move.name.capitalize()


def _comment(hands: str, objective: Objective, rules: Rules) -> str:
    unit = "antes" if objective == "win" else "points"
    others = "" if rules == Rules() else f"; {rules}"
    return f"{hands}, {objective}: payoffs in {unit}{others}"
