"""What a widget says."""


class ShownTexts:
    """A WidgetTest that reads messages and reports of its widget."""

    def shown(self, kind: str) -> list[str]:
        """The texts of all errors, warnings or informations."""
        # Messages without arguments are equal to nothing but themselves.
        return ["".join(message.formatted)
                for message in getattr(self.widget, kind).active]

    def report(self) -> str:
        self.widget.report_html = ""
        self.widget.send_report()
        return self.widget.report_html
