"""What the status bars of widgets tell about treebanks, parsers and pipelines.

Importing this module registers the summaries.
"""
from __future__ import annotations

from html import escape

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Table
from Orange.widgets.utils.state_summary import PartialSummary, summarize

from orange_structpred.evaluation.tags import LAYER_TITLES
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.tagging.tagger import TaggerLearner
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.columns import PREDICTION_ROLE, ROLE, sentence_variables
from orange_structpred.widgets.common.phrases import plural


@summarize.register
def summarize_treebank(treebank: Treebank) -> PartialSummary:
    sizes = [plural(len(treebank), "sentence", "sentences")]
    if "length" in treebank.domain:
        tokens = int(np.nansum(treebank.get_column("length")))
        sizes.append(plural(tokens, "token", "tokens"))
    lines = [f"<b><u>{escape(treebank.name)}</u></b>: {', '.join(sizes)}"]
    predictions = [variable.name for variable in treebank.domain.metas
                   if variable.attributes.get(ROLE) == PREDICTION_ROLE]
    if predictions:
        lines.append("Predictions: " + escape(", ".join(predictions)))
    as_table = summarize.dispatch(Table)(treebank)
    return as_table._replace(details=_in_lines(lines))


def summarize_model(model: Parser | Pipeline) -> PartialSummary:
    """The name in bold, and what the model is."""
    name, *others = map(escape, model_lines(model))
    as_model = summarize.dispatch(Model)(model)
    return as_model._replace(details=_in_lines([f"<b><u>{name}</u></b>", *others]))


def summarize_by_name(model: Learner | Model) -> PartialSummary:
    """As Orange does it, but for names that look like HTML."""
    kind = Learner if isinstance(model, Learner) else Model
    return summarize.dispatch(kind)(model)._replace(details=escape(model.name))


for summarized, function in ((Parser, summarize_model), (Pipeline, summarize_model),
                             (ParserLearner, summarize_by_name),
                             (TaggerLearner, summarize_by_name)):
    summarize.register(summarized, function)


def parser_lines(parser: Parser) -> list[str]:
    """The name of a parser, and what it is."""
    lines = [parser.name, f"{trees_text(parser)}, "
             + plural(parser.n_weights, "weight", "weights")]
    if parser.log:
        lines.append(plural(len(parser.log), "pass", "passes") + " over the treebank"
                     + (", stopped before the last" if parser.stopped else ""))
    return lines


def trees_text(parser: Parser) -> str:
    """What a parser finds, in words."""
    return f"{parser.decoder} trees" + (" with relations" if parser.relations else "")


def step_words(pipeline: Pipeline) -> list[str]:
    """What a pipeline finds, in words."""
    layers = [LAYER_TITLES.get(layer, layer)
              for layer in (pipeline.tagger.layers if pipeline.tagger else ())]
    words = {"tokeniser": "words and sentences",
             "tagger": f"tags ({', '.join(layers)})", "lemmatiser": "lemmas",
             "parser": "trees"}
    return [words[step] for step in pipeline.steps]


def pipeline_lines(pipeline: Pipeline) -> list[str]:
    """The name of a pipeline, and what it finds."""
    lines = [pipeline.name, ", ".join(step_words(pipeline)) or "no steps"]
    if pipeline.tokeniser is None:
        lines.append("text is split by rules")
    return lines


def model_lines(model: Parser | Pipeline) -> list[str]:
    return (pipeline_lines if isinstance(model, Pipeline) else parser_lines)(model)


def table_lines(data: Table) -> list[str]:
    """The name of a table, and how many sentences it has if it is a treebank."""
    what = ("sentence", "sentences") if sentence_variables(data.domain) \
        else ("row", "rows")
    return [data.name, plural(len(data), *what)]


def _in_lines(lines: list[str]) -> str:
    return "<br/>".join(f"<nobr>{line}</nobr>" for line in lines)
