"""How long a training will take, roughly."""
from __future__ import annotations

from collections.abc import Mapping

from orange_structpred.learner.parameters import chosen, chosen_order

#: Tokens times passes in a second, on one core of an ordinary machine; benchmarks/
#: measures them
EXPLICIT_SPEED = {1: 45_000, 2: 15_000}
KERNEL_SPEED = 30_000
NET_SPEED = 5_500
USUAL_EPOCHS = 10
TRANSITION_SPEED = 150_000
TAGGING_SPEED = 33_000
TAG_NET_SPEED = 11_000
USUAL_TAG_EPOCHS = 8
#: Seconds for each pair of sentences that an input kernel compares
PAIR = 0.5e-6


def expected_seconds(settings: Mapping[str, object], *, tokens: int, sentences: int
                     ) -> float:
    """The time that a training takes, without compilation.

    Enough to tell seconds from minutes: the decoder, the solver and the lengths of
    sentences make a difference of a few times.

    Parameters
    ----------
    settings : parameters of the learner; others have their defaults
    tokens, sentences : how many there are in the treebank

    Examples
    --------
    >>> round(expected_seconds({"order": 1, "passes": 10}, tokens=45_000, sentences=3_000))
    10
    """
    work = tokens * chosen("passes", settings)
    if chosen("features", settings) == "kernel":
        constant = chosen("kernel", settings) == "constant"
        return work / KERNEL_SPEED + (0. if constant else PAIR * sentences ** 2)
    if chosen("features", settings) == "transitions":
        return work / TRANSITION_SPEED * chosen("beam", settings)
    epochs = chosen("epochs", settings) or USUAL_EPOCHS
    net = epochs * tokens / NET_SPEED
    if chosen("features", settings) == "neural":
        return net
    return work / EXPLICIT_SPEED[chosen_order(settings)] + (
        net if chosen("neural", settings) and chosen_order(settings) == 2 else 0.)


def expected_pipeline_seconds(*, passes: int, trees: bool, tokens: int, sentences: int,
                              neural: bool = False) -> float:
    """The time that a pipeline's training takes, without compilation.

    passes : of the tagger
    trees : whether a parser is trained as well. It learns from predicted tags, so that
        tagging is learned once more, on parts of the treebank
    neural : whether tagger and parser have nets

    Examples
    --------
    >>> round(expected_pipeline_seconds(passes=8, trees=False, tokens=45_000,
    ...                                 sentences=3_000))
    11
    """
    tagging = tokens * passes / TAGGING_SPEED
    net = USUAL_TAG_EPOCHS * tokens / TAG_NET_SPEED if neural else 0.
    if not trees:
        return tagging + net
    return 2 * tagging + net + expected_seconds(
        {"neural": neural}, tokens=tokens, sentences=sentences)
