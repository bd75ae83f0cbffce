"""How a parser finds trees: in batches, in pieces, on a cluster."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.parser.constrained import (
    Arc,
    ConstrainedTrees,
    KnownArcs,
    check_known_arcs,
)
from orange_structpred.parser.expected_tags import check_tags, warn_of_unknown_tags
from orange_structpred.parser.probabilities import Probabilities
from orange_structpred.parsing.decoding.decoders import DECODERS, is_tree
from orange_structpred.parsing.decoding.pieces import (
    LongSentenceWarning,
    check_length,
    decoding_batches,
    joined_heads,
    joined_probabilities,
    joined_relations,
    sentence_pieces,
)
from orange_structpred.parsing.neural.net_model import NetModel
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.running.threads import CHUNK, n_threads
from orange_structpred.svm.programs import Constraints
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.prediction import (
    Prediction,
    join_predictions,
    with_head_probabilities,
)
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from distributed import Client


class PredictedTrees(Probabilities, ConstrainedTrees):
    """A part of `Parser`."""

    @property
    def net(self) -> NetModel | None:
        """The net that has a say in heads and relations, if there is one."""
        return self.model.net

    def predict_heads(self, sentences: Iterable[Sentence] | Table, *,
                      progress: Progress | None = None) -> list[np.ndarray]:
        """Heads of each sentence; `progress` as in `predict`."""
        return self._predict(sentences, progress, None).heads

    def predict(self, sentences: Iterable[Sentence] | Table, *,
                probabilities: bool = False,
                constraints: Constraints | Sequence[KnownArcs] | None = None,
                progress: Progress | None = None, client: Client | str | None = None
                ) -> Prediction:
        """The heads of each sentence, and its relations if the parser has learned them.

        A treebank that is parsed again is not encoded again.

        probabilities : whether to compute the probability of each head as well, which
            takes longer than parsing; the parser must be calibrated
        constraints : list of dictionaries, or function
            What is known of each sentence: for some of its tokens, numbered from 1 on,
            an `Arc` of a head, a relation or both, as in ``{2: Arc(3, "nsubj"),
            4: Arc(head=0), 5: Arc(relation="punct")}``. Trees that fit are predicted as
            they would be without; else the best tree that fits is found. A relation alone
            does not choose the head, but with the relations of Universal Dependencies
            "root" has the head 0, and no other relation has.

            A function gets the integer program of a sentence's trees and that sentence;
            it returns further constraints that its tree must satisfy, one or a list of
            scipy.optimize.LinearConstraint. `IntegerProgram.limit` makes them; variables
            are named (head, dependent). The tree is then the best one, whatever the
            decoder approximates
        progress : gets the fraction that is done; raises Cancelled to end the work
        client : a `dask.distributed.Client` or the address of a scheduler, whose workers
            do the work; the result is the same
        """
        if probabilities:
            self.expect_calibrated()
        with connected(client) as cluster:
            if cluster is not None:
                return self._on_cluster(sentences, cluster, probabilities, constraints,
                                        progress)
        return self._predict(sentences, progress, self.relations, probabilities,
                             constraints)

    def _on_cluster(self, data: Iterable[Sentence] | Table, cluster: Cluster,
                    probabilities: bool,
                    constraints: Constraints | Sequence[KnownArcs] | None,
                    progress: Progress | None) -> Prediction:
        sentences: Sequence = as_sentences(data)
        work: Callable[..., Prediction] = partial(
            PredictedTrees.predict, probabilities=probabilities, constraints=constraints)
        if constraints is not None and not callable(constraints):
            known = check_known_arcs(constraints, sentences, self.relations)
            work = partial(predict_known, probabilities=probabilities)
            sentences = list(zip(sentences, known))
        return join_predictions(
            cluster.parts(work, sentences, cluster.share(self), progress=progress),
            deprels=self.relations is not None, probabilities=probabilities)

    def _predict(self, data: Iterable[Sentence] | Table, progress: Progress | None,
                 relations: RelationModel | None, probabilities: bool = False,
                 constraints: Constraints | Sequence[KnownArcs] | None = None
                 ) -> Prediction:
        treebank = as_treebank(data) if isinstance(data, Table) else None
        sentences = as_sentences(data if treebank is None else treebank)
        check_tags(sentences, self.tags, self.name)
        warn_of_unknown_tags(sentences, self.tags, self.name)
        known: list[dict[int, Arc]] = []
        if constraints is not None and not callable(constraints):
            known = check_known_arcs(constraints, sentences, self.relations)
            constraints = None
        constrained = constraints is not None or any(known)
        if not len(sentences):
            return Prediction([], [] if relations else None,
                              [] if probabilities else None)
        cancellation = Cancellation(progress)
        longest = max(map(len, sentences))
        if longest > self.longest and not constrained:
            return self._in_pieces(sentences, relations, probabilities, cancellation)
        check_length(longest, "parse it in shorter pieces")
        encoded = (treebank.encoded(cancellation) if treebank is not None
                   else encoded_by(sentences, cancellation))
        return self._in_batches(
            sentences, encoded, relations, probabilities, cancellation, constraints, known)

    def _in_pieces(self, sentences: Sequence[Sentence], relations: RelationModel | None,
                   probabilities: bool, cancellation: Cancellation) -> Prediction:
        """Cut sentences that are too long, and join what is found for their pieces."""
        parts = [sentence_pieces(sentence, self.longest)
                 if len(sentence) > self.longest else [sentence]
                 for sentence in sentences]
        warnings.warn(
            f"{sum(len(part) > 1 for part in parts)} of {len(parts)} sentences have more "
            f"than {self.longest} tokens and are parsed in pieces", LongSentenceWarning,
            stacklevel=4)
        flat = [piece for part in parts for piece in part]
        predicted = self._in_batches(
            flat, encoded_by(flat, cancellation), relations, probabilities,
            cancellation)
        ends = np.cumsum([len(part) for part in parts])
        groups = [slice(end - len(part), end) for part, end in zip(parts, ends)]
        return Prediction(
            [joined_heads(predicted.heads[group], self.single_root) for group in groups],
            predicted.deprels and [joined_relations(predicted.deprels[group], self.single_root)
                                   for group in groups],
            predicted.probabilities and [
                joined_probabilities(predicted.probabilities[group], predicted.heads[group],
                                     self.single_root) for group in groups])

    def _in_batches(self, sentences: Sequence[Sentence], encoded: Encoded,
                    relations: RelationModel | None, probabilities: bool,
                    cancellation: Cancellation, constraints: Constraints | None = None,
                    known: Sequence[KnownArcs] = ()) -> Prediction:
        """Sentences that are not too long, in batches that end soon.

        constraints : on their integer programs
        known : what is known of each, if anything is
        """
        done = 0

        def chunk_done() -> None:
            nonlocal done
            done += CHUNK
            cancellation.report_progress(
                min(1., done / len(sentences) / (2 if probabilities else 1)))

        def check_cancelled() -> None:
            cancellation.report_progress(cancellation.fraction)

        n_jobs = n_threads(self.n_jobs)
        predicted = []
        for batch in decoding_batches(sentences):
            part = sentences[batch], encoded.between(batch.start, batch.stop)
            done = batch.start * (2 if probabilities else 1)
            net_scores = None if self.net is None else self.net.scores(
                *part, n_jobs=n_jobs, check_cancelled=check_cancelled)
            if constraints is not None:
                heads = self.heads_within(part[0], constraints, batch.start, check_cancelled)
            else:
                heads = self.model.heads(
                    *part, DECODERS[self.decoder], self.single_root, n_jobs=n_jobs,
                    check_cancelled=chunk_done, net_scores=net_scores)
            if any(known[batch]):
                heads = self.heads_with(known[batch], part[0], heads, batch.start,
                                        check_cancelled)
            shares = self.head_probabilities(
                *part, heads, n_jobs, chunk_done, net_scores) if probabilities else None
            deprels_of = None if relations is None else relations.relations(
                part[1], heads, n_jobs=n_jobs, check_cancelled=check_cancelled,
                net_scores=net_scores)
            predicted.append(Prediction(heads, deprels_of, shares))
        joined = join_predictions(predicted, deprels=relations is not None,
                                  probabilities=probabilities)
        if joined.deprels:
            for deprels, arcs in zip(joined.deprels, known):
                for token, arc in arcs.items():
                    if arc.relation is not None:
                        deprels[token - 1] = arc.relation
        return joined

    def parse(self, sentences: Iterable[Sentence] | Table,
              progress: Progress | None = None, *, probabilities: bool = False,
              constraints: Constraints | Sequence[KnownArcs] | None = None,
              client: Client | str | None = None, trees: bool = True) -> list[Sentence]:
        """The sentences with new heads and relations; without relations, if the parser
        has learned none. Everything else stays the same.

        probabilities : whether the probability of each head is written to the last
            column, as ``HeadProb=0.97``
        constraints, progress, client : as in `predict`
        trees : whether heads that do not form a tree, as approximate decoding may find,
            are an error; if not, the result is good for files and scores only
        """
        sentences = as_sentences(sentences)
        predicted = self.predict(sentences, probabilities=probabilities,
                                 constraints=constraints, progress=progress, client=client)
        heads, deprels = predicted.heads, predicted.deprels
        if trees and (invalid := self.invalid_trees(heads)):
            raise InputError(
                f"the predicted heads of {invalid} of {len(heads)} sentences do not form a "
                f"tree (decoder {self.decoder!r}); use decoder='exact' or 'projective'")
        if deprels is None:
            deprels = [["_"] * len(tree) for tree in heads]
        parsed = [sentence.with_heads(tree, labels, trees=trees)
                  for sentence, tree, labels in zip(sentences, heads, deprels)]
        return with_head_probabilities(parsed, predicted.probabilities)

    def invalid_trees(self, heads: Sequence[np.ndarray]) -> int:
        """How many of these are not trees, as the approximate decoder may return."""
        return sum(not is_tree(np.append(np.int32(-1), tree)) for tree in heads)


def predict_known(parser: PredictedTrees, part: Sequence[tuple[Sentence, KnownArcs]], *,
                  probabilities: bool) -> Prediction:
    """For workers: sentences, each with what is known of it."""
    return parser.predict([sentence for sentence, _ in part], probabilities=probabilities,
                          constraints=[arcs for _, arcs in part])


def encoded_by(sentences: Sequence[Sentence], cancellation: Cancellation) -> Encoded:
    return encode(cancellation.cancellable(sentences),
                  check_cancelled=cancellation.check_cancelled)
