"""Damaged CoNLL files: sentences, or an error that names the file and the line."""
import gzip

from orange_structpred.__main__ import main
from orange_structpred.treebank import ConllError, load_bundled, read_conll, write_conll
from tests.hostile.draw import TEXTS, damaged, pick

SIGNS = ["\t", "\n", "\n\n", " ", "\r\n", "\r", "1-2", "1.1", "0", "-1", "_", "9" * 30,
         "# sent_id = ", "# text = ", "\ufeff", "\0", "¹", "\u0661", "|", "=", "\x85"]


def prepare(folder):
    texts = ["\n\n".join(sentence.block for sentence in load_bundled(
        language).sentences[first:first + 5]) + "\n\n"
        for language in ("en", "de") for first in (0, 50, 100)]
    return folder, texts


def case(state, rng):
    folder, texts = state
    text = pick(rng, texts)
    data = text.encode()
    if rng.random() < 0.6:          # by lines, columns and signs
        for _ in range(int(rng.integers(1, 6))):
            lines = text.split("\n")
            place = int(rng.integers(len(lines)))
            columns = lines[place].split("\t")
            kind = rng.integers(5)
            if kind == 0:
                columns[int(rng.integers(len(columns)))] = pick(rng, SIGNS + list(TEXTS))
            elif kind == 1:
                columns.insert(int(rng.integers(len(columns) + 1)), pick(rng, SIGNS))
            elif kind == 2:
                columns.pop(int(rng.integers(len(columns))))
            elif kind == 3:
                columns = pick(rng, lines).split("\t")
            else:
                columns[-1] += pick(rng, SIGNS)
            lines[place] = "\t".join(columns)
            text = "\n".join(lines)
        data = text.encode("utf-8", "surrogatepass")
    else:
        data = damaged(rng, data)
    name = "x.conllu"
    if rng.random() < 0.2:
        name, data = "x.conllu.gz", gzip.compress(data)
        if rng.random() < 0.5:
            data = damaged(rng, data)
    path = folder / name
    path.write_bytes(data)
    try:
        whole = read_conll(path)
    except ConllError as error:
        assert str(error).startswith(f"{path}, line "), str(error)
        whole = None
    sentences = read_conll(path, on_error="skip")
    assert whole is None or len(whole) == len(sentences)
    assert (whole is None) == bool(sentences.skipped)
    if sentences and rng.random() < 0.3:
        write_conll(sentences, folder / "again.conllu")
        again = read_conll(folder / "again.conllu")
        assert [own.block for own in again] == [own.block for own in sentences]
    if rng.random() < 0.05:
        assert main(["info", str(path)]) == (0 if whole else 2)
