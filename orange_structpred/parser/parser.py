"""A trained parser."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from Orange.base import Model
from Orange.data import Domain, Table

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
from orange_structpred.parser.explanations import Explanations
from orange_structpred.parser.further_training import FurtherTraining
from orange_structpred.parsing.calibration import COLDEST, HOTTEST
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.decoding.pieces import LONGEST_WHOLE
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.parsing.kernel.part_kernel import (
    MOST_TEMPLATES,
    PartKernelModel,
)
from orange_structpred.parsing.neural.net_model import NET_COMPONENT
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.parsing.relations.labelled_loss import LABELLED_LOSS
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.transitions.transition_model import TransitionModel
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.running.cancellation import Progress
from orange_structpred.svm import Report, Solution
from orange_structpred.svm.logs import log_from_rows, log_rows, log_schema
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.seen import count_seen
from orange_structpred.treebank.table import Treebank

if TYPE_CHECKING:
    from distributed import Client


class Parser(Explanations, FurtherTraining, Model):
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
                f"order 1 to use {decoder!r}")
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
            raise InputError("the relations of its net and of the parser differ")
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


def upgrade_header(header: dict) -> None:
    """What was called otherwise in files of version 1."""
    if "construction" in header:
        header.setdefault("decoder", header.pop("construction"))
