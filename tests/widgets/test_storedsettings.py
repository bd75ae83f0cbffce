"""Widgets open with whatever a workflow says."""
from unittest.mock import patch

import pytest
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.widgets.common.storedsettings import drop_unfit
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore

WIDGETS = (OWLoadTreebank, OWTrainParser, OWApplyParser, OWUASScore, OWTreebankViewer,
           OWTuneParser)
#: Orange's own, which all widgets have
ORANGES = ("savedWidgetGeometry", "controlAreaVisible")


def own_settings(widget_class):
    return {name: setting.default
            for name, setting in widget_class.settingsHandler.known_settings.items()
            if name not in ORANGES}


class TestNonsense(WidgetTest):
    def test_widgets_open(self):
        for widget_class in WIDGETS:
            for value in ("no such thing", None, -1, 1e9, 10**12, True, [], ["x"],
                          {"a": 1}):
                with self.subTest(widget_class.name, value=value):
                    widget = self.create_widget(widget_class, stored_settings={
                        **dict.fromkeys(own_settings(widget_class), value),
                        "__version__": 1})
                    widget.onDeleteWidget()


@pytest.mark.parametrize("widget_class", WIDGETS)
def test_sound_settings_are_kept(widget_class):
    settings = own_settings(widget_class)
    kept = dict(settings)
    drop_unfit(widget_class, kept, {})
    assert kept == settings
    widget_class.migrate_settings(kept, 1)
    assert kept == settings


def test_what_is_left_out_is_told(caplog):
    sound = {"C": 2, "solver": "bcfw", "groups": ["head"], "hash": "rich",
             "kernel": "quantum"}       # which the learner refuses, with a message
    settings = {**sound, "passes": 2.5, "auto_train": "sometimes"}
    OWTrainParser.migrate_settings(settings, 2)
    assert settings == sound
    assert "setting auto_train is 'sometimes'" in caplog.text


def test_defaults_are_read_before_there_is_a_settings_handler():
    settings = {"C": "large", "passes": 3}
    with patch.object(OWTrainParser, "settingsHandler", None):
        OWTrainParser.migrate_settings(settings, 1)
    assert settings == {"passes": 3}
