"""Documents written as text, Markdown, HTML and JSON, whatever their words are."""

import json
import math
from collections import Counter
from enum import Enum, IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.document import (
    FORMATS,
    Document,
    Item,
    Labelled,
    Paragraph,
    Section,
    Table,
    Verbatim,
)
from solver.errors import SolverError
from solver.rendering import (
    render,
    to_data,
    to_html,
    to_html_fragment,
    to_json,
    to_markdown,
    to_text,
)
from solver.rendering.markdown import escaped
from tests.document_readers import (
    Page,
    blocks_of,
    markdown_tables,
    markdown_words,
    tables_of,
    words_of,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "</main></body>&amp;&lt;\"'>",
    "| a | b |",
    "a\\|b \\ ` `` ``` ~~~",
    "*bold* _it_ ~~gone~~ $x$ [link](http://a.b) ![i](x) www.a.b c@d.e",
    "- item", "+ item", "1. item", "2) item", "# head", "--- ", "> quote", "===", "    code",
    "two\nlines\r\nand\ttabs\x0b\x0c\x85\u2028\u2029",
    "\x1b[31mred\x1b[0m \x00 \x9b31m \ud800 \u202eright to left\u202c",
    "{{ x }} {% y %} <!-- z --> ]]> <?php",
    "Grüße, 日本 🌞",
    "",
    "   ",
]  # fmt: skip
ODD = st.sampled_from(HOSTILE) | st.text(max_size=12)


def everything(text, label="Play"):
    """Return a document with a text wherever one can be."""
    return Document(
        text,
        (Paragraph(text), Verbatim((text, "```", text))),
        (
            Section(
                label,
                (
                    Paragraph(text, wraps=False),
                    Labelled(text, text),
                    Labelled("second", text),
                    Table((text, "b\nc"), ((text, text), ("x", text)), caption=text),
                    Table((), ((text, text),), names=("one", text)),
                    Item(text, (Paragraph(text), Labelled(text, text), Verbatim((text,)))),
                    Item(text),
                ),
            ),
            Section(text, (Paragraph(text),)),
        ),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text):
    page = everything(text)
    shown = Counter(words_of(everything(render_plainly(text)), on_terminal=False))
    read = Page(to_html(page))
    allowed = {
        *("html", "head", "meta", "title", "style", "body", "main", "article", "section"),
        *("h1", "h2", "p", "pre", "dl", "dt", "dd", "ul", "li", "div"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    }
    assert {tag for tag, _ in read.elements} <= allowed
    assert Counter(read.words()) == shown
    assert Counter(markdown_words(to_markdown(page))) == shown
    terminal = to_text(page)
    assert all(line.isprintable() for line in terminal.split("\n"))
    said = Counter(words_of(everything(render_plainly(text)), on_terminal=True))
    assert Counter(to_text(page, width=None).split()) == said


def render_plainly(text):
    """Return a text with spaces for breaks and a question mark for what cannot be shown."""
    for sign in "\r\n\t\x0b\x0c\x85\u2028\u2029":
        text = text.replace(sign, " ")
    for sign in "\x00\x1b\x9b\ud800\u202e\u202c":
        text = text.replace(sign, "?")
    return text


@settings(max_examples=60, deadline=None)
@given(ODD, ODD)
def test_any_document_can_be_written(text, label):
    page = everything(text, label)
    read = Page(to_html(page))
    for tables in (read.tables, markdown_tables(to_markdown(page))):
        assert len(tables) == 2
        for table in tables:
            assert {len(row) for row in table} == {2}
    assert json.loads(to_json(page))["title"] == text
    for line in to_text(page).split("\n"):
        assert line == line.rstrip()


def test_markdown_is_read_as_it_was_meant():
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    for text in HOSTILE:
        page = everything(text)
        read = Page(f"<div>{reader.render(to_markdown(page))}</div>")
        tags = Counter(tag for tag, _ in read.elements)
        assert tags["table"] == 2
        assert not tags.keys() & {"a", "img", "em", "script", "blockquote", "hr", "del", "ol"}
        assert tags["h1"] == bool(text.strip())
        assert tags["h2"] == 1 + bool(text.strip())
        tables = [[row for row in table if any(row)] for table in read.tables]
        plain = " ".join(render_plainly(text).split())
        for table in tables:
            assert [" ".join(cell.split()) for cell in table[-1]][1] == plain or not plain


def test_a_fence_is_longer_than_what_it_holds():
    lines = to_markdown(Document("x", (Verbatim(("````", "a")),), ())).splitlines()
    assert lines[2:] == ["`````text", "````", "a", "`````"]


def test_text_of_sections():
    page = Document(
        "not shown",
        (Paragraph("First."),),
        (
            Section("Play", (Labelled("Fire", "beats Air"), Labelled("Water", "never"))),
            Section("Worst moments", (Item("1. turn 3", (Labelled("played", "4-4"),)),)),
            Section("", (Table(("", "a\nb"), (("x", "1"), ("yy", "22")), caption="Of all:"),)),
            Section("Empty", ()),
        ),
    )
    assert to_text(page).split("\n") == [
        "First.",
        "",
        "Play    Fire   beats Air",
        "        Water  never",
        "",
        "Worst moments",
        "1. turn 3",
        "   played  4-4",
        "",
        "Of all:",
        "",
        "     a",
        "     b",
        "x    1",
        "yy  22",
        "",
        "Empty",
    ]


def test_a_long_label_stands_alone():
    page = Document("x", (), (Section("", (Labelled("l" * 30, "one"), Labelled("m", "two"))),))
    assert to_text(page).split("\n") == ["l" * 30, "        one", "m       two"]


def test_width():
    words = "word " * 60
    page = Document("x", (Paragraph(words), Paragraph(words, wraps=False)), ())
    lines = to_text(page, 60).split("\n")
    assert [len(line) <= 60 for line in lines] == [True] * (len(lines) - 1) + [False]
    assert len(to_text(page, None).split("\n")) == 2
    for width in (59, True, 80.0, "80", float("nan")):
        with pytest.raises(SolverError, match="width is"):
            to_text(page, width)


def test_a_page_needs_nothing_and_tells_its_heads():
    page = everything("Water & Fire")
    text = to_html(page)
    assert text.isascii()
    assert text.startswith("<!DOCTYPE html>\n")
    read = Page(text)
    assert read.elements[0] == ("html", {"lang": "en"})
    assert read.texts["title"] == read.texts["h1"] == ["Water & Fire"]
    for tag, attributes in read.elements:
        assert not attributes.keys() & {"src", "href", "onclick", "style"}
        assert (tag == "th") == ("scope" in attributes)
    for word in ("url(", "@import", "http"):
        assert word not in text
    rows = [attributes["scope"] for tag, attributes in read.elements if tag == "th"]
    assert rows.count("row") == sum(
        len(block.rows) for block in blocks_of(page) if isinstance(block, Table)
    )
    fragment = to_html_fragment(page)
    assert fragment in text
    assert Page(fragment).elements[0] == ("article", {"lang": "en"})


def test_spaces_of_a_table_are_kept():
    page = Document("x", (Table(("", "n"), (("  skill", "1"),)),), ())
    assert '<th scope="row">&nbsp;&nbsp;skill</th>' in to_html(page)
    assert "| &nbsp;&nbsp;skill | 1 |" in to_markdown(page)
    assert tables_of(page) == [[["skill", "1"]]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. first", "1\\. first"),
        ("+0.104", "+0.104"),
        ("+-0.1", "+-0.1"),
        ("-", "\\-"),
        ("---", "\\---"),
        ("play_tile 1-6@3", "play\\_tile 1-6@3"),
        ("a@b.c", "a\\@b.c"),
        ("&amp;", "&amp;amp;"),
    ],
)
def test_markdown_escapes_what_it_must_and_little_else(text, expected):
    assert escaped(text) == expected


# ---- data


class Suit(IntEnum):
    CLUBS = 0


class Colour(Enum):
    RED = "r"


def test_data_is_faithful():
    source = {
        "third": Fraction(1, 3),
        "three": Fraction(3),
        "suit": Suit.CLUBS,
        "colour": Colour.RED,
        "yes": True,
        "none": None,
        "array": np.array([[1.5, np.nan], [np.inf, -np.inf]]),
        "whole": np.int64(7),
        "half": np.float32(0.5),
        "flag": np.bool_(True),
        1: (Suit.CLUBS, [0.1]),
        Suit.CLUBS: 0.1 + 0.2,
    }
    data = json.loads(to_json(Document("x", (), (), "example", source)))
    assert data == {
        "format": "example",
        "version": 1,
        "third": "1/3",
        "three": "3",
        "suit": "CLUBS",
        "colour": "RED",
        "yes": True,
        "none": None,
        "array": [[1.5, "NaN"], ["Infinity", "-Infinity"]],
        "whole": 7,
        "half": 0.5,
        "flag": True,
        "1": ["CLUBS", [0.1]],
        "CLUBS": 0.1 + 0.2,
    }
    assert math.isnan(float(data["array"][0][1]))
    assert float(data["array"][1][1]) == -math.inf


def test_a_result_without_fields_and_a_document_without_result():
    assert json.loads(to_json(Document("x", (), (), "pair", (1, 2))))["result"] == [1, 2]
    data = json.loads(to_json(everything("text")))
    assert data["format"] == "document"
    kinds = [block["block"] for block in data["sections"][0]["blocks"]]
    assert kinds == ["paragraph", "labelled", "labelled", "table", "table", "item", "item"]
    assert data["sections"][0]["blocks"][3]["rows"] == [["text", "text"], ["x", "text"]]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (object(), "object: nothing is known"),
        ({"a": {1, 2}}, "set: nothing is known"),
        ({"a": b"x"}, "bytes: nothing is known"),
        ({"a": 1j}, "complex: nothing is known"),
        ({(1, 2): 1}, "tuple cannot name"),
        ({None: 1}, "NoneType cannot name"),
        ({1: 1, "1": 2}, "both be named '1'"),
        ({"format": 1}, "field 'format'"),
        ({"a": Paragraph}, "type: nothing is known"),
    ],
)
def test_what_cannot_be_written_as_data_is_refused(source, message):
    with pytest.raises(SolverError, match=message):
        to_json(Document("x", (), (), "example", source))


# ---- refusals


def test_bad_documents_are_refused():
    row = ("a", "b")
    for make, message in (
        (lambda: Table((), ()), "needs a row"),
        (lambda: Table(("a",), (row,)), "header of a table: 1 cells"),
        (lambda: Table(row, (row,), names=("a",)), "names of a table"),
        (lambda: Table(row, (row, ("a",))), "row 2 of a table has 1 cells"),
        (lambda: Table(row, (row,), left=3), "left is 3"),
        (lambda: Table(row, (row,), gap=-1), "gap -1"),
        (lambda: Section("x", ("text",)), "str is no block"),
        (lambda: Section("x", [Paragraph("x")]), "list: expected a tuple"),
        (lambda: Item("x", (None,)), "NoneType is no block"),
        (lambda: Document("x", (3,), ()), "int is no block"),
        (lambda: Document("x", (), (Paragraph("x"),)), "Paragraph is no section"),
    ):
        with pytest.raises(SolverError, match=message):
            make()


def test_bad_requests_are_refused():
    page = everything("text")
    for form in ("pdf", "", None, ["html"]):
        with pytest.raises(SolverError, match="there is no format"):
            render(page, form)
    for thing in ("text", None, {}):
        with pytest.raises(SolverError, match="is no Document"):
            render(thing, "html")
    assert [bool(render(page, form)) for form in FORMATS] == [True] * 4
    assert to_data(page)["title"] == "text"
