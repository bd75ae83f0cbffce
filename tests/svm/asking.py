"""Short ways to ask a problem what solvers ask it."""
import numpy as np

from orange_structpred.svm.planes import Plane
from orange_structpred.svm.vectors import sparse_vector


def dense(problem, features):
    """A feature vector as an array."""
    vector = sparse_vector(features)
    result = np.zeros(problem.dim)
    result[vector.indices] = vector.values
    return result


def phi(problem, x, y):
    """Joint features as an array."""
    return dense(problem, problem.joint_features(x, y))


def each(problem, flat):
    """The heads of each sentence, views of a flat array."""
    return [flat[start:stop] for start, stop in zip(problem.bounds, problem.bounds[1:])]


def plane_of(problem, outputs):
    """The cutting plane of one output for each example."""
    planes = problem.new_planes()
    half = len(outputs) // 2
    chunks = [planes.chunk_features(first, own)
              for first, own in ((0, outputs[:half]), (half, outputs[half:])) if own]
    loss = np.mean([problem.example_loss(i, y) for i, y in enumerate(outputs)])
    return Plane(float(loss), planes.join(chunks))
