"""The tables of the study's page."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from benchmarks.study.chapter6 import DEVELOPMENT, EPSILONS, PARTS, TAGS
from benchmarks.study.quoted import (
    FIGURE_4,
    TABLE_1,
    TABLE_2_AND_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
)
from benchmarks.study.results import Results
from benchmarks.study.why import WORDS, WORDS_C

#: Parts with losses of word pairs on new sentences, and how the trees are drawn there
MEASURED = {"as measured in table 6.2, UD trees": "hashes",
            "the same, function words as heads, punctuation at the root": "words"}


def losses(point: dict | tuple[float, float] | None) -> str:
    """Training and test loss."""
    if point is None:
        return ""
    train, test = ((point["train"], point["test"]) if isinstance(point, dict) else point)
    return f"{train:.2f} / {test:.2f}"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |"
            for cells in (titles, ["---"] * len(titles), *rows)]


def title(results: Results, part: str, language: str, epsilon: float) -> str:
    return f"{language}, ε = {epsilon:g}, {results.scale(part, language, epsilon)}"


def by_C(results: Results, part: str, thesis: dict[float, tuple[float, float]],
         **setting: str) -> list[str]:
    """One row for each C, a column for each treebank and epsilon."""
    columns = results.columns(part)
    points = {column: results.points(part, *column, **setting) for column in columns}
    Cs = sorted({*thesis, *(C for column in points.values() for C in column)})
    return table(
        ["C", "thesis", *(title(results, part, *column) for column in columns)],
        [[f"{C:g}", losses(thesis.get(C)),
          *(losses(points[column].get(C)) for column in columns)] for C in Cs])


def by_hash(results: Results, part: str, Cs: Sequence[float]) -> list[str]:
    """For each treebank and epsilon a table; the thesis's numbers come first."""
    names = [name for name in TABLE_2_AND_3 if part == "hashes" or "posTags" in name]
    lines: list[str] = []
    for heading, cells in [
            ("Thesis, ε = 0.05, 5,000 + 5,000 sentences", TABLE_2_AND_3),
            *((title(results, part, *column),
               {name: results.points(part, *column, hash=name) for name in names})
              for column in results.columns(part))]:
        lines += [f"**{heading}**", "", *table(
            ["hash function", *(f"C = {C:g}" for C in Cs)],
            [[f"`{name}`", *(losses(cells[name].get(C)) for C in Cs)] for name in names]),
            ""]
    return lines[:-1]


def best_on_training(results: Results, language: str, epsilon: float, kernel: str
                     ) -> dict | None:
    """The point of an input kernel that the thesis would choose."""
    points = results.points("kernels", language, epsilon, kernel=kernel)
    return min(points.values(), key=lambda point: point["train"], default=None)


def best_kernels(results: Results) -> list[str]:
    """The model of the smallest training loss for each input kernel."""
    columns = results.columns("kernels")
    rows = []
    for kernel, thesis in FIGURE_4.items():
        row = [f"`{kernel}`", losses(thesis)]
        for column in columns:
            best = best_on_training(results, *column, kernel)
            row.append("" if best is None else f"{losses(best)}, C = {best['C']:g}")
        rows.append(row)
    return table(["input kernel", "thesis",
                  *(title(results, "kernels", *column) for column in columns)], rows)


def valid_trees(results: Results) -> list[str]:
    columns = results.columns("construction")
    points = {column: results.points("construction", *column, decoder="approximate")
              for column in columns}
    return table(
        ["C", "thesis", *(title(results, "construction", *column) for column in columns)],
        [[f"{C:g}", f"{share:.2f}",
          *(f"{points[column][C]['valid_trees']:.2f}" if C in points[column] else ""
            for column in columns)] for C, share in TABLE_5.items()])


def conditions(results: Results) -> list[str]:
    """Losses with and without the kernel, for each change of the data."""
    plain, kernel = FIGURE_4["constant"], FIGURE_4["annotated-ngram"]
    rows = [["thesis", "", "`posTags2::dir`", "5,000 + 5,000", losses(plain),
             losses(kernel), fewer(plain[1], kernel[1])]]
    for language in results.languages:
        models = [best_on_training(results, language, EPSILONS[0], name)
                  for name in ("constant", "annotated-ngram")]
        if None not in models:
            rows.append([language, "as in figure 6.4", f"`{TAGS}`",
                         results.scale("kernels", language).removesuffix(" sentences"),
                         *map(losses, models),
                         fewer(*(model["test"] for model in models))])
        lines = results.chosen("why", language)
        best = {tuple(line["setting"].values()):
                min(line["points"], key=lambda point: point["test"]) for line in lines}
        for line in lines:
            condition, tags, _ = line["setting"].values()
            models = [best.get((condition, tags, kernel))
                      for kernel in ("constant", "annotated-ngram")]
            if line["setting"]["kernel"] == "constant" and None not in models:
                train, test = line["sentences"]
                rows.append([language, condition, f"`{tags}`", f"{train:,} + {test:,}",
                             *map(losses, models),
                             fewer(*(model["test"] for model in models))])
    return table(["treebank", "", "hash function", "sentences", "no input kernel",
                  "annotated-ngram", "errors"], rows)


def fewer(plain: float, kernel: float) -> str:
    if not plain:
        return ""
    return f"{100 * (kernel / plain - 1):+.0f}%"


def coverage(results: Results) -> list[str]:
    """What pairs of words can know of held-out sentences."""
    rows = [[language, line["setting"]["heads"], f"{line['sentences'][0]:,}",
             f"{line['known']:.1f}", f"{line['at_best']:.1f}"]
            for language in results.languages for line in results.lines
            if line["part"] == "coverage" and line["language"] == language]
    thesis = 100 - TABLE_2_AND_3["tokens::dir"][10][1]
    return table(["treebank", "heads", "sentences of each half", "known pairs, %",
                  "or neighbour, %"],
                 [["thesis, measured", "Foth", "5,000", "", f"{thesis:.1f}"], *rows])


def neighbours(results: Results) -> list[str]:
    """What the kernel gains where training sentences are similar."""
    rows = []
    for language in results.languages:
        for line in results.chosen("neighbours", language):
            bounds = [*(part["from"] for part in line["bins"]), 1.]
            tokens = sum(part["tokens"] for part in line["bins"])
            for part, high in zip(line["bins"], bounds[1:]):
                if part["tokens"]:
                    rows.append([
                        language, f"{part['from']:g} to {high:g}",
                        f"{part['sentences']:,}", f"{100 * part['tokens'] / tokens:.1f}%",
                        f"{part['constant']:.2f}", f"{part['annotated-ngram']:.2f}",
                        fewer(part["constant"], part["annotated-ngram"])])
    return table(["treebank", "similarity", "test sentences", "of all tokens", "constant",
                  "annotated-ngram", "errors"], rows)


def similarity(results: Results) -> list[str]:
    """How similar the most similar training sentence is."""
    rows = [[language, f"{line['sentences'][0]:,} + {line['sentences'][1]:,}",
             f"{line['median']:.3f}", f"{line['median_by_sentences']:.3f}",
             f"{line['near']:.2f}%", f"{line['near_by_sentences']:.2f}%"]
            for language in results.languages
            for line in results.chosen("neighbours", language)]
    return table(["treebank", "sentences", "median, by documents", "median, by sentences",
                  "0.5 or more, by documents", "0.5 or more, by sentences"], rows)


def seen(new: float, thesis: tuple[float, float]) -> float:
    """The share s of test sentences that training would have to contain for the thesis's
    loss: s * training loss + (1 - s) * loss on new sentences = test loss."""
    train, test = thesis
    return (new - test) / (new - train)


def seen_shares(results: Results) -> list[tuple[str, float, float]]:
    """What the loss of tokens::dir on new sentences may be, and what is then `seen`."""
    at_best = max((line["at_best"] for line in results.lines
                   if line["part"] == "coverage" and line["sentences"][0] >= 5000),
                  default=None)
    bases = [*([] if at_best is None else
               [("as few as possible: each known pair and neighbour right",
                 100 - at_best)]),
             *(("as measured below, projective trees", 100 - line["uas"])
               for line in results.practice
               if line.get("hash") == ["tokens::dir"] and line["C"] == WORDS_C),
             *((basis, new_losses(results, part)["tokens::dir"])
               for basis, part in MEASURED.items()
               if "tokens::dir" in new_losses(results, part))]
    thesis = TABLE_2_AND_3["tokens::dir"][WORDS_C]
    return [(basis, loss, seen(loss, thesis)) for basis, loss in bases]


def new_losses(results: Results, part: str) -> dict[str, float]:
    """Test losses of hash functions after as many sentences as the thesis has."""
    chosen = results.chosen(part, "English")
    if not any(line["sentences"][0] >= DEVELOPMENT for line in chosen):
        return {}
    return {name: point["test"] for name in WORDS for point in [
        results.points(part, "English", hash=name).get(WORDS_C)] if point}


def seen_by_hash(results: Results) -> list[str]:
    """The same for each hash function that tells known sentences from others."""
    measured = {heads: column for heads, part in (
        ("UD", "hashes"), ("function words as heads", "words"))
        if (column := new_losses(results, part))}
    rows = []
    for name in WORDS:
        thesis = TABLE_2_AND_3[name][WORDS_C]
        if any(name in column for column in measured.values()):
            row = [f"`{name}`", losses(thesis)]
            for column in measured.values():
                row += ["", ""] if name not in column else [
                    f"{column[name]:.2f}", f"{100 * seen(column[name], thesis):.0f}%"]
            rows.append(row)
    return table(["hash function", "thesis", *(title for heads in measured for title in (
        f"test loss here, {heads}", "s"))], rows)


def seen_share(results: Results) -> list[str]:
    """What seen sentences make of the thesis's loss with a kernel."""
    train, test = FIGURE_4["annotated-ngram"]
    rows = []
    for basis, loss, share in seen_shares(results):
        new = (test - share * train) / (1 - share)
        rows.append([basis, f"{loss:.1f}", f"{100 * share:.0f}%", f"{new:.1f}",
                     fewer(FIGURE_4["constant"][1], new)])
    return table(["loss of `tokens::dir` on new sentences", "", "s",
                  "thesis's `annotated-ngram` on new sentences", "errors"], rows)


def mixed(results: Results) -> list[str]:
    """Losses here if the same shares of the test halves were training sentences."""
    rows = []
    for language in results.languages:
        lines = {line["setting"]["kernel"]: line for line in results.chosen("why", language)
                 if (line["setting"]["condition"], line["setting"]["hash"])
                 == ("halves by documents", "posTags2::dir")}
        if len(lines) < 2:
            continue
        for share in (0., *sorted(share for _, _, share in seen_shares(results))):
            plain, kernel = (min(share * point["train"] + (1 - share) * point["test"]
                                 for point in lines[name]["points"])
                             for name in ("constant", "annotated-ngram"))
            rows.append([language, f"{100 * share:.0f}%", f"{plain:.2f}", f"{kernel:.2f}",
                         fewer(plain, kernel)])
    return table(["treebank", "s", "no input kernel", "annotated-ngram", "errors"], rows)


def curves(results: Results) -> list[str]:
    """UAS on the development part by the number of training sentences."""
    curves = results.curves()
    if not curves:
        return ["*Not computed yet.*"]
    sizes = sorted({size for curve in curves.values() for size in curve})
    rows = []
    for model, curve in curves.items():
        last = curve[max(curve)]
        rows.append([model, *(f"{curve[size]['uas']:.2f}" if size in curve else ""
                              for size in sizes),
                     f"{last['train_cpu_s']:,.0f}", f"{last['sentences_per_s']:,.0f}"])
    return table(["parser", *(f"{size:,}" for size in sizes), "training, CPU s",
                  "sentences per CPU s"], rows)


def cost(results: Results) -> list[str]:
    """CPU time of the whole study, by what it was spent on."""
    names = {**{part: ", ".join(PARTS[part].makes) for part in PARTS},
             "time": "figure 6.6", "why": "`--why`", "words": "`--why`", "neighbours": "`--why`",
             "coverage": "`--pairs`", "curve": "`--beyond`"}
    minutes: dict[str, float] = {}
    for line in results.lines:
        if line["share"] == 1 and "total_cpu_s" in line:
            name = names[line["part"]]
            minutes[name] = minutes.get(name, 0.) + line["total_cpu_s"] / 60
    return table(["", "CPU minutes"], [
        *([name, f"{spent:.1f}"] for name, spent in minutes.items()),
        ["all", f"{sum(minutes.values()):.0f}"]])


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "table 6.1": lambda results: by_C(results, "explicit", TABLE_1),
    "table 6.2": lambda results: by_hash(results, "hashes", (0.1, 1, 10)),
    "table 6.3": lambda results: by_hash(results, "tags", (50, 100, 200)),
    "figure 6.4": best_kernels,
    "table 6.4 ngram": lambda results: by_C(
        results, "full", TABLE_4["ngram"], kernel="ngram"),
    "table 6.4 poly-bow": lambda results: by_C(
        results, "full", TABLE_4["poly-bow"], kernel="poly-bow"),
    "table 6.5": valid_trees,
    "table 6.6": lambda results: by_C(results, "best", TABLE_6),
    "conditions": conditions, "similarity": similarity, "neighbours": neighbours,
    "seen": seen_share, "seen by hash function": seen_by_hash, "mixed": mixed,
    "coverage": coverage, "curves": curves, "cost": cost,
}


def filled(page: str, results: Results) -> str:
    """The page with new tables: each stands between <!-- NAME --> and <!-- end -->."""
    for name, make in TABLES.items():
        content = "\n".join(["", *make(results), ""])
        page = re.sub(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)",
                      lambda match, content=content: f"{match[1]}{content}\n{match[2]}",
                      page, count=1, flags=re.DOTALL)
    return page
