"""What is made of matches: concordances, clusters, tables, marked sentences."""
import numpy as np
import pytest
from Orange.data import DiscreteVariable

from orange_structpred import Sentence, Treebank, find, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.search import clusters as clusters_module
from orange_structpred.search.examples import EXAMPLE_PATTERNS
from orange_structpred.treebank.marks import MARKED, marks

BLOCKS = ["""\
# sent_id = one
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tchase\tchase\tVERB\tVBP\tTense=Pres\t0\troot\t_\t_
3\tbig\tbig\tADJ\tJJ\t_\t4\tamod\t_\t_
4\tcats\tcat\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\t_""", """\
# sent_id = two
1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\tNN\tNumber=Sing\t3\tnsubj:outer\t_\t_
3\tslept\tsleep\tVERB\tVBD\tTense=Past\t0\troot\t_\t_""", """\
1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\t_"""]


@pytest.fixture(scope="module")
def treebank():
    return Treebank.from_sentences(map(Sentence, BLOCKS), name="toy")


@pytest.fixture(scope="module")
def found(treebank):
    return find(treebank, "pattern { V [upos=VERB]; V -> N; N [upos=NOUN] }")


def test_counts(found):
    assert (len(found), found.n_sentences) == (3, 2)
    assert found.rows.tolist() == [0, 0, 1]
    assert found.positions.tolist() == [[2, 1], [2, 4], [3, 2]]


def test_concordance(found):
    assert found.lines() == [(0, "", "Dogs chase", "big cats"),
                             (0, "Dogs", "chase big cats", ""),
                             (1, "A", "cat slept", "")]
    long = find(load_bundled("en"), "upos=VERB")
    for line, row in zip(long.lines(context=2), long.rows):
        assert line.row == row
        assert len(line.left.removeprefix("… ").split()) <= 2


def test_values_of_keys(found):
    assert found.values("V.lemma") == ["chase", "chase", "sleep"]
    assert found.values("N.Number") == ["Plur", "Plur", "Sing"]
    assert found.values("N.Case") == ["(none)"] * 3
    assert found.values("V->N.label") == ["nsubj", "obj", "nsubj:outer"]
    assert found.values("V->N.1") == ["nsubj", "obj", "nsubj"]
    assert found.values("V->N.2") == ["(none)", "(none)", "outer"]
    assert found.values("distance(V, N)") == ["-1", "2", "-1"]
    assert found.values("order(V, N)") == ["N V", "V N", "N V"]
    assert all(len(found.values(key)) == 3 for key in found.cluster_keys())
    for key, reason in (("lemma", "expected a node"), ("X.lemma", "no node 'X'; found: V, N"),
                        ("V->N.upos", "an edge has the keys"), ("order(V, X)", "no node")):
        with pytest.raises(InputError, match=reason):
            found.values(key)


def test_clusters(found):
    own = found.cluster("V->N.1")
    assert (own.values, own.counts.tolist()) == (["nsubj", "obj"], [[2], [1]])
    crossed = found.cluster("V->N.1", "V.lemma")
    assert crossed.columns == ["chase", "sleep"]
    assert crossed.counts.tolist() == [[1, 1], [1, 0]]
    np.testing.assert_allclose(crossed.expected, [[4 / 3, 2 / 3], [2 / 3, 1 / 3]])
    np.testing.assert_allclose(crossed.expected.sum(axis=0), crossed.counts.sum(axis=0))
    np.testing.assert_allclose(crossed.residuals[1, 1], -np.sqrt(1 / 3))
    assert crossed.select([("nsubj", "")]).rows.tolist() == [0, 1]
    assert crossed.select([("nsubj", "sleep"), ("obj", "chase")]).rows.tolist() == [0, 1]
    assert len(crossed.select([("nothing", "sleep"), ("obj", "nothing")])) == 0
    assert own.select([("obj", "")]).rows.tolist() == [0]
    assert found.where("V.lemma", ["sleep"]).rows.tolist() == [1]
    table = crossed.to_table()
    assert [own.name for own in table.domain.attributes] == [
        "matches", "share", "V.lemma=chase", "V.lemma=sleep", "V.lemma=chase expected",
        "V.lemma=sleep expected"]
    assert str(crossed).splitlines()[1].split() == [
        "nsubj", "2", "66.7", "1", "(1.3)", "1", "(0.7)"]


def test_clusters_add_up():
    found = find(load_bundled("en"), "pattern { H -> D }")
    own = found.cluster("D.lemma", "H.upos")
    assert own.counts.sum() == len(found)
    assert sum(len(own.select([(value, column)])) for value in own.values[:3]
               for column in own.columns) == own.totals[:3].sum()
    assert sorted(own.totals.tolist(), reverse=True) == own.totals.tolist()


def test_many_values_of_the_second_key(found, monkeypatch):
    monkeypatch.setattr(clusters_module, "MOST_COLUMNS", 2)
    own = found.cluster("V.upos", "N.form")
    assert own.columns == ["Dogs", "(others)"]
    assert own.counts.tolist() == [[1, 2]]


def test_values_that_look_like_titles():
    """A word called "x expected" does not lose its column to what is expected of x."""
    matches = find(Treebank.from_sentences([
        Sentence(f"1\ta\t{lemma}\tX\tX\t_\t0\troot\t_\t_")
        for lemma in ("x", "x expected", "x expected")]), "pattern { N [] }")
    table = matches.cluster("N.lemma", "N.lemma").to_table()
    assert [own.name for own in table.domain.attributes[2:]] == [
        "N.lemma=x expected", "N.lemma=x", "N.lemma=x expected expected",
        "N.lemma=x expected (2)"]
    assert table.X[:, 2].tolist() == [2, 0]


def test_sentences_have_their_words_marked(found, treebank):
    sentences = found.sentences()
    assert [own.sent_id for own in sentences.sentences] == ["one", "two"]
    assert marks(sentences) == [{1, 2, 4}, {2, 3}]
    assert MARKED not in treebank.domain
    assert marks(found[[1]].sentences()) == [{2, 4}]


def test_table(found):
    table = found.to_table()
    assert len(table) == 3
    names = [own.name for own in table.domain.variables]
    assert {"V.upos", "V.Tense", "N.Number", "N.deprel", "V.position", "distance(V, N)",
            "sentence", "length"} <= set(names)
    assert "V.Number" not in names
    assert isinstance(table.domain["N.deprel"], DiscreteVariable)
    assert [str(row["N.deprel"]) for row in table] == ["nsubj", "obj", "nsubj:outer"]
    assert table.get_column("distance(V, N)").tolist() == [-1, 2, -1]
    assert table.get_column("V").tolist() == ["chase", "chase", "slept"]
    assert table.get_column("sentence").tolist() == [1, 1, 2]
    assert table.get_column("sent_id").tolist() == ["one", "one", "two"]
    assert "conllu" not in table.domain


def test_a_node_called_like_a_column(treebank):
    table = find(treebank, "length [upos=VERB]; sentence [upos=NOUN]").to_table()
    names = [own.name for own in (*table.domain.variables, *table.domain.metas)]
    assert len(names) == len(set(names))
    assert {"length", "length (2)"} <= set(names)


def test_predictions_are_no_columns(treebank):
    predicted = treebank.with_prediction("MST", [s.heads for s in treebank.sentences])
    assert "MST" not in find(predicted, "upos=VERB").to_table().domain


def test_notes_on_keys_that_no_word_has(treebank):
    assert find(treebank, "Tens=Past").notes == ["no word has Tens; did you mean Tense?"]
    assert find(treebank, "Qqq").notes == ["no word has Qqq"]
    assert find(treebank, "nsubj").notes == ["no word has nsubj; did you mean deprel=nsubj?"]


def test_notes_on_values_that_no_word_has(treebank, monkeypatch):
    assert find(treebank, "upos=verb").notes == [
        "no word has upos=verb; did you mean VERB?"]
    assert find(treebank, "V -[nsbj]-> N; V [Number=Q]").notes == [
        "no word has Number=Q", "no word has deprel=nsbj; did you mean nsubj?"]
    for pattern in ("upos=VERB|Q", "upos=Q*", "upos=/Q/", "upos"):
        assert find(treebank, pattern).notes == []
    monkeypatch.setitem(find.__globals__, "MOST_COMPARED", 2)
    assert find(treebank, "upos=verb").notes == []      # that would take too long
    assert find(treebank, "Tense=Past").notes == []


def test_a_table_that_is_no_treebank(treebank):
    with pytest.raises(InputError, match="is not a treebank"):
        find(treebank.transform(treebank.domain.select_columns(["length"])), "upos=VERB")


@pytest.mark.parametrize("title, pattern", EXAMPLE_PATTERNS)
def test_examples_find_something(title, pattern):
    assert len(find(load_bundled("de" if "crossing" in title else "en"), pattern))
