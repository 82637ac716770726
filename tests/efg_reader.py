"""A small reader of Gambit's ``.efg`` files: enough to play and to solve what we write.

It is independent of the writer, and stricter than Gambit where Gambit guesses.
"""

import re
from fractions import Fraction

from solver.public_game import NodeKind

TOKEN = re.compile(r'"(?:\\"|[^"])*"|[{},]|[^\s{},"]+')
NUMBER = re.compile(r"-?\d+/\d+|-?\d+(\.\d+)?(e-?\d+)?")


def number(text):
    assert NUMBER.fullmatch(text), text
    return Fraction(text)


def unquoted(text):
    assert text.startswith('"')
    return text[1:-1].replace('\\"', '"')


class EfgGame:
    """A file as `solver.extensive_form.ExtensiveGame`; a node is its line and what follows it."""

    def __init__(self, text):
        assert text.endswith("\n")
        head, self.comment, blank, *lines = text.splitlines()
        assert blank == ""
        start, self.title, *players = re.split(r' (?=["{])', head, maxsplit=2)
        assert start == "EFG 2 R"
        self.players = [unquoted(word) for word in TOKEN.findall(players[0]) if word not in "{}"]
        self.lines = [TOKEN.findall(line) for line in lines]
        self.sets = {}
        self.outcomes = {}
        self.children = [[] for _ in self.lines]
        open_nodes = []
        for place, words in enumerate(self.lines):
            if place:
                parent = open_nodes[-1]
                self.children[parent].append(place)
                if len(self.children[parent]) == len(self._moves(parent)):
                    open_nodes.pop()
            self._check(words)
            if words[0] != "t":
                open_nodes.append(place)
        assert not open_nodes

    def _check(self, words):
        """Check that what is told again is told alike, and that names differ."""
        if words[0] == "p":
            known = self.sets.setdefault((words[2], words[3]), words)
            assert known == words
        elif words[0] == "t":
            known = self.outcomes.setdefault(words[2], words)
            assert known == words
        else:
            assert sum(self._chances(words).values()) == 1
        labels = [words[4] for words in self.sets.values() if words[2] == "1"]
        assert len(labels) == len(set(labels))

    def _chances(self, words):
        inner = words[words.index("{") + 1 : words.index("}")]
        return dict(zip(map(unquoted, inner[::2]), map(number, inner[1::2]), strict=True))

    def _moves(self, place):
        words = self.lines[place]
        if words[0] == "c":
            return list(self._chances(words))
        return [unquoted(word) for word in words[words.index("{") + 1 : words.index("}")]]

    def root(self):
        return 0

    def kind(self, place):
        words = self.lines[place]
        if words[0] == "p":
            return NodeKind(int(words[2]) - 1)
        return NodeKind.CHANCE if words[0] == "c" else NodeKind.END

    def information_set(self, place):
        return unquoted(self.lines[place][4])

    def actions(self, place):
        return self._moves(place)

    def chances(self, place):
        return self._chances(self.lines[place])

    def play(self, place, move):
        return self.children[place][self._moves(place).index(move)]

    def payoffs(self, place):
        words = self.lines[place]
        first, comma, second = words[words.index("{") + 1 : words.index("}")]
        assert comma == ","
        return number(first), number(second)

    def __len__(self):
        return len(self.lines)
