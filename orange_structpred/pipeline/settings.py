"""What Train Tagger has learned is told by plain settings, for scripts as well."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orange_structpred.errors import InputError
from orange_structpred.pipeline.pipeline_learner import PipelineLearner
from orange_structpred.pipeline.trained_pipeline import PIPELINE_STEPS
from orange_structpred.tagging.tagger import TAGGER_ROWS, TaggerLearner

TAGGER_SETTINGS = ("solver", "C", "epsilon", "passes", "random_state")
#: Settings of Train Tagger and their defaults. Those of the tagger's learning are
#: TaggerLearner's own.
TAGGING_DEFAULTS: dict[str, Any] = {
    "layers": list(TAGGER_ROWS["layers"].default), "other_layer": "", "lemmas": True,
    "words": True, "trees": True, "neural": False,
    **{name: TAGGER_ROWS[name].default for name in TAGGER_SETTINGS},
    "n_jobs": 1, "learner_name": "",
}


def chosen_layers(settings: Mapping[str, Any]) -> list[str]:
    other = str(settings["other_layer"]).strip()
    return [*settings["layers"], *([other] if other else [])]


def chosen_steps(settings: Mapping[str, Any]) -> list[str]:
    wanted = {"tokeniser": settings["words"], "tagger": bool(chosen_layers(settings)),
              "lemmatiser": settings["lemmas"], "parser": settings["trees"]}
    return [step for step in PIPELINE_STEPS if wanted[step]]


def default_name(settings: Mapping[str, Any]) -> str:
    """The name that a pipeline gets if none is given."""
    return "pipeline" if "parser" in chosen_steps(settings) else "tagger"


def pipeline_arguments(settings: Mapping[str, Any]
                       ) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters of PipelineLearner, and those of its TaggerLearner; no defaults.

    settings : as in TAGGING_DEFAULTS; others are ignored, missing ones have defaults
    """
    settings = {name: settings.get(name, default)
                for name, default in TAGGING_DEFAULTS.items()}
    steps = chosen_steps(settings)
    if not steps:
        raise InputError("there is nothing to learn: choose a layer, lemmas, words or "
                         "trees")
    pipeline: dict[str, Any] = {} if steps == list(PIPELINE_STEPS) else {"steps": steps}
    for name in ("neural", "random_state", "n_jobs"):
        if settings[name] != TAGGING_DEFAULTS[name]:
            pipeline[name] = settings[name]
    pipeline["name"] = str(settings["learner_name"]).strip() or default_name(settings)
    tagger: dict[str, Any] = {}
    if "tagger" in steps:
        if settings["neural"]:
            tagger["neural"] = True
        if chosen_layers(settings) != TAGGING_DEFAULTS["layers"]:
            tagger["layers"] = chosen_layers(settings)
        tagger |= {name: settings[name] for name in TAGGER_SETTINGS
                   if settings[name] != TAGGING_DEFAULTS[name]}
    return pipeline, tagger


def make_learner(settings: Mapping[str, Any]) -> PipelineLearner:
    """The learner that the settings describe, if something can be trained with it."""
    pipeline, tagger = pipeline_arguments(settings)
    learner = PipelineLearner(**pipeline, tagger=TaggerLearner(**tagger))
    learner.check()
    return learner
