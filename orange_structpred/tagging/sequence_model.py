"""A trained model of label sequences: observations, weights, and how they are stored."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.files.schema import Array, ListOf, Optional, Record, Text, Whole
from orange_structpred.kinds import (
    C_KIND,
    MOST_SEEDS,
    PASSES_KIND,
    ModelName,
    WholeNumber,
)
from orange_structpred.parametrised import Parameter, by_name
from orange_structpred.running.cancellation import Progress
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import equal_rows
from orange_structpred.svm import SOLVERS, Report, Solution
from orange_structpred.tagging.chains import (
    Chain,
    best_labels,
    candidate_viterbi,
    label_score,
)
from orange_structpred.tagging.observations import (
    learn_observations,
    looks_nowhere_else,
    make_table,
    make_templates,
    observe_all,
    observe_position,
)
from orange_structpred.tagging.tagging_problem import Observed, SequenceProblem

N_BEST = 6              # labels of a position that are looked at together
# What a file may have. Real models have 50 templates, and 10,000 labels for languages
# with many forms.
EDGE_BITS = (6, 24)
MOST_TEMPLATES, MOST_LABELS, MOST_PARTS, MOST_LAYERS = 500, 1 << 17, 1 << 17, 64
SEQUENCES_AT_ONCE = 1024            # sequences between two looks at the callback
MOST_SCORES = 1 << 26               # scores of tokens' parts that are kept together


#: For sequences first..last - 1, what is added to the scores of parts
Bonuses = Callable[[int, int], np.ndarray]


class Allowed(NamedTuple):
    """The only labels that positions can have.

    which : int64, for each position an entry of `starts`; -1 where all are allowed
    starts : int64; the labels of an entry are at starts[k] to starts[k + 1]
    labels : int32
    """

    which: np.ndarray
    starts: np.ndarray
    labels: np.ndarray


class Packed(NamedTuple):
    """Observations and weights as compiled code finds them with the fewest looks at
    memory: open-addressed slots (number 0 is free), and the entries of each."""

    slots: np.ndarray
    entries: np.ndarray


SLOT = np.dtype([("number", np.uint64), ("begin", np.uint32), ("end", np.uint32)])
PART_WEIGHT = np.dtype([("part", np.int32), ("weight", np.float32)])


def pack_chain(numbers: np.ndarray, chain: Chain, weights: np.ndarray) -> Packed:
    table = make_table(numbers)
    slots = np.zeros(len(table.keys), SLOT)
    used = table.rows >= 0
    slots["number"], rows = table.keys, table.rows[used]
    slots["begin"][used], slots["end"][used] = chain.starts[rows], chain.starts[rows + 1]
    entries = np.empty(len(chain.parts), PART_WEIGHT)
    entries["part"], entries["weight"] = chain.parts, weights[:len(chain.parts)]
    return Packed(slots, entries)


@njit(nogil=True, cache=True)
def score_observations(packed, numbers, parts):
    """Add the scores of all parts, given hash numbers of a position's observations."""
    mask = uint64(packed.slots.size - 1)
    for number in numbers:
        if number == 0:
            continue
        at = number & mask
        while packed.slots[at]["number"] != 0 and packed.slots[at]["number"] != number:
            at = (at + uint64(1)) & mask
        for j in range(packed.slots[at]["begin"], packed.slots[at]["end"]):
            parts[packed.entries[j]["part"]] += packed.entries[j]["weight"]


@njit(nogil=True, cache=True)
def label_all(tokens, offsets, own_templates, templates, edge_templates, packed, chain,
              weights, n_best, allowed, bonuses, first, last, labels):
    """The best labels of sequences first..last - 1, into a flat array.

    bonuses : what is added to the scores of parts, a row for each of their tokens; or
        no rows

    own_templates : those that look at the position itself only; what equal tokens
        have in common is scored once
    """
    kinds, n_kinds = np.zeros(offsets[last] - offsets[first], np.int64), 1
    if own_templates.salts.size > 0:
        kinds, first_rows = equal_rows(tokens[offsets[first]:offsets[last]])
        n_kinds = first_rows.size
    own_scores = np.empty((n_kinds, chain.n_parts), np.float32)
    is_scored = np.zeros(n_kinds, np.bool_)
    own_numbers = np.empty(own_templates.salts.size, np.uint64)
    n_labels = chain.label_parts.shape[0]
    width = min(n_best, n_labels)
    parts = np.empty(chain.n_parts, np.float32)
    scores = np.empty(n_labels, np.float32)
    everything = np.arange(n_labels).astype(np.int32)
    numbers = np.empty(templates.salts.size, np.uint64)
    for i in range(first, last):
        sequence = tokens[offsets[i]:offsets[i + 1]]
        length = sequence.shape[0]
        if length == 0:
            continue
        edges = np.zeros((length, edge_templates.salts.size), np.uint64)
        candidates = np.empty((length, width), np.int32)
        local = np.empty((length, width), np.float64)
        sizes = np.ones(length, np.int64)
        for t in range(length):
            choice = everything
            entry = allowed.which[offsets[i] + t]
            if entry >= 0:
                choice = allowed.labels[allowed.starts[entry]:allowed.starts[entry + 1]]
            if choice.size == 1:        # nothing to choose
                candidates[t, 0] = choice[0]
                local[t, 0] = 0
            else:
                kind = kinds[offsets[i] - offsets[first] + t]
                if not is_scored[kind]:
                    is_scored[kind] = True
                    own_scores[kind] = 0
                    observe_position(sequence, t, own_templates, own_numbers)
                    score_observations(packed, own_numbers, own_scores[kind])
                copy_into(parts, own_scores[kind])
                observe_position(sequence, t, templates, numbers)
                score_observations(packed, numbers, parts)
                if bonuses.shape[0] > 0:
                    parts += bonuses[offsets[i] - offsets[first] + t]
                for k in range(choice.size):
                    scores[k] = label_score(chain, parts, choice[k])
                sizes[t] = best_labels(scores[:choice.size], candidates[t])
                for k in range(sizes[t]):
                    local[t, k] = scores[candidates[t, k]]
                    candidates[t, k] = choice[candidates[t, k]]
            if t > 0 and sizes[t] * sizes[t - 1] > 1:
                observe_position(sequence, t, edge_templates, edges[t])
        copy_into(labels[offsets[i]:], candidate_viterbi(
            chain, weights, 1., edges, candidates, local, sizes))


class SequenceModel:
    """Labels for sequences of tokens that are rows of numbers, a column for each layer.

    Parameters
    ----------
    templates, edge_templates : lines, see `make_templates`
    layers : names of the columns of tokens
    numbers : uint64; hash numbers of the observations, in the order of their rows
    chain : which weight belongs to what
    weights : float32
    """

    def __init__(self, templates: Sequence[str], edge_templates: Sequence[str],
                 layers: Sequence[str], numbers: np.ndarray, chain: Chain,
                 weights: np.ndarray):
        self.lines, self.edge_lines = tuple(templates), tuple(edge_templates)
        self.layers = tuple(layers)
        every = make_templates(templates, layers)
        single = list(filter(looks_nowhere_else, templates))
        if len(single) == len(templates):   # nothing is scored but single tokens
            self.own_templates, self.templates = make_templates([], layers), every
        else:
            self.own_templates = make_templates(single, layers)
            self.templates = make_templates(
                [line for line in templates if not looks_nowhere_else(line)], layers)
        self.edge_templates = make_templates(edge_templates, layers)
        self.numbers, self.chain, self.weights = numbers, chain, weights
        self.packed = pack_chain(numbers, chain, weights)

    @property
    def n_weights(self) -> int:
        return int(np.count_nonzero(self.weights))

    def predict(self, tokens: np.ndarray, offsets: np.ndarray, *,
                n_best: int = N_BEST, allowed: Allowed | None = None,
                bonuses: Bonuses | None = None,
                progress: Progress | None = None) -> np.ndarray:
        """Labels of all tokens; sequence i is at offsets[i] to offsets[i + 1].

        bonuses : gives what is added to the scores of parts for some of the sequences,
            a row for each token
        progress : gets the fraction that is done; raises Cancelled to end the work
        """
        labels = np.empty(len(tokens), np.int32)
        if allowed is None:
            allowed = Allowed(np.full(len(tokens), -1), np.zeros(1, np.int64),
                              np.zeros(0, np.int32))
        n, first = len(offsets) - 1, 0
        most_tokens = MOST_SCORES // self.chain.n_parts
        while first < n:
            if progress is not None:
                progress(first / n)
            fitting = int(np.searchsorted(offsets, offsets[first] + most_tokens, "right"))
            last = min(n, first + SEQUENCES_AT_ONCE, max(first + 1, fitting - 1))
            added = bonuses(first, last) if bonuses else np.empty(
                (0, self.chain.n_parts), np.float32)
            label_all(tokens, offsets, self.own_templates, self.templates,
                      self.edge_templates, self.packed, self.chain, self.weights, n_best,
                      allowed, added, first, last, labels)
            first = last
        return labels

    def compressed(self) -> SequenceModel:
        """The same model without weights that are zero and rows that have none."""
        chain, n = self.chain, len(self.chain.parts)
        kept = np.flatnonzero(self.weights[:n])
        sizes = np.diff(np.searchsorted(kept, chain.starts))
        rows = np.flatnonzero(sizes)
        starts = np.append(0, np.cumsum(sizes[rows])).astype(np.int64)
        return SequenceModel(
            self.lines, self.edge_lines, self.layers, self.numbers[rows],
            chain._replace(starts=starts, parts=chain.parts[kept]),
            np.concatenate([self.weights[kept], self.weights[n:]]))

    # in and out

    def header(self) -> dict:
        return {"templates": list(self.lines), "edge_templates": list(self.edge_lines),
                "edge_columns": self.chain.edge_columns.tolist(),
                "edge_bits": 64 - int(self.chain.edge_shift),
                "triple_columns": self.chain.triple_columns}

    def arrays(self, prefix: str) -> dict[str, np.ndarray]:
        named = {"numbers": self.numbers, "starts": self.chain.starts,
                 "parts": self.chain.parts, "label_parts": self.chain.label_parts,
                 "weights": self.weights}
        return {f"{prefix}_{name}": array for name, array in named.items()}

    @staticmethod
    def header_schema(columns: str | int) -> Record:
        """The schema of `header`, for labels with this number of parts."""
        return Record({
            "templates": ListOf(Text(200), MOST_TEMPLATES, least=1, distinct=True),
            "edge_templates": ListOf(Text(200), MOST_TEMPLATES),
            "edge_columns": ListOf(Whole(0, columns), length="edge_templates"),
            "edge_bits": Whole(*EDGE_BITS),
            "triple_columns": Optional(Whole(0, columns))})     # older files have none

    @staticmethod
    def arrays_schema(prefix: str, labels: str | int, columns: str | int, *,
                      least_part: int = 0) -> dict[str, Array]:
        """The schema of `arrays`, for these numbers of labels and of their parts."""
        rows, entries, parts = (f"{prefix}_{size}" for size in ("rows", "entries", "n_parts"))
        return {
            f"{prefix}_label_parts": Array(
                "int32", (labels, columns), low=least_part, high=MOST_PARTS - 1,
                defines=parts, most=MOST_PARTS * MOST_LAYERS),
            f"{prefix}_numbers": Array("uint64", rows, low=1, rising=True),
            f"{prefix}_starts": Array("int64", f"{rows}+1", starts=entries),
            f"{prefix}_parts": Array("int32", entries, low=0, below=parts,
                                     rising=f"{prefix}_starts"),
            f"{prefix}_weights": Array("float32", f"{entries}+2^edge_bits")}

    @classmethod
    def restore(cls, header: Mapping, arrays: Mapping[str, np.ndarray], prefix: str,
                layers: Sequence[str]) -> SequenceModel:
        """From a header and arrays that fit their schemas."""
        starts, parts, label_parts = (arrays[f"{prefix}_{name}"] for name in (
            "starts", "parts", "label_parts"))
        chain = Chain(starts, parts, label_parts, int(label_parts.max(initial=0)) + 1,
                      np.array(header["edge_columns"], np.int64),
                      np.uint64(64 - header["edge_bits"]),
                      header.get("triple_columns") or 0)
        return cls(header["templates"], header["edge_templates"], layers,
                   arrays[f"{prefix}_numbers"], chain, arrays[f"{prefix}_weights"])


def mira_rows(name: str, C: float, *further: Parameter) -> dict[str, Parameter]:
    """The parameters of a learner of this model that has no other solver than MIRA."""
    return by_name((
        *further, Parameter("C", C, C_KIND, "The largest step of the solver, mira"),
        Parameter("passes", 10, PASSES_KIND, "Number of passes over the examples"),
        Parameter("random_state", 0, WholeNumber(0, MOST_SEEDS),
                  "Seed for the order of the examples"),
        Parameter("name", name, ModelName(), f"Name of the {name}")))


def train_sequences(tokens: np.ndarray, offsets: np.ndarray, labels: np.ndarray,
                    label_parts: np.ndarray, *, layers: Sequence[str],
                    templates: Sequence[str], edge_templates: Sequence[str] = (),
                    edge_columns: Sequence[int] = (), min_count: int = 1,
                    full: int = 1, edge_bits: int = 20, triple_columns: int = 0,
                    n_best: int = N_BEST,
                    longest: int | None = None, solver: str = "mira",
                    callback: Callable[[Report], object] | None = None, **options
                    ) -> tuple[SequenceModel, Solution]:
    """Learn a model; `options` are those of the solver.

    A solver with a certificate looks at all labels: it is about all of them.

    longest : cut sequences into examples of at most so many positions, where no edges
        hold them together
    """
    made = make_templates(templates, layers)
    numbers = observe_all(tokens, offsets, made)
    chain, distinct, rows = learn_observations(
        numbers, labels, label_parts, edge_columns, min_count=min_count, full=full,
        edge_bits=edge_bits, triple_columns=triple_columns)
    edges = observe_all(tokens, offsets, make_templates(edge_templates, layers))
    del numbers
    examples = [slice(at, min(end, at + (longest or end)))
                for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist())
                for at in range(begin, end, longest or max(1, end))]
    kind = SOLVERS[solver]
    problem = SequenceProblem(
        [Observed(rows[s], edges[s]) for s in examples], [labels[s] for s in examples],
        chain, n_best=0 if kind.certificate else n_best)
    solution = kind(**options).solve(problem, callback)
    model = SequenceModel(templates, edge_templates, layers, distinct, chain,
                          solution.model.weights())
    return model.compressed(), solution
