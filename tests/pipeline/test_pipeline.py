"""From text to trees, and sentences that lack something."""
import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings

from orange_structpred import (
    ParserLearner,
    Pipeline,
    PipelineLearner,
    TaggerLearner,
    Treebank,
    evaluate,
    load_bundled,
)
from orange_structpred.errors import InputError
from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.pipeline import PIPELINE_STEPS
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank.layers import with_layers
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.text import clean_text
from tests.observers import cancel_unless, stop_if
from tests.tagging.test_tokeniser import TEXTS, written

TEXT = "The architect built this theatre. Which room has a traveller booked?"


def without(sentences, *layers, heads=False):
    bare = [with_layers(s, {layer: ["_"] * len(s) for layer in layers})
            for s in sentences]
    return [s.with_heads([-1] * len(s), ["_"] * len(s)) for s in bare] if heads else bare


def test_text_to_trees(pipeline):
    first, second = pipeline.annotate(TEXT)
    assert first.lemmas == ["the", "architect", "build", "this", "theatre", "."]
    assert first.upos == ["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"]
    assert first.heads.tolist() == [2, 3, 0, 5, 3, 3] and first.deprels[2] == "root"
    assert second.forms[-1] == "?" and second.has_heads
    assert pipeline(TEXT).sentences == [first, second]
    assert pipeline.annotate("") == pipeline.annotate(" \n\n ") == []
    assert pipeline.steps == list(PIPELINE_STEPS) and "tagger" in repr(pipeline)


@pytest.mark.parametrize("layers", [("upos",), ("xpos", "feats"), ("feats",), ()])
def test_lemmas_depend_on_predicted_tags_only(treebank, layers, tmp_path):
    pipeline = PipelineLearner(
        ["tagger", "lemmatiser"] if layers else ["lemmatiser"],
        tagger=TaggerLearner(layers=list(layers), passes=2) if layers else None)(
            treebank[:150])
    pipeline.save(tmp_path / "pipeline.npz")
    pipeline = Pipeline.load(tmp_path / "pipeline.npz")
    gold = treebank[300:400].sentences
    for tags in ((), ("upos", "xpos", "feats")):    # with tags of their own, too
        bare = without(gold, "lemma", *tags)
        found = pipeline(Treebank.from_sentences(bare)).sentences
        right = [a == b for old, new in zip(gold, found)
                 for a, b in zip(old.lemmas, new.lemmas)]
        assert np.mean(right) > 0.95


def test_treebank_with_predictions(treebank, pipeline):
    part = treebank[100:150]
    predicted = pipeline(part)
    assert predicted.sentences == part.sentences
    assert list(predicted.tags["pipeline"]) == ["upos", "xpos", "feats", "lemma"]
    assert evaluate(predicted).uas > 0.6
    # the steps look at words alone
    bare = Treebank.from_sentences(
        without(part.sentences, "upos", "xpos", "feats", "lemma", heads=True))
    filled = pipeline(bare)
    assert not filled.tags and not filled.predictions
    assert [s.upos for s in filled.sentences] == predicted.tags["pipeline"]["upos"]
    assert [s.lemmas for s in filled.sentences] == predicted.tags["pipeline"]["lemma"]
    for own, heads in zip(filled.sentences, predicted.predictions["pipeline"].heads):
        assert np.array_equal(own.heads, heads)
    assert pipeline.annotate(bare) == filled.sentences


@pytest.mark.parametrize("layers, heads", [
    (["lemma"], False), (["xpos", "feats"], True), ([], True), (["upos", "lemma"], False)])
def test_only_what_is_missing_is_filled_in(treebank, pipeline, layers, heads):
    sentences = treebank[100:120].sentences
    filled = pipeline.annotate(without(sentences, *layers, heads=heads))
    for own, gold in zip(filled, sentences, strict=True):
        for layer, column in {"lemma": "lemmas", "upos": "upos", "xpos": "xpos",
                              "feats": "feats"}.items():
            if layer not in layers:
                assert getattr(own, column) == getattr(gold, column)
            elif layer != "feats":
                assert "_" not in getattr(own, column)
        assert heads or own.heads.tolist() == gold.heads.tolist()
        assert own.has_heads and own.text == gold.text
    if not layers and not heads:
        assert filled == sentences


@settings(max_examples=60)
@given(TEXTS)
def test_no_character_is_lost(pipeline, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentences = pipeline.annotate(text)
    assert written(sentences) == "".join(clean_text(text).split())
    assert all(own.has_heads for own in sentences)


@pytest.mark.parametrize("text", [
    "🙂🙂 ok 👍🏽!", "שלום עולם. מה נשמע?", "مرحبا بالعالم", "你好。再见。", "ภาษาไทย",
    "\x00\x01\x7f\u200f", "x" * 3000, "word " * 1200])
def test_texts_of_all_kinds(pipeline, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentences = pipeline.annotate(text)
    assert written(sentences) == "".join(clean_text(text).split())


# Training

def test_reports_rise_and_name_the_steps(treebank):
    reports = []
    PipelineLearner(parser=ParserLearner(passes=1))(
        treebank[:40], reports.append)
    assert list(dict.fromkeys(own.step for own in reports)) == [
        "tokeniser", "tagger", "lemmatiser", "jackknife", "parser"]
    fractions = [own.fraction for own in reports]
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_stopped(treebank):
    for step, steps in (("tokeniser", ["tokeniser"]), ("tagger", ["tokeniser", "tagger"]),
                        ("jackknife", ["tokeniser", "tagger", "lemmatiser"])):
        stopped = PipelineLearner()(
            treebank[:40], stop_if(lambda report, step=step: report.step == step))
        assert stopped.steps == steps
    stopped = PipelineLearner()(treebank[:40], stop_if(
        lambda own: own.step == "parser" and own.report.end_of_pass))
    assert len(stopped.parser.log) == 1 and stopped.parser.stopped


def test_cancelled(treebank, pipeline):
    with pytest.raises(Cancelled):
        pipeline(treebank[:20], cancel_unless(lambda share: share < 0.2))
    with pytest.raises(Cancelled):
        pipeline.annotate(TEXT, cancel_unless(lambda share: False))
    shares = []
    pipeline(treebank[:20], shares.append)
    assert shares == sorted(shares) and shares[-1] == 1


def test_steps(treebank):
    learner = PipelineLearner(["parser", "tagger"], tagger=TaggerLearner(
        ["upos"], passes=2), parser=ParserLearner(order=1, passes=2), name="mine")
    pipeline = learner(treebank[:60])
    assert pipeline.steps == ["tagger", "parser"] and str(pipeline) == "mine"
    with warnings.catch_warnings():
        warnings.simplefilter("error")      # the parser has learned without XPOS
        assert pipeline.annotate("Hello you.")[0].lemmas == ["_"] * 3
    part = treebank[:9].sentences
    assert pipeline.predict(part).trees.deprels == pipeline.predict(
        without(part, "xpos", "lemma")).trees.deprels
    with pytest.raises(InputError, match="must be a list with any of tokeniser"):
        PipelineLearner(["tager"])(treebank)
    with pytest.raises(InputError, match="solver 'x' is not known"):
        PipelineLearner(tagger=TaggerLearner(solver="x"))(treebank)


@pytest.mark.parametrize("values, message", [
    ({"name": "a\tb"}, "name must be a text"),
    ({"random_state": -1, "tagger": TaggerLearner()}, "random_state must be a whole")])
def test_values_that_are_refused_before_the_work(values, message):
    """A model with a tab in its name could not be saved."""
    with pytest.raises(InputError, match=message):
        PipelineLearner(["tagger"], **values).check()


def test_treebanks_that_lack_something(treebank):
    sentences = without(treebank[:40].sentences, "xpos", "lemma")
    sentences[3:] = [s.with_heads([-1] * len(s)) for s in sentences[3:]]
    fast = PipelineLearner(parser=ParserLearner(passes=1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pipeline = fast(Treebank.from_sentences(sentences))
    messages = " / ".join(dict.fromkeys(str(own.message) for own in caught))
    assert "no lemma, so the pipeline is trained without a lemmatiser" in messages
    assert "has no xpos; the tagger is trained without" in messages
    assert "37 of 40 sentences have tokens without heads" in messages
    assert pipeline.steps == ["tokeniser", "tagger", "parser"]
    assert pipeline.annotate(TEXT)[0].has_heads

    spaced = [s.block.replace("SpaceAfter=No", "_") for s in treebank[:20].sentences]
    bare = Treebank.from_sentences([type(sentences[0])(own) for own in spaced])
    with pytest.warns(UserWarning, match="without a tokeniser and splits text by rules"):
        pipeline = fast(bare)
    assert pipeline.annotate("It works (well).")[0].forms == [
        "It", "works", "(", "well", ")", "."]
    nothing = Treebank.from_sentences(without(
        bare.sentences, "upos", "xpos", "feats", "lemma", heads=True))
    with warnings.catch_warnings(), pytest.raises(TrainingError, match="nothing to learn"):
        warnings.simplefilter("ignore")
        fast(nothing)


def test_a_key_of_misc(treebank):
    named = [with_layers(s, {"misc:NER": ["B" if tag == "PROPN" else "_" for tag in s.upos]})
             for s in treebank[:60].sentences]
    pipeline = PipelineLearner(["tokeniser", "tagger"], tagger=TaggerLearner(
        ["upos", "misc:NER"], passes=3))(Treebank.from_sentences(named))
    text = " ".join(own.text for own in named)
    found = pipeline.annotate(text)
    assert "\tNER=B\n" in "".join(own.block for own in found)
    assert found == pipeline.annotate(pipeline.tokeniser(text))


def test_one_sentence(treebank):
    pipeline = PipelineLearner()(treebank[:1])
    assert pipeline.annotate(treebank.sentences[0].text)[0].has_heads
    with pytest.raises(TrainingError, match="no sentences"):
        PipelineLearner()(treebank[:0])


def test_same_seed_same_pipeline(treebank):
    first, second = (PipelineLearner(random_state=2)(treebank[:30]) for _ in range(2))
    assert np.array_equal(first.parser.model.weights, second.parser.model.weights)


# Files

@pytest.fixture
def path(pipeline, tmp_path):
    pipeline.save(tmp_path / "pipeline.npz")
    return tmp_path / "pipeline.npz"


def test_file(pipeline, path):
    again = Pipeline.load(path)
    assert again.steps == pipeline.steps and again.name == "pipeline"
    assert again.annotate(TEXT) == pipeline.annotate(TEXT)
    assert not any(array.dtype.hasobject for array in read_arrays(path).values())
    again.lemmatiser = again.tokeniser = None
    again.save(path)
    assert Pipeline.load(path).steps == ["tagger", "parser"]


CHANGES = {
    "an array is missing": lambda a, h: a.pop("tagger/tagger_weights"),
    "an array of the parser is missing": lambda a, h: a.pop("parser/tags"),
    "another type": lambda a, h: a.update(
        {"parser/tags": a["parser/tags"].astype(float)}),
    "a part out of range": lambda a, h: a["lemmatiser/scripts_parts"].__setitem__(
        0, 2**30),
    "no header of a step": lambda a, h: h["components"].update(tagger=None),
    "no components": lambda a, h: h.update(components=3),
    "no tree model": lambda a, h: h["components"]["parser"].pop("model"),
    "no relations": lambda a, h: h["components"]["parser"].update(components=[1]),
    "an unknown kind": lambda a, h: h["components"]["parser"].update(kind="x"),
    "a tab in a tag": lambda a, h: h["components"]["tagger"]["labels"][0].__setitem__(
        0, "a\tb"),
    "a line end in a script": lambda a, h: h["components"]["lemmatiser"][
        "scripts"].__setitem__(0, "=|a\nb"),
    "a name that is none": lambda a, h: h["components"]["tokeniser"].update(name=[]),
    "another version": lambda a, h: h.update(version=99),
}


@pytest.mark.parametrize("name", CHANGES)
def test_damaged_files(path, name):
    arrays = read_arrays(path)
    header = json.loads(bytes(arrays["header"]))
    CHANGES[name](arrays, header)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_arrays(path, **arrays)
    with pytest.raises(ModelFileError, match=r"pipeline.npz: .*; expected a pipeline"):
        Pipeline.load(path)


def test_files_of_other_kinds(pipeline, path):
    pipeline.tagger.save(path)
    with pytest.raises(ModelFileError, match="found 'orange-structpred tagger'"):
        Pipeline.load(path)
    with pytest.raises(FileNotFoundError):
        Pipeline.load(path.with_name("none.npz"))


def test_german():
    """Tokens of several words become ranges."""
    pipeline = PipelineLearner(parser=ParserLearner(passes=1))(load_bundled("de")[:80])
    [sentence] = pipeline.annotate("Der Mann geht zum Bahnhof.")
    assert "4-5\tzum" in sentence.block and sentence.forms[3:5] == ["zu", "dem"]
    assert sentence.has_heads
    text = "Der Mann geht zum Bahnhof.\n\nIm Haus 🙂 (am See) steht er..."
    assert pipeline.annotate(text) == pipeline.annotate(pipeline.tokeniser(text))
