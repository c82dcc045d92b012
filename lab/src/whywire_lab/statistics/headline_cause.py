"""HeadlineCause (Gusev and Tikhonov 2021, tables 1 and 3): labels by split, and the annotators' votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from whywire.errors import InputError
from whywire.pairs.relations import CAUSALITIES, RELATIONS
from whywire_lab.corpora.headline_cause import (
    DEV,
    FULL,
    SIMPLE,
    TEST,
    TRAIN,
    LabelledPair,
    find_release,
    read_pairs,
    read_release,
    runs_backwards,
)
from whywire_lab.statistics.tables import Cell, StatisticsTable, mean

GOLD = "pairs.jsonl"
LANGUAGES = ("en", "ru")

PUBLISHED = {
    ("ru", SIMPLE, TRAIN): 7641,
    ("ru", SIMPLE, DEV): 955,
    ("ru", SIMPLE, TEST): 957,
    ("en", SIMPLE, TRAIN): 4332,
}
"""Pairs of a split, as far as the data card on the hub (IlyaGusev/headline_cause) was at hand."""


def tables(folder: Path) -> list[StatisticsTable]:
    """Labels and votes of the release; without it, labels of the gold pairs of the authors' repository.

    Raises:
        InputError: there is neither, or a file is broken.
    """
    found: dict[tuple[str, str, str], list[LabelledPair]] = {}
    for language in LANGUAGES:
        for labels in (SIMPLE, FULL):
            for split in (TRAIN, DEV, TEST):
                if path := find_release(folder, language, labels, split):
                    found[language, labels, split] = list(read_release(path, language, labels))
    if found:
        return [_splits(found), *(_labels(found, labels) for labels in (SIMPLE, FULL)), _votes(found)]
    if not (folder / GOLD).is_file():
        raise InputError(f"there is no release and no {GOLD}", where=str(folder))
    gold = list(read_pairs(folder / GOLD))
    by_language = {(code, FULL, "gold"): [row for row in gold if row.language == code] for code in LANGUAGES}
    note = "The release is not here: these are the gold pairs of the authors' repository, which are hard ones."
    return [_labels(by_language, FULL, (note,))]


def _splits(found: Mapping[tuple[str, str, str], list[LabelledPair]]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = [
        (
            " ".join(key),
            len(rows),
            PUBLISHED.get(key),
            sum(bool(row.has_link) for row in rows),
            sum(_host(row.left_url) == _host(row.right_url) != "" for row in rows),
            sum(map(runs_backwards, rows)),
        )
        for key, rows in found.items()
    ]
    columns = ("pairs of", "number", "card", "linked", "one site", "against the clock")
    note = "card: the data card on the hub, as far as it is known here."
    return StatisticsTable("splits", "Pairs by split", columns, tuple(rows), (note,))


def _labels(
    found: Mapping[tuple[str, str, str], list[LabelledPair]], labels: str, notes: tuple[str, ...] = ()
) -> StatisticsTable:
    keys = [key for key in found if key[1] == labels]
    counts = {key: Counter(row.causality if labels == SIMPLE else row.relation for row in found[key]) for key in keys}
    names = CAUSALITIES if labels == SIMPLE else RELATIONS
    rows: list[tuple[Cell, ...]] = [(name.replace("_", " "), *(counts[key][name] for key in keys)) for name in names]
    rows.append(("all", *(len(found[key]) for key in keys)))
    heads = tuple(f"{language} {split}" for language, _, split in keys)
    return StatisticsTable(f"labels-{labels}", f"Labels, {labels} (table 1)", (labels, *heads), tuple(rows), notes)


def _votes(found: Mapping[tuple[str, str, str], list[LabelledPair]]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for language, labels in dict.fromkeys(key[:2] for key in found):
        shares = [
            row.agreement
            for key in found
            if key[:2] == (language, labels)
            for row in found[key]
            if row.agreement is not None
        ]
        tenths = Counter(int(share * 10 + 1e-9) for share in shares)
        rows.append((f"{language} {labels}", *(tenths[tenth] for tenth in (7, 8, 9, 10)), mean(shares)))
    note = (
        "The release has the share of votes for the label, not the votes, and only pairs with seven of ten or more: "
        "Krippendorff's alpha cannot be computed from it."
    )
    columns = ("pairs by agreement", "0.7", "0.8", "0.9", "1.0", "mean")
    return StatisticsTable("votes", "Agreement of the annotators", columns, tuple(rows), (note,))


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")
