"""Controls for the parameters of a parser, alike in all widgets that have them.

Forms know them by the names of ParserLearner's parameters.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping
from typing import NamedTuple

from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QWidget

from orange_structpred.kernels import KernelError
from orange_structpred.kinds import (
    Choice,
    OneOfThese,
    RealNumber,
    Seed,
    Switch,
    ThreadCount,
    WholeNumber,
)
from orange_structpred.learner.influence import has_group, unused
from orange_structpred.learner.parameters import (
    FEATURES,
    HARD_MARGIN,
    LEARN,
    PARAMETERS,
    TABLE,
    is_learned,
)
from orange_structpred.learner.settings import kernel_defaults
from orange_structpred.parametrised import Parameter
from orange_structpred.parsing.kernel.hash_functions import HASHES, SUMS
from orange_structpred.parsing.second_order.part_templates import FIRST_ORDER, GROUPS
from orange_structpred.tuning.grids import value_text
from orange_structpred.widgets.common.layouts import in_column
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.storedsettings import LARGEST_SHOWN
from orange_structpred.widgets.common.valuecontrols import (
    CheckGrid,
    IntegerSpin,
    LogSlider,
    LogSpinBox,
    NumberSpin,
    ValueCheckBox,
    ValueCombo,
    ValueRadios,
    plain_label,
)

SMALLEST_SHOWN = 1e-6       # of numbers above 0
KERNEL_TEXTS = {
    "constant": Choice(
        "Constant", "All sentences count the same: only the hash functions matter"),
    "bow": Choice("Bag of words", "Sentences are similar if they share words"),
    "constant+bow": Choice(
        "Constant + bag of words", "All sentences count, those that share words count more"),
    "poly-bow": Choice(
        "Polynomial bag of words", "Sentences are similar if they share sets of words"),
    "gaussian": Choice(
        "Gaussian", "Sentences are similar if their bags of words are close"),
    "ngram": Choice(
        "N-grams", "Sentences are similar if they share sequences of words, with "
        "gaps"),
    "constant+ngram": Choice(
        "Constant + n-grams", "All sentences count, those that share sequences count more"),
    "annotated-ngram": Choice(
        "Annotated n-grams", "Sequences of words that may be equal in form, lemma or "
        "tags only"),
}
LAYER_TEXTS = {
    "form": Choice("Forms", "Words as they are written"),
    "lemma": Choice("Lemmas", "Words in their dictionary form"),
    "upos": Choice("UPOS", "Universal part-of-speech tags"),
    "xpos": Choice("XPOS", "Part-of-speech tags of the language"),
}
GROUP_MEANINGS = {
    "head": "Form, lemma and tags of the head",
    "dependent": "Form, lemma and tags of the dependent",
    "head-dependent": "Form, lemma and tags of both together",
    "in-between": "Tags of the words between head and dependent",
    "neighbours": "Tags of the words next to head and dependent",
    "morphology": "Morphological features (number, case, tense...)",
    "endings": "Last letters and the shape of words",
    "counts": "Number of verbs, nouns, commas and conjunctions in between",
    "markers": "Prepositions and subordinators of words",
    "coordination": "Conjunctions that join words",
    "context": "Wider context: two words to either side, with lemmas",
    "sequence": "All tags between head and dependent, in their order",
    "punctuation": "Punctuation marks between and beside the words",
    "position": "Where in the sentence the words are, and the nearest verbs",
    "sibling tags": "Tags of two neighbouring children of a head",
    "sibling words": "Lemmas of two neighbouring children of a head",
    "sibling markers": "Their prepositions, subordinators and conjunctions",
    "sibling context": "Tags of the words beside them",
    "grandparent tags": "Tags of a word, its head and the head's head",
    "grandparent words": "Lemmas of a word, its head and the head's head",
    "grandparent markers": "Their prepositions, subordinators and conjunctions",
    "grandparent context": "Tags of the words beside them",
    "transitions": "With MIRA, a transition-based parser votes on the head of each word",
}


class LearnBox(ValueCheckBox):
    """Whether weights or groups are learned: "learn" if it is checked, else None."""

    def value(self) -> str | None:
        return LEARN if self.isChecked() else None

    def setValue(self, value: str | None) -> None:
        self.setChecked(value == LEARN)


class GroupsGrid(QWidget):
    """Feature groups; all of them are "all", whatever a later version adds, and "learn"
    if they are to be learned."""

    valueChanged = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.learned = LearnBox("Learn which groups matter", self)
        self.learned.setToolTip("The parser finds out first which groups it needs, and has "
                                "only these: it is smaller and faster")
        self.grid = CheckGrid(
            {name: GROUP_MEANINGS.get(name, f"Features like {templates[0]}")
             + ("" if name in FIRST_ORDER else " (order 2 only)")
             for name, templates in GROUPS.items()}, rows=7, parent=self)
        self.grid.setValue(GROUPS)
        self.setLayout(in_column(self.grid, self.learned, spacing=2))
        self.learned.valueChanged.connect(self._learned_changed)
        self.grid.valueChanged.connect(lambda: self.valueChanged.emit(self.value()))

    @property
    def boxes(self) -> dict[str, QCheckBox]:
        return self.grid.boxes

    def _learned_changed(self) -> None:
        self.grid.setEnabled(self.learned.value() is None)
        self.valueChanged.emit(self.value())

    def value(self) -> str | list[str]:
        names = self.grid.value()
        return self.learned.value() or ("all" if set(names) == set(GROUPS) else names)

    def setValue(self, names: str | Iterable[str]) -> None:
        before = self.value()
        with QSignalBlocker(self):
            self.learned.setValue(names if is_learned(names) else None)
            if self.learned.value() is None:
                self.grid.setValue(GROUPS if names == "all" else names)
        if self.value() != before:
            self.valueChanged.emit(self.value())

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        """Disable the groups that parsers with these settings do not have."""
        for name, box in self.boxes.items():
            box.setEnabled(has_group(name, settings))

    def shown(self, names: str | Iterable[str]) -> str:
        return value_text("groups", names)


class KernelParams(QWidget):
    """The parameters of an input kernel; only those of the chosen one are seen."""

    valueChanged = Signal(dict)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._kernel = ""
        self._controls: dict[str, QWidget] = {}
        self._remembered: dict[str, dict[str, object]] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)

    def _on_value(self, *_) -> None:
        self.valueChanged.emit(self.value())

    def set_kernel(self, kernel: str) -> None:
        """Show the parameters of a kernel, as they were when it was last chosen."""
        if kernel == self._kernel:
            return
        if self._kernel:
            self._remembered[self._kernel] = self.value()
        while self._grid.count():
            self._grid.takeAt(0).widget().deleteLater()
        self._kernel, self._controls = kernel, {}
        values = {**known_defaults(self._kernel), **self._remembered.get(kernel, {})}
        names = [name for name in OPTIONS if name in values]
        for number, name in enumerate(names):
            text, tooltip, make = OPTIONS[name]
            control = self._controls[name] = make()
            control.setToolTip(tooltip)
            control.setValue(values[name])
            control.valueChanged.connect(self._on_value)
            row, column = divmod(number, 2)
            label = QLabel(text, toolTip=tooltip)
            label.setBuddy(control)
            self._grid.addWidget(label, row, 2 * column)
            self._grid.addWidget(control, row, 2 * column + 1)
        self.setVisible(bool(names))

    def value(self) -> dict[str, object]:
        """All that differs from the kernel's defaults."""
        defaults = known_defaults(self._kernel)
        return {name: control.value() for name, control in self._controls.items()
                if control.value() != defaults[name]}

    def setValue(self, params: Mapping[str, object] | None) -> None:
        for name, value in {**known_defaults(self._kernel), **(params or {})}.items():
            if name in self._controls:
                self._controls[name].setValue(value)

    def shown(self, params: Mapping[str, object]) -> str:
        described = []
        for name, (label, _, make) in OPTIONS.items():
            if name in params:
                control = make()
                described.append(f"{plain_label(label or control.text())}: "
                                 f"{control.shown(params[name])}")
        return "; ".join(described)


def known_defaults(kernel: str) -> dict[str, object]:
    """The parameters of an input kernel; none if it is not known (yet)."""
    try:
        return kernel_defaults(kernel) if kernel else {}
    except KernelError:
        return {}


def _share() -> NumberSpin:
    return NumberSpin(0.05, 1, 0.05)


def _weight() -> NumberSpin:
    return NumberSpin(0, 100, 0.5)


class Option(NamedTuple):
    """A parameter of an input kernel."""

    label: str
    tooltip: str
    make: Callable[[], QWidget]


OPTIONS = {
    "n": Option("Longest:", "Words in the longest sequence", lambda: IntegerSpin(1, 20)),
    "decay": Option(
        "Decay:", "Factor for each word and gap of a sequence: the smaller, the less "
        "sequences with gaps count", _share),
    "degree": Option("Degree:", "Words in the largest set", lambda: IntegerSpin(1, 10)),
    "gamma": Option(
        "Gamma:", "The larger, the closer sentences must be to count as similar",
        lambda: LogSpinBox(1e-4, 100)),
    "layer": Option("Words:", "What counts as a word", lambda: ValueCombo(LAYER_TEXTS)),
    "form": Option("Form:", "Weight of equal forms", _weight),
    "lemma": Option("Lemma:", "Weight of equal lemmas", _weight),
    "upos": Option("UPOS:", "Weight of equal universal tags", _weight),
    "xpos": Option("XPOS:", "Weight of equal tags of the language", _weight),
    "normalized": Option(
        "", "Long sentences weigh no more than short ones",
        lambda: ValueCheckBox("Normalised")),
}


class HashGrid(CheckGrid):
    """Hash functions, and sums of them."""

    def __init__(self, parent=None):
        meanings = {name: f"Edges are equal if they have {meaning}"
                    for name, meaning in HASHES.items()}
        meanings |= {name: meaning.capitalize() for name, (_, meaning) in SUMS.items()}
        super().__init__(meanings, rows=6, parent=parent)


#: Values of the parameter `neural`, of parsers and taggers
PRESETS = {
    False: Choice("Fast", "Linear scores alone, trained in a fraction of the time"),
    True: Choice("&Accurate", "Linear scores and the probabilities of a net: the most "
                 "accurate; training takes several times as long"),
}
#: Parameters whose controls their kind does not tell
SPECIAL_CONTROLS: dict[str, Callable[[], QWidget]] = {
    "neural": lambda: ValueRadios(PRESETS),
    "groups": GroupsGrid, "hash": HashGrid, "kernel": lambda: ValueCombo(KERNEL_TEXTS),
    "hash_weights": lambda: LearnBox(PARAMETERS["hash_weights"].label),
    "kernel_params": KernelParams, "C": lambda: LogSlider(1e-4, 1e4), "budget": _share}
#: Controls that need a line of their own, without a label
WIDE = (CheckGrid, GroupsGrid, KernelParams)


def control_for(row: Parameter) -> QWidget:
    """A control for the values of a parameter."""
    kind = row.kind
    if row.name in SPECIAL_CONTROLS:
        return SPECIAL_CONTROLS[row.name]()
    if isinstance(kind, OneOfThese):
        return ValueRadios(kind.choices) if row.section == "features" \
            else ValueCombo(kind.choices)
    if isinstance(kind, Switch):
        return ValueCheckBox(row.label)
    if isinstance(kind, Seed):
        return IntegerSpin(0, LARGEST_SHOWN)
    if isinstance(kind, ThreadCount):
        return IntegerSpin(1, max(1, os.cpu_count() or 1))
    if isinstance(kind, WholeNumber):
        spin = IntegerSpin(kind.low, min(kind.high, LARGEST_SHOWN))
        spin.setSpecialValueText(kind.lowest)
        return spin
    if isinstance(kind, RealNumber):
        return LogSpinBox(kind.low or SMALLEST_SHOWN, kind.high)
    raise TypeError(f"no control shows {kind.text} ({row.name})")


class RowsForm(ParameterForm):
    """Controls for rows of a table of parameters, in their order.

    Small controls share a line, two by two, and so do check boxes. Grids have lines of
    their own.

    tooltips : of parameters that mean something more particular here
    """

    def __init__(self, rows: Iterable[Parameter], parent=None, *,
                 tooltips: Mapping[str, str] = {}):
        super().__init__(parent)
        small: list[tuple[str, QWidget, str, str]] = []
        switches = QHBoxLayout()
        rows = list(rows)
        controls = {row.name: control_for(row) for row in rows}
        if "kernel_params" in controls:     # before anyone is told of a change
            kernel, params = controls["kernel"], controls["kernel_params"]
            params.set_kernel(kernel.value())
            kernel.valueChanged.connect(params.set_kernel)
        for row in rows:
            control, tooltip = controls[row.name], tooltips.get(row.name, row.help)
            if isinstance(control, ValueCheckBox):
                self.add_small(small)
                switches.addWidget(self.add(row.name, control, tooltip))
            elif isinstance(control, (*WIDE, ValueRadios, LogSlider)):
                self.add_small(small)
                if isinstance(control, LogSlider):
                    self.add(row.name, control, tooltip, row.label)
                else:
                    self.form.addRow(self.add(row.name, control, tooltip,
                                              title=row.label))
            else:
                small.append((row.name, control, tooltip, row.label))
        self.add_small(small)
        if switches.count():
            self.form.addRow(switches)

    def add_part(self, rows: Iterable[Parameter]) -> RowsForm:
        """Further controls below, which can be hidden together."""
        part = RowsForm(rows)
        self.form.addRow(part)
        part.changed.connect(self.changed)
        self.controls.update(part.controls)
        self._labels.update(part._labels)
        self._tooltips.update(part._tooltips)
        self._titles.update(part._titles)
        return part

    def add_choices(self, name: str, sections: Mapping[str, Iterable[Parameter]]) -> None:
        """Further controls for values of a parameter: only those of its value are seen."""
        chooser = self.controls[name]
        parts = {value: self.add_part(rows) for value, rows in sections.items()}

        def show(chosen: object) -> None:
            for value, part in parts.items():
                part.setVisible(value == chosen)

        show(chooser.value())
        chooser.valueChanged.connect(show)

    def add_small(self, waiting: list[tuple[str, QWidget, str, str]]) -> None:
        """Put the controls that have waited for their line into lines."""
        second = []
        while len(waiting) > 1:
            self.add_pair(*waiting[:2])
            second.append(waiting[1][0])
            del waiting[:2]
        for name, control, tooltip, label in waiting:
            self.add(name, control, tooltip, label)
        waiting.clear()
        self.make_room(*second)


def section(name: str) -> list[Parameter]:
    """The parameters of a section, in the order of the table."""
    return [row for row in (*TABLE, HARD_MARGIN) if row.section == name]


class FeaturesForm(RowsForm):
    """How edges are scored; only the controls of the chosen kind are seen."""

    def __init__(self, parent=None):
        super().__init__(section("features"), parent)
        self.add_choices("features", {name: section(name) for name in FEATURES})
        self.learned = self.add_part(section("learned"))
        self.unlabelled = self.add_part(section("unlabelled"))
        self.has_unlabelled = False
        self.learned.hide()
        self.unlabelled.hide()

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        super().update_enabled(settings)
        self.controls["groups"].update_enabled(settings)
        self.learned.setVisible(not unused("budget", settings))
        self.unlabelled.setVisible(self.has_unlabelled and not unused("smoothness", settings))

    def described(self, settings: Mapping[str, object], names: Container[str],
                  chosen: Mapping[str, object] = {}) -> list[tuple[str, str]]:
        """With all parameters of the input kernel, also those by default."""
        params = {**known_defaults(settings["kernel"]),
                  **(settings["kernel_params"] or {})}
        return super().described({**settings, "kernel_params": params}, names, chosen)


#: Solvers with parameters that others do not have
SOLVERS_WITH_OPTIONS = ("n-slack", "sampled-cuts")


class SolverForm(RowsForm):
    """How the parser learns."""

    def __init__(self, parent=None):
        super().__init__(section("learning"), parent)
        self.add_choices("solver", {name: section(name) for name in SOLVERS_WITH_OPTIONS})


class TreeForm(RowsForm):
    """What is scored, and how the scores become a labelled tree."""

    def __init__(self, parent=None):
        super().__init__(section("trees"), parent)
