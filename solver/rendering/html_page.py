"""A document as a page of HTML that needs no other file, or as a part of a page."""

from collections.abc import Sequence
from html import escape
from itertools import groupby
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
from solver.rendering.characters import in_one_line, spaces_kept

__all__ = ["to_html", "to_html_fragment"]

# No colour but the reader's own two, so that it is read on paper and by everybody.
_STYLE: Final = """\
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  font: 1rem/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: start; padding-bottom: 0.4rem; }
th, td { padding: 0.2rem 0.7rem; text-align: start; border-bottom: 1px solid; }
tbody th { font-weight: normal; }
.number { text-align: end; }
dt { font-weight: bold; }
dd { margin: 0 0 0.6rem 1.5rem; }
pre { overflow-x: auto; line-height: 1.2; }
@media print {
  body { max-width: none; margin: 0; }
  .wide, pre { overflow: visible; }
  h2 { break-after: avoid; }
  tr, li, dd { break-inside: avoid; }
}"""


def to_html(document: Document) -> str:
    """Write a document as a whole page, with its style in it.

    Parameters
    ----------
    document : Document
        What is to be written.

    Returns
    -------
    str
        The page, in ASCII: it is read alike whatever encoding is taken for it.

    Raises
    ------
    SolverError
        If this is no document.
    """
    title = _text(check_document(document).title)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{_STYLE}
</style>
</head>
<body>
<main>
{to_html_fragment(document)}
</main>
</body>
</html>"""


def to_html_fragment(document: Document) -> str:
    """Write a document as an ``<article>`` for a page of one's own, without style.

    Parameters
    ----------
    document : Document
        What is to be written.

    Raises
    ------
    SolverError
        If this is no document.

    Examples
    --------
    >>> print(to_html_fragment(Document("1 < 2", (Paragraph("Fire & Air"),), ())))
    <article lang="en">
    <h1>1 &lt; 2</h1>
    <p>Fire &amp; Air</p>
    </article>
    """
    title = _text(check_document(document).title)
    lines = ['<article lang="en">', f"<h1>{title}</h1>"]
    lines += _blocks(document.opening)
    for section in document.sections:
        lines += _section(section)
    return "\n".join([*lines, "</article>"])


def _text(text: str) -> str:
    return _in_ascii(spaces_kept(escape(in_one_line(text)), "&nbsp;"))


def _in_ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _section(section: Section) -> list[str]:
    if not section.label.strip():
        return _blocks(section.blocks)
    return [
        "<section>",
        f"<h2>{_text(section.label)}</h2>",
        *_blocks(section.blocks),
        "</section>",
    ]


def _blocks(blocks: Sequence[Block]) -> list[str]:
    """Return blocks as lines; neighbours that are labelled, or items, become one list."""
    lines: list[str] = []
    for kind, group in groupby(blocks, type):
        around = {Labelled: "dl", Item: "ul"}.get(kind)
        inner = [line for block in group for line in _block(block)]
        lines += inner if around is None else [f"<{around}>", *inner, f"</{around}>"]
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph():
            return [f"<p>{_text(block.text)}</p>"]
        case Labelled():
            return [f"<dt>{_text(block.label)}</dt>", f"<dd>{_text(block.text)}</dd>"]
        case Table():
            return _table(block)
        case Verbatim():
            shown = "\n".join(escape(in_one_line(line)) for line in block.lines)
            return [f"<pre>{_in_ascii(shown)}</pre>"]
        case Item():
            return ["<li>", f"<p>{_text(block.text)}</p>", *_blocks(block.blocks), "</li>"]


def _table(table: Table) -> list[str]:
    lines = ['<div class="wide">', "<table>"]
    if table.caption:
        lines.append(f"<caption>{_text(table.caption)}</caption>")
    if any(table.heads):
        cells = "".join(_cell(head, place, table, "col") for place, head in enumerate(table.heads))
        lines += ["<thead>", f"<tr>{cells}</tr>", "</thead>"]
    lines.append("<tbody>")
    for row in table.rows:
        first, *others = (
            _cell(cell, place, table, "" if place else "row") for place, cell in enumerate(row)
        )
        lines.append(f"<tr>{first}{''.join(others)}</tr>")
    return [*lines, "</tbody>", "</table>", "</div>"]


def _cell(text: str, place: int, table: Table, scope: str) -> str:
    """Return a cell; one with a scope is a head, unless it says nothing."""
    number = "" if place < table.left else ' class="number"'
    shown = _text(text)
    if scope and shown:
        return f'<th scope="{scope}"{number}>{shown}</th>'
    return f"<td{number}>{shown}</td>"
