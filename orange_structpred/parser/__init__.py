"""Trained parsers."""
from orange_structpred.parser.completion import complete_tree
from orange_structpred.parser.constrained import Arc
from orange_structpred.parser.parser import (
    PARSER_COMPONENTS,
    PARSER_FORMAT,
    PARSER_HEADER,
    MissingTagsError,
    Parser,
    UnknownTagsWarning,
)

__all__ = ["PARSER_COMPONENTS", "PARSER_FORMAT", "PARSER_HEADER", "Arc", "MissingTagsError",
           "Parser", "UnknownTagsWarning", "complete_tree"]
