"""scikit-learn's own checks of estimators, and which of them are left out."""
import warnings
from unittest import SkipTest

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import estimator_checks_generator

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


def checks():
    for estimator in ESTIMATORS:
        name = type(estimator).__name__
        for _, check in estimator_checks_generator(estimator, legacy=True):
            why = reason(LEFT_OUT, name, check.func.__name__)
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
