"""Decisions of a played game judged as if both hands were known: exactly."""

from games.clash import Element, Objective, Record, State
from solver.clash.explanations.claims import TIE, Mix, Side
from solver.clash.explanations.explanation import sides_of
from solver.clash.hidden.lookup import History
from solver.clash.open_hands import solve_open
from solver.clash.review_claims import DealtExtras, Moment

__all__ = ["OpenJudge"]


class OpenJudge:
    """Knows what every position of a game is worth, and what each card earns in it.

    Parameters
    ----------
    record : Record
        The game.
    objective : {"win", "margin"}
        What is counted.
    """

    exploitability = 0.0

    def __init__(self, record: Record, objective: Objective) -> None:
        self._solution = solve_open(record.deal, objective)
        self.objective = self._solution.objective
        self.start = float(self._solution.value)
        self.extras: tuple[DealtExtras, DealtExtras] | None = None

    def value(self, state: State, history: History) -> float:
        """Return what a position is worth to player 0."""
        del history  # it is all in the state
        return float(self._solution.value_at(state))

    def moments(
        self, state: State, history: History, cards: tuple[Element, Element]
    ) -> list[Moment]:
        """Judge the cards of a round, those of a player with one kind of card left out."""
        del history
        if all(len(state.legal(player)) == 1 for player in (0, 1)):
            return []
        sides = sides_of(self._solution.entry(state))
        return [
            _moment(state, sides[player], sides[1 - player], cards[player])
            for player in (0, 1)
            if len(sides[player].cards) > 1
        ]


def _moment(state: State, mine: Side, theirs: Side, chosen: Element) -> Moment:
    card = mine.card(chosen)
    assert state.time is not None
    return Moment(
        round=state.round,
        player=mine.player,
        time=state.time,
        points=(state.points[0], state.points[1]),
        held=state.hands[mine.player],
        chosen=chosen,
        mix=dict(mine.strategy),
        earns={other.element: other.earns for other in mine.cards},
        best=tuple(
            other.element for other in mine.cards if other.cost <= TIE and other.role != "never"
        ),
        value=mine.value,
        loss=card.cost if card.cost > TIE else 0.0,
        loss_range=_range(mine.value, card.against, theirs),
    )


def _range(value: float, against: Mix, theirs: Side) -> tuple[float, float] | None:
    """Return the least and the most that a card loses against an optimal mix of the opponent."""
    if not theirs.complete:
        return None
    losses = [
        max(value - sum(chance * against[card] for card, chance in mix.items()), 0.0)
        for mix in theirs.optimal
    ]
    least, most = (loss if loss > TIE else 0.0 for loss in (min(losses), max(losses)))
    return least, most
