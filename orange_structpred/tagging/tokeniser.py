"""Tokeniser: words and sentences of plain text, learned from a treebank."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
from Orange.base import Learner
from Orange.data import Table

from orange_structpred.files.models import OtherVersionError
from orange_structpred.files.schema import Array, ListOf, Optional, Schema, Text
from orange_structpred.files.values import LONGEST_NAME
from orange_structpred.parametrised import HasParameters
from orange_structpred.svm import Report
from orange_structpred.tagging.documents import AnyTokeniser, warn_of_unsegmented
from orange_structpred.tagging.gaps import (
    GAP_LAYERS,
    N_CHARACTER_KINDS,
    N_GAP_KINDS,
    Characters,
    all_gaps,
    characters_of,
    count_kinds,
    trimmed,
)
from orange_structpred.tagging.sequence_model import (
    SequenceModel,
    mira_rows,
    train_sequences,
)
from orange_structpred.tagging.splits import Splits, lower_normal
from orange_structpred.tagging.storage import Stored
from orange_structpred.tagging.word_list import LISTED_LAYERS, WordList
from orange_structpred.tagging.words import LETTER, LOWER_CASE
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.normal_form import align_normal_form, normal_form
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import (
    Token,
    begins_paragraph,
    tokens_of,
)

SAME_WORD, NEW_WORD, NEW_SENTENCE = 0, 1, 2
SEVERAL = 2         # added to the label of a token that is one word at other places
#: what begins, and whether it is several words
LABEL_PARTS = np.array([[0, -1], [1, -1], [2, -1], [1, 3], [2, 3]], np.int32)
TOKENISER_TEMPLATES = (
    "always", "space", "kinds", "left1", "right0", "left1 right0",
    "left2 left1 right0", "left1 right0 right1", "left2 left1 right0 right1",
    "left3 left2 left1", "right0 right1 right2", "left3 left2 left1 right0",
    "left1 right0 right1 right2", "before space", "after space", "chunk at",
    "chunk space", "shape at", "shape rest", "shape at left1 right0", "space left1 after",
    "space before kinds", "space before right0", "space before after",
    "space left1 next_case kinds", "space left1 shape", "space left1 next",
    "space previous_shape shape", "space previous_shape next_shape shape",
    "space left1 left2 right0 right1", "space begin", "space end", "space left1 begin",
    "space left1 end", "space chunk left1", "space chunk next",
    "space left1 previous_shape next_shape", "web space kinds", "web left1 right0",
    "web right0 rest", "web at left1", "space web left1 next_case",
    "space left1 left2 after", "space before shape", "space before next",
    "space previous_shape after", "space kinds next_shape", "space left1 right0 next")
#: Where words begin without a space: known words, and more of what stands around
LISTED_TEMPLATES = (
    "ending", "beginning", "ending beginning", "cut", "cut ending", "cut beginning",
    "longest_ending longest_beginning cut", "longest_ending left1",
    "longest_beginning right0", "cut left1 right0", "equal", "equal kinds",
    "longest_ending right0", "longest_beginning left1", "left1 right0 equal",
    "left2 left1", "right0 right1", "left2 right0", "left1 right1", "left2", "right1")
LIST_FOLDS = 8      # of the sentences; the words of a fold are listed by the others
LONGEST_TOKEN, MOST_WORDS = 1000, 100       # of those of several words, in files
EXAMPLE = 32        # decisions that are learned together
SELDOM_SPLIT = 0.001      # kinds of gaps at which words begin less often are passed over
FEW = 10            # kinds of gaps seen less often say nothing
WITHIN_LETTERS = 2 * (LETTER * N_CHARACTER_KINDS + LETTER)    # gaps of scripts without capitals


class TokeniserLearner(HasParameters, Learner, rows=mira_rows("tokeniser", 0.1)):
    """Trains a tokeniser: ``TokeniserLearner()(treebank) -> Tokeniser``.

    It learns from the original text of the treebank's sentences, as told by
    ``SpaceAfter=No`` and ``# newpar``, at which gaps between characters words and
    sentences begin. Tokens of several words are split as in the treebank. Where words
    begin without a space, as in Chinese, the words of the treebank are a list that gaps
    are looked up in.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> tokeniser = TokeniserLearner(passes=3)(load_bundled("en"))
    >>> [sentence.forms for sentence in tokeniser("The dog sees it. It barks.")]
    [['The', 'dog', 'sees', 'it', '.'], ['It', 'barks', '.']]
    """

    def __call__(self, data: Table, callback: Callable[[Report], object] | None = None
                 ) -> Tokeniser:
        return self.learn(as_treebank(data).sentences, callback)

    def learn(self, sentences: Sequence[Sentence],
              callback: Callable[[Report], object] | None = None) -> Tokeniser:
        """Train on sentences."""
        self.check_values()
        if not sentences:
            raise TrainingError("the treebank has no sentences to learn from")
        tokens = [tokens_of(sentence) for sentence in sentences]
        if all(token.space_after for one_sentence in tokens for token in one_sentence):
            warnings.warn("no token of the treebank has SpaceAfter=No: the tokeniser "
                          "will not separate punctuation from words", stacklevel=3)
        splits = Splits.learn(token for one_sentence in tokens for token in one_sentence)
        texts, labels = zip(*annotated_paragraphs(sentences, tokens, splits.unsure))
        characters = characters_of(texts)
        gap_labels = np.concatenate([np.append(one_sentence, SAME_WORD) for one_sentence in labels])
        apart, seen = count_kinds(characters.kinds, characters.offsets,
                                  gap_labels != SAME_WORD)
        decided = unseen_like_seen(apart > SELDOM_SPLIT * seen, seen)
        gaps, counts, layers = all_gaps(*characters, decided)
        words: WordList | None = None
        names: tuple[str, ...] = GAP_LAYERS
        templates: tuple[str, ...] = TOKENISER_TEMPLATES
        if decided[WITHIN_LETTERS]:
            words, names = WordList.of(
                token.form for one_sentence in tokens for token in one_sentence), (
                *GAP_LAYERS, *LISTED_LAYERS)
            templates = (*TOKENISER_TEMPLATES, *LISTED_TEMPLATES)
            layers = np.hstack([layers, jackknifed_layers(
                tokens, characters, gaps, gap_labels)])
        model, _ = train_sequences(
            layers, np.append(0, np.cumsum(counts)), gap_labels[gaps], LABEL_PARTS,
            layers=names, templates=templates, edge_bits=6, n_best=1,
            longest=EXAMPLE, callback=callback, C=self.C, passes=self.passes,
            random_state=self.random_state)
        return Tokeniser(model, decided, splits, words, name=self.name)


class Tokeniser(Stored, AnyTokeniser):
    """A trained tokeniser: ``tokeniser(text)`` is a list of sentences.

    Every character of the text is in a token or is a space between tokens; control
    characters are taken for spaces.
    """

    kind = "tokeniser"

    def __init__(self, model: SequenceModel, decided: np.ndarray, splits: Splits,
                 words: WordList | None = None, *, name: str):
        self.model, self.decided, self.splits = model, decided, splits
        self.words, self.name = words, name

    def split(self, paragraphs: Sequence[str]) -> Iterator[list[list[Token]]]:
        if not self.decided[WITHIN_LETTERS]:
            for paragraph in paragraphs:
                warn_of_unsegmented(paragraph, "the tokeniser, which was trained on "
                                               "others, does")
        normal = list(map(align_normal_form, paragraphs))
        characters = characters_of([paragraph.text for paragraph in normal])
        origins = joined_origins([paragraph.origins for paragraph in normal])
        gaps, counts, layers = all_gaps(*characters, self.decided)
        if self.words is not None:
            layers = np.hstack([layers, self.words.layers(characters, gaps)])
        begins = np.append(0, np.cumsum(counts))    # of the gaps of each paragraph
        labels = self.model.predict(layers, begins, n_best=1)
        first = begins[:-1][counts > 0]             # there begins a sentence anyway
        labels[first] = NEW_SENTENCE + SEVERAL * (labels[first] > SEVERAL)
        # nothing begins within a typed character
        new = (labels != SAME_WORD) & (origins[gaps] != origins[gaps - 1])
        starts, labels = gaps[new], labels[new]
        tokens = self.make_tokens("".join([f"{paragraph} " for paragraph in paragraphs]), origins,
                                  characters.kinds, starts, labels)
        first = np.flatnonzero(LABEL_PARTS[labels, 0] == NEW_SENTENCE)
        bounds = [*first.tolist(), len(tokens)]
        sentences = (tokens[begin:end] for begin, end in pairwise(bounds))
        for n in np.diff(np.searchsorted(starts[first], characters.offsets)).tolist():
            yield list(islice(sentences, n))

    def make_tokens(self, typed: str, origins: np.ndarray, kinds: np.ndarray,
                    starts: np.ndarray, labels: np.ndarray) -> list[Token]:
        """The tokens of a text that begin at these positions of its normal form."""
        following = np.append(starts[1:], len(kinds))
        ends, spaced = trimmed(kinds, starts, following)
        forms = [typed[begin:end] for begin, end
                 in zip(origins[starts].tolist(), origins[ends].tolist())]
        for k in np.flatnonzero(spaced).tolist():
            forms[k] = " ".join(forms[k].split())
        words = self.splits.words_of_all(forms)
        for k in np.flatnonzero(labels <= SEVERAL).tolist() if self.splits.unsure else ():
            if len(words[k]) > 1 and lower_normal(forms[k]) in self.splits.unsure:
                words[k] = (forms[k],)
        return list(map(Token, forms, words, (ends < following).tolist()))

    # in and out

    def header(self) -> dict:
        return {"name": self.name, "model": self.model.header(),
                "known": [[form, *words] for form, words in self.splits.known.items()],
                "clitics": self.splits.clitics, "prefixes": self.splits.prefixes,
                "unsure": sorted(self.splits.unsure)}

    def arrays(self) -> dict[str, np.ndarray]:
        listed = {} if self.words is None else {"listed": self.words.numbers}
        return {**self.model.arrays("gaps"), "decided": self.decided, **listed}

    schema = Schema(
        header={"name": Text(LONGEST_NAME),
                "model": SequenceModel.header_schema(LABEL_PARTS.shape[1]),
                "known": ListOf(ListOf(Text(LONGEST_TOKEN, least=1), MOST_WORDS, least=2)),
                "clitics": ListOf(Text(LONGEST_TOKEN)),
                "prefixes": Optional(ListOf(Text(LONGEST_TOKEN))),     # older files: none
                "unsure": ListOf(Text(LONGEST_TOKEN))},
        arrays={"decided": Array("bool", N_GAP_KINDS),
                "listed": Array("uint64", "listed", low=1, rising=True, optional=True),
                **SequenceModel.arrays_schema("gaps", *LABEL_PARTS.shape, least_part=-1)})

    @classmethod
    def restore(cls, header: dict, arrays: dict[str, np.ndarray]) -> Tokeniser:
        words = WordList(arrays["listed"]) if "listed" in arrays else None
        model = SequenceModel.restore(
            header["model"], arrays, "gaps",
            (*GAP_LAYERS, *LISTED_LAYERS) if words else GAP_LAYERS)
        if not np.array_equal(model.chain.label_parts, LABEL_PARTS):
            raise OtherVersionError("labels")
        splits = Splits({form: words for form, *words in header["known"]},
                        list(filter(None, header["clitics"])), header["unsure"],
                        list(filter(None, header.get("prefixes") or ())))
        return cls(model, arrays["decided"], splits, words, name=header["name"])

    def __repr__(self) -> str:
        return (f"<Tokeniser {self.name!r}: {self.model.n_weights} weights, "
                f"{self.splits.n_several} tokens of several words>")


def jackknifed_layers(tokens: Sequence[Sequence[Token]], characters: Characters,
                      gaps: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """What lists of words say of gaps, each made of other sentences.

    labels : of the gaps before all characters
    """
    sentence = np.cumsum(LABEL_PARTS[labels, 0] == NEW_SENTENCE)[gaps] - 1
    fold, result = sentence % LIST_FOLDS, np.empty((len(gaps), len(LISTED_LAYERS)), np.uint64)
    for k in range(min(LIST_FOLDS, len(tokens))):
        words = WordList.of(token.form for i, one_sentence in enumerate(tokens)
                            if i % LIST_FOLDS != k for token in one_sentence)
        result[fold == k] = words.layers(characters, gaps[fold == k])
    return result


def joined_origins(origins: Sequence[np.ndarray]) -> np.ndarray:
    """The origins of paragraphs, each with a space after it, as those of one text."""
    begins = np.cumsum([0, *(origin[-1] + 1 for origin in origins)])
    return np.concatenate([*map(np.add, origins, begins), begins[-1:]])


def unseen_like_seen(decided: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The kinds of gaps to decide, with those that training hardly saw: at spaces all of
    them, else letters of scripts without capitals as small letters, so that words of
    other scripts are separated from each other and from punctuation."""
    result = decided.copy()
    pairs = decided[:-1].reshape(N_CHARACTER_KINDS, N_CHARACTER_KINDS, 2)
    alike = np.arange(N_CHARACTER_KINDS)
    alike[LETTER] = LOWER_CASE
    guessed = pairs[np.ix_(alike, alike)].copy()
    guessed[LETTER, LETTER, 0] = pairs[LETTER, LETTER, 0]
    guessed[:, :, 1] = True
    few = seen[:-1] < FEW
    result[:-1][few] = guessed.ravel()[few]
    return result


def annotated_paragraphs(sentences: Sequence[Sentence],
                         tokens: Iterable[Sequence[Token]], unsure: set[str]
                         ) -> Iterator[tuple[str, np.ndarray]]:
    """The text of each paragraph, in its normal form, and the label of the gap before
    each character."""
    paragraph: list[Sequence[Token]] = []
    for sentence, one_sentence in zip(sentences, tokens):
        if paragraph and begins_paragraph(sentence):
            yield annotated_paragraph(paragraph, unsure)
            paragraph = []
        paragraph.append(one_sentence)
    yield annotated_paragraph(paragraph, unsure)


def annotated_paragraph(sentences: Iterable[Sequence[Token]], unsure: set[str]
                        ) -> tuple[str, np.ndarray]:
    pieces: list[str] = []
    labels: list[int] = []
    for sentence in sentences:
        for k, token in enumerate(sentence):
            label = NEW_WORD if k else NEW_SENTENCE
            if len(token.words) > 1 and lower_normal(token.form) in unsure:
                label += SEVERAL
            last = k == len(sentence) - 1
            piece = normal_form(token.form) + " " * (token.space_after or last)
            pieces.append(piece)
            labels += [label, *[SAME_WORD] * len(piece)][:len(piece)]
    # nothing follows the last character, as in the paragraphs of a text
    return "".join(pieces)[:-1], np.array(labels[:-1], np.int32)
