"""The text of what a bonus of the user's own remembers.

It is the Python literal, so that positions and saved tables can hold it and read it back.
"""

from ast import literal_eval
from collections.abc import Hashable
from numbers import Integral

from games.errors import NotationError

__all__ = ["memory_from_text", "memory_to_text"]


def memory_to_text(memory: Hashable) -> str:
    """Return the literal of a memory; elements, times and numpy's numbers are written as numbers.

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
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is no text of a memory")
    try:
        memory: Hashable = literal_eval(text.strip())
        hash(memory)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise NotationError(
            f"memory={text} cannot be read back: expected a Python literal"
        ) from None
    return memory


def _plain(memory: object) -> object:
    """Replace elements, times and numpy's numbers, which compare equal to numbers, by these."""
    if isinstance(memory, Integral) and not isinstance(memory, bool):
        return int(memory)
    if isinstance(memory, float):
        return float(memory)
    if type(memory) is tuple:
        return tuple(map(_plain, memory))
    return memory
