"""What the loss of an output asks for: a margin, or a multiple of a slack."""
from __future__ import annotations

from orange_structpred.kinds import one_of_names
from orange_structpred.svm.solver import Solver


class RescalingSolver(Solver):
    """A solver with the four formulations of Tsochantaridis et al. (2005).

    Parameters
    ----------
    rescaling : "margin" or "slack", default="margin"
        Whether the loss L is what the margin must be, or what the slack is divided by
    penalty : "linear" or "quadratic", default="linear"
        C/n * sum of slacks, or C/2n * sum of their squares with sqrt(L) in place of L

    The other parameters are those of `Solver`.
    """

    own_options = ("rescaling", "penalty")

    def __init__(self, *, rescaling: str = "margin", penalty: str = "linear", **options):
        super().__init__(**options)
        self.rescaling, self.penalty = rescaling, penalty

    @property
    def formulation(self) -> str:
        return f"{self.rescaling} {self.penalty}"

    def check(self):
        super().check()
        one_of_names(("margin", "slack")).check("rescaling", self.rescaling)
        one_of_names(("linear", "quadratic")).check("penalty", self.penalty)

    def requirement(self, loss: float) -> tuple[float, float]:
        """Margin and scale of an output's constraint, <w, a(y)> >= margin - slack / scale."""
        if self.penalty == "quadratic":
            loss = loss**0.5
        return (loss, 1.) if self.rescaling == "margin" else (1., loss)

    def fingerprint(self, problem):
        return f"{self.formulation} {super().fingerprint(problem)}"
