"""Parameters of structural SVMs on tables, and the settings of their widget."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What the target is, and the losses that it can have; the first is the default
OUTPUTS: dict[str, tuple[str, ...]] = {
    "classes": ("zero-one",),
    "taxonomy": ("tree", "distance", "zero-one"),
    "sequences": ("hamming", "zero-one"),
}
SVM_KERNELS = ("linear", "rbf", "poly")
#: Settings of the widget Structured SVM
SETTINGS: dict[str, Any] = {
    "output": "classes", "tree_loss": "tree", "sequence_loss": "hamming", "path": "",
    "group": "", "order": "", "C": 100., "kernel": "linear", "gamma": 0., "degree": 3,
    "solver": "bcfw", "epsilon": 0.01, "passes": 200,
}


def table_learner_parameters(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the widget as parameters of `StructuredSVMLearner`, without those that
    have their defaults or no influence. Settings of another type are left out."""
    valid: dict[str, Any] = {
        name: settings[name] if type(settings.get(name)) is type(default)
        or isinstance(default, float) and type(settings.get(name)) is int
        else default for name, default in SETTINGS.items()}
    output = valid["output"] if valid["output"] in OUTPUTS else SETTINGS["output"]
    parameters: dict[str, Any] = {"output": output}
    if output == "taxonomy":
        parameters.update(loss=valid["tree_loss"], path=valid["path"] or None)
    elif output == "sequences":
        parameters.update(loss=valid["sequence_loss"], group=valid["group"] or None,
                          order=valid["order"] or None)
    parameters.update(C=valid["C"], kernel=valid["kernel"], solver=valid["solver"],
                      tol=valid["epsilon"], max_iter=valid["passes"])
    if valid["kernel"] != "linear":
        parameters["gamma"] = valid["gamma"] or None
    if valid["kernel"] == "poly":
        parameters["degree"] = valid["degree"]
    defaults = {**SETTINGS, "loss": OUTPUTS[output][0], "path": None, "group": None,
                "order": None, "gamma": None, "tol": SETTINGS["epsilon"],
                "max_iter": SETTINGS["passes"]}
    return {name: value for name, value in parameters.items() if value != defaults[name]}
