"""Writing documents: as text for a terminal, as Markdown, as HTML, and their data as JSON.

One scheme for all results of both games. A result (an explanation, a review, a followed game) is
frozen data. A maker of documents, such as ``explanation_document(explanation)``, puts it into a
`solver.document.Document`. `render` writes the document in one of `FORMATS`; each has a module of
its own, which can be used by itself.
"""

from solver.document import FORMATS, Document, Format, check_document
from solver.errors import SolverError
from solver.rendering.data import to_data
from solver.rendering.html_page import to_html, to_html_fragment
from solver.rendering.json_data import to_json
from solver.rendering.markdown import to_markdown
from solver.rendering.terminal import to_text

__all__ = [
    "FORMATS",
    "Format",
    "render",
    "to_data",
    "to_html",
    "to_html_fragment",
    "to_json",
    "to_markdown",
    "to_text",
]


def render(document: Document, form: Format = "text", width: int | None = 80) -> str:
    """Write a document.

    Parameters
    ----------
    document : Document
        What is to be written.
    form : {"text", "markdown", "html", "json"}
        Text for a terminal; GitHub-flavoured Markdown; a page that needs no other file; or the data
        that the document was made from.
    width : int, optional
        Of text for a terminal, the longest line, 60 or more; None for lines of any length.

    Raises
    ------
    SolverError
        If this is no document, there is no such format, or the width is too small.

    Examples
    --------
    >>> from solver.document import Document, Section, Table
    >>> rows = (("Water", "+0.104"), ("Fire", "-0.219"))
    >>> page = Document("Cards", (), (Section("Why", (Table(("", "worth"), rows),)),))
    >>> print(render(page))
    Why             worth
            Water  +0.104
            Fire   -0.219
    >>> print(render(page, "markdown"))
    # Cards
    <BLANKLINE>
    ## Why
    <BLANKLINE>
    |  | worth |
    | :--- | ---: |
    | Water | +0.104 |
    | Fire | -0.219 |
    """
    check_document(document)
    if form == "text":
        return to_text(document, width)
    writers = {"markdown": to_markdown, "html": to_html, "json": to_json}
    if not isinstance(form, str) or form not in writers:
        raise SolverError(f"there is no format {form!r}: expected one of {', '.join(FORMATS)}")
    return writers[form](document)
