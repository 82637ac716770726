"""Tables of what to play in round 1 of Solaris' Clash with open hands, as text and as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap

from games.clash import Element, Rules, format_times
from solver.clash.explanations.claims import TIE, Mix, check_player
from solver.clash.explanations.situation_text import situation, time_words
from solver.clash.explanations.variants import mix_of
from solver.clash.explanations.words import Amounts, cells, name
from solver.clash.open_hands import OpenEntry
from solver.text_layout import aligned

__all__ = ["table_csv", "table_text"]

_OPEN = "Hands are taken as open: each player knows both."
_BLINDLY = """\
Each column answers one hand of the opponent as if it were known. No column, and no
average of them, is a way to play blindly while that hand is hidden."""


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
    player = check_player(player)
    if len(found) == 1:
        return "\n".join(_single(found[0], player, amounts))
    rules = found[0].state.rules
    lines = wrap(time_words(found[0].state), 80)
    lines += [] if rules == Rules() else [f"Rules: {rules}."]
    lines += [_OPEN, _BLINDLY]
    lines.append(f"Chances of your cards; values to you ({amounts.unit()}).")
    for own, block in groupby(found, key=lambda entry: str(entry.state.hands[player].extras)):
        lines += ["", *_block(own, list(block), player, amounts)]
    return "\n".join(lines)


def _block(own: str, found: list[OpenEntry], player: int, amounts: Amounts) -> list[str]:
    """Return the lines of one own hand: a row for each card and one for the value."""
    columns = [cells(_mixes(entry)[player]) for entry in found]
    rows = [[name(card), *chances] for card, *chances in zip(Element, *columns, strict=True)]
    head = [f"You {own}", *(f"{entry.state.hands[1 - player].extras!s:>6}" for entry in found)]
    values = [amounts.signed(_value(entry, player)) for entry in found]
    return aligned([head, *rows, ["value", *values]], gap=1)


def _single(found: OpenEntry, player: int, amounts: Amounts) -> list[str]:
    mixes = _mixes(found)
    value = _value(found, player)
    weighed = amounts.weighed(value)
    lines = aligned(
        [
            ["", *map(name, Element)],
            ["You play", *cells(mixes[player])],
            ["They play", *cells(mixes[1 - player])],
        ]
    )
    worth = (
        f"Worth {amounts.said(value)} {amounts.unit()} to you. {weighed[0].upper()}{weighed[1:]}."
    )
    others = [] if found.unique else ["There are other mixes as good, of yours or of theirs."]
    return [*situation(found.state, player, 80), _OPEN, "", *lines, "", worth, *others]


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
