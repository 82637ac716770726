"""Explain how a position of Solaris' Clash is played with open hands, and why.

    python examples/explain_clash.py "WWFFAE/WFFAEE DaNoDuMi---- 0-0"
    python examples/explain_clash.py "F/A DaNoDuMiDaNo 3-4" --format html --output page.html

A position is the hands left (letters W F A E, a slash between the players), the six times (Da No Mi
Du, -- for face down), the points, and the streaks when Sunburst is on.
"""

import os
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from games.clash import OBJECTIVES, State
from games.errors import GameError
from solver.command_line import Parser, add_clash_rules, add_output, clash_rules, positive, run


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="explain_clash.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("position", nargs="+", help="the position, as one argument or in words")
    options.add_argument(
        "--player", type=int, choices=(0, 1), default=0, help="whose seat is yours: 0 or 1"
    )
    options.add_argument(
        "--objective", choices=OBJECTIVES, default="win", help="win the pot, or points ahead"
    )
    options.add_argument(
        "--ante", type=positive, default=1.0, help="the ante, for the amounts printed under win"
    )
    add_clash_rules(options)
    options.add_argument("--width", type=int, default=80, help="the longest line, 60 or more")
    add_output(options)
    return options


def explanation(arguments: Namespace) -> str:
    """Return the explanation that was asked for, written as asked."""
    rules = clash_rules(arguments)
    text = " ".join(arguments.position)
    if os.path.isfile(text):
        raise GameError(
            f"{text} is a file: this takes the text of a position (clash_review.py goes through "
            "the record of a game)"
        )
    state = State.parse(text, rules)
    # Here, so that --help and a position that is refused do not wait for the solvers.
    from solver.clash.explanations.explanation import explain  # noqa: PLC0415
    from solver.clash.explanations.explanation_text import explanation_document  # noqa: PLC0415
    from solver.rendering import render  # noqa: PLC0415

    why = explain(state, arguments.objective)
    page = explanation_document(why, arguments.player, arguments.ante)
    return render(page, arguments.format, arguments.width)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    words = sys.argv[1:] if argv is None else argv
    # Empty hands begin with a dash; a space in front keeps them from being read as an option.
    return run(explanation, parser(), [f" {w}" if w.startswith("-/") else w for w in words])


if __name__ == "__main__":
    sys.exit(main())
