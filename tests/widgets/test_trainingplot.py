import numpy as np
from AnyQt.QtCore import QEvent, QPoint, QPointF
from AnyQt.QtGui import QColor, QHelpEvent, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QToolTip
from Orange.widgets.tests.base import GuiTest

from orange_structpred.svm import Report
from orange_structpred.widgets.train.plot import TrainingPlot, pass_tip


class TestPlot(GuiTest):
    def reports(self, n, **figures):
        return [Report(k, k / 10, k, 5 * k, loss=1 / k, end_of_pass=True, **figures)
                for k in range(1, n + 1)]

    def test_certificates_have_a_panel_of_their_own(self):
        plot = TrainingPlot()
        plot.begin(passes=10, certificate=True)
        assert plot.objective.scene() is not None
        plot.begin(passes=10, certificate=False)
        assert plot.objective.scene() is None
        assert plot.loss.scene() is not None

    def test_the_loss_of_a_net_has_a_curve(self):
        plot = TrainingPlot()
        plot.begin(passes=2, certificate=False, validation=True)
        plot.add(self.reports(2))
        assert plot.objective.scene() is None
        epochs = [Report(2 + k, 0.5 + k / 10, k, 0, net_loss=1 / k, validation_loss=0.2,
                         epoch=k, end_of_pass=True) for k in (1, 2)]
        plot.add(epochs)
        assert plot.objective.scene() is not None
        x, loss = plot._curves["net_loss"].getData()
        np.testing.assert_allclose(x[2:], [3, 4])
        np.testing.assert_allclose(loss[2:], np.log10([1, 0.5]))
        assert [label.text for _, label in plot.legend.items] == ["loss of the net"]
        plot.begin(passes=2, certificate=False, validation=True)
        assert plot.objective.scene() is None
        plot.add(epochs)        # without any linear scores
        assert plot.loss.viewRange()[1] == [0, 22]

    def test_curves(self):
        plot = TrainingPlot()
        plot.begin(passes=10, certificate=True)
        plot.add([Report(1, 0.05, 1, 2, gap=0.5)])              # within a pass
        assert len(plot._curves["loss"].getData()[0] or ()) == 0
        plot.add(self.reports(3, primal=2.0, dual=0.0))
        x, loss = plot._curves["loss"].getData()
        np.testing.assert_allclose(x, [1, 2, 3])
        np.testing.assert_allclose(loss, [100, 50, 100 / 3])
        np.testing.assert_allclose(plot._curves["primal"].yData, [2, 2, 2])
        dual = plot._curves["dual"].yData                       # no logarithm of 0
        assert dual is None or np.isnan(np.asarray(dual, float)).all()
        assert plot.loss.viewRange()[0] == [0.5, 10.5]          # room for the rest
        plot.end(plot.reports)
        assert plot.loss.viewRange()[0] == [0.5, 3.5]

    def test_all_passes_are_seen_in_a_window_of_any_size(self):
        plot = TrainingPlot()
        for certificate in (False, True, False):
            plot.begin(passes=10, certificate=certificate)
            plot.end(self.reports(10, primal=2.0, dual=1.0))
            for width in (400, 1000):
                plot.resize(width, 400)
                plot.show()
                QTest.qWait(10)
                panels = [plot.loss, *([plot.objective] if certificate else [])]
                for panel in panels:
                    left, right = panel.viewRange()[0]
                    assert (left, right) == (0.5, 10.5)

    def test_the_axis_grows_with_many_passes(self):
        plot = TrainingPlot()
        plot.begin(passes=1000, certificate=False)
        plot.add(self.reports(8))
        assert plot.loss.viewRange()[0][1] == 12.5
        plot.add(self.reports(100)[8:])
        assert plot.loss.viewRange()[0][1] == 150.5

    def test_estimates_are_in_the_legend(self):
        plot = TrainingPlot()
        plot.begin(passes=10, certificate=True)

        def legend():
            return [label.text for _, label in plot.legend.items]

        plot.add(self.reports(2, primal=2.0, dual=1.0, certified=True))
        assert legend() == ["primal", "dual"]
        plot.add(self.reports(3, primal=2.0, dual=1.0)[2:])
        assert legend() == ["primal", "primal, estimated", "dual"]

    def test_dark_palette(self):
        plot = TrainingPlot()
        palette = QPalette(QApplication.palette())
        palette.setColor(QPalette.Text, QColor("white"))
        palette.setColor(QPalette.Base, QColor("black"))
        plot.setPalette(palette)
        plot.add(self.reports(2, primal=2.0, dual=1.0))
        assert plot._estimate.opts["symbolBrush"].color() == QColor("black")
        assert plot.legend.labelTextColor() == QColor("white")

    def test_a_pass_tells_of_itself(self):
        plot = TrainingPlot()
        plot.begin(passes=10, certificate=True)
        plot.end(self.reports(4, primal=2.0, dual=1.0, gap=1.0, norm=3.0))
        plot.resize(600, 400)
        plot.show()
        QTest.qWait(10)
        for panel, y in ((plot.loss, 50.), (plot.objective, 0.2)):
            place = plot.mapFromScene(panel.vb.mapViewToScene(QPointF(2.3, y)))
            assert plot.point_at(place).pass_ == 2
            QApplication.sendEvent(plot.viewport(), QHelpEvent(
                QEvent.ToolTip, place, plot.mapToGlobal(place)))
            assert "Pass 2" in QToolTip.text()
        assert plot.point_at(QPoint(2, 2)) is None         # beside the axis
        plot.begin(passes=10, certificate=False)            # nothing to tell
        QTest.qWait(10)
        assert plot.point_at(plot.mapFromScene(
            plot.loss.vb.mapViewToScene(QPointF(2, 50)))) is None

    def test_logarithmic_ticks(self):
        axis = TrainingPlot().objective.getAxis("left")

        def ticks(low, high):
            (_, values), = axis.tickValues(np.log10(low), np.log10(high), 300)
            return [float(text) for text in axis.tickStrings(values, 1, 1)]

        assert ticks(0.0009, 1.1) == [0.001, 0.01, 0.1, 1]
        assert ticks(0.05, 2) == [0.05, 0.1, 0.2, 0.5, 1, 2]
        assert ticks(0.99, 2.01) == [1, 1.2, 1.4, 1.6, 1.8, 2]
        assert ticks(0.1009, 0.1061) == [0.101, 0.102, 0.103, 0.104, 0.105, 0.106]
        assert ticks(0.5, 0.5) == [0.5]

    def test_logarithmic_ticks_have_room_for_their_labels(self):
        axis = TrainingPlot().objective.getAxis("left")

        def ticks(low, high, size):
            (_, values), = axis.tickValues(np.log10(low), np.log10(high), size)
            return [float(text) for text in axis.tickStrings(values, 1, 1)]

        assert ticks(0.25, 3.5, 400) == [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3]
        assert ticks(0.25, 3.5, 200) == [0.5, 1, 2]

    def test_what_is_shown_has_room(self):
        """In the smallest plot titles do not meet, and the legend hides no curve."""
        plot = TrainingPlot()
        plot.begin(passes=10, certificate=True)
        plot.end(self.reports(10, primal=2.0, dual=1.0))
        plot.resize(400, plot.minimumHeight())
        plot.show()
        QTest.qWait(10)
        titles = [panel.getAxis("left").label.sceneBoundingRect()
                  for panel in (plot.objective, plot.loss)]
        assert plot.sceneRect().top() <= titles[0].top()
        assert titles[0].bottom() <= titles[1].top()
        assert titles[1].bottom() <= plot.sceneRect().bottom()
        assert not plot.legend.sceneBoundingRect().intersects(
            plot.objective.vb.sceneBoundingRect())


def test_what_is_told_of_a_pass():
    text = pass_tip(Report(2, 0.2, 3.0, 7, primal=2.5, dual=1.25, gap=1.25, loss=0.0625,
                           norm=3.0))
    assert [line.removeprefix("<nobr>").removesuffix("</nobr>")
            for line in text.split("<br/>")] == [
        "<b>Pass 2</b>", "primal ≈ 2.5", "dual 1.25", "gap ≈ 1.2500",
        "training loss 6.25%", "|w| = 3", "after 3.0 s"]
    assert "primal" not in pass_tip(Report(2, 0.2, 3.0, 7, loss=0.0625, norm=3.0))
    assert "≈" not in pass_tip(Report(2, 0.2, 3.0, 7, primal=2.5, dual=1.25, gap=1.25,
                                      loss=0.0625, norm=3.0, certified=True))
