"""Whole games, word for word; see `make_solstis_golden` for how they are written again."""

import pytest

from tests.games.make_solstis_golden import GAMES, golden, path


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_as_it_was_written_down(name):
    written = path(name).read_text(encoding="utf-8").splitlines()
    for line, expected in zip(golden(name).splitlines(), written, strict=True):
        assert line == expected
