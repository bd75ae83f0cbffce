"""Two annotators: agreement against slow references, and a third treebank of both."""
import json
from itertools import permutations

import numpy as np
import pytest

from orange_structpred import Sentence, Treebank, load_bundled, write_conll
from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.evaluation import (
    cohen_kappa,
    compare_treebanks,
    evaluate_sentences,
    krippendorff_alpha,
)
from orange_structpred.evaluation.agreement import ARC, values_of
from orange_structpred.treebank.editing import set_head, set_layer

SENTENCES = load_bundled("en").sentences[:30]


def slow_kappa(first, second):
    """By its definition, over all pairs of an item of one and an item of the other."""
    n = len(first)
    observed = np.mean([a == b for a, b in zip(first, second)])
    expected = np.mean([a == b for a in first for b in second])
    assert n
    return (observed - expected) / (1 - expected)


def slow_alpha(first, second):
    """By its definition: disagreement within items over that of all pairs of values."""
    values = [*first, *second]
    observed = np.mean([a != b for a, b in zip(first, second)])
    expected = np.mean([a != b for a, b in permutations(values, 2)])
    return 1 - observed / expected


def test_sentences_are_asked_for_a_few_times_only(monkeypatch):
    """They are compared with the cells of the table whenever they are asked for."""
    asked = []
    sentences = Treebank.sentences
    monkeypatch.setattr(Treebank, "sentences", property(
        lambda treebank: asked.append(treebank) or sentences.fget(treebank)))
    comparison = compare_treebanks(*[Treebank.from_sentences(SENTENCES)] * 2)
    assert len(comparison.agreement()) > 3 and not comparison.differences
    assert len(asked) < 10


@pytest.mark.parametrize("seed", range(5))
def test_coefficients(seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, 25).tolist()
    second = [a if rng.random() < .6 else int(rng.integers(0, 5)) for a in first]
    assert cohen_kappa(first, second) == pytest.approx(slow_kappa(first, second))
    assert krippendorff_alpha(first, second) == pytest.approx(slow_alpha(first, second))


def test_coefficients_at_the_edges():
    for coefficient in (cohen_kappa, krippendorff_alpha):
        assert coefficient("abc", "abc") == 1
        assert np.isnan(coefficient("", ""))
        assert np.isnan(coefficient("aa", "aa"))
        assert coefficient("ab", "ba") < 0


def other_annotator():
    """Some heads, relations and tags are others."""
    changed = list(SENTENCES)
    changed[2] = set_layer(changed[2], 1, "upos", "X")
    changed[4] = set_layer(changed[4], 2, "deprel", "dep")
    own = changed[5]
    word = next(k for k in range(1, len(own) + 1) if own.heads[k - 1] > 0)
    head = next(k for k in range(1, len(own) + 1)
                if k not in (word, own.heads[word - 1]) and own.heads[k - 1] != word)
    changed[5] = set_head(own, word, head)
    return changed, word


def test_agreement_and_differences():
    changed, word = other_annotator()
    comparison = compare_treebanks(*map(Treebank.from_sentences, (SENTENCES, changed)))
    rows = {row.measure: row for row in comparison.agreement()}
    assert rows["head"].agreed == pytest.approx(evaluate_sentences(SENTENCES, changed).uas)
    pairs = [pair for own, other in zip(SENTENCES, changed)
             for pair in zip(values_of(own, ARC), values_of(other, ARC))]
    assert rows[ARC].agreed == np.mean([a == b for a, b in pairs])
    assert rows[ARC].kappa == pytest.approx(slow_kappa(*zip(*pairs)))
    assert rows[ARC].alpha == pytest.approx(slow_alpha(*zip(*pairs)))
    found = {own[:3] for own in comparison.differences}
    assert {(2, 1, "upos"), (4, 2, ARC), (5, word, ARC)} <= found
    assert len(comparison.differences_table(found)) == len(found)
    assert len(comparison.agreement_table()) == len(rows)


def test_a_third_treebank():
    changed, _ = other_annotator()
    comparison = compare_treebanks(*map(Treebank.from_sentences, (SENTENCES, changed)))
    assert comparison.merged().sentences == SENTENCES
    all_differences = [own[:3] for own in comparison.differences]
    merged = comparison.merged(all_differences)
    assert not compare_treebanks(merged, Treebank.from_sentences(changed)).differences
    one = comparison.merged([(2, 1, "upos")]).sentences
    assert one[2].upos[0] == "X" and one[:2] == SENTENCES[:2]
    with pytest.raises(InputError, match="nothing to choose"):
        comparison.merged([(99, 1, "upos")])


def test_arcs_that_make_no_tree():
    first = SENTENCES[0]
    n = len(first)
    chains = [first.with_heads(heads) for heads in ([0, *range(1, n)],
                                                    [*range(2, n + 1), 0])]
    comparison = compare_treebanks(*(Treebank.from_sentences([own]) for own in chains))
    with pytest.raises(InputError, match="sentence 1: the chosen arcs"):
        comparison.merged([(0, 1, ARC)])


def test_sentences_find_each_other():
    shuffled = SENTENCES[::-1]
    comparison = compare_treebanks(*map(Treebank.from_sentences, (SENTENCES, shuffled)))
    assert not comparison.differences and not comparison.unmatched
    fewer = compare_treebanks(*map(Treebank.from_sentences, (SENTENCES, shuffled[1:])))
    assert fewer.unmatched == [len(SENTENCES) - 1]


def test_words_that_are_left_open_do_not_count():
    own = SENTENCES[0]
    heads = own.heads.copy()
    heads[0] = -1
    comparison = compare_treebanks(*map(Treebank.from_sentences, (
        [own], [own.with_heads(heads)])))
    assert comparison.agreement()[0].words == len(own) - 1


def test_the_command(tmp_path, capsys):
    files = [str(tmp_path / name) for name in ("first.conllu", "second.conllu")]
    for file, sentences in zip(files, (SENTENCES, other_annotator()[0])):
        write_conll(sentences, file)
    assert main(["compare", *files, "--differences"]) == 0
    printed = capsys.readouterr().out
    assert "Heads (UAS)" in printed and "\tupos\t" in printed
    assert main(["compare", *files, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert 90 < figures["head"]["agreed"] < 100
    assert main(["compare", "-", "-"]) != 0
    write_conll(SENTENCES[1:], files[0])
    assert main(["compare", *files]) == 0
    assert f"compared: 0 in {files[0]}, 1 in {files[1]}" in capsys.readouterr().err


def test_no_agreement_by_chance(tmp_path, capsys):
    """Where there is one value only, kappa is no number, and JSON has none for it."""
    file = str(tmp_path / "one.conllu")
    write_conll([Sentence("1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_")], file)
    assert main(["compare", file, file]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "Heads", "(UAS)", "100.00", "-", "-", "1"]
    assert main(["compare", file, file, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert figures["head"]["kappa"] is None and figures["head"]["agreed"] == 100
