"""What is taken for what: wrong heads, relations and tags, counted in a matrix."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from Orange.data import ContinuousVariable, StringVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.evaluation.scores import (
    NO_PREDICTION,
    Evaluation,
    evaluate_known,
)
from orange_structpred.evaluation.tags import is_right, value_pairs
from orange_structpred.tables.making import aligned_text, table_of_columns
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.columns import free_names
from orange_structpred.treebank.distinct import by_frequency
from orange_structpred.treebank.editing.tree_edits import heads_above
from orange_structpred.treebank.layers import PUNCTUATION
from orange_structpred.treebank.marks import marked_sentences
from orange_structpred.treebank.tags import column_name

#: What a predicted head is to a token and its gold head, in the gold tree. The first
#: that is true counts.
KINDS_OF_HEADS = {
    "root": "The token is attached to the root, but has a head",
    "not root": "The token is the root, but is attached to a word",
    "own descendant": "The predicted head is a dependent of the token, or below one",
    "above head": "Too high: the predicted head is above the gold head",
    "sibling": "The predicted head is another dependent of the gold head",
    "below sibling": "Too low: the predicted head is below a dependent of the gold head",
    "elsewhere": "The predicted head is in another part of the sentence",
}
ROWS = ("relation", "PoS")
CONFUSION_COLUMNS = ("wrong head", "PoS of wrong head", "wrong relation")


@dataclass
class Confusions:
    """Wrong tokens, counted by what they are and by what they were taken for.

    Attributes
    ----------
    name : of the prediction
    row_title, column_title : what rows and columns are
    rows, columns : their labels; the most frequent come first
    counts : array (rows, columns)
    tokens : array (rows,), how many tokens of a row there are, right ones included
    """

    treebank: Treebank
    name: str
    row_title: str
    column_title: str
    rows: list[str]
    columns: list[str]
    tokens: np.ndarray
    #: of each wrong token: its row and column, its sentence's row in the treebank and
    #: its position there
    _codes: np.ndarray
    _places: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        counts = np.zeros((len(self.rows), len(self.columns)), int)
        np.add.at(counts, tuple(self._codes.T), 1)
        return counts

    def sentences(self, cells: Collection[tuple[str, str]] | None = None
                  ) -> Treebank | None:
        """The sentences of some cells, their wrong tokens marked; None without any.

        cells : pairs of a row and a column; by default all
        """
        chosen = np.ones(len(self._codes), bool)
        if cells is not None:
            wanted = {(self._number(self.rows, row), self._number(self.columns, column))
                      for row, column in cells}
            chosen = np.array([tuple(codes) in wanted for codes in self._codes.tolist()],
                              bool)
        return marked_sentences(self.treebank, self._places[chosen].tolist()) \
            if chosen.any() else None

    @staticmethod
    def _number(labels: Sequence[str], label: str) -> int:
        if label not in labels:
            raise InputError(f"there is no {label!r}; found: {', '.join(labels)}")
        return labels.index(label)

    def to_table(self) -> Table:
        """One row per row of the matrix: tokens, wrong ones, and the counts."""
        counts = self.counts
        variables = [ContinuousVariable(name, number_of_decimals=0)
                     for name in free_names(["tokens", "wrong", *self.columns])]
        return table_of_columns(f"confusions of {self.name}", [
            (StringVariable(self.row_title), self.rows),
            *zip(variables, (self.tokens, counts.sum(axis=1), *counts.T))])

    def text(self) -> str:
        """The matrix as plain text."""
        counts = self.counts
        lines = [[self.row_title, "tokens", "wrong", *self.columns]]
        lines += [[row, *map(str, (tokens, count.sum(), *count))]
                  for row, tokens, count in zip(self.rows, self.tokens, counts)]
        return aligned_text(lines)

    def __str__(self) -> str:
        return self.text()


def confusions(data: Table, name: str | None = None, *, rows: str = "relation",
               columns: str = "wrong head", punct: bool = True) -> Confusions:
    """What the tokens with wrong heads, relations or tags were taken for.

    Parameters
    ----------
    name : of a prediction, or of predicted tags, as "tagger: upos"; by default the
        first prediction. The matrix of tags has gold tags as rows and predicted ones
        as columns, whatever `rows` and `columns` are
    rows : {"relation", "PoS"}, of the token, in the gold tree
    columns : {"wrong head", "PoS of wrong head", "wrong relation"}
        What kind of head the wrong one is (see `KINDS_OF_HEADS`), which part of speech
        it has, or, for tokens with a wrong relation, the predicted relation
    punct : whether punctuation counts

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")[:50]
    >>> chain = [list(range(len(sentence))) for sentence in treebank.sentences]
    >>> confusions(treebank.with_prediction("chain", chain)).columns[:2]
    ['root', 'not root']
    """
    treebank = as_treebank(data)
    for what, value, known in (("rows", rows, ROWS), ("columns", columns, CONFUSION_COLUMNS)):
        if value not in known:
            raise InputError(f"{what} must be one of {', '.join(known)}, not {value!r}")
    names = prediction_names(treebank)
    if not names:
        raise InputError(NO_PREDICTION)
    name = names[0] if name is None else name
    if name not in names:
        raise InputError(f"the treebank has no prediction {name!r}; found: "
                         f"{', '.join(names)}")
    if name in treebank.predictions:
        return of_heads(treebank, name, rows, columns, punct)
    return of_tags(treebank, name, punct)


def prediction_names(treebank: Treebank) -> list[str]:
    """Predicted trees, then predicted tags, by their names."""
    return [*treebank.predictions, *(
        column_name(tagger, layer) for tagger, layers in treebank.tags.items()
        for layer in layers)]


def of_heads(treebank: Treebank, name: str, rows: str, columns: str, punct: bool
             ) -> Confusions:
    evaluation, known = evaluate_known(treebank, name)
    wrong = ~evaluation.head_correct
    if columns == "wrong head":
        labels = list(KINDS_OF_HEADS)
        codes = kinds_of_heads(evaluation)
    elif columns == "PoS of wrong head":
        flat = np.append(evaluation.upos, "root") if evaluation.tokens else np.array(["root"])
        first = evaluation.offsets[evaluation.sentence_of]
        heads = np.where(evaluation.heads > 0, first + evaluation.heads - 1, -1)
        codes, labels = by_frequency(flat[heads].tolist())
    elif evaluation.relations is None:
        raise InputError(f"prediction {name!r} has no relations")
    else:
        wrong = np.array([a != b for a, b in zip(evaluation.gold_relations, evaluation.relations)],
                         bool)
        codes, labels = by_frequency(evaluation.relations)
    counted = evaluation.counted(punct)
    row_codes, row_labels = by_frequency(
        evaluation.gold_relations if rows == "relation" else evaluation.upos)
    return matrix(
        treebank, name, (rows, columns), (row_codes, row_labels), (codes, labels),
        wrong & counted, counted,
        np.column_stack([known[evaluation.sentence_of], evaluation.positions]),
        keep_columns=columns == "wrong head")


def of_tags(treebank: Treebank, name: str, punct: bool) -> Confusions:
    layer, values = next(
        (layer, values) for tagger, layers in treebank.tags.items()
        for layer, values in layers.items() if column_name(tagger, layer) == name)
    sentences = treebank.sentences
    pairs = list(value_pairs(sentences, layer, values))
    wrong = np.array([not is_right(layer, *pair) for pair in pairs], bool)
    tags = [tag for sentence in sentences for tag in sentence.upos]
    counted = np.array([punct or tag != PUNCTUATION for tag in tags], bool)
    places = np.array([(row, position) for row, sentence in enumerate(sentences)
                       for position in range(1, len(sentence) + 1)], int).reshape(-1, 2)
    return matrix(treebank, name, (f"gold {layer}", f"predicted {layer}"),
                  by_frequency(gold for gold, _ in pairs),
                  by_frequency(predicted for _, predicted in pairs),
                  wrong & counted, counted, places)


def matrix(treebank: Treebank, name: str, titles: tuple[str, str],
           rows: tuple[np.ndarray, list[str]], columns: tuple[np.ndarray, list[str]],
           wrong: np.ndarray, counted: np.ndarray, places: np.ndarray, *,
           keep_columns: bool = False) -> Confusions:
    """The matrix of rows and columns in which something is wrong.

    keep_columns : whether columns stay that are empty
    """
    def used(codes: np.ndarray, labels: list[str], keep: bool
             ) -> tuple[np.ndarray, list[str]]:
        kept = range(len(labels)) if keep else np.unique(codes[wrong]).tolist()
        numbers = np.full(len(labels) + 1, -1)
        numbers[list(kept)] = np.arange(len(kept))
        return numbers[codes], [labels[code] for code in kept]

    row_codes, row_labels = used(*rows, False)
    column_codes, column_labels = used(*columns, keep_columns)
    tokens = np.bincount(row_codes[counted & (row_codes >= 0)],
                         minlength=len(row_labels))
    return Confusions(
        treebank, name, *titles, row_labels, column_labels, tokens,
        np.column_stack([row_codes, column_codes])[wrong], places[wrong])


def kinds_of_heads(evaluation: Evaluation) -> np.ndarray:
    """For each token with a wrong head the number of its kind; others have none."""
    numbers = {label: number for number, label in enumerate(KINDS_OF_HEADS)}
    codes = np.full(evaluation.tokens, -1)
    for token in np.flatnonzero(~evaluation.head_correct).tolist():
        first = evaluation.offsets[evaluation.sentence_of[token]]
        last = evaluation.offsets[evaluation.sentence_of[token] + 1]
        codes[token] = numbers[kind_of_head(
            evaluation.gold_heads[first:last].tolist(), token - first + 1,
            int(evaluation.heads[token]))]
    return codes


def kind_of_head(gold: Sequence[int], token: int, predicted: int) -> str:
    """What a wrong head of a token is in the gold tree."""
    head = gold[token - 1]
    if predicted == 0:
        return "root"
    if head == 0:
        return "not root"
    above = heads_above(gold, predicted)
    if token in above:
        return "own descendant"
    if predicted in heads_above(gold, head):
        return "above head"
    if gold[predicted - 1] == head:
        return "sibling"
    return "below sibling" if head in above else "elsewhere"
