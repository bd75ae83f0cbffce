r"""Trees for LaTeX, drawn by its package tikz-dependency."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import Table

from orange_structpred.array_types import Integers
from orange_structpred.treebank.coerce import as_treebank
from orange_structpred.treebank.drawn import (
    arc_labels,
    drawn_tags,
    drawn_words,
    is_right_to_left,
)
from orange_structpred.treebank.layers import universal
from orange_structpred.treebank.sentence import Sentence

# An ampersand is written by its number: \& begins the next column there.
ESCAPED = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$",
           "&": r"\symbol{38}", "#": r"\#", "_": r"\_", "%": r"\%",
           "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
           ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
           "[": "{[}", "]": "{]}", "*": "{*}"}
_LATEX_SIGNS = re.compile("[" + re.escape("".join(ESCAPED)) + "]")
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"    # part of the spelling
_JOINED = re.compile("(?<=[-'`,!?])(?=[-'`,])")      # two signs that fonts make one
WRONG_RELATION = "label style={text=red!70!black}"
WRONG_HEAD = "edge style={red!70!black, dashed}, " + WRONG_RELATION
DOCUMENT = r"""% Needs the package tikz-dependency. Letters that pdfLaTeX's fonts lack need XeLaTeX or
% LuaLaTeX, with a font that has them instead of the first package.
\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{tikz-dependency}
\usepackage{adjustbox}
\begin{document}

%s

\end{document}
"""


def latex_escaped(text: str) -> str:
    r"""A text as LaTeX prints it, in a cell of a table or at an arc.

    Letters that fonts join are kept apart: two hyphens stay two. Invisible characters
    other than joiners are left out.

    >>> latex_escaped("R&D_50%")
    'R\\symbol{38}D\\_50\\%'
    """
    visible = (letter for letter in text
               if letter in JOINERS or unicodedata.category(letter) != "Cf")
    printable = "".join(letter if letter.isprintable() or letter in JOINERS else " "
                        for letter in visible)
    return _JOINED.sub("{}", _LATEX_SIGNS.sub(lambda match: ESCAPED[match[0]], printable))


def tikz_dependency(sentence: Sentence, heads: Integers | None = None,
                    deprels: Sequence[str] | None = None, *, words: str = "form",
                    tags: str = "UPOS", relations: bool = True,
                    marked: Collection[int] = ()) -> str:
    r"""A tree as a `dependency` environment: gold above, a prediction below.

    Predicted heads that differ from gold are dashed and red, relations that do are
    underlined and red. A sentence without gold heads has the prediction above. The first
    word of a sentence in a script written leftwards is at the right.

    Parameters
    ----------
    heads, deprels : of the prediction, if there is one
    words : {"form", "lemma"}
    tags : {"UPOS", "XPOS", "UPOS and XPOS", "none"}
    relations : whether arcs have labels
    marked : positions of tokens that are printed in bold

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> print(tikz_dependency(load_bundled("en").sentences[0]).splitlines()[0])
    \begin{dependency}
    """
    drawn = drawn_words(sentence, words)
    cells = [rf"\textbf{{{latex_escaped(word)}}}" if i in marked else latex_escaped(word)
             for i, word in enumerate(drawn, 1)]
    lines = [cells, *([latex_escaped(tag) for tag in line]
                      for line in drawn_tags(sentence, tags))]
    columns = np.arange(1, len(drawn) + 1)      # where the tokens are
    if is_right_to_left(drawn):
        lines = [line[::-1] for line in lines]
        columns = columns[::-1]
    gold = sentence.heads
    arcs: list[str] = []
    if gold.max() >= 0:
        arcs += _arcs(columns, gold, sentence.deprels if relations else None)
    if heads is not None and np.max(heads) >= 0:
        predicted = np.asarray(heads)
        labels = deprels if relations else None
        if gold.max() < 0:
            arcs += _arcs(columns, predicted, labels)
        else:
            known = (gold >= 0) & (predicted >= 0)
            differs = [labels is not None and universal(a) != universal(b)
                       for a, b in zip(sentence.deprels, labels or sentence.deprels)]
            arcs += _arcs(columns, predicted, labels, ArcErrors(
                known & (gold != predicted), known & differs))
    return "\n".join([
        r"\begin{dependency}", r"  \begin{deptext}[column sep=0.6em]",
        *("    " + r" \& ".join(line) + r" \\" for line in lines),
        r"  \end{deptext}", *(f"  {arc}" for arc in arcs), r"\end{dependency}"])


class ArcErrors(NamedTuple):
    """For each token, whether its head, its relation, is not the gold one."""

    wrong: np.ndarray
    mislabelled: np.ndarray


def _arcs(columns: np.ndarray, heads: np.ndarray, deprels: Sequence[str] | None,
          errors: ArcErrors | None = None) -> Iterable[str]:
    """columns : of the tokens
    errors : of arcs below
    """
    for i, (head, label) in enumerate(zip(heads, arc_labels(heads, deprels))):
        options, text = ["hide label"] * (not label), latex_escaped(label)
        if errors is not None:
            options.insert(0, "edge below")
            options += ([WRONG_HEAD] if errors.wrong[i] else
                        [WRONG_RELATION] if errors.mislabelled[i] else [])
            text = rf"\underline{{{text}}}" if errors.mislabelled[i] else text
        chosen = f"[{', '.join(options)}]" if options else ""
        if head == 0:
            yield rf"\deproot{chosen}{{{columns[i]}}}{{{text}}}"
        elif head > 0:
            yield rf"\depedge{chosen}{{{columns[head - 1]}}}{{{columns[i]}}}{{{text}}}"


def latex_document(trees: Iterable[str]) -> str:
    """A document of trees, each of them made smaller where it is wider than the page."""
    return DOCUMENT.replace("%s", "\n\n\\bigskip\n\n".join(
        "\\noindent\\begin{adjustbox}{max width=\\linewidth}\n" + tree
        + "\n\\end{adjustbox}" for tree in trees))


def latex_trees(treebank: Table, prediction: str | None = None, **options) -> str:
    """A LaTeX document with all trees of a treebank.

    prediction : name of the one that is drawn below gold; by default the first
    **options : as in `tikz_dependency`

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> text = latex_trees(load_bundled("en")[:3], tags="none")
    >>> text.count("begin{dependency}")
    3
    """
    treebank = as_treebank(treebank)
    name = next(iter(treebank.predictions), None) if prediction is None else prediction
    if name is None:
        return latex_document(tikz_dependency(sentence, **options)
                              for sentence in treebank.sentences)
    drawn = treebank.prediction(name)
    return latex_document(
        tikz_dependency(sentence, drawn.heads[i], drawn.deprels and drawn.deprels[i],
                        **options)
        for i, sentence in enumerate(treebank.sentences))
