from orange_structpred.widgets.common.phrases import duration, elided


def test_durations():
    assert [duration(s) for s in (0.04, 9.94, 59.4, 61, 3599, 3600, 7320)] == [
        "0.0 s", "9.9 s", "59 s", "1:01 min", "59:59 min", "1:00 h", "2:02 h"]


def test_long_texts_lose_their_middle():
    assert elided("0123456789", 10) == "0123456789"
    assert elided("0123456789", 9) == "0123…6789"
    assert elided("0123456789", 6) == "01…789"
