import pytest
from AnyQt.QtCore import QPoint, Qt
from Orange.widgets.tests.base import GuiTest

from orange_structpred.kernels import KERNELS
from orange_structpred.parameters import kernel_defaults
from orange_structpred.parsing.decoders import CONSTRUCTIONS
from orange_structpred.parsing.features import GROUPS
from orange_structpred.parsing.hashes import HASHES, SUMS
from orange_structpred.svm import SOLVERS
from orange_structpred.widgets import parametercontrols as controls
from orange_structpred.widgets import run_workflow
from orange_structpred.widgets.valuecontrols import (
    CheckGrid,
    Choice,
    LogSlider,
    LogSpinBox,
    ValueCombo,
    stop_index,
    stop_value,
)


def emitted(signal):
    values = []
    signal.connect(lambda *args: values.append(args[0] if args else None))
    return values


class TestValueControls(GuiTest):
    def test_stops(self):
        stops = [stop_value(index) for index in range(-4, 4)]
        assert stops == [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
        for index in range(-12, 13):
            assert stop_index(stop_value(index)) == pytest.approx(index)
        assert 0 < stop_index(1.5) < 1

    def test_logarithmic_steps(self):
        spin = LogSpinBox(1e-4, 1e4)
        spin.setValue(1)
        spin.stepBy(1)
        assert spin.value() == 2
        spin.stepBy(-2)
        assert spin.value() == 0.5
        spin.setValue(3)
        spin.stepBy(1)
        assert spin.value() == 5
        spin.setValue(3)
        spin.stepBy(-1)
        assert spin.value() == 2
        spin.setValue(1e4)
        spin.stepBy(1)
        assert spin.value() == 1e4

    def test_what_is_checked_is_seen(self):
        grid = CheckGrid({f"name {number}": "" for number in range(40)}, rows=4)
        for value, seen in (("name 39", True), (["name 2", "name 39"], False)):
            grid.setValue(value)
            grid.setAttribute(Qt.WA_DontShowOnScreen)
            grid.show()
            place = grid.boxes["name 39"].mapTo(grid.viewport(), QPoint(0, 0))
            assert grid.viewport().rect().contains(place) == seen
            grid.hide()
        with run_workflow.collected_exceptions() as raised:
            groups = controls.GroupsGrid()
            groups.setValue("all")
            groups.setAttribute(Qt.WA_DontShowOnScreen)
            groups.show()
            groups.hide()
        assert raised == []
        grid.setValue("of another version")
        assert grid.value() == ["of another version"]

    def test_slider_and_spin_box_agree(self):
        control = LogSlider(1e-4, 1e4)
        control.setValue(10)
        values = emitted(control.valueChanged)
        control.slider.setValue(control.slider.value() + 1)
        assert control.value() == 20
        control.spin.setValue(33.3)         # between two stops
        assert control.value() == 33.3
        assert values == [20, 33.3]
        assert stop_value(control.slider.value()) in (20, 50)

    def test_combo_stands_for_values(self):
        combo = ValueCombo({"a": Choice("First", "one"), "b": Choice("Second", "two")})
        values = emitted(combo.valueChanged)
        combo.setValue("b")
        assert combo.currentText() == "Second"
        combo.setValue("from elsewhere")
        assert combo.value() == "from elsewhere"
        assert values == ["b", "from elsewhere"]

    def test_check_grid(self):
        grid = CheckGrid({"a": "one", "b": "two", "c": "three"}, rows=2)
        values = emitted(grid.valueChanged)
        grid.setValue(["c", "a"])
        grid.boxes["b"].click()
        grid.setValue(["a", "b", "c"])      # no change
        grid.setValue(["d"])
        assert values == [["a", "c"], ["a", "b", "c"], ["d"]]


class TestForms(GuiTest):
    def test_everything_the_library_has_can_be_chosen(self):
        assert set(controls.SOLVERS) == {"auto", *SOLVERS}
        assert set(controls.CONSTRUCTIONS) == {"auto", *CONSTRUCTIONS}
        form = controls.FeaturesForm()
        assert set(form.controls["groups"].boxes) == set(GROUPS)
        for box in form.controls["groups"].boxes.values():
            assert box.toolTip()
        assert set(form.controls["hash"].boxes) == {*HASHES, *SUMS}

    def test_every_kernel_is_known_with_its_parameters(self):
        for name in controls.KERNELS:
            assert set(name.split("+")) <= set(KERNELS)
            params = controls.KernelParams()
            params.set_kernel(name)
            shown = set(params._controls)
            assert shown == set(kernel_defaults(name)) - {"value"}
            # the controls can hold the defaults, so there is nothing to say
            assert params.value() == {}, name

    def test_kernel_parameters_are_those_of_the_chosen_kernel(self):
        form = controls.KernelForm()
        form.set_values({"kernel": "ngram", "kernel_params": {"n": 3}})
        assert form.values()["kernel_params"] == {"n": 3}
        form.set_values({"kernel": "poly-bow"})
        assert form.values()["kernel_params"] == {}
        form.controls["kernel_params"]._controls["degree"].setValue(4)
        assert form.values()["kernel_params"] == {"degree": 4}
        form.set_values({"kernel": "ngram"})    # as it was when it was last chosen
        assert form.values()["kernel_params"] == {"n": 3}

    def test_parameters_have_changed_when_the_kernel_has(self):
        form = controls.KernelForm()
        form.set_values({"kernel": "ngram", "kernel_params": {"n": 3}})
        seen = []
        form.changed.connect(lambda name: seen.append((name, form.values())))
        form.controls["kernel"].setValue("bow")
        (name, values), = seen
        assert name == "kernel"
        assert (values["kernel"], values["kernel_params"]) == ("bow", {})

    def test_only_the_controls_of_the_chosen_features_are_seen(self):
        form = controls.FeaturesForm()
        assert not form.controls["groups"].isHidden()
        for features in ("kernel", "explicit"):
            form.set_values({"features": features})
            assert form.controls["groups"].isVisibleTo(form) == (features == "explicit")
            assert form.controls["hash"].isVisibleTo(form) == (features == "kernel")

    def test_all_groups_are_all(self):
        groups = controls.GroupsGrid()
        groups.setValue("all")
        assert all(box.isChecked() for box in groups.boxes.values())
        assert groups.value() == "all"
        groups.boxes["head"].click()
        assert groups.value() == [name for name in GROUPS if name != "head"]
        groups.setValue(list(GROUPS))
        assert groups.value() == "all"

    def test_settings_are_shown_without_a_signal(self):
        form = controls.SolverForm()
        changed = emitted(form.changed)
        form.set_values({"solver": "bcfw", "C": 20.0, "epsilon": 0.001, "passes": 77,
                         "random_state": 5, "n_jobs": 1, "groups": []})
        assert form.values() == {"solver": "bcfw", "C": 20.0, "epsilon": 0.001,
                                 "passes": 77, "random_state": 5, "n_jobs": 1}
        assert changed == []
        form.controls["passes"].setValue(78)
        assert changed == ["passes"]

    def test_what_has_no_influence_is_disabled_and_says_why(self):
        form = controls.SolverForm()
        form.update_enabled({"solver": "perceptron"})
        assert not form.controls["C"].isEnabled()
        assert "perceptron has no C" in form.controls["C"].toolTip()
        assert not form.controls["epsilon"].isEnabled()
        assert "no dual" in form.controls["epsilon"].toolTip()
        form.update_enabled({"solver": "one-slack"})
        for control in form.controls.values():
            assert control.isEnabled()
            assert "Not used" not in control.toolTip()
