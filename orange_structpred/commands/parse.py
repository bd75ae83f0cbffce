"""orange-structpred parse MODEL IN -o OUT"""
from __future__ import annotations

import sys

from orange_structpred.commands import (
    TREEBANK,
    counted,
    file_name,
    input_stream,
    output_name,
    print_written,
    printed_warnings,
)
from orange_structpred.commands.options import add_shared, whole_number
from orange_structpred.errors import InputError
from orange_structpred.learner.parameters import DECODER_CHOICES

SUMMARY = "parse the sentences of a file"
EXAMPLES = """\
  orange-structpred parse english.npz text.conllu -o parsed.conllu
  orange-structpred parse english.npz text.conllu -o - | less
  cat text.conllu | orange-structpred parse english.npz - -o parsed.conllu

Heads and relations are replaced by the predicted ones; a parser that was trained
without relations removes them. Everything else in the file stays the same. The input
needs no heads, but it needs the same kind of tags as the parser was trained with.
A warning says how many of the sentences the parser was trained on. Files may be larger
than memory."""


def add_arguments(parser) -> None:
    parser.add_argument("model", metavar="MODEL", type=file_name,
                        help="parser saved by train or tune, or pipeline saved by "
                        "train-pipeline")
    parser.add_argument("input", metavar="IN", type=file_name,
                        help="CoNLL file, or - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", type=output_name(TREEBANK), required=True,
                        help="output file (also .gz), or - for standard output")
    parser.add_argument("--decoder", choices=[name for name in DECODER_CHOICES if name != "auto"],
                        help="how to find the best tree (default: as in training); "
                        "exact and approximate work only with parsers of order 1")
    parser.add_argument("--probabilities", action="store_true",
                        help="write the probability of each head to the last column, "
                        "as in HeadProb=0.97")
    parser.add_argument("--allow-cycles", action="store_true",
                        help="also write heads that do not form a tree, which approximate "
                        "decoding may find; score reads such files, other commands do not")
    parser.add_argument("--longest", type=whole_number, metavar="N",
                        help="parse sentences of more than N tokens in pieces "
                        "(default: 500)")
    add_shared(parser, "--jobs", "--scheduler")


def run(args) -> None:
    from orange_structpred.parser import MissingTagsError
    from orange_structpred.pipeline.streams import parse_stream
    from orange_structpred.pipeline.trained_pipeline import load_model, load_parser
    from orange_structpred.treebank.conll import opened_conll

    parser = load_parser(args.model)
    parser.n_jobs = args.jobs
    parser.decoder = args.decoder or parser.decoder
    parser.longest = args.longest or parser.longest
    stream, name = input_stream(args.input)
    n = seen = 0
    try:
        with printed_warnings(once=True), opened_conll(args.output) as file:
            for piece in parse_stream(parser, stream, name, client=args.scheduler,
                                      probabilities=args.probabilities,
                                      trees=not args.allow_cycles):
                file.write(piece.data)
                n += piece.sentences
                seen += piece.seen
    except MissingTagsError as error:
        if getattr(load_model(args.model), "tagger", None) is None:
            raise
        raise InputError(f"{error}; 'orange-structpred annotate {args.model}' does this"
                         ) from error
    if seen:
        print(f"warning: {counted(seen, 'sentence was', 'sentences were')} used to train the "
              "parser, so scores on them are too high", file=sys.stderr)
    print_written(n, args.output)
