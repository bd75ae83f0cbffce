"""How good and how fast tagger, lemmatiser and tokeniser are, as JSON lines.

    python benchmarks/text.py --treebanks DIR [--rivals]

Trained on UD English EWT's training part with the defaults, measured on its test part,
on one thread. Settings were chosen on its dev part.

upos, xpos, feats, lemma : percent of the test tokens, gold tokens; features are
    compared as they are written, lemmas are those for predicted tags
tag_train_cpu_s : training of tagger and lemmatiser, code compiled before
tag_tokens_per_s : all three layers and lemmas; sentences read anew, best of some
words, sents : F1 of the tokeniser on the raw text of the test part, by the rules of the
    CoNLL 2018 shared task
tok_train_cpu_s, tok_words_per_s : the tokeniser's training and speed
de_* : the same for German GSD, trained on its test part and measured on its dev part
udpipe_* : the same for the tagger of ufal.udpipe, trained in the same run (--rivals)
"""
from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

REPEATS = 3
LAYERS = ("upos", "xpos", "feats", "lemma")


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


def measure(train_file: Path, test_file: Path, prefix: str) -> None:
    from orange_structpred.evaluation import evaluate_raw
    from orange_structpred.tagging.lemmatiser import LemmatiserLearner
    from orange_structpred.tagging.tagger import TaggerLearner
    from orange_structpred.tagging.tokeniser import TokeniserLearner
    from orange_structpred.treebank import read_conll
    from orange_structpred.treebank.text import raw_text

    train = read_conll(train_file)
    for learner in (TaggerLearner(passes=1), LemmatiserLearner(passes=1)):  # compiles
        learner.learn(train[:50]).predict(train[:50])
    TokeniserLearner(passes=1).learn(train[:50])("Compiled, too.")

    began = time.process_time()
    tagger = TaggerLearner().learn(train)
    lemmatiser = LemmatiserLearner().learn(train)
    report(f"{prefix}tag_train_cpu_s", time.process_time() - began)
    speed, predicted = 0., {}
    for _ in range(REPEATS):
        test = read_conll(test_file)
        began = time.process_time()
        predicted = {layer: flat(own) for layer, own in tagger.predict(test).items()}
        forms = flat(sentence.forms for sentence in test)
        none = ["_"] * len(forms)
        predicted["lemma"] = lemmatiser.lemmas(
            forms, predicted["upos"], predicted.get("xpos", none))
        speed = max(speed, len(forms) / (time.process_time() - began))
    for layer, value in accuracies(test, predicted).items():
        report(f"{prefix}{layer}", value)
    report(f"{prefix}tag_tokens_per_s", speed)

    began = time.process_time()
    tokeniser = TokeniserLearner().learn(train)
    report(f"{prefix}tok_train_cpu_s", time.process_time() - began)
    text = raw_text(test)
    began = time.process_time()
    found = tokeniser(text)
    seconds = time.process_time() - began
    scores = evaluate_raw(test, found)
    report(f"{prefix}words", 100 * scores["words"].f1)
    report(f"{prefix}sents", 100 * scores["sentences"].f1)
    report(f"{prefix}tok_words_per_s", scores["words"].system / seconds)


def udpipe(train_file: Path, test_file: Path) -> None:
    """UDPipe's tagger with its defaults; takes most of an hour."""
    from ufal.udpipe import (
        InputFormat,
        Model,
        ProcessingError,
        Sentence,
        Sentences,
        Trainer,
    )

    from orange_structpred.treebank import read_conll

    def read(path: Path) -> Sentences:
        reader, sentences = InputFormat.newConlluInputFormat(), Sentences()
        reader.setText(path.read_text(encoding="utf-8"))
        error, sentence = ProcessingError(), Sentence()
        while reader.nextSentence(sentence, error):
            sentences.append(sentence)
            sentence = Sentence()
        return sentences

    error = ProcessingError()
    began = time.process_time()
    trained = Trainer.train(
        "morphodita_parsito", read(train_file), Sentences(), Trainer.NONE,
        Trainer.DEFAULT, Trainer.NONE, error)
    if error.occurred():
        raise SystemExit(f"UDPipe: {error.message}")
    report("udpipe_tag_train_cpu_s", time.process_time() - began)
    path = Path("udpipe.model")
    path.write_bytes(trained)
    model = Model.load(str(path))
    path.unlink()
    test = read(test_file)
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,test}.conllu and "
                             "de_gsd-ud-{test,dev}.conllu")
    parser.add_argument("--rivals", action="store_true",
                        help="train ufal.udpipe's tagger, too")
    args = parser.parse_args()
    train = args.treebanks / "en_ewt-ud-train.conllu"
    test = args.treebanks / "en_ewt-ud-test.conllu"
    measure(train, test, "")
    measure(args.treebanks / "de_gsd-ud-test.conllu",
            args.treebanks / "de_gsd-ud-dev.conllu", "de_")
    if args.rivals:
        udpipe(train, test)


if __name__ == "__main__":
    main()
