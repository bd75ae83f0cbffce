"""The parameters of the learner: defaults, what they may be, when they matter."""
