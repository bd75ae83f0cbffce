"""Whether a net of a tagger helps to find lemmas, as JSON lines.

    python benchmarks/lemma_heads.py --treebanks DIR

The net gets a head for edit scripts, beside those of tags. It learns from every fourth
sentence of UD English EWT's training part, and is measured on the dev part.

gold_W, predicted_W : percent of lemmas that are right, given the treebank's tags or those
    of a linear tagger with the same net, if W times the log-probabilities of scripts are
    added to the lemmatiser's scores; 0 is the lemmatiser alone
"""
from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from orange_structpred import LemmatiserLearner, Sentence, TaggerLearner, read_conll
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.tagging.lemmatiser import Lemmatiser, least_words, tag_pairs
from orange_structpred.tagging.scripts import make_script
from orange_structpred.tagging.tag_net import TagNetModel, train_tag_net
from orange_structpred.tagging.tagger import label_parts
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.normal_form import normal_form

STEP, NET, EPOCHS, TAG_WEIGHT = 4, NetOptions(96, 0.4), 8, 0.1
LAYERS = ("upos", "xpos", "feats")
WEIGHTS = (0, 0.1, 0.2, 0.4, 0.8)
RARE = "?"          # a script that the lemmatiser does not have either


def flat(sentences: Sequence[Sentence], layer: str) -> list[str]:
    return [value for own in sentences for value in layer_values(own, layer)]


def forms_of(sentences: Sequence[Sentence]) -> list[str]:
    return [normal_form(form) for own in sentences for form in own.forms]


class NetWithScripts:
    """A net with heads for tags and scripts, by the values that it knows."""

    def __init__(self, sentences: Sequence[Sentence]):
        pairs = list(zip(forms_of(sentences), map(normal_form, flat(sentences, "lemma"))))
        scripts = [make_script(*pair) for pair in pairs]
        counts = Counter(script for script, _ in {
            (script, form.lower()) for script, (form, _) in zip(scripts, pairs)})
        columns = [*(flat(sentences, layer) for layer in LAYERS), [
            script if counts[script] >= least_words(script) else RARE for script in scripts]]
        rows = list(zip(*columns))
        labels = sorted(set(rows))
        numbers = {label: number for number, label in enumerate(labels)}
        parts = label_parts(labels)
        self.net: TagNetModel = train_tag_net(
            [own.forms for own in sentences], np.array([numbers[row] for row in rows], np.int32),
            parts, NET, epochs=EPOCHS, weight=1.)[0]
        self.values = [{label[k]: part for label, part in zip(labels, column.tolist())}
                       for k, column in enumerate(parts.T)]

    def logs(self, sentences: Sequence[Sequence[str]], column: int, values: Sequence[str]
             ) -> np.ndarray:
        """Log-probabilities of values, a row for each token; the least for unknown ones."""
        logs = self.net.part_scores(sentences)
        known = self.values[column]
        return np.stack([logs[:, known[value]] if value in known else
                         np.full(len(logs), logs.min()) for value in values], axis=1)


class NetOfTagger:
    """The heads for tags, as a tagger asks for them."""

    def __init__(self, net: NetWithScripts, tagger):
        self.net, self.tagger = net, tagger

    def part_scores(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        chain = self.tagger.model.chain
        result = np.zeros((sum(map(len, sentences)), chain.n_parts), np.float32)
        for k, column in enumerate(chain.label_parts.T):
            values = {part: label[k] for label, part
                      in zip(self.tagger.labels, column.tolist())}
            result[:, list(values)] = TAG_WEIGHT * self.net.logs(
                sentences, k, list(values.values()))
        return result


def accuracy(lemmatiser: Lemmatiser, dev: Sequence[Sentence], upos: list[str],
             xpos: list[str], added: np.ndarray) -> float:
    """added : to the scores of the lemmatiser's scripts, a row for each token"""
    forms, tags = forms_of(dev), tag_pairs(upos, xpos, lemmatiser.tags)
    lemmas = [lemmatiser.known.get(f"{form}\t{tag}") for form, tag in zip(forms, tags)]
    unknown = [i for i, lemma in enumerate(lemmas) if lemma is None]
    rows = iter(added[unknown])
    plain = lemmatiser.bonuses
    lemmatiser.bonuses = lambda forms, tags: plain(forms, tags) + np.array(
        [next(rows) for _ in forms], np.float32)
    guessed = lemmatiser.guess([forms[i] for i in unknown], [tags[i] for i in unknown])
    lemmatiser.bonuses = plain
    for i, lemma in zip(unknown, guessed):
        lemmas[i] = lemma
    return 100 * float(np.mean([a == b for a, b in zip(lemmas, flat(dev, "lemma"))]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,dev}.conllu")
    folder = parser.parse_args().treebanks
    training, dev = (read_conll(folder / f"en_ewt-ud-{part}.conllu")
                     for part in ("train", "dev"))
    training = training[::STEP]
    tagger, lemmatiser = TaggerLearner().learn(training), LemmatiserLearner().learn(training)
    net = NetWithScripts(training)
    tagger.net = NetOfTagger(net, tagger)
    predicted = tagger.predict(dev)
    logs = net.logs([own.forms for own in dev], len(LAYERS), lemmatiser.scripts)
    for name, tags in (("gold", [flat(dev, layer) for layer in LAYERS]),
                       ("predicted", [sum(predicted[layer], []) for layer in LAYERS])):
        for weight in WEIGHTS:
            value = accuracy(lemmatiser, dev, *tags[:2], weight * logs)
            print(json.dumps({"name": f"{name}_{weight}", "value": round(value, 3)}),
                  flush=True)


if __name__ == "__main__":
    main()
