"""The campaign in short; `make test-hostile` is the long one."""
from tests.hostile.__main__ import main


def test_two_thousand_cases(capsys):
    assert main(["--cases", "2000", "--seed", "1"]) == 0, capsys.readouterr().out
