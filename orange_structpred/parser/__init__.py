"""Trained parsers."""
from orange_structpred.parser.constrained import Arc, complete_tree
from orange_structpred.parser.expected_tags import MissingTagsError, UnknownTagsWarning
from orange_structpred.parser.parser import (
    PARSER_COMPONENTS,
    PARSER_FORMAT,
    PARSER_HEADER,
    Parser,
)

__all__ = ["PARSER_COMPONENTS", "PARSER_FORMAT", "PARSER_HEADER", "Arc", "MissingTagsError",
           "Parser", "UnknownTagsWarning", "complete_tree"]
