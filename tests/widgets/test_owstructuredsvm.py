"""The widget Structured SVM."""
import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.utils.filedialogs import RecentPath
from orangewidget.tests.utils import simulate

from orange_structpred.export.script import write_script
from orange_structpred.widgets.owstructuredsvm import OWStructuredSVM
from tests.export.toy import FILE, workflow
from tests.problems.test_tables import chain_table
from tests.without_qt import run_main

STRUCTURED = "orange_structpred.widgets.owstructuredsvm.OWStructuredSVM"


class TestStructuredSVM(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.zoo = Table("zoo")

    def setUp(self):
        super().setUp()
        self.widget = self.create_widget(OWStructuredSVM)

    def control(self, name):
        return next(form.controls[name] for form in self.widget.forms
                    if name in form.controls)

    def model(self):
        self.wait_until_finished()
        return self.get_output(self.widget.Outputs.model)

    def test_learner_without_data(self):
        learner = self.get_output(self.widget.Outputs.learner)
        self.assertEqual((learner.output, learner.C, learner.name),
                         ("classes", 100, "Structured SVM"))
        self.assertIsNone(self.model())

    def test_classes(self):
        self.send_signal(self.widget.Inputs.data, self.zoo)
        model = self.model()
        self.assertGreater(np.mean(model(self.zoo) == self.zoo.Y), 0.95)
        self.control("C").setValue(0.001)
        other = self.model()
        self.assertIsNot(other, model)
        self.assertEqual(other.estimator.C, 0.001)

    def test_taxonomy(self):
        self.send_signal(self.widget.Inputs.data, self.zoo)
        simulate.combobox_activate_item(self.control("output"), "Classes in a tree")
        self.assertTrue(self.control("path").isVisibleTo(self.widget))
        self.assertFalse(self.control("group").isVisibleTo(self.widget))
        simulate.combobox_activate_item(self.control("path"), "backbone")
        self.assertIn("/1", self.model().estimator.nodes_)
        simulate.combobox_activate_item(self.control("path"), "hair")
        self.assertIsNone(self.model())
        self.assertTrue(self.widget.Error.fitting_failed.is_shown())
        self.assertIn("expected one path", str(self.widget.Error.fitting_failed))

    def test_sequences(self):
        simulate.combobox_activate_item(self.control("output"), "Sequences of labels")
        self.assertTrue(self.widget.Error.no_group.is_shown())
        self.assertIsNone(self.get_output(self.widget.Outputs.learner))
        data = chain_table()
        self.send_signal(self.widget.Inputs.data, data)
        simulate.combobox_activate_item(self.control("group"), "name")
        simulate.combobox_activate_item(self.control("order"), "place")
        self.assertFalse(self.widget.Error.no_group.is_shown())
        self.assertEqual(np.mean(self.model()(data) == data.Y), 1)
        # columns are remembered while another table is there
        self.send_signal(self.widget.Inputs.data, self.zoo)
        self.assertIsNone(self.model())
        self.assertTrue(self.widget.Error.data_error.is_shown())
        self.send_signal(self.widget.Inputs.data, data)
        self.assertIsNotNone(self.model())

    def test_kernel_and_report(self):
        self.send_signal(self.widget.Inputs.data, self.zoo)
        self.assertFalse(self.control("gamma").isEnabled())
        simulate.combobox_activate_item(self.control("kernel"), "RBF")
        self.assertTrue(self.control("gamma").isEnabled())
        self.assertFalse(self.control("degree").isEnabled())
        self.assertEqual(self.model().estimator.kernel, "rbf")
        told = dict(self.widget.get_learner_parameters())
        self.assertEqual(told["Kernel"], "RBF")
        self.assertEqual(told["g"], "auto")
        self.widget.send_report()

    def test_epsilon_only_where_it_has_an_influence(self):
        self.assertTrue(self.control("epsilon").isEnabled())
        self.assertIn("Epsilon", dict(self.widget.get_learner_parameters()))
        simulate.combobox_activate_item(self.control("solver"), "MIRA")
        self.assertFalse(self.control("epsilon").isEnabled())
        self.assertNotIn("Epsilon", dict(self.widget.get_learner_parameters()))

    def test_warns_when_it_has_not_converged(self):
        self.control("passes").setValue(1)
        self.control("C").setValue(1e5)
        self.send_signal(self.widget.Inputs.data, self.zoo)
        self.assertIsNotNone(self.model())
        self.assertIn("after 1 passes", str(self.widget.Warning.library))

    def test_stops_and_faults(self):
        with mock.patch("orange_structpred.problems.tables.MulticlassSVM.fit",
                        side_effect=RuntimeError("broken")):
            self.send_signal(self.widget.Inputs.data, self.zoo)
            self.assertIsNone(self.model())
        self.assertIn("(RuntimeError: broken)", str(self.widget.Error.fitting_failed))

    def test_settings_of_others(self):
        widget = self.create_widget(OWStructuredSVM, stored_settings={
            "output": "trees", "C": "x", "kernel": 3, "solver": "n-slack",
            "__version__": 1})
        self.assertEqual((widget.output, widget.C, widget.kernel, widget.solver),
                         ("classes", 100, "linear", "n-slack"))

    def test_script(self):
        """The script predicts what the widget predicts."""
        self.widget = self.create_widget(OWStructuredSVM, stored_settings={
            "output": "taxonomy", "path": "backbone", "C": 10., "__version__": 1})
        self.send_signal(self.widget.Inputs.data, self.zoo)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        zoo = {"recent_paths": [RecentPath("", "sample-datasets", "zoo.tab")]}
        script = write_script(workflow(
            [(FILE, "Zoo", zoo), (STRUCTURED, "SVM", settings)],
            [(0, "Data", 1, "Data")]))
        self.assertEqual(script.missing, [])
        self.assertIn('StructuredSVMLearner(output="taxonomy", path="backbone", C=10.0)',
                      script.text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "script.py"
            path.write_text(script.text, encoding="utf-8")
            found = run_main(path)["svm"]
        np.testing.assert_array_equal(found(self.zoo), self.model()(self.zoo))
        alone = write_script(workflow([(STRUCTURED, "SVM", settings)]))
        self.assertIn("nothing is connected to its input 'Data'", alone.text)
