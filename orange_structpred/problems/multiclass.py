"""Multiclass classification with any loss between classes."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, Switch
from orange_structpred.problems.class_probabilities import (
    CALIBRATION_FOLDS,
    class_probabilities,
    cross_validated_class_temperature,
)
from orange_structpred.problems.classes import ClassProblem
from orange_structpred.problems.estimator import StructuredEstimator, coerce_inputs
from orange_structpred.problems.inputs import (
    check_label_kinds,
    example_weights,
    label_codes,
    with_constant,
)
from orange_structpred.problems.kernel_map import KernelMixin, as_objects
from orange_structpred.problems.losses import class_weights, cost_matrix
from orange_structpred.svm.problem import check_lengths


class TableEstimator(KernelMixin, StructuredEstimator):
    """An estimator whose inputs are the rows of a matrix."""

    _kinds: ClassVar[dict[str, Kind]] = {"fit_intercept": Switch(), "probability": Switch()}
    _learned: ClassVar[tuple[str, ...]] = ("classes_", "n_features_in_", "feature_names_in_",
                                           "kernel_map_")

    def _encode(self, X, *, fitting):
        objects = None if self.kernel is None else as_objects(self.kernel, X)
        if objects is None:
            X = validate_data(self, X, reset=fitting, accept_sparse="csr", dtype=np.float64)
        X = self._map_rows(X, fitting=fitting) if objects is None \
            else self._map_rows(objects, fitting=fitting, objects=True)
        if self.fit_intercept:
            X = with_constant(X)
        return sparse.csr_array(X)

    def _n_expected_weights(self):
        if self.kernel is not None and hasattr(self, "kernel_map_") \
                and hasattr(self.kernel_map_.rows, "shape") \
                and self.kernel_map_.rows.shape[1] != self.n_features_in_:
            raise InputError("the inputs that the kernel compares others with do not fit the "
                             "number of features")
        columns = bool(self.fit_intercept) + self._n_mapped_features(
            getattr(self, "n_features_in_", 0))
        return self._problem(sparse.csr_array((1, columns)), None).dim

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = tags.input_tags.sparse = True
        return tags


def _has_probabilities(estimator) -> bool:
    if not estimator.probability:
        raise AttributeError("predict_proba needs probability=True")
    return True


class ClassEstimator(ClassifierMixin, TableEstimator):
    """An estimator whose outputs are classes; a subclass says what they share."""

    class_weight, probability = None, False
    _learned = (*TableEstimator._learned, "temperature_")

    def _class_features(self) -> np.ndarray:
        """Lambda(y) for each class, one row each."""
        return np.eye(len(self.classes_))

    def _n_label_features(self) -> int:
        return self._class_features().shape[1]

    def _known_classes(self, present: np.ndarray) -> np.ndarray:
        """The classes that can be predicted: those in the examples."""
        return present

    def _cost(self) -> np.ndarray:
        """L(y, y_hat) for each pair of classes."""
        return cost_matrix(self.loss, self.classes_)

    def fit(self, X, y, sample_weight=None, **training):
        """Learn from inputs X and their classes y; see `StructuredEstimator.fit`."""
        X = coerce_inputs(X)
        super().fit(X, y, sample_weight, **training)
        if self.probability:
            self.temperature_ = cross_validated_class_temperature(
                clone(self).set_params(probability=False), X, y)
            if self.temperature_ is None:
                raise InputError("a class has too few examples for probabilities; set "
                                 "probability=False, or pass at least "
                                 f"{CALIBRATION_FOLDS} of each")
        return self

    def _weigh(self, problem, sample_weight):
        if self.class_weight is None:
            return super()._weigh(problem, sample_weight)
        by_example = example_weights(sample_weight, len(problem))
        by_class = class_weights(self.class_weight, self.classes_, problem.Y, by_example)
        return super()._weigh(problem, by_class[problem.Y] if by_example is None
                              else by_example * by_class[problem.Y])

    @property
    def coef_(self) -> np.ndarray:
        """Weights of features, of shape (classes, features)."""
        if self.kernel is not None:
            raise AttributeError("with a kernel, there are no weights of features; "
                                 "dual_coef_ has those of training inputs")
        return self._class_weights()[:, :self.n_features_in_]

    @property
    def intercept_(self) -> np.ndarray:
        """The constant of each class; 0 without `fit_intercept`."""
        weights = self._class_weights()
        return weights[:, -1] if self.fit_intercept else np.zeros(len(weights))

    def _class_weights(self) -> np.ndarray:
        """What the features of a row count for each class."""
        check_is_fitted(self, "model_")
        features = self._class_features()
        return features @ self.model_.weights().reshape(-1, features.shape[1]).T

    def _encode_outputs(self, inputs, y, *, fitting):
        y = label_column(y, inputs.shape[0])
        present = np.unique(y)
        if fitting:
            self.classes_ = self._known_classes(present)
        if len(self.classes_) < 2:
            raise InputError(f"there is only one class, {self.classes_.tolist()[0]!r}; expected at "
                             "least two classes")
        return label_codes(y, present, self.classes_)

    def _problem(self, inputs, outputs):
        if outputs is None:
            outputs = np.zeros(inputs.shape[0], int)
        return ClassProblem(inputs, outputs, self._class_features(), self._cost())

    def _decode(self, outputs):
        return self.classes_[outputs]

    def decision_function(self, X) -> np.ndarray:
        """Scores of all classes; with two of them, how far the second is ahead."""
        check_is_fitted(self, "model_")
        inputs = self._encode(X, fitting=False)
        scores = self._class_scores(self._problem(inputs, None))
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _class_scores(self, problem: ClassProblem) -> np.ndarray:
        """A row for each example, a column for each class."""
        return problem.decision(self.model_.weights())

    @available_if(_has_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """The probability of each class, columns as in `classes_`: scores that are divided
        by a temperature, which was fitted to held-out examples."""
        check_is_fitted(self, "temperature_")
        return class_probabilities(self, X, self.temperature_)

    def _named(self, program):
        return program._replace(names=self._output_names())

    def _output_names(self) -> list:
        """The class of each output of the problem."""
        return self.classes_.tolist()

    def predict(self, X, *, constraints=None):
        """The class with the highest score for each row.

        constraints : see `StructuredEstimator.predict`; variables are named as classes
        """
        return super().predict(X, constraints=constraints)


def label_column(y, n: int) -> np.ndarray:
    """Labels as a one-dimensional array."""
    labels = column_or_1d(y, warn=True)
    check_classification_targets(labels)
    check_label_kinds([y])
    check_lengths(n, len(labels))
    return labels


class MulticlassSVM(ClassEstimator):
    """Multiclass support vector machine of Crammer and Singer, with any loss.

    With the loss "zero-one" and C = n * C', this is
    ``LinearSVC(multi_class="crammer_singer", C=C')``.

    Parameters
    ----------
    loss : "zero-one", array of shape (classes, classes) or function, default="zero-one"
        Costs L(y, y_hat) of predicting y_hat (columns) where y is true (rows), the
        classes in sorted order; or a function of the two classes
    class_features : array of shape (classes, features of a class) or dict, default=None
        What classes have in common: weights belong to pairs of a feature of the input and
        one of the class. A row for each class in sorted order, or a dict with the vector of
        each class; a class of the dict can be predicted even if it is in no example. None
        gives each class weights of its own
    kernel : name, function or None, default=None
        A kernel in place of features: an `InputKernel` of `orange_structpred.kernels`,
        whose inputs may be strings, lists, trees or sentences; "precomputed", if X has
        kernel values with the training inputs; one of scikit-learn's `pairwise_kernels`,
        such as "rbf" or "poly"; or a function of two inputs
    kernel_params : dict, default=None
        Parameters of the kernel, for example ``{"gamma": 0.1}``
    fit_intercept : bool, default=True
        Add a constant feature; its weights are regularized like all others
    class_weight : dict, "balanced" or None, default=None
        What an example counts, by its class; "balanced" gives all classes together the
        same weight
    probability : bool, default=False
        Fit a temperature by cross-validation, for `predict_proba`; training takes about
        three times longer
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the classes in sorted order
    coef_ : array of shape (classes, features), without a kernel
    intercept_ : array of shape (classes,)
    n_features_in_ : int
    support_, dual_coef_ : with a kernel, the support vectors and how much they count

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orange_structpred.problems import MulticlassSVM
    >>> X, y = load_iris(return_X_y=True)
    >>> MulticlassSVM(C=100).fit(X, y).score(X, y) > 0.95
    True
    """

    def __init__(self, *, loss="zero-one", class_features=None, C=1., tol=0.01,
                 solver="bcfw", solver_options=None, max_iter=None, kernel=None,
                 kernel_params=None, fit_intercept=True, class_weight=None,
                 probability=False, random_state=0, n_jobs=None, warm_start=False,
                 verbose=0):
        self._store_parameters(locals())

    def _known_classes(self, present):
        if not isinstance(self.class_features, Mapping):
            return present
        known = np.unique(np.array(list(self.class_features)))
        missing = np.setdiff1d(present, known)
        if missing.size:
            raise InputError(f"class_features has no vector of class {missing.tolist()[0]!r}")
        return known

    def _class_features(self):
        given = self.class_features
        if given is None:
            return super()._class_features()
        if isinstance(given, Mapping):
            given = [given[name] for name in self.classes_.tolist()]
        try:
            features = np.array(given, dtype=float)
        except ValueError as error:
            raise InputError("class_features: the vectors of classes must be numbers, "
                             "all of the same length") from error
        n = len(self.classes_)
        if features.ndim != 2 or len(features) != n or not features.shape[1]:
            raise InputError(f"class_features has the shape {features.shape}; expected "
                             f"({n}, features of a class), a row for each class")
        if not np.isfinite(features).all():
            raise InputError("class_features has values that are not finite numbers")
        return features
