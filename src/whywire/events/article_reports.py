"""What the pair model reads of an article."""

from __future__ import annotations

from whywire.news import Article
from whywire.pairs.reports import Report


def report_of(article: Article) -> Report:
    """The title of an article and the beginning of its text."""
    return Report.of(article.title, article.text)
