"""The CoNLL 2018 shared task's scores, computed the slow and obvious way.

Written for these tests after the rules of the shared task, and on purpose
without anything of the library: it reads the text of the files by itself.
"""
from fractions import Fraction


def words_of(text: str) -> list[dict]:
    """All syntactic words of a file with the sentence and word they hang on."""
    words, sentence_number = [], 0
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")
                if line and not line.startswith("#")]
        if not rows:
            continue
        sentence_number += 1
        for row in rows:
            if "-" in row[0] or "." in row[0]:
                continue  # a multiword token or an empty node is no word
            words.append({
                "place": (sentence_number, int(row[0])),
                "form": row[1].replace(" ", ""),
                "tag": row[3],
                "parent": None if row[6] == "0" else (sentence_number, int(row[6])),
                "relation": row[7].split(":")[0],
            })
    return words


def f1(gold_total: int, system_total: int, correct: int) -> float:
    precision = Fraction(correct, system_total)
    recall = Fraction(correct, gold_total)
    if not correct:
        return 0.0
    return float(100 * 2 * precision * recall / (precision + recall))


def score(gold_text: str, system_text: str, *, punct: bool = True) -> dict:
    """UAS and LAS in percent; all words count, unless punct is False."""
    gold, system = words_of(gold_text), words_of(system_text)
    if "".join(word["form"] for word in gold) \
            != "".join(word["form"] for word in system):
        raise ValueError("not the same text")
    # Both have the same words, so that the n-th is aligned with the n-th.
    assert [word["place"] for word in gold] == [word["place"] for word in system]
    total = same_parent = same_both = 0
    for right, found in zip(gold, system):
        if right["tag"] == "PUNCT" and not punct:
            continue
        total += 1
        if right["parent"] == found["parent"]:
            same_parent += 1
            if right["relation"] == found["relation"]:
                same_both += 1
    return {"uas": f1(total, total, same_parent), "las": f1(total, total, same_both)}
