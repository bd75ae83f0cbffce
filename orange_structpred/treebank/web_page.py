"""Trees as one web page, which needs nothing else: no network, no other file.

All text is escaped, and the page says to the browser that it runs no script but its own
(a content security policy with the script's hash), so that sentences of strangers are
text and nothing else.
"""
from __future__ import annotations

import base64
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.files.writing import write_through
from orange_structpred.treebank.coerce import as_treebank
from orange_structpred.treebank.drawn import (
    arc_labels,
    drawn_tags,
    drawn_words,
    is_right_to_left,
)
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.marks import marks
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.tree_layout import Spacing, TreeShape, corner, lay_out

MOST_ON_PAGE = 2000         # sentences
OPEN_AT_FIRST = 1
WORD_SIZE, TAG_SIZE, LABEL_SIZE = 15, 11, 11        # of fonts, in pixels
PAGE_SPACING = Spacing(step=24, gap=16, label_room=14)
EDGE = 12                   # pixels around a tree
_NOT_SHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

STYLE_SHEET = """
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 1rem auto; max-width: 75rem;
  padding: 0 1rem; }
header { position: sticky; top: 0; background: Canvas; padding: .5rem 0; z-index: 1; }
h1 { font-size: 1.2rem; margin: .2rem 0; }
button { font: inherit; }
input { font: inherit; width: min(30rem, 90%); padding: .2rem .4rem; }
details.sentence { border-top: 1px solid GrayText; padding: .4rem 0; }
summary { cursor: pointer; }
.number { color: GrayText; font-size: .85rem; }
.tree { overflow-x: auto; }
svg { display: block; margin: .5rem 0; }
svg text { text-anchor: middle; fill: CanvasText; }
.word { font-size: 15px; } .tag, .label { font-size: 11px; } svg .tag { fill: GrayText; }
.arc { fill: none; stroke: currentColor; stroke-width: 1.2; }
.tip { fill: currentColor; }
.wrong { color: #d55e00; } svg .wrong text { fill: #d55e00; }
.marked { fill: none; stroke: #0a7fc2; stroke-width: 2; }
table { border-collapse: collapse; font-size: .85rem; }
td, th { border: 1px solid GrayText; padding: .1rem .4rem; text-align: start; }
[hidden] { display: none !important; }
"""

PAGE_SCRIPT = """
"use strict";
(() => {
const field = document.getElementById("search");
const shown = document.getElementById("shown");
const sentences = Array.from(document.querySelectorAll("details.sentence"));
const texts = sentences.map(s => s.querySelector("summary").textContent.toLowerCase()
  .normalize("NFC"));
function search() {
  const wanted = field.value.trim().toLowerCase().normalize("NFC");
  let count = 0;
  sentences.forEach((sentence, i) => {
    sentence.hidden = !texts[i].includes(wanted);
    count += sentence.hidden ? 0 : 1;
  });
  shown.textContent = count + " of " + sentences.length;
}
field.addEventListener("input", search);
document.getElementById("open").addEventListener("click", () => sentences.forEach(
  s => { s.open = !s.hidden; }));
document.getElementById("close").addEventListener("click", () => sentences.forEach(
  s => { s.open = false; }));
field.value = "";
search();
})();
"""


def web_page(data: Table, *, prediction: str | None = None, title: str | None = None,
             limit: int = MOST_ON_PAGE) -> str:
    """The trees of a treebank as one page of HTML with pictures in SVG.

    Sentences can be searched for, opened and closed; marked words have a frame.

    Parameters
    ----------
    prediction : show the trees of this prediction; heads that differ from the gold trees
        are orange
    title : by default the name of the treebank
    limit : default=2000
        At most so many sentences, the first ones.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> page = web_page(load_bundled("en")[:3])
    >>> page.count("<svg"), 'src="' in page
    (3, False)
    """
    if limit < 1:
        raise InputError(f"limit must be at least 1, not {limit}")
    treebank = as_treebank(data)
    sentences = treebank.sentences[:limit]
    shown = sentences if prediction is None else treebank.predicted_sentences(
        prediction)[:limit]
    parts = [_sentence(number, tree, gold, marked, is_open=number <= OPEN_AT_FIRST)
             for number, (tree, gold, marked) in enumerate(
                 zip(shown, sentences, marks(treebank)), 1)]
    title = treebank.name if title is None else title
    note = f"{len(sentences):,} sentences" if len(sentences) == len(treebank) else (
        f"the first {len(sentences):,} of {len(treebank):,} sentences")
    return "\n".join([*_head(title, note if prediction is None
                             else f"{note}, trees of {prediction}"), *parts, *_tail()])


def save_web_page(data: Table, filename: str | os.PathLike, **options) -> None:
    """Write a web page of a treebank's trees; see `web_page` for the options."""
    page = web_page(data, **options)
    write_through(filename, lambda name: Path(name).write_text(page, encoding="utf-8"))


def shown_text(text: str) -> str:
    """Text for HTML: escaped, and without characters that it must not have."""
    return escape(_NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", text))


def _head(title: str, note: str) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha256(PAGE_SCRIPT.encode()).digest()).decode()
    policy = (f"default-src 'none'; style-src 'unsafe-inline'; "
              f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    yield '<!DOCTYPE html>\n<html lang="und">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{shown_text(title)}</title>\n<style>{STYLE_SHEET}</style>\n</head>"
    yield (f'<body>\n<header>\n<h1><bdi>{shown_text(title)}</bdi></h1>\n'
           f'<div class="number">{shown_text(note)}</div>\n'
           '<input id="search" type="search" placeholder="Find in text and ids" '
           'aria-label="Find sentences" autocomplete="off"> <span id="shown"></span>\n'
           '<button id="open" type="button">Open all</button>\n'
           '<button id="close" type="button">Close all</button>\n</header>\n<main>')


def _tail() -> Iterator[str]:
    yield "</main>"
    yield f"<script>{PAGE_SCRIPT}</script>\n</body>\n</html>\n"


def _sentence(number: int, tree: Sentence, gold: Sentence, marked: Iterable[int], *,
              is_open: bool) -> str:
    name = f" {shown_text(tree.sent_id)}" if tree.sent_id else ""
    wrong = (tree.heads != gold.heads) & (gold.heads >= 0)
    return (f'<details class="sentence"{" open" if is_open else ""}>\n'
            f'<summary><span class="number">{number}{name}</span> '
            f'<bdi>{shown_text(tree.text)}</bdi></summary>\n'
            f'<div class="tree">{tree_svg(tree, marked=marked, wrong=wrong)}</div>\n'
            f"<details><summary>Words</summary>{_table(tree)}</details>\n</details>")


def _table(sentence: Sentence) -> str:
    columns = ("form", sentence.forms), ("lemma", sentence.lemmas), (
        "upos", sentence.upos), ("xpos", sentence.xpos), ("features", sentence.feats), (
        "head", list(map(str, sentence.heads.tolist()))), ("relation", sentence.deprels)
    used = [(name, values) for name, values in columns
            if any(value != EMPTY for value in values)]
    head = "".join(f"<th>{name}</th>" for name, _ in used)
    rows = "".join(
        f"<tr><td>{i}</td>" + "".join(
            f"<td><bdi>{shown_text(values[i - 1])}</bdi></td>" for _, values in used)
        + "</tr>" for i in range(1, len(sentence) + 1))
    return f"<table><tr><th></th>{head}</tr>{rows}</table>"


def text_width(text: str, size: float) -> float:
    """About how wide a text is, whatever the font of the browser is."""
    width = 0.
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
            continue
        if unicodedata.east_asian_width(sign) in "WF":
            width += 1
        elif sign in "iljtfrI.,;:'|!()[] ":
            width += 0.4
        else:
            width += 0.75 if sign.isupper() or sign in "mwMW@%" else 0.6
    return max(width, 0.5) * size


def tree_svg(sentence: Sentence, *, marked: Iterable[int] = (),
             wrong: Sequence[bool] | np.ndarray | None = None) -> str:
    """The tree of a sentence as an SVG picture; its looks are in the page's style sheet.

    marked : positions of words with a frame
    wrong : for each word, whether its arc is shown as wrong
    """
    words, tags = drawn_words(sentence), drawn_tags(sentence)
    heads = sentence.heads
    labels = arc_labels(heads, sentence.deprels)
    widths = [max([text_width(word, WORD_SIZE), *(
        text_width(line[i], TAG_SIZE) for line in tags)]) for i, word in enumerate(words)]
    layout = lay_out(widths, [TreeShape(heads, np.array(
        [text_width(label, LABEL_SIZE) for label in labels]))], PAGE_SPACING,
        right_to_left=is_right_to_left(words))
    arcs = layout.arcs[0]
    base = EDGE + arcs.top + LABEL_SIZE + 4
    height = base + 24 + 15 * len(tags) + EDGE
    wrong = np.zeros(len(words), bool) if wrong is None else np.asarray(wrong, bool)
    parts = [_arc(arcs.start[i], arcs.end[i], arcs.height[i], base, labels[i],
                  is_root=heads[i] == 0, is_wrong=bool(wrong[i]))
             for i in (arcs.tokens - 1).tolist()]
    for i, (word, centre) in enumerate(zip(words, layout.words.tolist())):
        if i + 1 in marked:
            parts.append(
                f'<rect class="marked" x="{centre - widths[i] / 2 - 4:.1f}" '
                f'y="{base + 3:.1f}" width="{widths[i] + 8:.1f}" '
                f'height="{20 + 15 * len(tags)}" rx="3"/>')
        parts.append(f'<text class="word" x="{centre:.1f}" y="{base + 18:.1f}">'
                     f"{shown_text(word)}</text>")
        parts += [f'<text class="tag" x="{centre:.1f}" y="{base + 33 + 15 * line:.1f}">'
                  f"{shown_text(values[i])}</text>" for line, values in enumerate(tags)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width + 2 * EDGE:.0f}"'
            f' height="{height:.0f}" viewBox="{-EDGE} 0 {layout.width + 2 * EDGE:.0f} '
            f'{height:.0f}" role="img">' + "".join(parts) + "</svg>")


def _arc(start: float, end: float, height: float, base: float, label: str, *,
         is_root: bool, is_wrong: bool) -> str:
    """An arc from a head to its dependent, with rounded corners and a tip at its end."""
    top = base - height
    if is_root:
        path = f"M{end:.1f} {top:.1f}V{base:.1f}"
    else:
        wide = float(np.sign(end - start)) * corner(end - start, height)
        path = (f"M{start:.1f} {base:.1f}C{start:.1f} {top:.1f} {start:.1f} {top:.1f} "
                f"{start + wide:.1f} {top:.1f}H{end - wide:.1f}C{end:.1f} {top:.1f} "
                f"{end:.1f} {top:.1f} {end:.1f} {base:.1f}")
    tip = f"M{end - 3:.1f} {base - 6:.1f}L{end + 3:.1f} {base - 6:.1f}L{end:.1f} {base:.1f}Z"
    return (f'<g class="{"wrong" if is_wrong else "right"}"><path class="arc" d="{path}"/>'
            f'<path class="tip" d="{tip}"/><text class="label" '
            f'x="{(start + end) / 2:.1f}" y="{top - 3:.1f}">{shown_text(label)}</text></g>')
