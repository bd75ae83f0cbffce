"""Compiled code ahead of its first use."""
import json

import pytest

from orange_structpred.__main__ import main
from orange_structpred.commands import compile_ahead
from orange_structpred.widgets.common import compileahead


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    return tmp_path / "orange-structpred"


def count_sentences(treebank):
    assert len(treebank) == compile_ahead.N_SENTENCES


def test_fill(folder, monkeypatch, capsys):
    monkeypatch.setattr(compile_ahead, "STEPS", {
        "one": count_sentences, "two": count_sentences})
    assert not compile_ahead.mark_file().exists()
    assert main(["cache", "--fill", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "compiling: one\ncompiling: two\n"
    assert json.loads(out)["folder"] == str(folder)
    assert compile_ahead.mark_file().is_relative_to(folder)
    assert compile_ahead.mark_file().exists()
    assert main(["cache", "--clear"]) == 0
    assert not compile_ahead.mark_file().exists()


def test_one_process_at_a_time(folder, monkeypatch):
    monkeypatch.setattr(compile_ahead, "STEPS", {"one": count_sentences})
    first = compile_ahead.compile_ahead()
    assert next(first) == "one"
    assert list(compile_ahead.compile_ahead()) == []
    assert not compile_ahead.mark_file().exists()
    assert list(first) == []
    assert compile_ahead.mark_file().exists()


def test_a_step_that_was_not_finished_leaves_no_mark(folder, monkeypatch):
    def fail(treebank):
        raise MemoryError

    monkeypatch.setattr(compile_ahead, "STEPS", {"one": fail})
    with pytest.raises(MemoryError):
        list(compile_ahead.compile_ahead())
    assert not compile_ahead.mark_file().exists()


def test_scores_of_trees_are_those_of_a_first_run():
    """The step compiles a function for the very types that training asks for."""
    from orange_structpred import ParserLearner, load_bundled
    from orange_structpred.parsing.features.edge_scoring import edge_feature_indices

    treebank = load_bundled("en")[:compile_ahead.N_SENTENCES]
    compile_ahead.score_trees(treebank)
    known = set(edge_feature_indices.overloads)
    ParserLearner(order=1, solver="bcfw", passes=1, relations=False)(treebank)
    assert known and set(edge_feature_indices.overloads) == known


def test_no_process_where_everything_is_compiled(folder, monkeypatch):
    started = []
    monkeypatch.setattr(compileahead.subprocess, "Popen",
                        lambda *args, **options: started.append(args) or 1 / 0)
    compile_ahead.mark_file().parent.mkdir(parents=True)
    compile_ahead.mark_file().touch()
    compileahead.run_process()
    assert not started
    compile_ahead.mark_file().unlink()
    with pytest.raises(ZeroDivisionError):
        compileahead.run_process()
    (command,), = started
    assert command[1:] == ["-m", "orange_structpred", "cache", "--fill"]
