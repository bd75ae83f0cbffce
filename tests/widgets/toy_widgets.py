"""Widgets that are slow, print, fail or never end."""
import time

from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets.utils.concurrent import ConcurrentWidgetMixin
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline


def count_slowly(seconds, state):
    begin = time.monotonic()
    while time.monotonic() - begin < seconds and not state.is_interruption_requested():
        time.sleep(0.01)
    return 42


class OWSlow(OWWidget, ConcurrentWidgetMixin, openclass=True):
    """Gives 42, after a while in another thread."""
    name = "Slow"
    seconds = 0.6

    class Outputs:
        number = Output("Number", int, auto_summary=False)

    def __init__(self):
        super().__init__()
        ConcurrentWidgetMixin.__init__(self)
        self.setInvalidated(True)
        self.start(count_slowly, self.seconds)

    def on_done(self, result):
        self.setInvalidated(False)
        self.Outputs.number.send(result)

    def onDeleteWidget(self):
        self.shutdown()
        super().onDeleteWidget()


class OWEndless(OWSlow):
    name = "Endless"
    seconds = 600


class OWScore(OWWidget):
    """Has a table to print."""
    name = "Score"

    class Inputs:
        number = Input("Number", int, auto_summary=False)

    def __init__(self):
        super().__init__()
        self.number = None

    @Inputs.number
    def set_number(self, number):
        self.number = number

    def score_table(self):
        return f"UAS {self.number}"


class OWPicky(OWWidget):
    """Shows an error for each number."""
    name = "Picky"

    class Inputs:
        number = Input("Number", int, auto_summary=False)

    class Error(OWWidget.Error):
        no_good = Msg("{} is no good")

    @Inputs.number
    def set_number(self, number):
        self.Error.no_good(number)


class OWRaising(OWWidget):
    """Raises an exception for each number."""
    name = "Raising"

    class Inputs:
        number = Input("Number", int, auto_summary=False)

    @Inputs.number
    def set_number(self, number):
        raise ArithmeticError(f"cannot stand {number}")


class OWBroken(OWWidget):
    """Cannot be created."""
    name = "Broken"

    class Inputs:
        number = Input("Number", int, auto_summary=False)

    def __init__(self):
        super().__init__()
        raise ArithmeticError("no number to begin with")

    @Inputs.number
    def set_number(self, number):
        """Nobody gets here."""


class OWSource(OWWidget):
    """Sends nothing unless it is told to."""
    name = "Source"

    class Outputs:
        table = Output("Table", Table)
        parser = Output("Parser", Parser)
        pipeline = Output("Pipeline", Pipeline)
        learner = Output("Learner", Learner)
        preprocessor = Output("Preprocessor", Preprocess)
