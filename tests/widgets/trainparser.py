"""Train Parser in tests: a small treebank, and what it gives."""
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.owtrainparser import OWTrainParser
from tests.treebank.toy import block
from tests.widgets.showntexts import ShownTexts

# "the dog sees a cat" and the like: an object is right or left of its verb by its form
TEXTS = {"the dog sees a cat": [2, 3, 0, 5, 3], "a cat sleeps": [2, 3, 0],
         "dogs see cats": [2, 0, 2], "cats the dog sees": [4, 3, 4, 0],
         "sees she a dog": [0, 1, 4, 1], "dogs sleep here": [2, 0, 2]}
SENTENCES = [Sentence(block(heads, text)) for text, heads in TEXTS.items()] * 3
FOREVER = 1_000_000            # passes that nobody waits for


def toy() -> Treebank:
    return Treebank.from_sentences(SENTENCES, name="toy")


class TrainParserTest(ShownTexts, WidgetTest):
    def setUp(self):
        self.widget: OWTrainParser = self.create_widget(OWTrainParser)

    def create(self, **settings) -> OWTrainParser:
        if settings.get("passes") == FOREVER:
            settings.setdefault("auto_train", "always")     # it is not fast
        self.widget = self.create_widget(OWTrainParser, stored_settings=settings)
        return self.widget

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def output(self, name: str, wait: bool = True):
        if wait:
            self.wait_until_finished()
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def control(self, name: str):
        return next(form.controls[name] for form in self.widget.forms.values()
                    if name in form.controls)
