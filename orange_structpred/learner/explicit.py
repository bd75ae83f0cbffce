"""Parsers with explicit features, of first and second order."""
from __future__ import annotations

import warnings

from orange_structpred.errors import InputError
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.influence import can_vote, unused_group
from orange_structpred.learner.parameters import chosen_order, rows_for
from orange_structpred.learner.training import TrainingSet
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
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.second_order.part_templates import (
    TRANSITIONS,
    PartFeatures,
    first_order_groups,
)
from orange_structpred.parsing.second_order.pruners import train_pruners
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.transitions.transition_model import train_transitions
from orange_structpred.running.threads import n_threads

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
        if chosen_order(self.settings) == 1:
            EdgeFeatures(first_order_groups(self.groups))
            return
        groups = PartFeatures(self.groups).groups
        if set(groups) == {TRANSITIONS} and (
                why := unused_group(TRANSITIONS, self.settings)):
            raise InputError(f"the feature group {TRANSITIONS!r} alone leaves no features: "
                             f"{why}; choose this solver or further groups")

    def make_problem(self, given: TrainingSet):
        if chosen_order({**self.settings, "decoder": given.decoder}) == 1:
            return self.make_first_order(given)
        return self.make_second_order(given)

    def make_first_order(self, given: TrainingSet):
        features = EdgeFeatures(first_order_groups(self.groups))
        indices, dim = make_feature_indices(
            given.encoded, features, self.min_count, self.hash_bits,
            given.cancellation.check_cancelled)
        if not dim:
            warnings.warn(
                f"no feature is seen {self.min_count} times (min_count), so the parser "
                "has no weights", stacklevel=5)
        if not self.solver_type.certificate:
            # a certificate is about all trees, so none of its edges may be missing
            indices = indices._replace(pruned=pruned_edges(given.encoded))
        problem = ExplicitProblem(given.encoded, features, indices, dim,
                                  given.decoder_code, self.single_root)
        return problem, lambda model: ExplicitModel(features, indices, model.weights())

    def make_second_order(self, given: TrainingSet):
        """With the edges that jackknifed first-order models leave, and with a voter."""
        features = PartFeatures(self.groups)
        of_edges = [group for group in features.groups if group in FIRST_ORDER_GROUPS]
        check_cancelled = given.cancellation.check_cancelled
        pruned, pruner = train_pruners(
            given.encoded, EdgeFeatures(of_edges or "all"), self.single_root,
            decoder=given.decoder_code, random_state=given.seed,
            n_jobs=n_threads(self.n_jobs), cluster=given.cluster,
            check_cancelled=check_cancelled)
        voter = None
        if features.votes and can_vote(self.settings):
            voter = train_transitions(given.encoded, random_state=given.seed,
                                      check_cancelled=check_cancelled)
        bits = choose_bits(given.encoded, self.hash_bits, SECOND_ORDER_WEIGHTS)
        problem = SecondOrderProblem(given.encoded, pruned, features, bits,
                                     self.single_root, given.decoder_code)
        return problem, lambda model: SecondOrderModel(
            pruner, features, thin_out(model.weights()), voter)
