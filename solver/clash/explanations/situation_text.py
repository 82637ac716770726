"""The situation in which a position of Solaris' Clash leaves a player, in words."""

from games.clash import AWARDED, ROUNDS, State
from solver.clash.explanations.words import count, hand_words, name
from solver.document import Block, Paragraph, Table

__all__ = ["result_words", "situation_blocks", "time_words"]

_SUNBURST = {
    "restarting": "three scoring rounds in a row earn a point; then the count starts again",
    "overlapping": "the third scoring round in a row earns a point, and so does each after it",
    "once": "three scoring rounds in a row earn a point, once a game",
}


def situation_blocks(state: State, player: int) -> tuple[Block, ...]:
    """Return round, times, hands, points and rules as blocks, as a player sees them.

    Examples
    --------
    >>> first, seats = situation_blocks(State.parse("WF/EE DaNoDuMiDa-- 3-1"), 1)
    >>> first.text.partition(".")[0]
    'Round 5 of 6, Dawn: a Water that wins scores 2 points, any other winner 1'
    >>> seats.rows
    (('You', '2 Earth ', '1 point'), ('Opponent', '1 Water, 1 Fire ', '3 points'))
    """
    seats = [
        (who, hand_words(state.hands[index]), count(state.points[index], "point"))
        for who, index in (("You", player), ("Opponent", 1 - player))
    ]
    if state.is_over:
        rows: list[tuple[str, ...]] = [(who, points) for who, _, points in seats]
        names: tuple[str, ...] = ("", "points")
    else:
        # The space sets the points off: one more than the gap of a table.
        rows = [(who, f"{hand} ", points) for who, hand, points in seats]
        names = ("", "hand", "points")
    return (
        Paragraph(time_words(state)),
        Table((), tuple(rows), left=len(names), names=names),
        *map(Paragraph, _rules_words(state, player)),
    )


def time_words(state: State) -> str:
    """Return the round and its time, and what is known of the times to come."""
    if state.is_over:
        return "The game is over."
    words = f"Round {state.round} of {ROUNDS}"
    if state.time is None:
        words += ": its time is about to be turned up."
    else:
        boosted = _article(name(state.time.element))
        words += f", {name(state.time)}: {boosted} that wins scores 2 points, any other winner 1."
    later = [name(time) for time in state.times[state.round :] if time is not None]
    hidden = sum(time is None for time in state.times[state.round :])
    if later:
        words += f" Then {', '.join(later)}"
        words += f"; {count(hidden, 'time')} face down." if hidden else "."
    elif hidden:
        words += f" Then {count(hidden, 'time')} face down."
    return words


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'AE' else 'a'} {word}"


def _rules_words(state: State, player: int) -> list[str]:
    rules = state.rules
    words = []
    if rules.time_deck == "distinct":
        words.append("The two additional times of the deck are different ones.")
    if rules.sunburst != "off":
        words.append(f"Sunburst is on ({_SUNBURST[rules.sunburst]}).")
        if not state.is_over:
            words[-1] += f" You {_streak_words(state.streaks[player])}; the opponent "
            words[-1] += f"{_streak_words(state.streaks[1 - player])}.".replace("have", "has")
    if rules.bonus is not None:
        words.append(f"The bonus {rules.bonus.name!r} is on; it remembers {state.memory!r}.")
    return words


def _streak_words(streak: int | str) -> str:
    if streak == AWARDED:
        return "have had yours"
    if not streak:
        return "have no streak"
    need = "a point now earns one more" if streak == 2 else "two more are needed"
    return f"have scored in the last {'round' if streak == 1 else '2 rounds'}: {need}"


def result_words(state: State, player: int) -> str:
    """Return how an ended game went for a player."""
    own, other = state.points[player], state.points[1 - player]
    if own == other:
        return f"It is a tie at {own} points, and the tie-break is an even chance"
    return f"You {'won' if own > other else 'lost'} {own} to {other}"
