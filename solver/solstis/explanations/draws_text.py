"""The draws to come in a game of Solstis, in words: which help, which hurt, and by how much."""

from typing import Final

from solver.document import Block, Paragraph, Table
from solver.solstis.explanations.claims import Branch, Draws, Explanation
from solver.solstis.explanations.words import Amounts, chance_words
from solver.text_layout import joined, shares

__all__ = ["STANDARD_ERROR", "draws_blocks"]

STANDARD_ERROR: Final = "standard error"
"""The head of columns that have none on a terminal: there ``+-`` says it."""
_SHOWN: Final = 3
_DRAWN: Final = {
    "draw": "Then a tile is drawn to the hand",
    "second_chance": "The second chance is turned up",
    "reveal": "A face-down tile is turned up",
    "draw_spirits": "Two spirits are drawn",
    "eagle_draw": "The Eagle brings a tile of the pile",
    "dragonfly_draw": "The Dragonfly takes a tile of the other hand",
}


def draws_blocks(why: Explanation, amounts: Amounts) -> list[Block]:
    """Return what each draw to come is worth; nothing where none is due.

    Parameters
    ----------
    why : Explanation
        The explanation.
    amounts : Amounts
        How amounts are written.
    """
    body: list[Block] = []
    for draws in why.draws:
        body.append(Paragraph(_about(draws, why.certainty.exact, amounts)))
        rows = [_row(branch, amounts) for branch in draws.branches]
        names = ("draw", "chance", "worth", "against the mean", STANDARD_ERROR)[: len(rows[0])]
        if len(rows) > 2 * _SHOWN:
            between = ("...", *[""] * (len(rows[0]) - 1))
            rows = [*rows[:_SHOWN], between, *rows[-_SHOWN:]]
        body.append(Table((), tuple(rows), names=names))
    return body


def _about(draws: Draws, exact: bool, amounts: Amounts) -> str:
    words = _DRAWN.get(draws.kind, "Chance decides")
    if (
        draws.at_once == 1
        and draws.kind == "draw_spirits"
        and "+" not in (draws.branches[0].outcome)
    ):
        words = "A spirit is drawn"
    if draws.after:
        words += f" after {joined([str(action.option) for action in draws.after], 'and')}"
    text = f"{words}: {amounts.value(draws.mean)} on average."
    said = draws.shares
    if said:
        percent = shares(map(float, said.values()))
        effects = dict(zip(said, percent, strict=True))
        rest = "makes no difference" if exact else "cannot be told apart"
        verbs = {"helps": "helps", "hurts": "hurts", "either": rest}
        parts = [f"{verbs[effect]} in {effects[effect]}" for effect in verbs if said[effect]]
        text += f" It {joined(parts, 'and')}."
    else:
        text += " Each spirit, with any other drawn along:"
    return text


def _row(branch: Branch, amounts: Amounts) -> tuple[str, ...]:
    return (
        branch.outcome.replace("+", " and ").replace("EvilBeaver", "Evil Spirit"),
        chance_words(branch.chance),
        amounts.value(branch.value),
        f"({amounts.change(branch.gain)})",
        *([] if branch.error is None else [amounts.error(branch.error)]),
    )
