"""A document: what there is to say, in blocks, whatever it will be written as.

Explanations and reviews are data first. Makers of documents put that data into words, tables and
drawings; `solver.rendering` writes a document as text for a terminal, as Markdown or HTML, and the
data that it was made from as JSON. A document knows no game and computes nothing: every number in
it is one that its `source` holds, rounded.
"""

from dataclasses import dataclass, field
from types import UnionType
from typing import Final, Literal, TypeAlias, get_args

from solver.errors import SolverError

__all__ = [
    "FORMATS",
    "Block",
    "Document",
    "Format",
    "Item",
    "Labelled",
    "Paragraph",
    "Section",
    "Table",
    "Verbatim",
]

Format: TypeAlias = Literal["text", "markdown", "html", "json"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
"""What a document can be written as."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences.

    Attributes
    ----------
    text : str
        The sentences, without line breaks.
    wraps : bool
        Whether a terminal breaks it into lines of the width asked for; otherwise it stays one line.
    """

    text: str
    wraps: bool = True


@dataclass(frozen=True, slots=True)
class Labelled:
    """A paragraph with a label in front, such as a card and what it does.

    Attributes
    ----------
    label : str
        A word or a few.
    text : str
        The paragraph.
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    r"""A table. The first cell of a row says what the row is about.

    Attributes
    ----------
    header : tuple of str
        The heads of the columns, as a terminal shows them; a line break in a head begins a second
        line of heads. Empty when there are none; a row of heads without any text is not shown.
    rows : tuple of rows
        The cells, as many in each row.
    left : int
        How many columns are aligned left; the others are aligned right.
    caption : str
        What the table shows; printed before it.
    names : tuple of str
        The heads in full, for pages on which a cell is read by its head (Markdown, HTML); those of
        `header` when empty.
    gap : int
        Spaces between the columns on a terminal.

    Raises
    ------
    SolverError
        If heads or rows have different numbers of cells, there are no rows, or no such columns can
        be aligned left.

    Examples
    --------
    >>> Table(("", "value"), (("Dawn", "+0.1"), ("Noon", "0.0"))).columns
    2
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    caption: str = ""
    names: tuple[str, ...] = ()
    gap: int = 2

    def __post_init__(self) -> None:
        if not self.rows:
            raise SolverError("a table needs a row")
        for what, cells in (("header", self.header), ("names", self.names)):
            if cells and len(cells) != self.columns:
                raise SolverError(
                    f"{what} of a table: {len(cells)} cells, but its rows have {self.columns}"
                )
        for number, row in enumerate(self.rows, 1):
            if len(row) != self.columns:
                raise SolverError(
                    f"row {number} of a table has {len(row)} cells, the first has {self.columns}"
                )
        if not 0 <= self.left <= self.columns or self.gap < 0:
            raise SolverError(
                f"left is {self.left} and gap {self.gap}: expected 0 to {self.columns} columns, "
                "and 0 spaces or more"
            )

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads in full, in one line each; an empty text for each column that has none."""
        heads = self.names or self.header or ("",) * self.columns
        return tuple(" ".join(head.split()) for head in heads)


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that stay as they are, such as a drawing.

    Attributes
    ----------
    lines : tuple of str
        The lines.
    """

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list: a line, and what belongs to it.

    Attributes
    ----------
    text : str
        The line.
    blocks : tuple of blocks
        What belongs to it, shown further to the right.

    Raises
    ------
    SolverError
        If something is no block.
    """

    text: str
    blocks: "tuple[Block, ...]" = ()

    def __post_init__(self) -> None:
        _check(self.blocks, Block)


Block: TypeAlias = Paragraph | Labelled | Table | Verbatim | Item


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document.

    Attributes
    ----------
    label : str
        Its heading; may be empty. On a terminal one of up to seven characters stands in front of
        the section, a longer one above it.
    blocks : tuple of blocks
        What it says.

    Raises
    ------
    SolverError
        If something is no block.
    """

    label: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        _check(self.blocks, Block)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text, not yet written as anything.

    Attributes
    ----------
    title : str
        What it is about, for pages that have a title; text on a terminal begins with the opening.
    opening : tuple of blocks
        The situation, before the first section.
    sections : tuple of Section
        What there is to say; a maker leaves out those without blocks.
    kind : str
        The name under which the data is written as JSON, for instance ``"clash-explanation"``.
    source : object
        The result that the document was made from; it is what JSON holds.

    Raises
    ------
    SolverError
        If something in the opening is no block, or in the sections no section.

    Examples
    --------
    >>> page = Document(
    ...     "Round 6",
    ...     (Paragraph("Round 6 of 6, Noon."),),
    ...     (Section("Play", (Labelled("Fire", "beats Air"),)),),
    ... )
    >>> from solver.rendering import render
    >>> print(render(page))
    Round 6 of 6, Noon.
    <BLANKLINE>
    Play    Fire  beats Air
    """

    title: str
    opening: tuple[Block, ...]
    sections: tuple[Section, ...]
    kind: str = "document"
    source: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _check(self.opening, Block)
        _check(self.sections, Section)


def _check(parts: object, expected: type | UnionType) -> None:
    if not isinstance(parts, tuple):
        raise SolverError(f"{type(parts).__name__}: expected a tuple of the parts of a document")
    for part in parts:
        if not isinstance(part, expected):
            kind = "section" if expected is Section else "block"
            raise SolverError(f"{type(part).__name__} is no {kind} of a document")


def check_document(document: object) -> Document:
    """Return the document if it is one.

    Raises
    ------
    SolverError
        If it is something else; the message says what makes a document of it.
    """
    if not isinstance(document, Document):
        raise SolverError(
            f"{type(document).__name__} is no Document: a maker of documents, such as "
            "explanation_document, makes one of a result"
        )
    return document
