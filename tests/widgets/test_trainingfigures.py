from orange_structpred.svm import Report
from orange_structpred.widgets.trainingfigures import figure_texts


def test_figures():
    within = figure_texts(Report(2, 0.15, 3.0, 7, gap=0.125), 10)
    assert within == {"pass": "2 of 10", "seconds": "3.0 s", "gap": "≈ 0.1250",
                      "left": "17 s"}
    end = figure_texts(Report(10, 1.0, 90.0, 7, gap=0.01, loss=0.0625, norm=2.5,
                              certified=True), 10)
    assert end == {"pass": "10 of 10", "seconds": "1:30 min", "gap": "0.0100",
                   "loss": "6.25%", "norm": "2.5", "left": "0.0 s"}
