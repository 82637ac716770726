"""The text of what a bonus of the user's own remembers.

It is the Python literal, so that positions and saved tables can hold it and read it back.
"""

from ast import literal_eval
from collections.abc import Hashable
from enum import IntEnum

from games.errors import NotationError

__all__ = ["memory_from_text", "memory_to_text"]


def memory_to_text(memory: Hashable) -> str:
    """Return the literal of a memory; elements and times in it are written as whole numbers.

    Examples
    --------
    >>> from games.clash.elements import Element
    >>> memory_to_text((Element.AIR, None, "calm"))
    "(2, None, 'calm')"
    """
    return repr(_plain(memory))


def memory_from_text(text: str) -> Hashable:
    """Read a memory from its literal.

    Raises
    ------
    NotationError
        If the text is no literal of a hashable value.
    """
    try:
        memory: Hashable = literal_eval(text.strip())
        hash(memory)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise NotationError(
            f"memory={text} cannot be read back: expected a Python literal"
        ) from None
    return memory


def _plain(memory: object) -> object:
    """Replace elements and times, which compare equal to their numbers, by these."""
    if isinstance(memory, IntEnum):
        return int(memory)
    if type(memory) is tuple:
        return tuple(map(_plain, memory))
    return memory
