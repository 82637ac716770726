"""Play Solstis: a person and a bot, two persons, or two bots.

    python examples/solstis_play.py                              you against the greedy bot
    python examples/solstis_play.py --players greedy person      you move second
    python examples/solstis_play.py --players person person      two at one keyboard
    python examples/solstis_play.py --players greedy uniform --seed 7 --quiet

Answer with the number of a choice, or with help, score, show, undo, quit.
"""

import gzip
import json
import os
import sys
import tempfile
import textwrap
from argparse import ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from games.errors import GameError
from games.files import written_aside
from games.solstis import Action, Observation, Rules, State
from games.solstis.drawing import draw
from games.solstis.record import record_game
from games.solstis.table_view import player_name
from games.solstis.telling import tell
from games.solstis.words import describe, score_table
from solver.command_line import Parser, check_writable, printable, run

if TYPE_CHECKING:
    from solver.solstis import Bot

_WIDTH: Final = 96
_COLUMN: Final = 24
_LARGEST_SEED: Final = 2**63 - 1
_PERSON: Final = "person"

_HELP: Final = """\
Type the number of a choice, or the choice itself as it is written in records (4-7, draw).
  score   both scores as they stand      undo   back to your last choice
  show    the table again                quit   leave the game
Play a tile: it captures a face-up tile of the display with its row or its number, and both go to
your mountain, each to its own cell. Nothing to capture: it joins the display and a tile of the pile
gets a second chance; if that fails too, you get a rainbow. Four tiles in a square meet a spirit.
Points: the land of your largest area, fires joined to row 1, spirits and what they bring.
The drawing: blocks are land, shaded ones rainbows, triangles fires (full: lit). In the middle of a
square stands its spirit. The rules are in docs/explanation/solstis-rules.md."""


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="solstis_play.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    kinds = (_PERSON, "search", "greedy", "uniform")
    options.add_argument(
        "--players", nargs=2, choices=kinds, default=[_PERSON, "greedy"], help="who plays, in order"
    )
    variants = ("base", "beginner", "firefly")
    options.add_argument("--variant", choices=variants, default="base", help="which game")
    options.add_argument(
        "--rules",
        choices=("sheet", "published"),
        default="sheet",
        help="which reading of the rules",
    )
    options.add_argument("--seed", type=_seed, help="the same seed gives the same deal")
    options.add_argument("--save", metavar="FILE", help=".json, .jsonl, .jsonl.gz, or else text")
    options.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    options.add_argument("--quiet", action="store_true", help="only the result of a game of bots")
    return options


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) > _LARGEST_SEED:
        raise ArgumentTypeError(f"{text!r} is no seed: expected a whole number from 0")
    return int(text)


class _Left(Exception):  # noqa: N818
    """A person has left the game."""


class Table:
    """A game as it is played: who sits there, what was played, and what is shown of it."""

    def __init__(self, arguments: Namespace) -> None:
        published, variant = arguments.rules == "published", arguments.variant
        rules = Rules.published(variant) if published else Rules(variant)
        self.seed: int = arguments.seed
        if arguments.seed is None:
            self.seed = int(np.random.default_rng().integers(2**32))
        self.players: list[str] = arguments.players
        self.quiet: bool = arguments.quiet
        self.state = self.start = State.new(self.seed, rules)
        self.past: list[tuple[State, Action]] = []
        self.chance = np.random.default_rng([self.seed, 1])
        self.bots = {name: _bot(name) for name in self.players if name != _PERSON}
        self.persons = [seat for seat in (0, 1) if self.players[seat] == _PERSON]
        self.last_person = self.persons[0] if self.persons else None
        self.told: list[str] = []
        terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.color = terminal and not arguments.no_color and not os.environ.get("NO_COLOR")
        self.is_dialogue = sys.stdin is not None and sys.stdin.isatty()

    def play(self) -> str:
        """Play the game and return what is printed at its end."""
        self.say(f"Solstis, {self.players[0]} against {self.players[1]}. Seed {self.seed}.")
        try:
            while self.state.kind != "end":
                self.step()
        except _Left:
            self.say(f"{self.flush()}\nThe game is left unfinished.")
            return score_table(self.state)
        self.say(self.flush())
        self.say(self.drawing(None))
        return score_table(self.state)

    def step(self) -> None:
        """Play one action: of chance, of a bot, or of a person."""
        state, seat = self.state, self.state.decider
        if seat is None:
            outcomes = state.outcomes()
            self.do(outcomes[int(self.chance.integers(len(outcomes)))][0])
            return
        actions = state.legal()
        if len(actions) == 1:
            self.do(actions[0])
        elif seat in self.persons:
            self.ask(seat, actions)
        else:
            bot = self.bots[self.players[seat]]
            self.do(bot.choose(state.observe(seat), self.chance))

    def do(self, action: Action) -> None:
        """Play an action and note what it is to be told of it."""
        before = self.state
        hidden = [0, 1] if len(self.persons) > 1 else [1 - seat for seat in self.persons]
        if not self.quiet:
            self.told.append(tell(before, action, hidden))
        self.past.append((before, action))
        self.state = before.play(action)
        if self.state.to_move != before.to_move:
            self.say(self.flush())

    # ---- persons

    def ask(self, seat: int, actions: Sequence[Action]) -> None:
        """Let a person choose."""
        self.say(self.flush())
        if len(self.persons) > 1 and seat != self.last_person and self.is_dialogue:
            self.read(f"{player_name(seat)}, press Enter when only you look. ")
            self.say("\n" * 60)
        self.last_person = seat
        self.say(self.drawing(seat))
        seen = self.state.observe(seat)
        self.say(_choices([describe(action, seen) for action in actions]))
        while True:
            answer = self.read(f"{player_name(seat)}, 1 to {len(actions)} or help: ").lower()
            if answer in ("quit", "exit", "q"):
                raise _Left
            if answer == "undo" and self.undo(seat):
                return
            action = _chosen(answer, actions, seen)
            if action is not None:
                self.do(action)
                return
            self.say(self.answer(answer, seat))

    def answer(self, word: str, seat: int) -> str:
        """Return what is said to a word that is no choice."""
        if word == "help":
            return _HELP
        if word == "score":
            return score_table(self.state.observe(seat))
        if word == "show":
            return self.drawing(seat)
        if word == "undo":
            return "There is nothing of yours to take back."
        return f"{word[:40]!r} is no choice here." if word else ""

    def undo(self, seat: int) -> bool:
        """Go back to the last choice that a person had, if there was one."""
        for number in range(len(self.past) - 1, -1, -1):
            state = self.past[number][0]
            if state.decider == seat and len(state.legal()) > 1:
                self.state = state
                del self.past[number:]
                return True
        return False

    def read(self, prompt: str) -> str:
        """Return a line that a person types."""
        try:
            if sys.stdin is None:
                raise EOFError
            line = input(prompt)
        except EOFError:
            print()
            raise _Left from None
        if not self.is_dialogue:
            # The answer of a file or a pipe is not seen otherwise.
            print(line)
        return line.strip()

    # ---- what is shown

    def flush(self) -> str:
        """Return what was told since the last time, as a paragraph."""
        text = textwrap.fill(" ".join(self.told), _WIDTH)
        self.told.clear()
        return text

    def drawing(self, seat: int | None) -> str:
        """Return the table as a person sees it, or with all hands."""
        seen = self.state if seat is None else self.state.observe(seat)
        return f"\n{printable(draw(seen, self.color), sys.stdout.encoding)}\n"

    def say(self, text: str) -> None:
        """Print a text, if there is one."""
        if text and not self.quiet:
            print(text, flush=True)

    # ---- the game kept

    def save(self, path: str) -> None:
        """Write the game to a file: a record, or positions and actions as text."""
        if path.endswith((".json", ".jsonl", ".jsonl.gz")):
            policy = " against ".join(self.players)
            actions = [action for _, action in self.past]
            record = record_game(self.start, actions, f"seed-{self.seed}", policy)
            data = f"{json.dumps(record)}\n".encode()
        else:
            lines = [f"{before}\n  {action}\n" for before, action in self.past]
            data = "".join([*lines, f"{self.state}\n"]).encode()
        with written_aside(path) as file:
            file.write(gzip.compress(data) if path.endswith(".gz") else data)

    def save_elsewhere(self, path: str) -> Path:
        """Write the game to a folder for temporary files, and return where it is."""
        other = Path(tempfile.mkdtemp(prefix="solstis-")) / Path(path).name
        self.save(str(other))
        return other


def _bot(name: str) -> "Bot":
    # Here, so that --help and games of persons do not wait for the solvers.
    from solver.solstis import GreedyBot, SearchBot, UniformBot  # noqa: PLC0415

    if name == "search":
        return SearchBot()
    return GreedyBot() if name == "greedy" else UniformBot()


def _choices(texts: Sequence[str]) -> str:
    """Return numbered choices, short ones side by side."""
    entries = [f"{number:3}  {text}" for number, text in enumerate(texts, 1)]
    if max(map(len, entries)) >= _COLUMN:
        return "\n".join(entries)
    each = _WIDTH // _COLUMN
    rows = [entries[start : start + each] for start in range(0, len(entries), each)]
    return "\n".join("".join(f"{entry:{_COLUMN}}" for entry in row).rstrip() for row in rows)


def _chosen(answer: str, actions: Sequence[Action], seen: Observation) -> Action | None:
    """Return the action that a person means by its number, its option, its text or its words."""
    if answer.isdecimal() and len(answer) < 4:
        number = int(answer)
        return actions[number - 1] if 1 <= number <= len(actions) else None
    for action in actions:
        words = describe(action, seen).lower()
        if answer in {str(action).lower(), action.option.lower(), words, words.partition(":")[0]}:
            return action
    return None


def game(arguments: Namespace) -> str:
    """Play a game and return what is printed at its end."""
    if arguments.quiet and _PERSON in arguments.players:
        raise GameError("--quiet is for games of bots: add --players greedy uniform")
    if arguments.save is not None:
        check_writable(arguments.save)
    if sys.stdout is None:
        raise GameError("standard output is closed: nothing can be printed")
    table = Table(arguments)
    scores = ""
    try:
        scores = table.play()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        if arguments.save is not None:
            try:
                table.save(arguments.save)
                table.say(f"Saved in {arguments.save}.")
            except OSError as error:
                print(scores)
                raise GameError(
                    f"cannot write {arguments.save}: {error.strerror or error}; the game is kept "
                    f"in {table.save_elsewhere(arguments.save)}"
                ) from None
    return scores


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(game, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
