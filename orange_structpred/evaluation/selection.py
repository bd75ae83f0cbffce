"""The sentences and the wrong tokens that belong to selected scores."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table, Variable

from orange_structpred.evaluation.scored_prediction import ScoredPrediction
from orange_structpred.tables.rows import PARTS_OF_DOMAIN, united
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.marks import with_marks


@dataclass(frozen=True)
class Part:
    """The tokens of a prediction that are selected: a mask over its tokens.

    marked : whether they are to stand out among the others of their sentences
    """

    scored: ScoredPrediction
    tokens: np.ndarray
    marked: bool = False

    @property
    def wrong(self) -> np.ndarray:
        return self.tokens & ~self.scored.evaluation.head_correct

    def rows(self, only_errors: bool) -> np.ndarray:
        """Rows of the treebank in which these tokens stand."""
        tokens = self.wrong if only_errors else self.tokens
        return self.scored.rows[np.unique(self.scored.evaluation.sentence_of[tokens])]

    def places(self) -> Iterator[tuple[int, int]]:
        """The row of the treebank and the position of each of these tokens."""
        evaluation = self.scored.evaluation
        return zip(self.scored.rows[evaluation.sentence_of[self.tokens]].tolist(),
                   evaluation.positions[self.tokens].tolist())


def in_groups(scored: ScoredPrediction, by: str, labels: Sequence[str], punct: bool) -> Part:
    """The tokens that count in some groups of a breakdown."""
    codes, known = scored.evaluation.grouping(by)
    chosen = [known.index(label) for label in labels if label in known]
    return Part(scored, scored.evaluation.counted(punct) & np.isin(codes, chosen),
                marked=True)


def selected_sentences(parts: Sequence[Part], only_errors: bool) -> Treebank | None:
    """The sentences of the parts with all their columns; None if there are none.

    Treebanks that hold the same sentences become one with the predictions of all.
    Others stand one below the other.
    """
    merged: dict[tuple[str, ...], tuple[Treebank, set[int], list[Part]]] = {}
    seen: dict[int, tuple[str, ...]] = {}
    for part in parts:
        treebank, source = part.scored.treebank, part.scored.source
        if source not in seen:
            seen[source] = tuple(sentence.block for sentence in treebank.sentences)
            if seen[source] in merged:
                first, rows, parts_of_it = merged[seen[source]]
                merged[seen[source]] = (with_predictions_of(first, treebank), rows,
                                        parts_of_it)
            else:
                merged[seen[source]] = treebank, set(), []
        _, rows, parts_of_it = merged[seen[source]]
        rows.update(part.rows(only_errors).tolist())
        parts_of_it.append(part)
    chosen = [marked(treebank, parts_of_it)[sorted(rows)]
              for treebank, rows, parts_of_it in merged.values() if rows]
    if len(chosen) < 2:
        return chosen[0] if chosen else None
    result = Treebank.from_table(stacked(chosen))
    result.name = ", ".join(dict.fromkeys(treebank.name for treebank in chosen))
    return result


def marked(treebank: Treebank, parts: Sequence[Part]) -> Treebank:
    """The treebank with marks at the tokens of those parts that have some."""
    marks: dict[int, set[int]] = {}
    for part in parts:
        for row, position in part.places() if part.marked else ():
            marks.setdefault(row, set()).add(position)
    if not marks:
        return treebank
    return with_marks(treebank, [marks.get(row, ()) for row in range(len(treebank))])


def with_predictions_of(treebank: Treebank, other: Treebank) -> Treebank:
    """A treebank with further predictions for its sentences."""
    predictions = treebank.predictions
    for name, prediction in other.predictions.items():
        same = predictions.get(name)
        if same is not None and same.deprels == prediction.deprels and all(
                map(np.array_equal, same.heads, prediction.heads)):
            continue
        treebank = treebank.with_prediction(
            name, prediction.heads, prediction.deprels, prediction.probabilities)
    return treebank


def stacked(tables: Sequence[Table]) -> Table:
    """Tables one below the other, with the columns of all of them."""
    variables: dict[str, tuple[str, Variable]] = {}
    for kind in PARTS_OF_DOMAIN:
        for table in tables:
            for variable in getattr(table.domain, kind):
                role, before = variables.get(variable.name, (kind, variable))
                variables[variable.name] = role, united(before, variable)
    domain = Domain(*(
        [variable for role, variable in variables.values() if role == kind]
        for kind in PARTS_OF_DOMAIN))
    return Table.concatenate([table.transform(domain) for table in tables])


def wrong_tokens(parts: Sequence[Part]) -> Table | None:
    """One row per token with a wrong head, of all parts; None without parts."""
    if not parts:
        return None
    parser = DiscreteVariable(
        "parser", tuple(dict.fromkeys(part.scored.label for part in parts)))
    tables = []
    for part in parts:
        wrong = part.scored.token_table[np.flatnonzero(part.wrong)]
        domain, features = wrong.domain, wrong.X.copy()
        # Numbers of sentences in the treebank, of which some may not be scored.
        column = domain.index("sentence")
        features[:, column] = part.scored.rows[features[:, column].astype(int) - 1] + 1
        numbers = np.full(len(wrong), parser.values.index(part.scored.label))
        tables.append(Table.from_numpy(
            Domain((parser, *domain.attributes), domain.class_vars, domain.metas),
            np.column_stack([numbers, features]), wrong.Y, wrong.metas))
    result = stacked(tables)
    result.name = "errors of " + ", ".join(parser.values)
    return result
