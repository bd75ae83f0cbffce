"""A small model of each kind, in files."""
from __future__ import annotations

import warnings
from pathlib import Path

from orange_structpred.learner import ParserLearner
from orange_structpred.pipeline import PipelineLearner
from orange_structpred.tagging.tagger import TaggerLearner
from orange_structpred.treebank.bundled import load_bundled

#: The parser of the pipeline has a second order, votes and relations; "nets" is a
#: pipeline with nets.
NET = {"neural": True, "hidden": 1, "epochs": 1, "passes": 1}
PIPELINES = {
    "pipeline": {"parser": ParserLearner(passes=1, hash_bits=10)},
    "nets": {"steps": ["tagger", "parser"], "tagger": TaggerLearner(**NET),
             "parser": ParserLearner(hash_bits=8, **NET)},
}
PARSERS = {
    "hashed": {"order": 1, "hash_bits": 8, "groups": ["head", "in-between"]},
    "dictionary": {"min_count": 2, "groups": ["head", "counts"]},
    "index": {"features": "kernel", "kernel": "ngram", "hash": ["posTags", "between"]},
    "bow": {"features": "kernel", "kernel": "constant+bow", "hash": ["wordVecs"]},
    "transitions": {"features": "transitions", "beam": 2, "hash_bits": 8},
    "net": {"features": "neural", "hidden": 1, "epochs": 1},
    "nystroem": {"features": "kernel", "kernel": "annotated-ngram", "nystroem": 5},
}
#: These have no probabilities
UNSURE = ("transitions",)


def save_samples(folder: Path, names: tuple[str, ...] = (*PARSERS, *PIPELINES)
                 ) -> list[Path]:
    """Train the models and write them to files of the folder."""
    treebank = load_bundled("en")[:12]
    for name in names:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner = PipelineLearner(**PIPELINES[name]) if name in PIPELINES \
                else ParserLearner(passes=1, **PARSERS[name])
            model = learner(treebank)
            if name in PARSERS and name not in UNSURE:
                model.temperature = 1.      # trained on too little to be calibrated
            model.save(folder / f"{name}.npz")
    return [folder / f"{name}.npz" for name in names]
