"""The best alpha of the outputs of one block, compiled."""
import numpy as np

from orange_structpred.running.compiler import njit

ENOUGH = 0.01       # share of the first difference at which the steps end


@njit(nogil=True, cache=True)
def best_alpha(gram, violations, alpha, scale):
    """The alpha that makes the dual largest while all other blocks stay as they are.

    Pairwise Frank-Wolfe steps (Lacoste-Julien and Jaggi, 2015): weight moves from
    the least violated output that has some to the most violated one, as far as the
    dual grows. With w = w' + scale * sum of alpha * a(y), a change of alpha changes
    the violations by -scale * gram times it.
    """
    violations, alpha = violations.copy(), alpha.copy()
    first = 0.
    for step in range(20 * alpha.size):
        most = np.argmax(violations)
        least = -1
        for k in range(alpha.size):
            if alpha[k] > 0 and (least < 0 or violations[k] < violations[least]):
                least = k
        difference = violations[most] - violations[least]
        if step == 0:
            first = difference
        if difference <= ENOUGH * first:
            break
        length = scale * (gram[most, most] + gram[least, least]
                          - 2 * gram[most, least])
        moved = alpha[least]
        if difference < length * moved:
            moved = difference / length
            alpha[least] -= moved
        else:
            alpha[least] = 0
        alpha[most] += moved
        for k in range(alpha.size):
            violations[k] -= scale * moved * (gram[k, most] - gram[k, least])
    return alpha
