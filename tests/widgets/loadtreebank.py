"""Load CoNLL Treebank in tests: files of their own, and what it gives."""
from unittest.mock import Mock, patch

from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from tests.treebank.toy import BLOCKS, file_of
from tests.widgets.ownfolder import OwnFolderTest
from tests.widgets.showntexts import ShownTexts


class LoadTreebankTest(ShownTexts, OwnFolderTest):
    def setUp(self):
        super().setUp()
        self.toy = self.write("toy.conllu", BLOCKS)

    def write(self, name, blocks):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(file_of(blocks))
        return path

    def create(self, basedir=None, **settings) -> OWLoadTreebank:
        env = {} if basedir is None else {"basedir": str(basedir)}
        with patch.object(OWLoadTreebank, "workflowEnv", Mock(return_value=env)):
            self.widget = self.create_widget(OWLoadTreebank, stored_settings=settings)
        return self.widget

    def create_file(self, path, **settings):
        return self.create(source="file", path=str(path), **settings)

    def output(self):
        self.wait_until_finished()
        return self.get_output(self.widget.Outputs.treebank, wait=0)

    def shown(self, kind):
        self.wait_until_finished()
        return super().shown(kind)

    def blocks(self):
        return [sentence.block for sentence in self.output().sentences]

    def numbers(self):
        form = self.widget.statistics.numbers
        return {form.itemAt(row, form.ItemRole.LabelRole).widget().text():
                form.itemAt(row, form.ItemRole.FieldRole).widget().text()
                for row in range(form.rowCount())}

    def table(self, key):
        model = self.widget.statistics.tables[key].model()
        return [[model.data(model.index(row, column))
                 for column in range(model.columnCount())]
                for row in range(model.rowCount())]

    def tabs(self):
        tabs = self.widget.statistics.tabs
        return [tabs.tabText(index) for index in range(tabs.count())]
