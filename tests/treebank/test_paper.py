"""Trees as LaTeX and as plain text."""
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred import ParserLearner, Sentence, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.treebank.drawn import is_right_to_left
from orange_structpred.treebank.latex import (
    ESCAPED,
    latex_escaped,
    latex_trees,
    tikz_dependency,
)
from orange_structpred.treebank.texttree import text_tree

ROW = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n"


def sentence(*rows):
    return Sentence("".join(
        ROW.format(i, form, form.lower(), tag, head, relation)
        for i, (form, tag, head, relation) in enumerate(rows, 1)))


PLAIN = sentence(("Dogs", "NOUN", 2, "nsubj"), ("chase", "VERB", 0, "root"),
                 ("R&D", "NOUN", 2, "obj"))


def test_tikz_dependency():
    assert tikz_dependency(PLAIN) == r"""
\begin{dependency}
  \begin{deptext}[column sep=0.6em]
    Dogs \& chase \& R\symbol{38}D \\
    NOUN \& VERB \& NOUN \\
  \end{deptext}
  \depedge{2}{1}{nsubj}
  \deproot{2}{root}
  \depedge{2}{3}{obj}
\end{dependency}""".strip()


def test_a_prediction_is_below():
    text = tikz_dependency(PLAIN, [2, 0, 1], ["nsubj", "root", "nmod"], tags="none",
                           words="lemma", marked={3})
    assert r"dogs \& chase \& \textbf{r\symbol{38}d} \\" in text and "NOUN" not in text
    assert r"\depedge[edge below]{2}{1}{nsubj}" in text
    assert r"\deproot[edge below]{2}{root}" in text
    wrong, = re.findall(r"\\depedge\[edge below, edge style.*", text)
    assert "dashed" in wrong and wrong.endswith(r"]{1}{3}{\underline{nmod}}")


def test_a_wrong_relation_is_underlined():
    text = tikz_dependency(PLAIN, [2, 0, 2], ["nsubj:pass", "root", "iobj"])
    assert r"\depedge[edge below]{2}{1}{nsubj:pass}" in text       # as LAS counts it
    assert r"\depedge[edge below, label style={text=red!70!black}]{2}{3}" \
        r"{\underline{iobj}}" in text
    assert "dashed" not in text
    assert "underline" not in tikz_dependency(PLAIN, [2, 0, 2], ["a", "b", "c"],
                                              relations=False)


def test_without_gold_the_prediction_is_above():
    own = PLAIN.with_heads([-1] * 3, ["_"] * 3)
    assert "edge below" not in tikz_dependency(own, np.array([2, 0, 2]))
    assert r"\depedge[hide label]{2}{1}{}" in tikz_dependency(own, np.array([2, 0, 2]))
    assert "dep" not in tikz_dependency(own).replace("dependency", "").replace(
        "deptext", "")


@pytest.mark.parametrize("words, expected", [
    (["It", "works"], False), (["הילדה", "קראה"], True), (["قرأت", "البنت"], True),
    (["1", "+", "1"], False), ([], False), (["OK", "הילדה", "קראה"], True),
    (["the", "word", "הילדה"], False)])
def test_direction(words, expected):
    assert is_right_to_left(words) is expected


def test_right_to_left():
    own = sentence(("הילד", "NOUN", 2, "nsubj"), ("כתב", "VERB", 0, "root"),
                   ("ABC", "X", 2, "obj"))
    text = tikz_dependency(own, [3, 0, 2], marked={1})
    assert r"    ABC \& כתב \& \textbf{הילד} \\" in text
    assert r"    X \& VERB \& NOUN \\" in text
    assert [arc for arc in text.splitlines() if arc.startswith(r"  \dep")][:3] == [
        r"  \depedge{2}{3}{nsubj}", r"  \deproot{2}{root}", r"  \depedge{2}{1}{obj}"]
    assert re.search(r"edge below.*dashed.*\{1\}\{3\}\{\}", text)


def unescaped(text):
    """What LaTeX prints, by its own rules, of what `latex_escaped` gives."""
    text = text.replace("{}", "")
    for letter, written in sorted(ESCAPED.items(), key=lambda item: -len(item[1])):
        text = text.replace(written.replace("{}", ""), f"\0{ord(letter):x}\1")
    assert not re.search(r"[\\{}$&#_%~^<>|]", text), text
    return re.sub("\0(.*?)\1", lambda found: chr(int(found[1], 16)), text)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp", "Zs",
                                                 "Co", "Cn")), max_size=20))
def test_escaped(text):
    assert unescaped(latex_escaped(text)) == text


@pytest.mark.parametrize("text, expected", [
    ("--", "-{}-"), ("''", "'{}'"), ("don't", "don't"), ("?`", "?{}`"),
    ("[1]", "{[}1{]}"), ("a\nb\tc", "a b c"), ("\\end", r"\textbackslash{}end"),
    ("می\u200cخواهم", "می\u200cخواهم"), ("क्\u200dष", "क्\u200dष"),    # their spelling
    ("co\u00adop\u200e", "coop")])
def test_signs_with_a_meaning(text, expected):
    assert latex_escaped(text) == expected


def test_hostile_words_stay_words():
    own = sentence((r"\input{/etc/passwd}", "X", 0, r"root}{\write18{x}"))
    text = tikz_dependency(own)
    assert not re.search(r"\\(input|write18)", text)


def test_documents():
    treebank = load_bundled("en")[:4]
    parsed = ParserLearner(order=1, passes=1)(treebank)(treebank)
    text = latex_trees(parsed, tags="none")
    assert text.count(r"\begin{dependency}") == text.count(r"\end{dependency}") == 4
    assert "edge below" in text and text.startswith("% Needs")
    assert r"\usepackage{tikz-dependency}" in text
    assert "edge below" not in latex_trees(treebank)
    with pytest.raises(InputError, match="no prediction 'x'; found: explicit"):
        latex_trees(parsed, "x")
    with pytest.raises(InputError, match="tags must be one of"):
        latex_trees(treebank, tags="pos")


def test_text():
    own = sentence(("A", "X", 2, "det"), ("b", "X", 3, "nsubj"), ("c", "X", 0, "root"),
                   ("d", "X", 3, "obj"), ("e", "X", 4, "_"))
    assert text_tree(own) == ("c (root)\n├─ b (nsubj)\n│  └─ A (det)\n"
                              "└─ d (obj)\n   └─ e")
    assert text_tree(own, [2, 3, 0, 5, 3]).splitlines()[-2:] == ["└─ e *", "   └─ d *"]


@pytest.mark.parametrize("heads", [[-1, -1, -1], [2, 1, 1], [2, 3, 1], [0, 0, 3]])
def test_text_of_what_is_no_tree(heads):
    lines = text_tree(PLAIN, heads).splitlines()
    words = [re.sub(r"[^\w&]", "", line.partition(" (")[0].partition(" *")[0])
             for line in lines]
    assert sorted(words) == ["Dogs", "R&D", "chase"]


def test_deep_trees():
    n = 5000
    own = sentence(*(("w", "X", i, "dep") for i in range(n)))
    assert len(text_tree(own).splitlines()) == n
