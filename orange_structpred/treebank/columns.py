"""Which columns of a table hold sentences and predictions."""
from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    Variable,
)

from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.conll import parse_blocks
from orange_structpred.treebank.misnamed import CONLLU, CONLLU_NAME
from orange_structpred.treebank.prediction import fits
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.tags import TAG_COLUMN_NAME

TEXT_COLUMN, SENT_ID = "text", "sent_id"

# What a column is, in the attributes of its variable; not all routes keep these.
ROLE, SENTENCE_ROLE, PREDICTION_ROLE = "treebank", "sentence", "prediction"
TAGS_ROLE = "tags"
SEEN = "seen in training"
_SEEN = re.compile(r"(\d{1,15}) of (\d{1,15})", re.ASCII)

# Longer texts are cut when they are written to a spreadsheet.
SPREADSHEET_CELL = 32_767

# Sentences that some treebank holds: parts of it need not parse them again.
known: WeakValueDictionary[str, Sentence] = WeakValueDictionary()


def domain_of_treebanks() -> Domain:
    """The columns of a new treebank."""
    return Domain(
        [ContinuousVariable("length", number_of_decimals=0),
         DiscreteVariable("projective", values=("no", "yes")),
         ContinuousVariable("roots", number_of_decimals=0),
         ContinuousVariable("height", number_of_decimals=0),
         ContinuousVariable("mean arc length", number_of_decimals=2)],
        [], [StringVariable(TEXT_COLUMN), StringVariable(SENT_ID),
             variable_with_role(CONLLU, SENTENCE_ROLE)])


def variable_with_role(name: str, role: str) -> StringVariable:
    """A column of text that says what it is."""
    variable = StringVariable(name)
    variable.attributes[ROLE] = role
    return variable


class SeenSentences(NamedTuple):
    """How many sentences of a treebank a parser was trained on: at least, and at most.

    What is known of the sentences that were parsed together is not known of each."""

    fewest: int = 0
    most: int = 0

    def __str__(self) -> str:
        if self.fewest == self.most:
            return f"{self.most:,}"
        return f"{self.fewest:,} to {self.most:,}" if self.fewest else f"up to {self.most:,}"


def seen_sentences(data: Table) -> dict[str, SeenSentences]:
    """For predictions of parsers that were trained on some of the sentences, on how many.

    The sentences may be others than those that were parsed: some of them, or more."""
    found = {}
    for variable in data.domain.metas:
        match = _SEEN.fullmatch(str(variable.attributes.get(SEEN, "")))
        if match and variable.attributes.get(ROLE) == PREDICTION_ROLE:
            seen, parsed = int(match[1]), int(match[2])
            fewer = max(0, parsed - len(data))
            found[variable.name] = SeenSentences(
                max(0, seen - fewer), min(len(data), seen + max(0, len(data) - parsed)))
    return {name: seen for name, seen in found.items() if seen.most}


def single_spaced(name: str, default: str) -> str:
    """A name with single spaces as its only white space; another one for none."""
    return " ".join(name.split()) or default


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with " (2)" or a higher number if it is already in use."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def free_names(names: Iterable[str]) -> list[str]:
    """Names of which no two are the same: those that occur again get a number."""
    result: list[str] = []
    for name in names:
        result.append(free_name(name, result))
    return result


def strings(values: Sequence[str]) -> np.ndarray:
    """An array of objects; numpy would make all strings as long as the longest."""
    return np.array(values, dtype=object)


def texts(table: Table, variable: Variable) -> list[str]:
    """The cells of a column of text, or of categories; "" for unknown values."""
    column = table.get_column(variable)
    if variable.is_discrete:
        return ["" if np.isnan(value) else variable.values[int(value)]
                for value in column]
    return [value if isinstance(value, str) else "" for value in column]


def sentence_variables(domain: Domain) -> list[Variable]:
    """Columns of sentences: by their role, or, if that was lost, by their name."""
    return [var for var in (*domain.metas, *domain.variables)
            if (var.is_string or var.is_discrete)
            and (var.attributes[ROLE] == SENTENCE_ROLE if ROLE in var.attributes
                 else CONLLU_NAME.fullmatch(var.name))]


def is_prediction(variable: Variable, table: Table, lengths: Sequence[int]) -> bool:
    """Whether a column holds predictions for sentences of these lengths.

    Recognized by its role or, if that was lost, by its contents: each row is empty or
    has as many heads as the sentence has tokens.
    """
    if (not (variable.is_string or variable.is_discrete)
            or variable.name in (TEXT_COLUMN, SENT_ID)
            or variable in sentence_variables(table.domain)):
        return False
    if variable.attributes.get(ROLE) == TAGS_ROLE:
        return False
    if variable.is_string and variable.attributes.get(ROLE) == PREDICTION_ROLE:
        return True
    cells = texts(table, variable)
    return any(cells) and all(fits(cell, n) for cell, n in zip(cells, lengths))


def predicted_layer(variable: Variable, table: Table, lengths: Sequence[int]
                    ) -> tuple[str, str] | None:
    """The tagger and the layer that a column has predicted tags of, if it has.

    Told by its name, and by its role or, if that was lost, by what is in it.
    """
    match, role = TAG_COLUMN_NAME.fullmatch(variable.name), variable.attributes.get(ROLE)
    if (match is None or role == PREDICTION_ROLE
            or not (variable.is_string or variable.is_discrete)):
        return None
    if not (variable.is_string and role == TAGS_ROLE):
        cells = texts(table, variable)
        if not any(cells) or not all(not cell or cell.count(" ") == n - 1
                                     for cell, n in zip(cells, lengths)):
            return None
    return match[1], match[2]


def prediction_role(variable: Variable, table: Table, lengths: Sequence[int]
                    ) -> str | None:
    """The role of a column of predicted trees or tags, even if it was lost; None for all
    other columns."""
    if is_prediction(variable, table, lengths):
        return PREDICTION_ROLE
    return TAGS_ROLE if predicted_layer(variable, table, lengths) else None


def parse_cells(blocks: Sequence[str],
                name: str) -> tuple[list[Sentence | None], list[ConllError]]:
    """The sentences in the cells of a column, and the faults by their rows."""
    sentences = [known.get(block) for block in blocks]
    rows = [i for i, sentence in enumerate(sentences) if sentence is None]
    parsed, faults = parse_blocks([blocks[i] for i in rows])
    for i, sentence in zip(rows, parsed):
        if sentence is not None:
            sentences[i] = known.setdefault(sentence.block, sentence)
    faults += [(j, ConllError("", 1, "an empty cell", "a sentence in CoNLL-U"))
               for j, i in enumerate(rows) if not blocks[i].strip("\n")]
    return sentences, [fault.at(f"{name}, row {rows[j] + 1}", 1)
                       for j, fault in sorted(faults, key=lambda fault: fault[0])]


#: Tables of ours that are connected by mistake, and some columns that tell each of them
OTHER_TABLES = {"a training log": {"pass", "primal", "dual"},
                "a table of scores": {"Parser", "Treebank", "UAS"},
                "a learning curve": {"learner", "measure", "training score"},
                "a table of tuning results": {"setting", "C", "validation loss"}}


def no_treebank(table: Table) -> str:
    """The error message for a table that is not a treebank."""
    names = [var.name for var in (*table.domain.variables, *table.domain.metas)]
    for what, columns in OTHER_TABLES.items():
        if columns.issubset(names):
            return (f"{table.name!r} is {what}, not a treebank. Connect a treebank, for "
                    "example from Load CoNLL Treebank, or, for predictions, from Apply "
                    "Parser or Apply Tagger")
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return (f"{table.name!r} is not a treebank: found the columns {shown or '(none)'}, "
            f"expected a text column {CONLLU!r} with a sentence in CoNLL-U in each row")
