"""What lies on the table, as the drawing, the picture and the words need it.

Read from a state, where everything is known but the face-down tiles and the piles, or from an
observation, where one hand is hidden too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from games.errors import PositionError
from games.solstis.bits import area
from games.solstis.mountain import FIRES, ROW_MASKS, cell_number, mask_of
from games.solstis.observation import Observation
from games.solstis.scoring import Score
from games.solstis.state import State

if TYPE_CHECKING:
    from games.solstis.actions import Action

__all__ = ["PanoramaView", "Place", "Seen", "TableView", "player_name", "table_view"]

Seen: TypeAlias = State | Observation
"""What can be drawn: a state, or what a player sees of one."""

_FIREFLIES = 7
_VARIANTS = {"base": "the base game", "beginner": "for beginners", "firefly": "with fireflies"}


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the display: its number, its face-up tile, and whether one lies face down."""

    number: int
    tile: str | None
    covers: bool


@dataclass(frozen=True, slots=True)
class PanoramaView:
    """What lies before a player. Cells and squares are numbers as in `mountain`.

    Attributes
    ----------
    tiles, rainbows, fireflies : frozenset of int
        Cells with land tiles and with rainbows; squares with fireflies.
    spirits : mapping of int to str
        The spirit of each square that bears one.
    covered, blocked : int or None
        The square that the Evil Spirit covers, the cell that it blocks.
    lit : frozenset of int
        Cells with fires that are lit.
    hand, shown : tuple of str
        The tiles of the hand as far as they are known, and those of them that a Fox showed.
    hidden : int
        How many further tiles the hand has.
    held : int
        Rainbows that wait for the next capture.
    forced : str or None
        The tile that a Fox ordered to be played.
    score : Score
        What the panorama is worth as it stands.
    """

    tiles: frozenset[int]
    rainbows: frozenset[int]
    fireflies: frozenset[int]
    spirits: Mapping[int, str]
    covered: int | None
    blocked: int | None
    lit: frozenset[int]
    hand: tuple[str, ...]
    shown: tuple[str, ...]
    hidden: int
    held: int
    forced: str | None
    score: Score

    def is_filled(self, cell: int) -> bool:
        """Return whether a cell has a tile or a rainbow."""
        return cell in self.tiles or cell in self.rainbows


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that lies on the table, and what is to happen next.

    Attributes
    ----------
    game : str
        The variant in words.
    panoramas : pair of PanoramaView
        Those of players 0 and 1.
    display : tuple of Place
        The places that hold something.
    line : tuple of str
        The face-up spirits, the oldest first.
    pile, spirits, rainbows, fireflies : int
        How many tiles, spirits, rainbows and fireflies are left; fireflies None without the
        expansion.
    removed : tuple of str
        Tiles out of the game.
    evil_holder : int or None
        Who has the Evil Spirit in front.
    viewer : int or None
        Who sees this; None for a state.
    mover, decider : int or None
        Whose turn it is, and who decides now.
    doing : str
        The kind of the action or of the outcome that comes next; empty at the end.
    playing : str or None
        The tile that captures.
    drawn : tuple of str
        The spirits drawn, of which one is kept.
    """

    game: str
    panoramas: tuple[PanoramaView, PanoramaView]
    display: tuple[Place, ...]
    line: tuple[str, ...]
    pile: int
    spirits: int
    rainbows: int
    fireflies: int | None
    removed: tuple[str, ...]
    evil_holder: int | None
    viewer: int | None
    mover: int | None
    decider: int | None
    doing: str
    playing: str | None
    drawn: tuple[str, ...]


def player_name(player: int) -> str:
    """Return what a player is called in words; players are 0 and 1 in the library.

    Examples
    --------
    >>> player_name(0)
    'Player 1'
    """
    return f"Player {player + 1}"


def table_view(seen: Seen) -> TableView:
    """Return what lies on the table.

    Raises
    ------
    PositionError
        If it is neither a state nor an observation.
    """
    if not isinstance(seen, State | Observation):
        raise PositionError(f"{seen!r} cannot be shown: expected a state or an observation")
    if isinstance(seen, State):
        state, viewer = seen, None
    else:
        state, viewer = seen._any_world(), seen.player
    data = seen.to_dict()
    record: Mapping[str, Any] = data["state"]
    turn: Mapping[str, Any] = data.get("turn", {})
    next_actions: list[Action] = state.legal() or [outcome for outcome, _ in state.outcomes()]
    panoramas = tuple(_panorama(seen, data, player) for player in (0, 1))
    out = sum(len(pan.fireflies) for pan in panoramas)
    return TableView(
        game=_VARIANTS[data["variant"]],
        panoramas=(panoramas[0], panoramas[1]),
        display=tuple(
            Place(entry["slot"], entry.get("up"), "down" in entry) for entry in record["display"]
        ),
        line=tuple(record["line"]),
        pile=record["pile"],
        spirits=record["spirits_left"],
        rainbows=record["rainbow_stock"],
        fireflies=_FIREFLIES - out if data["variant"] == "firefly" else None,
        removed=tuple(record["removed"]),
        evil_holder=_evil_holder(record),
        viewer=viewer,
        mover=state.to_move,
        decider=state.decider,
        doing=next_actions[0].kind if next_actions else "",
        playing=turn.get("playing"),
        drawn=tuple(turn.get("drawn", ())),
    )


def _evil_holder(record: Mapping[str, Any]) -> int | None:
    drawn = [int(word) - 1 for word in record.get("spirit_hand", {})]
    return drawn[0] if drawn else None if record["evil"] is None else record["evil"] - 1


def _panorama(seen: Seen, data: Mapping[str, Any], player: int) -> PanoramaView:
    record, word = data["state"], str(player + 1)
    pan = record["pan"][word]
    tiles, rainbows = _cells(pan["tiles"]), _cells(pan["rainbows"])
    spirits = dict(reversed(text.split("@")) for text in pan["spirits"])
    hand, shown = record["hands"][word], data.get("seen", {}).get(str(2 - player), [])
    hidden = 0
    if isinstance(hand, int):
        hidden, hand, shown = hand - len(data["known"]), data["known"], data["known"]
    return PanoramaView(
        tiles=tiles,
        rainbows=rainbows,
        fireflies=_cells(pan.get("fireflies", [])),
        spirits={cell_number(square): name for square, name in spirits.items()},
        covered=_cell(pan.get("evil_cover")),
        blocked=_cell(pan.get("evil_block")),
        lit=_lit(tiles, rainbows),
        hand=tuple(hand),
        shown=tuple(shown),
        hidden=hidden,
        held=record.get("held", {}).get(word, 0),
        forced=record.get("forced", {}).get(word),
        score=seen.score(player),
    )


def _cells(names: list[str]) -> frozenset[int]:
    return frozenset(cell_number(name) for name in names)


def _cell(name: str | None) -> int | None:
    return None if name is None else cell_number(name)


def _lit(tiles: frozenset[int], rainbows: frozenset[int]) -> frozenset[int]:
    """Return the fires whose area reaches the bottom row."""
    filled = mask_of(tiles | rainbows)
    reached = int(area(filled & ROW_MASKS[0], filled))
    return frozenset(cell for cell in FIRES if cell in tiles and reached >> cell & 1)
