"""Scores of predicted trees, where the errors are, and how certain the scores are."""
from orange_structpred.evaluation.agreement import (
    TreebankComparison,
    cohen_kappa,
    compare_treebanks,
    krippendorff_alpha,
)
from orange_structpred.evaluation.breakdown import BREAKDOWNS, Group
from orange_structpred.evaluation.calibration import (
    Calibration,
    calibration,
    reliability,
)
from orange_structpred.evaluation.comparison import (
    Comparison,
    score_table,
    score_treebanks,
)
from orange_structpred.evaluation.confusions import Confusions, confusions
from orange_structpred.evaluation.raw import RAW_MEASURES, RawScore, evaluate_raw
from orange_structpred.evaluation.scored_prediction import ScoredPrediction
from orange_structpred.evaluation.scores import (
    MEASURES,
    Evaluation,
    MismatchError,
    NoHeadError,
    evaluate,
    evaluate_sentences,
)
from orange_structpred.evaluation.significance import PairedTest, paired_test
from orange_structpred.evaluation.table import prediction_table
from orange_structpred.evaluation.tags import TagScore, score_tags, tag_confusions

__all__ = [
    "BREAKDOWNS", "MEASURES", "RAW_MEASURES", "Calibration", "Comparison", "Confusions",
    "Evaluation", "Group",
    "MismatchError", "NoHeadError", "PairedTest", "RawScore", "ScoredPrediction",
    "TagScore", "TreebankComparison", "calibration", "cohen_kappa", "compare_treebanks",
    "confusions", "evaluate", "evaluate_raw", "evaluate_sentences",
    "krippendorff_alpha", "paired_test", "prediction_table", "reliability", "score_table", "score_tags",
    "score_treebanks", "tag_confusions",
]
