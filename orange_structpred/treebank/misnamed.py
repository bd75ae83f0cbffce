"""Tables that have the name of a CoNLL file."""
from __future__ import annotations

import os

from orange_structpred.errors import InputError
from orange_structpred.treebank.columns import CONLLU_NAME

#: How tables are separated, and how the names of such files end
SEPARATORS = {"\t": ".tab", ",": ".csv"}
#: Bytes of a file that are looked at
HEADER_SIZE = 10_000


class MisnamedTableError(InputError):
    """A table with a treebank in it, under the name of a CoNLL file."""


def expect_no_table(path: str | os.PathLike) -> None:
    """Complain of a table in a file that could not be read as CoNLL."""
    with open(path, "rb") as file:
        header = file.read(HEADER_SIZE).decode("utf-8-sig", "replace").split("\n")[0]
    for separator, extension in SEPARATORS.items():
        titles = header.rstrip("\r").split(separator)
        if len(titles) > 1 and any(map(CONLLU_NAME.fullmatch, titles)):
            name = os.path.basename(path)
            raise MisnamedTableError(
                f"{name} contains a table ({extension}) with a treebank in it, not "
                f"CoNLL: give it a name that ends in {extension}, or write the "
                "treebank again with Save Treebank")
