"""Attachment scores by the rules of the CoNLL 2018 shared task.

All basic tokens count, including punctuation; a head is right if it is the gold
head; a relation is right if head and universal relation (the part before
":") are. Multiword tokens and empty nodes are ignored. Tokens are the gold
tokens, so precision, recall and F1 of the shared task's evaluator are one and
the same number. The measures "without punctuation" leave out the tokens whose
gold tag is PUNCT, as dependents.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.evaluation import significance
from orange_structpred.evaluation.breakdown import (
    GROUPINGS,
    Group,
    breakdown,
    group_intervals,
)
from orange_structpred.evaluation.significance import quotient
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.layers import PUNCTUATION, universal
from orange_structpred.treebank.projectivity import flatten, projective_arcs
from orange_structpred.treebank.shape import depths, no_trees

if TYPE_CHECKING:
    from Orange.data import Table

    from orange_structpred.treebank import Sentence, Treebank

#: The measures by name, as in `Evaluation.score` and in JSON.
MEASURES = ("uas", "las", "uas_nopunct", "las_nopunct",
            "complete", "complete_nopunct", "root", "trees")
LABELLED = ("las", "las_nopunct")
NO_RELATION = "_"
NO_PREDICTION = "the treebank has no prediction"


class MismatchError(InputError):
    """Gold and predicted sentences do not match."""


class NoHeadError(MismatchError):
    """A token has no head; `which` of them, "gold" or "predicted"."""

    def __init__(self, message: str, which: str):
        super().__init__(message)
        self.which = which


class Evaluation:
    """Scores of one prediction for the sentences of a treebank.

    Parameters
    ----------
    gold : sentences with known heads
    heads : predicted heads, an array for each sentence as in `Sentence.heads`
    deprels : predicted relations, a list for each sentence; None if the
        prediction has none
    name : the name of the prediction
    probabilities : of the predicted heads, an array for each sentence, if known
    first : number of the first sentence, for messages

    Attributes
    ----------
    uas, las, uas_nopunct, las_nopunct : share of tokens with the right head
        (las: and the right universal relation); las is None without relations
    complete, complete_nopunct : share of sentences with no wrong head
    root : share of sentences with exactly the right token(s) as root
    trees : share of sentences whose predicted heads are a tree; less than 1 only for
        an approximate decoder
    sentences, tokens : their numbers

    All shares are between 0 and 1, and nan where nothing can be counted.
    Arrays over tokens (gold_heads, heads, head_correct, ...) hold the tokens
    of all sentences one after the other; sentence i has
    offsets[i]:offsets[i + 1]. gold_relations and relations are without
    subtypes, as for LAS; gold_deprels and deprels have them.
    """

    def __init__(self, gold: Sequence[Sentence], heads: Sequence[np.ndarray],
                 deprels: Sequence[Sequence[str]] | None = None,
                 name: str = "",
                 probabilities: Sequence[np.ndarray] | None = None, *, first: int = 1):
        self.name = name
        self.probabilities = (None if probabilities is None
                              else np.concatenate([[], *probabilities]))
        self.gold = list(gold)
        _check_heads(self.gold, heads, deprels, first)
        self.gold_heads, self.offsets = flatten(
            [sentence.heads for sentence in self.gold])
        self.heads, _ = flatten(heads)
        self.head_correct = self.gold_heads == self.heads
        self.gold_deprels: list[str] = [
            relation for sentence in self.gold for relation in sentence.deprels]
        self.gold_relations: list[str] = list(map(universal, self.gold_deprels))
        self.deprels = self.relations = None
        self.relation_correct = None
        self._groupings: dict[str, tuple[np.ndarray, list[str]]] = {}
        if deprels is not None:
            self.deprels = [relation for sentence in deprels for relation in sentence]
            self.relations = list(map(universal, self.deprels))
            same = [a == b for a, b in zip(self.gold_relations, self.relations)]
            self.relation_correct = self.head_correct & np.array(same, bool)

    @property
    def sentences(self) -> int:
        return len(self.gold)

    @property
    def tokens(self) -> int:
        return len(self.gold_heads)

    # Arrays over tokens

    @cached_property
    def sentence_of(self) -> np.ndarray:
        """The index of each token's sentence."""
        return np.repeat(np.arange(self.sentences), np.diff(self.offsets))

    @cached_property
    def positions(self) -> np.ndarray:
        """1 for the first token of each sentence, and so on."""
        return np.arange(self.tokens) - self.offsets[self.sentence_of] + 1

    @cached_property
    def upos(self) -> list[str]:
        return [tag for sentence in self.gold for tag in sentence.upos]

    @cached_property
    def punctuation(self) -> np.ndarray:
        return np.array([tag == PUNCTUATION for tag in self.upos], bool)

    def counted(self, punct: bool) -> np.ndarray:
        """Which tokens count: all of them, or all but punctuation."""
        return np.ones(self.tokens, bool) if punct else ~self.punctuation

    @cached_property
    def arc_lengths(self) -> np.ndarray:
        """Distance of each token from its gold head, in tokens."""
        return np.abs(self.gold_heads - self.positions)

    @cached_property
    def depths(self) -> np.ndarray:
        """Number of gold arcs from the artificial root down to each token."""
        return depths(self.gold_heads, self.offsets)

    def grouping(self, by: str) -> tuple[np.ndarray, list[str]]:
        """The number of each token's group in a breakdown, and the labels of all groups
        in the order to show them; computed once."""
        if by not in GROUPINGS:
            raise InputError(f"unknown breakdown '{by}'; "
                             f"expected one of: {', '.join(GROUPINGS)}")
        if by not in self._groupings:
            self._groupings[by] = GROUPINGS[by](self)
        return self._groupings[by]

    @cached_property
    def projective(self) -> np.ndarray:
        """Whether each token's gold arc is projective."""
        return projective_arcs([sentence.heads for sentence in self.gold])

    # Scores

    def counts(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """Per sentence: how many were correct, how many counted.

        For uas and las tokens are counted, for complete, root and trees the sentence
        itself. A measure is the quotient of the two sums.
        """
        if measure not in MEASURES:
            raise InputError(f"unknown measure '{measure}'; "
                             f"expected one of: {', '.join(MEASURES)}")
        if measure == "root":
            wrong = (self.heads == 0) != (self.gold_heads == 0)
            return ((self._sums(wrong) == 0).astype(int),
                    np.ones(self.sentences, int))
        if measure == "trees":
            valid = np.ones(self.sentences, int)
            valid[no_trees(self.heads, self.offsets)] = 0
            return valid, np.ones(self.sentences, int)
        counting = self.counted(not measure.endswith("_nopunct"))
        right = self.head_correct
        if measure in LABELLED:
            if self.relation_correct is None:
                raise InputError(
                    f"prediction '{self.name}' has no relations, so no LAS")
            right = self.relation_correct
        correct, counted = self._sums(right & counting), self._sums(counting)
        if measure.startswith("complete"):
            # A sentence of which nothing counts is neither right nor wrong.
            return (((correct == counted) & (counted > 0)).astype(int),
                    (counted > 0).astype(int))
        return correct, counted

    def _sums(self, over_tokens: np.ndarray) -> np.ndarray:
        return np.bincount(self.sentence_of, over_tokens, self.sentences
                           ).astype(int)

    def score(self, measure: str) -> float | None:
        """A measure by its name; None for LAS of an unlabelled prediction."""
        if measure in LABELLED and self.relation_correct is None:
            return None
        correct, counted = self.counts(measure)
        return float(quotient(correct.sum(), counted.sum()))

    uas = property(lambda self: self.score("uas"))
    las = property(lambda self: self.score("las"))
    uas_nopunct = property(lambda self: self.score("uas_nopunct"))
    las_nopunct = property(lambda self: self.score("las_nopunct"))
    complete = property(lambda self: self.score("complete"))
    complete_nopunct = property(lambda self: self.score("complete_nopunct"))
    root = property(lambda self: self.score("root"))
    trees = property(lambda self: self.score("trees"))

    def sentence_uas(self, punct: bool = True) -> np.ndarray:
        """UAS of each sentence; nan where no token counts."""
        return quotient(*self.counts("uas" if punct else "uas_nopunct"))

    def sentence_las(self, punct: bool = True) -> np.ndarray:
        """LAS of each sentence; nan where no token counts."""
        return quotient(*self.counts("las" if punct else "las_nopunct"))

    def breakdown(self, by: str, punct: bool = True) -> list[Group]:
        """UAS over groups of tokens.

        by : one of `BREAKDOWNS`; groups without tokens are left out. "relation"
            counts acl:relcl as acl, "relation with subtypes" keeps them apart
        punct : whether punctuation counts
        """
        return breakdown(self, by, punct)

    def group_intervals(self, by: str, punct: bool = True
                        ) -> dict[str, tuple[float, float]]:
        """95% bootstrap intervals of the UAS of each group of a breakdown, by the
        group's label, resampling sentences."""
        return group_intervals(self, by, punct)

    def confidence_interval(self, measure: str = "uas", level: float = 0.95,
                            random_state: int = 0) -> tuple[float, float]:
        """Bootstrap interval of a measure, resampling sentences."""
        return significance.confidence_interval(
            *self.counts(measure), level=level, random_state=random_state)

    def token_table(self) -> Table:
        """One row per token, to find out what tokens with wrong heads have in common."""
        # imported here, as it imports this module
        from orange_structpred.evaluation.table import token_table
        return token_table(self)

    def to_dict(self) -> dict:
        """The scores in percent, ready for JSON; None where there is none."""
        from orange_structpred.evaluation.totals import Totals
        totals = Totals(labelled=self.relation_correct is not None)
        totals.add(self)
        return totals.to_dict(self.name)

    def __repr__(self) -> str:
        return (f"<Evaluation of '{self.name}': {self.sentences} sentences, "
                f"UAS {self.uas:.4f}>")


def percent(share: float | None) -> float | None:
    """A share as percent with four digits; None for nan, which JSON lacks."""
    return None if share is None or np.isnan(share) else round(100 * share, 4)


def _check_heads(gold, heads, deprels, first: int) -> None:
    """Each gold sentence must have heads, and a prediction of its length."""
    if len(heads) != len(gold) or deprels is not None and len(deprels) != len(gold):
        raise MismatchError(f"there are predictions for {len(heads)} sentences, "
                            f"expected {len(gold)}")
    for number, (sentence, predicted) in enumerate(zip(gold, heads), first):
        relations = deprels[number - first] if deprels is not None else predicted
        if not len(predicted) == len(relations) == len(sentence):
            raise MismatchError(
                f"{_named(number, sentence)}: found {len(predicted)} predicted "
                f"heads, expected {len(sentence)}")
        for which, values in ("gold", sentence.heads), ("predicted", predicted):
            unknown = np.flatnonzero(np.asarray(values) < 0)
            if len(unknown):
                token = unknown[0]
                raise NoHeadError(
                    f"{_named(number, sentence)}, token {token + 1} "
                    f"'{sentence.forms[token]}': no {which} head", which)


def _named(number: int, sentence: Sentence) -> str:
    identifier = f" ({sentence.sent_id})" if sentence.sent_id else ""
    return f"sentence {number}{identifier}"


def evaluate(treebank: Table, prediction: str | None = None) -> Evaluation:
    """Score a prediction in a treebank against its gold trees.

    treebank : a Treebank, or a Table that contains one
    prediction : name of its column; may be omitted if there is only one
    """
    treebank = as_treebank(treebank)
    predictions = treebank.predictions
    if prediction is None:
        if len(predictions) != 1:
            raise InputError(
                NO_PREDICTION if not predictions else
                "name one of the predictions: " + ", ".join(predictions))
        prediction, = predictions
    chosen = treebank.prediction(prediction)
    return Evaluation(treebank.sentences, chosen.heads, chosen.deprels, prediction,
                      chosen.probabilities)


def evaluate_known(treebank: Treebank, name: str) -> tuple[Evaluation, np.ndarray]:
    """The scores of a prediction in the sentences that have gold and predicted heads, and
    the rows of these."""
    prediction = treebank.prediction(name)
    sentences = treebank.sentences
    rows = np.flatnonzero([sentence.has_heads and heads.min() >= 0
                           for sentence, heads in zip(sentences, prediction.heads)])
    return Evaluation(
        [sentences[row] for row in rows], [prediction.heads[row] for row in rows],
        prediction.deprels and [prediction.deprels[row] for row in rows], name,
        prediction.probabilities and [prediction.probabilities[row] for row in rows]), rows


def evaluate_sentences(gold: Sequence[Sentence], predicted: Sequence[Sentence],
                       name: str = "") -> Evaluation:
    """Score predicted sentences against gold sentences with the same tokens.

    Without any predicted relation ("_" throughout) there is no LAS.
    """
    check_tokens(gold, predicted)
    deprels = [sentence.deprels for sentence in predicted]
    labelled = any(relation != NO_RELATION for relation in chain.from_iterable(deprels))
    return Evaluation(gold, [sentence.heads for sentence in predicted],
                      deprels if labelled else None, name)


def check_tokens(gold: Sequence[Sentence], predicted: Sequence[Sentence],
                 first: int = 1) -> None:
    """Say where the tokens of two lists of sentences differ first, if they do.

    first : number of the first of them
    """
    for number, (right, guessed) in enumerate(zip(gold, predicted), first):
        if right.forms == guessed.forms:
            continue
        token = next((index for index, (a, b)
                      in enumerate(zip(right.forms, guessed.forms)) if a != b),
                     min(len(right), len(guessed)))
        raise MismatchError(
            f"tokens differ at {_named(number, right)}, token {token + 1}: "
            f"found {_form(guessed, token)}, expected {_form(right, token)}")
    if len(gold) != len(predicted):
        common = min(len(gold), len(predicted))
        longer, less = (gold, "prediction") if len(gold) > len(predicted) \
            else (predicted, "gold")
        raise MismatchError(
            f"tokens differ at {_named(first + common, longer[common])}, token 1: "
            f"the {less} ends before it")


def _form(sentence: Sentence, index: int) -> str:
    return f"'{sentence.forms[index]}'" if index < len(sentence) \
        else "the end of the sentence"
