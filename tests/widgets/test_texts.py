"""Import Text and Annotate."""
import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred import (
    PipelineLearner,
    Treebank,
    import_table,
    import_text,
    load_bundled,
)
from orange_structpred.__main__ import main
from orange_structpred.export import Link, Node, Workflow
from orange_structpred.export.script import write_script
from orange_structpred.pipeline.documents import annotate_table, annotate_text
from orange_structpred.treebank.conll import as_bytes
from orange_structpred.treebank.prediction import stored_head_probabilities
from orange_structpred.widgets.load.drophandlers import TextDropHandler
from orange_structpred.widgets.owannotate import OWAnnotate
from orange_structpred.widgets.owimporttext import OWImportText
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.tree.list import DOUBT_COLUMN, UAS_COLUMN
from tests.export.scripts import check_script
from tests.pipeline.test_documents import PlainCorpus, documents
from tests.widgets.ownfolder import OwnFolderTest
from tests.without_qt import run_text

TEXT = "The dog sees the cat. The cat sleeps.\n\nThe old man reads a book."
PREFIX = "orange_structpred.widgets."


def books():
    """Two documents, with who wrote them and when."""
    domain = Domain([], ContinuousVariable("year"),
                    [StringVariable("body"), DiscreteVariable("author", ("Ann", "Bob"))])
    return Table.from_list(domain, [
        [1901, "The dog sees the cat. The cat sleeps.", "Ann"],
        [1950, "The old man reads a book.", "Bob"]])


class TextTest(OwnFolderTest):
    kind = OWImportText

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pipeline = PipelineLearner(["tokeniser", "tagger"], name="mine")(
            load_bundled("en")[:60])

    def create(self, **settings):
        self.widget = self.create_widget(self.kind, stored_settings=settings)
        return self.widget

    def write(self, content: bytes):
        path = self.folder / "some text.txt"
        path.write_bytes(content)
        return str(path)

    def send(self, name, value):
        self.send_signal(getattr(self.widget.Inputs, name), value)

    def output(self, name="treebank"):
        self.wait_until_finished()
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def error(self):
        self.assertIsNone(self.output())
        self.widget.send_report()
        return str(self.widget.Error.unfit)


class TestImportText(TextTest):
    def test_typed(self):
        self.create()
        self.assertIsNone(self.output())
        self.assertIn("type some text", self.widget.labels["Result"].text())
        self.widget.editor.setPlainText(TEXT)
        self.widget.timer.stop()
        self.widget.timer.timeout.emit()
        self.assertEqual(self.output().sentences, import_text(TEXT).sentences)
        self.assertIn("3 sentences", self.widget.labels["Result"].text())
        self.widget.send_report()
        # and from a workflow
        self.create(text=TEXT, source="text")
        self.assertEqual(len(self.output()), 3)

    def test_typed_a_moment_ago(self):
        self.create(source="file")
        self.widget.editor.setPlainText(TEXT)
        data = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual((data["text"], data["source"]), (TEXT, "text"))
        self.assertFalse(self.widget.timer.isActive())
        self.assertEqual(len(self.output()), 3)

    def test_file(self):
        self.create()
        self.widget.open_file(self.write(TEXT.encode()))
        self.assertEqual(self.output().sentences, import_text(TEXT).sentences)
        self.assertEqual(self.output().name, "some text")

    def test_data(self):
        self.create(text="Not this.")
        table = documents()
        self.send("data", table)
        self.assertEqual(self.output().sentences, import_table(table).sentences)
        self.assertTrue(self.widget.buttons["data"].isChecked())
        self.send("data", None)
        self.assertIsNone(self.output())
        self.widget.choose("text")
        self.assertEqual(self.output().sentences[0].text, "Not this.")

    def test_column(self):
        domain = Domain([], [], [StringVariable("title"), StringVariable("body")])
        table = Table.from_numpy(domain, np.empty((1, 0)), metas=np.array(
            [["Rain", "It rains today."]], object))
        self.create()
        self.send("data", table)
        self.assertEqual(self.output().sentences[0].text, "It rains today.")
        combo = self.widget.column_combo
        combo.setCurrentIndex(combo.findText("title"))
        combo.activated.emit(combo.currentIndex())
        self.assertEqual(self.output().sentences[0].text, "Rain")
        self.create(column="title")
        self.send("data", table)
        self.assertEqual(self.output().sentences[0].text, "Rain")
        # other data need not have this column
        self.send("data", documents())
        self.assertEqual(len(self.output()), 3)

    def test_tokeniser(self):
        self.create(text=TEXT)
        self.send("pipeline", self.pipeline)
        self.assertEqual(self.output().sentences,
                         import_text(TEXT, self.pipeline.tokeniser).sentences)
        self.assertIn("mine", self.widget.labels["Tokeniser"].text())
        self.send("pipeline", PipelineLearner(["tagger"], name="tags")(
            load_bundled("en")[:20]))
        self.assertIn("'tags' has no tokeniser", self.error())

    def test_no_file_yet(self):
        self.create(source="file")
        self.assertEqual(self.widget.labels["Result"].text(), "Choose a text file.")

    def test_bad_files(self):
        for content, message in (
                ("schön".encode("latin-1"), "line 1: found byte 0xF6"),
                (b"a\0b", "a NUL byte"), (b" \n", "an empty file"),
                ("hello".encode("utf-16"), "UTF-16")):
            self.create(source="file", path=self.write(content))
            self.assertIn(message, self.error())
        self.create(source="file", path=str(self.folder / "none.txt"))
        self.assertIn("No such file", self.error())
        self.create(source="file", path=str(self.folder))
        self.assertIn("directory", self.error())

    def test_treebanks_are_no_text(self):
        block = load_bundled("en").sentences[0].block
        self.create(text=block)
        self.assertIn("Typed text: found the sentences of a treebank", self.error())
        self.create(source="file", path=self.write(block.encode()))
        self.assertIn("some text.txt: found the sentences of a treebank", self.error())

    def test_bad_data(self):
        self.create()
        self.send("data", Table("iris"))
        self.assertIn("has no text: found the columns", self.error())
        self.send("data", documents()[1:2])
        self.assertIn("All documents are empty", self.error())
        self.send("data", documents()[:0])
        self.assertIn("There are no documents", self.error())

    def test_script_without_spaces_between_words(self):
        self.create(text="我喜欢你。")
        self.assertIsNotNone(self.output())
        self.assertIn("script without spaces", str(self.widget.Warning.library))

    def test_damaged_settings(self):
        self.create(source="elsewhere", column=3, text=None, path=5)
        self.assertEqual((self.widget.source, self.widget.column), ("text", ""))


class TestAnnotate(TextTest):
    kind = OWAnnotate

    def test_no_file_yet(self):
        self.create(source="file")
        self.assertEqual(self.widget.labels["Result"].text(),
                         "Connect a pipeline and choose a text file.")

    def test_text(self):
        self.create(text=TEXT)
        self.assertIsNone(self.output())
        self.assertIn("Connect a pipeline", self.widget.labels["Result"].text())
        self.send("pipeline", self.pipeline)
        treebank = self.output()
        self.assertEqual(treebank.sentences,
                         annotate_text(self.pipeline, TEXT).sentences)
        self.assertNotIn("_", treebank.sentences[0].upos)
        self.assertIsNone(self.output("data"))
        self.widget.send_report()

    def test_corpus(self):
        self.create()
        self.send("pipeline", self.pipeline)
        self.send("data", documents(PlainCorpus))
        corpus = self.output("data")
        self.assertIsInstance(corpus, PlainCorpus)
        self.assertEqual(list(corpus._tokens[0]), [
            form for own in self.output().sentences[:2] for form in own.forms])
        self.send("data", documents())
        self.assertIsNone(self.output("data"))
        self.assertEqual(len(self.output()), 3)

    def test_treebank_that_lacks_tags(self):
        self.create()
        self.send("pipeline", self.pipeline)
        self.send("data", import_text(TEXT))
        treebank = self.output()
        self.assertNotIn("_", treebank.sentences[0].upos)
        self.assertEqual(treebank.sentences[0].forms,
                         import_text(TEXT).sentences[0].forms)
        self.send("data", load_bundled("en")[:3])
        self.assertEqual(self.output().sentences, load_bundled("en")[:3].sentences)

    def test_bad_input(self):
        self.create(source="file", path=self.write(b"\xff\xfe\0"))
        self.send("pipeline", self.pipeline)
        self.assertIn("UTF-16", self.error())
        self.send("data", Table("iris"))
        self.assertIn("has no text", self.error())
        self.send("pipeline", None)
        self.assertFalse(self.widget.Error.unfit.is_shown())

    def test_columns_of_the_documents(self):
        self.create()
        self.send("pipeline", self.pipeline)
        self.send("data", books())
        treebank = self.output()
        self.assertEqual(treebank.get_column("author").tolist(), [0, 0, 1])
        self.assertEqual(treebank.get_column("year").tolist(), [1901, 1901, 1950])

    def test_what_is_shown_is_the_source(self):
        self.create(text=TEXT)
        self.assertTrue(self.widget.editor.isEnabled())
        self.widget.open_file(self.write(b"A dog."))
        self.assertFalse(self.widget.editor.isEnabled())
        self.widget.choose("text")
        self.assertTrue(self.widget.editor.isEnabled())
        self.send("data", books())
        self.assertFalse(self.widget.editor.isEnabled())

    def test_dropped_on_the_canvas(self):
        handler = TextDropHandler()
        path = self.write(TEXT.encode())
        self.assertEqual(handler.qualifiedName(), PREFIX + "owannotate.OWAnnotate")
        self.assertTrue(handler.canDropFile(path) and handler.canDropFile("/a/B.TXT"))
        self.assertFalse(handler.canDropFile("/tmp/a.conllu"))
        self.create(**handler.parametersFromFile(path))
        self.send("pipeline", self.pipeline)
        self.assertEqual(self.output().sentences, self.pipeline.annotate(TEXT))

    def test_stopped(self):
        self.create(text=TEXT)
        self.send("pipeline", self.pipeline)
        self.widget.stop()
        self.assertIsNone(self.output())
        self.assertTrue(self.widget.Information.stopped.is_shown())


class TestScripts(TextTest):
    def run_script(self, nodes, links=(), **names):
        folder = self.folder
        workflow = Workflow("", nodes, [Link(*link) for link in links], folder)
        script = write_script(workflow)
        self.assertFalse(script.missing)
        check_script(script)
        return run_text(script.text, folder)

    def test_text_and_file(self):
        self.write(TEXT.encode())
        space = self.run_script([
            Node("0", PREFIX + "owimporttext.OWImportText", "typed", {"text": TEXT}),
            Node("1", PREFIX + "owimporttext.OWImportText", "opened", {
                "source": "file", "path": "/elsewhere/some text.txt",
                "relative_path": "some text.txt"}),
            Node("2", PREFIX + "owimporttext.OWImportText", "idle", {"text": " "})])
        expected = import_text(TEXT)
        self.assertEqual(space["typed"].sentences, expected.sentences)
        self.assertEqual(space["opened"].sentences, expected.sentences)
        self.assertEqual(space["opened"].name, "some text")
        self.assertNotIn("idle", space)

    def test_pipeline(self):
        self.pipeline.save(self.folder / "mine.npz")
        documents().save(str(self.folder / "documents.tab"))
        load = Node("0", PREFIX + "owloadparser.OWLoadParser", "mine",
                    {"path": str(self.folder / "mine.npz")})
        state = {"path": str(self.folder / "documents.tab")}
        space = self.run_script([
            load,
            Node("1", PREFIX + "owannotate.OWAnnotate", "typed", {"text": TEXT}),
            Node("2", PREFIX + "owimporttext.OWImportText", "words", {"text": TEXT}),
            Node("3", "Orange.widgets.data.owfile.OWFile", "table", {
                "source": 1, "url": f"file://{state['path']}"}),
            Node("4", PREFIX + "owannotate.OWAnnotate", "annotated", {
                "column": "text"})],
            [("0", "1", "Pipeline", "Pipeline"), ("0", "2", "Pipeline", "Pipeline"),
             ("0", "4", "Pipeline", "Pipeline"), ("3", "4", "Data", "Data")])
        self.assertEqual(space["typed"].sentences,
                         annotate_text(self.pipeline, TEXT).sentences)
        self.assertEqual(space["words"].sentences,
                         import_text(TEXT, self.pipeline.tokeniser).sentences)
        table = Table.from_file(state["path"])      # without its empty row
        self.assertEqual(space["annotated"].sentences,
                         annotate_table(self.pipeline, table)[0].sentences)


class TestProbabilities(TextTest):
    """A linguist sees what to doubt in her own text."""

    kind = OWAnnotate

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.complete = PipelineLearner(name="mine")(load_bundled("en")[:100])

    def test_probabilities(self):
        """They are those of the trees, which are not compared with themselves."""
        self.create(text=TEXT, probabilities=True)
        self.send("pipeline", self.complete)
        treebank = self.output()
        self.assertEqual(treebank.sentences,
                         self.complete.annotate(TEXT, probabilities=True))
        self.assertFalse(treebank.predictions)
        for shares in stored_head_probabilities(treebank.sentences):
            self.assertTrue(((shares >= 0) & (shares <= 1)).all())
        again, _ = annotate_table(self.complete, books(), probabilities=True)
        self.assertEqual(len(stored_head_probabilities(again.sentences)), 3)
        bare = [sentence.with_heads([-1] * len(sentence)) for sentence in again.sentences[1:]]
        filled, _ = annotate_table(
            self.complete, Treebank.from_sentences([load_bundled("en").sentences[0], *bare]),
            probabilities=True)
        first, *others = stored_head_probabilities(filled.sentences)
        self.assertTrue(np.isnan(first).all() and not np.isnan(np.concatenate(others)).any())
        self.assertFalse(self.widget.Information.no_probabilities.is_shown())

    def test_no_parser(self):
        self.create(text=TEXT, probabilities=True)
        self.send("pipeline", self.pipeline)
        self.assertEqual(self.output().sentences, self.pipeline.annotate(TEXT))
        self.assertTrue(self.widget.Information.no_probabilities.is_shown())
        box = self.widget.controls.probabilities
        self.assertFalse(box.isEnabled() or box.isChecked())
        self.send("pipeline", self.complete)
        self.assertTrue(box.isEnabled() and box.isChecked())

    def test_script(self):
        self.complete.save(self.folder / "mine.npz")
        script = write_script(Workflow("", [
            Node("0", PREFIX + "owloadparser.OWLoadParser", "mine",
                 {"path": str(self.folder / "mine.npz")}),
            Node("1", PREFIX + "owannotate.OWAnnotate", "annotated",
                 {"text": TEXT, "probabilities": True})],
            [Link("0", "1", "Pipeline", "Pipeline")], self.folder))
        check_script(script)
        space = run_text(script.text, self.folder)
        expected = annotate_text(self.complete, TEXT, probabilities=True)
        self.assertEqual(space["annotated"].metas.tolist(), expected.metas.tolist())

    def test_viewer_takes_a_pipeline(self):
        viewer = self.create_widget(OWTreebankViewer)
        treebank = annotate_text(self.complete, TEXT, probabilities=True)
        self.send_signal(viewer.Inputs.treebank, treebank, widget=viewer)
        self.send_signal(viewer.Inputs.pipeline, self.complete, widget=viewer)
        self.assertEqual(viewer.parser.name, "mine")
        self.assertEqual(self.complete.parser.name, "parser")
        self.assertIsNotNone(viewer.head_probabilities(0))
        self.assertIn("wrong heads expected", viewer.about.text())
        self.assertNotIn("UAS", viewer.about.text())
        self.assertFalse(viewer.list.isColumnHidden(DOUBT_COLUMN))
        self.assertTrue(viewer.list.isColumnHidden(UAS_COLUMN))
        self.assertIn("%", " ".join(item.label for item in
                                    viewer.scene.arcs["above"].values()))
        viewer._on_click(1)
        self.assertRegex(viewer.line.text(), "annotated head .* sure")
        other = self.complete.parser
        self.send_signal(viewer.Inputs.parser, other, widget=viewer)
        self.assertIs(viewer.parser, other)
        self.send_signal(viewer.Inputs.parser, None, widget=viewer)
        self.assertEqual(viewer.parser.name, "mine")
        self.send_signal(viewer.Inputs.pipeline, self.pipeline, widget=viewer)
        self.assertIsNone(viewer.parser)


class TestOnePath(TextTest):
    """Canvas, script and command line give the same bytes."""

    kind = OWAnnotate

    def test_text(self):
        path = self.write(TEXT.encode())
        model = self.folder / "mine.npz"
        self.pipeline.save(model)
        out = self.folder / "out.conllu"
        main(["annotate", str(model), path, "-o", str(out), "--quiet"])
        expected = out.read_bytes()
        self.assertIn(b"# sent_id = 3\n", expected)
        for settings in ({"text": TEXT}, {"source": "file", "path": path}):
            self.create(**settings)
            self.send("pipeline", self.pipeline)
            self.assertEqual(as_bytes(self.output().sentences), expected)
            script = write_script(Workflow("", [
                Node("0", PREFIX + "owloadparser.OWLoadParser", "mine", {"path": str(model)}),
                Node("1", PREFIX + "owannotate.OWAnnotate", "annotated", settings)],
                [Link("0", "1", "Pipeline", "Pipeline")], self.folder))
            space = run_text(script.text, self.folder)
            self.assertEqual(as_bytes(space["annotated"].sentences), expected)

    def test_documents(self):
        """The sentences of a document are those of its text, but for their ids."""
        treebank, _ = annotate_table(self.pipeline, books())
        self.create()
        self.send("pipeline", self.pipeline)
        self.send("data", books())
        self.assertEqual(as_bytes(self.output().sentences), as_bytes(treebank.sentences))
        self.assertEqual([own.sent_id for own in treebank.sentences], ["1-1", "1-2", "2-1"])
        [alone] = self.pipeline.annotate(str(books()[1, "body"]))
        block = treebank.sentences[2].block
        self.assertEqual(block, "# newdoc id = 2\n" + alone.block.replace(
            "# sent_id = 1\n", "# sent_id = 2-1\n"))


del TextTest        # it would run here, too
