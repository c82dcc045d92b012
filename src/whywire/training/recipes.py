"""The shipped weights, each by one call: what they start from, what they learn from, how long."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from whywire.training.bases import Base, load_base, trim_vocabulary
from whywire.training.loop import Schedule
from whywire.training.pair_data import PairRow, articles_to_learn_from, load_pairs
from whywire.training.sentence_data import load_rows, stream_rows
from whywire.training.train_pairs import Member, base_embedder, train_pairs
from whywire.training.train_sentences import train_sentences

BASES = {"en": "minilm", "ru": "vesma"}

SCHEDULES = {
    "sentences-en": Schedule(epochs=2),
    "sentences-ru": Schedule(epochs=3, rate=3e-4),
    "headlines-en": Schedule(epochs=4, rate=2e-4),
    "headlines-ru": Schedule(epochs=4, rate=4e-4),
}


def make(name: str, data: Path, folder: Path, *, seed: int = 1) -> dict[str, float]:
    """Train the model of that name from the corpora in ``data`` and write it into ``folder``."""
    kind, language = name.split("-")
    base = load_base(BASES[language])
    if language == "ru":
        base = trim_vocabulary(base, _texts(data))
    if kind == "sentences":
        parts = load_rows(data)
        if language == "ru":
            for part, rows in stream_rows(data, "ru").items():
                parts[part] += rows
        return train_sentences(base, parts["train"], parts["valid"], folder, SCHEDULES[name], seed)
    embed = base_embedder(base)
    pairs = load_pairs(data, embed)
    own = {part: [row for row in rows if row.language == language] for part, rows in pairs.items()}
    if language == "ru":
        own["train"] += [row for row in pairs["train"] if row.language == "en" and _lent(row)]
    return train_pairs(base, own, _members(data, language, base), folder, SCHEDULES[name], seed)


def _lent(row: PairRow) -> bool:
    """Whether an English row is of the third that the Russian model learns from too."""
    return hashlib.sha256(row.left.encode()).digest()[0] % 3 == 0


def _members(data: Path, language: str, base: Base) -> list[Member]:
    """Headlines of the stream with their group by an older system, a hint of which are near each other."""
    rows = {row["title"]: row["system_group"] for row in articles_to_learn_from(data / "news_stream", language)}
    groups = {name: number for number, name in enumerate(dict.fromkeys(rows.values()))}
    vectors = base_embedder(base)(list(rows))
    return [Member(title, groups[name], vector) for (title, name), vector in zip(rows.items(), vectors, strict=True)]


def _texts(data: Path) -> Iterator[str]:
    """What the two languages look like in the news, to know which word pieces are worth their bytes."""
    for language in ("ru", "en"):
        for row in articles_to_learn_from(data / "news_stream", language):
            yield row["title"]
            yield row["text"][:3000]
