"""The signs of a pattern, read from left to right, and what is wrong with them."""
from __future__ import annotations

import re

from orange_structpred.errors import InputError
from orange_structpred.search.pattern import Value
from orange_structpred.search.regular import RegularExpression, RegularExpressionError

BLANKS = re.compile(r"(?:\s|%[^\n]*)*")
BARE_VALUE = re.compile(r"""[^\s\[\]{}|,;"=<>&^]+""")
#: a value in the quotes of word processors; one alone is a value itself
TYPOGRAPHIC = re.compile(r"""[“”„‟«»]([^\s“”„‟«»\[\]{}|,;"=<>&^]
    (?:[^\n“”„‟«»\[\]{}|,;"=<>&^]*))[“”‟«»]""", re.VERBOSE)
TYPOGRAPHIC_EXPRESSION = re.compile("re[“”„‟«»]([^\n“”„‟«»]+)[“”‟«»]")


class PatternError(InputError):
    """A pattern that cannot be read.

    Attributes
    ----------
    reason : what is wrong
    text : the pattern
    position : index of the character at which it is wrong
    source : what the text is, a pattern or commands
    """

    def __init__(self, reason: str, text: str, position: int, source: str = "pattern"):
        super().__init__(reason, text, position, source)
        self.reason, self.text, self.position = reason, text, position
        self.source = source

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.position) + 1

    @property
    def column(self) -> int:
        return self.position - (self.text.rfind("\n", 0, self.position) + 1) + 1

    def __str__(self) -> str:
        line = f"line {self.line}, " if "\n" in self.text else ""
        return f"{self.source}, {line}column {self.column}: {self.reason}"


class PatternScanner:
    """A place in a text, and what may follow there."""

    source = "pattern"      # what errors call the text

    def __init__(self, text: str):
        self.text, self.position = text, 0

    def error(self, reason: str, position: int | None = None) -> PatternError:
        return PatternError(
            reason, self.text, self.position if position is None else position,
            self.source)

    def expected(self, what: str) -> PatternError:
        return self.error(f"found {self.here()}, expected {what}")

    def here(self) -> str:
        rest = self.text[self.position:].split()
        return repr(rest[0][:20]) if rest else "the end"

    def space(self) -> None:
        match = BLANKS.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def accept(self, sign: str) -> bool:
        """Whether a sign is next; then it is read, with the space after it."""
        if not self.text.startswith(sign, self.position):
            return False
        self.position += len(sign)
        self.space()
        return True

    def require(self, sign: str, what: str = "") -> None:
        if not self.accept(sign):
            raise self.expected(what or sign)

    def take(self, form: re.Pattern[str], what: str) -> str:
        match = form.match(self.text, self.position)
        if match is None:
            raise self.expected(what)
        self.position = match.end()
        self.space()
        return match[0]

    def values(self) -> tuple[Value, ...]:
        values = [self.value()]
        while self.accept("|"):
            values.append(self.value())
        return tuple(values)

    def value(self) -> Value:
        start = self.position
        if self.text.startswith('"', start):
            return Value(self.quoted('"'), position=start)
        if self.text.startswith('re"', start):
            self.position += 2
            return self.expression(self.quoted('"'), False, start + 3)
        if self.text.startswith("/", start):
            text = self.quoted("/")
            ignore_case = self.text[self.position:self.position + 1] == "i"
            self.position += ignore_case
            self.space()
            return self.expression(text, ignore_case, start + 1)
        if quoted := TYPOGRAPHIC.match(self.text, start):
            self.take(TYPOGRAPHIC, "a value")
            return Value(quoted[1], position=start)
        if quoted := TYPOGRAPHIC_EXPRESSION.match(self.text, start):
            self.take(TYPOGRAPHIC_EXPRESSION, "a value")
            return self.expression(quoted[1], False, quoted.start(1))
        text = self.take(BARE_VALUE, "a value")
        if text.endswith("*"):
            return Value(text[:-1], "prefix", position=start)
        return Value(text, position=start)

    def quoted(self, quote: str) -> str:
        """What stands between two quotes; a backslash before a quote keeps it."""
        start, signs = self.position, []
        self.position += 1
        while not self.text.startswith(quote, self.position):
            if self.at_end():
                raise self.error(f"the closing {quote} is missing", start)
            self.position += self.text.startswith(("\\" + quote), self.position)
            signs.append(self.text[self.position])
            self.position += 1
        self.position += 1
        if quote == '"':
            self.space()
        return "".join(signs)

    def expression(self, text: str, ignore_case: bool, start: int) -> Value:
        try:
            compiled = RegularExpression(text, ignore_case=ignore_case)
        except RegularExpressionError as error:
            raise self.error(str(error), min(start + error.position, len(self.text))
                             ) from error
        return Value(("(?i)" if ignore_case else "") + text, "re", compiled, start)
