"""What scripts need so that their users never see a traceback.

It imports no solver: a script that loads its solver late answers ``--help`` and refuses bad input
at once.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

from games.clash import Rules
from games.errors import GameError
from games.files import written_aside
from solver.document import FORMATS
from solver.errors import SolverError

__all__ = [
    "Parser",
    "WrittenAs",
    "WrittenTo",
    "add_clash_rules",
    "add_output",
    "check_writable",
    "choose_file",
    "choose_format",
    "clash_rules",
    "positive",
    "printable",
    "run",
    "whole",
]

_REFUSED = 2
_INTERRUPTED = 130
_BROKEN_PIPE = 141

_STANDARD_OUTPUT = "-"
_LARGEST = 1e6
_MOST = 10**9
_LONGEST = 320
_ENDINGS = {
    ".csv": "csv",
    ".dot": "dot",
    ".efg": "efg",
    ".graphml": "graphml",
    ".gv": "dot",
    ".htm": "html",
    ".html": "html",
    ".json": "json",
    ".markdown": "markdown",
    ".md": "markdown",
    ".nfg": "nfg",
    ".txt": "text",
}
"""Which format a file's name asks for."""

# What is kept of the two ends of a longer message.
_ENDS = (150, 120)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and whose options may stand anywhere between words."""

    _is_reading = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read what is known of the arguments, words apart from options; argparse asks for it."""
        if self._subparsers is not None or self._is_reading:
            return super().parse_known_args(args, namespace)
        # argparse reads all options first, then all words, by calls of this very method.
        self._is_reading = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_reading = False

    def error(self, message: str) -> NoReturn:
        """Print the error in one line and leave with status 2."""
        self.exit(_REFUSED, f"{self.prog}: {_shortened(message)} (try --help)\n")


def positive(text: str) -> float:
    """Read a positive number up to a million: a type for `argparse`.

    Examples
    --------
    >>> positive("2.5")
    2.5
    """
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    if number > _LARGEST:
        raise argparse.ArgumentTypeError(f"{text} is too large: at most {_LARGEST:,.0f}")
    return number


def whole(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from a least one up to a thousand million, for `argparse`.

    Examples
    --------
    >>> whole(1)("25")
    25
    """

    def number(text: str) -> int:
        digits = text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST))
        if not (digits and least <= int(text) <= _MOST):
            raise argparse.ArgumentTypeError(
                f"{text!r} is no whole number from {least} to {_MOST:,}"
            )
        return int(text)

    return number


def add_clash_rules(options: argparse.ArgumentParser) -> None:
    """Add the options of the rules of Solaris' Clash: ``--time-deck`` and ``--sunburst``.

    Left out, they are None, and `clash_rules` takes ``independent`` and ``off``.
    """
    options.add_argument(
        "--time-deck",
        choices=("independent", "distinct"),
        help="how the two additional time cards are drawn; independent if left out",
    )
    options.add_argument(
        "--sunburst",
        choices=("off", "restarting", "overlapping", "once"),
        help="a point more for three scoring rounds in a row; off if left out",
    )


def clash_rules(arguments: argparse.Namespace) -> Rules:
    """Return the rules that the options of `add_clash_rules` ask for."""
    return Rules(
        time_deck=arguments.time_deck or "independent", sunburst=arguments.sunburst or "off"
    )


def add_output(options: argparse.ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """Add the options for what is written, and where: ``--format`` and ``--output``.

    The work of the script writes ``arguments.format``; the file is written by `run`. Where
    ``--format`` is left out, `run` takes it from the ending of the file (``page.html``): the first
    of the formats where it has none, and an error where it names another.

    Parameters
    ----------
    options : ArgumentParser
        The parser of the script, or of one of its commands.
    formats : sequence of str
        What the script can write.

    Examples
    --------
    >>> parser = Parser(prog="example.py")
    >>> add_output(parser)
    >>> run(lambda arguments: f"written as {arguments.format}", parser, [])
    written as text
    0
    """
    options.add_argument(
        "--format",
        action=WrittenAs,
        choices=formats,
        help=f"what to write; if left out, by the ending of --output, else {formats[0]}",
    )
    options.set_defaults(formats=tuple(formats))
    options.add_argument(
        "--output",
        action=WrittenTo,
        metavar="FILE",
        help="write it to a file instead of printing it (- prints it)",
    )


class WrittenAs(argparse.Action):
    """Takes a format, from ``--format`` or an option that is short for one; refuses a second."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: Any = None
    ) -> None:
        """Take the format, or the one that the option stands for."""
        choose_format(parser, namespace, self.const or values)


class WrittenTo(argparse.Action):
    """Takes a file to write to; refuses a second."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: Any = None
    ) -> None:
        """Take the name of the file."""
        choose_file(parser, namespace, values)


def choose_format(
    parser: argparse.ArgumentParser, namespace: argparse.Namespace, wanted: str
) -> None:
    """Note what is to be written; a parser's error if something else is noted already."""
    chosen = getattr(namespace, "format", None)
    if chosen not in (None, wanted):
        parser.error(f"written as {chosen} and as {wanted}: choose one")
    namespace.format = wanted


def choose_file(parser: argparse.ArgumentParser, namespace: argparse.Namespace, path: str) -> None:
    """Note which file is to be written; a parser's error if another is noted already."""
    if not path:
        parser.error("no file is named")
    if path == _STANDARD_OUTPUT:
        return
    chosen = getattr(namespace, "output", None)
    if chosen not in (None, path):
        parser.error(f"written to {chosen} and to {path}: choose one")
    namespace.output = path


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse, before long work, a file that could not be written after it.

    Raises
    ------
    SolverError
        If the path is a directory, or its folder does not exist or is closed.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise SolverError(f"cannot write {path}: it is a directory")
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise SolverError(f"cannot write {path}: its folder does not exist or is closed")


def _format_for(path: str | None, formats: Sequence[str]) -> str:
    """Return the format that the ending of a file asks for, the first one where it has none."""
    ending = Path(path or "").suffix.lower()
    wanted = _ENDINGS.get(ending, "") if ending else formats[0]
    if wanted not in formats:
        endings = [ending for ending, form in _ENDINGS.items() if form in formats]
        raise SolverError(
            f"cannot write {path} as {ending}: choose one of {', '.join(endings)}, or add --format"
        )
    return wanted


def printable(text: str, encoding: str | None) -> str:
    """Return a text as an output with some encoding can show it.

    Signs that the encoding lacks are put in ASCII: all of them then, so that a drawing stays one.

    Examples
    --------
    >>> printable("± 0.002", "utf-8"), printable("± 0.002", "ascii")
    ('± 0.002', '+- 0.002')
    """
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        # Here, as hardly any output needs it.
        from games.solstis.drawing import ASCII  # noqa: PLC0415

        plain = text.translate(ASCII).replace("±", "+-")
        return plain.encode("ascii", "replace").decode()
    return text


def run(
    main: Callable[[argparse.Namespace], str], parser: Parser, argv: Sequence[str] | None = None
) -> int:
    """Run the work of a script, print what it returns and return the exit status.

    With ``--output`` (see `add_output`) the text goes to that file, which is opened before the
    work: one that cannot be written is told of at once, and an old one stays as it is until the
    new one is complete.

    Errors of the libraries and of files become one line on standard error and status 2. When
    whoever reads the output stops reading, the script ends silently with status 141; after Ctrl-C
    with one line and status 130. These are the statuses that shells give to the two signals. On a
    terminal, standard error tells when something is compiled for the first time.

    Parameters
    ----------
    main : callable
        Takes the arguments read and returns the text to print.
    parser : Parser
        Reads the arguments.
    argv : sequence of str, optional
        The arguments; those of the process by default.
    """
    arguments = parser.parse_args(argv)
    if sys.stderr is not None and sys.stderr.isatty():
        # Here, so that nothing waits for numba where nobody is to be told.
        from solver.compile_notice import tell_of_compiling  # noqa: PLC0415

        tell_of_compiling(parser.prog)
    try:
        if "formats" in arguments and arguments.format is None:
            arguments.format = _format_for(arguments.output, arguments.formats)
        text = _written(main, arguments)
        if text and sys.stdout is None:
            return _say(parser, "standard output is closed: nothing can be printed", _REFUSED)
        if text:
            print(printable(text, sys.stdout.encoding))
        if sys.stdout is not None:
            sys.stdout.flush()
    except (GameError, SolverError) as error:
        return _say(parser, " ".join(str(error).split()), _REFUSED)
    except BrokenPipeError:
        # What is still in the buffer would be written, and refused again, at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(parser, f"{where}{error.strerror or error}", _REFUSED)
    except KeyboardInterrupt:
        return _say(parser, "interrupted", _INTERRUPTED)
    return 0


def _written(main: Callable[[argparse.Namespace], str], arguments: argparse.Namespace) -> str:
    """Do the work and return what is to be printed: nothing if it was written to a file."""
    path = getattr(arguments, "output", None)
    if path is None:
        return main(arguments)
    _check_unread(path, arguments)
    with ExitStack() as files:
        try:
            file = files.enter_context(written_aside(path))
        except OSError as error:
            if not Path(path).absolute().parent.is_dir():
                raise SolverError(f"cannot write {path}: its folder does not exist") from None
            raise SolverError(f"cannot write {path}: {error.strerror or error}") from None
        file.write(f"{main(arguments)}\n".encode())
    return ""


def _check_unread(path: str, arguments: argparse.Namespace) -> None:
    """Refuse to write over a file that another argument names: it is what the script reads."""
    if not os.path.isfile(path):
        return
    for name, value in vars(arguments).items():
        words = value if isinstance(value, list) else [value]
        for word in words if name != "output" else ():
            if isinstance(word, str) and os.path.isfile(word) and os.path.samefile(word, path):
                raise SolverError(f"--output {path} is the file that is read: name another")


def _say(parser: Parser, message: str, status: int) -> int:
    if sys.stderr is not None:
        print(f"{parser.prog}: {_shortened(message)}", file=sys.stderr)
    return status


def _shortened(message: str) -> str:
    """Cut the middle out of a message that repeats a long input."""
    start, end = _ENDS
    return message if len(message) <= _LONGEST else f"{message[:start]} ... {message[-end:]}"
