"""Tables of ours that are taken for a treebank."""
import pytest

from orange_structpred.evaluation import score_treebanks
from orange_structpred.learner import training_log
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.columns import OTHER_TABLES
from orange_structpred.tuning.curves import LearningCurve
from orange_structpred.tuning.results import Tuning
from tests.treebank.toy import treebank

CURVE = LearningCurve(["Mine"], {"Mine": "UAS"}, [1], [0])
TABLES = {"a training log": [training_log([])],
          "a table of scores": [score_treebanks().table()],
          "a learning curve": [CURVE.to_table(), CURVE.results_table()],
          "a table of tuning results": [Tuning(treebank([]), {}).to_table()]}


@pytest.mark.parametrize("what", OTHER_TABLES)
def test_they_are_named(what):
    for table in TABLES[what]:
        table.name = "mine"
        with pytest.raises(ValueError, match=f"^'mine' is {what}, not a treebank. Connect "
                                             "a treebank, .* Apply Parser"):
            Treebank.from_table(table)
