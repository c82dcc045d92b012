"""The part of an article by which it is compared with others: its title and its lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from whywire.news.article import Article

LEAD_WORDS = 40
"""Words of a lead: about two sentences."""

LONGEST_WORD = 40
"""Characters of the longest word in a lead; longer ones and addresses are left out."""


class Report(NamedTuple):
    """A title and its lead. Reports can be sorted, so that a pair is always read in one order.

    Args:
        lead: the beginning of the text (:func:`lead_of`); empty if there is none.
    """

    title: str
    lead: str = ""

    @property
    def bare(self) -> Report:
        """The title alone."""
        return Report(self.title)

    @property
    def key(self) -> str:
        """The key by which answers about the report are cached; it contains a line break, as no title does."""
        return f"{self.title}\n{self.lead}"

    @classmethod
    def of(cls, title: str, text: str) -> Report:
        """The report of an article."""
        return cls(title, lead_of(text, title))


def report_of(article: Article) -> Report:
    """The report of an article: its title and the beginning of its text."""
    return Report.of(article.title, article.text)


TwoReports = tuple[Report, Report]
"""The left and the right one of a pair."""

TextPair = tuple[str, str]
"""Two titles, or other words of two events, left and right."""

ReportText = str | Report
"""A report, or its title alone."""

AskedPair = tuple[ReportText, ReportText]
"""Two reports, or titles alone: the left and the right one."""


def as_report(text: ReportText) -> Report:
    """The report itself, or the report of a title alone."""
    return text if isinstance(text, Report) else Report(text)


def reports_of(pairs: Iterable[AskedPair]) -> list[TwoReports]:
    """The reports of pairs."""
    return [(as_report(left), as_report(right)) for left, right in pairs]


def titles_of(pairs: Iterable[AskedPair]) -> list[TextPair]:
    """The titles of pairs."""
    return [(left.title, right.title) for left, right in reports_of(pairs)]


def lead_of(text: str, title: str = "") -> str:
    """The first ``LEAD_WORDS`` words of a text, without addresses and without its title at the start."""
    words = [word for word in text.split(maxsplit=4 * LEAD_WORDS)[: 4 * LEAD_WORDS] if _is_word(word)]
    repeated = title.lower().split()
    if repeated and [word.lower() for word in words[: len(repeated)]] == repeated:
        words = words[len(repeated) :]
    return " ".join(words[:LEAD_WORDS])


def _is_word(word: str) -> bool:
    return len(word) <= LONGEST_WORD and "://" not in word
