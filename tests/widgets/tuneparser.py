"""Tune Parser in tests: settings that are quickly tried, and what it gives."""
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.widgets.owtuneparser import OWTuneParser
from tests.tuning.test_search import TOY
from tests.widgets.showntexts import ShownTexts

SMALL = {"groups": ["head", "dependent"], "passes": 2, "C_from": 0.01, "C_to": 1.0}
FOREVER = {"groups": ["head"], "passes": 1_000_000, "epsilon": 1e-6,
           "auto_tune": "always"}


class TuneParserTest(ShownTexts, WidgetTest):
    def setUp(self):
        self.widget: OWTuneParser = self.create(**SMALL)

    def create(self, **settings) -> OWTuneParser:
        self.widget = self.create_widget(OWTuneParser, stored_settings=settings)
        return self.widget

    def send(self, data=TOY, validation=None):
        self.send_signals([(self.widget.Inputs.treebank, data),
                           (self.widget.Inputs.validation, validation)])

    def wait(self):
        self.wait_until_finished()

    def output(self, name: str):
        self.wait()
        return self.get_output(getattr(self.widget.Outputs, name), wait=60_000)

    def control(self, name: str, form: str):
        return self.widget.forms[form].controls[name]

    def settings(self) -> dict:
        return self.widget.settingsHandler.pack_data(self.widget)
