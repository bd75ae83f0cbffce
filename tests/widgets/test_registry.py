"""Orange finds the widgets, from the sources as well as from a wheel."""
import importlib
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from orangecanvas.registry import WidgetDescription, WidgetRegistry
from orangecanvas.resources import icon_loader
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from orange_structpred import widgets
from orange_structpred.treebank.bundled import load_bundled
from tests.data import ROOT
from tests.export.toy import ows

CORE = {"Data Sampler": "Orange.widgets.data.owdatasampler.OWDataSampler",
        "Select Rows": "Orange.widgets.data.owselectrows.OWSelectRows",
        "Merge Data": "Orange.widgets.data.owmergedata.OWMergeData",
        "Data Table": "Orange.widgets.data.owtable.OWTable",
        "Pivot Table": "Orange.widgets.data.owpivot.OWPivot",
        "Save Model": "Orange.widgets.model.owsavemodel.OWSaveModel",
        "Load Model": "Orange.widgets.model.owloadmodel.OWLoadModel"}
FILES = sorted(path.stem for path in (ROOT / "widgets").glob("ow*.py"))
SOURCES = ("orange_structpred", "widgets", "icons", "workflows", "doc", "setup.py",
           "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def application():
    return QApplication.instance() or QApplication(["test"])


@pytest.fixture(scope="module")
def registry(application):
    """What the canvas finds through the entry point of the installed package."""
    found = WidgetRegistry()
    own = [entry for entry in Config.widgets_entry_points()
           if entry.module == widgets.__name__]
    assert len(own) == 1
    Config.widget_discovery(found).run(own)
    return found


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    # In the project's folder icons would be found by chance.
    monkeypatch.chdir(tmp_path)


def test_category(registry):
    category, = registry.categories()
    assert category.name == "StructPred"
    assert category.description and category.background.startswith("#")
    assert icon_loader.from_description(category).find(category.icon) \
        == str(ROOT / "icons" / "category.svg")


def test_all_widgets_are_found(registry):
    found = registry.widgets()
    assert sorted(widget.qualified_name.rsplit(".", 2)[1] for widget in found) == FILES
    assert {widget.category for widget in found} == {"StructPred"}
    # Nobody wants to guess what comes first.
    assert len({widget.priority for widget in found}) == len(found)
    assert all(widget.description and widget.keywords for widget in found)


def test_icons(registry):
    for widget in registry.widgets():
        loader = icon_loader.from_description(widget)
        path = Path(loader.find(widget.icon))
        assert path.parent == ROOT / "icons", widget.name
        picture = loader.get(widget.icon).pixmap(48, 48).toImage()
        shades = {picture.pixelColor(x, y).alpha()
                  for x in range(picture.width()) for y in range(picture.height())}
        assert {0, 255} <= shades, widget.name


LINKS = [
    ("Load CoNLL Treebank", "Treebank", "Data Sampler", "Data"),
    ("Load CoNLL Treebank", "Treebank", "Train Parser", "Treebank"),
    ("Data Sampler", "Data Sample", "Train Parser", "Treebank"),
    ("Select Rows", "Matching Data", "Apply Parser", "Treebank"),
    ("Merge Data", "Data", "Apply Parser", "Treebank"),
    ("Train Parser", "Parser", "Apply Parser", "Parser"),
    ("Train Parser", "Parser", "Save Model", "Model"),
    ("Load Model", "Model", "Apply Parser", "Parser"),
    ("Train Parser", "Parser", "Save Parser", "Parser"),
    ("Tune Parser", "Parser", "Save Parser", "Parser"),
    ("Load Parser", "Parser", "Apply Parser", "Parser"),
    ("Load Parser", "Parser", "Treebank Viewer", "Parser"),
    ("Load Model", "Model", "Treebank Viewer", "Parser"),
    ("Apply Parser", "Treebank", "Apply Parser", "Treebank"),
    ("Apply Parser", "Treebank", "Treebank Viewer", "Treebank"),
    ("Apply Parser", "Treebank", "Data Table", "Data"),
    ("Apply Parser", "Tokens", "Pivot Table", "Data"),
    ("Data Sampler", "Remaining Data", "Train Parser", "Validation Treebank"),
    ("Apply Parser", "Treebank", "Confusions", "Treebank"),
    ("Confusions", "Treebank", "Treebank Viewer", "Treebank"),
    ("Apply Parser", "Treebank", "Find Trees", "Treebank"),
    ("Find Trees", "Sentences", "Treebank Viewer", "Treebank"),
    ("Find Trees", "Matches", "Data Table", "Data"),
    ("Find Trees", "Sentences", "Edit Treebank", "Treebank"),
    ("Train Parser", "Parser", "Edit Treebank", "Parser"),
    ("Edit Treebank", "Done", "Train Parser", "Treebank"),
    ("Edit Treebank", "Treebank", "Save Treebank", "Treebank"),
    ("Learning Steps", "Parser", "Apply Parser", "Parser"),
    ("Learning Steps", "Parser", "Treebank Viewer", "Parser"),
    ("Train Parser", "Learner", "Learning Curve", "Learner"),
    ("Tune Parser", "Learner", "Learning Curve", "Learner"),
    ("Train Tagger", "Learner", "Learning Curve", "Learner"),
    ("Learning Curve", "Curve", "Data Table", "Data"),
]


@pytest.mark.parametrize("source, output, sink, entry", LINKS)
def test_links(registry, source, output, sink, entry):
    scheme = WidgetsScheme()
    for name in (source, sink):
        scheme.add_node(SchemeNode(description(registry, name)))
    first, second = scheme.nodes
    # Raises what the canvas would not connect.
    scheme.check_connect(SchemeLink(first, first.output_channel(output),
                                    second, second.input_channel(entry)))


def description(registry, name):
    for widget in registry.widgets():
        if widget.name == name:
            return widget
    module, _, cls = CORE[name].rpartition(".")
    core = getattr(importlib.import_module(module), cls).get_widget_description()
    return WidgetDescription(**{**core, "category": "Data"})


def test_old_workflows_open(registry, tmp_path):
    """Treebank Viewer was called Tree Viewer once."""
    path = tmp_path / "old.ows"
    path.write_bytes(ows([("orange_structpred.widgets.owtreeviewer.OWTreeViewer",
                           "Tree Viewer", {"tags": "UPOS"})]))
    scheme = WidgetsScheme()
    with path.open("rb") as file:
        scheme.load_from(file, registry=registry)
    node, = scheme.nodes
    assert node.description.qualified_name.endswith(".OWTreebankViewer")
    assert (node.title, node.properties) == ("Tree Viewer", {"tags": "UPOS"})


# What an installed package tells of itself, run by the Python that has it.
ASK = """
import json, sys
from pathlib import Path
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from orangecanvas.help import HelpManager
from orangecanvas.registry import WidgetRegistry
from orangecanvas.resources import icon_loader
import orange_structpred
from orange_structpred import widgets
from orange_structpred.treebank.bundled import load_bundled

application = QApplication(["ask"])
registry = WidgetRegistry()
Config.widget_discovery(registry).run(
    entry for entry in Config.widgets_entry_points()
    if entry.module == widgets.__name__)
icon = lambda description: str(Path(
    icon_loader.from_description(description).find(description.icon)).absolute())
manager = HelpManager()
manager.set_registry(registry)
print(json.dumps({
    "library": orange_structpred.__file__,
    "icons": {widget.qualified_name.rsplit(".", 2)[1]: icon(widget)
              for widget in registry.widgets()},
    "help": [manager.search({"id": widget.qualified_name}).toLocalFile()
             for widget in registry.widgets()],
    "category": [icon(category) for category in registry.categories()],
    "bundled": [len(load_bundled(language)) for language in ("en", "de")],
    "examples": [entry.value for entry in Config.examples_entry_points()
                 if "structpred" in entry.value]}))
"""


def test_started_in_a_clone():
    """Python finds the clone's folder first, and with it all that belongs inside."""
    program = ("import sys; sys.path[:0] = sys.argv[1:]\n"
               "import orange_structpred.workflows\n"
               "from orange_structpred.widgets import owloadtreebank\n"
               "print(owloadtreebank.__file__)")
    # Without `site` (-S) the link of an editable install is not there.
    done = run(sys.executable, "-S", "-c", program, ROOT, *filter(None, sys.path))
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == ROOT / "widgets" / "owloadtreebank.py"


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=False,
                          capture_output=True, encoding="utf-8", **options)


def ask(python: Path, folder: Path) -> dict:
    """What the package tells when Python is started in a folder."""
    done = run(python, "-c", ASK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def build_wheel(folder: Path) -> Path:
    """A wheel of the project, made from a copy so that nothing is left in it."""
    copy = folder / "copy"
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name,
                            ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    options = ["--no-deps", "--wheel-dir", folder]
    version = importlib.metadata.version("setuptools")
    if tuple(map(int, version.split(".")[:2])) >= (70, 1):
        # Since then it makes wheels alone, and nothing must be downloaded.
        options.append("--no-build-isolation")
    done = run(sys.executable, "-m", "pip", "wheel", *options, copy)
    if done.returncode and re.search("No matching distribution|connection", done.stderr):
        pytest.skip("a wheel needs setuptools 70.1 or later, or an index of packages")
    assert done.returncode == 0, done.stderr
    wheel, = folder.glob("*.whl")
    return wheel


@pytest.mark.slow
def test_wheel(tmp_path):
    wheel = build_wheel(tmp_path)
    names = zipfile.ZipFile(wheel).namelist()
    for expected in ("orange_structpred/learner/parser_learner.py",
                     "orange_structpred/treebank/data/de.conllu",
                     "orange_structpred/widgets/owloadtreebank.py",
                     "orange_structpred/widgets/icons/loadtreebank.svg"):
        assert expected in names
    assert not [name for name in names if name.startswith(("tests", "widgets", "icons"))]

    # A fresh environment that has the wheel, and all else from this one.
    environment = tmp_path / "environment"
    done = run(sys.executable, "-m", "venv", "--without-pip", environment)
    assert done.returncode == 0, done.stderr
    done = run(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index",
               "--ignore-installed", "--prefix", environment, wheel)
    assert done.returncode == 0, done.stderr
    scheme = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    others = [path for path in sys.path if Path(path).name.endswith("-packages")]
    (packages / "others.pth").write_text("\n".join(others), encoding="utf-8")
    python = Path(sysconfig.get_path("scripts", "venv", vars=scheme)) / "python"
    # Started in a clone, where another copy of the package comes first.
    clone = tmp_path / "copy"
    told = ask(python, clone)
    assert Path(told["library"]).is_relative_to(clone)
    assert sorted(told["icons"]) == FILES
    assert {Path(found).parent for found in told["icons"].values()} == {clone / "icons"}
    assert {Path(found).parent for found in told["help"]} == {clone / "doc" / "widgets"}

    told = ask(python, tmp_path)
    assert Path(told["library"]).is_relative_to(environment)
    icons = Path(told["library"]).parent / "widgets" / "icons"
    assert sorted(told["icons"]) == FILES
    for found in (*told["icons"].values(), *told["category"]):
        assert Path(found).parent == icons
    for found in told["help"]:
        page = Path(found)
        assert page.parent == icons.parent.parent / "doc" / "widgets"
        assert all((page.parent / picture).exists() for picture in re.findall(
            'img src="(.*?)"', page.read_text(encoding="utf-8")))
    assert told["bundled"] == [len(load_bundled(language)) for language in ("en", "de")]
    assert told["examples"] == ["orange_structpred.workflows"]
    done = run(python, "-m", "orange_structpred", "info", "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
