"""How results of Solaris' Clash are written as plain data; see `solver.rendering.data`.

Cards and times are their codes; hands, positions and records their text, which is read back. A
position under other than the default rules is read with the rules beside it. Of a solution with
hidden hands its summary is written: its strategies are thousands of numbers and have files of their
own.
"""

from games.clash import Element, Hand, Record, Rules, State, Time, format_times
from solver.clash.explanations.claims import Explanation
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.hidden.whole_solution import WholeStrategy
from solver.clash.open_hands import OpenEntry
from solver.rendering.data import Data, fields_as_data, to_data

__all__: list[str] = []


@to_data.register
def _element(value: Element) -> Data:
    return value.letter


@to_data.register
def _time(value: Time) -> Data:
    return value.code


@to_data.register(Hand)
@to_data.register(State)
@to_data.register(Record)
def _text(value: Hand | State | Record) -> Data:
    return str(value)


@to_data.register
def _rules(value: Rules) -> Data:
    return {
        "players": value.players,
        "time_deck": value.time_deck,
        "sunburst": value.sunburst,
        "bonus": None if value.bonus is None else value.bonus.name,
    }


@to_data.register
def _explanation(value: Explanation) -> Data:
    return {"rules": to_data(value.state.rules), "unit": value.unit, **fields_as_data(value)}


@to_data.register
def _entry(value: OpenEntry) -> Data:
    return {"rules": to_data(value.state.rules), **fields_as_data(value)}


@to_data.register
def _deal(value: HiddenSolution) -> Data:
    return {
        "rules": to_data(value.rules),
        "objective": value.objective,
        "unit": value.unit,
        "times": format_times(value.times),
        "points": to_data(value.points),
        "streaks": to_data(value.streaks),
        "hands": [to_data(value.hands(player)) for player in (0, 1)],
        "value": to_data(value.value),
        "bounds": to_data(value.bounds),
        "exploitability": to_data(value.exploitability),
        "iterations": value.iterations,
        "stopped": value.stopped,
        "method": value.method,
        "seconds": to_data(value.seconds),
        "seed": value.seed,
    }


@to_data.register
def _whole(value: WholeStrategy) -> Data:
    return {
        "rules": to_data(value.rules),
        "objective": value.objective,
        "unit": value.unit,
        "selection": to_data(value.selection),
        "value": to_data(value.value),
        "bounds": to_data(value.bounds),
        "exploitability": to_data(value.exploitability),
        "iterations": value.iterations,
        "stopped": value.stopped,
    }
