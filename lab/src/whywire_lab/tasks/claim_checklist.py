"""A checklist of invented sentences for the sentence models: which way the arrow points, and what makes no link.

``claims/en.jsonl`` and ``ru.jsonl`` hold the rows, and nothing is trained on them. A *direction* row names words of
the cause and of the effect, and the connective between them. *no link* rows tell of what did not happen, is not sure,
is no event or is no part of a report; *link* rows look like them and make a link.
"""

from __future__ import annotations

import json
from pathlib import Path

from whywire import SentenceReader
from whywire.elements import ClaimEvidence
from whywire.links.strength import MIN_PROBABILITY
from whywire.news.sentences import is_boilerplate
from whywire.sentences.reading import Reading
from whywire.sentences.references import in_context

FILES = {path.stem: path for path in sorted((Path(__file__).parent / "claims").glob("*.jsonl"))}
"""Paths of the rows, by language."""

EXPECTED = {"direction": "right", "no link": "no link", "link": "link"}
"""The outcome that passes, by the test of a row."""

Row = dict[str, str]


def outcomes(language: str) -> list[tuple[Row, Reading, str]]:
    """Each row of a language, what the model reads in it, and its outcome."""
    rows: list[Row] = [json.loads(line) for line in FILES[language].read_text(encoding="utf-8").splitlines()]
    reader = SentenceReader.from_pretrained(f"sentences-{language}")
    texts = [row["text"] for row in rows]
    alone = (in_context(*one, []) for one in zip(reader.read(texts, mentions=True), texts, strict=True))
    return [
        (row, reading, _direction(row, reading) if row["test"] == "direction" else _links(row, reading))
        for row, reading in zip(rows, alone, strict=True)
    ]


def _direction(row: Row, reading: Reading) -> str:
    """Where the row's cause and effect are: in those of a relation, the other way round, or elsewhere."""
    ends = [(row["text"][slice(*one.cause)], row["text"][slice(*one.effect)]) for one in reading.relations]
    if any(row["cause"] in cause and row["effect"] in effect for cause, effect in ends):
        return "right"
    if any(row["cause"] in effect and row["effect"] in cause for cause, effect in ends):
        return "turned"
    return "other words" if ends else "no relation"


def _links(row: Row, reading: Reading) -> str:
    """Whether a claim of the sentence is worth a link."""
    worth = max((one.edge or 0.0 for one in reading.relations), default=0.0)
    silent = reading.antecedent is not None or is_boilerplate(row["text"])
    return "link" if worth >= MIN_PROBABILITY[ClaimEvidence] and not silent else "no link"
