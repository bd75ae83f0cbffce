"""Save Parser: write a parser or a pipeline to a file, for Load Parser and commands."""
from __future__ import annotations

from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg

from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.widgets.common.saving import SavingWidget


class OWSaveParser(SavingWidget):
    name = "Save Parser"
    description = "Save a parser or a pipeline to a file."
    icon = "icons/saveparser.svg"
    priority = 80
    keywords = "save parser, file, write, model, npz, tagger, pipeline"

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Tune Parser")
        pipeline = Input("Pipeline", Pipeline, doc="From Train Tagger")

    class Warning(SavingWidget.Warning):
        both = Msg("A parser and a pipeline are connected: the pipeline is saved.")

    filters = {"Parser or pipeline (*.npz)": ".npz"}

    def __init__(self):
        super().__init__()
        self.parser: Parser | None = None
        self.pipeline: Pipeline | None = None

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.parser = parser

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None) -> None:
        self.pipeline = pipeline

    def handleNewSignals(self) -> None:
        self.data = self.parser if self.pipeline is None else self.pipeline
        self.on_new_input()
        self.Warning.both(shown=None not in (self.parser, self.pipeline))

    def write(self, path: str) -> None:
        self.data.save(path)

    def contents(self) -> str:
        what = "pipeline" if self.pipeline is not None else "parser"
        return f"the {what} “{self.data.name}”"


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWSaveParser).run()
