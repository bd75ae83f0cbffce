"""Controls for the parameters of a parser, alike in all widgets that have them.

Forms know them by the names of ParserLearner's parameters.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping
from typing import NamedTuple

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from orange_structpred.kernels import KernelError
from orange_structpred.parameters.influence import has_group
from orange_structpred.parameters.settings import kernel_defaults
from orange_structpred.parsing.kernel.hash_functions import HASHES, SUMS
from orange_structpred.parsing.second_order.part_templates import (
    FIRST_ORDER,
    GROUPS,
)
from orange_structpred.tuning.grids import value_text
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.valuecontrols import (
    CheckGrid,
    Choice,
    IntegerSpin,
    LogSlider,
    LogSpinBox,
    NumberSpin,
    ValueCheckBox,
    ValueCombo,
    ValueRadios,
    plain,
)

FEATURE_TEXTS = {
    "explicit": Choice("E&xplicit", "Each feature of an edge has a weight"),
    "kernel": Choice(
        "&Kernel", "Edges are compared with those of the treebank, by hash functions "
        "and an input kernel"),
}
SOLVER_TEXTS = {
    "auto": Choice("Automatic", "MIRA for explicit features, BCFW for kernels"),
    "mira": Choice(
        "MIRA", "Online: the smallest step that corrects a sentence. Fast and accurate;"
        " no certificate"),
    "bcfw": Choice(
        "BCFW", "Block-coordinate Frank-Wolfe on the dual of the structural SVM. Knows "
        "how far it is from the optimum"),
    "one-slack": Choice(
        "One-slack", "Cutting planes with one slack variable: the reference. Needs "
        "many passes"),
    "perceptron": Choice(
        "Perceptron", "Online: averaged structured perceptron, the simplest of all"),
    "subgradient": Choice(
        "Subgradient", "Online: stochastic subgradient descent (Pegasos)"),
}
DECODER_TEXTS = {
    "auto": Choice(
        "Automatic", "Projective where hardly any edges of the treebank cross, else "
        "rearranged"),
    "exact": Choice("Exact", "The best of all trees (Chu-Liu/Edmonds)"),
    "projective": Choice("Projective", "The best tree without crossing edges (Eisner)"),
    "rearranged": Choice(
        "Rearranged", "The best projective tree, improved by edges that may cross"),
    "approximate": Choice(
        "Approximate", "The best head of each word, whether or not this makes a tree"),
}
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


class GroupsGrid(CheckGrid):
    """Feature groups; all of them are "all", whatever a later version adds."""

    def __init__(self, parent=None):
        super().__init__(
            {name: GROUP_MEANINGS.get(name, f"Features like {templates[0]}")
             + ("" if name in FIRST_ORDER else " (order 2 only)")
             for name, templates in GROUPS.items()}, rows=8, parent=parent)

    def value(self) -> str | list[str]:
        names = super().value()
        return "all" if set(names) == set(GROUPS) else names

    def setValue(self, names: str | Iterable[str]) -> None:
        super().setValue(GROUPS if names == "all" else names)

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        """Disable the groups that parsers with these settings do not have."""
        for name, box in self.boxes.items():
            box.setEnabled(has_group(name, settings))

    def shown(self, names: str | Iterable[str]) -> str:
        return value_text("groups", names)


class ExplicitForm(ParameterForm):
    """What explicit features look at."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.form.addRow(self.add("groups", GroupsGrid(),
                                  "What the features of an edge look at",
                                  title="Feature groups"))
        control = IntegerSpin(0, 1000)
        control.setSpecialValueText("all features")
        self.add("min_count", control, "Give weights only to features seen at "
                 "least this many times", "&Minimum count:")


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
        for place, name in enumerate(names):
            text, tooltip, make = OPTIONS[name]
            control = self._controls[name] = make()
            control.setToolTip(tooltip)
            control.setValue(values[name])
            control.valueChanged.connect(
                lambda *_: self.valueChanged.emit(self.value()))
            row, column = divmod(place, 2)
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
                described.append(f"{plain(label or control.text())}: "
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


class KernelForm(ParameterForm):
    """Hash functions (output kernel) and input kernel."""

    def __init__(self, parent=None):
        super().__init__(parent)
        meanings = {name: f"Edges are equal if they have {meaning}"
                    for name, meaning in HASHES.items()}
        meanings |= {name: meaning.capitalize() for name, (_, meaning) in SUMS.items()}
        self.form.addRow(self.add("hash", CheckGrid(meanings, rows=6),
                                  "When two edges count as equal",
                                  title="Hash functions"))
        kernel, params = ValueCombo(KERNEL_TEXTS), KernelParams()
        params.set_kernel(kernel.value())
        kernel.valueChanged.connect(params.set_kernel)
        self.add("kernel", kernel, "How similar two sentences are", "Input ker&nel:")
        self.form.addRow(self.add("kernel_params", params, "",
                                  title="Kernel parameters"))


class FeaturesForm(ParameterForm):
    """Explicit or kernel; only the controls of the chosen one are seen."""

    def __init__(self, parent=None):
        super().__init__(parent)
        features = ValueRadios(FEATURE_TEXTS)
        self.form.addRow(self.add("features", features, "How edges are scored",
                                  title="Features"))
        parts = {"explicit": ExplicitForm(), "kernel": KernelForm()}
        for name, part in parts.items():
            self.form.addRow(part)
            part.changed.connect(self.changed)
            self.controls.update(part.controls)
            self._labels.update(part._labels)
            self._tooltips.update(part._tooltips)
            self._titles.update(part._titles)
            part.setVisible(name == features.value())
        features.valueChanged.connect(lambda chosen: [
            part.setVisible(name == chosen) for name, part in parts.items()])

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        super().update_enabled(settings)
        self.controls["groups"].update_enabled(settings)

    def described(self, settings: Mapping[str, object], names: Container[str],
                  chosen: Mapping[str, object] = {}) -> list[tuple[str, str]]:
        """With all parameters of the input kernel, also those by default."""
        params = {**known_defaults(settings["kernel"]),
                  **(settings["kernel_params"] or {})}
        return super().described({**settings, "kernel_params": params}, names, chosen)


class SolverForm(ParameterForm):
    """How the parser learns."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add("solver", ValueCombo(SOLVER_TEXTS), "How the weights are found", "&Solver:")
        self.add("C", LogSlider(1e-4, 1e4), "How much mistakes cost, compared with large "
                 "weights: 1/2 |w|² + C · mean loss", "&C:")
        self.add_pair(
            ("epsilon", LogSpinBox(1e-6, 1),
             "Stop when (primal - dual) / C is at most this", "&Epsilon:"),
            ("passes", IntegerSpin(1, 100_000), "Maximum number of passes over the sentences",
             "&Passes:"))
        self.add_pair(
            ("random_state", IntegerSpin(0, 2**31 - 1), "The same seed gives the same parser",
             "See&d:"),
            ("n_jobs", IntegerSpin(1, max(1, os.cpu_count() or 1)),
             "Number of threads; it does not change the parser",
             "T&hreads:"))
        self.make_room("passes", "n_jobs")


class TreeForm(ParameterForm):
    """What is scored, and how the scores become a labelled tree."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add_pair(
            ("decoder", ValueCombo(DECODER_TEXTS), "How the scores become a tree",
             "Decodin&g:"),
            ("order", IntegerSpin(1, 2), "1: edges are scored one by one\n2: together "
             "with their siblings and grandparents, which is more accurate and slower",
             "Order:"))
        self.make_room("order")
        line = QHBoxLayout()
        line.addWidget(self.add("single_root", ValueCheckBox("S&ingle root"),
                                "Exactly one word of a sentence depends on the root"))
        line.addWidget(self.add("relations", ValueCheckBox("Relations"),
                                "Also learn the relations of edges, in a second stage"))
        line.addWidget(self.add("calibrate", ValueCheckBox("Calibrate"),
                                "Hold out one sentence in 40 of a large treebank to "
                                "calibrate the probabilities of heads\nOtherwise, learn "
                                "from all sentences"))
        self.form.addRow(line)
