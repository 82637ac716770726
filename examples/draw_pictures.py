"""Draw the pictures of the documentation: rounds, extras, strategies, exploitability, endings.

    python examples/draw_pictures.py --directory docs/pictures

Needs matplotlib (the extra ``plot``). Every picture is computed anew; --only names those wanted.
"""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from pathlib import Path

from solver.command_line import Parser, run

NAMES = ("round", "extras", "strategies", "exploitability", "table", "ending")
FORMATS = ("png", "svg", "pdf")
ENDING = Path(__file__).parent / "positions" / "solstis-small-ending.txt"
RECORD = Path(__file__).parent / "records" / "clash-game.txt"


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="draw_pictures.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("--directory", type=Path, default=Path("pictures"), help="the directory")
    options.add_argument(
        "--only",
        nargs="+",
        choices=NAMES,
        default=NAMES,
        metavar="NAME",
        help=f"which ones, of {', '.join(NAMES)}",
    )
    options.add_argument("--format", choices=FORMATS, default="png")
    return options


def draw_round(path: Path) -> None:
    """Draw the first round of a deal with open hands."""
    from solver.clash.explanations.explanation import explain  # noqa: PLC0415
    from solver.clash.pictures import round_picture  # noqa: PLC0415

    round_picture(explain("WWFFAE/WFFAEE DaNoDuMi---- 0-0"), path)


def draw_extras(path: Path) -> None:
    """Draw the choice of extras under open hands."""
    from solver.clash import selection_game  # noqa: PLC0415
    from solver.clash.pictures import selection_picture  # noqa: PLC0415

    selection_picture(selection_game(), path)


def draw_strategies(path: Path) -> None:
    """Draw the optimal mixes along a recorded game, both hands open."""
    from games.clash import Record  # noqa: PLC0415
    from solver.clash import solve_open  # noqa: PLC0415
    from solver.clash.pictures import mixes_along, strategies_picture  # noqa: PLC0415

    record = Record.parse(RECORD.read_text(encoding="utf-8"))
    rounds = mixes_along(solve_open(record.deal), record.states())
    strategies_picture(rounds, path, f"{record.deal}: optimal mixes")


def draw_exploitability(path: Path) -> None:
    """Draw how fast a deal with hidden hands is solved, by two rules of regret minimisation."""
    from solver.clash import solve_hidden  # noqa: PLC0415
    from solver.clash.pictures import exploitability_picture  # noqa: PLC0415
    from solver.regret_rules import RULES  # noqa: PLC0415

    rules = {"PDCFR+, partial prediction": None, "CFR+": RULES["CFR+"]}
    curves = {
        name: solve_hidden("DaNoMiDu", tolerance=1e-5, iterations=300, rule=rule).curve
        for name, rule in rules.items()
    }
    exploitability_picture(curves, path)


def draw_table(path: Path) -> None:
    """Draw a table of Solstis near the end of a game between greedy bots."""
    from games.solstis import State  # noqa: PLC0415
    from games.solstis.picture import picture  # noqa: PLC0415

    position = Path(__file__).parent / "positions" / "solstis-ending.txt"
    picture(State.parse(position.read_text(encoding="utf-8").strip()), path, dpi=110)


def draw_ending(path: Path) -> None:
    """Draw the graph of states of a small ending of Solstis with the exact values."""
    from games.solstis import State  # noqa: PLC0415
    from solver.solstis import solve_endgame  # noqa: PLC0415
    from solver.state_graph_picture import draw_state_graph  # noqa: PLC0415

    solution = solve_endgame(State.parse(ENDING.read_text(encoding="utf-8").strip()))
    title = f"An ending of Solstis, values in points to Player {solution.player + 1}"
    draw_state_graph(solution.graph(), path, title, dpi=110)


DRAWERS: dict[str, Callable[[Path], None]] = {
    "round": draw_round,
    "extras": draw_extras,
    "strategies": draw_strategies,
    "exploitability": draw_exploitability,
    "table": draw_table,
    "ending": draw_ending,
}


def pictures(arguments: Namespace) -> str:
    """Draw what was asked for and tell where it lies."""
    arguments.directory.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name in arguments.only:
        path = arguments.directory / f"{name}.{arguments.format}"
        DRAWERS[name](path)
        drawn.append(str(path))
    return "\n".join(drawn)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(pictures, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
