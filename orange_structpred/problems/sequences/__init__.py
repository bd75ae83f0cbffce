"""Sequences of labels."""
