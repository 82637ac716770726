"""Games written for other programs: Gambit, Graphviz, and what reads GraphML.

    python examples/export.py nfg "WF/FE DaNoDuMiDa-- 3-2"      a round of Clash with open hands
    python examples/export.py efg MiDaNoDaNoDu WWF,WFA WAE,FAE  its last rounds with hidden hands:
                                     Player 0 holds WWF or WFA, Player 1 WAE or FAE, alike likely
    python examples/export.py ending FILE --format graphml      an ending of Solstis as a graph

`COMMAND --help` lists the options of a command. Without --output the text is printed.
"""

import os
import sys
from argparse import ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.clash import OBJECTIVES, Hand, State, parse_times
from games.errors import NotationError
from solver.command_line import Parser, add_clash_rules, add_output, clash_rules, run, whole

_ENDING: Final = Path(__file__).parent / "positions" / "solstis-ending.txt"
_MOST_NODES: Final = 100_000


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="export.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    commands = options.add_subparsers(dest="command", metavar="COMMAND", required=True)

    nfg = commands.add_parser("nfg", help="a round of Clash with open hands, for Gambit")
    nfg.add_argument("position", nargs="+", help="the position: one argument, or its words")
    nfg.add_argument("--exact", action="store_true", help="exact fractions, not decimals")
    _add_rules(nfg)

    efg = commands.add_parser("efg", help="a reduced game of Clash with hidden hands, for Gambit")
    efg.add_argument("times", metavar="TIMES", help="the times, -- for face down")
    for player in (0, 1):
        efg.add_argument(
            f"hands{player}", metavar="HANDS", help=f"what Player {player} may hold: WWF,WFA"
        )
    efg.add_argument("--points", type=_points, default=(0, 0), help="points so far: 3-2")
    _add_rules(efg)

    ending = commands.add_parser("ending", help="an ending of Solstis, with nothing hidden")
    ending.add_argument(
        "position",
        nargs="*",
        help="the position as text, or a file with it; one that comes along if left out",
    )
    for command in (efg, ending):
        command.add_argument(
            "--max-nodes", type=whole(1), default=_MOST_NODES, help="refuse a larger game"
        )
    add_output(nfg, ("nfg",))
    add_output(efg, ("efg",))
    add_output(ending, ("efg", "dot", "graphml"))
    return options


def _add_rules(command: Parser) -> None:
    command.add_argument(
        "--objective", choices=OBJECTIVES, default="win", help="antes of the pot, or points"
    )
    add_clash_rules(command)


def _points(text: str) -> tuple[int, int]:
    first, _, second = text.partition("-")
    if not (first.isdecimal() and second.isdecimal() and len(text) < 6):
        raise ArgumentTypeError(f"{text!r} are no points: expected two numbers, as 3-2")
    return int(first), int(second)


def export(arguments: Namespace) -> str:
    """Return the text that was asked for."""
    commands = {"nfg": _nfg, "efg": _efg, "ending": _ending}
    return commands[arguments.command](arguments).rstrip("\n")


def _nfg(arguments: Namespace) -> str:
    state = State.parse(" ".join(arguments.position), clash_rules(arguments))
    # Here, as below, so that --help and arguments that are refused do not wait for the solvers.
    from solver.clash.gambit import round_nfg  # noqa: PLC0415

    return round_nfg(state, arguments.objective, arguments.exact)


def _efg(arguments: Namespace) -> str:
    times = parse_times(arguments.times)
    hands = [
        [Hand.parse(hand) for hand in text.split(",")]
        for text in (arguments.hands0, arguments.hands1)
    ]
    rules = clash_rules(arguments)
    from solver.clash.gambit import hidden_efg  # noqa: PLC0415

    return hidden_efg(
        times,
        hands,
        points=arguments.points,
        rules=rules,
        objective=arguments.objective,
        max_nodes=arguments.max_nodes,
    )


def _ending(arguments: Namespace) -> str:
    from games.solstis import State as Position  # noqa: PLC0415

    text = " ".join(arguments.position) or str(_ENDING)
    if "=" not in text or os.path.exists(text):
        text = Path(text).read_text(encoding="utf-8", errors="replace").strip()
        if not text:
            raise NotationError("the file is empty: expected a position as text")
    state = Position.parse(text)
    if arguments.format == "efg":
        from solver.solstis.gambit import ending_efg  # noqa: PLC0415

        return ending_efg(state, arguments.max_nodes)
    from solver.solstis import solve_endgame  # noqa: PLC0415
    from solver.state_graph import to_dot, to_graphml  # noqa: PLC0415

    graph = solve_endgame(state).graph(arguments.max_nodes)
    return to_dot(graph) if arguments.format == "dot" else to_graphml(graph)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(export, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
