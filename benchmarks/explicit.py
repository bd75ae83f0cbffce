"""How good and how fast the explicit parser is, as JSON lines.

    python benchmarks/explicit.py --treebanks DIR

uas, las, train_cpu_s, train_peak_mb, parse_sentences_per_s, model_mb : defaults of
    ParserLearner, trained on UD English EWT's training part, measured on its test
    part. CPU seconds are those of learning from a treebank in memory, with the code
    compiled before; the peak is that of the whole process. Parsing, with relations, is
    the best of some repeats.
ece : expected calibration error of the probabilities of heads, on the same test part
uas1, las1, train1_cpu_s, parse1_sentences_per_s : the same with order=1
gsd_uas, gsd_las : trained on UD German GSD's test part, measured on its dev part
oracle_speedup_2 : a pass of the separation oracle on one thread against two
cpath_ratio : ten values of C trained as a path against one fit at the largest C,
    both by bcfw to the same gap, on the first sentences
compile_s : the first training and parse with an empty cache of compiled code,
    against the same with a full one, in CPU seconds
rival_* : other parsers on the same files, with --rivals (see rivals.py)
"""
from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

CPATH_SENTENCES = 500
CPATH = [10 ** (5 * k / 9 - 3) for k in range(10)]      # 0.001 to 100
CPATH_OPTIONS = {"epsilon": 0.05, "passes": 200}     # the thesis's epsilon
ORACLE_REPEATS = PARSE_REPEATS = 3


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(value, 3)}), flush=True)


def accuracy(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank, calibration, evaluate

    train = Treebank.from_file(folder / "en_ewt-ud-train.conllu")
    test = Treebank.from_file(folder / "en_ewt-ud-test.conllu")
    ParserLearner(passes=1)(train[:50])(train[:50])     # compiles
    began = time.process_time()
    parser = ParserLearner()(train)
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    parsed = parser(test, probabilities=True)
    scores = evaluate(parsed)
    tell("uas", 100 * scores.uas)
    tell("las", 100 * scores.las)
    tell("ece", calibration(parsed).ece)
    tell("train_cpu_s", seconds)
    tell("train_peak_mb", peak)
    tell("parse_sentences_per_s", parsing_speed(parser, folder))
    with tempfile.TemporaryDirectory() as beside:
        parser.save(Path(beside) / "parser.npz")
        tell("model_mb", (Path(beside) / "parser.npz").stat().st_size / 1e6)


def parsing_speed(parser, folder: Path) -> float:
    """Sentences per CPU second, from sentences that were read to labelled trees."""
    from orange_structpred import Treebank

    speed = 0.
    for _ in range(PARSE_REPEATS):      # read anew each time: nothing is remembered
        sentences = Treebank.from_file(folder / "en_ewt-ud-test.conllu").sentences
        began = time.process_time()
        parser.predict(sentences)
        speed = max(speed, len(sentences) / (time.process_time() - began))
    return speed


def first_order(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank, evaluate

    train = Treebank.from_file(folder / "en_ewt-ud-train.conllu")
    test = Treebank.from_file(folder / "en_ewt-ud-test.conllu")
    ParserLearner(order=1, passes=1)(train[:50])(train[:50])     # compiles
    began = time.process_time()
    parser = ParserLearner(order=1)(train)
    seconds = time.process_time() - began
    scores = evaluate(parser(test))
    tell("uas1", 100 * scores.uas)
    tell("las1", 100 * scores.las)
    tell("train1_cpu_s", seconds)
    tell("parse1_sentences_per_s", parsing_speed(parser, folder))


def german(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank, evaluate

    train, test = (Treebank.from_file(folder / f"de_gsd-ud-{part}.conllu")
                   for part in ("test", "dev"))
    scores = evaluate(ParserLearner()(train)(test))
    tell("gsd_uas", 100 * scores.uas)
    tell("gsd_las", 100 * scores.las)


def oracle(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank
    from orange_structpred.svm.distributed import separate_all

    treebank = Treebank.from_file(folder / "en_ewt-ud-train.conllu")
    training = ParserLearner().prepare(treebank)
    problem = training.problem
    model = problem.new_model()
    separate_all(problem, model, n_jobs=2)      # compiles
    times = {}
    for n_jobs in (1, 2) * ORACLE_REPEATS:
        began = time.perf_counter()
        separate_all(problem, model, n_jobs=n_jobs)
        times.setdefault(n_jobs, []).append(time.perf_counter() - began)
    tell("oracle_speedup_2", min(times[1]) / min(times[2]))


def cpath(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank

    treebank = Treebank.from_file(
        folder / "en_ewt-ud-train.conllu")[:CPATH_SENTENCES]
    learner = ParserLearner(solver="bcfw", C=CPATH[-1], **CPATH_OPTIONS)
    ParserLearner(solver="bcfw", passes=1)(treebank[:20])      # compiles
    began = time.process_time()
    learner(treebank)
    one = time.process_time() - began
    began = time.process_time()
    parsers = list(learner.path(treebank, CPATH))
    if not all(parser.converged for parser in parsers):
        raise SystemExit("not every C of the path reached the gap")
    tell("cpath_ratio", (time.process_time() - began) / one)


def first_run(folder: Path) -> None:
    from orange_structpred import ParserLearner, load_bundled

    treebank = load_bundled("en")[:30]
    began = time.process_time()
    ParserLearner(passes=1)(treebank)(treebank)
    print(time.process_time() - began)


def compilation(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (float(own(first_run, folder, NUMBA_CACHE_DIR=cache))
                      for _ in range(2))
    tell("compile_s", cold - warm)


PARTS = {part.__name__: part for part in (
    accuracy, first_order, german, oracle, cpath, compilation, first_run)}


def own(part, folder: Path, **environment: str) -> str:
    """The output of a part in a process of its own."""
    return subprocess.run(
        [sys.executable, __file__, "--treebanks", folder, "--part", part.__name__],
        env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE,
        text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,test}.conllu and "
                             "de_gsd-ud-{test,dev}.conllu")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--rivals", action="store_true",
                        help="train and run other parsers, too: ufal.udpipe if it is "
                             "installed, and those whose jar is given")
    parser.add_argument("--udpipe-options", default="", metavar="OPTIONS",
                        help="of UDPipe's training, iterations=5 say; by default it "
                             "takes about an hour")
    for name in ("mstparser", "maltparser"):
        parser.add_argument(f"--{name}", type=Path, metavar="JAR",
                            help=f"run {name} with --rivals")
    args = parser.parse_args()
    if args.part:
        PARTS[args.part](args.treebanks)
        return
    for part in (compilation, accuracy, first_order, german, oracle, cpath):
        print(own(part, args.treebanks), end="", flush=True)
    if args.rivals:
        run_rivals(args)


def run_rivals(args) -> None:
    import rivals

    files = [args.treebanks / f"en_ewt-ud-{part}.conllu" for part in ("train", "test")]
    if find_spec("ufal") and find_spec("ufal.udpipe"):
        rivals.udpipe(*files, args.udpipe_options)
    else:
        print("ufal.udpipe is not installed, so it is left out", file=sys.stderr)
    for name in ("mstparser", "maltparser"):
        if jar := getattr(args, name):
            getattr(rivals, name)(jar, *files)


if __name__ == "__main__":
    main()
