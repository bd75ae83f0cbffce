"""What a transition-based parser does with a sentence, transition by transition."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.parser import Parser
from orange_structpred.parsing.second_order.part_scoring import token_sums
from orange_structpred.parsing.second_order.token_layers import make_layers
from orange_structpred.parsing.transitions.beam_search import (
    NOTHING,
    best_in_beam,
    score_configuration,
)
from orange_structpred.parsing.transitions.transition_model import (
    TEMPLATES,
    TransitionModel,
)
from orange_structpred.parsing.transitions.transition_system import (
    LEFT_ARC,
    N_CONFIGURATION_ROLES,
    N_CONFIGURATION_WORDS,
    N_TRANSITIONS,
    RIGHT_ARC,
    TransitionSystem,
    apply,
    find_costs,
    gold_ranks,
    start,
)
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.sentence import Sentence

TRANSITION_NAMES = ("shift", "left-arc", "right-arc", "swap")


class TransitionStep(NamedTuple):
    """A configuration, and the transition that is made in it.

    stack : numbers of tokens, from 1; 0, the root, at the bottom
    buffer : numbers of the tokens that have not been read
    scores : of the transitions that are possible
    transition : the one that is made
    arc : (dependent, head) that it attaches, if any
    cost : how many edges of the gold tree it puts out of reach; None without a gold tree
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    scores: dict[str, float]
    transition: str
    arc: tuple[int, int] | None
    cost: int | None = None


def has_transitions(parser: Parser) -> bool:
    return isinstance(parser.model, TransitionModel)


def transition_steps(parser: Parser, sentence: Sentence) -> list[TransitionStep]:
    """The transitions by which a parser builds the tree of a sentence: those of the best
    sequence, if it has a beam."""
    model = parser.model
    if not isinstance(model, TransitionModel):
        raise InputError("the parser has no transitions; train one with "
                         "features='transitions'")
    tokens = encode([sentence]).tokens
    n = len(tokens) - 1
    sums = token_sums(make_layers(tokens).values, TEMPLATES,
                      N_CONFIGURATION_ROLES)
    shift = np.uint32(32 - model.bits)
    system = TransitionSystem(parser.single_root, model.swaps)
    best = best_in_beam(n, sums, model.beam, TEMPLATES, model.weights, shift, system,
                  np.empty(0, np.int32))
    roles = np.empty(N_CONFIGURATION_ROLES, np.int32)
    words = np.empty(N_CONFIGURATION_WORDS, np.uint32)
    rows = np.empty(TEMPLATES.salts.size, np.uint32)
    scores = np.empty(N_TRANSITIONS, np.float32)
    known = sentence.has_heads
    gold = np.append(np.int32(-1), sentence.heads).astype(np.int32)
    ranks = gold_ranks(gold if known else gold[:0], system)
    costs = np.zeros(N_TRANSITIONS, np.int64)
    at, steps = start(n), []
    for transition in best.transitions[best.transitions != NOTHING].tolist():
        score_configuration(at, sums, TEMPLATES, model.weights, shift, system, roles,
                            words, rows, scores)
        if known:
            find_costs(at, gold, ranks, system, costs)
        height, begin, _ = at.ends.tolist()
        top = int(at.stack[height - 1])
        stack = tuple(at.stack[:height].tolist())
        buffer = tuple(at.buffer[begin:].tolist())
        apply(at, transition)
        steps.append(TransitionStep(
            stack, buffer,
            {name: float(score) for name, score in zip(TRANSITION_NAMES, scores)
             if np.isfinite(score)},
            TRANSITION_NAMES[transition],
            (top, int(at.heads[top])) if transition in (LEFT_ARC, RIGHT_ARC) else None,
            int(costs[transition]) if known else None))
    return steps


def transitions_text(steps: Sequence[TransitionStep], sentence: Sentence) -> str:
    """A line per step: stack, buffer, transition, scores, gold edges that it loses."""
    names = ["ROOT", *sentence.forms]

    def words(numbers: Sequence[int]) -> str:
        return " ".join(names[number] for number in numbers)

    lines = []
    for step in steps:
        scores = ", ".join(f"{name} {score:.2f}" for name, score in step.scores.items())
        cost = f", {step.cost} gold edges lost" if step.cost else ""
        lines.append(f"[{words(step.stack)}] [{words(step.buffer)}] "
                     f"{step.transition} ({scores}){cost}")
    return "\n".join(lines)
