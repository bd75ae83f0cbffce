"""Findings of the UD validator, and of our own checks without it."""
import random

import pytest

from orange_structpred import Sentence, Treebank, load_bundled
from orange_structpred.treebank.editing import (
    EditedTreebank,
    delete_word,
    insert_word,
    join_sentences,
    join_words,
    make_multiword,
    set_head,
    set_layer,
    split_sentence,
    split_word,
)
from orange_structpred.treebank.editing.taken_apart import TakenApart
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.validation import (
    can_validate,
    repeated_ids,
    tree_findings,
    validate_sentence,
    validate_sentences,
    validation_languages,
)
from tests.treebank.test_editing import change_anything
from tests.treebank.toy import ONE_WORD, TWO_ROOTS, UNPARSED

needs_udtools = pytest.mark.skipif(not can_validate(), reason="udtools is not installed")
FIRST = load_bundled("en").sentences[3]


def test_trees_are_checked_without_the_validator():
    assert tree_findings(Sentence(ONE_WORD)) == []
    (finding,) = tree_findings(Sentence(UNPARSED))
    assert finding.words == (1, 2)
    (finding,) = tree_findings(Sentence(TWO_ROOTS))
    assert finding.words == (1, 3)


def test_levels():
    with pytest.raises(ValueError, match="from 1 to 5"):
        validate_sentence(FIRST, level=6)


@needs_udtools
def test_words_of_findings():
    assert validate_sentence(FIRST, level=2) == []
    (finding,) = validate_sentence(set_layer(FIRST, 2, "deprel", "nonsense"), level=2)
    assert (finding.level, finding.test, finding.words, finding.is_error) == (
        2, "unknown-udeprel", (2,), True)
    (finding,) = validate_sentence(set_layer(FIRST, 3, "upos", "NOUNN"), level=2)
    assert finding.words == (3,) and "NOUNN" in finding.reason


@needs_udtools
def test_edited_sentences_are_valid():
    assert validate_sentence(split_word(FIRST, 2, "assis", "tant"), level=2) == []


def enhanced(sentence):
    """The same with enhanced dependencies: the tree, what subjects are shared by, and an
    empty node."""
    lines = []
    for line in sentence.block.split("\n"):
        cells = line.split("\t")
        if cells[0].isdecimal():
            deps = {(int(cells[6]), cells[7] + (":of" if cells[7] == "nmod" else ""))}
            if cells[7] == "nsubj":
                deps |= {(int(other.cells[0]), "nsubj") for other in
                         TakenApart.of(sentence).words if other.cells[6] == cells[6]
                         and other.cells[7] == "conj"}
            cells[8] = "|".join(f"{head}:{relation}" for head, relation in sorted(deps))
        lines.append("\t".join(cells))
    return Sentence("\n".join([*lines, "\t".join(
        [f"{len(sentence)}.1", "it", *["_"] * 6, f"{len(sentence)}:dep", "_"])]))


@needs_udtools
@pytest.mark.parametrize("has_graph", [False, True])
def test_any_edit_leaves_what_level_2_accepts(has_graph, tmp_path):
    """The official validator accepts the file that is written."""
    from udtools import Validator
    sentences = load_bundled("en").sentences[:20]
    treebank = EditedTreebank(list(map(enhanced, sentences)) if has_graph else sentences)
    rng, validator = random.Random(0), Validator(lang="ud", level=2, output=None)
    for _ in range(5):
        for _ in range(100):
            change_anything(rng, treebank)
        assert treebank.is_changed
        path = str(tmp_path / "edited.conllu")
        Treebank.from_sentences(treebank.sentences).save(path)
        state = validator.validate_file(path)
        assert [str(own) for own in state.error_tracker
                if str(own.get_type()) == "ERROR"] == []


def test_enhanced_dependencies_follow_the_tree():
    def deps(sentence):
        return [line.split("\t")[8] for line in sentence.block.split("\n")
                if line[0] != "#"]

    toy = Sentence("\n".join("\t".join(row.split()) for row in (
        "1 he _ X _ _ 2 nsubj 2:nsubj|4:nsubj _", "2 came _ X _ _ 0 root 0:root _",
        "3 and _ X _ _ 4 cc 4:cc _", "4 went _ X _ _ 2 conj 2:conj:and _")))
    assert deps(set_head(toy, 3, 2)) == [
        "2:nsubj|4:nsubj", "0:root", "2:cc", "2:conj:and"]
    assert deps(set_layer(toy, 4, "deprel", "parataxis"))[3] == "2:parataxis"
    assert deps(set_layer(toy, 1, "deprel", "obj"))[0] == "2:obj|4:nsubj"
    assert deps(delete_word(toy, 2)) == ["0:root|3:nsubj", "3:cc", "1:conj:and"]
    assert deps(insert_word(toy, 4, "home"))[4] == "2:dep"
    first, second = split_sentence(toy, 3)
    assert deps(first) == ["2:nsubj", "0:root"] and deps(second) == ["2:cc", "0:root"]
    assert deps(join_sentences(first, second)) == [
        "2:nsubj", "0:root", "4:cc", "2:parataxis"]
    # what was no connected graph before is left alone
    half = Sentence(toy.block.replace("4:cc", "_").replace("0:root", "_"))
    assert deps(insert_word(half, 4, "home"))[1:] == ["_", "_", "2:conj:and", "_"]


def test_words_joined_within_a_token_have_no_space_of_their_own():
    token = make_multiword(FIRST, 1, 3, "alltogether")
    joined = join_words(token, 1, 2)
    assert layer_values(joined, "misc:SpaceAfter")[0] == "_"
    assert not can_validate() or validate_sentence(joined, level=2) == []


@needs_udtools
def test_a_whole_treebank():
    sentences = load_bundled("en").sentences[:4]
    sentences[2] = set_layer(sentences[2], 2, "deprel", "nonsense")
    (own,) = validate_sentences(sentences, level=2)
    assert (own.row, own.finding.words) == (2, (2,))
    (own,) = repeated_ids([*sentences, sentences[0]])
    assert own.row == 4 and sentences[0].sent_id in own.finding.reason
    assert "en" in validation_languages()
