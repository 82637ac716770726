"""Lines of text: wrapped paragraphs, labelled ones, and tables."""

from collections.abc import Sequence
from textwrap import wrap
from typing import TypeAlias

__all__ = ["Body", "Part", "aligned", "section"]

Part: TypeAlias = str | tuple[str, str] | list[str]
"""A paragraph; a label and its paragraph; or lines that stay as they are."""

Body: TypeAlias = list[Part]

_LABEL = 8


def section(label: str, body: Body, width: int) -> list[str]:
    r"""Return a section as lines: its label in front of the first, the body indented.

    Examples
    --------
    >>> print(*section("Play", [("Fire", "beats Air"), ["(exact)"]], 60), sep="\n")
    Play    Fire  beats Air
            (exact)
    """
    indent = " " * _LABEL
    inner = max((len(part[0]) for part in body if isinstance(part, tuple)), default=0) + 2
    lines: list[str] = []
    for part in body:
        if isinstance(part, list):
            lines += [f"{indent}{line}".rstrip() for line in part]
        elif isinstance(part, tuple):
            first = f"{indent}{part[0]:{inner}}"
            lines += _wrapped(part[1], width, first, " " * len(first))
        else:
            lines += _wrapped(part, width, indent, indent)
    return [f"{label:{_LABEL}}{lines[0][_LABEL:]}", *lines[1:]]


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


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
