"""Tagger: layers of annotation, such as part-of-speech tags and features, jointly."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.files.models import Component, ModelFile, combined
from orange_structpred.files.schema import ListOf, Schema, Text
from orange_structpred.files.values import LONGEST_NAME
from orange_structpred.kinds import (
    C_KIND,
    EPSILON_KIND,
    MOST_SEEDS,
    PASSES_KIND,
    SHARDS_KIND,
    SOLVER_TEXTS,
    Kind,
    ModelName,
    OneOfThese,
    OrNone,
    RealNumber,
    Switch,
    WholeNumber,
    is_list,
)
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.neural.settings import (
    LARGEST_HIDDEN,
    MOST_EPOCHS,
    NetSettings,
)
from orange_structpred.parametrised import HasParameters, Need, Parameter, by_name
from orange_structpred.running.cancellation import Progress, StopEarly
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.svm import SOLVERS, Report, Solution
from orange_structpred.svm.logs import log_from_rows, log_rows, log_schema
from orange_structpred.svm.mixing import mixed_shards
from orange_structpred.tagging.sequence_model import (
    MOST_LABELS,
    MOST_LAYERS,
    SequenceModel,
    train_sequences,
)
from orange_structpred.tagging.storage import Stored
from orange_structpred.tagging.tag_net import (
    LARGEST_TAG_WEIGHT,
    TagNetModel,
    train_tag_net,
)
from orange_structpred.tagging.vocabulary import OBSERVED_LAYERS, Vocabulary
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.layers import (
    EMPTY,
    check_layer,
    check_layer_values,
    layer_values,
    with_layers,
)
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from distributed import Client

TAGGER_TEMPLATES = (
    "always", "form", "lower", "prefix1", "prefix2", "prefix3", "prefix4", "suffix1",
    "suffix2", "suffix3", "suffix4", "suffix5", "shape", "longshape", "suffix3 shape",
    "prefix1 suffix2", "-1.form", "+1.form", "-2.form", "+2.form", "-1.form form",
    "form +1.form", "-1.form +1.form", "-1.suffix3", "+1.suffix3", "-1.shape shape",
    "+1.shape shape", "class", "-1.class", "+1.class", "-1.class class",
    "class +1.class", "+1.class +2.class", "-1.class class +1.class",
    "sentence shape")
EDGE_TEMPLATES = ("always", "form", "-1.form")
MIN_COUNT = 2       # observations seen less often have no weights
MOST_TRIPLES = 64   # labels of which all three in a row can be looked at
#: What None stands for in the settings of nets
SMALL_TAG_NET = {"hidden": 96, "dropout": 0.4, "epochs": 16}
LARGE_TAG_NET = {"hidden": 128, "dropout": 0.3, "epochs": 8}
LINEAR_PART = 0.05      # of the time of a training with a net that comes before it
TAG_NET = "net"         # component of a file
WITH_TAG_NET = Need("neural=True", lambda settings: "" if settings.get("neural") else
                    "only for taggers with neural=True")


class LayerNames(Kind):
    text = "a list of layers, as ['upos', 'xpos']"

    def fits(self, value: object) -> bool:
        return (isinstance(value, Sized) and len(value) > 0
                and is_list(value, lambda layer: isinstance(layer, str)))


TAGGER_ROWS = by_name((
    Parameter("layers", ("upos", "xpos", "feats"), LayerNames(),
              "lemma, upos, xpos, feats, deprel, or a key of MISC, such as ``misc:NER``. "
              "Layers that no sentence has are left out with a warning"),
    Parameter("solver", "mira", OneOfThese(SOLVER_TEXTS),
              "Algorithm that finds the weights of the tagger", label="&Solver:"),
    Parameter("C", 0.02, C_KIND,
              "How much mistakes cost relative to large weights: 1/2 |w|² + C · mean "
              "loss; for mira, the largest step", label="&C:"),
    Parameter("epsilon", 0.01, EPSILON_KIND,
              "Stop when (primal - dual) / C is at most this, if the solver has a dual",
              label="&Epsilon:"),
    Parameter("passes", 8, PASSES_KIND, "Maximum number of passes over the sentences",
              label="&Passes:"),
    Parameter("order", 1, WholeNumber(1, 2),
              "1 scores pairs of neighbouring tags, 2 also three tags in a row"),
    Parameter("neural", False, Switch(),
              "Add the probabilities of a net to the scores: more accurate, but training "
              "takes about eight times as long", label="Preset"),
    Parameter("epochs", None, OrNone(WholeNumber(1, MOST_EPOCHS)),
              "Passes of the net over the sentences; by default 8 for treebanks of at "
              "least 60,000 tokens, 16 for smaller ones", (WITH_TAG_NET,)),
    Parameter("hidden", None, OrNone(WholeNumber(1, LARGEST_HIDDEN)),
              "Size of the net's LSTMs in each direction; by default 128 for treebanks "
              "of at least 60,000 tokens, 96 for smaller ones", (WITH_TAG_NET,)),
    Parameter("dropout", None, OrNone(RealNumber(0.001, 0.9)),
              "Share of the net's values that are dropped while it learns; by default "
              "0.3 for treebanks of at least 60,000 tokens, 0.4 for smaller ones",
              (WITH_TAG_NET,)),
    Parameter("net_weight", 0.1, RealNumber(high=LARGEST_TAG_WEIGHT),
              "Weight of the net's log probabilities", (WITH_TAG_NET,)),
    Parameter("shards", None, SHARDS_KIND,
              "MIRA and the perceptron: split the treebank into this many parts, which "
              "are learned from in parallel on a cluster while their weights are "
              "mixed; by default one part, on a cluster one for every 3,000 sentences"),
    Parameter("random_state", 0, WholeNumber(0, MOST_SEEDS),
              "Seed for the order of the sentences", label="See&d:"),
    Parameter("name", "tagger", ModelName(), "Name of the tagger and of its predictions"),
))


class TaggerLearner(HasParameters, Learner, rows=TAGGER_ROWS, positional=1):
    """Trains a tagger: ``TaggerLearner()(treebank) -> Tagger``.

    The layers are learned jointly: the score of a token's tags is the sum of the scores
    of its layers. Any column and any key of MISC can be a layer.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")
    >>> tagger = TaggerLearner(layers=["upos"], passes=2)(treebank[:200])
    >>> tagged = tagger(treebank[200:])
    >>> list(tagged.tags["tagger"])
    ['upos']
    """

    def __call__(self, data: Table, callback: Callable[[Report], object] | None = None,
                 *, client: Client | str | None = None) -> Tagger:
        """Train; `callback` gets every report, as in `Solver.solve`.

        client : a `dask.distributed.Client` or the address of a scheduler, on whose
            workers one-slack, MIRA and the perceptron train
        """
        with connected(client) as cluster:
            return self.learn(as_treebank(data).sentences, callback, cluster)

    def learn(self, sentences: Sequence[Sentence],
              callback: Callable[[Report], object] | None = None,
              cluster: Cluster | None = None) -> Tagger:
        """Train on sentences."""
        names = self.check()
        solver = self.solver_options(len(sentences), cluster)
        SOLVERS[self.solver](**solver).check()      # not every one can work on it
        if not sentences:
            raise TrainingError("the treebank has no sentences to learn from")
        layers = self.present_layers(sentences, names)
        columns = [[value for sentence in sentences
                    for value in layer_values(sentence, layer)] for layer in layers]
        tags = list(zip(*columns))
        labels = sorted(set(tags))
        if (self.order == 2 and SOLVERS[self.solver].certificate
                and len(labels) > MOST_TRIPLES):
            raise InputError(
                f"the treebank has {len(labels)} combinations of tags; the solver "
                f"{self.solver!r} considers all of them, which in second order is "
                f"limited to {MOST_TRIPLES}: choose order=1, solver='mira' or fewer layers")
        numbers = {label: number for number, label in enumerate(labels)}
        forms = [sentence.forms for sentence in sentences]
        vocabulary = Vocabulary.learn(
            [form for sentence in forms for form in sentence],
            [numbers[tag] for tag in tags])
        tokens, offsets = vocabulary.encode(forms)
        numbered, parts = np.array([numbers[tag] for tag in tags], np.int32), label_parts(labels)
        model, solution = train_sequences(
            tokens, offsets, numbered, parts, layers=OBSERVED_LAYERS, templates=TAGGER_TEMPLATES,
            edge_templates=EDGE_TEMPLATES,
            edge_columns=(len(layers), 1, 1),
            triple_columns=len(layers) if self.order == 2 else 0, min_count=MIN_COUNT,
            full=np.iinfo(np.int64).max, solver=self.solver,
            callback=self.part_of_training(callback, 0), **solver)
        tagger = Tagger(layers, labels, vocabulary, model, name=self.name,
                        solution=solution)
        if self.neural and not solution.stopped:
            self.add_net(tagger, forms, numbered, parts,
                         self.part_of_training(callback, 1))
        return tagger

    def part_of_training(self, callback: Callable[[Report], object] | None, part: int
                         ) -> Callable[[Report], object] | None:
        """A callback for the first or the second part of a training with a net."""
        if not self.neural or callback is None:
            return callback
        begin, end = ((0., LINEAR_PART), (LINEAR_PART, 1.))[part]
        return lambda report: callback(replace(
            report, fraction=begin + (end - begin) * report.fraction))

    def add_net(self, tagger: Tagger, forms: Sequence[Sequence[str]], labels: np.ndarray,
                parts: np.ndarray, callback: Callable[[Report], object] | None) -> None:
        """Learn a net and give it to the tagger; when the first epoch is stopped, the
        tagger has none."""
        before = list(tagger.log)
        chosen = NetSettings(self.hidden, self.dropout, self.epochs).chosen(
            len(labels), SMALL_TAG_NET, LARGE_TAG_NET)
        epochs = int(chosen.pop("epochs"))
        try:
            tagger.net, reports = train_tag_net(
                forms, labels, parts, NetOptions(**chosen), epochs=epochs,
                weight=self.net_weight, random_state=self.random_state,
                callback=callback and (
                    lambda report: callback(Report.of_epoch(report, before))))
        except StopEarly:
            return
        tagger.log += [Report.of_epoch(report, before) for report in reports]

    def check(self) -> list[str]:
        """The layers; complains of parameters with which nothing could be trained."""
        self.check_values()
        names = list(dict.fromkeys(map(check_layer, self.layers)))
        SOLVERS[self.solver](**self.solver_options(1)).check()
        return names

    def solver_options(self, n: int, cluster: Cluster | None = None) -> dict[str, Any]:
        """What the solver is told, for n sentences."""
        mixing = cluster if SOLVERS[self.solver].mixes else None
        return {"C": self.C, "epsilon": self.epsilon, "passes": self.passes,
                "random_state": self.random_state, "cluster": cluster,
                "shards": mixed_shards(self.shards, n, mixing)}

    @staticmethod
    def present_layers(sentences: Sequence[Sentence], names: Sequence[str]
                       ) -> list[str]:
        layers = [layer for layer in names if any(
            value != EMPTY for sentence in sentences
            for value in layer_values(sentence, layer))]
        missing = [layer for layer in names if layer not in layers]
        if not layers:
            raise TrainingError(f"the treebank has no {' and no '.join(missing)} to "
                                "learn from")
        if missing:
            warnings.warn(f"the treebank has no {' and no '.join(missing)}; the tagger "
                          f"is trained without {'them' if missing[1:] else 'it'}",
                          stacklevel=4)
        return layers


class Tagger(Stored, Model):
    """A trained tagger. ``tagger(treebank)`` adds columns with its tags.

    Attributes
    ----------
    layers : list of str
    name : str
    log : list of Report, one for each pass
    net : whose probabilities are added to the scores, or None
    """

    kind = "tagger"
    components = (TAG_NET,)

    def __init__(self, layers: Sequence[str], labels: Sequence[tuple[str, ...]],
                 vocabulary: Vocabulary, model: SequenceModel, *, name: str,
                 solution: Solution | None = None):
        super().__init__()
        self.layers, self.labels = list(layers), list(labels)
        self.vocabulary, self.model, self.name = vocabulary, model, name
        self.net: TagNetModel | None = None
        self.log: list[Report] = list(solution.reports) if solution else []
        self._values = [np.array([label[k] for label in self.labels], object)
                        for k in range(len(self.layers))]

    @property
    def n_weights(self) -> int:
        return self.model.n_weights

    def __call__(self, data: Table, progress: Progress | None = None, *,
                 name: str | None = None, client: Client | str | None = None
                 ) -> Treebank:
        """The treebank with predicted tags.

        Layers that are empty in all of its sentences are filled in; the others become
        columns beside the treebank's own tags.

        progress, client : as in `predict`
        """
        treebank = as_treebank(data)
        predicted = self.predict(treebank.sentences, progress=progress, client=client)
        return add_layers(treebank, predicted, name or self.name)

    def tag(self, sentences: Iterable[Sentence] | Table,
            progress: Progress | None = None) -> list[Sentence]:
        """The sentences with new tags; everything else stays the same."""
        sentences = as_sentences(sentences)
        return replace_layers(sentences, self.predict(sentences, progress=progress))

    def predict(self, sentences: Iterable[Sentence] | Table, *,
                progress: Progress | None = None, client: Client | str | None = None
                ) -> dict[str, list[list[str]]]:
        """For each layer, the values of each sentence's tokens.

        progress : gets the fraction that is done; raises Cancelled to end the work
        client : a `dask.distributed.Client` or the address of a scheduler, whose workers
            do the work; the result is the same
        """
        forms = [sentence.forms for sentence in as_sentences(sentences)]
        with connected(client) as cluster:
            if cluster is None:
                return self.predict_forms(forms, progress=progress)
            predicted: dict[str, list[list[str]]] = {layer: [] for layer in self.layers}
            for part in cluster.parts(Tagger.predict_forms, forms, cluster.share(self),
                                      progress=progress):
                for layer, values in part.items():
                    predicted[layer] += values
            return predicted

    def predict_forms(self, sentences: Sequence[Sequence[str]], *,
                      progress: Progress | None = None) -> dict[str, list[list[str]]]:
        """What `predict` gives, for the forms of sentences."""
        if not sentences:
            return {layer: [] for layer in self.layers}
        tokens, offsets = self.vocabulary.encode(sentences)
        net = self.net
        labels = self.model.predict(
            tokens, offsets, allowed=self.vocabulary.allowed(tokens),
            bonuses=None if net is None else (
                lambda first, last: net.part_scores(sentences[first:last])),
            progress=progress)
        bounds = offsets.tolist()
        predicted = {}
        for layer, values in zip(self.layers, self._values):
            flat = values[labels].tolist()
            predicted[layer] = [flat[begin:end]
                                for begin, end in pairwise(bounds)]
        return predicted

    # in and out

    def header(self) -> dict:
        return {"name": self.name, "layers": self.layers, "labels": self.labels,
                "model": self.model.header(), "log": log_rows(self.log)}

    def contents(self) -> Component:
        if self.net is None:
            return super().contents()
        return combined(self.header(), {
            "": Component(self.model.header(), self.arrays()),
            TAG_NET: Component(self.net.header(), self.net.arrays())})

    @classmethod
    def read(cls, file: ModelFile) -> Tagger:
        tagger = super().read(file)
        if TAG_NET in file:
            tagger.net = TagNetModel.read(file, TAG_NET, tagger.model.chain.label_parts)
        return tagger

    def arrays(self) -> dict[str, np.ndarray]:
        return {**self.model.arrays("tagger"), **self.vocabulary.arrays("words")}

    schema = Schema(
        header={"name": Text(LONGEST_NAME),
                "layers": ListOf(Text(LONGEST_NAME), MOST_LAYERS, least=1, distinct=True),
                "labels": ListOf(ListOf(Text(least=1), length="layers"), MOST_LABELS,
                                 least=1),
                "model": SequenceModel.header_schema("layers"), "log": log_schema()},
        arrays={**SequenceModel.arrays_schema("tagger", "labels", "layers"),
                **Vocabulary.arrays_schema("words", "labels")})

    @classmethod
    def restore(cls, header: dict, arrays: dict[str, np.ndarray]) -> Tagger:
        layers = [check_layer(layer) for layer in header["layers"]]
        labels = [tuple(label) for label in header["labels"]]
        for layer, values in zip(layers, zip(*labels)):
            check_layer_values(layer, values)
        model = SequenceModel.restore(header["model"], arrays, "tagger", OBSERVED_LAYERS)
        tagger = cls(layers, labels, Vocabulary.restore(arrays, "words"), model,
                     name=header["name"])
        tagger.log = log_from_rows(header["log"])
        return tagger

    def __repr__(self) -> str:
        return (f"<Tagger {self.name!r}: {', '.join(self.layers)}, {len(self.labels)} "
                f"labels, {self.n_weights} weights>")


def label_parts(labels: Sequence[tuple[str, ...]]) -> np.ndarray:
    """A number for each value of each layer: the parts of the labels."""
    numbers: dict[tuple[int, str], int] = {}
    return np.array([[numbers.setdefault((k, value), len(numbers))
                      for k, value in enumerate(label)] for label in labels], np.int32)


def add_layers(treebank: Treebank, predicted: dict[str, list[list[str]]], name: str
               ) -> Treebank:
    """A treebank in which empty layers are filled in; the others become columns."""
    sentences = treebank.sentences
    empty = {layer: values for layer, values in predicted.items()
             if all(value == EMPTY for sentence in sentences
                    for value in layer_values(sentence, layer))}
    if empty:
        treebank = with_sentences(treebank, replace_layers(sentences, empty))
    return treebank.with_tags(name, {layer: values for layer, values
                                     in predicted.items() if layer not in empty})


def replace_layers(sentences: Sequence[Sentence], predicted: dict[str, list[list[str]]]
                   ) -> list[Sentence]:
    return [with_layers(sentence, {layer: values[i]
                                   for layer, values in predicted.items()})
            for i, sentence in enumerate(sentences)]
