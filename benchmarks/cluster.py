"""What a cluster brings, as JSON lines.

    python benchmarks/cluster.py --treebanks DIR [--part NAME]

The cluster is one of separate processes on this machine, one thread each. UD English EWT.

tune_speedup_2 : twelve settings, two workers against one
overhead_1 : the same, one worker against no cluster
parse_speedup_2 : 200,000 sentences, from file to file, two workers against one
parse_growth : peak memory of `parse` without a cluster for 200,000 sentences over that
    for 20,000
oracle_speedup_2 : a pass of one-slack's oracle, two workers against one
oracle_problem_mb : what each worker has in memory for this
mixing_uas_loss : UAS on the dev part of MIRA on one shard, minus that on four whose
    weights are mixed
killed_ok : how many of tuning, parsing and one-slack give the same result when a worker
    is killed in the middle
gram_split : peak memory of the larger of two workers that share a kernel's Gram matrix,
    over that of a process with all of it
treebank_mb : what a Treebank of 1,000,000 sentences keeps in memory beyond their text
disk_growth : peak memory (anonymous pages) of training from disk on ten copies of the
    treebank over that on one, one pass, the worse of order 1 and 2; disk_order1_mb and
    disk_order2_mb are the peaks for ten copies
"""
from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

SENTENCES = 200_000
GRID = {"C": [0.001, 0.01, 0.1, 1.], "passes": [1, 2, 3]}
TUNE_SENTENCES, GRAM_SENTENCES = 3_000, 10_000
COPIES = 10


def tell(name: str, value: float, **details) -> None:
    print(json.dumps({"name": name, "value": round(value, 3), **details}), flush=True)


def tell_speedup(name: str, times: dict[int, float], sentences: int, tasks: int) -> None:
    """Seconds by the number of workers; doc/make_scale.py computes with them."""
    tell(name, times[1] / times[2], sentences=sentences, tasks=tasks,
         seconds={n: round(own, 2) for n, own in times.items()})


@contextmanager
def workers(n: int):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=None,
                      memory_limit=0, silence_logs=50) as cluster, \
            Client(cluster, set_as_default=False) as client:
        client.run(load_library)        # imports and compiled code are not measured
        yield client


def load_library() -> None:
    from orange_structpred import ParserLearner, load_bundled

    treebank = load_bundled("en")[:40]
    ParserLearner(passes=1)(treebank)(treebank)
    ParserLearner(passes=1, order=1)(treebank)(treebank)


def seconds(action) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def read(folder: Path, part: str):
    from orange_structpred import Treebank

    return Treebank.from_file(folder / f"en_ewt-ud-{part}.conllu")


def tuning(folder: Path) -> None:
    from orange_structpred.tuning import tune

    treebank = read(folder, "train")
    options = {"order": 1, "relations": False, "calibrate": False}
    load_library()
    alone = seconds(lambda: tune(treebank, GRID, **options))
    times = {}
    for n in (1, 2):
        with workers(n) as client:
            times[n] = seconds(lambda c=client: tune(treebank, GRID, client=c, **options))
    tell_speedup("tune_speedup_2", times, len(treebank), 12)
    tell("overhead_1", times[1] / alone)


def parsing(folder: Path) -> None:
    from orange_structpred import ParserLearner
    from orange_structpred.files.streaming import PIECE

    parser = ParserLearner(passes=3)(read(folder, "train")[:4_000])
    with tempfile.TemporaryDirectory() as beside:
        beside = Path(beside)
        parser.save(beside / "parser.npz")
        text = (folder / "en_ewt-ud-train.conllu").read_text(encoding="utf-8")
        n = text.count("\n\n")
        for size in (SENTENCES // 10, SENTENCES):
            with open(beside / f"{size}.conllu", "w", encoding="utf-8") as file:
                for _ in range(-(-size // n)):
                    file.write(text)
        peaks = {}
        for size in (SENTENCES // 10, SENTENCES):
            out = subprocess.run(
                [sys.executable, __file__, "--treebanks", folder, "--part", "parse_alone",
                 "--files", beside / "parser.npz", beside / f"{size}.conllu"],
                check=True, capture_output=True, text=True).stdout
            peaks[size] = float(out)
        tell("parse_growth", peaks[SENTENCES] / peaks[SENTENCES // 10])
        times = {}
        for workers_ in (1, 2):
            with workers(workers_) as client:
                times[workers_] = seconds(lambda c=client: parse_file(
                    beside / "parser.npz", beside / f"{SENTENCES}.conllu", c))
        path = beside / f"{SENTENCES}.conllu"
        tell_speedup("parse_speedup_2", times, -(-SENTENCES // n) * n,
                     -(-path.stat().st_size // PIECE))


def parse_file(model: Path, path: Path, client=None) -> None:
    from orange_structpred import Parser
    from orange_structpred.files.streaming import file_stream
    from orange_structpred.pipeline.streams import parse_stream
    from orange_structpred.treebank.conll import opened_conll

    with opened_conll(path.with_suffix(".out.conllu")) as file:
        for piece in parse_stream(Parser.load(model), file_stream(path), str(path),
                                  client=client):
            file.write(piece.data)


def parse_alone(folder: Path, model: str, path: str) -> None:
    parse_file(Path(model), Path(path))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def oracle(folder: Path) -> None:
    from orange_structpred import ParserLearner
    from orange_structpred.running.cluster import Cluster
    from orange_structpred.svm.distributed import SHARD

    learner = ParserLearner(solver="one-slack", relations=False)
    problem = learner.prepare(read(folder, "train")).problem
    model = problem.new_model()
    times = {}
    for n in (1, 2):
        with workers(n) as client:
            own = problem.oracle_of(Cluster(client))
            own.separate(model, lambda: False)      # sends the problem
            times[n] = min(seconds(lambda o=own: o.separate(model, lambda: False))
                           for _ in range(3))
    tell_speedup("oracle_speedup_2", times, len(problem), -(-len(problem) // SHARD))
    tell("oracle_problem_mb", len(pickle.dumps(problem)) / 1e6, sentences=len(problem))


def mixing(folder: Path) -> None:
    from orange_structpred import ParserLearner, evaluate

    train, dev = read(folder, "train"), read(folder, "dev")
    serial, mixed = (
        evaluate(ParserLearner(relations=False, shards=shards, n_jobs=2)(train)(dev)).uas
        for shards in (None, 4))
    tell("mixing_uas_serial", 100 * serial)
    tell("mixing_uas_loss", 100 * (serial - mixed))


def killed(folder: Path) -> None:
    import numpy as np

    from orange_structpred import ParserLearner
    from orange_structpred.tuning import tune

    treebank = read(folder, "train")[:TUNE_SENTENCES]
    parser = ParserLearner(order=1, passes=2)(treebank)
    many = treebank.sentences * 10

    def tuned(client):
        found = tune(treebank, {"C": [0.01, 0.1, 1.], "passes": [1, 2]}, order=1,
                     relations=False, client=client)
        return [point.validation_loss for point in found.points]

    def parsed(client):
        return np.concatenate(parser.predict(many, client=client).heads).tolist()

    def trained(client):
        return ParserLearner(order=1, solver="one-slack", passes=15, relations=False)(
            treebank, client=client).model.weights.tolist()

    same = 0
    for work in (tuned, parsed, trained):
        expected = work(None)
        with workers(2) as client:
            pid = next(iter(client.run(os.getpid).values()))
            timer = threading.Timer(3., lambda pid=pid: os.kill(pid, signal.SIGKILL))
            timer.start()
            found = work(client)
            timer.join()        # a worker that was not killed in time is no test
            now = set(client.run(os.getpid, on_error="ignore").values())
        same += found == expected and pid not in now
    tell("killed_ok", same)


def gram(folder: Path) -> None:
    from orange_structpred import ParserLearner

    own = [sys.executable, __file__, "--treebanks", folder, "--part"]
    whole = float(subprocess.run([*own, "gram_alone"], check=True, capture_output=True,
                                 text=True).stdout)
    with workers(2) as client:
        treebank = read(folder, "train")[:GRAM_SENTENCES]
        ParserLearner("kernel", **GRAM)(treebank, client=client)
        largest = max(client.run(peak).values())
    tell("gram_split", largest / whole)


GRAM = {"kernel": "ngram", "hash": ["posTags2::dir", "tokens"], "solver": "one-slack",
        "passes": 3, "relations": False}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def gram_alone(folder: Path) -> None:
    from orange_structpred import ParserLearner

    load_library()
    ParserLearner("kernel", **GRAM)(read(folder, "train")[:GRAM_SENTENCES])
    print(peak())


def memory(folder: Path) -> None:
    """Sentences are made different, so that nothing is shared."""
    import psutil

    from orange_structpred import Treebank
    from orange_structpred.treebank.conll import read_conll_bytes

    blocks = read(folder, "train").sentences
    process = psutil.Process()
    before = process.memory_info().rss
    data = []
    size = 0
    while len(data) < 1_000_000:
        sentence = blocks[len(data) % len(blocks)]
        block = f"# number = {len(data)}\n{sentence.block}"
        size += len(block.encode())
        data.append(block)
    text = "\n\n".join(data).encode()
    del data
    treebank = Treebank.from_sentences(read_conll_bytes(text, "many"))
    del text
    used = process.memory_info().rss - before
    assert len(treebank) == 1_000_000
    tell("treebank_mb", (used - size) / 1e6)


def disk(folder: Path) -> None:
    text = (folder / "en_ewt-ud-train.conllu").read_bytes()
    growth = []
    with tempfile.TemporaryDirectory() as beside:
        path = Path(beside) / "copies.conllu"
        for order in (1, 2):
            peaks = {}
            for copies in (1, COPIES):
                with open(path, "wb") as file:
                    for _ in range(copies):
                        file.write(text)
                peaks[copies] = anonymous_peak([
                    sys.executable, __file__, "--treebanks", folder, "--part",
                    "disk_alone", "--files", path, str(order)])
            tell(f"disk_order{order}_mb", peaks[COPIES] / 1e3,
                 sentences=COPIES * text.count(b"\n\n"), alone=peaks[1] / 1e3)
            growth.append(peaks[COPIES] / peaks[1])
    tell("disk_growth", max(growth))


def anonymous_peak(command: list) -> int:
    """Kilobytes that a process has in memory at most, without pages of files: those can
    be read again, and give way when memory is short."""
    peak = 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    peak = max(peak, int(line.split()[1]))
            time.sleep(0.01)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return peak


def disk_alone(folder: Path, path: str, order: str) -> None:
    from orange_structpred import DiskTreebank, ParserLearner

    load_library()
    with DiskTreebank(path) as treebank:
        ParserLearner(order=int(order), passes=1)(treebank)


PARTS = {part.__name__: part for part in (
    tuning, parsing, oracle, mixing, killed, gram, memory, disk, parse_alone, gram_alone,
    disk_alone)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,dev}.conllu")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--files", nargs="*", default=[], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        PARTS[args.part](args.treebanks, *args.files)
        return
    for part in (tuning, parsing, oracle, mixing, killed, gram, memory, disk):
        subprocess.run([sys.executable, __file__, "--treebanks", args.treebanks,
                        "--part", part.__name__], check=True)


if __name__ == "__main__":
    main()
