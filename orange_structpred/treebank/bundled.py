"""The bundled treebank, to get started without a network.

Some 400 sentences each of English and German with trees in the style of Universal
Dependencies: everyday scenes at the university, in the kitchen, on a journey, in
the city, at a concert, at home, in the woods and at work. The grammar under
`tools/` wrote them (`python -m tools.grammar`) and can write more.
"""
from __future__ import annotations

from pathlib import Path

from orange_structpred.errors import InputError
from orange_structpred.treebank.table import Treebank

DATA = Path(__file__).parent / "data"
LANGUAGES = {"en": "English", "de": "German"}


def bundled_path(language: str = "en") -> Path:
    """The CoNLL-U file of a language, "en" or "de"."""
    if language not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise InputError(f"no bundled treebank for {language!r}; available: {known}")
    return DATA / f"{language}.conllu"


def load_bundled(language: str = "en") -> Treebank:
    """The bundled treebank of a language, "en" or "de".

    Examples
    --------
    >>> treebank = load_bundled("de")
    >>> treebank.name, len(treebank), treebank.sentences[0].sent_id
    ('German', 400, 'de-0001')
    """
    treebank = Treebank.from_file(bundled_path(language))
    treebank.name = LANGUAGES[language]
    return treebank
