"""scikit-learn's own checks of estimators, and which of them are left out."""
import warnings
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import (
    _enforce_estimator_tags_y,
    estimator_checks_generator,
)

from orange_structpred.problems import MulticlassSVM, MultilabelSVM, TaxonomySVM
from tests.data import ROOT

#: Checks that are left out, and why
LEFT_OUT = {
    ("MulticlassSVM", "TaxonomySVM"): {
        "they ask for the same predictions to 1e-7; solutions agree as far as tol says, "
        "see test_weights_count_like_copies in test_estimators.py": (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data")},
    ("MultilabelSVM",): {
        "their y is one column of classes; MultilabelSVM takes a matrix of zeros and ones "
        "with a column for each label": (
            "check_estimators_dtypes", "check_sample_weights_pandas_series",
            "check_sample_weights_not_an_array", "check_sample_weights_shape",
            "check_sample_weights_not_overwritten", "check_classifier_data_not_an_array",
            "check_classifiers_one_label", "check_classifiers_one_label_sample_weights",
            "check_classifiers_classes", "check_classifiers_train",
            "check_classifier_not_supporting_multiclass", "check_fit2d_1feature")},
}
#: Checks that scikit-learn 1.6 makes with a column of other numbers than zeros and ones,
#: and later versions with zeros and ones
OTHER_NUMBERS = {("MultilabelSVM",): {
    "their y has other numbers than zeros and ones": (
        "check_estimators_overwrite_params", "check_dont_overwrite_parameters",
        "check_estimators_fit_returns_self", "check_readonly_memmap_input",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data", "check_dtype_object",
        "check_pipeline_consistency", "check_estimator_sparse_array",
        "check_estimator_sparse_matrix", "check_estimators_pickle",
        "check_f_contiguous_array_estimator", "check_methods_sample_order_invariance",
        "check_methods_subset_invariance", "check_dict_unchanged",
        "check_fit_check_is_fitted", "check_fit2d_predict1d")}}
#: Checks that scikit-learn skips by itself, and why
SKIPPED = {
    ("MulticlassSVM", "TaxonomySVM", "MultilabelSVM"): {
        "arrays of other libraries than numpy are checked only where the environment "
        "variable SCIPY_ARRAY_API is set": ("check_array_api_input",)},
    ("MultilabelSVM",): {
        "it predicts sets of labels and has no score for a single label": (
            "check_classifiers_multilabel_output_format_predict_proba",
            "check_classifiers_multilabel_output_format_decision_function")},
}
ESTIMATORS = [MulticlassSVM(max_iter=10), TaxonomySVM(max_iter=10),
              MultilabelSVM(max_iter=3, pairs=None)]


def reason(table: dict, estimator: str, check: str) -> str | None:
    """Why a check is in a table, if it is."""
    return next((why for names, reasons in table.items() if estimator in names
                 for why, checks in reasons.items() if check in checks), None)


def has_zeros_and_ones() -> bool:
    """Whether this version of scikit-learn asks for labels as MultilabelSVM has them."""
    labels = _enforce_estimator_tags_y(MultilabelSVM(), np.array([1, 0]))
    return set(labels.flat) == {0, 1}


def checks():
    other_numbers = {} if has_zeros_and_ones() else OTHER_NUMBERS
    for estimator in ESTIMATORS:
        name = type(estimator).__name__
        for _, check in estimator_checks_generator(estimator, legacy=True):
            why = (reason(LEFT_OUT, name, check.func.__name__)
                   or reason(other_numbers, name, check.func.__name__))
            yield pytest.param(
                estimator, check, id=f"{name}-{check.func.__name__}",
                marks=[] if why is None else [pytest.mark.xfail(reason=why, strict=True)])


@pytest.mark.parametrize("estimator, check", list(checks()))
def test_check(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            check(estimator)
        except SkipTest:
            assert reason(SKIPPED, type(estimator).__name__, check.func.__name__)


def test_the_page_lists_what_is_left_out():
    text = (ROOT / "doc" / "problems" / "index.md").read_text(encoding="utf-8")
    for table in (LEFT_OUT, SKIPPED):
        for reasons in table.values():
            for checks in reasons.values():
                assert [check for check in checks if f"`{check}`" not in text] == []
