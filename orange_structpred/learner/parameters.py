"""The parameters of ParserLearner: one row for each, from which all else follows.

A new parameter is a row here, and code that uses it in the learner. Its default, its
check, the option of the commands, the setting and the control of widgets (if it has a
section), what is said where it has no effect, docstrings and the page on parameters come
from the row.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from orange_structpred.kinds import (
    ANY_MARGIN_KIND,
    EPSILON_KIND,
    FURTHER_SOLVER_TEXTS,
    KERNEL_SOLVER_TEXTS,
    NEIGHBOURS_KIND,
    PASSES_KIND,
    SHARDS_KIND,
    SMOOTHNESS_KIND,
    SOLVER_TEXTS,
    Choice,
    Kind,
    ModelName,
    OneOfThese,
    OrNone,
    PathName,
    RealNumber,
    Seed,
    Switch,
    ThreadCount,
    WholeNumber,
    is_list,
)
from orange_structpred.neural.settings import LARGEST_HIDDEN, MOST_EPOCHS
from orange_structpred.parametrised import Need, Parameter, Settings, by_name
from orange_structpred.parsing.kernel.surroundings import looks_at_pairs
from orange_structpred.parsing.limits import (
    FEWEST_BITS,
    MOST_BEAM,
    MOST_BITS,
    SECOND_ORDER_DECODERS,
)

if TYPE_CHECKING:
    from orange_structpred.svm import Solver

#: A small sum that does well; doc/study.md compares it with others.
DEFAULT_HASHES = (
    "posTags::dir", "depLemma::dir", "inside::dir", "outside::dir", "between")
MOST_LANDMARKS = 10**5

#: What groups and weights say that are to be learned
LEARN = "learn"

FEATURES = {
    "explicit": Choice("E&xplicit", "Each feature of an edge has a weight"),
    "neural": Choice(
        "Ne&ural", "A neural network gives each possible head a probability"),
    "kernel": Choice(
        "&Kernel", "Edges are compared with those of the treebank, using hash "
        "functions and an input kernel"),
    "transitions": Choice(
        "Transitions", "A transition-based parser, the fastest kind: it reads the "
        "words from left to right and attaches them step by step, scoring each step"),
}
#: What is said of parsers with each of them
KINDS_OF_PARSERS = {"explicit": "explicit features", "neural": "nets",
                    "kernel": "kernels", "transitions": "transition-based parsers"}
#: What "auto" stands for with each of them
AUTO_SOLVERS = {"explicit": "mira", "kernel": "bcfw"}
DECODER_CHOICES = {
    "auto": Choice(
        "Automatic", "Projective if hardly any edges of the treebank cross, otherwise "
        "rearranged"),
    "exact": Choice("Exact", "The best of all trees (Chu-Liu/Edmonds)"),
    "projective": Choice("Projective", "The best tree without crossing edges (Eisner)"),
    "rearranged": Choice(
        "Rearranged", "The best projective tree, improved by edges that may cross; a "
        "transition-based parser swaps words instead"),
    "approximate": Choice(
        "Approximate", "The best head of each word, whether or not the heads form a "
                       "tree"),
}
RESCALINGS = {
    "margin": Choice("Margin", "A wrong tree must score lower by at least its loss"),
    "slack": Choice("Slack", "A wrong tree must score lower by at least 1; violations "
                    "count in proportion to its loss"),
}
PENALTIES = {
    "linear": Choice("Linear", "C times the mean slack"),
    "quadratic": Choice("Quadratic", "C/2 times the mean squared slack"),
}
NET_OBJECTIVES = {
    "cross-entropy": Choice("Cross-entropy", "-log p of the head of each word"),
    "hinge": Choice(
        "Structured hinge", "How far the best wrong tree scores above the right one, "
        "with a margin: the loss of structural SVMs, with the decoder in the loop"),
}


# Kinds that only parsers have

def is_name(value: object) -> bool:
    return isinstance(value, str)


def is_hash(value: object) -> bool:
    return isinstance(value, str) or callable(value)


def names(text: str) -> list[str]:
    """Names that commas separate."""
    return [name.strip() for name in text.split(",") if name.strip()]


def is_learned(value: object) -> bool:
    """Whether groups or weights are to be learned."""
    return isinstance(value, str) and value == LEARN


class GroupNames(Kind):
    text, metavar = '"all", "learn" or names of feature groups', "G,G"

    def fits(self, value: object) -> bool:
        return is_name(value) or is_list(value, is_name)

    def parse(self, text: str) -> str | list[str]:
        return text if text in ("all", LEARN) else names(text)


class HashNames(Kind):
    text = "names of hash functions, templates or Python functions"
    metavar = "NAME,NAME"

    def fits(self, value: object) -> bool:
        return is_hash(value) or is_list(value, is_hash)

    def parse(self, text: str) -> list[str]:
        return names(text)


class Factors(Kind):
    text, metavar = '"learn" or a list of numbers above 0', "NUMBER,.."

    def fits(self, value: object) -> bool:
        return value == LEARN if isinstance(value, str) else is_list(
            value, RealNumber().fits)

    def parse(self, text: str) -> list[float] | str:
        if text.strip() == LEARN:
            return LEARN
        return [RealNumber().parse(item) for item in names(text)]




class KernelName(Kind):
    text = "the name of an input kernel, an InputKernel or a function k(x, x')"
    metavar = "NAME"

    def fits(self, value: object) -> bool:
        from orange_structpred.kernels import InputKernel

        return isinstance(value, (str, InputKernel)) or callable(value)


class KernelOptions(Kind):
    """Parameters of an input kernel; ``n=6,decay=0.5`` in a text."""

    text = "a dictionary with the parameters of the input kernel"
    written = "NAME=VALUE, separated by commas"
    metavar = "NAME=VALUE,.."

    def fits(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(map(is_name, value))

    def parse(self, text: str) -> dict[str, object]:
        result: dict[str, object] = {}
        for item in names(text):
            name, sign, value = item.partition("=")
            if not sign or not name:
                raise ValueError
            result[name.strip()] = parse_value(value.strip())
        return result


def parse_value(text: str) -> int | float | bool | str:
    """A value as typed: a number, true or false, or else text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


# What some parameters need

def for_features(*features: str) -> Need:
    """Of parameters that only these kinds of parsers have."""
    words = " or ".join(map(repr, features))
    *others, last = map(KINDS_OF_PARSERS.__getitem__, features)
    plain = f"{', '.join(others)} and {last}" if others else last
    return Need(f"features={words}",
                lambda settings: "" if chosen("features", settings) in features
                else f"only for {plain}", features)


def _order_missing(settings: Settings) -> str:
    if chosen_order({**settings, "order": 2}) == 2:
        return ""
    if chosen("features", settings) in KERNEL.features and not looks_at_pairs(
            chosen("hash", settings)):
        return "no hash function is for pairs of edges, such as siblings"
    return (f"order 2 needs the decoder {' or '.join(SECOND_ORDER_DECODERS)}, and "
            "hashed features (min_count 0)")


def _mixing_missing(settings: Settings) -> str:
    solver = solver_class(settings)
    return "" if solver is None or solver.mixes else (
        "only MIRA and the perceptron with explicit features mix weights")


def _dual_missing(settings: Settings) -> str:
    solver = solver_class(settings)
    return "" if solver is None or solver.certificate else (
        f"{chosen_solver(settings)} has no dual, so there is no gap to compare with "
        "epsilon; it stops after the last pass")


def _slack_missing(settings: Settings) -> str:
    if chosen_solver(settings) == "perceptron":
        return "the perceptron has no C: it takes a full step at each mistake"
    return "with the hard margin, C is infinite" if has_hard_margin(settings) else ""


def needs_solver(*solvers: str) -> Need:
    """Of parameters that only these solvers have."""
    words = " or ".join(map(repr, solvers))
    return Need(f"solver={words}", lambda settings: "" if chosen_solver(settings) in solvers
                else f"only for the solver {' or '.join(solvers)}")


def _net_missing(settings: Settings) -> str:
    if chosen("features", settings) == "neural" or (
            chosen("neural", settings) and chosen_order(settings) == 2):
        return ""
    return "only for parsers with a net: features='neural' or neural=True"


#: Not a matter of settings: who trains knows whether there are some
UNLABELLED = Need("unlabelled sentences", lambda settings: "")
EXPLICIT, KERNEL = for_features("explicit"), for_features("kernel")
TRANSITIONS = for_features("transitions")
SOLVED = for_features("explicit", "kernel")
IN_STEPS = for_features("explicit", "kernel", "transitions")
EDGES = for_features("explicit", "neural", "kernel")
NET_KINDS = for_features("explicit", "neural")
WITH_NET = Need("features='neural' or neural=True", _net_missing)
NET_BESIDE = Need("neural=True", lambda settings: "" if chosen("neural", settings) else
                  "only for parsers with neural=True")
SECOND_ORDER = Need("a decoder of second order, and min_count=0 or hash functions of pairs "
                    "of edges", _order_missing)
ORDER_TWO = Need("order=2", lambda settings: _order_missing(settings) or (
    "" if chosen_order(settings) == 2 else "only for parsers of order 2"))
MIRA_ONLY = Need("solver='mira'", lambda settings: "" if chosen_solver(settings) == "mira"
                 else "only mira learns from partly annotated trees")
MIXING = Need("solver='mira' or 'perceptron'", _mixing_missing)
LARGE_MARGIN = Need("a solver other than 'perceptron'", _slack_missing)
N_SLACK, SAMPLED_CUTS = needs_solver("n-slack"), needs_solver("sampled-cuts")
WITH_DUAL = Need("a solver with a dual", _dual_missing)

LEARNED = Need("groups='learn' or hash_weights='learn'", lambda settings: "" if is_learned(
    chosen("hash_weights" if chosen("features", settings) in KERNEL.features else "groups",
           settings)) else "only if groups or hash_weights are learned")

TABLE: tuple[Parameter, ...] = (
    Parameter("features", "explicit", OneOfThese(FEATURES), "How edges are scored",
              section="features", label="Features"),
    Parameter("groups", "all", GroupNames(), "What the features of an edge look at; "
              "'learn' selects the groups that matter most",
              (EXPLICIT,), section="explicit", label="Feature groups"),
    Parameter("min_count", 0, WholeNumber(0, lowest="all features"),
              "Give weights only to features seen at least this many times; 0 hashes all "
              "of them", (EXPLICIT,), section="explicit", label="&Minimum count:"),
    Parameter("hash_bits", None, OrNone(WholeNumber(FEWEST_BITS, MOST_BITS)),
              "Hash features to 2^N weights; by default, chosen by the size of "
              "the treebank", (EXPLICIT,)),
    Parameter("epochs", None, OrNone(WholeNumber(1, MOST_EPOCHS)),
              "Passes of the net over the sentences; by default 10 for treebanks of at "
              "least 60,000 tokens, 18 for smaller ones", (NET_KINDS, WITH_NET)),
    Parameter("hidden", None, OrNone(WholeNumber(1, LARGEST_HIDDEN)),
              "Size of the net's LSTMs in each direction; by default 160 for treebanks "
              "of at least 60,000 tokens, 128 for smaller ones", (NET_KINDS, WITH_NET)),
    Parameter("dropout", None, OrNone(RealNumber(0.001, 0.9)),
              "Share of the net's values that are dropped while it learns; by default "
              "0.3 for treebanks of at least 60,000 tokens, 0.4 for smaller ones",
              (NET_KINDS, WITH_NET)),
    Parameter("net_objective", "cross-entropy", OneOfThese(NET_OBJECTIVES),
              "Loss that the net minimises to learn heads", (NET_KINDS, WITH_NET)),
    Parameter("hash", DEFAULT_HASHES, HashNames(),
              "Hash functions, which define when two edges count as equal; several are "
              "summed",
              (KERNEL,), section="kernel", label="Hash functions"),
    Parameter("hash_weights", None, OrNone(Factors()),
              "Factors of the hash functions' kernels, by default 1 for each; 'learn' "
              "learns them, together with those of the input kernels in a sum",
              (KERNEL,), section="kernel",
              label="Learn the weights of hash functions"),
    Parameter("budget", 0.5, RealNumber(high=1.),
              "Largest share of the hash functions, input kernels or feature groups to "
              "keep where these are learned", (SOLVED, LEARNED), section="learned",
              label="Share to keep:"),
    Parameter("buckets", None, OrNone(WholeNumber(1)),
              "Hash the values of each hash function into this many buckets",
              (KERNEL,)),
    Parameter("kernel", "constant", KernelName(),
              "Input kernel, which measures how similar two sentences are", (KERNEL,),
              section="kernel", label="Input ker&nel:"),
    Parameter("kernel_params", None, OrNone(KernelOptions()),
              "Parameters of the input kernel, if kernel is a name", (KERNEL,),
              section="kernel", label="Kernel parameters"),
    Parameter("nystroem", None, OrNone(WholeNumber(1, MOST_LANDMARKS)),
              "Approximate the input kernel with this many landmarks; training time is "
              "then proportional to the size of the treebank", (KERNEL,)),
    Parameter("smoothness", 1., SMOOTHNESS_KIND,
              "With unlabelled sentences: how much it costs if similar sentences get "
              "different scores, relative to large weights", (KERNEL, UNLABELLED),
              section="unlabelled", label="Smoothness:"),
    Parameter("neighbours", 10, NEIGHBOURS_KIND,
              "With unlabelled sentences: number of others that each is compared with",
              (KERNEL, UNLABELLED), section="unlabelled", label="Neighbours:"),
    Parameter("vectors", None, OrNone(PathName()),
              "File of word vectors (word2vec's or fastText's text format) for the hash "
              "function wordVecs; by default they are learned from the treebank", (KERNEL,)),
    Parameter("beam", 1, WholeNumber(1, MOST_BEAM),
              "Number of transition sequences that are followed in parallel: 1 is "
              "fastest, 8 is more accurate but takes three to four times as long",
              (TRANSITIONS,),
              section="transitions", label="&Beam:"),
    Parameter("solver", "auto", OneOfThese({"auto": Choice(
        "Automatic", "MIRA for explicit features, BCFW for kernels"), **SOLVER_TEXTS,
        **FURTHER_SOLVER_TEXTS, **KERNEL_SOLVER_TEXTS}),
              "Algorithm that finds the weights", (SOLVED,), section="learning",
              label="&Solver:"),
    Parameter("C", 1., ANY_MARGIN_KIND,
              "How much mistakes cost relative to large weights: 1/2 |w|² + C · mean "
              "loss; for mira, the largest step",
              (IN_STEPS, LARGE_MARGIN), section="learning",
              label="&C:"),
    Parameter("epsilon", 0.01, EPSILON_KIND,
              "Stop when (primal - dual) / C is at most this", (SOLVED, WITH_DUAL),
              section="learning", label="&Epsilon:"),
    Parameter("rescaling", "margin", OneOfThese(RESCALINGS),
              "Whether the loss of a wrong tree sets its margin or rescales its slack",
              (SOLVED, N_SLACK), section="n-slack", label="&Rescaling:"),
    Parameter("penalty", "linear", OneOfThese(PENALTIES),
              "Whether slacks are penalised linearly or squared",
              (SOLVED, N_SLACK), section="n-slack", label="Penalty:"),
    Parameter("sample", 0.1, RealNumber(high=1.),
              "Share of the sentences that are decoded in each round",
              (SOLVED, SAMPLED_CUTS), section="sampled-cuts", label="Sample:"),
    Parameter("passes", 10, PASSES_KIND, "Maximum number of passes over the sentences",
              (IN_STEPS,), section="learning", label="&Passes:"),
    Parameter("decoder", "auto", OneOfThese(DECODER_CHOICES),
              "How scores are turned into a tree", section="trees",
              label="Decodin&g:"),
    Parameter("order", 2, WholeNumber(1, 2),
              "1 scores edges one by one, 2 together with their siblings and "
              "grandparents, which is more accurate but slower", (SOLVED, SECOND_ORDER),
              section="trees", label="Order:"),
    Parameter("neural", False, Switch(),
              "Add the probabilities of a net to the scores: the most accurate parser, but "
              "training takes about seven times as long", (EXPLICIT, ORDER_TWO),
              section="explicit", label="Preset"),
    Parameter("net_weight", 0.2, RealNumber(high=1000.),
              "Weight of the net's log probabilities; the margin of the other scores is 1",
              (EXPLICIT, NET_BESIDE)),
    Parameter("single_root", True, Switch(),
              "Require exactly one word of each sentence to depend on the root",
              section="trees",
              label="S&ingle root"),
    Parameter("relations", True, Switch(),
              "Also learn the relations of edges, in a second stage", section="trees",
              label="Relations"),
    Parameter("partial", False, Switch(),
              "Also learn from sentences in which only some words have heads; the best "
              "tree with these heads supplies the missing ones", (EXPLICIT, MIRA_ONLY),
              section="trees", label="Partial trees"),
    Parameter("calibrate", True, Switch(),
              "Calibrate the probabilities of heads: their temperature is fitted to "
              "one held-out sentence in 40 (at most 125) or, with fewer than 1000 "
              "sentences, by cross-validation", (EDGES,), section="trees",
              label="Calibrate"),
    Parameter("shards", None, SHARDS_KIND,
              "Split the treebank into this many parts, which are learned from in "
              "parallel (on threads or a cluster) while their weights are "
              "mixed; by default one part, on a cluster one for every 3,000 sentences",
              (EXPLICIT, MIXING)),
    Parameter("random_state", 0, Seed(),
              "Seed for the order of the sentences: the same seed gives the same parser",
              option="--seed", section="learning", label="See&d:"),
    Parameter("n_jobs", 1, ThreadCount(),
              "Number of threads, -1 for all processors; does not change the parser",
              harmless=True, option="--jobs", section="learning", label="T&hreads:"),
    Parameter("checkpoint", None, OrNone(PathName()),
              "File in which progress is saved after each pass, and from which "
              "interrupted training resumes", harmless=True),
    Parameter("name", None, OrNone(ModelName()),
              "Name of the parser and of its predictions; by default composed of the "
              "parameters", harmless=True),
)
PARAMETERS = by_name(TABLE)
#: A setting of widgets that stands for a value of C; it needs what rows of the table need
HARD_MARGIN = Parameter(
    "hard_margin", False, Switch(), "No tree may violate its margin: C is infinite. Only for "
    "treebanks that can be learned without any error", (SOLVED, N_SLACK), section="n-slack",
    label="Hard margin")
DEFAULTS: dict[str, Any] = {row.name: row.default for row in TABLE}
#: Parameters that make no difference to what is learned
HARMLESS = tuple(row.name for row in TABLE if row.harmless)


def rows_for(features: str) -> dict[str, Parameter]:
    """The parameters that a kind of parsers has, all but `features` itself."""
    return by_name(row for row in TABLE if row.name != "features" and all(
        features in need.features for need in row.needs if need.features))


# What settings come to

def chosen(parameter: str, settings: Settings) -> Any:
    """What the settings say of a parameter, else its default."""
    return settings.get(parameter, DEFAULTS[parameter])


def chosen_solver(settings: Settings) -> str:
    """The solver of the settings; "auto" depends on the features."""
    solver = chosen("solver", settings)
    if chosen("features", settings) in TRANSITIONS.features:
        return "mira"
    if solver != "auto":
        return solver
    return AUTO_SOLVERS.get(chosen("features", settings), "mira")


def has_hard_margin(settings: Settings) -> bool:
    """Whether the settings of a widget ask for an infinite C."""
    return bool(settings.get(HARD_MARGIN.name)) and HARD_MARGIN.missing(settings) is None


def solver_class(settings: Settings) -> type[Solver] | None:
    """None if there is no such solver."""
    from orange_structpred.svm import PARSER_SOLVERS

    solver = chosen_solver(settings)
    return PARSER_SOLVERS.get(solver) if isinstance(solver, str) else None


def chosen_order(settings: Settings) -> int:
    """The order of the parts of trees; 2 only where there is a decoder for it, and where
    kernels have hash functions of pairs of edges."""
    features = chosen("features", settings)
    if features in KERNEL.features:
        can = looks_at_pairs(chosen("hash", settings))
    else:
        can = features in EXPLICIT.features and not chosen("min_count", settings)
    if not can or chosen("decoder", settings) not in ("auto", *SECOND_ORDER_DECODERS):
        return 1
    return chosen("order", settings)


#: Parameters that may come to something else than they say
EFFECTIVE = {"order": chosen_order, "solver": chosen_solver}
