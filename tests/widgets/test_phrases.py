from orange_structpred.widgets.phrases import duration


def test_durations():
    assert [duration(s) for s in (0.04, 9.94, 59.4, 61, 3599, 3600, 7320)] == [
        "0.0 s", "9.9 s", "59 s", "1:01 min", "59:59 min", "1:00 h", "2:02 h"]
