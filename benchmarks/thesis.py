"""Chapter 6 of the thesis again, on free treebanks.

    python benchmarks/thesis.py --treebanks DIR --all [--quick]
    python benchmarks/thesis.py --treebanks DIR --table 6.2 --figure 6.4

Each model is trained as the thesis says and written as a line of JSON to --lines
(doc/study.jsonl); what is there already is not computed again, so that an interrupted run
goes on where it was. `python doc/make_study.py` makes the page and the figures of it.

Treebanks: English is the training part of UD English EWT, German the development and test
parts of UD German GSD together; --also NAME=FILE,FILE adds another (UD German HDT comes
closest to the thesis's newspaper; `orange-structpred fetch` gets it). Each is halved by
whole documents drawn at random, one half to learn from, one to test on. What the thesis
does with 5,000 sentences for each is done with the first 5,000 of the halves.

--quick takes every tenth of the sentences. --scheduler computes on a Dask cluster.
"""
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from benchmarks.study.command import main

    main(__doc__)
