"""Pictures of what was computed for Solaris' Clash. Needs matplotlib, an optional package.

Blue is good for player 0, orange for player 1, darker the more so; the two are told apart by every
eye, and each number is written as well. Elements are told by their letters and by hatching.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.clash import Element, State
from games.picture_file import new_figure, save_figure
from solver.clash.explanations.claims import Explanation
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.open_hands import OpenSolution
from solver.clash.selection import SelectionGame
from solver.errors import SolverError, StateError
from solver.text_layout import shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "RoundMixes",
    "exploitability_picture",
    "mixes_along",
    "round_picture",
    "selection_picture",
    "strategies_picture",
]

_INK, _GREY = "#1a1a1a", "#8a8a8a"
_GOOD, _EVEN, _BAD = "#2166ac", "#f7f7f7", "#b35806"
_SHADES: Final = ("#4d4d4d", "#9e9e9e", "#d0d0d0", "#ffffff")
_HATCHES: Final = ("", "///", "...", "xx")
_DARK: Final = 0.68
"""On cells this far from even, text is white."""


def round_picture(
    why: Explanation, path: str | os.PathLike[str] | None = None, dpi: int = 150
) -> "Figure":
    """Return a heat map of a round: what each pair of cards is worth, and both equilibrium mixes.

    Parameters
    ----------
    why : Explanation
        From `solver.clash.explanations.explain`.
    path : path, optional
        The file; its ending says the format (.png, .svg, .pdf and others).
    dpi : int
        Dots per inch of formats that have dots.

    Returns
    -------
    matplotlib.figure.Figure
        Amounts are to player 0, in antes or points. Frames mark the pairs that the equilibrium
        plays; cards that another card or mix dominates say so.

    Raises
    ------
    SolverError
        If this is no explanation.
    StateError
        If there is no choice of cards to show: a time is due, or the game is over.
    GameError
        If matplotlib is missing, or does not know the format.
    OSError
        If the file cannot be written.
    """
    if not isinstance(why, Explanation):
        raise SolverError(f"{why!r} is no Explanation: use explain(state)")
    if why.matrix is None or why.sides is None:
        raise StateError(f"{why.state} has no matrix to show: a time is due, or the game is over")
    mine, theirs = why.sides
    matrix = np.asarray(why.matrix, dtype=np.float64)
    rows, columns = matrix.shape
    figure = new_figure(2.6 + 1.15 * columns, 1.9 + 0.75 * rows, dpi)
    axes = figure.add_axes((0.27, 0.1, 0.7, 0.62))
    _heat(axes, matrix, [[_signed(worth) for worth in line] for line in matrix], 11)
    for i, card in enumerate(mine.cards):
        for j, other in enumerate(theirs.cards):
            if card.chance > 0 and other.chance > 0:
                _frame(axes, i, j)
    row_shares = shares(card.chance for card in mine.cards)
    column_shares = shares(card.chance for card in theirs.cards)
    for i, (card, share) in enumerate(zip(mine.cards, row_shares, strict=True)):
        label = f"{card.element.name.capitalize()}  {share}"
        axes.text(-0.6, i, label + _dominated(card), ha="right", va="center", fontsize=10)
    for j, (card, share) in enumerate(zip(theirs.cards, column_shares, strict=True)):
        label = f"{card.element.name.capitalize()}\n{share}{_dominated(card)}"
        axes.text(j, -0.6, label, ha="center", va="bottom", fontsize=10)
    figure.text(0.03, 0.94, f"{why.state}", fontsize=11, weight="bold", va="center")
    worth = f"Worth {_signed(why.value)} {why.unit} to player 0; framed: played in equilibrium"
    figure.text(0.03, 0.04, worth, fontsize=9, va="center")
    return _finished(figure, path, dpi)


def selection_picture(
    game: SelectionGame, path: str | os.PathLike[str] | None = None, dpi: int = 150
) -> "Figure":
    """Return a heat map of the choice of extras under open hands.

    Parameters
    ----------
    game : SelectionGame
        From `solver.clash.selection_game`.
    path, dpi
        As for `round_picture`.

    Returns
    -------
    matplotlib.figure.Figure
        What the pair of a row earns against that of a column; pairs that the equilibrium selects
        are framed, with their chance.

    Raises
    ------
    SolverError
        If this is no selection game.
    GameError, OSError
        As for `round_picture`.
    """
    if not isinstance(game, SelectionGame):
        raise SolverError(f"{game!r} is no SelectionGame: use selection_game()")
    figure = new_figure(8.6, 7.2, dpi)
    axes = figure.add_axes((0.15, 0.07, 0.83, 0.8))
    texts = [[_signed(worth) for worth in line] for line in game.matrix]
    _heat(axes, game.matrix, texts, 8)
    chosen = [game.selection[label] > 1e-9 for label in game.labels]
    parts = shares(game.selection[label] for label in game.labels)
    for i, label in enumerate(game.labels):
        weight = "bold" if chosen[i] else "normal"
        text = f"{label}  {parts[i]}" if chosen[i] else label
        axes.text(-0.65, i, text, ha="right", va="center", fontsize=10, weight=weight)
        axes.text(i, -0.65, label, ha="center", va="bottom", fontsize=10, weight=weight)
        for j in range(len(game.labels)):
            if chosen[i] and chosen[j]:
                _frame(axes, i, j)
    unit = "antes" if game.objective == "win" else "points"
    head = f"Extras of player 0 (rows) against those of player 1, {unit}"
    figure.text(0.03, 0.96, head, fontsize=12, weight="bold", va="center")
    foot = f"Value {_signed(game.value)}; framed: selected in equilibrium"
    figure.text(0.03, 0.03, foot, fontsize=9, va="center")
    return _finished(figure, path, dpi)


@dataclass(frozen=True)
class RoundMixes:
    """How both players mix in a round.

    Attributes
    ----------
    label : str
        The round and its time: ``1 Da``.
    mixes : pair of mappings
        For each player the chance of each element.
    played : pair of Element, optional
        What was played then.
    """

    label: str
    mixes: tuple[Mapping[Element, float], Mapping[Element, float]]
    played: tuple[Element, Element] | None = None


def mixes_along(
    solution: OpenSolution | HiddenSolution, states: Iterable[State]
) -> list[RoundMixes]:
    """Return the mixes of a solution along a game, from its positions.

    Parameters
    ----------
    solution : OpenSolution or HiddenSolution
        Of the position at which the game starts; under hidden hands of the same deal.
    states : iterable of State
        The positions of the game in order, as `games.clash.Record.states` gives them.

    Raises
    ------
    SolverError
        If this is no solution of Clash, or no position of the game has a choice.
    """
    if not isinstance(solution, OpenSolution | HiddenSolution):
        raise SolverError(
            f"{type(solution).__name__}: expected what solve_open or solve_hidden gave"
        )
    found: list[RoundMixes] = []
    positions = list(states)
    history: list[tuple[Element, Element]] = []
    for place, state in enumerate(positions):
        if state.time_is_due or state.is_over:
            continue
        mixes = tuple(
            {card: float(chance) for card, chance in mix.items()}
            for mix in (_mix(solution, k, positions[0], history, state) for k in (0, 1))
        )
        last = place + 1 == len(positions)
        played = None if last else _played(state, positions[place + 1])
        assert state.time is not None
        found.append(RoundMixes(f"{state.round} {state.time.code}", (mixes[0], mixes[1]), played))
        if played is not None:
            history.append(played)
    if not found:
        raise SolverError("no position of the game has a choice of cards")
    return found


def _mix(
    solution: OpenSolution | HiddenSolution,
    player: int,
    start: State,
    history: list[tuple[Element, Element]],
    state: State,
) -> Mapping[Element, Any]:
    """Return how a player mixes in a position of a game."""
    if isinstance(solution, OpenSolution):
        return solution.strategy(state, player)
    return solution.strategy(player, start.hands[player], tuple(history), state.times)


def strategies_picture(
    rounds: Sequence[RoundMixes],
    path: str | os.PathLike[str] | None = None,
    title: str = "",
    dpi: int = 150,
) -> "Figure":
    """Return how both players mix, round by round.

    Parameters
    ----------
    rounds : sequence of RoundMixes
        From `mixes_along`.
    title : str
        What stands above.
    path, dpi
        As for `round_picture`.

    Returns
    -------
    matplotlib.figure.Figure
        A bar for each player and round, of one part for each element; below it what was played.

    Raises
    ------
    SolverError
        If there are no rounds.
    GameError, OSError
        As for `round_picture`.
    """
    if not rounds or not all(isinstance(one, RoundMixes) for one in rounds):
        raise SolverError("rounds: expected one RoundMixes or more, as mixes_along gives them")
    figure = new_figure(1.6 + 1.1 * len(rounds), 5.2, dpi)
    for player in (0, 1):
        axes = figure.add_axes((0.1, 0.57 - 0.46 * player, 0.87, 0.33))
        for place, one in enumerate(rounds):
            _bar(axes, place, one, player)
        axes.set(xlim=(-0.6, len(rounds) - 0.4), ylim=(0, 1), yticks=[0, 0.5, 1])
        axes.set_yticklabels(["0", "50 %", "100 %"], fontsize=8)
        labels = [one.label + _what_was_played(one, player) for one in rounds]
        axes.set_xticks(range(len(rounds)), labels, fontsize=8.5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylabel(f"player {player}", fontsize=9)
    figure.text(0.02, 0.955, title, fontsize=11, weight="bold", va="center")
    return _finished(figure, path, dpi)


def exploitability_picture(
    curves: Mapping[str, Sequence[tuple[int, float]]],
    path: str | os.PathLike[str] | None = None,
    unit: str = "antes",
    dpi: int = 150,
) -> "Figure":
    """Return how exploitability falls with the iterations, both on logarithmic scales.

    Parameters
    ----------
    curves : mapping of str to sequence of (int, float)
        Iterations and exploitability of each run, as `HiddenSolution.curve` holds them.
    unit : str
        Of the exploitability.
    path, dpi
        As for `round_picture`.

    Raises
    ------
    SolverError
        If there is no run, one has no point, or an exploitability is not positive.
    GameError, OSError
        As for `round_picture`.
    """
    if not curves or not all(len(points) for points in curves.values()):
        raise SolverError("curves: expected one run or more, each with a point or more")
    if any(done <= 0 or not 0 < gap < np.inf for run in curves.values() for done, gap in run):
        raise SolverError("curves: a logarithmic scale has positive, finite numbers only")
    figure = new_figure(6.4, 4.2, dpi)
    axes = figure.add_axes((0.13, 0.14, 0.82, 0.8))
    looks = (("-", "o", _GOOD), ("--", "s", _BAD), (":", "^", _INK), ("-.", "D", _GREY))
    for number, (label, points) in enumerate(curves.items()):
        line, marker, color = looks[number % len(looks)]
        done, gaps = zip(*points, strict=True)
        axes.loglog(done, gaps, line, marker=marker, color=color, label=label, markersize=4)
    axes.set_xlabel("iterations")
    ticks = sorted({done for points in curves.values() for done, _ in points})
    axes.set_xticks(ticks[:: 1 + len(ticks) // 12], minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.set_ylabel(f"exploitability ({unit})")
    axes.grid(which="both", color="#e5e5e5", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return _finished(figure, path, dpi)


def _signed(worth: float) -> str:
    """Return an amount with its sign; what rounds to nothing has none."""
    text = f"{worth:+.3f}"
    return "0" if float(text) == 0 else text


def _heat(axes: "Axes", matrix: Any, texts: Sequence[Sequence[str]], size: int) -> None:
    """Draw the cells of a matrix, the colours symmetric about zero, with a text in each."""
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415

    most = float(np.abs(matrix).max()) or 1.0
    colors = LinearSegmentedColormap.from_list("worth", [_BAD, _EVEN, _GOOD])
    axes.imshow(matrix, cmap=colors, vmin=-most, vmax=most, aspect="auto")
    for (i, j), worth in np.ndenumerate(matrix):
        color = "white" if abs(worth) > _DARK * most else _INK
        axes.text(j, i, texts[i][j], ha="center", va="center", fontsize=size, color=color)
    axes.axis("off")


def _frame(axes: "Axes", row: int, column: int) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    corner = (column - 0.46, row - 0.46)
    axes.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=_INK, linewidth=2))


def _dominated(card: Any) -> str:
    return "" if card.dominated is None else "\ndominated"


def _what_was_played(one: RoundMixes, player: int) -> str:
    return "" if one.played is None else f"\nplayed {one.played[player].letter}"


def _bar(axes: "Axes", place: int, one: RoundMixes, player: int) -> None:
    below = 0.0
    mix = one.mixes[player]
    parts = dict(zip(mix, shares(mix.values()), strict=True))
    for element, chance in mix.items():
        if chance <= 0:
            continue
        axes.bar(
            [place], [chance], 0.8, bottom=below, facecolor=_SHADES[element],
            hatch=_HATCHES[element], edgecolor=_INK, linewidth=0.8,
        )  # fmt: skip
        if chance > 0.07:
            axes.text(
                place, below + chance / 2, f"{element.letter} {parts[element]}", ha="center",
                va="center", fontsize=7.5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )  # fmt: skip
        below += chance


def _played(state: State, following: State) -> tuple[Element, Element]:
    """Return the cards that lead from one position to the next."""
    cards = []
    for before, after in zip(state.hands, following.hands, strict=True):
        gone = [card for card in Element if before.counts[card] > after.counts[card]]
        if len(gone) != 1 or len(before) != len(after) + 1:
            raise SolverError(f"{following} does not follow {state} by one card of each player")
        cards.append(gone[0])
    return cards[0], cards[1]


def _finished(figure: "Figure", path: str | os.PathLike[str] | None, dpi: int) -> "Figure":
    if path is not None:
        save_figure(figure, path, dpi)
    return figure
