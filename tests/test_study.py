"""The study of chapter 6, on a few sentences: what it writes, and what is made of it."""
import json
from html import escape

import pytest

from benchmarks.plane_products import PRODUCTS
from benchmarks.study import beyond, chapter6, why
from benchmarks.study.chapter6 import PARTS, run_part, running_times
from benchmarks.study.charts import COLOURS, Box, label_box
from benchmarks.study.command import parts_for, read_arguments
from benchmarks.study.data import Halves, function_heads, split_documents
from benchmarks.study.figures import FIGURES, exact_against_approximate
from benchmarks.study.lines import Job, Setting, Study, read_lines
from benchmarks.study.results import Results
from benchmarks.study.tables import TABLES, filled, seen
from orange_structpred.running.cluster import Cluster
from orange_structpred.treebank import Sentence, load_bundled


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "toy.conllu"
    load_bundled("en")[:24].save(path)
    return path


@pytest.fixture(scope="module")
def study(file):
    study = Study(file.with_name("study.jsonl"), {"English": [file]}, epsilons=[0.05])
    run_part(study, "construction")
    return study


def test_each_setting_is_a_line(study):
    part = PARTS["construction"]
    lines = [line for line in study.lines if line["part"] == "construction"]
    exact, approximate = lines
    assert [point["C"] for point in exact["points"]] == list(part.settings[0].Cs)
    assert {point["valid_trees"] for point in exact["points"]} == {100}
    assert min(point["valid_trees"] for point in approximate["points"]) < 100
    for line in lines:
        for point in line["points"]:
            assert 0 <= point["train"] <= 100
            assert 0 <= point["test"] <= 100
            assert point["gap"] <= line["epsilon"] or point["passes"] == part.passes


def test_what_is_done_is_not_done_again(study, file):
    written = study.path.read_text()
    again = Study(study.path, {"English": [file]}, epsilons=[0.05])
    again.losses = None             # nothing may be computed
    run_part(again, "construction")
    assert study.path.read_text() == written
    assert again.lines == study.lines


def test_a_line_that_was_cut_off_is_computed_again(study, file):
    written = study.path.read_text()
    path = study.path.with_name("cut.jsonl")
    path.write_text(written[:-20])
    again = Study(path, {"English": [file]}, epsilons=[0.05])
    assert again.lines == study.lines[:-1]
    run_part(again, "construction")
    points = [[line["points"] for line in lines] for lines in (
        read_lines(path), study.lines)]
    assert points[0] == points[1]


def test_both_epsilons_share_what_they_can(study, file, tmp_path):
    """But the models are those of each for itself."""
    job = Job({"part": "two"}, *study.treebanks("English", None), Setting(
        {}, [1, 10], chapter6.kernel_model([chapter6.TAGS], "ngram")), [0.05, 0.001])
    both, single = Study(tmp_path / "both", {}), Study(tmp_path / "single", {})
    both.measure([job])
    for epsilon in job.epsilons:
        single.measure([job._replace(epsilons=[epsilon])])
    without_time = [[{name: line[name] for name in ("epsilon", "points")}
                     for line in one.lines] for one in (both, single)]
    assert without_time[0] == without_time[1]
    assert both.lines[0]["points"] != both.lines[1]["points"]


def test_on_a_cluster(study, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1,
                            dashboard_address=None, set_as_default=False) as client:
        there = Study(tmp_path / "there", study.files, cluster=Cluster(client),
                      epsilons=[0.05])
        run_part(there, "construction")

    def points(lines):
        return {line["setting"]["decoder"]: line["points"] for line in lines}

    assert points(there.lines) == points(study.lines)


def test_an_epsilon_of_two(study, file):
    few = Study(study.path, {"English": [file]}, epsilons=[0.01])
    assert [epsilon for epsilon in chapter6.EPSILONS if few.wants(epsilon)] == [0.01]


def test_missing_treebanks_are_told(tmp_path, capsys):
    study = Study(tmp_path / "lines", {"Klingon": [tmp_path / "tlh.conllu"]})
    assert study.languages() == []
    running_times(study)
    assert study.lines == []
    assert "Klingon is left out: there is no" in capsys.readouterr().out


def test_running_times(study, monkeypatch):
    monkeypatch.setattr(chapter6, "TIMED_SIZES", (3, 10, 100))
    few = Study(study.path.with_name("times.jsonl"), study.files)
    running_times(few)
    assert [(line["setting"]["product"], line["sentences"]) for line in few.lines] == [
        (product, size) for product in ("naive", "hash-table", "index")
        for size in (3, 10)]        # 100 sentences are not there


def test_running_times_of_one_scale_are_drawn():
    def line(share, product, seconds):
        return {"part": "time", "language": "English", "share": share, "epsilon": 0.05,
                "setting": {"product": product}, "sentences": 50, "cpu_s": seconds}

    quick = [line(0.1, product, 1.) for product in PRODUCTS]
    draw = FIGURES["study-6.6.svg"]
    assert draw(Results([*quick, line(1., "naive", 9.)])) == draw(Results(quick))
    whole = [line(1., product, 9.) for product in PRODUCTS]
    assert draw(Results(quick + whole)) == draw(Results(whole)) != draw(Results(quick))
    assert draw(Results(quick[:2])) is None


def test_why(study):
    few = Study(study.path.with_name("why.jsonl"), study.files)
    why.explain(few)
    why.cover(few)
    conditions = [line["setting"]["condition"] for line in few.lines
                  if line["part"] == "why"]
    assert set(conditions) == {*why.CONDITIONS} - {"halves by sentences"}   # no documents
    [neighbours] = [line for line in few.lines if line["part"] == "neighbours"]
    assert sum(part["sentences"] for part in neighbours["bins"]
               ) == neighbours["sentences"][1]
    coverage = [line for line in few.lines if line["part"] == "coverage"]
    assert all(0 <= line["known"] <= line["at_best"] <= 100 for line in coverage)
    page = filled("".join(f"<!-- {name} -->\n<!-- end -->\n" for name in (
        "conditions", "similarity", "neighbours", "coverage")), Results(few.lines))
    assert "function words as heads" in page and "Foth" in page


def test_similar_sentences():
    first, second = load_bundled("en")[:10], load_bundled("en")[10:20]
    assert why.similarities(first, first).tolist() == [1] * 10
    assert max(why.similarities(first, second)) < 1
    assert len(why.word_pairs(first.sentences[0])) <= len(first.sentences[0]) + 1


def test_pairs_of_words_of_the_same_sentences_are_known(file, tmp_path):
    study = Study(tmp_path / "lines", {"English": [file, file]})
    halves = Halves([file, file])
    assert len(halves.train) == len(halves.test) == 24
    learned = {pair for sentence in halves.train for pair in why.pairs(sentence)}
    assert {pair for sentence in halves.train[:5] for pair in why.pairs(sentence)
            } <= learned
    why.cover(study)
    assert study.lines[0]["known"] > 30


def test_pairs_of_halves_by_sentences(file, tmp_path):
    """Where the treebank marks its documents."""
    marked = tmp_path / "marked.conllu"
    marked.write_text(file.read_text().replace("# ", "# newdoc\n# ", 1))
    study = Study(tmp_path / "lines", {"English": [marked, marked]})
    why.cover(study)
    assert [line["setting"]["heads"] for line in study.lines] == [
        *why.HEADS, f"{[*why.HEADS][-1]}, halves by sentences"]
    together = study.lines[-2]["sentences"], study.lines[-1]["sentences"]
    assert together == ([24, 24], [24, 24])
    assert study.lines[-1]["known"] < study.lines[-2]["known"]      # the same file twice


def test_how_many_test_sentences_were_seen():
    """If three of ten were, the loss is 0.3 of the one and 0.7 of the other."""
    assert seen(70., (10., 0.3 * 10 + 0.7 * 70)) == pytest.approx(0.3)
    lines = [{"part": "hashes", "language": "English", "share": 1., "epsilon": 0.05,
              "setting": {"hash": name}, "sentences": [5000, 5000],
              "points": [{"C": 10, "train": 3., "test": 80.}]}
             for name in ("tokens::dir", "posTags::dir")]
    rows = TABLES["seen by hash function"](Results(lines))
    assert rows[2:] == ["| `tokens::dir` | 3.40 / 34.74 | 80.00 | 59% |"]
    drawn = [{**line, "part": "words", "points": [{"C": 10, "train": 3., "test": 66.}]}
             for line in lines[:1]]
    rows = TABLES["seen by hash function"](Results(lines + drawn))
    assert rows[2:] == ["| `tokens::dir` | 3.40 / 34.74 | 80.00 | 59% | 66.00 | 50% |"]
    for line in lines:
        line["sentences"] = [500, 500]      # too few for a comparison
    assert TABLES["seen by hash function"](Results(lines))[2:] == []


def test_learning_curves(tmp_path, monkeypatch):
    bundled = load_bundled("en")
    for name, part in zip((beyond.TRAIN, beyond.DEV, beyond.TEST),
                          (bundled[:40], bundled[40:60], bundled[60:80])):
        part.save(tmp_path / name)
    monkeypatch.setattr(beyond, "SIZES", (20, 40))
    monkeypatch.setattr(beyond, "MODELS", {
        "explicit, order 1": {"order": 1},
        "ridge regression": {**beyond.BEST, "solver": "ridge"}})
    study = Study(tmp_path / "lines", {})
    beyond.compare(study, tmp_path)
    assert [(line["setting"]["model"], line["sentences"]) for line in study.lines] == [
        ("explicit, order 1", 20), ("ridge regression", 20),
        ("explicit, order 1", 40), ("ridge regression", 40)]
    assert ["test_uas" in line for line in study.lines] == [False, False, True, True]
    assert study.lines[0]["uas"] > 20
    results = Results(study.lines)
    assert "ridge regression" in "\n".join(TABLES["curves"](results))
    assert "UDPipe" in FIGURES["study-speed.svg"](results)


def test_labels_beside_points_are_apart():
    frame = Box(0, 0, 200, 100)
    assert label_box(50, 50, 40, [], frame) == (56, 44, 96, 56)
    taken = [Box(58, 48, 62, 52)]       # a point, right where the label would be
    for _ in range(8):
        box = label_box(50, 50, 40, taken, frame)
        assert box.inside(frame) and not any(map(box.meets, taken))
        taken.append(box)
    assert label_box(190, 50, 40, [], frame).right < 190       # no room on the right
    assert label_box(50, 50, 400, [], frame).left == 56        # no room at all


def test_each_parser_has_a_colour():
    lines = [{"part": "curve", "language": "English", "share": 1., "uas": 80.,
              "sentences": 100, "setting": {"model": model}} for model in beyond.MODELS]
    assert len(COLOURS) >= len(beyond.MODELS)
    shapes = FIGURES["study-curves.svg"](Results(lines[::-1]))
    assert all(escape(model) in shapes for model in beyond.MODELS)


def test_tables_and_figures_have_their_parts():
    assert parts_for({"table 6.2"}) == ["hashes"]
    assert parts_for({"figure 6.3"}) == ["hashes", "tags"]
    assert parts_for({"figure 6.6", "why"}) == ["time", "why"]


@pytest.mark.parametrize("arguments, message", [
    ([], "say what to make"),
    (["--all", "--share", "2"], "--share must be"),
    (["--all", "--also", "x"], "expected NAME=FILE"),
    (["--all", "--language", "Klingon"], "expected English, German")])
def test_wrong_arguments(arguments, message, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["thesis", "--treebanks", str(tmp_path), *arguments])
    with pytest.raises(SystemExit):
        read_arguments("")
    assert message in capsys.readouterr().err


def test_documents_are_not_torn_apart(tmp_path):
    plain = load_bundled("en").sentences[:20]
    marked = [Sentence(f"# newdoc id = {k}\n{sentence.block}") if k in (0, 3) else sentence
              for k, sentence in enumerate(plain)]
    assert [len(document) for document in split_documents(marked)] == [3, 17]
    assert [len(document) for document in split_documents(plain)] == [1] * 20
    path = tmp_path / "marked.conllu"
    path.write_text("".join(f"{sentence.block}\n\n" for sentence in marked))
    whole, thin = Halves([path]), Halves([path], 0.5)
    assert sorted([len(whole.train), len(whole.test)]) == [3, 17]
    assert thin.train == whole.train[::2]      # a share is of the same documents


def test_function_words_become_heads():
    rows = [("because", 3, "mark"), ("he", 3, "nsubj"), ("slept", 7, "advcl"),
            (",", 3, "punct"), ("we", 7, "nsubj"), ("have", 7, "aux"),
            ("talked", 0, "root"), ("and", 9, "cc"), ("sung", 7, "conj"),
            ("in", 11, "case"), ("bed", 9, "obl"), (".", 7, "punct")]
    sentence = Sentence("\n".join(
        f"{k}\t{form}\t_\tX\tX\t_\t{head}\t{relation}\t_\t_"
        for k, (form, head, relation) in enumerate(rows, 1)))
    assert function_heads(sentence).heads.tolist() == [
        7, 3, 1, 3, 6, 0, 6, 7, 8, 9, 10, 11]
    root = function_heads(sentence, punctuation="root").heads.tolist()
    assert root[3] == root[11] == 0
    assert all(function_heads(tree).has_heads for tree in load_bundled("en").sentences)


def test_the_largest_complete_scale_counts():
    def line(share, hash, n):
        return {"part": "tags", "language": "English", "share": share, "epsilon": 0.05,
                "setting": {"hash": hash}, "sentences": [n, n], "points": []}

    names = [setting.shown["hash"] for setting in PARTS["tags"].settings]
    quick = [line(0.1, name, 500) for name in names]
    whole = [line(1., name, 5000) for name in names]
    assert Results(quick + whole[:2]).scale("tags", "English") == "500 + 500 sentences"
    assert Results(quick + whole).scale("tags", "English") == "5,000 + 5,000 sentences"
    assert Results([]).scale("tags", "English") == ""


def test_page(study):
    results = Results(json.loads(line) for line in study.path.read_text().splitlines())
    page = filled("<!-- table 6.5 -->\nold\n<!-- end -->", results)
    assert "old" not in page and "| 0.001 | 93.99 | " in page
    point = results.points("construction", "English", decoder="approximate")[10]
    assert f"{point['valid_trees']:.2f}" in page
    for make in TABLES.values():
        assert make(results)
    for draw in FIGURES.values():
        shapes = draw(results)
        assert shapes is None or shapes.startswith("<svg")
    assert exact_against_approximate(results)
