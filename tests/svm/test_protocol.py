"""Solvers know a problem by what `Problem` declares, and nothing of language."""
import ast
from pathlib import Path

import numpy as np
import pytest

import orange_structpred.svm
from orange_structpred.errors import InputError
from orange_structpred.svm import ALL_SOLVERS, BCFW, KERNEL_SOLVERS, MIRA, OneSlack
from orange_structpred.svm.weighted import WeightedProblem
from tests.svm.toy import chains, classes

MODULES = sorted(Path(orange_structpred.svm.__file__).parent.rglob("*.py"))
NAMES_OF_PROBLEMS = ("problem", "examples", "whole")
#: What only parsers have
WORDS_OF_PARSERS = ("relation", "labelled", "treebank", "dependency tree", "deprel")


def names(node: ast.expr) -> str:
    """The last name of a variable or attribute."""
    return getattr(node, "id", getattr(node, "attr", ""))


def introspections(tree: ast.AST) -> list[str]:
    """Where code asks what kind of problem it has, or sets an attribute of one."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and names(node.func) in (
                "hasattr", "setattr", "getattr", "isinstance"):
            of_problem = node.args and names(node.args[0]) in NAMES_OF_PROBLEMS
            if names(node.func) == "hasattr" or of_problem:
                found.append(ast.unparse(node))
        if isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
            found.append(ast.unparse(node))
        for target in (getattr(node, "targets", None) or [getattr(node, "target", None)]):
            if isinstance(target, ast.Attribute) \
                    and names(target.value) in NAMES_OF_PROBLEMS:
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_asks_what_kind_of_problem_it_has(path):
    assert introspections(ast.parse(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("code, found", [
    ("hasattr(x, 'y')", 1), ("isinstance(self.problem, Chains)", 1),
    ("problem.loss = 3", 1), ("type(problem).loss is Problem.loss", 1),
    ("self.problem = problem", 0), ("isinstance(model, Linear)", 0)])
def test_what_is_found(code, found):
    assert len(introspections(ast.parse(code))) == found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_knows_relations(path):
    text = path.read_text(encoding="utf-8").lower().replace("unlabelled", "")
    assert [word for word in WORDS_OF_PARSERS if word in text] == []


def test_weights_of_examples():
    problem = classes()
    assert problem.unweighted() is problem
    np.testing.assert_array_equal(problem.example_weights(), np.ones(len(problem)))
    weights = np.arange(1., len(problem) + 1)
    weighted = WeightedProblem(problem, weights)
    assert weighted.unweighted() is problem
    np.testing.assert_allclose(weighted.example_weights(), weights / weights.mean())


@pytest.mark.parametrize("name", sorted(set(ALL_SOLVERS) - set(KERNEL_SOLVERS)))
def test_measures_are_means_over_the_predictions(name):
    problem, seen = chains(), []

    def measure(i, y):
        seen.append(problem.example_loss(i, y))
        return 2 * seen[-1]

    reports = ALL_SOLVERS[name](passes=3).solve(
        problem, measures={"twice": measure}).reports
    assert seen
    for report in reports:
        assert report.further == {"twice": pytest.approx(2 * report.loss)}


def test_a_start_of_another_kind_is_refused():
    problem = classes()
    for solver, other in ((BCFW, MIRA), (MIRA, OneSlack), (OneSlack, BCFW)):
        start = other(passes=1).solve(problem)
        with pytest.raises(InputError, match="start from one of the same solver"):
            solver(passes=1).solve(problem, start=start)
