"""Words and lines for any text: tables in columns, lists, plurals, shares in percent."""

import math
from collections.abc import Iterable, Sequence

__all__ = ["aligned", "count", "joined", "shares"]


def aligned(rows: Sequence[Sequence[str]], left: int = 1, gap: int = 2) -> list[str]:
    """Return the rows of a table as lines, the first columns aligned left and the others right.

    Parameters
    ----------
    rows : sequence of rows
        The cells, as many in each row.
    left : int
        How many columns are aligned left.
    gap : int
        Spaces between columns.

    Examples
    --------
    >>> aligned([["Water", "+0.104"], ["Fire", "0"]])
    ['Water  +0.104', 'Fire        0']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            f"{cell:{'<' if place < left else '>'}{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def joined(items: Iterable[str], last: str = "and") -> str:
    """Join words to a list.

    Examples
    --------
    >>> joined(["Water", "Fire", "Air"]), joined(["Water", "Fire"], "or")
    ('Water, Fire and Air', 'Water or Fire')
    """
    *before, end = items
    return f"{', '.join(before)} {last} {end}" if before else end


def count(number: int, what: str) -> str:
    """Return a number with its noun, in the plural where it takes it.

    Examples
    --------
    >>> count(1, "point"), count(2, "point")
    ('1 point', '2 points')
    """
    return f"{number} {what}" + ("" if number == 1 else "s")


def shares(chances: Iterable[float]) -> list[str]:
    """Return the chances of anything in percent, rounded so that they sum to exactly 100.0.

    Of the tenths lost by rounding down, each goes to the chance that lost most (the method of the
    largest remainder).

    Examples
    --------
    >>> shares([0.25, 0.75]), shares([2 / 3, 1 / 3, 0])
    (['25.0%', '75.0%'], ['66.7%', '33.3%', '0.0%'])
    """
    exact = [1000 * max(chance, 0.0) for chance in chances]
    tenths = [math.floor(share + 1e-6) for share in exact]
    order = sorted(range(len(exact)), key=lambda place: tenths[place] - exact[place])
    for place in order[: 1000 - sum(tenths)]:
        tenths[place] += 1
    return [f"{share // 10}.{share % 10}%" for share in tenths]
