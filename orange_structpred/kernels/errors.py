"""What can go wrong with an input kernel, said so that the cause is found."""
from __future__ import annotations


class KernelError(ValueError):
    """A kernel, its parameters or its values are not what a kernel must be."""


class TooLarge(KernelError, MemoryError):
    """What would not fit into the memory that is free."""


def describe(x: object, place: int) -> str:
    """An input in a message: its place, its id and how it begins."""
    text = str(getattr(x, "text", x))
    text = text if len(text) <= 40 else text[:37] + "..."
    sent_id = getattr(x, "sent_id", "")
    return f"sentence {place + 1} ({sent_id + ': ' if sent_id else ''}{text!r})"


def describe_pair(rows, columns, i: int, j: int) -> str:
    """The pair of inputs that a faulty kernel value belongs to."""
    return f"{describe(rows[i], i)} and {describe(columns[j], j)}"
