"""Constituency trees: weighted context-free grammars (001, section 4.5)."""
