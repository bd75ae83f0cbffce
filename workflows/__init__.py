"""Example workflows, in the order in which a newcomer opens them."""
from pathlib import Path

ORDER = ("first-parser", "choosing-c", "explicit-against-kernel", "hash-functions",
         "error-analysis")


def examples() -> list[str]:
    """Files of all examples; those that ORDER does not name come last."""
    paths = {path.stem: str(path) for path in
             sorted(Path(__file__).resolve().parent.glob("*.ows"))}
    return [paths.pop(name) for name in ORDER if name in paths] + list(paths.values())
