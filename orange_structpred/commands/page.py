"""orange-structpred page FILE -o PAGE"""
from __future__ import annotations

import sys

from orange_structpred.commands import (
    PAGE,
    n_sentences,
    output_name,
    print_written,
    read_treebank,
)
from orange_structpred.commands.options import add_shared, whole_number

SUMMARY = "write trees to a web page"
EXAMPLES = """\
  orange-structpred page dev.conllu -o dev.html
  orange-structpred page dev.conllu -o dev.html --limit 100 --title 'Dev set'
  orange-structpred page parsed.conllu -o parsed.html --prediction MST

The page needs no network and no other file. Sentences can be searched for, opened and
closed. Predicted heads that differ from the gold trees are orange."""


def add_arguments(parser) -> None:
    add_shared(parser, "file")
    parser.add_argument("-o", "--output", metavar="PAGE", type=output_name(PAGE),
                        required=True,
                        help="web page to write (.html), or - for standard output")
    parser.add_argument("--prediction", metavar="NAME",
                        help="show the trees of this prediction, which is stored in "
                             "the comments of the file")
    parser.add_argument("--title", metavar="TEXT",
                        help="title of the page (default: the name of the file)")
    parser.add_argument("--limit", metavar="N", type=whole_number, default=2000,
                        help="show at most N sentences (default: 2000)")


def run(args) -> None:
    from orange_structpred.treebank.web_page import save_web_page, web_page

    treebank = read_treebank(args.file)
    options = {"prediction": args.prediction, "title": args.title, "limit": args.limit}
    if args.output == "-":
        sys.stdout.write(web_page(treebank, **options))
    else:
        save_web_page(treebank, args.output, **options)
        print_written(min(args.limit, len(treebank)), args.output)
    warn_of_limit(len(treebank), args.limit)


def warn_of_limit(n: int, limit: int, remedy: str = "; use --limit to show more"
                  ) -> None:
    if n > limit:
        print(f"warning: only the first {limit:,} of {n_sentences(n)} are on the page"
              f"{remedy}", file=sys.stderr)
