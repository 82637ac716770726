"""Games in extensive form as Gambit's ``.efg`` files."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypeVar

from solver.errors import SolverError
from solver.extensive_form import ExtensiveGame
from solver.gambit.notation import exact_chances, labels, number_text, numbers, quoted
from solver.public_game import NodeKind

__all__ = ["MAX_NODES", "check_size", "efg", "label_text"]

MAX_NODES: Final = 100_000
"""Largest game that is written, in nodes of its tree, unless the caller allows more."""

Node = TypeVar("Node")


def label_text(label: Hashable) -> str:
    """Return what an information set or a move is called: its text, the parts of a tuple in a row.

    Examples
    --------
    >>> label_text((("pass", "bet"), "King")), label_text(3)
    ('pass bet King', '3')
    """
    if isinstance(label, tuple):
        return " ".join(text for text in map(label_text, label) if text)
    return str(label)


def check_size(nodes: int, max_nodes: int, advice: str) -> None:
    """Refuse a game that is known to have too many nodes, and say how many.

    Raises
    ------
    SolverError
        If there are more than allowed, or `max_nodes` is no whole number from 1 up.
    """
    _check_most(max_nodes)
    if nodes > max_nodes:
        raise SolverError(f"the game has {nodes:,} nodes, max_nodes is {max_nodes:,}: {advice}")


def _check_most(max_nodes: int) -> None:
    if isinstance(max_nodes, bool) or not isinstance(max_nodes, int) or max_nodes < 1:
        raise SolverError(f"max_nodes is {max_nodes!r}: expected a whole number, 1 or more")


def efg(
    game: ExtensiveGame[Node],
    title: str = "",
    *,
    players: Sequence[str] = ("Player 0", "Player 1"),
    comment: str = "",
    set_name: Callable[[Any], str] = label_text,
    move_name: Callable[[Any], str] = label_text,
    max_nodes: int = MAX_NODES,
) -> str:
    """Return a game in extensive form as the text of an ``.efg`` file.

    Parameters
    ----------
    game : ExtensiveGame
        The game. `solver.extensive_form.Unrolled` tells a public game so, and `UnrolledStates` a
        game of turns and chance. Payoffs need not sum to zero.
    title, comment : str
        What the game is called, and more about it.
    players : pair of str
        What the players are called.
    set_name : callable
        What an information set is called, given what `game.information_set` returns. Those of one
        player must be called differently.
    move_name : callable
        What an action, or an outcome of chance, is called. Those of one node must be called
        differently.
    max_nodes : int
        Refuse a larger game.

    Returns
    -------
    str
        Payoffs are written as `nfg` writes them. Chances are fractions of sum exactly 1, which
        Gambit insists on; outcomes without a chance are left out. Ends that pay the same are one
        outcome.

    Raises
    ------
    SolverError
        If there are more nodes than `max_nodes`, chances that do not sum to 1, an information set
        whose nodes have different actions, or names that are equal or that Gambit would refuse.
    PayoffError
        If a payoff is not a finite number.

    Examples
    --------
    Player 0 hides a coin in one hand, player 1 guesses:

    >>> from solver.public_game import NodeKind
    >>> class Guess:
    ...     def root(self): return ""
    ...     def kind(self, node): return NodeKind((0, 1, 4)[len(node)])
    ...     def information_set(self, node): return "guess" if node else "hide"
    ...     def actions(self, node): return "LR"
    ...     def play(self, node, move): return node + move
    ...     def payoffs(self, node): return {"LL": (-1, 1), "RR": (-2, 2)}.get(node, (1, -1))
    >>> print(efg(Guess(), "a coin"))
    EFG 2 R "a coin" { "Player 0" "Player 1" }
    ""
    <BLANKLINE>
    p "" 1 1 "hide" { "L" "R" } 0
    p "" 2 1 "guess" { "L" "R" } 0
    t "" 1 "1" { -1, 1 }
    t "" 2 "2" { 1, -1 }
    p "" 2 1 "guess" { "L" "R" } 0
    t "" 2 "2" { 1, -1 }
    t "" 3 "3" { -2, 2 }
    <BLANKLINE>
    """
    _check_most(max_nodes)
    if not hasattr(game, "root") or not hasattr(game, "information_set"):
        raise SolverError(
            f"{type(game).__name__} is no game in extensive form: `solver.extensive_form` makes "
            "one; round_nfg, hidden_efg and ending_efg write games of Clash and Solstis"
        )
    if len(players) != 2:
        raise SolverError(f"{len(players)} players: expected two")
    lines = [
        f"EFG 2 R {quoted(title, 'the title')} {labels(players, 'players')}",
        quoted(comment, "the comment"),
        "",
    ]
    head = len(lines)
    told = _Told(game, set_name, move_name)
    # Nodes come in the order of play, each followed by all that its first move leads to.
    stack = [game.root()]
    while stack:
        node = stack.pop()
        line, moves = told.node(node)
        lines.append(line)
        if len(lines) - head + len(stack) + len(moves) > max_nodes:
            raise SolverError(f"the game has more than max_nodes = {max_nodes:,} nodes")
        stack.extend(game.play(node, move) for move in reversed(moves))
    return "\n".join(lines) + "\n"


class _Told:
    """Writes nodes, and gives numbers to what is met for the first time."""

    def __init__(
        self,
        game: ExtensiveGame[Any],
        set_name: Callable[[Any], str],
        move_name: Callable[[Any], str],
    ) -> None:
        self.game = game
        self.set_name, self.move_name = set_name, move_name
        self.sets: tuple[dict[Hashable, tuple[int, tuple[Any, ...], str]], ...] = ({}, {})
        self.named: tuple[dict[str, Hashable], ...] = ({}, {})
        self.chances = 0
        self.outcomes: dict[str, int] = {}

    def node(self, node: Any) -> tuple[str, Sequence[Any]]:
        """Return the line of a node, and the moves that lead on from it."""
        kind = self.game.kind(node)
        if kind is NodeKind.END:
            return self.end(node), ()
        if kind is NodeKind.CHANCE:
            return self.chance(node)
        if kind is NodeKind.BOTH:
            raise SolverError(f"both players move at {node!r}: tell their moves in turn")
        return self.decision(node, int(kind))

    def end(self, node: Any) -> str:
        payoffs = numbers(self.game.payoffs(node), f"the payoffs at {node!r}")
        if len(payoffs) != 2:
            raise SolverError(f"there are {len(payoffs)} payoffs at {node!r}: expected two")
        text = ", ".join(map(number_text, payoffs))
        number = self.outcomes.setdefault(text, len(self.outcomes) + 1)
        return f't "" {number} "{number}" {{ {text} }}'

    def chance(self, node: Any) -> tuple[str, Sequence[Any]]:
        chances = exact_chances(self.game.chances(node), repr(node))
        names = [self.move_name(outcome) for outcome in chances]
        labels(names, f"outcomes at {node!r}")
        pairs = (
            f"{quoted(name, 'an outcome')} {chance}"
            for name, chance in zip(names, chances.values(), strict=True)
        )
        self.chances += 1
        return f'c "" {self.chances} "" {{ {" ".join(pairs)} }} 0', list(chances)

    def decision(self, node: Any, player: int) -> tuple[str, Sequence[Any]]:
        label, actions = self.game.information_set(node), tuple(self.game.actions(node))
        if label not in self.sets[player]:
            self.sets[player][label] = self.information_set(player, label, actions)
        number, first, text = self.sets[player][label]
        if actions != first:
            raise SolverError(
                f"information set {label!r} has the actions {first!r} and {actions!r}"
            )
        return f'p "" {player + 1} {number} {text} 0', actions

    def information_set(
        self, player: int, label: Hashable, actions: tuple[Any, ...]
    ) -> tuple[int, tuple[Any, ...], str]:
        """Return number, actions and text of a set that is met for the first time."""
        if not actions:
            raise SolverError(f"there are no actions at {label!r}")
        name = self.set_name(label)
        other = self.named[player].setdefault(name, label)
        if other != label:
            raise SolverError(
                f"two information sets of player {player}, {other!r} and {label!r}, are both "
                f"called {name!r}: pass a set_name that tells them apart"
            )
        moves = labels(map(self.move_name, actions), f"actions at {label!r}")
        text = f"{quoted(name, 'an information set')} {moves}"
        return len(self.sets[player]) + 1, actions, text
