"""What the thesis does not have: other parsers, learning curves, speed."""
from __future__ import annotations

import time
from pathlib import Path

from benchmarks.study.chapter6 import TAGS, kernel_model
from benchmarks.study.lines import Study, percent
from orange_structpred import ParserLearner, Treebank, evaluate

TRAIN, DEV, TEST = (f"en_ewt-ud-{part}.conllu" for part in ("train", "dev", "test"))
SIZES = (100, 400, 1600, 6272, 12_544)
BEST = kernel_model([TAGS, "tokens"], "annotated-ngram")
#: Models by name, with their parameters
MODELS: dict[str, dict] = {
    "explicit, order 1": {"order": 1},
    "explicit, order 2": {"order": 2},
    "explicit, order 2 + net": {"neural": True},
    "net": {"features": "neural"},
    "transitions": {"features": "transitions"},
    "transitions, beam 8": {"features": "transitions", "beam": 8},
    "kernel, 5 hash functions": {"features": "kernel", "solver": "mira"},
    "kernel, rich": {"features": "kernel", "hash": "rich", "solver": "mira"},
    "kernel, surroundings": {
        "features": "kernel", "hash": "surroundings2", "solver": "mira"},
    "kernel, surroundings, order 2": {
        "features": "kernel", "hash": ["surroundings2", "siblings", "grandparents"],
        "order": 2, "solver": "mira"},
    "kernel, rich, learned weights": {
        "features": "kernel", "hash": "rich", "hash_weights": "learn", "solver": "mira"},
    "kernel, thesis's best": {**BEST, "solver": "bcfw", "C": 1000.},
    "ridge regression": {**BEST, "solver": "ridge"},
    "one-class SVM": {**BEST, "solver": "one-class"},
}


def compare(study: Study, folder: Path, models: list[str] | None = None) -> None:
    """Learning curves: from the first sentences of UD English EWT, scored on its
    development part and, where all of them are learned from, on its test part; heads
    only."""
    if not all((folder / name).exists() for name in (TRAIN, DEV, TEST)):
        print(f"Learning curves are left out: they need {TRAIN}, {DEV} and {TEST}")
        return
    whole, dev, test = (Treebank.from_file(folder / name) for name in (TRAIN, DEV, TEST))
    for size in SIZES:
        if study.share < 1 and size > round(study.share * SIZES[-1]):
            break
        for name, parameters in MODELS.items():
            key = {"part": "curve", "language": "English", "share": 1.,
                   "setting": {"model": name}, "sentences": size}
            if study.line(key) or (models and name not in models):
                continue
            learner = ParserLearner(relations=False, calibrate=False, n_jobs=1,
                                    **parameters)
            learner(whole[:10])(dev[:10])        # compiles
            began = time.process_time()
            parser = learner(whole[:size])
            trained = time.process_time()
            scored = evaluate(parser(dev))
            parsed = time.process_time()
            study.add(key, {
                "epsilon": parameters.get("epsilon", 0.01), "uas": percent(scored.uas),
                **({"test_uas": percent(evaluate(parser(test)).uas)}
                   if size == SIZES[-1] else {}),
                "train_cpu_s": round(trained - began, 1),
                "sentences_per_s": round(len(dev) / (parsed - trained), 1)})
