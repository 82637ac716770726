"""Tables of what to play in round 1 of Solaris' Clash with open hands, as text and as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeAlias

from games.clash import Element, Rules, format_times
from solver.clash.explanations.claims import TIE, Mix, check_player
from solver.clash.explanations.situation_text import situation_blocks, time_words
from solver.clash.explanations.variants import mix_of
from solver.clash.explanations.words import Amounts, cells, name
from solver.clash.open_hands import OpenEntry
from solver.document import Block, Document, Paragraph, Section, Table
from solver.rendering import to_text

__all__ = ["table_csv", "table_document", "table_text"]

_OPEN = "Hands are taken as open: each player knows both."
_BLINDLY = (
    "Each column answers one hand of the opponent as if it were known. No column, and no average "
    "of them, is a way to play blindly while that hand is hidden."
)


def table_text(found: Sequence[OpenEntry], player: int, amounts: Amounts) -> str:
    """Return a table for a player at a table.

    Parameters
    ----------
    found : sequence of OpenEntry
        Positions of round 1 with the same times, in the order of own extras: one position is shown
        with both players' play; of several, a block for each own hand, a column for each hand of
        the opponent.
    player : int
        Whose table it is, 0 or 1.
    amounts : Amounts
        How amounts are written.

    Examples
    --------
    >>> from games.clash import State
    >>> from solver.clash import solve_open
    >>> deal = State.start(["WFAE+WF", "WFAE+FE"], "DaNoDuMi")
    >>> print(table_text([solve_open(deal).entry(deal)], 0, Amounts("win")))
    Round 1 of 6, Dawn: a Water that wins scores 2 points, any other winner 1. Then
    Noon, Dusk, Midnight; 2 times face down.
    You       2 Water, 2 Fire, 1 Air, 1 Earth   0 points
    Opponent  1 Water, 2 Fire, 1 Air, 2 Earth   0 points
    Hands are taken as open: each player knows both.
    <BLANKLINE>
               Water   Fire    Air  Earth
    You play   48.7%  15.9%  35.4%     0%
    They play  36.8%     0%  55.8%   7.4%
    <BLANKLINE>
    Worth -0.006 antes to you. As good as even: you lose 0.6 games in 100 more than you win.
    """
    return to_text(table_document(found, player, amounts))


def table_document(found: Sequence[OpenEntry], player: int, amounts: Amounts) -> Document:
    """Return the document of a table: what `table_text` writes for a terminal.

    Parameters
    ----------
    found, player, amounts
        As for `table_text`.
    """
    player = check_player(player)
    opening, sections = (_single if len(found) == 1 else _blocks)(found, player, amounts)
    return Document(
        title=f"Solaris' Clash: what to play first in {format_times(found[0].state.times)}",
        opening=tuple(opening),
        sections=tuple(Section("", tuple(blocks)) for blocks in sections if blocks),
        kind="clash-play-table",
        source=tuple(found),
    )


_Parts: TypeAlias = tuple[list[Block], list[list[Block]]]


def _blocks(found: Sequence[OpenEntry], player: int, amounts: Amounts) -> _Parts:
    rules = found[0].state.rules
    words = [time_words(found[0].state), _OPEN, _BLINDLY]
    if rules != Rules():
        words.insert(1, f"Rules: {rules}.")
    words.append(f"Chances of your cards; values to you ({amounts.unit()}).")
    tables: list[list[Block]] = [
        [_block(own, list(block), player, amounts)]
        for own, block in groupby(found, key=lambda entry: str(entry.state.hands[player].extras))
    ]
    return [Paragraph(text) for text in words], tables


def _block(own: str, found: list[OpenEntry], player: int, amounts: Amounts) -> Table:
    """Return the table of one own hand: a row for each card and one for the value."""
    columns = [cells(_mixes(entry)[player]) for entry in found]
    rows = [(name(card), *chances) for card, *chances in zip(Element, *columns, strict=True)]
    values = [amounts.signed(_value(entry, player)) for entry in found]
    heads = (f"{entry.state.hands[1 - player].extras!s:>6}" for entry in found)
    return Table((f"You {own}", *heads), (*rows, ("value", *values)), gap=1)


def _single(found: Sequence[OpenEntry], player: int, amounts: Amounts) -> _Parts:
    entry = found[0]
    mixes = _mixes(entry)
    value = _value(entry, player)
    weighed = amounts.weighed(value)
    table = Table(
        ("", *map(name, Element)),
        (("You play", *cells(mixes[player])), ("They play", *cells(mixes[1 - player]))),
    )
    worth = (
        f"Worth {amounts.said(value)} {amounts.unit()} to you. {weighed[0].upper()}{weighed[1:]}."
    )
    last: list[Block] = [Paragraph(worth, wraps=False)]
    if not entry.unique:
        last.append(Paragraph("There are other mixes as good, of yours or of theirs."))
    return [*situation_blocks(entry.state, player), Paragraph(_OPEN)], [[table], last]


def _mixes(found: OpenEntry) -> tuple[Mix, Mix]:
    return mix_of(found.row), mix_of(found.column)


def _value(found: OpenEntry, player: int) -> float:
    """Return the value to a player; what rounding leaves of nought is nought."""
    value = float(-found.value if player else found.value)
    return 0.0 if abs(value) <= TIE else value


def table_csv(found: Iterable[OpenEntry], player: int, amounts: Amounts) -> str:
    """Return a table as CSV: a line for each position.

    Columns: ``times``, ``you`` and ``opponent`` (extras), ``value`` to you (times the ante), the
    chance of each card of yours (``you_W`` ... ``you_E``) and of theirs (``opponent_W`` ...), and
    ``unique``, 1 where each player has one optimal mixture only.
    """
    player = check_player(player)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    chances = [f"{who}_{card.letter}" for who in ("you", "opponent") for card in Element]
    writer.writerow(["times", "you", "opponent", "value", *chances, "unique"])
    for entry in found:
        seats = (player, 1 - player)
        extras = [str(entry.state.hands[seat].extras) for seat in seats]
        value = _value(entry, player) * amounts.ante
        mixes = [chance for seat in seats for chance in _mixes(entry)[seat].values()]
        times = format_times(entry.state.times)
        writer.writerow([times, *extras, value, *mixes, int(entry.unique)])
    return file.getvalue()
