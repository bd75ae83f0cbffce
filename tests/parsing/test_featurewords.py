import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.parsing.features.feature_names import in_words


@pytest.mark.parametrize("name, words", [
    ("h.upos=VERB d.upos=NOUN", "head is a verb, dependent is a noun"),
    ("h.upos=VERB d.upos=NOUN at distance 2 right",
     "head is a verb, dependent is a noun, dependent 2 words to the right"),
    ("h.form=saw at left", "head is “saw”, dependent to the left"),
    ("x.upos=DET at x left under right", "child is a determiner, child to the left, "
     "dependent to the right of its head"),
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
    ("h.upos=VERB s.upos=<start> d.upos=NOUN",
     "head is a verb, no nearer sibling, dependent is a noun"),
    ("h.upos=VERB d.upos=NOUN t.upos=<end>",
     "head is a verb, dependent is a noun, no farther sibling"),
    ("s.lemma=it d.upos=NOUN at distance 2 right of s",
     ("nearer sibling has the lemma “it”, dependent is a noun, dependent 2 words to the "
      "right of the nearer sibling")),
    ("d.upos=NOUN t.upos=PUNCT at t distance 6-10 left of d",
     ("dependent is a noun, farther sibling is punctuation, farther sibling 6 to 10 "
      "words to the left of the dependent")),
    ("g.upos=<root> d.upos=NOUN at distance 2-3 right under left",
     ("head's head is the root, dependent is a noun, dependent 2 to 3 words to the "
      "right, head to the left of its head")),
    ("x.upos=DET at x distance over 3 left under right",
     ("child is a determiner, child over 3 words to the left, dependent to the right of "
      "its head")),
    ("h.upos=VERB d.upos=NOUN x.upos=<start> at no x left under distance 2-3 right",
     ("head is a verb, dependent is a noun, no child to the left, dependent 2 to 3 words "
      "to the right of its head")),
    ("d.upos=NOUN x.upos=<start> x+1.upos=none at no x right under left",
     ("dependent is a noun, no word after the child, no child to the right, dependent to "
      "the left of its head")),
    ("h.upos=VERB n.tags=DET ADJ d.upos=NOUN",
     "head is a verb, the tags DET ADJ in between, dependent is a noun"),
    ("d.before=, d.after=<end> h.previous=AUX",
     ("punctuation before the dependent is “,”, no punctuation after the dependent, "
      "verb before the head is an auxiliary")),
    ("d.position=1/4 h.position=3/4 n.puncts=2",
     ("dependent is the first word, head is in the middle of the sentence, 2 "
      "punctuation marks in between")),
    ("d.upos=NOUN l.upos=<end> m.lemma=of n.children=1 and 2",
     ("dependent is a noun, no sibling to the left, function word of the dependent has "
      "the lemma “of”, dependent has 1 children to the left, 2 to the right")),
    ("n.beside=DET NOUN n.arity=2 of 3+ n.distance=1 left n.below=none",
     ("the tags DET NOUN below the head, dependent is child 2 of 3+ of the head, "
      "dependent 1 word to the left, nothing below the dependent")),
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
