"""Write the help pages of the canvas from the Markdown of doc/widgets.

    python doc/make_help.py

Orange shows doc/widgets/*.html when F1 is pressed. They are kept beside their
sources, so that an installation needs neither a network nor this script; a test
tells when they are out of date. commonmark comes with Orange's canvas.
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

import commonmark

WIDGETS = Path(__file__).parent / "widgets"
# Tags are closed as in XML, as Orange reads the index with a simple parser.
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<title>{title}</title>
<style>
body {{ max-width: 62em; margin: 1.5em auto; padding: 0 1.5em; color: #222;
        background: #fff; font-family: sans-serif; line-height: 1.5; }}
img {{ max-width: 100%; height: auto; border: 1px solid #ccc; }}
h1, h2 {{ color: #4a2a70; line-height: 1.2; }}
code {{ background: #f2eef8; padding: 0 0.2em; }}
a {{ color: #6a3d9a; }}
li {{ margin: 0.3em 0; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def title_of(text: str) -> str:
    """The heading of a page, which is the name of its widget."""
    return re.match(r"# (.+)\n", text)[1]


def to_html(text: str) -> str:
    """A page; links to other widgets lead to their pages.

    Pages that are no help pages are not installed, so only their names stay.
    """
    text = re.sub(r"\[([^]]+)\]\(\.\./[^)]+\.md(?:#[^)]+)?\)", r"\1", text)
    text = re.sub(r"\(([\w-]+)\.md\)", r"(\1.html)", text)
    return PAGE.format(title=escape(title_of(text)),
                       body=commonmark.commonmark(text).rstrip())


def index(titles: dict[str, str]) -> str:
    """The page in which Orange looks for widgets: a link for each, by its name."""
    links = "\n".join(f'<li><a href="{name}.html">{escape(title)}</a></li>'
                      for name, title in titles.items())
    return PAGE.format(title="StructPred", body=(
        f'<h1>StructPred</h1>\n<div id="widgets">\n<ul>\n{links}\n</ul>\n</div>'))


def pages() -> Iterator[tuple[Path, str]]:
    """All help pages: their files, and what should be in them."""
    titles = {}
    for path in sorted(WIDGETS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        titles[path.stem] = title_of(text)
        yield path.with_suffix(".html"), to_html(text)
    yield WIDGETS / "index.html", index(titles)


def main() -> int:
    for path, text in pages():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
