"""Gradients by differences, for comparison."""
import numpy as np

STEP = 1e-5


def assert_gradients(weights, loss, gradients, inputs=()):
    """Compare each single gradient with a difference quotient.

    loss : function without arguments, of the weights and inputs as they are
    gradients : adds to the gradients of the weights; returns those of the inputs
    """
    weights.gradients[:] = 0
    found = gradients()
    for array, gradient in [(weights.values, weights.gradients), *zip(inputs, found)]:
        flat = array.reshape(-1)
        expected = np.empty(flat.size)
        for k in range(flat.size):
            value = flat[k]
            flat[k] = value + STEP
            above = loss()
            flat[k] = value - STEP
            expected[k] = (above - loss()) / (2 * STEP)
            flat[k] = value
        np.testing.assert_allclose(gradient.reshape(-1), expected, rtol=1e-5, atol=2e-6)
