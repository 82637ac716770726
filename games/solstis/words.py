"""The game in words: what comes next, what a choice does, what a table is worth."""

from collections.abc import Sequence
from typing import Final

from games.solstis.actions import Action
from games.solstis.layout import Kind
from games.solstis.mountain import WIDTH, cell_name, cell_number
from games.solstis.scoring import Score
from games.solstis.spirits import Spirit
from games.solstis.table_view import Seen, TableView, player_name, table_view

__all__ = [
    "SPIRIT_WORDS",
    "describe",
    "form_of",
    "listed",
    "next_words",
    "parts_of",
    "score_table",
]

SPIRIT_WORDS: Final = {
    "Fish": "places a rainbow",
    "Deer": "places a tile of your hand",
    "Eagle": "places a random tile of the pile",
    "Bear": "draws a tile; from now on your hand has four",
    "Dragonfly": "places a random tile of the opponent's hand on your mountain",
    "Beetle": "places a face-up tile of the display",
    "Groundhog": "gives you another turn",
    "Viper": "takes a tile without neighbours from the opponent's mountain to yours",
    "Fox": "shows the opponent's hand and names the tile to be played next",
    "Bee": "at the end 1 point for each of your spirits that act at once",
    "Ladybug": "at the end the worth of your fires that are not lit",
    "Wolf": "at the end 1 point for each of your areas",
    "Squirrel": "at the end places the tiles of your hand",
    "Bird": "at the end 1 point for each other spirit of yours that acts at the end",
    "Lizard": "at the end 1 point for each rainbow on your mountain",
    "Butterfly": "at the end the worth of your lit fires, again",
    "Cow": "at the end the land tiles of your second largest area",
    "Phoenix": "at the end 1 point for each of your fireflies",
}
"""What each spirit does for the player who encounters it."""

_NEXT: Final = {
    Kind.PLAY_TILE: "plays a tile",
    Kind.CAPTURE: "captures",
    Kind.PLACE_RAINBOW: "places a rainbow",
    Kind.SPIRIT_SOURCE: "encounters a spirit: one of the line, or two drawn?",
    Kind.SPIRIT_KEEP: "encounters a spirit: which, and on which square?",
    Kind.DEER: "places a tile of the hand (Deer)",
    Kind.BEETLE: "places a tile of the display (Beetle)",
    Kind.VIPER: "takes a tile of the opponent (Viper)",
    Kind.FOX_FORCE: "names the tile that the opponent must play (Fox)",
    Kind.EVIL_BLOCK: "puts the Evil Spirit on the opponent's mountain",
    Kind.EVIL_COVER: "covers a spirit of the opponent with the Evil Spirit",
    Kind.EAGLE_DRAW: "a tile of the pile is placed (Eagle)",
    Kind.DRAGONFLY_DRAW: "a tile of the opponent's hand is placed (Dragonfly)",
    Kind.DRAW: "a tile is drawn",
    Kind.SECOND_CHANCE: "the second chance is turned up",
    Kind.REVEAL: "a face-down tile is turned up",
    Kind.DRAW_SPIRITS: "spirits are drawn",
}
_NEXT_WORDS: Final = {str(kind): words for kind, words in _NEXT.items()}


def next_words(view: TableView) -> str:
    """Return what is to happen next.

    Examples
    --------
    >>> from games.solstis import State
    >>> next_words(table_view(State.new(5)))
    'Player 1 plays a tile'
    """
    if not view.doing:
        return f"The game is over. {_verdict([pan.score for pan in view.panoramas], over=True)}"
    words = _NEXT_WORDS[view.doing]
    if view.decider is None:
        return f"Chance: {words}"
    if view.doing == str(Kind.CAPTURE):
        words += f" with {view.playing}"
    return f"{player_name(view.decider)} {words}"


# ---- choices


def describe(action: Action, seen: Seen | None = None) -> str:
    """Return in words what a choice is.

    Parameters
    ----------
    action : Action
        A legal action.
    seen : State or Observation, optional
        Where it is legal: then it is told too what a tile would capture.

    Examples
    --------
    >>> from games.solstis import State
    >>> state = State.new(5)
    >>> [describe(action, state) for action in state.legal()]  # doctest: +NORMALIZE_WHITESPACE
    ['play 3-4: captures 4-4 or 3-8', 'play 4-7: captures 4-3 or 4-4',
     'play 5-6: captures nothing']
    """
    text = _CHOICES.get(form_of(action), "{action}").format(**parts_of(action))
    if action.kind == str(Kind.PLAY_TILE) and seen is not None:
        text += f": {_captures(text.removeprefix('play '), seen)}"
    return text


_CHOICES: Final = {
    "play_tile": "play {tile}",
    "capture": "capture {tile} of place {place}{locked}",
    "place_rainbow": "a rainbow on {tile}",
    "spirit_source": "{spirit} on square {square}: {effect}",
    "spirit_keep": "{spirit} on square {square}: {effect}",
    "spirits_drawn": "draw two spirits, and keep one",
    "deer": "place {tile}{locked}",
    "beetle": "place {tile} of place {place}{locked}",
    "viper": "take {tile}{locked}",
    "rainbow_taken": "take the rainbow of {tile}, and place it on {target}",
    "fox_force": "{tile} must be played",
    "evil_block": "the Evil Spirit on {tile}",
    "evil_cover": "cover {spirit} on square {square}",
}


def form_of(action: Action) -> str:
    """Return what an action is: its kind, or one of its two forms."""
    if action.option == "draw":
        return "spirits_drawn"
    return "rainbow_taken" if action.option.startswith("rainbow@") else action.kind


def parts_of(action: Action) -> dict[str, str]:
    """Return what an action speaks of, by name."""
    spirit, _, square = action.option.partition("@")
    return {
        "action": str(action),
        "tile": "" if action.tile is None else cell_name(action.tile),
        "place": str(action.code & 127),
        "locked": " (its cell is locked: it leaves the game)" if "!" in action.option else "",
        "spirit": spirit,
        "square": square,
        "effect": SPIRIT_WORDS.get(spirit, ""),
        "target": action.option.partition(">")[2],
    }


def _captures(name: str, seen: Seen) -> str:
    tile = cell_number(name)
    found = []
    for place in table_view(seen).display:
        if place.tile is None:
            continue
        other = cell_number(place.tile)
        if tile // WIDTH == other // WIDTH or tile % WIDTH == other % WIDTH:
            found.append(place.tile)
    return f"captures {listed(found, 'or')}" if found else "captures nothing"


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list in words."""
    names = ["the Evil Spirit" if name == str(Spirit.EVIL) else name for name in names]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


# ---- what it is worth

_BLUE_WORDS: Final = {
    "Bee": "spirits that act at once",
    "Ladybug": "fires not lit",
    "Wolf": "areas",
    "Bird": "other spirits for the end",
    "Lizard": "rainbows",
    "Butterfly": "fires again",
    "Cow": "second largest area",
    "Phoenix": "fireflies",
}


def score_table(seen: Seen) -> str:
    """Return both scores, line by line, and who leads or has won.

    Examples
    --------
    >>> from games.solstis import State
    >>> print(score_table(State.new(5)))
                                      Player 1  Player 2
    largest area                             0         0
    fires                                    0         0
    spirits                                  0         0
    total                                    0         0
    As it stands, it is a draw.
    """
    scores = [seen.score(player) for player in (0, 1)]
    rows: list[tuple[str, list[int | None]]] = [
        ("largest area", [score.area for score in scores]),
        ("fires", [score.fires for score in scores]),
        ("spirits", [score.spirits for score in scores]),
    ]
    for name, words in _BLUE_WORDS.items():
        points = [score.blue.get(name) for score in scores]
        if points != [None, None]:
            rows.append((f"{name}: {words}", points))
    if any(score.fireflies for score in scores):
        rows.append(("fireflies", [score.fireflies for score in scores]))
    rows.append(("total", [score.total for score in scores]))
    lines = [f"{'':34}{player_name(0)}  {player_name(1)}"]
    for label, points in rows:
        lines.append(f"{label:34}" + "  ".join(f"{_dash(number):>8}" for number in points))
    return "\n".join([*lines, _verdict(scores, over=seen.to_move is None)])


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _verdict(scores: Sequence[Score], over: bool) -> str:
    """Return who leads, or has won."""
    for player, score in enumerate(scores):
        if score.firefly_win:
            return f"{player_name(player)} wins by the fourth firefly: 4 to 0."
    lead = scores[0].total - scores[1].total
    if not lead:
        return "A draw." if over else "As it stands, it is a draw."
    who = player_name(0 if lead > 0 else 1)
    points = f"{abs(lead)} point" + ("s" if abs(lead) > 1 else "")
    return f"{who} wins by {points}." if over else f"As it stands, {who.lower()} leads by {points}."
