"""An explanation of a Solstis decision in words for a player at a table.

In the order in which a player asks: what to play, what it is worth, what else there was, how the
game may go on, what the move builds and what it leaves, which draws help, and how sure all this is.
Nothing is computed here but the rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Final

from games.solstis.drawing import draw
from games.solstis.table_view import player_name, table_view
from games.solstis.words import next_words
from solver.document import Block, Document, Paragraph, Section, Table, Verbatim
from solver.errors import SolverError
from solver.rendering import to_text
from solver.solstis.explanations.claims import Amount, Candidate, Explanation, Outlook, Parts
from solver.solstis.explanations.draws_text import STANDARD_ERROR, draws_blocks
from solver.solstis.explanations.words import Amounts, points
from solver.text_layout import count, joined

__all__ = ["explanation_document", "render_text"]

_MOST_MOVES: Final = 12
_RIVALS: Final = 3
_LABELS: Final = {
    "area": "largest area",
    "fires": "fires",
    "spirits": "spirits",
    "blue": "blue spirits' points",
    "fireflies": "fireflies",
    "total": "total",
}


def explanation_document(explanation: Explanation, drawing: bool = False) -> Document:
    """Put an explanation into words, to be written by `solver.rendering.render`.

    Parameters
    ----------
    explanation : Explanation
        What `explain` returns.
    drawing : bool
        Whether the table is drawn first.

    Raises
    ------
    SolverError
        If this is no explanation.

    Examples
    --------
    >>> from games.solstis import State
    >>> from solver.solstis.explanations import explain
    >>> page = explanation_document(explain(State.new(5), depth=0, samples=4))
    >>> page.title, page.sections[0].label
    ('Solstis: Player 1 plays a tile', 'Play')
    """
    if not isinstance(explanation, Explanation):
        raise SolverError(f"{explanation!r} is no Explanation: use explain(state)")
    return _Page(explanation, Amounts(explanation.objective)).document(drawing)


def render_text(explanation: Explanation, width: int = 96) -> str:
    r"""Put an explanation into words, as text for a terminal.

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
    return to_text(explanation_document(explanation), width)


@dataclass(frozen=True)
class _Page:
    """What a document is made from."""

    why: Explanation
    amounts: Amounts

    @property
    def mover(self) -> int:
        """Who decides; where chance does, the player of the values."""
        return self.why.player if self.why.decider is None else self.why.decider

    def document(self, drawing: bool) -> Document:
        """Return the whole document."""
        sections: list[tuple[str, Sequence[Block]]] = [
            ("Play", [Paragraph(words) for words in self._play()]),
            ("Worth", [Paragraph(self._worth())]),
            ("Moves", self._moves()),
            ("Line", [Paragraph(words) for words in self._line()]),
            ("Builds", self._builds()),
            ("Draws", draws_blocks(self.why, self.amounts)),
            ("Sure", [Paragraph(self._sure())]),
        ]
        opening: tuple[Block, ...] = self._situation()
        if drawing:
            sections.insert(0, ("", opening))
            opening = (Verbatim(tuple(draw(self.why.seen, False).split("\n"))),)
        return Document(
            title=f"Solstis: {next_words(table_view(self.why.seen))}",
            opening=opening,
            sections=tuple(Section(label, tuple(body)) for label, body in sections if body),
            kind="solstis-explanation",
            source=self.why,
        )

    def _situation(self) -> tuple[Block, ...]:
        view = table_view(self.why.seen)
        left = f"{count(view.pile, 'tile')} in the pile, {count(view.spirits, 'spirit')} face down."
        display = [place.tile for place in view.display if place.tile is not None]
        hand = " ".join(view.panoramas[self.mover].hand) or "empty"
        first, second = (points(parts.total, signed=False) for parts in self.why.before)
        line = f" Spirits of the line: {', '.join(view.line)}." if view.line else ""
        words = (
            f"{next_words(view)}. {left}",
            f"Hand {hand}. Display {' '.join(display) or 'empty'}.{line}",
            f"Scores now: {player_name(0)} {first}, {player_name(1)} {second}.",
        )
        return tuple(Paragraph(text, wraps=False) for text in words)

    def _play(self) -> list[str]:
        why = self.why
        if why.best is None:
            return ["Nothing: chance decides now (see Draws)."]
        if len(why.candidates) == 1:
            return [f"{why.best.words}: there is no other choice."]
        body = [why.best.words]
        if why.rivals:
            names = joined([str(one.action.option) for one in why.rivals[:_RIVALS]])
            more = len(why.rivals) - _RIVALS
            names += f" and {more} more" if more > 0 else ""
            if why.certainty.exact:
                body.append(f"As good: {names}.")
            else:
                body.append(f"Not told apart from it (within two standard errors): {names}.")
        return body

    def _worth(self) -> str:
        why, said = self.why, self.amounts.said(self.why.value)
        who = player_name(why.player)
        if why.certainty.exact:
            return f"{said} to {who}: own score minus the other's at the end, if both play best."
        error = self.amounts.error(why.error)
        what = "" if why.objective == "win" else ", own score minus the other's at the end"
        if self._worlds == 1:
            return f"{said} to {who}{what}: in one world, so that its error is not known."
        ahead = count(why.certainty.depth or 0, "turn")
        return (
            f"{said} {error} to {who}{what}: a mean over {self._worlds} worlds, {ahead} looked at "
            "after the present one."
        )

    @property
    def _worlds(self) -> int:
        return self.why.certainty.worlds

    def _moves(self) -> list[Block]:
        why = self.why
        if len(why.candidates) < 2:
            return []
        shown = why.candidates[:_MOST_MOVES]
        header: tuple[str, ...] = ("", "worth", "loses")
        names: tuple[str, ...] = ("move", "worth", "loses")
        if not why.certainty.exact:
            header = ("", "worth", "", "loses", "", "best in")
            names = ("move", "worth", STANDARD_ERROR, "loses", STANDARD_ERROR, "best in")
        rows = (self._move(one) for one in shown)
        body: list[Block] = [Table(header, tuple(rows), names=names)]
        rest = len(why.candidates) - len(shown)
        if rest:
            body.append(Paragraph(f"and {count(rest, 'move')} worse than these."))
        return body

    def _move(self, one: Candidate) -> tuple[str, ...]:
        """Return a move as a row of the table."""
        value, loss = self.amounts.value(one.value), self.amounts.size(one.loss)
        if self.why.certainty.exact:
            return one.words, value, loss
        loss_error = "" if one is self.why.best else self.amounts.error(one.loss_error)
        share = f"{one.best_in} of {self._worlds}"
        return one.words, value, self.amounts.error(one.error), loss, loss_error, share

    def _line(self) -> list[str]:
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
        body = [head]
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

    def _builds(self) -> list[Block]:
        why = self.why
        if not why.outlooks:
            return []
        outlook, other = why.outlooks[0], 1 - self.mover
        on_average = "" if self._is_certain(outlook) else " on average"
        built = why.built(outlook)
        unit = "point" if abs(built) == 1 else "points"
        brings = (
            f"By the end of the turn the move brings {points(built)} {unit}"
            f"{on_average}. Scores of {player_name(0)} and {player_name(1)}:"
        )
        body: list[Block] = [Paragraph(brings), self._table(outlook)]
        left = why.left(outlook)
        if left is not None:
            changes = (
                f"The next turn of {player_name(other)} then changes that player's score by "
                f"{points(left)}{on_average}."
            )
            body.append(Paragraph(changes))
        if len(why.outlooks) > 1:
            body.append(Paragraph(self._beside(why.outlooks[1])))
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

    def _table(self, outlook: Outlook) -> Table:
        """Return the parts of both scores before and after."""
        columns = [*self.why.before, *outlook.after_turn]
        moments = ["now", "after the turn"]
        if outlook.after_reply is not None:
            columns += outlook.after_reply
            moments.append("after the reply")
        rows = []
        for name, label in _LABELS.items():
            numbers: list[Amount] = [getattr(parts, name) for parts in columns]
            if name == "fireflies" and not any(numbers):
                continue
            rows.append((label, *(points(number, signed=False) for number in numbers)))
        header = [head for moment in moments for head in (moment, "")]
        names = [f"{player_name(player)} {moment}" for moment in moments for player in (0, 1)]
        return Table(("", *header), tuple(rows), names=("points of", *names))

    def _sure(self) -> str:
        sure = self.why.certainty
        seconds = f"{sure.seconds:.1f} s"
        if sure.exact:
            return (
                f"Exact: {count(sure.positions, 'position')} searched to the end of the game, in "
                f"whole numbers ({seconds}). Both hands are known by elimination."
            )
        text = (
            f"An estimate: {count(sure.worlds, 'world')} that agree with what "
            f"{player_name(self.why.player)} sees, {count(sure.depth or 0, 'turn')} looked at "
            f"after the present one, {count(sure.positions, 'position')} ({seconds}). '+-' is one "
            "standard error of the sampling; what the evaluation misjudges, and what players "
            "cannot know, is not in it."
        )
        if self.why.draws:
            text += f" Draws are judged {count(sure.draw_depth or 0, 'turn')} ahead."
        return text
