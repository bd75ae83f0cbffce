"""orange-structpred score GOLD PRED"""
from __future__ import annotations

from orange_structpred.commands import (
    check_standard_input,
    file_name,
    print_json,
    print_rows,
    read_sentences,
)
from orange_structpred.commands.options import add_shared

SUMMARY = "score predicted trees against gold trees"
EXAMPLES = """\
  orange-structpred score dev.conllu parsed.conllu
  orange-structpred score dev.conllu parsed.conllu --json > scores.json
  orange-structpred score test.conllu annotated.conllu --raw

Both files must have the same sentences with the same tokens. With --raw they only
need to have the same text: words are aligned by their characters and all columns are
scored, by the rules of the CoNLL 2018 shared task (F1). Scores are percentages.
UAS and LAS count all tokens; LAS ignores subtypes of relations (nsubj:pass
counts as nsubj). Predicted heads need not be trees: "Valid trees" says how many
sentences have one. uas_interval and las_interval are 95% bootstrap intervals."""

NAMES = {
    "uas": "UAS",
    "las": "LAS",
    "uas_nopunct": "UAS without punctuation",
    "las_nopunct": "LAS without punctuation",
    "complete": "Complete sentences",
    "complete_nopunct": "Complete without punctuation",
    "root": "Root",
    "trees": "Valid trees",
}


def add_arguments(parser) -> None:
    parser.add_argument("gold", metavar="GOLD", type=file_name,
                        help="CoNLL file with gold trees, or - for standard input")
    parser.add_argument("predicted", metavar="PRED", type=file_name,
                        help="CoNLL file with predicted trees, or - for standard input")
    parser.add_argument("--raw", action="store_true",
                        help="score annotated raw text, whose tokens may differ")
    add_shared(parser, "--json")


RAW_NAMES = {"tokens": "Tokens", "sentences": "Sentences", "words": "Words",
             "upos": "UPOS", "xpos": "XPOS", "feats": "Features", "lemmas": "Lemmas",
             "uas": "UAS", "las": "LAS"}


def run(args) -> None:
    check_standard_input(args.gold, args.predicted)
    (run_raw if args.raw else run_trees)(args)


def run_trees(args) -> None:
    from orange_structpred.evaluation import MismatchError, NoHeadError
    from orange_structpred.evaluation.totals import total_scores

    gold, gold_name = read_sentences(args.gold)
    predicted, name = read_sentences(args.predicted, trees=False)
    try:
        scores = total_scores(gold, predicted, name=name)
    except NoHeadError as error:
        file = gold_name if error.which == "gold" else name
        raise NoHeadError(f"{file}: {error}", error.which) from error
    except MismatchError as error:
        raise MismatchError(f"{name} does not match {gold_name}: {error}") from error
    if args.json:
        print_json(scores)
        return
    print_rows([("Sentences", f"{scores['sentences']:7d}"),
                ("Tokens", f"{scores['tokens']:7d}")]
               + [(name, shown(scores[key], scores.get(f"{key}_interval")))
                  for key, name in NAMES.items()])


def run_raw(args) -> None:
    from orange_structpred.evaluation import MismatchError
    from orange_structpred.evaluation.totals import total_raw_scores

    (gold, gold_name), (predicted, name) = map(read_sentences, (args.gold, args.predicted))
    try:
        scores = total_raw_scores(gold, predicted)
    except MismatchError as error:
        raise MismatchError(f"{name} does not match {gold_name}: {error}") from error
    percent = {key: round(100 * score.f1, 4) for key, score in scores.items()}
    if args.json:
        print_json({"name": name, **percent})
    else:
        print_rows([(RAW_NAMES[key], f"{value:7.2f}")
                    for key, value in percent.items()])


def shown(value: float | None, interval: list | None) -> str:
    """A score as it is printed, with its interval if it has one."""
    if value is None:
        return f"{'-':>7}"
    if interval is None:
        return f"{value:7.2f}"
    low, high = interval
    return f"{value:7.2f}  (95%: {low:.2f} to {high:.2f})"
