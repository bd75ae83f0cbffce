"""orange-structpred annotate MODEL TEXT -o OUT"""
from __future__ import annotations

import sys
import time
import warnings

from orange_structpred.commands import (
    TREEBANK,
    file_name,
    input_stream,
    n_sentences,
    output_name,
    print_written,
    printed_warnings,
    time_left,
)
from orange_structpred.commands.options import add_shared
from orange_structpred.errors import InputError

SUMMARY = "turn text into sentences with tags and trees"
EXAMPLES = """\
  orange-structpred annotate english.npz book.txt -o book.conllu
  orange-structpred annotate english.npz tokens.conllu -o trees.conllu.gz
  cat book.txt | orange-structpred annotate english.npz - -o - | less

The input is plain text in UTF-8, or CoNLL-U in which some columns are empty: only what
is missing from a sentence is filled in. A blank line ends a paragraph. Files of any
size can be annotated; they are read and written piece by piece. Sentences of more than
200 tokens are parsed in pieces."""


def add_arguments(parser) -> None:
    parser.add_argument("model", metavar="MODEL", type=file_name,
                        help="pipeline saved by train-pipeline")
    parser.add_argument("input", metavar="TEXT", type=file_name,
                        help="text or CoNLL file (also .gz), or - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", type=output_name(TREEBANK), required=True,
                        help="CoNLL-U file (also .gz), or - for standard output")
    parser.add_argument("--probabilities", action="store_true",
                        help="write the probability of each predicted head to the last "
                        "column, as in HeadProb=0.97")
    add_shared(parser, "--jobs", "--scheduler", "--quiet")


def run(args) -> None:
    from orange_structpred.parsing.decoding.pieces import LongSentenceWarning
    from orange_structpred.pipeline import Pipeline
    from orange_structpred.pipeline.streams import annotate_stream
    from orange_structpred.treebank.conll import as_bytes, opened_conll

    stream, name = input_stream(args.input)
    pipeline = Pipeline.load(args.model)
    if pipeline.parser is not None:
        pipeline.parser.n_jobs = args.jobs
    elif args.probabilities:
        raise InputError(f"{args.model} has no parser, so there are no probabilities of "
                         "heads; leave out --probabilities")
    done, began = 0, time.perf_counter()
    show = not args.quiet and sys.stderr.isatty()
    with printed_warnings(), opened_conll(args.output) as file:
        warnings.simplefilter("ignore", LongSentenceWarning)    # one for each batch
        for sentences in annotate_stream(
                pipeline, stream, name, probabilities=args.probabilities,
                client=args.scheduler):
            file.write(as_bytes(sentences))
            done += len(sentences)
            if show:
                line = progress(done, stream.fraction, time.perf_counter() - began)
                print(f"\r{line:<78}", file=sys.stderr, end="", flush=True)
        if show:
            print(file=sys.stderr)
    print_written(done, args.output)


def progress(done: int, fraction: float, seconds: float) -> str:
    """How far the work is."""
    left = time_left(fraction, seconds)
    return (f"{n_sentences(done)}, "
            + (f"{100 * fraction:.0f}%, {left}" if left else f"{seconds:.0f} s"))
