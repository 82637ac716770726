"""Reading written documents back, by other means than they were written with."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from solver.document import Block, Document, Item, Labelled, Paragraph, Table, Verbatim

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """A page of HTML, read strictly: every element is closed, in its order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.tables: list[list[list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        self.elements.append((tag, dict(attrs)))
        if tag in VOID:
            return
        self.open.append(tag)
        self.texts.setdefault(tag, []).append("")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open:
            assert not data.strip()
            return
        self.texts[self.open[-1]][-1] += data
        if self.open[-1] in ("th", "td"):
            self.tables[-1][-1][-1] += data

    def words(self) -> list[str]:
        """Return all words that are shown."""
        hidden = ("style", "title")
        texts = (text for tag, found in self.texts.items() if tag not in hidden for text in found)
        return [word for text in texts for word in text.split()]


def cells_of(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table, still escaped."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line[1:-1])]


def markdown_tables(text: str) -> list[list[list[str]]]:
    """Return the tables of a Markdown text outside fences, as rows of cells."""
    tables: list[list[list[str]]] = []
    fence, before = "", False
    for line in text.splitlines():
        ticks = re.match(r"\s*(`{3,})", line)
        if ticks and (not fence or line.strip() == fence):
            fence = "" if fence else ticks[1]
        is_row = not fence and line.lstrip().startswith("| ")
        if is_row:
            if not before:
                tables.append([])
            tables[-1].append(cells_of(line.strip()))
        before = is_row
    return tables


def markdown_words(text: str) -> list[str]:
    """Return the words of a Markdown text as its author meant them, its marks left out."""
    words: list[str] = []
    fence = ""
    for line in text.splitlines():
        ticks = re.match(r"\s*(`{3,})", line)
        if ticks and (not fence or line.strip() == fence):
            fence = "" if fence else ticks[1]
            continue
        if fence:
            words += line.split()
            continue
        if re.fullmatch(r"\s*\|( :?-+:? \|)+", line):
            continue
        text = re.sub(r"^\s*(#{1,2}|-)( |$)", "", line)
        text = re.sub(r"^\*\*(.*?)(?<!\\)\*\*", r"\1", text)
        text = re.sub(r"(?<!\\)\|", " ", text).replace("&nbsp;", " ")
        words += re.sub(r"\\(.)", r"\1", text).replace("&amp;", "&").split()
    return words


def blocks_of(document: Document) -> Iterator[Block]:
    """Yield all blocks, those of items too."""

    def walk(blocks):
        for block in blocks:
            yield block
            if isinstance(block, Item):
                yield from walk(block.blocks)

    yield from walk(document.opening)
    for section in document.sections:
        yield from walk(section.blocks)


def words_of(document: Document, on_terminal: bool) -> list[str]:
    """Return the words that a written document must show, in any order."""
    texts = [section.label for section in document.sections]
    texts += [] if on_terminal else [document.title]
    for block in blocks_of(document):
        match block:
            case Paragraph() | Item():
                texts.append(block.text)
            case Labelled():
                texts += [block.label, block.text]
            case Verbatim():
                texts += block.lines
            case Table():
                texts += [block.caption, *(block.header if on_terminal else block.heads)]
                texts += [cell for row in block.rows for cell in row]
    return [word for text in texts for word in text.split()]


def tables_of(document: Document) -> list[list[list[str]]]:
    """Return the cells of all tables, without heads."""
    return [
        [[" ".join(cell.split()) for cell in row] for row in block.rows]
        for block in blocks_of(document)
        if isinstance(block, Table)
    ]
