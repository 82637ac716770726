"""Solstis as a game of OpenSpiel, ``python_solstis``.

==========================  =======================================================================
parameter                   meaning
==========================  =======================================================================
``objective=win``           1 to the winner and -1 to the loser, or ``margin``: the difference in
                            points
``variant=base`` and so on  the fields of `games.solstis.Rules`, by default the sheet's
``position=``               where to begin instead of a deal: `position_parameter` of a state. Both
                            hands are common knowledge then, and piles are sets
==========================  =======================================================================

Actions and outcomes have the numbers of `games.solstis.action_numbers`. The deal is twelve steps of
chance; every later draw is one, so that no state hides an order of the pile.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.errors import GameError, IllegalMoveError
from games.openspiel.solstis_observer import SolstisObserver
from games.openspiel.solstis_play import DEFAULTS, Play, Setup, position_parameter, read_setup
from games.openspiel.support import changed, pyspiel
from games.solstis import Rules, State
from games.solstis.action_numbers import ACTION_COUNTS, OUTCOME_COUNT
from games.solstis.mountain import CELLS, cell_number

__all__ = ["SolstisGame", "SolstisState", "position_parameter"]


_MOST_POINTS: Final = 200
"""More than a panorama can be worth: 48 for the area, 9 for fires, 18 for spirits, at most 24 areas
(Wolf) and 24 tiles of the second (Cow), 12 rainbows, and 9 or fewer for each of the others."""

_MOST_DECISIONS: Final = 300
"""More than a game can have: 36 tiles come into a hand, and each is played and captures once; of 12
rainbows each is placed once and again when one of 48 tiles, or a Viper, pushes it out; 19 spirits
are met, each with a source, a choice, an effect and a block."""

_MOST_CHANCE_NODES: Final = 80
"""More than a game can have: 48 tiles are dealt, drawn or turned up, spirits drawn 19 times."""

_TRIES: Final = 1000

_TYPE: Final = pyspiel.GameType(
    short_name="python_solstis",
    long_name="Solstis",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class SolstisGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Solstis with its parameters.

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
        if self.setup.position is not None:
            given |= self.setup.rules.to_dict()
            given["position"] = position_parameter(self.setup.position)
        most = 1.0 if self.setup.objective == "win" else float(_MOST_POINTS)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNTS[self.setup.rules.variant],
            max_chance_outcomes=OUTCOME_COUNT,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_MOST_DECISIONS,
        )
        super().__init__(_TYPE, info, changed(given, DEFAULTS))

    @property
    def rules(self) -> Rules:
        """The options of the rules."""
        return self.setup.rules

    def new_initial_state(self) -> "SolstisState":
        """Return the start of a game."""
        return SolstisState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound of how many chance nodes a game has."""
        return _MOST_CHANCE_NODES

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SolstisObserver:
        """Return an observer of a kind of information."""
        del params
        return SolstisObserver(kind or pyspiel.IIGObservationType(perfect_recall=False))


class SolstisState(pyspiel.State):  # type: ignore[misc]
    """A state of a game of Solstis."""

    def __init__(self, game: SolstisGame) -> None:
        super().__init__(game)
        self._become(Play.start(game.setup))

    def _become(self, play: Play) -> None:
        """Go on to a game with one step more."""
        self._play = play
        decider = play.state.decider
        if play.is_over:
            self._player = int(pyspiel.PlayerId.TERMINAL)
        elif play.is_chance or decider is None:
            self._player = int(pyspiel.PlayerId.CHANCE)
        else:
            self._player = decider

    @property
    def play(self) -> Play:
        """The game so far, as an immutable value."""
        return self._play

    @property
    def state(self) -> State:
        """The state of the project; during the deal, what lies there so far."""
        return self._play.state

    def current_player(self) -> int:
        """Return who decides, or OpenSpiel's sign for chance or for the end."""
        return self._player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._play.numbered) if player == self._player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring, with probabilities."""
        return self._play.outcomes()

    def _apply_action(self, action: int) -> None:
        self._become(self._play.after(action))

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self._play.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._play.is_over

    def returns(self) -> list[float]:
        """Return the utilities at the end, and zeros before."""
        if not self._play.is_over:
            return [0.0, 0.0]
        margin = float(self.state.score(0).total - self.state.score(1).total)
        if self._play.setup.objective == "win":
            margin = float((margin > 0) - (margin < 0))
        return [margin, 0.0 - margin]

    def __str__(self) -> str:
        return str(self.state) if not self._play.is_dealing else " ".join(self._play.dealt)

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> "SolstisState":
        """Return a state that a player cannot tell from this one, all of them as likely.

        Other tiles stand for those of the opponent's hand that the player never saw; everything
        else happens again as it did. Tiles with which it could not have happened, as when a player
        who has passed could have captured, are drawn again.

        Parameters
        ----------
        player : int
            Who must not notice.
        random : callable
            Returns a number from 0 to 1, as ``pyspiel.UniformProbabilitySampler`` does.

        Raises
        ------
        GameError
            If nothing that fits is found in a thousand draws.
        """
        wanted = self.information_state_string(player)
        for _ in range(_TRIES):
            numbers = self._redrawn(player, random)
            state: SolstisState = self.get_game().new_initial_state()
            try:
                for number in numbers:
                    state.apply_action(number)
            except IllegalMoveError:
                continue
            if state.information_state_string(player) == wanted:
                return state
        raise GameError(f"{_TRIES} hands were drawn, and none fits what player {player} has seen")

    def _redrawn(self, player: int, random: Callable[[], float]) -> list[int]:
        """Return what happened, with other tiles for those of the other's hand never seen."""
        seen = self.state.observe(player)
        held = set(self.state.observe(1 - player).hand) - set(seen.known)
        numbers: list[int] = self.history()
        drawn = {
            k: tile
            for k, step in enumerate(self._play.steps)
            if step.viewer == 1 - player and (tile := step.text.split()[1]) in held
        }
        # Tiles that were never drawn are those of a position, which both know.
        fixed = held - set(drawn.values())
        pool = [tile for tile in seen.unseen if tile not in fixed]
        for k in drawn:
            tile = pool.pop(min(int(random() * len(pool)), len(pool) - 1))
            numbers[k] = CELLS.index(cell_number(tile))
        return numbers


pyspiel.register_game(_TYPE, SolstisGame)
