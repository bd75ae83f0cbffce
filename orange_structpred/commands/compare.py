"""orange-structpred compare FIRST SECOND"""
from __future__ import annotations

import sys
from itertools import chain

from orange_structpred.commands import (
    add_command,
    file_name,
    input_stream,
    n_sentences,
    print_json,
    print_text,
)
from orange_structpred.errors import InputError

COMPARE_EXAMPLES = """\
  orange-structpred compare anna.conllu ben.conllu
  orange-structpred compare anna.conllu ben.conllu --differences
  orange-structpred compare anna.conllu ben.conllu --json > agreement.json

Both files must have the same sentences, annotated by two people. The table shows the
percentage of words on which they agree, Cohen's kappa and Krippendorff's alpha; for the
last two, an arc is the distance to the head and the relation. --differences also lists
the differences, one per line: sentence, word, layer, first and second annotation."""


def register(commands) -> None:
    parser = add_command(commands, "compare", run,
                         summary="measure the agreement between two annotators",
                         examples=COMPARE_EXAMPLES)
    for name, which in (("first", "one"), ("second", "the other")):
        parser.add_argument(name, metavar=name.upper(), type=file_name,
                            help=f"CoNLL file of {which} annotator, or - for standard "
                            "input")
    parser.add_argument("--differences", action="store_true",
                        help="also list the differences")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args) -> None:
    from orange_structpred.evaluation.agreement import (
        AGREEMENT_MEASURES,
        coefficient,
        compare_treebanks,
    )
    from orange_structpred.treebank import Treebank
    from orange_structpred.treebank.conll import read_batches

    if args.first == args.second == "-":
        raise InputError("standard input can be read only once: name a file for one of "
                         "the treebanks")
    comparison = compare_treebanks(*(
        Treebank.from_sentences(chain.from_iterable(read_batches(*input_stream(path))))
        for path in (args.first, args.second)))
    if comparison.unmatched:
        print(f"warning: {n_sentences(len(comparison.unmatched))} of {args.first} left "
              "out: the other file has no such sentence with the same words",
              file=sys.stderr)
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
