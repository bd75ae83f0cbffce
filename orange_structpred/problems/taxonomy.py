"""Classes in a tree (001, sections 4.2 and 5.1)."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, Switch
from orange_structpred.problems.losses import cost_matrix
from orange_structpred.problems.multiclass import ClassEstimator

Path = tuple[Hashable, ...]


def paths_of(classes: Sequence, taxonomy: Mapping | None, separator: str) -> list[Path]:
    """The nodes from below the root to each class, which is the last.

    taxonomy : the parent of each node; None reads classes as paths such as "a/b/c"
    """
    if taxonomy is None:
        steps = [str(name).split(separator) if isinstance(name, str) else [name]
                 for name in classes]
        return [tuple(tuple(path[:k + 1]) for k in range(len(path))) for path in steps]
    if not isinstance(taxonomy, Mapping):
        raise InputError(f"taxonomy is a {type(taxonomy).__name__}; expected a dict of the "
                         "parent of each node, or None")
    for name, parent in taxonomy.items():
        if not isinstance(parent, Hashable):
            raise InputError(f"the parent of {name!r} is {parent!r}; a node of a taxonomy "
                             "has one parent")
    known = {*taxonomy, *taxonomy.values()}
    paths = []
    for name in np.asarray(classes).tolist():
        if name not in known:
            raise InputError(f"class {name!r} is not in the taxonomy")
        path = [name]
        while (parent := taxonomy.get(path[-1])) is not None:
            if parent in path:
                raise InputError(f"{parent!r} is above itself in the taxonomy")
            path.append(parent)
        paths.append(tuple(reversed(path)))
    return paths


def taxonomy_features(paths: Sequence[Path]) -> tuple[np.ndarray, list[Hashable]]:
    """Lambda_z(y) = 1 if z is y or above it, and the nodes z."""
    nodes = list(dict.fromkeys(node for path in paths for node in path))
    number = {node: k for k, node in enumerate(nodes)}
    features = np.zeros((len(paths), len(nodes)))
    for row, path in zip(features, paths):
        row[[number[node] for node in path]] = 1
    return features, nodes


def common(one: Path, other: Path) -> int:
    """How many nodes two paths have in common."""
    shared = 0
    for first, its in zip(one, other):
        if first != its:
            break
        shared += 1
    return shared


def ancestor_heights(paths: Sequence[Path]) -> np.ndarray:
    """The height of the first common ancestor of two classes (001, section 5.1)."""
    height: dict[Path, int] = {}
    for path in paths:
        for depth in range(len(path) + 1):
            height[path[:depth]] = max(height.get(path[:depth], 0), len(path) - depth)
    costs = np.array([[height[one[:common(one, other)]] for other in paths]
                      for one in paths], dtype=float)
    np.fill_diagonal(costs, 0)
    return costs


def tree_distances(paths: Sequence[Path]) -> np.ndarray:
    """How many edges are between two classes."""
    return np.array([[len(one) + len(other) - 2 * common(one, other) for other in paths]
                     for one in paths], dtype=float)


TAXONOMY_LOSSES: dict[str, Callable[[Sequence[Path]], np.ndarray]] = {
    "tree": ancestor_heights, "distance": tree_distances}


class TaxonomySVM(ClassEstimator):
    """Structural SVM for classes in a tree, which share the weights of their ancestors.

    Each node of the tree has weights; the score of a class is the sum of the scores of
    all nodes on the way from the root to it, so that similar classes learn from each
    other's examples. Classes can be leaves or inner nodes.

    Parameters
    ----------
    taxonomy : dict, default=None
        The parent of each node; nodes without one are below the root. None reads the
        classes themselves as paths, such as "animal/mammal/cat"
    separator : str, default="/"
        Between the nodes of a path
    loss : "tree", "distance", "zero-one", array or function, default="tree"
        The height of the first common ancestor, the number of edges between the two
        classes, or a loss as in `MulticlassSVM`
    shared : bool, default=True
        False gives each class weights of its own, as in `MulticlassSVM`
    kernel : name, function or None, default=None
        A kernel in place of features, see `MulticlassSVM`
    kernel_params : dict, default=None
        Parameters of the kernel
    fit_intercept : bool, default=True
        Add a constant feature; its weights are regularized like all others
    class_weight, probability : see `MulticlassSVM`
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the classes in sorted order
    coef_ : array of shape (classes, features), without a kernel
    nodes_ : list, the nodes
    node_weights_ : array of shape (nodes, features), and one more column for the constant
        feature
    """

    _kinds: ClassVar[dict[str, Kind]] = {"shared": Switch()}

    def __init__(self, *, taxonomy=None, separator="/", loss="tree", shared=True, C=1.,
                 tol=0.01, solver="bcfw", solver_options=None, max_iter=None, kernel=None,
                 kernel_params=None, fit_intercept=True, class_weight=None,
                 probability=False, random_state=0, n_jobs=None, warm_start=False,
                 verbose=0):
        self.class_weight, self.probability = class_weight, probability
        self.kernel, self.kernel_params = kernel, kernel_params
        self.taxonomy, self.separator, self.loss = taxonomy, separator, loss
        self.shared, self.C, self.tol = shared, C, tol
        self.solver, self.solver_options = solver, solver_options
        self.max_iter, self.fit_intercept = max_iter, fit_intercept
        self.random_state, self.n_jobs = random_state, n_jobs
        self.warm_start, self.verbose = warm_start, verbose

    @property
    def node_weights_(self) -> np.ndarray:
        check_is_fitted(self, "model_")
        return self.model_.weights().reshape(-1, self._n_label_features()).T

    def _paths(self) -> list[Path]:
        return paths_of(self.classes_, self.taxonomy, self.separator)

    def _class_features(self):
        if not self.shared:
            self.nodes_ = self.classes_.tolist()
            return super()._class_features()
        features, self.nodes_ = taxonomy_features(self._paths())
        return features

    def _cost(self):
        if isinstance(self.loss, str) and self.loss in TAXONOMY_LOSSES:
            return TAXONOMY_LOSSES[self.loss](self._paths())
        return cost_matrix(self.loss, self.classes_)
