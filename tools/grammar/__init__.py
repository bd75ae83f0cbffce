"""The grammar that wrote the bundled treebank, and writes more of it.

A small grammar of English and German with a lexicon, written for this project.
It speaks sentences with their dependency trees in the style of Universal
Dependencies: any number of them, the same ones for the same seed.

    from tools.grammar import generate
    sentences = generate("de", 1000, seed=7)

`python -m tools.grammar` writes the bundled files anew.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from orange_structpred.treebank.sentence import Sentence

from . import english, german
from .rng import SeededRandom
from .tree import Phrase, conllu, without_needless_commas

DATA = Path(__file__).parents[2] / "orange_structpred" / "treebank" / "data"
SPEAKERS: dict[str, Callable[[SeededRandom], Phrase | None]] = {
    "en": english.sentence,
    "de": german.sentence,
}
BUNDLED = 400
HEADER = """\
# Written for Orange3-StructPred by the grammar in tools.grammar.
# Part of the project and under its licence, GPL-3.0-or-later.
"""
SHORTEST, LONGEST = 3, 30


def blocks(language: str, n: int, seed: int = 0) -> Iterator[str]:
    """CoNLL-U blocks of n sentences, no two of which have the same text."""
    if language not in SPEAKERS:
        known = ", ".join(sorted(SPEAKERS))
        raise ValueError(f"no grammar for language {language!r}; there are: {known}")
    speak = SPEAKERS[language]
    rng = SeededRandom(f"{language} {seed}")
    seen: set[str] = set()
    while len(seen) < n:
        phrase = speak(rng)
        if phrase is None or not (
                SHORTEST <= len(without_needless_commas(phrase.words)) <= LONGEST):
            continue
        block = conllu(phrase, f"{language}-{len(seen) + 1:04d}")
        text = block.split("\n", 2)[1]
        if text not in seen:
            seen.add(text)
            yield block


def generate(language: str, n: int, seed: int = 0) -> list[Sentence]:
    """n sentences of a language ("en" or "de") with their trees.

    The same seed gives the same sentences on every machine; seed 0 begins with
    those of the bundled treebank.
    """
    return [Sentence(block) for block in blocks(language, n, seed)]


def bundled_text(language: str) -> str:
    """The text of a bundled file."""
    return HEADER + "".join(block + "\n\n" for block in blocks(language, BUNDLED))


def write_bundled(folder: Path = DATA) -> list[Path]:
    """Write the bundled treebank of each language into a folder."""
    paths = []
    for language in SPEAKERS:
        path = folder / f"{language}.conllu"
        path.write_text(bundled_text(language), encoding="utf-8", newline="\n")
        paths.append(path)
    return paths
