"""What happens by itself after an action, in the words of the recorded games.

An event is a word and what it speaks of; players are 1 and 2:

=====================  ========================================================================
``play T``             a tile is played
``second_chance T``    the tile turned up as the second chance
``to_display T P``     a tile is added to the display at place P
``reveal T P``         the face-down tile of place P is turned up
``place T``            a land tile is placed on its cell
``remove T``           its cell is locked: it leaves the game
``rainbow_on C``       a rainbow is placed
``rainbow_off C``      a rainbow is pushed out by the tile of its cell
``rainbow_held``       a rainbow waits for the next capture
``rainbow_back``       a rainbow cannot be placed and goes back to the stock
``rainbow_none``       there is no rainbow left to take
``rainbow_taken C``    the Viper takes a rainbow from the opponent's cell C
``draw P T``           player P draws a tile
``draw_spirits``       spirits are drawn from the pile
``spirit_drawn N``     one of them
``spirit N@S``         a spirit is encountered and lies on square S
``spirit_line N``      a spirit joins the line
``evil_to P``          the Evil Spirit goes to player P
``evil_block P C``     it is put on cell C of the panorama of player P
``evil_lost``          there is no cell for it: it leaves the game
``evil_cover P S``     it covers the spirit on square S of player P
``firefly P S``        square S of player P gets a firefly
``again P``            another turn of player P follows
``pass P``             player P cannot capture and passes
``end``                the game is over
=====================  ========================================================================

After the last turn ``endphase_cover_by P`` says that player P may cover a spirit of the other, and
``endphase_squirrel P`` that the hand of player P is placed.
"""

from typing import TYPE_CHECKING, Final

from games.solstis.actions import ACTIONS, Action
from games.solstis.layout import PER_PLAYER, PLACED, PLACES, Core, Field, Kind, Stage
from games.solstis.mountain import cell_name, cells_in
from games.solstis.moves import FIREFLY, variant
from games.solstis.options import legal_codes
from games.solstis.spirits import Spirit
from games.solstis.turn import CHANCE, END, TURN_ENDED, apply, proceed, status

if TYPE_CHECKING:
    from games.solstis.state import State

__all__ = ["events", "split_events"]

_BENEATH: Final = (Stage.BENEATH_CAPTURED, Stage.BENEATH_BEETLE)
"""Here a tile is turned up before it is told that a rainbow was pushed out."""


def events(state: "State", action: Action | str) -> list[str]:
    """Return what happens when an action is played, up to the next decision or chance.

    Draws and turnings-up that the order of the piles settles are events; without a known order they
    are outcomes of chance of their own.

    Raises
    ------
    IllegalMoveError, NotationError
        As `State.play` does.

    Examples
    --------
    >>> from games.solstis import Rules, State
    >>> state = State.new(5, Rules.published())
    >>> events(state, "play_tile 5-6")
    ['play 5-6', 'to_display 5-6 6', 'second_chance 4-2']
    """
    in_turn, after_it = split_events(state, action)
    return in_turn + after_it


def split_events(state: "State", action: Action | str) -> tuple[list[str], list[str]]:
    """Return what happens within the turn, and what happens between it and the next one."""
    code, core, order = state._checked(action).code, state._core.copy(), state._order
    found: list[str] = []
    after_it: list[str] = []
    pushed: list[int] = []
    while True:
        before = core.copy()
        apply(core, code, 1)
        found += _Step(before, core, ACTIONS[code], pushed).events()
        order = None if order is None else order.without(code)
        if status(core) == TURN_ENDED:
            before = core.copy()
            proceed(core, 0)
            after_it = _between_turns(before, core)
        if order is None or status(core) != CHANCE:
            break
        settled = order.settled(legal_codes(core).tolist())
        if settled is None:
            break
        code = settled
    if status(core) == END:
        after_it.append("end")
    return found, after_it


class _Step:
    """Compares the vectors before and after one action or outcome.

    `pushed` keeps rainbows pushed out of which is told later, after a tile is turned up.
    """

    def __init__(self, before: Core, after: Core, action: Action, pushed: list[int]) -> None:
        self.before, self.after, self.action, self.pushed = before, after, action, pushed
        self.kind = Kind(action.code >> 16)
        self.name = "" if action.tile is None else cell_name(action.tile)
        self.player = int(before[Field.TURN])

    def events(self) -> list[str]:
        before, found = self.before, self._own()
        first = [int(before[Field.PLAYING])]
        if self.kind == Kind.PLACE_RAINBOW and self.action.tile is not None:
            # The tile that is placed next may push it out again.
            before = before.copy()
            before[Field.RAINBOWS + self.player] |= 1 << self.action.tile
        elif self.action.tile is not None:
            first.insert(0, self.action.tile)
        if self.kind == Kind.EVIL_COVER:
            found += _squirrel(self.before, self.after)
        found += _laid(before, self.after, first, self.pushed)
        if self.after[Field.STAGE] not in _BENEATH:
            found += [f"rainbow_off {cell_name(tile)}" for tile in self.pushed]
            self.pushed.clear()
        found += _returned(self.before, self.after)
        return found + self._evil() + self._joined() + self._fireflies()

    def _own(self) -> list[str]:
        """Return what the action itself says."""
        kind, name, option = self.kind, self.name, self.action.option
        if kind == Kind.PLAY_TILE:
            return [f"play {name}", *self._added()]
        if kind == Kind.SECOND_CHANCE:
            return [f"second_chance {name}", *self._added(), *self._missed()]
        if kind == Kind.REVEAL:
            turned = [f"reveal {name} {self.action.code & 127}"]
            if self.before[Field.STAGE] == Stage.UNCOVER:
                turned += [*self._added(), *self._missed()]
            return turned
        if kind == Kind.DRAW:
            return [f"draw {2 if _new(self.before, self.after, Field.HAND + 1) else 1} {name}"]
        if kind == Kind.DRAW_SPIRITS:
            return ["draw_spirits", *(f"spirit_drawn {spirit}" for spirit in option.split("+"))]
        if kind == Kind.PLACE_RAINBOW:
            return [f"rainbow_on {name}"]
        if kind in (Kind.SPIRIT_SOURCE, Kind.SPIRIT_KEEP) and option != "draw":
            return [f"spirit {option}", *self._no_fish()]
        if kind == Kind.EVIL_BLOCK:
            return [f"evil_block {2 - self.player} {name}"]
        if kind == Kind.EVIL_COVER:
            holder = int(self.before[Field.EVIL_HOLDER])
            return [f"evil_cover {holder + 1} {option.partition('@')[2]}"]
        if kind == Kind.VIPER and option.startswith("rainbow"):
            return [f"rainbow_taken {name}", f"rainbow_on {option.partition('>')[2]}"]
        return []

    def _added(self) -> list[str]:
        """Return whether the tile was added to the display."""
        tile = self.action.tile
        for place in range(PLACES):
            if self.after[Field.PLACE + place] == tile != self.before[Field.PLACE + place]:
                return [f"to_display {self.name} {place}"]
        return []

    def _missed(self) -> list[str]:
        """Return what becomes of the rainbow when nothing was captured after all."""
        if self.after[Field.STAGE] in (Stage.CAPTURE, Stage.UNCOVER):
            return []
        if self.after[Field.HELD + self.player] > self.before[Field.HELD + self.player]:
            return ["rainbow_held"]
        return self._not_placed()

    def _no_fish(self) -> list[str]:
        """Return whether the Fish brought no rainbow."""
        return self._not_placed() if self.action.option.startswith(str(Spirit.FISH)) else []

    def _not_placed(self) -> list[str]:
        if self.after[Field.PENDING]:
            return []
        return ["rainbow_back" if self.before[Field.STOCK] else "rainbow_none"]

    def _evil(self) -> list[str]:
        """Return where the Evil Spirit goes."""
        before, after = self.before, self.after
        if variant(after) == FIREFLY:
            had = before[Field.EVIL_DRAWN] >= 0 or before[Field.EVIL_BLOCK] >= 0
            has = after[Field.EVIL_DRAWN] >= 0 or after[Field.EVIL_BLOCK] >= 0
            return ["evil_lost"] if had and not has else []
        holder = int(after[Field.EVIL_HOLDER])
        if self.kind == Kind.DRAW_SPIRITS:
            # With another spirit it is told when that one is placed.
            moved = self.action.option == str(Spirit.EVIL)
        else:
            drawn = self.kind == Kind.SPIRIT_KEEP and before[Field.EVIL_DRAWN] >= 0
            moved = drawn or holder != before[Field.EVIL_HOLDER]
        return [f"evil_to {holder + 1}"] if moved and holder >= 0 else []

    def _joined(self) -> list[str]:
        joined = _new(self.before, self.after, Field.LINE)
        return [f"spirit_line {Spirit(spirit)}" for spirit in cells_in(joined)]

    def _fireflies(self) -> list[str]:
        return [
            f"firefly {player + 1} {cell_name(square)}"
            for player in (0, 1)
            for square in cells_in(_new(self.before, self.after, Field.FIREFLIES + player))
        ]


def _new(before: Core, after: Core, field: int) -> int:
    """Return the bits that a field has gained."""
    return int(after[field] & ~before[field])


def _laid(before: Core, after: Core, first: list[int], pushed: list[int]) -> list[str]:
    """Return the tiles placed and removed, those of `first` first; note rainbows pushed out."""
    found: dict[int, str] = dict.fromkeys(cells_in(_new(before, after, Field.REMOVED)), "remove")
    for player in (0, 1):
        for tile in cells_in(_new(before, after, Field.TILES + player)):
            found[tile] = "place"
            if before[Field.RAINBOWS + player] >> tile & 1:
                pushed.append(tile)
    order = [tile for tile in first if tile in found]
    order += [tile for tile in sorted(found) if tile not in order]
    return [f"{found[tile]} {cell_name(tile)}" for tile in order]


def _returned(before: Core, after: Core) -> list[str]:
    return ["rainbow_back"] * int(after[Field.STOCK] - before[Field.STOCK])


def _between_turns(before: Core, after: Core) -> list[str]:
    """Return what happens between the end of a turn and the next one, or the endphase."""
    player, again = int(before[Field.TURN]), bool(before[Field.AGAIN])
    following = player if again else 1 - player
    if after[Field.STAGE] == Stage.PLAY:
        if after[Field.TURN] != following:
            return [f"pass {following + 1}"]
        return [f"again {following + 1}"] if again else []
    pushed: list[int] = []
    holder = int(before[Field.EVIL_HOLDER])
    found = [f"endphase_cover_by {2 - holder}"] if holder >= 0 else []
    found += [*_squirrel(before, after), *_laid(before, after, [], pushed)]
    found += [f"rainbow_off {cell_name(tile)}" for tile in pushed]
    return found + _returned(before, after)


def _squirrel(before: Core, after: Core) -> list[str]:
    """Return whether the Squirrel acts."""
    where = int(after[Field.WHERE + Spirit.SQUIRREL]) - PLACED
    acts = after[Field.STAGE] == Stage.END and where >= 0 and where != after[Field.EVIL_COVER]
    return [f"endphase_squirrel {where // PER_PLAYER + 1}"] if acts else []
