"""Alignments of two strings: learning the scores of operations (001, section 4.4)."""
