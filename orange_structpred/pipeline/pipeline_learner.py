"""Training of all steps of a pipeline on one treebank."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from copy import copy
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from Orange.base import Learner
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.kinds import MOST_SEEDS, ModelName, WholeNumber
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.pipeline.filling import (
    JACKKNIFE,
    JACKKNIFED,
    LEMMA,
    READ_LAYERS,
    fold_layers,
    is_empty,
)
from orange_structpred.pipeline.on_cluster import parser_on_cluster, train_on_cluster
from orange_structpred.pipeline.trained_pipeline import PIPELINE_STEPS, Pipeline
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.svm import Report
from orange_structpred.tagging.lemmatiser import LemmatiserLearner
from orange_structpred.tagging.tagger import TaggerLearner
from orange_structpred.tagging.tokeniser import TokeniserLearner
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.layers import EMPTY, with_layers
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import tokens_of

if TYPE_CHECKING:
    from distributed import Client

N_FOLDS = 4
FOLD_BLOCK = 20              # sentences in a row that are in one fold: mostly of one text
#: what each part of the training takes, roughly; and with nets
WORK = {"tokeniser": 5, "tagger": 8, "lemmatiser": 2, JACKKNIFE: 30, "parser": 155}
WORK_WITH_NETS = {**WORK, "tagger": 200, "parser": 560}


class PipelineReport(NamedTuple):
    """How far the training of a pipeline is.

    step : tokeniser, tagger, lemmatiser, jackknife (the tags of held-out sentences,
        for the parser to learn from) or parser
    fraction : of the whole work
    report : the solver's own
    """

    step: str
    fraction: float
    report: Report


PipelineCallback = Callable[[PipelineReport], object]


class PipelineLearner(Learner):
    """Trains a pipeline from text to trees: ``PipelineLearner()(treebank) -> Pipeline``.

    The parser is trained on the treebank twice: with its own tags and lemmas, and with
    those that are predicted by jackknifing, by taggers that have not seen the sentence.
    Steps that the treebank has no data for are left out with a warning.

    Parameters
    ----------
    steps : names of the steps to train, default=("tokeniser", "tagger", "lemmatiser", \
"parser")
    tokeniser, tagger, lemmatiser, parser : learners of the steps, default=None
        None is a learner with its own defaults
    neural : bool, default=False
        Whether the tagger and the parser that are None have nets, for the most accurate
        pipeline. The taggers of the jackknife have none: theirs are nearly the same tags
        in a fraction of the time
    random_state : int, default=0
        Seed of the learners that are None
    n_jobs : int, default=1
        Number of threads for training the parser; it does not change the pipeline
    name : str, default="pipeline"
        Name of the pipeline and of its predictions

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> pipeline = PipelineLearner()(load_bundled("en")[:100])
    >>> [sentence] = pipeline.annotate("The architect built this theatre.")
    >>> sentence.upos
    ['DET', 'NOUN', 'VERB', 'DET', 'NOUN', 'PUNCT']
    >>> sentence.heads.tolist()
    [2, 3, 0, 5, 3, 3]
    """

    def __init__(self, steps: Sequence[str] = PIPELINE_STEPS, *,
                 tokeniser: TokeniserLearner | None = None,
                 tagger: TaggerLearner | None = None,
                 lemmatiser: LemmatiserLearner | None = None,
                 parser: ParserLearner | None = None, neural: bool = False,
                 random_state: int = 0, n_jobs: int = 1, name: str = "pipeline"):
        super().__init__()
        self.steps, self.tokeniser, self.tagger = steps, tokeniser, tagger
        self.lemmatiser, self.parser, self.neural = lemmatiser, parser, neural
        self.random_state, self.n_jobs, self.name = random_state, n_jobs, name

    def __call__(self, data: Table, callback: PipelineCallback | None = None, *,
                 client: Client | str | None = None) -> Pipeline:
        """Train; `callback` gets every report.

        When it raises StopEarly, the pipeline has the step at hand as far as it was
        learned, and lacks the later ones. If nothing was learned at all, StopEarly reaches
        the caller, as Cancelled does at any time.

        client : a `dask.distributed.Client` or the address of a scheduler, on whose
            workers tokeniser, tagger, lemmatiser and the folds of the jackknife are
            learned side by side; the pipeline is the same. The parser's weights are
            mixed only if its learner asks for it by `shards`
        """
        with connected(client) as cluster:
            return PipelineTraining(
                self, as_treebank(data).sentences, callback, cluster).pipeline()

    def check(self) -> list[str]:
        """The steps in their order; complains of parameters with which nothing could be
        trained."""
        unknown = [step for step in self.steps if step not in PIPELINE_STEPS]
        if isinstance(self.steps, str) or not self.steps or unknown:
            raise InputError(f"steps must be a list with any of "
                             f"{', '.join(PIPELINE_STEPS)}, not {self.steps!r}")
        ModelName().check("name", self.name)
        WholeNumber(0, MOST_SEEDS).check("random_state", self.random_state)
        self.learner("tagger").check()
        self.learner("parser").check()
        return [step for step in PIPELINE_STEPS if step in self.steps]

    def learner(self, step: str) -> Learner:
        """The learner of a step."""
        given = getattr(self, step)
        if step == "lemmatiser":
            given = copy(given or LemmatiserLearner(random_state=self.random_state))
            if "tagger" in self.steps:
                predicted = self.learner("tagger").layers
                given.tags = [layer for layer in given.tags if layer in predicted]
            else:
                given.untagged = True
        if given is not None:
            return given
        if step == "parser":
            return ParserLearner(name="parser", random_state=self.random_state,
                                 n_jobs=self.n_jobs, neural=self.neural)
        if step == "tagger":
            return TaggerLearner(random_state=self.random_state, neural=self.neural)
        return TokeniserLearner(random_state=self.random_state)

    def jackknife_learner(self, step: str) -> Learner:
        """The learner of a step for sentences that the step's model has not seen."""
        learner = copy(self.learner(step))
        if step == "tagger":
            learner.neural = False
        return learner


class PipelineTraining:
    """One training: the learner's steps on these sentences."""

    def __init__(self, learner: PipelineLearner, sentences: Sequence[Sentence],
                 callback: PipelineCallback | None, cluster: Cluster | None = None):
        if not sentences:
            raise TrainingError("the treebank has no sentences to learn from")
        self.learner, self.sentences, self.callback = learner, sentences, callback
        self.steps = [step for step in learner.check() if self.can_learn(step)]
        if not self.steps:
            raise TrainingError("the treebank has nothing to learn from: no spaces, tags, "
                                "lemmas or heads")
        work = WORK | {step: WORK_WITH_NETS[step] for step in ("tagger", "parser")
                       if getattr(learner.learner(step), "neural", False)}
        self.work = {step: share for step, share in work.items() if step in self.steps or (
            step == JACKKNIFE and "parser" in self.steps and len(sentences) > 1
            and {"tagger", "lemmatiser"} & set(self.steps))}
        self.stopped, self.cluster = False, cluster
        self.predicted: list[Sentence] | None = None    # by the jackknife, if it is done

    def can_learn(self, step: str) -> bool:
        """Whether the treebank has what a step learns from; warns if not."""
        lacks = self.lacks(step)
        if lacks:
            warnings.warn(f"the treebank has no {lacks}, so the pipeline is trained without "
                          f"a {step}" + " and splits text by rules" * (step == "tokeniser"),
                          stacklevel=5)
        return not lacks

    def lacks(self, step: str) -> str:
        """What a step learns from, if no sentence has it; else ""."""
        if step == "tokeniser":
            return "" if any(not token.space_after for sentence in self.sentences
                             for token in tokens_of(sentence)) else "SpaceAfter=No"
        if step == "parser":
            return "" if any(sentence.has_heads for sentence in self.sentences) else "heads"
        layers = [LEMMA] if step == "lemmatiser" else self.learner.learner(step).layers
        return "" if any(not is_empty(sentence, layer) for layer in layers
                         for sentence in self.sentences) else " and no ".join(layers)

    def pipeline(self) -> Pipeline:
        trained: dict[str, Any] = {}
        try:
            if self.cluster is not None:
                train_on_cluster(self, self.cluster, trained)
            for step in self.steps:
                if step not in trained:
                    trained[step] = (self.train_parser() if step == "parser"
                                     else self.train(step, self.sentences))
                if self.stopped:
                    break
        except StopEarly:
            if not trained:
                raise
        return Pipeline(name=self.learner.name, **trained)

    def train(self, step: str, sentences: Sequence[Sentence], part: str = "",
              share: tuple[float, float] = (0., 1.)) -> Any:
        """A step from these sentences; its reports are those of a part of the work."""
        learner = (self.learner.jackknife_learner if part == JACKKNIFE
                   else self.learner.learner)(step)
        model = learner.learn(sentences, self.reports(part or step, *share))
        if self.stopped and part == JACKKNIFE:
            raise StopEarly         # half a tagger would mislead the parser
        return model

    def train_parser(self) -> Parser:
        complete = [sentence.has_heads for sentence in self.sentences]
        if not all(complete):
            warnings.warn(f"{complete.count(False)} of {len(complete)} sentences have "
                          "tokens without heads; the parser is trained on the others",
                          stacklevel=4)
        if self.predicted is None:
            self.predicted = self.jackknifed()
        treebank = Treebank.from_sentences(compress(self.own_layers(), complete))
        variants = Treebank.from_sentences(compress(self.predicted, complete)
                                           ) if self.predicted else None
        learner, client = self.learner.learner("parser"), None
        if self.cluster is not None:
            learner, client = parser_on_cluster(learner, self.cluster)
        return learner(treebank, self.reports("parser"), variants=variants,
                       client=client)

    def own_layers(self) -> list[Sentence]:
        """The sentences without tags and lemmas that the pipeline will not predict."""
        if not {"tagger", "lemmatiser"} & set(self.steps):
            return list(self.sentences)
        predicted = {*(self.learner.learner("tagger").layers
                       if "tagger" in self.steps else ()),
                     *([LEMMA] if "lemmatiser" in self.steps else ())}
        unread = [layer for layer in READ_LAYERS if layer not in predicted]
        return [with_layers(sentence, {layer: [EMPTY] * len(sentence) for layer in unread})
                if unread else sentence for sentence in self.sentences]

    def folds(self) -> list[list[int]]:
        """Numbers of the sentences of each fold; none, if no tags are predicted."""
        if JACKKNIFE not in self.work:
            return []
        block = FOLD_BLOCK if len(self.sentences) > FOLD_BLOCK else 1
        return list(filter(None, (
            [i for i in range(len(self.sentences)) if i // block % N_FOLDS == fold]
            for fold in range(N_FOLDS))))

    def jackknifed(self) -> list[Sentence]:
        """The sentences with tags and lemmas that were predicted by models of the other
        folds; none, if there are no others."""
        predicted = []
        for fold, places in enumerate(self.folds()):
            def train(step: str, others: Sequence[Sentence], fold: int = fold):
                k = JACKKNIFED.index(step)
                return self.train(step, others, JACKKNIFE, (
                    (fold + k / 2) / N_FOLDS, (fold + (k + 1) / 2) / N_FOLDS))

            predicted.append(fold_layers(
                self.sentences, places, [step for step in JACKKNIFED if step in self.steps],
                train))
        return self.in_order(predicted)

    def in_order(self, predicted: Sequence[Sequence[Sentence]]) -> list[Sentence]:
        """The sentences of all folds, in the order of the treebank."""
        sentences = {i: sentence for places, fold in zip(self.folds(), predicted)
                     for i, sentence in zip(places, fold)}
        return [sentences[i] for i in sorted(sentences)]

    def reports(self, part: str, begin: float = 0., end: float = 1.
                ) -> Callable[[Report], None] | None:
        """A solver's callback for the share from begin to end of a part of the work."""
        callback = self.callback
        if callback is None:
            return None
        total, parts = sum(self.work.values()), list(self.work)
        before = sum(self.work[step] for step in parts[:parts.index(part)])

        def report_part(report: Report) -> None:
            inner = begin + (end - begin) * min(1., report.fraction)
            try:
                callback(PipelineReport(
                    part, (before + self.work[part] * inner) / total, report))
            except StopEarly:
                self.stopped = True
                raise

        return report_part
