from AnyQt.QtTest import QTest
from Orange.widgets.tests.base import GuiTest

from orange_structpred.svm import Report
from orange_structpred.widgets.train.figures import TrainingFigures, figure_texts


class TestFigures(GuiTest):
    def test_all_of_them_are_seen_in_a_window_of_any_width(self):
        figures = TrainingFigures()
        figures.show_goal(0.001)
        figures.show_reports([Report(1234, 0.5, 3000.0, 7, gap=0.125, loss=0.123, further={"labelled_loss": 0.2},
                                     norm=1.234e-5)], 10_000)
        figures.show()
        for width, lines in ((figures.minimumWidth(), 3), (1000, 1)):
            figures.resize(width, figures.sizeHint().height())
            QTest.qWait(10)
            assert len({label.y() for label in figures.values.values()}) == lines
            for label in (*figures.values.values(), *figures.captions.values()):
                assert label.width() >= label.sizeHint().width(), label.text()

    def test_they_do_not_widen_the_window(self):
        figures = TrainingFigures()
        least = figures.minimumWidth()
        figures.say("a long name " * 50)
        figures.show_reports([Report(10**9, 0.5, 3000.0, 7)], 10**9)
        assert figures.minimumSizeHint().width() <= least == figures.minimumWidth()


def test_figures():
    within = figure_texts(Report(2, 0.15, 3.0, 7, gap=0.125), 10)
    assert within == {"pass": "2 of 10", "seconds": "3.0 s", "gap": "≈ 0.1250",
                      "left": "17 s"}
    end = figure_texts(Report(10, 1.0, 90.0, 7, gap=0.01, loss=0.0625, norm=2.5,
                              certified=True), 10)
    assert end == {"pass": "10 of 10", "seconds": "1:30 min", "gap": "0.0100",
                   "loss": "6.25%", "norm": "2.5", "left": "0.0 s"}
