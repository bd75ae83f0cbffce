"""Patterns over trees: parsing them, matching, clustering."""
from orange_structpred.search.find import find
from orange_structpred.search.matches import Matches
from orange_structpred.search.scanner import PatternError
from orange_structpred.search.syntax import parse_pattern

__all__ = ["Matches", "PatternError", "find", "parse_pattern"]
