"""Classes in a tree or a lattice (001, sections 4.2 and 5.1)."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, Switch
from orange_structpred.problems.losses import cost_matrix
from orange_structpred.problems.multiclass import ClassEstimator


class _Root:
    """Above all nodes."""

    def __repr__(self) -> str:
        return "the root"


ROOT: Final = _Root()


class TaxonomySteps(NamedTuple):
    """How many steps it is from a class up to a node, on the shortest and on the longest
    way."""

    fewest: int
    most: int


#: What a class is or is below of, the root included
Ancestors = dict[Hashable, TaxonomySteps]


def parents_from_user(taxonomy: Mapping) -> dict[Hashable, list[Hashable]]:
    """The parents of each node: one, or a list or a set of several."""
    if not isinstance(taxonomy, Mapping):
        raise InputError(f"taxonomy is a {type(taxonomy).__name__}; expected a dict of the "
                         "parent of each node, or None")
    parents: dict[Hashable, list[Hashable]] = {}
    for name, above in taxonomy.items():
        several = list(above) if isinstance(above, (list, set)) else [above]
        if not all(isinstance(parent, Hashable) for parent in several):
            raise InputError(f"the parent of {name!r} is {above!r}; expected a node, or a "
                             "list of nodes")
        parents[name] = [parent for parent in several if parent is not None]
    return parents


def ancestors_of(name: Hashable, parents_of: Callable[[Hashable], Sequence[Hashable]],
                 most: int) -> Ancestors:
    """The nodes above a class and the class itself.

    most : how many nodes there are at most; longer ways have a cycle
    """
    steps: Ancestors = {}
    level: dict[Hashable, None] = {name: None}
    for step in range(most + 2):
        for node in level:
            steps[node] = TaxonomySteps(steps[node].fewest if node in steps else step, step)
        level = dict.fromkeys(parent for node in level if node is not ROOT
                              for parent in parents_of(node) or [ROOT])
        if not level:
            return steps
    raise InputError(f"{next(node for node in level if node is not ROOT)!r} is above "
                     "itself in the taxonomy")


def all_ancestors(classes: Sequence, taxonomy: Mapping | None, separator: str
                  ) -> list[Ancestors]:
    """The ancestors of each class.

    taxonomy : the parent of each node, or its parents; None reads classes as paths such
        as "a/b/c", whose nodes are ("a",), ("a", "b") and ("a", "b", "c")
    """
    if taxonomy is None:
        paths = [tuple(name.split(separator)) if isinstance(name, str) else (name,)
                 for name in classes]
        above: dict[Hashable, list[Hashable]] = {
            path[:k + 1]: [path[:k]] for path in paths for k in range(1, len(path))}
        return [ancestors_of(path, lambda node: above.get(node, []), len(path))
                for path in paths]
    parents = parents_from_user(taxonomy)
    known = {*parents, *(parent for several in parents.values() for parent in several)}
    for name in np.asarray(classes).tolist():
        if name not in known:
            raise InputError(f"class {name!r} is not in the taxonomy")
    return [ancestors_of(name, lambda node: parents.get(node, []), len(known))
            for name in np.asarray(classes).tolist()]


def taxonomy_features(ancestors: Sequence[Ancestors]) -> tuple[np.ndarray, list[Hashable]]:
    """Lambda_z(y) = 1 if z is y or above it, and the nodes z."""
    nodes = list(dict.fromkeys(
        node for above in ancestors
        for node in sorted(above, key=lambda node: -above[node].most) if node is not ROOT))
    number = {node: k for k, node in enumerate(nodes)}
    features = np.zeros((len(ancestors), len(nodes)))
    for row, above in zip(features, ancestors):
        row[[number[node] for node in above if node is not ROOT]] = 1
    return features, nodes


def ancestor_heights(ancestors: Sequence[Ancestors]) -> np.ndarray:
    """The height of the first common ancestor of two classes (001, section 5.1); of
    the lowest one, if there are several."""
    height: dict[Hashable, int] = {}
    for above in ancestors:
        for node, steps in above.items():
            height[node] = max(height.get(node, 0), steps.most)
    costs = np.array([[min(height[node] for node in one if node in other)
                       for other in ancestors] for one in ancestors], dtype=float)
    np.fill_diagonal(costs, 0)
    return costs


def tree_distances(ancestors: Sequence[Ancestors]) -> np.ndarray:
    """How many edges are between two classes, by way of a common ancestor."""
    return np.array([[min(steps.fewest + other[node].fewest
                          for node, steps in one.items() if node in other)
                      for other in ancestors] for one in ancestors], dtype=float)


TAXONOMY_LOSSES: dict[str, Callable[[Sequence[Ancestors]], np.ndarray]] = {
    "tree": ancestor_heights, "distance": tree_distances}


class TaxonomySVM(ClassEstimator):
    """Structural SVM for classes in a taxonomy, which share the weights of their ancestors.

    Each node of the taxonomy has weights; the score of a class is the sum of the scores of
    the class and all nodes above it, so that similar classes learn from each other's
    examples. Classes can be leaves or inner nodes.

    Parameters
    ----------
    taxonomy : dict, default=None
        The parent of each node, or a list of its parents; nodes without one are below the
        root. None reads the classes themselves as paths, such as "animal/mammal/cat"
    separator : str, default="/"
        Between the nodes of a path
    loss : "tree", "distance", "zero-one", array or function, default="tree"
        The height of the first common ancestor (the lowest of several), the number of
        edges between the two classes, or a loss as in `MulticlassSVM`
    shared : bool, default=True
        False gives each class weights of its own, as in `MulticlassSVM`
    node_weight : dict, default=None
        What nodes count, 1 for those that are left out: with more than 1, the classes
        below a node have more in common; with 0, nothing because of it. Nodes of paths
        are named by their paths, such as "animal/mammal"
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

    def __init__(self, *, taxonomy=None, separator="/", loss="tree", shared=True,
                 node_weight=None, C=1., tol=0.01, solver="bcfw", solver_options=None,
                 max_iter=None, kernel=None, kernel_params=None, fit_intercept=True,
                 class_weight=None, probability=False, random_state=0, n_jobs=None, warm_start=False,
                 verbose=0):
        self._store_parameters(locals())

    @property
    def node_weights_(self) -> np.ndarray:
        check_is_fitted(self, "model_")
        return self.model_.weights().reshape(-1, self._n_label_features()).T

    def _ancestors(self) -> list[Ancestors]:
        return all_ancestors(self.classes_, self.taxonomy, self.separator)

    def _class_features(self):
        if not self.shared:
            self.nodes_ = self.classes_.tolist()
            return super()._class_features()
        features, self.nodes_ = taxonomy_features(self._ancestors())
        return features * self._node_factors()

    def _node_factors(self) -> np.ndarray:
        """Beta_z: what each node counts."""
        names = self.nodes_ if self.taxonomy is not None else [
            self.separator.join(node) if all(isinstance(step, str) for step in node)
            else node[-1] for node in self.nodes_]
        given = {} if self.node_weight is None else self.node_weight
        if not isinstance(given, Mapping):
            raise InputError(f"node_weight is a {type(given).__name__}; expected a dict of "
                             "nodes and what they count")
        for name in given:
            if name not in names:
                raise InputError(f"node_weight has {name!r}, which is not a node above a class")
        factors = np.array([given.get(name, 1.) for name in names], dtype=float)
        if not (np.isfinite(factors).all() and (factors >= 0).all()):
            raise InputError("node_weight has a value that is negative or not finite; "
                             "expected numbers from 0 on")
        return factors

    def _cost(self):
        if isinstance(self.loss, str) and self.loss in TAXONOMY_LOSSES:
            return TAXONOMY_LOSSES[self.loss](self._ancestors())
        return cost_matrix(self.loss, self.classes_)
