"""Save Treebank: write a treebank to a CoNLL file."""
from __future__ import annotations

from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg

from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.saving import SavingWidget

FORMAT_NAMES = {"CoNLL-U (*.conllu)": ".conllu",
                "CoNLL-U, compressed (*.conllu.gz)": ".conllu.gz",
                "CoNLL-X (*.conllx)": ".conllx",
                "CoNLL-X, compressed (*.conllx.gz)": ".conllx.gz"}


class OWSaveTreebank(SavingWidget):
    name = "Save Treebank"
    description = "Save a treebank to a CoNLL-U or CoNLL-X file."
    icon = "icons/savetreebank.svg"
    priority = 14
    keywords = "save treebank, file, write, conll, conllu, conllx, gz, export, trees"

    class Inputs:
        treebank = Input("Treebank", Table, doc="Sentences, with or without trees")

    class Error(SavingWidget.Error):
        no_treebank = Msg("{}")

    filters = FORMAT_NAMES
    settings_version = 1

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.data: Treebank | None = None
        reason = ""
        if data is not None:
            try:
                self.data = as_treebank(data)
            except ValueError as error:
                reason = sentence(error)
        self.on_new_input()
        self.Error.no_treebank(reason, shown=bool(reason))

    def write(self, path: str) -> None:
        self.data.save(path)

    def contents(self) -> str:
        kind = self.filter_of(self.stored_name).partition(" (")[0]
        predictions = len(self.data.predictions)
        kept = predictions and "CoNLL-X" not in kind
        return (plural(len(self.data), "sentence", "sentences")
                + (" with " + plural(predictions, "prediction", "predictions")
                   if kept else "") + f" as {kind}")


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.treebank.bundled import load_bundled

    WidgetPreview(OWSaveTreebank).run(set_treebank=load_bundled("en"))
