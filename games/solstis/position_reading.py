"""Reading states from dictionaries, strictly: what the rules do not allow is refused, with why."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from games.errors import GameError, PositionError
from games.solstis.bits import complete
from games.solstis.layout import PER_PLAYER, PLACED, PLACES, SOURCES, Core, Field, Stage, empty_core
from games.solstis.mountain import CELLS, LAND, SQUARES, cell_name, cell_number, cells_in, mask_of
from games.solstis.moves import FIREFLY, append, variant, waits
from games.solstis.order import Order
from games.solstis.position import (
    MASK_FIELDS,
    PLACE_FIELDS,
    TILE_FIELDS,
    UNKNOWN,
    names_of,
)
from games.solstis.position_checks import (
    check_block,
    check_display,
    check_hands,
    check_over,
    check_start,
    check_turn,
)
from games.solstis.rules import Rules
from games.solstis.spirits import Spirit, spirits_of
from games.solstis.turn import proceed

__all__ = ["read_position"]


_DISPLAY, _RAINBOWS, _FIREFLIES, _FIREFLIES_EACH = 6, 12, 7, 4


def read_position(data: Mapping[str, Any], rules: Rules | None) -> tuple[Core, Order | None, Rules]:
    """Return the parts of a state from a dictionary; see `State.from_dict`."""
    if not isinstance(data, Mapping):
        raise PositionError(f"{_short(data)} is no position: expected a dictionary")
    try:
        rules = _read_rules(data, rules)
        if "setup" in data:
            return (*_read_setup(_get(data, "setup", Mapping), rules), rules)
        return (*_read_state(data, rules), rules)
    except GameError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PositionError(f"the position is not in the records' form: {reason}") from None


def _read_rules(data: Mapping[str, Any], rules: Rules | None) -> Rules:
    variant = data.get("variant", "base")
    written = Rules.from_dict(data["rules"]) if "rules" in data else None
    if rules is None:
        rules = written or Rules.published(variant)
    if not isinstance(rules, Rules):
        raise PositionError(f"rules is {rules!r}: expected Rules(...)")
    if "variant" in data and variant != rules.variant:
        raise PositionError(f"the position is of variant {variant!r}, not {rules.variant!r}")
    if written is not None and written != rules:
        raise PositionError(f"the position was written for {written}, not for {rules}")
    return rules


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."


def _get(data: Mapping[str, Any], name: str, kind: Any, default: Any = ...) -> Any:
    """Return an entry of the kind that it should be."""
    value = data.get(name, default)
    if value is ...:
        raise PositionError(f"{name!r} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise PositionError(f"{name!r} is {_short(value)}: expected {_KIND_WORDS[kind]}")
    return value


_KIND_WORDS: Final = {
    Mapping: "a dictionary",
    list: "a list",
    int: "a whole number",
    bool: "true or false",
    str: "a text",
}


class _Tiles:
    """Notes where every tile lies, and refuses one that lies in two places."""

    def __init__(self) -> None:
        self.found: dict[int, str] = {}

    def take(self, name: str, where: str) -> int:
        tile = cell_number(name)
        if tile in self.found:
            raise PositionError(f"tile {name} is twice there: {self.found[tile]} and {where}")
        self.found[tile] = where
        return tile

    def take_all(self, names: Iterable[str], where: str) -> int:
        return mask_of([self.take(name, where) for name in names])


def _read_setup(setup: Mapping[str, Any], rules: Rules) -> tuple[Core, Order]:
    """Return the start of a recorded game."""
    core, tiles = empty_core(rules), _Tiles()
    face_down = []
    for entry in _get(setup, "display", list):
        place = _read_place(entry, core)
        core[Field.PLACE + place] = tiles.take(_get(entry, "up", str), f"in place {place}")
        face_down.append((place, tiles.take(_get(entry, "down", str), f"under place {place}")))
        core[Field.DOWN] |= 1 << place
    core[Field.UP] = mask_of(core[Field.PLACE :].tolist()[k] for k, _ in face_down)
    hands = _get(setup, "hands", Mapping)
    for player in (0, 1):
        names = _get(hands, str(player + 1), list)
        core[Field.HAND + player] = tiles.take_all(names, f"in the hand of player {player + 1}")
    pile = tuple(tiles.take(name, "in the pile") for name in _get(setup, "pile", list))
    if core[Field.DOWN] != (1 << _DISPLAY) - 1:
        raise PositionError(f"'display' has not the places 0 to {_DISPLAY - 1}")
    if len(tiles.found) != len(CELLS):
        raise PositionError(f"{len(tiles.found)} tiles are in the setup: expected {len(CELLS)}")
    core[Field.POOL] = mask_of(pile) | mask_of(tile for _, tile in face_down)
    spirits = _read_spirit_pile(_get(setup, "spirit_pile", list), spirits_of(rules.variant))
    core[Field.SPIRIT_PILE] = sum(1 << spirit for spirit in spirits)
    for name, stock in (("rainbow_stock", _RAINBOWS), ("firefly_stock", core[Field.FIREFLY_STOCK])):
        if _get(setup, name, int, int(stock)) != stock:
            raise PositionError(f"{name!r} is {setup[name]}: expected {stock}")
    first = setup.get("first_player", 1)
    if first != 1:
        raise PositionError(f"'first_player' is {first!r}: player 1 starts")
    check_hands(core, refilled=True)
    return core, Order(pile, tuple(sorted(face_down)), tuple(spirits))


def _read_place(entry: Any, core: Core) -> int:
    if not isinstance(entry, Mapping):
        raise PositionError(f"'display' has {_short(entry)}: expected dictionaries")
    place = int(_get(entry, "slot", int))
    if not 0 <= place < PLACES:
        raise PositionError(f"place {place} of the display: it never has more than {PLACES}")
    if core[Field.PLACE + place] >= 0 or core[Field.DOWN] >> place & 1:
        raise PositionError(f"place {place} of the display is given twice")
    return place


def _read_spirit_pile(names: list[str], expected: frozenset[Spirit]) -> list[Spirit]:
    spirits = [Spirit.parse(name) for name in names]
    if len(set(spirits)) < len(spirits):
        raise PositionError("the spirit pile holds a spirit twice")
    if set(spirits) != expected:
        odd = ", ".join(str(spirit) for spirit in sorted(set(spirits) ^ expected))
        raise PositionError(f"the spirit pile does not hold the spirits that it should: {odd}")
    return spirits


def _read_state(data: Mapping[str, Any], rules: Rules) -> tuple[Core, Order | None]:
    record = _get(data, "state", Mapping)
    core, tiles = empty_core(rules), _Tiles()
    mover = data.get("to_move")
    if mover not in (1, 2, None) or isinstance(mover, bool):
        raise PositionError(f"'to_move' is {_short(mover)}: expected 1, 2, or null at the end")
    core[Field.TURN] = 0 if mover is None else mover - 1
    _read_hands(record, core, tiles)
    face_down = _read_display(record, core, tiles)
    core[Field.REMOVED] = tiles.take_all(_get(record, "removed", list, []), "removed")
    pans = _get(record, "pan", Mapping)
    spirits: dict[Spirit, str] = {}
    for player in (0, 1):
        _read_panorama(_get(pans, str(player + 1), Mapping), player, core, tiles, spirits, rules)
    # In the recorded endings the number of the turn, in a `to_dict` the middle of one.
    numbered = isinstance(data.get("turn"), int)
    turn = {} if numbered else _get(data, "turn", Mapping, {})
    _read_turn(turn, core, tiles)
    _read_line(record, core, spirits, rules)
    _read_evil(record, turn, core, spirits, rules)
    _read_spirits_left(data, record, core, spirits, rules)
    _read_stocks(record, core)
    _read_pool(data, record, core, tiles, face_down)
    order = _read_order(data, core, face_down)
    _read_knowledge(data, record, core)
    _settle(core, mover is None, bool(turn))
    return core, order


def _read_hands(record: Mapping[str, Any], core: Core, tiles: _Tiles) -> None:
    hands = _get(record, "hands", Mapping)
    for player in (0, 1):
        names = _get(hands, str(player + 1), list)
        core[Field.HAND + player] = tiles.take_all(names, f"in the hand of player {player + 1}")


def _read_display(record: Mapping[str, Any], core: Core, tiles: _Tiles) -> dict[int, str]:
    """Read the display; return the face-down tiles that are named."""
    named: dict[int, str] = {}
    for entry in _get(record, "display", list):
        place = _read_place(entry, core)
        if "up" in entry:
            tile = tiles.take(_get(entry, "up", str), f"in place {place}")
            core[Field.PLACE + place] = tile
            core[Field.UP] |= 1 << tile
        if entry.get("down") is not None:
            core[Field.DOWN] |= 1 << place
            named[place] = _get(entry, "down", str)
        elif "up" not in entry:
            raise PositionError(f"place {place} of the display holds nothing")
    return named


def _read_panorama(
    record: Mapping[str, Any],
    player: int,
    core: Core,
    tiles: _Tiles,
    spirits: dict[Spirit, str],
    rules: Rules,
) -> None:
    where = f"on the panorama of player {player + 1}"
    core[Field.TILES + player] = tiles.take_all(_get(record, "tiles", list), where)
    rainbows = [cell_number(name) for name in _get(record, "rainbows", list, [])]
    core[Field.RAINBOWS + player] = mask_of(rainbows)
    if len(set(rainbows)) < len(rainbows):
        raise PositionError(f"two rainbows lie on one cell {where}")
    both = core[Field.RAINBOWS + player] & core[Field.TILES + player]
    if both:
        raise PositionError(f"{names_of(both)[0]} has a tile and a rainbow {where}")
    filled = int(core[Field.TILES + player] | core[Field.RAINBOWS + player])
    squares = int(complete(np.int64(filled)))
    for text in _get(record, "spirits", list, []):
        name, _, square = text.partition("@")
        spirit, number = Spirit.parse(name), _read_square(square, squares, where)
        _take_spirit(spirits, spirit, where, rules)
        if spirit == Spirit.EVIL:
            raise PositionError(f"the Evil Spirit lies on a square {where}")
        if core[Field.SPIRIT_SQUARES + player] >> number & 1:
            raise PositionError(f"two spirits lie on square {square} {where}")
        core[Field.SPIRIT_SQUARES + player] |= 1 << number
        core[Field.WHERE + spirit] = PLACED + PER_PLAYER * player + number
    for square in _get(record, "fireflies", list, []):
        number = _read_square(square, squares, where)
        taken = core[Field.SPIRIT_SQUARES + player] | core[Field.FIREFLIES + player]
        if taken >> number & 1:
            raise PositionError(f"square {square} bears a firefly and something else {where}")
        core[Field.FIREFLIES + player] |= 1 << number
    if core[Field.FIREFLIES + player] and rules.variant != "firefly":
        raise PositionError(f"there are fireflies {where}, but the variant is {rules.variant}")
    for name, field in (("evil_cover", Field.EVIL_COVER), ("evil_block", Field.EVIL_BLOCK)):
        if record.get(name) is None:
            continue
        cell = cell_number(_get(record, name, str))
        if core[field] >= 0:
            raise PositionError(f"{name!r} is given on both panoramas")
        if name == "evil_cover" and not core[Field.SPIRIT_SQUARES + player] >> cell & 1:
            raise PositionError(f"the Evil Spirit covers square {record[name]}, without a spirit")
        if name == "evil_block" and filled >> cell & 1:
            raise PositionError(f"the Evil Spirit blocks {record[name]}, which is not empty")
        core[field] = PER_PLAYER * player + cell


def _read_square(name: str, squares: int, where: str) -> int:
    number = cell_number(name)
    if number not in SQUARES:
        raise PositionError(f"there is no square {name}")
    if not squares >> number & 1:
        raise PositionError(f"square {name} is not complete {where}")
    return number


def _take_spirit(spirits: dict[Spirit, str], spirit: Spirit, where: str, rules: Rules) -> None:
    if spirit not in spirits_of(rules.variant):
        raise PositionError(f"{spirit} {where}: it is not in the variant {rules.variant}")
    if spirit in spirits:
        raise PositionError(f"{spirit} is twice there: {spirits[spirit]} and {where}")
    spirits[spirit] = where


def _read_line(
    record: Mapping[str, Any], core: Core, spirits: dict[Spirit, str], rules: Rules
) -> None:
    for place, name in enumerate(_get(record, "line", list, [])):
        spirit = Spirit.parse(name)
        _take_spirit(spirits, spirit, "in the line", rules)
        if spirit == Spirit.EVIL:
            raise PositionError("the Evil Spirit is never in the line")
        core[Field.LINE] |= 1 << spirit
        core[Field.WHERE + spirit] = place
    for number in cells_in(int(core[Field.DRAWN])):
        _take_spirit(spirits, Spirit(number), "drawn", rules)


def _read_evil(
    record: Mapping[str, Any],
    turn: Mapping[str, Any],
    core: Core,
    spirits: dict[Spirit, str],
    rules: Rules,
) -> None:
    places = []
    holder = record.get("evil")
    if holder is not None:
        if holder not in (1, 2) or isinstance(holder, bool):
            raise PositionError(f"'evil' is {_short(holder)}: expected 1, 2 or null")
        if rules.variant == "firefly":
            raise PositionError("in the firefly variant nobody holds the Evil Spirit")
        core[Field.EVIL_HOLDER] = holder - 1
        places.append(f"held by player {holder}")
    if core[Field.EVIL_COVER] >= 0:
        places.append("covering a spirit")
    if core[Field.EVIL_BLOCK] >= 0:
        if rules.variant != "firefly":
            raise PositionError("the Evil Spirit blocks a cell in the firefly variant only")
        places.append("blocking a cell")
    drawn = _get(record, "spirit_hand", Mapping, {})
    for player, names in drawn.items():
        if player not in ("1", "2") or names != [str(Spirit.EVIL)] or rules.variant != "firefly":
            raise PositionError(f"'spirit_hand' is {_short(drawn)}")
        core[Field.EVIL_DRAWN] = int(player) - 1
        places.append(f"drawn by player {player}")
    if _get(turn, "evil_drawn", bool, False):
        if (core[Field.EVIL_HOLDER] if not drawn else core[Field.EVIL_DRAWN]) != core[Field.TURN]:
            raise PositionError("the Evil Spirit was drawn, but the player to move has it not")
        core[Field.EVIL_DRAWN] = core[Field.TURN]
    if len(places) > 1:
        raise PositionError(f"the Evil Spirit is in two places: {' and '.join(places)}")
    if places:
        _take_spirit(spirits, Spirit.EVIL, places[0], rules)


def _read_spirits_left(
    data: Mapping[str, Any],
    record: Mapping[str, Any],
    core: Core,
    spirits: dict[Spirit, str],
    rules: Rules,
) -> None:
    left = spirits_of(rules.variant) - set(spirits)
    count = int(_get(record, "spirits_left", int, len(left)))
    gone = rules.variant == "firefly" and Spirit.EVIL in left and count == len(left) - 1
    if gone:
        # The Evil Spirit left the game for want of a cell to lie on.
        left -= {Spirit.EVIL}
    if count != len(left):
        raise PositionError(f"'spirits_left' is {count}, but {len(left)} spirits are not seen")
    if "spirit_pile_set" in data:
        _read_spirit_pile(_get(data, "spirit_pile_set", list), left)
    core[Field.SPIRIT_PILE] = sum(1 << spirit for spirit in left)


def _read_stocks(record: Mapping[str, Any], core: Core) -> None:
    held = _get(record, "held", Mapping, {})
    for player in held:
        count = _get(held, player, int)
        if player not in ("1", "2") or not 0 <= count <= _RAINBOWS:
            raise PositionError(f"'held' is {_short(held)}: expected a number for 1 and for 2")
        if count and not waits(core):
            raise PositionError("'held' is given, but by these rules no rainbow waits")
        core[Field.HELD + int(player) - 1] = count
    placed = sum(int(core[Field.RAINBOWS + player]).bit_count() for player in (0, 1))
    used = placed + int(core[Field.HELD] + core[Field.HELD + 1] + core[Field.PENDING])
    stock = int(_get(record, "rainbow_stock", int, _RAINBOWS - used))
    if stock < 0 or stock + used != _RAINBOWS:
        raise PositionError(
            f"'rainbow_stock' is {stock} and {used} rainbows are in use: they must be "
            f"{_RAINBOWS} in all"
        )
    core[Field.STOCK] = stock
    counts = [int(core[Field.FIREFLIES + player]).bit_count() for player in (0, 1)]
    if max(counts) > _FIREFLIES_EACH or sum(counts) > _FIREFLIES:
        raise PositionError(f"the players have {counts[0]} and {counts[1]} fireflies")
    core[Field.FIREFLY_STOCK] -= sum(counts)


def _read_pool(
    data: Mapping[str, Any],
    record: Mapping[str, Any],
    core: Core,
    tiles: _Tiles,
    named: dict[int, str],
) -> None:
    """Find what is unseen, by elimination, and check that it has the right size."""
    pool = LAND & ~mask_of(tiles.found)
    core[Field.POOL] = pool
    below = int(core[Field.DOWN]).bit_count()
    pile = int(_get(record, "pile", int, pool.bit_count() - below))
    if pile < 0 or pile + below != pool.bit_count():
        raise PositionError(
            f"'pile' is {pile} and {below} tiles lie face down, but {pool.bit_count()} of "
            f"{len(CELLS)} tiles are not seen"
        )
    for place, name in named.items():
        if name != UNKNOWN:
            tiles.take(name, f"under place {place}")


def _read_order(data: Mapping[str, Any], core: Core, named: dict[int, str]) -> Order | None:
    if "pile" not in data and "spirit_pile" not in data:
        return None
    pile = [cell_number(name) for name in _get(data, "pile", list)]
    spirits = _get(data, "spirit_pile", list)
    if UNKNOWN in named.values():
        raise PositionError("the order of the pile is given, but not every face-down tile")
    face_down = {place: cell_number(name) for place, name in named.items()}
    together = pile + list(face_down.values())
    if len(set(together)) < len(together) or mask_of(together) != core[Field.POOL]:
        raise PositionError("the pile and the face-down tiles are not the tiles that are unseen")
    expected = frozenset(Spirit(k) for k in cells_in(int(core[Field.SPIRIT_PILE])))
    order = _read_spirit_pile(spirits, expected)
    return Order(tuple(pile), tuple(sorted(face_down.items())), tuple(order))


def _read_knowledge(data: Mapping[str, Any], record: Mapping[str, Any], core: Core) -> None:
    """Read what a Fox showed and ordered; an order without the rest means the whole hand."""
    for player, names in _get(data, "seen", Mapping, {}).items():
        seen = mask_of(cell_number(name) for name in names)
        if player not in ("1", "2") or seen & ~int(core[Field.HAND + 2 - int(player)]):
            raise PositionError(f"'seen' of player {player} is not in the other's hand")
        core[Field.SEEN + int(player) - 1] = seen
    for player, name in _get(record, "forced", Mapping, {}).items():
        tile = cell_number(name)
        if player not in ("1", "2") or not core[Field.HAND + int(player) - 1] >> tile & 1:
            raise PositionError(f"player {player} must play {name}, which is not in that hand")
        forced, other = int(player) - 1, 2 - int(player)
        core[Field.FORCED + forced] = tile
        core[Field.SEEN + other] = core[Field.SEEN + other] or core[Field.HAND + forced]
        if not core[Field.SEEN + other] >> tile & 1:
            raise PositionError(f"player {player} must play {name}, which was not seen")
    if max(core[Field.SEEN], core[Field.SEEN + 1]) > 0 and variant(core) != FIREFLY:
        raise PositionError("a hand was seen, but there is no Fox in this variant")


def _read_turn(turn: Mapping[str, Any], core: Core, tiles: _Tiles) -> None:
    """Read what is known in the middle of a turn."""
    if not turn:
        return
    known = {"stage", "drawn", "rainbows", "source", "again", "evil_drawn"}
    known |= {*TILE_FIELDS, *PLACE_FIELDS, *MASK_FIELDS}
    if set(turn) - known:
        raise PositionError(f"'turn' has {sorted(set(turn) - known)[0]!r}, which is not known")
    stages = {stage.name.lower(): stage for stage in Stage}
    stage = stages.get(_get(turn, "stage", str))
    if stage is None:
        raise PositionError(f"'stage' is {turn['stage']!r}, which is not known")
    core[Field.STAGE] = stage
    for name, field in TILE_FIELDS.items():
        if name in turn:
            core[field] = cell_number(_get(turn, name, str))
    for name, field in PLACE_FIELDS.items():
        core[field] = int(_get(turn, name, int, -1))
        if not -1 <= core[field] < PLACES:
            raise PositionError(f"{name!r} is {turn[name]}: there is no such place")
    player = int(core[Field.TURN])
    filled = int(core[Field.TILES + player] | core[Field.RAINBOWS + player])
    squares = int(complete(np.int64(filled)))
    for name, field in MASK_FIELDS.items():
        cells = [cell_number(cell) for cell in _get(turn, name, list, [])]
        core[field] = mask_of(cells)
        if variant(core) == FIREFLY:
            effect = field == Field.EFFECT_FILLED
            for cell in cells:
                sequence = Field.EFFECT_SEQUENCE if effect else Field.SEQUENCE
                append(core, int(sequence), 1 if effect else 2, cell)
        allowed = squares if name == "eligible" else filled
        if core[field] & ~allowed and stage != Stage.END:
            raise PositionError(f"{name!r} has cells that are not filled")
    for name in _get(turn, "drawn", list, []):
        core[Field.DRAWN] |= 1 << Spirit.parse(name)
    rainbows = _get(turn, "rainbows", int, 0)
    source = _get(turn, "source", str, SOURCES[0])
    if source not in SOURCES or not 0 <= rainbows <= _RAINBOWS:
        raise PositionError("'rainbows' or 'source' is not known")
    if "source" in turn and not rainbows:
        raise PositionError("'source' is given, but no rainbow is to be placed")
    core[Field.PENDING] = rainbows
    core[Field.SOURCE] = SOURCES.index(source)
    core[Field.AGAIN] = _get(turn, "again", bool, False)
    if core[Field.PLAYING] >= 0:
        playing = cell_name(int(core[Field.PLAYING]))
        if core[Field.PLAYING_PLACE] < 0:
            tiles.take(playing, "being played")
        elif core[Field.PLACE + core[Field.PLAYING_PLACE]] != core[Field.PLAYING]:
            raise PositionError(f"{playing} does not lie in the place where it should")


def _settle(core: Core, over: bool, in_turn: bool) -> None:
    """Bring a position to the next decision, chance or end, and check that something is to do."""
    check_hands(core, refilled=False)
    check_display(core)
    check_block(core)
    if over:
        if in_turn:
            raise PositionError("'turn' is given, but the game is over")
        check_over(core)
        core[Field.STAGE] = Stage.END
        core[Field.TURN] = 0
    elif in_turn:
        check_turn(core)
    else:
        check_start(core)
        core[Field.STAGE] = Stage.TURN
        proceed(core, 0)
