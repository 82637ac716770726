"""The data that a document was made from, as JSON."""

import json
from typing import Final

from solver.document import Document, check_document
from solver.errors import SolverError
from solver.rendering.data import to_data

__all__ = ["VERSION", "to_json"]

VERSION: Final = 1
"""Changed when a field changes its name or its meaning; new fields leave it as it is."""


def to_json(document: Document) -> str:
    """Write the result that a document was made from as JSON, nothing rounded.

    An object: ``format`` is the document's kind, ``version`` the version of this writing, then come
    the fields of the result as `solver.rendering.data.to_data` writes them. A result that has no
    fields is under ``result``. A document made from nothing is written itself.

    Parameters
    ----------
    document : Document
        Whose source is to be written.

    Returns
    -------
    str
        Valid JSON in ASCII, without NaN or Infinity as numbers.

    Raises
    ------
    SolverError
        If this is no document, or the source holds something that cannot be written.

    Examples
    --------
    >>> from fractions import Fraction
    >>> source = {"value": Fraction(1, 3)}
    >>> print(to_json(Document("One third", (), (), "example", source)))
    {
     "format": "example",
     "version": 1,
     "value": "1/3"
    }
    """
    check_document(document)
    source = document if document.source is None else document.source
    data = to_data(source)
    if not isinstance(data, dict):
        data = {"result": data}
    head = {"format": document.kind, "version": VERSION}
    taken = head.keys() & data.keys()
    if taken:
        raise SolverError(f"a result has a field {min(taken)!r} of its own: rename it")
    return json.dumps(head | data, indent=1, allow_nan=False)
