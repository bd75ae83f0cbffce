"""How good and how fast parsers with a net are, as JSON lines.

    python benchmarks/neural.py --treebanks DIR

acc_uas, acc_las, acc_train_cpu_s, acc_train_peak_mb, acc_parse_sentences_per_s,
acc_model_mb : ParserLearner(neural=True), trained on UD English EWT's training part,
    measured on its test part. CPU seconds are those of learning from a treebank in
    memory, with the code compiled before; the peak is that of the whole process.
    Parsing, with relations, is the best of some repeats.
acc_parse_share : the speed of parsing, as a share of that of the same parser without its
    net, in the same run; speeds fall where other processes compute, their ratio does not
acc_ece : expected calibration error of the probabilities of heads, on the same test part
acc_gsd_uas, acc_gsd_las : trained on UD German GSD's test part, measured on its dev part
acc_set_uas, acc_set_las : the same for UD Croatian SET
"""
from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from explicit import parsing_speed, tell


def english(folder: Path) -> None:
    from orange_structpred import ParserLearner, Treebank, calibration, evaluate

    train = Treebank.from_file(folder / "en_ewt-ud-train.conllu")
    test = Treebank.from_file(folder / "en_ewt-ud-test.conllu")
    compiling = ParserLearner(neural=True, passes=1, epochs=1, calibrate=False)
    compiling(train[:50])(train[:50])
    began = time.process_time()
    parser = ParserLearner(neural=True)(train)
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tell("acc_train_cpu_s", seconds)
    tell("acc_train_peak_mb", peak)
    parsed = parser(test, probabilities=True)
    scores = evaluate(parsed)
    tell("acc_uas", 100 * scores.uas)
    tell("acc_las", 100 * scores.las)
    tell("acc_ece", calibration(parsed).ece)
    speed = parsing_speed(parser, folder)
    tell("acc_parse_sentences_per_s", speed)
    with tempfile.TemporaryDirectory() as beside:
        parser.save(Path(beside) / "parser.npz")
        tell("acc_model_mb", (Path(beside) / "parser.npz").stat().st_size / 1e6)
    parser.model.net = None
    tell("acc_parse_share", speed / parsing_speed(parser, folder))


def small(folder: Path, treebank: str, name: str) -> None:
    """Probabilities are not measured here, so they are not calibrated."""
    from orange_structpred import ParserLearner, Treebank, evaluate

    train, test = (Treebank.from_file(folder / f"{treebank}-ud-{part}.conllu")
                   for part in ("test", "dev"))
    scores = evaluate(ParserLearner(neural=True, calibrate=False)(train)(test))
    tell(f"acc_{name}_uas", 100 * scores.uas)
    tell(f"acc_{name}_las", 100 * scores.las)


def german(folder: Path) -> None:
    small(folder, "de_gsd", "gsd")


def croatian(folder: Path) -> None:
    small(folder, "hr_set", "set")


PARTS = {part.__name__: part for part in (english, german, croatian)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of the CoNLL-U files")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    args = parser.parse_args()
    if args.part:
        PARTS[args.part](args.treebanks)
        return
    for part in PARTS:
        subprocess.run([sys.executable, __file__, "--treebanks", args.treebanks,
                        "--part", part], check=True)


if __name__ == "__main__":
    main()
