"""The base of all widgets: settings out of workflows, of other versions or changed by
hand, and messages and reports as plain text."""
from __future__ import annotations

import logging
import math
import reprlib
from collections.abc import Callable
from numbers import Integral, Real

from Orange.widgets.settings import Setting
from Orange.widgets.widget import OWWidget

from orange_structpred.widgets.common import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.common.compileahead import start_compiling_ahead
from orange_structpred.widgets.common.reports import PlainTextReports

log = logging.getLogger(__name__)

#: The largest whole number that controls can show
LARGEST_SHOWN = 2**31 - 1


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


class StoredSettings(PlainTextReports, PlainTextMessages):
    """The base of all our widgets: they open with whatever a workflow says.

    A stored value that does not fit is left out, and the setting has its default. A value
    fits if it is like the default: of its type, or a list of items like the default's
    first. Where that says too little, the setting says more::

        order = Setting(2, fits=(1, 2))                 # values, like the default
        selection = Setting([], fits=list_of(is_text))  # a function of the value, alone

    A default without content (None, an empty list or dictionary) always needs a function,
    as nothing is like it.

    What a new widget starts with is what the last new one was set to. Settings of widgets
    in workflows that were opened, such as the examples, stay theirs.
    """

    def __new__(cls, *args, stored_settings: object = None, **kwargs):
        self = super().__new__(cls, *args, stored_settings=stored_settings, **kwargs)
        self.is_from_workflow = bool(stored_settings)
        start_compiling_ahead()         # the user is going to need it
        return self

    def saveSettings(self) -> None:
        if not self.is_from_workflow:
            super().saveSettings()

    @classmethod
    def migrate_settings(cls, settings: dict[str, object], version: int | None) -> None:
        cls.upgrade_settings(settings, version if is_shown_whole(version) else 1)
        drop_unfit(cls, settings)

    @classmethod
    def upgrade_settings(cls, settings: dict[str, object], version: int) -> None:
        """Change settings of an earlier version; their values may be anything."""


def drop_unfit(widget: type[OWWidget], settings: dict[str, object]) -> None:
    """Take out what a widget cannot show, so that it has its defaults for them."""
    for name, value in list(settings.items()):
        # not from the settings handler: defaults are read before there is one
        setting = getattr(widget, name, None) if isinstance(name, str) else None
        if isinstance(setting, Setting) and not is_fit(name, setting, value):
            log.warning("%s: setting %s is %s, which this version does not know; "
                        "it is set to its default", widget.name, name,
                        reprlib.repr(value))
            del settings[name]


def is_fit(name: str, setting: Setting, value: object) -> bool:
    if name == "savedWidgetGeometry":       # Orange's own
        return value is None or isinstance(value, bytes)
    fits = getattr(setting, "fits", None)
    if callable(fits):
        return fits(value)
    return is_like(value, setting.default) and (fits is None or value in fits)


def is_like(value: object, default: object) -> bool:
    if isinstance(default, bool):
        return isinstance(value, bool)
    if isinstance(default, str):
        return is_text(value)
    if isinstance(default, Integral):
        return is_shown_whole(value)
    if isinstance(default, Real):
        return is_shown_number(value)
    if isinstance(default, list) and default:
        return list_of(lambda item: is_like(item, default[0]))(value)
    return value == default if isinstance(value, type(default)) else False


def is_shown_whole(value: object) -> bool:
    return (isinstance(value, Integral) and not isinstance(value, bool)
            and -LARGEST_SHOWN <= value <= LARGEST_SHOWN)


def is_shown_number(value: object) -> bool:
    return is_shown_whole(value) or (isinstance(value, Real) and not isinstance(value, Integral)
                                     and math.isfinite(value))


def is_text(value: object) -> bool:
    """Qt shows no text with half a character in it."""
    return isinstance(value, str) and not any(
        "\ud800" <= character <= "\udfff" for character in value)


def list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, (list, tuple)) and all(map(fits, value))


def is_pair_of_texts(value: object) -> bool:
    return list_of(is_text)(value) and len(value) == 2
