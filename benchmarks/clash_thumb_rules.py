"""What rules of thumb cost in one deal of Solaris' Clash with hidden extras.

    python -m benchmarks.clash_thumb_rules [TIMES] [--objective win] [--tolerance 1e-3]

from the root of the repository. Both players take their extras as the book of the repository says
(examples/books), the times are turned up, and one of them plays by a rule that fits on a card. For
each rule: what it gives away, in antes or points a game, to an opponent who plays the solution, and
to one who knows the rule and answers it in the best way (a best response, computed exactly). The
solution is that of the deal, to the tolerance; so numbers are sure to about twice that.

Each rule is asked in every information set of the deal: some two minutes a rule.

========================  ==================================================================
``any card``              shuffle the hand, play the top card
``any element``           each element still held alike
``boosted``               the element that the time boosts, if held; else any card
``boosted or opposite``   shuffle the cards of the boosted element and of its opposite, and
                          play the top one; without either, any card
``... in round 1``        the same in round 1, the solution after it
``solution``              what is left of the search
========================  ==================================================================
"""

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from games.clash import OBJECTIVES, Element, Hand, Rules, Time, full_hands
from solver.clash import StrategyBook, solve_hidden
from solver.clash.hidden.best_response import Behaviour, best_response, own_reach, profile_value
from solver.clash.hidden.solution import HiddenSolution, read_strategy

History: TypeAlias = tuple[tuple[Element, Element], ...]
Times: TypeAlias = tuple[Time | None, ...]
ThumbRule: TypeAlias = Callable[[Hand, Time], dict[Element, float]]

BOOK = "examples/books/clash-{}-rounds-1-3.book"


def shuffled(hand: Hand, among: Iterable[Element] = tuple(Element)) -> dict[Element, float]:
    """Return the chances of the top card when the cards of some elements are shuffled."""
    held = {element: hand.counts[element] for element in among if element in hand}
    return {element: number / sum(held.values()) for element, number in held.items()}


def any_card(hand: Hand, _: Time) -> dict[Element, float]:
    return shuffled(hand)


def any_element(hand: Hand, _: Time) -> dict[Element, float]:
    return {element: 1 / len(hand.elements) for element in hand.elements}


def boosted(hand: Hand, time: Time) -> dict[Element, float]:
    return shuffled(hand, [time.element]) or shuffled(hand)


def boosted_or_opposite(hand: Hand, time: Time) -> dict[Element, float]:
    return shuffled(hand, [time.element, time.element.rotated(2)]) or shuffled(hand)


RULES: dict[str, ThumbRule] = {
    "any card": any_card,
    "any element": any_element,
    "boosted": boosted,
    "boosted or opposite": boosted_or_opposite,
}


def asked(rule: ThumbRule, hand: Hand, history: History, times: Times) -> dict[Element, float]:
    """Ask a rule in an information set of player 0."""
    for own, _ in history:
        hand = hand.without(own)
    time = times[len(history)]
    assert time is not None
    return rule(hand, time)


def cost(solution: HiddenSolution, behaviour: Behaviour) -> tuple[float, float]:
    """Return what a strategy of player 0 gives away to the solution, and to who knows it."""
    layout, priors = solution.layout, solution.priors
    mine = own_reach(layout, 0, behaviour.rounds, priors[0])
    theirs = own_reach(layout, 1, solution.behaviours[1].rounds, priors[1])
    earned, _ = profile_value(layout, (behaviour, solution.behaviours[1]), (mine, theirs), 0)
    best, _ = best_response(layout, 1, mine, behaviour.plans)
    return -earned, float(priors[1] @ best)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("times", nargs="?", default="DaNoMiDu", help="turned up (%(default)s)")
    parser.add_argument("--objective", choices=OBJECTIVES, default="win")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="(%(default)s)")
    given = parser.parse_args()
    book = StrategyBook(BOOK.format(given.objective))
    prior = [book.selection[pair] for pair in full_hands()]
    solution = solve_hidden(
        given.times,
        given.objective,
        priors=[prior, prior],
        tolerance=given.tolerance,
        rules=Rules(),
    )
    unit = "antes" if given.objective == "win" else "points"
    print(f"{given.times}, {unit} a game given away{'to the':>12} solution  to who knows it")

    def tell(name: str, behaviour: Behaviour) -> None:
        against, at_most = cost(solution, behaviour)
        print(f"{name:<40}{against:>12.3f}{at_most:>17.3f}", flush=True)

    tell("solution", solution.behaviours[0])
    for name, rule in RULES.items():
        behaviour = read_strategy(solution, 0, partial(asked, rule))
        if rule is boosted_or_opposite:
            later = solution.behaviours[0]
            tell(
                f"{name} in round 1",
                Behaviour((behaviour.rounds[0], *later.rounds[1:]), later.plans),
            )
        tell(name, behaviour)


if __name__ == "__main__":
    main()
