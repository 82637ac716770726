"""Errors raised for what a user asked of a solver.

All derive from `SolverError`, which is a `ValueError`: one ``except SolverError`` catches every
refusal of this package and nothing else.
"""

__all__ = ["CertificationError", "PayoffError", "SolverError", "StateError", "TableError"]


class SolverError(ValueError):
    """Base class of every error that the solvers raise for their user's input."""


class PayoffError(SolverError):
    """Payoffs that are not a finite matrix of real numbers."""


class CertificationError(SolverError):
    """A method found no answer that passes its own check; nothing is returned instead."""


class StateError(SolverError):
    """A state that the solver, or this solution, cannot answer for."""


class TableError(SolverError):
    """A saved table that is damaged, of another format, or made for other rules."""
