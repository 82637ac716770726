"""Draw the pictures of the documentation: rounds, extras, strategies, exploitability, endings.

    python examples/draw_pictures.py --directory docs/pictures

Needs matplotlib (the extra ``plot``). Every picture is computed anew, and with one version of
matplotlib to the same bytes; --only names those wanted. All take about a minute.
"""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from games.picture_file import plain_style
from solver.command_line import Parser, run

if TYPE_CHECKING:
    from games.solstis import Action
    from games.solstis import State as SolstisState
    from solver.clash import HiddenSolution, OpenSolution
    from solver.clash.hidden import Progress

NAMES = (
    "round",
    "dominated",
    "extras",
    "strategies",
    "means",
    "exploitability",
    "bounds",
    "table",
    "ending",
    "lines",
)
FORMATS = ("png", "svg", "pdf")
HERE = Path(__file__).parent
RECORD = HERE / "records" / "clash-game.txt"
BOOK = HERE / "books" / "clash-win-rounds-1-3.book"
_DPI = 110
# Hatches make a file large.
_DPI_OF_MIXES = 80


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
    from solver.clash import explain  # noqa: PLC0415
    from solver.clash.pictures import round_picture  # noqa: PLC0415

    round_picture(explain("WWFFAE/WFFAEE DaNoDuMi---- 0-0"), path, _DPI)


def draw_dominated(path: Path) -> None:
    """Draw a round in which both players have a card that is dominated."""
    from solver.clash import explain  # noqa: PLC0415
    from solver.clash.pictures import round_picture  # noqa: PLC0415

    round_picture(explain("WWFA/FFEA DaNoDuMiDaNo 2-2"), path, _DPI, player=1)


def draw_extras(path: Path) -> None:
    """Draw the choice of extras under open hands."""
    from solver.clash import selection_game  # noqa: PLC0415
    from solver.clash.pictures import selection_picture  # noqa: PLC0415

    selection_picture(selection_game(), path, _DPI)


def draw_strategies(path: Path) -> None:
    """Draw the optimal mixes along a recorded game, both hands open."""
    from games.clash import Record  # noqa: PLC0415
    from solver.clash.pictures import mixes_along, strategies_picture  # noqa: PLC0415

    record = Record.parse(RECORD.read_text(encoding="utf-8"))
    rounds = mixes_along(_open_deal(), record.states())
    strategies_picture(rounds, path, "Optimal mixes along a game, hands open", _DPI_OF_MIXES)


def draw_means(path: Path) -> None:
    """Draw what is played when, on average: hands open, and hidden as far as the book goes."""
    from solver.clash import StrategyBook  # noqa: PLC0415
    from solver.clash.pictures import mean_mixes, strategies_picture  # noqa: PLC0415

    deal = _open_deal().root
    rounds = {"open": mean_mixes(_open_deal()), "hidden": mean_mixes(StrategyBook(BOOK), deal)}
    title = f"What is played when, on average: {deal.hands[0]} against {deal.hands[1]}"
    strategies_picture(rounds, path, title, _DPI_OF_MIXES)


def draw_exploitability(path: Path) -> None:
    """Draw how fast a deal with hidden hands is solved, by two rules of regret minimisation."""
    from solver.clash import solve_hidden  # noqa: PLC0415
    from solver.clash.pictures import exploitability_picture  # noqa: PLC0415
    from solver.regret_rules import RULES  # noqa: PLC0415

    solution, _ = _hidden_deal()
    other = solve_hidden("DaNoMiDu", tolerance=1e-5, iterations=300, rule=RULES["CFR+"])
    exploitability_picture({solution.method: solution, other.method: other}, path, dpi=_DPI)


def draw_bounds(path: Path) -> None:
    """Draw how the bounds of the value of a deal with hidden hands close in."""
    from solver.clash.pictures import bounds_picture  # noqa: PLC0415

    solution, trace = _hidden_deal()
    bounds_picture(trace, path, solution.unit, _DPI)


def draw_table(path: Path) -> None:
    """Draw a table of Solstis near the end of a game between greedy bots."""
    from games.solstis.picture import picture  # noqa: PLC0415

    picture(_position("solstis-ending.txt"), path, dpi=_DPI)


def draw_ending(path: Path) -> None:
    """Draw the graph of states of a small ending of Solstis with the exact values."""
    _draw_graph(_position("solstis-small-ending.txt"), path, best_lines=False)


def draw_lines(path: Path) -> None:
    """Draw the best lines of an ending of Solstis that is too large to be drawn in full."""
    _draw_graph(_position("solstis-ending.txt"), path, best_lines=True)


def _draw_graph(state: "SolstisState", path: Path, best_lines: bool) -> None:
    from solver.solstis import solve_endgame  # noqa: PLC0415
    from solver.state_graph_picture import draw_state_graph  # noqa: PLC0415

    solution = solve_endgame(state)
    title = f"An ending of Solstis: points ahead for Player {solution.player + 1} if both play best"
    draw_state_graph(
        solution.graph(), path, title, best_lines, _short, _DPI, players=("Player 1", "Player 2")
    )


def _short(action: "Action") -> str:
    """Return an action of Solstis in a word and what it is about."""
    words = {"play_tile": "play ", "capture": "capture ", "spirit_keep": "keep "}
    words |= {"evil_cover": "cover ", "dragonfly_draw": "draw ", "eagle_draw": "draw "}
    return words.get(action.kind, "") + action.option.replace("EvilBeaver", "Evil Spirit")


def _position(name: str) -> "SolstisState":
    from games.solstis import State  # noqa: PLC0415

    return State.parse((HERE / "positions" / name).read_text(encoding="utf-8").strip())


@cache
def _open_deal() -> "OpenSolution":
    """Return the deal of the recorded game, solved with open hands."""
    from games.clash import Record  # noqa: PLC0415
    from solver.clash import solve_open  # noqa: PLC0415

    return solve_open(Record.parse(RECORD.read_text(encoding="utf-8")).deal)


@cache
def _hidden_deal() -> "tuple[HiddenSolution, list[Progress]]":
    """Return a deal solved with hidden hands, and what was measured on the way."""
    from solver.clash import solve_hidden  # noqa: PLC0415

    trace: list[Progress] = []
    solution = solve_hidden("DaNoMiDu", tolerance=1e-5, iterations=300, progress=trace.append)
    return solution, trace


DRAWERS: dict[str, Callable[[Path], None]] = {
    "round": draw_round,
    "dominated": draw_dominated,
    "extras": draw_extras,
    "strategies": draw_strategies,
    "means": draw_means,
    "exploitability": draw_exploitability,
    "bounds": draw_bounds,
    "table": draw_table,
    "ending": draw_ending,
    "lines": draw_lines,
}


def pictures(arguments: Namespace) -> str:
    """Draw what was asked for and tell where it lies."""
    # Before the work, so that a missing package is told of at once.
    with plain_style():
        arguments.directory.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name in dict.fromkeys(arguments.only):
        path = arguments.directory / f"{name}.{arguments.format}"
        DRAWERS[name](path)
        drawn.append(str(path))
    return "\n".join(drawn)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(pictures, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
