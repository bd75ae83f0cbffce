"""From text to trees: tokeniser, tagger, lemmatiser and parser as one model."""
from orange_structpred.pipeline.pipeline_learner import PipelineLearner, PipelineReport
from orange_structpred.pipeline.trained_pipeline import PIPELINE_STEPS, Pipeline

__all__ = ["PIPELINE_STEPS", "Pipeline", "PipelineLearner", "PipelineReport"]
