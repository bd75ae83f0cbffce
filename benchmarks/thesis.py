"""Chapter 6 of the thesis again, on free treebanks.

    python benchmarks/thesis.py --treebanks DIR --all [--quick]
    python benchmarks/thesis.py --treebanks DIR --table 6.2 --figure 6.4

Each model is trained as the thesis says and written as a line of JSON to --lines
(doc/study.jsonl). What is there already is not computed again, so that an interrupted run
resumes where it was. `python doc/make_study.py` makes the page and its figures from them.

Treebanks: English is the training part of UD English EWT, German the development and test
parts of UD German GSD together; --also NAME=FILE,FILE adds another. UD German HDT comes
closest to the thesis's newspaper; `orange-structpred fetch German-HDT dev test` downloads
it. Each treebank is halved by whole documents drawn at random, one half to learn from and
one to test on. Where the thesis has 5,000 sentences of each, so have we.

--quick takes every tenth sentence. With --scheduler, the workers of a Dask cluster train
the models of tables and figures side by side; running times (figure 6.6) and learning
curves (--beyond) are always measured on this machine.
"""
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from benchmarks.study.command import main

    main(__doc__)
