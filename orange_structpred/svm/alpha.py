"""The best alpha of the outputs of one block, compiled."""
from orange_structpred.running.compiler import njit

ENOUGH = 0.01       # share of the first difference at which the steps end


@njit(nogil=True, cache=True)
def improve_alpha(gram, violations, alpha, scale):
    """Make alpha the one with the largest dual while all other blocks stay as they are.

    Pairwise Frank-Wolfe steps (Lacoste-Julien and Jaggi, 2015): weight moves from
    the least violated output that has some to the most violated one, as far as the
    dual grows. With w = w' + scale * sum of alpha * a(y), a change of alpha changes
    the violations by -scale * gram times it.

    Only differences of violations matter, so products of phi(x, y) do as well as those
    of a(y) = phi(x, y_i) - phi(x, y): they change all violations by the same number.

    gram : <a(y), a(y')> or <phi(x, y), phi(x, y')>
    violations : of the outputs; overwritten
    alpha : changed in place
    """
    first = 0.
    for step in range(20 * alpha.size):
        most = least = -1
        for k in range(alpha.size):
            if most < 0 or violations[k] > violations[most]:
                most = k
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


@njit(nogil=True, cache=True)
def best_alpha(gram, violations, alpha, scale):
    """`improve_alpha` of a copy."""
    alpha = alpha.copy()
    improve_alpha(gram, violations.copy(), alpha, scale)
    return alpha
