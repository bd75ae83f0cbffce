"""Python imports this when it starts: the walk begins as soon as Orange's window is there.

Orange itself is started by its own command, unchanged.
"""
import os
import sys
import threading
import time

RESULTS = "STRUCTPRED_SCREEN"       # the folder for pictures; set only for the canvas
EVERY = 0.2


def wait_for_the_application() -> None:
    """In a thread of its own: the main one is busy starting."""
    while True:
        time.sleep(EVERY)
        module = sys.modules.get("AnyQt.QtWidgets")
        kind = getattr(module, "QApplication", None)
        application = kind.instance() if kind is not None else None
        if application is not None and not kind.startingUp():
            break
    from AnyQt.QtCore import QCoreApplication, QEvent, QObject

    class Starter(QObject):
        """Gets an event in the main thread."""

        def customEvent(self, event):
            from screen_walk import begin
            begin(os.environ[RESULTS])

    starter = Starter()
    starter.moveToThread(application.thread())
    QCoreApplication.postEvent(starter, QEvent(QEvent.User))
    application.structpred_starter = starter        # kept as long as it is needed


if os.environ.get(RESULTS) and "orange" in " ".join(sys.orig_argv).lower():
    threading.Thread(target=wait_for_the_application, daemon=True).start()
