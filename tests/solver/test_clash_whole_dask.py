"""The whole game on the workers of a Dask client: the same bits as on threads."""

import numpy as np
import pytest

from solver.clash import solve_whole
from solver.clash.hidden.classes import sequence_classes

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_two_worker_processes_give_the_same_result(monkeypatch, tmp_path):
    few = sequence_classes("independent")[20:23]
    for module in ("whole", "whole_solution"):
        monkeypatch.setattr(f"solver.clash.hidden.{module}.sequence_classes", lambda deck: few)
    here = solve_whole(iterations=52, workers=2)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        folder = tmp_path / "run"
        there = solve_whole(iterations=51, client=client, checkpoint=folder, checkpoint_seconds=1e9)
        assert there.iterations == 51
        there = solve_whole(iterations=52, client=client, checkpoint=folder)
    # Interrupted once, so that one more measurement was made than without.
    assert here.curve[0] == there.curve[0]
    assert np.array_equal(here.prior, there.prior)
    for one, other in zip(here.behaviours, there.behaviours, strict=True):
        assert np.array_equal(one.plans, other.plans)
        assert all(map(np.array_equal, one.rounds, other.rounds))
