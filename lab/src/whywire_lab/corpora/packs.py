"""Packs: stories of five or six articles whose main events readers listed and graded (CRAB, section 3)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.files import FOLDER
from whywire_lab.labels.keys import articles_by_hash

Place = tuple[str, str, int, int]
"""Article, field, and span."""


@dataclass(frozen=True)
class Pack:
    """A story as a reader told it.

    Args:
        articles: ids.
        events: the places of the mentions of each main event.
        pairs: ``(earlier, later, score)``.
        texts: what each main event is, in the reader's words.
    """

    articles: Sequence[str]
    events: Sequence[Sequence[Place]]
    pairs: Sequence[tuple[int, int, int]]
    texts: Sequence[str]


def read_packs(data: Path, language: str, labels: Path | None = None) -> list[Pack]:
    """The packs of a label file, or all that there are in a language.

    Args:
        data: the folder of corpora.
    """
    if labels:
        return [*labelled(labels)]
    return [*labelled(FOLDER / f"reader_stories_{language}.jsonl"), *of_corpora(data / "reader_graphs", language)]


def article_rows(data: Path, language: str) -> Mapping[str, Mapping[str, Any]]:
    """The rows of articles by the ids that packs and labels give them."""
    told = {row["id"]: row for row in json_lines(data / "reader_graphs" / "story_articles.jsonl")}
    return ChainMap(told, articles_by_hash(data / "news_stream", language))


def labelled(path: Path) -> Iterator[Pack]:
    """The stories of a label file."""
    for row in json_lines(path):
        events = [[(row["articles"][at], *place) for at, *place in event["mentions"]] for event in row["events"]]
        yield Pack(row["articles"], events, row["pairs"], [event["text"] for event in row["events"]])


def of_corpora(folder: Path, language: str) -> Iterator[Pack]:
    """The stories of ``reader_graphs``."""
    for row in json_lines(folder / "stories.jsonl"):
        if row["language"] == language:
            number = {event["id"]: at for at, event in enumerate(row["events"])}
            events = [[(m["article"], m["field"], *m["span"]) for m in event["mentions"]] for event in row["events"]]
            pairs = [(number[pair["cause"]], number[pair["effect"]], pair["score"]) for pair in row["pairs"]]
            yield Pack(row["articles"], events, pairs, [event["text"] for event in row["events"]])
