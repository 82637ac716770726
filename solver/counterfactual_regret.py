r"""Counterfactual regret minimisation on a public tree, all types at once.

At every information set a regret minimiser chooses among the actions. What it is told of an action
is its *counterfactual value*: the expected payoff after the action, weighted by the chance that the
other player and chance play to the set. Both players' average strategies then approach an
equilibrium (Zinkevich et al. 2007). The rules by which regrets and averages are kept are those of
`solver.regret_rules`.

The players are updated in turn: in each iteration player 0 learns against the current strategy of
player 1, then player 1 against the new one of player 0. The average is taken over the sequence
form, so that each version of a strategy has the same weight at all sets. All numbers are float64
and no number depends on chance or on the order of threads: same tree, same rule, same bits.

What this loop produces is bounded by nothing but theory; how good it is, `solver.exploitability`
measures, with code of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError, StateError
from solver.exploitability import Exploitability, exploitability, reach_probabilities
from solver.public_tree import FloatArray, PublicTree
from solver.regret_kernels import accumulate, end_values, plan, update
from solver.regret_rules import DEFAULT_RULE, RULES, RegretRule

__all__ = ["CounterfactualRegret", "RegretSolution", "minimise_regret"]

_NOUGHT = 1e-290
"""Sums below this have lost their digits."""

Pair: TypeAlias = tuple[FloatArray, FloatArray]


class CounterfactualRegret:
    """A regret loop over a tree, to be iterated at will.

    Parameters
    ----------
    tree : PublicTree
        The game.
    rule : RegretRule or str
        How regrets and averages are kept, or its name in `solver.regret_rules.RULES`.

    Attributes
    ----------
    tree, rule
        As given.
    iterations : int
        How many iterations were made.

    Raises
    ------
    SolverError
        If there is no rule of that name.

    Examples
    --------
    >>> from solver.public_game import NodeKind
    >>> from solver.tree_compiler import compile_public_tree
    >>> class Pennies:
    ...     def types(self, player): return [None]
    ...     def prior(self): return [[1]]
    ...     def root(self): return None
    ...     def kind(self, node): return NodeKind.END if node else NodeKind.BOTH
    ...     def actions(self, node, player): return "HT"
    ...     def available(self, node, player): return None
    ...     def play(self, node, move): return move
    ...     def payoff(self, node): return {("H", "H"): 3, ("T", "T"): 1}.get(node, -1)
    >>> loop = CounterfactualRegret(compile_public_tree(Pennies()), "CFR+")
    >>> loop.iterate(1000)
    >>> [round(float(p), 2) for p in loop.average_strategy()[0]]
    [1.0, 0.33, 0.67]
    """

    def __init__(self, tree: PublicTree, rule: RegretRule | str = DEFAULT_RULE) -> None:
        self.tree: Final = tree
        self.rule: Final = _rule(rule)
        self.iterations = 0
        sizes = [form.sequences for form in tree.players]
        self._strategies: Pair = tree.uniform()
        self._plans: Pair = (np.empty(sizes[0]), np.empty(sizes[1]))
        self._regrets: Pair = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self._sums: Pair = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self._values: Pair = (np.empty(sizes[0]), np.empty(sizes[1]))
        self._slot_start = (tree.players[0].slot_start, tree.players[1].slot_start)
        self._slot_sequence = (tree.players[0].slot_sequence, tree.players[1].slot_sequence)
        self._make_plans()

    def _make_plans(self) -> None:
        for player, form in enumerate(self.tree.players):
            plan(self._strategies[player], form.set_parent, form.set_start, self._plans[player])

    def iterate(self, iterations: int = 1) -> None:
        """Make so many iterations more, both players updated once in each."""
        for _ in range(iterations):
            self.iterations += 1
            self._update(0)
            self._update(1)

    def _update(self, player: int) -> None:
        step = self.rule.step(self.iterations)
        tree, form = self.tree, self.tree.players[player]
        end_values(
            player,
            tree.end_node,
            tree.end_table,
            tree.end_scale,
            tree.table_start,
            tree.table_values,
            self._slot_start,
            self._slot_sequence,
            self._plans[1 - player],
            self._values[player],
        )
        update(
            self._values[player],
            form.set_parent,
            form.set_start,
            self._regrets[player],
            self._strategies[player],
            step.discount_positive,
            step.discount_negative,
            step.floor,
            step.prediction,
            step.predicted_discount,
        )
        plan(self._strategies[player], form.set_parent, form.set_start, self._plans[player])
        accumulate(self._sums[player], step.average_keep, self._plans[player])

    @property
    def current_strategy(self) -> Pair:
        """The strategies of the last iteration, copied; far from an equilibrium as a rule."""
        return self._strategies[0].copy(), self._strategies[1].copy()

    def average_strategy(self) -> Pair:
        """Return the average strategy of each player, an array over sequences.

        Sets that no version of the player's own strategy has led to are played uniformly.
        """
        return self._average(0), self._average(1)

    def _average(self, player: int) -> FloatArray:
        form, sums = self.tree.players[player], self._sums[player]
        strategy = form.uniform()
        if form.sets:
            totals = np.add.reduceat(sums, form.set_start[:-1])
            widths = np.diff(form.set_start)
            divisor = np.repeat(totals, widths)
            np.divide(sums[1:], divisor, out=strategy[1:], where=divisor > _NOUGHT)
        return strategy

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """Return all that the loop needs to go on, as arrays to be saved (`numpy.savez`)."""
        state: dict[str, NDArray[Any]] = {
            "rule": np.array(repr(self.rule)),
            "iterations": np.array(self.iterations),
        }
        for name, pair in self._kept().items():
            state |= {f"{name}{player}": pair[player].copy() for player in (0, 1)}
        return state

    def _kept(self) -> dict[str, Pair]:
        return {"regrets": self._regrets, "sums": self._sums, "strategy": self._strategies}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a checkpoint of a loop with the same tree and rule, bit by bit.

        Raises
        ------
        StateError
            If the checkpoint is of another rule or another tree, or lacks a part.
        """
        try:
            rule, iterations = str(state["rule"]), int(state["iterations"])
            parts = {name: (state[f"{name}0"], state[f"{name}1"]) for name in self._kept()}
        except KeyError as missing:
            raise StateError(f"the checkpoint has no {missing}") from None
        if rule != repr(self.rule):
            raise StateError(f"the checkpoint was made with {rule}, not with {self.rule!r}")
        for name, pair in self._kept().items():
            for player in (0, 1):
                if parts[name][player].shape != pair[player].shape:
                    raise StateError("the checkpoint was made for another tree")
        for name, pair in self._kept().items():
            for player in (0, 1):
                pair[player][:] = parts[name][player]
        self.iterations = iterations
        self._make_plans()


def _rule(rule: RegretRule | str) -> RegretRule:
    if not isinstance(rule, str):
        return rule
    if rule not in RULES:
        raise SolverError(f"there is no rule {rule!r}: expected one of {', '.join(RULES)}")
    return RULES[rule]


@dataclass(frozen=True, eq=False)
class RegretSolution:
    """Strategies found by regret minimisation, and how exploitable they measured.

    Attributes
    ----------
    tree : PublicTree
        The game.
    strategies : pair of float arrays
        The average strategies, over sequences.
    measured : Exploitability
        Value, bounds and exploitability, in the unit of the payoffs.
    iterations : int
        Iterations made.
    converged : bool
        Whether the tolerance was met; the loop ran out of iterations otherwise.
    rule : str
        Name of the rule.
    seconds : float
        Time taken.
    """

    tree: PublicTree
    strategies: Pair
    measured: Exploitability
    iterations: int
    converged: bool
    rule: str
    seconds: float

    def reached(self, player: int, least: float = 0.0) -> NDArray[np.bool_]:
        """Return for each information set of a player whether play comes to it.

        Where it does not, what the strategy says is no advice.

        Parameters
        ----------
        player : int
            Whose information sets.
        least : float
            Chance of coming there that does not count yet. The average keeps a trace of every
            action that was tried once, so a little more than 0 tells more; or take the trace off
            with `solver.exploitability.trimmed`.
        """
        return reach_probabilities(self.tree, self.strategies, player) > least

    def __str__(self) -> str:
        why = "tolerance met" if self.converged else "out of iterations"
        return f"{self.measured}; {self.rule}, {self.iterations:,} iterations ({why})"


def minimise_regret(
    tree: PublicTree,
    tolerance: float = 1e-3,
    iterations: int = 10_000,
    rule: RegretRule | str = DEFAULT_RULE,
    progress: Callable[[int, Exploitability], None] | None = None,
) -> RegretSolution:
    """Iterate until the measured exploitability is small enough.

    Parameters
    ----------
    tree : PublicTree
        The game.
    tolerance : float
        Exploitability to stop at, in the unit of the payoffs.
    iterations : int
        Most iterations to make.
    rule : RegretRule or str
        How regrets and averages are kept.
    progress : callable, optional
        Called with the iterations made and what was measured, each time that is measured: after
        10 iterations, and whenever a quarter more have been made.

    Raises
    ------
    SolverError
        If the tolerance is negative, less than one iteration is allowed, or the rule is unknown.
    """
    if not tolerance >= 0 or iterations < 1:
        raise SolverError(
            f"tolerance {tolerance!r} and iterations {iterations!r}: expected 0 or more, and 1 or "
            "more"
        )
    started = perf_counter()
    loop = CounterfactualRegret(tree, rule)
    while True:
        wanted = max(10, loop.iterations + loop.iterations // 4)
        loop.iterate(min(wanted, iterations) - loop.iterations)
        strategies = loop.average_strategy()
        measured = exploitability(tree, strategies)
        if progress is not None:
            progress(loop.iterations, measured)
        converged = measured.exploitability <= tolerance
        if converged or loop.iterations == iterations:
            return RegretSolution(
                tree,
                strategies,
                measured,
                loop.iterations,
                converged,
                loop.rule.name,
                perf_counter() - started,
            )
