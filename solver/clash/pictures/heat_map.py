"""A payoff matrix in colours that work in grey print too, with a mix on its margin.

From dark blue (bad) over grey (even) to light yellow (good), symmetric about zero: hue tells the
sign, and so does lightness, which rises from end to end. Every cell has its number.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GREY", "INK", "HeatMap", "color_of", "draw_scale", "signed"]

INK: Final = "#1a1a1a"
GREY: Final = "#5c5c5c"
_BAR: Final = "#6f6f6f"
# Red, green and blue of the worst, of zero and of the best.
_STOPS: Final = np.array([[0.07, 0.17, 0.37], [0.64, 0.64, 0.63], [1.0, 0.93, 0.60]])
_DARK: Final = 0.18
"""Colours of less luminance have white text: there the contrast of both is the same."""


def signed(worth: float) -> str:
    """Return an amount with its sign; what rounds to nothing has none.

    Examples
    --------
    >>> signed(0.25), signed(-0.00049), signed(-0.0051)
    ('+0.250', '0', '-0.005')
    """
    text = f"{worth:+.3f}"
    return "0" if float(text) == 0 else text


def color_of(part: float) -> tuple[float, float, float]:
    """Return the colour of an amount, -1 the worst and 1 the best.

    Examples
    --------
    >>> color_of(0.0)
    (0.64, 0.64, 0.63)
    """
    red, green, blue = (float(np.interp(part, (-1, 0, 1), _STOPS[:, k])) for k in range(3))
    return red, green, blue


def luminance(color: tuple[float, float, float]) -> float:
    """Return the relative luminance of an sRGB colour, 0 to 1."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


class HeatMap:
    """A matrix on axes in inches, its upper left corner and the size of its cells known.

    Parameters
    ----------
    axes : Axes
        From `games.picture_file.new_canvas`.
    corner : pair of float
        Where the first cell begins.
    cell : pair of float
        Width and height of a cell.
    payoffs : float array
        The matrix.
    """

    def __init__(
        self,
        axes: "Axes",
        corner: tuple[float, float],
        cell: tuple[float, float],
        payoffs: NDArray[np.float64],
    ) -> None:
        self.axes, self.corner, self.cell, self.payoffs = axes, corner, cell, payoffs

    @property
    def most(self) -> float:
        """The amount at which the colours end, up and down."""
        return float(np.abs(self.payoffs).max()) or 1.0

    def x(self, column: float) -> float:
        """Return where a column begins; its middle at a half more."""
        return self.corner[0] + column * self.cell[0]

    def y(self, row: float) -> float:
        """Return where a row begins."""
        return self.corner[1] + row * self.cell[1]

    def draw(self, size: float) -> None:
        """Draw the cells with their numbers, in letters of that size."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        for (i, j), worth in np.ndenumerate(self.payoffs):
            color = color_of(float(worth) / self.most)
            self.axes.add_patch(
                Rectangle((self.x(j), self.y(i)), *self.cell, facecolor=color, edgecolor="white")
            )
            ink = "white" if luminance(color) < _DARK else INK
            self.text(self.x(j + 0.5), self.y(i + 0.5), signed(float(worth)), size, color=ink)

    def frame(self, row: int, column: int) -> None:
        """Mark a cell by a frame, dark with a light line inside: it stands out on every colour."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        for inset, color, width in ((0.03, INK, 2.4), (0.06, "white", 1.2)):
            corner = self.x(column) + inset, self.y(row) + inset
            wide, high = (length - 2 * inset for length in self.cell)
            self.axes.add_patch(
                Rectangle(corner, wide, high, fill=False, edgecolor=color, linewidth=width)
            )

    def mix_right(self, chances: Sequence[float], texts: Sequence[str], longest: float) -> None:
        """Draw a mix of the rows as bars to the right of the matrix, `longest` inches for 1."""
        left = self.x(self.payoffs.shape[1]) + 0.1
        for i, (chance, text) in enumerate(zip(chances, texts, strict=True)):
            self._bar(left, self.y(i + 0.5) - 0.11, chance * longest, 0.22)
            self.text(left + chance * longest + 0.06, self.y(i + 0.5), text, 10, ha="left")

    def mix_above(
        self, chances: Sequence[float], texts: Sequence[str], base: float, longest: float
    ) -> None:
        """Draw a mix of the columns as bars that stand on `base`."""
        for j, (chance, text) in enumerate(zip(chances, texts, strict=True)):
            self._bar(self.x(j + 0.5) - 0.16, base - chance * longest, 0.32, chance * longest)
            self.text(self.x(j + 0.5), base - chance * longest - 0.1, text, 10)

    def text(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        """Write a text, by default about the point."""
        style = {"color": INK, "ha": "center", "va": "center", **style}
        self.axes.text(x, y, text, fontsize=size, **style)

    def _bar(self, x: float, y: float, wide: float, high: float) -> None:
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        self.axes.add_patch(Rectangle((x, y), wide, high, facecolor=_BAR, edgecolor=INK))


def draw_scale(
    axes: "Axes", corner: tuple[float, float], width: float, most: float, unit: str
) -> None:
    """Draw what the colours mean: a strip from the worst to the best amount."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    (x, y), parts = corner, 81
    for part in range(parts):
        color = color_of(2 * part / (parts - 1) - 1)
        left = x + width * part / parts
        # A little wider than its share, so that no gap shows.
        axes.add_patch(Rectangle((left, y), 1.02 * width / parts, 0.16, facecolor=color))
    axes.add_patch(Rectangle((x, y), width * 1.001, 0.16, fill=False, edgecolor=INK))
    for place, text in ((0.0, signed(-most)), (0.5, "0"), (1.0, f"{signed(most)} {unit}")):
        axes.text(
            x + width * place, y + 0.28, text, fontsize=9, color=INK, ha="center", va="center"
        )
