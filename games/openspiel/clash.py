"""Solaris' Clash as a game of OpenSpiel, ``python_solaris_clash``.

===========================  ====================================================================
parameter                    meaning
===========================  ====================================================================
``players=2``                2 to 6
``objective=win``            or ``margin``: antes of the pot, or points above the others' mean
``time_deck``, ``sunburst``  as in `games.clash.Rules`
``extras=chosen``            or ``dealt``: hands are chosen in secret, or dealt by chance
``hands=``                   the hands that each player may start with: ``WWF|WFF/WAE|FAE``, one
                             list for each player or for all; with k cards play starts in round
                             7 - k. By default the ten full hands
``priors=``                  the chances of those that are dealt, ``0.25|0.75/0.5|0.5``; equal by
                             default
``times=``                   the times known from the start, ``DaNoDuMi----``; by default the first
                             four are turned up when all have their hands
``points=``, ``streaks=``    those at the start: ``3/2``
``simultaneous=False``       or ``True``: all choose in one step, instead of one after the other
                             without seeing it
===========================  ====================================================================

Actions are the cards, 0 to 3 for Water, Fire, Air and Earth, and from 4 on the hands to choose
from, in their order. Outcomes of chance are numbered from 0: times by `games.clash.Time`, hands in
their order.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.clash import Element, Hand, State, Time
from games.openspiel.clash_observer import ClashObserver
from games.openspiel.clash_play import Play, Step
from games.openspiel.clash_setup import DEFAULTS, Setup, read_setup
from games.openspiel.support import changed, pyspiel, sample

__all__ = ["ClashGame", "ClashState"]

_PLAYERS: Final = (2, 6)


def _game_type(simultaneous: bool) -> Any:
    dynamics = pyspiel.GameType.Dynamics
    return pyspiel.GameType(
        short_name="python_solaris_clash",
        long_name="Solaris' Clash",
        dynamics=dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_PLAYERS[1],
        min_num_players=_PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=DEFAULTS,
    )


class ClashGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Clash with its parameters.

    Parameters
    ----------
    parameters : mapping, optional
        See above.

    Raises
    ------
    GameError
        If a parameter is not possible; the message names it.
    """

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(parameters or {})}
        self.setup: Setup = read_setup(given)
        least, most = self.setup.utilities
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.actions,
            max_chance_outcomes=self.setup.outcomes,
            num_players=self.setup.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.setup.most_decisions,
        )
        super().__init__(_game_type(self.setup.simultaneous), info, changed(given, DEFAULTS))

    def new_initial_state(self) -> "ClashState":
        """Return the start of a game."""
        return ClashState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many chance nodes a game has."""
        return self.setup.most_chance_nodes

    def make_py_observer(self, kind: Any = None, params: Any = None) -> ClashObserver:
        """Return an observer of a kind of information."""
        del params
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return ClashObserver(self.setup, kind)


class ClashState(pyspiel.State):  # type: ignore[misc]
    """A state of a game of Clash."""

    def __init__(self, game: ClashGame) -> None:
        super().__init__(game)
        self._become(Play.start(game.setup))

    def _become(self, play: Play) -> None:
        """Go on to a game with one step more."""
        self._play = play
        if play.step is Step.OVER:
            self._player = int(pyspiel.PlayerId.TERMINAL)
        elif play.is_chance:
            self._player = int(pyspiel.PlayerId.CHANCE)
        elif play.setup.simultaneous:
            self._player = int(pyspiel.PlayerId.SIMULTANEOUS)
        else:
            self._player = play.player

    @property
    def play(self) -> Play:
        """The game so far, as an immutable value."""
        return self._play

    @property
    def position(self) -> State | None:
        """The position of the project, at the start of the round; None before play begins."""
        return self._play.position

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands at the start, of the players who have theirs by now."""
        return self._play.hands

    @property
    def rounds(self) -> tuple[tuple[Element, ...], ...]:
        """The cards of each round that is over."""
        return self._play.rounds

    def current_player(self) -> int:
        """Return who moves, or OpenSpiel's sign for chance, for all at once, or for the end."""
        return self._player

    def _legal_actions(self, player: int) -> list[int]:
        return self._play.actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring, with probabilities."""
        return self._play.outcomes()

    def _apply_action(self, action: int) -> None:
        play = self._play
        self._become(play.after_chance(action) if play.is_chance else play.after_action(action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._become(self._play.after_actions(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            if action < len(Element):
                return Element(action).letter
            return str(self._play.setup.hands[player][action - len(Element)])
        if self._play.step is Step.HAND:
            return str(self._play.setup.hands[self._play.player][action])
        return Time(action).code

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._play.step is Step.OVER

    def returns(self) -> list[float]:
        """Return the utilities at the end, and zeros before."""
        play = self._play
        if play.position is None or play.step is not Step.OVER:
            return [0.0] * play.setup.players
        players = range(play.setup.players)
        return [play.position.utility(player, play.setup.objective) for player in players]

    def __str__(self) -> str:
        play = self._play
        if play.position is None:
            hands = "/".join(map(str, play.hands)) or "?"
            return f"{hands} {''.join(time.code for time in play.times)}"
        chosen = "".join(card.letter for card in play.chosen)
        return f"{play.position} {chosen}".rstrip()

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> "ClashState":
        """Return a state that a player cannot tell from this one.

        The others' hands are drawn by their priors among those that can have played the cards seen,
        their cards of this round that are not revealed from what they hold, each as likely.

        Parameters
        ----------
        player : int
            Who must not notice.
        random : callable
            Returns a number from 0 to 1, as ``pyspiel.UniformProbabilitySampler`` does.
        """
        hands = [self._other_hand(k, player, random) for k in range(len(self._play.hands))]
        state: ClashState = self.get_game().new_initial_state()
        steps = [step.action for step in self.full_history()]
        while steps:
            play, mover = state.play, state.current_player()
            if mover == pyspiel.PlayerId.SIMULTANEOUS:
                actions = [steps.pop(0) for _ in range(play.setup.players)]
                if play.step is Step.HAND:
                    actions = [len(Element) + number for number in hands]
                state.apply_actions(actions)
                continue
            action = steps.pop(0)
            if play.step is Step.HAND:
                action = hands[play.player] + (len(Element) if play.setup.chosen else 0)
            elif mover not in (player, pyspiel.PlayerId.CHANCE) and (
                len(play.rounds) == len(self._play.rounds)
            ):
                cards = play.actions(mover)
                action = sample(cards, [1.0] * len(cards), random)
            state.apply_action(action)
        return state

    def _other_hand(self, player: int, viewer: int, random: Callable[[], float]) -> int:
        """Return the number of the hand of a player, drawn among the possible ones for others."""
        play = self._play
        hands = play.setup.hands[player]
        if player == viewer:
            return hands.index(play.hands[player])
        played = [0] * len(Element)
        for cards in play.rounds:
            played[cards[player]] += 1
        priors = play.setup.priors[player]
        chances = [
            prior if all(map(int.__ge__, hand.counts, played)) else 0.0
            for hand, prior in zip(hands, priors, strict=True)
        ]
        return sample(range(len(hands)), chances, random)


pyspiel.register_game(_game_type(simultaneous=False), ClashGame)
