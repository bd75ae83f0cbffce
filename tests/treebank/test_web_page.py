"""Trees as a web page: complete in itself, and safe with any text."""
import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from orange_structpred import Sentence, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.treebank.marks import with_marks
from orange_structpred.treebank.web_page import save_web_page, tree_svg, web_page
from tests.treebank.toy import BLOCKS, long_sentence, treebank

HOSTILE = ['<script>alert(1)</script>', '"><img/src=x/onerror=alert(1)>', "</svg></style>",
           "javascript:alert(1)", "&lt;b&gt;", "\u202eabc", "a\x01b", "]]>", "<!--", "'"]


def hostile_treebank():
    rows = [f"{i}\t{word}\t{word}\t{word}\t{word}\tA={word}\t{i - 1}\t{word}\t_\t_"
            for i, word in enumerate(HOSTILE, 1)]
    text = " ".join(HOSTILE)
    return Treebank.from_sentences([Sentence("\n".join(
        [f"# sent_id = {HOSTILE[0]}", f"# text = {text}", *rows]))], name=HOSTILE[1])


class Reader(HTMLParser):
    """What a browser would see: elements, their attributes, and text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.texts = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def test_a_page_is_complete_in_itself():
    own = load_bundled("en")[:5]
    page = web_page(own, title="Five trees")
    read = Reader(page)
    assert read.elements.count("svg") == 5
    assert read.elements.count("script") == 1
    assert not {"link", "img", "iframe", "object", "form"} & set(read.elements)
    assert not [name for _, name, _ in read.attributes
                if name in ("src", "href", "action") or name.startswith("on")]
    assert "Five trees" in read.texts
    for sentence in own.sentences:
        assert sentence.text in read.texts
        assert set(sentence.forms) <= set(read.texts)


def test_hostile_text_is_text():
    page = web_page(with_marks(hostile_treebank(), [[1, 2]]))
    read = Reader(page)
    assert read.elements.count("script") == 1
    assert "img" not in read.elements
    assert set(read.elements) <= {
        "html", "head", "meta", "title", "style", "body", "header", "h1", "div", "input",
        "span", "button", "main", "details", "summary", "bdi", "svg", "g", "path", "text",
        "rect", "table", "tr", "th", "td", "script"}
    for word in HOSTILE:
        assert word.replace("\x01", "\ufffd") in read.texts
    assert "\x01" not in page
    # and the browser would not run another script in any case
    (policy,) = re.findall('Content-Security-Policy" content="(.*?)"', page)
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1]


def test_the_tree():
    sentence = treebank().sentences[1]
    svg = tree_svg(sentence, marked=[2], wrong=[True, False, False, False])
    assert svg.count('class="arc"') == len(sentence)
    assert svg.count('class="wrong"') == 1
    assert svg.count('class="marked"') == 1
    assert svg.count('class="word"') == len(sentence)
    width = float(re.search('width="(.*?)"', svg)[1])
    centres = [float(x) for x in re.findall('class="word" x="(.*?)"', svg)]
    assert centres == sorted(centres) and 0 < centres[0] < centres[-1] < width


def test_right_to_left():
    row = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_"
    svg = tree_svg(Sentence("\n".join([row.format(1, "שלום", 0), row.format(2, "עולם", 1)])))
    first, second = (float(x) for x in re.findall('class="word" x="(.*?)"', svg))
    assert first > second


def test_predictions_and_limits():
    own = treebank(BLOCKS[:2])
    predicted = own.with_prediction("P", [[0, 1, 1], [3, 4, 0, 3]])
    page = web_page(predicted, prediction="P")
    assert page.count('class="wrong"') == 1
    assert "trees of P" in page
    assert "the first 1 of 2 sentences" in web_page(own, limit=1)
    with pytest.raises(InputError, match="no prediction 'Q'"):
        web_page(own, prediction="Q")
    with pytest.raises(InputError, match="limit must be at least 1"):
        web_page(own, limit=0)
    assert "0 sentences" in web_page(Treebank.from_sentences([]))


def test_a_long_sentence_and_unknown_heads():
    assert tree_svg(long_sentence(150)).count('class="arc"') == 150
    assert tree_svg(treebank().sentences[-1]).count('class="arc"') == 0


def test_a_page_is_written(tmp_path):
    path = tmp_path / "trees.html"
    save_web_page(treebank(), path, title="t")
    assert path.read_text(encoding="utf-8") == web_page(treebank(), title="t")


CHROMIUM = next(filter(None, map(shutil.which, (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None)
#: What a person does, and what is seen of it
VISITOR = """
const sentences = Array.from(document.querySelectorAll("details.sentence"));
const field = document.getElementById("search");
const seen = [document.title, document.images.length];
function look() {
  seen.push([document.getElementById("shown").textContent,
    sentences.map(s => (s.offsetHeight ? "shown" : "hidden")
      + (s.querySelector("svg").checkVisibility() ? " open" : "")).join()]);
}
function search(text) {
  field.value = text;
  field.dispatchEvent(new Event("input"));
  look();
}
look();
search("ALERT(1)");
search("nowhere");
search("");
document.getElementById("open").click(); look();
document.getElementById("close").click(); look();
sentences[1].querySelector("summary").click(); look();
document.documentElement.dataset.seen = JSON.stringify(seen);
"""


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt "
                    "install chromium), so the page is not opened in a browser")
def test_in_a_browser(tmp_path):
    """The page's own script runs, that of strangers does not."""
    page = web_page(Treebank.from_sentences(
        [*hostile_treebank().sentences, *treebank().sentences[:1]]), title="Toy")
    digest = base64.b64encode(hashlib.sha256(VISITOR.encode()).digest()).decode()
    page = page.replace("script-src", f"script-src 'sha256-{digest}'").replace(
        "</body>", "<script>document.title = 'broken in'</script>"
        "<img src=x onerror=\"document.title = 'broken in'\">"
        f"<script>{VISITOR}</script></body>")
    path = tmp_path / "hostile.html"
    path.write_text(page, encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", f"--user-data-dir={tmp_path / 'profile'}",
         "--enable-logging=stderr", "--dump-dom", path.as_uri()], capture_output=True,
        encoding="utf-8", timeout=200, check=False)
    (seen,) = [value for tag, name, value in Reader(done.stdout).attributes
               if name == "data-seen"] or [done.stderr]
    assert json.loads(seen) == [
        "Toy", 1, ["2 of 2", "shown open,shown"], ["1 of 2", "shown open,hidden"],
        ["0 of 2", "hidden,hidden"], ["2 of 2", "shown open,shown"],
        ["2 of 2", "shown open,shown open"], ["2 of 2", "shown,shown"],
        ["2 of 2", "shown,shown open"]]
    assert done.stderr.count("Content Security Policy") >= 2, done.stderr
