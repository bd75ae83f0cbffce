"""ParserLearner(features="explicit") from end to end, on the bundled treebanks."""
import inspect
import pickle
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from Orange.base import Learner, Model
from Orange.data import Table
from sklearn.base import clone

from orange_structpred.evaluation import evaluate
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.parser import MissingTagsError, Parser, UnknownTagsWarning
from orange_structpred.parsing.second_order.part_templates import GROUPS, TRANSITIONS
from orange_structpred.running.cancellation import Cancelled, StopEarly
from orange_structpred.svm import SOLVERS, CheckpointError
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.learnable import MissingHeadsError, TrainingError
from orange_structpred.tuning.search import tune
from tests.observers import cancel_unless, stop_if
from tests.treebank.toy import CHAIN, CROSSED, ONE_WORD, UNPARSED
from tests.treebank.toy import treebank as toy

FEW = ["head-dependent", "in-between", "counts"]


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:150]


@pytest.fixture(scope="module")
def train(treebank):
    return treebank[:100]


@pytest.fixture(scope="module")
def rest(treebank):
    return treebank[100:]


@pytest.fixture(scope="module")
def parser(train):
    return learner()(train)


def learner(**options):
    """Not calibrated: that changes no tree and takes twice as long again."""
    return ParserLearner(**{"groups": FEW, "passes": 3, "calibrate": False, **options})


def assert_same(a, b):
    assert a.dtype == b.dtype
    np.testing.assert_array_equal(a, b)


# Defaults

@pytest.mark.parametrize("language", ["en", "de"])
def test_defaults_on_the_bundled_treebank(language):
    treebank = load_bundled(language)
    cut = len(treebank) * 4 // 5
    learner = ParserLearner()
    assert isinstance(learner, Learner)
    parser = learner(treebank[:cut])
    assert isinstance(parser, Model)
    assert parser.name == learner.name == "explicit mira C=1"
    assert parser.decoder == "projective"
    assert parser.log[-1].pass_ == 10 and parser.log[-1].fraction == 1
    assert not parser.stopped
    parsed = parser(treebank[cut:])
    assert isinstance(parsed, Treebank)
    assert list(parsed.predictions) == ["explicit mira C=1"]
    for own, gold in zip(parsed.predictions[parser.name].heads, parsed.sentences,
                         strict=True):
        assert len(own) == len(gold) and np.count_nonzero(own == 0) == 1
    assert 0.8 < evaluate(parsed).uas < 0.97


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_learns(solver, train, rest):
    options = {"C": 100., "passes": 5} if SOLVERS[solver].certificate else {}
    parser = learner(solver=solver, **options)(train)
    C = "" if solver == "perceptron" else f" C={options.get('C', 1):g}"
    assert parser.name == f"explicit {solver}{C}"
    assert parser.n_weights == np.count_nonzero(parser.model.weights) > 1000
    assert evaluate(parser(rest)).uas > 0.7
    last = parser.log[-1]
    assert last.end_of_pass and last.loss < 0.2 and last.norm > 0
    if SOLVERS[solver].certificate:
        assert last.certified
        np.testing.assert_allclose(last.gap, (last.primal - last.dual) / 100)
        np.testing.assert_allclose(last.primal, last.norm**2 / 2 + 100 * last.slack,
                                   rtol=1e-5)
    else:
        assert np.isnan(last.gap) and not parser.converged


def test_fewer_weights(train, rest, parser):
    hashed = learner(hash_bits=12)(train)
    often = learner(min_count=3)(train)
    assert len(hashed.model.weights) == 4096
    assert len(often.model.weights) < len(parser.model.weights) / 4
    for other in (hashed, often):
        assert evaluate(other(rest)).uas > 0.6


# The same again

def test_same_seed_same_parser(train, parser):
    assert_same(learner()(train).model.weights, parser.model.weights)
    assert (learner(random_state=1)(train).model.weights
            != parser.model.weights).any()


@pytest.mark.parametrize("solver", ["bcfw", "one-slack"])
def test_same_for_any_number_of_threads(solver, treebank):
    one, two = (learner(solver=solver, n_jobs=n_jobs, passes=4)(treebank)
                for n_jobs in (1, 2))
    assert_same(one.model.weights, two.model.weights)
    assert [r.gap for r in one.log] == [r.gap for r in two.log]
    for own, other in zip(one.predict_heads(treebank.sentences),
                          two.predict_heads(treebank.sentences), strict=True):
        assert_same(own, other)


def test_a_learner_can_be_used_again(train, parser):
    again = learner()
    again(train[:20])
    assert_same(again(train).model.weights, parser.model.weights)


# Stopping

@pytest.mark.parametrize("solver", ["mira", "bcfw", "one-slack"])
def test_stopping_between_passes(solver, train, rest):
    parser = learner(solver=solver, C=10., epsilon=1e-9, passes=50)(
        train, stop_if(lambda report: report.end_of_pass and report.pass_ == 2))
    assert parser.stopped and not parser.converged
    assert [report.pass_ for report in parser.log] == [1, 2]
    assert len(parser(rest).predictions) == 1


@pytest.mark.parametrize("solver", ["mira", "bcfw", "one-slack"])
def test_stopping_within_a_pass(solver, rest):
    sentences = load_bundled("de").sentences
    many = Treebank.from_sentences(list(sentences) * 20)
    learner(solver=solver, order=1, passes=1)(many[:3])      # compile
    reports = []

    def stop(report):
        if report.pass_ == 0:       # while features are prepared
            return
        reports.append(report)
        if not report.end_of_pass:
            raise StopEarly

    parser = learner(solver=solver, order=1, groups="all", C=10., passes=1000,
                     calibrate=False)(many, stop)
    # reports come four times a second: there was no time for another
    assert parser.stopped and len(reports) == 1 and parser.log == []
    assert reports[0].pass_ == 1 and reports[0].fraction < 0.01
    assert len(parser.predict_heads(rest.sentences)) == len(rest)


def test_reports_on_the_way(train):
    reports = []
    parser = learner(passes=3)(train, reports.append)
    reports = [r for r in reports if r.pass_]       # without those of the pruners
    assert [r.pass_ for r in reports if r.end_of_pass] == [1, 2, 3]
    assert parser.log == [r for r in reports if r.end_of_pass]
    for earlier, later in pairwise(reports):
        assert earlier.fraction <= later.fraction <= 1
        assert earlier.seconds <= later.seconds
        assert earlier.oracle_calls <= later.oracle_calls
    assert reports[-1].fraction == 1 and reports[-1].oracle_calls >= 3 * len(train)


# Checkpoints

class Crash(Exception):
    pass


def crash(report):
    if report.pass_ == 3:
        raise Crash


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_crashed_training_goes_on(solver, train, tmp_path):
    options = {"solver": solver, "C": 10., "epsilon": 1e-9, "passes": 5}
    state = tmp_path / "state"
    with pytest.raises(Crash):
        learner(**options, checkpoint=state)(train, crash)
    reports = []
    parser = learner(**options, checkpoint=state)(train, reports.append)
    assert min(report.pass_ for report in reports if report.pass_) >= 3
    assert [report.pass_ for report in parser.log] == [1, 2, 3, 4, 5]
    whole = learner(**options)(train)
    assert_same(parser.model.weights, whole.model.weights)
    np.testing.assert_equal(parser.log[-1].primal, whole.log[-1].primal)
    assert [file.name for file in tmp_path.iterdir()] == ["state"]


def test_more_passes_after_the_last(train, tmp_path):
    state = tmp_path / "state"
    learner(passes=2, checkpoint=state)(train)
    parser = learner(passes=4, checkpoint=state)(train)
    assert_same(parser.model.weights, learner(passes=4)(train).model.weights)


def test_foreign_checkpoints(train, tmp_path):
    state = tmp_path / "state"
    learner(passes=1, checkpoint=state)(train)
    for options in ({"C": 2.}, {"random_state": 1}, {"solver": "perceptron"},
                    {"groups": ["head"]}, {"decoder": "exact"},
                    {"single_root": False}, {"hash_bits": 15}, {"min_count": 2}):
        with pytest.raises(CheckpointError, match="state belongs to another training"):
            learner(**{"passes": 2, **options}, checkpoint=state)(train)
    with pytest.raises(CheckpointError, match="state belongs to another training"):
        learner(passes=2, checkpoint=state)(train[1:])


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:len(data) // 2], lambda data: b"foreign"])
def test_damaged_checkpoints(damage, train, tmp_path):
    state = tmp_path / "state"
    learner(passes=1, checkpoint=state)(train)
    state.write_bytes(damage(state.read_bytes()))
    with pytest.raises(CheckpointError, match="state cannot be read as a checkpoint"):
        learner(passes=2, checkpoint=state)(train)


# A path over C

def test_path_against_single_trainings(train):
    Cs = [1., 0.1, 10.]
    epsilon = 0.01
    options = {"solver": "bcfw", "epsilon": epsilon, "passes": 60}
    parsers = list(learner(**options).path(train[:40], Cs))
    assert [p.name for p in parsers] == [f"explicit bcfw C={C}" for C in ("0.1", 1, 10)]
    for C, warm in zip(sorted(Cs), parsers):
        cold = learner(**options, C=C)(train[:40])
        assert warm.converged and cold.converged
        assert warm.log[-1].certified and warm.log[-1].gap <= epsilon
        # both are within C * epsilon of the same optimum, from above and below
        assert warm.log[-1].primal <= cold.log[-1].primal + C * epsilon + 1e-6
        assert cold.log[-1].primal <= warm.log[-1].primal + C * epsilon + 1e-6
        assert warm.log[-1].dual <= cold.log[-1].primal + 1e-6


def test_path_by_name_and_its_limits(train):
    names = [p.name for p in learner(solver="bcfw", name="mine", passes=1).path(
        train[:5], [1, 2])]
    assert names == ["mine C=1", "mine C=2"]
    with pytest.raises(ValueError, match="needs the solver bcfw, not mira"):
        list(learner().path(train, [1.]))
    with pytest.raises(ValueError, match="C must be a number from 1e-10 to 1e.10, not -1"):
        list(learner(solver="bcfw").path(train[:5], [-1.]))


def test_stopping_ends_the_path(train):
    parsers = list(learner(solver="bcfw", epsilon=1e-9).path(
        train[:20], [1., 2., 3.], stop_if(lambda report: report.end_of_pass)))
    assert len(parsers) == 1 and parsers[0].stopped


# What a parser tells

@pytest.mark.parametrize("min_count", [0, 2])
def test_contributions_adds_up_to_the_score(min_count, train, rest):
    parser = learner(groups="all", order=1, min_count=min_count, passes=2)(train)
    x = max(rest.sentences, key=len)
    n = len(x)
    scores = parser.edge_scores(x)
    assert scores.shape == (n + 1, n + 1)
    for head, dependent in ((0, 1), (0, n), (2, 1), (1, 2), (1, n), (n, 1)):
        contributions = parser.explain(x, head, dependent)
        assert sum(e.value for e in contributions) == pytest.approx(
            scores[head, dependent], abs=1e-4)
        sizes = [abs(e.value) for e in contributions]
        assert sizes == sorted(sizes, reverse=True) and 0 not in sizes
    names = [e.name for e in parser.explain(x, 0, n)]
    assert any(name.endswith(" at distance over 10 right") for name in names)
    assert any(f"d.form={x.forms[-1]}" in name for name in names)


def test_edges_that_there_are_not(parser, rest):
    x = rest.sentences[0]
    for edge in ((1, 1), (1, 0), (-1, 1), (len(x) + 1, 1), (0, len(x) + 1)):
        with pytest.raises(ValueError, match=f"no edge from {edge[0]} to {edge[1]} in"):
            parser.explain(x, *edge)


def test_unknown_tags(parser, train, rest):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser(rest)
    strange = [Sentence(x.block.replace("\tNOUN\t", "\tN\t")
                        .replace("\tDET\t", "\tD\t")) for x in rest.sentences]
    known = {tag for x in train.sentences for tag in x.upos + x.xpos}
    share = np.mean([tag not in known for x in strange for tag in x.upos + x.xpos])
    with pytest.warns(UnknownTagsWarning, match=(
            f"^{share:.0%} of the tags are unknown to the parser '{parser.name}' "
            r"\(D, N.*\): was it trained with another tag set\?")):
        heads = parser.predict_heads(strange)
    assert [len(own) for own in heads] == [len(x) for x in strange]


def test_missing_tags(parser, rest):
    bare = [Sentence("\n".join(
        "\t".join([*line.split("\t")[:3], "_", "_", *line.split("\t")[5:]])
        for line in x.block.split("\n") if not line.startswith("#")))
        for x in rest.sentences]
    for sentences, first in ((bare, 1), ([*rest.sentences[:2], bare[2]], 3)):
        with pytest.raises(MissingTagsError, match=(
                f"^sentence {first} has no part-of-speech tags, and the parser "
                f"'{parser.name}' needs them: tag the sentences first$")):
            parser.predict_heads(sentences)
    # who has learned without them does not miss them
    without = learner(passes=1)(Treebank.from_sentences(bare[:10]))
    assert len(without.predict_heads(bare)) == len(bare)


def test_names(train):
    parser = learner(name="mine", passes=1)(train[:5])
    assert list(parser(train).predictions) == ["mine"]
    assert list(parser(train, name="other").predictions) == ["other"]
    assert list(parser(parser(train)).predictions) == ["mine", "mine (2)"]
    assert ParserLearner().name == "explicit mira C=1"
    assert ParserLearner(solver="perceptron").name == "explicit perceptron"


def test_progress_and_cancelling(parser, treebank):
    seen = []
    parser(treebank, seen.append)
    assert seen == sorted(seen) and seen[-1] == 1 and len(set(seen)) == 3
    with pytest.raises(Cancelled):
        parser(treebank, cancel_unless(lambda fraction: fraction < 0.5))


def test_parse_keeps_all_but_heads_and_relations(parser, rest):
    for own, x in zip(parser.parse(rest.sentences), rest.sentences, strict=True):
        assert set(own.deprels) <= set(parser.relations.names)
        assert own.with_heads(x.heads, x.deprels).block == x.block
    parsed = parser.parse(rest.sentences)
    assert parser.parse(rest) == parser.parse(iter(rest.sentences)) == parsed


# Decoders

def crossing(share, n=20):
    blocks = [CROSSED if i < share * n else CHAIN for i in range(n)]
    return toy(blocks)


def test_the_decoder_follows_the_treebank():
    for share, decoder in ((0, "projective"), (0.2, "projective"),
                                (0.25, "rearranged"), (1, "rearranged")):
        assert learner(passes=1)(crossing(share)).decoder == decoder
    parser = learner(passes=5)(crossing(1))
    assert_same(parser.predict_heads(crossing(1).sentences)[0], CROSSING_HEADS)
    parser = learner(passes=1, decoder="projective")(crossing(1))
    assert parser.decoder == "projective"
    assert (parser.predict_heads(crossing(1).sentences)[0] != CROSSING_HEADS).any()


CROSSING_HEADS = np.array([3, 4, 0, 3], np.int32)


def test_approximate_decoder_counts_invalid_trees(train, rest):
    parser = learner(decoder="approximate", groups=["head"], passes=1)(train[:10])
    heads = parser.predict_heads(rest.sentences)

    def reaches_root(own, token):
        for _ in own:
            token = own[token - 1] if token else 0
        return token == 0

    invalid = sum(not all(reaches_root(own, token) for token in range(1, len(own) + 1))
                  for own in heads)
    assert parser.invalid_trees(heads) == invalid > 0
    assert parser.invalid_trees([x.heads for x in rest.sentences]) == 0


def test_several_roots(train, rest):
    parser = learner(single_root=False, groups=["dependent"], passes=1)(train[:20])
    assert any(np.count_nonzero(own == 0) > 1
               for own in parser.predict_heads(rest.sentences))
    parser.single_root = True
    assert all(np.count_nonzero(own == 0) == 1
               for own in parser.predict_heads(rest.sentences))


# As a model of Orange

def test_pickling(parser, rest):
    again = pickle.loads(pickle.dumps(parser))
    assert isinstance(again, Parser) and again.name == parser.name
    np.testing.assert_equal(again.log[-1].slack, parser.log[-1].slack)
    assert_same(again.model.weights, parser.model.weights)
    for own, other in zip(again.predict_heads(rest.sentences),
                          parser.predict_heads(rest.sentences), strict=True):
        assert_same(own, other)


def test_a_plain_table_is_taken(train, rest, parser):
    table = Table.from_table(rest.domain, rest)
    parsed = parser(table)
    assert parsed.predictions[parser.name].heads[0].tolist() == \
        parser.predict_heads(rest.sentences[:1])[0].tolist()
    with pytest.raises(ValueError, match="conllu"):
        parser(Table("iris"))
    with pytest.raises(ValueError, match="conllu"):
        learner()(Table("iris"))


# Bad input

def test_no_sentences(parser):
    with pytest.raises(TrainingError, match="no sentences to learn from"):
        learner()(toy([]))
    assert parser.predict_heads([]) == []
    assert len(parser(toy([]))) == 0


@pytest.mark.parametrize("data, found", [
    ([], "type list"), (None, "None"), ("dev.conllu", "'dev.conllu'"),
    (Path("dev.conllu"), "Path"), (5, "type int"), ("row", "type RowInstance")])
def test_what_is_no_treebank(parser, rest, data, found):
    data = rest[0] if data == "row" else data
    for use in (parser, learner(), lambda data: tune(data, {})):
        with pytest.raises(TypeError, match=rf"^found .*{found}.*, expected a Treebank "
                                            "or a Table that contains one; create one"):
            use(data)


def test_heads_of_a_treebank(parser, rest):
    expected = parser.predict_heads(rest.sentences)
    plain = Table.from_table(rest.domain, rest)
    for data in (rest, plain, iter(rest.sentences)):
        for own, heads in zip(parser.predict_heads(data), expected, strict=True):
            assert_same(own, heads)
    for data in (None, "dev.conllu", rest.sentences[0], ["a"], Table("iris")):
        with pytest.raises((TypeError, ValueError), match="found"):
            parser.predict_heads(data)


def test_a_parser_in_short(parser):
    assert repr(parser) == (f"<Parser {parser.name!r}: {parser.decoder} trees, "
                            f"{parser.n_weights} weights>")


def test_no_heads():
    with pytest.raises(MissingHeadsError, match=r"^sentence 2 \('unparsed'\) has "
                                                "tokens without heads$"):
        learner()(toy([CHAIN, UNPARSED, CHAIN]))


def test_sentences_without_heads_can_be_left_out():
    """As widgets tell."""
    treebank = toy([CHAIN, UNPARSED, CHAIN])
    roots = treebank.get_column("roots")
    assert isinstance(learner()(treebank[~np.isnan(roots)]), Parser)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("block", [CHAIN, ONE_WORD], ids=["chain", "one word"])
@pytest.mark.filterwarnings("ignore::orange_structpred.parser.UnknownTagsWarning")
def test_one_sentence(solver, block, rest):
    one = toy([block])
    parser = learner(solver=solver, C=10., passes=20)(one)
    assert_same(parser.predict_heads(one.sentences)[0], one.sentences[0].heads)
    assert len(parser.predict_heads(rest.sentences)) == len(rest)


@pytest.mark.parametrize("options, message", [
    ({"C": 0.}, "C must be a number from 1e-10 to 1e.10, or inf, not 0"),
    ({"C": -1.}, "C must be a number from 1e-10 to 1e.10, or inf, not -1"),
    ({"C": np.nan}, "C must be a number from 1e-10 to 1e.10, or inf, not nan"),
    ({"C": np.inf}, "C must be a number from 1e-10 to 1e.10, not inf"),
    ({"epsilon": 0.}, "epsilon must be a number above 0, 1e.10 at most, not 0"),
    ({"epsilon": -0.1}, "epsilon must be a number above 0, 1e.10 at most, not -0.1"),
    ({"passes": 0}, "passes must be a whole number from 1 to 1000000, not 0"),
    ({"passes": -3}, "passes must be a whole number from 1 to 1000000, not -3"),
    ({"solver": "magic"}, "solver 'magic' is not known; choose from auto, "),
    ({"decoder": "magic"},
     "decoder 'magic' is not known; choose from auto, exact"),
    ({"features": "magic"}, "features 'magic' is not known; choose from explicit, "),
    ({"groups": ["head", "tail"]}, "group 'tail' is not known; choose from head, dep"),
    ({"groups": "tail"}, "group 'tail' is not known; choose from head, dep"),
    ({"groups": []}, "no feature group was chosen; choose from head, dependent"),
    ({"min_count": -1}, "min_count must be a whole number from 0 to 1000000000, not -1"),
    ({"hash_bits": 3}, "hash_bits must be a whole number from 8 to 30, or None, not 3"),
    ({"hash_bits": 64}, "hash_bits must be a whole number from 8 to 30, or None, not 64")])
def test_bad_options(options, message, train):
    with pytest.raises(ValueError, match=message):
        learner(**options)(train[:3])


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_alone(group, train):
    parser = learner(groups=group, passes=1)(train[:20])
    assert parser.model.features.groups == (group,)
    if group == TRANSITIONS:
        assert parser.n_weights == 0 and np.any(parser.model.voter.weights)
    else:
        assert parser.n_weights > 0


def test_first_order_ignores_groups_of_second_order(train):
    parser = learner(groups=["head", "sibling tags"], order=1, passes=1)(train[:20])
    assert parser.model.features.groups == ("head",)
    with pytest.raises(ValueError, match="group 'sibling tags' is not known"):
        learner(groups=["sibling tags"], order=1)(train[:3])


# As scikit-learn's estimators

def test_clone_and_parameters():
    own = ParserLearner("kernel", C=3., hash=["tokens"], name="mine")
    copy = clone(own)
    assert copy is not own and copy.get_params() == own.get_params()
    assert clone(ParserLearner()).name == "explicit mira C=1"
    assert own.set_params(C=7., name=None) is own
    assert own.name == "constant kernel bcfw C=7"
    with pytest.raises(ValueError, match="unknown parameter 'c'; valid parameters are "
                                         "features, groups, min_count"):
        own.set_params(c=1)


def test_defaults_are_those_of_the_signature():
    signature = inspect.signature(ParserLearner.__init__).parameters
    assert {name: own.default for name, own in signature.items()
            if name != "self"} == DEFAULTS


def test_constructors_only_store():
    learner = ParserLearner(features="nonsense", C=-1, passes="many", n_jobs=None)
    assert learner.C == -1
    for solver in SOLVERS.values():
        assert solver(C=-1, checkpoint="no/such/folder/file").C == -1


def test_random_state_as_scikit_learn_has_it(train):
    def heads(random_state, n_jobs=1):
        parser = ParserLearner(passes=1, groups=["head"], random_state=random_state,
                               n_jobs=n_jobs)(train)
        return np.concatenate(parser.predict_heads(train))

    def state(seed):
        return np.random.RandomState(seed)

    np.testing.assert_array_equal(heads(state(1)), heads(state(1), n_jobs=None))
    assert (heads(state(1)) != heads(state(2))).any()
    assert len(heads(None)) == len(heads(0))
    with pytest.raises(ValueError, match="checkpoints need a number as random_state"):
        ParserLearner(random_state=None, checkpoint="x.npz")(train)


def test_a_treebank_is_encoded_once(train, monkeypatch):
    """Not again for each C, nor when it is parsed."""
    encoded = []

    def counting(sentences, **options):
        encoded.append(len(sentences))
        return encode(sentences, **options)

    monkeypatch.setattr("orange_structpred.treebank.table.encode", counting)
    monkeypatch.setattr("orange_structpred.parser.prediction.encode", counting)
    tune(Treebank.from_sentences(train.sentences), {"C": [2.**k for k in range(10)]},
         passes=1, groups=["head"], solver="mira", calibrate=False)
    assert sorted(encoded) == [round(0.2 * len(train)),
                               len(train) - round(0.2 * len(train))]
