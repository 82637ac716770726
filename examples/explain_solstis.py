"""Explain a decision of Solstis: what to play, what else there is, and why.

    python examples/explain_solstis.py                               a position that comes along
    python examples/explain_solstis.py "rules=base,... move=1 ..."   a position as text
    python examples/explain_solstis.py position.json                 or in a file, text or JSON
    python examples/explain_solstis.py games.jsonl.gz --game 3 --turn 12 --decision 2

Endings in which nothing is hidden are solved exactly; otherwise the player who decides is told what
search in sampled worlds finds. Two positions come along: examples/positions/solstis-middle.txt and
solstis-ending.txt.
"""

import json
import os
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.errors import GameError, NotationError, PositionError
from games.solstis import State
from games.solstis.record import SCHEMA
from games.solstis.replay import read_records
from solver.command_line import Parser, WrittenAs, add_output, positive, run, whole

_EXAMPLE: Final = Path(__file__).parent / "positions" / "solstis-middle.txt"


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="explain_solstis.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    options.add_argument("position", nargs="*", help="the position as text, or a file")
    options.add_argument("--game", type=whole(1), help="which game or position of the file")
    options.add_argument("--turn", type=whole(1), help="of a recorded game: which turn")
    options.add_argument("--decision", type=whole(1), help="which decision of that turn")
    options.add_argument(
        "--player", type=int, choices=(1, 2), help="to whom the values are; by default who decides"
    )
    options.add_argument(
        "--objective",
        choices=("margin", "win"),
        default="margin",
        help="points ahead, or chance to win",
    )
    options.add_argument("--seconds", type=positive, help="time for the search of the moves")
    options.add_argument("--depth", type=whole(0), help="turns looked at after the present one")
    options.add_argument("--samples", type=whole(1), help="worlds searched")
    options.add_argument("--seed", type=whole(0), default=0, help="of the worlds")
    options.add_argument("--exact", action="store_true", help="only an exact answer will do")
    options.add_argument("--draw", action="store_true", help="draw the table first")
    options.add_argument("--width", type=whole(60), default=96, help="the longest line")
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


def position(arguments: Namespace) -> State:
    """Return the position that is asked about."""
    text = " ".join(arguments.position) or str(_EXAMPLE)
    if "=" in text and not os.path.exists(text):
        _check_single(arguments, "a position as text", ("game", "turn", "decision"))
        return State.parse(text)
    if not os.path.exists(text):
        raise NotationError(
            f"{text}: no such file, and no position of Solstis (a line of words name=value)"
        )
    try:
        return _from_file(arguments, text)
    except GameError as error:
        if text in str(error):
            raise
        raise type(error)(f"{text}: {error}") from None


def _check_single(arguments: Namespace, what: str, options: Sequence[str]) -> None:
    """Refuse options that choose from a file in which there is nothing to choose."""
    for option in options:
        if getattr(arguments, option) is not None:
            raise GameError(f"--{option} is of recorded games: this is {what}")


def _from_file(arguments: Namespace, path: str) -> State:
    with open(path, "rb") as file:
        start = file.read(2)
    if start == b"\x1f\x8b" or path.endswith((".jsonl", ".gz")):
        return _recorded(arguments, path)
    content = Path(path).read_text(encoding="utf-8", errors="replace").strip()
    if not content.startswith("{"):
        _check_single(arguments, "a file with one position", ("game", "turn", "decision"))
        return State.parse(content)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        # Perhaps a game a line.
        return _recorded(arguments, path)
    if data.get("schema") == SCHEMA:
        return _recorded(arguments, path)
    _check_single(arguments, "a file of positions", ("turn", "decision"))
    if "positions" in data:
        data = _chosen(data["positions"], arguments.game or 1, path, "position")
    else:
        _check_single(arguments, "a file with one position", ("game",))
    return State.from_dict(data)


def _chosen(entries: Any, number: int, where: str, what: str) -> Any:
    if not isinstance(entries, list):
        raise NotationError(f"{where}: expected a list of {what}s")
    if number > len(entries):
        raise NotationError(f"{where}: there is no {what} {number}, only {len(entries)}")
    return entries[number - 1]


def _recorded(arguments: Namespace, path: str) -> State:
    """Return the state of a recorded game in which a decision is due."""
    records = [record for _, record in read_records(path)]
    game, turn, wanted = (arguments.game or 1, arguments.turn or 1, arguments.decision or 1)
    record: Mapping[str, Any] = _chosen(records, game, path, "game")
    state = State.from_dict(record)
    where = f"game {game}"
    try:
        for entry in record["turns"]:
            for number, decision in enumerate(entry["decisions"], 1):
                if entry["n"] == turn and number == wanted:
                    return state
                where = f"game {game}, turn {entry['n']}, decision {number}"
                state = state.play(f"{decision['k']} {decision['chosen']}")
    except GameError as error:
        raise type(error)(f"{path}, {where}: {error}") from None
    except (KeyError, TypeError):
        raise NotationError(f"{path}: the record of game {game} is damaged") from None
    turns = len(record["turns"])
    raise PositionError(
        f"{path}, game {game}: there is no decision {wanted} of turn {turn} (it has {turns} turns)"
    )


def explanation(arguments: Namespace) -> str:
    """Return the explanation that was asked for, written as asked."""
    state = position(arguments)
    if arguments.exact and arguments.objective == "win":
        raise GameError("--exact counts points: leave out --objective win")
    # Here, so that --help and a position that is refused do not wait for the solvers.
    from solver.rendering import render  # noqa: PLC0415
    from solver.solstis.explanations import explain, explanation_document  # noqa: PLC0415

    why = explain(
        state,
        arguments.objective,
        None if arguments.player is None else arguments.player - 1,
        arguments.exact or None,
        arguments.seconds,
        arguments.depth,
        arguments.samples,
        arguments.seed,
    )
    return render(explanation_document(why, arguments.draw), arguments.format, arguments.width)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(explanation, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
