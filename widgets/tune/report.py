"""What a tuning was, in the words of the controls of Tune Parser."""
from __future__ import annotations

from collections.abc import Mapping

from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.treebank import Treebank
from orange_structpred.tuning.grids import Grid, settings_of
from orange_structpred.widgets.common.parameterform import (
    ParameterForm,
    described_settings,
)

#: Parameters that are told with the validation: they are not those of a parser alone
WAY = {"random_state", "n_jobs"}


def described_tuning(forms: Mapping[str, ParameterForm], settings: Mapping[str, object],
                     grid: Grid, validation: Treebank | None
                     ) -> dict[str, list[tuple[str, str]]]:
    """Titles and values of what was tried, of all else that parsers were learned with,
    and of how they were compared."""
    tried = settings_of(grid)
    varied = {"C", *tried[0]}
    if "kernel" in varied:          # each of them has its own parameters
        varied.add("kernel_params")
    used = {name for setting in tried for name in DEFAULTS
            if not unused(name, {**settings, **setting})} - varied - WAY
    if validation is not None:
        compared = [("Treebank", validation.name),
                    ("Sentences", f"{len(validation):,}")]
    else:
        compared = forms["Validation"].described(
            settings, ["folds" if settings["evaluation"] == "folds" else "share"])
    return {
        "Grid": [("C", ", ".join(f"{C:g}" for C in grid["C"])
                  + (", until the training loss no longer improves"
                     if settings["stop_raising"] else "")),
                 *forms["Compare"].described(settings["varied"], varied)],
        "Parser": described_settings(
            [form for name, form in forms.items() if name != "Compare"], settings, used),
        "Validation": compared + forms["Validation"].described(settings, WAY)}
