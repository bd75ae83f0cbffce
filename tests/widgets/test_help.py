"""F1 finds a page for each widget, without a network."""
import re
from pathlib import Path
from runpy import run_path

import pytest
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from orangecanvas.help import HelpManager
from orangecanvas.registry import WidgetRegistry

from orange_structpred import widgets
from tests.data import ROOT

PAGES = dict(run_path(str(ROOT / "doc" / "make_help.py"))["pages"]())


@pytest.fixture(scope="module")
def registry():
    application = QApplication.instance() or QApplication(["test"])
    found = WidgetRegistry()
    Config.widget_discovery(found).run(
        entry for entry in Config.widgets_entry_points()
        if entry.module == widgets.__name__)
    yield found
    del application


def test_each_widget_has_a_page(registry):
    manager = HelpManager()
    manager.set_registry(registry)
    found = {description.name: manager.search({"id": description.qualified_name})
             for description in registry.widgets()}
    for name, url in found.items():
        page = Path(url.toLocalFile())
        assert page.parent == ROOT / "doc" / "widgets"
        assert f"<h1>{name}</h1>" in page.read_text(encoding="utf-8")
    assert {Path(url.toLocalFile()) for url in found.values()} == {
        page for page in PAGES if page.stem != "index"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_up_to_date(page):
    assert page.read_text(encoding="utf-8") == PAGES[page], "run doc/make_help.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    links = re.findall('(?:src|href)="(.*?)"', PAGES[page])
    assert links
    for link in links:
        assert (page.parent / link).exists(), link


def test_pages_tell_of_all_inputs_and_outputs(registry):
    manager = HelpManager()
    manager.set_registry(registry)
    for description in registry.widgets():
        url = manager.search({"id": description.qualified_name})
        text = Path(url.toLocalFile()).with_suffix(".md").read_text(encoding="utf-8")
        for heading, signals in (("Inputs", description.inputs),
                                 ("Outputs", description.outputs)):
            part = re.search(rf"\*\*{heading}\*\*\n\n((?:[-  ].*\n)+)", text)
            told = re.findall("^- (.+?):", part[1], re.MULTILINE) if part else []
            assert told == [signal.name for signal in signals], description.name
