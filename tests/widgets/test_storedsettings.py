"""Widgets open with whatever a workflow says."""
import importlib
from unittest.mock import patch

import pytest
from Orange.widgets.settings import Setting
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import load_bundled
from orange_structpred.widgets.common.storedsettings import (
    StoredSettings,
    is_like,
    is_text,
    list_of,
)
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from tests.data import ROOT


def found_widgets():
    """As Orange finds them."""
    for path in sorted((ROOT / "widgets").glob("ow*.py")):
        module = importlib.import_module(f"orange_structpred.widgets.{path.stem}")
        yield next(own for name, own in vars(module).items() if name.lower() == path.stem)


WIDGETS = tuple(found_widgets())
with_all_widgets = pytest.mark.parametrize("widget_class", WIDGETS)


def defaults(widget_class):
    return {name: setting.default for name, setting
            in widget_class.settingsHandler.provider.settings.items()}


@with_all_widgets
def test_all_widgets_have_the_same_base(widget_class):
    assert issubclass(widget_class, StoredSettings)
    assert "migrate_settings" in vars(StoredSettings)
    assert (widget_class.migrate_settings.__func__
            is vars(StoredSettings)["migrate_settings"].__func__)


@with_all_widgets
def test_it_is_known_what_fits(widget_class):
    provider = widget_class.settingsHandler.provider
    assert not provider.providers           # whose settings nobody would look at
    for name, setting in provider.settings.items():
        if name != "savedWidgetGeometry" and setting.default in (None, [], {}):
            assert callable(getattr(setting, "fits", None)), name


@with_all_widgets
def test_only_what_does_not_fit_is_left_out(widget_class, caplog):
    sound, nested = defaults(widget_class), []
    for _ in range(10**4):
        nested = [nested]
    for name in sound:
        for value in (object(), b"\xff" if name != "savedWidgetGeometry" else "x",
                      float("nan"), 2**64, [{}], {1: 2}):
            settings = {**sound, name: value}
            widget_class.migrate_settings(settings, None)
            assert settings == {own: sound[own] for own in sound if own != name}
    settings = {**sound, "savedWidgetGeometry": nested}
    widget_class.migrate_settings(settings, None)
    assert "savedWidgetGeometry" not in settings
    settings = {**sound, 3: 4, "unknown": object}
    widget_class.migrate_settings(settings, "a version")
    assert settings == {**sound, 3: 4, "unknown": object}


class TestNonsense(WidgetTest):
    def test_widgets_open(self):
        for widget_class in WIDGETS:
            for value in ("no such thing", -1, 1e9, ["x"], {"a": "1"}):
                with self.subTest(widget_class.name, value=value):
                    widget = self.create_widget(widget_class, stored_settings={
                        **dict.fromkeys(defaults(widget_class), value),
                        "__version__": 1})
                    widget.onDeleteWidget()

    def test_treebank_arrives(self):
        for order in (0, 3):
            widget = self.create_widget(OWTrainParser, stored_settings={
                "order": order, "passes": 3, "auto_train": "never"})
            self.send_signal(widget.Inputs.treebank, load_bundled("en")[:5],
                             widget=widget)
            assert (widget.order, widget.passes) == (2, 3)
            assert widget.start_button.isEnabled()

    def test_what_is_inside_counts(self):
        for widget_class, name, value in (
                (OWTrainParser, "hash", [{}]), (OWTuneParser, "hash", [{}]),
                (OWTrainParser, "kernel_params", {"n": "many"}),
                (OWTuneParser, "varied", {"groups": ["all"]}),
                (OWTuneParser, "selection", {"label": 3}),
                (OWTreebankViewer, "pane_sizes", [2**40, 1]),
                (OWSaveParser, "stored_name", 2**31 - 1)):
            widget = self.create_widget(widget_class, stored_settings={
                name: value, "kernel": "ngram"})
            assert getattr(widget, name) == defaults(widget_class)[name]



@pytest.mark.parametrize("value, default, alike", [
    (True, False, True), (1, False, False), (1, 0, True), (True, 0, False),
    (2**31, 0, False), (1, 0.5, True), (float("inf"), 0.5, False), (10**400, 0.5, False),
    ("x", "", True), ("\ud800", "", False), (b"x", "", False), (["b"], ["a"], True),
    (("b",), ["a"], True), (["b", 1], ["a"], False), ([], [], True), ([1], [], False),
    ({}, {}, True), ({1: 1}, {}, False), (None, None, True), ("", None, False)])
def test_values_like_others(value, default, alike):
    assert is_like(value, default) is alike


def test_lists():
    assert list_of(is_text)(["a"]) and list_of(is_text)([])
    assert not list_of(is_text)("a") and not list_of(is_text)(["a", None])


def test_what_is_left_out_is_told(caplog):
    sound = {"C": 2, "solver": "bcfw", "groups": ["head"], "hash": "rich",
             "kernel": "quantum"}       # which the learner refuses, with a message
    settings = {**sound, "passes": 2.5, "auto_train": "sometimes"}
    OWTrainParser.migrate_settings(settings, 2)
    assert settings == sound
    assert "setting auto_train is 'sometimes'" in caplog.text


def test_defaults_are_read_before_there_is_a_settings_handler():
    assert isinstance(OWTrainParser.C, Setting)
    settings = {"C": "large", "passes": 3}
    with patch.object(OWTrainParser, "settingsHandler", None):
        OWTrainParser.migrate_settings(settings, 1)
    assert settings == {"passes": 3}


class TestNewWidgets(WidgetTest):
    """What a widget starts with that was not in a workflow."""

    # create_widget makes a class for each widget, with a settings handler of its own

    def saved(self, widget):
        with patch.object(type(widget).settingsHandler, "write_defaults"):
            widget.saveSettings()
        return type(widget).settingsHandler.defaults

    def test_settings_of_workflows_stay_theirs(self):
        for widget in (OWTrainParser, OWTuneParser):
            opened = self.create_widget(widget, stored_settings={
                "features": "kernel", "passes": 77})
            assert (opened.features, opened.passes) == ("kernel", 77)
            assert self.saved(opened) == {}

    def test_settings_of_new_widgets_are_remembered(self):
        new = self.create_widget(OWTrainParser)
        new.passes = 78
        assert self.saved(new)["passes"] == 78
