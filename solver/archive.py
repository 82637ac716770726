"""Files of results: a zip archive of numpy arrays with a header in JSON.

A file says its format and its version; one that is damaged, of another format or of another version
is refused with the reason. Nothing is unpickled.
"""

import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.errors import GameError
from games.files import written_aside
from solver.errors import SolverError, TableError

__all__ = ["DAMAGE", "Arrays", "checked", "read_archive", "write_archive"]

Arrays: TypeAlias = dict[str, NDArray[Any]]

DAMAGE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    SyntaxError,
    MemoryError,
    NotImplementedError,
    zlib.error,
    zipfile.BadZipFile,
    GameError,
    SolverError,
)
"""What reading a file that is damaged, or none of ours, may raise."""


def write_archive(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a header and arrays to a file, aside first, so that an old one is never half replaced.

    Parameters
    ----------
    path : path
        The file.
    header : mapping
        What JSON can hold; with the fields ``format`` and ``version``.
    arrays : mapping
        Arrays by name; ``header`` is taken.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with written_aside(path) as file:
        np.savez_compressed(file, allow_pickle=False, header=text, **arrays)


def read_archive(
    path: str | os.PathLike[str], kind: str, version: int, what: str
) -> tuple[dict[str, Any], Arrays]:
    """Read the header and the arrays of a file that `write_archive` wrote.

    Parameters
    ----------
    path : path
        The file.
    kind, version
        The format and the version that are wanted.
    what : str
        What such a file is called, for the errors: "a table of open hands".

    Raises
    ------
    TableError
        If the file is damaged, or of another format or version.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    content = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(arrays["header"].tobytes())
        found, made = header["format"], header["version"]
    except DAMAGE as error:
        # numpy takes whatever is no archive of its own for pickled data, and advises to trust it.
        reason = "" if "pickle" in str(error) else f": {error}"
        raise TableError(f"{name} is damaged, or not {what}{reason}") from None
    if found != kind:
        raise TableError(f"{name} holds {found!r}, not {what}")
    if made != version:
        raise TableError(f"{name} is of format version {made!r}; this program reads {version}")
    return header, arrays


def checked(array: NDArray[Any], dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array if it is of a type and shape and holds finite numbers only.

    Raises
    ------
    ValueError
        If it is not.
    """
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"an array is {array.dtype} {array.shape}, not {dtype.__name__} {shape}")
    if not np.isfinite(array).all():
        raise ValueError("an array holds numbers that are not finite")
    return array
