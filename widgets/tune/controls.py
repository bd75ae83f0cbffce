"""Controls for what Tune Parser tries, and how it compares."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QAction,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QWidget,
)
from Orange.widgets import gui

from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import DEFAULTS, LEARN, PARAMETERS
from orange_structpred.parsing.kernel.hash_functions import HASHES, SUMS
from orange_structpred.parsing.second_order.part_templates import GROUPS
from orange_structpred.tuning.grids import parse_values, value_text, values_text
from orange_structpred.widgets.common.layouts import area_of, in_column, in_row
from orange_structpred.widgets.common.parametercontrols import (
    GROUP_MEANINGS,
    KERNEL_TEXTS,
    SOLVERS_WITH_OPTIONS,
    FeaturesForm,
    RowsForm,
    TreeForm,
    section,
)
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    IntegerSpin,
    LogSpinBox,
    NumberSpin,
    Radios,
    ValueCheckBox,
)
from orange_structpred.widgets.common.windows import make_placeholder_readable

#: parameter: label, tooltip, and examples that its menu offers
VARIED_CONTROLS: dict[str, tuple[str, str, dict[str, str]]] = {
    "solver": (
        "&Solvers:", "Solvers to compare, separated by commas",
        {name: f"{text}: {meaning}" for name, (text, meaning)
         in PARAMETERS["solver"].kind.choices.items()}),
    "epsilon": (
        "Epsilo&ns:", "Values of epsilon to compare, separated by commas",
        {value: f"Stop at a gap of {value}" for value in ("0.1", "0.01", "0.001")}),
    "groups": (
        "Feature gro&ups:", ("Sets of feature groups to compare, separated by commas: "
        "all, all without context, head + dependent"),
        {"all": "All feature groups",
         LEARN: "Those that matter most, which are found out first",
         **{f"all without {name}": f"Without: {GROUP_MEANINGS.get(name, name)}"
            for name in GROUPS}}),
    "hash": (
        "&Hash functions:", ("Sets of hash functions to compare, separated by commas: "
        "posTags, posTags2::dir + tokens"),
        {"posTags2::dir + tokens": "Tags with their direction, and words",
         **{name: f"Edges are equal if they have {meaning}"
            for name, meaning in HASHES.items()},
         **{name: meaning.capitalize() for name, (_, meaning) in SUMS.items()}}),
    "kernel": (
        "&Input kernels:", ("Input kernels to compare, separated by commas, each with "
        "its parameters: bow, ngram n=4 decay=0.5"),
        {**{name: f"{text}: {meaning}" for name, (text, meaning) in KERNEL_TEXTS.items()},
         "ngram n=3": "Sequences of up to three words",
         "gaussian gamma=0.1": "A wider Gaussian kernel"}),
    "epochs": (
        "Epochs of the net:", "Numbers of epochs to compare, separated by commas",
        {"none": "Chosen by the size of the treebank",
         **{value: f"{value} passes over the sentences" for value in ("5", "10", "20")}}),
    "hidden": (
        "Memory of the net:", "Sizes of the LSTMs to compare, separated by commas",
        {"none": "Chosen by the size of the treebank",
         **{value: f"{value} numbers in each direction" for value in ("64", "128", "160",
                                                                      "256")}}),
    "dropout": (
        "Dropout of the net:",
        "Shares of dropped values to compare, separated by commas",
        {"none": "Chosen by the size of the treebank",
         **{value: f"{float(value):.0%} of the values are dropped"
            for value in ("0.2", "0.3", "0.4", "0.5")}}),
    "net_weight": (
        "Weight of the net:", "Weights of the net to compare, separated by commas",
        {value: f"A nat of the net's probabilities is worth {value}"
         for value in ("0.1", "0.15", "0.2", "0.3")}),
}


class LearningForm(RowsForm):
    """How all parsers learn, where nothing else is tried."""

    def __init__(self, parent=None):
        rows = [PARAMETERS[name] for name in ("solver", "epsilon", "passes")]
        super().__init__(rows, parent, tooltips={
            "solver": "Algorithm that finds the weights. BCFW starts from the solution "
                      "for the last C",
            "passes": "Maximum number of passes over the sentences, for each C"})
        self.add_choices("solver", {
            name: [row for row in section(name) if row.name in PARAMETERS]
            for name in SOLVERS_WITH_OPTIONS})


class CForm(ParameterForm):
    """A range of C, where C has an influence."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add_pair(
            ("C_from", LogSpinBox(1e-6, 1e6), "The smallest C", "&From:"),
            ("C_to", LogSpinBox(1e-6, 1e6), "The largest C", "to"))
        self.make_room("C_to")
        points = IntegerSpin(1, 10)
        points.setSuffix(" in each decade")
        self.add("C_per_decade", points, "Values of C from one power of ten to the "
                 "next: 1, 10 or 1, 3, 10 or 1, 2, 5, 10...", "V&alues:")
        stop = ValueCheckBox("Stop when the training loss no longer i&mproves")
        self.add("stop_raising", stop, "Larger values of C are skipped as soon as one "
                 "does not improve the training loss, as in chapter 6 of the thesis")
        self.form.addRow(stop)

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        self.setEnabled(not unused("C", settings))


class StayingMenu(QMenu):
    """A menu in which several entries can be ticked: it closes when all are."""

    def mouseReleaseEvent(self, event) -> None:
        if not self._tick(self.actionAt(event.pos())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event) -> None:
        if event.key() != Qt.Key_Space or not self._tick(self.activeAction()):
            super().keyPressEvent(event)

    @staticmethod
    def _tick(action: QAction | None) -> bool:
        if action is None or not (action.isCheckable() and action.isEnabled()):
            return False
        action.trigger()
        return True


class ValuesEdit(QWidget):
    """Values of a parameter as text; a menu offers some to choose from."""

    valueChanged = Signal(str)

    def __init__(self, parameter: str, choices: Mapping[str, str], parent=None):
        super().__init__(parent)
        self.parameter = parameter
        self.edit = QLineEdit(self, clearButtonEnabled=True)
        self.edit.setMinimumWidth(110)
        make_placeholder_readable(self.edit)
        self.edit.editingFinished.connect(self._finished)
        self.edit.textChanged.connect(self._show_tooltip)
        self.menu = StayingMenu(self, toolTipsVisible=True)
        for value, meaning in choices.items():
            action = QAction(value, self.menu, checkable=True, toolTip=meaning)
            action.toggled.connect(self._choose)
            self.menu.addAction(action)
        self.menu.aboutToShow.connect(self._check_actions)
        self.menu.aboutToHide.connect(self._finished)
        self.button = QToolButton(
            self, popupMode=QToolButton.InstantPopup, text="+", autoRaise=False,
            toolTip="Choose values", focusPolicy=Qt.TabFocus)
        self.button.setMenu(self.menu)
        self.setLayout(in_row(self.edit, self.button, largest=self.edit, spacing=2))
        self.setFocusProxy(self.edit)
        self._last = self._fixed = ""

    def value(self) -> str:
        return self._last

    def shown(self, text: str) -> str:
        return text

    def setValue(self, text: str) -> None:
        self.edit.setText(text)
        self.edit.setCursorPosition(0)      # where reading begins
        self._finished()

    def _finished(self) -> None:
        text = self.edit.text().strip()
        if text != self._last:
            self._last = text
            self.valueChanged.emit(text)

    def _values(self) -> list:
        try:
            return parse_values(self.parameter, self.edit.text().strip() or self._fixed)
        except ValueError:
            return []

    def _texts(self) -> list[str]:
        return [value_text(self.parameter, value) for value in self._values()]

    def _check_actions(self) -> None:
        texts = self._texts()
        for action in self.menu.actions():
            with QSignalBlocker(action):
                action.setChecked(action.text() in texts)

    def _choose(self, checked: bool) -> None:
        chosen = self.sender().text()
        texts = [text for text in self._texts() if text != chosen]
        self.edit.setText(", ".join(texts + [chosen] if checked else texts))
        if not self.menu.isVisible():
            self._finished()

    def _show_tooltip(self, text: str) -> None:
        """What does not fit is in the tooltip."""
        self.edit.setToolTip(f"{self.toolTip()}\n{text}".strip())

    def setToolTip(self, text: str) -> None:
        super().setToolTip(text)
        self._show_tooltip(self.edit.text())

    def show_fixed(self, value: object) -> None:
        """Say what holds if nothing is written here."""
        self._fixed = values_text(self.parameter, [value])
        self.edit.setPlaceholderText(self._fixed)


class VariedForm(ParameterForm):
    """Further parameters that are tried: the setting `varied`, a text for each."""

    def __init__(self, parent=None):
        super().__init__(parent)
        for name, (label, tooltip, choices) in VARIED_CONTROLS.items():
            self.add(name, ValuesEdit(name, choices), tooltip, label)

    def values(self) -> dict[str, object]:
        texts = super().values()
        return {"varied": {name: text for name, text in texts.items() if text}}

    def set_values(self, settings: Mapping[str, object]) -> None:
        super().set_values(settings["varied"])

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        """Show the parameters of the chosen features, and what they are now."""
        for name, control in self.controls.items():
            control.show_fixed(settings.get(name, DEFAULTS[name]))
            shown = not unused(name, {**settings, "solver": "bcfw"})
            control.setVisible(shown)
            self._labels[name].setVisible(shown)


class EvaluationForm(ParameterForm):
    """On which sentences the loss is measured."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add("evaluation", SplitOrFolds(), "")
        self.form.addRow(self.controls["evaluation"])
        either = self.controls["evaluation"]
        self.controls["share"], self.controls["folds"] = either.share, either.folds
        for name, way in (("share", "split"), ("folds", "folds")):
            self._tooltips[name] = self.controls[name].toolTip()
            self._titles[name] = either.shown(way)
            self.follow(name, self.controls[name])
        self.given = QLabel("Losses are measured on the validation treebank.",
                            wordWrap=True)
        self.form.addRow(self.given)
        self.add_pair(
            ("random_state", IntegerSpin(0, 2**31 - 1),
             "The same seed gives the same parts and the same parsers", "S&eed:"),
            ("n_jobs", IntegerSpin(1, max(1, os.cpu_count() or 1)),
             ("Settings that are tried at the same time; the results are the same for "
             "any number"), "Threa&ds:"))
        self.make_room("n_jobs")
        self.show_validation(False)

    def show_validation(self, given: bool) -> None:
        """Whether there is a treebank for it, so that nothing is split."""
        self.controls["evaluation"].setVisible(not given)
        self.given.setVisible(given)


class SplitOrFolds(Radios):
    """A part of the treebank is set aside, or several take turns."""

    def __init__(self, parent=None):
        super().__init__({
            "split": Choice("Random s&plit, for validation:",
                            "Share of the sentences that are held out to measure "
                            "losses; parsers learn from the others"),
            "folds": Choice("Cross-validation, folds (&k):",
                            "Number of parts; each is parsed by a parser that was "
                            "trained on the others")}, parent)
        self.share = NumberSpin(0.05, 0.95, 0.05)
        self.folds = IntegerSpin(2, 20)
        self.folds.setEnabled(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (button, number) in enumerate(zip(
                self.buttons.values(), (self.share, self.folds))):
            number.setToolTip(button.toolTip())
            number.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
            button.toggled.connect(number.setEnabled)
            grid.addWidget(button, row, 0)
            grid.addWidget(number, row, 1)


class TuningTabs(QTabWidget):
    """All forms of Tune Parser: the grid, and what parsers have in common."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.forms: dict[str, ParameterForm] = {}
        self._add_page("Grid", "What is tried, and how results are compared", {
            "C": CForm(), "Compare": VariedForm(), "Validation": EvaluationForm()})
        self._add_page("Parser", "What all parsers have in common", {
            "Features": FeaturesForm(), "Learning": LearningForm(),
            "Trees": TreeForm()})

    def _add_page(self, title: str, tooltip: str, forms: dict[str, ParameterForm]):
        boxes = [gui.vBox(None, name) for name in forms]
        for box, form in zip(boxes, forms.values()):
            box.layout().addWidget(form)
        page = area_of(in_column(*boxes, None, margins=(6, 6, 6, 6)))
        self.setTabToolTip(self.addTab(page, title), tooltip)
        self.forms.update(forms)


def grid_text(Cs: Sequence[float], settings: int, folds: int = 1) -> str:
    """How much work a grid is."""
    parts = [f"{len(Cs)} {'value' if len(Cs) == 1 else 'values'} of C"]
    if settings > 1:
        parts.append(f"{settings} settings")
    if folds > 1:
        parts.append(f"{folds} folds")
    count = len(Cs) * settings * folds
    equals = f" = {count:,} parsers" if len(parts) > 1 else ""
    return " × ".join(parts) + equals
