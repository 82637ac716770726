"""What the hidden times and the score change, in words for a player of Solaris' Clash."""

from games.clash import State
from solver.clash.explanations.claims import TIE, Explanation, Variant
from solver.clash.explanations.words import Amounts, cells, chance_words, name
from solver.document import Block, Paragraph, Table

__all__ = ["score_section", "times_section"]

_ORDINALS = {5: "fifth", 6: "sixth"}


def times_section(why: Explanation, player: int, amounts: Amounts) -> list[Block]:
    """Return what the hidden times change; nothing when none is hidden."""
    if not why.hidden:
        return []
    which = _ORDINALS[7 - sum(time is None for time in why.state.times)]
    if why.state.time_is_due:
        return [_times_table(why, player, amounts, f"The {which} time is turned up now:")]
    value = why.value_to(player)
    worths = [variant.value_to(player) for variant in (*why.hidden, *why.hidden_pairs)]
    if max(abs(worth - value) for worth in worths) <= TIE and not _losses(why, player):
        return [Paragraph("The times still face down change neither the value nor your play.")]
    caption = f"What it would change if both players knew the {which} time already:"
    return [
        _times_table(why, player, amounts, caption),
        Paragraph(_meaning(why, player, amounts, which)),
        *map(Paragraph, _pairs(why, player, amounts)),
    ]


def _times_table(why: Explanation, player: int, amounts: Amounts, caption: str) -> Table:
    cards = why.hidden[0].state.legal(player)
    due = why.state.time_is_due
    choice = len(cards) > 1
    head = ["", "chance", "value"]
    head += ["as above"] if choice and not due else []
    head += [name(card) for card in cards] if choice else []
    names = ["time", "chance", "value", *head[3:]]
    if choice and not due:
        names[3] = "value when played as above"
    rows = []
    for variant in why.hidden:
        row = [name(variant.times[-1]), _chance(variant)]
        row.append(amounts.signed(variant.value_to(player)))
        if choice and variant.kept is not None:
            row.append(amounts.signed(variant.kept[player]))
        rows.append((*row, *(_own_mix(variant, player) if choice else [])))
    return Table(tuple(head), tuple(rows), caption=caption, names=tuple(names))


def _chance(variant: Variant) -> str:
    return "" if variant.chance is None else chance_words(variant.chance)


def _own_mix(variant: Variant, player: int) -> list[str]:
    """Return what to play as cells."""
    cards = variant.state.legal(player)
    if variant.free[player]:
        return ["any"] * len(cards)
    return [""] * len(cards) if variant.strategies is None else cells(variant.strategies[player])


def _losses(why: Explanation, player: int) -> list[float]:
    losses = [variant.loss(player) for variant in why.hidden]
    return [loss for loss in losses if loss is not None and loss > TIE]


def _meaning(why: Explanation, player: int, amounts: Amounts, which: str) -> str:
    gain = why.worth_of_knowing(player)
    if abs(gain) <= TIE:
        shown = "Showing it now would favour neither on average."
    else:
        whom = "you" if gain > 0 else "the opponent"
        shown = f"Showing it now would be worth {amounts.price(gain)} to {whom} on average."
    if len(why.state.legal(player)) == 1:
        return shown
    losses = _losses(why, player)
    if not losses:
        return f"Your play above would be right in every case. {shown}"
    return (
        f"Your play above, if you kept to it with the {which} time known, would give up "
        f"{amounts.price(max(losses))} at most. {shown}"
    )


def _pairs(why: Explanation, player: int, amounts: Amounts) -> list[str]:
    if not why.hidden_pairs:
        return []
    order = sorted(why.hidden_pairs, key=lambda variant: variant.value_to(player))
    if order[-1].value_to(player) - order[0].value_to(player) <= TIE:
        return []
    best, worst = (
        f"{', then '.join(map(name, variant.times))} ({amounts.said(variant.value_to(player))})"
        for variant in (order[-1], order[0])
    )
    return [f"Of both hidden times, known together, {best} suits you best and {worst} least."]


def score_section(why: Explanation, player: int, amounts: Amounts) -> list[Block]:
    """Return what the difference in points changes; nothing where it cannot be another."""
    body: list[Block] = []
    value = why.value_to(player)
    if why.scores:
        if max(abs(variant.value_to(player) - value) for variant in why.scores) > TIE:
            body.append(_score_table(why, player, amounts))
        else:
            body.append(
                Paragraph(
                    "Up to two points more or less, where the rules allow them, change nothing "
                    "here."
                )
            )
    neutral = why.neutral_range(player)
    if why.objective == "win" and neutral is not None and not (why.is_flat or why.is_forced):
        body.append(Paragraph(_neutral_words(why.state, player, neutral, amounts)))
    return body


def _score_table(why: Explanation, player: int, amounts: Amounts) -> Table:
    cards = () if why.sides is None else why.state.legal(player)
    shown = [name(card) for card in cards] if len(cards) > 1 else []
    lead = _lead(why.state, player)
    present = [_lead_words(lead), amounts.signed(why.value_to(player)), *_present_mix(why, player)]
    rows = {lead: [*present, "(now)"]}
    for variant in why.scores:
        lead = _lead(variant.state, player)
        mix = _own_mix(variant, player) if shown else []
        rows[lead] = [_lead_words(lead), amounts.signed(variant.value_to(player)), *mix, ""]
    return Table(
        ("", "value", *shown, ""),
        tuple(tuple(rows[lead]) for lead in sorted(rows)[::-1]),
        caption="What the points are worth:",
        names=("score", "value", *shown, ""),
    )


def _present_mix(why: Explanation, player: int) -> list[str]:
    if why.sides is None:
        return []
    side = why.sides[player]
    if len(side.cards) == 1:
        return []
    return ["any"] * len(side.cards) if side.is_free else cells(side.strategy)


def _lead(state: State, player: int) -> int:
    return state.points[player] - state.points[1 - player]


def _lead_words(difference: int) -> str:
    if not difference:
        return "level"
    return f"{abs(difference)} {'ahead' if difference > 0 else 'behind'}"


def _neutral_words(
    state: State, player: int, neutral: tuple[float, float], amounts: Amounts
) -> str:
    least, most = (amounts.said(amount) for amount in neutral)
    leaves = least if least == most else f"{least} to {most}"
    words = f"If neither card beats the other this round, you stand at {leaves}."
    lead = _lead(state, player)
    if lead > 0:
        return f"{words} You are ahead: if nobody scores any more, you win."
    if lead < 0:
        return f"{words} You are behind: if nobody scores any more, you lose."
    return f"{words} The score is level: if nobody scores any more, it is a tie."
