"""Tests of widgets.

Base classes that several modules share are in modules of their own, and tests name them
through the module (`trainparser.TrainParserTest`): pytest would run the inherited tests
once more in each module into which a base class itself is imported.
"""
