"""Replay recorded games of Solstis and report the first difference of each from the rules.

    python examples/solstis_replay.py games.jsonl.gz more.jsonl

A file holds one game (solstis-trace-1) a line, compressed or not. Exit status 0: no game differs;
1: some do; 2: a file cannot be read.
"""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from games.errors import GameError
from games.solstis.replay import first_difference, read_records
from solver.command_line import Parser, run

_DIFFERS, _UNREADABLE = 1, 2


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="solstis_replay.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="+", metavar="FILE", help=".jsonl or .jsonl.gz")
    options.add_argument("--quiet", action="store_true", help="print differences only")
    return options


class Report:
    """Replays files, prints as it goes and remembers the exit status."""

    def __init__(self) -> None:
        self.games = self.differing = self.status = 0

    def files(self, arguments: Namespace) -> str:
        """Replay all files and return the last line."""
        for path in arguments.files:
            before = self.games, self.differing
            try:
                self.file(path)
            except GameError as error:
                self.unreadable(str(error))
            except OSError as error:
                self.unreadable(f"{path}: {error.strerror or error}")
            else:
                counts = self.games - before[0], self.differing - before[1]
                if not arguments.quiet:
                    print(f"{path}: {_counted(*counts)}", flush=True)
        if arguments.quiet or len(arguments.files) == 1:
            return ""
        return f"in all: {_counted(self.games, self.differing)}"

    def unreadable(self, reason: str) -> None:
        """Tell why a file cannot be read; the others are replayed all the same."""
        print(f"solstis_replay.py: {reason}", file=sys.stderr)
        self.status = _UNREADABLE

    def file(self, path: str) -> None:
        """Replay the games of a file."""
        for line, record in read_records(path):
            difference = first_difference(record)
            self.games += 1
            if difference is not None:
                self.differing += 1
                self.status = max(self.status, _DIFFERS)
                print(f"{path}, line {line}: {difference}", flush=True)


def _counted(games: int, differing: int) -> str:
    words = f"{games} game{'' if games == 1 else 's'}"
    return f"{words}, {differing} differ" + ("s" if differing == 1 else "")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    report = Report()
    return run(report.files, parser(), argv) or report.status


if __name__ == "__main__":
    sys.exit(main())
