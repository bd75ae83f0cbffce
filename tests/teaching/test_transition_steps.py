"""Transition-based parsers, step by step."""
import pytest

from orange_structpred.learner import ParserLearner
from orange_structpred.teaching import transition_steps, transitions_text
from orange_structpred.treebank import load_bundled


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")


@pytest.fixture(scope="module", params=[(1, "projective"), (3, "projective"),
                                        (1, "rearranged"), (3, "rearranged")])
def parser(treebank, request):
    beam, decoder = request.param
    return ParserLearner("transitions", beam=beam, decoder=decoder, passes=2)(treebank[:60])


def test_steps_build_the_tree(parser, treebank):
    sentences = treebank.sentences[60:75]
    for sentence, heads in zip(sentences, parser.predict(sentences).heads):
        steps = transition_steps(parser, sentence)
        assert len(steps) == 2 * (len(sentence) + sum(
            step.transition == "swap" for step in steps))
        assert dict(step.arc for step in steps if step.arc) == dict(enumerate(heads, 1))
        for step, following in zip(steps, steps[1:]):
            assert step.transition in step.scores
            if step.transition == "shift":
                assert following.stack == (*step.stack, step.buffer[0])
                assert following.buffer == step.buffer[1:]
            elif step.transition == "swap":
                assert following.stack == step.stack[:-1] and step.arc is None
                assert following.buffer == (step.buffer[0], step.stack[-1], *step.buffer[1:])
            else:
                assert following.stack == step.stack[:-1]
                head = step.buffer[0] if step.transition == "left-arc" else step.stack[-2]
                assert step.arc == (step.stack[-1], head)


def test_a_greedy_parser_makes_the_best_transition(treebank):
    parser = ParserLearner("transitions", passes=2)(treebank[:60])
    for step in transition_steps(parser, treebank.sentences[60]):
        assert step.scores[step.transition] == max(step.scores.values())


def test_steps_as_text(parser, treebank):
    sentence = treebank.sentences[60]
    first, *_, last = transitions_text(
        transition_steps(parser, sentence), sentence).splitlines()
    assert first.startswith(f"[ROOT] [{' '.join(sentence.forms)}] shift (shift ")
    assert "] [] right-arc (right-arc " in last
