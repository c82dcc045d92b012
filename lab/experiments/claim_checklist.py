"""What the sentence models claim of invented sentences: which way the arrow points, and what makes no link.

    python lab/experiments/claim_checklist.py [--list]

``whywire_lab/tasks/claims/*.jsonl`` holds the sentences, and nothing is trained on them. A *direction* row names
words of the cause and of the effect; *no link* rows tell of what did not happen or is no event; *link* rows look like
them and do.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import whywire_lab.tasks
from whywire import SentenceReader
from whywire.elements import ClaimEvidence
from whywire.links.link_probability import MIN_PROBABILITY
from whywire.news.boilerplate import is_boilerplate
from whywire.sentences.reading import Reading

ROWS = Path(whywire_lab.tasks.__file__).parent / "claims"


def direction(row: dict[str, str], reading: Reading) -> str:
    """Where the row's cause and effect are: in a relation's, the other way round, or elsewhere."""
    text = row["text"]
    ends = [(text[slice(*one.cause)], text[slice(*one.effect)]) for one in reading.relations]
    if any(row["cause"] in cause and row["effect"] in effect for cause, effect in ends):
        return "right"
    if any(row["cause"] in effect and row["effect"] in cause for cause, effect in ends):
        return "turned"
    return "other words" if ends else "no relation"


def links(row: dict[str, str], reading: Reading) -> str:
    """Whether the sentence would make a link."""
    worth = max((one.edge or 0.0 for one in reading.relations), default=0.0)
    if reading.antecedent is not None or is_boilerplate(row["text"]):
        worth = 0.0
    return "link" if worth >= MIN_PROBABILITY[ClaimEvidence] else "no link"


def main() -> None:
    """Print, for each language and test, how often each answer was given."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--list", action="store_true", help="print each row whose answer is not the one expected")
    listed = options.parse_args().list
    for path in sorted(ROWS.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        readings = SentenceReader.from_pretrained(f"sentences-{path.stem}").read(
            [row["text"] for row in rows], mentions=True
        )
        found: dict[str, Counter[str]] = {}
        for row, reading in zip(rows, readings, strict=True):
            answer = (direction if row["test"] == "direction" else links)(row, reading)
            found.setdefault(row["test"], Counter())[answer] += 1
            if listed and answer not in ("right", row["test"]):
                ends = [
                    (row["text"][slice(*one.cause)], row["text"][slice(*one.effect)]) for one in reading.relations
                ]
                print(f"{row['kind']}: {answer}: {row['text']} {ends}")
        for test, counts in found.items():
            print(path.stem, test, dict(counts.most_common()))


if __name__ == "__main__":
    main()
