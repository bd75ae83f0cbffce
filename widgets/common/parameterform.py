"""Forms of controls, which know these by the names of parameters."""
from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QWidget

from orange_structpred.learner.influence import role, unused
from orange_structpred.learner.parameters import chosen_solver
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.common.valuecontrols import plain_label


class ParameterForm(QWidget):
    """Controls under each other, each known by the name of its parameter."""

    changed = Signal(str)           # name of the parameter

    def __init__(self, parent=None):
        super().__init__(parent)
        self.controls: dict[str, QWidget] = {}
        self._names: dict[QWidget, str] = {}
        self._labels: dict[str, QLabel] = {}
        self._tooltips: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self.form = QFormLayout(self)
        self.form.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        self.form.setLabelAlignment(Qt.AlignLeft)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setVerticalSpacing(5)

    def add(self, name: str, control: QWidget, tooltip: str,
            label: str | None = None, *, title: str = "") -> QWidget:
        """Take a control in, on a line of its own if it has a label.

        title : what it is called in words where no label is seen
        """
        self.controls[name] = control
        self._tooltips[name] = tooltip
        self._titles[name] = title
        control.setToolTip(tooltip)
        self.follow(name, control)
        if label is not None:
            self.form.addRow(self.label(name, label), control)
        return control

    def follow(self, name: str, control: QWidget) -> None:
        """Say when the value of a control changes."""
        self._names[control] = name
        # Not a closure: a field that loses the focus while its window is being deleted
        # emits its signal when Python has already collected what a closure refers to.
        control.valueChanged.connect(self._on_value)

    def _on_value(self, *_) -> None:
        self.changed.emit(self._names[self.sender()])

    def label(self, name: str, text: str) -> QLabel:
        """A label that leads to a control by its underlined letter."""
        label = label_of(text, self.controls[name])
        label.setToolTip(self._tooltips[name])
        self._labels[name] = label
        return label

    def add_pair(self, *items: tuple[str, QWidget, str, str]) -> None:
        """Two small controls on one line: name, control, tooltip, label."""
        for name, control, tooltip, _ in items:
            self.add(name, control, tooltip)
        (first, control, _, first_label), (second, other, _, second_label) = items
        line = QHBoxLayout()
        line.addWidget(control, 1)
        line.addSpacing(8)
        line.addWidget(self.label(second, second_label))
        line.addWidget(other, 1)
        self.form.addRow(self.label(first, first_label), line)

    def make_room(self, *names: str) -> None:
        """Labels in the middle of a line do not touch what follows, and are aligned."""
        labels = [self._labels[name] for name in names]
        for label in labels:
            label.setMinimumWidth(max(label.sizeHint().width() for label in labels) + 4)

    def values(self) -> dict[str, object]:
        return {name: control.value() for name, control in self.controls.items()}

    def set_values(self, settings: Mapping[str, object]) -> None:
        """Show settings; those of other forms are ignored, nothing is emitted."""
        with QSignalBlocker(self):
            for name, control in self.controls.items():
                if name in settings:
                    control.setValue(settings[name])

    def update_enabled(self, settings: Mapping[str, object]) -> None:
        """Disable what has no influence, and say why."""
        for name, control in self.controls.items():
            reason = unused(name, settings)
            tooltip = role(name, settings) or self._tooltips[name]
            if reason:
                tooltip += f"\nNot used: {reason}."
            for widget in filter(None, (control, self._labels.get(name))):
                widget.setEnabled(not reason)
                widget.setToolTip(tooltip)

    def title(self, name: str) -> str:
        """What a parameter is called, as people see it."""
        if name in self._labels:
            return plain_label(self._labels[name].text())
        control = self.controls[name]
        return plain_label(control.text()) if isinstance(control, QCheckBox) else (
            self._titles[name])

    def described(self, settings: Mapping[str, object], names: Container[str],
                  chosen: Mapping[str, object] = {}) -> list[tuple[str, str]]:
        """These parameters in words, but for what is empty: titles and values.

        chosen : values that the learner has found where it was left to it
        """
        items = []
        for name, control in self.controls.items():
            if name in names and name in settings:
                text = control.shown(settings[name])
                if chosen.get(name, settings[name]) != settings[name]:
                    text += f" ({control.shown(chosen[name])})"
                items.append((self.title(name), text))
        return [(title, text) for title, text in items if text]


def described_settings(forms: Iterable[ParameterForm], settings: Mapping[str, object],
                       names: Container[str], **chosen: object) -> list[tuple[str, str]]:
    """Parameters of several forms in words, with the solver that was chosen."""
    chosen["solver"] = chosen_solver(settings)
    return [item for form in forms for item in form.described(settings, names, chosen)]
