"""What a player sees as arrays of numbers, for learners.

Everything is seen from the player: where there are two rows, the own one is first. Tiles and cells
are the 48 in order, 1-1 first; squares are the 33; spirits are the 19 of `Spirit`.

=================  ============  ==================================================================
part               shape         content
=================  ============  ==================================================================
tiles, rainbows    (2, 48)       the panoramas
spirits            (2, 19, 33)   which spirit lies on which square
fireflies          (2, 33)       squares with a firefly
evil_holder        (2,)          who holds the Evil Spirit
evil_drawn         (2,)          who drew it in this encounter
evil_cover         (2, 33)       the square on which it covers a spirit
evil_block         (2, 48)       the cell that it blocks
hand               (48,)         the own hand
known              (48,)         tiles of the opponent's hand that were shown to the player
shown              (48,)         tiles of the own hand that were shown to the opponent
unseen             (48,)         tiles that may be in the opponent's hand, the pile or face down
removed            (48,)         tiles out of the game
forced             (2, 48)       the tile that must be played next (Fox)
display            (18, 48)      the face-up tile of each place
face_down          (18,)         places with a face-down tile
line, spirit_pile  (19,)         spirits face up, and face down in the pile
drawn              (19,)         spirits drawn, of which one is kept
to_move            (2,)          whose turn it is
stage              (31,)         what comes next: a number of `layout.Stage`
playing            (48,)         the tile that is being played
playing_place      (18,)         the place of the second-chance tile
must_capture       (48,)         the tile that it must capture
turning            (18,)         the place whose face-down tile is turned up
filled             (48,)         cells filled in this turn by capture and rainbows
effect_filled      (48,)         cells filled in this turn by a spirit's effect
eligible           (33,)         squares that may bear the spirit encountered, or get a firefly
source             (9,)          why rainbows are being placed: a number of `layout.SOURCES`
counts             (9,)          tiles of the opponent's hand, of the pile; rainbows of the stock,
                                 held by the player, by the opponent, to be placed now; fireflies
                                 of the stock; 1 if a Groundhog's turn follows; spirits in the pile
scores             (2,)          points of the panoramas as they lie
=================  ============  ==================================================================

The order in which squares of one turn get fireflies, where not all can, is left out.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.solstis.layout import PER_PLAYER, PLACED, PLACES, SOURCES, Field, Stage
from games.solstis.mountain import CELLS, SQUARES
from games.solstis.observation import Observation
from games.solstis.spirits import Spirit

__all__ = ["OBSERVATION_PARTS", "observation_arrays"]

Array: TypeAlias = NDArray[np.float32]

_CELLS: Final = np.array(CELLS)
_SQUARES: Final = np.array(SQUARES)
_PLACES: Final = np.arange(PLACES)
_SPIRITS: Final = np.arange(len(Spirit))
_T, _S, _N, _P = len(CELLS), len(SQUARES), len(Spirit), PLACES

OBSERVATION_PARTS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(("tiles", "rainbows"), (2, _T)),
        "spirits": (2, _N, _S),
        "fireflies": (2, _S),
        "evil_holder": (2,),
        "evil_drawn": (2,),
        "evil_cover": (2, _S),
        "evil_block": (2, _T),
        **dict.fromkeys(("hand", "known", "shown", "unseen", "removed"), (_T,)),
        "forced": (2, _T),
        "display": (_P, _T),
        "face_down": (_P,),
        **dict.fromkeys(("line", "spirit_pile", "drawn"), (_N,)),
        "to_move": (2,),
        "stage": (len(Stage),),
        "playing": (_T,),
        "playing_place": (_P,),
        "must_capture": (_T,),
        "turning": (_P,),
        "filled": (_T,),
        "effect_filled": (_T,),
        "eligible": (_S,),
        "source": (len(SOURCES),),
        "counts": (9,),
        "scores": (2,),
    }
)
"""The parts and their shapes, in order."""


def observation_arrays(observation: Observation) -> dict[str, Array]:
    """Return what a player sees as arrays, one for each of `OBSERVATION_PARTS`.

    Examples
    --------
    >>> from games.solstis import State
    >>> arrays = observation_arrays(State.new(5).observe(0))
    >>> int(arrays["hand"].sum()), int(arrays["unseen"].sum()), arrays["counts"].tolist()
    (3, 39, [3.0, 30.0, 12.0, 0.0, 0.0, 0.0, 0.0, 0.0, 15.0])
    """
    core, own = observation._core, observation.player
    other = 1 - own
    both = (own, other)

    def bits(field: int, numbers: Any) -> Array:
        return np.asarray(core[field] >> numbers & 1, dtype=np.float32)

    def one(number: Any, numbers: Any) -> Array:
        return np.asarray(numbers == number, dtype=np.float32)

    def rows(field: int, numbers: Any) -> Array:
        return np.array([bits(field + player, numbers) for player in both])

    def placed(number: Any, numbers: Any) -> Array:
        """Return where something lies that has one place on one of the panoramas."""
        return np.array([one(number - PER_PLAYER * player, numbers) for player in both])

    def who(number: Any) -> Array:
        return one(number, np.array(both))

    rainbows_due = int(core[Field.PENDING])
    where = core[Field.WHERE : Field.WHERE + _N] - PLACED
    counts = (
        observation.opponent_hand_size,
        observation.pile_size,
        core[Field.STOCK],
        core[Field.HELD + own],
        core[Field.HELD + other],
        rainbows_due,
        core[Field.FIREFLY_STOCK],
        core[Field.AGAIN],
        int(core[Field.SPIRIT_PILE]).bit_count(),
    )
    return {
        "tiles": rows(Field.TILES, _CELLS),
        "rainbows": rows(Field.RAINBOWS, _CELLS),
        "spirits": np.stack([placed(spot, _SQUARES) for spot in where], axis=1),
        "fireflies": rows(Field.FIREFLIES, _SQUARES),
        "evil_holder": who(core[Field.EVIL_HOLDER]),
        "evil_drawn": who(core[Field.EVIL_DRAWN]),
        "evil_cover": placed(core[Field.EVIL_COVER], _SQUARES),
        "evil_block": placed(core[Field.EVIL_BLOCK], _CELLS),
        "hand": bits(Field.HAND + own, _CELLS),
        "known": bits(Field.SEEN + own, _CELLS),
        "shown": bits(Field.SEEN + other, _CELLS),
        "unseen": bits(Field.POOL, _CELLS),
        "removed": bits(Field.REMOVED, _CELLS),
        "forced": np.array([one(core[Field.FORCED + player], _CELLS) for player in both]),
        "display": one(core[Field.PLACE : Field.PLACE + _P, None], _CELLS),
        "face_down": bits(Field.DOWN, _PLACES),
        "line": bits(Field.LINE, _SPIRITS),
        "spirit_pile": bits(Field.SPIRIT_PILE, _SPIRITS),
        "drawn": bits(Field.DRAWN, _SPIRITS),
        "to_move": who(core[Field.TURN]),
        "stage": one(core[Field.STAGE], np.arange(len(Stage))),
        "playing": one(core[Field.PLAYING], _CELLS),
        "playing_place": one(core[Field.PLAYING_PLACE], _PLACES),
        "must_capture": one(core[Field.CAPTURED], _CELLS),
        "turning": one(core[Field.TURNING], _PLACES),
        "filled": bits(Field.FILLED, _CELLS),
        "effect_filled": bits(Field.EFFECT_FILLED, _CELLS),
        "eligible": bits(Field.ELIGIBLE, _SQUARES),
        "source": one(core[Field.SOURCE] if rainbows_due else -1, np.arange(len(SOURCES))),
        "counts": np.array(counts, dtype=np.float32),
        "scores": np.array([observation.score(k).total for k in both], dtype=np.float32),
    }
