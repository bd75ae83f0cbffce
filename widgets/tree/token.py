"""What there is to say about a token: its heads, and what a parser thinks of them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np

from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.layers import universal
from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.common.phrases import elided
from orange_structpred.widgets.tree.explainer import Answer, Question
from orange_structpred.widgets.tree.panel import Explanation
from orange_structpred.widgets.tree.picture import MISSED, WRONG_EDGE, whole_percent

LONGEST_NAMED = 20      # letters of a word; longer ones would push out what is said of it
DOT = "&nbsp; · &nbsp;"
# Keeps a line of text from running leftwards because its first word does.
LEFT_TO_RIGHT = "&lrm;"


def word_html(sentence: Sentence, position: int) -> str:
    """A token with its position, or the root; long words are cut in the middle."""
    if not position:
        return "<i>root</i>"
    word = escape(isolated(elided(sentence.forms[position - 1], LONGEST_NAMED)))
    return f"<b>{word}</b><sub>{position}</sub>"


@dataclass(frozen=True)
class ShownToken:
    """A token of a sentence with its gold and predicted heads.

    predicted, deprels : of the sentence, as far as there are any
    probabilities : of the predicted heads, or else of the gold ones
    colours : of MISSED and WRONG_EDGE
    """

    sentence: Sentence
    position: int
    predicted: np.ndarray | None = None
    deprels: Sequence[str] | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    probabilities: np.ndarray | None = None

    @property
    def heads(self) -> dict[str, int]:
        """Gold and predicted head, as far as they are known."""
        sources = {"gold": self.sentence.heads, "predicted": self.predicted}
        return {which: int(heads[self.position - 1])
                for which, heads in sources.items()
                if heads is not None and heads[self.position - 1] >= 0}

    def line(self) -> str:
        """The token and its heads, HTML."""
        parts = [self._word(self.position)]
        deprels = {"gold": self.sentence.deprels, "predicted": self.deprels}
        rated = "gold" if self.predicted is None else "predicted"
        for which, head in self.heads.items():
            relation = deprels[which][self.position - 1] if deprels[which] else "_"
            wrongly = "wrongly " * (which == "predicted" and self.is_wrong)
            parts.append(f"{self._coloured(which, wrongly)} head {self._word(head)}"
                         + (f" ({escape(relation)})" if relation != "_" else "")
                         + (self._sure() if which == rated else ""))
        return LEFT_TO_RIGHT + DOT.join(parts)

    def _sure(self) -> str:
        share = np.nan if self.probabilities is None \
            else self.probabilities[self.position - 1]
        return "" if np.isnan(share) else f", {whole_percent(share)} sure"

    def question(self, words: bool = False) -> Question:
        """What to ask a parser: why these heads, why this relation?

        words : ask also on which words a net depends

        The relation is in question where the head is right; a wrong one is compared with
        the gold one.
        """
        heads = dict.fromkeys(self.heads.values())
        tree = self.predicted
        if tree is None and self.sentence.has_heads:
            tree = self.sentence.heads
        relation, rival = None, ""
        if not self.is_wrong and tree is not None and tree.min() >= 0:
            gold = self.sentence.deprels[self.position - 1]
            relation = self.deprels[self.position - 1] if self.deprels else gold
            rival = gold if universal(gold) != universal(relation) else ""
        return Question(self.sentence, self.position,
                        tuple(head for head in heads if head != self.position),
                        None if tree is None else tuple(tree.tolist()), relation, rival,
                        words)

    def explanations(self, answer: Answer) -> list[Explanation]:
        """The parser's answer for the panel."""
        names: dict[int, list[str]] = {}
        for which, head in self.heads.items():
            names.setdefault(head, []).append(self._coloured(which))
        shares = answer.probabilities
        explanations = [Explanation(
            f"{LEFT_TO_RIGHT}{self._word(head)} → {self._word(self.position)} "
            f"({' and '.join(names[head])})", contributions,
            *((None, None) if shares is None else (
                float(shares[head, self.position]),
                np.delete(shares[:, self.position], [head, self.position]))),
            words=self._numbered(answer.words.get(head)))
            for head, contributions in answer.contributions.items()]
        if answer.relation is not None and len(explanations) < 2:
            relation, rival, contributions = answer.relation
            explanations.append(Explanation(
                f"<b>{escape(relation)}</b>" + f" rather than {escape(rival)}" * bool(rival),
                contributions))
        return explanations

    def _numbered(self, words: Sequence[Contribution] | None
                  ) -> list[Contribution] | None:
        """With the positions of the words in the sentence."""
        return words and [Contribution(f"{isolated(item.name)} ({position})", item.value)
                          for position, item in enumerate(words, 1)]

    def _word(self, position: int) -> str:
        return word_html(self.sentence, position)

    @property
    def is_wrong(self) -> bool:
        return len(set(self.heads.values())) > 1

    def _coloured(self, which: str, wrongly: str = "") -> str:
        """Gold or predicted, in the colour of the arcs if these are not the same. A head
        that a pipeline is more or less sure of is not called gold."""
        if self.predicted is None and self._sure():
            return "annotated"
        colour = self.colours.get(MISSED if which == "gold" else WRONG_EDGE)
        if not self.is_wrong or colour is None:
            return wrongly + which
        return f'<font color="{colour}">{wrongly}{which}</font>'
