"""orange-structpred train-pipeline TRAIN -o MODEL"""
from __future__ import annotations

from typing import TYPE_CHECKING

from orange_structpred.commands import (
    print_rows,
    printed_warnings,
)
from orange_structpred.commands.options import (
    add_presets,
    add_shared,
    model_file,
    training_file,
    typed,
)
from orange_structpred.kinds import Seed
from orange_structpred.learner.parameters import names

if TYPE_CHECKING:
    from orange_structpred.pipeline.pipeline_learner import PipelineReport

SUMMARY = "train all steps from text to trees on a treebank"
EXAMPLES = """\
  orange-structpred train-pipeline train.conllu -o english.npz
  orange-structpred train-pipeline train.conllu -o english.npz --dev dev.conllu
  orange-structpred train-pipeline train.conllu -o tags.npz --steps tokeniser,tagger
  orange-structpred train-pipeline train.conllu -o accurate.npz --accurate

A tokeniser, a tagger, a lemmatiser and a parser are trained on one treebank and saved in
one file, for annotate. The parser learns from the treebank's tags and from those that
taggers predict for sentences they have not seen. Steps for which the treebank has no
data are left out. With --dev, the text of DEV is annotated and scored by the rules of
the CoNLL 2018 shared task.

Press Ctrl-C once while the parser is being trained to keep the pipeline with the parser
trained so far, twice to discard it."""
STEP_NAMES = ("tokeniser", "tagger", "lemmatiser", "parser")


def add_arguments(parser) -> None:
    parser.add_argument("treebank", metavar="TRAIN", type=training_file,
                        help="CoNLL-U file with tags and trees")
    parser.add_argument("-o", "--output", metavar="MODEL", required=True, type=model_file,
                        help="file for the pipeline (.npz)")
    parser.add_argument("--dev", metavar="DEV", type=training_file,
                        help="CoNLL-U file to score the pipeline on")
    parser.add_argument("--steps", type=names, metavar="S,S", default=STEP_NAMES,
                        help=f"steps to train (default: {','.join(STEP_NAMES)})")
    parser.add_argument("--neural", action="store_true", help="same as --accurate")
    parser.add_argument("--seed", type=typed(Seed()), default=0, metavar="N",
                        help="random seed (default: 0)")
    parser.add_argument("--name", default="pipeline", help="name of the pipeline")
    add_shared(parser, "--jobs", "--scheduler", "--quiet")
    add_presets(parser, "add nets to the tagger and the parser: the most accurate "
                "pipeline, but training takes three to four times as long")


def run(args) -> None:
    from orange_structpred.commands.score import RAW_NAMES
    from orange_structpred.commands.train import ProgressLine
    from orange_structpred.evaluation import evaluate_raw
    from orange_structpred.files.writing import output_place
    from orange_structpred.pipeline import PipelineLearner
    from orange_structpred.running.cancellation import Cancelled
    from orange_structpred.treebank import Treebank, read_conll
    from orange_structpred.treebank.learnable import TrainingError
    from orange_structpred.treebank.text import raw_text

    # errors are better reported before the work than after
    learner = PipelineLearner(args.steps, neural=args.neural, random_state=args.seed,
                              n_jobs=args.jobs, name=args.name)
    learner.check()
    output_place(args.output)
    treebank = Treebank.from_file(args.treebank)
    dev = read_conll(args.dev) if args.dev else None
    with printed_warnings(), ProgressLine(quiet=args.quiet) as progress:
        def callback(report: PipelineReport) -> None:
            progress.show(
                f"{report.step}, {progress.text(report.report, report.fraction)}",
                report.report.end_of_pass,
                "keeping the pipeline trained so far"
                if report.step == "parser" and report.report.pass_ else "")

        try:
            pipeline = learner(treebank, callback, client=args.scheduler)
        except Cancelled:       # there is no pipeline yet
            raise KeyboardInterrupt from None
        except TrainingError as error:
            raise TrainingError(f"{args.treebank}: {error}") from error
        if progress.stop and not progress.kept:     # it lacks the steps after this one
            raise KeyboardInterrupt
    pipeline.save(args.output)
    print(f"{pipeline.name}: {', '.join(pipeline.steps)}; {args.output}")
    if dev is not None:
        scores = evaluate_raw(dev, pipeline.annotate(raw_text(dev)))
        print_rows([(RAW_NAMES[key], f"{100 * score.f1:7.2f}")
                    for key, score in scores.items()])
