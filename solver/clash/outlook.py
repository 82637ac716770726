"""What the known and the hidden times still mean for the rest of a game.

Of the times that have passed, only what they say about the cards still face down matters: how often
each has come up, and nothing once all six are known. Many states share an outlook, and their
solutions.
"""

from dataclasses import dataclass
from fractions import Fraction

from games.clash import ROUNDS, State, Time, next_times

__all__ = ["Outlook"]


@dataclass(frozen=True, order=True, slots=True)
class Outlook:
    """The times ahead, as a player knows them at the start of a round or when a time is due.

    Attributes
    ----------
    seen : tuple of four int
        How many cards of Dawn, Noon, Midnight and Dusk are face up; empty once all six are.
    known : tuple of Time
        The times of this round and of later ones as far as they are face up; empty when the
        round's time is due.

    Examples
    --------
    >>> Outlook.of(State.parse("WFAE/FAEE DaNoDuMi---- 1-0")).known
    (<Time.DUSK: 3>, <Time.MIDNIGHT: 2>)
    """

    seen: tuple[int, ...]
    known: tuple[Time, ...]

    @classmethod
    def of(cls, state: State) -> "Outlook":
        """Return the outlook of a state."""
        face_up = [time for time in state.times if time is not None]
        return cls(_counts(face_up), tuple(face_up[state.rounds_played :]))

    @property
    def is_due(self) -> bool:
        """Whether the round's time must be turned up next."""
        return not self.known

    def after_round(self) -> "Outlook":
        """Return the outlook when the round was played."""
        return Outlook(self.seen, self.known[1:])

    def reveals(self, time_deck: str) -> dict["Outlook", Fraction]:
        """Return the outlooks that the turning-up of a time can lead to, with their chances."""
        face_up = [time for time in Time for _ in range(self.seen[time])]
        return {
            Outlook(_counts([*face_up, time]), (time,)): chance
            for time, chance in next_times(face_up, time_deck).items()
        }

    def rotated(self, steps: int) -> "Outlook":
        """Return the outlook with every time moved on in the cycle of the elements."""
        seen = tuple(self.seen[(time - steps) % 4] for time in Time) if self.seen else ()
        return Outlook(seen, tuple(time.rotated(steps) for time in self.known))


def _counts(face_up: list[Time]) -> tuple[int, ...]:
    if len(face_up) == ROUNDS:
        return ()
    return tuple(face_up.count(time) for time in Time)
