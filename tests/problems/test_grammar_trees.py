"""Trees in brackets, normal form and back, F1."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred.errors import InputError
from orange_structpred.problems.grammar.trees import (
    DEEPEST_TREE,
    BracketError,
    PhraseTree,
    f1_score,
    from_normal_form,
    parse_brackets,
    read_brackets,
    to_normal_form,
    write_brackets,
)

DOG = "(S (NP (DT the) (JJ big) (JJ old) (NN dog)) (VP (VBZ barks)) (. .))"
words = st.text("abc.-", min_size=1, max_size=3)
labels = st.sampled_from(["S", "NP", "VP", "X"])
trees = st.recursive(
    st.builds(lambda tag, word: PhraseTree(tag, (word,)), st.sampled_from(["t", "u"]),
              words),
    lambda below: st.builds(lambda label, children: PhraseTree(label, tuple(children)),
                            labels, st.lists(below, min_size=1, max_size=4)),
    max_leaves=12)


def test_normal_form():
    tree = PhraseTree.from_brackets(DOG)
    assert str(to_normal_form(tree, 1)) == (
        "(S (NP (DT the) (NP|JJ (JJ big) (NP|JJ (JJ old) (NN dog)))) "
        "(S|VP+VBZ (VP+VBZ barks) (. .)))")
    assert str(to_normal_form(PhraseTree.from_brackets("(S (VP (VB go)))"))) == "(S+VP+VB go)"
    with pytest.raises(InputError, match=r"found the label 'A\|B'"):
        to_normal_form(PhraseTree.from_brackets("(A|B (C d))"))


@given(trees, st.sampled_from([None, 0, 1, 2]))
def test_normal_form_and_back(tree, markov):
    normal = to_normal_form(tree, markov)
    assert all(node.is_tag or len(node.children) == 2 for node in normal.nodes())
    assert normal.words == tree.words
    assert from_normal_form(normal) == tree


@given(st.lists(trees, min_size=1, max_size=3))
def test_brackets_and_back(found):
    assert list(parse_brackets("\n".join(map(str, found)))) == found


def constituents(tree, start=0):
    """End, and the constituents below, by recursion."""
    if tree.is_tag:
        return start + 1, []
    end, found = start, []
    for child in tree.children:
        end, below = constituents(child, end)
        found += below
    return end, [(tree.label, start, end), *found]


@given(trees)
def test_constituents(tree):
    assert sorted(tree.constituents().elements()) == sorted(constituents(tree)[1])


def test_a_file(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text(f"( {DOG[:20]}\n   {DOG[20:]} )\r\n\n(S (VP (VB go)))\n",
                    encoding="utf-8-sig")
    found = read_brackets(path)
    assert [str(tree) for tree in found] == [DOG, "(S (VP (VB go)))"]
    assert found[0].tags == ["DT", "JJ", "JJ", "NN", "VBZ", "."]
    write_brackets(path, found)
    assert path.read_text(encoding="utf-8") == f"{DOG}\n(S (VP (VB go)))\n"


@pytest.mark.parametrize("text, line, found", [
    ("(S (A b)\n\n", 1, "a bracket that is never closed"),
    ("(S (A b))\nhello\n", 2, "'hello'"),
    ("(S (A b)))\n", 1, "a closing bracket"),
    ("\n(S)\n", 2, "only the label 'S'"),
    ("((A b) (C d))", 1, "brackets without a label"),
    ("(S a b)", 1, "the word 'b' beside"),
    ("(S a\n(B c))", 2, "a bracket after the word 'a'"),
    ("(S (A b) c)", 1, "the word 'c' beside"),
    ("(" * 5000, 1, f"more than {DEEPEST_TREE} open brackets"),
    ("", 1, "no tree"),
])
def test_errors_name_the_line(tmp_path, text, line, found):
    path = tmp_path / "bad.mrg"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BracketError, match="expected") as caught:
        read_brackets(path)
    assert caught.value.line == line and found in caught.value.found
    assert str(caught.value).startswith(f"{path}, line {line}: found ")


def test_no_utf8(tmp_path):
    path = tmp_path / "bad.mrg"
    path.write_bytes(b"(S (A b))\n(S (A \xff))\n")
    with pytest.raises(BracketError, match="line 2: found bytes that are not UTF-8"):
        read_brackets(path)


def test_f1():
    gold = PhraseTree.from_brackets(DOG)
    flat = PhraseTree.from_brackets("(S (DT the) (JJ big) (JJ old) (NN dog) "
                              "(VP (VBZ barks)) (. .))")
    assert f1_score([gold], [gold]) == 1
    assert f1_score([gold], [flat]) == pytest.approx(2 * 2 / (3 + 2))
    one = PhraseTree.from_brackets("(NN dog)")
    assert f1_score([one], [one]) == 1
