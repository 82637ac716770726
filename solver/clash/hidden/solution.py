"""A solved deal with hidden hands: its strategies, beliefs and best responses.

Everything is asked of two strategies in arrays (`Behaviour`); how they were found does not matter.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Element, Hand, Objective, Rules, Time, format_times
from games.clash.elements import ElementLike, TimesLike
from games.clash.hand import HandLike
from solver.archive import DAMAGE
from solver.clash.hidden.arguments import read_deal
from solver.clash.hidden.best_response import Behaviour, best_response, own_reach, profile_value
from solver.clash.hidden.deal_file import read_behaviours, read_fields, write_deal
from solver.clash.hidden.layout import BLOCK, LAST, HiddenLayout
from solver.clash.hidden.lookup import History, Lookup, read_history
from solver.errors import StateError, TableError

__all__ = [
    "REACHED",
    "BestResponse",
    "HiddenSolution",
    "Mix",
    "PlayerStrategy",
    "arrivals",
    "read_mix",
    "read_seat",
    "read_strategy",
]

FloatArray: TypeAlias = NDArray[np.float64]
Mix: TypeAlias = dict[Element, float]
PlayerStrategy: TypeAlias = Callable[
    [Hand, History, tuple[Time | None, ...]], Mapping[Element, float]
]
"""A strategy of the user's own: hand at the start, history, times as known by then -> chances."""

REACHED = 1e-9
"""Play leads to an information set when its chance, times left aside, is more than this. (What was
played in the first iterations alone leaves a smaller trace in the average.)"""


_PLAIN_FIELDS = (
    "objective",
    "points",
    "streaks",
    "value",
    "bounds",
    "iterations",
    "stopped",
    "method",
    "seconds",
    "curve",
    "seed",
)
"""Fields of a solution that its file holds as they are."""


class BestResponse(NamedTuple):
    """The best that a player can do against one strategy of the other.

    Attributes
    ----------
    value : float
        What it earns the player on average, in antes or points.
    strategy : callable
        ``strategy(hand, history=(), times=None)`` gives its chances: a single card each time.
    """

    value: float
    strategy: Callable[..., Mix]


@dataclass(frozen=True, eq=False)
class HiddenSolution:
    """Both players' strategies in one deal with hidden hands, and how exact they are.

    Attributes
    ----------
    objective : {"win", "margin"}
        What players maximise.
    rules : Rules
        The options of the rules.
    times : tuple of six times
        As known at the start, None where face down.
    priors : pair of float arrays
        The chances of each player's types, in the order of ``layout.players[...].types``.
    points : pair of int
        Points at the start.
    streaks : pair
        Streaks at the start; empty when Sunburst is off.
    layout : HiddenLayout
        The deal in arrays.
    behaviours : pair of Behaviour
        The strategies in arrays.
    value : float
        Expected utility of player 0 when both play the returned strategies, in antes or points.
    bounds : pair of float
        What player 0's strategy guarantees, and what player 1's concedes.
    iterations : int
        How many iterations were made.
    stopped : str
        Why no more were: ``"tolerance"`` or ``"iterations"``.
    method : str
        The regret rule.
    seconds : float
        How long the solution took.
    curve : tuple of (int, float)
        Exploitability after some of the iterations.
    seed : int
        The seed that was given; nothing is random, so it changes nothing.
    """

    objective: Objective
    rules: Rules
    times: tuple[Time | None, ...]
    priors: tuple[FloatArray, FloatArray]
    points: tuple[int, int]
    streaks: tuple[int | str, ...]
    layout: HiddenLayout
    behaviours: tuple[Behaviour, Behaviour]
    value: float
    bounds: tuple[float, float]
    iterations: int
    stopped: str
    method: str
    seconds: float
    curve: tuple[tuple[int, float], ...]
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "_lookup", Lookup(self.layout, self.times, self.rules))
        reaches = tuple(
            own_reach(self.layout, player, self.behaviours[player].rounds, self.priors[player])
            for player in (0, 1)
        )
        object.__setattr__(self, "_reaches", reaches)

    _lookup: Lookup = None  # type: ignore[assignment]
    _reaches: tuple[FloatArray, FloatArray] = None  # type: ignore[assignment]

    @property
    def exploitability(self) -> float:
        """Half the distance of the bounds, in antes or points.

        What the better informed of two opponents who know these strategies gains on average by
        playing a best response instead.
        """
        return (self.bounds[1] - self.bounds[0]) / 2

    @property
    def exact(self) -> bool:
        """Whether the strategies are exact: never, they are as good as `exploitability` says."""
        return False

    @property
    def unit(self) -> str:
        """The unit of all values: antes or points."""
        return "antes" if self.objective == "win" else "points"

    def hands(self, player: int) -> dict[Hand, float]:
        """Return the hands that a player may hold at the start, with their chances."""
        seat = read_seat(player)
        types = self.layout.players[seat].types
        return dict(zip(types, self.priors[seat].tolist(), strict=True))

    def strategy(
        self,
        player: int,
        hand: HandLike,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> Mix:
        """Return a player's strategy in an information set.

        Parameters
        ----------
        player : int
            0 or 1.
        hand : Hand
            The hand held at the start of the solved game.
        history : sequence of pairs of cards
            For each round since then, the card of player 0 and of player 1.
        times : row of times, optional
            As known by now; needed from the fifth round on when its time was hidden.

        Returns
        -------
        dict
            The chance of every card still held. Whether play leads here is told by `reached`: where
            it does not, the chances are no advice.

        Raises
        ------
        StateError
            If the hand is not possible, or the history or the times cannot be.
        """
        seat, rounds = read_seat(player), read_history(history)
        row = self._lookup.check_times(times, len(rounds))
        return read_mix(self._lookup, self.behaviours[seat], seat, hand, rounds, row)

    def reached(
        self,
        player: int,
        hand: HandLike,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> bool:
        """Return whether play under the returned strategies leads to an information set.

        Raises
        ------
        StateError
            As for `strategy`.
        """
        seat, rounds = read_seat(player), read_history(history)
        row = self._lookup.check_times(times, len(rounds), deciding=False)
        self._lookup.place(seat, None, rounds, row)
        own = self._arrivals(seat, rounds, row)[self._lookup.check_hand(seat, hand, rounds)]
        return bool(own > REACHED and self._arrivals(1 - seat, rounds, row).sum() > REACHED)

    def belief(
        self,
        player: int,
        history: Iterable[Sequence[ElementLike]] = (),
        times: TimesLike | None = None,
    ) -> dict[Hand, float]:
        """Return what a player may think the opponent held at the start, given what was played.

        Returns
        -------
        dict
            The probability of every hand that the opponent may have held, those excluded by now
            with 0.

        Raises
        ------
        StateError
            If the opponent's strategy never plays so, or the history or the times cannot be.
        """
        seat, rounds = read_seat(player), read_history(history)
        row = self._lookup.check_times(times, len(rounds), deciding=False)
        self._lookup.place(seat, None, rounds, row)
        arrivals = self._arrivals(1 - seat, rounds, row)
        total = arrivals.sum()
        if total <= REACHED:
            played = "".join(cards[1 - seat].letter for cards in rounds)
            raise StateError(
                f"play never leads there: player {1 - seat}'s strategy does not play {played} "
                "against this, so there is no belief"
            )
        types = self.layout.players[1 - seat].types
        return dict(zip(types, (arrivals / total).tolist(), strict=True))

    def values(self, player: int) -> dict[Hand, float]:
        """Return what each hand is worth to a player who may hold it, if both play as returned.

        Returns
        -------
        dict
            Antes or points to that player, by the hand at the start.
        """
        seat = read_seat(player)
        _, by_type = profile_value(self.layout, self.behaviours, self._reaches, seat)
        types = self.layout.players[seat].types
        return dict(zip(types, by_type.tolist(), strict=True))

    def best_response(self, player: int, strategy: PlayerStrategy | None = None) -> BestResponse:
        """Return the best that a player can do against a strategy of the other.

        Parameters
        ----------
        player : int
            Whose best response it is.
        strategy : callable, optional
            The other's strategy: called with the hand at the start, the history and the times as
            known by then, it gives the chance of each card. The returned strategy by default.

        Returns
        -------
        BestResponse
            What it earns that player, and how it plays.

        Raises
        ------
        StateError
            If the given strategy returns something that is no mix of the cards held.
        """
        seat = read_seat(player)
        behaviour = self.behaviours[1 - seat]
        if strategy is not None:
            behaviour = read_strategy(self, 1 - seat, strategy)
        reach = own_reach(self.layout, 1 - seat, behaviour.rounds, self.priors[1 - seat])
        by_type, response = best_response(self.layout, seat, reach, behaviour.plans)

        def play(
            hand: HandLike,
            history: Iterable[Sequence[ElementLike]] = (),
            times: TimesLike | None = None,
        ) -> Mix:
            rounds = read_history(history)
            row = self._lookup.check_times(times, len(rounds))
            return read_mix(self._lookup, response, seat, hand, rounds, row)

        return BestResponse(float(self.priors[seat] @ by_type), play)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to a file, aside first, so that an old one is never half replaced.

        Raises
        ------
        TableError
            If the rules have a bonus of the user's own.
        OSError
            If the file cannot be written.
        """
        if self.rules.bonus is not None:
            raise TableError(f"a deal with the bonus {self.rules.bonus.name!r} cannot be saved")
        fields = {name: getattr(self, name) for name in _PLAIN_FIELDS}
        fields["rules"] = {"time_deck": self.rules.time_deck, "sunburst": self.rules.sunburst}
        fields["times"] = format_times(self.times)
        fields["hands"] = [[str(hand) for hand in player.types] for player in self.layout.players]
        fields["priors"] = [prior.tolist() for prior in self.priors]
        write_deal(path, fields, self.behaviours)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        rules: Rules | None = None,
        objective: Objective | None = None,
    ) -> "HiddenSolution":
        """Read a solution from a file.

        Parameters
        ----------
        path : path
            The file.
        rules : Rules, optional
            The rules that are wanted.
        objective : {"win", "margin"}, optional
            The objective that is wanted.

        Raises
        ------
        TableError
            If the file is damaged, no solved deal, of another format version, or made for other
            rules or another objective than those wanted.
        OSError
            If the file cannot be read.
        """
        header, arrays, made_for = read_fields(path, rules, objective)
        try:
            deal = read_deal(
                header["times"],
                header["objective"],
                header["hands"],
                header["priors"],
                header["points"],
                header["streaks"] or (0, 0),
                made_for,
            )
            layout = deal.layout()
            plain = {name: header[name] for name in _PLAIN_FIELDS}
            plain["points"], plain["streaks"] = deal.points, deal.streaks
            plain["bounds"] = tuple(map(float, header["bounds"]))
            plain["curve"] = tuple((int(done), float(gap)) for done, gap in header["curve"])
            behaviours = read_behaviours(layout, arrays)
            return cls(
                rules=made_for,
                times=deal.times,
                priors=deal.priors,
                layout=layout,
                behaviours=behaviours,
                **plain,
            )
        except DAMAGE as error:
            raise TableError(f"{os.fspath(path)} is damaged: {error}") from None

    def _arrivals(
        self, player: int, history: History, times: tuple[Time | None, ...]
    ) -> FloatArray:
        return arrivals(
            self._lookup, self.behaviours[player], player, self.priors[player], history, times
        )

    def __str__(self) -> str:
        low, high = self.bounds
        return (
            f"hidden hands, {self.objective}, {format_times(self.times)}, {self.rules}: value "
            f"{self.value:+.5f} {self.unit} to player 0, between {low:+.5f} and {high:+.5f} "
            f"(exploitability {self.exploitability:.1e} {self.unit} after {self.iterations} "
            f"iterations of {self.method}, {self.seconds:.1f} s; stopped by {self.stopped})"
        )


def read_strategy(solution: HiddenSolution, player: int, strategy: PlayerStrategy) -> Behaviour:
    """Ask a strategy of the user's own in every information set that it can lead to."""
    layout, lookup = solution.layout, solution._lookup
    own, other = layout.players[player], layout.players[1 - player]
    rounds = []
    reach = solution.priors[player][own.levels[0].state_type][:, None]
    for level in range(len(own.levels) - 1):
        here, facing = own.levels[level], other.levels[level]
        behaviour = np.zeros((*reach.shape, len(Element)))
        for state, v in np.argwhere(reach > 0):
            mine = here.prefixes[here.state_prefix[state]]
            history = _history(player, mine, facing.prefixes[v])
            hand = own.types[here.state_type[state]]
            mix = _asked(strategy, hand, history, player, solution.times)
            for card, chance in mix.items():
                behaviour[state, v, card] = chance
        rounds.append(behaviour)
        reach = _next_reach(layout, player, level, reach, behaviour)
    plans = np.full((int(layout.groups.offset[player, -1]), BLOCK), 0.5)
    last, facing = own.levels[-1], other.levels[-1]
    for state, v in np.argwhere(reach > 0):
        prefix = int(last.state_prefix[state])
        if state - own.first_state[prefix] >= own.choices[prefix]:
            continue
        history = _history(player, last.prefixes[prefix], facing.prefixes[v])
        hand = own.types[last.state_type[state]]
        first = Element(int(own.plans[state, 0]) // len(Element))
        for time in layout.times:
            times = (*solution.times[:4], time, solution.times[5])
            row, column = lookup.plan_place(player, prefix, int(v), int(state), times)
            mix = _asked(strategy, hand, history, player, times)
            plans[row, column] = mix.get(first, 0.0)
    return Behaviour(tuple(rounds), plans)


def _next_reach(
    layout: HiddenLayout, player: int, level: int, reach: FloatArray, behaviour: FloatArray
) -> FloatArray:
    own, other = layout.players[player].levels[level + 1], layout.players[1 - player]
    card = own.prefix_card[own.state_prefix]
    played = (reach[:, :, None] * behaviour)[own.state_parent, :, card]
    result: FloatArray = played[:, other.levels[level + 1].prefix_parent]
    return result


def arrivals(  # noqa: PLR0917
    lookup: Lookup,
    behaviour: Behaviour,
    player: int,
    prior: FloatArray,
    history: History,
    times: tuple[Time | None, ...],
) -> FloatArray:
    """Return for each type of a player the chance that it is held and has played so."""
    chances = prior.copy()
    for number, hand in enumerate(lookup.layout.players[player].types):
        for played, cards in enumerate(history):
            if not chances[number]:
                break
            if cards[player] not in _left(hand, history[:played], player):
                chances[number] = 0.0
                break
            mix = read_mix(lookup, behaviour, player, hand, history[:played], times)
            chances[number] *= mix[cards[player]]
    return chances


def _asked(
    strategy: PlayerStrategy,
    hand: Hand,
    history: History,
    player: int,
    times: tuple[Time | None, ...],
) -> dict[Element, float]:
    """Return the answer of a user's strategy, checked."""
    answer = strategy(hand, history, times)
    held = _left(hand, history, player)
    where = f"hand {hand}, history {''.join(a.letter + b.letter + ' ' for a, b in history)}"
    try:
        mix = {Element.parse(card): float(chance) for card, chance in answer.items()}
    except (AttributeError, TypeError, ValueError):
        raise StateError(
            f"the strategy returned {answer!r} for {where}: expected chances"
        ) from None
    if any(chance and card not in held for card, chance in mix.items()):
        raise StateError(f"the strategy plays a card that is not held for {where}: {answer!r}")
    chances = np.array(list(mix.values()))
    if not (np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < 1e-6):
        raise StateError(f"the strategy's chances for {where} do not sum to 1: {answer!r}")
    return {card: chance / float(chances.sum()) for card, chance in mix.items() if chance}


def _history(player: int, own: tuple[Element, ...], other: tuple[Element, ...]) -> History:
    return tuple(zip(own, other, strict=True) if player == 0 else zip(other, own, strict=True))


def _left(hand: Hand, history: History, player: int) -> Hand:
    for cards in history:
        hand = hand.without(cards[player])
    return hand


def read_mix(  # noqa: PLR0917
    lookup: Lookup,
    behaviour: Behaviour,
    player: int,
    hand: HandLike,
    history: History,
    times: tuple[Time | None, ...],
) -> Mix:
    """Return what a strategy in arrays plays in an information set."""
    place = lookup.place(player, hand, history, times)
    held = _left(Hand.parse(hand), history, player).elements
    if len(held) == 1:
        return {held[0]: 1.0}
    if len(history) < lookup.size - LAST:
        chances = behaviour.rounds[place.level][place.state, place.other_prefix]
        return {card: float(chances[card]) for card in held}
    first = float(behaviour.plans[place.row, place.column])
    own = lookup.layout.players[player]
    card = Element(int(own.plans[place.state, 0]) // len(Element))
    return {other: first if other == card else 1.0 - first for other in held}


def read_seat(player: int) -> int:
    """Return the number of a player if there is such a one."""
    if isinstance(player, bool) or not isinstance(player, int | np.integer) or player not in (0, 1):
        raise StateError(f"there is no player {player!r}: expected 0 or 1")
    return int(player)
