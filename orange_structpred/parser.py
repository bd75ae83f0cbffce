"""A trained parser."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from Orange.base import Model
from Orange.data import Table

from orange_structpred.files import models as modelfile
from orange_structpred.parsing.contributions import Contribution
from orange_structpred.parsing.decoders import DECODERS, is_tree
from orange_structpred.parsing.explicit import ExplicitModel
from orange_structpred.parsing.implicit import KernelModel, LinearKernelModel
from orange_structpred.parsing.relations.model import RelationModel
from orange_structpred.parsing.second_order.model import SecondOrderModel
from orange_structpred.running.cancellation import Cancellation, Cancelled
from orange_structpred.running.threads import CHUNK, n_threads
from orange_structpred.svm import Report, Solution
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.encoding import encode, string_ids
from orange_structpred.treebank.given import as_sentences
from orange_structpred.treebank.prediction import Prediction
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

UNKNOWN_TAGS = 0.05         # share of tokens with unseen tags that is worth a warning

TreeModel = ExplicitModel | SecondOrderModel | KernelModel | LinearKernelModel
Progress = Callable[[float], object]


class UnknownTagsWarning(UserWarning):
    """A parser meets tags that it has never seen."""


class Parser(Model):
    """A trained parser. ``parser(treebank)`` adds a column with its heads and, if it
    has learned relations, with these.

    Attributes
    ----------
    name : str
    log : list of Report, one for each pass
    converged, stopped : bool
        How training ended
    n_weights : int
    relations : RelationModel, or None for a parser of heads alone
    decoder : str
    """

    def __init__(self, model: TreeModel, *,
                 decoder: str, single_root: bool, tags: np.ndarray, name: str,
                 n_jobs: int = 1, solution: Solution | None = None,
                 relations: RelationModel | None = None):
        super().__init__()
        self.model, self.relations = model, relations
        self.decoder, self.single_root = decoder, single_root
        self.tags, self.name, self.n_jobs = tags, name, n_jobs
        self.log: list[Report] = list(solution.reports) if solution else []
        self.converged = bool(solution and solution.converged)
        self.stopped = bool(solution and solution.stopped)

    @property
    def n_weights(self) -> int:
        return self.model.n_weights

    def __call__(self, data: Table, progress: Progress | None = None, *,
                 name: str | None = None) -> Treebank:
        """The treebank with one more column, the heads and relations that this parser
        finds.

        name : of the column; by default the parser's name
        """
        treebank = as_treebank(data)
        found = self.predict(treebank, progress=progress)
        return treebank.with_prediction(name or self.name, found.heads, found.deprels)

    def predict_heads(self, sentences: Iterable[Sentence] | Table, *,
                      progress: Progress | None = None) -> list[np.ndarray]:
        """Heads of each sentence; `progress` cancels by returning False."""
        return self._predict(sentences, progress, None).heads

    def predict(self, sentences: Iterable[Sentence] | Table, *,
                progress: Progress | None = None) -> Prediction:
        """Heads, and relations where the parser has learned them, of each sentence.

        A treebank that is parsed again is not encoded again.

        progress : gets the fraction that is done; cancels by returning False
        """
        return self._predict(sentences, progress, self.relations)

    def _predict(self, sentences: Iterable[Sentence] | Table,
                 progress: Progress | None, relations: RelationModel | None
                 ) -> Prediction:
        treebank = as_treebank(sentences) if isinstance(sentences, Table) else None
        sentences = as_sentences(sentences if treebank is None else treebank)
        self.warn_of_unknown_tags(sentences)
        if not len(sentences):
            return Prediction([], [] if relations else None)
        cancellation = Cancellation(progress)
        encoded = (treebank.encoded(cancellation) if treebank is not None else encode(
            cancellation.cancellable(sentences),
            check_cancelled=cancellation.check_cancelled))
        done = 0
        cancelled = False

        def stop() -> bool:
            nonlocal done, cancelled
            done += CHUNK
            cancelled = cancelled or not cancellation.report_progress(
                min(1., done / len(sentences)))
            return cancelled

        n_jobs = n_threads(self.n_jobs)
        heads = self.model.heads(
            sentences, encoded, DECODERS[self.decoder], self.single_root,
            n_jobs=n_jobs, stop=stop)
        if cancelled:
            raise Cancelled
        return Prediction(heads, relations and relations.relations(
            encoded, heads, n_jobs=n_jobs))

    def parse(self, sentences: Iterable[Sentence] | Table,
              progress: Progress | None = None) -> list[Sentence]:
        """The sentences with new heads and relations; with no relations, if the parser
        has learned none. Everything else is as it was."""
        sentences = as_sentences(sentences)
        found = self.predict(sentences, progress=progress)
        heads, deprels = found.heads, found.deprels
        if invalid := self.invalid_trees(heads):
            raise ValueError(
                f"the heads of {invalid} of {len(heads)} sentences are no tree, found "
                f"with decoder {self.decoder!r}; sentences need trees: parse "
                "with decoder 'exact' or 'projective'")
        if deprels is None:
            deprels = [["_"] * len(own) for own in heads]
        return list(map(Sentence.with_heads, sentences, heads, deprels))

    def invalid_trees(self, heads: Sequence[np.ndarray]) -> int:
        """How many of these are no trees; approximate decoder has some."""
        return sum(not is_tree(np.append(np.int32(-1), own)) for own in heads)

    def warn_of_unknown_tags(self, sentences: Sequence[Sentence]) -> None:
        tags = [tag for s in sentences for pair in zip(s.upos, s.xpos) for tag in pair]
        distinct, counts = np.unique(tags, return_counts=True) if tags else ([], [])
        unknown = ~np.isin(string_ids(map(str, distinct)), self.tags)
        share = np.sum(np.asarray(counts)[unknown]) / max(1, len(tags))
        if share > UNKNOWN_TAGS:
            examples = list(map(str, np.asarray(distinct)[unknown]))
            found = (f"missing; the parser {self.name!r} needs them: tag the sentences "
                     "first" if examples == ["_"] else
                     f"unknown to the parser {self.name!r} ({', '.join(examples[:5])}): "
                     "was it trained with another tag set?")
            warnings.warn(f"{share:.0%} of the tags are {found}", UnknownTagsWarning,
                          stacklevel=3)

    def edge_scores(self, sentence: Sentence) -> np.ndarray:
        """scores[head, dependent], with the root at position 0; -inf where an edge is
        pruned, and so never part of a tree."""
        return self.model.edge_scores(sentence)

    def explain(self, sentence: Sentence, head: int, dependent: int
                ) -> list[Contribution]:
        """What each feature contributes to the score of an edge, the strongest first.

        The values add up to the score of the edge.
        """
        n = len(sentence)
        if not (0 <= head <= n and 1 <= dependent <= n and head != dependent):
            raise ValueError(f"there is no edge from {head} to {dependent} in a "
                             f"sentence of {n} tokens; heads are 0 to {n}, dependents "
                             f"1 to {n}")
        contributions = self.model.contributions(sentence, head, dependent)
        return sorted(contributions, key=lambda item: -abs(item.value))

    def save(self, path: str | os.PathLike) -> None:
        """Write the parser to a file that holds no code."""
        modelfile.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike) -> Parser:
        return modelfile.load(path)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return (f"<Parser {self.name!r}: {self.decoder} trees, "
                f"{self.n_weights} weights>")
