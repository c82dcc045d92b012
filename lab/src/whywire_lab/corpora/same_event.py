"""Corpora of headlines grouped by event.

UCI News Aggregator (CC BY 4.0), ECB+ (CC BY 3.0), Wikinews (CC BY 2.5), and the Russian pairs judged on Toloka
(Apache-2.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from whywire_lab.corpora.json_lines import json_lines


@dataclass(frozen=True, slots=True)
class GroupedHeadline:
    """A headline with its event (or story) and the wider topic of that event.

    Args:
        lead: the article's text or its beginning; empty where the corpus has none.
    """

    title: str
    group: str
    topic: str
    published: datetime | None = None
    lead: str = ""


def read_uci(path: Path) -> Iterator[GroupedHeadline]:
    """Read ``title, story, published_ms, category``; a group is a story and may hold several events."""
    for row in json_lines(path):
        published = datetime.fromtimestamp(row["published_ms"] / 1000, UTC)
        yield GroupedHeadline(row["title"], f"uci-{row['story']}", f"uci-{row['story']}", published)


def read_wikinews(path: Path) -> Iterator[GroupedHeadline]:
    """Read ``event, title, text``."""
    for row in json_lines(path):
        name = f"wikinews-{row['event']}"
        yield GroupedHeadline(row["title"], name, name, lead=row["text"])


def read_ecbplus(path: Path) -> Iterator[GroupedHeadline]:
    """Read documents of tokenised sentences; the first that is neither a url nor a date serves as headline."""
    for row in json_lines(path):
        texts = [_detokenised(text) for text in row["sentences"] if len(text.split()) >= 5 and not _is_frame(text)]
        if texts:
            group = f"ecb-{row['topic']}-{row['event']}"
            yield GroupedHeadline(texts[0], group, f"ecb-{row['topic']}", lead=" ".join(texts[1:]))


def grouped_headlines(folder: Path) -> dict[str, list[GroupedHeadline]]:
    """The English headlines of each corpus that groups them, by the corpus's name."""
    return {
        "uci": list(read_uci(folder / "uci_news_aggregator.jsonl")),
        "wikinews": list(read_wikinews(folder / "wikinews.jsonl")),
        "ecbplus": list(read_ecbplus(folder / "ecbplus.jsonl")),
    }


def read_toloka(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Read Russian pairs: first title, second title, whether they tell of the same event."""
    for row in json_lines(path):
        yield row["first_title"], row["second_title"], row["label"] == "OK"


def _detokenised(text: str) -> str:
    """Tokenised text without the spaces before punctuation."""
    return re.sub(r" (?=[.,;:!?')])|(?<=\() ", "", text)


def _is_frame(text: str) -> bool:
    """Whether a line is a URL or a date."""
    return text.startswith("http") or bool(re.search(r"\b(19|20)\d\d\b", text) and len(text.split()) < 12)
