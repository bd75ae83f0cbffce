"""How good and how fast the way from text to trees is, as JSON lines.

    python benchmarks/text.py --treebanks DIR
        [--parts english accurate german chinese finnish typographic peak labels]
        [--model FILE] [--megabytes 100] [--rivals]

A pipeline trained on UD English EWT's training part with the defaults, measured on its
test part, on one thread. Settings were chosen on its dev part.

upos, xpos, feats, lemma : percent of the test tokens, gold tokens; features are
    compared as they are written, lemmas are those for predicted tags
tag_train_cpu_s : training of tagger and lemmatiser, code compiled before
tag_tokens_per_s : all three layers and lemmas; sentences read anew, best of some
words, sents : F1 of the tokeniser on the raw text of the test part, by the rules of the
    CoNLL 2018 shared task
tok_train_cpu_s, tok_words_per_s : the tokeniser's training and speed
tok_uas, tok_las : gold tokens to trees, tags and lemmas predicted
raw_uas, raw_las : raw text to trees, aligned words, by the shared task's rules
pipeline_train_cpu_s : training of all steps, jackknifing included
annotate_words_per_s : raw text to CoNLL-U with all steps, best of some
annotate_peak_mb : of the command annotate on so many megabytes of text, half of them
    in one line; takes about a minute for 5 MB
acc_* : the same as the first ones for PipelineLearner(neural=True)
de_* : the same for German GSD, trained on its test part and measured on its dev part
zh_*, fi_* : the same for raw text of the test parts of Chinese GSD and Finnish TDT,
    trained on their dev parts: words, sentences, UPOS, lemmas, UAS and LAS; settings were
    chosen by cross-validation on the dev part
typo_words, typo_upos, typo_las : how much better (worse, if negative) the raw text of
    EWT's dev part is annotated with typographic apostrophes and quotes than as it is; the
    plain scores are typo_plain_*. hr_typo_* : the same for the dev part of Croatian SET,
    trained on its test part
labels_* : a tagger of a synthetic language with 2,000 labels
udpipe_* : the same for the tagger of ufal.udpipe, trained in the same run (--rivals);
    udpipe_iterations is 20 by default, for which it takes most of an hour
"""
from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

REPEATS = 3
LAYERS = ("upos", "xpos", "feats", "lemma")
PARTS = ("english", "accurate", "german", "chinese", "finnish", "typographic", "labels",
         "peak")


def report(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(value, 3)}), flush=True)


def flat(columns) -> list[str]:
    return [value for own in columns for value in own]


def accuracies(sentences, predicted: dict) -> dict[str, float]:
    from orange_structpred.treebank.layers import layer_values

    result = {}
    for layer in LAYERS:
        gold = flat(layer_values(sentence, layer) for sentence in sentences)
        right = sum(a == b for a, b in zip(gold, predicted[layer], strict=True))
        result[layer] = 100 * right / len(gold)
    return result


def timed(learner_class, seconds: dict[str, float], **parameters):
    """A learner that notes the CPU seconds of its first training."""
    class Timed(learner_class):
        def learn(self, *args, **options):
            began = time.process_time()
            model = super().learn(*args, **options)
            seconds.setdefault(learner_class.__name__, time.process_time() - began)
            return model

    return Timed(**parameters)


def train(train_file: Path, prefix: str, *, neural: bool = False):
    from orange_structpred import (
        LemmatiserLearner,
        PipelineLearner,
        TaggerLearner,
        TokeniserLearner,
        Treebank,
    )

    treebank = Treebank.from_file(train_file)
    PipelineLearner(neural=neural)(treebank[:50]).annotate("Compiled, too.")
    seconds: dict[str, float] = {}
    began = time.process_time()
    pipeline = PipelineLearner(
        tokeniser=timed(TokeniserLearner, seconds),
        tagger=timed(TaggerLearner, seconds, neural=neural),
        lemmatiser=timed(LemmatiserLearner, seconds), neural=neural)(treebank)
    report(f"{prefix}pipeline_train_cpu_s", time.process_time() - began)
    report(f"{prefix}tag_train_cpu_s",
           seconds["TaggerLearner"] + seconds["LemmatiserLearner"])
    report(f"{prefix}tok_train_cpu_s", seconds["TokeniserLearner"])
    return pipeline


def measure(pipeline, test_file: Path, prefix: str) -> None:
    from orange_structpred import Treebank, evaluate, evaluate_raw
    from orange_structpred.files.streaming import bytes_stream
    from orange_structpred.pipeline.streams import annotate_stream
    from orange_structpred.treebank import read_conll
    from orange_structpred.treebank.text import raw_text

    speed, predicted = 0., {}
    for _ in range(REPEATS):
        test = read_conll(test_file)
        began = time.process_time()
        predicted = {layer: flat(own) for layer, own
                     in pipeline.tagger.predict(test).items()}
        forms = flat(sentence.forms for sentence in test)
        none = ["_"] * len(forms)
        predicted["lemma"] = pipeline.lemmatiser.lemmas(
            forms, predicted["upos"], predicted.get("xpos", none))
        speed = max(speed, len(forms) / (time.process_time() - began))
    for layer, value in accuracies(test, predicted).items():
        report(f"{prefix}{layer}", value)
    report(f"{prefix}tag_tokens_per_s", speed)

    text = raw_text(test)
    began = time.process_time()
    n_words = sum(map(len, pipeline.tokeniser(text)))
    report(f"{prefix}tok_words_per_s", n_words / (time.process_time() - began))
    scores = evaluate(pipeline(Treebank.from_sentences(test)))
    report(f"{prefix}tok_uas", 100 * scores.uas)
    report(f"{prefix}tok_las", 100 * scores.las)
    speed = 0.
    for _ in range(REPEATS):
        began = time.process_time()
        found = flat(annotate_stream(pipeline, bytes_stream(text.encode()), "text"))
        written = "\n\n".join(sentence.block for sentence in found).encode()
        speed = max(speed, n_words / (time.process_time() - began))
    assert len(written) > len(text)
    raw = evaluate_raw(test, found)
    for name, key in (("words", "words"), ("sents", "sentences"), ("raw_uas", "uas"),
                      ("raw_las", "las")):
        report(f"{prefix}{name}", 100 * raw[key].f1)
    report(f"{prefix}annotate_words_per_s", speed)


def raw(train_file: Path, test_file: Path, prefix: str) -> None:
    """Raw text of a language of which there are few sentences to learn from."""
    from orange_structpred import (
        ParserLearner,
        PipelineLearner,
        Treebank,
        evaluate_raw,
    )
    from orange_structpred.treebank import read_conll
    from orange_structpred.treebank.text import raw_text

    test = read_conll(test_file)
    # probabilities are not measured here, so they are not calibrated
    parser = ParserLearner(name="parser", neural=True, calibrate=False)
    pipeline = PipelineLearner(neural=True, parser=parser)(
        Treebank.from_file(train_file))
    scores = evaluate_raw(test, pipeline.annotate(raw_text(test)))
    for name, key in (("words", "words"), ("sents", "sentences"), ("upos", "upos"),
                      ("lemmas", "lemmas"), ("raw_uas", "uas"), ("raw_las", "las")):
        report(f"{prefix}{name}", 100 * scores[key].f1)


def typographic(pipeline, file: Path, prefix: str) -> None:
    """Text with the apostrophes and quotes of a word processor, beside the plain one."""
    from orange_structpred import Sentence, evaluate_raw
    from orange_structpred.treebank import read_conll
    from orange_structpred.treebank.text import raw_text

    def typed(line: str) -> str:
        cells = line.split("\t")
        quotes = cells[1].replace("'", "\u2019").replace('"', "\u201d") if cells[1:] else ""
        return "\t".join([cells[0], quotes, *cells[2:]]) if quotes else line

    gold = read_conll(file)
    quoted = [Sentence("\n".join(map(typed, own.block.split("\n")))) for own in gold]
    text = raw_text(gold)
    opening = re.sub(r'(^|[\s(])"', "\\1\u201c", text).replace('"', "\u201d")
    plain = evaluate_raw(gold, pipeline.annotate(text))
    # what is written, not what opens and closes, is compared with the treebank
    found = [Sentence(own.block.replace("\u201c", "\u201d")) for own in
             pipeline.annotate(opening.replace("'", "\u2019"))]
    quoted = [Sentence(own.block.replace("\u201c", "\u201d")) for own in quoted]
    scores = evaluate_raw(quoted, found)
    for name in ("words", "upos", "las"):
        report(f"{prefix}typo_plain_{name}", 100 * plain[name].f1)
        report(f"{prefix}typo_{name}", 100 * (scores[name].f1 - plain[name].f1))


def peak(pipeline, treebanks: Path, megabytes: int) -> None:
    """The memory that the command needs, in a process of its own."""
    from orange_structpred import read_conll
    from orange_structpred.treebank.text import raw_text

    texts = [raw_text(read_conll(treebanks / f"en_ewt-ud-{part}.conllu"))
             for part in ("train", "dev", "test")]
    half = megabytes << 19
    with tempfile.TemporaryDirectory() as folder:
        model, source = Path(folder, "model.npz"), Path(folder, "text.txt")
        pipeline.save(model)
        with open(source, "wb") as file:
            for number, text in enumerate(cycle(texts)):
                written = file.tell()
                if written >= 2 * half:
                    break
                # the second half is one line, which is cut into pieces
                text = f"{number}\n\n{text}\n" if written < half else (
                    " ".join(text.split()) + " ")
                file.write(text.encode())
        subprocess.run([sys.executable, "-m", "orange_structpred", "annotate", model,
                        source, "-o", Path(folder, "out.conllu"), "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report("annotate_megabytes", megabytes)
    report("annotate_peak_mb", used.ru_maxrss / 1024)
    report("annotate_cpu_s", used.ru_utime + used.ru_stime)


def labels(n: int = 2000, n_sentences: int = 4000) -> None:
    """Tags that are a stem's class and an ending's, as in languages with many cases."""
    import numpy as np

    from orange_structpred import Sentence, TaggerLearner

    rng = np.random.default_rng(0)
    stems = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmn"]
    endings = [f"{a}{b}" for a in "aeiouy" for b in "bcdfghjklmnpqrstvwxz"]
    width = n // 40

    def word(before: int) -> tuple[str, str, int]:
        stem = int(len(stems) * rng.random() ** 2)
        ending = (int(len(endings) * rng.random() ** 2) + before) % len(endings)
        label = stem % 40 * width + ending % width
        if ending % 10 == 0:        # what stands before decides
            label = stem % 40 * width + (ending + before) % width
        return stems[stem] + endings[ending], f"T{label}", ending % 3

    sentences = []
    for _ in range(n_sentences):
        before, rows = 0, []
        for k in range(1, 16):
            form, tag, before = word(before)
            rows.append(f"{k}\t{form}\t_\t_\t{tag}\t_\t_\t_\t_\t_")
        sentences.append(Sentence("\n".join(rows)))
    training, test = sentences[:-500], sentences[-500:]
    began = time.process_time()
    tagger = TaggerLearner(["xpos"]).learn(training)
    report("labels_n", len(tagger.labels))
    report("labels_train_cpu_s", time.process_time() - began)
    began = time.process_time()
    found = flat(tagger.predict(test)["xpos"])
    report("labels_tokens_per_s", len(found) / (time.process_time() - began))
    gold = flat(sentence.xpos for sentence in test)
    report("labels_accuracy", 100 * np.mean([a == b for a, b in zip(gold, found)]))


def udpipe(train_file: Path, test_file: Path, iterations: int) -> None:
    """UDPipe's tagger, with its defaults but for the iterations."""
    from rivals import read_udpipe, train_udpipe
    from ufal.udpipe import Model

    from orange_structpred.treebank import read_conll

    model, seconds = train_udpipe(train_file, f"iterations={iterations}", None)
    report("udpipe_iterations", iterations)
    report("udpipe_tag_train_cpu_s", seconds)
    test = list(read_udpipe(test_file))
    began = time.process_time()
    for sentence in test:
        model.tag(sentence, Model.DEFAULT)
    seconds = time.process_time() - began
    words = [word for sentence in test for word in list(sentence.words)[1:]]
    predicted = {"upos": [w.upostag for w in words], "xpos": [w.xpostag for w in words],
                 "feats": [w.feats or "_" for w in words],
                 "lemma": [w.lemma for w in words]}
    for layer, value in accuracies(read_conll(test_file), predicted).items():
        report(f"udpipe_{layer}", value)
    report("udpipe_tag_tokens_per_s", len(words) / seconds)


def main() -> None:
    from orange_structpred import Pipeline

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,dev,test}.conllu, "
                             "{de_gsd,hr_set,zh_gsd,fi_tdt}-ud-{test,dev}.conllu")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS,
                        help="what to measure (default: all)")
    parser.add_argument("--model", type=Path, metavar="FILE",
                        help="a pipeline of EWT's training part; by default it is "
                             "trained")
    parser.add_argument("--megabytes", type=int, default=100, metavar="N",
                        help="text for annotate_peak_mb (default: 100)")
    parser.add_argument("--rivals", action="store_true",
                        help="train ufal.udpipe's tagger, too")
    parser.add_argument("--iterations", type=int, default=20, metavar="N",
                        help="of ufal.udpipe's training (default: 20, as its own)")
    args = parser.parse_args()
    train_file = args.treebanks / "en_ewt-ud-train.conllu"
    test_file = args.treebanks / "en_ewt-ud-test.conllu"
    if {"english", "typographic", "peak"} & set(args.parts):
        english = Pipeline.load(args.model) if args.model else train(train_file, "")
    if "english" in args.parts:
        measure(english, test_file, "")
    if "accurate" in args.parts:
        measure(train(train_file, "acc_", neural=True), test_file, "acc_")
    for part, treebank in (("chinese", "zh_gsd"), ("finnish", "fi_tdt")):
        if part in args.parts:
            raw(args.treebanks / f"{treebank}-ud-dev.conllu",
                args.treebanks / f"{treebank}-ud-test.conllu", f"{treebank[:2]}_")
    if "german" in args.parts:
        measure(train(args.treebanks / "de_gsd-ud-test.conllu", "de_"),
                args.treebanks / "de_gsd-ud-dev.conllu", "de_")
    if "typographic" in args.parts:
        typographic(english, args.treebanks / "en_ewt-ud-dev.conllu", "")
        typographic(train(args.treebanks / "hr_set-ud-test.conllu", "hr_"),
                    args.treebanks / "hr_set-ud-dev.conllu", "hr_")
    if "labels" in args.parts:
        labels()
    if "peak" in args.parts:
        peak(english, args.treebanks, args.megabytes)
    if args.rivals:
        udpipe(train_file, test_file, args.iterations)


if __name__ == "__main__":
    main()
