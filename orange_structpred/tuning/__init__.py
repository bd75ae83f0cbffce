"""Parameters chosen by their loss on held-out sentences, over a grid of settings."""
from orange_structpred.tuning.arguments import tuning_arguments
from orange_structpred.tuning.curves import LearningCurve, learning_curve
from orange_structpred.tuning.grids import decades, make_grid
from orange_structpred.tuning.results import Point, Tuning
from orange_structpred.tuning.search import tune

__all__ = ["LearningCurve", "Point", "Tuning", "decades", "learning_curve", "make_grid",
           "tune", "tuning_arguments"]
