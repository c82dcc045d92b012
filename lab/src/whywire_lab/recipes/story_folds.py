"""Folds of the training part: no story, and no two titles that are nearly the same, are in two of them.

Titles are joined into one *component* when a source says that they are of one story or related in any way, or when
they are nearly the same (``NEAR_DUPLICATE``). A component is in one fold. A pair whose two reports are in two folds
may be unrelated by its label; it is trained on only while neither fold is held out, and measured in that of its left
report.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from whywire.news.stems import stems
from whywire_lab.recipes.pair_rows import UNRELATED
from whywire_lab.recipes.report_rows import ReportPair

NEAR_DUPLICATE = 0.7
"""Titles that share this much of their stems (Jaccard's index) are nearly the same."""

MIN_STEMS, RARE_STEMS = 3, 3
"""Stems a title must have to be compared, and how many of its rarest ones candidates are found by."""

MAX_HOLDERS = 60
"""Titles that share a stem at most for it to propose near-duplicates."""


class Folds:
    """Which fold every row is in; the same rows give the same folds.

    Args:
        rows: all rows.
        count: the number of folds.
    """

    def __init__(self, rows: Sequence[ReportPair], count: int) -> None:
        self._parents: dict[str, str] = {}
        self.count = count
        for row in rows:
            left, right = row.left.title, row.right.title
            if row.story:
                story = f"story {row.story}"
                self._join(left, story)
                self._join(right, story)
            elif not row.allowed >= UNRELATED:
                self._join(left, right)
            else:
                self._find(left), self._find(right)
        titles = sorted({report.title for row in rows for report in (row.left, row.right)})
        for one, other in near_duplicates(titles):
            self._join(one, other)
        self._fold_of_component = _balanced(Counter(self.component(row) for row in rows), count)

    def component(self, row: ReportPair) -> str:
        """The component of the row's left report."""
        return self._find(row.left.title)

    def folds_of(self, row: ReportPair) -> tuple[int, int]:
        """The folds of both reports, left and right."""
        return self._fold(row.left.title), self._fold(row.right.title)

    def train(self, rows: Iterable[ReportPair], held_out: int) -> list[ReportPair]:
        """The rows without a report in the held-out fold."""
        return [row for row in rows if held_out not in self.folds_of(row)]

    def measured(self, rows: Iterable[ReportPair], held_out: int) -> list[ReportPair]:
        """The rows that are measured in a fold; every row is measured in one."""
        return [row for row in rows if self.folds_of(row)[0] == held_out]

    def _fold(self, title: str) -> int:
        name = self._find(title)
        return self._fold_of_component.get(name, _hashed(name) % self.count)

    def _find(self, name: str) -> str:
        self._parents.setdefault(name, name)
        while (parent := self._parents[name]) != name:
            self._parents[name] = name = self._parents[parent]
        return name

    def _join(self, one: str, other: str) -> None:
        first, second = sorted((self._find(one), self._find(other)))
        self._parents[second] = first


def near_duplicates(titles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of titles that share ``NEAR_DUPLICATE`` of their stems, found by their rarest stems."""
    known = [stems(title) for title in titles]
    counts = Counter(stem for own in known for stem in own)
    holders: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(known):
        if len(own) < MIN_STEMS:
            continue
        candidates: set[int] = set()
        for stem in sorted(own, key=lambda stem: (counts[stem], stem))[:RARE_STEMS]:
            candidates.update(holders[stem][-MAX_HOLDERS:])
            holders[stem].append(number)
        for other in sorted(candidates):
            if len(own & known[other]) >= NEAR_DUPLICATE * len(own | known[other]):
                yield titles[other], titles[number]


def _balanced(sizes: Counter[str], count: int) -> dict[str, int]:
    """Each large component to the fold that has least so far; small ones go by a hash (:meth:`Folds._fold`)."""
    large = [(size, name) for name, size in sizes.items() if size >= sum(sizes.values()) / (200 * count)]
    totals = [0] * count
    result = {}
    for size, name in sorted(large, key=lambda item: (-item[0], _hashed(item[1]))):
        fold = totals.index(min(totals))
        totals[fold] += size
        result[name] = fold
    return result


def _hashed(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
