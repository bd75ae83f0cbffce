"""Write the bundled treebank: python -m orange_structpred.treebank.grammar"""
from . import write_bundled

for path in write_bundled():
    print(path)
