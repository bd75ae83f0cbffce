"""Parsers with explicit features, of first and second order."""
from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace

from orange_structpred.errors import InputError
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.group_learning import learn_template_groups
from orange_structpred.learner.influence import can_vote, unused_group
from orange_structpred.learner.neural import (
    NetProblem,
    NetSolver,
    add_net,
)
from orange_structpred.learner.parameters import LEARN, chosen_order, rows_for
from orange_structpred.learner.training import Training, TrainingSet
from orange_structpred.neural.settings import NetSettings
from orange_structpred.parser import Parser
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS,
    EdgeFeatures,
)
from orange_structpred.parsing.features.tag_pruning import pruned_edges
from orange_structpred.parsing.first_order.explicit_model import (
    ExplicitModel,
    choose_bits,
    make_feature_indices,
)
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.neural.net_model import NetModel
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.second_order.part_templates import (
    TRANSITIONS,
    PartFeatures,
    first_order_groups,
)
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.transitions.transition_model import train_voter
from orange_structpred.svm import Report
from orange_structpred.treebank.on_disk import DiskTreebank

LINEAR_SHARE = 0.2      # of the time of a training with a net that comes before it
SECOND_ORDER_WEIGHTS = 80       # for each token, at least


class ExplicitParserLearner(BaseParserLearner, rows=rows_for("explicit")):
    """Trains a parser with a weight for each feature of edges, siblings and grandparents.

    Parameters
    ----------
    {parameters}
    """

    features = "explicit"
    from_disk = True

    def check_kind(self) -> None:
        if self.partial and self.chosen_solver != "mira":
            raise InputError("learning from partly annotated trees (partial=True) "
                             "needs the "
                             f"solver mira, not {self.chosen_solver}")
        if self.partial and self.neural:
            raise InputError("a net learns only from complete trees; set neural=False "
                             "or partial=False")
        if self.neural:
            self.net_solver(0).check()
        if self.groups == LEARN and self.min_count:
            raise InputError("groups='learn' needs hashed features; set min_count=0")
        if chosen_order(self.settings) == 1:
            EdgeFeatures(first_order_groups(self.all_groups))
            return
        groups = PartFeatures(self.all_groups).groups
        if set(groups) == {TRANSITIONS} and (
                why := unused_group(TRANSITIONS, self.settings)):
            raise InputError(f"the feature group {TRANSITIONS!r} alone leaves no features: "
                             f"{why}; choose this solver or further groups")

    @property
    def all_groups(self) -> str | Sequence[str]:
        """The groups, or those to choose from."""
        return "all" if self.groups == LEARN else self.groups

    def make_problem(self, given: TrainingSet):
        if chosen_order({**self.settings, "decoder": given.decoder}) == 1:
            return self.make_first_order(given)
        return self.make_second_order(given)

    # the net

    def net_solver(self, seed: int, before: Sequence[Report] = ()) -> NetSolver:
        return NetSolver(
            NetSettings(self.hidden, self.dropout, self.epochs), random_state=seed,
            checkpoint=self.checkpoint and f"{os.fspath(self.checkpoint)}.net",
            before=before)

    def has_net(self, decoder: str) -> bool:
        return bool(self.neural) and chosen_order(
            {**self.settings, "decoder": decoder}) == 2

    def prepare(self, data, callback=None, seed=0, cluster=None, unlabelled=None
                ) -> Training:
        if self.has_net(self.decoder) and (
                isinstance(data, DiskTreebank) or cluster is not None):
            raise InputError("A net is trained in memory and on one machine; set "
                             "neural=False to train from disk or on a cluster")
        return super().prepare(data, callback, seed, cluster, unlabelled)

    def first_stage(self, callback):
        if not self.has_net(self.decoder) or callback is None:
            return callback
        return lambda report: callback(replace(
            report, fraction=LINEAR_SHARE * report.fraction))

    def complete(self, parser, given, callback, validate) -> None:
        """With a net, if there is to be one."""
        if not self.has_net(given.decoder):
            return
        parser.model.net_weight = self.net_weight

        def tell(report: Report) -> object:
            return callback(replace(report, fraction=LINEAR_SHARE + (
                1 - LINEAR_SHARE) * report.fraction))

        def with_net(net: NetModel) -> Parser:
            parser.model.net = net
            return parser

        add_net(parser, NetProblem.of(given, self.net_objective, self.single_root),
                self.net_solver(given.seed, before=list(parser.log)), callback and tell,
                validate(with_net))

    def make_first_order(self, given: TrainingSet):
        features = EdgeFeatures(first_order_groups(self.all_groups))
        indices, dim = make_feature_indices(
            given.encoded, features, self.min_count, self.hash_bits,
            given.cancellation.check_cancelled)
        if not dim:
            warnings.warn(
                f"no feature occurs min_count={self.min_count} times, so the parser "
                "has no weights; decrease min_count", stacklevel=5)
        if not self.solver_type.certificate:
            # a certificate is about all trees, so none of its edges may be missing
            indices = indices._replace(pruned=pruned_edges(given.encoded))

        def problem_of(features: EdgeFeatures) -> ExplicitProblem:
            return ExplicitProblem(given.encoded, features, indices, dim,
                                   given.decoder_code, self.single_root)

        if self.groups == LEARN:
            given.group_norms = learn_template_groups(
                problem_of(features), features.names_of_groups, self.budget, given)
            features = EdgeFeatures([*given.group_norms])
        return problem_of(features), lambda model: ExplicitModel(
            features, indices, model.weights())

    def make_second_order(self, given: TrainingSet):
        """With the edges that jackknifed first-order models leave, and with a voter."""
        features = PartFeatures(self.all_groups)
        of_edges = [group for group in features.groups if group in FIRST_ORDER_GROUPS]
        pruned, pruner = self.train_pruners(given, EdgeFeatures(of_edges or "all"))
        voter = None
        if features.votes and can_vote(self.settings):
            voter = train_voter(given.encoded, random_state=given.seed,
                                check_cancelled=given.cancellation.check_cancelled)
        bits = choose_bits(given.encoded, self.hash_bits, SECOND_ORDER_WEIGHTS)

        def problem_of(features: PartFeatures) -> SecondOrderProblem:
            return SecondOrderProblem(given.encoded, pruned, features, bits,
                                      self.single_root, given.decoder_code)

        if self.groups == LEARN:
            given.group_norms = learn_template_groups(
                problem_of(features), sum(features.names_of_groups, []), self.budget, given)
            features = PartFeatures([*given.group_norms, TRANSITIONS])
        return problem_of(features), lambda model: SecondOrderModel(
            pruner, features, thin_out(model.weights()), voter)
