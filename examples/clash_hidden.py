"""Solaris' Clash as it is really played, with hidden extras: what to take, play and believe.

    python examples/clash_hidden.py extras                  which extras to take, how often
    python examples/clash_hidden.py deal DaNoDuMi           what to play first with each hand
    python examples/clash_hidden.py follow DaNoDuMi WF FA WE   a game: extras Water and Fire; you
                                                played Fire on Air, then Water on Earth

`COMMAND --help` lists the options of a command. Strategies are found by a search and come with how
far from perfect they are; while it goes on, standard error tells how far it is.
"""

import os
import sys
from argparse import ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from itertools import takewhile
from math import inf, isfinite
from typing import TYPE_CHECKING

from games.clash import (
    EXTRAS_LABELS,
    OBJECTIVES,
    Element,
    Hand,
    Time,
    format_times,
    full_hands,
    parse_times,
)
from games.clash.elements import read_times
from games.errors import GameError, NotationError
from solver.command_line import (
    Parser,
    add_clash_rules,
    add_output,
    check_writable,
    clash_rules,
    positive,
    run,
    whole,
)
from solver.errors import SolverError

if TYPE_CHECKING:
    from solver.clash import HiddenSolution
    from solver.clash.explanations.words import Amounts
    from solver.document import Document

_FALL = 1.7
"""Exploitability falls about as this power of the iterations: for telling the time left."""

_DEAL_TOLERANCE, _WHOLE_TOLERANCE = 1e-3, 1e-2
_MOST_ITERATIONS = 20_000


def parser() -> Parser:
    """Return the parser of the script's arguments."""
    options = Parser(
        prog="clash_hidden.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    commands = options.add_subparsers(dest="command", metavar="COMMAND", required=True)

    extras = commands.add_parser("extras", help="which extras to take, and how often")
    _add_game(extras)
    _add_search(extras, f"{_WHOLE_TOLERANCE:g}")
    extras.add_argument("--checkpoint", metavar="DIR", help="a folder to go on from when ended")
    extras.add_argument("--book", metavar="FILE", help="read a strategy book instead of solving")
    extras.add_argument("--save", metavar="FILE", help="write the solution as a strategy book")
    extras.add_argument(
        "--rounds",
        type=int,
        choices=range(1, 7),
        default=6,
        metavar="N",
        help="write the first N rounds only: a small book (6 by default)",
    )
    extras.add_argument(
        "--workers", type=whole(1), metavar="N", help="threads; one a core if left out"
    )

    deal = commands.add_parser("deal", help="what to play first with each hand")
    deal.add_argument(
        "times", metavar="TIMES", nargs="+", help="the times turned up: DaNoDuMi, or Dawn Noon ..."
    )
    _add_deal(deal)
    deal.add_argument("--save", metavar="FILE", help="write the solution to a file")

    follow = commands.add_parser("follow", help="a game followed round by round")
    follow.add_argument(
        "words",
        metavar="TIMES HAND CARDS",
        nargs="+",
        help="the times turned up (DaNoDuMi, or Dawn Noon ...); your extras (WF) or all your cards "
        "(WWFFAE); for each round your card, then theirs (WF)",
    )
    _add_deal(follow)
    follow.add_argument(
        "--fifth", type=_time, metavar="TIME", help="the fifth time, once turned up"
    )
    follow.add_argument("--sixth", type=_time, metavar="TIME", help="the sixth time, likewise")
    return options


def _add_game(options: Parser) -> None:
    options.add_argument(
        "--objective", choices=OBJECTIVES, help="the pot (win, the default) or points"
    )
    options.add_argument(
        "--ante", type=positive, default=1.0, help="the ante, for the amounts printed under win"
    )
    add_clash_rules(options)
    add_output(options)


def _add_search(options: Parser, tolerance: str) -> None:
    options.add_argument(
        "--tolerance", type=positive, help=f"end when exploitable by this ({tolerance} if left out)"
    )
    options.add_argument(
        "--iterations", type=whole(1), metavar="N", help="end after so many iterations in any case"
    )


def _add_deal(options: Parser) -> None:
    options.add_argument(
        "--player", type=int, choices=(0, 1), default=0, help="whose seat is yours: 0 or 1"
    )
    _add_game(options)
    _add_search(options, f"{_DEAL_TOLERANCE:g}")
    options.add_argument(
        "--prior",
        metavar="WW=0.2,...|BOOK",
        help="how often players take each pair of extras, or a strategy book that says so (all ten "
        "alike if left out)",
    )
    options.add_argument("--load", metavar="FILE", help="a solution saved before, not a new search")


def _time(text: str) -> Time:
    try:
        return Time.parse(text)
    except GameError:
        raise ArgumentTypeError(f"{text!r} is no time: expected Da, No, Mi or Du") from None


def answer(arguments: Namespace) -> str:
    """Return what was asked for, written as asked."""
    commands = {"extras": _extras, "deal": _deal, "follow": _follow}
    page = commands[arguments.command](arguments)
    from solver.rendering import render  # noqa: PLC0415

    return render(page, arguments.format)


def _extras(arguments: Namespace) -> "Document":
    # Here, so that --help and arguments that are refused do not wait for the solvers.
    from solver.clash import StrategyBook, solve_whole, write_book  # noqa: PLC0415
    from solver.clash.explanations.hidden_text import extras_document  # noqa: PLC0415

    if arguments.book:
        book = StrategyBook(arguments.book, objective=arguments.objective)
        return extras_document(book, _amounts(arguments, book.objective))
    amounts = _amounts(arguments, arguments.objective or "win")
    tolerance = arguments.tolerance or _WHOLE_TOLERANCE
    if arguments.save:
        check_writable(arguments.save)
    tell = _Teller(tolerance)
    tell.say("solving every deal at once: some minutes at 0.01, about twenty at 0.001 on two cores")
    solution = solve_whole(
        arguments.objective or "win",
        clash_rules(arguments),
        tolerance=tolerance,
        checkpoint=arguments.checkpoint,
        workers=arguments.workers,
        iterations=arguments.iterations or _MOST_ITERATIONS,
        progress=lambda now: tell.progress(
            now.iterations, now.exploitability, now.seconds, now.bytes
        ),
    )
    if arguments.save:
        write_book(solution, arguments.save, last_round=arguments.rounds)
    return extras_document(solution, amounts)


def _deal(arguments: Namespace) -> "Document":
    if arguments.save:
        check_writable(arguments.save)
    if arguments.save and arguments.load:
        raise SolverError("--save and --load together: a file loaded is saved already")
    solution = _solution(arguments)
    from solver.clash.explanations.hidden_claims import advise  # noqa: PLC0415
    from solver.clash.explanations.hidden_text import deal_document  # noqa: PLC0415

    if arguments.save:
        solution.save(arguments.save)
    amounts = _amounts(arguments, solution.objective)
    return deal_document(advise(solution, arguments.player), amounts)


def _follow(arguments: Namespace) -> "Document":
    words = arguments.words
    arguments.times = list(takewhile(_are_times, words))
    if not arguments.times:
        raise NotationError(
            f"{words[0]!r} stands where the times should: name them first, then your extras, as "
            "DaNoDuMi WF"
        )
    if len(arguments.times) == len(words):
        raise NotationError("name your extras after the times, as DaNoDuMi WF")
    word, *rest = words[len(arguments.times) :]
    times, hand = parse_times(" ".join(arguments.times)), _hand(word)
    cards = [_cards(round_) for round_ in rest]
    if arguments.sixth is not None and arguments.fifth is None and times[4] is None:
        raise NotationError("--sixth needs --fifth: times are turned up in their order")
    turned_up = [time for time in (arguments.fifth, arguments.sixth) if time is not None]
    from solver.clash.explanations.hidden_claims import check_followed, follow  # noqa: PLC0415
    from solver.clash.explanations.hidden_text import followed_document  # noqa: PLC0415

    if not arguments.load:
        # A search is not worth waiting for if the game cannot have been played so.
        hands, _ = _prior(arguments.prior)
        rules, player = clash_rules(arguments), arguments.player
        check_followed([hands, hands], times, rules, player, hand, cards, turned_up)
    solution = _solution(arguments)
    game = follow(solution, arguments.player, hand, cards, turned_up)
    return followed_document(game, _amounts(arguments, solution.objective))


def _are_times(word: str) -> bool:
    try:
        read_times(word)
    except NotationError:
        return False
    return True


def _solution(arguments: Namespace) -> "HiddenSolution":
    """Return the deal solved: from a file, or by a search now."""
    times = parse_times(" ".join(arguments.times))
    if arguments.load:
        return _loaded(arguments, times)
    hands, priors = _prior(arguments.prior)
    from solver.clash import solve_hidden  # noqa: PLC0415

    _amounts(arguments, arguments.objective or "win")
    tolerance = arguments.tolerance or _DEAL_TOLERANCE
    tell = _Teller(tolerance)
    return solve_hidden(
        times,
        arguments.objective or "win",
        hands=[hands, hands],
        priors=[priors, priors],
        rules=clash_rules(arguments),
        tolerance=tolerance,
        iterations=arguments.iterations or _MOST_ITERATIONS,
        progress=lambda now: tell.progress(
            now.iterations, now.exploitability, now.seconds, now.bytes
        ),
    )


def _loaded(arguments: Namespace, times: tuple[Time | None, ...]) -> "HiddenSolution":
    for option in ("prior", "tolerance", "iterations"):
        if getattr(arguments, option) is not None:
            raise SolverError(f"--{option} is for a new search: {arguments.load} is solved already")
    from solver.clash import HiddenSolution  # noqa: PLC0415

    wanted = arguments.time_deck is not None or arguments.sunburst is not None
    rules = clash_rules(arguments) if wanted else None
    solution = HiddenSolution.load(arguments.load, rules, arguments.objective)
    if solution.times != times:
        raise SolverError(
            f"{arguments.load} is the deal {format_times(solution.times)}, not "
            f"{format_times(times)}"
        )
    return solution


def _amounts(arguments: Namespace, objective: str) -> "Amounts":
    from solver.clash.explanations.words import Amounts  # noqa: PLC0415

    return Amounts("margin" if objective == "margin" else "win", arguments.ante)


def _prior(text: str | None) -> tuple[list[Hand], list[float]]:
    """Return the hands that players may hold and their chances; those of chance 0 are left out."""
    if text is None:
        text = ",".join(f"{label}=0.1" for label in EXTRAS_LABELS)
    if os.path.isfile(text):
        from solver.clash import StrategyBook  # noqa: PLC0415

        selection = StrategyBook(text).selection
        return [_hand(label) for label in selection], list(selection.values())
    chances: dict[Hand, float] = {}
    for part in text.split(","):
        label, _, number = part.partition("=")
        hand = _hand(label.strip())
        try:
            chance = float(number)
        except ValueError:
            raise NotationError(
                f"--prior {part!r}: expected extras and a chance, as WW=0.2"
            ) from None
        if hand in chances:
            raise NotationError(f"--prior names {label.strip()} twice")
        chances[hand] = chance
    held = [hand for hand in full_hands().values() if chances.get(hand, 0.0) != 0]
    if not held:
        raise NotationError(f"--prior {text}: some extras must have a chance")
    return held, [chances[hand] for hand in held]


def _hand(text: str) -> Hand:
    try:
        hand = Hand.parse(text)
    except NotationError:
        hand = Hand.parse("-")
    if len(hand) == 2:
        return Hand.parse((*Element, *hand))
    if not hand.is_full:
        raise NotationError(
            f"{text!r} is no hand to start with: two extras, as AE, or all six cards"
        )
    return hand


def _cards(text: str) -> tuple[Element, Element]:
    try:
        own, other = (Element.parse(letter) for letter in text)
    except (ValueError, GameError):
        raise NotationError(
            f"{text!r} is no round: expected your card and theirs, two of W, F, A, E"
        ) from None
    return own, other


class _Teller:
    """Tells on standard error how far a search is."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance

    def say(self, words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    def progress(self, iterations: int, gap: float, seconds: float, size: int) -> None:
        if not iterations:
            if size:
                self.say(f"searching to an exploitability of {self.tolerance:g}: {_memory(size)}")
            return
        words = f"{iterations} iterations, {seconds:.0f} s: exploitability "
        words += f"{gap:.1g}" if isfinite(gap) else "not measured yet"
        if self.tolerance < gap < inf:
            left = seconds * ((gap / self.tolerance) ** (1 / _FALL) - 1)
            words += f", about {_duration(left)} left"
        self.say(f"{words}; {_memory(size)}")


def _memory(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit status."""
    return run(answer, parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
