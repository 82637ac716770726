"""Graphs of states as pictures, where things stand in them, and best lines."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import pytest

from games.errors import GameError
from games.solstis import State
from solver.best_lines import Outcomes, best_lines
from solver.errors import SolverError
from solver.solstis import solve_endgame
from solver.state_graph import expectiminimax, principal_variation, state_graph
from solver.state_graph_layout import layered_layout
from solver.state_graph_picture import MOST_DRAWN, draw_state_graph
from tests.small_games import Nim


@dataclass(frozen=True)
class Wheel:
    """Spin a wheel of many fields, or take 2; the field says what is won, in three sizes."""

    fields: int
    stage: str = "choice"
    won: int = 0

    @property
    def kind(self):
        return {"choice": "decision", "spin": "chance"}.get(self.stage, "end")

    @property
    def decider(self):
        return 0 if self.stage == "choice" else None

    def legal(self):
        return ["spin", "take"]

    def outcomes(self):
        return [(field, Fraction(1, self.fields)) for field in range(self.fields)]

    def play(self, action):
        if self.stage == "choice":
            return Wheel(self.fields, "spin") if action == "spin" else Wheel(self.fields, "end", 2)
        return Wheel(self.fields, f"field {action}", 3 * (action % 3))


def nim(heap, loser=-1):
    graph = state_graph(Nim(heap))
    expectiminimax(graph, lambda end: loser if end.player == 0 else 1)
    return graph


def wheel(fields):
    graph = state_graph(Wheel(fields))
    expectiminimax(graph, lambda end: Fraction(end.won))
    return graph


@pytest.fixture(scope="module")
def endings(pytestconfig):
    """Return the graphs of the two endings that come along."""
    found = []
    for name in ("solstis-small-ending", "solstis-ending"):
        text = (pytestconfig.rootpath / f"examples/positions/{name}.txt").read_text()
        found.append(solve_endgame(State.parse(text.strip())).graph())
    return found


def words(figure):
    return [text.get_text() for text in figure.axes[0].texts]


# ---- where things stand


@pytest.mark.parametrize("graph", [nim(6), nim(9), wheel(6)], ids=["nim 6", "nim 9", "wheel"])
def test_nothing_lies_on_something_else(graph):
    layout = layered_layout(graph)
    for state, other in graph.edges:
        assert layout.columns[state] < layout.columns[other]
    for one, other in combinations(graph, 2):
        if layout.columns[one] == layout.columns[other]:
            assert abs(layout.rows[one] - layout.rows[other]) >= 1
    # Edges run in rows of their own, so that no label lies on another or on a state.
    taken = Counter((layout.columns[state], row) for (state, _), row in layout.edge_rows.items())
    assert max(taken.values()) == 1
    for (state, other), row in layout.edge_rows.items():
        for third in graph:
            if layout.columns[state] < layout.columns[third] < layout.columns[other]:
                assert abs(layout.rows[third] - row) >= 0.5
    assert layout.height == 1 + max(*layout.rows.values(), *layout.edge_rows.values())


# ---- best lines


def test_best_lines_are_the_principal_variation_and_what_else_could_be_played():
    graph = nim(9)
    lines = best_lines(graph)
    state = graph.graph["root"]
    for action in principal_variation(graph, state):
        assert set(lines[state]) == set(graph[state])
        state = next(o for o in graph[state] if action in graph.edges[state, o]["actions"])
    for state in lines:
        assert lines.out_degree(state) in (0, graph.out_degree(state))
        assert lines.nodes[state]["cut"] == (lines.out_degree(state) == 0 < graph.out_degree(state))
    assert len(lines) < len(graph)


def test_many_outcomes_are_put_together_by_value():
    assert not any(isinstance(state, Outcomes) for state in best_lines(wheel(6)))
    lines = best_lines(wheel(12))
    groups = [state for state in lines if isinstance(state, Outcomes)]
    assert [group.value for group in groups] == [0, 3, 6]
    for group in groups:
        edge = lines.edges[group.state, group]
        assert edge["probability"] == Fraction(1, 3)
        assert len(edge["actions"]) == lines.nodes[group]["count"] == 4
        assert not lines.nodes[group]["cut"]
    assert len(best_lines(wheel(12), most_outcomes=12)) == len(wheel(12))


def test_best_lines_need_values_and_a_graph():
    with pytest.raises(SolverError, match="run expectiminimax"):
        best_lines(state_graph(Nim(4)))
    for graph in (None, [], Nim(4)):
        with pytest.raises(SolverError, match="is no graph of states"):
            best_lines(graph)
    for most in (0, True, 2.5, "3"):
        with pytest.raises(SolverError, match="most_outcomes is"):
            best_lines(nim(4), most)


# ---- pictures


class TestPictures:
    @pytest.fixture(autouse=True)
    def _matplotlib(self):
        pytest.importorskip("matplotlib")

    def test_a_graph_shows_values_actions_and_chances(self, endings):
        graph, _ = endings
        texts = words(draw_state_graph(graph, title="An ending"))
        shown = Counter(texts)
        values = Counter(
            f"{'+' if data['value'] > 0 else ''}{data['value']}" for _, data in graph.nodes.items()
        )
        assert all(shown[value] == count for value, count in values.items())
        labels = Counter()
        for *_, data in graph.edges(data=True):
            chance = data["probability"]
            labels[str(data["actions"][0]) + ("" if chance is None else f", {chance}")] += 1
        assert all(shown[label] == count for label, count in labels.items())
        assert {"Player 0 decides", "Player 1 decides", "chance", "the end", "best play"} <= {
            *texts
        }
        assert "An ending" in texts

    def test_best_play_is_bold(self):
        graph = wheel(6)
        axes = draw_state_graph(graph).axes[0]
        weights = {text.get_text(): text.get_weight() for text in axes.texts}
        assert (weights["spin"], weights["take"]) == ("bold", "normal")

    def test_labels_do_not_touch(self, endings):
        for graph in (endings[0], nim(6), best_lines(endings[1])):
            figure = draw_state_graph(graph)
            figure.canvas.draw()
            boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
            for one, other in combinations(boxes, 2):
                assert not one.padded(-1).overlaps(other.padded(-1))
            assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
            assert all(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 for box in boxes)

    def test_a_large_graph_is_drawn_by_its_best_lines(self, endings):
        _, graph = endings
        with pytest.raises(SolverError, match=r"757 states: .* best_lines=True draws less"):
            draw_state_graph(graph)
        texts = words(draw_state_graph(graph, best_lines=True, players=("Player 1", "Player 2")))
        assert {"28 outcomes, 28/55", "10 outcomes, 2/11", "+27/5", "-8"} <= {*texts}
        assert {"outcomes of one value", "play goes on", "Player 1 decides"} <= {*texts}
        assert "Player 2 decides" not in texts

    def test_what_has_too_many_rows_is_refused(self):
        graph = nim(30)
        assert len(graph) < MOST_DRAWN
        with pytest.raises(SolverError, match="rows: more than"):
            draw_state_graph(graph)

    def test_values_may_be_missing_or_floats(self):
        texts = words(draw_state_graph(state_graph(Nim(3)), name=lambda taken: f"take {taken}"))
        assert "best play" not in texts
        assert texts.count("take 1") == 4
        texts = words(draw_state_graph(nim(3, loser=-1 / 3)))
        assert {"+1", "-0.333"} <= {*texts}

    def test_long_and_many_actions_are_shortened(self):
        graph = nim(2)
        graph.edges[Nim(2), Nim(1, 1)]["actions"] = ["a" * 50, "b"]
        texts = words(draw_state_graph(graph))
        assert "a" * 33 + "… and 1 more" in texts

    def test_what_is_no_graph_is_refused(self, tmp_path):
        with pytest.raises(SolverError, match="is no graph of states"):
            draw_state_graph(Nim(3), tmp_path / "graph.png")
        with pytest.raises(GameError, match="names no format"):
            draw_state_graph(nim(2), tmp_path / "graph")
        with pytest.raises(GameError, match="title is 3"):
            draw_state_graph(nim(2), title=3)
        assert not list(tmp_path.iterdir())
        draw_state_graph(nim(2), tmp_path / "graph.pdf", "Small")
        assert (tmp_path / "graph.pdf").read_bytes().endswith(b"%%EOF\n")
