"""Lemmatiser: what was seen in training, and edit scripts for all other words."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.files.schema import Array, ListOf, OneOf, Optional, Schema, Text
from orange_structpred.files.values import LONGEST_NAME
from orange_structpred.kinds import Kind, Switch, is_list
from orange_structpred.parametrised import HasParameters, Parameter
from orange_structpred.svm import Report
from orange_structpred.tagging.compounds import Compounds, mark_of, without_mark
from orange_structpred.tagging.scripts import (
    Patterns,
    apply_script,
    make_script,
    parse_script,
    written_by,
)
from orange_structpred.tagging.sequence_model import (
    MOST_LABELS,
    SequenceModel,
    mira_rows,
    train_sequences,
)
from orange_structpred.tagging.storage import Stored, array_text, text_array
from orange_structpred.tagging.tagger import Progress, add_layers, replace_layers
from orange_structpred.tagging.vocabulary import OBSERVED_LAYERS, Vocabulary
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import StringIds
from orange_structpred.treebank.layers import EMPTY, check_layer_values
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.sentence import Sentence

LEMMATISER_LAYERS = (*OBSERVED_LAYERS, "tag")
LEMMATISER_TEMPLATES = (
    "tag", "tag suffix1", "tag suffix2", "tag suffix3", "tag suffix4", "tag suffix5",
    "suffix3", "suffix4", "suffix5", "tag shape", "tag shape suffix2",
    "tag shape suffix3", "tag prefix1", "tag prefix2", "tag prefix3", "tag prefix4",
    "tag lower", "tag case")
READ_TAGS = ("upos", "xpos")
TAB = "\t"
#: scripts of fewer words are in the dictionary only; more are needed for those that
#: write another beginning, or one lemma for all words
MIN_WORDS, MIN_WORDS_BEGINNING, MIN_WORDS_WHOLE = 2, 5, 10
#: what is added to the score of a script that makes a lemma that training has seen with
#: the same UPOS; a margin is 1
SEEN_LEMMA = np.float32(1)
#: and of one that makes the only lemma that the form has, with other tags
ONLY_LEMMA = np.float32(2)


class ReadTags(Kind):
    text = f"a list with any of {', '.join(READ_TAGS)}"

    def fits(self, value: object) -> bool:
        return is_list(value, READ_TAGS.__contains__)


class LemmatiserLearner(HasParameters, Learner, rows=mira_rows(
        "lemmatiser", 0.02,
        Parameter("tags", READ_TAGS, ReadTags(),
                  "Layers of tags that it reads: those that the words will have; in a "
                  "pipeline, of these those that its tagger predicts"),
        Parameter("untagged", False, Switch(),
                  "Learn the words without their tags, too, since some text will have "
                  "none; so it does in a pipeline without a tagger"))):
    """Trains a lemmatiser: ``LemmatiserLearner()(treebank) -> Lemmatiser``.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")
    >>> lemmatiser = LemmatiserLearner()(treebank[:200])
    >>> lemmatiser.lemmas(["Studies", "cats"], ["NOUN", "NOUN"], ["NNS", "NNS"])
    ['study', 'cat']
    """

    def __call__(self, data: Table, callback: Callable[[Report], object] | None = None
                 ) -> Lemmatiser:
        return self.learn(as_treebank(data).sentences, callback)

    def learn(self, sentences: Sequence[Sentence],
              callback: Callable[[Report], object] | None = None) -> Lemmatiser:
        """Train on sentences; tokens without a lemma are left out."""
        self.check_values()
        seen = Counter(
            row for s in sentences
            for read in ((self.tags, ()) if self.untagged else (self.tags,))
            for row in zip(map(normal_form, s.forms), map(normal_form, s.lemmas),
                           tag_pairs(s.upos, s.xpos, read))
            if row[1] != EMPTY or row[0] == EMPTY)
        if not seen:
            raise TrainingError("the treebank has no lemmas to learn from")
        rows = list(seen)
        mark = mark_of(row[:2] for row in rows)
        scripts = [make_script(form, without_mark(lemma, mark)) for form, lemma, _ in rows]
        counts = Counter(script for script, _ in {
            (script, row[0].lower()) for script, row in zip(scripts, rows)})
        regular = [counts[script] >= least_words(script) for script in scripts]
        if any(regular):
            rows, scripts = list(compress(rows, regular)), list(compress(scripts, regular))
        names = sorted(set(scripts))
        numbers = {script: number for number, script in enumerate(names)}
        labels = [numbers[script] for script in scripts]
        forms, _, tags = map(list, zip(*rows))
        vocabulary = Vocabulary.learn(forms, labels)
        tokens, offsets = encode_words(vocabulary, forms, tags)
        model, _ = train_sequences(
            tokens, offsets, np.array(labels, np.int32),
            np.arange(len(names), dtype=np.int32)[:, None], layers=LEMMATISER_LAYERS,
            templates=LEMMATISER_TEMPLATES, full=np.iinfo(np.int64).max, edge_bits=6, n_best=1,
            callback=callback, C=self.C, passes=self.passes,
            random_state=self.random_state)
        return Lemmatiser(dictionary(seen), names, vocabulary, model, tags=self.tags,
                          mark=mark, name=self.name)


class Lemmatiser(Stored, Model):
    """A trained lemmatiser. ``lemmatiser(treebank)`` adds a column with its lemmas.

    It uses the forms and tags of the sentences, so tag them first.

    tags : the layers of tags that it reads
    mark : what lemmas have between the parts of compounds
    """

    kind = "lemmatiser"

    def __init__(self, known: dict[str, str], scripts: Sequence[str],
                 vocabulary: Vocabulary, model: SequenceModel, *,
                 tags: Sequence[str] = READ_TAGS, mark: str = "", name: str):
        super().__init__()
        self.tags, self.mark = tuple(tags), mark
        self.known, self.scripts, self.name = known, list(scripts), name
        self.vocabulary, self.model = vocabulary, model
        self.patterns = Patterns(self.scripts)
        self.of_upos = {key.rpartition(TAB)[0]: lemma for key, lemma in known.items()}
        self.of_form = unambiguous(known)
        self.compounds = Compounds(mark, self.of_form)
        self.seen_lemmas = {f"{lemma}\t{key.rpartition(TAB)[0].rpartition(TAB)[2]}"
                            for key, lemma in known.items()}

    def __call__(self, data: Table, progress: Progress | None = None, *,
                 name: str | None = None) -> Treebank:
        """The treebank with lemmas: filled in where it has none, else as a column."""
        treebank = as_treebank(data)
        return add_layers(treebank, self.predict(treebank.sentences),
                          name or self.name)

    def lemmatise(self, sentences: Iterable[Sentence] | Table) -> list[Sentence]:
        """The sentences with new lemmas; everything else stays the same."""
        sentences = as_sentences(sentences)
        return replace_layers(sentences, self.predict(sentences))

    def predict(self, sentences: Iterable[Sentence] | Table
                ) -> dict[str, list[list[str]]]:
        """The lemmas of each sentence's tokens."""
        sentences = as_sentences(sentences)
        flat = iter(self.lemmas(*(
            [value for sentence in sentences for value in getattr(sentence, column)]
            for column in ("forms", *READ_TAGS))))
        return {"lemma": [[next(flat) for _ in range(len(s))] for s in sentences]}

    def lemmas(self, forms: Sequence[str], upos: Sequence[str], xpos: Sequence[str]
               ) -> list[str]:
        """The lemmas of words with these tags."""
        forms = list(map(normal_form, forms))
        tags = tag_pairs(upos, xpos, self.tags)
        keys = [f"{form}\t{tag}" for form, tag in zip(forms, tags)]
        missing = {key: k for k, key in enumerate(keys) if key not in self.known}
        indices = list(missing.values())
        guessed = dict(zip(missing, self.guess(
            [forms[k] for k in indices], [tags[k] for k in indices]))) if missing else {}
        return [guessed[key] if key in guessed else self.known[key] for key in keys]

    def guess(self, forms: Sequence[str], tags: Sequence[str]) -> list[str]:
        """Lemmas of words that were not seen with these tags."""
        tokens, offsets = encode_words(self.vocabulary, forms, tags)
        labels = self.model.predict(
            tokens, offsets, n_best=1, allowed=self.patterns.allowed(forms),
            bonuses=lambda first, last: self.bonuses(forms[first:last], tags[first:last]))
        return [self.known.get(f"{form.lower()}\t{tag}")
                or self.of_upos.get(f"{form}\t{tag.partition(TAB)[0]}")
                or self.irregular_lemma(form)
                or self.compounds.marked(apply_script(self.scripts[label], form))
                for form, tag, label in zip(forms, tags, labels.tolist())]

    def irregular_lemma(self, form: str) -> str | None:
        """The only lemma that a form has, if no script makes it."""
        lemma = self.of_form.get(form)
        return None if lemma in self.scripted(form).values() else lemma

    def scripted(self, form: str) -> dict[int, str]:
        """The lemmas that scripts make of a form, by their numbers."""
        return {label: self.compounds.marked(apply_script(self.scripts[label], form))
                for label in self.patterns.edits(form)}

    def bonuses(self, forms: Sequence[str], tags: Sequence[str]) -> np.ndarray:
        """What is added to the scores of scripts, a row for each word: unseen forms often
        are forms of words that training has seen, and forms with unseen tags often have
        the lemma that they have with other tags."""
        result = np.zeros((len(forms), len(self.scripts)), np.float32)
        for row, form, tag in zip(result, forms, tags):
            upos, only = tag.partition(TAB)[0], self.of_form.get(form)
            for label, lemma in self.scripted(form).items():
                row[label] = SEEN_LEMMA * (f"{lemma}\t{upos}" in self.seen_lemmas) + (
                    ONLY_LEMMA * (lemma == only))
        return result

    # in and out

    def header(self) -> dict:
        return {"name": self.name, "tags": list(self.tags), "scripts": self.scripts,
                "mark": self.mark, "model": self.model.header()}

    def arrays(self) -> dict[str, np.ndarray]:
        lines = "\n".join(f"{key}\n{lemma}" for key, lemma in self.known.items())
        return {"lemmas": text_array(lines), **self.model.arrays("scripts"),
                **self.vocabulary.arrays("lemma_words")}

    schema = Schema(
        header={"name": Text(LONGEST_NAME),
                # files of earlier versions do not say which tags: all of them
                "tags": Optional(ListOf(OneOf(READ_TAGS), len(READ_TAGS))),
                "scripts": ListOf(Text(least=1), MOST_LABELS, least=1),
                "mark": Optional(Text(1)),
                "model": SequenceModel.header_schema(1)},
        arrays={"lemmas": Array("uint8", "letters"),
                **SequenceModel.arrays_schema("scripts", "scripts", 1),
                **Vocabulary.arrays_schema("lemma_words", "scripts")})

    @classmethod
    def restore(cls, header: dict, arrays: dict[str, np.ndarray]) -> Lemmatiser:
        tags = header.get("tags")
        scripts = header["scripts"]
        check_layer_values("lemma", filter(None, [header.get("mark")]))
        check_layer_values("lemma", chain.from_iterable(map(written_by, scripts)))
        lines = array_text(arrays["lemmas"]).split("\n")
        if len(lines) % 2:
            raise InputError("its dictionary of lemmas is damaged")
        check_layer_values("lemma", lines[1::2])
        model = SequenceModel.restore(header["model"], arrays, "scripts", LEMMATISER_LAYERS)
        return cls(dict(zip(lines[::2], lines[1::2])), scripts,
                   Vocabulary.restore(arrays, "lemma_words"), model,
                   tags=READ_TAGS if tags is None else tags,
                   mark=header.get("mark", ""), name=header["name"])

    def __repr__(self) -> str:
        return (f"<Lemmatiser {self.name!r}: {len(self.known)} entries, "
                f"{len(self.scripts)} edit scripts>")


def tag_pairs(upos: Sequence[str], xpos: Sequence[str], read: Sequence[str]
              ) -> list[str]:
    """Both tags of each word, empty where they are not read."""
    upos, xpos = (tags if layer in read else [EMPTY] * len(tags)
                  for layer, tags in zip(READ_TAGS, (upos, xpos)))
    return [f"{u}\t{x}" for u, x in zip(upos, xpos)]


def unambiguous(known: dict[str, str]) -> dict[str, str]:
    """The lemmas of forms that have only one, whatever their tags."""
    lemmas: dict[str, set[str]] = defaultdict(set)
    for key, lemma in known.items():
        lemmas[key.partition(TAB)[0]].add(lemma)
    return {form: lemma for form, (lemma, *others) in lemmas.items() if not others}


def least_words(script: str) -> int:
    """How many words must have a script for others to have it."""
    if script.startswith("=|"):
        return MIN_WORDS_WHOLE
    return MIN_WORDS_BEGINNING if parse_script(script).before else MIN_WORDS


def encode_words(vocabulary: Vocabulary, forms: Sequence[str], tags: Sequence[str]
                 ) -> tuple[np.ndarray, np.ndarray]:
    """Words as sequences of one token each."""
    tokens, offsets = vocabulary.encode([[form] for form in forms], extra=1)
    tokens[:, -1] = StringIds().of(tags)
    return tokens, offsets


def dictionary(seen: Counter) -> dict[str, str]:
    """The most frequent lemma of each form with tags."""
    by_key: dict[str, Counter] = defaultdict(Counter)
    for (form, lemma, tag), count in seen.items():
        by_key[f"{form}\t{tag}"][lemma] += count
    return {key: max(sorted(counts), key=counts.__getitem__)
            for key, counts in by_key.items()}
