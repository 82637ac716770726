"""Small games whose solutions are known, told by the protocols of the solvers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solver.public_game import NodeKind


@dataclass(frozen=True)
class Nim:
    """One heap, one to three taken at a time; who takes the last one wins."""

    heap: int
    player: int = 0

    @property
    def kind(self):
        return "decision" if self.heap else "end"

    @property
    def decider(self):
        return self.player if self.heap else None

    def legal(self):
        return [k for k in (1, 2, 3) if k <= self.heap]

    def outcomes(self):
        return []

    def play(self, taken):
        return Nim(self.heap - taken, 1 - self.player)


class Kuhn:
    """Kuhn poker with cards 1 to 3; a node is the text of the actions so far. Value -1/18."""

    kinds: ClassVar = {
        "": NodeKind.PLAYER_0,
        "p": NodeKind.PLAYER_1,
        "b": NodeKind.PLAYER_1,
        "pb": NodeKind.PLAYER_0,
    }

    def types(self, player):
        return ["J", "Q", "K"]

    def prior(self):
        return (1 - np.eye(3)) / 6

    def root(self):
        return ""

    def kind(self, node):
        return self.kinds.get(node, NodeKind.END)

    def actions(self, node, player):
        return ["p", "b"]

    def available(self, node, player):
        return None

    def play(self, node, move):
        return node + move

    def payoff(self, node):
        if node == "bp":
            return 1
        if node == "pbp":
            return -1
        higher = np.sign(np.subtract.outer(np.arange(3), np.arange(3)))
        return higher * (1 if node == "pp" else 2)


class KuhnAtOnce(Kuhn):
    """Kuhn poker in which the player who does not move makes a move that means nothing."""

    def kind(self, node):
        return NodeKind.BOTH if node in self.kinds else NodeKind.END

    def actions(self, node, player):
        return ["p", "b"] if player == self.kinds[node] else ["wait"]

    def play(self, node, move):
        return node + move[self.kinds[node]]


class Leduc:
    """Leduc poker: two suits of three ranks, bets of 2 and 4, at most two raises a round.

    A node is (board or None, actions of each round). The types are ranks, so what chance turns up
    depends on both. Value about -0.0856.
    """

    def types(self, player):
        return ["J", "Q", "K"]

    def prior(self):
        return (np.full((3, 3), 4.0) - 2 * np.eye(3)) / 30

    def root(self):
        return None, ("",)

    def kind(self, node):
        board, rounds = node
        if rounds[-1].endswith("f"):
            return NodeKind.END
        if self.closed(rounds[-1]):
            return NodeKind.CHANCE if board is None else NodeKind.END
        return NodeKind(len(rounds[-1]) % 2)

    @staticmethod
    def closed(actions):
        return len(actions) > 1 and actions.endswith("c")

    def actions(self, node, player):
        actions = node[1][-1]
        return ["c"] + ["r"] * (actions.count("r") < 2) + ["f"] * actions.endswith("r")

    def available(self, node, player):
        return None

    def play(self, node, move):
        board, rounds = node
        if self.closed(rounds[-1]):
            return move, (*rounds, "")
        return board, (*rounds[:-1], rounds[-1] + move)

    def chances(self, node):
        left = np.array(
            [[[2 - (a == c) - (b == c) for b in range(3)] for a in range(3)] for c in range(3)]
        )
        return {rank: left[i] / 4 for i, rank in enumerate("JQK")}

    def payoff(self, node):
        board, rounds = node
        paid = [1, 1]
        for number, actions in enumerate(rounds):
            for turn, action in enumerate(actions):
                if action in "cr":
                    raised = action == "r"
                    paid[turn % 2] = max(paid) + raised * (2, 4)[number]
        if rounds[-1].endswith("f"):
            folder = (len(rounds[-1]) - 1) % 2
            return -paid[0] if folder == 0 else paid[1]
        strength = np.arange(3) + 3 * (np.array(list("JQK")) == board)
        return np.sign(np.subtract.outer(strength, strength)) * paid[0]


class MatrixGame:
    """A matrix game, with a finite choice for both at once."""

    def __init__(self, payoffs):
        self.payoffs = np.asarray(payoffs, dtype=float)

    def types(self, player):
        return [None]

    def prior(self):
        return [[1.0]]

    def root(self):
        return None

    def kind(self, node):
        return NodeKind.BOTH if node is None else NodeKind.END

    def actions(self, node, player):
        return range(self.payoffs.shape[player])

    def available(self, node, player):
        return None

    def play(self, node, move):
        return move

    def payoff(self, node):
        return self.payoffs[node]


class Goofspiel:
    """Goofspiel with open bids: a card each a round, the higher takes the prize; points count.

    A node is (hand, hand, points ahead). Player 0 may start ahead or with other cards.
    """

    def __init__(self, hand0, hand1=None, ahead=0):
        self.start = (tuple(hand0), tuple(hand0 if hand1 is None else hand1), ahead)

    def types(self, player):
        return [None]

    def prior(self):
        return [[1.0]]

    def root(self):
        return self.start

    def kind(self, node):
        return NodeKind.BOTH if node[0] else NodeKind.END

    def actions(self, node, player):
        return node[player]

    def available(self, node, player):
        return None

    def play(self, node, move):
        hand0, hand1, ahead = node
        won = len(hand0) * int(np.sign(move[0] - move[1]))
        left = [
            tuple(c for c in hand if c != m) for hand, m in zip((hand0, hand1), move, strict=True)
        ]
        return left[0], left[1], ahead + won

    def payoff(self, node):
        return float(np.sign(node[2]))


class RandomGame:
    """A random game with correlated types, masks, type-dependent chance and all kinds of nodes."""

    def __init__(self, seed, types=(2, 3), depth=3):
        self.seed, self.sizes, self.depth = seed, types, depth
        rng = np.random.default_rng([seed, 1])
        prior = rng.random(types) * (rng.random(types) > 0.2)
        prior[0, 0] += 0.1
        self._prior = prior / prior.sum()

    def rng(self, node, what=0):
        return np.random.default_rng([self.seed, 2, what, *node])

    def types(self, player):
        return range(self.sizes[player])

    def prior(self):
        return self._prior

    def root(self):
        return (0,)

    def kind(self, node):
        if len(node) > self.depth:
            return NodeKind.END
        return NodeKind(
            int(self.rng(node).choice([0, 1, 2, 2, 3, 4], p=[0.2, 0.2, 0.25, 0, 0.25, 0.1]))
        )

    def actions(self, node, player):
        return range(int(self.rng(node, 1 + player).integers(1, 4)))

    def available(self, node, player):
        count = len(self.actions(node, player))
        rng = self.rng(node, 3 + player)
        mask = rng.random((self.sizes[player], count)) < 0.75
        mask[np.arange(self.sizes[player]), rng.integers(count, size=self.sizes[player])] = True
        return mask

    def chances(self, node):
        rng = self.rng(node, 5)
        if rng.random() < 0.5:
            return {0: 0.25, 1: 0.75}
        weights = rng.random((2, *self.sizes)) * (rng.random((2, *self.sizes)) > 0.3) + 1e-3
        weights /= weights.sum(axis=0)
        return {0: weights[0], 1: weights[1]}

    def play(self, node, move):
        code = move if not isinstance(move, tuple) else 10 * move[0] + move[1] + 5
        return (*node, code)

    def payoff(self, node):
        return self.rng(node, 6).integers(-5, 6, size=self.sizes)


class HiddenBids:
    """Goofspiel with hidden bids, as an extensive game: told is only who has won each prize.

    A node is (bids of player 0, bids of player 1); player 1 bids when it has bid less often. Prizes
    fall from the number of cards to 1, the margin of points counts.
    """

    def __init__(self, cards):
        self.cards = cards

    def root(self):
        return (), ()

    def kind(self, node):
        if len(node[1]) == self.cards:
            return NodeKind.END
        return NodeKind.PLAYER_1 if len(node[0]) > len(node[1]) else NodeKind.PLAYER_0

    def won(self, node):
        return tuple(int(np.sign(a - b)) for a, b in zip(*node, strict=False))

    def information_set(self, node):
        return node[self.kind(node)], self.won(node)

    def actions(self, node):
        own = node[self.kind(node)]
        return [card for card in range(1, self.cards + 1) if card not in own]

    def play(self, node, move):
        if self.kind(node) is NodeKind.PLAYER_0:
            return (*node[0], move), node[1]
        return node[0], (*node[1], move)

    def payoffs(self, node):
        prizes = range(self.cards, 0, -1)
        margin = sum(prize * won for prize, won in zip(prizes, self.won(node), strict=True))
        return margin, -margin


class Signal:
    """Chance turns up a signal that depends on both types; then both guess at once.

    A node is None, the signal, or (signal, guesses). Each has a secret bit; player 0 wins the
    amount of the payoffs when the guesses, with the bits, come out right.
    """

    def types(self, player):
        return [0, 1]

    def prior(self):
        return [[0.4, 0.1], [0.2, 0.3]]

    def root(self):
        return None

    def kind(self, node):
        if node is None:
            return NodeKind.CHANCE
        return NodeKind.BOTH if isinstance(node, str) else NodeKind.END

    def chances(self, node):
        low = np.array([[0.9, 0.5], [0.25, 0.0]])
        return {"low": low, "high": 1 - low}

    def actions(self, node, player):
        return [0, 1]

    def available(self, node, player):
        return None

    def play(self, node, move):
        return move if node is None else (node, move)

    def payoff(self, node):
        signal, (guess0, guess1) = node
        bits0, bits1 = np.ogrid[:2, :2]
        right0, right1 = guess0 == bits1, guess1 == bits0
        stake = 1 + (signal == "high") * (bits0 + bits1)
        return stake * (2.0 * right0 - right1)
