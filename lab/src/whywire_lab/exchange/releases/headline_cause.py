"""Relations of two headlines as HeadlineCause is released (Gusev and Tikhonov 2021).

Written are ``headline_cause/{language}/{full, simple}/{train, val, test}.jsonl``, which ``whywire bench`` reads, and
``headline_cause/pairs.jsonl``, from which ``whywire train`` learns: the pairs of the training part. The seven
relations and the three classes are decided apart, as the authors did (``toloka/aggregate.py``): votes for a cause and
for a refutation in the same direction are votes for one class.

Lost in this format: parts of a second, hints, roles, and who answered what.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from whywire.annotation.items import Kind, Role
from whywire.annotation.votes import MIN_AGREEMENT
from whywire.errors import InputError
from whywire.news.article import Published
from whywire.news.language import language_by_letters
from whywire.output import json_text
from whywire.pairs.relations import RELATIONS, RELATIONS_OF, Relation, class_of
from whywire_lab.corpora.headline_cause import FULL, SIMPLE, LabelledPair, release_pair, split_by_time
from whywire_lab.corpora.pair_releases import headline_cause_row
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import DEV, PARTS, TRAIN, Release, divided
from whywire_lab.exchange.tables import Row, files_of, name_of

FOLDER = "headline_cause"

GOLD = "pairs.jsonl"


def release(data: LabelledItems, part: str | None = None) -> Release:
    """The release of the pairs on which people agree.

    Args:
        part: put all pairs there; by default the latest tenth is for testing and the tenth before it for development,
            as in the corpus, or tenths by their titles where a pair has no times.
    """
    kept, problems = agreed_results(data)
    full = [_labelled(item, frozenset({result.answer.relation}), result.share) for item, result in kept]
    simple = _simple(data, {item.id: result for item, result in kept})
    found = Release(problems=problems)
    for labels, pairs in ((FULL, full), (SIMPLE, simple)):
        parts = _parts(pairs, part)
        for name in PARTS:
            for language in sorted({pair.language for pair in parts[name]}):
                rows = [headline_cause_row(pair, labels) for pair in parts[name] if pair.language == language]
                path = f"{FOLDER}/{language}/{labels}/{'val' if name == DEV else name}.jsonl"
                found.files[path] = _lines(rows)
        if labels == FULL and parts[TRAIN]:
            found.files[f"{FOLDER}/{GOLD}"] = _lines(
                {
                    "left_title": pair.left,
                    "right_title": pair.right,
                    "label": pair.relation,
                    "language": pair.language,
                }
                for pair in parts[TRAIN]
            )
    return found


def read(path: Path) -> LabelledItems:
    """Read the files of *full* of a release, or one file; their division into parts is lost.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.RELATION)
    for file in files_of(path, ".jsonl"):
        words = set(re.split(r"[\W_]+", str(file).lower()))
        if path.is_dir() and (SIMPLE in words or file.name == GOLD):
            continue  # the same pairs again
        for place, row in collector.rows(file):
            with collector.row(place, row):
                pair = _pair(row, "ru" if "ru" in words else "en", SIMPLE if SIMPLE in words else FULL)
                item = collector.add_item(_item_row(pair, pair.id or name_of(place)))
                share = 1.0 if pair.agreement is None else pair.agreement
                collector.add_result({"item": item.id, "answer": {"relation": pair.relation}, "share": share})
    return collector.done()


def _pair(row: Row, language: str, labels: str) -> LabelledPair:
    """The pair of a row of the release, or of a gold pair, whose label is a name."""
    if row.get("label") in RELATIONS:
        row = row | {"label": RELATIONS.index(Relation(row["label"]))}
    pair = release_pair(row, "", language, labels)
    if pair.relation is None:
        raise InputError("three classes leave the relation open", hint=f"read the files of {FULL}")
    return pair


def _item_row(pair: LabelledPair, name: str) -> Row:
    times = {
        f"{side}_published": published.at
        for side, published in (("left", pair.left_published), ("right", pair.right_published))
        if published
    }
    return {
        "id": name,
        "left_title": pair.left,
        "right_title": pair.right,
        "left_url": pair.left_url,
        "right_url": pair.right_url,
        **times,
    }


def _simple(data: LabelledItems, agreed: Mapping[str, Any]) -> list[LabelledPair]:
    """The pairs of work on whose class of three people agree; without their votes, the class of the relation.

    Args:
        agreed: the results of the pairs on whose relation they agree.
    """
    pairs, counted = [], data.counted_votes()
    for item in data.items:
        votes = [class_of(vote.answer.relation) for vote in counted[item.id]]
        result = agreed.get(item.id)
        if result is not None and (result.curated or len(votes) < 2):
            pairs.append(_labelled(item, RELATIONS_OF[class_of(result.answer.relation)], result.share))
        elif len(votes) > 1 and item.role is Role.WORK:
            ((first, count),) = Counter(votes).most_common(1)
            if count >= MIN_AGREEMENT * len(votes):
                pairs.append(_labelled(item, RELATIONS_OF[first], count / len(votes)))
    return pairs


def _labelled(item: Any, allowed: frozenset[Relation], share: float) -> LabelledPair:
    return LabelledPair(
        item.left_title,
        item.right_title,
        allowed,
        language_by_letters(f"{item.left_title} {item.right_title}"),
        id=item.id,
        left_url=item.left_url,
        right_url=item.right_url,
        left_published=item.left_published and Published(item.left_published),
        right_published=item.right_published and Published(item.right_published),
        agreement=share,
    )


def _parts(pairs: list[LabelledPair], part: str | None) -> dict[str, list[LabelledPair]]:
    if part is None and all(pair.left_published and pair.right_published for pair in pairs):
        return split_by_time(pairs)
    return divided(pairs, part, lambda pair: min(pair.left, pair.right))


def _lines(rows: Iterable[Row]) -> str:
    return "".join(json_text(row) + "\n" for row in rows)
