"""A script or a notebook, as the name of a file says."""
from __future__ import annotations

import os

from orange_structpred.export import Workflow
from orange_structpred.export.notebook import write_notebook
from orange_structpred.export.script import write_script
from orange_structpred.export.writer import Script

NOTEBOOK = ".ipynb"


def write_as(name: str, workflow: Workflow, *, folder: str | os.PathLike | None = None
             ) -> Script:
    """What belongs into a file of this name: a notebook (.ipynb), else a script."""
    form = write_notebook if name.lower().endswith(NOTEBOOK) else write_script
    return form(workflow, folder=folder)
