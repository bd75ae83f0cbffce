"""Print the lowest versions that setup.py allows, one requirement per line, for pip.

    python tools/lowest_versions.py > lowest.txt
    python -m pip install -r lowest.txt
"""
from __future__ import annotations

import ast
from pathlib import Path

SETUP = Path(__file__).resolve().parents[1] / "setup.py"


def required(source: str) -> list[str]:
    """What setup() is called with as install_requires."""
    calls = [node for node in ast.walk(ast.parse(source))
             if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setup"]
    found, = (ast.literal_eval(word.value) for word in calls[0].keywords
              if word.arg == "install_requires")
    return found


def lowest(requirement: str) -> str:
    """
    >>> lowest("numpy>=1.24")
    'numpy==1.24'
    """
    name, sign, version = requirement.partition(">=")
    if not sign or not version.replace(".", "").isdecimal():
        raise ValueError(f"found {requirement!r}, expected a name, >= and a version")
    return f"{name}=={version}"


if __name__ == "__main__":
    print(*map(lowest, required(SETUP.read_text(encoding="utf-8"))), sep="\n")
