"""Tests of widgets that read files: a folder for each test, and Qt's settings in it."""
import tempfile
from pathlib import Path

from AnyQt.QtCore import QSettings
from Orange.widgets.tests.base import WidgetTest


class OwnFolderTest(WidgetTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Qt's settings remember recent files
        self.addCleanup(QSettings.setDefaultFormat, QSettings.defaultFormat())
        QSettings.setDefaultFormat(QSettings.IniFormat)
        QSettings.setPath(QSettings.IniFormat, QSettings.UserScope,
                          str(self.folder / "qt"))
