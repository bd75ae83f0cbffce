"""Rerankers: a structural SVM on the best trees of a parser (thesis 3.2.3)."""
from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kernels import InputKernel
from orange_structpred.kinds import Kind, RealNumber, WholeNumber
from orange_structpred.parser import Parser
from orange_structpred.problems.custom import StructuredSVM
from orange_structpred.problems.estimator import OutputList
from orange_structpred.problems.kernel_map import NO_SUPPORT, KernelMap
from orange_structpred.reranking.candidate_problem import (
    CandidateList,
    CandidateProblem,
)
from orange_structpred.reranking.candidates import (
    Candidate,
    CandidateSource,
    candidate_source,
)
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.sentence import Sentence

PARAMETER_KINDS: dict[str, Kind] = {
    "k": WholeNumber(1), "folds": WholeNumber(2), "base_weight": RealNumber(with_zero=True)}


class Reranker(BaseEstimator):
    """Chooses among the k best trees of a parser by a kernel on whole trees.

    Decoders need scores that are sums over small parts. Among a few candidates no decoder
    is needed, so that all fragments that trees share can count (Collins and Duffy, 2002).
    The score of a candidate is ``b * s + sum_j beta_j K(candidate, tree_j)``, where s is
    the score that the parser gives it and the sum is over candidates of the training
    inputs; b and beta are those of a structural SVM whose outputs are the candidates. The
    tree with the smallest loss among the candidates stands for the true tree, which need
    not be one of them.

    Parameters
    ----------
    kernel : InputKernel
        On trees, as a rule ``SubsetTree()``. Dependency trees are compared as
        `dependency_tree` makes them
    k : int, default=20
        Candidates of each input
    base_weight : float, default=1
        How far the parser's scores are spread: their standard deviation among the
        candidates of an input. The higher it is, the less they are regularised
    folds : int, default=5
        With a learner: candidates of each fold come from a parser of the other folds
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, verbose :
        see `StructuredEstimator`

    Attributes
    ----------
    parser_ : the parser whose trees are reranked
    support_trees_ : list of Tree
        The candidates on which the model depends
    dual_coef_ : array
        Their coefficients
    base_coef_ : float
        The weight of the parser's score
    training_candidates_ : list of lists of Candidate
    base_score_, oracle_score_ : float
        On the training inputs: UAS or F1 of the parser's own trees, and of the best
        candidates, which no reranker can surpass

    Examples
    --------
    >>> from orange_structpred.kernels import SubsetTree
    >>> from orange_structpred.problems import PCFG
    >>> from orange_structpred.reranking import Reranker
    >>> dogs = "(S (NP (NN dogs)) (VP (VB see) (NP (NP (NN cats)) (PP (IN with) (NN hats)))))"
    >>> cats = "(S (NP (NN cats)) (VP (VP (VB see) (NP (NN dogs))) (PP (IN with) (NN eyes))))"
    >>> trees = [dogs, cats, cats]
    >>> X = [["NN", "VB", "NN", "IN", "NN"]] * 3
    >>> reranker = Reranker(SubsetTree(), k=2, C=100).fit(PCFG().fit(X, trees), X, trees)
    >>> len(reranker.candidates(X[:1])[0])
    2
    """

    def __init__(self, kernel, *, k=20, base_weight=1., folds=5, C=10., tol=0.01,
                 solver="bcfw", solver_options=None, max_iter=None, random_state=0,
                 n_jobs=None, verbose=0):
        self.kernel, self.k, self.base_weight, self.folds = kernel, k, base_weight, folds
        self.C, self.tol, self.solver, self.solver_options = C, tol, solver, solver_options
        self.max_iter, self.random_state = max_iter, random_state
        self.n_jobs, self.verbose = n_jobs, verbose

    # Training

    def fit(self, parser, X, y=None, *,
            candidates: Sequence[Sequence[Candidate]] | None = None,
            progress: Progress | None = None) -> Reranker:
        """Learn to choose among the trees of a parser.

        parser : Parser, GrammarSVM or PCFG, which must not be trained on X: it would make
            fewer mistakes there than elsewhere. Or a learner, such as ParserLearner() or
            an unfitted PCFG(): then parsers of all but one fold each make the candidates,
            and `parser_` is trained on all of X
        X : treebank or sentences; for grammars, trees or strings
        y : their trees, if X has none
        candidates : `training_candidates_` of a reranker with the same parser, inputs and
            k, so that several settings of C or of the kernel are tried faster
        progress : gets the fraction that is done; raises Cancelled to end the work
        """
        self._check_parameters()
        source = candidate_source(parser)
        inputs, truths = source.examples(X, y)
        if not inputs:
            raise InputError("there are no inputs to learn from")
        if isinstance(parser, Parser):
            warn_of_seen(parser, truths)
        if candidates is None:
            candidates = self._training_candidates(source, inputs, truths,
                                                   Cancellation(progress))
        elif len(candidates) != len(inputs):
            raise InputError(f"{len(inputs)} inputs but {len(candidates)} lists of "
                             "candidates")
        self.training_candidates_ = candidates
        self.source_ = source if source.is_trained else source.train(inputs, truths)
        return self._learn(candidates, truths)

    def _check_parameters(self) -> None:
        if not isinstance(self.kernel, InputKernel):
            raise InputError(f"kernel is {self.kernel!r}; expected an input kernel on "
                             "trees, such as SubsetTree()")
        for name, kind in PARAMETER_KINDS.items():
            kind.check(name, getattr(self, name))

    def _training_candidates(self, source: CandidateSource, inputs: Sequence,
                             truths: Sequence, cancellation: Cancellation
                             ) -> list[list[Candidate]]:
        if source.is_trained:
            return self._candidates(source, inputs, cancellation)
        if len(inputs) < self.folds:
            raise InputError(f"found {len(inputs)} inputs, expected at least one for each "
                             f"of {self.folds} folds")
        lists: dict[int, list[Candidate]] = {}
        for fold in range(self.folds):
            rest = [i for i in range(len(inputs)) if i % self.folds != fold]
            trained = source.train([inputs[i] for i in rest], [truths[i] for i in rest])
            for i in range(fold, len(inputs), self.folds):
                cancellation.report_progress(len(lists) / len(inputs))
                lists[i] = trained.candidates(inputs[i], self.k)
        return [lists[i] for i in range(len(inputs))]

    def _candidates(self, source: CandidateSource, inputs: Sequence,
                    cancellation: Cancellation) -> list[list[Candidate]]:
        lists = []
        for number, x in enumerate(inputs):
            cancellation.report_progress(number / len(inputs))
            lists.append(source.candidates(x, self.k))
        return lists

    def _learn(self, lists: Sequence[Sequence[Candidate]], truths: Sequence) -> Reranker:
        losses = [np.array([self.source_.loss(truth, candidate.output)
                            for candidate in candidates])
                  for candidates, truth in zip(lists, truths)]
        best = [int(np.argmin(of_input)) for of_input in losses]
        self.base_score_ = self.source_.score(truths, [candidates[0].output for candidates in lists])
        self.oracle_score_ = self.source_.score(
            truths, [candidates[number].output
                     for candidates, number in zip(lists, best)])
        gaps = [score_gaps(candidates) for candidates in lists]
        spread = float(np.sqrt(np.mean(np.concatenate(gaps) ** 2)))
        self.base_scale_ = self.base_weight / spread if spread > 0 else 0.
        trees = [candidate.tree for candidates in lists for candidate in candidates]
        kernel_map = KernelMap(self.kernel)
        rows = kernel_map.fit_transform(trees)
        scores = self.base_scale_ * np.concatenate(gaps)
        features = np.column_stack([scores, rows])
        starts = np.cumsum([0, *map(len, lists)])
        X = [CandidateList(features[start:stop], of_input - of_input.min())
             for start, stop, of_input in zip(starts, starts[1:], losses)]
        self.svm_ = StructuredSVM(
            CandidateProblem, C=self.C, tol=self.tol, solver=self.solver,
            solver_options=self.solver_options, max_iter=self.max_iter,
            random_state=self.random_state, n_jobs=self.n_jobs, verbose=self.verbose,
        ).fit(X, [x.choice(number) for x, number in zip(X, best)])
        weights = self.svm_.coef_
        beta = kernel_map.dual_coefficients(weights[1:])
        support = np.flatnonzero(np.abs(beta) > NO_SUPPORT * max(np.abs(beta).max(), 1e-300))
        self.base_coef_ = float(weights[0])
        self.support_trees_ = [trees[number] for number in support]
        self.dual_coef_ = beta[support]
        return self

    # Files

    def save(self, path) -> None:
        """Write what was learned to a file (.npz), without any code. The parser has a file
        of its own."""
        from orange_structpred.reranking.reranker_file import save_reranker

        save_reranker(self, path)

    @classmethod
    def load(cls, path, parser, **parameters) -> Reranker:
        """The reranker in a file that `save` has written.

        parser : `parser_` of the reranker that was saved, loaded from its own file
        parameters : those that are code, such as a kernel made of a function, and any that
            are to be other than they were
        """
        from orange_structpred.reranking.reranker_file import load_reranker

        return load_reranker(cls, path, parser, **parameters)

    @property
    def parser_(self):
        check_is_fitted(self, "source_")
        return self.source_.base

    # Prediction

    def candidates(self, X, *, progress: Progress | None = None
                   ) -> list[list[tuple[object, float]]]:
        """The candidates of each input and the scores that they get here, the best
        first."""
        check_is_fitted(self, "dual_coef_")
        lists = self._candidates(self.source_, self.source_.inputs(X), Cancellation(progress))
        ranked = []
        for candidates in lists:
            scores = self.scores(candidates)
            ranked.append([(candidates[number].output, float(scores[number]))
                           for number in np.argsort(-scores, kind="stable")])
        return ranked

    def scores(self, candidates: Sequence[Candidate]) -> np.ndarray:
        """The score of each candidate of one input."""
        scores = self.base_coef_ * self.base_scale_ * score_gaps(candidates)
        if self.support_trees_:
            gram = self.kernel.gram([candidate.tree for candidate in candidates],
                                    self.support_trees_)
            scores += gram.astype(float) @ self.dual_coef_
        return scores

    def predict(self, X, *, progress: Progress | None = None) -> OutputList:
        """The best tree of each input: sentences with trees, or phrase trees."""
        return OutputList(ranked[0][0] for ranked in self.candidates(X, progress=progress))

    def score(self, X, y=None) -> float:
        """UAS of dependency trees, F1 of the labelled constituents of phrase trees."""
        check_is_fitted(self, "source_")
        inputs, truths = self.source_.examples(X, y)
        return self.source_.score(truths, self.predict(inputs))


def score_gaps(candidates: Sequence[Candidate]) -> np.ndarray:
    """The parser's scores, less that of its best candidate."""
    scores = np.array([candidate.score for candidate in candidates])
    return scores - scores.max()


def warn_of_seen(parser: Parser, sentences: Sequence[Sentence]) -> None:
    seen = parser.count_seen(Treebank.from_sentences(sentences))
    if seen:
        warnings.warn(
            f"the parser {parser.name!r} was trained on {seen} of these {len(sentences)} "
            "sentences; it makes fewer mistakes there than elsewhere. Pass other "
            "sentences, or a learner in place of the parser", UserWarning, stacklevel=3)
