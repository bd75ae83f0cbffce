"""Save Parser: write a parser to a file, for Load Parser and the command line."""
from __future__ import annotations

from Orange.widgets.utils.save.owsavebase import OWSaveBase
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input

from orange_structpred.parser import Parser
from orange_structpred.widgets.common import summaries  # noqa: F401  (registers them)


class OWSaveParser(OWSaveBase):
    name = "Save Parser"
    description = "Save a parser to a file."
    icon = "icons/saveparser.svg"
    priority = 80
    keywords = "save parser, file, write, model, npz"

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Tune Parser")

    filters = ("Parser (*.npz)",)

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.data = parser
        self.on_new_input()

    def do_save(self) -> None:
        self.data.save(self.filename)

    def send_report(self) -> None:
        self.report_items([
            ("Parser", self.data.name if self.data is not None else "none"),
            ("File", self.filename or "none")])


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWSaveParser).run()
