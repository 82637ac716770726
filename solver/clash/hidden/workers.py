"""Who computes the classes of the whole game: threads here, or the workers of a Dask client.

Both give the same bits: a class is always computed by itself, and results come in the order of the
classes.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.clash import Objective, Rules
from solver.clash.hidden.best_response import Behaviour
from solver.clash.hidden.classes import SequenceClass, Share
from solver.regret_rules import RegretStep

__all__ = ["Workers", "dask_workers", "thread_workers"]

FloatArray: TypeAlias = NDArray[np.float64]


class Workers(Protocol):
    """What computes all classes; results are in the order of the classes."""

    def bytes(self) -> int:
        """Return how many bytes the regrets take."""

    def update(
        self, player: int, own: FloatArray, other: FloatArray, step: RegretStep
    ) -> FloatArray:
        """Update one player; return what each hand was worth, shape (classes, 10)."""

    def best(self, priors: tuple[FloatArray, FloatArray]) -> FloatArray:
        """Return what best responses earn, shape (classes, 2, 10)."""

    def averages(self, player: int) -> list[Behaviour]:
        """Return a player's average strategies."""

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the regrets of every class."""

    def load(self, folder: str | os.PathLike[str]) -> None:
        """Read the regrets of every class."""

    def __enter__(self) -> "Workers": ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class _Pool:
    """Shares, each asked through a function that returns at once what will be the answer."""

    def __init__(self, shares: list[Any], ask: Any, close: Any) -> None:
        self._shares = shares
        self._ask = ask
        self._close = close

    def _all(self, method: str, *arguments: Any) -> list[Any]:
        asked = [self._ask(share, method, *arguments) for share in self._shares]
        return [answer.result() for answer in asked]

    def bytes(self) -> int:
        return int(sum(self._all("bytes")))

    def update(
        self, player: int, own: FloatArray, other: FloatArray, step: RegretStep
    ) -> FloatArray:
        return _joined(self._all("update", player, own, other, step))

    def best(self, priors: tuple[FloatArray, FloatArray]) -> FloatArray:
        return _joined(self._all("best", priors))

    def averages(self, player: int) -> list[Behaviour]:
        return [one for share in self._all("averages", player) for one in share]

    def save(self, folder: str | os.PathLike[str]) -> None:
        self._all("save", os.fspath(folder))

    def load(self, folder: str | os.PathLike[str]) -> None:
        self._all("load", os.fspath(folder))

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()


def _joined(answers: Iterable[FloatArray]) -> FloatArray:
    return np.concatenate(list(answers))


def thread_workers(
    classes: tuple[SequenceClass, ...],
    objective: Objective,
    rules: Rules,
    workers: int,
    single: bool = True,
) -> Workers:
    """Return workers on threads of this process; the compiled loops run side by side."""
    executor = ThreadPoolExecutor(workers)
    shares = [Share((one,), objective, rules, single) for one in classes]

    def ask(share: Share, method: str, *arguments: Any) -> Any:
        return executor.submit(getattr(share, method), *arguments)

    return _Pool(shares, ask, executor.shutdown)


def dask_workers(
    classes: tuple[SequenceClass, ...],
    objective: Objective,
    rules: Rules,
    client: Any,
    single: bool = True,
) -> Workers:
    """Return workers on the processes of a Dask client, an equal share of classes each.

    Parameters
    ----------
    client : dask.distributed.Client
        Its workers keep their share as an actor until the run ends.
    """
    names = sorted(client.scheduler_info()["workers"])
    futures = [
        client.submit(
            Share, classes[start::len(names)], objective, rules, single,
            workers=[name], actor=True, pure=False,
        )
        for start, name in enumerate(names)
    ]  # fmt: skip
    actors = [future.result() for future in futures]

    def ask(actor: Any, method: str, *arguments: Any) -> Any:
        return getattr(actor, method)(*arguments)

    return _Dealt(actors, ask, lambda: client.cancel(futures), len(classes))


class _Dealt(_Pool):
    """Shares that hold every n-th class, put back into the order of the classes."""

    def __init__(self, shares: list[Any], ask: Any, close: Any, count: int) -> None:
        super().__init__(shares, ask, close)
        self._order = np.argsort(
            np.concatenate([np.arange(s, count, len(shares)) for s in range(len(shares))])
        )

    def update(
        self, player: int, own: FloatArray, other: FloatArray, step: RegretStep
    ) -> FloatArray:
        return super().update(player, own, other, step)[self._order]

    def best(self, priors: tuple[FloatArray, FloatArray]) -> FloatArray:
        return super().best(priors)[self._order]

    def averages(self, player: int) -> list[Behaviour]:
        together = super().averages(player)
        return [together[place] for place in self._order]
