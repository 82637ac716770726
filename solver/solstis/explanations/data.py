"""How results of Solstis are written as plain data; see `solver.rendering.data`.

Actions are the text of the records and states their line, both of which are read back. An
explanation holds its position in the vocabulary of the recorded games, as ``position``.
"""

from games.solstis import Action, Observation, State
from solver.rendering.data import Data, fields_as_data, to_data
from solver.solstis.explanations.claims import Explanation

__all__: list[str] = []


@to_data.register(Action)
@to_data.register(State)
def _text(value: Action | State) -> Data:
    return str(value)


@to_data.register
def _observation(value: Observation) -> Data:
    return value.to_dict()


@to_data.register
def _explanation(value: Explanation) -> Data:
    data = fields_as_data(value)
    del data["seen"]
    return {"position": value.seen.to_dict(), **data}
