import numpy as np
from Orange.data import Table

from orange_structpred.learner import training_log
from orange_structpred.svm import Report


def test_a_row_for_each_pass():
    reports = [
        Report(1, 0.5, 0.25, 3, slack=0.5, norm=2.0, loss=0.125, further={"labelled_loss": 0.25},
               end_of_pass=True),
        Report(2, 1.0, 0.50, 6, primal=0.75, dual=0.5, gap=0.25, slack=0.25, norm=3.0,
               loss=0.0625, certified=True, end_of_pass=True),
        Report(3, 1.0, 1.0, 6, net_loss=1.5, epoch=1, end_of_pass=True)]
    table = training_log(reports, name="mine")
    assert [variable.name for variable in table.domain.variables] == [
        "pass", "primal", "dual", "gap", "slack", "norm", "loss", "seconds",
        "validation loss", "LAS", "net loss"]
    np.testing.assert_array_equal(table.X, [
        [1, np.nan, np.nan, np.nan, 0.5, 2, 0.125, 0.25, np.nan, 0.75, np.nan],
        [2, 0.75, 0.5, 0.25, 0.25, 3, 0.0625, 0.5, np.nan, np.nan, np.nan],
        [3, *6 * [np.nan], 1, np.nan, np.nan, 1.5]])
    assert table.name == "mine"


def test_nothing_was_learned():
    table = training_log([])
    assert isinstance(table, Table)
    assert table.X.shape == (0, 11)
