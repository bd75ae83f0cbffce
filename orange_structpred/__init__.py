"""Structural support vector machines for dependency parsing, without Qt."""

__version__ = "0.1.0"
