"""Other parsers on the same files, for `explicit.py --rivals`: one JSON line each.

value : UAS; las, train_cpu_s, parse_sentences_per_s (per CPU second), options : the rest

UDPipe comes from PyPI (`pip install ufal.udpipe`). MSTParser and MaltParser are given by
the path of their jar; jars beside it and in a folder `lib` beside it are on the class
path, too.
"""
from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

MEMORY = "-Xmx6g"       # of Java


def report(name: str, gold: Path, found: list, train_s: float, parse_s: float,
           options: str) -> None:
    from orange_structpred import read_conll
    from orange_structpred.evaluation import evaluate_sentences

    scores = evaluate_sentences(list(read_conll(gold)), found, name=name)
    print(json.dumps({
        "name": f"rival_{name}", "value": round(100 * scores.uas, 3),
        "las": None if scores.las is None else round(100 * scores.las, 3),
        "train_cpu_s": round(train_s, 3),
        "parse_sentences_per_s": round(len(found) / parse_s, 3),
        "options": options or "defaults"}), flush=True)


def read_udpipe(path: Path):
    """The sentences of a file, as UDPipe keeps them.

    Whoever goes through them gets copies: make a list of them before they are changed.
    """
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader, sentences = InputFormat.newConlluInputFormat(), Sentences()
    reader.setText(path.read_text(encoding="utf-8"))
    error, sentence = ProcessingError(), Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    return sentences


def train_udpipe(train: Path, tagger: str | None, parser: str | None):
    """UDPipe's model, and the CPU seconds that its training takes.

    tagger, parser : options, "iterations=5" say; "" for the defaults, None for no such
        step
    """
    from ufal.udpipe import Model, ProcessingError, Sentences, Trainer

    options = [Trainer.NONE if own is None else own or Trainer.DEFAULT
               for own in (tagger, parser)]
    error = ProcessingError()
    began = time.process_time()
    trained = Trainer.train("morphodita_parsito", read_udpipe(train), Sentences(),
                            Trainer.NONE, *options, error)
    if error.occurred():
        raise SystemExit(f"UDPipe: {error.message}")
    seconds = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "udpipe.model"
        path.write_bytes(trained)
        return Model.load(str(path)), seconds


def udpipe(train: Path, test: Path, options: str = "") -> None:
    """UDPipe's parser with gold tags.

    options : of its training, "iterations=5" say; with the defaults it takes about an
        hour
    """
    from ufal.udpipe import Model, OutputFormat

    from orange_structpred.treebank.conll import read_conll_bytes

    model, train_s = train_udpipe(train, None, options)
    sentences = list(read_udpipe(test))
    began = time.process_time()
    for sentence in sentences:
        model.parse(sentence, Model.DEFAULT)
    parse_s = time.process_time() - began
    writer = OutputFormat.newOutputFormat("conllu")
    text = "".join(map(writer.writeSentence, sentences))
    report("udpipe", test, list(read_conll_bytes(text.encode(), "udpipe")), train_s, parse_s,
           options)


def write_conllx(source: Path, target: Path, *, heads: bool) -> None:
    """The words of a CoNLL-U file as CoNLL-X: no comments, no ranges, no empty words."""
    lines = []
    for line in source.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if not line:
            lines.append("")
        elif len(cells) == 10 and cells[0].isdigit():
            if not heads:
                cells[6:8] = ["0", "root"]
            lines.append("\t".join([*(cell.replace(" ", "_") for cell in cells[:8]),
                                    "_", "_"]))
    target.write_text("\n".join([*lines, ""]), encoding="utf-8")


def run(command: Sequence[str], folder: Path) -> float:
    """CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-1000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def java_parser(name: str, jar: Path, train: Path, test: Path, options: Sequence[str],
                training: Callable[[Sequence[str]], list[str]], parsing: list[str]
                ) -> None:
    """A parser that reads train.conll and test.conll and writes found.conll."""
    from orange_structpred import read_conll

    jar = jar.resolve()
    path = os.pathsep.join(map(str, [jar, *sorted({*jar.parent.glob("*.jar"),
                                                   *jar.parent.glob("lib/*.jar")} - {jar})]))
    java = ["java", MEMORY, "-XX:+UseSerialGC", "-cp", path]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_conllx(train, folder / "train.conll", heads=True)
        write_conllx(test, folder / "test.conll", heads=False)
        train_s = run([*java, *training(options)], folder)
        parse_s = run([*java, *parsing], folder)
        report(name, test, list(read_conll(folder / "found.conll")), train_s, parse_s,
               " ".join(options))


def mstparser(jar: Path, train: Path, test: Path) -> None:
    java_parser(
        "mstparser", jar, train, test, ["order:2", "decode-type:proj"],
        lambda options: ["mstparser.DependencyParser", "train", "train-file:train.conll",
                         "model-name:model", "format:CONLL", *options],
        ["mstparser.DependencyParser", "test", "test-file:test.conll",
         "model-name:model", "output-file:found.conll", "format:CONLL", "order:2",
         "decode-type:proj"])


def maltparser(jar: Path, train: Path, test: Path) -> None:
    java_parser(
        "maltparser", jar, train, test, ["-a", "stacklazy", "-l", "liblinear"],
        lambda options: ["org.maltparser.Malt", "-c", "model", "-m", "learn", "-i",
                         "train.conll", *options],
        ["org.maltparser.Malt", "-c", "model", "-m", "parse", "-i", "test.conll", "-o",
         "found.conll"])
