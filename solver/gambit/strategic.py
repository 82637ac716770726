"""Games in strategic form as Gambit's ``.nfg`` files: written for two players, read for any."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from solver.errors import PayoffError, SolverError
from solver.gambit.notation import labels, number_text, quoted
from solver.matrix.payoffs import PayoffMatrix, PayoffsLike, read_matrix

__all__ = ["StrategicGame", "nfg", "read_nfg"]

_TOKEN: Final = re.compile(
    r'\s*(?:(?P<text>"(?:\\"|[^"\\]|\\(?!"))*")|(?P<brace>[{}])|(?P<comma>,)|(?P<word>[^\s{},"]+))'
)
_NUMBER: Final = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?)", re.ASCII)
_LONGEST: Final = 4_000
"""Longer numbers are no payoffs but a mistake."""


def nfg(
    payoffs: PayoffsLike,
    column_payoffs: PayoffsLike | None = None,
    title: str = "",
    *,
    players: Sequence[str] = ("Player 0", "Player 1"),
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    comment: str = "",
) -> str:
    """Return a two-player game in strategic form as the text of a ``.nfg`` file.

    Parameters
    ----------
    payoffs : matrix
        Payoffs to the row player, as for `solver.matrix.solve`: numbers of any kind. Whole numbers
        and fractions are written as they are, floats as the shortest decimals that read back equal.
    column_payoffs : matrix, optional
        Payoffs to the column player; those of a zero-sum game when left out.
    title, comment : str
        What the game is called, and more about it.
    players : pair of str
        The row player and the column player.
    row_labels, column_labels : sequences of str, optional
        What the rows and columns are called; ``1``, ``2``, ... when left out.

    Raises
    ------
    PayoffError
        If the payoffs are not finite matrices of one shape.
    SolverError
        If labels do not fit the matrix, are not different, or Gambit would refuse one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> print(nfg([[Fraction(1, 3), 0], [-0.5, 2]], title="a game", row_labels=["up", "down"]))
    NFG 1 R "a game" { "Player 0" "Player 1" }
    { { "up" "down" } { "1" "2" } }
    ""
    <BLANKLINE>
    1/3 -1/3 -0.5 0.5
    0 0 2 -2
    <BLANKLINE>
    """
    own = read_matrix(payoffs)
    other = _other(own, column_payoffs)
    if len(players) != 2:
        raise SolverError(f"{len(players)} players: expected two")
    rows, columns = own.shape
    strategies = [
        labels(_labels(row_labels, rows, "row"), "rows"),
        labels(_labels(column_labels, columns, "column"), "columns"),
    ]
    lines = [
        f"NFG 1 R {quoted(title, 'the title')} {labels(players, 'players')}",
        f"{{ {' '.join(strategies)} }}",
        quoted(comment, "the comment"),
        "",
    ]
    # The strategy of the first player changes fastest: a line for each column.
    for j in range(columns):
        pairs = ((own.entries[i][j], other[i][j]) for i in range(rows))
        lines.append(" ".join(number_text(number) for pair in pairs for number in pair))
    return "\n".join(lines) + "\n"


def _other(own: PayoffMatrix, column_payoffs: PayoffsLike | None) -> Sequence[Sequence[Any]]:
    if column_payoffs is None:
        return [[-entry for entry in row] for row in own.entries]
    other = read_matrix(column_payoffs, "column_payoffs")
    if other.shape != own.shape:
        raise PayoffError(f"column_payoffs have the shape {other.shape}, payoffs {own.shape}")
    return other.entries


def _labels(given: Sequence[str] | None, count: int, what: str) -> Sequence[str]:
    if given is None:
        return [str(number) for number in range(1, count + 1)]
    if isinstance(given, str) or len(given) != count:
        raise SolverError(f"{what}_labels {given!r} do not fit the matrix: expected {count} names")
    return given


@dataclass(frozen=True, eq=False)
class StrategicGame:
    """A game in strategic form, read from a file.

    Attributes
    ----------
    title, comment : str
        What the file says of the game.
    players : tuple of str
        What the players are called.
    strategies : tuple of tuples of str
        What the strategies of each player are called; numbers where the file has no names.
    payoffs : tuple of arrays of Fraction
        For each player the payoffs, exactly, by the strategy of each player. ``astype(float)``
        makes floats of them; those that were written by `nfg` come back equal.
    """

    title: str
    comment: str
    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    payoffs: tuple[NDArray[Any], ...]


def read_nfg(text: str) -> StrategicGame:
    """Read a game from the text of a ``.nfg`` file, with payoffs or with outcomes.

    Parameters
    ----------
    text : str
        The text of the file.

    Raises
    ------
    SolverError
        If it is not in this format; the message names the line.

    Examples
    --------
    >>> game = read_nfg('NFG 1 R "a game" { "one" "two" } { 2 2 } 4 -4 1 -1 1 -1 2 -2')
    >>> game.payoffs[0].astype(float)
    array([[4., 1.],
           [1., 2.]])
    >>> from solver.matrix import solve
    >>> solve(game.payoffs[0]).value
    1.75
    """
    reader = _Reader(text)
    for known in (("NFG",), ("1",), ("R", "D")):
        token = reader.next("word", "NFG 1 R, as files of this format begin")
        if token.text not in known:
            reader.fail("NFG 1 R, as files of this format begin", token)
    title = reader.text("the title")
    players = tuple(reader.texts("the names of the players"))
    strategies = reader.strategies(len(players))
    comment = reader.text("a comment") if reader.follows('"') else ""
    shape = tuple(map(len, strategies))
    read = reader.outcomes if reader.follows("{") else reader.payoffs
    payoffs = read(len(players), prod(shape))
    # The strategy of the first player changes fastest.
    arrays = (np.array(own, dtype=object).reshape(shape[::-1]).T for own in payoffs)
    return StrategicGame(title, comment, players, strategies, tuple(arrays))


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Reader:
    """Reads the parts of a file one after another."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise SolverError(f"{type(text).__name__} is no text of a file")
        self._tokens = list(_tokens(text))
        self._place = 0

    def fail(self, expected: str, token: _Token) -> NoReturn:
        """Say what should stand where something else does."""
        found = token.text if len(token.text) <= 40 else f"{token.text[:40]}..."
        found = f"'{found}'" if token.kind != "end" else "the end"
        raise SolverError(f"line {token.line}: expected {expected}, found {found}")

    def follows(self, start: str) -> bool:
        """Return whether the next part begins so."""
        return self._tokens[self._place].text.startswith(start)

    def next(self, kind: str, expected: str, text: str = "") -> _Token:
        """Return the next part, which must be of a kind."""
        token = self._tokens[self._place]
        if token.kind != kind or (text and token.text != text):
            self.fail(expected, token)
        self._place += 1
        return token

    def text(self, expected: str) -> str:
        """Return what stands in quotes."""
        return self.next("text", f"{expected} in quotes").text[1:-1].replace('\\"', '"')

    def texts(self, expected: str) -> list[str]:
        """Return what stands in quotes, in braces."""
        opening = self.next("brace", f"{expected} in braces", "{")
        found = []
        while not self.follows("}"):
            found.append(self.text(expected))
        self._place += 1
        if not found:
            self.fail(f"{expected} in braces", opening._replace(text="{ }"))
        return found

    def number(self, expected: str) -> Fraction:
        """Return a number, exactly."""
        token = self.next("word", expected)
        if len(token.text) > _LONGEST or not _NUMBER.fullmatch(token.text):
            self.fail(expected, token)
        try:
            return Fraction(token.text)
        except ZeroDivisionError:
            self.fail(expected, token)

    def whole(self, expected: str, most: int) -> int:
        """Return a whole number from 0 to `most`."""
        token = self.next("word", expected)
        if not re.fullmatch(r"\d{1,15}", token.text, re.ASCII) or int(token.text) > most:
            self.fail(expected, token)
        return int(token.text)

    def strategies(self, players: int) -> tuple[tuple[str, ...], ...]:
        """Return what each player's strategies are called."""
        self.next("brace", "the strategies in braces", "{")
        found: list[tuple[str, ...]] = []
        while not self.follows("}"):
            if self.follows("{"):
                found.append(tuple(self.texts("the strategies of a player")))
                continue
            left = len(self._tokens)
            token = self._tokens[self._place]
            count = self.whole("how many strategies a player has, no more than payoffs", left)
            if not count:
                self.fail("one strategy or more", token)
            found.append(tuple(str(number) for number in range(1, count + 1)))
        closing = self.next("brace", "a closing brace", "}")
        if len(found) != players:
            self.fail(f"strategies of {players} players", closing._replace(text=f"{len(found)}"))
        return tuple(found)

    def payoffs(self, players: int, cells: int) -> list[list[Fraction]]:
        """Return the payoffs of each player, told one by one."""
        self._check_rest(players * cells, "payoffs")
        flat = [self.number("a payoff") for _ in range(players * cells)]
        return [flat[player::players] for player in range(players)]

    def outcomes(self, players: int, cells: int) -> list[list[Fraction]]:
        """Return the payoffs of each player, told by the numbers of outcomes; 0 pays nothing."""
        self.next("brace", "the outcomes in braces", "{")
        known = [[Fraction(0)] * players]
        while not self.follows("}"):
            self.next("brace", "an outcome in braces", "{")
            self.text("the name of an outcome")
            known.append([self._payoff() for _ in range(players)])
            self.next("brace", f"a closing brace after {players} payoffs", "}")
        self._place += 1
        self._check_rest(cells, "numbers of outcomes")
        most = len(known) - 1
        chosen = [self.whole(f"the number of one of {most} outcomes", most) for _ in range(cells)]
        return [[known[number][player] for number in chosen] for player in range(players)]

    def _payoff(self) -> Fraction:
        payoff = self.number("a payoff")
        if self._tokens[self._place].kind == "comma":
            self._place += 1
        return payoff

    def _check_rest(self, count: int, what: str) -> None:
        """Refuse a file with more or fewer numbers than its strategies ask for."""
        start, found = self._tokens[self._place], len(self._tokens) - self._place - 1
        if found != count:
            raise SolverError(
                f"line {start.line}: expected {count:,} {what} from here on, found {found:,}"
            )


def _tokens(text: str) -> Iterator[_Token]:
    """Split a file into its parts."""
    line, place, end = 1, 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            line += text.count("\n", place, text.index('"', place))
            raise SolverError(f"line {line}: a quote is opened and never closed")
        line += text.count("\n", place, match.start(match.lastgroup))
        yield _Token(match.lastgroup, match[match.lastgroup], line)
        line += match[match.lastgroup].count("\n")
        place = match.end()
    yield _Token("end", "", line)
