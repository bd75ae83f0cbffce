"""Which inputs of a widget are connected, and which of them have nothing to give yet."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from AnyQt.QtCore import QEvent
from Orange.data import Table
from Orange.widgets.widget import Msg
from orangecanvas.scheme import SchemeLink
from orangecanvas.scheme.events import WorkflowEvent

from orange_structpred.widgets.common.phrases import sentence

Read = TypeVar("Read")


class InputLinks:
    """A widget that says what it waits for, in its window and below its node.

    The window follows from `waiting_text` and `missing_text`, to be shown anew in
    `links_changed`. Below the node it is said whenever there is nothing else to say.
    """

    _links: tuple[SchemeLink, ...] = ()
    _said_below_node = ""

    def customEvent(self, event: QEvent) -> None:
        if event.type() == WorkflowEvent.InputLinkAdded:
            self._links = (*self._links, event.link())
        elif event.type() == WorkflowEvent.InputLinkRemoved:
            self._links = tuple(link for link in self._links
                                if link is not event.link())
        super().customEvent(event)
        if event.type() in (WorkflowEvent.InputLinkAdded,
                            WorkflowEvent.InputLinkRemoved,
                            WorkflowEvent.InputLinkStateChange):
            if self.statusMessage() == self._said_below_node:
                self.setStatusMessage("")
            self.links_changed()

    def setStatusMessage(self, text: str) -> None:
        waiting = "" if text else self.waiting_text().rstrip(".")
        if not text:
            self._said_below_node = waiting
        super().setStatusMessage(text or waiting)

    def links_changed(self) -> None:
        """There may be something else to say in the window."""

    def awaited(self) -> dict[str, list[str]]:
        """For each input that is connected to widgets with no output yet, their titles."""
        awaited: dict[str, list[str]] = {}
        for link in self._links:
            if link.is_enabled() and not link.runtime_state() & SchemeLink.Active:
                titles = awaited.setdefault(link.sink_channel.name, [])
                titles.append(link.source_node.title)
        return awaited

    def waiting_text(self, *inputs: str) -> str:
        """A sentence on what is waited for, over these inputs or all; "" if nothing is."""
        parts = [f"{with_article(name)} from {' and '.join(titles)}"
                 for name, titles in self.awaited().items()
                 if not inputs or name in inputs]
        return f"Waiting for {' and '.join(parts)}." if parts else ""

    def missing_text(self, missing: Sequence[str]) -> str:
        """What is waited for, and what has to be connected or chosen.

        missing : inputs as they are said, such as "a parser" and "data with text", or
            "choose…"
        """
        names = {what: what.removeprefix("a ").split()[0].capitalize()
                 for what in missing}
        awaited = self.awaited()
        waiting = [name for name in names.values() if name in awaited]
        texts = [self.waiting_text(*waiting)] if waiting else []
        others = " and ".join(what for what, name in names.items()
                              if name not in awaited)
        if others:
            verb = "" if others.startswith("choose ") else "Connect "
            texts.append(sentence(f"{verb}{others}."))
        return " ".join(texts)


def with_article(input_name: str) -> str:
    name = input_name.lower()
    if name in ("first", "second"):
        return f"the {name} treebank"
    return name if name == "data" else f"a {name}"


def read_input(data: Table | None, message: Msg, read: Callable[[Table], Read]
               ) -> Read | None:
    """What is read from an input; None if there is no input, or if a message says why it
    is not a treebank."""
    message.clear()
    try:
        return None if data is None else read(data)
    except ValueError as error:
        message(sentence(error))
        return None
