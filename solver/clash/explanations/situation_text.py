"""The situation in which a position of Solaris' Clash leaves a player, in words."""

from textwrap import wrap

from games.clash import AWARDED, ROUNDS, Element, State
from solver.clash.explanations.words import count, name

__all__ = ["result_words", "situation", "time_words"]

_SUNBURST = {
    "restarting": "three scoring rounds in a row earn a point; then the count starts again",
    "overlapping": "the third scoring round in a row earns a point, and so does each after it",
    "once": "three scoring rounds in a row earn a point, once a game",
}


def situation(state: State, player: int, width: int) -> list[str]:
    """Return round, times, hands, points and rules as lines, as a player sees them.

    Examples
    --------
    >>> for line in situation(State.parse("WF/EE DaNoDuMiDa-- 3-1"), 1, 70):
    ...     print(line)
    Round 5 of 6, Dawn: a Water that wins scores 2 points, any other
    winner 1. Then 1 time face down.
    You       2 Earth           1 point
    Opponent  1 Water, 1 Fire   3 points
    """
    lines = wrap(time_words(state), width)
    hands = [
        ", ".join(f"{n} {name(card)}" for card in Element if (n := hand.counts[card]))
        for hand in state.hands
    ]
    room = max(map(len, hands))
    for who, index in (("You", player), ("Opponent", 1 - player)):
        hand = f"{hands[index]:{room}}   " if room else ""
        lines.append(f"{who:10}{hand}{count(state.points[index], 'point')}")
    for words in _rules_words(state, player):
        lines += wrap(words, width)
    return lines


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
