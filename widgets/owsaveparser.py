"""Save Parser: write a parser or a pipeline to a file, for Load Parser and commands."""
from __future__ import annotations

from Orange.widgets.utils.save.owsavebase import OWSaveBase
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg

from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.widgets.common import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.common.storedsettings import StoredSettings


class OWSaveParser(StoredSettings, OWSaveBase):
    name = "Save Parser"
    description = "Save a parser or a pipeline to a file."
    icon = "icons/saveparser.svg"
    priority = 80
    keywords = "save parser, file, write, model, npz, tagger, pipeline"

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Tune Parser")
        pipeline = Input("Pipeline", Pipeline, doc="From Train Tagger")

    class Warning(OWSaveBase.Warning):
        both = Msg("A parser and a pipeline are connected: the pipeline is saved.")

    filters = ("Parser or pipeline (*.npz)",)

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

    def do_save(self) -> None:
        self.data.save(self.filename)

    def send_report(self) -> None:
        what = "Pipeline" if self.pipeline is not None else "Parser"
        self.report_items([
            (what, self.data.name if self.data is not None else "none"),
            ("File", self.filename or "none")])


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWSaveParser).run()
