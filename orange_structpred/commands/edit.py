"""orange-structpred edit PATTERN COMMANDS FILE"""
from __future__ import annotations

import sys

from orange_structpred.commands import (
    TREEBANK,
    counted,
    n_sentences,
    output_name,
    print_notes,
    print_text,
    read_treebank,
)
from orange_structpred.commands.options import add_shared

SUMMARY = "change all matches of a pattern"
EXAMPLES = """\
  orange-structpred edit 'form=Orange upos=NOUN' 'W.upos = PROPN' dev.conllu
  orange-structpred edit 'N [upos=NOUN]; N -[obl]-> M' 'N -[obl]-> M becomes nmod' \\
      dev.conllu -o fixed.conllu
  orange-structpred edit 'upos=PROPN !Number' 'W.Number = Sing' - < in > /dev/null

Without -o nothing is written: the changes are only printed, one per line (sentence,
word, key: before -> after). PATTERN is written as for the command find. COMMANDS are
separated by semicolons:
  N.upos = PROPN                a new value; "" removes it
  N.lemma = M.form              a value copied from another key
  N.Number = Sing               a feature; misc:Gloss is a key of MISC
  V -[obl]-> N becomes nmod     another relation, if N depends on V as obl
  N.head = M                    another head (root: none); the result is always a tree"""


def add_arguments(parser) -> None:
    parser.add_argument("pattern", metavar="PATTERN", help="what to look for")
    parser.add_argument("commands", metavar="COMMANDS", help="what to change")
    add_shared(parser, "file")
    parser.add_argument("-o", "--output", metavar="FILE", type=output_name(TREEBANK),
                        help="write the changed treebank to a CoNLL file, or - for "
                             "standard output (the changes are then printed to standard "
                             "error)")


def run(args) -> None:
    from orange_structpred.search.mass_edit import mass_edit
    from orange_structpred.treebank import write_conll

    edit = mass_edit(read_treebank(args.file), args.pattern, args.commands)
    changes = edit.sentence_changes()
    print_notes(edit.notes)
    for line in edit.lines():
        print_text(line, sys.stderr if args.output == "-" else sys.stdout)
    if edit.conflicts:
        print(f"warning: {counted(len(edit.conflicts), 'change is', 'changes are')} left "
              "out, since another match gives the same word another value",
              file=sys.stderr)
    if args.output:
        write_conll(edit.apply().commented_sentences(), args.output)
    print(f"{counted(len(edit), 'change', 'changes')} in {n_sentences(len(changes))}"
          + ("" if args.output else "; nothing is written without -o"), file=sys.stderr)
