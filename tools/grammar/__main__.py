"""Write the bundled treebank: python -m tools.grammar"""
from . import write_bundled

for path in write_bundled():
    print(path)
