"""Which of the articles that come are new, and which are copies of known ones.

Which error is worse? To drop a report: so one that differs from a known article with its id or url is a problem with
its row, never silently left out. Of two such articles the one that came first is kept, unless the other is said to
replace it.
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
    """Articles that came, sorted out.

    Args:
        new: articles that were not known.
        copied: known articles that list more ids of identical copies now, whole.
        replaced: new versions of known articles, with the ids of these.
        problems: articles left out because a known one has the same id or url and other content.
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
    """Sort out the articles that come.

    Args:
        known: articles by id.
        by_url: the ids of known articles by the keys of their urls (:func:`~whywire.news.urls.url_key`).
        by_copy: the ids of known articles by the ids of their copies.
        replacing: the ids of articles that replace the known one with the same id or url, and keep its url if they
            have none.
    """
    given = list(articles)
    ordinary, problems = without_duplicates(one for one in given if one.id not in replacing)
    versions, more_problems = without_duplicates(one for one in given if one.id in replacing)
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
        if article.id in replacing and article.url is None:  # that a version names no address moves no article
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
