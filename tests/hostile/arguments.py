"""Arguments of the command line: an exit code and a line, never a traceback."""
import contextlib
import io

from orange_structpred import ParserLearner, load_bundled, write_conll
from orange_structpred.__main__ import main
from tests.hostile.draw import TEXTS, pick

VALUES = ("0", "-1", "1", "2", "0.5", "1e300", "1e-300", "nan", "inf", "-inf", "abc", "",
          "²", "99999999999999999999", "9" * 5000, "1,2", "1,,2", "x=1", "n=1000000000",
          "n=2,decay=0.5", "n=1,decay=nan", "none", "true", "posTags", "h.kind",
          "h.form::dir", "ngram", "annotated-ngram", "constant+bow", "tree", "nystroem",
          "all", "head", "mira", "bcfw", "exact", "approximate", "kernel", "explicit")
OPTIONS = {
    "train": ("--features", "--groups", "--min-count", "--hash", "--kernel",
              "--kernel-params", "--nystroem", "--vectors", "--epsilon", "--solver",
              "--decoder", "--seed", "--jobs", "--name", "--C", "--checkpoint", "--quiet",
              "--single-root", "--no-single-root"),
    "tune": ("--C", "--grid", "--share", "--folds", "--kernel", "--solver", "--hash",
             "--epsilon", "--json", "--features"),
    "parse": ("--decoder", "--jobs", "--longest"),
    "info": ("--json", "--skip"), "score": ("--json", "--no-punct"), "export": ("-o",)}
FLAGS = ("--json", "--skip", "--quiet", "--single-root", "--no-single-root", "--no-punct")


def prepare(folder):
    treebank = load_bundled("en")[:6]
    write_conll(treebank, folder / "small.conllu")
    ParserLearner(passes=1)(treebank).save(folder / "model.npz")
    (folder / "folder").mkdir()
    return ["small.conllu", "model.npz", "folder", "nothing", "/dev/null", "-", "\0"]


def case(files, rng):
    command = pick(rng, list(OPTIONS))
    arguments = [command]
    count = {"train": 1, "tune": 1, "parse": 2, "info": 1, "score": 2, "export": 1}[command]
    likely = {"parse": ["model.npz", "small.conllu"]}.get(command, ["small.conllu"] * 2)
    for place in range(count):
        arguments.append(likely[place] if rng.random() < 0.8
                         else pick(rng, files + list(TEXTS)))
    if command in ("train", "parse"):
        arguments += ["-o", "out" if rng.random() < 0.8 else pick(rng, files)]
    if command in ("train", "tune"):
        arguments += ["--passes", "1" if rng.random() < 0.8 else pick(rng, (
            "0", "-1", "2", "x", "99999999999999999999", "9" * 5000))]
    for _ in range(int(rng.integers(4))):
        option = pick(rng, OPTIONS[command])
        arguments.append(option)
        if option not in FLAGS:
            arguments.append(pick(rng, VALUES + TEXTS) if rng.random() < 0.9
                             else f"C={pick(rng, VALUES)}")
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace")
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
    assert code in (0, 1, 2), (arguments, code)
    assert "Traceback" not in err.getvalue(), arguments
    if code == 2:
        assert "error" in err.getvalue() and err.getvalue().count("\n") <= 3, (
            arguments, err.getvalue())
