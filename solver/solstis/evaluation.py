"""The weights by which a position is judged before its end.

They were fitted from games of the search against itself by ``benchmarks/fit_solstis_evaluation.py``
and are kept in ``weights.json``: for each feature the weight with an empty pile and what is added
with a full one, in points of the final margin.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.solstis import Rules
from solver.errors import SolverError
from solver.solstis.features import FEATURES

__all__ = ["FAMILIES", "WEIGHTS_FILE", "plain_weights", "weights_for"]

WEIGHTS_FILE: Final = Path(__file__).with_name("weights.json")

FAMILIES: Final = ("base", "firefly")
"""The variants that have weights of their own; the beginner's variant takes those of the base."""

_SCORED: Final = (
    "largest_area",
    "lit_fires",
    "plain_spirits",
    "blue_spirits",
    "shining_fireflies",
    *(name for name in FEATURES if name.endswith("_points") and name != "squirrel_points"),
)


def plain_weights() -> NDArray[np.float64]:
    """Return weights that give the score as it stands (fires not rounded)."""
    weights = np.zeros((3, len(FEATURES)))
    weights[0, [FEATURES.index(name) for name in _SCORED]] = 1.0
    weights[2, :2] = 2.0, 6.0
    return weights


@cache
def _read() -> dict[str, NDArray[np.float64]]:
    data: dict[str, Any] = json.loads(WEIGHTS_FILE.read_text())
    if data["features"] != list(FEATURES):
        raise SolverError(f"{WEIGHTS_FILE} was fitted for other features: fit it again")
    result = {}
    for family in FAMILIES:
        weights = np.zeros((3, len(FEATURES)))
        weights[0], weights[1] = data[family]["empty_pile"], data[family]["more_with_full_pile"]
        weights[2, :2] = data[family]["spreads"]
        result[family] = weights
    return result


def weights_for(rules: Rules) -> NDArray[np.float64]:
    """Return the weights of a variant, shape (3, features).

    Examples
    --------
    >>> weights_for(Rules()).shape == (3, len(FEATURES))
    True
    """
    return _read()["firefly" if rules.variant == "firefly" else "base"]
