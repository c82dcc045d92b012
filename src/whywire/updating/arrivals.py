"""Which articles that come are new, which are copies of known ones, and which replace one.

Dropping a report silently is worse than reporting a problem too many. So an article that differs from a known one
with the same id or url is never just left out: it is reported as a problem, with its row. The article that came
first is kept, unless the other is said to replace it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from whywire.news import Article, Problem, without_duplicates
from whywire.news.article_rows import to_row
from whywire.news.duplicates import content
from whywire.news.urls import url_key


@dataclass(frozen=True)
class Arrivals:
    """Articles that came, sorted.

    Args:
        new: articles that were not known.
        copied: known articles, complete, that now list more ids of identical copies.
        replaced: new versions of known articles, under the known ids.
        problems: articles left out because a known one has the same id or url but other content.
    """

    new: list[Article]
    copied: list[Article]
    replaced: list[Article]
    problems: list[Problem]


def sort_arrivals(
    articles: Iterable[Article],
    known: Mapping[str, Article],
    by_url: Mapping[str, str],
    by_copy: Mapping[str, str],
    replacing: Collection[str] = (),
) -> Arrivals:
    """Sort the articles that come.

    Args:
        known: articles by id.
        by_url: ids of known articles by the keys of their urls (:func:`~whywire.news.urls.url_key`).
        by_copy: ids of known articles by the ids of their copies.
        replacing: ids of articles that replace the known one with the same id or url; without a url they keep that of
            the known one.
    """
    given = list(articles)
    ordinary, problems = without_duplicates(article for article in given if article.id not in replacing)
    versions, more_problems = without_duplicates(article for article in given if article.id in replacing)
    problems += more_problems
    new: dict[str, Article] = {}
    new_by_url: dict[str | None, str] = {}
    copied: dict[str, Article] = {}
    replaced: dict[str, Article] = {}
    for article in (*ordinary, *versions):
        key = None if article.url is None else url_key(article.url)
        of_url = None if key is None else by_url.get(key) or new_by_url.get(key)
        of_id = article.id if article.id in known or article.id in new else by_copy.get(article.id)
        name = of_id or of_url
        if name is None:
            new[article.id] = article
            new_by_url[key] = article.id
            continue
        earlier = copied.get(name) or known.get(name) or new[name]
        if article.id in replacing and article.url is None:  # a version without a url does not move the article
            article = replace(article, url=earlier.url)
        also = tuple(sorted({*earlier.also, article.id, *article.also} - {name}))
        if content(article) == content(earlier):
            if {*also} != {*earlier.also}:
                (new if name in new else copied)[name] = replace(earlier, also=also)
        elif article.id in replacing and of_url in (None, name):
            copied.pop(name, None)
            (new if name in new else replaced)[name] = replace(article, id=name, also=also)
        else:
            other = of_url or name
            shared = "url" if of_url else "id"
            title = (known.get(other) or new[other]).title
            reason = f"{article.title!r} is left out: another article has its {shared}: {other}, {title!r}"
            problems.append(Problem(article.place or article.id, reason, row=to_row(article)))
    return Arrivals([*new.values()], [*copied.values()], [*replaced.values()], problems)
