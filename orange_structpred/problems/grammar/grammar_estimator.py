"""Constituency parsers: a grammar learned for its loss, and the PCFG to compare with."""
from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, one_of_names
from orange_structpred.problems.estimator import OutputList, coerce_inputs
from orange_structpred.problems.grammar.grammar_problem import (
    GrammarProblem,
    fragment_tree,
)
from orange_structpred.problems.grammar.rules import GRAMMAR_KINDS, Grammar
from orange_structpred.problems.grammar.spans import SpanFeatures, surface_features
from orange_structpred.problems.grammar.trees import (
    PhraseTree,
    f1_score,
    to_normal_form,
)
from orange_structpred.problems.input_kernels import InputKernelMixin
from orange_structpred.problems.inputs import input_list
from orange_structpred.problems.parameters import AT_LEAST_ONE, ZERO_OR_MORE
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import check_lengths

FAILURES = ("partial", "error")


class GrammarEstimator(InputKernelMixin):
    """What the parsers share: strings as inputs, trees as outputs."""

    loss = "f1"
    span_features = spans_ = None
    _learned = ("grammar_", "spans_", "kernel_map_")
    _kinds: ClassVar[dict[str, Kind]] = {
        **GRAMMAR_KINDS, "on_failure": one_of_names(FAILURES)}

    def _encode(self, X, *, fitting):
        strings = []
        for number, x in enumerate(input_list(
                X, "a list of strings, each a list of tags or words, or of trees",
                unlike=(PhraseTree,))):
            if isinstance(x, PhraseTree):
                x = x.tags if self.terminals == "tags" else x.words
            if isinstance(x, str) or not isinstance(x, Iterable) or not all(
                    isinstance(word, str) for word in x):
                raise InputError(f"string {number} is {x!r}; expected a list of "
                                 f"{self.terminals}")
            if not len(x):
                raise InputError(f"string {number} is empty; expected at least one of "
                                 f"its {self.terminals}")
            strings.append(list(x))
        return self._compared(strings, strings, fitting=fitting)

    def _encode_outputs(self, inputs, y, *, fitting):
        trees = [coerce_tree(tree, number) for number, tree in enumerate(y)]
        check_lengths(len(inputs), len(trees))
        if fitting:
            self.grammar_ = Grammar(trees, terminals=self.terminals, markov=self.markov,
                                    min_count=self.min_count)
            function = surface_features if self.span_features == "surface" \
                else self.span_features
            if function is not None and not callable(function):
                raise InputError(f"span_features is {function!r}; expected 'surface', None "
                                 "or a function of a string, a start and an end")
            self.spans_ = None if function is None else SpanFeatures(function, inputs)
        return trees

    def _problem(self, inputs, outputs):
        return self._times_kernel(
            GrammarProblem(inputs, outputs or [None] * len(inputs), self.grammar_,
                           loss=self.loss, spans=self.spans_), inputs)

    def predict(self, X, *, constraints=None) -> list[PhraseTree]:
        """The best tree of each string.

        constraints : see `StructuredEstimator.predict`; variables are named (label,
            start, end) for constituents and tags, (rule, start, split, end) for rules
            and (rule, position) for those of single words. A string that the grammar
            cannot parse raises an InfeasibleError, whatever `on_failure` is
        """
        check_is_fitted(self, "model_")
        X = list(coerce_inputs(X))
        problem = self._problem(self._encode(X, fitting=False), None)
        best = self._best(problem) if constraints is None \
            else self._best_within(problem, X, constraints)
        trees = OutputList()
        for i, (x, nodes) in enumerate(zip(X, best)):
            words = x.words if isinstance(x, PhraseTree) else x
            if nodes is not None:
                trees.append(self.grammar_.tree_of(nodes, words))
            elif self.on_failure == "error":
                explicit, string, _ = self._explicit(problem, i)
                raise InputError(f"string {i}: {explicit.why_no_tree(string)}; "
                                 "on_failure='partial' gives the best partial parse")
            else:
                explicit, string, weights = self._explicit(problem, i)
                trees.append(fragment_tree(
                    self.grammar_, explicit.best_fragments(string, weights), words))
        return trees

    def predict_k_best(self, X, k: int) -> list[list[tuple[PhraseTree, float]]]:
        """The k best trees of each string and their scores, the best first; fewer, or
        none, where there are no more."""
        check_is_fitted(self, "model_")
        AT_LEAST_ONE.check("k", k)
        X = list(coerce_inputs(X))
        problem = self._problem(self._encode(X, fitting=False), None)
        ranked = []
        for i, x in enumerate(X):
            explicit, string, weights = self._explicit(problem, i)
            scores, trees = explicit.k_best(string, weights, k)
            words = x.words if isinstance(x, PhraseTree) else x
            ranked.append([(self.grammar_.tree_of(nodes, words), float(score))
                           for score, nodes in zip(scores, trees)])
        return ranked

    def score(self, X, y) -> float:
        """F1 of the labelled constituents of all trees together."""
        return f1_score(*self._true_and_predicted(X, y))

    def mean_loss(self, X, y) -> float:
        """Mean loss of the predictions for X, by the loss of the training."""
        losses = []
        for pair in zip(*self._true_and_predicted(X, y)):
            one, two = (nodes_in_normal_form(tree, self.markov) for tree in pair)
            wrong = len(one - two) / len(one)
            losses.append(float(wrong > 0) if self.loss == "zero-one" else wrong)
        return float(np.mean(losses))

    def _true_and_predicted(self, X, y) -> tuple[list[PhraseTree], list[PhraseTree]]:
        trees = [coerce_tree(tree, number) for number, tree in enumerate(y)]
        predicted = self.predict(X)
        check_lengths(len(predicted), len(trees))
        return trees, predicted

    def rule_weights(self) -> dict[str, float]:
        """The weight of each rule, in words."""
        check_is_fitted(self, "model_")
        self._check_no_kernel("the weight of a rule")
        return dict(zip(self.grammar_.names, self.coef_.tolist()))


def coerce_tree(tree, number: int) -> PhraseTree:
    """A tree, or one in brackets."""
    if isinstance(tree, PhraseTree):
        return tree
    if isinstance(tree, str):
        return PhraseTree.from_brackets(tree)
    raise InputError(f"output {number} is a {type(tree).__name__}; expected a "
                     "PhraseTree or a string in brackets")


def nodes_in_normal_form(tree: PhraseTree, markov: int | None
                         ) -> set[tuple[str, int, int]]:
    """(label, start, end) of all nodes, tags included."""
    normal = to_normal_form(tree, markov)
    tags = [node.label for node in normal.nodes() if node.is_tag]
    return {*normal.constituents(),
            *((label, position, position + 1) for position, label in enumerate(tags))}


class GrammarSVM(GrammarEstimator):
    """Weighted context-free grammar, learned for F1 or for whole trees.

    The grammar has all rules that the training trees have, in Chomsky normal form. The
    score of a tree is the sum of the weights of its rules and of the features of the
    spans that its nodes cover; CKY finds the best tree. X is a list of strings, lists of
    tags or words, or of trees whose strings are taken; y is a list of trees, as
    `PhraseTree` or in brackets.

    Parameters
    ----------
    loss : "f1" or "zero-one", default="f1"
        1 - F1 of the nodes of trees in normal form, or whether the trees differ
    terminals : "tags" or "words", default="tags"
        What strings consist of
    markov : int or None, default=1
        Phrases with more than two children are split into nodes that remember this many
        labels of the children to come; None for all
    min_count : int, default=2
        Words seen less often in training count as unknown ones; only with words
    span_features : "surface", function or None, default=None
        Features of spans: the words at their ends and around them and their length, or
        what a function of a string, a start and an end returns, as a list of names
        or a dict of names and values
    kernel : InputKernel, function of two strings or None, default=None
        How alike two strings are. With a kernel, rules have weights for each string,
        which strings that are alike share
    kernel_params : dict, default=None
        Parameters of a kernel that is given by its name
    on_failure : "partial" or "error", default="partial"
        What to do with a string that the grammar cannot parse: put together the fewest
        trees that cover it, under the label FRAG, or raise an InputError
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    grammar_ : Grammar

    Examples
    --------
    >>> from orange_structpred.problems import GrammarSVM
    >>> y = ["(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))))",
    ...      "(S (NP (NN cat)) (VP (VBZ sleeps)))"]
    >>> X = [["DT", "NN", "VBZ", "DT", "NN"], ["NN", "VBZ"]]
    >>> parser = GrammarSVM(C=10).fit(X, y)
    >>> print(parser.predict([["DT", "NN", "VBZ"]])[0])
    (FRAG (DT DT) (S (NP (NN NN)) (VP (VBZ VBZ))))
    >>> print(parser.predict([["DT", "NN", "VBZ", "DT", "NN"]])[0])
    (S (NP (DT DT) (NN NN)) (VP (VBZ VBZ) (NP (DT DT) (NN NN))))
    """

    def __init__(self, *, loss="f1", terminals="tags", markov=1, min_count=2,
                 span_features=None, kernel=None, kernel_params=None,
                 on_failure="partial", C=1., tol=0.01, solver="bcfw", solver_options=None,
                 max_iter=None, random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())


class PCFG(GrammarEstimator):
    """Probabilistic context-free grammar: the maximum-likelihood estimate.

    The weight of a rule is the logarithm of its share among the rules of its label.
    X and y are those of `GrammarSVM`.

    Parameters
    ----------
    smoothing : float, default=0
        Added to the counts of all rules
    terminals, markov, min_count, on_failure, n_jobs : see `GrammarSVM`
    """

    _kinds: ClassVar[dict[str, Kind]] = {"smoothing": ZERO_OR_MORE}

    def __init__(self, *, terminals="tags", markov=1, min_count=2, smoothing=0.,
                 on_failure="partial", n_jobs=None):
        self._store_parameters(locals())

    def fit(self, X, y):
        """Count the rules of the trees."""
        self._problem(*self._examples(X, y))
        self.model_ = LinearModel.of(self.grammar_.log_probabilities(self.smoothing))
        return self
