"""Our regular expressions mean what Python's mean, and never take long."""
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orange_structpred.search.regular import RegularExpression, RegularExpressionError

ATOMS = st.sampled_from([
    "a", "b", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\w", r"\.", r"[\d-]", "[]a]", "1", "",
    "^", "$"])
EXPRESSIONS = st.recursive(ATOMS, lambda own: st.one_of(
    st.lists(own, min_size=1, max_size=3).map("".join),
    st.lists(own, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
    st.tuples(own, st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?"])).map(
        lambda pair: f"(?:{pair[0]}){pair[1]}")), max_leaves=6)


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS, st.lists(st.text("ab1.-", max_size=5), max_size=4))
@example("(^a|b)*", ["ab", "ba", "bb"])
@example("(a*)*", ["", "aa", "b"])
def test_python_agrees(text, strings):
    own, theirs = RegularExpression(text), re.compile(text)
    for string in strings:
        assert own.matches(string) == bool(theirs.fullmatch(string))


def test_case():
    assert RegularExpression("straße[a-c]", ignore_case=True).matches("STRAßEB")
    assert RegularExpression("(?i)ab").matches("AB")
    assert not RegularExpression("ab").matches("AB")


@pytest.mark.parametrize("text", ["(a+)+b", "(a*)*b", "(a|aa)+b", "(.*)*.*x", "a{0,900}b",
                                  "(a|b|ab)*c" * 20])
def test_hostile_expressions_answer(text):
    """Python would need longer than the universe has existed for most of these."""
    assert not RegularExpression(text).matches("a" * 3000)


@pytest.mark.parametrize("text, reason, position", [
    ("a(b", "not closed", 3), ("ab)", "no group to close", 2), ("*a", "nothing before", 0),
    ("[ab", "ends too early", 3), (r"(a)\1", r"\\1 is not supported", 3),
    ("(?=a)", "look-around", 1), ("a{x}", "number of repetitions", 1),
    ("a{3,1}", "wrong order", 1), ("[b-a]", "wrong order", 3), ("a{99999}", "too large", 0),
    ("(" * 50 + ")" * 50, "nested", 31), ("((((a{99}){99}){99}){99})", "too large", 0),
    ("^*", "cannot be repeated", 1)])
def test_what_is_refused(text, reason, position):
    with pytest.raises(RegularExpressionError, match=reason) as caught:
        RegularExpression(text)
    assert caught.value.position == position
