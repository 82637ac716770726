"""An explanation of a Solstis decision as text for a player at a table.

In the order in which a player asks: what to play, what it is worth, what else there was, how the
game may go on, what the move builds and what it leaves, which draws help, and how sure all this is.
Nothing is computed here but the rounding.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Final

from games.solstis.table_view import player_name, table_view
from games.solstis.words import next_words
from solver.errors import SolverError
from solver.solstis.explanations.claims import Amount, Branch, Draws, Explanation, Outlook, Parts
from solver.solstis.explanations.words import Amounts, chance_words, points
from solver.text_layout import Body, aligned, count, joined, section, shares

__all__ = ["render_text"]

_NARROWEST: Final = 60
_MOST_MOVES: Final = 12
_SHOWN: Final = 3
_LABELS: Final = {
    "area": "largest area",
    "fires": "fires",
    "spirits": "spirits",
    "blue": "blue spirits' points",
    "fireflies": "fireflies",
    "total": "total",
}
_DRAWN: Final = {
    "draw": "Then a tile is drawn to the hand",
    "second_chance": "The second chance is turned up",
    "reveal": "A face-down tile is turned up",
    "draw_spirits": "Two spirits are drawn",
    "eagle_draw": "The Eagle brings a tile of the pile",
    "dragonfly_draw": "The Dragonfly takes a tile of the other hand",
}


def render_text(explanation: Explanation, width: int = 96) -> str:
    r"""Put an explanation into words.

    Parameters
    ----------
    explanation : Explanation
        What `explain` returns.
    width : int
        The longest line, 60 or more; tables are as wide as they must be.

    Raises
    ------
    SolverError
        If this is no explanation, or the width is too small.

    Examples
    --------
    >>> from games.solstis import State
    >>> from solver.solstis.explanations import explain
    >>> text = render_text(explain(State.new(5), depth=0, samples=4))
    >>> print(text.partition("\n\n")[0])
    Player 1 plays a tile. 30 tiles in the pile, 15 spirits face down.
    Hand 3-4 4-7 5-6. Display 4-3 2-9 4-4 2-8 1-3 3-8.
    Scores now: Player 1 0, Player 2 0.
    """
    if not isinstance(explanation, Explanation):
        raise SolverError(f"{explanation!r} is no Explanation: use explain(state)")
    if isinstance(width, bool) or not isinstance(width, int) or width < _NARROWEST:
        raise SolverError(f"width is {width!r}: expected a whole number, {_NARROWEST} or more")
    return "\n".join(_Page(explanation, width, Amounts(explanation.objective)).lines())


@dataclass(frozen=True)
class _Page:
    """What a text is made from."""

    why: Explanation
    width: int
    amounts: Amounts

    @property
    def mover(self) -> int:
        """Who decides; where chance does, the player of the values."""
        return self.why.player if self.why.decider is None else self.why.decider

    def lines(self) -> list[str]:
        """Return the whole text."""
        sections: list[tuple[str, Body]] = [
            ("Play", self._play()),
            ("Worth", self._worth()),
            ("Moves", self._moves()),
            ("Line", self._line()),
            ("Builds", self._builds()),
            ("Draws", self._draws()),
            ("Sure", self._sure()),
        ]
        lines = self._situation()
        for label, body in sections:
            if body:
                lines += ["", *section(label, body, self.width)]
        return lines

    def _situation(self) -> list[str]:
        view = table_view(self.why.seen)
        left = f"{count(view.pile, 'tile')} in the pile, {count(view.spirits, 'spirit')} face down."
        display = [place.tile for place in view.display if place.tile is not None]
        hand = " ".join(view.panoramas[self.mover].hand) or "empty"
        first, second = (points(parts.total, signed=False) for parts in self.why.before)
        line = f" Spirits of the line: {', '.join(view.line)}." if view.line else ""
        return [
            f"{next_words(view)}. {left}",
            f"Hand {hand}. Display {' '.join(display) or 'empty'}.{line}",
            f"Scores now: {player_name(0)} {first}, {player_name(1)} {second}.",
        ]

    def _play(self) -> Body:
        why = self.why
        if why.best is None:
            return ["Nothing: chance decides now (see Draws)."]
        if len(why.candidates) == 1:
            return [f"{why.best.words}: there is no other choice."]
        body: Body = [why.best.words]
        if why.rivals:
            names = joined([str(one.action.option) for one in why.rivals[:_SHOWN]])
            more = len(why.rivals) - _SHOWN
            names += f" and {more} more" if more > 0 else ""
            if why.certainty.exact:
                body.append(f"As good: {names}.")
            else:
                body.append(f"Not told apart from it (within two standard errors): {names}.")
        return body

    def _worth(self) -> Body:
        why, said = self.why, self.amounts.said(self.why.value)
        who = player_name(why.player)
        if why.certainty.exact:
            return [f"{said} to {who}: own score minus the other's at the end, if both play best."]
        error = self.amounts.error(why.error)
        what = "" if why.objective == "win" else ", own score minus the other's at the end"
        return [f"{said} {error} to {who}{what}: a mean over {count(self._worlds, 'world')}."]

    @property
    def _worlds(self) -> int:
        return self.why.certainty.worlds

    def _moves(self) -> Body:
        why = self.why
        if len(why.candidates) < 2:
            return []
        shown = why.candidates[:_MOST_MOVES]
        exact = why.certainty.exact
        head = ["", "worth", "loses"] if exact else ["", "worth", "", "loses", "", "best in"]
        rows = [head]
        for one in shown:
            row = [one.words, self.amounts.value(one.value)]
            row += [] if exact else [self.amounts.error(one.error)]
            row.append(self.amounts.size(one.loss))
            if not exact:
                share = f"{one.best_in} of {self._worlds}"
                error = "" if one is why.best else self.amounts.error(one.loss_error)
                row += [error, share]
            rows.append(row)
        body: Body = [aligned(rows)]
        rest = len(why.candidates) - len(shown)
        if rest:
            body.append(f"and {count(rest, 'move')} worse than these.")
        return body

    def _line(self) -> Body:
        line = self.why.line
        if not line.steps:
            return []
        if line.kind == "principal variation":
            head = "Best play of both, proved:"
        else:
            head = (
                f"What the search expects in one made-up world, of {line.worlds} the one whose "
                f"value ({self.amounts.value(line.value)}) is nearest to their mean "
                f"({self.amounts.value(line.mean)}). Both players know everything in it, so it "
                "shows a plan and is no forecast:"
            )
        body: Body = [head]
        for turn in range(line.steps[-1].turn + 1):
            words = [step.words for step in line.steps if step.turn == turn]
            if words:
                body.append(" ".join(words))
        value = self.amounts.value(line.value)
        stops = {
            "end": f"The game is over: {value}.",
            "chance": f"Here chance decides: {value} on average (see Draws).",
            "horizon": f"The search looks no further; judged there: {value}.",
        }
        return [*body, stops[line.stop]]

    def _builds(self) -> Body:
        why = self.why
        if not why.outlooks:
            return []
        outlook, other = why.outlooks[0], 1 - self.mover
        on_average = "" if self._is_certain(outlook) else " on average"
        built = why.built(outlook)
        unit = "point" if abs(built) == 1 else "points"
        body: Body = [
            f"By the end of the turn the move brings {points(built)} {unit}"
            f"{on_average}. Scores of {player_name(0)} and {player_name(1)}:",
            self._table(outlook),
        ]
        left = why.left(outlook)
        if left is not None:
            body.append(
                f"The next turn of {player_name(other)} then changes that player's score by "
                f"{points(left)}{on_average}."
            )
        if len(why.outlooks) > 1:
            body.append(self._beside(why.outlooks[1]))
        return body

    @staticmethod
    def _is_certain(outlook: Outlook) -> bool:
        return all(
            isinstance(number, Fraction) and number.denominator == 1
            for parts in outlook.after_turn
            for number in (getattr(parts, field.name) for field in fields(Parts))
        )

    def _beside(self, next_best: Outlook) -> str:
        why = self.why
        words = next(one.words for one in why.candidates if one.action == next_best.action)
        text = f"The next move in value, {words}, brings {points(why.built(next_best))}"
        left, denied = why.left(next_best), why.denied
        if left is not None:
            text += f", and the reply {points(left)}"
        if denied is not None and points(denied).lstrip("+-") not in ("0", "0.00"):
            amount = points(-denied if denied < 0 else denied, signed=False)
            text += (
                f": the best move denies {amount}"
                if denied > 0
                else (f": the best move allows {amount} more")
            )
        return f"{text}."

    def _table(self, outlook: Outlook) -> list[str]:
        """Return the parts of both scores before and after."""
        columns = [*self.why.before, *outlook.after_turn]
        if outlook.after_reply is not None:
            columns += outlook.after_reply
        rows = [["", "now", "", "after the turn", ""]]
        if outlook.after_reply is not None:
            rows[0] += ["after the reply", ""]
        for name, label in _LABELS.items():
            numbers: list[Amount] = [getattr(parts, name) for parts in columns]
            if name == "fireflies" and not any(numbers):
                continue
            rows.append([label, *(points(number, signed=False) for number in numbers)])
        return aligned(rows)

    def _draws(self) -> Body:
        body: Body = []
        for draws in self.why.draws:
            body.append(self._about(draws))
            if len(draws.branches) <= 2 * _SHOWN:
                body.append(aligned([self._row(branch) for branch in draws.branches]))
            else:
                best, worst = draws.branches[:_SHOWN], draws.branches[-_SHOWN:]
                rows = [self._row(branch) for branch in best]
                rows += [["...", *[""] * (len(rows[0]) - 1)]]
                body.append(aligned(rows + [self._row(branch) for branch in worst]))
        return body

    def _about(self, draws: Draws) -> str:
        words = _DRAWN.get(draws.kind, "Chance decides")
        if (
            draws.at_once == 1
            and draws.kind == "draw_spirits"
            and "+" not in (draws.branches[0].outcome)
        ):
            words = "A spirit is drawn"
        if draws.after:
            words += f" after {joined([str(action.option) for action in draws.after], 'and')}"
        text = f"{words}: {self.amounts.value(draws.mean)} on average."
        said = draws.shares
        if said:
            percent = shares(map(float, said.values()))
            effects = dict(zip(said, percent, strict=True))
            rest = "makes no difference" if self.why.certainty.exact else "cannot be told apart"
            text += (
                f" It helps in {effects['helps']}, hurts in {effects['hurts']}, {rest} in "
                f"{effects['either']}."
            )
        else:
            text += " Each spirit, with any other drawn along:"
        return text

    def _row(self, branch: Branch) -> list[str]:
        row = [branch.outcome.replace("+", " and ").replace("EvilBeaver", "Evil Spirit")]
        row += [chance_words(branch.chance), self.amounts.value(branch.value)]
        row.append(f"({self.amounts.change(branch.gain)})")
        return row if branch.error is None else [*row, self.amounts.error(branch.error)]

    def _sure(self) -> Body:
        sure = self.why.certainty
        seconds = f"{sure.seconds:.1f} s"
        if sure.exact:
            return [
                f"Exact: {count(sure.positions, 'position')} searched to the end of the game, in "
                f"whole numbers ({seconds}). Both hands are known by elimination."
            ]
        text = (
            f"An estimate: {count(sure.worlds, 'world')} that agree with what "
            f"{player_name(self.why.player)} sees, {count(sure.depth or 0, 'turn')} looked at "
            f"after the present one, {count(sure.positions, 'position')} ({seconds}). '+-' is one "
            "standard error of the sampling; what the evaluation misjudges, and what players "
            "cannot know, is not in it."
        )
        if self.why.draws:
            text += f" Draws are judged {count(sure.draw_depth or 0, 'turn')} ahead."
        return [text]
