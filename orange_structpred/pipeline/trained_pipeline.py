"""A trained pipeline, and models of any kind from files."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from copy import copy
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from Orange.base import Model
from Orange.data import Domain, Table

from orange_structpred.files import models
from orange_structpred.files.models import (
    Component,
    ModelFile,
    ModelFileError,
    format_of,
)
from orange_structpred.files.schema import Text
from orange_structpred.files.values import LONGEST_NAME
from orange_structpred.parser import (
    PARSER_COMPONENTS,
    PARSER_FORMAT,
    PARSER_HEADER,
    Parser,
)
from orange_structpred.pipeline.drafts import annotate_drafts
from orange_structpred.pipeline.filling import (
    LEMMA,
    SPLITTING,
    TAGGING,
    Predicted,
    fill_layers,
    fill_trees,
    join_predicted,
)
from orange_structpred.running.cancellation import Progress, part_of
from orange_structpred.running.cluster import connected
from orange_structpred.tagging.documents import AnyTokeniser, Draft, text_drafts
from orange_structpred.tagging.lemmatiser import Lemmatiser
from orange_structpred.tagging.rules import RuleTokeniser
from orange_structpred.tagging.tagger import Tagger, add_layers
from orange_structpred.tagging.tokeniser import Tokeniser
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from distributed import Client

PIPELINE_STEPS = ("tokeniser", "tagger", "lemmatiser", "parser")
#: Longer sentences are parsed in pieces, as text has them where it is no text but, say,
#: a list of words: the time for a sentence grows faster than its length
LONGEST_SENTENCE = 200


class Pipeline(Model):
    """A tokeniser, a tagger, a lemmatiser and a parser, one after another.

    ``pipeline.annotate(text)`` returns sentences with trees, ``pipeline(text)`` a
    treebank of them, ``pipeline(treebank)`` the treebank with predictions. Any step
    can be missing; without a tokeniser, text is split by rules.

    Parameters
    ----------
    tokeniser, tagger, lemmatiser, parser : trained models, or None
    name : str, default="pipeline"
        Name of the pipeline and of its predictions
    """

    def __init__(self, *, tokeniser: Tokeniser | None = None,
                 tagger: Tagger | None = None, lemmatiser: Lemmatiser | None = None,
                 parser: Parser | None = None, name: str = "pipeline"):
        # no class variable: Orange's widgets for models ask for it
        super().__init__(Domain(()))
        self.tokeniser, self.tagger = tokeniser, tagger
        self.lemmatiser, self.parser, self.name = lemmatiser, copy(parser), name
        if self.parser is not None:
            self.parser.longest = min(self.parser.longest, LONGEST_SENTENCE)

    @property
    def steps(self) -> list[str]:
        """The names of the steps that the pipeline has."""
        return [step for step in PIPELINE_STEPS if getattr(self, step) is not None]

    def splitter(self) -> AnyTokeniser:
        """What splits text: the tokeniser, or rules if there is none."""
        return self.tokeniser or RuleTokeniser()

    def __call__(self, data: Table | str, progress: Progress | None = None, *,
                 name: str | None = None, client: Client | str | None = None) -> Treebank:
        """A treebank of a text, or a treebank with predictions.

        All steps but the tokeniser look at the words of a treebank alone. Layers that
        are empty in all of its sentences, and heads if none is known, are filled in;
        the others become columns beside the treebank's own tags and trees.

        progress, client : as in `annotate`
        """
        name = name or self.name
        if isinstance(data, str):
            return Treebank.from_sentences(
                self.annotate(data, progress, client=client), name=name)
        treebank = as_treebank(data)
        predicted = self.predict(treebank.sentences, progress, client=client)
        treebank = add_layers(treebank, predicted.layers, name)
        if predicted.trees is None:
            return treebank
        if any((sentence.heads >= 0).any() for sentence in treebank.sentences):
            return treebank.with_prediction(name, predicted.trees.heads, predicted.trees.deprels)
        return with_sentences(treebank, fill_trees(treebank.sentences, predicted.trees))

    def annotate(self, data: str | Iterable[Sentence] | Table,
                 progress: Progress | None = None, *, probabilities: bool = False,
                 client: Client | str | None = None) -> list[Sentence]:
        """The annotated sentences of a text; or sentences with what they lacked filled in.

        Sentences keep the annotations that they have: a layer is predicted for a
        sentence if none of its tokens has it, and a tree if a head is unknown.

        progress : gets the fraction that is done; raises Cancelled to end the work
        probabilities : whether the probability of each predicted head is written to the
            last column, as ``HeadProb=0.97``; the parser must be calibrated
        client : a `dask.distributed.Client` or the address of a scheduler, whose workers
            do the work; the result is the same
        """
        if isinstance(data, str):
            drafts = text_drafts(data, self.splitter(), part_of(progress, 0, SPLITTING))
            return self.annotate_drafts(drafts, part_of(progress, SPLITTING, 1),
                                        probabilities=probabilities, client=client)
        sentences = as_sentences(data)
        with connected(client) as cluster:
            if cluster is not None:
                return list(chain.from_iterable(cluster.parts(
                    partial(Pipeline.annotate, probabilities=probabilities), sentences,
                    cluster.share(self), progress=progress)))
        tagged = fill_layers(sentences, self.tagger, self.lemmatiser,
                             progress=part_of(progress, 0, TAGGING))
        if self.parser is None:
            return tagged
        lacking = [k for k, sentence in enumerate(tagged) if not sentence.has_heads]
        bare = [tagged[k] for k in lacking]
        trees = self.parser.predict(bare, probabilities=probabilities,
                                    progress=part_of(progress, TAGGING, 1))
        for k, filled in zip(lacking, fill_trees(bare, trees)):
            tagged[k] = filled
        return tagged

    def annotate_drafts(self, drafts: Sequence[Draft], progress: Progress | None = None,
                        *, probabilities: bool = False,
                        client: Client | str | None = None) -> list[Sentence]:
        """The annotated sentences that are made of drafts: the way of all text.

        progress, probabilities, client : as in `annotate`
        """
        work = partial(annotate_drafts, probabilities=probabilities)
        with connected(client) as cluster:
            if cluster is not None:
                return list(chain.from_iterable(cluster.parts(
                    work, drafts, cluster.share(self), progress=progress)))
        return work(self, drafts, progress)

    def predict(self, sentences: Iterable[Sentence] | Table,
                progress: Progress | None = None, *,
                client: Client | str | None = None) -> Predicted:
        """Layers and trees of sentences; only their words are used.

        progress, client : as in `annotate`
        """
        with connected(client) as cluster:
            if cluster is not None:
                return join_predicted(list(cluster.parts(
                    Pipeline.predict, as_sentences(sentences), cluster.share(self),
                    progress=progress)) or [self.predict([])])
        tagged = fill_layers(as_sentences(sentences), self.tagger, self.lemmatiser,
                             keep=False, progress=part_of(progress, 0, TAGGING))
        trees = self.parser and self.parser.predict(
            tagged, progress=part_of(progress, TAGGING, 1))
        layers = [*(self.tagger.layers if self.tagger else ()),
                  *([LEMMA] if self.lemmatiser else ())]
        return Predicted({layer: [layer_values(sentence, layer) for sentence in tagged]
                          for layer in layers}, trees)

    # in and out

    def save(self, path: str | os.PathLike) -> None:
        """Write the pipeline to a file that contains no code."""
        parts = {step: getattr(self, step) for step in self.steps}
        models.save(path, format=PIPELINE_FORMAT, version=PIPELINE_VERSION,
                    header={"name": self.name}, components={
                        "": Component({}, {}),
                        **{step: part.contents() for step, part in parts.items()}})

    @classmethod
    def load(cls, path: str | os.PathLike) -> Pipeline:
        """Read a pipeline; a ModelFileError if the file is not one."""
        with ModelFile(path, format=PIPELINE_FORMAT, versions=(PIPELINE_VERSION,),
                       schema={"name": Text(LONGEST_NAME)}, components=PIPELINE_STEPS,
                       what="pipeline") as file:
            steps: dict[str, Any] = {
                step: read_step(file, step) for step in PIPELINE_STEPS if step in file}
        return cls(name=file.header["name"], **steps)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Pipeline {self.name!r}: {', '.join(self.steps) or 'no steps'}>"


PIPELINE_FORMAT = "orange-structpred pipeline"
PIPELINE_VERSION = 1
#: what each step is
MODELS_OF_STEPS: dict[str, type[Tokeniser | Tagger | Lemmatiser | Parser]] = {
    "tokeniser": Tokeniser, "tagger": Tagger, "lemmatiser": Lemmatiser, "parser": Parser}


def read_step(file: ModelFile, step: str) -> Tokeniser | Tagger | Lemmatiser | Parser:
    model = MODELS_OF_STEPS[step]
    if model is Parser:
        return Parser.read(file.part(step, PARSER_HEADER, PARSER_COMPONENTS))
    return model.read(file.part(step, model.schema.header, model.components))


def load_model(path: str | os.PathLike) -> Parser | Pipeline:
    """A parser or a pipeline, whichever the file holds.

    A tokeniser, a tagger or a lemmatiser becomes a pipeline of this one step.
    """
    format = format_of(path)
    if format == PARSER_FORMAT:
        return Parser.load(path)
    if format == PIPELINE_FORMAT:
        return Pipeline.load(path)
    for step, kind in MODELS_OF_STEPS.items():
        if format == f"orange-structpred {getattr(kind, 'kind', '')}":
            model = kind.load(path)
            steps: dict[str, Any] = {step: model}
            return Pipeline(name=model.name, **steps)
    raise ModelFileError(f"{os.fspath(path)}: found {format[:60]!r}, expected a parser, a "
                         "pipeline, or one of its steps")


def load_parser(path: str | os.PathLike) -> Parser:
    """A parser, from its own file or from that of a pipeline that has one."""
    model = load_model(path)
    parser = model.parser if isinstance(model, Pipeline) else model
    if parser is None:
        raise ModelFileError(
            f"{os.fspath(path)}: found {', '.join(model.steps) or 'an empty pipeline'}, "
            "expected a parser, or a pipeline with one")
    return parser
