"""Learning seen step by step, for those who teach it or want to understand it."""
from orange_structpred.teaching.one_weight import OneWeight, first_sentences
from orange_structpred.teaching.parser_steps import (
    ParserSteps,
    TreeStep,
    steps_table,
    steps_text,
)
from orange_structpred.teaching.transition_steps import (
    TransitionStep,
    transition_steps,
    transitions_text,
)

__all__ = ["OneWeight", "ParserSteps", "TransitionStep", "TreeStep", "first_sentences",
           "steps_table", "steps_text", "transition_steps", "transitions_text"]
