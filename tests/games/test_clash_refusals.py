"""Arguments of a wrong kind get an error of our own, and texts stand for elements and times."""

import numpy as np
import pytest

from games.clash import (
    Element,
    Hand,
    PlayedRound,
    Record,
    Rules,
    State,
    Time,
    clash_points,
    face_up_sequences,
    format_times,
    hands_of_size,
    memory_from_text,
    memory_to_text,
    next_times,
    prefix_chance,
    rotate,
    score_round,
    swap_players,
)
from games.errors import GameError

DEAL = State.start(["WFAE+WF", "WFAE+FE"], "DaNoDuMi")


class Summing:
    """A bonus that remembers numbers of numpy."""

    name = "summing"
    start = (0, 0.0)

    def step(self, memory, cards, time, points):
        return (np.int64(memory[0] + sum(points)), np.float64(0.5)), (0,) * len(cards)


@pytest.mark.parametrize(
    "ask",
    [
        *(lambda counts=counts: Hand(counts) for counts in (None, 3, (2**70, 0, 0, 0), "WFAE")),
        lambda: Hand((10**5000, 0, 0, 0)),
        *(lambda size=size: hands_of_size(size) for size in (-1, 7, None, [], 2.0, True)),
        *(
            lambda thing=thing, steps=steps: thing.rotated(steps)
            for thing in (Hand.parse("WF"), Element.AIR, Time.DUSK)
            for steps in (None, 1.5, "1")
        ),
        lambda: clash_points(None, Time.DAWN),
        lambda: clash_points("WF", "dark"),
        lambda: clash_points({"W", "F"}, "Da"),
        lambda: score_round(Rules(), "WX", "Da", (), None),
        lambda: score_round(Rules(), "WF", None, (), None),
        lambda: format_times([7]),
        lambda: format_times(None),
        lambda: Record(None),
        lambda: Record("text"),
        lambda: Record(DEAL, ["1 Da WF"]),
        lambda: Record(DEAL, None),
        lambda: Record(DEAL, (), 3),
        lambda: Record.parse(str(Record(DEAL)), bonus="x"),
        lambda: PlayedRound("Da", {"W", "F"}),
        lambda: rotate(str(DEAL)),
        lambda: swap_players(None),
        lambda: memory_from_text(None),
        lambda: next_times("DaNoDuMi", []),
        lambda: prefix_chance("DaNoDuMi", []),
        lambda: face_up_sequences([]),
        lambda: State({"WFAE+WF", "WFAE+FE"}, "DaNoDuMi"),
    ],
)
def test_refused_with_an_error_of_our_own(ask):
    with pytest.raises(GameError):
        ask()


def test_texts_stand_for_elements_and_times():
    assert clash_points("WF", Time.DAWN) == clash_points("WF", "Da") == (2, 0)
    assert clash_points("WF", None) == (1, 0)
    assert format_times(["Da", None, Time.NOON]) == "Da--No"
    rules = Rules(sunburst="restarting")
    by_text = score_round(rules, "WF", "Da", (2, 1), None)
    assert by_text == score_round(rules, (Element.WATER, Element.FIRE), Time.DAWN, (2, 1), None)


def test_numbers_of_numpy_in_a_memory_are_read_back():
    assert memory_to_text((np.int64(3), np.float64(0.5), True)) == "(3, 0.5, True)"
    state = State.start(["WFAE+WF", "WFAE+FE"], "DaNoDuMi", Rules(bonus=Summing()))
    state = state.play("WF")
    assert State.parse(str(state), state.rules) == state
