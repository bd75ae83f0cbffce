"""What the canvas makes of files that are dropped on it."""
from __future__ import annotations

import os

from AnyQt.QtCore import QUrl
from orangewidget.workflow.drophandler import (
    SingleFileDropHandler,
    SingleUrlDropHandler,
)

from orange_structpred.treebank.remote import SCHEMES
from orange_structpred.treebank.table import EXTENSIONS
from orange_structpred.widgets import owannotate, owloadparser, owloadtreebank


class TreebankDropHandler(SingleUrlDropHandler):
    """A widget Load CoNLL Treebank for a CoNLL file, here or on the web."""

    WIDGET = owloadtreebank.OWLoadTreebank

    def canDropUrl(self, url: QUrl) -> bool:
        return url.path().lower().endswith(EXTENSIONS) and (
            url.isLocalFile() or url.scheme().lower() in SCHEMES)

    def parametersFromUrl(self, url: QUrl) -> dict:
        if url.isLocalFile():
            return {"source": "file", "path": os.path.abspath(url.toLocalFile())}
        return {"source": "url", "url": url.toString()}


class ParserDropHandler(SingleFileDropHandler):
    """A widget Load Parser for the file of a parser or a pipeline."""

    WIDGET = owloadparser.OWLoadParser

    def canDropFile(self, path: str) -> bool:
        return path.lower().endswith(owloadparser.EXTENSION)

    def parametersFromFile(self, path: str) -> dict:
        return {"path": os.path.abspath(path)}


class TextDropHandler(SingleFileDropHandler):
    """A widget Annotate for a text file."""

    WIDGET = owannotate.OWAnnotate

    def canDropFile(self, path: str) -> bool:
        return path.lower().endswith(".txt")

    def parametersFromFile(self, path: str) -> dict:
        return {"source": "file", "path": os.path.abspath(path)}
