"""Settings out of workflows: of other versions, or changed by hand."""
from __future__ import annotations

import logging
from collections.abc import Container, Mapping
from numbers import Integral, Real

from Orange.widgets.settings import Setting
from Orange.widgets.widget import OWWidget

log = logging.getLogger(__name__)

#: What values are like, by the type of a setting's default
LIKE = {
    bool: lambda value: isinstance(value, bool),
    int: lambda value: isinstance(value, Integral) and not isinstance(value, bool),
    float: lambda value: isinstance(value, Real) and not isinstance(value, bool),
    str: lambda value: isinstance(value, str),
    list: lambda value: isinstance(value, (list, tuple)),
    dict: lambda value: isinstance(value, dict),
}
#: The largest whole number that controls can show
LARGEST_SHOWN = 2**31 - 1


def drop_unfit(widget: type[OWWidget], settings: dict[str, object],
               choices: Mapping[str, Container], also: Mapping[str, type] = {},
               sizes: Container[str] = ()) -> None:
    """Take out what a widget cannot show, so that it has its defaults for them.

    For `migrate_settings`: a widget that cannot be created is of no use to anyone.

    choices : settings that are one of these values
    also : a further type that a setting may have
    sizes : settings that are lists of whole numbers
    """
    for name, value in list(settings.items()):
        # not from the settings handler: defaults are read before there is one
        setting = getattr(widget, name, None)
        if not isinstance(setting, Setting):
            continue
        like = LIKE.get(type(setting.default))
        fits = like is None or like(value) or isinstance(value, also.get(name, ()))
        if isinstance(value, Integral) and not -LARGEST_SHOWN <= value <= LARGEST_SHOWN:
            fits = False
        if fits and name in choices:
            fits = value in choices[name]
        if fits and name in sizes:
            fits = all(map(LIKE[int], value))
        if not fits:
            log.warning("%s: setting %s is %r, which this version does not know; "
                        "it is set to its default", widget.name, name, value)
            del settings[name]
