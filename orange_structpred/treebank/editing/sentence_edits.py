"""Edits of whole sentences: comments, one sentence split, two joined."""
from __future__ import annotations

from collections.abc import Iterable

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import (
    DEPREL_COLUMN,
    HEAD_COLUMN,
    NO_TEXT,
)
from orange_structpred.treebank.editing.taken_apart import (
    DEPS_COLUMN,
    ROOT_RELATION,
    TEXT_KEY,
    BlockNode,
    TakenApart,
    is_comment,
)
from orange_structpred.treebank.editing.tree_edits import ATTACHED, heads_above
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence

ID_KEY = "sent_id"


def comment_value(sentence: Sentence, key: str) -> str | None:
    """The value of the comment ``# key = value``; None if there is none."""
    if key not in sentence.block:       # of many sentences, this is the fast way
        return None
    return next((line.partition("=")[2].strip() for line in sentence.block.split("\n")
                 if is_comment(line, key)), None)


def set_comment(sentence: Sentence, key: str, value: str | None) -> Sentence:
    """Another value of a comment, a new comment, or none (None)."""
    if not key or set(key) & set("=\t\n#") or key != key.strip() or NO_TEXT.search(key):
        raise InputError(f"{key!r} cannot be the name of a comment")
    if value is not None and (set(value) & set("\n") or NO_TEXT.search(value)):
        raise InputError("a comment must be one line of text")
    lines = sentence.block.split("\n")
    rows = [line for line in lines if not line.startswith("#")]
    comments = [line for line in lines if line.startswith("#")]
    position = next((i for i, line in enumerate(comments) if is_comment(line, key)), None)
    if position is not None:
        comments[position:position + 1] = [] if value is None else [f"# {key} = {value}"]
    elif value is not None:
        comments.append(f"# {key} = {value}")
    return Sentence("\n".join([*comments, *rows]))


def comment_lines(sentence: Sentence) -> list[str]:
    """The comments of a sentence, without the signs before them. Its text is not among
    them: it follows the words."""
    return [line[1:].strip() for line in sentence.block.split("\n")
            if line.startswith("#") and not is_comment(line, TEXT_KEY)]


def with_comment_lines(sentence: Sentence, lines: Iterable[str]) -> Sentence:
    """The sentence with these comments; empty lines are left out. Its text stays, and its
    name, unless there is another one."""
    comments = [line.strip() for line in lines if line.strip()]
    if comments == comment_lines(sentence):
        return sentence
    if any(NO_TEXT.search(line) or "\n" in line for line in comments):
        raise InputError("a comment must be one line of text")
    comments = [f"# {line}" for line in comments if not is_comment(f"#{line}", TEXT_KEY)]
    before = sentence.block.split("\n")
    kept = [line for line in before if is_comment(line, TEXT_KEY)
            or is_comment(line, ID_KEY) and not any(
                is_comment(other, ID_KEY) for other in comments)]
    rows = [line for line in before if not line.startswith("#")]
    return Sentence("\n".join([*comments, *kept, *rows]))


def split_sentence(sentence: Sentence, word: int) -> tuple[Sentence, Sentence]:
    """Two sentences: what comes before a word, and the rest from it on.

    Each has one root: its highest word. Other words whose head is in the other sentence
    depend on the root. The first sentence has the comments.
    """
    if not 2 <= word <= len(sentence):
        raise InputError(f"a sentence of {len(sentence)} words can be split before the "
                         f"words 2 to {len(sentence)}, not before word {word}")
    apart = TakenApart.of(sentence)
    words = apart.words
    start = words[word - 1]
    if (part := apart.range_of(start)) and start is not part.words[0]:
        raise InputError(f"word {word} is inside the token {part.form!r}; "
                         "take the token apart first, or split before its first word")
    cut = apart.nodes.index(start)
    texts = [line for line in apart.comments if is_comment(line, TEXT_KEY)]
    heads = sentence.heads.tolist()
    parts = []
    for number, nodes in enumerate((apart.nodes[:cut], apart.nodes[cut:])):
        comments = list(apart.comments) if number == 0 else list(texts)
        made = TakenApart(comments, nodes, [
            item for item in apart.ranges if item.words[0] in nodes], apart.connected)
        attach_strays(made, {node: len(heads_above(heads, words.index(node) + 1))
                             for node in made.words})
        parts.append(made.sentence())
    if sentence.sent_id:
        parts = [set_comment(made, ID_KEY, f"{sentence.sent_id}-{number}")
                 for number, made in enumerate(parts, start=1)]
    return parts[0], parts[1]


def attach_strays(apart: TakenApart, depth: dict[BlockNode, int]) -> None:
    """A tree of words some of whose heads have gone."""
    nodes = set(apart.nodes)
    strays = [word for word in apart.words
              if word.head not in nodes and word.cells[HEAD_COLUMN] != EMPTY]
    if strays:
        root = min(strays, key=lambda word: depth[word])
        for word in strays:
            word.head = None if word is root else root
            if word is root:
                word.cells[HEAD_COLUMN], word.cells[DEPREL_COLUMN] = "0", ROOT_RELATION
            elif word.cells[DEPREL_COLUMN] == ROOT_RELATION:
                word.cells[DEPREL_COLUMN] = ATTACHED
    for node in apart.nodes:
        kept = tuple((head, relation) for head, relation in node.enhanced
                     if head is None or head in nodes)
        if kept != node.enhanced:
            node.enhanced = kept
            node.cells[DEPS_COLUMN] = EMPTY


def join_sentences(first: Sentence, second: Sentence) -> Sentence:
    """One sentence in the place of two: the root of the second depends on that of the
    first. Comments are those of the first, and what only the second has."""
    apart, other = TakenApart.of(first), TakenApart.of(second)
    root = next((word for word in apart.words if word.cells[HEAD_COLUMN] == "0"), None)
    for word in other.words:
        if word.cells[HEAD_COLUMN] == "0" and root is not None:
            word.head = root
            if word.cells[DEPREL_COLUMN] == ROOT_RELATION:
                word.cells[DEPREL_COLUMN] = ATTACHED
            if word.enhanced:
                word.enhanced = tuple(
                    (head or root, ATTACHED if head is None else relation)
                    for head, relation in word.enhanced)
    keys = {line.partition("=")[0] for line in apart.comments}
    apart.comments += [line for line in other.comments
                       if "=" in line and line.partition("=")[0] not in keys]
    apart.nodes += other.nodes
    apart.ranges += other.ranges
    apart.connected |= other.connected
    return apart.sentence()
