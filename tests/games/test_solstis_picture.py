"""The table as a picture."""

import re
import sys

import pytest

from games.errors import GameError, PositionError
from games.solstis import Rules, State
from games.solstis.picture import picture
from tests.solstis_positions import position
from tests.solstis_strategies import game

matplotlib = pytest.importorskip("matplotlib")

START = State.new(5)


def words(figure):
    """Return all texts of a picture."""
    return [text.get_text() for text in figure.axes[0].texts]


def test_everything_on_the_table_is_in_the_picture():
    state = position(
        Rules("firefly"),
        hands=("1-10 2-1", "1-1..3"),
        display="3-1/3-2 . 2-10",
        tiles=("6-4..5 5-4..5 4-4..5 3-5 2-5 1-4..5 4-9", "3-10"),
        rainbows=("2-4", ""),
        spirits=("Bee@5-4 Ladybug@4-4", ""),
        fireflies=("1-4", ""),
        block=(None, "4-9"),
        forced=(None, "1-2"),
        line="Fish Deer",
        removed="2-7",
    )
    texts = words(picture(state))
    for word in ("Bee", "Ladybug", "Fish", "Deer", "Evil Spirit", "must be played", "2-7"):
        assert texts.count(word) == 1
    for tile in ("1-10", "2-1", "1-3", "3-1", "2-10", "6-4", "4-9", "3-10"):
        assert texts.count(tile) == 1
    assert "3-2" not in texts
    assert "Player 1 plays a tile" in texts
    assert f"{state.score(0).total} points" in texts


def test_what_is_hidden_is_not_in_the_picture():
    for number, state in enumerate(list(game(8, Rules.published()))[::30]):
        player = number % 2
        view = state.observe(player)
        seen = words(picture(view))
        assert seen == words(picture(view.sample(1).observe(player)))
        assert not {*state.to_dict()["state"]["hands"][str(2 - player)]} & {*seen}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "PNG"])
def test_pictures_are_written(tmp_path, ending):
    path = tmp_path / f"start.{ending}"
    picture(START, path, title="The start", dpi=30)
    marks = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(marks[ending.lower()])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_size_is_said_by_dpi(tmp_path):
    small, large = (tmp_path / f"{dpi}.png" for dpi in (20, 40))
    picture(START, small, dpi=20)
    picture(START, str(large), dpi=40)
    sizes = [int.from_bytes(path.read_bytes()[16:20], "big") for path in (small, large)]
    assert abs(sizes[1] - 2 * sizes[0]) <= 2


@pytest.mark.parametrize("name", ["start", "start.doc", ".png", "start.png.txt"])
def test_unknown_formats_are_refused(tmp_path, name):
    with pytest.raises(GameError, match=re.escape("end it in .png, .svg or .pdf")):
        picture(START, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_an_old_file_stays_when_the_new_one_fails(tmp_path, monkeypatch):
    path = tmp_path / "start.png"
    path.write_bytes(b"old")

    def fails(*_, **__):
        raise OSError("no space")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fails)
    with pytest.raises(OSError, match="no space"):
        picture(START, path)
    assert path.read_bytes() == b"old"


def test_without_matplotlib_it_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(GameError, match="pip install matplotlib"):
        picture(START)


def test_other_things_are_refused():
    with pytest.raises(PositionError, match="cannot be shown"):
        picture("state")
