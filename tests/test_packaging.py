"""What setup.py and MANIFEST.in say of the project."""
import re
import subprocess
import sys

import pytest

import orange_structpred
from tests.data import ROOT

# What a clone has and its users make, but no release.
LOCAL = {"build", "dist", "output", "orange_structpred"}


def test_the_version_has_one_place():
    """Read without importing the package, whose requirements may be missing."""
    done = subprocess.run([sys.executable, "-W", "ignore", "setup.py", "--version"],
                          cwd=ROOT, check=False, capture_output=True, encoding="utf-8")
    if "No module named 'setuptools'" in done.stderr:
        pytest.skip("setuptools is not installed")
    assert done.stdout.split()[-1] == orange_structpred.__version__, done.stderr
    for name in ("setup.py", "doc/conf.py", "CITATION.cff"):
        assert orange_structpred.__version__ not in (ROOT / name).read_text("utf-8")


def test_an_sdist_has_all_folders():
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    listed = set(re.findall(r"^recursive-include (\S+) \*$", manifest, re.MULTILINE))
    folders = {path.name for path in ROOT.iterdir()
               if path.is_dir() and not path.name.startswith((".", "__"))
               and not path.name.endswith(".egg-info")}
    assert listed == (folders - LOCAL) | {".ci"}


def test_an_sdist_has_all_pages():
    included = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    for page in ROOT.glob("*.md"):
        assert page.name in included


def test_types_are_shipped():
    assert (ROOT / "orange_structpred" / "py.typed").exists()
    assert '"py.typed"' in (ROOT / "setup.py").read_text(encoding="utf-8")
