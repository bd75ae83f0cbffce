"""Outputs that are built by a sequence of decisions: learning to search."""
