"""A document as text for a terminal."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from solver.document import (
    Block,
    Document,
    Item,
    Labelled,
    Paragraph,
    Section,
    Table,
    Verbatim,
    check_document,
)
from solver.errors import SolverError
from solver.rendering.characters import in_one_line
from solver.text_layout import aligned

__all__ = ["to_text"]

_NARROWEST: Final = 60
_LABEL: Final = 8
"""The room for a label in front of its section."""
_LONGEST_LABEL: Final = 24
"""A longer label in a section stands on a line of its own."""
_INDENT: Final = 3
"""How much further to the right stands what belongs to an item."""


def to_text(document: Document, width: int | None = 80) -> str:
    """Write a document as text for a terminal: the opening, then the sections.

    Parameters
    ----------
    document : Document
        What is to be written. Its title is left out: the opening says what it is about.
    width : int, optional
        The longest line, 60 or more; None for lines of any length. Tables and drawings are as wide
        as they must be.

    Raises
    ------
    SolverError
        If this is no document, or the width is too small.
    """
    check_document(document)
    if width is not None and (
        isinstance(width, bool) or not isinstance(width, int) or width < _NARROWEST
    ):
        raise SolverError(f"width is {width!r}: expected a whole number, {_NARROWEST} or more")
    parts = [_blocks(document.opening, 0, width)]
    parts += [_section(section, width) for section in document.sections]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _section(section: Section, width: int | None) -> list[str]:
    label = in_one_line(section.label).strip()
    if len(label) >= _LABEL:
        return _wrapped(label, width) + _blocks(section.blocks, 0, width)
    if not label:
        return _blocks(section.blocks, 0, width)
    first, *rest = _blocks(section.blocks, _LABEL, width) or [""]
    return [f"{label:{_LABEL}}{first[_LABEL:]}".rstrip(), *rest]


def _blocks(blocks: Sequence[Block], indent: int, width: int | None) -> list[str]:
    """Return blocks as lines, each `indent` to the right."""
    lengths = [len(block.label) for block in blocks if isinstance(block, Labelled)]
    room = max((length for length in lengths if length <= _LONGEST_LABEL), default=0) + 2
    if indent < _LABEL:
        # Outside a section with a label, labels stand as those of sections do.
        room = max(room, _LABEL)
    margin = " " * indent
    lines: list[str] = []
    for block in blocks:
        match block:
            case Paragraph():
                lines += _wrapped(block.text, width if block.wraps else None, margin, margin)
            case Labelled():
                rest = margin + " " * room
                first = f"{margin}{in_one_line(block.label):{room}}"
                if len(first) > len(rest):
                    lines += _wrapped(block.label, width, margin, margin)
                    first = rest
                lines += _wrapped(block.text, width, first, rest)
            case Table():
                lines += _table(block, indent, width)
            case Verbatim():
                lines += [f"{margin}{in_one_line(line)}".rstrip() for line in block.lines]
            case Item():
                lines += _wrapped(block.text, width, margin, margin)
                lines += _blocks(block.blocks, indent + _INDENT, width)
    return lines


def _table(table: Table, indent: int, width: int | None) -> list[str]:
    margin = " " * indent
    lines = _wrapped(table.caption, width, margin, margin) if table.caption else []
    if lines and not indent:
        # At the margin nothing else sets the table off from its caption.
        lines.append("")
    rows = [[in_one_line(cell) for cell in row] for row in (*_head_rows(table), *table.rows)]
    return lines + [f"{margin}{line}".rstrip() for line in aligned(rows, table.left, table.gap)]


def _head_rows(table: Table) -> list[list[str]]:
    """Return the heads as rows, the last lines of all in the last row."""
    heads = [head.split("\n") for head in table.header]
    if not any(table.header):
        return []
    depth = max(map(len, heads))
    filled = [[""] * (depth - len(lines)) + lines for lines in heads]
    return [list(row) for row in zip(*filled, strict=True)]


def _wrapped(text: str, width: int | None, first: str = "", rest: str = "") -> list[str]:
    text = in_one_line(text)
    if width is None:
        return [f"{first}{text}".rstrip()]
    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return [line.rstrip() for line in lines or [first]]
