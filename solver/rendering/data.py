"""Results as plain data: dictionaries, lists, numbers and text, nothing left out or rounded.

How each thing is written:

===========================  =======================================================
frozen dataclass             an object with its fields, in their order
mapping                      an object; its keys as text (cards by letter, and so on)
tuple, list, array           a list
`Fraction`                   text, such as ``"27/5"`` or ``"3"``
float                        a number; text where it is none: ``"Infinity"``, ``"-Infinity"``,
                             ``"NaN"``
enum                         its name
===========================  =======================================================

Games register how their own things are written with ``to_data.register``: cards and times by their
codes, states and actions by the text that is read back. What nothing is known of is refused.
"""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import singledispatch
from types import NoneType
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from solver.document import Block, Document, Item, Labelled, Paragraph, Table, Verbatim
from solver.errors import SolverError

__all__ = ["Data", "fields_as_data", "to_data"]

Data: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None
"""What JSON can hold."""


@singledispatch
def to_data(value: object) -> Data:
    """Return a result, or a part of one, as plain data.

    Parameters
    ----------
    value : object
        A frozen dataclass, or anything that one holds.

    Raises
    ------
    SolverError
        If nothing is known of how it is written.

    Examples
    --------
    >>> to_data({"value": Fraction(27, 5), "error": float("inf"), "points": (3, 1)})
    {'value': '27/5', 'error': 'Infinity', 'points': [3, 1]}
    """
    if _is_record(value):
        return fields_as_data(value)
    raise SolverError(f"{type(value).__name__}: nothing is known of how it is written as data")


@to_data.register(NoneType)
@to_data.register(int)
@to_data.register(str)
@to_data.register(Enum)
def _simple(value: Any) -> Data:
    # Enums here too: one whose members are integers is dispatched as an integer.
    return value.name if isinstance(value, Enum) else value


@to_data.register
def _float(value: float) -> Data:
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


@to_data.register
def _fraction(value: Fraction) -> Data:
    return str(value)


@to_data.register(np.generic)
@to_data.register(np.ndarray)
def _array(value: Any) -> Data:
    return to_data(value.tolist())


@to_data.register(tuple)
@to_data.register(list)
def _sequence(value: tuple[object, ...] | list[object]) -> Data:
    return [to_data(item) for item in value]


@to_data.register(Mapping)
def _mapping(value: Mapping[object, object]) -> Data:
    found: dict[str, Data] = {}
    for key, item in value.items():
        name = to_data(key)
        if isinstance(name, dict | list) or name is None:
            raise SolverError(f"{type(key).__name__} cannot name an entry of an object")
        text = str(name)
        if text in found:
            raise SolverError(f"two entries of an object would both be named {text!r}")
        found[text] = to_data(item)
    return found


@to_data.register(Paragraph)
@to_data.register(Labelled)
@to_data.register(Table)
@to_data.register(Verbatim)
@to_data.register(Item)
def _block(value: Block) -> Data:
    return {"block": type(value).__name__.lower(), **fields_as_data(value)}


@to_data.register
def _document(value: Document) -> Data:
    return {name: to_data(getattr(value, name)) for name in ("title", "opening", "sections")}


def fields_as_data(value: object) -> dict[str, Data]:
    """Return the fields of a dataclass as plain data, those of its own use (``_name``) left out.

    For what is registered: all that the generic way does, to add to or to leave out from.
    """
    if not _is_record(value):
        raise SolverError(f"{type(value).__name__} is no dataclass: it has no fields")
    names = (field.name for field in fields(value) if not field.name.startswith("_"))
    return {name: to_data(getattr(value, name)) for name in names}


def _is_record(value: object) -> TypeGuard[Any]:
    return is_dataclass(value) and not isinstance(value, type)
