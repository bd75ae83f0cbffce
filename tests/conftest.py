"""The same tests with the same code in each run."""
from hypothesis import settings

from tests.data import ROOT

PACKAGE = ROOT / "orange_structpred"

# `make test` tries the same examples each time, `make test-slow` looks for new ones.
settings.register_profile("steady", derandomize=True)
settings.register_profile("explore", derandomize=False, print_blob=True, deadline=None,
                          max_examples=300)
settings.load_profile("steady")


def pytest_sessionstart(session):
    """Compiled code in numba's cache must not outlive the sources it was made from.

    Numba looks only at the file of a function itself: when a function changes that
    another file calls, the caller's cached code keeps the old one.
    """
    if hasattr(session.config, "workerinput"):      # pytest-xdist: once is enough
        return
    newest = max(path.stat().st_mtime for path in PACKAGE.rglob("*.py"))
    cached = [path for ending in ("nbi", "nbc") for path in PACKAGE.rglob(f"*.{ending}")]
    if any(path.stat().st_mtime < newest for path in cached):
        for path in cached:
            path.unlink(missing_ok=True)
