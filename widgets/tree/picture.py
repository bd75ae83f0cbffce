"""What is to be drawn of a sentence; how it is drawn is up to the scene."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from orange_structpred.evaluation.tags import LAYER_TITLES, is_right
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.drawn import (
    DRAWN_TAGS,
    DRAWN_WORDS,
    arc_labels,
    drawn_tags,
    drawn_words,
)
from orange_structpred.treebank.layers import layer_values, universal
from orange_structpred.widgets.common.phrases import plain_tip

#: What arcs are: in the gold tree only, in the prediction only, or in both (or there
#: is no other tree).
MISSED, WRONG_EDGE, AGREED = "missed", "wrong", "agreed"
CERTAIN = 0.995         # a probability that is 100% when rounded


def whole_percent(share: float) -> str:
    return f"{100 * share:.0f}%"


@dataclass(frozen=True)
class DrawnTree:
    """One of the trees of a picture.

    heads : as in `Sentence.heads`, -1 where there is no arc
    relations : labels of the arcs, or None
    differs, relation_differs : for each token, whether its head (its relation) is not
        that of the other tree
    title : what the tree is called in the picture; "" leaves it out
    gold : whether arcs that differ were missed by the other tree, or are wrong
    probabilities : of the arcs, or None
    legend : what heads and what relations that differ are called in the picture
    """

    heads: np.ndarray
    relations: Sequence[str] | None = None
    differs: np.ndarray | None = None
    relation_differs: np.ndarray | None = None
    title: str = ""
    gold: bool = True
    probabilities: np.ndarray | None = None
    legend: tuple[str, str] | None = None

    def __post_init__(self):
        for name in ("differs", "relation_differs"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.zeros(len(self.heads), bool))

    @property
    def mark(self) -> str:
        """How what differs is marked."""
        return MISSED if self.gold else WRONG_EDGE

    @property
    def differing(self) -> tuple[str, str]:
        """What heads and what relations that differ are called; "" if none does."""
        head, relation = self.legend or (
            ("missed" if self.gold else "wrong head"), "wrong relation")
        return (head if self.differs.any() else "",
                relation if self.relation_differs.any() and self.relations else "")

    @property
    def labels(self) -> list[str]:
        """What stands at each arc: the relation, and how sure an arc is unless it is
        certain."""
        labels = arc_labels(self.heads, self.relations)
        if self.probabilities is None:
            return labels
        return [f"{label} {whole_percent(share)}".lstrip() if share < CERTAIN else label
                for label, share in zip(labels, self.probabilities)]


@dataclass(frozen=True)
class Picture:
    """What is to be drawn: words, lines of tags under them, one or two trees.

    marked : positions of the tokens that stand out
    wrong_tags : for each line of tags the indices of those that were predicted wrongly
    """

    words: Sequence[str]
    tags: Sequence[Sequence[str]] = ()
    above: DrawnTree | None = None
    below: DrawnTree | None = None
    marked: Collection[int] = ()
    wrong_tags: Sequence[Collection[int]] = ()


def make_picture(sentence: Sentence, heads: np.ndarray | None = None,
                 deprels: Sequence[str] | None = None, *, name: str = "",
                 words: str = DRAWN_WORDS[0], tags: str = DRAWN_TAGS[0],
                 relations: bool = True, marked: Collection[int] = (),
                 probabilities: np.ndarray | None = None,
                 predicted_tags: Mapping[str, Sequence[str]] = {}) -> Picture:
    """The picture of a sentence: gold above, the prediction below.

    A sentence without gold heads has the prediction above.

    heads, deprels, name : of the prediction, if there is one
    words, tags : one of `DRAWN_WORDS`, one of `DRAWN_TAGS`
    relations : whether arcs have labels
    marked : positions of the tokens that stand out
    probabilities : of the predicted heads, or else of the sentence's own, to be drawn
    predicted_tags : by layer; those that are wrong stand behind the gold ones
    """
    lines, wrong = with_wrong_tags(sentence, tags, predicted_tags)
    plain = Picture(drawn_words(sentence, words), lines, marked=marked, wrong_tags=wrong)
    gold = sentence.heads
    if heads is not None and heads.max() < 0:
        heads = None
    labels, gold_labels = (deprels, sentence.deprels) if relations else (None, None)
    if heads is None:
        return replace(plain, above=DrawnTree(gold, gold_labels, probabilities=probabilities))
    if gold.max() < 0:
        return replace(plain, above=DrawnTree(heads, labels, title=name, gold=False,
                                              probabilities=probabilities))
    both = (gold >= 0) & (heads >= 0)
    differs = both & (gold != heads)
    relation_differs = None
    if labels is not None:
        relation_differs = both & [universal(a) != universal(b)
                                   for a, b in zip(sentence.deprels, labels)]
    return replace(
        plain, above=DrawnTree(gold, gold_labels, differs, title="Gold"),
        below=DrawnTree(heads, labels, differs, relation_differs, title=name, gold=False,
                        probabilities=probabilities))


def with_wrong_tags(sentence: Sentence, tags: str, predicted: Mapping[str, Sequence[str]]
                    ) -> tuple[list[list[str]], list[set[int]]]:
    """The drawn lines of tags with wrong predictions, and which of them are wrong.

    >>> row = "1\\tcans\\t_\\tNOUN\\tNNS\\t_\\t0\\troot\\t_\\t_"
    >>> with_wrong_tags(Sentence(row), "UPOS", {"upos": ["AUX"]})
    ([['NOUN → AUX']], [{0}])
    """
    lines, wrong = drawn_tags(sentence, tags), []
    layers = [layer for layer in ("upos", "xpos") if layer.upper() in tags
              and any(tag != "_" for tag in layer_values(sentence, layer))]
    for layer, line in zip(layers, lines, strict=True):
        predicted_line = predicted.get(layer, line)
        differing = {i for i, (gold, tag) in enumerate(zip(line, predicted_line))
                     if gold and tag not in (gold, "_")}
        for i in differing:
            line[i] += f" → {predicted_line[i]}"
        wrong.append(differing)
    return lines, wrong


def wrong_layers(sentence: Sentence, predicted: Mapping[str, Sequence[str]], i: int
                 ) -> dict[str, str]:
    """The layers of a token that were predicted wrongly, with what was predicted."""
    return {layer: values[i] for layer, values in predicted.items()
            if values[i] != "_"
            and not is_right(layer, layer_values(sentence, layer)[i], values[i])}


def word_tip(sentence: Sentence, i: int, predicted: Mapping[str, Sequence[str]] = {}
             ) -> str:
    """All that is known of a token, as a tooltip.

    predicted : tags by layer; those that are wrong are told
    """
    known = [part for part in (sentence.lemmas[i], sentence.upos[i], sentence.xpos[i])
             if part != "_"]
    lines = [f"{i + 1}  {sentence.forms[i]}", "  ".join(known)]
    if sentence.feats[i] != "_":
        lines.append(sentence.feats[i].replace("|", "\n"))
    lines += [f"wrong {LAYER_TITLES.get(layer, layer)}: {tag}"
              for layer, tag in wrong_layers(sentence, predicted, i).items()]
    return plain_tip("\n".join(filter(None, lines)))
