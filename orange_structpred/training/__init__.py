"""What is learned from, in memory or on disk, and the course of a training."""
from orange_structpred.training.data import DiskTreebank, MemoryTreebank, training_data
from orange_structpred.training.log import training_log
from orange_structpred.training.sentences import (
    MissingHeadsError,
    TrainingError,
    training_sentences,
    validation_treebank,
)

__all__ = ["DiskTreebank", "MemoryTreebank", "MissingHeadsError", "TrainingError",
           "training_data", "training_log", "training_sentences", "validation_treebank"]
