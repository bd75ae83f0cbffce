"""What is wrong with a kernel, in messages that point to the cause."""
from __future__ import annotations

from orange_structpred.errors import InputError
from orange_structpred.running.memory import check_fits


class KernelError(InputError):
    """A kernel, its parameters or its values are invalid."""


def describe_input(x: object, number: int) -> str:
    """An input in a message: its number, its id and its first words."""
    text = str(getattr(x, "text", x))
    text = text if len(text) <= 40 else text[:37] + "..."
    sent_id = getattr(x, "sent_id", "")
    noun = "sentence" if hasattr(x, "forms") else "input"
    return f"{noun} {number + 1} ({sent_id + ': ' if sent_id else ''}{text!r})"


def describe_pair(rows, columns, i: int, j: int) -> str:
    """The pair of inputs that a faulty kernel value belongs to."""
    return f"{describe_input(rows[i], i)} and {describe_input(columns[j], j)}"


def check_inputs(inputs: object) -> None:
    """Raise KernelError for what is no list of inputs."""
    if hasattr(inputs, "forms") or isinstance(inputs, (str, bytes)) or not (
            hasattr(inputs, "__len__") and hasattr(inputs, "__getitem__")):
        raise KernelError(f"found one {type(inputs).__name__}, expected a list of inputs")


def check_gram(rows: int, columns: int) -> None:
    """Raise TooLarge if a Gram matrix of this shape does not fit into memory."""
    check_fits(
        4. * rows * columns, f"the Gram matrix of {rows:,} x {columns:,} inputs",
        "use fewer inputs, or the Nystroem approximation of the kernel, whose "
        "memory grows linearly with the number of inputs")
