"""Tables of what to play in round 1 of Solaris' Clash with open hands, and what that is worth.

    python examples/clash_play_table.py WF FE DaNoDuMi       your extras, the opponent's, the times
    python examples/clash_play_table.py WF DaNoDuMi          for each hand the opponent may have
    python examples/clash_play_table.py --all DaNoDuMi       for each pair of hands
    python examples/clash_play_table.py --all --csv=all.csv  for every row of times

Extras are two letters of W F A E, or all six cards; ? stands for the opponent's unknown extras.
Times are Da No Mi Du in the order turned up, or full names; the fifth and sixth may be given too.
"""

import argparse
import re
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any

from games.clash import (
    EXTRAS_LABELS,
    OBJECTIVES,
    Element,
    Hand,
    State,
    face_up_sequences,
    format_times,
)
from games.errors import NotationError
from solver.command_line import (
    Parser,
    add_clash_rules,
    add_output,
    choose_file,
    choose_format,
    clash_rules,
    positive,
    run,
)
from solver.document import FORMATS

_UNKNOWN = "?"
_STANDARD_OUTPUT = "-"
_HAND = re.compile(r"[WFAE+]+|\?", re.IGNORECASE)
_TIMES = re.compile(r"(Da|No|Mi|Du|--)+", re.IGNORECASE)


class _CSV(argparse.Action):
    """``--csv`` is short for ``--format csv``, and ``--csv=FILE`` for ``--output FILE`` with it."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Namespace, values: Any, _: Any = None
    ) -> None:
        if not values:
            parser.error("--csv= names no file: give one, or leave out the = to print")
        if _HAND.fullmatch(values) or _TIMES.fullmatch(values.replace(" ", "")):
            parser.error(
                f"--csv {values} reads as cards or times: put --csv last, or use --csv=FILE.csv"
            )
        choose_format(parser, namespace, "csv")
        choose_file(parser, namespace, values)


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="clash_play_table.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument(
        "words", nargs="*", metavar="EXTRAS|TIMES", help="as in the examples above"
    )
    options.add_argument("--all", action="store_true", help="every hand of both players")
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
    add_output(options, (*FORMATS, "csv"))
    options.add_argument(
        "--csv",
        nargs="?",
        action=_CSV,
        const=_STANDARD_OUTPUT,
        metavar="FILE",
        help="short for --format csv, with --output FILE if one is given",
    )
    return options


def table(arguments: Namespace) -> str:
    """Return the text of the table that was asked for."""
    deals = _deals(arguments)
    # Here, so that --help and arguments that are refused do not wait for the solvers.
    from solver.clash import OpenEntry, solve_open, solve_table  # noqa: PLC0415
    from solver.clash.explanations.play_table import table_csv, table_document  # noqa: PLC0415
    from solver.clash.explanations.words import Amounts  # noqa: PLC0415
    from solver.rendering import render  # noqa: PLC0415

    objective, player = arguments.objective, arguments.player
    amounts = Amounts(objective, arguments.ante)

    def found() -> list[OpenEntry]:
        if arguments.all and deals[0].times[4] is None and len(deals) > 100:
            solved = solve_table(objective, deals[0].rules, symmetric=False)
            by_deal = {entry.state: entry for entry in solved.entries(1)}
            return [by_deal[deal] for deal in deals]
        return [solve_open(deal, objective).entry(deal) for deal in deals]

    if arguments.format == "csv":
        return table_csv(found(), player, amounts).rstrip("\n")
    return render(table_document(found(), player, amounts), arguments.format)


def _deals(arguments: Namespace) -> list[State]:
    """Return the positions of the table: by times, then own extras, then the opponent's."""
    rules = clash_rules(arguments)
    words = [word for word in arguments.words if _is_hand(word)]
    # Times may be written apart: Da No Du Mi, or Dawn Noon Dusk Midnight.
    times = " ".join(word for word in arguments.words if not _is_hand(word))
    if arguments.all:
        if words:
            raise NotationError(f"--all takes no extras, only times: {' '.join(words)} is too much")
        if not times and arguments.format != "csv":
            raise NotationError("name the times, e.g. DaNoDuMi, or add --csv for every row of them")
        rows = [times] if times else [format_times(r) for r in face_up_sequences(rules.time_deck)]
        extras = [(own, other) for own in EXTRAS_LABELS for other in EXTRAS_LABELS]
    else:
        if not times or not 1 <= len(words) <= 2:
            said = f", not {' '.join(arguments.words)}" if arguments.words else ""
            raise NotationError(
                f"expected extras and times, e.g. WF FE DaNoDuMi, or WF DaNoDuMi{said}"
            )
        rows = [times]
        own, other = (*words, _UNKNOWN)[:2]
        if own == _UNKNOWN:
            raise NotationError("your own extras are not known: --all shows every hand of both")
        extras = [(own, other) for other in (EXTRAS_LABELS if other == _UNKNOWN else [other])]
    return [
        State.start([_hand(pair[seat]) for seat in _seats(arguments.player)], row, rules)
        for row in rows
        for pair in extras
    ]


def _is_hand(word: str) -> bool:
    """Tell extras and hands, mistaken ones too, from times."""
    return bool(_HAND.fullmatch(word)) or (len(word) <= 2 and not _TIMES.fullmatch(word))


def _seats(player: int) -> tuple[int, int]:
    """Return which of (own, other) sits where."""
    return (1, 0) if player else (0, 1)


def _hand(extras: str) -> Hand:
    try:
        chosen = Hand.parse(extras)
    except NotationError:
        chosen = Hand.parse("-")
    if chosen.is_full:
        return chosen
    if len(chosen) == 2:
        return Hand.parse((*Element, *chosen))
    raise NotationError(f"{extras!r} are no extras: expected two of W, F, A, E, or all six cards")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(table, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
