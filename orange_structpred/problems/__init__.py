"""Outputs of all kinds, as estimators that follow scikit-learn."""
from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.problems.multiclass import MulticlassSVM
from orange_structpred.problems.sequences.estimator import SequenceSVM

__all__ = ["MulticlassSVM", "SequenceSVM", "StructuredEstimator"]
