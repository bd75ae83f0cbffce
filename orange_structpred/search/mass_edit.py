"""Many sentences changed at once: a pattern, and commands for its matches."""
from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Progress
from orange_structpred.search.edit_commands import (
    HEAD,
    ROOT_NODE,
    EditCommand,
    parse_commands,
)
from orange_structpred.search.find import find, note_on_key
from orange_structpred.search.matches import Matches
from orange_structpred.search.pattern import LABEL, WORD_KEYS
from orange_structpred.treebank.editing import (
    SentenceChange,
    set_feature,
    set_form,
    set_head,
    set_layer,
)
from orange_structpred.treebank.layers import (
    EMPTY,
    MISC_START,
    layer_values,
    universal,
)
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank


class WordChange(NamedTuple):
    """A new value of a word's key.

    row : of the sentence in the treebank
    word : its position, from 1 on
    before, after : "" for no value; of the key head, positions
    """

    row: int
    word: int
    key: str
    before: str
    after: str


@dataclass
class MassEdit:
    """What commands would change; nothing is changed until `apply`.

    Attributes
    ----------
    changes : in the order of the sentences, each once
    conflicts : changes that are left out, since another match gives the same word another
        value
    """

    matches: Matches
    commands: list[EditCommand]
    changes: list[WordChange] = field(default_factory=list)
    conflicts: list[WordChange] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def notes(self) -> list[str]:
        """What may be wrong with the pattern, and keys of features that no word has had so
        far."""
        index = self.matches.index
        added = {change.key: None for change in self.changes
                 if change.after and change.key not in (*WORD_KEYS, HEAD)
                 and not change.key.startswith(MISC_START)
                 and not index.column(change.key).values}
        return [*self.matches.notes, *(note_on_key(key, index) for key in added)]

    def sentence_changes(self, chosen: Collection[int] | None = None
                         ) -> list[SentenceChange]:
        """The changed sentences, for one step of an `EditedTreebank`.

        chosen : numbers of changes; by default all
        """
        sentences = self.matches.treebank.sentences
        edited: dict[int, Sentence] = {}
        for number, change in enumerate(self.changes):
            if chosen is None or number in chosen:
                edited[change.row] = changed_sentence(
                    edited.get(change.row, sentences[change.row]), change)
        return [SentenceChange(row, (sentences[row],), (new,))
                for row, new in sorted(edited.items()) if new != sentences[row]]

    def apply(self, chosen: Collection[int] | None = None) -> Treebank:
        """The treebank with the changes made, or with some of them."""
        treebank = self.matches.treebank
        sentences = list(treebank.sentences)
        for index, _, (new,) in self.sentence_changes(chosen):
            sentences[index] = new
        return with_sentences(treebank, sentences)

    def lines(self) -> Iterator[str]:
        """The changes as text, one on each line."""
        sentences = self.matches.treebank.sentences
        for change in self.changes:
            sentence = sentences[change.row]
            yield (f"{sentence.sent_id or change.row + 1}\t{change.word} "
                   f"{sentence.forms[change.word - 1]}\t{change.key}: "
                   f"{change.before or EMPTY} -> {change.after or EMPTY}")


def mass_edit(data: Table, pattern: str, commands: str, *,
              progress: Progress | None = None) -> MassEdit:
    """Find out what commands change at the matches of a pattern, in the gold trees.

    A value that no word can have is an InputError.

    Parameters
    ----------
    pattern : see `find`
    commands : with semicolons between: ``N.upos = PROPN`` (a value in quotes may have any
        characters, ``""`` removes it), ``N.lemma = N.form`` (the value of another key),
        ``V -[obl]-> N becomes nmod`` (another relation), ``N.head = V`` (another head);
        keys are form, lemma, upos, xpos, deprel, head, features such as Number, and keys
        of MISC as misc:Gloss

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> edit = mass_edit(load_bundled("en"), "upos=VERB lemma=see", "W.xpos = SEE")
    >>> edit.apply() is not None and {change.after for change in edit.changes}
    {'SEE'}
    """
    matches = find(data, pattern, progress=progress)
    if matches.truncated:
        raise InputError(f"the pattern has more than {len(matches):,} matches; add "
                         "conditions to it")
    edit = MassEdit(matches, parse_commands(commands, matches.pattern))
    sentences = matches.treebank.sentences
    planned: dict[tuple[int, int, str], WordChange] = {}
    conflicts: dict[WordChange, None] = {}      # each once, in their order
    for row, positions in zip(matches.rows.tolist(), matches.positions.tolist()):
        words = dict(zip(matches.nodes, positions))
        for command in edit.commands:
            change = planned_change(command, row, words, sentences[row])
            if change is None:
                continue
            first = planned.setdefault(change[:3], change)
            if first.after != change.after:
                conflicts[change] = None
    edit.conflicts = list(conflicts)
    edit.changes = [change for change in planned.values() if change.after != change.before]
    for change in {(change.key, change.after): change for change in edit.changes}.values():
        if change.key != HEAD:      # a value that no word can have is refused at once
            changed_sentence(sentences[change.row], change)
    return edit


def planned_change(command: EditCommand, row: int, words: dict[str, int],
                   sentence: Sentence) -> WordChange | None:
    """What a command does to a match; None if it is not about it."""
    word = words[command.node]
    if command.head:
        relation = sentence.deprels[word - 1]
        if sentence.heads[word - 1] != words[command.head] or not all(
                test.fits(label_value(test.key, relation)) for test in command.labels):
            return None
    if command.key == HEAD:
        after = "0" if command.value == ROOT_NODE else str(words[command.value])
        return WordChange(row, word, HEAD, str(sentence.heads[word - 1]), after)
    after = command.value
    if command.copied is not None:
        node, key = command.copied
        after = key_value(sentence, words[node], key)
        if not after and command.key in ("form", LABEL):
            return None
    return WordChange(row, word, command.key, key_value(sentence, word, command.key),
                      after)


def label_value(key: str, relation: str) -> str | None:
    """A relation, or its part that a condition on an edge's label asks for."""
    if relation == EMPTY:
        return None
    if key == LABEL:
        return relation
    return universal(relation) if key.endswith("1") else (
        relation.partition(":")[2] or None)


def key_value(sentence: Sentence, word: int, key: str) -> str:
    """The value of a word's key; "" for none."""
    if key == HEAD:
        return str(sentence.heads[word - 1])
    if key == "form":
        return sentence.forms[word - 1]
    if key in WORD_KEYS or key.startswith(MISC_START):
        value = layer_values(sentence, key)[word - 1]
        return "" if value == EMPTY else value
    features = dict(entry.partition("=")[::2]
                    for entry in sentence.feats[word - 1].split("|"))
    return features.get(key, "")


def changed_sentence(sentence: Sentence, change: WordChange) -> Sentence:
    if change.key == HEAD:
        relation = None if change.after != "0" else "root"
        return set_head(sentence, change.word, int(change.after), relation)
    if change.key == "form":
        return set_form(sentence, change.word, change.after)
    if change.key in WORD_KEYS or change.key.startswith(MISC_START):
        return set_layer(sentence, change.word, change.key, change.after)
    return set_feature(sentence, change.word, change.key, change.after)
