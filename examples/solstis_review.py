"""Go through a played game of Solstis: what each decision lost, and what was luck.

    python examples/solstis_review.py game.jsonl
    python examples/solstis_review.py games.jsonl.gz --game 3 --brief

A file holds one game (solstis-trace-1) a line, compressed or not, as solstis_play.py --save writes
it. For both players luck and skill add up to the result.
"""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from itertools import islice

from games.errors import NotationError
from games.solstis.replay import read_records
from solver.command_line import Parser, WrittenAs, add_output, run, whole
from solver.errors import StateError


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="solstis_review.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("file", metavar="GAME", help=".json, .jsonl or .jsonl.gz")
    options.add_argument("--game", type=whole(1), default=1, help="which game of the file")
    options.add_argument(
        "--objective",
        choices=("margin", "win"),
        default="margin",
        help="points ahead, or chance to win",
    )
    options.add_argument("--samples", type=whole(1), default=50, help="worlds for each decision")
    options.add_argument(
        "--depth", type=whole(0), default=2, help="turns looked at after the present one"
    )
    options.add_argument("--seed", type=whole(0), default=0, help="of the worlds")
    options.add_argument("--worst", type=whole(0), default=3, help="how many moments are told")
    options.add_argument("--brief", action="store_true", help="do not list every decision")
    add_output(options)
    options.add_argument(
        "--json",
        action=WrittenAs,
        nargs=0,
        dest="format",
        const="json",
        help="short for --format json",
    )
    return options


def _progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\rdecision {done} of {total}", end=end, file=sys.stderr, flush=True)


def reviewed(arguments: Namespace) -> str:
    """Return the review that was asked for, written as asked."""
    number = arguments.game
    found = next(islice(read_records(arguments.file), number - 1, None), None)
    if found is None:
        raise NotationError(f"{arguments.file}: there is no game {number}")
    # Here, so that --help and a file that is refused do not wait for the solvers.
    from solver.rendering import render  # noqa: PLC0415
    from solver.solstis.explanations.review_text import review_document  # noqa: PLC0415
    from solver.solstis.review import review  # noqa: PLC0415

    try:
        told = review(
            found[1],
            arguments.objective,
            arguments.samples,
            arguments.depth,
            arguments.seed,
            progress=_progress if sys.stderr is not None and sys.stderr.isatty() else None,
        )
    except StateError as error:
        raise StateError(f"{arguments.file}, line {found[0]}: {error}") from None
    page = review_document(told, arguments.worst, not arguments.brief)
    return render(page, arguments.format, width=None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(reviewed, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
