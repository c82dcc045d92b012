"""Deduplication of articles by id and url.

Which error is worse? To drop a report: so one that differs from the one kept is listed as a problem, with its row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from whywire.news.article import Article
from whywire.news.article_rows import to_row
from whywire.news.problems import Problem


def without_duplicates(articles: Iterable[Article]) -> tuple[list[Article], list[Problem]]:
    """Keep one article of each id and each url: the earliest, and of those at one time the one with the longest text.

    One whose time is given is rather kept than one whose day is inferred.

    What is kept, and its order (time, those without one last; source; title; text), does not depend on the order in
    which the articles were read.

    Returns:
        The articles kept, each with the ids of its identical copies under ``also``, and a problem for each one left
        out that differed from the one kept by more than its id.
    """
    kept: list[Article] = []
    copies: defaultdict[str, set[str]] = defaultdict(set)
    problems: list[Problem] = []
    by_id: dict[str, Article] = {}
    by_url: dict[str, Article] = {}
    for article in sorted(articles, key=_preference):
        earlier, name = by_id.get(article.id), "id"
        if earlier is None and article.url is not None:
            earlier, name = by_url.get(article.url), "url"
        if earlier is None:
            kept.append(article)
            by_id[article.id] = article
            if article.url is not None:
                by_url[article.url] = article
        elif replace(article, id=earlier.id, also=()) == replace(earlier, also=()):
            copies[earlier.id] |= {article.id, *article.also} - {earlier.id}
        else:
            reason = f"{article.title!r} is left out: another article has its {name}: {earlier.id}, {earlier.title!r}"
            problems.append(Problem(article.place or article.id, reason, row=to_row(article)))
    return [_with_copies(article, copies[article.id]) for article in in_canonical_order(kept)], problems


def in_canonical_order(articles: Iterable[Article]) -> list[Article]:
    """Articles by time, those without one last; then by source, title and text."""
    return sorted(articles, key=_canonical_key)


def _with_copies(article: Article, copies: set[str]) -> Article:
    return replace(article, also=tuple(sorted({*article.also, *copies}))) if copies else article


def _preference(article: Article) -> tuple[object, ...]:
    """Sorts what is rather kept before the rest."""
    time = article.published
    return (
        bool(time is None or time.inferred_from),
        *_time_key(article),
        -len(article.text),
        *_canonical_key(article),
    )


def _canonical_key(article: Article) -> tuple[object, ...]:
    return (
        *_time_key(article),
        article.source or "",
        article.title,
        article.text,
        article.url or "",
        article.id,
        article.language,
        article.links,
        article.place,
    )


def _time_key(article: Article) -> tuple[object, ...]:
    time = article.published
    return (0, time.at, time.day_only) if time else (1,)
