"""The course of a turn on the core of a state: what is done, and what comes next. Compiled.

`apply` carries out an action or an outcome of chance and then goes on by itself until a player must
decide, chance must, or the game is over. What it stops at is told by `status`.

Rules page: "A turn" to "End", "Firefly expansion".
"""

from typing import Any

from numba import njit

from games.solstis.bits import captures, complete, lowest, popcount, touching
from games.solstis.layout import ENTRIES, ENTRY_BITS, PER_PLAYER, PLACED, Field, Kind, Stage
from games.solstis.mountain import WIDTH
from games.solstis.moves import (
    ENTRY,
    FIREFLY,
    add_to_display,
    append,
    block_cells,
    can_capture,
    entry_of,
    hand_size,
    has_base,
    isolated,
    pile_size,
    place_tile,
    placing_player,
    rainbow_cells,
    remember_filled,
    take_from_display,
    turn_up,
    variant,
    waits,
)
from games.solstis.spirits import Spirit

__all__ = ["CHANCE", "DECISION", "END", "TURN_ENDED", "apply", "proceed", "status"]

DECISION, CHANCE, END, TURN_ENDED = 0, 1, 2, 3
_FIREFLIES_TO_WIN = 4
_NO_CAPTURE, _CAPTURE, _FISH, _DEER, _EAGLE, _BEETLE, _DRAGONFLY, _VIPER, _SQUIRREL = range(9)


@njit(cache=True)
def status(s: Any) -> Any:
    """Return DECISION, CHANCE, END or TURN_ENDED of a vector at rest."""
    stage = s[Field.STAGE]
    if stage <= Stage.REFILL:
        # A tile is turned up, and the opponent draws, before a rainbow pushed out is placed.
        return CHANCE
    if s[Field.PENDING] > 0 or stage <= Stage.COVER:
        return DECISION
    return END if stage == Stage.END else TURN_ENDED


@njit(cache=True)
def decider(s: Any) -> Any:
    """Return who decides, of a vector at a decision."""
    if s[Field.PENDING] > 0:
        return placing_player(s)
    if s[Field.STAGE] == Stage.COVER:
        return 1 - s[Field.EVIL_HOLDER]
    return s[Field.TURN]


@njit(cache=True)
def apply(s: Any, code: Any, stop: Any) -> Any:
    """Carry out a legal action or outcome, go on to the next stop and return its `status`.

    With `stop`, the end of each turn is a stop too (then `proceed` goes on from there).
    """
    kind, flag = code >> 16, code >> 14 & 3
    first, second = code >> 7 & 127, code & 127
    player = s[Field.TURN]
    if kind == Kind.PLAY_TILE:
        _play(s, player, first)
    elif kind == Kind.CAPTURE:
        _capture(s, player, first)
    elif kind == Kind.PLACE_RAINBOW:
        _place_rainbow(s, first)
    elif kind == Kind.SPIRIT_SOURCE:
        if flag:
            s[Field.STAGE] = Stage.SPIRITS
        else:
            _leave_line(s, first)
            _encounter(s, player, first, second)
    elif kind == Kind.SPIRIT_KEEP:
        _join_line(s, s[Field.DRAWN] & ~(1 << first))
        _encounter(s, player, first, second)
    elif kind == Kind.EVIL_BLOCK:
        s[Field.EVIL_BLOCK] = PER_PLAYER * (1 - player) + first
        s[Field.EVIL_DRAWN] = -1
        s[Field.STAGE] = Stage.REFILL
    elif kind == Kind.EVIL_COVER:
        s[Field.EVIL_COVER] = PER_PLAYER * s[Field.EVIL_HOLDER] + second
        s[Field.EVIL_HOLDER] = -1
        s[Field.STAGE] = Stage.SQUIRREL
    elif kind >= Kind.DRAW:
        _chance(s, player, kind, first, second)
    else:
        _effect(s, player, kind, flag, first, second)
    proceed(s, stop)
    return status(s)


@njit(cache=True)
def _play(s: Any, player: Any, tile: Any) -> None:
    s[Field.HAND + player] ^= 1 << tile
    s[Field.SEEN + 1 - player] &= ~(1 << tile)
    s[Field.FORCED + player] = -1
    s[Field.PLAYING] = tile
    if s[Field.UP] & captures(tile):
        s[Field.STAGE] = Stage.CAPTURE
    else:
        add_to_display(s, tile)
        s[Field.PLAYING] = -1
        s[Field.STAGE] = Stage.SECOND_CHANCE


@njit(cache=True)
def _capture(s: Any, player: Any, tile: Any) -> None:
    if s[Field.PLAYING_PLACE] >= 0:
        take_from_display(s, s[Field.PLAYING])
        s[Field.PLAYING_PLACE] = -1
        s[Field.CAPTURED] = -1
    take_from_display(s, tile)
    place_tile(s, player, tile, Field.FILLED)
    s[Field.SOURCE] = _CAPTURE
    turning = s[Field.TURNING] >= 0
    s[Field.STAGE] = Stage.BENEATH_CAPTURED if turning else Stage.PLACE_PLAYING


@njit(cache=True)
def _place_rainbow(s: Any, cell: Any) -> None:
    player = placing_player(s)
    s[Field.RAINBOWS + player] |= 1 << cell
    s[Field.PENDING] -= 1
    filled = Field.FILLED if s[Field.SOURCE] <= _CAPTURE else Field.EFFECT_FILLED
    remember_filled(s, cell, filled)


@njit(cache=True)
def _join_line(s: Any, spirits: Any) -> None:
    if spirits:
        s[Field.WHERE + lowest(spirits)] = popcount(s[Field.LINE])
        s[Field.LINE] |= spirits
    s[Field.DRAWN] = 0


@njit(cache=True)
def _leave_line(s: Any, spirit: Any) -> None:
    place = s[Field.WHERE + spirit]
    s[Field.LINE] ^= 1 << spirit
    for other in range(Spirit.EVIL):
        if place < s[Field.WHERE + other] < PLACED:
            s[Field.WHERE + other] -= 1


@njit(cache=True)
def _encounter(s: Any, player: Any, spirit: Any, square: Any) -> None:
    s[Field.WHERE + spirit] = PLACED + PER_PLAYER * player + square
    s[Field.SPIRIT_SQUARES + player] |= 1 << square
    s[Field.ELIGIBLE] &= ~(1 << square)
    if variant(s) == FIREFLY:
        _keep_squares(s, s[Field.ELIGIBLE])
    holder = s[Field.EVIL_HOLDER]
    if holder >= 0 and s[Field.EVIL_DRAWN] < 0:
        by_encounterer = s[Field.RULES] >> 8 & 3
        if by_encounterer:
            if holder == player:
                s[Field.EVIL_HOLDER] = 1 - player
        else:
            s[Field.EVIL_HOLDER] = player
    if variant(s) != FIREFLY:
        s[Field.ELIGIBLE] = 0
        s[Field.EVIL_DRAWN] = -1
    _begin_effect(s, player, spirit)


@njit(cache=True)
def _begin_effect(s: Any, player: Any, spirit: Any) -> None:
    other = 1 - player
    stage = Stage.FIREFLIES
    if spirit == Spirit.FISH:
        if s[Field.STOCK] > 0:
            s[Field.STOCK] -= 1
            s[Field.PENDING] = 1
            s[Field.SOURCE] = _FISH
    elif spirit == Spirit.DEER:
        if s[Field.HAND + player]:
            stage = Stage.DEER
    elif spirit == Spirit.EAGLE:
        if pile_size(s) > 0:
            stage = Stage.EAGLE
    elif spirit == Spirit.BEAR:
        if pile_size(s) > 0:
            stage = Stage.BEAR
    elif spirit == Spirit.DRAGONFLY:
        if s[Field.HAND + other]:
            stage = Stage.DRAGONFLY
    elif spirit == Spirit.BEETLE:
        if s[Field.UP]:
            stage = Stage.BEETLE
    elif spirit == Spirit.GROUNDHOG:
        s[Field.AGAIN] = 1
    elif spirit == Spirit.VIPER:
        alone = isolated(s, other)
        if alone & s[Field.TILES + other] or (
            alone & s[Field.RAINBOWS + other] and rainbow_cells(s, player)
        ):
            stage = Stage.VIPER
    elif spirit == Spirit.FOX and s[Field.HAND + other]:
        s[Field.SEEN + player] = s[Field.HAND + other]
        stage = Stage.FOX
    s[Field.STAGE] = stage


@njit(cache=True)
def _effect(s: Any, player: Any, kind: Any, flag: Any, first: Any, second: Any) -> None:
    """Carry out the choice or the blind pick of an effect."""
    other = 1 - player
    bit = 1 << first
    stage = Stage.FIREFLIES
    if kind == Kind.DEER:
        s[Field.HAND + player] ^= bit
        s[Field.SEEN + other] &= ~bit
        s[Field.SOURCE] = _DEER
        place_tile(s, player, first, Field.EFFECT_FILLED)
    elif kind == Kind.EAGLE_DRAW:
        s[Field.POOL] ^= bit
        s[Field.SOURCE] = _EAGLE
        place_tile(s, player, first, Field.EFFECT_FILLED)
    elif kind == Kind.DRAGONFLY_DRAW:
        s[Field.HAND + other] ^= bit
        s[Field.SEEN + player] &= ~bit
        if s[Field.FORCED + other] == first:
            s[Field.FORCED + other] = -1
        s[Field.SOURCE] = _DRAGONFLY
        place_tile(s, player, first, Field.EFFECT_FILLED)
        if pile_size(s) > 0:
            stage = Stage.COMPENSATE
    elif kind == Kind.BEETLE:
        take_from_display(s, first)
        s[Field.SOURCE] = _BEETLE
        place_tile(s, player, first, Field.EFFECT_FILLED)
        if s[Field.TURNING] >= 0:
            stage = Stage.BENEATH_BEETLE
    elif kind == Kind.VIPER:
        s[Field.SOURCE] = _VIPER
        if flag & 2:
            s[Field.RAINBOWS + other] ^= bit
            s[Field.RAINBOWS + player] |= 1 << second
            remember_filled(s, second, Field.EFFECT_FILLED)
        else:
            s[Field.TILES + other] ^= bit
            place_tile(s, player, first, Field.EFFECT_FILLED)
    elif kind == Kind.FOX_FORCE:
        s[Field.FORCED + other] = first
    s[Field.STAGE] = stage


@njit(cache=True)
def _chance(s: Any, player: Any, kind: Any, first: Any, second: Any) -> None:
    """Carry out what the pile, the display or the spirit pile brought."""
    stage = s[Field.STAGE]
    if kind == Kind.DRAW_SPIRITS:
        _draw_spirits(s, player, 1 << first | 1 << second)
    elif kind == Kind.REVEAL:
        if stage == Stage.UNCOVER:
            s[Field.POOL] ^= 1 << first
            s[Field.DOWN] ^= 1 << s[Field.TURNING]
            s[Field.TURNING] = -1
            add_to_display(s, first)
            if captures(s[Field.PLAYING]) >> first & 1:
                s[Field.CAPTURED] = first
                s[Field.STAGE] = Stage.CAPTURE
            else:
                _uncover(s)
        else:
            turn_up(s, first)
            after = Stage.PLACE_PLAYING if stage == Stage.BENEATH_CAPTURED else Stage.FIREFLIES
            s[Field.STAGE] = after
    elif kind == Kind.SECOND_CHANCE:
        s[Field.POOL] ^= 1 << first
        s[Field.PLAYING] = first
        if s[Field.UP] & captures(first):
            s[Field.STAGE] = Stage.CAPTURE
            return
        s[Field.PLAYING_PLACE] = add_to_display(s, first)
        if s[Field.RULES] >> 6 & 3:
            s[Field.STAGE] = Stage.MISS
        else:
            _uncover(s)
    else:
        s[Field.POOL] ^= 1 << first
        drawer = 1 - player if stage == Stage.COMPENSATE else player
        s[Field.HAND + drawer] |= 1 << first
        if stage != Stage.REFILL:
            s[Field.STAGE] = Stage.FIREFLIES


@njit(cache=True)
def _uncover(s: Any) -> None:
    """Go on to the next face-down tile of the display, if there is one."""
    if s[Field.DOWN]:
        s[Field.TURNING] = lowest(s[Field.DOWN])
        s[Field.STAGE] = Stage.UNCOVER
    else:
        s[Field.STAGE] = Stage.MISS


@njit(cache=True)
def _draw_spirits(s: Any, player: Any, spirits: Any) -> None:
    s[Field.SPIRIT_PILE] &= ~spirits
    if spirits >> Spirit.EVIL & 1:
        spirits ^= 1 << Spirit.EVIL
        s[Field.EVIL_DRAWN] = player
        if variant(s) != FIREFLY:
            s[Field.EVIL_HOLDER] = player
    s[Field.DRAWN] = spirits
    if spirits:
        s[Field.STAGE] = Stage.KEEP
    else:
        _forget_squares(s)
        if variant(s) == FIREFLY:
            s[Field.STAGE] = Stage.EVIL
        else:
            s[Field.EVIL_DRAWN] = -1
            s[Field.STAGE] = Stage.REFILL


@njit(cache=True)
def proceed(s: Any, stop: Any) -> None:
    """Take the automatic steps up to the next stop."""
    while True:
        stage = s[Field.STAGE]
        if stage <= Stage.REFILL:
            if stage != Stage.REFILL or _refills(s):
                if s[Field.PENDING] == 0:
                    s[Field.SOURCE] = 0
                return
            s[Field.STAGE] = Stage.TURN_END
            s[Field.EVIL_DRAWN] = -1
            if stop:
                return
        elif s[Field.PENDING] > 0:
            if rainbow_cells(s, placing_player(s)):
                return
            s[Field.STOCK] += s[Field.PENDING]
            s[Field.PENDING] = 0
        elif stage <= Stage.COVER:
            s[Field.SOURCE] = 0
            return
        elif stage == Stage.END:
            s[Field.SOURCE] = 0
            _forget_squares(s)
            s[Field.TURN] = 0
            return
        elif stage == Stage.TURN:
            _begin_turn(s)
        elif stage == Stage.TURN_END:
            if not s[Field.AGAIN]:
                s[Field.TURN] = 1 - s[Field.TURN]
            s[Field.AGAIN] = 0
            s[Field.STAGE] = Stage.TURN
        elif stage >= Stage.ENDPHASE:
            _endphase(s, stage)
        else:
            _step(s, stage)


@njit(cache=True)
def _refills(s: Any) -> Any:
    player = s[Field.TURN]
    return popcount(s[Field.HAND + player]) < hand_size(s, player) and pile_size(s) > 0


@njit(cache=True)
def _begin_turn(s: Any) -> None:
    """Go on to the play, to the other player after a pass, or to the endphase."""
    player = s[Field.TURN]
    if pile_size(s) > 0 or can_capture(s, player):
        s[Field.STAGE] = Stage.PLAY
    elif can_capture(s, 1 - player):
        s[Field.FORCED + player] = -1
        s[Field.TURN] = 1 - player
    else:
        s[Field.FORCED] = -1
        s[Field.FORCED + 1] = -1
        s[Field.STAGE] = Stage.ENDPHASE


@njit(cache=True)
def _step(s: Any, stage: Any) -> None:
    """Take one automatic step within a turn."""
    player = s[Field.TURN]
    if stage == Stage.MISS:
        s[Field.PLAYING] = -1
        s[Field.PLAYING_PLACE] = -1
        s[Field.STAGE] = Stage.ENCOUNTER
        if s[Field.STOCK] > 0:
            s[Field.STOCK] -= 1
            if waits(s) and not has_base(s, player):
                s[Field.HELD + player] += 1
            else:
                s[Field.PENDING] = 1
                s[Field.SOURCE] = _NO_CAPTURE
    elif stage == Stage.PLACE_PLAYING:
        s[Field.SOURCE] = _CAPTURE
        place_tile(s, player, s[Field.PLAYING], Field.FILLED)
        s[Field.PLAYING] = -1
        s[Field.STAGE] = Stage.PLACE_HELD
    elif stage == Stage.PLACE_HELD:
        s[Field.PENDING] = s[Field.HELD + player]
        s[Field.HELD + player] = 0
        s[Field.STAGE] = Stage.ENCOUNTER
    elif stage == Stage.ENCOUNTER:
        filled = s[Field.TILES + player] | s[Field.RAINBOWS + player]
        taken = s[Field.SPIRIT_SQUARES + player] | s[Field.FIREFLIES + player]
        eligible = complete(filled) & touching(s[Field.FILLED]) & ~taken
        s[Field.FILLED] = 0
        if not eligible or not (s[Field.SPIRIT_PILE] | s[Field.LINE]):
            s[Field.SEQUENCE] = 0
            s[Field.SEQUENCE + 1] = 0
            s[Field.STAGE] = Stage.REFILL
            return
        s[Field.ELIGIBLE] = eligible
        if variant(s) == FIREFLY:
            _order_squares(s, eligible)
        s[Field.STAGE] = Stage.SOURCE if s[Field.LINE] else Stage.SPIRITS
    elif stage == Stage.FIREFLIES:
        s[Field.STAGE] = Stage.REFILL
        if variant(s) == FIREFLY:
            s[Field.STAGE] = Stage.EVIL
            _place_fireflies(s, player)
        _forget_squares(s)
    elif stage == Stage.EVIL:
        block = s[Field.EVIL_BLOCK]
        hosted = block >= 0 and block // PER_PLAYER == player
        s[Field.STAGE] = Stage.REFILL
        if s[Field.EVIL_DRAWN] >= 0 or hosted:
            if block_cells(s, 1 - player):
                s[Field.STAGE] = Stage.BLOCK
            else:
                s[Field.EVIL_DRAWN] = -1
                s[Field.EVIL_BLOCK] = -1


@njit(cache=True)
def _forget_squares(s: Any) -> None:
    s[Field.ELIGIBLE] = 0
    s[Field.EFFECT_FILLED] = 0
    s[Field.SEQUENCE] = 0
    s[Field.SEQUENCE + 1] = 0
    s[Field.EFFECT_SEQUENCE] = 0


@njit(cache=True)
def _square_of(cell: Any, number: Any) -> Any:
    """Return one of the four squares of a cell: those to the left first, the upper ones first."""
    return cell - (1 - number // 2) - WIDTH * (number % 2)


@njit(cache=True)
def _order_squares(s: Any, squares: Any) -> None:
    """Put the eligible squares in the order in which the cells that made them were filled."""
    first, second = s[Field.SEQUENCE], s[Field.SEQUENCE + 1]
    s[Field.SEQUENCE] = 0
    s[Field.SEQUENCE + 1] = 0
    for place in range(2 * ENTRIES):
        word = first if place < ENTRIES else second
        cell = (word >> ENTRY_BITS * (place % ENTRIES) & ENTRY) - 1
        if cell < 0:
            return
        for number in range(4):
            square = _square_of(cell, number)
            if square >= 0 and squares >> square & 1:
                append(s, Field.SEQUENCE, 2, square)


@njit(cache=True)
def _keep_squares(s: Any, squares: Any) -> None:
    """Leave out of the sequence what is not among the squares."""
    first, second = s[Field.SEQUENCE], s[Field.SEQUENCE + 1]
    s[Field.SEQUENCE] = 0
    s[Field.SEQUENCE + 1] = 0
    for place in range(2 * ENTRIES):
        word = first if place < ENTRIES else second
        square = (word >> ENTRY_BITS * (place % ENTRIES) & ENTRY) - 1
        if square >= 0 and squares >> square & 1:
            append(s, Field.SEQUENCE, 2, square)


@njit(cache=True)
def _place_fireflies(s: Any, player: Any) -> None:
    """Give a firefly to every further square; the fourth of a player ends the game.

    The order, which matters for the fourth, is that of the digital edition.
    """
    filled = s[Field.TILES + player] | s[Field.RAINBOWS + player]
    made = complete(filled) & touching(s[Field.EFFECT_FILLED])
    for place in range(2 * ENTRIES):
        square = entry_of(s, Field.SEQUENCE, place)
        if square >= 0 and s[Field.ELIGIBLE] >> square & 1:
            _place_firefly(s, player, square)
    rest = s[Field.ELIGIBLE]
    while rest:
        _place_firefly(s, player, lowest(rest))
        rest &= rest - 1
    for place in range(ENTRIES):
        cell = entry_of(s, Field.EFFECT_SEQUENCE, place)
        for number in range(4):
            square = _square_of(cell, number)
            if cell >= 0 and square >= 0 and made >> square & 1:
                _place_firefly(s, player, square)
    if popcount(s[Field.FIREFLIES + player]) == _FIREFLIES_TO_WIN:
        s[Field.FORCED] = -1
        s[Field.FORCED + 1] = -1
        s[Field.AGAIN] = 0
        s[Field.STAGE] = Stage.END


@njit(cache=True)
def _place_firefly(s: Any, player: Any, square: Any) -> None:
    taken = s[Field.SPIRIT_SQUARES + player] | s[Field.FIREFLIES + player]
    count = popcount(s[Field.FIREFLIES + player])
    if taken >> square & 1 == 0 and count < _FIREFLIES_TO_WIN and s[Field.FIREFLY_STOCK] > 0:
        s[Field.FIREFLIES + player] |= 1 << square
        s[Field.FIREFLY_STOCK] -= 1


@njit(cache=True)
def _endphase(s: Any, stage: Any) -> None:
    if stage == Stage.ENDPHASE:
        holder = s[Field.EVIL_HOLDER]
        covers = holder >= 0 and s[Field.SPIRIT_SQUARES + holder] != 0
        s[Field.STAGE] = Stage.COVER if covers else Stage.SQUIRREL
        return
    s[Field.STAGE] = Stage.END
    where = s[Field.WHERE + Spirit.SQUIRREL] - PLACED
    if where < 0 or where == s[Field.EVIL_COVER]:
        return
    owner = where // PER_PLAYER
    s[Field.SOURCE] = _SQUIRREL
    hand = s[Field.HAND + owner]
    s[Field.HAND + owner] = 0
    s[Field.SEEN + 1 - owner] = 0
    while hand:
        place_tile(s, owner, lowest(hand), Field.EFFECT_FILLED)
        hand &= hand - 1
    s[Field.PENDING] += s[Field.HELD + owner]
    s[Field.HELD + owner] = 0
