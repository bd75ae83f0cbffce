"""Observations at the positions of sequences: templates over layers, and their numbers.

A template is a line like ``-1.form form``: it makes one observation of the form of
the position before together with the own one. A layer that is 0 at a position has no
value there, and no observation is made of it. Observations seen in training get
numbers, the rows of `Chain.starts`; the table that finds them needs no strings.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.errors import InputError
from orange_structpred.running.compiled_arrays import sorted_order
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot, mix_twice
from orange_structpred.tagging.chains import Chain
from orange_structpred.treebank.encoding import string_id

_ATOM = re.compile(r"(?:([+-]\d)\.)?(\w+)")
OUTSIDE = (np.uint64(0x5D1B0F1A2C3E4F55), np.uint64(0x1F3D5B79A2C4E6F7))


class ObservationTemplates(NamedTuple):
    """Templates as arrays.

    salts : uint64, one for each template
    atoms : int64 (n, 3): template, offset, layer; those of a template in a row
    mults : uint64, one for each atom
    """

    salts: np.ndarray
    atoms: np.ndarray
    mults: np.ndarray


def make_templates(lines: Sequence[str], layers: Sequence[str]) -> ObservationTemplates:
    """Templates from their lines; a ValueError names a layer that does not exist."""
    atoms, mults = [], []
    for number, line in enumerate(lines):
        for position, atom in enumerate(line.split()):
            match = _ATOM.fullmatch(atom)
            if match is None or match[2] not in layers:
                raise InputError(f"template {line!r}: found {atom!r}, expected a layer "
                                 f"({', '.join(layers)}), as in '-1.{layers[0]}'")
            atoms.append((number, int(match[1] or 0), layers.index(match[2])))
            mults.append(string_id(f"{position} of a template") | 1)
    return ObservationTemplates(
        np.array([string_id(line) for line in lines], np.uint64),
        np.array(atoms, np.int64).reshape(-1, 3), np.array(mults, np.uint64))


def looks_nowhere_else(line: str) -> bool:
    """Whether a template looks at the position itself only."""
    return not any((match := _ATOM.fullmatch(atom)) and match[1] is not None
                   for atom in line.split())


@njit(nogil=True, cache=True)
def observe_position(tokens, t, templates, out):
    """Hash numbers of the observations at position t of a sequence; 0 for none."""
    for k in range(templates.salts.size):
        out[k] = templates.salts[k]
    for a in range(templates.mults.size):
        k, position = templates.atoms[a, 0], t + templates.atoms[a, 1]
        if out[k] == 0:
            continue
        if position < 0:
            value = OUTSIDE[0]
        elif position >= tokens.shape[0]:
            value = OUTSIDE[1]
        else:
            value = tokens[position, templates.atoms[a, 2]]
        if value == 0:
            out[k] = 0
        else:
            out[k] += templates.mults[a] * value
    for k in range(out.size):
        if out[k] != 0:
            out[k] = mix_twice(out[k])


@njit(nogil=True, cache=True)
def observe_all(tokens, offsets, templates):
    """Observations of all positions of sequences that stand one after the other."""
    numbers = np.empty((tokens.shape[0], templates.salts.size), np.uint64)
    for i in range(offsets.size - 1):
        sequence = tokens[offsets[i]:offsets[i + 1]]
        for t in range(sequence.shape[0]):
            observe_position(sequence, t, templates, numbers[offsets[i] + t])
    return numbers


class Table(NamedTuple):
    """Open-addressed: hash number of an observation (0 is free) -> its row."""

    keys: np.ndarray        # uint64, 2^k of them
    rows: np.ndarray        # int32


@njit(nogil=True, cache=True)
def look_up(table, numbers):
    """Rows of observations; -1 for those that have none."""
    rows = np.empty(numbers.shape, np.int32)
    for t in range(numbers.shape[0]):
        for k in range(numbers.shape[1]):
            at = find_slot(table.keys, numbers[t, k], numbers[t, k], uint64(0))
            rows[t, k] = table.rows[at] if table.keys[at] != 0 else -1
    return rows


@njit(nogil=True, cache=True)
def observation_table(numbers, size):
    keys = np.zeros(size, np.uint64)
    rows = np.full(size, -1, np.int32)
    for row in range(numbers.size):
        at = find_slot(keys, numbers[row], numbers[row], uint64(0))
        keys[at] = numbers[row]
        rows[at] = row
    return Table(keys, rows)


def power_of_two(least: int) -> int:
    return 1 << max(4, int(least - 1).bit_length())


def make_table(numbers: np.ndarray) -> Table:
    """A table in which the n-th of some distinct numbers has row n."""
    return observation_table(np.ascontiguousarray(numbers, np.uint64),
                             power_of_two(2 * len(numbers)))


@njit(nogil=True, cache=True)
def parts_of_rows(rows, labels, label_parts, counts, full, n_parts):
    """The parts that each row was seen with, sorted; all of them from `full` times on."""
    n_rows, width = counts.size, label_parts.shape[1]
    begins = np.zeros(n_rows + 1, np.int64)
    for row in range(n_rows):
        begins[row + 1] = begins[row] + (0 if counts[row] >= full
                                         else counts[row] * width)
    seen = np.empty(begins[n_rows], np.int32)
    ends = begins[:-1].copy()
    for t in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            row = rows[t, k]
            if row >= 0 and counts[row] < full:
                for column in range(width):
                    part = label_parts[labels[t], column]
                    if part >= 0:
                        seen[ends[row]] = part
                        ends[row] += 1
    starts = np.zeros(n_rows + 1, np.int64)
    parts = np.empty(begins[n_rows] + n_parts * np.sum(counts >= full), np.int32)
    size = 0
    for row in range(n_rows):
        if counts[row] >= full:
            for part in range(n_parts):
                parts[size] = part
                size += 1
        else:
            parts_of_row = seen[begins[row]:ends[row]]
            order = sorted_order(parts_of_row)
            for k in range(parts_of_row.size):
                if k == 0 or parts_of_row[order[k]] != parts_of_row[order[k - 1]]:
                    parts[size] = parts_of_row[order[k]]
                    size += 1
        starts[row + 1] = size
    return starts, parts[:size].copy()


def learn_observations(numbers: np.ndarray, labels: np.ndarray,
                       label_parts: np.ndarray, edge_columns: Sequence[int], *,
                       min_count: int, full: int, edge_bits: int, triple_columns: int
                       ) -> tuple[Chain, np.ndarray, np.ndarray]:
    """Rows and weights for what was seen in training.

    Returns the chain, the number of each row, and the rows at all positions.

    Parameters
    ----------
    numbers : hash numbers of the observations at all positions
    labels : of all positions
    min_count : observations seen less often have no weights
    full : observations seen at least so often have a weight for each part, the others
        for those parts that they were seen with
    edge_bits : 2^edge_bits weights for pairs and triples
    triple_columns : as in `Chain`
    """
    distinct, counts = np.unique(numbers[numbers != 0], return_counts=True)
    often = counts >= min_count
    distinct, counts = distinct[often], counts[often]
    rows = look_up(make_table(distinct), numbers)
    n_parts = int(label_parts.max()) + 1
    starts, parts = parts_of_rows(rows, labels, label_parts, counts, full, n_parts)
    chain = Chain(starts, parts, label_parts, n_parts,
                  np.array(edge_columns, np.int64), np.uint64(64 - edge_bits),
                  triple_columns)
    return chain, distinct, rows
