"""The chapter "Your own language in ten minutes": its numbers. Its example is run by
test_examples."""
from orange_structpred import load_bundled
from orange_structpred.evaluation import score_treebanks, tag_confusions
from orange_structpred.export import read_workflow
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.pipeline.settings import make_learner
from orange_structpred.tables.sampling import sample
from orange_structpred.treebank.ud import ud_treebanks
from tests.data import ROOT
from tests.test_doc import Reader, percent

PAGE = (ROOT / "doc" / "own-language.md").read_text(encoding="utf-8")


def settings(name):
    """Settings of the widgets in an example, by their titles."""
    nodes = read_workflow(ROOT / "workflows" / f"{name}.ows").nodes
    return {node.title: node.settings for node in nodes}


def test_figures():
    """In the order in which a reader meets them, with the models of the examples."""
    reader = Reader(" ".join(PAGE.replace("*", "").split()))
    reader.finds(f"there are {len(ud_treebanks())} of them")
    training, test = sample(load_bundled("en"), 0.8, random_state=42)

    learner = make_learner(settings("180-text-to-trees")["Train Tagger"])
    # not calibrated: that changes no tree and takes as long again
    learner.parser = ParserLearner(random_state=learner.random_state, calibrate=False)
    pipeline = learner(training)
    scores = score_treebanks(pipeline(test))
    accuracy = {score.layer: percent(score.accuracy) for _, score in scores.tags}
    [own] = scores.scored
    for figure in (
            f"In the {len(test)} held-out sentences, the pipeline gets "
            f"{accuracy['upos']}% of the universal tags right",
            f"{accuracy['xpos']}% of the tags of the language",
            f"{accuracy['feats']}% of the features and {accuracy['lemma']}% of the lemmas",
            f"UAS is {percent(own.evaluation.uas)}, LAS {percent(own.evaluation.las)}"):
        reader.finds(figure)

    chosen = settings("190-wrong-tags")
    tagged = make_learner(chosen["Train Tagger"])(training)(test)
    parser = ParserLearner(**{**learner_parameters(chosen["Train Parser"]),
                              "calibrate": False})(training)
    gold, predicted = (own.evaluation.uas for own in score_treebanks(
        parser(test, name="gold"), parser(tagged.use_tags(), name="predicted")).scored)
    reader.finds(f"With gold tags UAS is {percent(gold)}, with predicted ones "
                 f"{percent(predicted)}")
    reader.finds(f"has a UAS of {percent(own.evaluation.uas)}")
    assert predicted < own.evaluation.uas
    worst = tag_confusions(tagged)[0]
    reader.finds(f"{worst['gold']} taken for {worst['predicted']}, "
                 f"{worst['tokens']:.0f} times")
