"""orange-structpred page FILE -o PAGE"""
from __future__ import annotations

from itertools import chain

from orange_structpred.commands import add_command, file_name, input_stream

PAGE_EXAMPLES = """\
  orange-structpred page dev.conllu -o dev.html
  orange-structpred page dev.conllu -o dev.html --limit 100 --title 'Dev set'
  orange-structpred page parsed.conllu -o parsed.html --prediction MST

The page needs no network and no other file. Sentences can be searched for, opened and
closed. Predicted heads that differ from the gold trees are orange."""


def register(commands) -> None:
    parser = add_command(commands, "page", run, summary="write trees to a web page",
                         examples=PAGE_EXAMPLES)
    parser.add_argument("file", metavar="FILE", type=file_name,
                        help="CoNLL file, or - for standard input")
    parser.add_argument("-o", "--output", metavar="PAGE", type=file_name, required=True,
                        help="web page to write (.html)")
    parser.add_argument("--prediction", metavar="NAME",
                        help="show the trees of this prediction, which the comments of "
                             "the file contain")
    parser.add_argument("--title", metavar="TEXT",
                        help="title of the page (default: the name of the file)")
    parser.add_argument("--limit", metavar="N", type=int, default=2000,
                        help="show at most N sentences (default: 2000)")


def run(args) -> None:
    from orange_structpred.treebank import Treebank
    from orange_structpred.treebank.conll import read_batches
    from orange_structpred.treebank.web_page import save_web_page

    stream, name = input_stream(args.file)
    treebank = Treebank.from_sentences(
        chain.from_iterable(read_batches(stream, name)), name=name)
    save_web_page(treebank, args.output, prediction=args.prediction, title=args.title,
                  limit=args.limit)
