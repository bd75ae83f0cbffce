"""Small sentences for the tests of treebanks."""
from __future__ import annotations

from collections.abc import Sequence

from orange_structpred.treebank import Sentence, Treebank, load_bundled


def block(heads: Sequence[int | str], forms: str = "", *, sent_id: str = "",
          text: str = "") -> str:
    """A block with these heads, and words a, b, c ... if none are given."""
    words = (forms.split(" ") if forms
             else [chr(ord("a") + i % 26) for i in range(len(heads))])
    lines = [f"# {key} = {value}"
             for key, value in (("sent_id", sent_id), ("text", text)) if value]
    lines += [f"{i}\t{word}\t{word.lower()}\tX\tXX\t_\t{head}\t"
              f"{'root' if head == 0 else 'dep'}\t_\t_"
              for i, (word, head) in enumerate(zip(words, heads, strict=True), 1)]
    return "\n".join(lines)


CHAIN = block([0, 1, 2], sent_id="chain", text="a b c")
CROSSED = block([3, 4, 0, 3], "A hearing is scheduled", sent_id="crossed")
TWO_ROOTS = block([0, 1, 0], sent_id="two roots")
UNPARSED = block(["_", "_"], sent_id="unparsed")
ONE_WORD = block([0], "Yes", sent_id="one word")

# Ranges, empty nodes, enhanced dependencies, quotes, a comment below the first token.
RICH = """\
# newdoc id = d
# sent_id = rich-1
# text = "Vámonos", he 's said
0.1\t_\t_\tVERB\t_\t_\t_\t_\t0:root\t_
1\t"\t"\tPUNCT\t``\t_\t4\tpunct\t4:punct\tSpaceAfter=No
2-3\tVámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t5\tccomp\t5:ccomp\t_
3\tnos\tnosotros\tPRON\t_\t_\t2\tobj\t2:obj|0.1:nsubj\t_
# a late remark
4\t",\t",\tPUNCT\t''\t_\t2\tpunct\t2:punct\t_
5\the\the\tPRON\tPRP\t_\t0\troot\t0:root\t_
5.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
5.2\ty\t_\t_\t_\t_\t_\t_\t_\tCopyOf=5
6\t's\tbe\tAUX\tVBZ\t_\t5\tdep\t5:dep\t_
7\tsaid\tsay\tVERB\tVBD\t_\t5\tdep\t_\ta=b c"""

BLOCKS = [CHAIN, CROSSED, TWO_ROOTS, RICH, ONE_WORD, UNPARSED]


def file_of(blocks: Sequence[str]) -> bytes:
    return "".join(block + "\n\n" for block in blocks).encode("utf-8")


def treebank(blocks: Sequence[str] = tuple(BLOCKS), name: str = "toy") -> Treebank:
    return Treebank.from_sentences([Sentence(block) for block in blocks], name=name)


def long_sentence(tokens: int) -> Sentence:
    """The words of many sentences in one; each depends on the one before."""
    rows = [row for sentence in load_bundled("en").sentences[:30] for row in zip(
        sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos)]
    return Sentence("\n".join(
        "\t".join([str(i + 1), *rows[i % len(rows)], "_", str(i),
                   "dep" if i else "root", "_", "_"]) for i in range(tokens)))
