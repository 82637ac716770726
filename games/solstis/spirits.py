"""The spirits, and which of them are in each variant.

Rules page: "Material", "Effects of plain spirits", "Firefly expansion".
"""

from enum import IntEnum
from typing import Final

from games.errors import NotationError

__all__ = ["BLUE", "PLAIN", "Spirit", "spirits_of"]


class Spirit(IntEnum):
    """A spirit; its text is the name in the records.

    Examples
    --------
    >>> str(Spirit.BEE), Spirit.parse("EvilBeaver") is Spirit.EVIL
    ('Bee', True)
    """

    FISH = 0
    DEER = 1
    EAGLE = 2
    BEAR = 3
    DRAGONFLY = 4
    BEETLE = 5
    GROUNDHOG = 6
    VIPER = 7
    FOX = 8
    BEE = 9
    LADYBUG = 10
    WOLF = 11
    SQUIRREL = 12
    BIRD = 13
    LIZARD = 14
    BUTTERFLY = 15
    COW = 16
    PHOENIX = 17
    EVIL = 18

    def __str__(self) -> str:
        return _NAMES[self]

    @classmethod
    def parse(cls, name: str) -> "Spirit":
        """Return the spirit of that name.

        Raises
        ------
        NotationError
            If there is no such spirit.
        """
        spirit = _BY_NAME.get(name) if isinstance(name, str) else None
        if spirit is None:
            raise NotationError(f"{name!r} is no spirit: expected one of {', '.join(_BY_NAME)}")
        return spirit


_NAMES: Final = {
    spirit: "EvilBeaver" if spirit is Spirit.EVIL else spirit.name.capitalize() for spirit in Spirit
}
_BY_NAME: Final = {name: spirit for spirit, name in _NAMES.items()}

PLAIN: Final = frozenset(spirit for spirit in Spirit if spirit < Spirit.BEE)
"""Spirits that act at once."""

BLUE: Final = frozenset(spirit for spirit in Spirit if Spirit.BEE <= spirit < Spirit.EVIL)
"""Spirits that act at the end."""

_FIREFLY_ONLY: Final = frozenset({Spirit.VIPER, Spirit.FOX, Spirit.COW, Spirit.PHOENIX})


def spirits_of(variant: str) -> frozenset[Spirit]:
    """Return the spirits of a variant.

    Examples
    --------
    >>> [len(spirits_of(variant)) for variant in ("base", "beginner", "firefly")]
    [15, 14, 19]
    """
    everything = frozenset(Spirit)
    if variant == "firefly":
        return everything
    base = everything - _FIREFLY_ONLY
    return base if variant == "base" else base - {Spirit.EVIL}
