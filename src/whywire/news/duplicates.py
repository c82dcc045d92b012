"""The same article read twice adds nothing; two articles under one name are one too many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from whywire.news.article import Article
from whywire.news.problems import Problem
from whywire.news.rows import to_row


def without_duplicates(articles: Iterable[Article]) -> tuple[list[Article], list[Problem]]:
    """Keep one article of each id and each url.

    Articles are taken in a canonical order (time, those without one last; source; title; text), and the first
    of an id or url is kept. So the result does not depend on the order in which they were read.

    Returns:
        The articles kept, in canonical order, and a problem for each one dropped that differed from the one
        kept by more than its id.
    """
    kept: list[Article] = []
    problems: list[Problem] = []
    by_id: dict[str, Article] = {}
    by_url: dict[str, Article] = {}
    for article in sorted(articles, key=_canonical_key):
        earlier, name = by_id.get(article.id), "id"
        if earlier is None and article.url is not None:
            earlier, name = by_url.get(article.url), "url"
        if earlier is None:
            kept.append(article)
            by_id[article.id] = article
            if article.url is not None:
                by_url[article.url] = article
        elif replace(article, id=earlier.id) != earlier:
            reason = f"duplicate {name} of another article, {earlier.id}: {earlier.title!r}"
            problems.append(Problem(article.id, reason, row=to_row(article)))
    return kept, problems


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
    )
