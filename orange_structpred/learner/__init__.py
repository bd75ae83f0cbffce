"""The backend that scripts, the command line and all widgets share."""
from orange_structpred.learner.parser_learner import ParserLearner
from orange_structpred.learner.training_log import training_log

__all__ = ["ParserLearner", "training_log"]
