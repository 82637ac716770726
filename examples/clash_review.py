"""Go through a played game of Solaris' Clash: what each card lost, and what was luck.

    python examples/clash_review.py examples/records/clash-game.txt
    python examples/clash_review.py game.txt --hands hidden --objective margin

A record has a line for each round, as docs/how-to/record-a-game.md shows. For both players luck and
skill add up to the result. With open hands the answer is exact; with hidden hands, as the game is
played, a search comes first, and standard error tells how far it is.
"""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from games.clash import OBJECTIVES, Record
from solver.command_line import Parser, add_output, positive, run, whole
from solver.errors import SolverError

if TYPE_CHECKING:
    from solver.clash.hidden.deal import Progress

_TOLERANCE: Final = 1e-3
_NARROWEST: Final = 60


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="clash_review.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("record", metavar="RECORD", help="a file: a line for each round")
    options.add_argument(
        "--hands",
        choices=("open", "hidden"),
        default="open",
        help="judge as if hands were known, or as the game is played; open if left out",
    )
    options.add_argument(
        "--objective", choices=OBJECTIVES, default="win", help="win the pot, or points ahead"
    )
    options.add_argument(
        "--ante", type=positive, default=1.0, help="the ante, for the amounts printed under win"
    )
    options.add_argument("--worst", type=whole(0), default=3, help="how many mistakes are told")
    options.add_argument("--brief", action="store_true", help="do not list every decision")
    options.add_argument(
        "--tolerance",
        type=positive,
        help=f"with hidden hands: end the search when exploitable by this ({_TOLERANCE:g})",
    )
    options.add_argument(
        "--load",
        metavar="FILE",
        help="with hidden hands: the deal as clash_hidden.py deal --save wrote it",
    )
    options.add_argument(
        "--width", type=whole(_NARROWEST), default=80, help="the longest line, 60 or more"
    )
    add_output(options)
    return options


def _progress(now: "Progress") -> None:
    if sys.stderr is not None and now.iterations:
        words = f"{now.iterations} iterations, {now.seconds:.0f} s"
        print(f"{words}: exploitability {now.exploitability:.1g}", file=sys.stderr, flush=True)


def reviewed(arguments: Namespace) -> str:
    """Return the review that was asked for, written as asked."""
    for option in ("tolerance", "load"):
        if arguments.hands == "open" and getattr(arguments, option) is not None:
            raise SolverError(f"--{option} is for --hands hidden: open hands are solved exactly")
    if arguments.load and arguments.tolerance:
        raise SolverError(f"--tolerance is for a new search: {arguments.load} is solved already")
    record = Record.load(arguments.record)
    # Here, so that --help and a file that is refused do not wait for the solvers.
    from solver.clash.explanations.review_text import review_document  # noqa: PLC0415
    from solver.clash.explanations.words import Amounts  # noqa: PLC0415
    from solver.clash.hidden.solution import HiddenSolution  # noqa: PLC0415
    from solver.clash.review import review  # noqa: PLC0415
    from solver.rendering import render  # noqa: PLC0415

    # Refused before the search, not after it.
    Amounts(arguments.objective, arguments.ante)
    found = review(
        record,
        arguments.objective,
        arguments.hands,
        tolerance=arguments.tolerance or _TOLERANCE,
        solution=HiddenSolution.load(arguments.load) if arguments.load else None,
        progress=_progress,
    )
    page = review_document(found, arguments.worst, not arguments.brief, arguments.ante)
    return render(page, arguments.format, arguments.width)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(reviewed, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
