"""Outputs of all kinds, as estimators that follow scikit-learn."""
from orange_structpred.problems.alignment.estimator import AlignmentSVM, read_alignment
from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.problems.grammar.estimator import PCFG, GrammarSVM
from orange_structpred.problems.grammar.trees import (
    PhraseTree,
    f1_score,
    read_brackets,
    write_brackets,
)
from orange_structpred.problems.multiclass import MulticlassSVM
from orange_structpred.problems.sequences.crf import SequenceCRF
from orange_structpred.problems.sequences.estimator import SequenceSVM

__all__ = ["PCFG", "AlignmentSVM", "GrammarSVM", "MulticlassSVM", "SequenceCRF",
           "SequenceSVM", "StructuredEstimator", "PhraseTree", "f1_score", "read_alignment",
           "read_brackets", "write_brackets"]
