"""orange-structpred info FILE"""
from __future__ import annotations

import sys

from orange_structpred.commands import (
    counted,
    input_stream,
    n_sentences,
    print_json,
    print_rows,
)
from orange_structpred.commands.options import add_shared
from orange_structpred.errors import visible

SUMMARY = "show statistics of a treebank"
EXAMPLES = """\
  orange-structpred info dev.conllu
  orange-structpred info corpus.conllu.gz --json
  orange-structpred info draft.conllu --skip

Percentages are of the parsed sentences. A sentence counts as unparsed if any of its
tokens has no head ("_"). With --skip, sentences with errors are skipped and
listed on stderr; without it, the command stops at the first error."""


def add_arguments(parser) -> None:
    add_shared(parser, "file", "--json")
    parser.add_argument("--skip", action="store_true",
                        help="skip sentences with errors and list them")


def run(args) -> None:
    from orange_structpred.treebank.conll import read_batches
    from orange_structpred.treebank.statistics import describe_batches

    stream, name = input_stream(args.file)
    skipped = 0

    def batches():
        nonlocal skipped
        for batch in read_batches(stream, name,
                                  on_error="skip" if args.skip else "raise"):
            for error in batch.skipped:
                print(f"skipped: {visible(str(error))}", file=sys.stderr)
            skipped += len(batch.skipped)
            yield batch

    statistics = describe_batches(batches())
    statistics = {"file": name, **statistics, "skipped": skipped}
    if args.json:
        print_json(statistics)
    else:
        print_rows(as_rows(statistics))


def as_rows(statistics: dict) -> list[tuple[str, str]]:
    """The statistics as names and values to print."""
    rows = [("File", statistics["file"]), ("Sentences", str(statistics["sentences"]))]
    if statistics["skipped"]:
        rows.append(("Skipped", f"{n_sentences(statistics['skipped'])} with errors"))
    forms = counted(statistics["forms"], "form", "different forms")
    rows.append(("Tokens", f"{statistics['tokens']} ({forms})"))
    if statistics["sentences"]:
        length = "mean {length_mean}, median {length_median:g}, longest {length_max}"
        rows.append(("Length", length.format(**statistics)))
    rows.append(("Unparsed", n_sentences(statistics["unparsed"])))
    if statistics["non_projective_share"] is not None:
        crossing = (f"{n_sentences(statistics['non_projective'])} "
                    f"({statistics['non_projective_share']:.2f}%), "
                    + counted(statistics["non_projective_arcs"], "arc", "arcs"))
        rows.append(("Non-projective", crossing))
        rows.append(("Several roots", n_sentences(statistics["several_roots"])))
    for name, key in ("UPOS", "upos"), ("XPOS", "xpos"), ("Relations", "relations"):
        rows.append((name, listed(statistics[key])))
    return rows


def listed(counts: dict[str, int], most: int = 20) -> str:
    """A number of tags and the most frequent of them."""
    if not counts:
        return "none"
    names = list(counts)
    more = " ..." if len(names) > most else ""
    return f"{len(names)}: {' '.join(names[:most])}{more}"
