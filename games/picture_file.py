"""Figures of matplotlib, an optional package: made without a window, written aside."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from games.errors import GameError, MissingPackageError
from games.files import written_aside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_title", "new_canvas", "new_figure", "plain_style", "save_figure", "text_width"]

_DPI: Final = (10, 1200)
_MOST_PIXELS: Final = 20_000
# What a format writes beside the drawing: dates and versions, which would make each file another.
_NO_METADATA: Final[dict[str, dict[str, Any]]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw in the style that matplotlib comes with, whatever style the user has chosen.

    A dollar sign in a text is one, and no formula.

    Raises
    ------
    MissingPackageError
        If matplotlib is missing.
    """
    try:
        from matplotlib import rc_context, style  # noqa: PLC0415
    except ImportError:
        raise _missing() from None
    with style.context("default"), rc_context({"text.parse_math": False}):
        yield


def new_figure(width: float, height: float, dpi: float = 150) -> "Figure":
    """Return an empty figure of so many inches; it belongs to no window.

    Raises
    ------
    GameError
        If matplotlib is missing, or the dots per inch make no sense.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise _missing() from None
    least, most = _DPI
    if isinstance(dpi, bool) or not isinstance(dpi, Real) or not least <= dpi <= most:
        raise GameError(f"dpi is {dpi!r}: expected dots per inch, {least} to {most}")
    if max(width, height) * dpi > _MOST_PIXELS:
        raise GameError(
            f"a picture of {width:.0f} by {height:.0f} inches at {dpi} dpi is too large: at most "
            f"{_MOST_PIXELS} dots in a row"
        )
    return Figure(figsize=(width, height), dpi=dpi, facecolor="white")


def new_canvas(width: float, height: float, dpi: float = 150) -> tuple["Figure", "Axes"]:
    """Return a figure and axes all over it: their unit is the inch, and y counts downwards.

    Raises
    ------
    GameError
        As for `new_figure`.
    """
    figure = new_figure(width, height, dpi)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide a text is when drawn, in inches, the size in points."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    font = FontProperties(size=size, weight=weight)
    width, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def check_title(title: object) -> str | None:
    """Return a title if it is one, or None for the picture's own."""
    if title is not None and not isinstance(title, str):
        raise GameError(f"title is {title!r}: expected text")
    return title


def save_figure(
    figure: "Figure", path: str | os.PathLike[str] | None, dpi: float = 150
) -> "Figure":
    """Write a figure to a file if one is named, and return it.

    The ending of the file says the format. An old file is replaced when the new one is complete.
    The same figure gives the same bytes: neither date nor version is written.

    Raises
    ------
    GameError
        If the ending names no format that matplotlib knows.
    OSError
        If the file cannot be written.
    """
    if path is None:
        return figure
    from matplotlib import rc_context  # noqa: PLC0415

    path = Path(path)
    kind, known = path.suffix.removeprefix(".").lower(), figure.canvas.get_supported_filetypes()
    if kind not in known:
        raise GameError(f"{path.name!r} names no format of pictures: end it in .png, .svg or .pdf")
    # Names within an SVG are random without a salt.
    with written_aside(path) as file, rc_context({"svg.hashsalt": "picture"}):
        smaller: dict[str, Any] = {"pil_kwargs": {"optimize": True}} if kind == "png" else {}
        figure.savefig(file, format=kind, dpi=dpi, metadata=_NO_METADATA.get(kind), **smaller)
    return figure


def _missing() -> MissingPackageError:
    return MissingPackageError(
        "pictures need matplotlib, which is not installed: python -m pip install matplotlib"
    )
