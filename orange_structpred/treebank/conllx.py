"""CoNLL-X, the format before CoNLL-U: ten columns, and nothing but words."""
from __future__ import annotations

import os

from orange_structpred.treebank.block import CONLL_COLUMNS

CONLLX_EXTENSIONS = (".conllx", ".conllx.gz")
#: Columns that stand for something else in CoNLL-X: PHEAD and PDEPREL
_NOT_IN_CONLLX = [CONLL_COLUMNS.index(name) for name in ("DEPS", "MISC")]


def is_conllx(path: str | os.PathLike) -> bool:
    """Whether the name of a file says that it is CoNLL-X."""
    return os.fspath(path).lower().endswith(CONLLX_EXTENSIONS)


def conllx_block(block: str) -> str:
    """A sentence as CoNLL-X has it: no comments, no multiword tokens, no empty nodes.

    Examples
    --------
    >>> conllx_block("# text = Go\\n1\\tGo\\tgo\\tVERB\\t_\\t_\\t0\\troot\\t0:root\\tX=y")
    '1\\tGo\\tgo\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_'
    """
    lines = []
    for line in block.split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit():
            for index in _NOT_IN_CONLLX:
                columns[index] = "_"
            lines.append("\t".join(columns))
    return "\n".join(lines)
