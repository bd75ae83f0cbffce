"""What is wrong with a pattern or with commands, and where."""
from __future__ import annotations

from orange_structpred.errors import InputError


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
