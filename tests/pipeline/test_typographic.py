"""Text from a word processor is annotated as the same text from a keyboard."""
import re
import unicodedata

import pytest

from orange_structpred import PipelineLearner, RuleTokeniser, Treebank, load_bundled
from orange_structpred.tagging.splits import Splits
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.text import raw_text


def typographic(text):
    """The text as word processors write it: other signs, wide spaces, whole dashes."""
    text = re.sub(r'(^|\s)"', r"\1“", text).replace('"', "”").replace("'", "’")
    return text.replace(" n", "\u00a0n").replace(" - ", " – ").replace("...", "…")


@pytest.fixture(scope="module")
def sentences():
    quoting = [own for own in load_bundled("en").sentences
               if {'"', "'s", "n't"} & set(own.forms)]
    assert len(quoting) > 40
    return quoting


@pytest.fixture(scope="module")
def quoting_pipeline(sentences):
    return PipelineLearner()(Treebank.from_sentences(sentences))


def columns(sentences):
    """Everything but the words, and the words in their normal form."""
    return [(normal_form(own.text), list(map(normal_form, own.forms)), own.lemmas, own.upos,
             own.xpos, own.feats, own.heads.tolist(), own.deprels) for own in sentences]


def copied(text):
    """The text as it comes from PDF files and web pages."""
    text = re.sub(r"(\w\w)(\w\w)", "\\1\u00ad\\2", text).replace("fi", "\ufb01")
    return f"\ufeff{text}".replace(" t", " \u200bt").replace("e ", "e\u200b ")


@pytest.mark.parametrize("write", [typographic, copied,
                                   lambda text: unicodedata.normalize("NFD", text)])
def test_annotated_alike(quoting_pipeline, sentences, write):
    text = raw_text(sentences).replace("the ", "th\u00e9 ")
    assert write(text) != text
    typed = quoting_pipeline.annotate(write(text))
    assert columns(typed) == columns(quoting_pipeline.annotate(text))
    spaces = str.maketrans({"\u00a0": " "})
    assert " ".join(own.text for own in typed) == " ".join(
        write(text).translate(spaces).split())


def test_forms_as_typed(quoting_pipeline):
    [sentence] = quoting_pipeline.annotate("“The dog’s cat doesn’t bark,” he said.")
    assert sentence.forms == ["“", "The", "dog", "’s", "cat", "does", "n’t", "bark", ",",
                              "”", "he", "said", "."]
    assert "’" not in "".join(sentence.lemmas)


def test_trained_on_typographic_text(sentences):
    """A treebank that is written in the other way gives the same models."""
    def typed(line):
        cells = line.split("\t")
        return line if line.startswith("#") else "\t".join(
            [cells[0], *map(typographic, cells[1:3]), *cells[3:]])

    others = [type(own)("\n".join(map(typed, own.block.split("\n"))))
              for own in sentences]
    assert "n’t" in [form for own in others for form in own.forms]
    learner = PipelineLearner(["tokeniser", "tagger", "lemmatiser"])
    one, other = (learner(Treebank.from_sentences(own)) for own in (sentences, others))
    text = raw_text(sentences)
    assert one.annotate(text) == other.annotate(text)


def test_splits_as_typed():
    splits = Splits({"zum": ("zu", "dem"), "l'été": ("l'", "été")}, ["n't"])
    assert splits.words("doesn’t") == ("does", "n’t")
    assert splits.words("L’e\u0301te\u0301") == ("L’", "e\u0301te\u0301")
    assert splits.words("ZUM") == ("ZU", "DEM")
    assert splits.words("l…’é") == ("l…’é",)


@pytest.mark.parametrize("text", [
    "“It didn't,” he said... Then - no.", "Call (a.b@c.de) at 10:30, i.e. 5-6 times!",
    "L'été qu'il a vu; “1.000,5” ou «2»?", "Mr. Ｘ said: no."])
def test_rules_alike(text):
    plain = [[normal_form(form) for form in own.forms]
             for own in RuleTokeniser()(normal_form(text))]
    for write in (typographic, copied, lambda own: unicodedata.normalize("NFD", own)):
        typed = RuleTokeniser()(write(text))
        assert [list(map(normal_form, own.forms)) for own in typed] == plain
        assert " ".join(own.text for own in typed) == " ".join(write(text).split())
