"""Messages of widgets as plain text, whatever names stand in them."""
from __future__ import annotations


class PlainTextMessages:
    """A widget whose messages cannot be taken for HTML.

    Orange shows them as rich text in the status bar, if there are several, and in the
    tooltips of nodes. A treebank called <b> must not change these.
    """

    def update_message_state(self) -> None:
        # the first to hear of a new message: what it becomes is what the others show
        for group in self.message_groups:
            for message in group.active:
                message.formatted = message.formatted.replace("<", "‹")
        super().update_message_state()
