"""Learning seen step by step, for those who teach it or want to understand it."""
from orange_structpred.teaching.one_weight import OneWeight
from orange_structpred.teaching.parser_steps import ParserSteps, TreeStep

__all__ = ["OneWeight", "ParserSteps", "TreeStep"]
