"""The compiled matcher finds what nested loops find."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orange_structpred import Sentence, Treebank
from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.search import find, parse_pattern
from orange_structpred.search import matching as compiled
from tests.observers import cancel_unless
from tests.search import reference

ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t{}"


@st.composite
def sentences(draw):
    """Trees of up to six words, some heads unknown; few values, so that much matches."""
    n = draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, n + 1)))
    heads = {}
    for i, word in enumerate(order):
        heads[word] = draw(st.sampled_from([0, *order[:i]])) if i else 0
    unknown = draw(st.sets(st.integers(1, n), max_size=1)) if draw(st.booleans()) else set()
    rows = []
    for word in range(1, n + 1):
        pick = {name: draw(st.sampled_from(values)) for name, values in (
            ("form", "abc"), ("lemma", "ab_"), ("upos", ["V", "N"]),
            ("feats", ["_", "X=1", "X=2|Y=1"]), ("misc", ["_", "M=1"]),
            ("deprel", ["r", "r:s", "q", "_"]))}
        head = "_" if word in unknown else heads[word]
        rows.append(ROW.format(word, pick["form"], pick["lemma"], pick["upos"],
                               pick["feats"], head, pick["deprel"], pick["misc"]))
    return Sentence("\n".join(rows))


NAMES = st.sampled_from(["A", "B", "C", "D$"])
FEATURES = st.sampled_from([
    "upos=V", "upos<>V", "X", "!X", "X=1|2", "Y<>1", "M=1", 'form=re"[ab]"', "form=/A/i",
    "lemma=a", "rel=r*", "deprel.1=r", "lemma=*", "!lemma"])
LABELS = st.sampled_from(["r", "r*", "^r", "r|q", "1=r", "1=r, 2=s", "!2", 're"r.*"', ""])


@st.composite
def clauses(draw):
    first, second = draw(NAMES), draw(NAMES)
    kind = draw(st.sampled_from(["node", "edge", "edge", "order", "path", "star", "same"]))
    if kind == "node" or first == second:
        features = ", ".join(draw(st.lists(FEATURES, max_size=2)))
        other = f" | [{draw(FEATURES)}]" if draw(st.booleans()) else ""
        return f"{first} [{features}]{other}"
    if kind == "edge":
        return f"{first} -[{draw(LABELS)}]-> {second}"
    if kind == "path":
        return f"{first} ->> {second}"
    if kind == "star":
        ends = (first, "*") if draw(st.booleans()) else ("*", first)
        return f"{ends[0]} -[{draw(LABELS)}]-> {ends[1]}"
    if kind == "order":
        return f"{first} {draw(st.sampled_from(['<', '<<', '>', '>>']))} {second}"
    sign, keys = draw(st.sampled_from(["=", "<>"])), ["lemma", "form", "X", "deprel"]
    return (f"{first}.{draw(st.sampled_from(keys))} {sign} "
            f"{second}.{draw(st.sampled_from(keys))}")


BLOCKS = st.lists(clauses(), min_size=1, max_size=4).map("; ".join)


@st.composite
def patterns(draw):
    text = f"pattern {{ {draw(BLOCKS)} }}"
    for _ in range(draw(st.integers(0, 2))):
        text += f" {draw(st.sampled_from(['with', 'without']))} {{ {draw(BLOCKS)} }}"
    return text


def as_rows(found):
    return [(row, *positions) for row, positions in zip(
        found.rows.tolist(), found.positions.tolist())]


@settings(max_examples=150, deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=3), patterns())
def test_nested_loops_find_the_same(trees, text):
    pattern = parse_pattern(text)
    found = find(Treebank.from_sentences(trees), pattern)
    assert as_rows(found) == reference.matches(pattern, trees)


@settings(max_examples=30, deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=2), patterns(), st.integers(1, 50))
def test_a_search_that_pauses_all_the_time_finds_the_same(trees, text, steps):
    pattern, before = parse_pattern(text), compiled.WORDS_AT_ONCE
    compiled.WORDS_AT_ONCE = steps
    try:
        found = find(Treebank.from_sentences(trees), pattern)
    finally:
        compiled.WORDS_AT_ONCE = before
    assert as_rows(found) == reference.matches(pattern, trees)


@pytest.fixture(scope="module")
def treebank():
    rows = [ROW.format(i, "a", "a", "V", "_", i - 1, "r", "_") for i in range(1, 61)]
    return Treebank.from_sentences([Sentence("\n".join(rows))] * 3)


def test_paths_between_neighbours():
    """The next word in the order of the tree is not below a word without dependents."""
    flat = Sentence("\n".join(ROW.format(i, "a", "a", "V", "_", head, "r", "_")
                              for i, head in enumerate([0, 1, 1], 1)))
    found = find(Treebank.from_sentences([flat]), "A < B; A ->> B")
    assert as_rows(found) == [(0, 1, 2)]
    found = find(Treebank.from_sentences([flat]), "A < B without { A ->> B }")
    assert as_rows(found) == [(0, 2, 3)]


def test_predicted_trees(treebank):
    flat = treebank.with_prediction("flat", [[0] + [1] * 59] * 3)
    assert len(find(flat, "A -> B; B -> C")) == 3 * 58
    assert len(find(flat, "A -> B; B -> C", prediction="flat")) == 0
    assert len(find(flat, "A -> B", prediction="flat")) == 3 * 59
    with pytest.raises(InputError, match="no prediction 'chain'; found: flat"):
        find(flat, "A -> B", prediction="chain")
    with pytest.raises(InputError, match="prediction 'loop', row 2: .* not a tree"):
        find(treebank.with_prediction("loop", [[0] + [1] * 59, [2, 1] + [1] * 58,
                                               [0] + [1] * 59]), "A -> B",
             prediction="loop")


def test_another_prediction_of_the_same_name_is_searched_anew(treebank):
    first = treebank.with_prediction("p", [[0] + [1] * 59] * 3)
    assert len(find(first, "A -> B; B -> C", prediction="p")) == 0
    column = first.domain["p"]
    with first.unlocked(first.metas):
        first.metas[:, first.domain.metas.index(column)] = " ".join(map(str, range(60)))
    assert len(find(first, "A -> B; B -> C", prediction="p")) == 3 * 58


def test_the_limit(treebank):
    found = find(treebank, "A << B", limit=10)
    assert len(found) == 10
    assert found.truncated
    exact = find(treebank, "upos=V", limit=180)
    assert len(exact) == 180
    assert not exact.truncated


def test_a_search_without_end_is_cancelled_and_has_a_limit(treebank, monkeypatch):
    """Twelve free words in a sentence of sixty."""
    names = "ABCDEFGHIJKL"
    text = "; ".join(f"{name} [upos=V]" for name in names) + \
        "; " + "; ".join(f"{a}.lemma <> {b}.form" for a, b in zip(names[10:], names[11:]))
    monkeypatch.setattr(compiled, "WORDS_AT_ONCE", 10_000)
    calls = []
    with pytest.raises(Cancelled):
        monkeypatch.setattr(
            "orange_structpred.running.cancellation.CHECK_EVERY", 0.)
        find(treebank, text, progress=cancel_unless(
            lambda fraction: calls.append(fraction) or len(calls) < 5))
    monkeypatch.setattr(compiled, "MOST_STEPS", 100_000)
    with pytest.raises(InputError, match="takes too long"):
        find(treebank, text)
    inside = f"Z [] without {{ {text} }}"
    with pytest.raises(InputError, match="takes too long"):
        find(treebank, inside)


def test_no_sentences():
    found = find(Treebank.from_sentences([]), "pattern { A -> B } without { B -> C }")
    assert len(found) == found.n_sentences == 0
    assert found.lines() == []
    assert len(found.sentences()) == len(found.to_table()) == 0


def test_the_index_is_made_once(treebank, monkeypatch):
    find(treebank, "form=a")
    monkeypatch.setattr("orange_structpred.search.index.distinct", None)
    assert len(find(treebank, "form=a")) == 180


def test_sentences_that_change_are_searched_anew(treebank):
    own = treebank.copy()
    assert len(find(own, "form=a")) == 180
    column = own.domain.metas.index(own.domain["conllu"])
    with own.unlocked(own.metas):
        own.metas[0, column] = own.metas[0, column].replace("\ta\ta", "\tb\ta")
    assert len(find(own, "form=a")) == 120


def test_properties_of_sentences():
    trees = [Sentence(f"# sent_id = {name}\n# text = {name} text\n" + "\n".join(
        ROW.format(i, "a", "a", "V", "_", head, "r", "_")
        for i, head in enumerate(heads, 1)))
        for name, heads in (("p", [0, 1, 2, 3]), ("x", [0, 4, 1, 1]))]
    treebank = Treebank.from_sentences(trees)

    def rows(text):
        return np.unique(find(treebank, f"pattern {{ A [] }} global {{ {text} }}").rows
                         ).tolist()

    assert rows("is_projective") == [0]
    assert rows("is_not_projective") == [1]
    assert rows("sent_id = x|y") == [1]
    assert rows('text = re"p.*"') == [0]
    assert rows('is_projective; sent_id="x"') == []
