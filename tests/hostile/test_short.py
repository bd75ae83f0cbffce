"""The campaign in short; `make test-hostile` is the long one."""
import pytest

from tests.hostile.__main__ import main


@pytest.mark.parametrize("cases", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_some_cases_of_each_campaign(capsys, cases):
    assert main(["--cases", str(cases), "--seed", "1"]) == 0, capsys.readouterr().out
