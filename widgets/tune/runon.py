"""Where Tune Parser does its work: on this computer, or on a cluster."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from orange_structpred.running.cluster import connected
from orange_structpred.widgets.common.layouts import in_column, in_row, label_of
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.valuecontrols import Choice, ValueCombo
from orange_structpred.widgets.common.windows import make_placeholder_readable

HERE, CLUSTER = "here", "cluster"
COMPUTERS = {
    HERE: Choice("This computer", "Train the parsers on this computer"),
    CLUSTER: Choice("Cluster at", "Train the parsers on the workers of a Dask cluster"),
}


def look_at_cluster(address: str) -> tuple[int, str]:
    """How many workers a cluster has, and the address of Dask's page on it."""
    with connected(address) as cluster:
        return cluster.n_workers, cluster.dashboard


class RunOn(QWidget):
    """This computer, or a cluster with its address and a button that tries it."""

    changed = Signal()
    tested = Signal(object)         # a Future, in this thread

    def __init__(self, parent=None):
        super().__init__(parent)
        self.place = ValueCombo(COMPUTERS)
        self.place.setToolTip("Where the parsers are trained")
        self.address = QLineEdit(placeholderText="tcp://host:8786")
        self.address.setToolTip("Address of the cluster's Dask scheduler")
        make_placeholder_readable(self.address)
        self.test_button = QPushButton("Test", autoDefault=False)
        self.test_button.setToolTip("Check that the cluster answers and that its "
                                    "workers can train parsers")
        self.answer = QLabel(wordWrap=True, openExternalLinks=True,
                             textFormat=Qt.RichText)
        self.answer.setTextInteractionFlags(Qt.TextBrowserInteraction)
        self.setLayout(in_column(
            in_row(label_of("Run on:", self.place), self.place, self.address,
                   self.test_button), self.answer, margins=(4, 0, 4, 0)))
        self.place.valueChanged.connect(self._changed)
        self.address.editingFinished.connect(self._changed)
        self.test_button.clicked.connect(self.test)
        self.tested.connect(self._show_answer)
        self._pool = ThreadPoolExecutor(1)
        self._show()

    def set_values(self, computer: str, address: str) -> None:
        self.place.setValue(computer if computer in COMPUTERS else HERE)
        self.address.setText(address)
        self._show()

    def client(self) -> str | None:
        """The address of the cluster; None for this computer."""
        if self.place.value() == HERE:
            return None
        return self.address.text().strip() or None

    def test(self) -> None:
        """Ask the cluster in another thread: it may take ten seconds to say nothing."""
        if self.client() is None:
            self.answer.setText("Enter the address of a Dask scheduler.")
            return
        self.test_button.setEnabled(False)
        self.answer.setText("Asking the cluster…")
        self._pool.submit(look_at_cluster, self.client()).add_done_callback(self.tested.emit)

    def _show_answer(self, future: Future) -> None:
        self.test_button.setEnabled(True)
        if error := future.exception():
            self.answer.setText(escape(sentence(error)))
            return
        workers, dashboard = future.result()
        link = f' (<a href="{escape(dashboard)}">dashboard</a>)' if dashboard else ""
        self.answer.setText(f"{plural(workers, 'worker is', 'workers are')} ready{link}.")

    def _changed(self) -> None:
        self.answer.setText("")
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for widget in (self.address, self.test_button):
            widget.setVisible(self.place.value() == CLUSTER)
        self.answer.setVisible(self.place.value() == CLUSTER)

    def close_threads(self) -> None:
        """Forget what was asked; an answer that still comes is not shown."""
        self.tested.disconnect()
        self._pool.shutdown(wait=False, cancel_futures=True)
