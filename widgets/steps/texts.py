"""What Learning Steps says of steps, working sets and risks."""
from __future__ import annotations

import numpy as np

from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.steps.tasks import Risk, Walk

NO_GAP = 1e-9       # what is left of one when numbers are rounded
TREE_TITLES = {"mira": "most violated", "one-slack": "most violated",
               "perceptron": "predicted"}


def step_text(walk: Walk, solver: str) -> str:
    """The step in sentences."""
    step = walk.shown
    tree = f"{TREE_TITLES[solver]} tree"
    wrong = plural(step.wrong, "wrong head", "wrong heads")
    if not step.wrong:
        return (f"<b>The {tree} is the gold tree:</b> there is nothing to learn from this "
                f"sentence. {plural(len(walk.taken), 'step', 'steps')} so far.")
    asked = {"mira": f"MIRA asks for {step.required:g}, one for each wrong head",
             "one-slack": f"the loss asks for {step.required:.3f}, the share of wrong "
             "heads", "perceptron": "it should be above 0"}[solver]
    text = (f"<b>The {tree} has {wrong}.</b> The gold tree is ahead of it by "
            f"{step.before:.4g}; {asked}. ")
    if not walk.done:
        return text + "<b>Step</b> learns from it."
    if not np.isnan(step.length):
        text += (f"So w moves by <b>{step.length:.4g}</b> times the difference of their "
                 f"features (squared length {step.squared_norm:,.0f}), and ")
    else:
        text += "With the new plane, the quadratic program has another solution, and "
    return text + (f"the gold tree is ahead by <b>{step.after:.4g}</b>. Wrong heads of "
                   f"the prediction: {step.predicted_before}, now "
                   f"<b>{step.predicted_after}</b>.")


def planes_text(walk: Walk) -> str:
    reports = walk.steps.steps.reports
    if not reports:
        return "The working set is empty, and w is 0. A step adds the first plane."
    last = reports[-1]
    return (f"Before the last step: primal {last.primal:.4g}, dual {last.dual:.4g}, gap "
            f"{last.gap:.4g}. Each plane is the mean of the most violated trees of all "
            "sentences; w is the sum of α times its vector, and the α sum to at most "
            "C.")


def risk_text(risk: Risk | None) -> str:
    if risk is None:
        return ""
    text = ("A parser with a single weight: the score of a tree is w times one feature. "
            "Its mean hinge loss is convex, and each cutting plane bounds it from below. ")
    if not risk.seen:
        return text + "Step adds the first plane, at w = 0."
    gap, w = risk.steps.reports[-1].gap, float(risk.steps.model.weights()[0])
    planes = plural(len(risk.seen), "plane", "planes")
    if gap < NO_GAP:
        return text + f"{planes}, no gap: w = {round(w, 6):g} is the optimum."
    return text + f"{planes}, gap {gap:.4g}; the next w is {w:.4g}."
