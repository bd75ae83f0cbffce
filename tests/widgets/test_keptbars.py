from Orange.widgets.tests.base import GuiTest

from orange_structpred.widgets.common.parametercontrols import LearnBox
from orange_structpred.widgets.train.plot import MOST_KEPT_BARS, KeptBars


class TestKeptBars(GuiTest):
    def test_largest_come_first(self):
        bars = KeptBars()
        assert bars.isHidden()
        bars.show_norms({"lemmas": 1., "posTags::dir": 3., "tokens": 2.})
        assert bars.shown_names == ["posTags::dir", "tokens", "lemmas"]
        assert not bars.isHidden()
        bars.show_norms({f"h.upos d{k:+}.upos": k for k in range(1, 60)})
        assert len(bars.shown_names) == MOST_KEPT_BARS
        assert "59 kept, the 12 largest" in bars.plot.getAxis("bottom").labelText
        bars.show_norms(None)
        assert bars.isHidden() and not bars.shown_names

    def test_box_says_learn_or_nothing(self):
        box = LearnBox("Learn")
        assert box.value() is None
        box.setValue("learn")
        assert box.isChecked() and box.value() == "learn"
        box.setValue(None)
        assert not box.isChecked()
