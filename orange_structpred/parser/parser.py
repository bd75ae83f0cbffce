"""A trained parser."""
from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from Orange.base import Model
from Orange.data import Domain, Table

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError
from orange_structpred.files import models
from orange_structpred.files.models import Component, ModelFile
from orange_structpred.files.schema import (
    Array,
    DictOf,
    Flag,
    Number,
    OneOf,
    Optional,
    Text,
    Value,
    Whole,
)
from orange_structpred.files.values import LONGEST_NAME
from orange_structpred.parser.constrained import (
    Arc,
    ConstrainedTrees,
    KnownArcs,
    check_known_arcs,
)
from orange_structpred.parser.further_training import FurtherTraining
from orange_structpred.parser.probabilities import Probabilities
from orange_structpred.parsing.calibration import COLDEST, HOTTEST
from orange_structpred.parsing.decoding.decoders import (
    DECODERS,
    is_tree,
)
from orange_structpred.parsing.decoding.pieces import (
    LONGEST_WHOLE,
    LongSentenceWarning,
    check_length,
    decoding_batches,
    joined_heads,
    joined_probabilities,
    joined_relations,
    sentence_pieces,
)
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.parsing.kernel.part_kernel import (
    MOST_TEMPLATES,
    PartKernelModel,
)
from orange_structpred.parsing.neural.net_model import (
    NET_COMPONENT,
    NetModel,
)
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.parsing.relations.labelled_loss import LABELLED_LOSS
from orange_structpred.parsing.relations.relation_explanation import (
    RelationExplanation,
    explain_relation,
    relation_probabilities,
)
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.transitions.transition_model import TransitionModel
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.running.threads import CHUNK, n_threads
from orange_structpred.svm import Report, Solution
from orange_structpred.svm.logs import log_from_rows, log_rows, log_schema
from orange_structpred.svm.programs import Constraints
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import Encoded, encode, string_id, string_ids
from orange_structpred.treebank.prediction import (
    Prediction,
    join_predictions,
    with_head_probabilities,
)
from orange_structpred.treebank.seen import count_seen
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

if TYPE_CHECKING:
    from distributed import Client

UNKNOWN_TAGS = 0.05         # share of tokens with unseen tags that is worth a warning


class MissingTagsError(InputError):
    """A sentence has no tags, and a parser that has learned from tags would guess."""

    def __init__(self, number: int, sent_id: str, parser: str, file: str = ""):
        self.arguments = number, sent_id, parser, file
        name = f" ({sent_id!r})" if sent_id else ""
        where = f"{file}: " if file else ""
        super().__init__(f"{where}sentence {number}{name} has no part-of-speech tags, and "
                         f"the parser {parser!r} needs them: tag the sentences first")

    def __reduce__(self):
        return MissingTagsError, self.arguments

    def after(self, n: int, file: str) -> MissingTagsError:
        """The same, where n other sentences of the file came before."""
        number, sent_id, parser, _ = self.arguments
        return MissingTagsError(n + number, sent_id, parser, file)


class UnknownTagsWarning(UserWarning):
    """The sentences have tags that the parser has never seen."""


class Parser(Probabilities, ConstrainedTrees, FurtherTraining, Model):
    """A trained parser. ``parser(treebank)`` adds a column with predicted heads and, if
    the parser has learned relations, relations.

    Attributes
    ----------
    name : str
    log : list of Report, one for each pass
    converged, stopped : bool
        How training ended
    kept_pass : int or None
        The pass with the smallest validation loss, if it is the one that was kept
    n_weights : int
    relations : RelationModel, or None for a parser that predicts only heads
    decoder : str
        A name in `DECODERS`; it can be changed, for a second-order parser between
        "projective" and "rearranged"; a transition-based one is always "projective"
    temperature : float, or None if none was fitted
        Scores are divided by it to give probabilities
    training_ids : uint64 array
        Numbers of the sentences that it was trained on, see `treebank.seen`; empty if
        they are not known
    group_norms : dict, or None where nothing of this kind was learned
        Norms of the hash functions, input kernels or feature groups that were chosen, by
        their names; see `svm.group_sparsity`
    longest : int
        Sentences of more tokens are parsed in pieces
    """

    longest = LONGEST_WHOLE

    def __init__(self, model: TreeModel, *,
                 decoder: str, single_root: bool, tags: np.ndarray, name: str,
                 n_jobs: int = 1, solution: Solution | None = None,
                 relations: RelationModel | None = None,
                 temperature: float | None = None,
                 training_ids: np.ndarray | None = None,
                 group_norms: dict[str, float] | None = None):
        # no class variable: Orange's widgets for models ask for it
        super().__init__(Domain(()))
        self.model, self.relations = model, relations
        self.temperature, self.group_norms = temperature, group_norms
        self.training_ids = np.zeros(0, np.uint64) if training_ids is None \
            else training_ids
        self.decoder, self.single_root = decoder, single_root
        self.tags, self.name, self.n_jobs = tags, name, n_jobs
        self.log: list[Report] = list(solution.reports) if solution else []
        self.converged = bool(solution and solution.converged)
        self.stopped = bool(solution and solution.stopped)
        self.kept_pass: int | None = solution.kept if solution else None

    @property
    def n_weights(self) -> int:
        return self.model.n_weights

    @property
    def net(self) -> NetModel | None:
        """The net that has a say in heads and relations, if there is one."""
        return self.model.net

    @property
    def decoder(self) -> str:
        return self._decoder

    @decoder.setter
    def decoder(self, decoder: str) -> None:
        if decoder not in DECODERS:
            raise InputError(f"unknown decoder {decoder!r}; valid decoders are "
                             f"{', '.join(DECODERS)}")
        if decoder not in self.model.decoders:
            raise InputError(
                f"a {self.model.kind} parser cannot use the decoder {decoder!r}, only "
                f"{' and '.join(map(repr, self.model.decoders))}; train a parser of "
                f"order 1 for {decoder!r}")
        self._decoder = decoder

    def __call__(self, data: Table, progress: Progress | None = None, *,
                 name: str | None = None, probabilities: bool = False,
                 client: Client | str | None = None) -> Treebank:
        """The treebank with one more column, the heads and relations that this parser
        finds.

        name : of the column; by default the parser's name
        probabilities : whether the column tells how sure the parser is of each head
        client : as in `predict`
        """
        if progress is not None and not callable(progress):
            # as Predictions and Test and Score call a model
            raise InputError("a parser predicts trees, not values of a target variable; "
                             "connect it to Apply Parser")
        treebank = as_treebank(data)
        predicted = self.predict(treebank, probabilities=probabilities, progress=progress,
                                 client=client)
        return treebank.with_prediction(
            name or self.name, predicted.heads, predicted.deprels, predicted.probabilities,
            seen=self.count_seen(treebank))

    def count_seen(self, data: Table) -> int:
        """How many of the sentences it was trained on, as far as it knows."""
        if not len(self.training_ids) or not len(data):
            return 0
        return count_seen(as_treebank(data).encoded(), self.training_ids)

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
            Parser.predict, probabilities=probabilities, constraints=constraints)
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
        self.check_tags(sentences)
        self.warn_of_unknown_tags(sentences)
        if constraints is not None and not callable(constraints):
            constraints = check_known_arcs(constraints, sentences, self.relations)
            if not any(constraints):
                constraints = None
        if not len(sentences):
            return Prediction([], [] if relations else None,
                              [] if probabilities else None)
        cancellation = Cancellation(progress)
        longest = max(map(len, sentences))
        if longest > self.longest and constraints is None:
            return self._in_pieces(sentences, relations, probabilities, cancellation)
        check_length(longest, "parse it in shorter pieces")
        encoded = (treebank.encoded(cancellation) if treebank is not None
                   else encoded_by(sentences, cancellation))
        return self._in_batches(
            sentences, encoded, relations, probabilities, cancellation, constraints)

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
                    cancellation: Cancellation,
                    constraints: Constraints | list[dict[int, Arc]] | None = None
                    ) -> Prediction:
        """Sentences that are not too long, in batches that end soon."""
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
            known = [] if constraints is None or callable(constraints) \
                else constraints[batch]
            if callable(constraints):
                heads = self.heads_within(part[0], constraints, batch.start, check_cancelled)
            else:
                heads = self.model.heads(
                    *part, DECODERS[self.decoder], self.single_root, n_jobs=n_jobs,
                    check_cancelled=chunk_done, net_scores=net_scores)
            if any(known):
                heads = self.heads_with(known, part[0], heads, batch.start, check_cancelled)
            shares = self.head_probabilities(
                *part, heads, n_jobs, chunk_done, net_scores) if probabilities else None
            deprels_of = None if relations is None else relations.relations(
                part[1], heads, n_jobs=n_jobs, check_cancelled=check_cancelled,
                net_scores=net_scores)
            predicted.append(Prediction(heads, deprels_of, shares))
        joined = join_predictions(predicted, deprels=relations is not None,
                                  probabilities=probabilities)
        if joined.deprels and constraints is not None and not callable(constraints):
            for deprels, arcs in zip(joined.deprels, constraints):
                for token, arc in arcs.items():
                    if arc.relation is not None:
                        deprels[token - 1] = arc.relation
        return joined

    def parse(self, sentences: Iterable[Sentence] | Table,
              progress: Progress | None = None, *, probabilities: bool = False,
              constraints: Constraints | Sequence[KnownArcs] | None = None,
              client: Client | str | None = None) -> list[Sentence]:
        """The sentences with new heads and relations; without relations, if the parser
        has learned none. Everything else stays the same.

        probabilities : whether the probability of each head is written to the last
            column, as ``HeadProb=0.97``
        constraints, progress, client : as in `predict`
        """
        sentences = as_sentences(sentences)
        predicted = self.predict(sentences, probabilities=probabilities,
                                 constraints=constraints, progress=progress, client=client)
        heads, deprels = predicted.heads, predicted.deprels
        if invalid := self.invalid_trees(heads):
            raise InputError(
                f"the predicted heads of {invalid} of {len(heads)} sentences do not form a "
                f"tree (decoder {self.decoder!r}); use decoder='exact' or 'projective'")
        if deprels is None:
            deprels = [["_"] * len(tree) for tree in heads]
        parsed = list(map(Sentence.with_heads, sentences, heads, deprels))
        return with_head_probabilities(parsed, predicted.probabilities)

    def invalid_trees(self, heads: Sequence[np.ndarray]) -> int:
        """How many of these are not trees, as the approximate decoder may return."""
        return sum(not is_tree(np.append(np.int32(-1), tree)) for tree in heads)

    def check_tags(self, sentences: Sequence[Sentence]) -> None:
        """Refuse sentences without any tag, unless the parser has learned from such."""
        if np.array_equal(self.tags, string_ids(["_"])):
            return
        for number, sentence in enumerate(sentences, 1):
            if {*sentence.upos, *sentence.xpos} == {"_"}:
                raise MissingTagsError(number, sentence.sent_id, self.name)

    def warn_of_unknown_tags(self, sentences: Sequence[Sentence]) -> None:
        tags = [tag for s in sentences for pair in zip(s.upos, s.xpos) for tag in pair]
        counts, known = Counter(tags), set(self.tags.tolist())
        unknown = sorted(tag for tag in counts if string_id(tag) not in known)
        share = sum(map(counts.__getitem__, unknown)) / max(1, len(tags))
        if share > UNKNOWN_TAGS:
            fault = (f"missing; the parser {self.name!r} needs them: tag the sentences "
                     "first" if unknown == ["_"] else
                     f"unknown to the parser {self.name!r} ({', '.join(unknown[:5])}): "
                     "was it trained with another tag set?")
            warnings.warn(f"{share:.0%} of the tags are {fault}", UnknownTagsWarning,
                          stacklevel=3)

    def edge_scores(self, sentence: Sentence) -> np.ndarray:
        """scores[head, dependent], with the root at position 0; -inf if an edge is
        pruned, so that it is never part of a tree."""
        return self.model.edge_scores(sentence, DECODERS[self.decoder], self.single_root)

    def explain(self, sentence: Sentence, head: int, dependent: int,
                heads: Integers | None = None) -> list[Contribution]:
        """What each feature contributes to the score of an edge, the strongest first.

        For a first-order parser, the values add up to the score of the edge; for a
        second-order parser, to that of the edge and its parts with siblings, the head's
        head and children.

        heads : of the tree in which siblings and so on are found; by default the
            predicted one
        """
        self.check_edge(sentence, head, dependent)
        around = None if heads is None else np.asarray(heads)
        if around is None and self.model.looks_around:
            around = self.predict_heads([sentence])[0]
        contributions = self.model.contributions(sentence, head, dependent, around)
        return sorted(contributions, key=lambda item: -abs(item.value))

    def check_edge(self, sentence: Sentence, head: int, dependent: int) -> None:
        n = len(sentence)
        if not (0 <= head <= n and 1 <= dependent <= n and head != dependent):
            raise InputError(f"there is no edge from {head} to {dependent} in a "
                             f"sentence of {n} tokens; heads are 0 to {n}, dependents "
                             f"1 to {n}")

    def explain_relation(self, sentence: Sentence, dependent: int, *,
                         heads: Integers | None = None, relation: str | None = None,
                         rival: str | None = None) -> RelationExplanation:
        """What favours the relation of a token over another one.

        heads : of the tree; by default the predicted one
        relation : by default the predicted one
        rival : by default the runner-up or, for a relation that is not the predicted
            one, the predicted one
        """
        model, tree = self._tree_with_relations(sentence, dependent, heads)
        for name in (relation, rival):
            if name is not None and name not in model.names:
                raise InputError(f"the parser knows no relation {name!r}; it knows "
                                 + ", ".join(model.names))
        return explain_relation(model, sentence, tree, dependent, relation, rival, self.net)

    def relation_probabilities(self, sentence: Sentence, dependent: int, *,
                               heads: Integers | None = None) -> dict[str, float]:
        """The probability of each relation that a token may have in a tree, the highest
        first.

        heads : of the tree; by default the predicted one
        """
        model, tree = self._tree_with_relations(sentence, dependent, heads)
        return relation_probabilities(model, sentence, tree, dependent, self.net)

    def _tree_with_relations(self, sentence: Sentence, dependent: int,
                             heads: Integers | None) -> tuple[RelationModel, Integers]:
        """What knows relations, and the heads of a tree in which a token can have one."""
        n = len(sentence)
        if self.relations is None:
            raise InputError(f"the parser {self.name!r} has learned no relations")
        if heads is None:
            heads = self.predict_heads([sentence])[0]
        if not 1 <= dependent <= n or len(heads) != n:
            raise InputError(f"found token {dependent} and {len(heads)} heads, expected "
                             f"a token from 1 to {n} and {n} heads")
        return self.relations, heads

    def explain_net(self, sentence: Sentence, head: int, dependent: int, *,
                    progress: Progress | None = None) -> list[Contribution]:
        """Which words the net needs for an edge: how much the logarithm of the edge's
        probability falls when a word is hidden from it, in the order of the sentence.

        The net's part of a score is not made of named features. The net reads the
        sentence once for each word, so the time grows with the square of its length.
        """
        self.check_edge(sentence, head, dependent)
        if self.net is None:
            raise InputError(f"the parser {self.name!r} has no net")
        falls = self.net.influences(sentence, encode([sentence]), head, dependent,
                                    Cancellation(progress).check_cancelled)
        return list(map(Contribution, sentence.forms, falls.tolist()))

    def contents(self) -> Component:
        """What a file holds of the parser."""
        header = {"name": self.name, "decoder": self.decoder,
                  "single_root": bool(self.single_root), "converged": self.converged,
                  "stopped": self.stopped, "kept_pass": self.kept_pass,
                  "temperature": self.temperature, "group_norms": self.group_norms}
        return models.combined(
            {**header, "kind": self.model.kind,
             "log": log_rows(self.log)},
            {"": Component(self.model.header(),
                           {"tags": self.tags, "training_ids": self.training_ids,
                            **self.model.arrays()}),
             **({RELATIONS: Component(self.relations.header(),
                                      self.relations.arrays())}
                if self.relations else {}),
             **({NET_COMPONENT: Component(self.net.header(), self.net.arrays())}
                if self.net else {})})

    @classmethod
    def read(cls, file: ModelFile) -> Parser:
        """The parser out of a file, the header of which has been checked."""
        header, arrays = file.header, file.arrays(TAGS_SCHEMA)
        model = MODELS[header["kind"]].read(file)
        if header.get("temperature") is not None:
            model.expect_edge_scores()      # or there is nothing to be sure of
        relations = RelationModel.read(file, RELATIONS) if RELATIONS in file else None
        if model.net is not None and relations is not None \
                and model.net.relations not in ((), relations.names):
            raise InputError("its net knows other relations than the parser")
        parser = cls(
            model, decoder=header["decoder"],
            single_root=header["single_root"], name=header["name"],
            temperature=header.get("temperature"), relations=relations,
            group_norms=header.get("group_norms"),
            tags=arrays["tags"], training_ids=arrays.get("training_ids"))
        parser.log = log_from_rows(header["log"], LABELLED_LOSS)
        parser.converged, parser.stopped = header["converged"], header["stopped"]
        parser.kept_pass = header.get("kept_pass")
        return parser

    def save(self, path: str | os.PathLike) -> None:
        """Write the parser to a file that contains no code."""
        models.write_single(path, format=PARSER_FORMAT, version=PARSER_VERSION,
                            whole=self.contents())

    @classmethod
    def load(cls, path: str | os.PathLike) -> Parser:
        """Read a parser; a ModelFileError if the file is not one."""
        with ModelFile(path, format=PARSER_FORMAT, versions=(1, PARSER_VERSION),
                       schema=PARSER_HEADER, components=PARSER_COMPONENTS,
                       upgrade=upgrade_header, what="parser") as file:
            return cls.read(file)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return (f"<Parser {self.name!r}: {self.decoder} trees, "
                f"{self.n_weights} weights>")


# Files

PARSER_FORMAT = "orange-structpred parser"
PARSER_VERSION = 2
MODELS = {model.kind: model
          for model in (ExplicitModel, SecondOrderModel, NeuralModel, KernelModel,
                        LinearKernelModel, PartKernelModel, TransitionModel)}
RELATIONS = "relations"     # name of the second stage's component
PARSER_COMPONENTS = (RELATIONS, NET_COMPONENT)
PARSER_HEADER: dict[str, Value] = {
    "kind": OneOf(tuple(MODELS)), "name": Text(LONGEST_NAME), "decoder": OneOf(tuple(DECODERS)),
    "single_root": Flag(), "converged": Flag(), "stopped": Flag(),
    "kept_pass": Optional(Whole(1, 1 << 40)),
    "temperature": Optional(Number(COLDEST, HOTTEST)),
    "group_norms": Optional(DictOf(Number(0), MOST_TEMPLATES)),
    "log": log_schema(LABELLED_LOSS)}
TAGS_SCHEMA = {"tags": Array("uint64", "tags"),
               "training_ids": Array("uint64", "sentences", optional=True)}


def predict_known(parser: Parser, part: Sequence[tuple[Sentence, KnownArcs]], *,
                  probabilities: bool) -> Prediction:
    """For workers: sentences, each with what is known of it."""
    return parser.predict([sentence for sentence, _ in part], probabilities=probabilities,
                          constraints=[arcs for _, arcs in part])


def encoded_by(sentences: Sequence[Sentence], cancellation: Cancellation) -> Encoded:
    return encode(cancellation.cancellable(sentences),
                  check_cancelled=cancellation.check_cancelled)


def upgrade_header(header: dict) -> None:
    """What was called otherwise in files of version 1."""
    if "construction" in header:
        header.setdefault("decoder", header.pop("construction"))
