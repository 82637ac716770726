"""For all tests: compiled functions that an edit has made stale are thrown away first.

numba keeps compiled functions on disk and compiles one anew when its own file has changed, but not
when a file that it takes constants or functions from has. After an edit, or a change of branch, old
and new layouts would meet in one process.
"""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

# Their examples run under OpenSpiel, which is an extra.
collect_ignore = (
    []
    if importlib.util.find_spec("pyspiel")
    else ["games/openspiel", "docs/how-to/use-openspiel.md"]
)


def pytest_configure(config: pytest.Config) -> None:
    """Throw away what is older than any file of its package."""
    if hasattr(config, "workerinput"):
        # The process that started the workers has done it.
        return
    for package in ("games", "solver", "benchmarks"):
        folder = ROOT / package
        compiled = [*folder.rglob("*.nbi"), *folder.rglob("*.nbc")]
        newest = max((path.stat().st_mtime for path in folder.rglob("*.py")), default=0.0)
        if any(path.stat().st_mtime < newest for path in compiled):
            for path in compiled:
                path.unlink(missing_ok=True)
