"""HeadlineCause (Gusev and Tikhonov 2021): two headlines and how they are related.

The release (CC0) labels its pairs twice: *full* with seven relations, *simple* with three classes, in which a
refutation counts as a causal relation (section 1; the authors' ``crowd/aggregate.py``). Its files are
``en/full/train.jsonl``, ``ru/simple/val.jsonl`` and so on. The authors' repository (Apache-2.0) carries some more
pairs, labelled by hand, which :func:`read_pairs` reads.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.news.article import Published
from whywire.news.times import parse_time
from whywire.pairs.relations import RELATIONS, RELATIONS_OF, Causality, Relation
from whywire_lab.corpora.splits import part_of_topic

SIMPLE, FULL = "simple", "full"
TRAIN, DEV, TEST = "train", "dev", "test"


LABELS: Mapping[str, tuple[frozenset[Relation], ...]] = {
    SIMPLE: tuple(RELATIONS_OF.values()),
    FULL: tuple(frozenset({relation}) for relation in RELATIONS),
}
"""The meanings of the label numbers."""

SPLIT_NAMES: Mapping[str, frozenset[str]] = {DEV: frozenset({"val", "valid", "validation", "dev"})}
"""Other names that a split may have in a file's name."""

TRAIN_UNTIL, DEV_UNTIL = 0.8, 0.9
"""Shares of a source's pairs, by time, at which training and dev end (the authors' ``toloka/split.py``)."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two headlines and the relations they may have by their label.

    Args:
        allowed: one relation in *full*, all those of a class in *simple*.
        id: ``en_tg_1153``: language, source, number; the same in *simple* and *full*.
        left_published: when the left headline appeared; ``None`` if the file does not say.
        agreement: the share of the annotators' votes that the label won, 0 to 1.
        has_link: whether one of the articles links to the other.
    """

    left: str
    right: str
    allowed: frozenset[Relation]
    language: str
    id: str = ""
    left_url: str = ""
    right_url: str = ""
    left_published: Published | None = None
    right_published: Published | None = None
    agreement: float | None = None
    has_link: bool | None = None

    @property
    def relation(self) -> Relation | None:
        """The one relation they have; ``None`` where the label leaves it open, as *simple* does."""
        return next(iter(self.allowed)) if len(self.allowed) == 1 else None

    @property
    def causality(self) -> Causality:
        """Whether one led to, or refutes, the other."""
        return next(name for name, relations in RELATIONS_OF.items() if self.allowed <= relations)

    @property
    def source(self) -> str:
        """Where the pair was found (``tg``, ``lenta``), by its id; empty if the id does not say."""
        return [*self.id.split("_"), ""][1]


def read_pairs(path: Path) -> Iterator[LabelledPair]:
    """Read the gold pairs: ``left_title, right_title, label, language`` a line, the label by name.

    Raises:
        InputError: the file is missing, or a line is no such object.
    """
    for place, row in _objects(path):
        try:
            allowed = frozenset({Relation(row["label"])})
        except (KeyError, ValueError) as error:
            known = ", ".join(RELATIONS)
            raise InputError(f"no such label: {row.get('label')!r}", where=place, hint=f"one of {known}") from error
        yield LabelledPair(
            _text(row, "left_title", place), _text(row, "right_title", place), allowed, _text(row, "language", place)
        )


def part_of_pair(pair: LabelledPair) -> str:
    """``train`` or ``dev``: the part of a gold pair; a quarter of them was never shown to a model of ours."""
    return DEV if part_of_topic(min(pair.left, pair.right)) == DEV else TRAIN


def find_release(folder: Path, language: str, labels: str, split: str) -> Path | None:
    """The file of the release by the words of its path: ``en/simple/train.jsonl``, ``en_simple_train.jsonl``.

    Args:
        folder: looked through with all it holds.
        language: ``en`` or ``ru``.
        labels: ``simple`` or ``full``.
        split: ``train``, ``dev`` (``val`` in the release) or ``test``.

    Returns:
        ``None`` where there is no such file.

    Raises:
        InputError: several files may be meant.
    """
    found = []
    for path in sorted(folder.rglob("*.jsonl")):
        words = set(re.split(r"[\W_]+", path.relative_to(folder).with_suffix("").as_posix().lower()))
        if {language, labels} <= words and words & SPLIT_NAMES.get(split, frozenset({split})):
            found.append(path)
    if len(found) > 1:
        names = " and ".join(str(path.relative_to(folder)) for path in found[:2])
        raise InputError(f"{names} may both be the {split} split of {language} {labels}", where=str(folder))
    return found[0] if found else None


def read_split(folder: Path, language: str, labels: str, split: str) -> Iterator[LabelledPair]:
    """Read a split of the release: :func:`find_release`, then :func:`read_release`.

    Raises:
        InputError: there is no such file, or several, or a line is broken.
    """
    path = find_release(folder, language, labels, split)
    if not path:
        name = f"{language}/{labels}/{'val' if split == DEV else split}.jsonl"
        raise InputError("no such file", where=str(folder / name), hint="or one with the same words in its path")
    return read_release(path, language, labels)


def read_release(path: Path, language: str, labels: str) -> Iterator[LabelledPair]:
    """Read a file of the release.

    A line is ``left_url, right_url, left_title, right_title, left_timestamp, right_timestamp`` (Unix seconds), the
    ``label`` as a number, ``agreement`` (or ``simple_agreement``, ``full_agreement``), ``has_link`` and ``id``; all
    but titles and label may be missing.

    Args:
        language: of the titles, ``en`` or ``ru``.
        labels: what the numbers stand for: ``simple`` or ``full``.

    Raises:
        InputError: the file is missing, or a line is no such object.
    """
    for place, row in _objects(path):
        yield release_pair(row, place, language, labels)


def release_pair(row: Mapping[str, Any], place: str, language: str, labels: str) -> LabelledPair:
    """The pair of a row of the release; :func:`read_release` says what a row holds.

    Raises:
        InputError: it is no such row; the place is named.
    """
    meanings = LABELS[labels]
    label = row.get("label")
    if type(label) is not int or not 0 <= label < len(meanings):
        raise InputError(
            f"the label must be a number from 0 to {len(meanings) - 1}, not {label!r}",
            where=place,
            hint=f"the file is read as {labels!r}",
        )
    agreement = row.get("agreement", row.get(f"{labels}_agreement"))
    linked = row.get("has_link")
    return LabelledPair(
        _text(row, "left_title", place),
        _text(row, "right_title", place),
        meanings[label],
        language,
        id=str(row.get("id", "")),
        left_url=row.get("left_url") or "",
        right_url=row.get("right_url") or "",
        left_published=_time(row, "left_timestamp", place),
        right_published=_time(row, "right_timestamp", place),
        agreement=None if agreement is None else _share(agreement, place),
        has_link=None if linked is None else bool(linked),
    )


def split_by_time(pairs: Iterable[LabelledPair]) -> dict[str, list[LabelledPair]]:
    """The pairs of ``train``, ``dev`` and ``test``: of each source the earliest, later and latest pairs.

    A pair is as late as its later headline. The same pairs give the same splits, whatever order they come in.

    Raises:
        InputError: a pair has no time.
    """
    by_source: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for pair in pairs:
        if pair.left_published is None or pair.right_published is None:
            raise InputError("a pair without times cannot be split by time", where=pair.id or pair.left)
        later = max(pair.left_published.at, pair.right_published.at)
        by_source[pair.source].append((later, pair.id, pair.left, pair.right, pair))
    parts: dict[str, list[LabelledPair]] = {TRAIN: [], DEV: [], TEST: []}
    for _, rows in sorted(by_source.items()):
        ordered = [row[-1] for row in sorted(rows, key=lambda row: row[:-1])]
        train, dev = (int(share * len(ordered)) for share in (TRAIN_UNTIL, DEV_UNTIL))
        parts[TRAIN] += ordered[:train]
        parts[DEV] += ordered[train:dev]
        parts[TEST] += ordered[dev:]
    return parts


def runs_backwards(pair: LabelledPair) -> bool:
    """Whether the label has something led to, or refuted by, what was certainly published before it.

    If times are missing, or both are one day without a time of day, the label may be right.
    """
    left, right = pair.left_published, pair.right_published
    if pair.causality is Causality.NONE or left is None or right is None:
        return False
    cause, effect = (left, right) if pair.causality is Causality.LEFT_RIGHT else (right, left)
    return effect.until < cause.at


def consistent_in_time(pairs: Iterable[LabelledPair]) -> tuple[list[LabelledPair], list[LabelledPair]]:
    """The pairs whose causes come first, as the release keeps them, and those that :func:`runs_backwards`."""
    kept: list[LabelledPair] = []
    dropped: list[LabelledPair] = []
    for pair in pairs:
        (dropped if runs_backwards(pair) else kept).append(pair)
    return kept, dropped


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each line."""
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise InputError("the line is not JSON", where=f"{path}:{number}") from error
                if not isinstance(row, dict):
                    raise InputError("the line is not a JSON object", where=f"{path}:{number}")
                yield f"{path}:{number}", row


def _text(row: Mapping[str, Any], key: str, place: str) -> str:
    text = row.get(key)
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{key} must be a text, not {text!r}", where=place)
    return text


def _time(row: Mapping[str, Any], key: str, place: str) -> Published | None:
    try:
        return parse_time(row.get(key))
    except InputError as error:
        raise InputError(f"{key}: {error.message}", where=place) from error


def _share(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"the agreement must be a number from 0 to 1, not {value!r}", where=place)
    return float(value)
