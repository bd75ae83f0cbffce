"""Which inputs of a widget are connected, and to what."""
from __future__ import annotations

from collections.abc import Sequence

from AnyQt.QtCore import QEvent
from orangecanvas.scheme import SchemeLink
from orangecanvas.scheme.events import WorkflowEvent


class InputLinks:
    """A widget that knows its links, whether or not anything has come over them yet."""

    _links: tuple[SchemeLink, ...] = ()

    def customEvent(self, event: QEvent) -> None:
        if event.type() == WorkflowEvent.InputLinkAdded:
            self._links = (*self._links, event.link())
            self.links_changed()
        elif event.type() == WorkflowEvent.InputLinkRemoved:
            self._links = tuple(own for own in self._links if own is not event.link())
            self.links_changed()
        super().customEvent(event)

    def sources(self, input_name: str) -> list[str]:
        """Titles of the widgets that an input is connected to."""
        return [link.source_node.title for link in self._links
                if link.sink_channel.name == input_name]

    def awaited(self, missing: Sequence[str]) -> dict[str, str]:
        """What is missing although it is connected, and from where it is to come.

        missing : names of inputs as they are said, such as "a parser"
        """
        sources = {what: self.sources(what.removeprefix("a ").capitalize())
                   for what in missing}
        return {what: " and ".join(titles) for what, titles in sources.items() if titles}

    def links_changed(self) -> None:
        """A link has been added or removed; there may be something else to say."""
        raise NotImplementedError
