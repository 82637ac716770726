"""Vertices of polyhedra in whole numbers, by the double description method.

A cone {z >= 0 : h z >= 0 for each row h} is built up from the orthant, one row at a time.  The
extreme rays that the new row cuts off are replaced by those that the row's hyperplane makes out of
each adjacent pair, one ray on either side.  Two rays are adjacent when no third is tight in all
constraints that are tight in both.

Everything is a whole number and nothing is perturbed, so degenerate cones, where many constraints
meet in one ray, need no special care.

References
----------
K. Fukuda and A. Prodon (1996), Double description method revisited. Combinatorics and Computer
Science, Lecture Notes in Computer Science 1120, 91-111.
"""

from collections.abc import Sequence
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError

__all__ = ["DIGIT_BITS", "WORK_LIMIT", "Ray", "extreme_rays"]

WORK_LIMIT = 1_000_000_000
"""Comparisons of rays after which an enumeration is given up: some seconds of work.

Other work counts as the comparisons that take as long.
"""

DIGIT_BITS = 30
"""Bits of a digit of Python's whole numbers: the work on them grows with its square."""

# What one comparison costs when the masks are longer than a machine word.
_LONG_MASK = 25


class Ray(NamedTuple):
    """An extreme ray, and the constraints that are tight on it as a bit mask.

    Bit i stands for z_i >= 0, and bit d + k for constraint k, d being the dimension.
    """

    direction: tuple[int, ...]
    tight: int


def _population(masks: NDArray[Any]) -> NDArray[np.int64]:
    """How many bits are set in each mask."""
    if masks.dtype == object:
        return np.array([mask.bit_count() for mask in masks], dtype=np.int64)
    x = masks - ((masks >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    # add the bytes up by shifts; a product would do, but overflows
    for shift in (8, 16, 32):
        x = x + (x >> np.uint64(shift))
    return np.asarray(x & np.uint64(0x7F), dtype=np.int64)


def _between(above: Ray, gain: int, below: Ray, loss: int, bit: int) -> Ray:
    """Return the ray on the new hyperplane between one ray on either side."""
    direction = [gain * b - loss * a for a, b in zip(above.direction, below.direction, strict=True)]
    divisor = gcd(*direction)
    return Ray(tuple(a // divisor for a in direction), (above.tight & below.tight) | bit)


def extreme_rays(
    dimension: int,
    equalities: Sequence[Sequence[int]],
    inequalities: Sequence[Sequence[int]],
    what: str,
) -> list[Ray]:
    """List the extreme rays of {z >= 0 : e z = 0, h z >= 0}.

    Parameters
    ----------
    dimension
        Number of coordinates.
    equalities, inequalities
        Rows e and h; the masks number the equalities first.
    what
        What is being listed, for the error.

    Returns
    -------
    list of Ray
        Each ray once, its direction divided by the greatest common divisor.

    Raises
    ------
    SolverError
        When the enumeration is too large.
    """
    kind: Any = np.uint64 if dimension + len(equalities) + len(inequalities) <= 64 else object
    rays = [
        Ray(
            tuple(int(i == k) for i in range(dimension)),
            ((1 << dimension) - 1) ^ (1 << k),
        )
        for k in range(dimension)
    ]
    cost = _LONG_MASK if kind is object else 1
    work = 0

    def spend(amount: int) -> None:
        nonlocal work
        work += amount
        if work > WORK_LIMIT:
            raise SolverError(
                f"too large to list all {what}: the work limit of {WORK_LIMIT:,} comparisons "
                f"was passed at {len(rays):,} vertices"
            )

    for number, row in enumerate([*equalities, *inequalities]):
        bit = 1 << (dimension + number)
        values = [sum(a * z for a, z in zip(row, ray.direction, strict=True) if z) for ray in rays]
        digits = max(map(abs, values), default=0).bit_length() // DIGIT_BITS + 1
        spend(len(rays) * dimension * (4 + digits))
        per_ray = dimension * (40 + 4 * digits + digits * digits // 2)
        above = [k for k, value in enumerate(values) if value > 0]
        below = [k for k, value in enumerate(values) if value < 0]
        kept = [
            Ray(ray.direction, ray.tight | bit)
            for ray, value in zip(rays, values, strict=True)
            if value == 0
        ]
        if number >= len(equalities):
            kept += [rays[k] for k in above]
        masks = np.array([ray.tight for ray in rays], dtype=kind)
        below_masks = masks[below]
        for k in above:
            if not below:
                break
            common = below_masks & masks[k]
            # a shared face of dimension two needs this many tight constraints
            near = np.flatnonzero(_population(common) >= dimension - 2)
            spend(cost * len(below))
            for n in near:
                spend(cost * len(rays))
                if int(((masks & common[n]) == common[n]).sum()) == 2:
                    spend(per_ray)
                    other = below[n]
                    kept.append(_between(rays[k], values[k], rays[other], values[other], bit))
        rays = kept
    return rays
