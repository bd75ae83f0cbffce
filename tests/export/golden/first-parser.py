"""A First Parser: a workflow of Orange written as a script."""

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.evaluation import score_table
from orange_structpred.export.sampling import sample

# Treebank
treebank = load_bundled("en")

# Data Sampler
data_sampler_sample, data_sampler_rest = sample(treebank, 0.8, random_state=42)

# Train Parser
train_parser = ParserLearner(order=1, solver="bcfw")(data_sampler_sample)

# Apply Parser
apply_parser = train_parser(data_sampler_rest)

# UAS Score
print(score_table(apply_parser))
