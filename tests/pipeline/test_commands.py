"""train-pipeline and annotate on the command line."""
import gzip
import io
import sys
from copy import copy
from types import SimpleNamespace

import numpy as np
import pytest

from orange_structpred import Pipeline, PipelineLearner, read_conll, write_conll
from orange_structpred.__main__ import main
from orange_structpred.commands import train, train_pipeline
from orange_structpred.files.streaming import bytes_stream
from orange_structpred.pipeline import PIPELINE_STEPS, streams
from orange_structpred.pipeline.documents import annotate_text
from orange_structpred.treebank.prediction import stored_head_probabilities
from orange_structpred.treebank.text import raw_text
from tests.pipeline.test_pipeline import TEXT, without


@pytest.fixture
def model(pipeline, tmp_path):
    pipeline.save(tmp_path / "model.npz")
    return str(tmp_path / "model.npz")


@pytest.fixture
def run(capsys):
    def run(*arguments):
        code = main(list(map(str, arguments)))
        out, err = capsys.readouterr()
        return code, out, err
    return run


def test_train_pipeline(treebank, tmp_path, run):
    write_conll(treebank[:40], tmp_path / "train.conllu")
    write_conll(treebank[40:60], tmp_path / "dev.conllu")
    code, out, err = run("train-pipeline", tmp_path / "train.conllu", "-o",
                         tmp_path / "x.npz", "--dev", tmp_path / "dev.conllu",
                         "--steps", "tokeniser,tagger", "--name", "mine")
    assert code == 0 and "tagger, pass 8" in err
    assert out.startswith("mine: tokeniser, tagger; ") and "\nUPOS " in out
    pipeline = Pipeline.load(tmp_path / "x.npz")
    expected = PipelineLearner(["tokeniser", "tagger"])(treebank[:40])
    assert pipeline.annotate(TEXT) == expected.annotate(TEXT)
    assert PIPELINE_STEPS == train_pipeline.STEP_NAMES


def test_pipeline_is_not_replaced_by_a_part_of_one(treebank, tmp_path, run, monkeypatch):
    """Stopped before there is a parser, however soon the training has ended."""
    def text(self, report, fraction=None):
        self.stop = True
        return "interrupted here"

    monkeypatch.setattr(train.ProgressLine, "text", text)
    write_conll(treebank[:12], tmp_path / "train.conllu")
    (tmp_path / "x.npz").write_bytes(b"before")
    code, out, err = run("train-pipeline", tmp_path / "train.conllu", "-o", tmp_path / "x.npz")
    assert (code, out) == (130, "") and err.endswith("interrupted\n"), err
    assert (tmp_path / "x.npz").read_bytes() == b"before"


def test_train_pipeline_with_nets(treebank, tmp_path, run, monkeypatch):
    for net in ("orange_structpred.tagging.tagger.SMALL_TAG_NET",
                "orange_structpred.learner.neural.SMALL_NET"):
        monkeypatch.setattr(net, {"hidden": 4, "dropout": 0.2, "epochs": 1})
    write_conll(treebank[:12], tmp_path / "train.conllu")
    code, out, err = run("train-pipeline", tmp_path / "train.conllu", "-o",
                         tmp_path / "x.npz", "--steps", "tagger,parser", "--accurate")
    assert code == 0 and "tagger, epoch 1" in err and "parser, epoch 1" in err, err
    pipeline = Pipeline.load(tmp_path / "x.npz")
    assert pipeline.tagger.net is not None and pipeline.parser.net is not None


def test_train_pipeline_errors(treebank, tmp_path, run):
    write_conll(without(treebank[:3].sentences, "upos", "xpos", "feats"),
                tmp_path / "x.conllu")
    code, out, err = run("train-pipeline", tmp_path / "x.conllu", "-o",
                         tmp_path / "x.npz", "--steps", "tagger")
    assert code == 2 and "x.conllu: the treebank has nothing to learn" in err
    assert "warning: the treebank has no upos and no xpos and no feats" in err
    code, out, err = run("train-pipeline", tmp_path / "x.conllu", "-o",
                         tmp_path / "x.npz", "--steps", "tager")
    assert code == 2 and "tager" in err and "Traceback" not in err
    assert not (tmp_path / "x.npz").exists()


def test_annotate_text(pipeline, model, tmp_path, run):
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    code, out, err = run("annotate", model, tmp_path / "x.txt", "-o", tmp_path / "x.conllu")
    assert (code, err) == (0, "") and out.startswith("2 sentences; ")
    assert read_conll(tmp_path / "x.conllu") == pipeline.annotate(TEXT)
    run("annotate", model, tmp_path / "x.txt", "-o", tmp_path / "x.conllu.gz")
    assert gzip.decompress((tmp_path / "x.conllu.gz").read_bytes()) == (
        tmp_path / "x.conllu").read_bytes()


def test_parse_says_what_to_do_without_tags(treebank, pipeline, model, tmp_path, run):
    file = tmp_path / "x.conllu"
    write_conll(without(treebank[100:102].sentences, "upos", "xpos"), file)
    pipeline.parser.save(tmp_path / "parser.npz")
    for path, hint in (
            (tmp_path / "parser.npz", "\n"),
            (model, f"; 'orange-structpred annotate {model}' does this\n")):
        code, out, err = run("parse", path, file, "-o", "-")
        assert code == 2 and out == ""
        assert err.startswith(f"orange-structpred: error: {file}: sentence 1 ('")
        assert err.endswith(f"tag the sentences first{hint}")


def test_annotate_conllu(treebank, pipeline, model, tmp_path, run):
    bare = without(treebank[100:110].sentences, "lemma", heads=True)
    write_conll(bare, tmp_path / "x.conllu.gz")
    assert run("annotate", model, tmp_path / "x.conllu.gz", "-o",
               tmp_path / "y.conllu")[0] == 0
    assert read_conll(tmp_path / "y.conllu") == pipeline.annotate(bare)


def test_annotate_probabilities(treebank, pipeline, model, tmp_path, run):
    """The probabilities are those of the canvas; trees that were there have none."""
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    assert run("annotate", model, tmp_path / "x.txt", "-o", tmp_path / "x.conllu",
               "--probabilities")[0] == 0
    found = read_conll(tmp_path / "x.conllu")
    expected = annotate_text(pipeline, TEXT, probabilities=True)
    assert found == expected.sentences and not expected.predictions
    shares = pipeline.parser.predict(found, probabilities=True).probabilities
    for told, share in zip(stored_head_probabilities(found), shares, strict=True):
        np.testing.assert_allclose(told, share, rtol=1e-3, atol=1e-4)  # as they are written

    some = [treebank.sentences[0], *without(treebank.sentences[1:2], heads=True)]
    write_conll(some, tmp_path / "y.conllu")
    assert run("annotate", model, tmp_path / "y.conllu", "-o", tmp_path / "z.conllu",
               "--probabilities")[0] == 0
    given, parsed = read_conll(tmp_path / "z.conllu")
    assert given == some[0] and "HeadProb=" in parsed.block

    for steps, words in (("tagger", "has no parser"), ("parser", "is not calibrated")):
        bare = copy(pipeline.parser)
        bare.temperature = None
        Pipeline(tagger=pipeline.tagger, parser=bare if steps == "parser" else None
                 ).save(tmp_path / "bare.npz")
        code, _, err = run("annotate", tmp_path / "bare.npz", tmp_path / "x.txt", "-o",
                           tmp_path / "none.conllu", "--probabilities")
        assert code == 2 and words in err and "Traceback" not in err
        assert not (tmp_path / "none.conllu").exists()


def test_annotate_standard_input_and_output(pipeline, model, capfdbinary, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    assert main(["annotate", model, "-", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.decode() == "".join(
        f"{own.block}\n\n" for own in pipeline.annotate(TEXT))


@pytest.mark.parametrize("data, message", [
    (b"", "x.txt: found an empty file, expected text"),
    (b" \n \n", "x.txt: found an empty file, expected text"),
    (b"caf\xe9\n", "x.txt, line 1: found byte 0xE9, which is not UTF-8"),
    ((b"a" + b" " * 4000 + b"\n") * 200 + b"\xff", "line 201: found byte 0xFF"),
    (b"a\nb\xc3", "line 2: found byte 0xC3"),
    (b"\x7fELF\x02\x00\x00", "x.txt, line 1: found a NUL byte (a binary file?)"),
    ("text".encode("utf-16"), "x.txt: found UTF-16 text, expected UTF-8 text"),
    (gzip.compress(b"text" * 99, mtime=0)[:-4], "found a gzip file that ends too early"),
    (b"1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n", "x.txt, line 1: found"),
])
def test_annotate_bad_input(model, tmp_path, run, data, message):
    (tmp_path / "x.txt").write_bytes(data)
    code, out, err = run("annotate", model, tmp_path / "x.txt", "-o", tmp_path / "out")
    assert code == 2 and message in err and "Traceback" not in err
    assert sorted(own.name for own in tmp_path.iterdir()) == ["model.npz", "x.txt"]


def test_annotate_bad_model(tmp_path, run):
    (tmp_path / "x.txt").write_text("Hi.")
    for name, message in (("none.npz", "No such file"), ("x.txt", "expected a pipeline")):
        code, out, err = run("annotate", tmp_path / name, tmp_path / "x.txt", "-o", "-")
        assert code == 2 and message in err and not out


def test_batches_do_not_matter(treebank, pipeline, monkeypatch):
    text = raw_text(treebank[:60].sentences) + "\r\n\r\n" + "🙂 " * 50
    expected = pipeline.annotate(text)
    monkeypatch.setattr(streams, "TOKENS_AT_ONCE", 30)
    found = list(streams.annotate_stream(pipeline, bytes_stream(text.encode()), "x"))
    assert len(found) > 5 and sum(found, []) == expected


def test_memory_does_not_grow_with_the_text(pipeline):
    """A line of 8 MB, of which only a part is in memory."""
    seen = 0

    def chunks():
        nonlocal seen
        for _ in range(64):
            seen += 1
            yield b"The old man saw a dog. " * 5700

    steps = Pipeline(tokeniser=pipeline.tokeniser)
    for batch in streams.annotate_stream(steps, streams.ByteStream(chunks()), "x"):
        assert {len(own) for own in batch} == {7}
        break
    assert seen <= 6
