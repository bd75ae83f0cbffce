import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.parsing.featurewords import in_words


@pytest.mark.parametrize("name, words", [
    ("h.upos=VERB d.upos=NOUN", "head is a verb, dependent is a noun"),
    ("h.upos=VERB d.upos=NOUN at distance 2 right",
     "head is a verb, dependent is a noun, dependent 2 words to the right"),
    ("h.form=saw at distance 1 left", "head is “saw”, dependent 1 word to the left"),
    ("d.form=a b n.verbs=0 n.commas=1",
     "dependent is “a b”, no verb in between, one comma in between"),
    ("n.nouns=4+", "4 or more nouns in between"),
    ("h.upos=<root> d-1.upos=<start> d+2.xpos=NN",
     ("head is the root, no word before the dependent, second word after the dependent "
     "has the tag NN")),
    ("h.upos=NOUN b.upos=DET", "head is a noun, a determiner in between"),
    ("d.marker=none d.coordinator=and",
     "dependent has no marker, dependent is joined by “and”"),
    ("d.feats=Number=Sing|Case=Nom", "dependent has the features Number=Sing|Case=Nom"),
    ("h.lemma=see d.ending=ing", "head has the lemma “see”, dependent has the ending “ing”"),
    ("h.xpos=VBD at distance over 10 right",
     "head has the tag VBD, dependent over 10 words to the right"),
    ("email-1: He said h. and so on", "email-1: He said h. and so on"),
    ("some_function('x')", "some_function('x')")])
def test_words(name, words):
    assert in_words(name) == words


def test_all_features_have_words():
    treebank = load_bundled("en")[:20]
    parser = ParserLearner(passes=1, order=1)(treebank)
    for sentence in treebank.sentences[:5]:
        for token, head in enumerate(sentence.heads, 1):
            for item in parser.explain(sentence, int(head), token):
                words = in_words(item.name)
                assert words != item.name and ".upos" not in words, item.name
