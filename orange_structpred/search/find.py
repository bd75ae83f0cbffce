"""Find trees: all matches of a pattern in a treebank."""
from __future__ import annotations

from difflib import get_close_matches

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.search.index import TreeIndex, tree_index
from orange_structpred.search.matches import Matches
from orange_structpred.search.matching import all_matches
from orange_structpred.search.pattern import LABEL, WORD_KEYS, FeatureTest, Pattern
from orange_structpred.search.plan import make_plan
from orange_structpred.search.syntax import parse_pattern
from orange_structpred.treebank import as_treebank

MOST_MATCHES = 1_000_000
MOST_COMPARED = 200         # values; a misspelled one is looked for among no more


def find(data: Table, pattern: str | Pattern, *, prediction: str | None = None,
         limit: int = MOST_MATCHES, progress: Progress | None = None) -> Matches:
    """All matches of a pattern in the trees of a treebank.

    Parameters
    ----------
    data : Treebank, or a table that contains one
    pattern : in the notation of Grew-match, or in the short form for one word; see
        :doc:`/patterns`
    prediction : search the trees of this prediction; by default the gold trees
    limit : default=1,000,000
        Stop after this many matches; `truncated` of the result is then true.
    progress : gets the fraction that is done; raises Cancelled to end the work

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> matches = find(load_bundled("en"), "pattern { V [upos=VERB]; V -[obj]-> N }")
    >>> matches.nodes, len(matches) >= matches.n_sentences > 0
    (['V', 'N'], True)
    """
    if limit < 1:
        raise InputError(f"limit must be at least 1, not {limit}")
    treebank = as_treebank(data)
    if isinstance(pattern, str):
        pattern = parse_pattern(pattern)
    cancellation = Cancellation(progress)
    index = tree_index(treebank, prediction)
    words = all_matches(make_plan(pattern, index, cancellation.check_cancelled), index,
                        len(pattern.nodes), limit + 1, cancellation.at)
    cancellation.report_progress(1.)
    return Matches(treebank, pattern, index, words[:limit], prediction,
                   truncated=len(words) > limit, notes=notes_on(pattern, index))


def notes_on(pattern: Pattern, index: TreeIndex) -> list[str]:
    """What may be wrong with a pattern: keys and values that no word has."""
    notes = [note_on_values(test, index) if index.column(test.key).values
             else note_on_key(test.key, index)
             for test in pattern.tests() if len(index)]
    return list(dict.fromkeys(filter(None, notes)))


def note_on_key(key: str, index: TreeIndex) -> str:
    """Of a key that no word has."""
    for other in ("upos", LABEL):
        if key in index.column(other).numbers:
            return f"no word has {key}; did you mean {other}={key}?"
    close = get_close_matches(key, [*WORD_KEYS, *index.words.feature_keys()], 1)
    return f"no word has {key}" + (
        f"; did you mean {close[0]}?" if close and close[0] != key else "")


def note_on_values(test: FeatureTest, index: TreeIndex) -> str:
    """Of a condition whose values do not occur, where the key has few others; "" of all
    other conditions."""
    column = index.column(test.key)
    if not test.values or len(column.values) > MOST_COMPARED or any(
            value.kind != "exact" or value.text in column.numbers
            for value in test.values):
        return ""
    text = test.values[0].text
    folded = {value.casefold(): value for value in column.values}
    close = get_close_matches(text.casefold(), folded, 1)
    return f"no word has {test.key}={text}" + (
        f"; did you mean {folded[close[0]]}?" if close else "")
