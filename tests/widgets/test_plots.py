"""What all plots have in common: texts of axes and legends can be read."""
import numpy as np
from AnyQt.QtGui import QImage, QPainter, QPalette
from Orange.widgets.tests.base import GuiTest
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orange_structpred.search import find
from orange_structpred.treebank import load_bundled
from orange_structpred.widgets.common.plots import LinePlot, LogAxis
from orange_structpred.widgets.statistics.bars import BarPlot


def drawn_texts(axis: AxisItem) -> list[str]:
    """The texts of ticks for which there is room."""
    image = QImage(10, 10, QImage.Format_ARGB32)        # as long as the painter
    painter = QPainter(image)
    try:
        return [text for _, _, text in axis.generateDrawSpecs(painter)[2]]
    finally:
        painter.end()


class TestTexts(GuiTest):
    def test_the_first_tick_of_a_logarithmic_axis_has_its_label(self):
        axis = LogAxis("bottom")
        view = LinePlot(axis)
        view.resize(400, 300)
        values = np.arange(-3, 2)
        view.plot.plot(values, values)
        view.plot.setXRange(-3.1, 1.1, padding=0)
        view.grab()
        assert drawn_texts(axis) == ["0.001", "0.01", "0.1", "1", "10"]

    def test_bars_leave_room_for_the_names_below_them(self):
        matches = find(load_bundled("en")[:80], "N -> M")
        view = BarPlot()
        view.resize(500, 300)
        clusters = matches.cluster("M.deprel", "order(N, M)")
        view.show_clusters(clusters, numeric=False)
        width = max(map(view.fontMetrics().horizontalAdvance, clusters.values))
        assert view.ticks.minimumHeight() > width + view.fontMetrics().height()
        text = view.palette().color(QPalette.Text).name()
        assert view.legend.isVisible()
        assert {label.opts["color"].name() for _, label in view.legend.items} == {text}
        view.show_clusters(matches.cluster("order(N, M)"), numeric=False)
        assert view.ticks.minimumHeight() < width      # few names stand side by side
        assert not view.legend.isVisible()
