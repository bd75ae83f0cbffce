"""Scores of predicted trees, where the errors are, and how sure one may be."""
from orange_structpred.evaluation.breakdown import BREAKDOWNS, Group
from orange_structpred.evaluation.raw import RAW_MEASURES, RawScore, evaluate_raw
from orange_structpred.evaluation.report import evaluate_all, score_table, wrong_tokens
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

__all__ = [
    "BREAKDOWNS",
    "MEASURES",
    "RAW_MEASURES",
    "Evaluation",
    "Group",
    "MismatchError",
    "NoHeadError",
    "PairedTest",
    "RawScore",
    "evaluate",
    "evaluate_all",
    "evaluate_raw",
    "evaluate_sentences",
    "paired_test",
    "prediction_table",
    "score_table",
    "wrong_tokens",
]
