"""What setup.py and MANIFEST.in say of the project."""
import re
import subprocess
import sys
from email import message_from_string

import pytest

import orange_structpred
from tests.data import ROOT
from tools.lowest_versions import lowest, required

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


@pytest.fixture(scope="module")
def metadata(tmp_path_factory):
    """What a package index is told."""
    folder = tmp_path_factory.mktemp("metadata")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "setup.py", "-q", "egg_info", "-e", str(folder)],
        cwd=ROOT, check=False, capture_output=True, encoding="utf-8")
    if "No module named 'setuptools'" in done.stderr:
        pytest.skip("setuptools is not installed")
    path, = folder.rglob("PKG-INFO")
    return message_from_string(path.read_text(encoding="utf-8"))


def test_metadata(metadata):
    if "License-Expression" in metadata:        # setuptools 77 and later
        assert metadata["License-Expression"] == "GPL-3.0-or-later"
    assert 'license_expression="GPL-3.0-or-later"' in (ROOT / "setup.py").read_text("utf-8")
    assert '"setuptools>=77"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "orangedatamining.com" not in " ".join(
        [metadata["Home-page"] or "", *metadata.get_all("Project-URL", [])])


def test_links_of_the_readme_are_whole_or_none(metadata):
    text = metadata.get_payload()
    assert "# Orange3-StructPred" in text
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links and all(link.startswith("https://") for link in links)


def test_links_with_a_repository():
    source = (ROOT / "setup.py").read_text(encoding="utf-8")
    function = source[source.index("def long_description"):source.index("setup(\n    name")]
    names = {"re": re}
    exec(function, names)
    text = "![a](doc/a.png) [b](doc/b.md) [c](https://c.org) [d](#d)"
    assert names["long_description"](text, "https://x.org/y") == (
        "![a](https://x.org/y/raw/main/doc/a.png) [b](https://x.org/y/blob/main/doc/b.md) "
        "[c](https://c.org) [d](#d)")
    assert names["long_description"](text, "") == " b [c](https://c.org) [d](#d)"


IN_ANY_ORDER = """
import sys
import {}
import {}
from Orange.data import Table
assert len(Table.from_file(sys.argv[1])) == 400
assert orange_structpred.problems.__name__ == "orange_structpred.problems"
"""


@pytest.mark.parametrize("first, second", [
    ("orange_structpred", "Orange"), ("Orange.data", "orange_structpred"),
    ("orange_structpred", "orange_structpred.treebank")])
def test_imported_in_any_order(first, second):
    path = ROOT / "orange_structpred" / "treebank" / "data" / "en.conllu"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IN_ANY_ORDER.format(first, second), str(path)],
        check=False, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_lowest_versions():
    found = required((ROOT / "setup.py").read_text(encoding="utf-8"))
    assert "numba>=0.59" in found and [lowest(own) for own in found]
    with pytest.raises(ValueError, match="expected a name, >= and a version"):
        lowest("numpy")


def test_types_are_shipped():
    assert (ROOT / "orange_structpred" / "py.typed").exists()
    assert '"py.typed"' in (ROOT / "setup.py").read_text(encoding="utf-8")
