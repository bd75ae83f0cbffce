"""Tables of ours that are connected where a treebank is expected."""
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.learner import training_log
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.widgets.test_links import in_registry, proposed_links
from tests.widgets.waiting import wait_for


class TestTrainingLog(WidgetTest):
    def test_it_is_proposed_where_nothing_else_fits(self):
        (output, _, _), = proposed_links(OWTrainParser, OWUASScore)
        assert output.name == "Training Log"

    def test_it_is_named(self):
        log = training_log([], name="mine")
        for widget_class in in_registry():
            entry = getattr(widget_class.Inputs, "treebank", None)
            if entry is None or widget_class in (OWApplyParser, OWApplyTagger):
                continue        # these ask for a model first
            with self.subTest(widget=widget_class.name):
                widget = self.create_widget(widget_class)
                self.send_signal(entry, log, 0, widget=widget)
                wait_for(lambda widget=widget: widget.Error.active)
                message, = widget.Error.active
                assert "'mine' is a training log, not a treebank. Connect" in "".join(
                    message.formatted)
