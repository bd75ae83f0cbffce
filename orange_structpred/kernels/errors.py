"""Errors of input kernels, with messages that point to the cause."""
from __future__ import annotations

from orange_structpred.errors import InputError


class KernelError(InputError):
    """A kernel, its parameters or its values are invalid."""


class TooLarge(KernelError, MemoryError):
    """Something that does not fit into the available memory."""


def describe(x: object, place: int) -> str:
    """An input in a message: its number, its id and its first words."""
    text = str(getattr(x, "text", x))
    text = text if len(text) <= 40 else text[:37] + "..."
    sent_id = getattr(x, "sent_id", "")
    return f"sentence {place + 1} ({sent_id + ': ' if sent_id else ''}{text!r})"


def describe_pair(rows, columns, i: int, j: int) -> str:
    """The pair of inputs that a faulty kernel value belongs to."""
    return f"{describe(rows[i], i)} and {describe(columns[j], j)}"
