"""Structured SVM: classes, taxonomies and sequences of rows, from tables."""
from __future__ import annotations

from collections.abc import Callable

from AnyQt.QtCore import QSignalBlocker
from Orange.data import Domain, Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.state_summary import summarize
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg

from orange_structpred.kinds import SOLVER_TEXTS
from orange_structpred.problems.table_settings import (
    OUTPUTS,
    SETTINGS,
    SVM_KERNELS,
    table_learner_parameters,
)
from orange_structpred.problems.tables import (
    TABLE_KINDS,
    StructuredSVMLearner,
    StructuredSVMModel,
)
from orange_structpred.svm import ALL_SOLVERS
from orange_structpred.widgets.common.background import BackgroundWidget, observed_by
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.phrases import sentence
from orange_structpred.widgets.common.storedsettings import StoredSettings, is_like
from orange_structpred.widgets.common.summaries import summarize_by_name
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    IntegerSpin,
    LogSlider,
    LogSpinBox,
    NumberSpin,
    ValueCombo,
)
from orange_structpred.widgets.common.windows import make_placeholder_readable

for summarized in (StructuredSVMLearner, StructuredSVMModel):
    summarize.register(summarized, summarize_by_name)

TARGETS = {
    "classes": Choice("Classes", "The target's values have nothing to do with each other"),
    "taxonomy": Choice("Classes in a tree", "Classes that are near each other in the tree "
                       "share weights, and confusing them costs less"),
    "sequences": Choice("Sequences of labels", "The rows of a sequence are predicted "
                        "together: labels depend on those beside them"),
}
TREE_LOSSES = {
    "tree": Choice("Height of common ancestor", "How far up two classes meet in the tree"),
    "distance": Choice("Distance in the tree", "The number of edges between two classes"),
    "zero-one": Choice("0/1", "All mistakes cost the same"),
}
SEQUENCE_LOSSES = {
    "hamming": Choice("Share of wrong labels", "Hamming loss"),
    "zero-one": Choice("0/1", "A sequence is right or wrong as a whole"),
}
TABLE_SOLVERS = {
    **{name: Choice(SOLVER_TEXTS[name].text, SOLVER_TEXTS[name].meaning.replace(
        "sentence", "example")) for name in ALL_SOLVERS if name in SOLVER_TEXTS},
    "n-slack": Choice("N-slack", "Cutting planes with a slack variable for each example"),
    "weston-watkins": Choice(
        "Weston-Watkins", "A slack variable for each wrong output of each example"),
}
TABLE_KERNELS = {
    "linear": Choice("Linear", "No kernel: the features as they are"),
    "rbf": Choice("RBF", "exp(-g |x - y|²)"),
    "poly": Choice("Polynomial", "(g x·y + 1)^d"),
}


class ColumnCombo(ValueCombo):
    """A combo box with the columns of a table; its value is a name, "" for none.

    A name that the table does not have is kept, so that it is there again when the
    table is.
    """

    def __init__(self, none: str, parent=None):
        super().__init__({"": Choice(none, "")}, parent)

    def set_columns(self, names: list[str]) -> None:
        chosen = self.value()
        with QSignalBlocker(self):
            while self.count() > 1:
                self.removeItem(1)
            for name in names:
                self.addItem(name, name)
            self.setValue(chosen)


class TargetForm(ParameterForm):
    """What the target is."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add("output", ValueCombo(TARGETS), "What the values of the target are",
                 "&Target:")
        self.add("path", ColumnCombo("Values of the target, as a/b/c"),
                 "Where the tree comes from: the target's values, or a column with "
                 "the path to each class, such as animal/mammal", "Tree &from:")
        self.add("group", ColumnCombo("(choose a column)"),
                 "The column that says which sequence a row belongs to", "&Group by:")
        self.add("order", ColumnCombo("Order of rows"),
                 "The column by which the rows of a sequence are ordered", "&Order by:")
        self.add("tree_loss", ValueCombo(TREE_LOSSES), "What a mistake costs", "&Loss:")
        self.add("sequence_loss", ValueCombo(SEQUENCE_LOSSES), "What mistakes cost",
                 "&Loss:")

    def show_for(self, output: str) -> None:
        """Show the controls that the target has."""
        shown = {"taxonomy": ("path", "tree_loss"),
                 "sequences": ("group", "order", "sequence_loss")}.get(output, ())
        for name in self.controls:
            if name != "output":
                self.form.setRowVisible(self.controls[name], name in shown)
                # two labels have the same underlined letter; only one is shown
                self._labels[name].setEnabled(name in shown)


class TableLearningForm(ParameterForm):
    """Kernel, C and solver."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.add("C", LogSlider(1e-3, 1e5), "How much mistakes cost relative to large "
                 "weights: 1/2 |w|² + C · mean loss", "&C:")
        self.add("kernel", ValueCombo(TABLE_KERNELS), "Kernel that compares rows",
                 "&Kernel:")
        gamma = NumberSpin(0, 1000)
        gamma.setSpecialValueText("auto")
        self.add_pair(
            ("gamma", gamma, "g of the kernel; auto: one over the number of features",
             "g:"),
            ("degree", IntegerSpin(2, 9), "d of the polynomial kernel", "d:"))
        self.add("solver", ValueCombo(TABLE_SOLVERS),
                 "Algorithm that finds the weights",
                 "&Solver:")
        self.add_pair(
            ("epsilon", LogSpinBox(1e-6, 1),
             "Stop when (primal - dual) / C is at most this", "&Epsilon:"),
            ("passes", IntegerSpin(1, 100_000), "Maximum number of passes over the rows",
             "&Passes:"))
        self.make_room("degree")
        self.make_room("passes")

    def show_for(self, kernel: str, solver: str) -> None:
        for name, used in (("gamma", kernel != "linear"), ("degree", kernel == "poly"),
                           ("epsilon", ALL_SOLVERS[solver].certificate)):
            self.controls[name].setEnabled(used)
            self._labels[name].setEnabled(used)


def fit(learner: StructuredSVMLearner, data: Table, state: TaskState
        ) -> tuple[StructuredSVMModel, list[str]]:
    """Train in a thread; returns the model and what the library warned of."""
    with recorded_warnings() as warned:
        model = learner(data, observed_by(state))
    return model, warned


def fitting(setting: str, parameter: str = "") -> Callable[[object], bool]:
    """Whether a stored value of a setting is one that its parameter may have."""
    kind = TABLE_KINDS[parameter or setting]
    default = SETTINGS[setting]
    return lambda value: is_like(value, default) and (value == default or kind.fits(value))


class OWStructuredSVM(InputLinks, StoredSettings, OWBaseLearner, BackgroundWidget):
    name = "Structured SVM"
    description = ("Structural support vector machine for classes, classes in a tree, and "
                   "sequences of rows.")
    icon = "icons/structuredsvm.svg"
    priority = 95
    keywords = ("structured svm, structural svm, taxonomy, hierarchy, hierarchical "
                "classification, sequence, chain, hidden markov, label sequence")

    LEARNER = StructuredSVMLearner

    class Error(OWBaseLearner.Error):
        no_group = Msg("Choose the column that says which sequence a row belongs to.")

    class Warning(OWBaseLearner.Warning):
        library = Msg("{}")

    settings_version = 1
    output = Setting(SETTINGS["output"], fits=OUTPUTS)
    tree_loss = Setting(SETTINGS["tree_loss"], fits=TREE_LOSSES)
    sequence_loss = Setting(SETTINGS["sequence_loss"], fits=SEQUENCE_LOSSES)
    path = Setting("", schema_only=True)
    group = Setting("", schema_only=True)
    order = Setting("", schema_only=True)
    C = Setting(SETTINGS["C"], fits=fitting("C"))
    kernel = Setting(SETTINGS["kernel"], fits=SVM_KERNELS)
    gamma = Setting(SETTINGS["gamma"], fits=fitting("gamma"))
    degree = Setting(SETTINGS["degree"], fits=fitting("degree"))
    solver = Setting(SETTINGS["solver"], fits=TABLE_SOLVERS)
    epsilon = Setting(SETTINGS["epsilon"], fits=fitting("epsilon", "tol"))
    passes = Setting(SETTINGS["passes"], fits=fitting("passes", "max_iter"))

    def __init__(self):
        BackgroundWidget.__init__(self)
        OWBaseLearner.__init__(self)

    def add_learner_name_widget(self):
        super().add_learner_name_widget()
        make_placeholder_readable(self.name_line_edit)

    def add_main_layout(self):
        self.forms = (TargetForm(), TableLearningForm())
        for form, title in zip(self.forms, ("Target", "Learning")):
            gui.widgetBox(self.controlArea, title).layout().addWidget(form)
            form.set_values(self.values())
            form.changed.connect(self.parameter_changed)
        self.show_controls()

    def values(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in SETTINGS}

    def parameter_changed(self, name: str) -> None:
        for form in self.forms:
            if name in form.controls:
                setattr(self, name, form.controls[name].value())
        self.show_controls()
        self.settings_changed()

    def show_controls(self) -> None:
        target, learning = self.forms
        target.show_for(self.output)
        learning.show_for(self.kernel, self.solver)

    # Learner and model

    def set_columns(self, domain: Domain | None) -> None:
        target, _ = self.forms
        for name in ("path", "group", "order"):
            target.controls[name].set_columns([] if domain is None else [
                variable.name for variable in (*domain.metas, *domain.attributes)
                if name == "order" or name == "group" or not variable.is_continuous])

    @OWBaseLearner.Inputs.data
    def set_data(self, data):
        super().set_data(data)
        self.set_columns(None if data is None else data.domain)

    def create_learner(self):
        self.Error.no_group(shown=self.output == "sequences" and not self.group)
        if self.Error.no_group.is_shown():
            return None
        return self.LEARNER(preprocessors=self.preprocessors,
                            **table_learner_parameters(self.values()))

    def update_model(self):
        self.cancel()
        self.show_fitting_failed(None)
        self.Warning.library.clear()
        self.model = None
        self._send_model()
        if self.check_data():
            self.start(fit, self.learner, self.data)

    def on_done(self, result):
        self.model, warned = result
        self.model.name = self.effective_learner_name()
        self.model.instances = self.data
        if warned:
            self.Warning.library("\n".join(map(sentence, warned)))
        self._send_model()

    def on_exception(self, error):
        self.show_fitting_failed(sentence(failure_text("training", error)))

    def onDeleteWidget(self):
        self.shutdown()
        super().onDeleteWidget()

    def get_learner_parameters(self):
        shown = {"classes": ("output",), "taxonomy": ("output", "path", "tree_loss"),
                 "sequences": ("output", "group", "order", "sequence_loss")}[self.output]
        kernel = {"linear": ("kernel",), "rbf": ("kernel", "gamma"),
                  "poly": ("kernel", "gamma", "degree")}[self.kernel]
        epsilon = ("epsilon",) if ALL_SOLVERS[self.solver].certificate else ()
        names = (*shown, "C", *kernel, "solver", *epsilon, "passes")
        return [item for form in self.forms
                for item in form.described(self.values(), names)]


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWStructuredSVM).run(set_data=Table("zoo"))
