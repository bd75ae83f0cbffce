"""Weights in few bytes."""
import numpy as np
import pytest

from orange_structpred.parsing.packing import (
    TINY_WEIGHT,
    pack_weights,
    thin_out,
    unpack,
)


@pytest.mark.parametrize("size", [1, 2**-13 / TINY_WEIGHT, 1e-11, 1e-4, 1e5, 1e12])
@pytest.mark.parametrize("shape", [(64,), (7, 5), (1,)])
def test_nothing_more_is_lost(shape, size):
    weights = (size * np.random.default_rng(0).normal(size=shape)).astype(np.float32)
    thin = thin_out(weights)
    assert np.array_equal(unpack(pack_weights(thin, "my_"), shape, "my_"), thin)
    kept = thin != 0
    assert np.all(np.abs(weights[~kept]) < TINY_WEIGHT * weights.std())
    np.testing.assert_allclose(thin[kept], weights[kept], rtol=1e-3)


def test_damaged_arrays():
    arrays = pack_weights(thin_out(np.random.default_rng(0).normal(size=40)))
    for name, array, message in (
            ("present", arrays["present"][:-1], "expected 40"),
            ("values", arrays["values"][:-1], "found .* weights, expected")):
        with pytest.raises(ValueError, match=message):
            unpack({**arrays, name: array}, (40,))


def test_weights_of_usual_size_have_no_scale():
    weights = np.random.default_rng(0).normal(size=40).astype(np.float32)
    assert sorted(pack_weights(thin_out(weights))) == ["present", "values"]
    assert sorted(pack_weights(thin_out(weights * 1e6))) == ["present", "scale", "values"]
    assert not thin_out(np.zeros(3, np.float32)).any()
