"""A document as GitHub-flavoured Markdown."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from solver.document import (
    Block,
    Document,
    Item,
    Labelled,
    Paragraph,
    Table,
    Verbatim,
    check_document,
)
from solver.rendering.characters import in_one_line, spaces_kept

__all__ = ["escaped", "to_markdown"]

_SIGNS: Final = re.compile(r"[\\`*_\[\]<>|~$#]")
_LINKS: Final = re.compile(r":(?=//)|(?<=www)\.|@(?=[\w.-]*\.)", re.IGNORECASE)
_STARTS: Final = re.compile(r"^(-(?=-|\s|$)|\+(?=\s|$)|\d+[.)](?=\s|$))")
"""What begins a list or a rule, at the beginning of a line."""
_SPACE: Final = "&nbsp;"


def to_markdown(document: Document) -> str:
    """Write a document as Markdown: a title, a heading for each section, tables as tables.

    Paragraphs are one line each. All that is Markdown in the document's own words is escaped, so
    that it is read as it stands.

    Parameters
    ----------
    document : Document
        What is to be written.

    Raises
    ------
    SolverError
        If this is no document.
    """
    title = escaped(check_document(document).title)
    parts = [f"# {title}"] if title else []
    parts += _blocks(document.opening)
    for section in document.sections:
        if section.label.strip():
            parts.append(f"## {escaped(section.label)}")
        parts += _blocks(section.blocks)
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    r"""Return a text that Markdown reads as it stands, in one line.

    Examples
    --------
    >>> escaped("play_tile 4-4 | <b>"), escaped("1. first"), escaped("+0.104 & more")
    ('play\\_tile 4-4 \\| \\<b\\>', '1\\. first', '+0.104 &amp; more')
    """
    text = _SIGNS.sub(lambda found: f"\\{found[0]}", in_one_line(text).replace("&", "&amp;"))
    text = _LINKS.sub(lambda found: f"\\{found[0]}", text)
    return _STARTS.sub(_begun, spaces_kept(text, _SPACE))


def _begun(start: re.Match[str]) -> str:
    """Return what would begin a list or a rule with a backslash before its last sign."""
    return f"{start[0][:-1]}\\{start[0][-1]}"


def _blocks(blocks: Sequence[Block]) -> list[str]:
    """Return blocks as parts with an empty line between them; labelled ones become a list."""
    parts: list[str] = []
    for kind, group in groupby(blocks, type):
        if kind is Labelled:
            parts.append("\n".join(_block(block) for block in group))
        else:
            parts += [_block(block) for block in group]
    return parts


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return escaped(block.text)
        case Labelled():
            label = escaped(block.label)
            return f"- **{label}** {escaped(block.text)}" if label else f"- {escaped(block.text)}"
        case Table():
            return _table(block)
        case Verbatim():
            return _fenced(block.lines)
        case Item():
            inner = "\n\n".join([escaped(block.text), *_blocks(block.blocks)])
            return "- " + re.sub(r"\n(?!\n)", "\n  ", inner).replace("\n  \n", "\n\n")


def _table(table: Table) -> str:
    rules = [":---" if place < table.left else "---:" for place in range(table.columns)]
    heads, *rows = ([escaped(cell) for cell in row] for row in (table.heads, *table.rows))
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)]
    caption = f"{escaped(table.caption)}\n\n" if table.caption else ""
    return caption + "\n".join(lines)


def _fenced(lines: Sequence[str]) -> str:
    shown = [in_one_line(line) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *shown, fence])
