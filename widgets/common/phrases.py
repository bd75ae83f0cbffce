"""How widgets say things."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

MINUS = "\N{MINUS SIGN}"         # as wide as a plus
LONGEST_TITLE = 60      # characters of a name that are shown


def sentence(message: object) -> str:
    """A message of the library, beginning with a capital letter."""
    text = str(message)
    return text[:1].upper() + text[1:]


def plural(number: int, one: str, many: str) -> str:
    """1 pass, 12,543 passes"""
    return f"{number:,} {one if number == 1 else many}"


def elided(text: str, most: int) -> str:
    """A text without its middle, if it is longer than so many characters."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[head + 1 - most:]}"


def plain_tip(text: str) -> str:
    """Text for a tooltip, as it is: Qt would take some of it for HTML."""
    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"


def safe_tip(text: str) -> str:
    """Text for a tooltip, wrapped only where Qt might take it for HTML."""
    return plain_tip(text) if "<" in text or "&" in text else text


def headed(lines: Sequence[str]) -> str:
    """Lines for a label: a name, shortened and in bold, and what is known of it."""
    title, *others = lines
    return "<br/>".join([f"<b>{escape(elided(title, LONGEST_TITLE))}</b>",
                         *map(escape, others)])


def html_table_of(rows: Sequence[Sequence[str]]) -> str:
    """Texts as a table for a report; the first row has titles."""
    titles, *others = [[escape(text) for text in row] for row in rows]
    lines = ["".join(f"<th>{text}</th>" for text in titles),
             *("".join(f"<td>{text}</td>" for text in row) for row in others)]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02d} min"
    return f"{minutes // 60}:{minutes % 60:02d} h"
