"""The options of the rules, each a field of one frozen object.

Rules page: the table at its head.
"""

from dataclasses import dataclass, fields
from typing import Any, Final

from games.errors import RulesError

__all__ = ["Rules"]

_WORDS: Final[dict[str, tuple[object, ...]]] = {
    "variant": ("base", "beginner", "firefly"),
    "rainbow_next_to": ("land", "tile"),
    "first_rainbow": ("anywhere", "held"),
    "second_chance_reveals": (True, False),
    "evil_passes": ("to_encounterer", "by_encounterer"),
    "largest_area": ("tiles", "land"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of the rules.

    ``Rules()`` is the sheet of the game; where it is silent, published facts. `Rules.published` is
    how the digital edition plays.

    Parameters
    ----------
    variant : {"base", "beginner", "firefly"}
        The game, without the Evil Spirit, or with the expansion.
    rainbow_next_to : {"land", "tile"}
        A rainbow goes next to a land tile of the own panorama, or next to any tile.
    first_rainbow : {"anywhere", "held"}
        What becomes of a rainbow while there is no tile to be next to: it goes to any cell, or
        waits until the next capture.
    second_chance_reveals : bool
        Whether a second chance that captures nothing turns up face-down tiles.
    evil_passes : {"to_encounterer", "by_encounterer"}
        The Evil Spirit passes to the player who encounters a spirit without holding it, or from
        the holder who encounters one to the other.
    largest_area : {"tiles", "land"}
        Areas are ranked by tiles (rainbows counted) and then by land tiles, or by land tiles.

    Raises
    ------
    RulesError
        If a word is not one of those above; the message names the field.

    Examples
    --------
    >>> Rules().rainbow_next_to, Rules.published().rainbow_next_to
    ('land', 'tile')
    >>> Rules(variant="long")
    Traceback (most recent call last):
    games.errors.RulesError: variant is 'long': expected 'base', 'beginner' or 'firefly'
    """

    variant: str = "base"
    rainbow_next_to: str = "land"
    first_rainbow: str = "anywhere"
    second_chance_reveals: bool = True
    evil_passes: str = "to_encounterer"
    largest_area: str = "tiles"

    def __post_init__(self) -> None:
        for field in fields(self):
            word, words = getattr(self, field.name), _WORDS[field.name]
            if type(word) is not type(words[0]) or word not in words:
                known = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
                raise RulesError(f"{field.name} is {word!r}: expected {known}")

    @classmethod
    def published(cls, variant: str = "base", largest_area: str = "tiles") -> "Rules":
        """Return the rules as the digital edition plays.

        Examples
        --------
        >>> Rules.published("firefly").first_rainbow
        'held'
        """
        return cls(variant, "tile", "held", False, "by_encounterer", largest_area)

    @classmethod
    def from_dict(cls, data: Any) -> "Rules":
        """Return the rules from their `to_dict`.

        Raises
        ------
        RulesError
            If a field is unknown or missing, or a word is.
        """
        if not isinstance(data, dict) or set(data) != set(_WORDS):
            raise RulesError(f"rules are {data!r}: expected the fields {', '.join(_WORDS)}")
        return cls(**data)

    def to_dict(self) -> dict[str, str | bool]:
        """Return the fields and their words."""
        return {name: getattr(self, name) for name in _WORDS}

    @property
    def code(self) -> int:
        """The options as one number: for each field a bit or two."""
        code = 0
        for shift, (name, words) in enumerate(_WORDS.items()):
            code |= words.index(getattr(self, name)) << 2 * shift
        return code

    @classmethod
    def from_code(cls, code: int) -> "Rules":
        """Return the rules of a `code`."""
        numbers = {name: code >> 2 * shift & 3 for shift, name in enumerate(_WORDS)}
        return cls(**{name: _WORDS[name][number] for name, number in numbers.items()})  # type: ignore[arg-type]
