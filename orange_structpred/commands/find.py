"""orange-structpred find PATTERN FILE"""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from orange_structpred.commands import (
    ENDINGS,
    PAGE,
    TREEBANK,
    counted,
    n_sentences,
    output_name,
    print_json,
    print_notes,
    print_text,
    read_treebank,
)
from orange_structpred.commands.options import add_shared, typed
from orange_structpred.commands.page import warn_of_limit
from orange_structpred.errors import InputError
from orange_structpred.kinds import WholeNumber

if TYPE_CHECKING:
    from orange_structpred.search import Matches

SUMMARY = "find trees that match a pattern"
EXAMPLES = """\
  orange-structpred find 'upos=VERB rel=obj' dev.conllu
  orange-structpred find 'V [upos=VERB]; V -[obj]-> N; V >> N' dev.conllu
  orange-structpred find 'pattern { V -[nsubj:pass]-> N } without { V -[obl]-> * }' \\
      dev.conllu --cluster V.lemma
  orange-structpred find 'V -[obj]-> N' dev.conllu --cluster N.upos --by 'order(V, N)'
  orange-structpred find 'form=/colou?r.*/i' dev.conllu -o colours.conllu

PATTERN is written in the notation of Grew-match, or is a list of conditions on one
word. Matches are printed with their context, one per line. --cluster counts them by a
key of a node (N.lemma, N.Number) or of an edge (e.label for e: V -> N; V->N.label
without a name), and --by cross-tabulates these counts with a second key; expected
counts are in brackets."""


def add_arguments(parser) -> None:
    parser.add_argument("pattern", metavar="PATTERN", help="what to look for")
    add_shared(parser, "file")
    parser.add_argument("-o", "--output", metavar="FILE",
                        type=output_name(TREEBANK, PAGE),
                        help="write the sentences with matches to a CoNLL file (- for "
                             "standard output), or to a web page (.html) with the "
                             "matched words framed")
    parser.add_argument("--prediction", metavar="NAME",
                        help="search the trees of this prediction, which is stored in "
                             "the comments of the file")
    parser.add_argument("--count", action="store_true",
                        help="print only the number of matches and sentences")
    parser.add_argument("--cluster", metavar="KEY", help="count matches by a key")
    parser.add_argument("--by", metavar="KEY", help="cross-tabulate the counts with a "
                                                    "second key")
    parser.add_argument("--context", metavar="N", type=typed(WholeNumber(0)), default=8,
                        help="number of words to show on each side of a match "
                             "(default: 8)")
    add_shared(parser, "--json")


def run(args) -> None:
    from orange_structpred.search import find, parse_pattern
    from orange_structpred.treebank import write_conll
    from orange_structpred.treebank.web_page import MOST_ON_PAGE, save_web_page

    if args.by and not args.cluster:
        raise InputError("--by needs --cluster")
    written = args.output == "-"        # the sentences, where matches are printed else
    if written and (args.json or args.cluster):
        raise InputError("sentences and "
                         f"{'--json' if args.json else '--cluster'} cannot both be written "
                         "to standard output; name a file for -o")
    pattern = parse_pattern(args.pattern)
    matches = find(read_treebank(args.file), pattern, prediction=args.prediction)
    print_notes(matches.notes)
    if matches.truncated:
        print(f"warning: only the first {len(matches):,} matches are counted",
              file=sys.stderr)
    if args.output and args.output.lower().endswith(ENDINGS[PAGE]):
        save_web_page(matches.sentences(), args.output, title=matches.pattern.text,
                      prediction=args.prediction)
        warn_of_limit(matches.n_sentences, MOST_ON_PAGE, remedy="")
    elif args.output:
        rows = sorted(set(matches.rows.tolist()))
        write_conll(matches.treebank[rows].commented_sentences(), args.output)
    if args.json:
        print_json(as_json(matches, args))
    elif args.cluster:
        print_text(matches.cluster(args.cluster, args.by))
    else:
        if not args.count and not written:
            print_lines(matches, args.context)
        print(f"{counted(len(matches), 'match', 'matches')} in "
              f"{n_sentences(matches.n_sentences)}",
              file=sys.stdout if args.count and not written else sys.stderr)


def print_lines(matches: Matches, context: int) -> None:
    """The concordance, with matches one below the other."""
    lines = matches.lines(context=context)
    width = max((len(line.left) for line in lines), default=0)
    sentences = matches.index.words.sentences
    for line in lines:
        name = sentences[line.row].sent_id or str(line.row + 1)
        print_text(f"{name}\t{line.left:>{width}}  [{line.match}]  {line.right}")


def as_json(matches: Matches, args) -> dict[str, object]:
    result: dict[str, object] = {
        "pattern": matches.pattern.text, "matches": len(matches),
        "sentences": matches.n_sentences, "truncated": matches.truncated,
        "notes": matches.notes}
    if args.cluster:
        clusters = matches.cluster(args.cluster, args.by)
        result |= {"key": clusters.key, "by": clusters.by, "values": clusters.values,
                   "columns": clusters.columns if args.by else None,
                   "counts": (clusters.counts if args.by else clusters.totals).tolist(),
                   "expected": clusters.expected.round(4).tolist() if args.by else None}
    elif not args.count:
        sentences = matches.index.words.sentences
        result["found"] = [
            {"row": row + 1, "sent_id": sentences[row].sent_id,
             **{node: {"position": position, "form": sentences[row].forms[position - 1]}
                for node, position in zip(matches.nodes, positions)}}
            for row, positions in zip(matches.rows.tolist(), matches.positions.tolist())]
    return result
