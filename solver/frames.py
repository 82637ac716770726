"""Results as tables of pandas: what both games need for it.

pandas is an optional package, imported when a table is asked for. The tables themselves are made by
`solver.clash.frames` and `solver.solstis.frames`, all in one way:

* one function for each kind of table, called by what a row is: ``strategy_frame``, ``moves_frame``;
* tidy: a row for each thing and a column for each property, under the name that the property has in
  Python; the one exception are payoff matrices, which stay matrices;
* numbers are those of the result, not rounded; Fractions stay Fractions, in columns of objects;
* cards and times are their codes (``W``, ``Da``), hands, positions and actions the texts that are
  read back; players are 0 and 1;
* what is not known is missing (``NaN``).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.errors import MissingPackageError
from solver.errors import StateError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["column_frame", "no_frame", "payoff_frame", "row_frame"]


def _pandas() -> Any:
    try:
        import pandas  # noqa: PLC0415
    except ImportError:
        raise MissingPackageError(
            "tables need pandas, which is not installed: python -m pip install pandas"
        ) from None
    return pandas


def column_frame(columns: Mapping[str, Any]) -> "pd.DataFrame":
    """Return a table from its columns.

    Parameters
    ----------
    columns : mapping
        Name and entries of each column, all of one length.

    Raises
    ------
    MissingPackageError
        If pandas is not installed.
    """
    frame: pd.DataFrame = _pandas().DataFrame(dict(columns))
    return frame


def row_frame(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> "pd.DataFrame":
    """Return a table from its rows, which may be none.

    Parameters
    ----------
    rows : sequence of sequences
        The entries of each row.
    columns : sequence of str
        The names of the columns.

    Raises
    ------
    MissingPackageError
        If pandas is not installed.
    """
    frame: pd.DataFrame = _pandas().DataFrame(list(rows), columns=list(columns))
    return frame


def payoff_frame(
    payoffs: NDArray[Any], rows: Sequence[str], columns: Sequence[str]
) -> "pd.DataFrame":
    """Return a payoff matrix with the names of its rows and columns.

    Parameters
    ----------
    payoffs : array, shape (rows, columns)
        What player 0 gets.
    rows, columns : sequences of str
        What players 0 and 1 choose from.

    Raises
    ------
    MissingPackageError
        If pandas is not installed.
    """
    pandas = _pandas()
    frame: pd.DataFrame = pandas.DataFrame(
        np.array(payoffs),
        index=pandas.Index(list(rows), name="player 0"),
        columns=pandas.Index(list(columns), name="player 1"),
    )
    return frame


def no_frame(result: object, expected: str) -> StateError:
    """Return the error for an object of which there is no such table."""
    return StateError(f"there is no such table of a {type(result).__name__}: expected {expected}")
