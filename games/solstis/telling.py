"""What has happened, in words."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from games.solstis.actions import Action
from games.solstis.events import events
from games.solstis.table_view import player_name
from games.solstis.words import form_of, listed, parts_of

if TYPE_CHECKING:
    from games.solstis.state import State

__all__ = ["tell"]


def tell(state: "State", action: Action | str, hidden: Collection[int] = ()) -> str:
    """Return in words what happens when an action is played.

    Parameters
    ----------
    state : State
        Where it is played.
    action : Action or str
        A legal action, or an outcome of a blind pick.
    hidden : collection of int
        Players whose hands are hidden: tiles that they draw are not named.

    Examples
    --------
    >>> from games.solstis import Rules, State
    >>> state = State.new(5, Rules.published()).play("play_tile 4-7")
    >>> print(tell(state, "capture 4-3@0"))
    Player 1 captures 4-3 of place 0. 4-3 is placed, 1-7 is turned up at place 0, 4-7 is placed.
    Player 1 draws 4-2.
    >>> print(tell(state, "capture 4-3@0", hidden=[0]))
    Player 1 captures 4-3 of place 0. 4-3 is placed, 1-7 is turned up at place 0, 4-7 is placed.
    Player 1 draws a tile.
    """
    action = action if isinstance(action, Action) else Action.parse(action)
    happened = [event.split() for event in events(state, action)]
    player = state.to_move if state.decider is None else state.decider
    sentences = [] if player is None else _begun(action, player)
    clauses: list[str] = []

    def finish() -> None:
        if clauses:
            text = ", ".join(clauses)
            sentences.append(f"{text[0].upper()}{text[1:]}.")
            clauses.clear()

    for words in _merged(happened):
        word, names = words[0], words[1:]
        if word in _CLAUSES:
            clauses.append(_CLAUSES[word].format(*names, names=listed(names), s=_s(names)))
            continue
        finish()
        if word == "draw":
            drawer = int(names[0]) - 1
            sentences.append(f"{player_name(drawer)} draws {_tiles(names[1:], drawer in hidden)}.")
        elif word in _SENTENCES:
            sentences.append(_SENTENCES[word].format(*names, names=listed(names)))
    finish()
    return " ".join(sentence for sentence in sentences if sentence)


_CLAUSES: Final = {
    "place": "{names} {s} placed",
    "remove": "{0} leaves the game as its cell is locked",
    "reveal": "{0} is turned up at place {1}",
    "rainbow_off": "the rainbow of {0} is pushed out",
}
_SENTENCES: Final = {
    "play": "",
    "to_display": "It captures nothing and goes to place {1}.",
    "second_chance": "The second chance is {0}.",
    "rainbow_on": "",
    "rainbow_held": "The rainbow waits for the next capture.",
    "rainbow_back": "The rainbow has no cell and goes back to the stock.",
    "rainbow_none": "There is no rainbow left.",
    "spirit_drawn": "Drawn: {names}.",
    "spirit_line": "{0} joins the line.",
    "evil_to": "The Evil Spirit goes to player {0}.",
    "evil_lost": "The Evil Spirit finds no cell and leaves the game.",
    "firefly": "Player {0} gets a firefly on square {1}.",
    "again": "Player {0} has another turn.",
    "pass": "Player {0} cannot capture and passes.",
    "endphase_squirrel": "The Squirrel places the hand of player {0}.",
    "end": "The game is over.",
}


_BEGINNINGS: Final = {
    "play_tile": "{who} plays {tile}.",
    "capture": "{who} captures {tile} of place {place}.",
    "place_rainbow": "{who} places a rainbow on {tile}.",
    "spirit_source": "{who} encounters {spirit} on square {square}.",
    "spirit_keep": "{who} encounters {spirit} on square {square}.",
    "spirits_drawn": "{who} draws spirits.",
    "deer": "{who} chooses {tile} of the hand.",
    "beetle": "{who} chooses {tile} of place {place}.",
    "viper": "{who} takes {tile} of {other}.",
    "rainbow_taken": "{who} takes the rainbow of {tile} from {other} and places it on {target}.",
    "fox_force": "{who} names {tile}: {other} must play it.",
    "evil_block": "{who} puts the Evil Spirit on {tile} of {other}.",
    "evil_cover": "{who} covers {spirit} on square {square} with the Evil Spirit.",
    "eagle_draw": "The Eagle brings {tile} of the pile.",
    "dragonfly_draw": "The Dragonfly takes {tile} from the hand of {other}.",
}


def _begun(action: Action, player: int) -> list[str]:
    """Return what the player, or chance, does."""
    template = _BEGINNINGS.get(form_of(action))
    if template is None:
        return []
    who, other = player_name(player), player_name(1 - player).lower()
    return [template.format(who=who, other=other, **parts_of(action))]


def _merged(happened: Iterable[Sequence[str]]) -> list[list[str]]:
    """Join what is told in one go: tiles placed in a row, tiles and spirits drawn by one player."""
    merged: list[list[str]] = []
    for words in happened:
        last = merged[-1] if merged else [""]
        same = words[0] == last[0]
        if same and words[0] in ("place", "spirit_drawn"):
            last.extend(words[1:])
        elif same and words[0] == "draw" and words[1] == last[1]:
            last.append(words[2])
        else:
            merged.append(list(words))
    return merged


def _tiles(names: Sequence[str], hidden: bool) -> str:
    if hidden:
        return "a tile" if len(names) == 1 else f"{len(names)} tiles"
    return listed(names)


def _s(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
