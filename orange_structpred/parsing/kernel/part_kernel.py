"""Trees compared by hash functions of edges and of pairs of edges, with weights.

With the constant input kernel, a kernel model is a coefficient for each hash value. There
are too many of them to be listed for each edge where the hash functions are those of a
polynomial kernel, or of pairs of edges; they are computed when they are asked for, as
features are, over the edges that a first-order kernel model leaves. So the decoder finds
the best of all trees of these edges.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, OtherVersionError
from orange_structpred.files.schema import DictOf, ListOf, Schema, Text
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.kernel.hash_functions import SUMS, templates_of
from orange_structpred.parsing.kernel.surroundings import is_of_pairs
from orange_structpred.parsing.packing import unpack
from orange_structpred.parsing.second_order.part_templates import (
    PART_LAYERS,
    ROLES_OF_PARTS,
    WORDS_BETWEEN,
    PartFeatures,
    part_atom,
)
from orange_structpred.parsing.second_order.second_order_model import (
    BITS_SCHEMA,
    PACKED_SCHEMA,
    SLOT_NAMES,
    SecondOrderModel,
    read_pruner,
)

PRUNING_KERNEL = "surroundings2"
MOST_TEMPLATES = 20_000
Templates = Mapping[str, Sequence[str]]


def templates_by_name(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The templates of hash functions; whether they look at the distance is left out, as
    each counts without and with it."""
    return {name: tuple(dict.fromkeys(text for text, _ in templates_of(name)))
            for name in names}


def pruner_templates(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The hash functions by which edges are pruned: those of edges, triples left out."""
    of_edges = [PRUNING_KERNEL if name == "surroundings3" else name
                for name in names if not is_of_pairs(name)]
    return templates_by_name(of_edges or [PRUNING_KERNEL])


class HashedEdgeFeatures(EdgeFeatures):
    """The hash functions of edges, of templates by their names."""

    def __init__(self, templates: Templates):
        check_templates(templates)
        self.use(templates)


class HashedPartFeatures(PartFeatures):
    """The hash functions of edges and of pairs of edges, of templates by their names."""

    def __init__(self, templates: Templates):
        check_templates(templates)
        kinds = {text: kind_of_part(text) for texts in templates.values() for text in texts}
        self.use(templates, [
            {name: [text for text in texts if kinds[text] == kind]
             for name, texts in templates.items()}
            for kind in range(len(ROLES_OF_PARTS))])


def check_templates(templates: Templates) -> None:
    if not any(templates.values()):
        raise InputError("no hash function was chosen; choose from " + ", ".join(SUMS))
    if sum(map(len, templates.values())) > MOST_TEMPLATES:
        raise InputError(f"more than {MOST_TEMPLATES:,} hash functions; choose fewer")


def kind_of_part(text: str) -> int:
    """Whether a template is one of edges (0), siblings (1) or grandparents (2)."""
    atoms = [part_atom(word).groups() for word in text.split()]
    letters = {letter for letter, *_ in atoms if letter}
    n_between = sum(between is not None for _, _, between, *_ in atoms)
    n_counts = sum(count is not None for *_, count, _ in atoms)
    for _, _, _, count, layer in atoms:
        known = WORDS_BETWEEN if count else PART_LAYERS
        if layer not in known:
            raise InputError(f"hash function {text!r:.80}: {layer!r:.40} is not known; "
                             f"expected one of {', '.join(known)}")
    for kind, roles in enumerate(ROLES_OF_PARTS):
        if letters <= set(roles):
            if n_between + n_counts and kind or n_between > 1:
                break
            return kind
    raise InputError(
        f"hash function {text!r:.80}: expected h and d with at most one b, and any n; or "
        "h, s and d; or g, h and d")


class PartKernelModel(SecondOrderModel):
    """Weights of hash values of edges and of pairs of edges, over pruned edges."""

    kind = "part-kernel"

    def header(self) -> dict:
        return {**self.common_header(),
                "pruner": {name: list(texts) for name, texts
                           in self.pruner.features.templates.items()}}

    _templates = DictOf(ListOf(Text(200), MOST_TEMPLATES), 1000)
    schema = Schema(
        header={**BITS_SCHEMA, "templates": _templates, "pruner": _templates,
                "places": ListOf(Text(100), len(SLOT_NAMES))},
        arrays=PACKED_SCHEMA)

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> PartKernelModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        if header["places"] != list(SLOT_NAMES):
            raise OtherVersionError
        pruner = read_pruner(HashedEdgeFeatures(header["pruner"]), header, arrays)
        return cls(pruner, HashedPartFeatures(header["templates"]),
                   unpack(arrays, (1 << header["bits"],)))
