"""What two habits cost in Solaris' Clash with hidden extras.

    python -m benchmarks.clash_habits [--checkpoint DIR] [--only answer|extras] [--deal TIMES]

from the root of the repository.

The open-hand answer: a player mixes the strategies that are optimal with open hands, in proportion
to a belief about the opponent's hand. It is measured from round 1 on and from later rounds on, the
solution played before; with two beliefs: by Bayes' rule from the opponent's strategy, and the plain
chance of the hands that can have played the cards seen; and with two ways to choose between cards
that are as good against an open hand: the first in the order WFAE, and evenly. Each is measured
against a best response and against the solution. This needs the whole game solved first, some
twenty minutes of two cores at the tolerance of 0.001 and 2.2 GB; with a checkpoint folder it goes
on where it was ended. With --deal it is measured in one deal instead, all ten hands alike for both,
in half a minute.

Always the same extras: one pair of each kind (by rotation, others of the kind are worth the same)
against an opponent who knows. Some ten minutes and up to 4 GB.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import TypeAlias

from games.clash import OBJECTIVES, Rules, parse_times
from games.errors import GameError
from solver.clash import (
    AnswerCost,
    FixedExtras,
    answer_costs,
    rotation_classes,
    solve_fixed_extras,
    solve_hidden,
    solve_whole,
    whole_answer_costs,
)
from solver.clash.hidden.open_answer import Ties
from solver.errors import SolverError

HABITS: dict[str, tuple[bool, Ties]] = {
    "Bayes, first": (True, "first"),
    "Bayes, even": (True, "even"),
    "possible, first": (False, "first"),
    "possible, even": (False, "even"),
}
"""The beliefs and the ways with ties of the open-hand answer, and what they are called here."""


Costs: TypeAlias = dict[str, tuple[AnswerCost, ...]]


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def read_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--objective", choices=OBJECTIVES, default="win")
    parser.add_argument("--time-deck", choices=("independent", "distinct"), default="independent")
    parser.add_argument("--only", choices=("answer", "extras"), help="one of the two habits")
    parser.add_argument("--deal", metavar="TIMES", help="the answer in this deal: DaNoMiDu")
    parser.add_argument("--checkpoint", metavar="DIR", help="a folder to go on from when ended")
    parser.add_argument(
        "--tolerance", type=float, default=1e-3, help="of the solution played against (%(default)s)"
    )
    parser.add_argument(
        "--extras-tolerance", type=float, default=3e-3, help="of fixed extras (%(default)s)"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads")
    return parser.parse_args(argv)


def costs_in_a_deal(arguments: argparse.Namespace, rules: Rules) -> Costs:
    solution = solve_hidden(
        parse_times(arguments.deal),
        arguments.objective,
        rules=rules,
        tolerance=arguments.tolerance,
        progress=lambda now: tell(f"{now.iterations} iterations: {now.exploitability:.1e}"),
    )
    print(f"The open-hand answer in one deal\n{solution}")
    return {words: answer_costs(solution, 0, *habit) for words, habit in HABITS.items()}


def costs_in_the_whole_game(arguments: argparse.Namespace, rules: Rules) -> Costs:
    solution = solve_whole(
        arguments.objective,
        rules,
        tolerance=arguments.tolerance,
        checkpoint=arguments.checkpoint,
        workers=arguments.workers,
        progress=lambda now: tell(
            f"{now.iterations} iterations, {now.seconds:.0f} s: {now.exploitability:.1e}; "
            f"{now.bytes / 1e9:.1f} GB"
        ),
    )
    print(f"The open-hand answer in the whole game\n{solution}")
    found = {}
    for words, habit in HABITS.items():
        tell(words)
        found[words] = whole_answer_costs(
            solution,
            *habit,
            arguments.workers,
            lambda done, of: tell(f"{done} of {of} classes") if done % 9 == 0 else None,
        )
    return found


def print_costs(found: Costs, unit: str) -> None:
    for title, name in (
        ("a best response", "at_most"),
        ("the solution", "against_solution"),
    ):
        print(f"\nCost against {title}, {unit} a game")
        print(f"{'from round':12}" + "".join(f"{words:>17}" for words in found))
        for rows in zip(*found.values(), strict=True):
            numbers = "".join(f"{getattr(row, name):17.4f}" for row in rows)
            print(f"{rows[0].first_round:<12}{numbers}")


def print_extras(found: list[FixedExtras]) -> None:
    print(f"Always the same extras, and the opponent knows: worth in {found[0].unit} a game")
    print(f"{'extras':8}{'at least':>10}{'at most':>10}{'iterations':>12}{'seconds':>9}   reply")
    for one in found:
        low, high = one.bounds
        reply = ", ".join(f"{label} {p:.0%}" for label, p in one.reply.items() if p > 0.005)
        print(
            f"{one.extras:8}{low:10.4f}{high:10.4f}{one.iterations:12}{one.seconds:9.0f}   {reply}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    arguments = read_arguments(argv)
    rules = Rules(time_deck=arguments.time_deck)
    unit = "antes" if arguments.objective == "win" else "points"
    started = time.perf_counter()
    try:
        if arguments.deal:
            print_costs(costs_in_a_deal(arguments, rules), unit)
        elif arguments.only != "extras":
            print_costs(costs_in_the_whole_game(arguments, rules), unit)
        if arguments.only != "answer" and not arguments.deal:
            found = []
            for kind in rotation_classes():
                tell(f"always {kind[0]}")
                found.append(
                    solve_fixed_extras(
                        kind[0],
                        arguments.objective,
                        rules,
                        arguments.extras_tolerance,
                        arguments.workers,
                        progress=lambda now: tell(
                            f"{now.iterations} iterations, {now.seconds:.0f} s: "
                            f"{now.exploitability:.1e}; {now.bytes / 1e9:.1f} GB"
                        ),
                    )
                )
            print()
            print_extras(found)
    except (GameError, SolverError) as error:
        tell(f"clash_habits: {error}")
        return 2
    tell(f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
