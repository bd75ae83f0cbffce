import numpy as np

from orange_structpred.problems.graphs.examples import (
    load_digit_grids,
    make_blocks,
    make_letters,
    make_snakes,
)


def test_example_grids():
    for make, n_labels in ((make_blocks, 3), (make_letters, 2), (load_digit_grids, 2),
                           (make_snakes, 11)):
        X, y = make(5, random_state=1)
        assert len(X) == len(y) == 5
        for x, labels in zip(X, y):
            assert x.shape[:2] == labels.shape
            assert set(np.unique(labels)) <= set(range(n_labels))
        again = make(5, random_state=1)
        assert all(map(np.array_equal, X, again[0])) and all(map(np.array_equal, y, again[1]))


def test_snakes_are_connected():
    for labels in make_snakes(10)[1]:
        places = [np.argwhere(labels == number)[0] for number in range(1, 11)]
        assert (np.abs(np.diff(places, axis=0)).sum(axis=1) == 1).all()
