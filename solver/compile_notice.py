"""A word on the terminal when numba compiles, so that a first run does not look like a hang."""

import sys

from numba.core.event import Event, Listener, register

__all__ = ["tell_of_compiling"]


class _Teller(Listener):
    """Tells once, at the first function that is compiled and not read from numba's cache."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._told = False

    def on_start(self, event: Event) -> None:
        if not self._told and sys.stderr is not None:
            words = "compiling, this once: it can take a minute"
            print(f"{self._name}: {words}", file=sys.stderr, flush=True)
        self._told = True

    def on_end(self, event: Event) -> None:
        """Nothing is to be said: the answer follows."""


def tell_of_compiling(name: str) -> None:
    """Print one line on standard error when numba begins to compile, at most once.

    Parameters
    ----------
    name : str
        Of the program, which begins the line.

    Examples
    --------
    >>> from contextlib import redirect_stderr
    >>> from io import StringIO
    >>> from numba import njit
    >>> tell_of_compiling("example.py")
    >>> with redirect_stderr(StringIO()) as told:
    ...     njit(lambda x: x + 1)(1), njit(lambda x: x - 1)(1)
    (2, 0)
    >>> print(told.getvalue(), end="")
    example.py: compiling, this once: it can take a minute
    """
    register("numba:compile", _Teller(name))  # type: ignore[no-untyped-call]
