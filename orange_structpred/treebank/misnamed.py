"""Tables that have the name of a CoNLL file."""
from __future__ import annotations

import re

#: The column of a table that holds sentences; Merge Data and Concatenate number columns
#: of the same name
CONLLU = "conllu"
CONLLU_NAME = re.compile(rf"{CONLLU}( \(\d+\))?")
#: How tables are separated, and how the names of such files end
SEPARATORS = {"\t": ".tab", ",": ".csv"}
#: Bytes of a file that are looked at
HEADER_SIZE = 10_000


def table_extension(data: bytes) -> str | None:
    """The extension that fits a file if it is a table with a treebank in it.

    data : at least the first lines of the file
    """
    header = data[:HEADER_SIZE].decode("utf-8-sig", "replace").partition("\n")[0]
    for separator, extension in SEPARATORS.items():
        titles = header.rstrip("\r").split(separator)
        if len(titles) > 1 and any(map(CONLLU_NAME.fullmatch, titles)):
            return extension
    return None
