"""orange-structpred compare FIRST SECOND"""
from __future__ import annotations

import sys

from orange_structpred.commands import (
    check_standard_input,
    file_name,
    print_json,
    print_text,
    read_treebank,
)
from orange_structpred.commands.options import add_shared
from orange_structpred.errors import InputError

SUMMARY = "measure the agreement between two annotators"
EXAMPLES = """\
  orange-structpred compare anna.conllu ben.conllu
  orange-structpred compare anna.conllu ben.conllu --differences
  orange-structpred compare anna.conllu ben.conllu --json > agreement.json

Both files must have the same sentences, annotated by two people. The table shows the
percentage of words on which they agree, Cohen's kappa and Krippendorff's alpha; for the
last two, an arc is the distance to the head and the relation. --differences also lists
the differences, one per line: sentence, word, layer, first and second annotation."""


def add_arguments(parser) -> None:
    for name, which in (("first", "one"), ("second", "the other")):
        parser.add_argument(name, metavar=name.upper(), type=file_name,
                            help=f"CoNLL file of {which} annotator, or - for standard "
                            "input")
    parser.add_argument("--differences", action="store_true",
                        help="also list the differences")
    add_shared(parser, "--json")


def run(args) -> None:
    from orange_structpred.evaluation.agreement import (
        AGREEMENT_MEASURES,
        coefficient,
        compare_treebanks,
    )

    paths = args.first, args.second
    check_standard_input(*paths)
    treebanks = [read_treebank(path) for path in paths]
    comparison = compare_treebanks(*treebanks)
    unmatched = [len(treebank) - len(comparison.pairs) for treebank in treebanks]
    if any(unmatched):
        counts = ", ".join(f"{n:,} in {path}" for n, path in zip(unmatched, paths))
        print("warning: sentences without a counterpart of the same words are not "
              f"compared: {counts}", file=sys.stderr)
    if not comparison.pairs:
        raise InputError("the files have no sentence in common")
    rows = comparison.agreement()
    if args.json:
        print_json({row.measure: {**row._asdict(), "agreed": 100 * row.agreed}
                    for row in rows})
        return
    width = max(map(len, AGREEMENT_MEASURES.values()))
    print(f"{'':<{width}}  agreed   kappa   alpha    words")
    for row in rows:
        print(f"{AGREEMENT_MEASURES[row.measure]:<{width}}  {100 * row.agreed:6.2f}  "
              f"{coefficient(row.kappa):>6}  {coefficient(row.alpha):>6}  {row.words:7}")
    if args.differences:
        sentences = comparison.treebank.sentences
        for difference in comparison.differences:
            sentence = sentences[difference.row]
            print_text(f"{sentence.sent_id or difference.row + 1}\t{difference.word} "
                       f"{sentence.forms[difference.word - 1]}\t{difference.layer}\t"
                       f"{difference.first}\t{difference.second}")
