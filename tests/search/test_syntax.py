"""Patterns are read, and errors point at the character that is wrong."""
import doctest
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred.search import PatternError, parse_pattern
from orange_structpred.search.pattern import EdgeClause, FeatureTest, NodeClause, Value


def test_nodes_edges_and_order():
    pattern = parse_pattern("""
        % passives
        pattern { V [upos=VERB, Tense]|[upos=AUX]; e: V -[nsubj:pass|csubj:*]-> N;
                  V << N; A ->> N; V.lemma = N.lemma; A.form = "a b" }
        without { V -[1=obj, !2]-> * }
        global { is_projective }""")
    assert pattern.nodes == ["V", "N", "A"]
    assert pattern.block.nodes[0] == NodeClause("V", (
        (FeatureTest("upos", (Value("VERB"),)), FeatureTest("Tense")),
        (FeatureTest("upos", (Value("AUX"),)),)))
    assert pattern.edges == {"e": EdgeClause("V", "N", (FeatureTest(
        "deprel", (Value("nsubj:pass"), Value("csubj:", "prefix"))),), "e")}
    assert pattern.block.edges[1] == EdgeClause("A", "N", is_path=True)
    assert pattern.block.nodes[1] == NodeClause(
        "A", ((FeatureTest("form", (Value("a b"),)),),))
    (must, block), = pattern.conditions
    assert not must
    assert block.edges == [EdgeClause("V", "*", (
        FeatureTest("deprel.1", (Value("obj"),)), FeatureTest("deprel.2", None, True)))]
    assert pattern.properties == [("projective", True)]


@pytest.mark.parametrize("text, same", [
    ("upos=VERB rel=obj", "W [upos=VERB, deprel=obj]"),
    ("UPOS=VERB, Number[psor]=Sing", "W [upos=VERB, Number[psor]=Sing]"),
    ("!Tense & lemma<>be|have", "W [!Tense, lemma<>be|have]"),
    ("rel=obj head.lemma=see", "W [rel=obj]; H [lemma=see]; H -> W"),
    ('form=";"', 'W [form=";"]'), ("form=/[<>]/", "W [form=/[<>]/]"),
    # as word processors write quotes; one alone is a word
    ("V [lemma=“be”, form=„ist so“]", 'V [lemma="be", form="ist so"]'),
    ("form=re“i.*”", 'W [form=re"i.*"]'), ("form=«a b»", 'W [form="a b"]'),
    ("form=“|” lemma=«", 'W [form="“"|"”", lemma="«"]'),
    ("V[upos=VERB];V->N", "pattern { V [ upos = VERB ] ; V -> N ; }"),
    ("A < B", "pattern{A<B}"), ("A > B", "B < A;"),
    ("V -[^obj]-> N without { N [] }", "match {V -[^obj]-> N} without {N []}")])
def test_two_ways_to_write_it(text, same):
    first, second = parse_pattern(text), parse_pattern(same)
    assert first.conditions == second.conditions
    assert sorted(first.block.names) == sorted(second.block.names)
    assert (first.block.edges, first.block.orders) == (
        second.block.edges, second.block.orders)
    assert str(first.block.nodes).replace(" ", "") == str(second.block.nodes).replace(
        " ", "") or _without_positions(first) == _without_positions(second)


def _without_positions(pattern):
    return [(node.name, [[(own.key, own.negated, own.values and [
        (value.text, value.kind) for value in own.values]) for own in tests]
        for tests in node.alternatives]) for node in pattern.block.nodes]


@pytest.mark.parametrize("text, reason, line, column", [
    ("", "the pattern is empty", 1, 1),
    ("pattern { V [upos=] }", "found ']', expected a value", 1, 19),
    ("pattern { V [upos=VERB }", "expected ',' or ']'", 1, 24),
    ("pattern {\n  V -[obj]- N }", "found '-', expected ->", 2, 11),
    ("pattern { V -[obj]-> }", "expected the name of a node", 1, 22),
    ("pattern { V [upos=VERB]", "expected ; or }", 1, 24),
    ("pattern { V [] } pattern { N [] }", "more than one pattern", 1, 18),
    ("pattern { V [] } foo { N [] }", "expected pattern {", 1, 18),
    ("pattern { * -> * }", "needs a node", 1, 13),
    ("pattern { * [] }", "* can only stand", 1, 11),
    ("pattern { V -> V }", "its own head", 1, 13),
    ("pattern { V << V }", "before itself", 1, 13),
    ("pattern { }", "no node to look for", 1, 1),
    ("without { V [] }", "no node to look for", 1, 1),
    ('pattern { V [form="a] }', 'closing " is missing', 1, 19),
    ('pattern { V [form=re"a(b"] }', "group is not closed", 1, 25),
    ("form=/a**/ form=/(/", "group is not closed", 1, 19),
    ("upos=VERB =", "expected a condition", 1, 11),
    ("pattern { e: V -> N; e: V -> M }", "two edges called e", 1, 27),
    ("pattern { V: V -> N }", "V is the name of a node and of an edge", 1, 1),
    ("pattern { e: V -> N; e.foo = e.label }", "keys label, 1 and 2, not foo", 1, 24),
    ("pattern { V -[obj]->> N }", "a path ->> has no label", 1, 13),
    ("pattern { V [] } global { is_round }", "unknown property 'is_round'", 1, 27),
    ("V [] foo", "found 'foo', expected ;", 1, 6),
    ("; ".join(f"N{i} []" for i in range(13)), "at most 12", 1, 1),
    ("A []; " * 101, "more than 100 clauses", 1, 601),
    ("x" * 10_001, "at most 10,000", 1, 10_001)])
def test_errors_point_at_the_column(text, reason, line, column):
    with pytest.raises(PatternError) as caught:
        parse_pattern(text)
    assert reason in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"column {column}" in str(caught.value)


@given(st.text(st.sampled_from('VN[]{}=<>|,;:*->"/!^.$ \nab1eupos%()+\\'), max_size=40))
def test_any_text_is_a_pattern_or_a_pattern_error(text):
    try:
        pattern = parse_pattern(text)
    except PatternError as error:
        assert 0 <= error.position <= len(text)
    else:
        assert pattern.nodes


@pytest.mark.parametrize("module", [
    "search.edit_commands", "search.figures", "search.find", "search.mass_edit",
    "search.regular", "search.syntax", "treebank.web_page"])
def test_examples_of_docstrings(module):
    failed, tried = doctest.testmod(import_module(f"orange_structpred.{module}"))
    assert tried and not failed
