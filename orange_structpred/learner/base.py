"""What learners of all kinds of parsers share."""
from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from Orange.base import Learner
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.kinds import C_KIND, is_whole
from orange_structpred.learner.calibration import cross_validated_parser_temperature
from orange_structpred.learner.influence import automatic_name
from orange_structpred.learner.parameters import chosen_solver
from orange_structpred.learner.training import (
    Training,
    TrainingSet,
    mean_loss,
    reported,
    seed_of,
    waiting,
)
from orange_structpred.parametrised import HasParameters
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.decoding.pieces import check_length
from orange_structpred.parsing.first_order.quick_models import (
    complete_trees,
    train_pruners,
)
from orange_structpred.parsing.relations.labelled_loss import LABELLED_LOSS
from orange_structpred.parsing.relations.relation_model import (
    RelationModel,
    train_relations,
)
from orange_structpred.parsing.tree_problem import TreeProblem
from orange_structpred.running.cancellation import Cancellation
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.running.threads import n_threads
from orange_structpred.svm import (
    PARSER_SOLVERS,
    Report,
    Solution,
    Solver,
    Validation,
    solve_path,
)
from orange_structpred.svm.mixing import mixed_shards
from orange_structpred.svm.solver import Measures
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.in_memory import TrainingData, training_data
from orange_structpred.treebank.learnable import (
    unlabelled_sentences,
    validation_treebank,
)
from orange_structpred.treebank.on_disk import DiskTreebank
from orange_structpred.treebank.seen import training_ids

if TYPE_CHECKING:
    from distributed import Client

    from orange_structpred.learner.neural import NetSolver
    from orange_structpred.parsing.features.edge_templates import EdgeFeatures
    from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
    from orange_structpred.parsing.first_order.pruning import PrunedEdges
    from orange_structpred.parsing.tree_model import TreeModel

# Share of non-projective trees from which "auto" allows crossing edges. With 2%
# (English EWT) and 10% (German GSD) of them Eisner's decoder is still the better.
MANY_NONPROJECTIVE = 0.2
KEEP = ("best", "last")         # passes whose parser may be kept
# Sentences that are held out for the temperature: 125 give it with an error of 10%, and
# so few as small treebanks can spare no better than the typical one
ONE_HELD_OUT_IN, MOST_HELD_OUT, FEWEST_SENTENCES = 40, 125, 1000


class BaseParserLearner(HasParameters, Learner):
    """Trains parsers of one kind: a subclass says which, and prepares its problem.

    A kind is a subclass with a table of parameters::

        class MyParserLearner(BaseParserLearner, rows=rows_for("mine")):
            features = "mine"

            def make_problem(self, given): ...

    Constructor, checks and a part of the docstring are made of the rows. `make_problem`
    returns a problem for the solver, and a function that makes a model of its solution.
    """

    #: what the parameter `features` of ParserLearner says for this kind
    features: str
    #: whether it can learn from a `DiskTreebank`
    from_disk: ClassVar[bool] = False
    #: whether sentences without trees are of use to it
    from_unlabelled: ClassVar[bool] = False
    shards: int | None = None           # of kinds that do not mix weights
    partial: bool = False               # of kinds that need complete trees

    @property
    def name(self) -> str:
        """The name that was given, else one made of the parameters as they are."""
        return self._name or self.default_name()

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The parameters by name, as scikit-learn's `clone` asks for them."""
        return {name: getattr(self, "_name" if name == "name" else name)
                for name in self.rows}

    def _reprable_omit_param(self, parameter, default, value) -> bool:
        # a name that was not given would not follow the parameters any more
        if parameter == "name":
            return not self._name
        return super()._reprable_omit_param(parameter, default, value)

    @property
    def settings(self) -> dict[str, object]:
        """The parameters, and which kind of parsers they are for."""
        return {"features": self.features, **self.get_params()}

    def default_name(self) -> str:
        return automatic_name(self.settings)

    @property
    def chosen_solver(self) -> str:
        return chosen_solver(self.settings)

    @property
    def solver_type(self) -> type[Solver]:
        return PARSER_SOLVERS[self.chosen_solver]

    # Training

    def __call__(self, data: Table | DiskTreebank,
                 callback: Callable[[Report], object] | None = None,
                 *, validation: Table | None = None, keep: str = "best",
                 variants: Table | None = None, unlabelled: Table | None = None,
                 client: Client | str | None = None) -> Parser:
        """Train; `callback` gets every report.

        When it raises StopEarly, the parser so far is returned. Before the first pass
        (reports of pass 0) there is none yet, and StopEarly reaches the caller, as
        Cancelled does at any time.

        Parameters
        ----------
        data : treebank to learn from; a `DiskTreebank` if it is larger than memory
        validation : treebank on which the loss is measured after each pass
        keep : {"best", "last"}
            With a validation treebank: whether the parser is that of the pass with
            the smallest validation loss, or of the last one
        variants : the sentences of the treebank with other tags and lemmas, such as
            predicted ones. Weights are learned from both; a net learns in each epoch
            from one of the two, drawn at random for each sentence
        unlabelled : further sentences, without trees or with trees that are not looked at.
            Parsers with kernels learn from them which sentences are alike
        client : a `dask.distributed.Client` or the address of a scheduler, on whose
            workers one-slack, MIRA and the perceptron train
        """
        parser = self.train(data, callback, validation=validation, keep=keep,
                            variants=variants, unlabelled=unlabelled, client=client)
        self.cross_calibrate(parser, data if variants is None else variants, callback,
                             unlabelled=unlabelled)
        return parser

    def train(self, data: Table | DiskTreebank,
              callback: Callable[[Report], object] | None = None,
              *, validation: Table | None = None, keep: str = "best",
              variants: Table | None = None, unlabelled: Table | None = None,
              client: Client | str | None = None) -> Parser:
        """The same parser, without the further trainings that calibrate it on a small
        treebank: enough for one of many that are only scored."""
        self.check()
        if keep not in KEEP:
            raise InputError(f"keep must be 'best' or 'last', not {keep!r}")
        held_out = validation_treebank(validation) if validation is not None else None
        self.check_unlabelled(unlabelled)
        seed = seed_of(self.random_state)
        with connected(client) as cluster:
            self.make_solver(seed, cluster).check()     # not every one can work on it
            treebank = training_data(data, variants, partial=self.partial)
            training = self.prepare(treebank, callback, seed, cluster, unlabelled)
            solver = self.make_solver(seed, cluster, len(training.problem))

            def validate(make_parser: Callable[[Any], Parser]) -> Validation | None:
                return held_out and Validation(
                    lambda model, progress: mean_loss(make_parser(model), held_out,
                                                      progress),
                    keep_best=keep == "best")

            parser = training.parser(solver.solve(
                training.problem, self.first_stage(callback), measures=training.measures,
                validation=validate(lambda model: training.parser(Solution(model)))))
            if not parser.stopped:
                self.complete(parser, training.given, callback, validate)
            return training.calibrated(parser)

    def cross_calibrate(self, parser: Parser, data: Table | DiskTreebank,
                        callback: Callable[[Report], object] | None = None,
                        unlabelled: Table | None = None) -> None:
        """Give a parser of `train` its temperature if no sentences were held out for it.

        Parsers of the same kind are trained on parts of the treebank and asked about the
        rest; where it is too small for that, the parser stays as it is.
        """
        if not self.calibrate or parser.stopped or parser.temperature is not None:
            return
        treebank = training_data(data, partial=self.partial)
        n = len(treebank.encoded())
        if n < FEWEST_SENTENCES:
            parser.temperature = cross_validated_parser_temperature(
                self, treebank.sentences_at(range(n)), seed_of(self.random_state),
                callback and waiting(callback, parser.log[-1]), unlabelled)

    def first_stage(self, callback: Callable[[Report], object] | None
                    ) -> Callable[[Report], object] | None:
        """What reports of the solver go to."""
        return callback

    def complete(self, parser: Parser, given: TrainingSet,
                 callback: Callable[[Report], object] | None,
                 validate: Callable[[Callable[[Any], Parser]], Validation | None]) -> None:
        """What is learned after the weights: nothing, unless a kind has more.

        validate : a validation for models of which a function makes parsers
        """

    def without_calibration(self, seed: int) -> BaseParserLearner:
        """A learner with the same parameters, of trees only."""
        return type(self)(**{**self.get_params(), "random_state": seed,
                             "calibrate": False, "relations": False,
                             "checkpoint": None, "name": None})

    def path(self, data: Table, Cs: Sequence[float],
             callback: Callable[[Report], object] | None = None,
             unlabelled: Table | None = None) -> Iterator[Parser]:
        """A parser for each C, in rising order, each trained from the one before.

        Only for bcfw, whose dual variables are good for any C. Names end in it.
        """
        if self.chosen_solver != "bcfw":
            raise InputError(f"a path over C needs the solver bcfw, not "
                             f"{self.chosen_solver}")
        for C in Cs:
            C_KIND.check("C", C)
        self.check()
        self.check_unlabelled(unlabelled)
        seed = seed_of(self.random_state)
        training = self.prepare(data, callback, seed, unlabelled=unlabelled)
        name = self.name.removesuffix(f" C={self.C:g}")
        for C, solution in zip(sorted(Cs), solve_path(
                training.problem, Cs, callback, epsilon=self.epsilon,
                passes=self.passes, random_state=seed,
                n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint,
                measures=training.measures)):
            yield training.calibrated(training.parser(solution, f"{name} C={C:g}"))

    def check(self) -> None:
        """Complain of parameters with which no parser could be trained."""
        self.check_values()
        if self.checkpoint is not None and not is_whole(self.random_state):
            raise InputError(
                "checkpoints need a number as random_state, so that a resumed training "
                "visits the sentences in the same order")
        self.check_kind()
        if self.solver_type.kernels_only and self.features != "kernel":
            raise InputError(f"solver {self.solver!r} is for kernels only; set "
                             "features='kernel' or choose another solver")
        self.make_solver(0).check()     # finds out whether there can be a checkpoint

    def check_unlabelled(self, unlabelled: Table | None) -> None:
        """Complain of unlabelled sentences that no parser of this kind learns from."""
        if unlabelled is not None and not self.from_unlabelled:
            raise InputError("unlabelled sentences are for parsers with kernels; set "
                             "features='kernel' or leave them out")

    def check_kind(self) -> None:
        """Complain of what is wrong with parameters of this kind, taken together."""

    def prepare(self, data: Table | TrainingData,
                callback: Callable[[Report], object] | None = None, seed: int = 0,
                cluster: Cluster | None = None, unlabelled: Table | None = None
                ) -> Training:
        """All that comes before the solver: features or kernels of a treebank."""
        if isinstance(data, DiskTreebank) and (cluster is not None or not self.from_disk):
            raise InputError("training from disk needs explicit features and cannot run "
                             "on a cluster")
        treebank = training_data(data, partial=self.partial)
        cancellation = Cancellation(callback and reported(callback))
        encoded = treebank.encoded(cancellation)
        check_length(int(encoded.lengths().max()), "split it or leave it out")
        decoder = self.choose_decoder(encoded)
        if self.partial:
            encoded = complete_trees(
                encoded, self.single_root, decoder=DECODERS[decoder], random_state=seed,
                check_cancelled=cancellation.check_cancelled)
        learned, held_out = self.hold_out(
            len(encoded), seed, None if encoded.known is None else encoded.is_complete(),
            copies=treebank.copies)
        chosen = encoded.select(learned) if len(held_out) else encoded
        unseen = treebank.sentences_at(held_out)
        given = TrainingSet(
            treebank, learned, chosen, decoder, seed, cancellation, cluster,
            unlabelled=() if unlabelled is None else unlabelled_sentences(unlabelled))
        problem, make_model = self.make_problem(given)
        cancellation.check_cancelled()
        relations: RelationModel | None = None
        measures: Measures = {}
        if self.relations:
            numbered = treebank.relations().where(encoded.known)
            relations = train_relations(
                encoded, numbered, random_state=seed,
                check_cancelled=cancellation.check_cancelled)
            if relations is None:
                warnings.warn("the treebank has no relations, so the parser learns heads "
                              "only", stacklevel=3)
            else:
                measures = {LABELLED_LOSS: relations.loss(chosen, (
                    encoded.taken(numbered.numbers, learned) if len(held_out)
                    else numbered.numbers))}
        tags, seen = encoded.values("upos", "xpos"), training_ids(encoded)

        def parser(solution: Solution, name: str = self.name) -> Parser:
            return Parser(
                make_model(solution.model), decoder=decoder,
                single_root=self.single_root, tags=tags, name=name,
                n_jobs=self.n_jobs, solution=solution, relations=relations,
                training_ids=seen, group_norms=given.group_norms)

        return Training(problem, parser, unseen, given, measures)

    @abstractmethod
    def make_problem(self, given: TrainingSet
                     ) -> tuple[TreeProblem, Callable[[Any], TreeModel]]:
        """A problem for the solver, and what makes a model of its solution's."""

    def train_pruners(self, given: TrainingSet, features: EdgeFeatures
                      ) -> tuple[PrunedEdges, ExplicitModel]:
        """The edges that jackknifed first-order models with some features leave, and the
        model that prunes those of new sentences."""
        return train_pruners(
            given.encoded, features, self.single_root, decoder=given.decoder_code,
            random_state=given.seed, n_jobs=n_threads(self.n_jobs), cluster=given.cluster,
            check_cancelled=given.cancellation.check_cancelled)

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> Solver | NetSolver:
        """The solver, for n sentences."""
        solver = self.solver_type
        shards = mixed_shards(self.shards, n, cluster if solver.mixes else None)
        return solver(
            C=self.C, epsilon=self.epsilon, passes=self.passes,
            random_state=seed, n_jobs=n_threads(self.n_jobs),
            checkpoint=self.checkpoint, shards=shards, cluster=cluster,
            **{name: getattr(self, name) for name in solver.own_options})

    def choose_decoder(self, encoded: Encoded) -> str:
        if self.decoder != "auto":
            return self.decoder
        crossing = np.mean(encoded.crossed())
        return "rearranged" if crossing > MANY_NONPROJECTIVE else "projective"

    def hold_out(self, n: int, seed: int, complete: np.ndarray | None = None, *,
                 copies: int = 1
                 ) -> tuple[np.ndarray, np.ndarray]:
        """Which of n sentences trees are learned from, and which are held out for the
        temperature of probabilities.

        complete : bool, which sentences may be held out; None for all
        copies : one after the other, n sentences in all. The last copy is held out, and
            nothing is learned from the others
        """
        n //= copies
        size = min(n // ONE_HELD_OUT_IN, MOST_HELD_OUT)
        if not self.calibrate or n < FEWEST_SENTENCES:
            size = 0
        order = np.random.default_rng([seed, n]).permutation(n)
        if complete is not None:
            complete = complete[:n]
            order = np.concatenate([order[complete[order]], order[~complete[order]]])
            size = min(size, int(complete.sum()) // 2)
        learned, first = np.sort(order[size:]), n * np.arange(copies)
        return np.add.outer(first, learned).ravel(), first[-1] + np.sort(order[:size])
