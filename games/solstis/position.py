"""States as dictionaries in the vocabulary of the recorded games.

Reading them is in `position_reading`. What nobody sees is not written: it is what is left of the 48
tiles and of the spirits.
"""

from typing import Any, Final

import numpy as np

from games.solstis.layout import ENTRIES, PER_PLAYER, PLACED, PLACES, SOURCES, Core, Field, Stage
from games.solstis.mountain import cell_name, cells_in, mask_of
from games.solstis.moves import entry_of, pile_size
from games.solstis.order import Order
from games.solstis.rules import Rules
from games.solstis.spirits import Spirit
from games.solstis.turn import END, status

__all__ = [
    "MASK_FIELDS",
    "PLACE_FIELDS",
    "TILE_FIELDS",
    "UNKNOWN",
    "names_of",
    "position_record",
    "shuffled_order",
    "write_position",
]


SCHEMA: Final = "solstis-state-1"
UNKNOWN: Final = "?"
"""Stands for a face-down tile of which nobody says what it is."""

MASK_FIELDS: Final = {
    "filled": Field.FILLED,
    "effect_filled": Field.EFFECT_FILLED,
    "eligible": Field.ELIGIBLE,
}
TILE_FIELDS: Final = {"playing": Field.PLAYING, "must_capture": Field.CAPTURED}
PLACE_FIELDS: Final = {"playing_place": Field.PLAYING_PLACE, "turning": Field.TURNING}


def write_position(core: Core, order: Order | None, rules: Rules) -> dict[str, Any]:
    """Return a state as a dictionary that `read_position` reads."""
    over = status(core) == END
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "rules": rules.to_dict(),
        "variant": rules.variant,
        "to_move": None if over else int(core[Field.TURN]) + 1,
        "state": position_record(core, order),
    }
    if order is not None:
        result["pile"] = [cell_name(tile) for tile in order.pile]
        result["spirit_pile"] = [str(spirit) for spirit in order.spirits]
    else:
        result["spirit_pile_set"] = _spiritnames_of(core[Field.SPIRIT_PILE])
    seen = {str(k + 1): names_of(core[Field.SEEN + k]) for k in (0, 1) if core[Field.SEEN + k]}
    if seen:
        result["seen"] = seen
    turn = _turn_record(core)
    if turn:
        result["turn"] = turn
    return result


def _turn_record(core: Core) -> dict[str, Any]:
    """Return what is to be known in the middle of a turn."""
    stage = Stage(int(core[Field.STAGE]))
    if stage in (Stage.PLAY, Stage.COVER, Stage.TURN_END) or status(core) == END:
        return {}
    turn: dict[str, Any] = {"stage": stage.name.lower()}
    for name, field in TILE_FIELDS.items():
        if core[field] >= 0:
            turn[name] = cell_name(int(core[field]))
    for name, field in PLACE_FIELDS.items():
        if core[field] >= 0:
            turn[name] = int(core[field])
    for name, field in MASK_FIELDS.items():
        if core[field]:
            turn[name] = _in_sequence(core, name, int(core[field]))
    if core[Field.DRAWN]:
        turn["drawn"] = _spiritnames_of(core[Field.DRAWN])
    if core[Field.PENDING]:
        turn["rainbows"] = int(core[Field.PENDING])
        turn["source"] = SOURCES[core[Field.SOURCE]]
    if core[Field.AGAIN]:
        turn["again"] = True
    if core[Field.EVIL_DRAWN] >= 0:
        turn["evil_drawn"] = True
    return turn


def _in_sequence(core: Core, name: str, mask: int) -> list[str]:
    """Return cells in the order in which they were filled, as far as it is known."""
    # As plain numbers: the compiler takes long to recognise a member of an enumeration.
    effect_sequence, sequence = int(Field.EFFECT_SEQUENCE), int(Field.SEQUENCE)
    if name == "effect_filled":
        order = [int(entry_of(core, effect_sequence, k)) for k in range(ENTRIES)]
    elif name == "filled" or not core[Field.FILLED]:
        order = [int(entry_of(core, sequence, k)) for k in range(2 * ENTRIES)]
    else:
        order = []
    known = [cell for cell in order if cell >= 0 and mask >> cell & 1]
    return [cell_name(cell) for cell in (*known, *cells_in(mask & ~mask_of(known)))]


def position_record(core: Core, order: Order | None) -> dict[str, Any]:
    """Return what the records call a state."""
    face_down = {} if order is None else dict(order.face_down)
    display = []
    for place in range(PLACES):
        tile = int(core[Field.PLACE + place])
        if tile >= 0:
            entry: dict[str, Any] = {"slot": place, "up": cell_name(tile)}
        elif core[Field.DOWN] >> place & 1:
            entry = {"slot": place}
        else:
            continue
        if core[Field.DOWN] >> place & 1:
            known = place in face_down
            entry["down"] = cell_name(face_down[place]) if known else UNKNOWN
        display.append(entry)
    line = sorted(cells_in(int(core[Field.LINE])), key=lambda spirit: core[Field.WHERE + spirit])
    holder = int(core[Field.EVIL_HOLDER])
    record: dict[str, Any] = {
        "pan": {str(player + 1): _panorama_record(core, player) for player in (0, 1)},
        "display": display,
        "hands": {str(player + 1): names_of(core[Field.HAND + player]) for player in (0, 1)},
        "pile": int(pile_size(core)),
        "line": [str(Spirit(spirit)) for spirit in line],
        "spirits_left": int(core[Field.SPIRIT_PILE]).bit_count(),
        "evil": None if holder < 0 else holder + 1,
        "rainbow_stock": int(core[Field.STOCK]),
        "removed": names_of(core[Field.REMOVED]),
    }
    held = {str(k + 1): int(core[Field.HELD + k]) for k in (0, 1) if core[Field.HELD + k]}
    forced = {
        str(k + 1): cell_name(int(core[Field.FORCED + k]))
        for k in (0, 1)
        if core[Field.FORCED + k] >= 0
    }
    drawn = int(core[Field.EVIL_DRAWN])
    if held:
        record["held"] = held
    if forced:
        record["forced"] = forced
    if drawn >= 0 and Rules.from_code(int(core[Field.RULES])).variant == "firefly":
        record["spirit_hand"] = {str(drawn + 1): [str(Spirit.EVIL)]}
    return record


def _panorama_record(core: Core, player: int) -> dict[str, Any]:
    spirits = []
    for spirit in Spirit:
        where = int(core[Field.WHERE + spirit]) - PLACED
        if where >= 0 and where // PER_PLAYER == player:
            spirits.append(f"{spirit}@{cell_name(where % PER_PLAYER)}")
    record: dict[str, Any] = {
        "tiles": names_of(core[Field.TILES + player]),
        "rainbows": names_of(core[Field.RAINBOWS + player]),
        "spirits": sorted(spirits),
    }
    if core[Field.FIREFLIES + player]:
        record["fireflies"] = names_of(core[Field.FIREFLIES + player])
    for name, field in (("evil_cover", Field.EVIL_COVER), ("evil_block", Field.EVIL_BLOCK)):
        where = int(core[field])
        if where >= 0 and where // PER_PLAYER == player:
            record[name] = cell_name(where % PER_PLAYER)
    return record


def names_of(mask: Any) -> list[str]:
    """Return the names of the cells of a mask."""
    return [cell_name(cell) for cell in cells_in(int(mask))]


def _spiritnames_of(mask: Any) -> list[str]:
    return sorted(str(Spirit(spirit)) for spirit in cells_in(int(mask)))


def shuffled_order(core: Core, rng: np.random.Generator) -> Order:
    """Return an order of what is unseen, drawn at random."""
    pool = list(cells_in(int(core[Field.POOL])))
    tiles = [pool[k] for k in rng.permutation(len(pool))]
    places = list(cells_in(int(core[Field.DOWN])))
    spirits = list(cells_in(int(core[Field.SPIRIT_PILE])))
    order = [Spirit(spirits[k]) for k in rng.permutation(len(spirits))]
    face_down = tuple(zip(places, tiles[: len(places)], strict=True))
    return Order(tuple(tiles[len(places) :]), face_down, tuple(order))
