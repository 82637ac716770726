"""Characters that no page may take over as they are.

Names of games and of bonus rules come from files that anybody can write. Control characters in them
could move a terminal's cursor, turn the direction of writing, or break a page.
"""

import re
import unicodedata
from typing import Final

__all__ = ["in_one_line", "spaces_kept"]

_DIRECTIONS: Final = frozenset(
    "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_BREAKS: Final = re.compile(r"\r\n|[\t-\r\x85\u2028\u2029]")
_REFUSED: Final = ("Cc", "Cs", "Co", "Cn")
"""Control characters, halves of pairs, and what stands for nothing that is agreed on."""


def in_one_line(text: str) -> str:
    r"""Return a text with spaces for line breaks and tabs, and ``?`` for what cannot be read.

    Examples
    --------
    >>> in_one_line("one\ntwo"), in_one_line("\x1b[31mred\u202e")
    ('one two', '?[31mred?')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "?" if unicodedata.category(sign) in _REFUSED or sign in _DIRECTIONS else sign
        for sign in _BREAKS.sub(" ", text)
    )


def spaces_kept(text: str, sign: str) -> str:
    """Return a text whose runs of spaces a browser does not draw together.

    Parameters
    ----------
    text : str
        The text, with no break in it.
    sign : str
        What stands for all spaces of a run but the last, and for those at the beginning.

    Examples
    --------
    >>> spaces_kept("  a   b ", "_")
    '__a__ b'
    """
    kept = re.sub(r" {2,}", lambda run: sign * (len(run[0]) - 1) + " ", text.rstrip().lstrip(" "))
    return sign * (len(text) - len(text.lstrip(" "))) + kept if kept else ""
