"""Deduplication of articles by id and url, which keeps the latest version.

An outlet may have corrected an earlier version, so only the latest version is kept. If a dropped version differs from
the kept version, it is listed as a problem with its row, so that nothing is lost silently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from whywire.news.article import Article, Problem
from whywire.news.article_rows import to_row
from whywire.news.urls import url_key


def without_duplicates(articles: Iterable[Article]) -> tuple[list[Article], list[Problem]]:
    """Keep one article of each id and each url (:func:`~whywire.news.urls.url_key`): the latest version.

    The latest version has the latest time; among versions with equal times it is the version that comes last in the
    input. A version with a given time is preferred to a version with an inferred day.

    The result, in the order of :func:`in_canonical_order`, does not depend on the order of the input, except between
    versions with the same time.

    Returns:
        The kept articles, each with the ids of its identical copies under ``also``; and one problem for each dropped
        article that differs from the kept article in more than the id.
    """
    kept: list[Article] = []
    copies: defaultdict[str, set[str]] = defaultdict(set)
    problems: list[Problem] = []
    by_id: dict[str, Article] = {}
    by_url: dict[str, Article] = {}
    for article in _latest_first(articles):
        of_url = None if article.url is None else by_url.get(url_key(article.url))
        later = by_id.get(article.id) or of_url
        if later is None:
            kept.append(article)
            by_id[article.id] = article
            if article.url is not None:
                by_url[url_key(article.url)] = article
        elif content(article) == content(later):
            copies[later.id] |= {article.id, *article.also} - {later.id}
        else:
            name = "url" if later is of_url else "id"
            reason = f"{article.title!r} is left out: a later version has its {name}: {later.id}, {later.title!r}"
            problems.append(Problem(article.place or article.id, reason, row=to_row(article)))
    merged = (
        replace(article, also=tuple(sorted({*article.also, *copies[article.id]}))) if copies[article.id] else article
        for article in in_canonical_order(kept)
    )
    return list(merged), problems


def in_canonical_order(articles: Iterable[Article]) -> list[Article]:
    """Sort articles by time, those without a time last; then by source, title and text."""
    return sorted(articles, key=_canonical_key)


def content(article: Article) -> Article:
    """Return an article without its ids and with the key of its url: copies are articles with equal contents."""
    return replace(article, id="", also=(), url=article.url and url_key(article.url))


def is_later(article: Article, other: Article) -> bool:
    """Whether an article is a later version than another; a given time is later than an inferred day."""
    return _recency(article) > _recency(other)


def _recency(article: Article) -> tuple[bool, float]:
    time = article.published
    return time is not None and not time.inferred_from, time.at.timestamp() if time else 0.0


def _latest_first(articles: Iterable[Article]) -> list[Article]:
    """Sort articles by preference, the preferred first."""
    given = list(articles)
    last_given = {content(article): number for number, article in enumerate(given)}

    def preference(article: Article) -> tuple[object, ...]:
        is_known, at = _recency(article)
        return not is_known, -at, -last_given[content(article)], *_canonical_key(article)

    return sorted(given, key=preference)


def _canonical_key(article: Article) -> tuple[object, ...]:
    time = article.published
    return (
        *((0, time.at, time.day_only) if time else (1,)),
        article.source or "",
        article.title,
        article.text,
        article.url or "",
        article.id,
        article.language,
        article.links,
        article.place,
    )
