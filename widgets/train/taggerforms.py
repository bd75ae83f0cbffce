"""Controls of Train Tagger."""
from __future__ import annotations

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QWidget

from orange_structpred.learner.parameters import PARAMETERS
from orange_structpred.tagging.tagger import TAGGER_ROWS
from orange_structpred.widgets.common.layouts import in_row
from orange_structpred.widgets.common.parametercontrols import RowsForm
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    ValueCheckBox,
    ValueEdit,
    plain_label,
)

LAYER_CHOICES = {
    "upos": Choice("&UPOS", "Universal part-of-speech tags: NOUN, VERB..."),
    "xpos": Choice("&XPOS", "Part-of-speech tags of the language: NN, VBZ..."),
    "feats": Choice("&Features", "Morphological features: Number=Sing|Tense=Past..."),
}
EXAMPLE_LAYER = "misc:NER"


class LayerBoxes(QWidget):
    """Check boxes beside each other; the value is the list of checked layers."""

    valueChanged = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        for layer, (text, meaning) in LAYER_CHOICES.items():
            self.boxes[layer] = box = QCheckBox(text, toolTip=meaning)
            box.toggled.connect(lambda: self.valueChanged.emit(self.value()))
        self.setLayout(in_row(*self.boxes.values(), None))

    def value(self) -> list[str]:
        return [layer for layer, box in self.boxes.items() if box.isChecked()]

    def setValue(self, layers: list[str]) -> None:
        for layer, box in self.boxes.items():
            box.setChecked(layer in layers)

    def shown(self, layers: list[str]) -> str:
        return ", ".join(plain_label(LAYER_CHOICES[layer].text) if layer in LAYER_CHOICES
                         else str(layer) for layer in layers) or "none"


class StepsForm(ParameterForm):
    """What is learned."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.form.addRow(self.add(
            "words", ValueCheckBox("&Words and sentences"),
            "Learn where words and sentences of plain text begin, for Import Text and "
            "Annotate. Without it, text is split by rules"))
        self.add("layers", LayerBoxes(), "Which tags are learned", "Tags:")
        self.add("other_layer", ValueEdit(EXAMPLE_LAYER),
                 "A further column to learn, lemma or deprel, or a key of MISC: "
                 f"{EXAMPLE_LAYER} for named entities (NER=B-PER)", "Other la&yer:")
        self.form.addRow(self.add(
            "lemmas", ValueCheckBox("&Lemmas"),
            "Learn the dictionary form of words, from their form and tags"))
        self.form.addRow(self.add(
            "trees", ValueCheckBox("Trees"),
            "Also learn a parser, on the treebank's tags and on predicted ones: from "
            "text to trees with one pipeline. This takes much longer"))


class TaggerForm(RowsForm):
    """How the tagger learns."""

    def __init__(self, parent=None):
        rows = [row for row in TAGGER_ROWS.values() if row.label]
        super().__init__([*rows, PARAMETERS["n_jobs"]], parent, tooltips={
            "neural": "Add nets to tagger and parser: the most accurate pipeline, but "
                      "training takes three to four times as long",
            "random_state": "The same seed gives the same pipeline",
            "n_jobs": "Number of threads for trees; it does not change the pipeline"})
