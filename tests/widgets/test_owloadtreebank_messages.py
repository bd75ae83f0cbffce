"""Load CoNLL Treebank: errors, statistics, reports and sizes."""
from AnyQt.QtCore import Qt
from Orange.data import Table
from Orange.widgets.gui import TableBarItem

from orange_structpred.treebank import ConllError
from orange_structpred.treebank.statistics import describe
from orange_structpred.widgets.load.statistics import skipped_rows, statistics_rows
from tests.treebank.toy import BLOCKS, CHAIN, CROSSED, UNPARSED, treebank
from tests.widgets import loadtreebank

FAULTY = CHAIN.replace("\tX\t", "\t")


class TestFaults(loadtreebank.LoadTreebankTest):
    def test_fault(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]))
        self.assertIsNone(self.output())
        error, = self.shown("Error")
        self.assertRegex(error, r"^bad.conllu, line 9: found 9 columns .*, "
                                r"expected 10 columns separated by tabs\n")
        self.assertIn("Check 'Skip sentences with errors' to read the rest: 1 sentence.",
                      error)
        # The whole message is in the window as well.
        self.assertIn("expected 10 columns", self.widget.statistics.name.text())
        self.assertTrue(self.widget.statistics.tabs.isHidden())

    def test_skip(self):
        cycle = CHAIN.replace("\t0\troot", "\t3\troot")
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY, CROSSED, cycle]))
        self.assertIsNone(self.output())
        self.widget.controls.skip_bad.click()
        self.assertEqual(self.blocks(), [CHAIN, CROSSED])
        self.assertEqual(self.shown("Error"), [])
        self.assertEqual(
            self.shown("Warning"),
            ["Skipped 2 sentences with errors.\nThe 'Skipped' tab lists where and why."])
        self.assertIs(self.widget.statistics.tabs.currentWidget(),
                      self.widget.statistics.tables["skipped"])
        self.assertEqual(self.tabs()[-1], "Skipped (2)")
        first, second = self.table("skipped")
        self.assertEqual(first[0], "line 9")
        self.assertIn("9 columns", first[1])
        self.assertEqual(first[2], "10 columns separated by tabs")
        self.assertEqual(second[:2], ["line 21", "no root"])
        self.widget.controls.skip_bad.click()
        self.assertEqual(len(self.shown("Error")), 1)
        self.assertEqual(self.shown("Warning"), [])
        self.assertIsNone(self.output())

    def test_the_list_of_skipped_sentences_goes_with_them(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]), skip_bad=True)
        self.assertEqual(len(self.output()), 1)
        self.widget.open_file(str(self.toy))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.shown("Warning"), [])
        self.assertEqual(self.tabs(), ["UPOS (5)", "XPOS (6)", "Relations (5)"])

    def test_nothing_but_faults(self):
        self.create_file(self.write("bad.conllu", [FAULTY]), skip_bad=True)
        self.assertIsNone(self.output())
        error, = self.shown("Error")
        self.assertRegex(error, "^bad.conllu, line 3: found 9 columns .*\n"
                                "All sentences have errors; this may not be a "
                                "treebank.$")
        self.assertEqual(len(self.table("skipped")), 1)
        self.assertFalse(self.widget.statistics.tabs.isHidden())
        # The same without the list, since nothing was to be skipped.
        self.widget.controls.skip_bad.click()
        self.assertEqual(self.shown("Error"), [error])
        self.assertTrue(self.widget.statistics.tabs.isHidden())

    def test_skipping_is_offered_only_if_it_helps(self):
        contents = {
            "empty": (b"", ("empty.conllu, line 1: found an empty file, expected at "
                           "least one sentence")),
            "blank": (b"\n \n", ("blank.conllu, line 1: found nothing but blank lines, "
                               "expected at least one sentence")),
            "wide": (CHAIN.encode("utf-16"), ("wide.conllu, line 1: found UTF-16 text, "
                                             "expected UTF-8 text; save the file as "
                                             "UTF-8")),
            "prose": (b"Once upon a time\n", ("prose.conllu, line 1: found 1 column "
                      "('Once upon a time'), expected 10 columns separated by tabs\n"
                      "All sentences have errors; this may not be a treebank.")),
        }
        for name, (data, message) in contents.items():
            path = self.folder / f"{name}.conllu"
            path.write_bytes(data)
            for skip_bad in (False, True):
                with self.subTest(name, skip_bad=skip_bad):
                    self.create_file(path, skip_bad=skip_bad)
                    self.assertIsNone(self.output())
                    self.assertEqual(self.shown("Error"), [message])

    def test_tables(self):
        tab = self.folder / "some.tab"
        table = treebank([CHAIN, CROSSED]).copy()
        with table.unlocked():
            table.metas[0, 2] = FAULTY
        Table.from_table_rows(table, ...).save(str(tab))
        self.create_file(tab)
        error, = self.shown("Error")
        self.assertRegex(error, "^some, row 1, line 3: found 9 columns")
        self.assertIn("to read the rest: 1 sentence.", error)
        treebank([CHAIN])[:0].save(tab)
        self.create_file(tab)
        self.assertEqual(self.shown("Error"), ["some.tab contains no sentences."])

    def test_what_is_no_treebank(self):
        binary = self.folder / "binary.conllu"
        binary.write_bytes(bytes(range(256)))
        empty = self.write("empty.conllu", [])
        iris = self.folder / "iris.tab"
        Table("iris").save(str(iris))
        broken = self.folder / "broken.xlsx"
        broken.write_bytes(b"no spreadsheet")
        for path, message in ((binary, "binary.conllu, line 1: found a NUL byte"),
                              (empty, "empty.conllu, line 1: found an empty file"),
                              (iris, "'iris' is not a treebank: found the columns"),
                              (broken, "not a zip file"),
                              (self.folder, "Is a directory: "),
                              (self.folder / "nothing", "File not found: ")):
            with self.subTest(path.name):
                self.create_file(path)
                self.assertIsNone(self.output())
                error, = self.shown("Error")
                self.assertIn(message, error)
                self.assertNotIn("Traceback", error)

    def test_recovery(self):
        self.create_file(self.folder / "nothing")
        self.assertEqual(len(self.shown("Error")), 1)
        self.widget.open_file(str(self.toy))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.shown("Error"), [])


class TestTelling(loadtreebank.LoadTreebankTest):
    def test_facts(self):
        self.create_file(self.toy)
        self.output()
        self.assertIn("toy", self.widget.statistics.name.text())
        self.assertEqual(self.numbers(), {
            "Sentences:": "6", "Tokens:": "20 (15 different forms)",
            "Sentence length:": "3.3 on average, longest 7 tokens",
            "Heads:": "unknown in 1 sentence",
            "Non-projective:": "2 trees (40.0%)", "PoS tags:": "5 UPOS, 6 XPOS"})
        self.assertEqual(self.tabs()[0], "UPOS (5)")
        self.assertEqual(self.table("upos")[0], ["X", "13", "65.0%"])

    def test_facts_without_heads(self):
        self.create_file(self.write("bare.conllu", [UNPARSED]))
        self.output()
        numbers = self.numbers()
        self.assertEqual(numbers["Heads:"],
                         "unknown: can be parsed, but not learned from")
        self.assertNotIn("Non-projective:", numbers)

    def test_statistics_without_tags(self):
        self.create_file(self.write("bare.conllu", [
            "1\tNo\t_\t_\t_\t_\t_\t_\t_\t_"]))
        self.output()
        numbers = self.numbers()
        self.assertEqual(numbers["Heads:"], "unknown")
        self.assertIn("tag the sentences first", numbers["PoS tags:"])

    def test_facts_of_predictions(self):
        toy = treebank([CHAIN]).with_prediction("MST", [[0, 1, 2]])
        self.assertIn(("Predictions", "MST"),
                      statistics_rows(toy, describe(toy.sentences)))
        self.assertIn(("Heads", "all known"), statistics_rows(toy, describe(toy.sentences)))

    def test_where_something_was_skipped(self):
        faults = [ConllError("a, row 1.conllu", 3, "x", "y"),
                  ConllError("table, row 12", 1, "x", "y")]
        self.assertEqual(skipped_rows(faults), [("line 3", "x", "y"),
                                                ("row 12, line 1", "x", "y")])

    def test_report(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]), skip_bad=True)
        self.output()
        self.widget.send_report()
        report = self.widget.report_html
        for text in (str(self.folder / "bad.conllu"), "skipped", "3 (3 different forms)",
                     "XX 3", "dep 2, root 1", "line 9", "10 columns separated by tabs"):
            self.assertIn(text, report)

    def test_report_of_nothing(self):
        self.create_file(self.folder / "nothing")
        self.widget.send_report()
        self.assertIn(f"No treebank: File not found: {self.folder / 'nothing'}",
                      self.widget.report_html)
        self.create_file(self.write("a<b>.conllu", [CHAIN, FAULTY]))
        self.output()
        self.widget.send_report()
        self.assertIn("No treebank: a‹b&gt;.conllu, line 9: found 9 columns",
                      self.widget.report_html)

    def test_bars_of_shares(self):
        def bars(counts):
            self.widget.statistics._set_counts("xpos", counts)
            model = self.widget.statistics.tables["xpos"].model()
            return [model.data(model.index(row, 2), TableBarItem.BarRole)
                    for row in range(model.rowCount())]

        self.create()
        self.assertEqual(bars({"A": 50, "B": 25, "C": 25}), [1, 0.5, 0.5])
        # Where nothing is frequent, no bar looks like it.
        self.assertEqual(bars({f"T{n}": 1 for n in range(200)}), [0.05] * 200)
        header = self.widget.statistics.tables["xpos"].model()
        self.assertIn("10% if no share is that large",
                      header.headerData(2, Qt.Horizontal, Qt.ToolTipRole))

    def test_what_is_being_read(self):
        self.create(source="file")
        self.assertIn("Choose a file", self.widget.statistics.name.text())
        for begin, name in (
                (lambda: self.widget.open_file(str(self.toy)), "toy.conllu"),
                (lambda: self.widget.choose("bundled"), "the English treebank"),
                (lambda: self.widget.open_url("http://localhost:9/x.conllu"),
                 "x.conllu")):
            begin()
            self.assertEqual(self.widget.statistics.reason, f"Reading {name}…")
            self.output()
            self.assertNotIn("Reading", self.widget.statistics.name.text())

    def test_tab_key_goes_row_by_row(self):
        self.create()
        order, at = [], self.widget.buttons["file"]
        known = {self.widget.buttons["file"]: "File", self.widget.file_combo: "files",
                 self.widget.browse_button: "Open", self.widget.buttons["url"]: "URL",
                 self.widget.url_combo: "field",
                 self.widget.buttons["bundled"]: "Bundled",
                 self.widget.language_combo: "language",
                 self.widget.controls.skip_bad: "skip",
                 self.widget.reload_button: "reload"}
        for _ in range(200):
            if at in known:
                order.append(known[at])
            at = at.nextInFocusChain()
            if at is self.widget.buttons["file"]:
                break
        self.assertEqual(order, list(known.values()))

    def test_fits_a_small_screen(self):
        self.create_file(self.folder / ("folder" * 50) / ("file" * 50))
        self.output()
        self.widget.show()
        self.process_events()
        self.assertLess(self.widget.width(), 800)
        self.assertLess(self.widget.height(), 700)
        self.assertLess(self.widget.minimumSizeHint().width(), 600)
