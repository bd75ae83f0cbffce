"""Taggers and lemmatisers on the bundled treebank."""
import json

import numpy as np
import pytest

from orange_structpred import Sentence, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.svm import SOLVERS
from orange_structpred.tagging.lemmatiser import Lemmatiser, LemmatiserLearner
from orange_structpred.tagging.scripts import apply_script, make_script
from orange_structpred.tagging.tagger import Tagger, TaggerLearner
from orange_structpred.treebank.layers import layer_values, with_layers
from orange_structpred.treebank.learnable import TrainingError
from tests.observers import cancel_unless, stop_if

ROW = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_"


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")


@pytest.fixture(scope="module")
def tagger(treebank):
    return TaggerLearner(passes=3)(treebank[:300])


@pytest.fixture(scope="module")
def lemmatiser(treebank):
    return LemmatiserLearner(passes=5)(treebank[:300])


def accuracy(sentences, predicted, layer):
    gold = [value for s in sentences for value in layer_values(s, layer)]
    found = [value for own in predicted[layer] for value in own]
    return np.mean([a == b for a, b in zip(gold, found, strict=True)])


def test_held_out_sentences(treebank, tagger):
    sentences = treebank[300:500].sentences
    predicted = tagger.predict(sentences)
    assert list(predicted) == ["upos", "xpos", "feats"]
    for layer in predicted:
        assert accuracy(sentences, predicted, layer) > 0.93


def test_columns_beside_gold_tags(treebank, tagger):
    part = treebank[300:310]
    tagged = tagger(part)
    assert tagged.sentences == part.sentences
    assert tagged.tags == {"tagger": tagger.predict(part.sentences)}
    assert list(tagger(tagged, name="x").tags) == ["tagger", "x"]


def test_empty_layers_are_filled_in(treebank, tagger):
    part = Treebank.from_sentences([
        with_layers(s, {"upos": ["_"] * len(s), "feats": ["_"] * len(s)})
        for s in treebank[300:310].sentences])
    tagged = tagger(part)
    predicted = tagger.predict(part.sentences)
    assert [s.upos for s in tagged.sentences] == predicted["upos"]
    assert [s.feats for s in tagged.sentences] == predicted["feats"]
    assert [s.xpos for s in tagged.sentences] == [s.xpos for s in part.sentences]
    assert list(tagged.tags["tagger"]) == ["xpos"]


def test_tag_replaces(treebank, tagger):
    sentences = treebank[300:305].sentences
    tagged = tagger.tag(sentences)
    assert [s.upos for s in tagged] == tagger.predict(sentences)["upos"]
    assert [s.lemmas for s in tagged] == [s.lemmas for s in sentences]
    assert tagger.tag([]) == []


def test_unseen_tokens(tagger):
    sentence = Sentence("\n".join(ROW.format(k, form) for k, form in enumerate(
        ["Zxqy", "🙂", "…", "\u200f", "ไทย", "9" * 500], start=1)))
    predicted = tagger.predict([sentence])
    assert all(len(values[0]) == 6 and all(values[0]) for values in predicted.values())


def test_same_seed_same_tagger(treebank):
    first, second = (TaggerLearner(passes=1, random_state=3)(treebank[:50])
                     for _ in range(2))
    assert np.array_equal(first.model.weights, second.model.weights)


def test_misc_as_a_layer(treebank):
    named = [with_layers(s, {"misc:NER": ["B" if tag == "PROPN" else "_"
                                          for tag in s.upos]})
             for s in treebank.sentences[:200]]
    tagger = TaggerLearner(["misc:NER"], passes=3).learn(named[:150])
    predicted = tagger.predict(named[150:])
    assert accuracy(named[150:], predicted, "misc:NER") > 0.93
    tagged = tagger(Treebank.from_sentences(named[150:]))
    assert list(tagged.tags["tagger"]) == ["misc:NER"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers(treebank, solver):
    passes = 30 if solver == "one-slack" else 6     # a pass of it is one cutting plane
    tagger = TaggerLearner(["upos"], solver=solver, C=10, passes=passes)(treebank[:20])
    assert accuracy(treebank[:20].sentences, tagger.predict(treebank[:20].sentences),
                    "upos") > 0.85
    assert tagger.log[-1].certified == (solver in ("bcfw", "one-slack"))


def test_missing_layers(treebank):
    bare = [with_layers(s, {"xpos": ["_"] * len(s)}) for s in treebank.sentences[:30]]
    with pytest.warns(UserWarning, match="has no xpos; the tagger is trained without it"):
        tagger = TaggerLearner(["upos", "xpos"], passes=1).learn(bare)
    assert tagger.layers == ["upos"]
    with pytest.raises(TrainingError, match="no xpos to learn from"):
        TaggerLearner(["xpos"]).learn(bare)
    with pytest.raises(TrainingError, match="no sentences"):
        TaggerLearner().learn([])


def test_one_sentence(treebank):
    one = treebank[:1]
    tagger = TaggerLearner(passes=3)(one)
    assert len(tagger.predict(one.sentences)["upos"][0]) == len(one.sentences[0])
    assert LemmatiserLearner(passes=1)(one).predict(one.sentences)


@pytest.mark.parametrize("options, message", [
    ({"layers": []}, "layers must be a list"), ({"layers": "upos"}, "layers must be a list"),
    ({"layers": ["pos"]}, "unknown layer 'pos'"), ({"C": 0}, "C must be"),
    ({"solver": "svm"}, "solver 'svm' is not known"), ({"passes": -1}, "passes")])
def test_bad_parameters(treebank, options, message):
    with pytest.raises(ValueError, match=message):
        TaggerLearner(**options)(treebank[:5])


def test_cancelled(treebank, tagger):
    with pytest.raises(Cancelled):
        tagger(treebank[:5], cancel_unless(lambda share: False))
    stopped = TaggerLearner()(treebank[:50], stop_if(lambda report: report.end_of_pass))
    assert len(stopped.log) == 1


def test_files(treebank, tagger, lemmatiser, tmp_path):
    sentences = treebank[300:330].sentences
    for model, cls in (tagger, Tagger), (lemmatiser, Lemmatiser):
        path = tmp_path / "model.npz"
        model.save(path)
        again = cls.load(path)
        assert again.predict(sentences) == model.predict(sentences)
        assert again.name == model.name
        assert not any(array.dtype.hasobject for array in read_arrays(path).values())
    with pytest.raises(ModelFileError, match="not that of a tagger .found .orange-structpred lemmatiser"):
        Tagger.load(path)


def damaged(path, change):
    arrays = read_arrays(path)
    header = json.loads(bytes(arrays["header"]))
    change(arrays, header)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_arrays(path, **arrays)


CHANGES = {
    "a part out of range": lambda a, h: a["tagger_parts"].__setitem__(0, 10_000),
    "a label's part out of range":
        lambda a, h: a["tagger_label_parts"].__setitem__((0, 0), 2**30),
    "starts fall": lambda a, h: a["tagger_starts"].__setitem__(1, 2**40),
    "a weight is no number": lambda a, h: a["tagger_weights"].__setitem__(0, np.nan),
    "other weights": lambda a, h: a.update(tagger_weights=np.zeros(3, np.float32)),
    "another type": lambda a, h: a.update(
        tagger_parts=a["tagger_parts"].astype(np.int64)),
    "another dimension": lambda a, h: a.update(
        tagger_numbers=a["tagger_numbers"][None]),
    "an array is missing": lambda a, h: a.pop("words_classes"),
    "words are not sorted": lambda a, h: a.update(words_forms=a["words_forms"][::-1]),
    "too few classes": lambda a, h: a.update(words_classes=a["words_classes"][:-1]),
    "a label is missing": lambda a, h: h["labels"].pop(),
    "an odd label": lambda a, h: h["labels"][0].append("x"),
    "no layers": lambda a, h: h.update(layers=[]),
    "an unknown template": lambda a, h: h["model"]["templates"].append("x.y"),
    "edges that do not fit": lambda a, h: h["model"].update(edge_columns=[9, 1, 1]),
    "huge edges": lambda a, h: h["model"].update(edge_bits=60),
    "no model": lambda a, h: h.pop("model"),
    "another version": lambda a, h: h.update(version=99),
}


@pytest.mark.parametrize("name", CHANGES)
def test_damaged_files(tagger, tmp_path, name):
    path = tmp_path / "tagger.npz"
    tagger.save(path)
    damaged(path, CHANGES[name])
    with pytest.raises(ModelFileError, match=r"tagger.npz: .*; expected a tagger"):
        Tagger.load(path)


def test_files_that_are_none(tmp_path):
    path = tmp_path / "x.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ModelFileError, match="expected a tagger"):
        Tagger.load(path)
    with pytest.raises(FileNotFoundError):
        Tagger.load(tmp_path / "y.npz")


# Lemmas

@pytest.mark.parametrize("form, lemma", [
    ("Studies", "study"), ("went", "go"), ("IBM", "IBM"), ("MICROSOFT", "Microsoft"),
    ("gegangen", "gehen"), ("x", "x"), ("1,000", "1000"), ("a|b", "a|c"), ("ẞ", "ß"),
    ("İstanbul", "istanbul"), (",", ","), ("Häuser", "Haus"), ("iPhones", "iPhone")])
def test_scripts(form, lemma):
    assert apply_script(make_script(form, lemma), form) == lemma


def test_scripts_on_other_words():
    assert apply_script(make_script("Studies", "study"), "Cities") == "city"
    assert apply_script(make_script("spielt", "spielen"), "tanzt") == "tanzen"
    assert apply_script("s|3||3|", "ab") == "ab"        # nothing would be left


def test_lemmas(treebank, lemmatiser):
    sentences = treebank[300:500].sentences
    assert accuracy(sentences, lemmatiser.predict(sentences), "lemma") > 0.97
    assert lemmatiser.lemmas(["florps", "Dogs"], ["NOUN", "NOUN"], ["NNS", "NNS"]) == [
        "florp", "dog"]
    assert lemmatiser.lemmas([], [], []) == []


def test_tags_that_a_lemmatiser_reads(treebank, lemmatiser, tmp_path):
    part = treebank[:40]
    assert lemmatiser.tags == ("upos", "xpos")
    reads_upos = LemmatiserLearner(tags=["upos"], passes=2)(part)
    forms = ["dogs", "studied"]
    assert reads_upos.lemmas(forms, ["NOUN", "VERB"], ["NNS", "VBD"]) == reads_upos.lemmas(
        forms, ["NOUN", "VERB"], ["_", "?"])
    for tags in ("upos", ["feats"]):
        with pytest.raises(InputError, match="must be a list with any of upos, xpos"):
            LemmatiserLearner(tags=tags)(part)
    path = tmp_path / "model.npz"
    lemmatiser.save(path)
    damaged(path, lambda arrays, header: header.pop("tags"))    # of an earlier version
    assert Lemmatiser.load(path).tags == lemmatiser.tags
    damaged(path, lambda arrays, header: header.update(tags=["form"]))
    with pytest.raises(ModelFileError, match="tags: found 'form', expected one of upos, xpos"):
        Lemmatiser.load(path)


def test_lemmas_in_treebanks(treebank, lemmatiser):
    part = treebank[300:305]
    predicted = lemmatiser.predict(part.sentences)
    assert lemmatiser(part).tags["lemmatiser"] == predicted
    bare = Treebank.from_sentences(
        [with_layers(s, {"lemma": ["_"] * len(s)}) for s in part.sentences])
    assert [s.lemmas for s in lemmatiser(bare).sentences] == predicted["lemma"]
    assert [s.lemmas for s in lemmatiser.lemmatise(bare)] == predicted["lemma"]
    with pytest.raises(TrainingError, match="no lemmas"):
        LemmatiserLearner()(bare)
