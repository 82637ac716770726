"""Solstis written down from its rules, plainly: names, sets and dicts, no thought of speed.

Everything is called what the records call it. A tile and its cell are ``"3-4"``, a square goes by
its lower-left cell, an action is a text such as ``"capture 1-6@3"``. Players are 0 and 1; only
what is read from or written to a record says 1 and 2.

A game is a stack of steps still to be taken (``todo``). A step is a method ``_step_NAME``: it
changes the table and returns nothing, or it returns a question, the texts that may be answered,
each with the step that follows. An empty question is skipped: what is impossible is lost.

    python tests/solstis_reference.py games.jsonl.gz ...     replay recorded games
    python tests/solstis_reference.py --random 200           random games under all rules
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Step = tuple[Any, ...]
Question = dict[str, Step]

WIDTHS = {1: (1, 10), 2: (1, 10), 3: (1, 10), 4: (2, 9), 5: (3, 8), 6: (4, 7)}
PLACES = [(row, number) for row, (low, high) in WIDTHS.items() for number in range(low, high + 1)]
CELLS = [f"{row}-{number}" for row, number in PLACES]  # ascending: row, then number
PLACE = dict(zip(CELLS, PLACES, strict=True))
NAME = {place: cell for cell, place in PLACE.items()}


def _existing(places: Iterable[tuple[int, int]]) -> list[str]:
    return [NAME[place] for place in places if place in NAME]


NEIGHBOURS = {
    cell: frozenset(_existing([(r - 1, n), (r + 1, n), (r, n - 1), (r, n + 1)]))
    for cell, (r, n) in PLACE.items()
}
FOURS = {
    cell: frozenset(_existing([(r, n), (r + 1, n), (r, n + 1), (r + 1, n + 1)]))
    for cell, (r, n) in PLACE.items()
}
SQUARES = {cell: four for cell, four in FOURS.items() if len(four) == 4}
# The squares around a cell: upper left, lower left, upper right, lower right.
AROUND = {
    cell: [
        square
        for square in _existing([(r, n - 1), (r - 1, n - 1), (r, n), (r - 1, n)])
        if square in SQUARES
    ]
    for cell, (r, n) in PLACE.items()
}

EVIL = "EvilBeaver"
PLAIN = ["Fish", "Deer", "Eagle", "Bear", "Dragonfly", "Beetle", "Groundhog"]
BLUE = ["Bee", "Ladybug", "Wolf", "Squirrel", "Bird", "Lizard", "Butterfly"]
SPIRITS = {
    "beginner": [*PLAIN, *BLUE],
    "base": [*PLAIN, *BLUE, EVIL],
    "firefly": [*PLAIN, *BLUE, EVIL, "Cow", "Phoenix", "Viper", "Fox"],
}
ALL_PLAIN = {*PLAIN, "Viper", "Fox"}
ALL_BLUE = {*BLUE, "Cow", "Phoenix"}
HALF_FIRES = {"4-2": 2, "5-3": 2, "6-4": 2, "6-7": 2, "5-8": 2, "4-9": 2, "6-5": 3, "6-6": 3}
RAINBOWS = 12
CHANCE = {"draw", "second_chance", "reveal", "eagle_draw", "dragonfly_draw", "draw_spirits"}
HIDDEN = "?"  # a face-down tile of which only the place is known

RULES: dict[str, list[Any]] = {
    "variant": ["base", "beginner", "firefly"],
    "rainbow_next_to": ["land", "tile"],
    "first_rainbow": ["anywhere", "held"],
    "second_chance_reveals": [True, False],
    "evil_passes": ["to_encounterer", "by_encounterer"],
    "largest_area": ["tiles", "land"],
}


def all_rules() -> list[dict[str, Any]]:
    """Every combination of the rules."""
    return [dict(zip(RULES, words, strict=True)) for words in product(*RULES.values())]


def published(variant: str = "base") -> dict[str, Any]:
    """The rules of the digital edition, and so of the recorded games."""
    return {
        "variant": variant,
        "rainbow_next_to": "tile",
        "first_rainbow": "held",
        "second_chance_reveals": False,
        "evil_passes": "by_encounterer",
        "largest_area": "tiles",
    }


def matches(tile: str, other: str) -> bool:
    """Whether one tile captures the other: same row or same number."""
    return PLACE[tile][0] == PLACE[other][0] or PLACE[tile][1] == PLACE[other][1]


class Panorama:
    """What lies before one player."""

    def __init__(self) -> None:
        self.tiles: set[str] = set()
        self.rainbows: set[str] = set()
        self.spirits: dict[str, str] = {}  # square -> name
        self.fireflies: set[str] = set()
        self.evil_cover: str | None = None  # square of the covered spirit
        self.evil_block: str | None = None  # blocked cell (firefly variant)

    def copy(self) -> Panorama:
        new = Panorama()
        new.tiles = set(self.tiles)
        new.rainbows = set(self.rainbows)
        new.spirits = dict(self.spirits)
        new.fireflies = set(self.fireflies)
        new.evil_cover = self.evil_cover
        new.evil_block = self.evil_block
        return new

    def filled(self) -> set[str]:
        """All cells with a land tile or a rainbow."""
        return self.tiles | self.rainbows

    def bears(self, square: str) -> bool:
        """Whether a spirit or a firefly is on the square."""
        return square in self.spirits or square in self.fireflies

    def locked(self, cell: str) -> bool:
        """Whether a land tile for this cell is removed from the game."""
        return cell == self.evil_block or any(self.bears(square) for square in AROUND[cell])

    def free_squares(self, cells: list[str]) -> list[str]:
        """Complete squares that bear nothing and contain one of the cells, in the cells' order."""
        filled = self.filled()
        found: list[str] = []
        for cell in cells:
            for square in AROUND[cell]:
                if SQUARES[square] <= filled and not self.bears(square) and square not in found:
                    found.append(square)
        return found

    def areas(self) -> list[set[str]]:
        """Groups of neighbouring tiles, rainbows included."""
        left = self.filled()
        groups = []
        while left:
            group = {left.pop()}
            border = set(group)
            while border:
                border = {other for cell in border for other in NEIGHBOURS[cell]} & left
                group |= border
                left -= border
            groups.append(group)
        return groups


class Reference:
    """A position of the game. ``play`` returns the next one and leaves this one as it is.

    Parameters
    ----------
    rules
        The six words of the rules.
    setup
        Like the ``setup`` of a recorded game: ``pile`` and ``spirit_pile`` with the top first.
    ordered
        Whether the piles lie in a known order and everything drawn follows it. Otherwise the
        face-down tiles and the pile are one pool, and every tile from it is a chance event.
    """

    pile: list[str]  # ordered only
    pool: set[str]  # else
    display: dict[int, list[Any]]  # place -> [face up or None, face down or None]
    hands: list[set[str]]
    spirit_pile: list[str]
    to_move: int | None
    evil: int | None  # who has the Evil Spirit in front
    evil_drawn: int | None  # who drew it this turn (firefly variant)

    def __init__(
        self, rules: dict[str, Any], setup: dict[str, Any], *, ordered: bool = True
    ) -> None:
        self._lay_out(rules, ordered=ordered)
        self.pile = list(setup["pile"])
        self.display = {
            entry["slot"]: [entry["up"], entry.get("down")] for entry in setup["display"]
        }
        self.hands = [set(setup["hands"]["1"]), set(setup["hands"]["2"])]
        self.spirit_pile = list(setup["spirit_pile"])
        self.rainbow_stock = setup.get("rainbow_stock", RAINBOWS)
        if not ordered:
            self._forget_order()
        self._run()

    @classmethod
    def from_position(cls, rules: dict[str, Any], position: dict[str, Any]) -> Reference:
        """The start of a turn: ``state``, ``to_move`` and ``spirit_pile_set``, piles as sets."""
        self = cls.__new__(cls)
        self._lay_out(rules, ordered=False)
        state = position["state"]
        self.to_move = position["to_move"] - 1
        self.display = {
            entry["slot"]: [entry["up"], HIDDEN if "down" in entry else None]
            for entry in state["display"]
        }
        for player, word in enumerate("12"):
            self.hands[player] = set(state["hands"][word])
            pan = state["pan"][word]
            mine = self.pans[player]
            mine.tiles = set(pan["tiles"])
            mine.rainbows = set(pan["rainbows"])
            for spirit in pan["spirits"]:
                name, square = spirit.split("@")
                mine.spirits[square] = name
            mine.fireflies = set(pan.get("fireflies", []))
            mine.evil_cover = pan.get("evil_cover")
            mine.evil_block = pan.get("evil_block")
            self.held[player] = state.get("held", {}).get(word, 0)
            if word in state.get("forced", {}):
                self.forced[player] = state["forced"][word]
        self.line = list(state["line"])
        self.spirit_pile = sorted(position["spirit_pile_set"])
        self.evil = None if state["evil"] is None else state["evil"] - 1
        self.rainbow_stock = state["rainbow_stock"]
        self.removed = set(state["removed"])
        self.pool = set(CELLS) - self.removed - self.hands[0] - self.hands[1]
        self.pool -= self.pans[0].tiles | self.pans[1].tiles
        self.pool -= {up for up, _ in self.display.values()}
        if self.pile_size() != state["pile"] or len(self.spirit_pile) != state["spirits_left"]:
            raise ValueError("the position does not hold all tiles and spirits")
        self._run()
        return self

    def _lay_out(self, rules: dict[str, Any], *, ordered: bool) -> None:
        """An empty table, player 0 to begin."""
        for word, allowed in RULES.items():
            if rules[word] not in allowed:
                raise ValueError(f"{word}: {rules[word]!r} is none of {allowed}")
        self.rules = rules
        self.variant: str = rules["variant"]
        self.ordered = ordered
        self.pans = [Panorama(), Panorama()]
        self.hands = [set(), set()]
        self.display = {}
        self.pile = []
        self.pool = set()
        self.line: list[str] = []
        self.spirit_pile = []
        self.evil = None
        self.evil_drawn = None
        self.rainbow_stock = RAINBOWS
        self.held = [0, 0]
        self.forced: dict[int, str] = {}  # the Fox's orders
        self.removed: set[str] = set()
        self.firefly_winner: int | None = None
        # Of this turn:
        self.to_move = 0
        self.filled: list[str] = []  # cells filled, in order; by the effect, once there is one
        self.further: list[str] = []  # eligible squares that the spirit left over
        self.encountered = False
        self.extra_turn = False
        # The program:
        self.todo: list[Step] = [("turn",)]  # the last one comes first
        self.asking: Step = ()
        self.question: Question = {}
        self.kind = "end"
        self.decider: int | None = None
        self.source: str | None = None  # why a rainbow is placed
        self.passed_through: list[dict[str, Any]] = []
        self.passes: list[int] = []

    def _forget_order(self) -> None:
        self.pool = {down for _, down in self.display.values() if down} | set(self.pile)
        self.pile = []
        for entry in self.display.values():
            entry[1] = HIDDEN if entry[1] else None
        self.spirit_pile.sort()

    def _copy(self) -> Reference:
        new = Reference.__new__(Reference)
        new.__dict__.update(self.__dict__)
        new.pans = [pan.copy() for pan in self.pans]
        new.hands = [set(hand) for hand in self.hands]
        new.display = {slot: list(entry) for slot, entry in self.display.items()}
        new.pile = list(self.pile)
        new.pool = set(self.pool)
        new.line = list(self.line)
        new.spirit_pile = list(self.spirit_pile)
        new.held = list(self.held)
        new.forced = dict(self.forced)
        new.removed = set(self.removed)
        new.filled = list(self.filled)
        new.further = list(self.further)
        new.todo = list(self.todo)
        new.passed_through = []
        new.passes = []
        return new

    # ---- what a caller asks

    def options(self) -> list[str]:
        """The texts that ``play`` takes here, sorted; empty at the end."""
        return sorted(self.question)

    def outcomes(self) -> list[tuple[str, Fraction]]:
        """The texts of a chance node with their probabilities; they are always equal."""
        if self.kind != "chance":
            raise ValueError("not a chance node")
        return [(text, Fraction(1, len(self.question))) for text in self.options()]

    def play(self, text: str) -> Reference:
        """The position after a decision or an outcome, at the next question.

        ``passed_through`` of the new position has the table as it was right after the turn, if
        this ended one, and ``passes`` the players who could not capture then.
        """
        if text not in self.question:
            raise ValueError(f"illegal: {text!r}; legal: {', '.join(self.options()) or 'nothing'}")
        new = self._copy()
        new.todo.append(self.question[text])
        new._run()
        return new

    def dictionary(self) -> dict[str, Any]:
        """The table in the records' words; a face-down tile nobody knows is ``None``."""
        pans: dict[str, dict[str, Any]] = {}
        for word, pan in zip("12", self.pans, strict=True):
            pans[word] = {
                "tiles": sorted(pan.tiles),
                "rainbows": sorted(pan.rainbows),
                "spirits": sorted(f"{name}@{square}" for square, name in pan.spirits.items()),
            }
            if pan.fireflies:
                pans[word]["fireflies"] = sorted(pan.fireflies)
            if pan.evil_cover:
                pans[word]["evil_cover"] = pan.evil_cover
            if pan.evil_block:
                pans[word]["evil_block"] = pan.evil_block
        display = []
        for slot, (up, down) in sorted(self.display.items()):
            entry = {"slot": slot, "up": up}
            if down:
                entry["down"] = None if down == HIDDEN else down
            display.append(entry)
        state: dict[str, Any] = {
            "pan": pans,
            "display": display,
            "hands": {"1": sorted(self.hands[0]), "2": sorted(self.hands[1])},
            "pile": self.pile_size(),
            "line": list(self.line),
            "spirits_left": len(self.spirit_pile),
            "evil": None if self.evil is None else self.evil + 1,
            "rainbow_stock": self.rainbow_stock,
            "removed": sorted(self.removed),
        }
        if any(self.held):
            state["held"] = {str(p + 1): count for p, count in enumerate(self.held) if count}
        if self.forced:
            state["forced"] = {str(p + 1): tile for p, tile in self.forced.items()}
        if self.evil_drawn is not None:
            state["spirit_hand"] = {str(self.evil_drawn + 1): [EVIL]}
        return state

    def score(self, player: int) -> dict[str, Any]:
        """The breakdown as the records have it, of the panorama as it is now."""
        pan = self.pans[player]
        spirits = [name for square, name in pan.spirits.items() if square != pan.evil_cover]
        areas = pan.areas()

        def rank(area: set[str]) -> tuple[int, int]:
            land = len(area & pan.tiles)
            return (len(area), land) if self.rules["largest_area"] == "tiles" else (land, 0)

        land = [len(area & pan.tiles) for area in sorted(areas, key=rank, reverse=True)]
        grounded: set[str] = set()  # the areas that reach row 1
        for area in areas:
            if any(PLACE[cell][0] == 1 for cell in area):
                grounded |= area
        own_fires = pan.tiles & set(HALF_FIRES)
        fires = sum(HALF_FIRES[tile] for tile in own_fires & grounded) // 2
        unlit = sum(HALF_FIRES[tile] for tile in own_fires - grounded) // 2
        worth = {
            "Bee": sum(name in ALL_PLAIN for name in spirits),
            "Bird": sum(name in ALL_BLUE for name in spirits) - 1,
            "Butterfly": fires,
            "Ladybug": unlit,
            "Wolf": len(areas),
            "Lizard": len(pan.rainbows),
            "Cow": land[1] if len(land) > 1 else 0,
            "Phoenix": len(pan.fireflies),
        }
        score: dict[str, Any] = {
            "area": land[0] if land else 0,
            "fires": fires,
            "spirits": len(spirits),
            "blue": {name: worth[name] for name in spirits if name in worth},
            "fireflies": sum(SQUARES[square] <= grounded for square in pan.fireflies),
        }
        score["total"] = sum(score["blue"].values()) + sum(
            score[part] for part in ("area", "fires", "spirits", "fireflies")
        )
        if self.firefly_winner is not None:
            score["total"] = 4 if player == self.firefly_winner else 0
        if player == self.firefly_winner:
            score["firefly_win"] = True
        return score

    def pile_size(self) -> int:
        """How many tiles the pile has."""
        if self.ordered:
            return len(self.pile)
        return len(self.pool) - sum(down is not None for _, down in self.display.values())

    # ---- the program

    def _run(self) -> None:
        """Take steps until one asks something or none is left."""
        while self.todo:
            self.asking = self.todo.pop()
            name, *details = self.asking
            self.question = getattr(self, f"_step_{name}")(*details) or {}
            if self.question:
                word = next(iter(self.question)).split()[0]
                self.kind = "chance" if word in CHANCE else "decision"
                self.decider = None if self.kind == "chance" else self._who_decides(word)
                self.source = details[1] if name == "place_rainbow" else None
                return
        self.asking, self.question = (), {}
        self.kind, self.to_move, self.decider, self.source = "end", None, None, None

    def _who_decides(self, word: str) -> int | None:
        if word == "evil_cover":  # ("cover", holder)
            return 1 - int(self.asking[1])
        if word == "place_rainbow":  # ("place_rainbow", player, source)
            return int(self.asking[1])
        return self.to_move

    def _next(self, *steps: Step) -> None:
        """Take these steps, in this order, before everything else."""
        self.todo.extend(reversed(steps))

    @property
    def _me(self) -> int:
        assert self.to_move is not None
        return self.to_move

    # ---- turns

    def _may_play(self, player: int) -> list[str]:
        """The hand tiles that may be played at the start of a turn."""
        hand = sorted(self.hands[player])
        if player in self.forced:
            hand = [tile for tile in hand if tile == self.forced[player]]
        if self.pile_size() == 0:
            hand = [tile for tile in hand if self._captures(tile)]
        return hand

    def _step_turn(self) -> None:
        """The next player's turn, or that one passes, or the game ends."""
        if not self._may_play(self._me):
            if not self._may_play(1 - self._me):
                self._next(("endphase",))
                return
            self.passes.append(self._me)
            self.forced.pop(self._me, None)
            self.to_move = 1 - self._me
        self.filled, self.further, self.encountered = [], [], False
        self._next(
            ("play_tile",),
            ("encounter",),
            ("fireflies",),
            ("move_evil",),
            ("refill",),
            ("end_turn",),
        )

    def _step_end_turn(self) -> None:
        self.passed_through.append(self.dictionary())
        if not self.extra_turn:
            self.to_move = 1 - self._me
        self.extra_turn = False
        self._next(("turn",))

    def _step_refill(self) -> None:
        size = 4 if "Bear" in self.pans[self._me].spirits.values() else 3
        if len(self.hands[self._me]) < size and self.pile_size() > 0:
            self._next(("draw", self._me), ("refill",))

    def _step_draw(self, player: int) -> Question | None:
        """Draw a tile, if the pile has one."""
        if self.pile_size() == 0:
            return None
        if self.ordered:
            self._step_drawn(player, self.pile[0])
            return None
        return {f"draw {tile}": ("drawn", player, tile) for tile in self.pool}

    def _step_drawn(self, player: int, tile: str) -> None:
        self._leave_pile(tile)
        self.hands[player].add(tile)

    def _leave_pile(self, tile: str) -> None:
        if self.ordered:
            self.pile.remove(tile)
        else:
            self.pool.remove(tile)

    # ---- play, capture, second chance

    def _captures(self, tile: str) -> list[int]:
        """The places whose face-up tile this tile captures."""
        return [slot for slot, (up, _) in self.display.items() if up and matches(tile, up)]

    def _to_display(self, tile: str) -> int:
        """Add a face-up tile at the lowest free place."""
        slot = 0
        while slot in self.display:
            slot += 1
        self.display[slot] = [tile, None]
        return slot

    def _step_play_tile(self) -> Question:
        return {f"play_tile {tile}": ("play", tile) for tile in self._may_play(self._me)}

    def _step_play(self, tile: str) -> None:
        self.hands[self._me].remove(tile)
        self.forced.pop(self._me, None)
        if self._captures(tile):
            self._next(("capture", tile))
        else:
            self._to_display(tile)
            self._next(("second_chance",))

    def _step_second_chance(self) -> Question | None:
        if self.ordered:
            self._step_second_tile(self.pile[0])
            return None
        return {f"second_chance {tile}": ("second_tile", tile) for tile in self.pool}

    def _step_second_tile(self, tile: str) -> None:
        self._leave_pile(tile)
        if self._captures(tile):
            self._next(("capture", tile))
        else:
            slot = self._to_display(tile)
            if self.rules["second_chance_reveals"]:
                self._next(("uncover", slot))
            else:
                self._next(("take_rainbow",))

    def _step_uncover(self, second: int) -> Question | None:
        """Turn up the next face-down tile for the second-chance tile at place ``second``."""
        covered = [slot for slot, (_, down) in self.display.items() if down]
        if not covered:
            self._next(("take_rainbow",))
            return None
        slot = min(covered)
        if self.ordered:
            self._step_uncovered(second, slot, self.display[slot][1])
            return None
        return {f"reveal {tile}@{slot}": ("uncovered", second, slot, tile) for tile in self.pool}

    def _step_uncovered(self, second: int, slot: int, tile: str) -> None:
        self.display[slot][1] = None
        self.pool.discard(tile)
        new = self._to_display(tile)
        if matches(self.display[second][0], tile):
            self._next(("capture_uncovered", second, new))
        else:
            self._next(("uncover", second))

    def _step_capture(self, tile: str) -> Question:
        question = {}
        for slot in self._captures(tile):
            target = self.display[slot][0]
            question[f"capture {target}@{slot}{self._mark(target)}"] = ("captured", tile, slot)
        return question

    def _step_capture_uncovered(self, second: int, slot: int) -> Question:
        target = self.display[slot][0]
        text = f"capture {target}@{slot}{self._mark(target)}"
        return {text: ("captured_uncovered", second, slot)}

    def _step_captured_uncovered(self, second: int, slot: int) -> None:
        tile = self.display.pop(second)[0]
        self._next(("captured", tile, slot))

    def _step_captured(self, tile: str, slot: int) -> None:
        """The captured tile is placed, the one beneath turned up; then the playing tile."""
        self._next(("playing_tile", tile), ("place_held",))
        self._place_from_display(slot, "capture")

    def _step_playing_tile(self, tile: str) -> None:
        self._place(tile, "capture")

    def _step_take_rainbow(self) -> None:
        """Nothing was captured."""
        if self.rainbow_stock == 0:
            return
        self.rainbow_stock -= 1
        if self.rules["first_rainbow"] == "held" and not self._anchors(self._me):
            self.held[self._me] += 1
        else:
            self._next(("place_rainbow", self._me, "no_capture"))

    # ---- placing

    def _mark(self, tile: str) -> str:
        return "!removed" if self.pans[self._me].locked(tile) else ""

    def _put(self, player: int, tile: str) -> bool:
        """Place or remove a land tile; whether it pushed a rainbow out."""
        pan = self.pans[player]
        if pan.locked(tile):
            self.removed.add(tile)
            return False
        pushed = tile in pan.rainbows
        pan.rainbows.discard(tile)
        pan.tiles.add(tile)
        self.filled.append(tile)
        return pushed

    def _place(self, tile: str, source: str, *between: Step) -> None:
        """Place a tile; a rainbow pushed out is placed again, after the steps ``between``."""
        if self._put(self._me, tile):
            self._next(*between, ("place_rainbow", self._me, source))
        else:
            self._next(*between)

    def _place_from_display(self, slot: int, source: str) -> None:
        """Take the face-up tile of a place and turn up the one beneath."""
        tile, down = self.display[slot]
        assert tile is not None
        if down:
            self.display[slot][0] = None
            self._place(tile, source, ("reveal", slot))
        else:
            del self.display[slot]
            self._place(tile, source)

    def _step_reveal(self, slot: int) -> Question | None:
        if self.ordered:
            self._step_revealed(slot, self.display[slot][1])
            return None
        return {f"reveal {tile}@{slot}": ("revealed", slot, tile) for tile in self.pool}

    def _step_revealed(self, slot: int, tile: str) -> None:
        self.pool.discard(tile)
        self.display[slot] = [tile, None]

    def _anchors(self, player: int) -> set[str]:
        """The tiles next to which a rainbow may go."""
        pan = self.pans[player]
        return pan.tiles if self.rules["rainbow_next_to"] == "land" else pan.filled()

    def _rainbow_cells(self, player: int) -> list[str]:
        pan = self.pans[player]
        filled = pan.filled()
        free = [cell for cell in CELLS if cell not in filled and cell != pan.evil_block]
        anchors = self._anchors(player)
        if not anchors and self.rules["first_rainbow"] == "anywhere":
            return free
        return [cell for cell in free if NEIGHBOURS[cell] & anchors]

    def _step_place_rainbow(self, player: int, source: str) -> Question:
        """Place a rainbow that is in nobody's stock now; ``source`` is why."""
        cells = self._rainbow_cells(player)
        if not cells:
            self.rainbow_stock += 1
        return {f"place_rainbow {cell}": ("rainbow_placed", player, cell) for cell in cells}

    def _step_rainbow_placed(self, player: int, cell: str) -> None:
        self.pans[player].rainbows.add(cell)
        self.filled.append(cell)

    def _step_place_held(self) -> None:
        if self.held[self._me]:
            self.held[self._me] -= 1
            self._next(("place_rainbow", self._me, "capture"), ("place_held",))

    # ---- spirits

    def _step_encounter(self) -> Question | None:
        squares = self.pans[self._me].free_squares(self.filled)
        if not squares:
            return None
        if not self.line:
            self._next(("draw_spirits", squares))
            return None
        question: Question = {}
        for name, square in product(self.line, squares):
            question[f"spirit_source {name}@{square}"] = ("from_line", name, square, squares)
        if self.spirit_pile:
            question["spirit_source draw"] = ("draw_spirits", squares)
        return question

    def _step_from_line(self, name: str, square: str, squares: list[str]) -> None:
        self.line.remove(name)
        self._next(("spirit", name, square, squares, []))

    def _step_draw_spirits(self, squares: list[str]) -> Question | None:
        if not self.spirit_pile:
            return None
        if self.ordered:
            self._step_spirits_drawn(self.spirit_pile[:2], squares)
            return None
        count = min(2, len(self.spirit_pile))
        return {
            f"draw_spirits {'+'.join(names)}": ("spirits_drawn", names, squares)
            for names in combinations(sorted(self.spirit_pile), count)
        }

    def _step_spirits_drawn(self, names: Iterable[str], squares: list[str]) -> None:
        for name in names:
            self.spirit_pile.remove(name)
        self._next(("keep_spirit", list(names), squares))

    def _step_keep_spirit(self, names: list[str], squares: list[str]) -> Question | None:
        if names == [EVIL]:
            self._take_evil()
            return None
        question: Question = {}
        for name, square in product(names, squares):
            if name != EVIL:
                others = [other for other in names if other != name]
                text = f"spirit_keep {name}@{square}"
                question[text] = ("spirit", name, square, squares, others)
        return question

    def _take_evil(self) -> None:
        if self.variant == "firefly":
            self.evil_drawn = self._me
        else:
            self.evil = self._me

    def _step_spirit(self, name: str, square: str, squares: list[str], others: list[str]) -> None:
        """A spirit comes to a square; ``others`` were drawn with it."""
        self.encountered = True
        self.pans[self._me].spirits[square] = name
        self.further = [other for other in squares if other != square]
        self.filled = []
        if EVIL in others:
            self._take_evil()
        else:
            self.line.extend(others)
            if self.evil is not None:
                self._pass_evil()
        if name in ALL_PLAIN:
            self._next((f"effect_{name.lower()}",))

    def _pass_evil(self) -> None:
        if self.rules["evil_passes"] == "to_encounterer":
            self.evil = self._me
        elif self.evil == self._me:
            self.evil = 1 - self._me

    def _step_effect_fish(self) -> None:
        if self.rainbow_stock:
            self.rainbow_stock -= 1
            self._next(("place_rainbow", self._me, "fish"))

    def _step_effect_deer(self) -> Question:
        return {
            f"deer {tile}{self._mark(tile)}": ("deer_placed", tile) for tile in self.hands[self._me]
        }

    def _step_deer_placed(self, tile: str) -> None:
        self.hands[self._me].remove(tile)
        self._place(tile, "deer")

    def _step_effect_eagle(self) -> Question:
        if self.pile_size() == 0:
            return {}
        tiles = self.pile if self.ordered else self.pool
        return {f"eagle_draw {tile}": ("eagle_placed", tile) for tile in tiles}

    def _step_eagle_placed(self, tile: str) -> None:
        self._leave_pile(tile)
        self._place(tile, "eagle")

    def _step_effect_bear(self) -> None:
        self._next(("draw", self._me))

    def _step_effect_dragonfly(self) -> Question:
        return {
            f"dragonfly_draw {tile}": ("dragonfly_placed", tile)
            for tile in self.hands[1 - self._me]
        }

    def _step_dragonfly_placed(self, tile: str) -> None:
        self.hands[1 - self._me].remove(tile)
        self._place(tile, "dragonfly", ("draw", 1 - self._me))

    def _step_effect_beetle(self) -> Question:
        return {
            f"beetle {up}@{slot}{self._mark(up)}": ("beetle_placed", slot)
            for slot, (up, _) in self.display.items()
            if up
        }

    def _step_beetle_placed(self, slot: int) -> None:
        self._place_from_display(slot, "beetle")

    def _step_effect_groundhog(self) -> None:
        self.extra_turn = True

    def _step_effect_viper(self) -> Question:
        theirs = self.pans[1 - self._me]
        alone = {cell for cell in theirs.filled() if not NEIGHBOURS[cell] & theirs.filled()}
        question: Question = {
            f"viper {tile}{self._mark(tile)}": ("viper_tile", tile) for tile in alone & theirs.tiles
        }
        for old in alone & theirs.rainbows:
            for new in self._rainbow_cells(self._me):
                question[f"viper rainbow@{old}>{new}"] = ("viper_rainbow", old, new)
        return question

    def _step_viper_tile(self, tile: str) -> None:
        self.pans[1 - self._me].tiles.remove(tile)
        self._place(tile, "viper")

    def _step_viper_rainbow(self, old: str, new: str) -> None:
        self.pans[1 - self._me].rainbows.remove(old)
        self._step_rainbow_placed(self._me, new)

    def _step_effect_fox(self) -> Question:
        return {f"fox_force {tile}": ("fox_named", tile) for tile in self.hands[1 - self._me]}

    def _step_fox_named(self, tile: str) -> None:
        self.forced[1 - self._me] = tile

    # ---- the firefly variant

    def _step_fireflies(self) -> None:
        """Every further square gets one, until the player has four.

        First the squares left over by the spirit, then those that the effect made; each time
        cell by cell as they were filled, around a cell as in ``AROUND``.
        """
        if self.variant != "firefly" or not self.encountered:
            return
        pan = self.pans[self._me]
        squares = self.further + [
            square for square in pan.free_squares(self.filled) if square not in self.further
        ]
        for square in squares:
            pan.fireflies.add(square)
            if len(pan.fireflies) == 4:
                self.firefly_winner = self._me
                # An order of the Fox ends with the game.
                self.forced.clear()
                self.passed_through.append(self.dictionary())
                self.todo.clear()
                return

    def _step_move_evil(self) -> Question | None:
        """Whoever drew the Evil Spirit, or hosts it and met a spirit, puts it before the other."""
        mine, theirs = self.pans[self._me], self.pans[1 - self._me]
        drew = self.evil_drawn == self._me
        if not drew and not (self.encountered and mine.evil_block):
            return None
        filled = theirs.filled()
        cells = [cell for cell in CELLS if cell not in filled and NEIGHBOURS[cell] & filled]
        if not cells:
            self.evil_drawn = mine.evil_block = None
        return {f"evil_block {cell}": ("evil_moved", cell) for cell in cells}

    def _step_evil_moved(self, cell: str) -> None:
        self.evil_drawn = self.pans[self._me].evil_block = None
        self.pans[1 - self._me].evil_block = cell

    # ---- the end

    def _step_endphase(self) -> None:
        self.forced.clear()
        self.filled = []
        if self.evil is not None:
            self._next(("cover", self.evil), ("squirrel",))
        else:
            self._next(("squirrel",))

    def _step_cover(self, holder: int) -> Question:
        return {
            f"evil_cover {name}@{square}": ("covered", holder, square)
            for square, name in self.pans[holder].spirits.items()
        }

    def _step_covered(self, holder: int, square: str) -> None:
        self.pans[holder].evil_cover = square
        self.evil = None

    def _step_squirrel(self) -> None:
        for player, pan in enumerate(self.pans):
            for square, name in pan.spirits.items():
                if name == "Squirrel" and square != pan.evil_cover:
                    hand = sorted(self.hands[player], key=CELLS.index)
                    pushed = sum(self._put(player, tile) for tile in hand)
                    self.hands[player].clear()
                    count = pushed + self.held[player]
                    self.held[player] = 0
                    self._next(*[("place_rainbow", player, "squirrel")] * count)


# ---- recorded games


def comparable(value: Any, name: str = "") -> Any:
    """A record's value with lists as sets, except the line."""
    if isinstance(value, dict):
        return {key: comparable(part, key) for key, part in value.items()}
    if isinstance(value, list) and name != "line":
        return sorted((comparable(part) for part in value), key=repr)
    return value


def replay(game: dict[str, Any]) -> tuple[int, list[str]]:
    """Play a recorded game again; the number of its decisions, and what is different."""
    state = Reference(published(game["variant"]), game["setup"])
    differences: list[str] = []
    seen = 0

    def compare(where: str, mine: Any, theirs: Any) -> None:
        mine, theirs = comparable(mine), comparable(theirs)
        if mine != theirs:
            differences.append(f"{game['id']} {where}: {mine} is not the record's {theirs}")

    def decide(where: str, decisions: list[dict[str, Any]]) -> tuple[list[Any], list[int]]:
        nonlocal state, seen
        afters, passes = [], []
        for decision in decisions:
            seen += 1
            kind = decision["k"]
            place = f"{where} {kind}"
            compare(place, state.options(), [f"{kind} {text}" for text in decision["options"]])
            compare(place, state.kind, "chance" if decision.get("chance") else "decision")
            if kind == "place_rainbow":
                compare(place, state.source, decision["src"])
            if state.decider is not None:
                compare(place, state.decider + 1, decision["p"])
            state = state.play(f"{kind} {decision['chosen']}")
            afters += state.passed_through
            passes += state.passes
        return afters, passes

    try:
        for turn in game["turns"]:
            where = f"turn {turn['n']}"
            compare(f"{where} player", (state.to_move or 0) + 1, turn["player"])
            afters, passes = decide(where, turn["decisions"])
            compare(f"{where} after", afters, [turn["after"]])
            told = [int(text[5:]) - 1 for text in turn["post"] if text.startswith("pass ")]
            compare(f"{where} passes", passes, told)
        decide("endphase", game.get("endphase", []))
        compare("end", state.kind, "end")
        compare("end state", state.dictionary(), game["end"]["state"])
        scores = {str(player + 1): state.score(player) for player in (0, 1)}
        compare("end scores", scores, game["end"]["scores"])
        margin = scores["1"]["total"] - scores["2"]["total"]
        compare("winner", (margin > 0) + 2 * (margin < 0), game["end"]["winner"])
    except ValueError as error:
        differences.append(f"{game['id']} after {seen} decisions: {error}")
    return seen, differences


def recorded(path: str) -> Iterator[dict[str, Any]]:
    """The games of a file of records."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


# ---- random games


def random_setup(rng: random.Random, variant: str, *, scarce: bool = False) -> dict[str, Any]:
    """A shuffled deal; a scarce one has few rainbows and spirits, so that they run out."""
    tiles = rng.sample(CELLS, len(CELLS))
    spirits = rng.sample(SPIRITS[variant], len(SPIRITS[variant]))
    return {
        "hands": {"1": tiles[:3], "2": tiles[3:6]},
        "display": [
            {"slot": slot, "down": tiles[6 + 2 * slot], "up": tiles[7 + 2 * slot]}
            for slot in range(6)
        ],
        "pile": tiles[18:],
        "spirit_pile": spirits[: rng.randint(1, 6)] if scarce else spirits,
        "rainbow_stock": rng.randint(0, 3) if scarce else RAINBOWS,
    }


def check(state: Reference, setup: dict[str, Any]) -> None:
    """Nothing is lost, doubled, or where it cannot be. An AssertionError says what."""
    steps = [*state.todo, state.asking]
    moving = {part for step in steps for part in step if isinstance(part, str)}
    places = [pan.tiles for pan in state.pans] + state.hands + [state.pool, state.removed]
    tiles = [tile for place in places for tile in place] + state.pile
    for entry in state.display.values():
        assert any(entry), "an empty place of the display"
        tiles += [tile for tile in entry if tile and tile != HIDDEN]
    assert len(tiles) == len(set(tiles)), "a tile is in two places"
    missing = set(CELLS) - set(tiles)
    assert missing <= moving, f"tiles are lost: {missing - moving}"
    rainbows = state.rainbow_stock + sum(state.held) + sum(len(p.rainbows) for p in state.pans)
    rainbows += sum(step[:1] == ("place_rainbow",) for step in steps)
    assert rainbows == setup["rainbow_stock"], "rainbows are lost or won"
    spirits = [name for pan in state.pans for name in pan.spirits.values()]
    spirits += state.line + state.spirit_pile
    spirits += [EVIL] * (state.evil is not None) + [EVIL] * (state.evil_drawn is not None)
    spirits += [EVIL for p in state.pans for mark in (p.evil_cover, p.evil_block) if mark]
    if state.asking[:1] == ("keep_spirit",):
        spirits += state.asking[1]
    gone = set(setup["spirit_pile"]) - set(spirits)
    assert len(spirits) == len(set(spirits)), "a spirit is in two places"
    assert set(spirits) <= set(setup["spirit_pile"]), "a spirit is new"
    assert not gone or (state.variant == "firefly" and gone == {EVIL}), f"spirits are lost: {gone}"
    for pan in state.pans:
        filled = pan.filled()
        assert not pan.tiles & pan.rainbows, "a rainbow under a tile"
        assert pan.evil_block not in filled, "a blocked cell is filled"
        assert all(SQUARES[square] <= filled for square in [*pan.spirits, *pan.fireflies])
        assert not pan.fireflies & set(pan.spirits), "a square bears two"
    assert sum(len(pan.fireflies) for pan in state.pans) <= 7, "too many fireflies"
    if state.asking == ("play_tile",):
        assert not missing, f"tiles are lost: {missing}"


def playout(
    rng: random.Random,
    rules: dict[str, Any],
    *,
    ordered: bool,
    scarce: bool = False,
    checked: bool = True,
) -> tuple[Reference, list[str]]:
    """A game of random choices; its end, and what was played."""
    setup = random_setup(rng, rules["variant"], scarce=scarce)
    state = Reference(rules, setup, ordered=ordered)
    played: list[str] = []
    while state.kind != "end":
        if checked:
            check(state, setup)
        if state.kind == "chance":
            texts = [text for text, _ in state.outcomes()]
        else:
            texts = state.options()
        played.append(rng.choice(texts))
        state = state.play(played[-1])
    if checked:
        check(state, setup)
    return state, played


def main() -> int:
    """Replay files of recorded games, or play random ones."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="recorded games, .jsonl.gz")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="games to play")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scarce", action="store_true", help="few rainbows and spirits")
    parser.add_argument("--unchecked", action="store_true", help="measure the speed alone")
    arguments = parser.parse_args()
    wrong = 0
    for path in arguments.files:
        games = decisions = 0
        differences: list[str] = []
        for game in recorded(path):
            seen, found = replay(game)
            games, decisions, differences = games + 1, decisions + seen, differences + found
        print(f"{path}: {games} games, {decisions} decisions, {len(differences)} differences")
        print("".join(f"  {text}\n" for text in differences), end="")
        wrong += len(differences)
    combinations_ = all_rules()
    for ordered in (False, True) if arguments.random else ():
        rng = random.Random(arguments.seed)
        nodes, start = 0, time.perf_counter()
        for _ in range(arguments.random):
            rules = rng.choice(combinations_)
            state, played = playout(
                rng,
                rules,
                ordered=ordered,
                scarce=arguments.scarce,
                checked=not arguments.unchecked,
            )
            state.score(0), state.score(1)
            nodes += len(played)
        seconds = time.perf_counter() - start
        print(
            f"{'ordered piles' if ordered else 'sets'}: {arguments.random} games, {nodes} nodes, "
            f"{nodes / seconds:.0f} nodes a second"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
