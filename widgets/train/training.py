"""What Train Parser and Train Tagger have in common."""
from __future__ import annotations

import copy

from Orange.widgets import gui
from Orange.widgets.settings import Setting

from orange_structpred.widgets.common.learning import AUTO, LearningWidget
from orange_structpred.widgets.common.windows import make_placeholder_readable
from orange_structpred.widgets.train.figures import (
    FIGURES,
    TrainingFigures,
    figure_texts,
)
from orange_structpred.widgets.train.plot import TrainingPlot


class TrainingWidget(LearningWidget, openclass=True):
    """Trains a model with a name, and shows the course of the training.

    A subclass has the forms of its controls before they are laid out, names the model
    (`name_model`), sends it (`send_outputs`), says how it came about (`model_text`), and
    empties figures and plot (`clear_course`).
    """

    work, verb, auto_setting, patience = "Training", "Train", "auto_train", 400
    #: tooltips of the name and of the buttons
    name_tip: str
    start_tip: str
    stop_tip: str

    learner_name = Setting("", schema_only=True)
    auto_train = Setting("small", fits=AUTO)

    def __init__(self):
        super().__init__()
        self.learner = None
        self.model = None

    # Controls

    def _init_controls(self):
        self.name_edit = gui.lineEdit(
            self.controlArea, self, "learner_name", box="Name", tooltip=self.name_tip,
            callback=self.name_changed)
        make_placeholder_readable(self.name_edit)
        for title, form in self.forms.items():
            gui.vBox(self.controlArea, title).layout().addWidget(form)
        self._connect_forms()
        gui.rubber(self.controlArea)
        self._add_buttons("When training starts", self.start_tip, self.stop_tip)

    def _init_main(self):
        self.figures, self.plot = TrainingFigures(), TrainingPlot()
        self.mainArea.layout().addWidget(self.figures)
        self.mainArea.layout().addWidget(self.plot)

    def name_changed(self):
        self.learner_name = self.learner_name.strip()
        self.update_arguments()
        self.harmless_changed()
        self.update_state()

    # Training

    def forget(self):
        super().forget()
        self.model = None

    def show_beginning(self):
        self.clear_course()

    def drop_result(self):
        self.model = None

    # Output

    def harmless_changed(self):
        """Send the model with its present name and threads."""
        if self.model is not None:
            self.model = copy.copy(self.model)
            self.name_model()
            self.send_outputs()

    # What is shown

    def say(self, text: str):
        self.figures.say(text)

    def show_idle(self):
        if self.model is None:
            self.clear_course()
        self.say(self.status_text())

    def status_text(self) -> str:
        """In a sentence, where things stand while nothing is being learned."""
        if self.model is None:
            return self.status_without_result("Ready to learn from")
        return self.model_text()

    def course_items(self, passes: int) -> list[tuple[str, str]]:
        """Where the training is, for a report."""
        figures = figure_texts(self.plot.reports[-1], passes)
        return [(FIGURES[name].caption, text) for name, text in figures.items()
                if name != "left"]
