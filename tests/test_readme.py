"""The README's example of the library runs as it stands there."""
import re
from runpy import run_path

from orange_structpred.treebank import write_conll
from tests.data import ROOT
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED


def test_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_conll([*GOLD, CROSSED], "dev.conllu")
    write_conll([*PREDICTED, CROSSED], "parsed.conllu")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example, = re.findall("```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    names = run_path(script)
    assert names["first"].uas == 16 / 18
    assert names["chain"].uas == 2 / 18
    assert "UAS 0.8889\n" in capsys.readouterr().out
