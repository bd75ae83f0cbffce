"""The campaign in short; `make test-hostile` is the long one."""
from importlib import import_module

import pytest

from tests.hostile.__main__ import CAMPAIGNS, main
from tests.hostile.worker import generator


@pytest.mark.parametrize("name, cases", [("conll", 30), ("workflows", 20), ("downloads", 3)])
def test_some_cases_of_those_that_train_nothing(name, cases, tmp_path):
    campaign = import_module(f"tests.hostile.{name}")
    state = campaign.prepare(tmp_path)
    for case in range(cases):
        campaign.case(state, generator(name, 1, case))
    if hasattr(campaign, "finish"):
        campaign.finish(state)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_each_campaign_has_its_parts(name):
    campaign = import_module(f"tests.hostile.{name}")
    assert callable(campaign.prepare) and callable(campaign.case)


@pytest.mark.slow
def test_some_cases_of_each_campaign(capsys):
    assert main(["--cases", "2000", "--seed", "1"]) == 0, capsys.readouterr().out
