"""Workflows written as notebooks."""
import json

import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.__main__ import main
from orange_structpred.evaluation import score_table
from orange_structpred.export import read_workflow
from orange_structpred.export.notebook import plain_markdown, write_notebook
from orange_structpred.tables.sampling import sample
from tests.data import ROOT
from tests.export.scripts import check_notebook
from tests.export.toy import LOAD, MOSAIC, TRAIN, workflow

EXAMPLES = sorted((ROOT / "workflows").glob("*.ows"))


def cells_of(notebook, kind):
    return ["".join(cell["source"]) for cell in json.loads(notebook.text)["cells"]
            if cell["cell_type"] == kind]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path):
    notebook = write_notebook(read_workflow(path))
    assert notebook.missing == []
    check_notebook(notebook)


def test_jupyter_reads_it():
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(
        write_notebook(read_workflow(EXAMPLES[0])).text, as_version=4))


def test_it_runs(tmp_path, capsys):
    path = tmp_path / "first.ipynb"
    assert main(["export", str(EXAMPLES[0]), "-o", str(path)]) == 0
    content = json.loads(path.read_text(encoding="utf-8"))
    values = {}
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), values)   # our own code, see test_hostile
            if "parameters" in cell["metadata"].get("tags", ()):
                values["SEED"] = 1
    training, rest = sample(load_bundled("en"), 0.8, random_state=43)
    parsed = ParserLearner(order=1, solver="bcfw", random_state=1)(training)(rest)
    assert capsys.readouterr().out == score_table(parsed) + "\n"


def test_parameters_are_in_a_cell_of_their_own(tmp_path):
    (tmp_path / "a.conllu").touch()
    notebook = write_notebook(workflow(
        [(LOAD, "Data", {"source": "file", "relative_path": "a.conllu"}),
         (TRAIN, "Train", {"C": 10.0})], [(0, "Treebank", 1, "Treebank")],
        folder=tmp_path))
    imports, parameters, *rest = cells_of(notebook, "code")
    assert imports.endswith(
        "HERE = Path.cwd()   # Jupyter starts in the notebook's folder")
    assert parameters.splitlines() == [
        'DATA = HERE / "a.conllu"  # the file of Data', "C = 10.0  # C for Train",
        "SEED = 0  # a number to add to all seeds of the workflow"]
    assert rest == ["data = Treebank.from_file(DATA)",
                    "train = ParserLearner(C=C, random_state=SEED)(data)"]


def test_titles_are_words():
    title = '![x](http://a.b/c.png) <script>alert(1)</script> $x$ `y` *z* _u_ \n# v'
    notebook = write_notebook(workflow([(LOAD, title, {}), (MOSAIC, title, {})],
                                       title=title))
    check_notebook(notebook)
    assert len(notebook.missing) == 1
    assert plain_markdown("Tags, Words") == "Tags, Words"
    assert plain_markdown("<b>") == r"\<b\>"


def test_a_variable_without_capital_letters():
    notebook = write_notebook(workflow([(LOAD, "名前", {})]))
    check_notebook(notebook)
