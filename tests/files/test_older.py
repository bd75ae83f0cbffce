"""Model files of earlier versions: they do what they did, or are refused with advice.

The files in `older/`, and the heads in `heads.json`, were made by the code of those days
from the first 12 sentences of the English toy treebank.
"""
import json
import re
from pathlib import Path

import pytest

from orange_structpred.files.models import ModelFileError
from orange_structpred.parser import Parser
from orange_structpred.pipeline.trained_pipeline import load_model
from orange_structpred.treebank.bundled import load_bundled

OLDER = Path(__file__).parent / "older"
HEADS = json.loads((OLDER / "heads.json").read_text(encoding="utf-8"))
#: Saved with feature templates that have changed since
REFUSED = ("second-explicit",)


@pytest.fixture(scope="module")
def sentences():
    return load_bundled("en").sentences[12:14]


def test_all_files_are_tried():
    names = {path.stem for path in OLDER.glob("*.npz")}
    assert names == {*HEADS, *REFUSED, "second-pipeline"}


@pytest.mark.parametrize("name", HEADS)
def test_parsers(name, sentences, tmp_path):
    parser = Parser.load(OLDER / f"{name}.npz")
    assert [own.tolist() for own in parser.predict_heads(sentences)] == HEADS[name]
    assert not parser.calibrated        # so that it says nothing about how sure it is
    parser.save(tmp_path / "new.npz")
    again = Parser.load(tmp_path / "new.npz")
    assert [own.tolist() for own in again.predict_heads(sentences)] == HEADS[name]


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_any_more(name):
    path = OLDER / f"{name}.npz"
    with pytest.raises(ModelFileError, match=re.escape(
            f"{path}: it was saved by another version, with other feature templates; "
            "train it again")):
        load_model(path)


def test_a_pipeline():
    pipeline = load_model(OLDER / "second-pipeline.npz")
    assert pipeline.steps == ["tokeniser", "tagger", "lemmatiser"]
    [sentence] = pipeline.annotate("The dog sees the cat.")
    assert sentence.forms == ["The", "dog", "sees", "the", "cat", "."]
    assert sentence.upos[0] == "DET" and sentence.lemmas[0] == "the"
