"""What the status bars of widgets tell about treebanks and parsers.

Importing this module registers the summaries. Learners are told by their names, as
Orange does it.
"""
from __future__ import annotations

from html import escape

import numpy as np
from Orange.base import Model
from Orange.data import Table
from Orange.widgets.utils.state_summary import PartialSummary, summarize

from orange_structpred.parser import Parser
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.columns import PREDICTION_ROLE, ROLE
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


@summarize.register
def summarize_parser(parser: Parser) -> PartialSummary:
    name, *others = map(escape, parser_lines(parser))
    as_model = summarize.dispatch(Model)(parser)
    return as_model._replace(details=_in_lines([f"<b><u>{name}</u></b>", *others]))


def parser_lines(parser: Parser) -> list[str]:
    """The name of a parser, and what it is."""
    lines = [parser.name, f"{parser.decoder} trees, "
             + plural(parser.n_weights, "weight", "weights")]
    if parser.log:
        lines.append(plural(len(parser.log), "pass", "passes") + " over the treebank"
                     + (", stopped before the last" if parser.stopped else ""))
    return lines


def _in_lines(lines: list[str]) -> str:
    return "<br/>".join(f"<nobr>{line}</nobr>" for line in lines)
