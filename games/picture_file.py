"""Figures of matplotlib, an optional package: made without a window, written aside."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import GameError
from games.files import written_aside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["new_figure", "save_figure"]


def new_figure(width: float, height: float, dpi: int = 150) -> "Figure":
    """Return an empty figure of so many inches; it belongs to no window.

    Raises
    ------
    GameError
        If matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise GameError(
            "pictures need matplotlib, which is not installed: "
            "python -m pip install 'solaris-solstis[plot]', or just matplotlib"
        ) from None
    return Figure(figsize=(width, height), dpi=dpi, facecolor="white")


def save_figure(figure: "Figure", path: str | os.PathLike[str], dpi: int = 150) -> None:
    """Write a figure to a file whose ending says the format; an old file is replaced at the end.

    The same figure gives the same bytes: no date is written.

    Raises
    ------
    GameError
        If the ending names no format that matplotlib knows.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    kind, known = path.suffix.removeprefix(".").lower(), figure.canvas.get_supported_filetypes()
    if kind not in known:
        raise GameError(f"{path.name!r} names no format of pictures: end it in .png, .svg or .pdf")
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with written_aside(path) as file:
        figure.savefig(file, format=kind, dpi=dpi, metadata=dated.get(kind))
