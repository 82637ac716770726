"""An explanation of a position of Solaris' Clash in words for a player at a table.

The document answers in the order in which a player asks: what is to be played, what that is worth,
why, what each card is good for, what the opponent can do wrong, what the hidden times and the score
change, and how sure all this is. Nothing is computed here but the rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.clash.explanations.card_text import card_words, giving_away, standing
from solver.clash.explanations.claims import TIE, Explanation, Side, check_player
from solver.clash.explanations.situation_text import result_words, situation_blocks
from solver.clash.explanations.variant_text import score_section, times_section
from solver.clash.explanations.words import (
    Amounts,
    cells,
    count,
    joined,
    mix_words,
    name,
    proportions,
)
from solver.document import Block, Document, Labelled, Paragraph, Section, Table
from solver.errors import SolverError
from solver.rendering import to_text

__all__ = ["explanation_document", "render_text"]

_FLAT = (
    "Any card: this round every card is as good against every other, as long as both play on as "
    "well as they can."
)


def explanation_document(explanation: Explanation, player: int = 0, ante: float = 1.0) -> Document:
    """Put an explanation into words, to be written by `solver.rendering.render`.

    Parameters
    ----------
    explanation : Explanation
        What `solver.clash.explanations.explanation.explain` returns.
    player : int
        Who reads it, 0 or 1: all amounts are to that player.
    ante : float
        Under the objective ``win``, what each player antes: amounts are multiplied by it.

    Raises
    ------
    SolverError
        If this is no explanation, there is no such player, or the ante is not a positive number.

    Examples
    --------
    >>> from solver.clash.explanations.explanation import explain
    >>> page = explanation_document(explain("F/A DaNoDuMiDaNo 3-4"))
    >>> page.title
    "Solaris' Clash: F/A DaNoDuMiDaNo 3-4"
    >>> page.sections[0].blocks[0].text
    'No choice: your Fire meets their Air. You score 2 points, they score 0.'
    """
    if not isinstance(explanation, Explanation):
        raise SolverError(f"{explanation!r} is no Explanation: use explain(state)")
    player = check_player(player)
    return _Page(explanation, player, Amounts(explanation.objective, ante)).document()


def render_text(
    explanation: Explanation, player: int = 0, width: int = 80, ante: float = 1.0
) -> str:
    """Put an explanation into words, as text for a terminal.

    Parameters
    ----------
    explanation, player, ante
        As for `explanation_document`.
    width : int
        The longest line, 60 or more. (Only a matrix of large amounts can be wider.)

    Raises
    ------
    SolverError
        As for `explanation_document`, and if the width is too small.

    Examples
    --------
    >>> from solver.clash.explanations.explanation import explain
    >>> print(render_text(explain("F/A DaNoDuMiDaNo 3-4")).partition("Score")[0].rstrip())
    Round 6 of 6, Noon: a Fire that wins scores 2 points, any other winner 1.
    You       1 Fire   3 points
    Opponent  1 Air    4 points
    <BLANKLINE>
    Play    No choice: your Fire meets their Air. You score 2 points, they score 0.
    <BLANKLINE>
    Worth   +1.000 antes. You win every time.
    """
    return to_text(explanation_document(explanation, player, ante), width)


@dataclass(frozen=True)
class _Page:
    """What a document is made from."""

    why: Explanation
    player: int
    amounts: Amounts

    @property
    def sides(self) -> tuple[Side, Side] | None:
        """The reader's side, then the opponent's."""
        if self.why.sides is None:
            return None
        return self.why.sides[self.player], self.why.sides[1 - self.player]

    @property
    def has_choice(self) -> bool:
        """Whether there is a choice that makes a difference."""
        return self.sides is not None and not self.why.is_forced and not self.why.is_flat

    def document(self) -> Document:
        """Return the whole document."""
        times = times_section(self.why, self.player, self.amounts)
        score = score_section(self.why, self.player, self.amounts)
        sections: list[tuple[str, Sequence[Block]]] = [
            ("Play", [Paragraph(words) for words in self._play()]),
            ("Worth", [Paragraph(words) for words in self._worth()]),
            ("Why", self._reasons()),
            ("Cards", self._cards()),
            ("They", self._they()),
            ("Times", times),
            ("Score", score),
            ("Sure", [Paragraph(words) for words in self._sure()]),
        ]
        return Document(
            title=f"Solaris' Clash: {self.why.state}",
            opening=situation_blocks(self.why.state, self.player),
            sections=tuple(Section(label, tuple(body)) for label, body in sections if body),
            kind="clash-explanation",
            source=self.why,
        )

    def _play(self) -> list[str]:
        if self.why.state.is_over:
            return []
        if self._is_decided:
            return [self._decided()]
        if self.sides is None:
            return ["Nothing yet: the time of this round is turned up first (see Times)."]
        mine, theirs = self.sides
        if self.why.is_forced:
            card, other = mine.cards[0], theirs.cards[0].element
            own, foreign = card.points[other]
            words = f"No choice: your {name(card.element)} meets their {name(other)}."
            return [f"{words} You score {count(own, 'point')}, they score {foreign}."]
        if len(mine.cards) == 1:
            return [f"{name(mine.cards[0].element)}: you hold nothing else."]
        return [_FLAT] if self.why.is_flat else self._choice(mine)

    def _choice(self, mine: Side) -> list[str]:
        worse = [name(card.element) for card in mine.cards if card.dominated is not None]
        if mine.is_free:
            value = self.amounts.said(mine.value)
            words = f"Any card: against the best reply each of yours is worth {value}."
            if worse:
                better = [name(c.element) for c in mine.cards if c.dominated is None]
                words += f" Rather {joined(better, 'or')} than {joined(worse, 'or')}: see Cards."
            return [words]
        if self._is_pure:
            card = max(mine.strategy, key=lambda element: mine.strategy[element])
            words = f"{name(card)}, always: it is right even if they know it comes."
        else:
            never = [name(card.element) for card in mine.cards if card.role == "never"]
            words = mix_words(mine.strategy) + (f"; never {joined(never, 'or')}" if never else "")
            words += ". Let chance choose at these rates: a habit can be read."
        return [words, *_as_good(mine)]

    @property
    def _is_pure(self) -> bool:
        """Whether the reader's mixture shown is a single card."""
        assert self.sides is not None
        return sum(chance > TIE for chance in self.sides[0].strategy.values()) == 1

    @property
    def _is_decided(self) -> bool:
        """Whether the pot is won, whatever is played."""
        return self.why.objective == "win" and self.why.leader is not None

    def _decided(self) -> str:
        lead, trail = "The opponent is", "you"
        if self.why.leader == self.player:
            lead, trail = "You are", "the opponent"
        return (
            f"Anything: the game is decided. {lead} further ahead than {trail} can still score, so "
            "every card is as good."
        )

    def _worth(self) -> list[str]:
        value = self.why.value_to(self.player)
        amount = f"{self.amounts.said(value)} {self.amounts.unit()}"
        state = self.why.state
        if state.is_over:
            return [f"{amount}. {result_words(state, self.player)}."]
        weighed = self.amounts.weighed(value)
        if not (self.why.is_forced or self._is_decided):
            amount += ", if both play their best"
        body = [f"{amount}. {weighed[0].upper()}{weighed[1:]}."]
        if self.why.objective == "margin" and state.rounds_played:
            so_far = state.margin(self.player)
            parts = "The points so far are level"
            if so_far:
                to_come = self.amounts.said(value - so_far)
                parts = f"To come is {to_come}, the rest are the points so far"
            body.append(f"{parts}; they do not change how to play.")
        return body

    def _reasons(self) -> list[Block]:
        if self.sides is None or not self.has_choice:
            return []
        mine, theirs = self.sides
        body: list[Block] = [self._table(mine, theirs), Paragraph(self._their_mix(mine, theirs))]
        if len(mine.cards) > 1 and len(theirs.cards) > 1 and not mine.is_free:
            body.append(Paragraph(self._own_mix(mine)))
        return body

    def _table(self, mine: Side, theirs: Side) -> Table:
        """Return the matrix with both mixtures and what each card earns."""
        signed, unit = self.amounts.signed, self.amounts.unit()
        rows = [
            (
                name(card.element),
                share,
                *(signed(amount) for amount in card.against.values()),
                signed(card.earns),
                signed(card.then),
            )
            for card, share in zip(mine.cards, cells(mine.strategy), strict=True)
        ]
        names = [name(card.element) for card in theirs.cards]
        return Table(
            ("You\nplay", "", *names, "against\ntheir mix", "if they\nknow it"),
            (*rows, ("They play", "", *cells(theirs.strategy), "", "")),
            caption=f"What each pair of cards is worth to you ({unit}), both playing on well:",
            names=("You play", "how often", *names, "against their mix", "if they know it"),
        )

    def _their_mix(self, mine: Side, theirs: Side) -> str:
        value = self.amounts.said(mine.value)
        best = [name(card.element) for card in mine.cards if card.cost <= TIE]
        played = [card for card in theirs.cards if card.chance > TIE]
        only = theirs.complete and len(theirs.optimal) == 1
        whose = "The opponent's" if only else "For the opponent, one"
        if len(theirs.cards) == 1:
            words = f"The opponent can only play {name(played[0].element)}. Against it "
        elif len(played) == 1:
            words = f"{whose} best card is {name(played[0].element)}. Against it "
        else:
            words = f"{whose} best mix is {mix_words(theirs.strategy)}. Against that "
        if len(mine.cards) == 1:
            return f"{words}your {best[0]} is worth {value}."
        earn = "earns" if len(best) == 1 else "both earn" if len(best) == 2 else "all earn"
        words += f"your {joined(best)} {earn} {value}"
        if len(best) > 1 and not self._is_pure:
            words += ", each as good as another"
        costs = [
            f"{name(card.element)} gives away {self.amounts.price(card.cost)}"
            for card in mine.cards
            if card.cost > TIE
        ]
        return f"{words}; {joined(costs)}." if costs else f"{words}."

    def _own_mix(self, mine: Side) -> str:
        value = self.amounts.said(mine.value)
        if self._is_pure:
            return f"Your card is safe: whatever they play, it is worth {value} or more."
        words = f"Your mix is safe: whatever they play, it earns {value} or more on average."
        if not mine.sure_cards:
            words += " No single card is: once they know it, it is worth less (last column)."
        return words

    def _cards(self) -> list[Labelled]:
        if self.sides is None or not self.has_choice:
            return []
        mine, theirs = self.sides
        return [
            Labelled(name(card.element), card_words(card, mine, theirs, self.amounts))
            for card in mine.cards
        ]

    def _they(self) -> list[Block]:
        if self.sides is None or not self.has_choice or len(self.sides[1].cards) == 1:
            return []
        mine, theirs = self.sides
        single = self._is_pure or len(mine.cards) == 1
        what = "card" if single else "mix"
        body: list[Block] = [Paragraph(giving_away(theirs, self.amounts, what))]
        body += [
            Labelled(name(card.element), standing(card, self.amounts, "you"))
            for card in theirs.cards
            if card.twins or card.dominated is not None
        ]
        if len(mine.cards) > 1:
            known = [
                f"against {name(card.element)} play {joined(map(name, card.answers), 'or')} "
                f"({self.amounts.said(-card.then)})"
                for card in theirs.cards
            ]
            body.append(Paragraph(f"If you can read them: {'; '.join(known)}."))
        return body

    def _sure(self) -> list[str]:
        if not self.why.games:
            return []
        return [
            "Both hands are taken as known to both. Worked back from the last round: all "
            f"{self.why.games} rounds with a choice, here, later and in the changed positions, "
            "are solved, each solution checked against every reply."
        ]


def _as_good(mine: Side) -> list[str]:
    """Return the other optimal mixtures of the reader, the simplest first."""
    if not mine.complete:
        return ["There may be other mixes as good; they are not listed here."]
    order = sorted(mine.optimal[1:], key=lambda mix: sum(chance > TIE for chance in mix.values()))
    if not order:
        return []
    words = "; ".join(mix_words(mix) for mix in order[:3])
    more = f"; and {len(order) - 3} more" if len(order) > 3 else ""
    replaced = [
        f" {name(card.element)} gains nothing over {proportions(card.dominated.by)} (see Cards)."
        for card in mine.cards
        if card.chance > TIE and card.dominated is not None
    ]
    return [f"As good: {words}{more}; and any blend of these with it.{''.join(replaced)}"]
