"""Statistics of treebanks, and the way back to the sentences."""
from collections import Counter

import pytest

from orange_structpred import Sentence, Treebank, find, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.search import matches
from orange_structpred.search.figures import TREEBANK_FIGURES, TreebankProfile
from orange_structpred.treebank.editing.tree_edits import heads_above
from orange_structpred.treebank.marks import marks
from tests.search.test_matches import BLOCKS


@pytest.fixture(scope="module")
def statistics():
    return TreebankProfile(load_bundled("en"))


def pairs(statistics, name):
    own = statistics.figure(name)
    return {(value, column): int(own.counts[i, j]) for i, value in enumerate(own.values)
            for j, column in enumerate(own.columns) if own.counts[i, j]}


def test_sizes():
    own = TreebankProfile(Treebank.from_sentences(map(Sentence, BLOCKS))).sizes
    assert own["sentences"] == 3 and own["words"] == 8
    assert own["forms"] == 8 and own["lemmas"] == 7
    assert own["words per sentence"] == 8 / 3
    assert own["non-projective (%)"] == 0
    assert own["height of trees"] == (3 + 3 + 1) / 3


def test_counts_are_those_of_plain_loops(statistics):
    sentences = statistics.treebank.sentences
    by_tag, order, frames, svo = Counter(), Counter(), Counter(), Counter()
    for own in sentences:
        relations = [deprel.split(":")[0] for deprel in own.deprels]
        by_tag.update(zip(relations, own.upos))
        for word, head in enumerate(own.heads.tolist(), 1):
            if head:
                order[relations[word - 1], "H D" if head < word else "D H"] += 1
        for verb in (i for i, tag in enumerate(own.upos, 1) if tag == "VERB"):
            below = [i for i, head in enumerate(own.heads.tolist()) if head == verb]
            names = ["nsubj", "csubj", "expl", "obj", "iobj", "ccomp", "xcomp"]
            governed = sorted(
                (names.index(relations[i]), relations[i]
                 + (":pass" if own.deprels[i].endswith(":pass") else ""))
                for i in below if relations[i] in names)
            frames[" ".join(name for _, name in governed) or "-", ""] += 1
            for s in (i for i in below if relations[i] == "nsubj"):
                for o in (i for i in below if relations[i] == "obj"):
                    placed = sorted([(verb - 1, "V"), (s, "S"), (o, "O")])
                    svo[" ".join(name for _, name in placed), ""] += 1
    assert pairs(statistics, "Relations by part of speech") == by_tag
    assert pairs(statistics, "Head and dependent") == order
    assert pairs(statistics, "Valency frames") == frames
    assert pairs(statistics, "Subject, verb and object") == svo
    lengths = Counter((str(len(own)), "") for own in sentences)
    assert pairs(statistics, "Sentence length") == lengths
    heights, crossing = Counter(), Counter()
    for own in sentences:
        heads = own.heads.tolist()
        heights[str(max(len(heads_above(heads, word)) + 1
                        for word in range(1, len(own) + 1))), ""] += 1
        arcs = [sorted((word, head)) for word, head in enumerate(heads, 1)]
        crossing["yes" if any(a < c < b < d for a, b in arcs for c, d in arcs)
                 else "no", ""] += 1
    assert pairs(statistics, "Height of trees") == heights
    assert pairs(statistics, "Crossing arcs") == crossing
    values = [int(value) for value in statistics.figure("Sentence length").values]
    assert values == sorted(values)


def test_shapes_are_computed_once_for_all_sentences(statistics, monkeypatch):
    calls = []
    shapes = matches.shapes
    monkeypatch.setattr(matches, "shapes",
                        lambda *args: calls.append(args) or shapes(*args))
    find(statistics.treebank, "W [position=1]").values("sentence.height")
    assert len(calls) == 1


@pytest.mark.parametrize("name", TREEBANK_FIGURES)
def test_each_figure_leads_to_its_sentences(statistics, name):
    own = statistics.figure(name)
    assert own.counts.sum() == len(own.matches) > 0
    chosen = own.select([(own.values[0], own.columns[0])])
    assert len(chosen) == own.counts[0, 0]
    sent = chosen.sentences()
    assert all(marks(sent))
    assert statistics.figure(name) is own


def test_frames_and_positions_can_be_searched_for(statistics):
    own = statistics.figure("Valency frames")
    found = find(statistics.treebank, f'upos=VERB frame="{own.values[0]}"')
    assert len(found) == own.counts[0, 0]
    first = find(statistics.treebank, "position=1")
    assert len(first) == first.n_sentences == len(statistics.treebank)


def test_predictions_and_unknown_names(statistics):
    chain = statistics.treebank.with_prediction(
        "chain", [list(range(len(own))) for own in statistics.treebank.sentences])
    own = TreebankProfile(chain, prediction="chain")
    assert own.figure("Arc length").values == ["1"]
    assert own.sizes["length of arcs"] == 1
    with pytest.raises(InputError, match="unknown figure 'x'; valid ones are Parts"):
        own.figure("x")


def test_no_sentences():
    empty = TreebankProfile(Treebank.from_sentences([]))
    assert empty.sizes["words"] == 0
    assert empty.figure("Frames of verbs").values == []
    assert empty.figure("Sentence length").values == []
