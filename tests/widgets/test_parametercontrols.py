import pytest
from AnyQt.QtCore import QLocale, QPoint, Qt
from AnyQt.QtTest import QTest
from Orange.widgets.tests.base import GuiTest

from orange_structpred.kernels import KERNELS
from orange_structpred.learner.parameters import HARD_MARGIN, TABLE
from orange_structpred.learner.settings import kernel_defaults
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.kernel.hash_functions import HASHES, SUMS
from orange_structpred.parsing.second_order.part_templates import FIRST_ORDER, GROUPS
from orange_structpred.svm import PARSER_SOLVERS
from orange_structpred.widgets.common import parametercontrols as controls
from orange_structpred.widgets.common import run_workflow
from orange_structpred.widgets.common.valuecontrols import (
    CheckGrid,
    Choice,
    LogSlider,
    LogSpinBox,
    NumberSpin,
    ValueCombo,
    plain_label,
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

    def test_numbers_as_people_type_them(self):
        for language in (QLocale.C, QLocale.English, QLocale.German):
            for text, value in (
                    ("0.5", 0.5), ("0,5", 0.5), ("1e-3", 0.001), ("2,5E1", 25),
                    (".2", 0.2), ("10000", 10_000), (" 4 ", 4),
                    # what is too large or too small becomes the limit
                    ("1e9", 1e4), ("1e-9", 1e-4), ("0", 1e-4),
                    # what is no number changes nothing
                    ("1x3", 7), ("", 7), ("-1", 7), ("1,000.5", 7),
                    ("nan", 7), ("1_0", 7)):
                with self.subTest(language=language, text=text):
                    spin = LogSpinBox(1e-4, 1e4)
                    spin.setLocale(QLocale(language))
                    spin.setValue(7)
                    values = emitted(spin.valueChanged)
                    spin.selectAll()
                    QTest.keyClicks(spin, text)
                    QTest.keyClick(spin, Qt.Key_Return)
                    assert spin.value() == value
                    assert values == ([] if value == 7 else [value])
                    # what is shown is read as the same number
                    spin.interpretText()
                    assert spin.value() == value

    def test_steps_of_numbers(self):
        spin = NumberSpin(0.05, 1, 0.05)
        spin.setValue(0.1)
        spin.stepBy(1)
        assert spin.value() == 0.15
        spin.stepBy(100)
        assert spin.value() == 1

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
        for form, name, known in ((controls.SolverForm(), "solver", PARSER_SOLVERS),
                                  (controls.TreeForm(), "decoder", DECODERS)):
            combo = form.controls[name]
            assert {combo.itemData(k) for k in range(combo.count())} == {"auto", *known}
        form = controls.FeaturesForm()
        assert set(form.controls["groups"].boxes) == set(GROUPS)
        for box in form.controls["groups"].boxes.values():
            assert box.toolTip()
        assert set(form.controls["hash"].boxes) == {*HASHES, *SUMS}

    def test_every_parameter_of_a_section_has_a_control(self):
        forms = (controls.FeaturesForm(), controls.SolverForm(), controls.TreeForm())
        shown = {name: form for form in forms for name in form.controls}
        rows = (*TABLE, HARD_MARGIN)
        assert set(shown) == {row.name for row in rows if row.section}
        for row in rows:
            if row.section:
                form = shown[row.name]
                assert form.controls[row.name].toolTip() == row.help
                assert form.title(row.name) == plain_label(row.label)
                form.set_values({row.name: row.default})
                value = form.values()[row.name]
                if isinstance(row.default, tuple):      # the order makes no difference
                    assert sorted(value) == sorted(row.default)
                else:
                    assert value == ({} if row.name == "kernel_params" else row.default)

    def test_every_kernel_is_known_with_its_parameters(self):
        for name in controls.KERNEL_TEXTS:
            assert set(name.split("+")) <= set(KERNELS)
            params = controls.KernelParams()
            params.set_kernel(name)
            shown = set(params._controls)
            assert shown == set(kernel_defaults(name)) - {"value"}
            # the controls can hold the defaults, so there is nothing to say
            assert params.value() == {}, name

    def test_kernel_parameters_are_those_of_the_chosen_kernel(self):
        form = controls.RowsForm(controls.section("kernel"))
        form.set_values({"kernel": "ngram", "kernel_params": {"n": 3}})
        assert form.values()["kernel_params"] == {"n": 3}
        form.set_values({"kernel": "poly-bow"})
        assert form.values()["kernel_params"] == {}
        form.controls["kernel_params"]._controls["degree"].setValue(4)
        assert form.values()["kernel_params"] == {"degree": 4}
        form.set_values({"kernel": "ngram"})    # as it was when it was last chosen
        assert form.values()["kernel_params"] == {"n": 3}

    def test_parameters_have_changed_when_the_kernel_has(self):
        form = controls.RowsForm(controls.section("kernel"))
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

    def test_groups_without_influence_are_disabled(self):
        form = controls.FeaturesForm()

        def disabled(**settings):
            form.update_enabled(settings)
            return {name for name, box in form.controls["groups"].boxes.items()
                    if not box.isEnabled()}

        assert disabled() == set()
        assert disabled(solver="bcfw") == {"transitions"}
        assert disabled(order=1) == disabled(decoder="exact") == set(GROUPS) - {
            *FIRST_ORDER}

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
        values = form.values()
        for row in TABLE:
            if row.section in controls.SOLVERS_WITH_OPTIONS:
                del values[row.name]
        assert values == {"solver": "bcfw", "C": 20.0, "epsilon": 0.001, "passes": 77,
                          "random_state": 5, "n_jobs": 1, "hard_margin": False}
        assert changed == []
        form.controls["passes"].setValue(78)
        assert changed == ["passes"]

    def test_tab_goes_on_from_the_number(self):
        form = controls.SolverForm()
        form.update_enabled({"solver": "bcfw"})
        form.show()
        form.controls["C"].setFocus()           # as its underlined letter does
        assert form.focusWidget() is form.controls["C"].spin
        QTest.keyClick(form.focusWidget(), Qt.Key_Tab)
        assert form.focusWidget() is form.controls["epsilon"]
        for _ in range(2):
            QTest.keyClick(form.focusWidget(), Qt.Key_Backtab)
        assert form.focusWidget() is form.controls["C"].slider

    def test_in_words(self):
        """As controls call them, and with the parameters of the chosen kernel."""
        form = controls.FeaturesForm()
        settings = {**form.values(), "features": "kernel", "kernel": "ngram",
                    "hash": ["posTags", "tokens"], "kernel_params": {"n": 3}}
        names = ("features", "hash", "kernel", "kernel_params")
        assert form.described(settings, names) == [
            ("Features", "Kernel"), ("Hash functions", "posTags + tokens"),
            ("Input kernel", "N-grams"),
            ("Kernel parameters",
             "Longest: 3; Decay: 0.5; Words: Forms; Normalised: yes")]
        settings.update(kernel="constant", kernel_params=None)
        assert form.described(settings, names)[2:] == [("Input kernel", "Constant")]
        settings.update(groups=[name for name in GROUPS if name != "context"])
        assert form.described(settings, ("features", "groups", "min_count"))[1:] == [
            ("Feature groups", "all without context"),
            ("Minimum count", "all features")]
        form = controls.SolverForm()
        assert form.described({"solver": "one-slack", "C": 1e-3, "passes": 12_345,
                               "random_state": 3}, form.controls) == [
            ("Solver", "One-slack"), ("C", "0.001"), ("Passes", "12345"), ("Seed", "3")]
        form = controls.TreeForm()
        assert form.described({"decoder": "auto", "single_root": False},
                              form.controls) == [
            ("Decoding", "Automatic"), ("Single root", "no")]

    def test_what_has_no_influence_is_disabled_and_says_why(self):
        form = controls.SolverForm()
        form.update_enabled({"solver": "perceptron"})
        assert not form.controls["C"].isEnabled()
        assert "perceptron has no C" in form.controls["C"].toolTip()
        assert not form.controls["epsilon"].isEnabled()
        assert "no dual" in form.controls["epsilon"].toolTip()
        form.update_enabled({"solver": "one-slack"})
        for row in controls.section("learning"):
            control = form.controls[row.name]
            assert control.isEnabled()
            assert "Not used" not in control.toolTip()
        form.update_enabled({"solver": "n-slack", "hard_margin": True})
        assert not form.controls["C"].isEnabled()
        assert "C is infinite" in form.controls["C"].toolTip()

    def test_only_the_options_of_the_chosen_solver_are_seen(self):
        form = controls.SolverForm()
        for solver, seen in (("auto", set()), ("sampled-cuts", {"sample"}), ("bcfw", set()),
                             ("n-slack", {"rescaling", "penalty", "hard_margin"})):
            form.set_values({"solver": solver})
            assert {name for name in ("rescaling", "penalty", "hard_margin", "sample")
                    if form.controls[name].isVisibleTo(form)} == seen

    def test_what_is_learned(self):
        form = controls.FeaturesForm()
        groups, changed = form.controls["groups"], emitted(form.changed)

        def seen(name):
            form.update_enabled(form.values())
            return form.controls[name].isVisibleTo(form)

        assert not seen("budget")
        groups.learned.click()
        assert changed == ["groups"] and groups.value() == "learn"
        assert not groups.grid.isEnabled() and seen("budget")
        groups.learned.click()
        assert groups.value() == "all" and groups.grid.isEnabled()
        form.set_values({"groups": ["head"]})
        assert groups.value() == ["head"]
        form.set_values({"groups": "learn"})
        assert groups.value() == "learn" and not groups.grid.isEnabled()
        form.set_values({"features": "kernel"})
        assert not seen("budget")
        form.controls["hash_weights"].setChecked(True)
        assert seen("budget")

    def test_options_of_unlabelled_sentences(self):
        form = controls.FeaturesForm()
        form.set_values({"features": "kernel"})
        for there in (False, True):
            form.has_unlabelled = there
            form.update_enabled(form.values())
            assert form.controls["smoothness"].isVisibleTo(form) == there
            assert form.controls["neighbours"].isVisibleTo(form) == there
