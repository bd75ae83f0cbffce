"""The table of parameters of estimators, and what follows from it."""
import inspect

import pytest
from sklearn.base import BaseEstimator

from orange_structpred import problems
from orange_structpred.errors import InputError
from orange_structpred.problems import MulticlassSVM, SequenceSVM
from orange_structpred.problems.parameters import SHARED, check_parameters, kinds_of
from orange_structpred.problems.tables import TABLE_KINDS, StructuredSVMLearner

ESTIMATORS = [made for name in problems.__all__
              if inspect.isclass(made := getattr(problems, name))
              and issubclass(made, BaseEstimator) and made is not problems.StructuredEstimator]
#: Defaults that are other than those of the table, and are said in the docstring
OTHER_DEFAULTS = {
    ("GraphCRF", "max_iter"): 1000, ("SequenceCRF", "max_iter"): 1000,
    ("GraphSVM", "solver"): "n-slack", ("GridSVM", "solver"): "n-slack",
    ("SearchLearner", "solver"): "mira", ("OutputSearch", "solver"): "mira"}
#: What their values may be depends on data or on other parameters
CHECKED_LATER = {
    "loss", "class_weight", "kernel", "kernel_params", "problem", "learner", "features",
    "taxonomy", "class_features", "node_weight", "separator", "pairs", "span_features", "inference", "neighbourhood"}


def parameters_of(estimator_type):
    return {name: parameter.default for name, parameter
            in inspect.signature(estimator_type.__init__).parameters.items()
            if name != "self"}


@pytest.mark.parametrize("estimator_type", ESTIMATORS, ids=lambda made: made.__name__)
def test_signatures_and_the_table_agree(estimator_type):
    kinds = kinds_of(estimator_type)
    for name, default in parameters_of(estimator_type).items():
        if name in SHARED:
            assert default == OTHER_DEFAULTS.get((estimator_type.__name__, name),
                                                 SHARED[name].default), name
        assert name in CHECKED_LATER or kinds[name].fits(default), name


def test_tables_agree():
    for name, default in parameters_of(StructuredSVMLearner).items():
        assert name not in TABLE_KINDS or TABLE_KINDS[name].fits(default), name


@pytest.mark.parametrize("parameters, message", [
    ({"C": 0}, "C must be a number from 1e-10 to 1e\\+10, or inf, not 0"),
    ({"C": True}, "C must be"), ({"tol": 0}, "tol must be a number above 0"),
    ({"max_iter": 0}, "max_iter must be a whole number from 1"),
    ({"n_jobs": 0}, "n_jobs must be a whole number"),
    ({"random_state": -1}, "random_state must be a whole number"),
    ({"warm_start": 1}, "warm_start must be True or False"),
    ({"verbose": "yes"}, "verbose must be"),
    ({"solver": "simplex"}, "solver 'simplex' is not known; choose from"),
    ({"solver_options": [1]}, "solver_options must be a dict")])
def test_one_message_for_all(parameters, message):
    for made in (MulticlassSVM, SequenceSVM):
        with pytest.raises(InputError, match=message):
            check_parameters(made(**parameters))
    with pytest.raises(InputError, match=message):
        MulticlassSVM(**parameters).fit([[0.], [1.]], [0, 1])


def test_the_docstring_has_the_table():
    for row in SHARED.values():
        assert row.documented() in problems.StructuredEstimator.__doc__
