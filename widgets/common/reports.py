"""What our widgets write into Orange's reports."""
from __future__ import annotations

from orangewidget.report import Report

IMAGE, FITTING = "<img", '<img style="max-width: 100%"'


def report_picture(widget: Report, title: str, picture) -> None:
    """A plot or a scene; one that is wider than the page is made smaller."""
    before = widget.report_html
    widget.report_plot(title, picture)
    added = widget.report_html[len(before):]
    widget.report_html = before + added.replace(IMAGE, FITTING, 1)
