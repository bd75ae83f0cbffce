"""What widgets that learn parsers, or measure what was learned, have in common."""
from __future__ import annotations

from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Input, Msg

from orange_structpred.kernels.make import KERNELS
from orange_structpred.parameters.influence import DEFAULT_HASHES
from orange_structpred.parameters.settings import OLD_NAMES, kernel_defaults
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.learnable import validation_treebank
from orange_structpred.widgets.common.learning import LearningWidget, advice
from orange_structpred.widgets.common.storedsettings import is_like, is_text, list_of

#: Parameters of all input kernels, with their defaults
KERNEL_PARAMS = kernel_defaults("+".join(KERNELS))


class ValidatedWidget(LearningWidget, openclass=True):
    """Measures what it learns, on a validation treebank if there is one."""

    class Inputs(LearningWidget.Inputs):
        validation = Input("Validation Treebank", Table)

    class Error(LearningWidget.Error):
        no_validation = Msg("Validation treebank: {}")

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
            reason = str(error).removeprefix("the validation treebank: ")
            self.Error.no_validation(reason + advice(error))

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
    return is_named(value) and all(is_like(own, KERNEL_PARAMS[name])
                                   for name, own in value.items() if name in KERNEL_PARAMS)


class ParserLearningWidget(ValidatedWidget, openclass=True):
    """Learns parsers, with the settings of ParserLearner."""

    # Names and values are those of ParserLearner's parameters. Names that are not known
    # are kept: the library says what is wrong.
    features = Setting("explicit")
    groups = Setting("all", fits=is_text_or_texts)
    min_count = Setting(0)
    hash = Setting(list(DEFAULT_HASHES), fits=is_text_or_texts)
    kernel = Setting("constant")
    kernel_params = Setting({}, fits=is_kernel_params)
    epsilon = Setting(0.01)
    passes = Setting(10)
    decoder = Setting("auto")
    order = Setting(2, fits=(1, 2))
    single_root = Setting(True)
    relations = Setting(True)
    calibrate = Setting(True)
    random_state = Setting(0)
    n_jobs = Setting(1)

    PARAMETERS = (
        "features", "groups", "min_count", "hash", "kernel", "kernel_params", "solver",
        "epsilon", "passes", "decoder", "order", "single_root", "relations",
        "calibrate", "random_state", "n_jobs")

    @classmethod
    def upgrade_settings(cls, settings: dict[str, object], version: int) -> None:
        for old, new in OLD_NAMES.items():
            if old in settings:
                settings.setdefault(new, settings.pop(old))
