"""Strengths of causes as CRAB is released (Romanou et al. 2023), in ``crab/pairwise_causality.jsonl``.

The scores of single people stand in ``scores`` by their names. A mean that is no whole number is rounded when it is
read.

Lost in this format: whether the effect would have happened without the cause, when people answered, roles and hints;
names of stories and days, which our items do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from whywire.annotation.items import Kind
from whywire.output import json_text
from whywire_lab.corpora.crab import PAIRS_FILE, StoryEvent, pair_of_row
from whywire_lab.corpora.table_formats import by_letters, is_blank
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import Release
from whywire_lab.exchange.tables import Row, files_of, given, name_of

FOLDER = "crab"


def release(data: LabelledItems, part: str | None = None) -> Release:  # noqa: ARG001
    """The release of the pairs on whose strength people agree.

    Args:
        part: is not used: this corpus has one file, and bench and training hold stories out of it.
    """
    kept, problems = agreed_results(data)
    votes = data.counted_votes()
    rows = [_row(item, result.answer, votes[item.id]) for item, result in kept]
    lines = "".join(json_text(row) + "\n" for row in rows)
    return Release({f"{FOLDER}/{PAIRS_FILE}": lines} if rows else {}, problems)


def read(path: Path) -> LabelledItems:
    """Read a table of pairs under any of the names that :mod:`whywire_lab.corpora.crab` knows.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.STRENGTH)
    for file in files_of(path, ".jsonl", ".json", ".csv"):
        for place, row in collector.rows(file):
            with collector.row(place, row):
                letters = by_letters(row)
                pair = pair_of_row(letters, "")
                contexts = list(dict.fromkeys(filter(None, map(_context, (pair.cause, pair.effect)))))
                item = collector.add_item(
                    {
                        "id": str(given(row, "id") or name_of(place)),
                        "cause": pair.cause.text,
                        "effect": pair.effect.text,
                        "documents": contexts,
                    }
                )
                collector.add_result(
                    {"item": item.id, "answer": {"score": round(pair.score)}, "answers": len(pair.scores)}
                )
                for person, score in zip(_people(row, len(pair.scores)), pair.scores, strict=True):
                    collector.add_vote({"item": item.id, "person": person, "answer": {"score": round(score)}})
    return collector.done()


def _people(row: Row, count: int) -> list[str]:
    """The names of those who gave the scores of a row; numbers, where it names nobody."""
    scores = row.get("scores")
    names = (
        [str(name) for name, score in scores.items() if not is_blank(score)] if isinstance(scores, Mapping) else []
    )
    return names if len(names) == count else [f"worker {number}" for number in range(1, count + 1)]


def _context(event: StoryEvent) -> str:
    return event.context or event.document


def _row(item: Any, answer: Any, votes: Iterable[Any]) -> Row:
    row = {"id": item.id, "event_a": item.cause, "event_b": item.effect}
    if item.documents:
        row |= {"article_a": item.documents[0], "article_b": item.documents[-1]}
    scores = {vote.person: vote.answer.score for vote in votes}
    return row | {"causal_score": answer.score} | ({"scores": scores} if scores else {})
