"""Measure the rules that pick sentences for being counterfactual: what they keep, what they lose, what they name.

python lab/experiments/forms.py --data DATA

The rules were written on the train rows. The order of antecedent and consequent, marked in subtask 2 of the same
corpus, tells whether a form is named rightly.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from pathlib import Path

from whywire.news import Language, split_sentences
from whywire.sentences.counterfactual.forms import Form, FormMatch, match_forms
from whywire_lab.corpora.news_stream import read_articles
from whywire_lab.corpora.semeval2020 import MarkedCounterfactual, read_subtask1, read_subtask2
from whywire_lab.corpora.splits import first_words, part_of
from whywire_lab.metrics.classification import binary_score

PARTS = ("train", "valid", "dev")
STREAM_SENTENCES = 4000
"""So many, for about one in a hundred is kept."""


def main() -> None:
    """Print three tables in Markdown: the rows of subtask 1, the spans of subtask 2, and the news stream."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    data = parser.parse_args().data
    print(candidate_table(data / "semeval2020_task5" / "subtask1_train.csv"), end="\n\n")
    print(order_table(data / "semeval2020_task5" / "subtask2_train.csv"), end="\n\n")
    print(stream_line(data / "news_stream"))


def candidate_table(path: Path) -> str:
    """Recall, precision and share kept of each part, and each form's rows and precision."""
    rows = list(read_subtask1(path))
    started = time.process_time()
    found = match_forms(row.text for row in rows)
    speed = len(rows) / (time.process_time() - started)
    lines = ["| rows | recall | precision | kept |", "|---|---|---|---|"]
    for part in PARTS:
        own = [(row, match) for row, match in zip(rows, found, strict=True) if part_of(first_words(row.text)) == part]
        kept = [match is not None for _, match in own]
        score = binary_score(kept, [row.counterfactual for row, _ in own])
        share = sum(kept) / len(own)
        lines.append(f"| {part} ({len(own)}) | {score.recall:.1%} | {score.precision:.1%} | {share:.1%} |")
    lines += ["", "| form | " + " | ".join(f"{part}: kept, precision" for part in PARTS) + " |", "|---|---|---|---|"]
    for form in Form:
        cells = []
        for part in PARTS:
            truth = [
                row.counterfactual
                for row, match in zip(rows, found, strict=True)
                if match and match.form is form and part_of(first_words(row.text)) == part
            ]
            cells.append(f"{len(truth)}, {sum(truth) / max(1, len(truth)):.1%}")
        lines.append(f"| {form} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{speed:.0f} sentences a second of processor time"])


def order_table(path: Path) -> str:
    """How often a form agrees with the marked spans on which of the two comes first, or that one is missing."""
    rows = list(read_subtask2(path))
    agree: Counter[tuple[str, object, bool]] = Counter()
    for row, match in zip(rows, match_forms(row.text for row in rows), strict=True):
        agree[
            part_of(first_words(row.text)), match and match.form, match is not None and order(row) == expected(match)
        ] += 1
    lines = ["| form agrees with the spans | " + " | ".join(PARTS) + " |", "|---|---|---|---|"]
    for form in (*Form, None):
        counts = [(agree[part, form, True], agree[part, form, True] + agree[part, form, False]) for part in PARTS]
        lines.append(f"| {form or 'no form'} | " + " | ".join(f"{right} of {n}" for right, n in counts) + " |")
    return "\n".join(lines)


def order(row: MarkedCounterfactual) -> str:
    """Which part comes first in a marked sentence, if it has both."""
    if row.consequent is None:
        return "no consequent"
    return "antecedent first" if row.antecedent < row.consequent else "consequent first"


def expected(match: FormMatch) -> str:
    """What the form says of that."""
    if match.form is Form.WISH_SHOULD:
        return "no consequent"
    if match.form is Form.VERB_INVERSION and match.modal is not None:
        return "antecedent first" if match.trigger < match.modal else "consequent first"
    return "consequent first" if match.form is Form.CONJUNCTIVE_CONVERSE else "antecedent first"


def stream_line(folder: Path) -> str:
    """The share kept of sentences of real news, drawn at random."""
    texts = [article["text"] for article in read_articles(folder, "en")]
    sentences = [text[start:end] for text in texts for start, end in split_sentences(text, Language.ENGLISH)]
    drawn = random.Random(1).sample(sentences, STREAM_SENTENCES)
    kept = sum(match is not None for match in match_forms(drawn))
    return f"{kept} of {len(drawn)} sentences of the news stream are kept"


if __name__ == "__main__":
    main()
