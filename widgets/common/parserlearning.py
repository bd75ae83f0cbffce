"""What widgets that learn parsers, or measure what was learned, have in common."""
from __future__ import annotations

from collections.abc import Callable

from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Input, Msg

from orange_structpred.kernels.make import KERNELS
from orange_structpred.kinds import WholeNumber
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.parameters import LEARN, TABLE
from orange_structpred.learner.settings import OLD_NAMES, kernel_defaults
from orange_structpred.parametrised import Parameter
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.learnable import (
    unlabelled_sentences,
    validation_treebank,
)
from orange_structpred.widgets.common.learning import LearningWidget, advice
from orange_structpred.widgets.common.phrases import sentence
from orange_structpred.widgets.common.storedsettings import is_like, is_text, list_of

#: Parameters of all input kernels, with their defaults
KERNEL_PARAMS = kernel_defaults("+".join(KERNELS))


class ValidatedWidget(LearningWidget, openclass=True):
    """Measures what it learns, on a validation treebank if there is one."""

    class Inputs(LearningWidget.Inputs):
        validation = Input("Validation Treebank", Table)

    class Error(LearningWidget.Error):
        no_validation = Msg("{}")

    def __init__(self):
        super().__init__()
        self.validation_data: Table | None = None
        self.validation: Treebank | None = None

    @Inputs.validation
    def set_validation(self, data: Table | None):
        self.forget()
        self.validation_data = data

    def handleNewSignals(self):
        self.take_inputs()
        super().handleNewSignals()

    def validation_needs_heads(self) -> bool:
        return True

    def take_inputs(self):
        """Look at all inputs together; take the validation treebank if it will do."""
        self.Error.no_validation.clear()
        self.validation = None
        if self.validation_data is None:
            return
        try:
            self.validation = validation_treebank(
                self.validation_data, heads=self.validation_needs_heads())
        except ValueError as error:
            self.Error.no_validation(sentence(str(error) + advice(error)))

    def is_ready(self) -> bool:
        return self.treebank is not None and not self.Error.no_validation.is_shown()

    def validation_options(self) -> dict[str, Treebank]:
        """The validation treebank as an argument, if there is one."""
        return {} if self.validation is None else {"validation": self.validation}


def is_text_or_texts(value: object) -> bool:
    return is_text(value) or list_of(is_text)(value)


def is_named(value: object) -> bool:
    """Whether it is a dictionary with texts as keys."""
    return isinstance(value, dict) and all(map(is_text, value))


def is_kernel_params(value: object) -> bool:
    return is_named(value) and all(is_like(item, KERNEL_PARAMS[name])
                                   for name, item in value.items() if name in KERNEL_PARAMS)


#: What stored values must be, where their default says too little
SETTING_FITS: dict[str, Callable[[object], bool]] = {
    "groups": is_text_or_texts, "hash": is_text_or_texts,
    "hash_weights": lambda value: value in (None, LEARN),
    "kernel_params": is_kernel_params}


def setting_of(row: Parameter) -> Setting:
    """The setting of a parameter.

    Names that are not known are kept: the library says what is wrong.
    """
    if row.name in SETTING_FITS:
        default = list(row.default) if isinstance(row.default, tuple) else row.default
        return Setting({} if row.name == "kernel_params" else default,
                       fits=SETTING_FITS[row.name])
    if isinstance(row.kind, WholeNumber):
        return Setting(row.default, fits=lambda value: is_like(value, row.default)
                       and row.kind.fits(value))
    return Setting(row.default)


#: A base with a setting for each parameter of ParserLearner, of the same name and values
ParserSettings = type("ParserSettings", (), {
    row.name: setting_of(row) for row in TABLE if row.section})


class ParserLearningWidget(ParserSettings, ValidatedWidget, openclass=True):
    """Learns parsers, with the settings of ParserLearner."""

    class Inputs(ValidatedWidget.Inputs):
        unlabelled = Input("Unlabelled Sentences", Table)

    class Error(ValidatedWidget.Error):
        no_unlabelled = Msg("{}")

    #: all but C, of which a widget has one value or several
    PARAMETERS = tuple(row.name for row in TABLE if row.section and row.name != "C")

    def __init__(self):
        super().__init__()
        self.unlabelled_data: Table | None = None
        self.unlabelled: Treebank | None = None
        self.unlabelled_problem = ""

    @Inputs.unlabelled
    def set_unlabelled(self, data: Table | None):
        self.forget()
        self.unlabelled_data = data

    def take_inputs(self):
        super().take_inputs()
        self.unlabelled, self.unlabelled_problem = None, ""
        if self.unlabelled_data is not None:
            try:
                self.unlabelled = Treebank.from_sentences(
                    unlabelled_sentences(self.unlabelled_data))
            except ValueError as error:
                self.unlabelled_problem = str(error)
        self.forms["Features"].has_unlabelled = self.unlabelled is not None

    def problem_of_unlabelled(self) -> str:
        """Why no parser can learn from the unlabelled sentences; "" if it can."""
        try:
            ParserLearner(self.features).check_unlabelled(self.unlabelled)
        except ValueError as error:
            return str(error)
        return self.unlabelled_problem

    def is_ready(self) -> bool:
        return super().is_ready() and not self.problem_of_unlabelled()

    def update_state(self):
        problem = self.problem_of_unlabelled()
        self.Error.no_unlabelled(sentence(problem) if problem else "", shown=bool(problem))
        super().update_state()

    def compared_sentences(self) -> int:
        """How many sentences an input kernel compares."""
        return self.sentences() + (0 if self.unlabelled is None else len(self.unlabelled))

    def report_treebank(self):
        super().report_treebank()
        if self.unlabelled is not None:
            self.report_items("Unlabelled sentences", [
                ("Sentences", f"{len(self.unlabelled):,}")])

    def learning_options(self) -> dict[str, Treebank]:
        """Further treebanks as arguments, if there are some."""
        return {**self.validation_options(), **(
            {} if self.unlabelled is None else {"unlabelled": self.unlabelled})}

    @classmethod
    def upgrade_settings(cls, settings: dict[str, object], version: int) -> None:
        for old, new in OLD_NAMES.items():
            if old in settings:
                settings.setdefault(new, settings.pop(old))
